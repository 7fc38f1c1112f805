"""How questions for what was done and when are worded in German, French, Spanish, Italian and Portuguese."""

from __future__ import annotations

from aftermind.projections.reading.times.words import Tongue

_DONE = r"\w*ge\w+(?:t|n)|(?:be|er|ver|zer|ent|über|unter)\w+(?:t|en)|\w+iert|\w{2,}ed|getan"
"""What was done, as German says it at the end; with what it borrowed (`deployed`)."""

_SO_NOW = r"(?:erwartet|benötigt|gebraucht|verlangt|gefordert|vorausgesetzt|vorgesehen)"
"""What is so while it is said in the past."""
_ANY = r"(?:fehler|bugs|dinge|sachen|aufgaben|änderungen|entscheidungen|dateien)"
"""What anything may be that was done."""
_WEEKDAYS = ("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag")

GERMAN = Tongue(
    marks=(
        *("haben wir", "habe ich", "hast du", "wir ", "ich ", "habt ihr", "passiert", "wurde", "war", "gab es", "lief"),
        "arbeit",
    ),
    asks=rf"""^(?:was|woran|worüber|womit|welche[ns]?(?:\s{_ANY}|(?P<noun>(?:\s\w+){{1,2}})))\s(?:alles\s)?
        (?:haben\swir|habe?\sich|hast\sdu|habt\sihr|wurden?)\b
        (?=.*\b(?!{_SO_NOW}$)(?P<verb>{_DONE})$)
      |^was\s(?:ist|war)\b(?=.*\b(?P<verb2>passiert|geschehen|los)$)
      |^was\s(?:alles\s)?(?:war|lief|gab\ses|passierte|geschah)(?:\s(?:denn|so|alles))*$
      |^(?:was|woran|worüber)\s(?P<verb3>machten|taten|arbeiteten)\s(?:wir|ich)\b
      |^(?:die\s)?arbeit\s(?:von|vom|aus)$""",
    order=r"""^in\swelche[rm]\s(?:zeitlichen\s)?(?:reihenfolge|abfolge)\s(?:haben\swir|habe?\sich|hast\sdu|wurden?)\b""",
    first=r"""^wann\s(?:haben\swir|habe?\sich|hast\sdu)\b(?=.*\b(?:zum\sersten\smal|erstmals|zuerst)\b)
      |^was\swar\sdas\serste,?\swas\s(?:wir|ich)\b""",
    last=r"""^wann\s(?:haben\swir|habe?\sich|hast\sdu)\b(?=.*\b(?:zum\sletzten\smal|zuletzt)\b)
      |^(?:was|woran)\s(?:haben\swir|habe?\sich|hast\sdu)\szuletzt\b|^was\swar\sdas\sletzte,?\swas\s(?:wir|ich)\b
      |^wo\s(?:sind\swir|waren\swir)\s(?:stehen\s?geblieben|zuletzt)$|^wo\swaren\swir$|^wo\shaben\swir\saufgehört$""",
    days={"vorgestern": 2, r"gestern(?: morgen| abend| nachmittag)?": 1, r"heute(?: morgen| früh)?": 0},
    spans={
        r"(?:in der )?vorletzten? woche": "week 2",
        r"(?:in der )?(?:letzte[nr]?|vorige[nr]?|vergangene[nr]?) woche": "week 1",
        r"(?:in )?diese[rn]? woche": "week 0",
        r"(?:am )?(?:letzten|vergangenen) wochenende": "weekend 1",
        r"(?:im )?(?:letzten|vorigen|vergangenen) monat": "month 1",
        r"(?:in )?diese[nm] monat": "month 0",
        r"(?:im )?(?:letzte[sn]|vorige[sn]|vergangene[sn]) jahr": "year 1",
        r"(?:in )?diese[sm] jahr": "year 0",
    },
    units={
        "minuten?": "minute",
        "stunden?": "hour",
        "tage?n?": "day",
        "wochen?": "week",
        "monate?n?": "month",
        "jahre?n?": "year",
    },
    ago=r"vor (?P<n>\d{1,3}|ein(?:em|er)|zwei|drei|vier|fünf) (?P<unit>{units})",
    past=r"in den letzten (?P<n>\d{1,3}|zwei|drei|vier|fünf) (?P<unit>{units})",
    weekday=r"(?P<since>seit )?(?:am |letzten? )?(?P<day>{names})",
    weekdays=_WEEKDAYS,
    month=r"(?P<since>seit )?(?:im |letzten )?(?P<month>{names})(?: (?P<year>(?:19|20)\d\d))?",
    months=(
        *("januar", "februar", "märz", "april", "mai", "juni", "juli", "august", "september", "oktober", "november"),
        "dezember",
    ),
    year=r"(?:(?:im jahre? |in )|(?<=\bwir )|(?<=\bich )|(?<=\bdu )|(?<=\bwurde )|(?<=\bwar ))(?P<n>(?:19|20)\d\d)",
    often=(
        *("gestern", "vorgestern", "letzte", "letzten", "letzter", "woche", "wochenende", "monat"),
        *_WEEKDAYS,
    ),
    idle=r"gemacht|getan|geschafft|gearbeitet|erledigt|passiert|geschehen|los|machten|taten|arbeiteten|besprochen|geändert"
    r"|gesprochen|geredet|fertig",
    decided=r"entschieden|beschlossen|festgelegt|ausgewählt",
    filler=r"\b(?:zum|ersten|letzten|mal|erstmals|zuerst|zuletzt|alles|wir|ich|du|uns|am|an|im|in|der|die|das|den|dem|mit|und|bei|zu|über)\b",
    closed=r"(?!\s(?:des|der|vom)\b)",
)
FRENCH = Tongue(
    marks=(
        *("avons", "qu'on a", "a-t-on", "j'ai", "ai-je", "passé", "nous ", "on a", "a été", "a-t-il", "travail"),
        *("étions-nous", "était-on"),
    ),
    asks=r"""^(?:qu'est-ce\s(?:qu'on\sa|que\snous\savons|que\sj'ai|qui\s(?:s'est|a\sété(?!\sprévu)))|qu'(?:avons-nous|ai-je|a-t-on)
        |que\ss'est-il|qu'a-t-il\sété(?!\sprévu)|(?:sur|de|à)\squoi\s(?:est-ce\squ[e']\s?)?(?:avons-nous|nous\savons|a-t-on|on\sa|ai-je|j'ai))
        (?:\stous)?\s(?!(?:besoin|accès|droit|peur|envie|affaire|recours|intérêt|tort|raison)\b)(?P<verb>\w+)
      |^(?:le\s)?travail\sd(?:e|')$""",
    order=r"""^dans\squel\sordre\s(?:avons-nous|a-t-on|on\sa|nous\savons|ai-je|j'ai)\b""",
    first=r"""^quand\s(?:est-ce\squ[e'])?\s?(?:avons-nous|a-t-on|on\sa|nous\savons|ai-je|j'ai)\b(?=.*\bpremière\sfois)
      |^quelle?\s(?:est|était|a\sété)\sla\spremière\schose\sque\s(?:nous|j'|l?'?on)""",
    last=r"""^quand\s(?:est-ce\squ[e'])?\s?(?:avons-nous|a-t-on|on\sa|nous\savons|ai-je|j'ai)\b(?=.*\bdernière\sfois)
      |^quelle?\s(?:est|était|a\sété)\sla\sdernière\schose\s(?:que\snous\savons|que\sj'ai|qu'on\sa)\s\w+|^où\sen\s(?:étions-nous|était-on)$""",
    days={"avant[- ]hier": 2, r"hier(?: matin| soir| après-midi)?": 1, r"aujourd'hui|ce matin": 0},
    spans={
        r"la semaine (?:dernière|passée|précédente)": "week 1",
        "cette semaine": "week 0",
        r"le week-?end (?:dernier|passé)|ce week-?end": "weekend 1",
        r"le mois (?:dernier|passé)": "month 1",
        "ce mois-ci|ce mois": "month 0",
        r"l'année (?:dernière|passée)|l'an dernier": "year 1",
        "cette année": "year 0",
    },
    units={
        "minutes?": "minute",
        "heures?": "hour",
        "jours?": "day",
        "semaines?": "week",
        "mois": "month",
        "ans?|années?": "year",
    },
    ago=r"il y a (?P<n>\d{1,3}|une?|deux|trois|quatre|cinq) (?P<unit>{units})",
    past=r"(?:[cl]es|au cours des|pendant les) (?P<n>\d{1,3}|deux|trois|quatre|cinq) derni..?e?s (?P<unit>{units})",
    weekday=r"(?P<since>depuis )?(?P<day>{names})(?: dernier| passé)?",
    weekdays=("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    month=r"(?P<since>depuis )?(?:en |au mois de |au mois d')(?P<month>{names})(?: (?P<year>(?:19|20)\d\d))?",
    months=(
        *("janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre"),
        "décembre",
    ),
    year=r"(?:en|durant|pendant)(?: l'année)? (?P<n>(?:19|20)\d\d)",
    often=("semaine", "dernière", "dernier", "passée", "hier", "aujourd'hui", "vendredi", "mercredi", "samedi"),
    idle="fait|faite|parlé|travaillé|passé|terminé|accompli|discuté|changé",
    decided="décidé|choisi|convenu",
    filler=r"\b(?:pour|la|le|les|de|du|des|une?|première|dernière|fois|chose|que|nous|on|avons|ai|a|sur|et|avec|dans|au)\b",
    closed=r"(?!\s(?:du|de|des)\b)",
)
SPANISH = Tongue(
    marks=(
        *("hicimos", "hice", "hemos", "he ", "mos ", "qué ", "cuándo", "último", "orden", "trabajo"),
        *("dejamos", "quedamos", "íbamos"),
    ),
    asks=r"""^(?:(?:en|sobre|de)\s)?qué\s(?:es\slo\sque\s)?(?:cosas\s)?(?P<verb>hicimos|hice|(?:hemos|he)\s\w+|(?!vamos|estamos)\w+[ai]mos|\w+[éí])\b
      |^qué\s(?:pasó|ha\spasado|sucedió|hubo)
      |^qué\s(?:cosas\s)?(?:se\s(?:(?:ha|han)\s(?P<verb2>\w+)|(?P<verb4>\w+ó|\w+ron|hizo|dijo|puso))
          |(?:fue|ha\ssido)\s(?!previsto|esperado)(?P<verb3>\w+[dt]o|hecho))\b
      |^(?:el\s)?trabajo\sde$""",
    order=r"""^en\squé\sorden\s(?:hemos\s|he\s)?(?P<verb>\w+(?:[aei]mos|[éí]|do|hice))\b""",
    first=r"^cuándo\s(?:hemos\s|he\s|fue\sla\sprimera\svez\sque\s)?(?:\w+)\b(?=.*\bprimera\svez)|^qué\sfue\slo\sprimero\sque\s\w+",
    last=r"^cuándo\s(?:hemos\s|he\s|fue\sla\súltima\svez\sque\s)?(?:\w+)\b(?=.*\búltima\svez)|^(?:qué\sfue|cuál\sfue|qué\ses)\slo\súltimo\sque\s\w+|^dónde\s(?:lo\sdejamos|nos\squedamos)$|^por\sdónde\síbamos$",
    days={
        "anteayer|antes de ayer": 2,
        r"ayer(?: por la (?:mañana|tarde|noche))?|anoche": 1,
        r"hoy|esta (?:mañana|tarde)": 0,
    },
    spans={
        r"la (?:semana pasada|última semana)": "week 1",
        "esta semana": "week 0",
        r"el fin de semana(?: pasado)?": "weekend 1",
        r"el mes pasado": "month 1",
        "este mes": "month 0",
        "el año pasado": "year 1",
        "este año": "year 0",
    },
    units={
        "minutos?": "minute",
        "horas?": "hour",
        "días?": "day",
        "semanas?": "week",
        "mes(?:es)?": "month",
        "años?": "year",
    },
    ago=r"hace (?P<n>\d{1,3}|una?|dos|tres|cuatro|cinco) (?P<unit>{units})",
    past=r"(?:en |durante )?(?:los|las) últim[oa]s (?P<n>\d{1,3}|dos|tres|cuatro|cinco) (?P<unit>{units})",
    weekday=r"(?P<since>desde )?el (?P<day>{names})(?: pasado)?",
    weekdays=("lunes", "martes", "miércoles", "jueves", "viernes", "sábado", "domingo"),
    month=r"(?:en |(?P<since>desde ))(?P<month>{names})(?: de (?P<year>(?:19|20)\d\d))?",
    months=(
        *("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre"),
        *("noviembre", "diciembre"),
    ),
    year=r"(?:en|durante)(?: el año)? (?P<n>(?:19|20)\d\d)",
    often=("ayer", "semana", "pasada", "pasado", "viernes", "miércoles", "sábado", "domingo"),
    idle=r"hicimos|hice|hizo|hecho|hablamos|(?:hemos|he) (?:hecho|trabajado|hablado)|trabajado"
    r"|trabajamos|trabajé|cambiamos|terminamos",
    present=r"\w+[ai]mos",
    decided=r"decidimos|decidí|decidió|decidido|(?:hemos|he) decidido|acordamos|elegimos|elegí",
    filler=r"\b(?:por|la|el|los|las|de|del|que|primera|última|vez|lo|en|con|y|sobre|para|a)\b",
    closed=r"(?!\s(?:del?|de\sla)\b)",
)
ITALIAN = Tongue(
    marks=("abbiamo", "ho ", "successo", "hai ", "è stat", "lavoro", "eravamo"),
    asks=r"""^(?:che\s)?cosa\s(?:abbiamo|ho|hai|è\sstat[oa](?!\sprevist))\s(?!bisogno\b)(?P<verb>\w+)
      |^(?:che\s)?cosa\s(?:è|era)\s(?P<verb2>successo|cambiato)
      |^(?:su|a|di)\s(?:che\s)?cosa\s(?:abbiamo|ho|hai)\s(?!accesso|diritto)(?P<verb3>\w+[st]o)\b
      |^(?:il\s)?lavoro\sd(?:i|ella|el|ell')$""",
    order=r"^in\s(?:che|quale)\sordine\s(?:abbiamo|ho|hai)\b",
    first=r"^quando\s(?:abbiamo|ho|hai)\b(?=.*\bprima\svolta)|^qual\s(?:è|era|è\sstata)\sla\sprima\scosa\sche\s(?:abbiamo|ho)\s\w+",
    last=r"^quando\s(?:abbiamo|ho|hai)\b(?=.*\bultima\svolta)|^qual\s(?:è|era|è\sstata)\sl'ultima\scosa\sche\s(?:abbiamo|ho)\s\w+|^dove\seravamo\srimasti$",
    days={"l'altro ieri|l'altroieri": 2, r"ieri(?: mattina| sera| pomeriggio)?": 1, "oggi|stamattina": 0},
    spans={
        r"(?:la )?(?:settimana scorsa|scorsa settimana)": "week 1",
        "questa settimana": "week 0",
        r"(?:il|nel) (?:fine settimana|weekend)(?: scorso)?": "weekend 1",
        r"il (?:mese scorso|scorso mese)": "month 1",
        "questo mese": "month 0",
        r"l'anno scorso": "year 1",
        "quest'anno": "year 0",
    },
    units={
        "minut[oi]": "minute",
        "or[ae]": "hour",
        "giorn[oi]": "day",
        "settiman[ae]": "week",
        "mes[ei]": "month",
        "ann[oi]": "year",
    },
    ago=r"(?P<n>\d{1,3}|una?|due|tre|quattro|cinque) (?P<unit>{units}) fa",
    past=r"(?:negli|nelle|gli|le) ultim[ie] (?P<n>\d{1,3}|due|tre|quattro|cinque) (?P<unit>{units})",
    weekday=r"(?P<since>da )?(?P<day>{names})(?: scors[oa])?",
    weekdays=("lunedì", "martedì", "mercoledì", "giovedì", "venerdì", "sabato", "domenica"),
    month=r"(?:a |in |(?P<since>da ))(?P<month>{names})(?: (?:del )?(?P<year>(?:19|20)\d\d))?",
    months=(
        *("gennaio", "febbraio", "marzo", "aprile", "maggio", "giugno", "luglio", "agosto", "settembre", "ottobre"),
        *("novembre", "dicembre"),
    ),
    year=r"(?:nel(?:l'anno)?|durante il) (?P<n>(?:19|20)\d\d)",
    often=("ieri", "settimana", "scorsa", "scorso", "venerdì", "mercoledì", "sabato", "domenica"),
    idle="fatto|parlato|lavorato|successo|cambiato|finito|discusso",
    decided="deciso|scelto|concordato",
    filler=r"\b(?:per|la|il|lo|i|gli|le|di|del|che|prima|ultima|volta|cosa|in|con|e|su|a)\b",
    closed=r"(?!\s(?:del|dello|della|dei)\b)",
)
_NO_PAST = r"(?:temos|vamos|estamos|podemos|devemos|queremos|precisamos)\b"
"""What is so now, or will be, beside any time."""

PORTUGUESE = Tongue(
    marks=("fizemos", "fiz ", "mos ", "que ", "quando", "ordem", "trabalho", "paramos"),
    asks=rf"""^(?:(?:o|em|no|sobre\so|de)\s)?que\s(?:é\sque\s)?(?:nós\s|eu\s)?(?P<verb>fizemos|fiz|(?!{_NO_PAST})\w+[aei]mos|\w+ei|decidi)\b
      |^(?:o\s)?que\s(?:aconteceu|houve)|^(?:o\s)?que\s(?:foi\s(?!previsto|esperado)(?P<verb2>\w+[dt]o)|se\s(?P<verb3>fez|\w+[aei]u))\b
      |^(?:o\s)?trabalho\sd(?:e|a|o)$""",
    order=r"^em\sque\sordem\s(?:nós\s|eu\s)?(?P<verb>\w+(?:mos|ei))\b",
    first=r"^quando\s(?:foi\sa\sprimeira\svez\sque\s)?\w+\b(?=.*\bprimeira\svez)|^qual\sfoi\sa\sprimeira\scoisa\sque\s\w+",
    last=r"^quando\s(?:foi\sa\súltima\svez\sque\s)?\w+\b(?=.*\búltima\svez)|^qual\sfoi\sa\súltima\scoisa\sque\s\w+|^onde\sparamos$",
    days={"anteontem|antes de ontem": 2, r"ontem(?: à (?:noite|tarde)| de manhã)?": 1, "hoje": 0},
    spans={
        r"(?:n?a )?semana passada": "week 1",
        "(?:n?esta|essa) semana": "week 0",
        r"(?:n?o )?fim de semana(?: passado)?": "weekend 1",
        r"(?:n?o )?mês passado": "month 1",
        "(?:n?este|esse) mês": "month 0",
        r"(?:n?o )?ano passado": "year 1",
        "(?:n?este|esse) ano": "year 0",
    },
    units={
        "minutos?": "minute",
        "horas?": "hour",
        "dias?": "day",
        "semanas?": "week",
        "m[êe]s(?:es)?": "month",
        "anos?": "year",
    },
    ago=r"há (?P<n>\d{1,3}|uma?|dois|duas|três|quatro|cinco) (?P<unit>{units})",
    past=r"(?:n?[oa]s) últim[oa]s (?P<n>\d{1,3}|dois|duas|três|quatro|cinco) (?P<unit>{units})",
    weekday=r"(?:(?:na|no|última|último) |(?P<since>desde (?:[ao] )?))(?P<day>{names})(?:-feira)?(?: passad[oa])?",
    weekdays=("segunda", "terça", "quarta", "quinta", "sexta", "sábado", "domingo"),
    alone=r"(?=-feira|\W*$|[,.?!]|\s(?:e|a|à|até|mas|com|sobre|no|na|em|passada)\b)",
    month=r"(?:em |(?P<since>desde ))(?P<month>{names})(?: de (?P<year>(?:19|20)\d\d))?",
    months=(
        *("janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro"),
        *("novembro", "dezembro"),
    ),
    year=r"(?:em|durante)(?: o ano de)? (?P<n>(?:19|20)\d\d)",
    often=("ontem", "hoje", "semana", "passada", "passado", "sábado", "domingo"),
    idle="fizemos|fiz|fez|feito|falamos|trabalhamos|trabalhei|mudamos",
    present=r"\w+[aei]mos",
    decided="decidimos|decidi|decidid[oa]|decidiu|escolhemos|combinamos",
    filler=r"\b(?:pela|a|o|os|as|de|do|da|que|primeira|última|vez|em|com|e|sobre|para|no|na)\b",
    closed=r"(?!\s(?:d[oae])\b)",
)
