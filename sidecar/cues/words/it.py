"""Italian."""

PHRASES = {
    "$bad": "errore errori problema problemi eccezione avviso avvisi bug crash guasto blocco blocchi conflitto "
    "warning intoppo intoppi",
    "$goes": "funziona funzionano funzionato funzionava risolto risolta sistemato corretto aggiustato",
    "work": """
        $goes
        ora|adesso|tutto|finalmente|così|sì si? compila|parte|carica|passa|passano|va|vanno|gira|apre|appare|ok|\
verde|bene
        compila|parte|gira|passano|passa|carica|apre|va|vanno|partito|partita|build ora|adesso|bene|tutti|tutto|\
perfettamente|benissimo|senza|ok|liscio|al|alla|finalmente
        tutto|tutti ok|verde|verdi|bene|posto|a|passano|passati
        a posto
        in verde
        era quello|questo|proprio|lì|esattamente
        proprio|esattamente quello|così|questo|ciò che
        avevi|hai|aveva ragione
        nessun|nessuna|nessuno|senza|zero|0 più|altro? $bad
        non .. più|nessun|nessuna|alcun $bad
        non si|dà|crasha|cade|blocca|fallisce|capita|succede|compare|esce|sbaglia .. più
        $bad .. sparito|spariti|sparita|risolto|scomparso|scomparsa
        sparito|spariti|scomparso
        problema|mistero risolto
        come previsto|volevo|doveva|dovrebbe|chiesto|avevi|speravo
        confermo
        molto|decisamente più veloce
        sceso|passato da|a
    """,
    "perfect": "perfetto|perfetta\nesatto\nesattamente\nimpeccabile\nottimo lavoro\nal primo",
    "praise": "grazie|ottimo|grande|bravo|bello|super|fantastico|eccellente|bene|complimenti|figo|meraviglioso|evviva",
    "still": """
        ancora lo|il|la|non|prima|errore|niente|rosso|vuoto|rotto|uguale|un|gli|i|dà|da|lì|qui|così|come
        sempre lo|il|la stesso|stessa|solito|errore
        stesso|stessa|stessi errore|problema|risultato|cosa|messaggio|errori|di|comportamento
        lo|la|gli|identico|esattamente stesso|stessa errore|problema|risultato|cosa|messaggio|di
        come prima
        uguale a
        continua|continuano|persiste|rimane|resta|restano
        di nuovo
        ti ho|avevo detto|chiesto
        ho|avevo detto|chiesto
        volevo|voglio solo|soltanto|che
        terza|seconda|ennesima volta
        quante volte
        te lo|la sei
        non cambia
    """,
    "fail": """
        non|niente|nulla|nemmeno|neanche va|funziona|funzionano|ha|parte|cambia|cambiato|compila|passa|carica|trova|\
esiste|risolve|aiuta|serve|è|era|si|fa|salva|mostra|legge|appare|risponde|apre|basta|gira|vede|prende
        non .. funzionato|così|quello|servito|cambiato|aiutato|risolto
        niente da fare
        ^ niente
        ^ nulla
        nessun|nessuna effetto|cambiamento|differenza|miglioramento|risultato
        senza effetto|successo|risultato
        fallisce|falliscono|fallito|crasha|esplode|rompe
        rotto|rotta|rotti
        sbagliato|sbagliata|errato|scorretto
        peggio|peggiorato
        più lento
        hai dimenticato|cancellato|rotto|inventato|ignorato|tolto|rimosso|sbagliato
        ti sei dimenticato|inventato|sbagliato
        invece|anziché di|che
        ora|adesso non|niente|nulla|dà|crasha|è .. va|parte|più|funziona|errore|compila
        non .. più niente|nulla
        lascia perdere|stare
        fatto|risolto|trovato da solo
        troppo lento|grande|tardi
        nemmeno parte|compila
    """,
    "weak": "errore|errori|eccezione|problema|manca|mancano|vuoto|vuota|perso|ignora|rosso|sparito\nnon",
    "part": """
        quasi
        a metà
        in parte
        parzialmente
        meglio
        tranne|eccetto
        non del tutto
        uno|una|due|tre su|dei|delle due|tre|quattro|cinque
        metà
    """,
    "only": """
        solo|soltanto il|la|in|su|uno|una|funziona|per
    """,
    "revert": """
        annulla|annullare|ripristina|ripristinare
        torna|rimetti|riporta .. indietro|com'|come|prima|com
        rollback
    """,
    "later": """
        provo|guardo|vedo|controllo|verifico dopo|più|domani|stasera|poi|subito
        proverò|guarderò|controllerò|vedrò|verificherò|leggerò
        lo|la provo|guardo|leggo|controllo|proverò
        ora|adesso provo|guardo|controllo|verifico
        più tardi
        domani|stasera|dopo
        buono a sapersi
    """,
    "past": "all' inizio\nprima\nieri",
    "mine": "colpa mia\nerrore mio\nmio errore\nmi sono sbagliato|confuso\nero io",
    "wish": "magari\nsarebbe bello|bene|ottimo se",
    "if": "se\nquando",
    "aside": "altra|altro cosa|domanda|argomento\na proposito\ncambiando argomento",
    "hush": """
        nessun problema
        niente male|di
        non fa niente
        di niente
        perché no
        come|dove funziona|funzionano|va
        come .. funziona
        messaggio|messaggi|codice di errore
        non sapevo|so|conoscevo|capisco|importa|serve|c'
        se no
        meglio così
        ^ va bene così|allora
        ancora grazie|una|un
        grazie ancora
    """,
}
