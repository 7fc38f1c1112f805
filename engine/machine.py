"""What this process may use of the machine."""

from __future__ import annotations

import os


def processors() -> int:
    """Those this process may run on."""
    bound = getattr(os, "sched_getaffinity", None)
    return len(bound(0)) if bound is not None else os.cpu_count() or 1
