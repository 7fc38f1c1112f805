"""A sentence as what it says of what: its words without those that carry nothing, which of them are values, where its
relation stands, whether it denies, and what it sets against. Not a parser. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias
from unicodedata import normalize

from msgspec import Struct

from aftermind.engine.lately import lately
from aftermind.engine.lazily import lazily
from aftermind.projections.reading.statements import wording_words as table
from aftermind.projections.reading.statements.inflected import without_s
from aftermind.projections.reading.statements.wording_values import TOGGLES
from aftermind.projections.reading.terms import SPACELESS

Value: TypeAlias = Literal["number", "name", "toggle"]
Strength: TypeAlias = Literal["said", "allowed"]


class Word(Struct, frozen=True):
    """One word, folded so that equal ones compare equal; its `value` where it is one."""

    key: str
    value: Value | None = None


class Sentence(Struct, frozen=True, kw_only=True):
    """`words` without negation; `relation` is the place of the relation among them, -1 without one; `denied` is what
    it says not to be so (`X, not Y`: the Y); `anew`: it says that it is so now."""

    words: tuple[Word, ...]
    relation: int = -1
    negative: bool = False
    strength: Strength = "said"
    partial: bool = False
    denied: tuple[str, ...] = ()
    anew: bool = False
    clauses: frozenset[tuple[str, ...]] = frozenset()

    @property
    def keys(self) -> tuple[str, ...]:
        return tuple(word.key for word in self.words)


_WORD = rf"(?:[^\W_{SPACELESS}]|_)+"
_TOKEN = lazily(
    rf"""(?P<quoted>`[^`\n]+`|"[^"\n]+"|“[^”\n]+”|„[^“”\n]+[“”]|«[^»\n]+»|「[^」\n]+」|『[^』\n]+』|(?<!\w)'[^'\n]+'(?!\w))
      | (?P<url>\b[a-z][a-z0-9+.-]{{0,20}}://[^\s<>"'`]+)
      | (?P<path>(?<![a-z0-9_.])
          (?:(?:~|\.{{1,2}})?/[a-z0-9_.@~+/-]+|\.[a-z][a-z0-9_]*(?:\.[a-z0-9_]+)*|--?[a-z][a-z0-9_-]*))
      | (?P<word>{_WORD}(?:[._/@\\+\#:'-]+{_WORD})*(?:[%+]|\#(?!\w))?)
      | (?P<glyph>[{SPACELESS}])
      | (?P<mark>[,;:=—–、，；：。.!?！？])""",
    re.VERBOSE | re.IGNORECASE,
)
_NUMBER = lazily(r"v?\d[\d.,:_/-]*[%+x]?", re.IGNORECASE)
_ADDRESS = lazily(r"\d{1,3}(?:\.\d{1,3}){3}")
_MEASURED = lazily(r"(\d[\d.,]*)([a-zµ%]{1,4})", re.IGNORECASE)
_ELIDED = lazily(r"(?:l|d|qu|j|c|s|m|t|n)'(.+)")
_SET_AGAINST = (
    lazily(
        r"(?P<head>.+?)(?:[,;(—–]|\s-)\s*(?:and |und |et |y |а |но )?(?:not|nicht|kein|pas|no|не|不是)\s+"
        r"(?P<denied>[^,;.()]+)\)?(?P<tail>.*)",
        re.IGNORECASE | re.DOTALL,
    ),
    lazily(
        r"(?P<head>.+?),?\s+(?:instead of|rather than|in place of|anstatt|statt|anstelle von|au lieu de|plutôt que|en "
        r"vez de|en lugar de|вместо|, а не)\s+(?P<denied>[^,;.()]+)(?P<tail>.*)",
        re.IGNORECASE | re.DOTALL,
    ),
    lazily(
        r"(?P<head>.*?)\b(?:not|nicht|pas|no|не)\s+(?P<denied>[^,;.]+?),?\s+(?:but|sondern|mais|sino|а)\s+(?P<tail>.+)",
        re.IGNORECASE | re.DOTALL,
    ),
    lazily(r"(?P<head>.+?)[,，]?(?:而不是|而非|不是)(?P<denied>[^，。,.]+)(?P<tail>.*)", re.DOTALL),
)
_SET_AGAINST_FIRST = lazily(
    r"(?P<head>.*[はがをに、])?(?P<denied>[^はがを、]+?)(?:では?なく)[、]?(?P<tail>.+)", re.DOTALL
)
LONGEST = 400
"""Characters of a sentence that are looked at; a longer text says too much to be one."""


@lately(1000)
def sentence(text: str) -> Sentence:
    """What a text says, as far as this can tell. The same memories are read again for everything that is learned."""
    text = normalize("NFKC", text).replace("’", "'").strip()[:LONGEST]
    anew = any(word.strip(",;:.!").casefold() in table.NOW for word in text.split())
    text = table.INTERJECTIONS.sub("", table.PHRASES_LEFT_OUT.sub(" ", text)).strip()
    for contraction, whole in table.CONTRACTIONS:
        text = contraction.sub(whole, text)
    every = _words(text)
    clauses = frozenset(clause for clause in _clauses(every) if clause)
    rest, denied = _without_what_is_denied(text)
    rest, negative, strength = _without_mood(rest)
    words, negations = _without_negations(every if rest == text else _words(rest))
    is_noun = rest.partition(" ")[0].casefold() in table.ARTICLES  # the run, the use
    words, relation = _with_relation([word for word in words if word.key not in _MARKS], is_noun)
    return Sentence(
        words=tuple(words),
        relation=relation,
        negative=negative != (negations % 2 == 1),
        strength=strength,
        partial=table.NOT_WHOLLY.search(text) is not None or any(word.key in table.PARTIAL for word in words),
        denied=denied,
        anew=anew,
        clauses=clauses,
    )


def words_denied(text: str) -> tuple[str, ...]:
    """Words that are no more true, as `sets_right` takes them."""
    return _denied(normalize("NFKC", text).replace("’", "'")[:LONGEST])


# --- how a sentence is read -----------------------------------------------------------------------------------

_MARKS = frozenset(",;、，；。.!?！？")


def _words(text: str) -> list[Word]:
    found: list[Word] = []
    for match in _TOKEN.finditer(text):
        kind, raw = match.lastgroup, match[0]
        if kind == "quoted":
            found.append(Word(" ".join(raw[1:-1].casefold().split()), "name"))
        elif kind in ("url", "path"):
            found.append(Word(raw.rstrip(".,;:").casefold(), "name"))
        elif kind == "word":
            _add_word(found, raw)
        else:
            found.append(Word({"：": ":", "，": ",", "；": ";"}.get(raw, raw)))
    if _SWITCHED_ON.search(text) is not None:
        found.append(Word("an", "toggle"))
    return found


def _add_word(found: list[Word], raw: str) -> None:
    key = raw.casefold()
    if "'" in key and (elided := _ELIDED.fullmatch(key)) is not None:
        if key.startswith("n'"):
            found.append(Word("ne"))
        key = elided[1]
    before = found[-1] if found else None
    if key in table.ARTICLES or key in table.FILLERS:
        return
    if before is not None and before.value == "number" and key in table.UNITS:
        found[-1] = Word(f"{before.key} {table.UNITS[key]}", "number")
    elif not key.isalpha() and (number := _numbered(key)) is not None:
        found.append(number)
    elif _NAMES.search(raw):
        found.append(Word(key, "name"))
    elif key in TOGGLES:
        found.append(Word(key, "toggle"))
    else:
        found.append(Word(_singular(key)))


def _numbered(key: str) -> Word | None:
    if (measured := _MEASURED.fullmatch(key)) is not None and measured[2] in table.UNITS:
        return Word(f"{measured[1]} {table.UNITS[measured[2]]}", "number")
    if _ADDRESS.fullmatch(key):
        return Word(key, "name")
    return Word(key.rstrip(".,:"), "number") if _NUMBER.fullmatch(key) else None


_SWITCHED_ON = lazily(r"\b(?:ist|sind)(?: \w+)? an\W*$", re.IGNORECASE)  # no article
_NAMES = lazily(r"[_/@\\:]|[^\W\d][.#]\w|[a-z][A-Z]|\d.*[^\W\d]|[^\W\d].*\d", re.DOTALL)
"""An identifier, a path, an address: what nobody would write in a sentence otherwise."""


def _singular(key: str) -> str:
    """`uses` and, behind a denial, `use` are one verb."""
    plain = without_s(key)
    return plain if key not in _KEPT or plain in _RELATIONS else key


_RELATIONS = table.FUNCTIONAL | table.COUNTED
_KEPT = _RELATIONS | table.PARTIAL | table.NEGATIONS | table.PRONOUNS | frozenset(table.QUALIFIERS)


def _clauses(words: Sequence[Word]) -> Iterator[tuple[str, ...]]:
    clause: list[str] = []
    for word in words:
        if word.key in _MARKS:
            yield tuple(clause)
            clause = []
        else:
            clause.append(word.key)
    yield tuple(clause)


def _without_what_is_denied(text: str) -> tuple[str, tuple[str, ...]]:
    for form in (*_SET_AGAINST, _SET_AGAINST_FIRST):
        if (found := form.fullmatch(text)) is not None:
            denied = _denied(found["denied"])
            if denied:
                return f"{found['head'] or ''} {found['tail'] or ''}".strip(), denied
    return text, ()


def _denied(text: str) -> tuple[str, ...]:
    keys = [word.key for word in _words(text) if word.key not in _MARKS]
    while keys and keys[0] in table.DIRECTLY_AFTER:
        keys.pop(0)
    return tuple(keys)


def _without_mood(text: str) -> tuple[str, bool, Strength]:
    """A text without the words by which it allows, demands or forbids; whether it forbids."""
    for form, negative, strength in _MOODS:
        if (found := form.search(text)) is not None:
            return text[: found.start()] + text[found.end() :], negative, strength
    return table.JA_ENDINGS.sub("", text), False, "said"


_MOODS: tuple[tuple[re.Pattern[str], bool, Strength], ...] = (
    (table.FORBIDDEN_FIRST, True, "said"),
    (table.ALLOWED_FIRST, False, "allowed"),
    (table.REQUIRED_FIRST, False, "said"),
    (table.JA_FORBIDDEN, True, "said"),
    (table.JA_ALLOWED, False, "allowed"),
    (table.JA_REQUIRED, False, "said"),
)


def _without_negations(words: Sequence[Word]) -> tuple[list[Word], int]:
    """French and Spanish deny twice and mean it once: what stands together counts once."""
    glyphs = "".join(word.key if len(word.key) == 1 else " " for word in words)
    gone: set[int] = set()
    count = 0
    for found in table.GLYPH_NEGATIONS.finditer(glyphs):
        gone |= set(range(found.start(), found.end()))
        count += 1
    said = {n for n, word in enumerate(words) if word.key in table.NEGATIONS and word.value in (None, "toggle")}
    count += 1 if said else 0
    return [word for n, word in enumerate(words) if n not in gone | said], count


def _with_relation(words: list[Word], is_noun: bool) -> tuple[list[Word], int]:
    """The words with what says "is" or "is from now on" as one of them, and the place of the relation."""
    keys = [word.key for word in words]
    glyphs = "".join(key if len(key) == 1 else " " for key in keys)
    for start in range(len(keys)):
        found = table.GLYPH_BECOMES.match(glyphs, start)
        length = _becomes(keys, start) or (0 if found is None else found.end() - start)
        if length:
            return [*words[:start], Word(table.EQUALS), *words[_after(keys, start + length) :]], start
    for start, key in enumerate(keys):
        if (key in table.FUNCTIONAL or key in table.COUNTED) and not (is_noun and start == 0):
            return [*words[: start + 1], *words[_after(keys, start + 1) :]], start
    return words, -1


def _becomes(keys: Sequence[str], start: int) -> int:
    forms = _BECOMES.get(keys[start], ())
    return max((len(form) for form in forms if tuple(keys[start : start + len(form)]) == form), default=0)


_BECOMES = {
    first: tuple(form for form in table.BECOMES if form[0] == first) for first in {form[0] for form in table.BECOMES}
}


def _after(keys: Sequence[str], place: int) -> int:
    while place < len(keys) - 1 and keys[place] in table.DIRECTLY_AFTER:
        place += 1
    return place
