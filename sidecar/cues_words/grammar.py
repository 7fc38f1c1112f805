"""The small words that decide what a clause is: a question, a request, a contrast, something said of this."""

from __future__ import annotations

import re


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
    "why how what where warum wieso weshalb pourquoi comment perché waarom hoe dlaczego почему \
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
TAKING_UP = _set(
    """
    it that this the its they you not still there i we es das die du er sie c ça il tu eso esto lo isso isto o
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
    my other another different their his her someone somebody colleague team mein meine mon ma mes mi mis meu
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
WANTS_TROUBLE = re.compile(
    r"\b(?:must|should|has to|needs to|to|make it|will|ought to|supposed to) (?:\w+ )?(?:fail|raise|throw|error|\
crash|reject|refuse)"
    r"|\b(?:soll|muss)\b[^.?]{0,60}\b(?:fehlschlagen|werfen|abbrechen|scheitern)|(?:doit|devrait) (?:échouer|lever|\
lancer)"
    r"|(?:debe|debería) (?:fallar|lanzar)|(?:deve|dovrebbe) (?:falhar|lançar|fallire|lanciare)|долж\w+ (?:упасть|\
падать|бросать)"
    r"|失敗するように|エラーに(?:なる|する)ように|应该(?:报错|失败)|抛出|실패해야",
    re.IGNORECASE,
)
