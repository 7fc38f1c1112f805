"""Words that say little in German, French, Spanish, Italian and Portuguese: of grammar, of small talk, of telling an
assistant what to do next. In a prompt of such a language they tell nothing of what it is about; they are looked for and
weighed like others.

English needs no such list for its grammar, which is dropped before anything is looked for (`terms.STOP_WORDS`).
Which language a prompt is in is known by its `SURE` words, which mean nothing in English; the shared ones, which do
(`die`, `fin`, `DER`), are plain beside a sure one only. Words of a trade (`ci`, `io`, `os`) are in neither.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import reduce
from operator import or_

_GERMAN = """
    abend aber allem allen aller alles auch aufgabe ausführen bei beide beim bis bist bitte brauche brauchst dabei
    dadurch dafuer dafür daher damit danach dank danke dankeschön dann datei dateien dazu dein deine deinem deinen
    deutsch dich doch dort durch eben ein eine einem einen einer eines einfach einmal englisch englische erklär
    erkläre erklären erledigt erstelle etwas euch euer falsch fasse fertig fuer funktionieren funktioniert
    funktionierte führe für ganz geht geklappt genau gerade gerne gestern gib gibt gleich guten habe haben habt hallo
    heisst heißt helfen heute hier hilf hilfe hilft ich ihm ihn ihnen ihr ihre ihrem ihren ist ja jede jedem jeden
    jeder jedes jetzt kann kannst kein keine keinem keinen keiner klappt klasse koennen korrigiere können könnte
    könntest läuft lösche löschen mache machen machst macht mehr mein meine meinem meinen meiner meinst mich moechte
    morgen muss musst möchte möchtest müssen nach nachher nein nenne neu neue neuen neuer neues nicht nichts noch
    nochmal nochmals oder ohne passt perfekt richtig rückgängig schau schließe schon schreib schreibe schreiben schön
    sehr sein seine seinem seinen seiner seit sich sie sieht sind soll sollen sollst sollte sollten sondern sowie
    später starte starten statt stimmt tschüss tue ueber und unser unsere unserem unseren unter unterschied verstanden
    verstehe viel viele vielen vielleicht vom von vor vorher wann warum weil weiter weiß weißt welche welchem welchen
    welcher welches wenn werde werden wie wieder wiederhole wieso willst wir wird wirst wollen wollte wurde wurden
    würde würdest zeig zeige zeigen zum zur zurück zusammen zwischen ändere ändern öffne über übersetze
"""
_FRENCH = """
    aider aidez ainsi alors anglais annule aujourd aussi autre autres avec avez avons beaucoup besoin bonjour bonsoir
    cela celle celui ces cet cette ceux chaque chez combien comme comprends corrige dans demain depuis dernière deux
    différence dois doit donc donne elle elles encore entre et eux explique faire fais fait faut fichier fichiers
    fonctionne fonctionnent français ici ils jamais je jour leur leurs lui là maintenant mais marche merci mes mettre
    moi moins montre même mêmes notre nous oui où parce parfait parfaitement pendant peu peut peux plaît pourquoi
    pourrais pourrait pouvez près puis quand quel quelle quelles quelque quels quoi relance renomme rien répète résume
    résumer sais salut seulement soir soit sommes sont suis supprime toi toujours tous toute toutes traduire traduis
    trouve très vas vers veut veux voici voilà voir vois votre vous vraiment ça écris étais était être
"""
_SPANISH = """
    adiós ahora algo alguna algunas algunos algún allí antes aquel aquella aquí archivo archivos así aunque ayer ayuda
    ayudar ayudarme borra buen buenas bueno buenos cambia casi como corrige cosa cosas cualquier cuando cuesta cuál
    cuáles cuándo cuánto cuántos cómo debe debo desde después diferencia donde durante días dónde ejecuta ella ellas
    ellos entiendo entonces eres esas escribe ese esos español esta esto estos estoy está están explica fue fueron
    funciona funcionan gracias haber había hace hacer haces hacia haga hago hasta hemos hice hizo hola hoy igual
    incluso inglés junto listo luego mañana mejor menos mientras misma mismo mucha muchas mucho muchos muestra muy más
    nadie ninguna ningún noches nosotros nuestra nuestro nueva nuevo nunca otra otras otro otros perfecto pero poco
    podemos podría podrías porque primero pueda puede puedes puedo pues que quieres quiero quién qué repite según
    sería siempre siendo sino sobre somos soy sólo también tampoco tanto tardes tengo tiene tienen todavía traduce
    tras una unas usted vamos veces él último
"""
_ITALIAN = """
    adesso aiutare aiutarmi aiuto alcuni allora altra altre altri altro anche ancora andare annulla appena avere aveva
    avevo bene buonasera buongiorno cambia cancella capisco ciao cioè ciò corregge correggi cosa così cui dalla dalle
    della delle dello dentro devi devo differenza dopo ecco erano esegui essere facciamo fai fanno fatto fino funziona
    funzionano già gli grazie hai hanno inglese italiano loro meglio meno mentre mia mie miei mio molta molte molti
    molto mostra nei nel nella nelle nessuno niente noi nostra nostro nulla oggi ogni oppure perché perfetto piuttosto
    più poco possiamo posso potrebbe potresti prego proprio puoi può qualche qualcosa quale quali quando quanta quanti
    quanto quella quelle quelli quello questa queste questi questo qui quindi riassumi ripeti sarebbe sarà scrivi
    scusa sempre senza siamo siete sono sopra sotto spiega stai stanno stato stessa stesso sul sulla traduci troppo
    tua tutta tutte tutti tutto vado vai vengo voglio voi vostro vuoi è
"""
_PORTUGUESE = """
    agora ainda ajuda ajudar algum alguma alguns ao aos apaga apenas aquela aquele aqui arquivo até boa cada coisa
    comigo corrigir corrija daquele dela dele deles depois dessa desse desta deste diferença disso dizer ela elas ele
    eles entende entendi entendo entre então escreva escreve essa essas esse esses estava estou estão eu executa
    explica faz fazer faça faço fez ficheiro fomos foram funciona funcionam hoje inglês isso isto já lhe lá mais mesma
    mesmo meu meus mim minha minhas mostra mostre muda muita muito muitos nem nenhum nessa nesse noite nossa nosso
    numa não obrigada obrigado olá onde ou outra outras outros para pela pelas pelo pelos perfeito podemos poderia
    podes pois porquê português posso pouco pra precisa preciso primeiro quais qual quem quer quero repete resuma
    rodar seja será seu seus sim sou sua suas são também tarde tchau temos tenho teu tinha traduza tudo tão têm uma
    você vocês às
"""
_SHARED = (
    """
    alle als am an auf aus bin da das dem den der des die dies dir du er es falls fast gar gern gewesen gut hat hatte
    her hin immer in lass mach mal man mir mit nun nur ob okay prima sag sei so super tu tun um war was weg wer will
    wo zu
    """,
    """
    a ai ajoute as au aux bien car ce commence continue corrige coup cours dire dis dont du elle en est fin hier hui
    il la lance le les ma me mes mon ne non nos on ou par pas plus pour qu que qui s sa sans se ses si son sous suite
    sur ta te temps ton tout tu un une va vos
    """,
    """
    al ante bien cada con contra de del el en era es esa estas este favor han hay he la las le les lo los me mi mis
    muy nada no nos o para pasa por se ser si sin sola solo son su sus te tener toda todas todo todos tu tus un uno va
    vale ver vez y ya yo
    """,
    """
    a al alla anche ben che chi come con da dal dei del di do dove e era fa fare fra ha ho i il in io la le lei li lo
    lui ma me mi ne non o ora per pero poi prima se sei sia solo sta sto su sue sui suo te ti tra tu un una uno usa va
    """,
    """
    a ali as com como da das de dia do dos e em era essa este foi fui ha me menos na nada nas no nos num nunca o os ou
    outro para pode por porque que se sem ser si so sobre te ter ti toda todo tu um vai vez
    """,
)

SURE = tuple(frozenset(one.split()) for one in (_GERMAN, _FRENCH, _SPANISH, _ITALIAN, _PORTUGUESE))
"""A language a set: words of it that mean nothing in English."""
_ALL = tuple(sure.union(shared.split()) for sure, shared in zip(SURE, _SHARED, strict=True))
_ANY = reduce(or_, SURE)
ANYWHERE = reduce(or_, _ALL)
"""Words that say little in any of the languages."""
FEWEST = 2
"""Words that show a language, unless there are no others: one alone may be a name."""


def plain_abroad(words: Collection[str]) -> frozenset[str]:
    """Those of the words, in lower case, that say little in the languages they are of."""
    if _ANY.isdisjoint(words):
        return frozenset()
    said = frozenset(words)
    found = [said & whole for sure, whole in zip(SURE, _ALL, strict=True) if not sure.isdisjoint(said)]
    return frozenset().union(*(some for some in found if len(some) >= min(FEWEST, len(said))))
