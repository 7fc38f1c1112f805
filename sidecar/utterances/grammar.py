"""The small words that decide what a clause is: a question, a request, a contrast, something said of this."""

from __future__ import annotations

import re

from aftermind.engine.lazily import lazily


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


ASKING = _set(
    """
    what how why when where which who whom whose is are was were do does did can could would will should shall may \
has have
    any whats hows
    was wie warum wieso weshalb wann wo welche welcher welches wer kann kannst können könntest sollte soll ist sind \
gibt hast
    und
    comment pourquoi quand où quel quelle quels qui est-ce peux pourrais faut on tu
    cómo como qué que por cuándo dónde cuál quién puedes podrías hay
    por quê quando onde qual quem pode poderia você
    come perché quando dove quale chi puoi potresti cosa che
    hoe waarom wanneer waar welke wie wat kun kan kunnen zou
    jak dlaczego kiedy gdzie który która co czy możesz
    как почему когда где какой какая что кто можешь можно а зачем
    як чому коли де який що хто можеш чи а
    nasıl neden niye ne nerede hangi kim peki
    and so then
    """
)
ALWAYS_ASKING = _set(
    "why how what whats hows where warum wieso weshalb pourquoi comment perché waarom hoe dlaczego почему \
чому neden"
)
"""They begin a question, whatever it ends with."""
POLITE = _set(
    """
    ok okay oh ah well hm hmm ugh um uh so and now then also alright right yeah yes yep hey thanks thank you please \
pls great
    cool nice good super perfect awesome lovely und ja gut danke bitte also et oui merci alors bon y sí si gracias \
vale bueno
    e sim obrigado obrigada valeu ok grazie bene allora en bedankt dank je i tak dzięki dobra и да спасибо хорошо \
так дякую
    evet tamam teşekkürler , . ! : ;
    umm uhm erm ehm ähm äh euh
    """
)
CONTRAST = _set(
    """
    but however though although tho yet whereas while except
    aber jedoch allerdings dafür
    mais cependant toutefois sauf
    pero sino aunque salvo
    mas porém contudo só
    ma però tuttavia tranne invece
    maar echter alleen
    ale jednak tylko natomiast
    но однако зато а
    але проте однак
    ama fakat ancak lakin yalnız
    """
)
NO = _set("no nope nah nein nö nee non não nie nej нет не ні hayır yok noo nooo neee no-no wrong falsch")
MODALS = _set(
    "should supposed must need needs soll sollte sollen muss müssen doit devrait debe debería deve deveria dovrebbe "
    "moet moeten zou powinien powinno musi должен должна должно должны повинен повинно gerek lazım must faut"
)
"""What they stand beside is what is wanted, and they name none of it."""
WANTING = _set(
    "want need like prefer will möchte brauche hätte veux voudrais aimerais quiero necesito quisiera quero preciso "
    "gostaria voglio vorrei wil zou chcę chciałbym potrzebuję хочу нужно хотел хочется istiyorum"
)
"""What somebody wants is not how it is."""
REST = lazily(
    r"\b(?:the (?:rest|others)|everything else|all (?:the )?others?|der rest|alles andere|die anderen"
    r"|el resto|lo demás"
    r"|l[ao]s (?:demás|otr[ao]s)|le reste|les autres|o resto|os outros|as outras|il resto|gli altri|le altre|de rest"
    r"|reszta|pozostałe|остальн\w+|решта|інші|diğerleri|kalanı?)\b|其他|其余|其餘|残り|나머지",
    re.IGNORECASE,
)
"""What was not named before."""
STARTS = _set(
    "runs starts builds compiles loads opens boots läuft startet baut lädt kompiliert compila arranca démarre "
    "compile tourne "
    "parte draait start bouwt запускается собирается компилируется uruchamia buduje"
)
"""What only starts has not yet done what was asked."""
HOPES = _set(
    "hope hopefully assume assuming suppose guess might maybe probably should expect believe hoffe "
    "hoffentlich vermutlich "
    "sollte wahrscheinlich espère devrait espero ojalá debería deve deveria spero dovrebbe hoop hopelijk zou "
    "nadzieję "
    "supposedly allegedly reportedly presumably angeblich supuestamente supostamente zogenaamd presumibilmente "
    "powinno надеюсь наверное должно сподіваюсь umarım"
)
"""Success that is hoped for, or that once was, is none."""
UNTOLD = _set(
    "sure certain know clear convinced sicher weiß überzeugt sûr sûre sais certain seguro segura sé sei certeza sicuro "
    "sicura so zeker weet pewien wiem уверен уверена знаю впевнений певен emin bilmiyorum "
    "idea clue ahnung idée idee pojęcia"
)
"""Whether it is so, who says these beside a negation does not say."""
WHENS = _set("when once until wenn sobald bis quand lorsque dès cuando quando wanneer zodra kiedy gdy когда коли")
"""What is to be done once it is so."""
CONDITIONS = _set(
    "if assuming suppose supposing provided unless wenn falls sofern si se jeśli jeżeli gdyby als indien если якщо eğer"
)
"""What is so, or to be done, only where it is so."""
THEN = _set("then dann danach puis ensuite luego después depois poi dopo daarna toen potem потом затем потім sonra")
OTHERS = _set(
    "other another different andere anderen anderer autre autres otra otro outra outro altra altro ander inny innej "
    "innym другой другую другом другая інший іншу іншій diğer başka"
)
LASTED = lazily(
    r"\b(?:for (?:a|an|some|about|half|the first|\d+)|minutes?|seconds?|hours?|while|briefly|kurz|minuten|stunden"
    r"|pendant|durante|per \w+|przez|минут\w*|секунд\w*|хвилин\w*|dakika)\b|分|秒|분",
    re.IGNORECASE,
)
"""A success that lasted for a while is over."""
RELATIVES = _set("который которая которое которые який яка яке які qui który która które which whose")
"""They begin what something is to be like, or who somebody is."""
REQUESTED = lazily(
    r"^(?:[Pp]lease )?(?:[Tt]est|[Ee]nsure|[Vv]erify|[Mm]ake sure|[Ss]ee) (?:that|if|whether)\b"
    r"|^(?:再|请|請|帮|幫|把|给我|給我|加[上一个]|写|改成)|(?:て|で)(?:ください|下さい|くれ|ほしい|欲しい)|(?:줘|주세요|주십시오|줄래)[요.!]?$"
)
"""A request where there are no words to go by."""
DISCUSSES = lazily(
    r"\s*(?:(?:please|can you|could you|bitte|kannst du|peux-tu|puedes|pode|puoi|kun je) )?"
    r"(?:explain|compare|recommend|discuss|brainstorm|plan|describe|what(?:'s| is| are| does)|what would"
    r"|which .{0,40}(?:should|would|better)"
    r"|should (?:we|i)|pros and cons|tell me about|erklär\w*|vergleich\w*|was ist|was sind"
    r"|welche\w* .{0,40}(?:würdest|sollte)"
    r"|expliqu\w*|compar\w*|qu'est-ce|c'est quoi|explica\w*|qué es|¿qué es|¿qué son|o que é|spiega\w*"
    r"|confronta\w*|cos'è|che cos"
    r"|leg \w+ uit|wat is|vergelijk|wyjaśnij|porównaj|co to|объясни\w*|сравни\w*|что такое|поясни|порівняй"
    r"|що таке|nedir|açıkla)",
    re.IGNORECASE,
)
"""Asks for words, not for something that works: trouble in the reply is what is talked about."""
OF_AN_ANSWER = _set(
    "that this your you i no nope wrong not isn is das dies du ich nein falsch ça ce c tu je non eso esto no "
    "esa isso isto "
    "você questo quello dat dit je ik nee to ty nie это ты я нет не це ти ні bu sen ben hayır"
)
"""What begins a reply to an answer itself."""
WHOLE = _set(
    "all everything both tests test suite specs checks build pipeline error errors issue problem alles beide fehler "
    "problem tout todo todos tudo tutto tutti alles wszystko всё все усе everything's everyone anything nothing"
)
"""Success of these is success of all of it."""
UNTRIED = lazily(
    r"\b(?:(?<!\bdoes )not|never|yet to) (?:\w+ )?(?:tried|tested|checked|looked|read|run|deployed|had (?:time"
    r"|a chance)|gotten)\b"
    r"|(?:n't|\b(?:have|has|had|did|was)nt) (?:\w+ )?"
    r"(?:tried|tested|checked|looked|deployed|had (?:time|a chance)|gotten)\b"
    r"|\b(?:can(?:'t|not| not)|could(?:n't| not)|no way to) (?:\w+ )?(?:test|try|run (?:it|this|that)|check|verify"
    r"|reproduce|tell|say)\b|n't (?:run|start|started|finish|finished|build|built) yet\b"
    r"|\bkann (?:\w+ ){0,3}nicht (?:testen|prüfen|ausprobieren|sagen)"
    r"|\bpeux pas (?:\w+ )?(?:tester|vérifier|essayer)|\bno puedo (?:probar|verificar|comprobar)"
    r"|\bnão (?:posso|consigo) (?:testar|verificar)|\bnon posso (?:provar|verificare)"
    r"|\bне могу (?:проверить|протестировать|попробовать)|试不了|没法(?:试|测)|無法測試|試せ(?:ない|ません)"
    r"|테스트 ?(?:못|할 수 없)"
    r"|\bnoch nicht (?:\w+ )?(?:getestet|probiert|ausprobiert|geprüft|angeschaut|gelesen|gestartet|dazu)"
    r"|\bpas encore (?:\w+ )?(?:test|essay|vérifi|regard|lu|lanc|eu)|\b(?:todavía"
    r"|aún) no (?:\w+ ){0,2}(?:prob\w|revis\w|mirad|leíd)"
    r"|\bainda não (?:\w+ )?(?:test|vi\b|li\b|olh|rod|prov|tent)|\bnon (?:l\W)?(?:ho|abbiamo) ancora"
    r"|\bancora non (?:l\W)?ho"
    r"|\bnog niet (?:\w+ )?(?:getest|geprobeerd|bekeken|gelezen)|\bjeszcze nie (?:\w+ )?(?:sprawdz|test|prób|czyt)"
    r"|\bещ[её] не (?:\w+ )?(?:пробов|провер|тест|смотр|чит|запуска)|\bще не (?:\w+ )?(?:пробув|перевір|тест|дивив)"
    r"|\bdaha (?:dene|test|bak)\w*m[ae]d"
    r"|まだ(?:試し|確認し|見)て(?:い)?(?:ない|ませ)|还没(?:试|测|看)|아직 (?:안 )?(?:해|테스트|확인)",
    re.IGNORECASE,
)
"""What has not been tried says nothing."""
NOTS = _set("not nicht pas no nie niet não non нет не ні değil yok without ohne")
"""At the end of a clause they stand for all of what was said before: "the leak isn't"."""
NEGATIONS = _set(
    """
    no not never none nothing nobody neither nor without hardly barely
    nicht nichts nie niemals kein keine keinen keinem keiner nix nirgends ohne kaum
    ne n' pas jamais rien aucun aucune sans nunca jamás nada ningún ninguna tampoco sin
    não jamais nenhum nenhuma nem sem non niente nulla nessun nessuno nessuna neanche nemmeno senza
    niet niets niks nooit geen zonder nergens nigdy nic bez wcale
    не нет никогда ничего ни никак без ні ніколи нічого ніяк değil yok hiç hiçbir asla
    """
)
"""What denies, but for the words that do so in some languages only."""
FOLLOWING = _set("nicht nichts nie nix gar kein keine niet niets niks nooit pas rien jamais değil yok")
"""Those that may follow what they deny."""
NO_MORE = _set("more anymore longer mehr plus más più meer więcej już больше більше")
"""Beside a negation, what was so is so no more."""
OF_DEGREE = _set(
    """
    than often frequently much oft häufig als souvent que menudo spesso di vaak dan niż często чем чаще ніж
    """
)
"""After a word like "more", it says how often or how much."""
BECAUSE = _set("because since cause weil denn parce porque perché omdat want bo ponieważ потому бо")
"""They begin why something is so."""
STANDING = _set(
    """
    always never nie niemals immer stets jamais toujours nunca siempre sempre mai nooit altijd nigdy zawsze
    никогда всегда ніколи завжди asla
    """
)
"""Before what is ordered, it is ordered for good."""
TWICE = _set("not nicht niet")
"""Said twice they undo each other; elsewhere two negations are one."""
DENIALS = _set("nope")
"""A "no" that declines nothing."""
SEES = _set(
    """
    see sees get gets getting seeing find receive have hit sehe bekomme kriege habe vois ai reçois obtiens
    veo tengo recibo
    vejo recebo tenho vedo ho ricevo zie krijg heb widzę mam dostaję вижу получаю бачу отримую
    """
)
"""What somebody says before what they still see."""
TAKING_UP = _set(
    """
    it that this the its they you not still there es das die du er sie c ça il tu eso esto lo isso isto o
    questo quello dat het to это то це bu
    """
)
"""After a "no", they begin what is wrong with it; anything else is what is wanted instead."""
ANAPHORA = _set(
    """
    it its it's this that these those they them there here now anymore longer same again
    das es dies diese dieser sie jetzt nun hier da dort immer noch
    ça cela ce c il elle ils maintenant toujours encore
    eso esto esta este ahora aquí lo sigue
    isso isto ele ela agora aqui ainda
    questo quello lo adesso ora qui ancora
    dit dat het ze nu hier nog
    to tego teraz tu nadal dalej
    это то он она оно они теперь сейчас тут всё еще ещё
    це він вона воно вони тепер зараз тут досі
    bu şu o şimdi hala hâlâ
    """
)
OWN = _set(
    """
    my our other another different their his her someone somebody colleague team mein meine unser unsere mon
    ma mes notre mi mis nuestro nuestra meu nosso nossa nostro nostra onze nasz наш
    minha mio mia mijn mój moja мой моя мій benim
    """
)
SINCE = _set("now jetzt nun maintenant ahora agora ora adesso nu teraz теперь тепер şimdi")
"""What begins "great, now it is broken"."""
PERSONS = _set(
    """
    i we you he she ich wir du je j on nous tu yo nosotros he eu nós a io abbiamo ho ik wij jij ja my я мы ти
    ми ben biz
    """
)
"""Who did something, before a "but": no report of how it is."""
REQUESTS = _set(
    """
    add write rename create generate explain show draft translate make implement move list remove delete describe \
give convert
    summarise summarize extract change use set bump replace commit document include format help find check refactor
    ergänze schreib schreibe benenne erstelle erkläre zeig zeige mach mache füge übersetze entferne ändere
    ajoute écris crée explique montre traduis renomme supprime change
    añade agrega escribe crea explica muestra traduce renombra haz cambia
    adiciona escreve escreva crie cria explique mostre traduza renomeia faz
    aggiungi scrivi crea spiega mostra traduci rinomina
    voeg schrijf maak leg toon vertaal hernoem
    dodaj napisz stwórz wyjaśnij pokaż przetłumacz
    добавь напиши создай объясни покажи переведи переименуй сделай додай створи поясни
    ekle yaz oluştur açıkla göster çevir
    """
)
WANTS_TROUBLE = lazily(
    r"\b(?:must|should|has to|needs to|to|make it|will|ought to|supposed to) (?:\w+ )?(?:fail|raise|throw|error|\
crash|reject|refuse)"
    r"|\b(?:add|write|create|make|give me) (?:\w+ ){0,3}(?:failing|red) (?:\w+ )?tests?\b|\bmake (?:\w+ )?tests? fail\b"
    r"|\b(?:soll|muss)\b[^.?]{0,60}\b(?:fehlschlagen|werfen|abbrechen|scheitern)|(?:doit|devrait) (?:échouer|lever|\
lancer)"
    r"|(?:debe|debería) (?:fallar|lanzar)|(?:deve|dovrebbe) (?:falhar|lançar|fallire|lanciare)|долж\w+ (?:упасть|\
падать|бросать)"
    r"|失敗するように|エラーに(?:なる|する)ように|应该(?:报错|失败)|抛出|실패해야",
    re.IGNORECASE,
)
OWN_SLIP = lazily(
    r"\A\W*(?:o+ps|whoops|upsi?|oeps|sorry|my bad|mein fehler|pardon|désolée?|perdón|perdona|desculpa|foi mal|scusa)\b"
    r"[^.!?\n]{0,40}?(?<!what )(?<!as )\b(?:i (?:meant|mistyped)|ich meinte|meinte ich|je voulais dire|quise decir"
    r"|quería decir|(?:eu )?quis dizer|queria dizer|volevo dire|intendevo|ik bedoelde|bedoelde ik)\b"
    r"(?! (?:that|it|to|this|was|what|by|dass|damit)\b)",
    re.IGNORECASE,
)
"""Somebody mends what they said themselves, which nobody else has done wrong: "oops, i meant 8081"."""
KIDDING = lazily(
    r"\b(?:jk|(?:just |only )?kidding|nur (?:ein )?(?:spaß|scherz)|je (?:rigole|plaisante)|es broma|brincadeira|scherzo"
    r"|grapje)\b|(?<!\w)/s(?!\w)",
    re.IGNORECASE,
)
"""What was said was not meant."""
