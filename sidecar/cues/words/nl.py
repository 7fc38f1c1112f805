"""Dutch."""

PHRASES = {
    "$bad": "fout fouten foutmelding foutmeldingen probleem problemen waarschuwing waarschuwingen crash crashes "
    "bug bugs melding time-out",
    "$goes": "werkt werken werkte gelukt opgelost gefixt verholpen geholpen",
    "work": """
        $goes
        hij|het|alles|nu|ja|yes|zo|die|dat|build draait|loopt|doet|start|bouwt|laadt|compileert|gaat|slaagt|slagen|\
klopt nu|weer|het|goed|netjes|prima|door|eindelijk|allemaal|wel
        draait|loopt|start|bouwt|laadt|compileert|gaat|slagen|slaagt nu|weer|goed|netjes|prima|allemaal|eindelijk|\
soepel|perfect|vlekkeloos
        doet het|'t weer|nu
        alles|allemaal groen|goed|ok|in|klopt
        is|staat|weer groen
        dat was het|'m|precies|inderdaad
        dit was het|'m
        daar lag|zat het|'m
        precies|exact wat|zoals ik|we|verwacht|gevraagd
        je had|hebt gelijk
        geen|nul|zonder|0 enkele|verdere? $bad meer?
        niet meer kapot|gecrasht|gebeurd|voorgekomen|vast
        crasht|hapert|loopt|komt|gebeurt niet meer
        $bad .. weg|verdwenen|opgelost
        is|zijn|allemaal weg
        zoals verwacht|gehoopt|bedoeld|gewenst
        klopt
        probleem|raadsel opgelost
        veel|stuk sneller
        terug|omlaag|van naar
        bevestigd
    """,
    "perfect": "perfect\nprecies\nvlekkeloos\nuitstekend\nhelemaal goed|top",
    "praise": "bedankt|dank|dankjewel|top|super|mooi|geweldig|fijn|prachtig|knap|lekker|gaaf|fantastisch",
    "still": """
        nog steeds|altijd|niet
        allemaal nog
        nog allemaal
        steeds weer|dezelfde
        zelfde|dezelfde|hetzelfde fout|probleem|resultaat|melding|foutmelding|als
        dezelfde|hetzelfde
        blijft|blijven
        net als|zo eerst|voorheen|traag
        zoals eerst
        opnieuw dezelfde|fout
        alweer
        weer dezelfde|hetzelfde|fout|mis
        onveranderd
        ik zei|vroeg|bedoelde|wilde|wil alleen|toch|om|dat|niet|de|het|alleen
        ik had|heb .. gezegd|gevraagd
        derde|tweede|zoveelste keer
        hoe vaak
        verzin|verzonnen
    """,
    "fail": """
        werkt|werken|helpt|lukt|draait|start|bouwt|laadt|compileert|klopt|gaat|doet|verandert|vindt|toont|past|\
slaagt|bestaat|reageert|werkte|hielp|lukte|scheelt .. niet|niets|niks|nergens|geen|nooit
        niet|niets|niks|niet .. geholpen|gewerkt|veranderd|opgelost|gelukt|goed|juist|gevraagd
        geen verschil|effect|verandering|verbetering|resultaat|succes
        zonder effect|succes|resultaat
        ^ helaas
        ^ nee
        mislukt|mislukte|faalt|falen|crasht|crashte
        kapot|stuk
        fout|foute|verkeerd|verkeerde|onjuist
        erger|slechter|trager
        je hebt|bent .. vergeten|verwijderd|gewist|verzonnen|genegeerd
        niet wat|de|het ik|juiste|goede
        dat is|klopt niet
        in plaats van|daarvan
        nu .. niets|niks|niet meer|helemaal
        laat maar
        zelf opgelost|gedaan|gevonden
        te traag|groot|laat|langzaam
        loopt vast
    """,
    "weak": "fout|fouten|foutmelding|probleem|ontbreekt|mist|leeg|weg|rood|genegeerd|verdwenen\nniet|niets|geen",
    "part": """
        bijna
        half
        deels|gedeeltelijk
        beter
        behalve
        op .. na
        nog niet helemaal
        niet helemaal
        een|één|twee|drie van de? twee|drie|vier|vijf
    """,
    "only": """
        alleen de|het|op|in|bij
    """,
    "revert": """
        ongedaan
        draai|zet|maak|rol|haal .. terug|terugdraaien
        terugdraaien|terugzetten
        revert
        rollback
    """,
    "later": """
        ga|zal|moet ik|het|dat|even .. proberen|testen|kijken|bekijken|lezen|checken
        probeer|test|kijk|bekijk|check ik|het|er|zo|straks|morgen|even|later
        later|morgen|straks|vanavond|zometeen
        genoteerd
        goed om te
    """,
    "past": "eerst\naanvankelijk\neerder\ngisteren",
    "mine": "mijn fout|schuld|vergissing\nlag aan mij|mijn\nik had .. vergeten|typfout",
    "wish": "was het|dat maar\nzou fijn|mooi|leuk zijn als",
    "if": "als\nindien\nof",
    "aside": "andere|ander vraag|onderwerp|probleem|dingetje\niets anders\ntrouwens\nvolgende",
    "hush": """
        geen probleem|dank|haast|idee
        niet slecht|verkeerd|gek|alleen
        waarom niet
        hoe werkt|gaat|draait|werken
        hoe .. werkt
        nog niet getest|geprobeerd|bekeken
        niets te
        wist ik niet
    """,
}
