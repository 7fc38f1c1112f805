"""German."""

PHRASES = {
    "$bad": "fehler fehlermeldung fehlermeldungen problem probleme warnung warnungen absturz abstürze aussetzer "
    "ausfall ausfälle "
    "exception timeout timeouts beschwerden treffer konflikt konflikte abbruch abbrüche hänger meldung",
    "$runs": "läuft laufen funktioniert funktionieren funzt klappt klappen geht gehen tut passt baut startet "
    "lädt kompiliert "
    "erscheint kommt zeigt startete lief funktionierte klappte ging stimmt stimmen",
    "$goes": "funktioniert funktionieren funzt klappt klappen geklappt funktionierte klappte lief geholfen "
    "gelöst behoben erledigt",
    "work": """
        $goes
        läuft|laufen|geht|gehen|tut|passt|baut|startet|lädt|kompiliert|stimmt jetzt|nun|wieder|endlich|alles|sauber|\
einwandfrei|problemlos|tadellos|fehlerfrei|gut|super|perfekt|rund|durch|so|prima|stabil|sofort|danke
        jetzt|nun|endlich|alles|so|damit|ja|yep|wunderbar|top|super|perfekt|test|build|tests|pipeline|es|das .. $runs
        läuft|stimmt
        passt so|alles|danke|perfekt
        sind|ist|alles|wieder|jetzt grün
        grün
        $bad .. weg|verschwunden|behoben|gelöst|passé|beseitigt|vorbei
        ist|sind|alle|alles weg
        kein|keine|keinen|keinerlei|ohne|null|nie .. $bad mehr?
        kein|keine|keinerlei einzige|einziger|einzigen .. $bad
        nicht mehr kaputt|abgestürzt|rot|aufgetreten|vorgekommen|hängt|ab|langsam|doppelt|auf
        tritt|kommt|stürzt|hängt|bricht .. nicht mehr
        nichts mehr|ist kaputt|abgestürzt|gebrochen|passiert
        nicht kaputt zu|zu
        das war es|'s|der|die|das|genau
        das war's|wars
        daran|daran genau|genau lag|daran es|daran|lag
        genau das|daran war|wars|lag|brauchte|ist|wollte|was
        wie|genau|exakt gewünscht|erwartet|gewollt|beschrieben|so|erhofft|versprochen
        wie es|sie soll|sollte|muss
        tut was es|sie soll
        hat geholfen|geklappt|funktioniert|gereicht|gewirkt
        du hattest|hast recht
        treffer
        volltreffer
        gelöst|behoben|erledigt|repariert
        alles|jetzt gut|bestens|wieder|ok|klar|sauber|bestens
        bestanden
        durchgelaufen|gemergt|gemerged
        läuft|laufen|lief .. durch
        kann ich? bestätigen|zumachen|schließen
        schließe .. ticket
        kann .. so bleiben|rein|raus
        statt|von|runter|nur .. sekunden|ms|minuten .. statt|mehr|auf
        viel|deutlich|merklich schneller
        erklärt|erklärts
        macht|ergibt sinn
        leuchtet ein
        damit kann ich leben
        lass|lassen so
    """,
    "perfect": """
        perfekt
        genau so|richtig
        einwandfrei
        tadellos
        astrein
        bestens
        spitze
        klasse
    """,
    "praise": """
        danke|dank|super|toll|prima|klasse|top|wunderbar|schön|großartig|cool|bravo|spitze|genial|stark|glückwunsch|\
gut
        gute arbeit
        vielen dank
    """,
    "still": """
        immer noch|wieder
        noch immer|nicht|kein|keine
        nach wie vor
        weiterhin
        gleicher|gleiche|gleiches|gleichen|selbe|selber|selben|derselbe|dieselbe|dasselbe fehler|problem|ergebnis|\
meldung|mist|fehlermeldung|sache|bild|ausgabe|verhalten|wie|stelle|spiel
        das|der|die gleiche|selbe .. wie|fehler|problem|meldung
        genau so|genauso wie|schlecht|langsam|kaputt|vorher
        wie vorher|zuvor|bisher|gehabt|eh
        dasselbe
        unverändert
        schon wieder
        bleibt|bleiben
        steht weiter
        weiter|weiterhin leer|kaputt|rot|falsch|nicht
        sollte doch|eigentlich|aber
        ich sagte|meinte|wollte|hatte|hab|habe .. doch|gesagt|nur|gefragt|geschrieben|gebeten|nicht
        hast du .. überhaupt|getestet|probiert|erfunden
        zum .. mal
        wie oft
    """,
    "fail": """
        geht|gehen|läuft|laufen|funktioniert|funktionieren|klappt|klappen|tut|baut|startet|lädt|kompiliert|passt|\
stimmt|hilft|funzt|greift|reicht|findet|zieht|erscheint|zeigt|kommt|ändert|bringt|ging|lief|klappte .. nicht|nichts|\
nirgends|kein|keine|nix|nie
        nichts|nicht|gar|nix|kein|keine .. geholfen|gebracht|funktioniert|geändert|geklappt|passiert|gelöst|behoben|\
gewirkt|gefunden|besser|gefragt
        passiert|geschieht|ändert|tut|kommt|bringt sich? nichts|nix|nüscht
        nichts|nix .. geht|läuft|funktioniert|mehr|hilft
        jetzt|nun .. nichts|nix|gar|nicht .. mehr
        baut|geht|läuft|startet|funktioniert .. gar|überhaupt|nichts|nicht nichts|nicht|mehr
        bringt|brachte|hat nichts|nix|leider
        keine änderung|besserung|veränderung|wirkung|chance
        kein unterschied|erfolg|effekt
        ohne erfolg|wirkung|effekt
        vergeblich
        fehlanzeige
        falsch|falsche|falscher|falsches|falschen
        stimmt|stimmen .. nicht
        nicht das|die|was|der|richtig|korrekt|so|gefragt|gewollt
        ^ nein
        kaputt
        schlimmer|schlechter|langsamer
        zerschossen|zerstört|gelöscht|verloren
        abgestürzt|gescheitert|fehlgeschlagen|scheitert
        stürzt|bricht|hängt .. ab|sich
        schlägt|schlagen .. fehl
        wirft|schmeißt .. fehler|exception
        du hast .. vergessen|übersehen|gelöscht|entfernt|falsch|erfunden|ignoriert
        du solltest
        gibt|gibt's .. nicht|gar
        existiert nicht
        statt|anstatt dessen
        stattdessen
        jetzt .. fehler|kaputt|leer|abgestürzt
        vergiss es
        hab|habe .. selbst|selber .. gemacht|gelöst|gefunden|repariert
        selbst|selber gelöst|gemacht|gefunden
        sehr wohl
        zu langsam|groß|klein|spät|lang
        von wegen
        leider nicht|nein|falsch|kein|nichts
        war nicht|es|das
    """,
    "weak": """
        fehler|fehlermeldung|absturz|problem|probleme|exception|warnung|fehlt|fehlen|leer|leere|leeren|verschwunden|doppelt|rot|\
weg|hängt|rutscht|ignoriert
        nicht|nichts|kein|keine|keinen
        leider
    """,
    "part": """
        fast|beinahe|halb|teilweise|halbwegs|besser|größtenteils|meistens
        bis auf
        funktioniert|geht|läuft|klappt manchmal|gelegentlich|teils
        manchmal funktioniert|geht|läuft|klappt
        außer|ausser
        nicht ganz
        noch nicht ganz
        einer|eine|eines|zwei|drei|vier .. von zwei|drei|vier|fünf|sechs|den|beiden
    """,
    "only": """
        nur|zwar|immerhin .. aber|teil|teilweise|erste|ersten
    """,
    "revert": """
        rückgängig
        mach|mache|nimm|dreh|setz|stell .. zurück|rückgängig
        zurückrollen|zurücksetzen|zurückdrehen|zurücknehmen
        roll|rolle .. zurück
        revert*
    """,
    "later": """
        schau|schaue|schaus|probier|probiere|teste|prüfe|guck|gucke|versuche|sehe|lese|melde ich|es|das|mir|mal|\
gleich|morgen|später|mich
        werde|will|muss|wollte|kann ich|das|es .. testen|probieren|prüfen|ansehen|anschauen|ausprobieren|zeigen
        später|morgen|nachher|gleich|heute abend
        notiert|notiere|gemerkt
        gut zu wissen
        moment
    """,
    "past": "zuerst\nerst\nanfangs\nvorher\ngestern\nbisher",
    "mine": "mein fehler|versehen|tippfehler\nlag an mir|meinem|meiner\nmein problem\nich hatte .. vergessen"
    "|vertippt|falsch",
    "wish": "schön wäre|wenn\nwäre schön|toll .. wenn\nwürde|täte .. doch",
    "if": "wenn\nfalls\nob\nsofern",
    "aside": "anderes thema|frage|problem\nandere frage|baustelle|sache\nübrigens\nnächstes|nächste|nächster",
    "hush": """
        war|wäre nicht nötig|notwendig|schlimm
        falsches|falscher|falsche fenster|chat|tab|ordner|branch|terminal|sitzung
        kein problem|thema|stress|ding|eile
        macht nichts|nix
        nicht schlecht|übel|nur
        warum nicht
        noch nicht probiert|getestet|gemacht|angeschaut
        weiß nicht|noch
        immer noch nicht getestet|probiert
        wie geht|läuft|funktioniert|klappt|gehen
        wie .. funktioniert|geht|läuft
        geht es|das um|auch
        gehen wir
        gut .. so
        keine ahnung|frage
        nicht .. wissen|gewusst
        wusste ich nicht
    """,
}
