"""What is only a reaction to the answer before it, and names nothing of its own: `that doesn't help`, `same problem`,
`still flaky`. And what is a complaint, which says so and adds how it is now: `that didn't help, still 401`. Pure.

Such a prompt is about what the question was about that it follows. A word that is in none of the lists here (a thing,
a file, a number) makes it a message of its own; a complaint is both. Clause by clause, and by closed lists: what is not
in them is not seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from aftermind.engine.lazily import lazily
from aftermind.projections.reading.listed import listed
from aftermind.projections.reading.plain_tongues import ANYWHERE, plain_abroad
from aftermind.projections.reading.terms import STOP_WORDS, composed

PASSES, UNSOLVED = 32, 64
"""Bits: it is nothing but a reaction; and it says that nothing is solved."""
COMPLAINS = 128
"""A bit: it says that nothing is solved, and more, but asks and wants nothing else."""
LONGEST, LONGEST_COMPLAINT = 100, 600
"""Characters of a reaction, and of what a complaint says before anything pasted."""

_CLAUSES = re.compile(r"[,.;:!?…—。、！？，；：\n]+|\s-+\s|\b(?:but|and|aber|und|mais|et|pero|ma|mas)\b")
_FACE = re.compile(r"[:;]-?[()/|]+")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_OTHER = re.compile(r"[\d_`@#$/\\<>={}\[\]()|*+~%^&\"“”]")
"""What stands in a name, a path, code, a quotation: it names something."""


_NOT = listed(
    """
    not no never nothing none neither without cannot can't doesn't didn't don't isn't wasn't aren't won't hasn't
    haven't doesnt didnt dont isnt wont hasnt nicht nichts kein keine keinen keinerlei weder ne n'a n'aide pas
    aucun aucune rien tampoco sin ningún ninguna não nem nenhum non nessun nessuna niente neppure
    """
)
_REFUSES = listed("no nope nah nö nein non não neither either")
"""Alone, and to whatever was answered."""
_STILL = listed(
    """
    still same identical unchanged persists persist persisted remains weiterhin unverändert dasselbe derselbe
    dieselbe selbe selber selben selbes gleiche gleicher gleiches gleichen toujours même mêmes pareil identique
    inchangé sigue siguen mismo misma igual continúa stesso stessa uguale continua mesmo mesma
    """
)
_WORKS = listed(
    """
    work works working worked fine good better great green pass passes passed passing correct right ok okay solved
    resolved fixed fixes fix solve solves help helps helped helping helpful geht klappt klappte funktioniert
    funktionierte läuft hilft half geholfen gelöst behoben besser richtig gut grün marche marchait fonctionne
    fonctionnait aide aidé résolu résout mieux funciona funcionó ayuda ayudó resuelto mejor aiuta aiutato funziona
    funzionato risolto meglio funcionou ajuda ajudou resolvido resolveu melhor perfect perfekt parfait perfecto
    perfetto
    """
)
_MOVES = listed(
    """
    change changes changed difference effect luck improvement success output result results response responses
    matter matters quite really enough yet bringt brachte gebracht änderung änderungen ändert geändert unterschied
    wirkung erfolg besserung leider changement changé effet différence cambia cambió cambio cambios efecto
    cambiato cambiamenti effetto mudou muda mudança mudanças efeito
    """
)
"""What is missing where nothing is better, and tells nothing where it is not."""
_RESULTS = listed("output result results response responses")
_BAD = listed(
    """
    fail fails failed failing broken breaks breaking broke flaky slow slower red wrong incorrect worse stuck empty
    blank hangs hang hanging hung crash crashes crashed crashing freezes freezing frozen timing timed erroring
    throws throwing dead garbled useless unreliable laggy unstable kaputt rot langsam langsamer falsch hängt leer
    fehlgeschlagen abgestürzt instabil schlimmer plante planté lent cassé vide faux pire échoue falla fallando
    lento roto vacío mal peor fallisce lenta rotto vuoto sbagliato peggio falha falhando quebrado vazio errado
    pior
    """
)
_NOUNS = listed(
    """
    problem problems issue issues error errors failure failures bug bugs thing things story message symptom
    symptoms behavior behaviour outcome fehler problem probleme ergebnis fehlermeldung meldung sache erreur
    erreurs problème souci résultat problema problemas error errores resultado problemi errore risultato erro
    erros
    """
)
_SMALL = listed(
    """
    it's that's this's i'm i've there's here's they're let's we're yes yeah hm hmm mhm ugh argh oh well sadly
    unfortunately alas sorry afraid exactly exact totally completely entirely absolutely actually really quite
    even either though tho anyway already now anymore either neither longer much bit little lot too so still seems
    seem seemed looks look apparently get gets getting got see seeing happens happen happened happening make makes
    made mind worries bad tried try trying did done exactly before ever like last way time times one ones else
    next suggestion suggestions idea advice answer solution attempt approach anything everything something nothing
    any all us me them both made says said keeps keep kept thx ty cool nice wow damn awesome lovely done great
    wonderful mate man immer noch einfach auch so gar überhaupt leider schade mehr wieder ist es das dies hat
    haben bei mir genau ja nö ça cela c'est n'est n'y j'ai malheureusement encore hélas mais tout du si oui rien
    eso esto sí lo la el ni nada todavía aún desgraciadamente lamentablemente está ancora purtroppo sì lo stesso
    ciò è isso ainda infelizmente sim também
    """
)
_ORDERS = listed(
    """
    do try make fix change solve help let please go give show use keep stop redo undo don't dont never look see
    pass get tell say work like say works? mach mache versuch versuche bitte
    """
)
"""With these first a clause asks for something. What does not work either is said with a word before it."""
_PLEASE = listed("please bitte")
_ASKS = listed("why how what which when where who whom should could can would will shall may may")
_TWO_WORDS = lazily(r"\b(?:immer noch|noch immer|nach wie vor)\b")
_NO_LONGER = lazily(
    r"\b(?:no|not any|any) longer\b|\b(?:anymore|nicht mehr|kein(?:e|en)? mehr|ne plus|ya no|non più)\b"
)
_NEVER_MIND = lazily(
    r"\bnever ?mind\b|\bnot (?:sure|yet|bad|(?:right )?now|too bad|done)\b|\bno (?:idea|need|worries|way|matter)\b"
    r"|\b(?:[a-z]+n'?t|cannot|not|never) (?:matter|know|tell|say|said|tried|try)\b|\bhang on\b|\bslow down\b"
    r"|\bstill (?:need|to)\b"
)
_SAME_FOR = lazily(r"\bsame (?:thing )?(?:for|better)\b")
_IS_IT = lazily(r"(?:is|are|was|were|does|do|did|has|have) (?:it|this|that|they|these|those|we|i|you)\b")
_OUGHT = listed("should shouldn't must mustn't ought may might could would")
"""It is not said that it is so."""
_WHOLE = lazily(
    r"[👎❌😡🤦]+"
    r"|(?:まだ|やはり|やっぱり)?(?:動かない|動きません|だめ|ダメ|駄目|直らない|直りません|変わらない|変わりません|治らない)(?:です|でした|よ|ね)*"
    r"|(?:まだ)?同じ(?:エラー|問題|結果)?(?:です|だ|のまま|が出ます|が出る)*"
    r"|(?:还是|仍然|依然)?(?:不行|没用|不管用|一样|没有变化|没变化|报错|失败|不工作)了?|(?:还是)?(?:同样|一样)的(?:错误|问题|结果)"
    r"|(?:여전히\s?|아직도?\s?)?(?:안\s?돼요?|안\s?됩니다|안\s?되네요)|(?:같은|똑같은)\s?(?:에러|오류|문제)(?:예요|입니다|네요)?"
    r"|(?:вс[её] ещ[её] |по-прежнему |это )*не (?:работает|помогло|помогает)"
    r"|(?:вс[её] )?т[ао] же (?:ошибка|проблема|самое)"
)


def reaction(text: str) -> int:
    """The bits of a text: 0 where it says anything of its own."""
    if not 0 < len(text) <= LONGEST or (text.isascii() and text.isdecimal()):
        return 0
    low = composed(text).replace("’", "'").lower().strip()
    if any(word.isascii() and word.isalpha() and word not in _LIKELY for word in low.split()[:_LOOKED_AT]):
        return 0  # as nearly every text
    if _WHOLE.fullmatch(low.strip(" .!。！…")):
        return PASSES | UNSOLVED
    low = _TWO_WORDS.sub("weiterhin", _FACE.sub(" ", low))
    if _OTHER.search(low):
        return 0
    marks = [*_CLAUSES.findall(low), ""]
    parts = [(_WORD.findall(part), "?" in mark) for part, mark in zip(_CLAUSES.split(low), marks, strict=True)]
    clauses = [said for said, _ in parts if said]
    every = [word for said in clauses for word in said]
    if not every or not _all_small(every) or _rest(low) or any(map(_states, clauses)):
        return 0
    if _NEVER_MIND.search(low):
        return PASSES
    unsolved = any(_unsolved(said) for said, asks in parts if not asks) or all(
        _REFUSES.issuperset(said) for said in clauses
    )
    return PASSES | (UNSOLVED if unsolved else 0)


def _states(said: list[str]) -> bool:
    """Whether a clause says something of its own in small words: "the message is wrong", "use green"."""
    words = set(said[1:] if said[0] in _ORDERS else said)
    told = words & (_NOUNS | _RESULTS) and not words & (_NOT | _STILL)
    return bool(told or (said[0] in _ORDERS and words & (_WORKS | _MOVES | _BAD)))


def _rest(low: str) -> bool:
    """Whether there are letters of a script whose words are not listed."""
    return not low.isascii() and any(char.isalpha() and char > "\u024f" for char in low)


def _all_small(words: Iterable[str]) -> bool:
    left = {word for word in words if word not in _KNOWN and not set(word.split("'")) <= STOP_WORDS}
    return not left or left <= plain_abroad(set(words))


def _unsolved(said: list[str]) -> bool:
    """Whether a clause says that something is not solved."""
    while len(said) > 1 and said[0] in _REFUSES and said[1] not in _OF_NO:
        said = said[1:]  # "no, that doesn't help", without its comma
    words = set(said)
    whole = " ".join(said)
    if words & (_PLEASE | _OUGHT) or _IS_IT.match(whole) or _SAME_FOR.search(whole):
        return False
    if not words or (said[0] in _ORDERS | _ASKS and not words & _STILL - {"same"}):
        return False
    over = bool(_NO_LONGER.search(whole))
    denied = bool(words & _NOT)
    if words & _WORKS:
        return denied or (over and not words & _BAD)
    if words & _BAD:
        return not denied and not over
    if words & _NOUNS:
        return bool(words & _STILL) and not denied and not over
    if words & _MOVES:
        return denied or bool(words & _STILL)
    return bool(words & (_STILL - _GO_ON | _DOES_NOT)) and not over and not (denied and words & _SAME)


_OF_NO = _MOVES | _NOUNS | _WORKS | _BAD | {"longer", "more", "further", "other"}
"""What a "no" is of, if it stands before it."""
_DOES_NOT = listed("doesn't didn't doesnt didnt won't wont")
_GO_ON = listed("sigue siguen continua continúa")
"""Alone they tell somebody to."""
_SAME = listed("same identical gleiche gleicher gleiches mêmes même igual mismo misma stesso stessa")
_KNOWN = _NOT | _REFUSES | _STILL | _WORKS | _MOVES | _BAD | _NOUNS | _SMALL | _ORDERS | _ASKS | STOP_WORDS
_LIKELY, _LOOKED_AT = _KNOWN | ANYWHERE, 6


# --- what complains, and says more ----------------------------------------------------------------------------

_PARTS = lazily(r"(?:[,;!?…—。、！？，；\n]|[.:](?!\S))+|\s-+\s|\b(?:but|and|aber|und|mais|et|pero|ma|mas)\b")
_PASTED = lazily(r":\s*\n|```")
_TOKEN = lazily(r"[^\s,;!?…—。、！？，；\"“”()`]+")
_AUXILIARY = lazily(r"\b(does|did|will) not\b")
_TURNS = lazily(
    r"\bby the way\b|\bbtw\b|\b(?:an)?other (?:\w+ )?(?:question|thing|topic|task|issue|problem)\b|\bunrelated\b"
    r"|\b(?:new|different|next) (?:question|thing|topic|task)\b|\bseparate(?:ly)?\b|\banyway\b|\bmeanwhile\b"
    r"|\bsecond (?:question|thing|topic|task|issue|problem|bug|error)\b"
    r"|\bi (?:switched|moved|went|decided|reverted|removed|deleted|skipped|replaced|chose)\b"
    r"|\b(?:forget|leave) (?:it|that)\b|\bmov(?:e|ing) on\b|\bgave up\b|\bfound (?:it|out)\b|\bturn(?:s|ed) out\b"
    r"|\bi meant?\b|\bich mein(?:e|te)\b|\bmy (?:mistake|fault|bad)\b"
    r"|\bübrigens\b|\bnebenbei\b|\bander(?:e|es|en) (?:frage|thema|problem)\b"
    r"|\bau fait\b|\bautre (?:question|problème)\b|\bpor cierto\b|\botr[ao] (?:pregunta|problema|cosa)\b"
    r"|\ba proposito\b|\baltr[ao] (?:domanda|problema|cosa)\b|\baliás\b|\bout?r[ao] (?:pergunta|problema|coisa)\b"
)
"""It turns to something else, or needs no help any more."""
_LASTS = listed("still weiterhin toujours sigue siguen todavía aún ancora ainda continua continúa")
_IT = listed("it that this es das dies ça cela ce eso esto questo isso")
_THE = listed("the my our der die das mein meine unser unsere le la les mon ma mes el los las mi il lo o os as")
_GETS = listed("get gets getting see sees seeing bekomme sehe kriege habe")
_WANTS = listed(
    "need needs want wants wanted like prefer waiting wait matter matters mean belong have has going plan using use "
    "let's lets let "
    "brauche brauchen braucht will wollen möchte veux voudrais quiero necesito voglio vorrei quero preciso muss soll"
)
"""What somebody wants, uses or waits for is not how it is."""
_SAYS = (
    _STILL | _LASTS | _IT | _THE | _NOUNS | _BAD | _NOT | _REFUSES
    | listed(
        """
        now a an after with without in on at from when even there then there's it's that's i i'm i've my its only
        all every each no nothing jetzt nun ich er sie ein eine nach mit ohne im in am bei beim wenn trotz trotzdem
        immer maintenant un une après avec sans dans ahora después con sin en adesso dopo nel agora depois com sem
        """
    )
)  # fmt: skip
"""With these first a clause tells how something is. Any other word may want something done, as verbs do."""


def complaint(text: str) -> int:
    """`COMPLAINS`, where a text that is no mere reaction begins with what says that nothing is solved, and goes on with
    nothing but how it is: then what is asked is still the question before it. Else 0."""
    if not _may_complain(text[:LONGEST]):
        return 0
    low = _PASTED.split(text[: LONGEST_COMPLAINT + 1], maxsplit=1)[0]
    if len(low) > LONGEST_COMPLAINT:
        return 0
    low = composed(low).replace("’", "'").lower()
    low = _AUXILIARY.sub(r"\1n't", _TWO_WORDS.sub("weiterhin", _FACE.sub(" ", low)))
    if _TURNS.search(low) or _NEVER_MIND.search(low):
        return 0
    marks = [*_PARTS.findall(low), ""]
    parts = zip(_PARTS.split(low), marks, strict=True)
    clauses = [(said, mark) for part, mark in parts if (said := _TOKEN.findall(part))]
    refused = False
    while clauses and "?" not in clauses[0][1] and _all_small(clauses[0][0]) and not _objects(clauses[0][0], refused):
        if _WORKS.intersection(clauses[0][0]):
            return 0
        refused = refused or not _REFUSES.isdisjoint(clauses[0][0])
        clauses = clauses[1:]  # "no", "hm", "sorry", before what is meant
    if not clauses or "?" in clauses[0][1] or not _objects(clauses[0][0], refused):
        return 0
    if _LASTS.issuperset(clauses[0][0]) or (clauses[0][1].isalpha() and "same" in clauses[0][0]):
        return 0  # "Still, I prefer tabs", "the same but in Rust"
    introduced = (mark == ":" and not (_NOUNS | _GETS).isdisjoint(said) for said, mark in clauses)
    told = (_tells(said, "?" in mark, quoted) for (said, mark), quoted in zip(clauses[1:], introduced, strict=False))
    return COMPLAINS if all(told) else 0


def _may_complain(begins: str) -> bool:
    """Whether a text has a word at its beginning that one needs, which most have not."""
    return not _TROUBLES.isdisjoint(begins.lower().split())


def _objects(said: list[str], refused: bool) -> bool:
    """Whether a clause says that something is not solved, perhaps in words of its own, as "the year is still wrong"
    does where a "no" went before it: `refused`."""
    while len(said) > 1 and (said[0] in _INTERJECTIONS or (said[0] in _REFUSES and said[1] not in _OF_NO)):
        refused = refused or said[0] in _REFUSES
        said = said[1:]
    if _all_small(said):
        return _unsolved(said) or _NOT_IT.fullmatch(" ".join(said)) is not None
    words, first = set(said), said[0]
    if len(said) == 1 or words & (_PLEASE | _OUGHT | _WANTS) or first in (_ORDERS | _ASKS) - _OF_NO:
        return False
    if words & _WORKS:  # "it does not work in Safari", and not "it still works there", "it works without a lock"
        return first in _IT | _DOES_NOT | _LASTS | _WORKS - _ORDERS and _denies(said)
    lasts = words & _LASTS
    if first in {"same", "gleicher", "gleiches", "même", "mismo", "misma", "stesso", "stessa", "mesmo", "mesma"}:
        return said[1] in _NOUNS - {"thing", "things", "story"} and not words & _ELSEWHERE
    if first in _LASTS:
        return _lasts(said[1:])
    if first in _IT:
        after = said[1:3]
        if said[1] in _IS:
            return bool(lasts & set(after)) and _is_bad(said[3:4])
        return bool(lasts & set(after) or not {*said[1:2]}.isdisjoint(_DOES_NOT | _FAILS))
    if first in _DOES_NOT:
        return True
    near = set(said[1:4])
    if not lasts & near:
        return False
    fault = words & (_BAD | _NOUNS) or any(one[0].isdigit() for one in said)
    if first in {"i", "ich"}:
        return bool(fault and _GETS & near and not _NOT & near)
    if first not in _THE:
        return False
    if refused:
        return bool(fault or words & _NOT)
    return bool(words & _FAILS or (said[1] in _NOUNS and said[2] in lasts) or any(map(_STATUS.fullmatch, said)))


def _lasts(said: list[str]) -> bool:
    """Whether it is a fault what is "still" so, as a clause goes on behind that word."""
    first = said[0]
    if first in _NOT:
        return first in _DOES_NOT or not _MOVES.isdisjoint(said[1:2])
    if first in _ARTICLES:
        return not (_NOUNS | _OLD).isdisjoint(said[1:3]) or any(map(_STATUS.fullmatch, said[1:3]))
    return first in _GETS | _BAD or (_is_bad(said) and (len(said) == 1 or _STATUS.fullmatch(first) is not None))


def _is_bad(said: Sequence[str]) -> bool:
    """Whether that begins with a fault, or with how many."""
    return bool(said) and (said[0] in _BAD | _NOT or said[0][0].isdigit())


def _denies(said: Sequence[str]) -> bool:
    """Whether it is denied that it works: before the verb, or behind it where a language has it there."""
    at = next(n for n, word in enumerate(said) if word in _WORKS)
    return not (_NOT - {"without", "sin"}).isdisjoint(said[max(0, at - 3) : at]) or not _BEHIND.isdisjoint(
        said[at : at + 5]
    )


def _tells(said: list[str], asks: bool, quoted: bool) -> bool:
    """Whether a clause after a complaint tells how it is, and asks and wants nothing with words of its own. What stands
    behind "same error:" is `quoted`, and any words tell."""
    words = set(said)
    if words & _WORKS and not _denies(said):
        return False  # somebody found out
    if _all_small(said):
        return True
    if asks:
        return False
    if quoted and said[0] not in (_ORDERS | _ASKS) - _OUGHT:
        return True
    if words & (_PLEASE | _OUGHT | _WANTS):
        return False
    return said[0] in _SAYS or not said[0].isalpha() or not _LASTS.isdisjoint(said[1:4])


_FAILS = listed("fails failed failing crashes crashed hangs hung freezes throws échoue falla fallisce falha")
_STATUS = lazily(r"[45]\d\d")
_IS = listed("is are was ist sind est è é es está gibt")
_ARTICLES = _THE | listed("a an ein eine einen un une uma um una")
_OLD = listed("old alte alter altes")
_ELSEWHERE = listed(
    "other another andere anderen anderer autre otro otra altro altra outro outra l'autre l'altro l'altra"
)
_BEHIND = listed("nicht nichts pas rien")
_INTERJECTIONS = listed(
    "hm hmm ok okay well sorry unfortunately sadly leider ugh argh oh malheureusement purtroppo yes yeah"
)
_NOT_IT = lazily(
    r"(?:no )?(?:that|this|it)(?: was| is|'s) ?n(?:o|')t it(?: either)?|das (?:war|ist) es (?:auch )?nicht"
)
_WRITTEN = _NOT | _BAD | _LASTS | listed("same noch gleicher gleiches même mismo misma stesso stessa mesmo mesma")
_TROUBLES = frozenset(
    said + mark for word in _WRITTEN for said in (word, word.replace("'", "’")) for mark in ("", *",.:;!?…")
)
"""As they stand between two spaces."""
