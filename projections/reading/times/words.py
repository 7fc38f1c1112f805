"""How a question for what was done, in which order, first or last, is worded; and the times it is asked of. A tongue an
entry, as patterns over one lower-cased sentence. What they have in common is read by `timed.py`.

`asks` needs a time beside it (`what did we do` alone could be about anything); `order`, `first` and `last` do not.
`verb` is the group of what was done, where the wording tells it apart from what it was done with; `noun` of what it was
done with, where that stands within (`which database did we choose`).
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from aftermind.engine.moments import MONTHS, WEEKDAYS

NUMBERS = {
    **dict.fromkeys(
        ("a", "an", "one", "ein", "eine", "einem", "einer", "un", "una", "um", "uma", "une", "一", "한"), 1
    ),
    **dict.fromkeys(
        ("two", "couple", "couple of", "zwei", "deux", "dos", "due", "dois", "duas", "два", "две", "两", "二", "두"), 2
    ),
    **dict.fromkeys(("three", "few", "drei", "trois", "tres", "tre", "três", "três", "три", "三", "세"), 3),
    **dict.fromkeys(("four", "vier", "quatre", "cuatro", "quattro", "quatro", "четыре", "四"), 4),
    **dict.fromkeys(("five", "fünf", "cinq", "cinco", "cinque", "пять", "五"), 5),
}


class Tongue(Struct, frozen=True, kw_only=True):
    marks: tuple[str, ...]
    """One of them is in every question of this kind: what is asked of a prompt before anything else."""
    asks: str
    order: str
    first: str
    last: str
    left: str = r"^$"
    """Where it was left: the last, unless a time is said."""
    days: Mapping[str, int]
    """How a day is called, and how many days ago it is."""
    spans: Mapping[str, str]
    """How a week, month, year or weekend is called, and how many of them ago it is: `week 1`."""
    units: Mapping[str, str]
    """How a unit of time is called after a number."""
    ago: str
    """So many of a unit ago, with the groups `n` and `unit`; `past`: over the last so many of it."""
    past: str
    weekday: str = ""
    """With a group `day` among `weekdays`, patterns, Monday first."""
    weekdays: tuple[str, ...] = ()
    alone: str = ""
    """What must follow one without a word before it that says so: `segunda` is Monday, and the second of anything."""
    month: str = ""
    months: tuple[str, ...] = ()
    year: str = ""
    """A year by its number, the group `n`."""
    often: tuple[str, ...] = ()
    """Words of such a question that are read although they are mistyped."""
    idle: str = ""
    """What is done in every stretch of time, and is no topic: to do, to work."""
    decided: str = ""
    """What is done that leaves decisions."""
    present: str = ""
    """Verbs that say of today what is so now, unless they are `idle` or `decided`: `usamos` is also what we use."""
    filler: str = ""
    """Words that say nothing of a topic."""
    spaced: bool = True
    closed: str = ""
    """What must follow a time, lest it only describes a thing (`last week's report`)."""


_PAST = (
    r"(?:\w{2,}ed|did|done|made|built|wrote|chose|found|learn(?:ed|t)|got|broke|brought|came|went|took|gave|set|ran|began"
    r"|saw|kept|left|put|said|thought|told|met|shipped|read|hit|cut|spoke|taught|dealt|had)"
)
_US = r"(?:we|i|you)"
_LEAST = r"(?:\s(?:all|else|exactly|things|stuff|changes|decisions|files|bugs))?"
_FEW = r"\d{1,3}|two|three|four|five|(?:a )?couple(?: of)?|(?:a )?few"

ENGLISH = Tongue(
    marks=(
        "did ",
        "have we",
        "have i",
        "have you",
        "we ",
        "i ",
        "you ",
        "happened",
        "changed",
        "recap",
        "ummar",
        "was ",
        "where were",
        "work",
    ),
    asks=rf"""^(?:what{_LEAST}|which(?:\s(?:things|stuff|changes|decisions|files|bugs|tasks)|(?P<noun>(?:\s\w+){{1,3}}){_LEAST}))
        \s(?:did|have|had)\s{_US}(?:\s(?:already|actually|all|just|then))?
        \s(?P<verb>(?:get\s)?\w+)(?:\s(?:done|up))?
      |^what\s(?:was|were)\s{_US}\s(?P<verb2>\w+ing)(?:\s(?:on|up\sto|about|at|with))?
      |^what(?:'s|\shas|\swas|\shad)?\s(?:been\s)?(?P<verb3>happen(?:ed|ing)|going\son|changed|done|decided|fixed|built|discussed)
      |^(?:what|everything|all|the\sthings?)\s(?:that\s)?{_US}(?:'ve|\shave|'d)?\s(?P<verb4>{_PAST})
      |^(?:a\s)?(?:recap|summary|overview|timeline|summari[sz]e)(?:\s(?:of|for))?$
      |^(?:what(?:'s|\sis|\swas)\s)?(?:the\s)?(?:'s\s(?:work|progress|decisions?)|work\s(?:of|from))$""",
    order=rf"""^(?:in\s)?(?:which|what)\s(?:chronological\s)?(?:order|sequence)\s(?:did|have|had)\s{_US}
      |^(?:in\s)?(?:which|what)\sorder\s(?:was|were)(?=\s.*\b{_PAST}$)
      |^(?:in\s)?(?:the|what|which)\s(?:order|sequence)\s(?:(?:in\swhich|that|of\swhat)\s)?{_US}(?:'ve|\shave|\sall)?
        \s(?P<verb>{_PAST})(?:\sup\b)?""",
    first=rf"""^when\s(?:did|have|had)\s{_US}\s(?:first|originally|initially|start|begin)\b
      |^when\s(?:was|is)\sthe\s(?:very\s)?first\stime\s(?:that\s)?{_US}\b
      |^when\s(?:did|have)\s{_US}(?=\s.+\s(?:for\sthe\sfirst\stime|the\sfirst\stime|first)$)
      |^what(?:'s|\sis|\swas|\swere)\sthe\s(?:very\s)?first\s(?:few\s|two\s|three\s|\d\s)?
        (?:thing|(?P<noun>\w+(?:\s\w+)?))s?\s(?:that\s)?{_US}(?:'ve|\shave)?\s(?P<verb>{_PAST})
      |^what\s(?:did|have)\s{_US}\s(?P<verb2>\w+)(?:\son|\sabout)?\sfirst$""",
    last=rf"""^when\s(?:did|have|had)\s{_US}\s(?:last|most\srecently)\b
      |^when\s(?:was|is)\sthe\s(?:very\s)?(?:last|latest|most\srecent)\stime\s(?:that\s)?{_US}\b
      |^when\s(?:did|have)\s{_US}(?=\s.+\s(?:for\sthe\slast\stime|the\slast\stime|last)$)
      |^what(?:'s|\sis|\swas|\swere)\sthe\s(?:very\s)?(?:last|latest|most\srecent)\s(?:few\s|two\s|three\s|\d\s)?
        (?:thing|(?P<noun>\w+(?:\s\w+)?))s?\s(?:that\s)?{_US}(?:'ve|\shave|\swere|\swas)?\s(?P<verb>{_PAST}|\w+ing\son|doing)
      |^what\s(?:did|have|were|was)\s{_US}\slast\s(?P<verb2>\w+)(?:\s(?:on|about|up\sto))?
      |^what\s(?:did|have)\s{_US}\s(?P<verb3>\w+)(?:\son|\sabout)?\s(?:last|most\srecently)$""",
    left=rf"""^what\s(?:were|was)\s{_US}\s(?:doing|working\son|talking\sabout|up\sto)$
      |^where\s(?:did|have|had)\s{_US}\s(?:leave|left|stop|stopped)(?:\s(?:off|it|things|at))?\b|^where\swere\s{_US}(?:\sagain)?$""",
    days={
        r"(?:the )?day before yesterday": 2,
        r"yesterday(?: morning| afternoon| evening)?|last night": 1,
        r"(?:earlier )?today|this (?:morning|afternoon|evening)|tonight": 0,
    },
    spans={
        r"(?:the )?week before last": "week 2",
        r"last week|the previous week": "week 1",
        r"(?:earlier )?this week": "week 0",
        r"(?:over |on |at )?(?:the )?last weekend|(?:over|on|at) the weekend": "weekend 1",
        r"last month|the previous month": "month 1",
        r"(?:earlier )?this month": "month 0",
        r"last year|the previous year": "year 1",
        r"(?:earlier )?this year": "year 0",
    },
    units={
        "minutes?": "minute",
        "hours?": "hour",
        "days?": "day",
        "weeks?": "week",
        "months?": "month",
        "years?": "year",
    },
    ago=rf"(?:about )?(?P<n>{_FEW}|an?|one) (?P<unit>{{units}}) ago",
    past=rf"(?:in |over |during |for |within )?the (?:last|past|previous) (?:(?P<n>{_FEW}) )?(?P<unit>{{units}})",
    weekday=r"(?P<since>since )?(?:on |last |this past )?(?P<day>{names})",
    weekdays=WEEKDAYS,
    month=r"(?:(?P<since>since )|(?:back )?(?:in|during) |last |this )(?P<month>{names})(?: (?P<year>(?:19|20)\d\d))?",
    months=MONTHS,
    year=r"(?:back )?(?:in|during|throughout)(?: the year)? (?P<n>(?:19|20)\d\d)",
    often=("yesterday", "today", "last", "week", "weekend", "month", *WEEKDAYS),
    idle=r"(?:get |got )?(?:do|did|done|doing|work(?:ed|ing)?|accomplish(?:ed)?|achieve[d]?|finish(?:ed)?|complete[d]?"
    r"|happen(?:ed|ing)?|going on|chang(?:e|ed|ing)|talk(?:ed|ing)?|discuss(?:ed|ing)?|say|said|been|go|went"
    r"|start(?:ed)?|get|got|make|made|up|touch(?:ed)?|thing|things)",
    decided=r"(?:decid|agree|chose|choose|settle|conclude|pick)\w*",
    filler=r"\b(?:thing|things|stuff|time|first|last|up|on|together|project|here|exactly|again|order|aspects?|different"
    r"|newest|latest|oldest|our|in|list|mention|only|items?|throughout|conversations?|chats?|sessions?|various|topics?|chronological(?:ly)?)\b",
    closed=r"(?=$|'s\s|\s*[,;:?!.)]|\s(?:about|for|on|in|with|regarding|to|while|and|at|by|when|that|before|after|but|until|till|around"
    r"|concerning|as|please|again|together)\b)",
)
