"""Words that decide whether two sentences speak of the same thing, by what they do in a sentence. Several languages
share each table: none of these words means something else in another of them that would matter here. Pure."""

from __future__ import annotations

import re

from aftermind.engine.lazily import lazily
from aftermind.projections.reading.listed import listed

ARTICLES = listed(
    "the a an der die das den dem des ein eine einen einem einer le la les un une du el los las una unos o os um uma "
    "il lo i gli"
)
FILLERS = listed(
    "now currently actually just please still anymore instead already simply jetzt nun aktuell derzeit bitte "
    "inzwischen maintenant désormais actuellement svp ahora actualmente ya сейчас уже пожалуйста agora hoje "
    "always immer toujours siempre всегда sempre adesso"
)
"""They say when or how strongly, and nothing of what."""
NOW = listed("now jetzt nun inzwischen maintenant désormais ahora agora adesso теперь")
"""Those that say that it was otherwise before."""
PHRASES_LEFT_OUT = lazily(
    r"\bany (?:more|longer)(?=\W*$|\s*[,;:.!(–—-])"
    r"|\b(from now on|as of (today|now)|ab (jetzt|sofort)|à partir de maintenant|a partir de ahora|de ahora en adelante"
    r"|с этого момента|отныне)\b|现在|目前|以后|今后|始终|总是|現在は?|今は|これから|今後は?|常に|必ず",
    re.IGNORECASE,
)
INTERJECTIONS = lazily(
    r"^\s*(no|nope|yes|ok|okay|nein|ja|doch|non|oui|sí|si|нет|да|いや|いいえ|はい|不|是的|不对)\s*[,，、.!:]\s*(?=\S)",
    re.IGNORECASE,
)

COPULAS = listed("is are was were ist sind est sont es son está están é são fica è sono zijn jest są lautet")
NEGATIONS = listed(
    "not never no nicht nie niemals kein keine keinen keinem keiner ne pas jamais nunca jamás не нет никогда нельзя "
    "não não nunca non mai"
)
GLYPH_NEGATIONS = lazily("不要|不得|不可以|不能|切勿|请勿|禁止|别|勿|不会|不用|不")
CONTRACTIONS = (
    (lazily(r"\bcan(?:no|')t\b", re.IGNORECASE), "can not"),
    (lazily(r"\bwon't\b", re.IGNORECASE), "will not"),
    (lazily(r"n't\b", re.IGNORECASE), " not"),
    (lazily(r"\b(?:do|does)\s+not\b", re.IGNORECASE), "not"),
    (lazily(r"\bno longer\b", re.IGNORECASE), "not"),
    (lazily(r"\b(it|that|there|what)'s\b", re.IGNORECASE), r"\1 is"),
    (lazily(r"\b(nicht|kein|keine|keinen)\s+mehr\b", re.IGNORECASE), r"\1"),
    (lazily(r"\bne\b(.{1,40}?)\bplus\b", re.IGNORECASE), r"ne\1"),
    (lazily(r"\bya no\b", re.IGNORECASE), "no"),
    (lazily(r"\bбольше не\b", re.IGNORECASE), "не"),
    (lazily(r"\b(никогда|nunca|jamás|nie|ne)\s+(не|no|ne)\b", re.IGNORECASE), r"\1"),
)
NOT_WHOLLY = lazily(
    r"\b(?:(?:not|never) (?:always|just|simply|merely|only|solely|already)"
    r"|not (?:\w+ ){1,4}(?:just|merely|only|solely|exclusively|alone)|nicht (?:immer|nur|bloß|einfach)"
    r"|pas (?:toujours|seulement|que)|no (?:siempre|solo|sólo|solamente)|non (?:sempre|solo|soltanto)"
    r"|não (?:sempre|só|apenas)|не (?:всегда|только))\b",
    re.IGNORECASE,
)
"""Denies that there is no more to it, and not that it is so."""
_ALLOWED = (
    r"(you|we|one) (may|can)|(it is|it's|is) (ok|okay|fine|allowed|alright)( for you)? to|feel free to|"
    r"(du|ihr|man|wir) (darfst|dürft|darf|dürfen|kannst|kann|können)|tu peux|vous pouvez|on peut|puedes|se puede|"
    r"podemos|можно|можешь|разрешено|您?可以|允许"
)
_REQUIRED = (
    r"(you|we|one) (must|should|shall|have to|need to)|(make|be) sure to|remember to|be sure to|must|should|"
    r"(du|ihr|man|wir) (musst|müsst|muss|müssen|sollst|soll|sollen)|tu dois|vous devez|il faut|debes|hay que|"
    r"нужно|надо|必须|务必|应该|请"
)
_FORBIDDEN = (
    r"(it is|it's|is) (not|never) (ok|okay|fine|allowed|alright) to|(it is|it's) forbidden to|"
    r"(you|we|one) (must|may|should|can|shall) (not|never)|(must|should|may|can) not"
)
FORBIDDEN_FIRST = lazily(rf"^({_FORBIDDEN})\s+", re.IGNORECASE)
ALLOWED_FIRST = lazily(rf"^({_ALLOWED})\s*", re.IGNORECASE)
REQUIRED_FIRST = lazily(rf"^({_REQUIRED})\s*", re.IGNORECASE)
_JA = r"[。.!！]?$"
JA_FORBIDDEN = lazily(rf"し(ないでください|ないで|ないこと|てはいけません|てはいけない|てはならない|ません|ない){_JA}")
JA_ALLOWED = lazily(rf"し(てもよい|てもいい|てよい|ていい|ても構わない|ても構いません)(です)?{_JA}")
JA_REQUIRED = lazily(rf"(してください|すること|します|する){_JA}")
JA_ENDINGS = lazily(
    rf"(に変更されました|に変更しました|に変更|に変わりました|になりました|に移動しました|へ移動しました|です|である|だ)(?:{_JA})"
)

EQUALS = "="
_BECOMES = (
    "has been changed to|have been changed to|has been moved to|has been set to|was changed to|was moved to|"
    "was set to|is set to|is moved to|is changed to|has moved to|has changed to|have moved to|needs to be|"
    "has to be|should be|must be|will be|moved to|changed to|switched to|set to|has become|became|becomes|equals|"
    "is|are|:|=|ist jetzt|wurde auf|wurde nach|ist|sind|wird|lautet|heißt|beträgt|betragen|est passé à|est passée à|"
    "a été changé en|devient|est de|est|sont|ha pasado a|se cambió a|se movió a|cambió a|es|está|son|están|é|são|è|"
    "теперь это|теперь —|теперь|переехал на|переехала на|изменился на|изменён на|изменен на|равен|равна|равно|это|—|–"
)
BECOMES = tuple(tuple(phrase.split()) for phrase in _BECOMES.split("|"))
"""What says that something has a value, or has it from now on: all of them say the same."""
GLYPH_BECOMES = lazily("已?改为|已?改成|变成|变为|变更为|移到|移动到|设为|设置为|等于|位于|[是为]")
FUNCTIONAL = listed(
    "live lives lie lies run runs listen listens point points defaults deploy deploys reside resides "
    "liegt liegen läuft laufen hört écoute tourne vit corre escucha vive apunta слушает лежит лежат работает находится "
    "находятся は が 在"
)
"""Relations a thing has to one value at a time, whatever the value is."""
USING = listed(
    "use uses nutzt nutze nutzen verwende verwendet verwenden benutze utilise utilisons utilisez usa usamos usar "
    "используй используем использует 用 使用"
)
COUNTED = USING | listed(
    "need needs require requires take takes has have expect expects cost costs expire expires last lasts set "
    "keep limit wait allow braucht brauchen dauert hat kostet prend dure faut tarda dura cuesta tiene necesita "
    "занимает требует стоит 需要"
)
"""Relations that have one number at a time, and of names as many as there are."""
DIRECTLY_AFTER = listed(
    "at on in under to by auf in bei unter zu nach à au sur dans sous en sobre bajo a на в во по под к 在 到 于"
)
SCOPING = listed(
    "for of in on at with when if by via under as during before after from per unless until while except without "
    "between für von auf bei mit wenn falls während vor nach aus pro außer ohne um im am pour de dans sur avec quand "
    "si pendant avant après depuis par sauf sans para en con cuando durante antes después desde por salvo sin для "
    "в на с при если когда во после до из по"
)
"""From here on a sentence says where or when something holds; another value there is another thing."""
PRONOUNS = listed(
    "it this that they he she these those there es dies dieser diese er sie ce ça cela c il elle ils elles eso esto "
    "это оно он она они それ これ あれ 它 这 那"
)
PERSONS = listed("we i you wir ich du nous je tu nosotros yo мы я ты 我们 我")
PARTIAL = listed(
    "also too one some another other others either sometimes usually mostly maybe perhaps probably auch einer manchmal "
    "meist meistens vielleicht aussi parfois souvent peut-être también veces quizás также тоже иногда возможно "
    "example examples も 也 还 可能 有时"
)
"""Who says so leaves room for others beside it."""

UNITS = {
    unit: group.split()[0]
    for group in (
        "ms millisecond milliseconds millisekunden millisecondes milisegundos миллисекунд",
        "s sec second seconds secs sekunde sekunden seconde secondes segundo segundos секунд секунды секунда 秒",
        "min minute minutes mins minuten minuto minutos минут минуты минута 分 分钟",
        "h hour hours hrs stunde stunden heure heures hora horas час часа часов 小时 時間",
        "d day days tag tage tagen jour jours día días день дня дней 天 日",
        "week weeks woche wochen semaine semaines semana semanas неделя недели недель",
        "month months monat monate mois mes meses месяц месяца месяцев",
        "year years jahr jahre an ans año años год года лет",
        "kb kib kilobytes", "mb mib megabytes", "gb gib gigabytes go", "tb tib", "bytes byte", "% percent prozent",
        "px pixel pixels", "chars characters zeichen caractères caracteres символов",
    )
    for unit in group.split()
}  # fmt: skip
_AXES: dict[str, dict[str, str]] = {
    "environment": {
        "production": "production prod live prd produktion produktiv producción прод продакшен продакшн продакшене "
        "боевой 本番 生产 线上",
        "staging": "staging stage stg preprod стейджинг стейдж стейджинге ステージング 预发 预发布",
        "test": "test tests testing qa uat тест тестовый тестовая テスト 测试",
        "development": "dev development devel local localhost entwicklung lokal développement desarrollo разработка "
        "локально 開発 ローカル 开发 本地",
        "ci": "ci pipeline",
        **{name: name for name in ("sandbox", "preview", "canary", "demo")},
    },
    "side": {
        "front": "frontend front-end ui browser фронтенд фронт フロントエンド 前端",
        "back": "backend back-end бэкенд бекенд бэк バックエンド 后端 服务端",
        "mobile": "mobile ios android",
    },
    "system": {
        "windows": "windows win32",
        "mac": "macos mac osx darwin",
        "linux": "linux ubuntu debian alpine",
    },
    "role": {
        "primary": "primary",
        "replica": "replica secondary standby",
    },
    "direction": {
        "read": "read reads reading input inbound",
        "write": "write writes writing output outbound",
    },
    "language": {
        name: name
        for name in listed("python javascript typescript rust java ruby php kotlin swift golang sql css html")
    },
}
QUALIFIERS: dict[str, tuple[str, str]] = {
    word: (axis, side) for axis, sides in _AXES.items() for side, words in sides.items() for word in words.split()
}
"""A word → what it sets apart, and from which others. Two sentences that differ here speak of two things."""
PARTS = lazily(
    r"\b(?:service|server|database|db|worker|queue|bucket|repo|repository|module|package|cluster|namespace|tenant|"
    r"dienst|datenbank|base|servicio|сервис|база)\b",
    re.IGNORECASE,
)
