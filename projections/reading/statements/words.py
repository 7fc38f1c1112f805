"""Words that decide what a statement says of what, by what they do in a sentence. English; what other languages say is
left to `projections/reading/statements/sentence.py`, which reads less and more strictly. Pure."""

from __future__ import annotations

import re

from aftermind.engine import moments
from aftermind.engine.lazily import lazily
from aftermind.engine.moments import WEEKDAYS
from aftermind.projections.reading.listed import listed

ARTICLES = listed("the a an this that these those its their our your my his her")
OWNERS = {"my": "user", "your": "yours", "yours": "yours"}
"""Whose a thing is, where that is known."""
SOMEBODYS = listed("his her its their hers theirs")
"""Whose a thing is, by what was said elsewhere."""
FILLERS = listed(
    "now currently actually just still already always only today meanwhile please again finally instead "
    "presently officially internally recently"
)
"""They say when or how strongly, and nothing of what."""
UNSURE = listed(
    "might may could would maybe perhaps probably possibly likely think thinking thought believe guess assume suppose "
    "consider considering planned planning plan plans proposed propose suggested suggests hopefully intend intends "
    "unsure unclear seems seem supposedly rumoured rumored expects hope if unless whether when whenever until till "
    "before formerly previously originally once ago would've asked asks said says claims claimed told wonder wondering "
    "tomorrow next will shall going try tried try-out experiment draft todo tbd eventually later soon"
)
"""A plan, a doubt, a condition, a word of somebody else, a past: no statement of what is so."""
BESIDE = listed(
    "also too one another additionally either sometimes usually mostly partly example examples e.g eg some several "
    "many lot lots few other others else besides both any each every-other various multiple alternatively"
)
"""Who says so leaves room for others beside it."""
NEGATIONS = listed("not no never none nobody nothing neither nor without cannot except n't")

COPULAS = listed("is are equals =")
PASSIVES = tuple(words.split() for words in ("has been", "have been", "had been", "was", "were", "got", "has", "have"))
"""Before a participle they say what came about; alone they say what was, or what belongs to something."""
AUXILIARIES = listed("has have had been was were is are got gets being be")
OUGHT = (("should", "be"), ("must", "be"), ("has", "to", "be"), ("needs", "to", "be"), ("have", "to", "be"))
"""What somebody demands of a thing's value says that it has it."""
DEMANDS = lazily(r"\b(?:should|must|ought|shall|(?:has|have|needs?|supposed|meant) to)\b", re.IGNORECASE)
"""The same and more, of whatever it is demanded: it ends nothing that is so, and is not ended by it."""
CHANGES = listed(
    "changed moved switched renamed raised lowered increased reduced decreased bumped updated upgraded downgraded "
    "migrated turned transferred reassigned postponed pushed rescheduled extended shortened delayed brought swapped "
    "relocated shifted cut set converted promoted"
)
GENERIC = listed("set changed moved switched")

SCOPING = listed(
    "in on at for of by with under as from during after per to via within across between inside over against about "
    "through behind into since near toward towards than"
)
"""Prepositions."""
COMPARING = listed("over to than")
"""Before what something else is preferred to."""
WHERE = listed("in on at under from to across within inside over behind into near")
"""Those that say where."""
CASES = listed("ci qa uat prod production staging dev development preview local test testing")
"""Where software runs, also when written as a name: `Postgres in CI` is no name."""
NEW_PLACES = listed("york jersey mexico orleans england hampshire haven delhi zealand guinea caledonia")
"""Behind a `New` that says of nothing that it is new."""
ORDERED = listed("from to between after during via through behind into over against than by with per since")
"""What stands behind them is marked by them: from a to b is not from b to a."""
PARTICIPLES = listed(
    "due set built kept sent held run written made put found drawn cut bound paid born led taught sold driven shown "
    "given known left told worn laid hidden chosen spoken broken frozen split fed read"
)
"""Those that do not end in -ed."""
MANY = listed(
    "use used uses tested supported supports called reviewed compatible blocked required needed needs imported "
    "mentioned allowed available affected involved caused related linked connected known "
    "seen included triggered consumed read depended depends depend documented described discussed shown "
    "inspired reported invited interested experienced exposed covered checked validated made"
)
"""Participles and verbs of what a thing has with many at once."""
REQUIRED = listed("required needed")
CALLED = listed("called named")
PLACES = listed(
    "live lie run listen reside sit deploy locate host store keep place put go point serve bind expose save write-to "
    "find"
)
"""Verbs that say where something is, or what it is reached at."""
HOLDING = listed(
    "live lie run listen reside sit deploy go point default start begin end expire happen occur close open belong "
    "target hold last take cost wait time ship land finish launch kick branch report resolve map retry rotate expect "
    "require need use allow fire trigger serve bind write log connect change meet release"
)
"""Verbs of a relation a thing has to one value at a time, where the value says its own kind: an amount, a time, a
place."""
ANSWERING = listed("responsible accountable")
NAMING = listed(
    "live lie run listen reside sit deploy go point default start begin end expire happen belong target branch "
    "resolve map"
)
"""Those of them that have one value at a time, whatever it is."""
OWNING = listed("own maintain lead manage head run-by chair")
"""Verbs whose subject is the value: who owns what."""
WANTING = listed(
    "prefer prefers preferred like likes liked want wants wanted favour favours favor favors favourite favorite "
    "favored favoured love loves"
)
PEOPLE = listed("i me mine myself user users user's")
US = listed("we us ourselves project team repo repository codebase app application everybody everyone you")
"""Who says so says it of the project, which is what the scope says already."""
OF_MANY = listed(
    "member part piece example fan student friend admin colleague guest subset instance case kind sort type source "
    "user mixture list set number lot couple series cause result consequence feature dependency consumer colleague mix "
    "brother sister sibling son daughter child cousin reviewer contributor translator tester"
)
"""Nouns of what one thing can be of many others."""
INCIDENTS = listed(
    "bug error crash failure problem issue exception regression culprit cause leak typo fix patch workaround hotfix "
    "commit test function method class code root"
)
"""What there are many of, one after the other: `the bug` of today is not that of last week."""
EVENTS = listed(
    "meeting call sync standup demo retro retrospective interview workshop webinar training session appointment visit "
    "review maintenance window outage downtime deploy deployment"
)
"""What is held again and again: one that is planned for another day is another one."""
NUMBERED = listed(
    "step rule section chapter ticket field room figure item page line part phase stage case option argument "
    "column question requirement task story point article paragraph appendix row slot seat form unit approval "
    "reviewer milestone sprint lesson level rfc adr pr iso"
)
"""Nouns whose number says which one it is, and of none of them its version."""
STATES = listed(
    "slow fast broken flaky down up dead stale cold hot warm empty full busy idle green red dirty clean stuck strict "
    "loose noisy quiet ready done old new outdated deprecated missing available unavailable online offline stable "
    "unstable big small large huge tiny great good bad nice fine ok wrong right correct ugly annoying crucial critical "
    "important optional mandatory required unknown unclear different same open closed healthy unhealthy reachable "
    "unreachable safe unsafe insecure secure hard easy expensive cheap corrupt"
)
"""In which state a thing is, which says nothing of which one it is: an editor that is slow is still vim."""
PRONOUNS = listed("it this that they he she these those there here which who")

SAID_BEFORE = listed("it they he she there it's")
"""What they stand for was said elsewhere: a subject with one of them is not known."""
CLASSIFIERS = listed(
    "port version branch city country state region continent language sport religion position role name title rank "
    "path folder directory file url host machine server channel team month year date day time number address endpoint "
    "cluster zone bucket topic queue database schema table license licence currency category type colour color "
    "environment namespace tag level tier plan"
)
"""What a value is, said before it: port 8080, the city of Rome. They belong to what is asked, not to the answer."""
GRADED = listed(
    "mode style format theme level visibility choice convention casing case tense colour color order layout frequency "
    "cadence tone spelling tier plan strategy"
)
"""Attributes whose value may be such a word: the style is strict."""
ATTRIBUTES = listed(
    "manager linter formatter bundler runner broker compiler framework language editor level mode style format theme "
    "branch region encoding locale name type license licence provider engine shell driver registry tool strategy "
    "convention casing case tense colour color order default backend store layout frequency cadence unit currency "
    "timezone zone protocol algorithm codec platform vendor host plan tier visibility choice library client debugger "
    "orm database db cache queue os distro indentation spelling tone stack ide"
)
"""What has one value, which may be any word: as the head of a subject that stands with `is`."""
TOOLS = listed(
    "linter formatter bundler runner broker compiler framework editor shell engine debugger orm ide manager theme "
    "license licence language timezone locale encoding currency tool stack registry provider vendor platform protocol "
    "host channel"
)
"""Those of which a project has one, so that the word alone says which is meant."""
NOISE = listed("feature flag setting option variable value version parameter")
"""They say of what sort a thing is, and not which; they count where nothing else is said."""
ROLES = {
    form: stem
    for stem, forms in {
        "own": "owner owners owns owned own owning",
        "maintain": "maintainer maintainers maintains maintained maintain",
        "lead": "lead leads leader led",
        "manage": "manages managed manage",
        "chair": "chair chairs chaired chairperson",
        "head": "head heads headed",
        "prefer": "prefer prefers preferred favourite favorite preference",
        "run": "run runs running ran",
        "live": "live lives lived living",
        "due": "due deadline",
    }.items()
    for form in forms.split()
}
"""Forms of one word that say the same in a subject and in a relation."""
SAME_SIDE: tuple[frozenset[str], ...] = tuple(
    map(
        listed,
        (
            "dark light",
            "single double",
            "tabs tab spaces space",
            "short long terse detailed verbose brief concise",
            "past imperative present",
            "camelcase snake_case kebab-case pascalcase snake camel kebab pascal",
            "upper lower uppercase lowercase",
            "british american us uk",
            "strict loose lenient relaxed",
            "explicit implicit",
            "public private internal",
            "metric imperial",
            "weekly daily monthly hourly nightly biweekly yearly",
            "manual automatic",
            "ascending descending",
            "formal informal casual",
        ),
    )
)
"""Words of which one keeps the other out."""
ON = listed("enabled true active activated")
OFF = listed("disabled false inactive deactivated")
DAYS = {form: day for day in (*WEEKDAYS, "weekday", "weekend") for form in (day, day + "s")} | {
    word: word for word in listed("daily weekly monthly hourly nightly")
}
MONTHS = frozenset({*moments.MONTHS, *(month[:3] for month in moments.MONTHS), "sept"})
UNITS = {
    form: (dimension, float(size))
    for dimension, units in {
        "time": "0.001 ms msec millisecond milliseconds|1 s sec secs second seconds|60 min mins minute minutes|"
        "3600 h hr hrs hour hours|86400 d day days|604800 week weeks|2629800 month months|31557600 year years",
        "size": "1 b byte bytes|1000 kb kib kilobytes|1000000 mb mib megabytes|1000000000 gb gib gigabytes|"
        "1000000000000 tb tib terabytes",
        "share": "1 % percent",
        "length": "1 px pixel pixels",
    }.items()
    for unit in units.split("|")
    for size, *forms in [unit.split()]
    for form in forms
}
NUMBERS = {
    word: str(n)
    for n, *words in ((2, "two"), (3, "three"), (4, "four"), (5, "five"), (6, "six"), (7, "seven"), (8, "eight"),
      (9, "nine"), (10, "ten"), (11, "eleven"), (12, "twelve"))
    for word in words
}  # fmt: skip
CLASSES = tuple(
    map(
        listed,
        (
            "linux ubuntu debian alpine fedora windows macos osx darwin android ios",
            (
                "english german french spanish italian portuguese dutch polish russian ukrainian czech swedish danish "
                "norwegian finnish greek turkish arabic hebrew hindi chinese mandarin japanese korean vietnamese thai "
                "romanian hungarian latin deutsch"
            ),
            "markdown json yaml toml xml csv pdf latex asciidoc rst ini jsonl ndjson",
            " ".join(moments.MONTHS),
            "python javascript typescript rust java ruby php kotlin swift go golang sql css html scala elixir c++ c#",
        ),
    )
)
"""Names of one sort: a system and a product, a language and a format are not two values of one thing."""
_SAMPLES = listed("example examples sample samples snippet snippets")
_TEXTS = _SAMPLES | listed(
    "answer answers reply replies response responses explanation explanations summary summaries comment comments doc "
    "docs documentation output outputs"
)
GIVEN = (frozenset[str](), _TEXTS, _TEXTS, frozenset[str](), _SAMPLES)
"""What an assistant gives in one at a time of each of these classes: answers in a language or a format, snippets also
in a programming language. Of what else is of a class one prefers many, each where it belongs."""
