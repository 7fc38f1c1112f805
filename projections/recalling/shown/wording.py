"""How a text, its source, its age and its cost are worded where a line has to hold it: for what an assistant reads and
for what a person does. Pure."""

from __future__ import annotations

import re
from datetime import timedelta

from aftermind.engine.memories.book import Pages
from aftermind.engine.seen import seen

LONG = 400
"""Characters of a memory, text and answer, beyond which its summary is shown in its place, where it has one."""
LONGEST_SOURCE = LONGEST_TOPIC = 120
A_TOKEN, ALPHABETS = 3, "\u07ff"
"""ASCII characters that a token stands for at the most in the estimate of a cost, and up to where it stands for one."""
_MARKS = r"[^\w\x00-\x7f]*+"
"""What is drawn over the character before it, and other signs: however many there are, they are read past."""
_FENCE_LIKE = re.compile(rf"<(?={_MARKS}(?:[\w\x00-\x7f]{_MARKS}){{0,20}}?{_MARKS.join('aftermind')})", re.IGNORECASE)


def quoted(text: str) -> str:
    """The text on one line, without invisible characters, and without anything that reads as our fence."""
    return inert(" ".join(text.split()))


def inert(text: str) -> str:
    """A line without invisible characters, and without anything that reads as our fence."""
    return _FENCE_LIKE.sub("‹", seen(text))


def shortened(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def said_by(speaker: str, place: str = "", pages: Pages = (0, 0)) -> str:
    """Who said it; of a chunk its book, the headings above it, its pages: `Runbook › Deploying › Rollback, page 3`."""
    source = shortened(" › ".join(part for part in (speaker, place) if part), LONGEST_SOURCE)
    return ", ".join(part for part in (source, on(pages)) if part)


def on(pages: Pages) -> str:
    """`page 3`, `pages 3–4`, or nothing."""
    first, last = pages
    return f"pages {first}–{last}" if last > first else f"page {first}" if first else ""


def asked_before(about: str, most: int) -> str:
    """What a reaction is about, to stand before it: `webhook tests time out … that doesn't help`."""
    return f"{shortened(quoted(about), min(LONGEST_TOPIC, most))} … " if about else ""


def stands_for(summary: str, text: str, answer: str) -> bool:
    """Whether a summary is shown in the place of a memory: of a long one, where it is shorter."""
    return bool(summary) and len(text) + len(answer) > max(LONG, len(summary))


def age(past: timedelta) -> str:
    """How long ago, in its largest unit."""
    seconds = past.total_seconds()
    for size, unit in (
        (365.25 * 86400, "year"),
        (30.44 * 86400, "month"),
        (86400, "day"),
        (3600, "hour"),
        (60, "minute"),
    ):
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {unit}{'s' if count > 1 else ''} ago"
    return "just now"


def tokens(text: str) -> int:
    """An upper estimate of how many tokens a text costs: one for three ASCII characters, one for a letter of another
    alphabet of Europe and the Near East, and two for any other character.

    English prose and code have 3.5 to 4.5 characters a token in today's tokenizers, Greek, Cyrillic, Hebrew and Arabic
    1.5 to 3, Han and kana about one; this stays on the safe side of them without loading one."""
    if text.isascii():
        return -(-len(text) // A_TOKEN)
    plain = sum(map(str.isascii, text))
    alphabets = sum(map(ALPHABETS.__ge__, text)) - plain
    return -(-plain // A_TOKEN) + alphabets + 2 * (len(text) - plain - alphabets)
