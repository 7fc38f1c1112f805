"""Downloads of models come and go: `model pull` and `model remove`."""

from __future__ import annotations

import os
from argparse import Namespace
from contextlib import suppress
from pathlib import Path

STALLED = 60.0
"""Seconds without a byte after which a download is given up."""


def whole(name: str) -> str:
    """A model's name as it is configured: a folder's whole path. A link stays one: it may point elsewhere tomorrow."""
    from aftermind.projections.meaning.embedding import is_folder
    from aftermind.projections.meaning.model_files import NONE, STATIC, folder_named

    folder = folder_named(name)
    if name in (STATIC, NONE) or not (is_folder(name) or folder.is_dir()):
        return name
    if ".." not in folder.parts:
        return str(folder.absolute())
    return str(folder.resolve() if folder.name == ".." else folder.parent.resolve() / folder.name)


async def pull(arguments: Namespace) -> int:
    import asyncio

    import anyio

    from aftermind.cli.config import apart_for_downloads
    from aftermind.cli.examining.folder import megabytes
    from aftermind.cli.language.misused import Misused
    from aftermind.cli.opening import home_of
    from aftermind.cli.terminal.progress import bar
    from aftermind.cli.terminal.tables import note, say, show_json
    from aftermind.engine.store.folder import fit_folder
    from aftermind.projections.meaning.apart import Lane
    from aftermind.projections.meaning.model_files import DOWNLOADS, NONE, STATIC, NoModel, folder_named, size_of

    if arguments.name in (STATIC, NONE):
        hint = f"`aftermind model use {arguments.name}` takes it into use"
        raise Misused(f"there is nothing to download for {arguments.name}", hint=hint)
    if folder_named(arguments.name).is_dir():
        hint = f"`aftermind model use {arguments.name}` takes it into use"
        raise Misused(f"{arguments.name} is a folder, there is nothing to download", hint=hint)
    name, home = arguments.name, home_of(arguments)
    made = [one for one in (home, *home.parents) if not os.path.lexists(one)]
    folder = fit_folder(home, make=True) / DOWNLOADS
    mask = os.umask(0o077)  # what the hub's library makes is its owner's alone, too
    with apart_for_downloads():
        from aftermind.projections.meaning.embedding import downloadable, pulled

        lane: Lane[str, None] = Lane(lambda name: pulled(name, folder))
        sent = asyncio.wrap_future(lane.send(name))
        expected = next((one.gigabytes * 1e9 for one in downloadable() if one.name == name), 0.0)
        if expected and not arguments.json:
            note(f"Downloading {name} to {folder}, about {megabytes(int(expected))} …")
        seen, since = 0, anyio.current_time()
        try:
            with bar(f"Downloading {name}", expected, hidden=arguments.json or not expected) as done:
                while not sent.done():
                    await asyncio.wait({sent}, timeout=0.2)
                    if (size := size_of(name, folder)) != seen:
                        done(size - seen)
                        seen, since = size, anyio.current_time()
                    elif anyio.current_time() - since > STALLED:
                        hint = "see that this machine reaches the model's hub, and try again: what came is kept"
                        raise NoModel(name, f"nothing came for {STALLED:g} s", hint=hint)
            await sent
        finally:
            for one in (folder, *made):
                with suppress(OSError):  # something is in it, or it was not made
                    one.rmdir()
            os.umask(mask)
    if arguments.json:
        show_json({"model": name, "folder": str(folder), "bytes": seen})
    else:
        say(f"{name} is here. `aftermind model use {name}` takes it into use.")
    return 0


async def remove(arguments: Namespace) -> int:
    from anyio import to_thread

    from aftermind.cli.examining.folder import megabytes
    from aftermind.cli.language.misused import Misused
    from aftermind.cli.opening import NoStore, home_of, opened
    from aftermind.cli.settings import configuration
    from aftermind.cli.terminal.tables import say, show_json
    from aftermind.engine.errors import NotFound
    from aftermind.projections.meaning import kept
    from aftermind.projections.meaning.model_files import DOWNLOADS, NONE, removed

    name, folder = whole(arguments.name), home_of(arguments)
    used = configuration().model.name
    other = f"`aftermind model use {'none' if used == 'static' else 'static'} --wait` first"
    if name == used:
        raise Misused(f"{name} is in use", hint=other)
    serving, loaded = {used}, ""
    try:
        async with opened(arguments, make=False) as memory:
            if (found := await memory.embedded(0)).used == name:
                raise Misused(f"{name} serves until {found.name} does", hint="`aftermind model status` tells when")
            serving |= {found.used, found.coming}
            loaded = found.fingerprint
    except NoStore:
        pass

    def looked() -> tuple[str, str, set[str]]:
        """Its fingerprint, who serves by the same (a folder has many names, and may be a copy), and all it was called
        of before, also where its files are gone, but for what serves under another name now."""
        mine = _fingerprint(name, folder / DOWNLOADS)
        others = {one: _fingerprint(one, folder / DOWNLOADS) for one in sorted(serving - {"", NONE})}
        same = [one for one, print in others.items() if print in (mine, "")]  # one that is away now may be the same
        shared = same[0] if mine and same else used if mine and mine == loaded else ""
        called = kept.names(folder)
        before = {print for print, one in called.items() if one == name} | ({mine} if not shared else set())
        serves = {loaded, mine if shared else "", *others.values(), *(p for p, one in called.items() if one in serving)}
        return mine, shared, before - serves - {""}

    _, shared, prints = await to_thread.run_sync(looked)
    if shared and Path(name).is_absolute():
        raise Misused(f"{name} is, or may be, the same model as {shared}, which is in use", hint=other)
    vectors = sum([await kept.removed(folder, one) for one in prints])
    size = 0 if Path(name).is_absolute() else removed(name, folder / DOWNLOADS)
    if not size and not vectors:
        raise NotFound("model kept here", name, hint="`aftermind model list` shows what there is")
    if arguments.json:
        show_json({"model": name, "bytes": size, "vectors": vectors})
    else:
        gone = [
            f"{megabytes(bytes)} of {what}"
            for what, bytes in (("its download", size), ("its vectors", vectors))
            if bytes
        ]
        say(f"{name}: {' and '.join(gone)} removed.")
    return 0


def _fingerprint(name: str, downloads: Path) -> str:
    """A model's; empty where there is no such model here."""
    from aftermind.projections.meaning.embedding import fingerprint
    from aftermind.projections.meaning.model_files import NONE, NoModel

    try:
        return fingerprint(name, downloads) if name != NONE else ""
    except NoModel:
        return ""
