"""What a `file:` URL names, in the forms that are in use: `file:///a`, `file:/a` and `file://localhost/a`."""

from __future__ import annotations

import os
import re
from urllib.parse import unquote_to_bytes

_BEGINS = re.compile(r"""["'`<(@]*(?:[a-z][a-z0-9.-]*[:+])*file:(?=\S)""", re.IGNORECASE)
"""Also within something else: `"file:///a"`, `jar:file:/a`, `git+file:///a`."""
_HERE = ("", "localhost")
_FURTHER = re.compile("[?#]")


def is_file_url(path: str) -> bool:
    """Whether it is one, in whatever form."""
    return _BEGINS.match(path) is not None


def paths_of(url: str) -> tuple[str, ...]:
    """The paths that it may name, as a query or a fragment may be part of a name; none where that cannot be told: it is
    another machine's, relative, or within something else."""
    rest = url[len("file:") :]
    if url[: len("file:")].lower() != "file:" or not rest.startswith("/"):
        return ()
    if rest.startswith("//"):
        host, _, below = rest[2:].partition("/")
        if host.lower() not in _HERE or len(host) + 2 == len(rest):
            return ()
        rest = below
    path = f"/{rest.lstrip('/')}"
    return tuple(dict.fromkeys(os.fsdecode(unquote_to_bytes(one)) for one in (path, _FURTHER.split(path)[0])))
