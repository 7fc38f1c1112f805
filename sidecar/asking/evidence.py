"""Whether the words a judge shows stand in the exchange, whose they are, and what they can show. Pure.

A quote counts where each of its pieces (between ellipses, or on lines of their own) stands in one of the texts, as
whole words, whatever its case, spacing and quotation marks are.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from msgspec import Struct

from aftermind.engine.events import ToolUse
from aftermind.engine.names import Outcome
from aftermind.projections.reading.statements.sentence import sentence
from aftermind.projections.reading.terms import SPACELESS
from aftermind.projections.reading.terms import words_of as telling_words
from aftermind.sidecar.captures.everywhere import everywhere
from aftermind.sidecar.ports import Case

LONGEST = 500
"""Characters of evidence."""
LEAST_STEM, ENDING = 4, 3
"""Letters two words have in common that are one, and letters one of them may have more."""
_SIGNS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "`": "'"})
_APART = re.compile(r"\s*(?:…|\.{3,}|\[…[^\]]*\]|\n)\s*")
_SOURCE = re.compile(r"\A(?:follow[_ -]?up|user|answer|assistant|tools?|prompt)\s*:\s*", re.IGNORECASE)
_ANY_WORD = re.compile(rf"[{SPACELESS}]|[^\W_{SPACELESS}]+")
"""Of a script that is written without spaces every sign is one."""
_NUMBER = re.compile(r"\d+")
A_SAYING = 3
"""Words of a quote that say something by themselves: fewer stand in a text for any reason."""
_ADDRESSED = re.compile(
    r"\b(?:scor|rat|mark|grad|judg|classif|evaluat|verdict|outcome|label|treat|count)\w*\b.{0,60}"
    r"\b(?:worked|success\w*|helped|helpful|failed|misled|partial|unknown)\b"
    r"|\b(?:evaluator|grader|evaluador|avaliador|valutatore|évaluateur|bewerter|gutachter|beoordelaar|оценщик|судь)\w*"
    r"|评估者|评审|評価者|審査|평가자",
    re.DOTALL,
)
"""Words that speak of the verdict itself, or to who gives it: whoever said them, they show nothing. A net, not a proof:
what a reader of any language would know for an address may pass."""


_TOLD_SO = {"user", "users", "want", "wants", "wanted", "prefer", "prefers", "preferred", "likes"}
_NAME = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_./\\@:~+#%-]*[A-Za-z0-9_])?|\d+")
_TELLING = re.compile(r"\d|[_/\\@]|::|\w\w\.\w\w|[a-z][A-Z]|\A[A-Z]{2,}\Z")
_WORD = re.compile(r"[^\W\d_]{2,}")
_BEGINS = re.compile(r"(?:\A|[.!?:;…。！？•\n\"“«„(\-–—])\s*\Z")


class Words(Struct, frozen=True, kw_only=True):
    """The texts of an exchange, by who said them, in a form in which quotes are found."""

    prompt: str
    answer: str
    tools: str
    follow_up: str
    all_ran: bool
    """There were tools, and the last of them did not fail."""

    def shown(self, quote: str) -> str:
        """The quote, where it stands in what happened after the prompt; else nothing."""
        return self._standing(quote, (self.follow_up, self.tools, self.answer))

    def said(self, quote: str) -> str:
        """The quote, where the user said it; else nothing."""
        return self._standing(quote, (self.prompt, self.follow_up))

    def wished(self, quote: str, text: str) -> str:
        """The quote, where the user said it, it is more than a word or two, and the text is in the user's words: two
        thirds of what it says or more, and every number, address and name. What is wanted, nobody else says."""
        own = f"{self.prompt}\n{self.follow_up}"
        names = [word.key for word in sentence(text).words if word.value == "name"]
        if not _is_told(text, own, most=True) or not all(name in own for name in names):
            return ""
        return self.said(quote) if len(_ANY_WORD.findall(quote)) >= A_SAYING else ""

    def tells(self, text: str) -> bool:
        """Whether a text is in the words of the exchange, whoever said them: half of what it says or more, and every
        number."""
        return _is_told(text, f"{self.prompt}\n{self.follow_up}\n{self.tools}\n{self.answer}")

    def everywhere(self, quote: str) -> bool:
        """Whether what the user said there is to hold in all projects, by the user's own words."""
        return everywhere(_plain(quote), f"{self.prompt}\n{self.follow_up}")

    def found(self, quote: str) -> str:
        """The quote, where the user or a tool said it; else nothing."""
        return self._standing(quote, (self.prompt, self.follow_up, self.tools))

    def anywhere(self, quote: str) -> str:
        return self._standing(quote, (self.prompt, self.follow_up, self.tools, self.answer))

    def carry(self, quote: str, outcome: Outcome) -> bool:
        """Whether these words can show that outcome. That it worked, the assistant's own words cannot, unless it ran
        something that ended well."""
        if not quote or outcome == "unknown":
            return False
        if outcome != "worked" or self.all_ran:
            return True
        return bool(self._standing(quote, (self.follow_up,)))

    def _standing(self, quote: str, texts: tuple[str, ...]) -> str:
        quote = _SOURCE.sub("", quote.strip())[:LONGEST].strip().strip("\"'“”„«»").strip()
        pieces = [piece for part in _APART.split(quote) if (piece := _plain(part))]
        if not pieces or _ADDRESSED.search(_plain(quote)):
            return ""
        return quote if all(any(_holds(text, piece) for text in texts) for piece in pieces) else ""


def _is_told(text: str, own: str, *, most: bool = False) -> bool:
    """Whether half of a text's telling words, or `most` of them, stand in another, and every number. `want` and `user`
    say whose words it tells, and count for nothing. What is written without spaces is in windows of signs, of which one
    sign more makes several strange: half of them will do."""
    said = {term.text for term in telling_words(own)}
    asked = [term for term in telling_words(_plain(text)) if term.text not in _TOLD_SO]
    strange = [one for one in asked if not any(_is_the_same_word(one.text, other) for other in said)]
    few = 3 if most and not any(one.table == "glyphs" for one in asked) else 2
    return few * len(strange) <= len(asked) and set(_NUMBER.findall(text)) <= set(_NUMBER.findall(own))


def strange_in(summary: str, *originals: str) -> str:
    """The first number, name, identifier or path of a shorter wording that stands in none of the texts it is of; empty
    where there is none. A name is a word with a capital letter that does not begin a sentence: one that does cannot be
    told from any other word."""
    said, text = unicodedata.normalize("NFKC", summary), "\n".join(map(_plain, originals))
    for match in _NAME.finditer(said):
        if _TELLING.search(match[0]) and not _named(text, _plain(match[0])):
            return match[0]
    for match in _WORD.finditer(said):
        word = match[0].casefold()
        stem = word[:-2] if len(word) > 5 else word  # an ending may be another
        if match[0][0].isupper() and stem not in text and not _BEGINS.search(said[: match.start()]):
            return match[0]
    return ""


def _named(text: str, name: str) -> bool:
    """As a whole: 1.2 does not stand in 1.2.3."""
    whole = rf"(?<![a-z0-9_])(?<!\d[.,]){re.escape(name)}(?![a-z0-9_])(?![.,]\d)"
    return re.search(whole, text) is not None


def words_of(case: Case) -> Words:
    return Words(
        prompt=_plain(case.prompt),
        answer=_plain(case.answer),
        tools="\n".join(_plain(told(tool)) for tool in case.tools),
        follow_up=_plain(case.follow_up or ""),
        all_ran=bool(case.tools) and case.tools[-1].ok,
    )


def told(tool: ToolUse) -> str:
    """A tool as a judge reads it: its name, its paths and how it ended."""
    end = "ok" if tool.ok else f"failed: {tool.error}" if tool.error else "failed"
    return f"{' '.join((tool.name, *tool.paths))}: {end}"


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).translate(_SIGNS).casefold().split()).strip("\"'")


def _is_the_same_word(one: str, other: str) -> bool:
    """But for an ending: prefers and prefer. A number has none."""
    if one == other:
        return True
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) < LEAST_STEM or _NUMBER.search(one + other):
        return False
    return len(longer) - len(shorter) <= ENDING and longer.startswith(shorter[: max(LEAST_STEM, len(longer) - 2)])


def _holds(text: str, piece: str) -> bool:
    return any(_whole(text, start, start + len(piece)) for start in _places(text, piece))


def _places(text: str, piece: str) -> Iterator[int]:
    start = text.find(piece)
    while start >= 0:
        yield start
        start = text.find(piece, start + 1)


def _whole(text: str, start: int, end: int) -> bool:
    """No letter of a word that goes on beyond it; in scripts that write words together there is no such."""
    return not (_joined(text[start - 1 : start] + text[start]) or _joined(text[end - 1] + text[end : end + 1]))


def _joined(pair: str) -> bool:
    return len(pair) == 2 and pair.isascii() and pair.isalnum()
