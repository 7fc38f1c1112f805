"""What a user's message says to hold no more: "it's ok to push to main now", "you don't have to sign commits any more".
Pure. It is worth keeping where a rule in force says the opposite; whoever knows the rules decides that.
"""

from __future__ import annotations

from aftermind.projections.reading.statements.lifted import lifted
from aftermind.sidecar.addressed import without_orders
from aftermind.sidecar.ports import Learned
from aftermind.sidecar.spoken import own
from aftermind.sidecar.voice import ends_of, listen


def freed(message: str) -> list[Learned]:
    """Each clause in the user's own voice that frees from something, as it was typed."""
    message = ends_of(message)
    clauses = listen(own(without_orders(message))).clauses
    asked = {one.sentence for one in clauses if one.asks}
    found = []
    for one in clauses:
        text = message[one.start : one.start + len(one.text)]
        if one.sentence not in asked and lifted(text) is not None:
            found.append(Learned(text=text, kind="directive", evidence=text))
    return found
