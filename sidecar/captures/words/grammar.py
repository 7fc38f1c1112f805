"""The small words that decide what of a message is a rule, a value or a taste."""

from __future__ import annotations

from aftermind.sidecar.captures.words.en import PHRASES


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


SPECIFIC = _set("the it this that these those they he she we you there your i my")
"""What a rule for everything does not begin with."""
NAMING = _set("called named pinned capped limited stored hosted deployed exposed behind")
"""With one of these, a plain word may be a value."""
BETWEEN = _set(
    """
    now still at on actually set to version port porta puerto порт порту porcie poort . in under by with
    from jetzt auf maintenant désormais sur ahora en agora em na no ora adesso su nu op teraz the der
    die le la el il de het
    """
)
"""What may stand between a verb and the value it gives."""
THAT = "dass|que|che|dat|że|что|що"
"""Behind an order or a thought, before what that is; as a pattern, beside the English one, which says more."""
SUBJECTS = _set(
    """
    i you he she it they we the this that these those my your ich du er es sie man das der die je tu il
    elle ça on ce j' c' qu' yo tú él eso esto me lo la le se eu você ele ela isso esse este essa io lui
    lei questo questa ik jij hij dit het dat mi to ten ona я ты он она оно это этот эта вечно це він
    вона bu şu o te si s' n'ai ai
    """
)
"""Who or what does something: with one of these, "never" tells, it does not rule."""
IDLE = _set(
    """
    say again thought seen heard been had happy good nice fun a an better too two same works fails
    happens knew got was were is are gonna mind came did does has said late early wieder schon gut mehr
    so gleich plus pareil comme bien más igual mais bem più così meer zo już tak снова так больше
    """
)
"""After "never" or "always" they tell how it was; an order has a verb there."""
LOOSE = _set("this is of no nothing just my")
"""A rule "from now on" that goes on with one of these is of this conversation."""
HERE = _set("repo repository project codebase code module monorepo")
WE = _set("we you agents")
STATES = _set(
    """
    ok okay full slow slower fast faster gone huge big small tiny stale offline online down broken dead empty fine great
    good bad awful flaky unstable unreachable unavailable healthy unhealthy overloaded back alive ready done corrupt
    corrupted wrong missing stuck kaputt weg voll leer langsam lent lente plein vide cassé lleno lleno vacío roto caído
    cheio vazio quebrado pieno vuoto rotto vol leeg kapot traag
    """
)
"""What a thing is at the moment, also in capitals: the value of nothing."""
PEOPLE = _set("users customers visitors admins guests people they players rows buttons fields")
"""What is said of them is what a program shall do."""
NOT_THINGS = _set(
    """
    error bug file problem issue log code function class method test line typo fix change script
    response output
    """
)
"""Where they are is of the moment."""
VAGUE = _set("it that there things i he she es das ça c eso isso questo это")
"""A rule that goes on with one of these is of nothing that has a name."""
OURS = _set(
    """
    minimum supported required
    our ours we us here staging production prod preprod dev qa uat ci local locally unser unsere unserem
    wir notre nos nous nuestro nuestra nosotros nosso nossa nostro nostra noi onze ons wij nasz nasza
    nasze nas наш наша наше наши нас
    """
)
"""Words that make of a thing one that is known, not one of a moment."""
POINTING = _set("your this that these those here's")
"""A value of something that is pointed at is not one to remember."""
UNITS = _set(
    """
    commits gb mb kb % times lines users rows items files ms seconds minutes hours s min behind errors
    warnings
    """
)
"""After a number, they make a count of it."""
LIMITS = _set("limited capped timeout limit limits ttl interval retention size max default rate budget")
"""Things whose values are counts."""
CHOSEN = _set("branch manager formatter linter bundler orm framework registry")
"""Things whose values are plain words."""
ORDINALS = _set(
    """
    your first second third option erste ersten zweite zweiten variante première deuxième primera
    segunda primeira prima seconda pierwszą drugą первый второй вторую
    """
)
"""What is picked with one of these is picked of what was offered just now."""
BUT = _set("but aber mais pero mas ma maar ale но але ama")
FORBIDDING = _set(
    """
    no never always ever not kein keine nie niemals immer nicht jamais toujours pas nunca siempre sempre
    mai nooit altijd geen niet nigdy zawsze никогда всегда не а ніколи завжди asla only
    """
)
LASTING = _set(
    """
    limited listens listen lives live called named pinned capped läuft lauscht heißt liegt appelle
    trouve écoute llama escucha encuentra chama escuta fica chiama ascolta trova heet luistert nazywa
    nasłuchuje называется слушает лежит
    """
)
"""Where something runs and what it is called stays."""
PICKED = _set("the a an first second other old new last one this that it what")
"""What is not this but one of these was a choice of the moment."""
ORDERS = _set(PHRASES["$order"])
"""What is ordered of somebody who works on a project."""
WORK = (
    _set(PHRASES["$work"]) | {word.removesuffix("s") for word in PHRASES["$work"].split()} | _set("class branch query")
)
"""What rules are of. A program has users, rows and buttons: what they must be is what it is to be made like."""
ADDRESSES = _set(
    """
    note nb fyi reminder remember rule rules convention conventions guideline guidelines general generally future
    btw heads-up heads aware important correction wrong no nope actually correct context background record clear
    told start thing preference preferences p.s ps always never forward tl;dr
    merke merk merken notiz hinweis regel regeln grundregel grundregeln generell grundsätzlich allgemein wichtig künftig
    zukunft nein falsch korrektur erinnerung übrigens konvention konventionen info
    rappel règle règles retiens souviens général attention avenir non correction important
    nota recuerda regla reglas aviso importante recordatorio futuro corrección general ojo
    lembre lembrete regra regras aviso correção geral
    ricorda regola regole promemoria correzione generale attenzione
    onthoud regel regels let herinnering belangrijk voortaan nee correctie algemeen
    pamiętaj zasada zasady uwaga przypomnienie ważne nie poprawka ogólnie
    запомни правило правила заметка примечание напоминание важно нет поправка
    запам'ятай нотатка примітка нагадування важливо ні виправлення
    unutma kural kurallar hatırlatma önemli hayır düzeltme
    """
)
"""Before a colon, they address somebody: what comes after it is what the user says."""
REMINDING = _set(
    """
    remember memorize memorise merk merke merkt denk denkt daran dran dir euch retiens retenez souviens souvenez
    rappelle rappelez recuerda recuerde recuerden lembra lembre ricorda ricordati onthoud onthou pamiętaj
    zapamiętaj запомни запомните помни помните запам'ятай запам'ятайте пам'ятай unutma hatırla
    """
)
"""Said of nothing else, they ask for what comes next to be remembered."""
FILLS = _set(
    """
    a an the and also oh ok okay so for in of to this our my your one more two three some few small quick last thing
    things all every these here are is that was it sessions session please pls just remember be by keep mind before
    you i we have that's us coding style repo repository project codebase house team week already twice yesterday said
    start starting up work working as side well , ' -
    und noch ein eine der die das für zu bitte mal dir euch unsere unser mein dieses projekt repo kurz im in allen dir's
    et une un la le les pour ce notre nos projet toi te bien por favor el los las para este nuestras nuestro proyecto
    que um o os as para este nosso nossas projeto lo il i per questo nostre progetto een de het voor dit onze op
    ten to tym nasze dla projekcie и на для этого проекта наши і на цього проєкту наші bu için proje
    """
)
"""What may stand beside them."""
