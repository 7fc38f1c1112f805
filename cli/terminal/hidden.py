"""What of a person's words is not kept, told to whom wrote them: he may count on them."""

from __future__ import annotations

from collections import Counter

from aftermind.cli.terminal.tables import counted
from aftermind.engine.masking.private import without_private
from aftermind.engine.masking.secrets import MASKED, mask


def masked(*texts: str | None) -> str:
    """That secrets in these texts are masked; empty where they have none. What is marked as private is not told of:
    who marked it knows."""
    found: list[str] = []
    for text in texts:
        kept = without_private(text or "")
        if (clean := mask(kept)) is not kept:
            found += (Counter(MASKED.findall(clean)) - Counter(MASKED.findall(kept))).elements()
    kinds = ", ".join(dict.fromkeys(found))
    are = "is" if len(found) == 1 else "are"
    return f"{counted(len(found), 'secret')} in it ({kinds}) {are} masked, and not kept." if found else ""
