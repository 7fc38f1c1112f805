"""What a user may want to tune: lifetimes, evidence, weights, limits. Changing one changes what is decided and shown
from now on, never what was recorded. Constants that belong to one formula stand beside it. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Literal, TypeAlias, get_args

from msgspec import Struct

from aftermind.engine.names import Collection, Kind


class Lifecycle(Struct, frozen=True, kw_only=True):
    """How memories rise, sink and end. Bounds are lower confidence bounds of the share that worked (`memory.py`)."""

    working_lifetime: timedelta = timedelta(hours=24)
    history_lifetime: timedelta = timedelta(days=30)
    conversation_lifetime: timedelta = timedelta(days=180)
    """Of a memory of kind `conversation`, whatever its collection."""
    resolved_lifetime: timedelta = timedelta(days=90)
    """Of a blocker that was resolved, from then on: for a while it is told to whoever meets the same again."""
    review_after: timedelta = timedelta(days=90)
    """After so long a procedure asks whether it still holds, where nobody said otherwise; of 0 never."""
    stale_after: timedelta = timedelta(days=180)
    """A statement that was neither said, shown nor judged for so long is stale."""
    quiet_after: timedelta = timedelta(minutes=30)
    """A session in which nothing is said for so long is over, until something is."""

    history_bound: float = 0.20
    """working → history: one of one (0.21) is enough, one of two (0.09) is not. What a day's work confirmed is wanted
    the day after, and seldom comes up a second time before that."""
    history_uses: int = 1
    patterns_bound: float = 0.50
    """history → patterns: five of five (0.57), seven of eight (0.53); four of five (0.38) are not enough."""
    patterns_uses: int = 5
    patterns_floor: float = 0.30
    """patterns → history below this: five of eight (0.31) stay, five of nine (0.27) go."""
    history_floor: float = 0.12
    """history → working below this: two of four (0.15) stay, two of five (0.12) go."""

    def lifetime(self, collection: Collection) -> timedelta | None:
        """How long a memory lives in a collection; None where it stays while it is useful, or for good."""
        match collection:
            case "working":
                return self.working_lifetime
            case "history":
                return self.history_lifetime
            case "patterns" | "memory_bank" | "books":
                return None

    def of_kind(self, kind: Kind, *, resolved: bool = False) -> timedelta | None:
        """How long a memory of a kind is kept, whatever its collection; None where that does not end."""
        if resolved:
            return self.resolved_lifetime
        return self.conversation_lifetime if kind == "conversation" else None

    def expiry(self, collection: Collection, kind: Kind, now: datetime, *, resolved: bool = False) -> datetime | None:
        """When the shorter of the two lifetimes is over, its collection's and its kind's."""
        of_kind = self.of_kind(kind, resolved=resolved)
        lifetimes = [lifetime for lifetime in (self.lifetime(collection), of_kind) if lifetime is not None]
        return now + min(lifetimes) if lifetimes else None


class Ranking(Struct, frozen=True, kw_only=True):
    """How candidates are ordered and cut. A share is how much of the query's telling words a memory says itself."""

    answer_weight: float = 0.5
    """An assistant's word counts half of a user's: it is long, and it is the part that may have been wrong."""
    previous_weight: float = 0.30
    next_weight: float = 0.20
    session_weight: float = 0.30
    """What is said around a memory lends it part of its score: its neighbours (another's question before it twice), and
    all that its session says of the query."""
    outcome_weight: float = 0.15
    """All verdicts on a memory, whatever they were for, move its score by less than this share, up or down."""
    like_weight: float = 1.5
    """Verdicts for like questions move it by less than this much of the query's best score: enough for the worst match
    that worked to pass the best that failed. It reorders what is relevant."""
    like_words: float = 0.25
    same_words: float = 0.6
    like_meaning: float = 0.3
    same_meaning: float = 0.6
    """Similarities, by words and by meaning, up to which two questions have nothing to tell each other, and from which
    on they ask the same."""
    like_more: float = 0.3
    like_margin: float = 0.15
    """A question asks for a judged memory itself, and not what that was judged for, where this much of what it shares
    with either is the memory's alone; by meaning, where it is no nearer to the old question: from this much on it asks
    the old one."""
    like_answer: float = 0.3
    """By how much a question must be nearer to the old one than to what was judged, to ask the old one, where the two
    want answers of different kinds (a thing, place or number; a way or a reason)."""
    like_floor: float = 0.2
    """With this leaning of its verdicts for like questions a memory is relevant though it says nothing of this one."""
    like_brought: int = 3
    """Memories, at most, that come for that alone."""
    matched_rows: int = 600
    matched_share: float = 0.01
    """How many matches a query may read word by word, rare words first: so many, or this share of a larger scope. Of
    commoner words it only asks who of those says them too. The rarest word is read whole."""
    candidates: int = 100
    floor: float = 0.10
    """A memory that says several words of the query and below this share of it says too little. It is asked where words
    decide; with a model the cosine does, and what says too little eases that less."""
    least_words: int = 2
    one_word_floor: float = 0.31
    """A query of several words needs two of them said; one alone may be chance, unless it is this much of the query."""
    one_word_sought: float = 0.25
    """The same of what is typed to look for, which is meant: half of two words is enough, if the text is not long."""
    one_word_told: float = 0.25
    one_word_telling: float = 0.8
    """Where one memory in a store alone says it, or hardly another, a word is no chance: half of a short question will
    do then."""
    near_weight: float = 0.30
    near_usual: int = 125
    near_most: float = 1.2
    """What the cosine of a memory's vector and the query's adds to its share of the words, where texts of so many
    characters are usual among those that say some of it; where they are longer as many times more, up to the most: the
    longer a text is, the less it means that a word is in it."""
    answer_near: float = 0.8
    """What the cosine of an answer's passage counts of itself, beside those of what was said: a long answer touches
    much that nobody asked of it."""
    answering_weight: float = 0.15
    """What the cosine of the question it answers adds to a memory. An answer alone is often about nothing: `Two weeks
    ago, it was lovely`."""
    session_near_weight: float = 0.2
    """What the best cosine of its session adds."""
    named_weight: float = 0.03
    """What is said by whom the query names: hardly more than a tie, as the query may have the wrong name."""
    when_weight: float = 0.08
    """What says a time, where one is asked."""
    rule_weight: float = 0.3
    taste_weight: float = 0.15
    """A standing rule, and a preference, where something is to be done: it shares few words with what it is about."""
    assistant_weight: float = 0.2
    """What an assistant's own message loses, where it is kept apart from what it answers: it says much, and the part of
    it that matters to its user is mostly in the user's words as well."""
    again_loss: float = 0.2
    """What talk (an exchange, a turn) loses of its score, in the last quarter of an answer's places, where other talk
    of its session is in the answer already: what was said in several sessions is to be found in several."""
    asks_weight: float = 0.05
    """What only asks loses: a question seldom answers another."""
    near_floor: float = 0.58
    """A memory this near is relevant though it says none of the words."""
    asked_floor: float = 0.50
    """The same where something is asked, in more than plain words: who asks misses an answer more than he minds a line
    that is none."""
    perhaps_near: float = 0.20
    """How near a memory that says none of the words must be to be named to who looks and found nothing: what has to do
    with each other is mostly nearer, by the static model as well."""
    telling_floor: float = 0.3
    """What the words that a memory says must tell, where no model is, in words that it alone says: three tenths of one.
    Twice that for what is no question and has plain words, and where a model is but no cosine worth the name."""
    plain_word: float = 0.2
    """What a word of small talk and common requests tells, of what any other word so rare does."""
    telling_near: float = 0.4
    """How much nearer to the query a memory is taken to be for one word that it alone says."""
    talk_longest: int = 320
    """Of a query with more characters the talk about the talk ("list what we said about …") is looked for as well."""
    name_weight: float = 0.5
    """What is added where the query calls a memory by its name: more than any but the very best match of words."""
    together_weight: float = 0.3
    """What is added for words that stand side by side in the query and close together in a long memory, as a share of
    what they weigh."""
    full_name_weight: float = 0.03
    """What is added where a name of several words is said as the query says it, and not word by word: hardly more than
    a tie. Up to four times that for a word with the digit or letter that the query has behind it (`runner 3`)."""
    thing_weight: float = 0.3
    """What is added for a file, symbol or number that both name, as a share of what a word so rare weighs."""
    uncalled_floor: float = 0.6
    """Where the query calls some by their names, others that have names are shown if they say this much of it."""
    pinned: int = 3
    """Standing rules, preferences and facts about the user that a prompt is shown, at most, because they bear on it."""
    pin_share: float = 0.25
    pin_one_word: float = 0.4
    """How much of what such a memory says a prompt must speak of, where two of its words or more are said; where it is
    one alone. It is the memory's words that count: what bears on a long request is a small part of that."""
    alike: float = 1.0
    """Two memories that share this much of their words say the same; only the better one is shown. One word in twelve
    is often the point (staging, production), so by default only what says the same in other words (`twins.py`) does;
    above 1 nothing."""
    limit: int = 5
    budget: int = 600
    """Tokens of a whole briefing, fence included. A hard bound."""


class Spending(Struct, frozen=True, kw_only=True):
    """What models may be asked in a UTC day, all judges together: hard bounds, and of 0 nothing."""

    calls: int = 500
    tokens: int = 2_000_000
    dollars: float = 1.0
    """Of US."""


SectionName: TypeAlias = Literal[
    "directives",
    "reminders",
    "open_blockers",
    "identity",
    "active_sessions",
    "recent_decisions",
    "hot_items",
    "recent_exchanges",
]
SECTIONS: tuple[SectionName, ...] = get_args(SectionName)
"""Of what a session begins with, in the order in which they are given room."""


class Boot(Struct, frozen=True, kw_only=True):
    """What a session begins with."""

    sections: tuple[SectionName, ...] = SECTIONS
    limit: int = 5
    """Lines of a section, at most; rules are as many as there are."""
    budget: int = 1_200
    """Tokens of all of it, fence included. A hard bound: twice that of a prompt's, because it is shown once."""


class Gate(Struct, frozen=True, kw_only=True):
    """After how many tools without a checkpoint an assistant is reminded of one, and held back until there is one. With
    0 it is not: as it is, unless a user wants it."""

    remind_after: int = 0
    hold_after: int = 0
    remind_every: int = 5
    """Tools between two reminders."""
    rules: bool = False
    """Whether standing rules are shown again before a tool that meets their condition."""
    most_holds: int = 5
    """So many times without a checkpoint between them: an assistant that does not write one then cannot."""


class Policy(Struct, frozen=True, kw_only=True):
    lifecycle: Lifecycle = Lifecycle()
    ranking: Ranking = Ranking()
    spending: Spending = Spending()
    boot: Boot = Boot()
    gate: Gate = Gate()
