"""Words that say of other languages' values of what sort they are, and what has one value at a time. Pure."""

from __future__ import annotations

from aftermind.projections.reading.listed import listed


def _sides(axes: dict[str, dict[str, str]]) -> dict[str, tuple[str, str]]:
    return {
        word: (axis, side) for axis, sides in axes.items() for side, words in sides.items() for word in words.split()
    }


TOGGLES = _sides(
    {
        "switch": {
            "on": "true on yes enabled aktiviert aktiv eingeschaltet an activé activée activado activada ativado "
            "ativada attivo attiva attivato attivata включён включен включена",
            "off": "false off no disabled deaktiviert inaktiv ausgeschaltet aus désactivé désactivée desactivado "
            "desactivada desativado desativada disattivo disattiva disattivato disattivata выключен отключён отключен "
            "отключена",
        },
        "need": {"must": "required mandatory", "may": "optional", "must not": "forbidden"},
        "reach": {"all": "public", "some": "private"},
    }
)
"""A word → what it switches, and to which side."""
CHOICES = _sides(
    {
        "indentation": {
            "tabs": "tab tabs tabulator tabulatoren tabulation tabulations tabulación tabulaciones tabulazione "
            "tabulazioni tabulação tabulações",
            "spaces": "space spaces leerzeichen espace espaces espacio espacios spazio spazi espaço espaços",
        },
        "light": {
            "dark": "dark dunkel dunkle dunkles dunklen dunkler sombre sombres oscuro oscura oscuros oscuras scuro "
            "scura scuri scure escuro escura escuros escuras",
            "light": "light hell helle helles hellen heller clair claire clairs claires claro clara claros claras "
            "chiaro chiara chiari chiare",
        },
        "length": {
            "short": "kurz kurze kurzes kurzen kurzer knapp knappe knappen concis concise concises court courte courts "
            "courtes bref brève brefs brèves corto corta cortos cortas breve breves brevi conciso concisa concisos "
            "concisas concisi conciso curto curta curtos curtas",
            "long": "lang lange langes langen langer ausführlich ausführliche ausführlichen detailliert detaillierte "
            "detaillierten long longue longs longues détaillé détaillée détaillés détaillées largo larga largos largas "
            "detallado detallada detallados detalladas lungo lunga lunghi lunghe dettagliato dettagliata dettagliati "
            "dettagliate longo longa longos longas detalhado detalhada detalhados detalhadas",
        },
        "language": {
            "german": "deutsch deutsche deutsches deutschen deutscher allemand allemande allemands allemandes alemán "
            "alemana alemanes alemanas tedesco tedesca tedeschi tedesche alemão alemã alemães alemãs",
            "english": "englisch englische englisches englischen englischer anglais anglaise anglaises inglés inglesa "
            "ingleses inglesas inglese inglesi inglês",
            "french": "französisch französische französisches französischen französischer français française "
            "françaises francés francesa franceses francesas francese francesi francês",
            "spanish": "spanisch spanische spanisches spanischen spanischer espagnol espagnole espagnols espagnoles "
            "español española españoles españolas spagnolo spagnola spagnoli spagnole espanhol espanhola espanhóis "
            "espanholas",
            "italian": "italienisch italienische italienisches italienischen italienischer italien italienne italiens "
            "italiennes italiano italiana italianos italianas italiani italiane",
            "portuguese": "portugiesisch portugiesische portugiesisches portugiesischen portugiesischer portugais "
            "portugaise portugaises portugués portuguesa portugueses portuguesas portoghese portoghesi português",
        },
    }
)
"""A word → of what it is one choice, and which: of two sides of one of them somebody prefers one."""
PREFERRING = listed(
    "bevorzuge bevorzugt bevorzugen préfère préfères préférons préfèrent prefiero prefiere preferimos prefieren "
    "preferisco preferisce preferiamo preferiscono prefiro prefere preferem"
)
COPULAS = listed("ist sind lautet heißt est sont es son está están è sono é são fica")
OF = listed("von vom für in im des der de du d da do dos das del dei della delle di en em para pour per auf")
"""Behind them stands of what it is."""
NAMED = listed(
    "besitzer besitzerin eigentümer eigentümerin inhaber inhaberin verantwortlicher verantwortliche leiter leiterin "
    "leitung maintainer owner lead datenbank sprache region editor branch zweig anbieter provider lizenz framework "
    "paketmanager propriétaire responsable langue base éditeur branche région fournisseur licence propietario "
    "propietaria dueño dueña idioma lenguaje rama región proveedor licencia proprietario proprietaria responsabile "
    "lingua linguaggio database ramo regione fornitore licenza proprietário proprietária dono dona responsável "
    "linguagem banco região fornecedor licença"
)
"""What has one name at a time: an owner, a language, a database."""
GRADED = listed(
    "level modus stufe stil format strategie niveau mode style stratégie nivel modo estilo formato estrategia livello "
    "modalità stile strategia nível estratégia"
)
"""What has one value at a time, which may be any word but one for a state."""
STATES = listed(
    "falsch richtig kaputt gut schlecht alt neu langsam schnell veraltet unklar klar wichtig bekannt unbekannt fertig "
    "offen egal gleich anders faux bon mauvais vieux nouveau lent obsolète important malo bueno viejo nuevo lento "
    "obsoleto importante sbagliato buono vecchio nuovo errado bom mau velho novo incorrecto correcto corretto correto"
)


def is_other_side(one: str, other: str) -> bool:
    """`on` and `disabled`; not `on` and `enabled`, nor `on` and `public`."""
    mine, its = TOGGLES[one], TOGGLES[other]
    return mine[0] == its[0] and mine[1] != its[1]
