"""The shape of the house: which way imports go, the one door of each outside thing, what is pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = ("engine", "projections", "sidecar", "cli")
"""Each may import from those before it and from itself."""
FILES = sorted(str(path.relative_to(ROOT)) for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
STANDARD_LIBRARY_DOORS = {"cli/doors/hook.py", "cli/doors/pipe.py"}
"""They run without the package: they may read AFTERMIND_HOME and a clock for their deadline; the pipe also
what its client says of where it works."""
BESIDE = {"aftermind.cli.doors.hook"}
"""The door whose file lies beside the other's; the checker knows it by this name."""

DOORS = {
    "sqlite3": "engine/sqlite*.py",
    "aiosqlite": "engine/sqlite.py",
    "fastembed": "projections/meaning/embedding.py",
    "onnxruntime": "projections/meaning/embedding.py",
    "litellm": "sidecar/models/litellm.py",
    **dict.fromkeys(("mcp", "mcp_types", "pydantic"), "cli/doors/mcp_*.py"),
    **dict.fromkeys(("starlette", "uvicorn", "h11"), "cli/doors/http*.py"),
    "keyring": "cli/secret.py",
    "pypdf": "cli/reading/pdf.py",
    "yaml": "cli/onboarding/pipelines.py",
    "zipfile": "cli/reading/word.py",
    "xml": "cli/reading/word.py",
    "html": "cli/reading/html.py",
    "time": "engine/stamp.py",
    "uuid": "engine/stamp.py",
    "random": "engine/stamp.py",
    "secrets": "engine/stamp.py",
}
CALLS = {
    **dict.fromkeys(("os.urandom", "os.getrandom"), "engine/stamp.py"),
    **dict.fromkeys(
        ("datetime.now", "datetime.utcnow", "datetime.today", "datetime.fromtimestamp", "date.today"), "engine/stamp.py"
    ),
    **dict.fromkeys(("os.environ", "os.getenv", "os.environb", "os.putenv"), "cli/config.py"),
}
TOLD = ("projections/meaning/embedding.py", "os.environ")
"""Its library listens to the environment alone, and must have been told before it is loaded, whoever loads it."""
CLAIM = re.compile(r"\bPure\b(?!,?\s+but\s+for\b)")
"""How a file says that it is pure, or a folder, in its `__init__.py`, that all its files are. Who says pure but for
something is not held to it. `engine/log.py` does not say it: the port it states is asynchronous, and `follow` is made
of nothing but the port."""
WORLD = {
    "anyio",
    "asyncio",
    "concurrent",
    "ctypes",
    "io",
    "logging",
    "multiprocessing",
    "os",
    "select",
    "shutil",
    "signal",
}
WORLD |= {
    "socket",
    "sqlite3",
    "aiosqlite",
    "structlog",
    "subprocess",
    "tempfile",
    "threading",
    "time",
    "random",
    "secrets",
}
WORLD |= {"aftermind.engine.sqlite", "aftermind.engine.zones.HERE", "http.client", "urllib.request"}
"""Modules by which a file would wait, or see more than it is given. `yaml` takes text, and `stamp` is handed in."""
LOOKS = {"open", "print", "input", "execute", "executemany", "read_text", "read_bytes", "write_text", "write_bytes"}
LOOKS |= {"exists", "is_file", "is_dir", "stat", "iterdir", "rglob", "resolve", "unlink", "mkdir", "expanduser"}
"""Calls that do the same without an import: of a path, or of a database."""
LONGEST = 400
WRITTEN = {".py", ".js", ".mjs", ".ts", ".c", ".h", ".sql"}
SHAPELESS = {
    "util",
    "utils",
    "helper",
    "helpers",
    "manager",
    "service",
    "handler",
    "processor",
    "base",
    "common",
    "types",
}


@pytest.fixture(scope="module", autouse=True)
def _forgotten() -> Iterator[None]:
    """A million nodes, which every later collection of garbage would walk through."""
    yield
    nodes.cache_clear()


@cache
def nodes(file: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))))


@cache
def imported(file: str) -> tuple[str, ...]:
    """The full name of everything a file imports, wherever it does."""
    return tuple(_imported(file, nodes(file)))


def _imported(file: str, among: Iterable[ast.AST]) -> Iterator[str]:
    for node in among:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}:{node.lineno} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


@cache
def pure(file: str) -> bool:
    """Whether the file says so, or a folder it is in."""
    folders = (str(folder / "__init__.py") for folder in Path(file).parents)
    return any(claimed(one) for one in (file, *folders) if one in FILES)


@cache
def claimed(file: str) -> bool:
    module = nodes(file)[0]
    assert isinstance(module, ast.Module)
    return bool(CLAIM.search(ast.get_docstring(module) or ""))


def impurities(file: str, among: Iterable[ast.AST]) -> Iterator[str]:
    """What a pure file has not: where it waits, and by what it sees more than it is given."""
    among = tuple(among)
    for name in _imported(file, among):
        if any(name == world or name.startswith(f"{world}.") for world in WORLD):
            yield f"{file} imports {name}"
    for node in among:
        match node:
            case ast.AsyncFunctionDef() | ast.Await() | ast.AsyncFor() | ast.AsyncWith():
                yield f"{file}:{node.lineno} waits"
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in LOOKS:
                yield f"{file}:{node.lineno} calls {name}"
            case _:
                pass


def dotted(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attr):
            return f"{dotted(value)}.{attr}"
        case _:
            return ""


def test_imports_go_one_way() -> None:
    for file, name in ((one, name) for one in FILES for name in imported(one)):
        allowed = FOLDERS[: FOLDERS.index(file.split("/")[0]) + 1]
        top, _, rest = name.partition(".")
        assert top not in FOLDERS, f"{file} imports {name}, which is not in the package's namespace"
        if top == "aftermind" and rest != "__version__":
            folder = rest.split(".")[0]  # the bare package is `cli.house` under a shorter name
            assert (folder if folder in FOLDERS else "cli") in allowed, f"{file} imports {name}"


ROOMS = ("reading", "views", "recalling", "meaning")
"""What a text says; what the log is kept as; what is found in that; what is near by its vectors."""


def test_the_rooms_of_projections_import_one_way() -> None:
    for file in (file for file in FILES if file.count("/") > 1 and file.startswith("projections/")):
        allowed = ROOMS[: ROOMS.index(file.split("/")[1]) + 1]
        for name in imported(file):
            if name.startswith("aftermind.projections."):
                assert name.split(".")[2] in allowed, f"{file} imports {name}"


BENEATH = {
    "arrays": set[str](),
    "words": {"arrays"},
    "verdicts": set[str](),
    "ranking": {"arrays", "words", "verdicts"},
    "standing": set[str](),
    "lookups": set[str](),
    "shown": {"ranking", "standing", "lookups"},
}
"""Rooms of `recalling` and which others each may import; what stands beside them imports none, but for who asks them
all."""
WHO_ASKS_THEM = "projections/recalling/finding.py"


def test_the_rooms_of_recalling_import_one_way() -> None:
    files = [file for file in FILES if file.startswith("projections/recalling/")]
    assert {file.split("/")[2] for file in files if file.count("/") > 2} == BENEATH.keys()
    for file in (file for file in files if file != WHO_ASKS_THEM):
        room = file.split("/")[2]
        for name in imported(file):
            if name.startswith("aftermind.projections.recalling."):
                other = name.split(".")[3]
                assert other != "finding", f"{file} imports {name}"
                assert other not in BENEATH.keys() - {room, *BENEATH.get(room, ())}, f"{file} imports {name}"


JUDGING = {
    "ports": set[str](),
    "models": {"ports"},
    "utterances": set[str](),
    "captures": {"ports", "utterances"},
    "cues": {"ports", "utterances", "captures"},
    "asking": {"ports", "models", "captures"},
    "distilling": {"ports", "asking"},
}
"""Rooms of `sidecar` and what each may import of it besides itself: who judges by cues knows of no model."""
CUES = ("words", "clauses", "weighing", "comparing")
"""What is said; each clause of a follow-up; its remarks by themselves; and beside the exchange."""


def test_the_rooms_of_the_sidecar_import_one_way() -> None:
    for file in (file for file in FILES if file.startswith("sidecar/") and file != "sidecar/__init__.py"):
        room = file.split("/")[1].removesuffix(".py")
        for name in imported(file):
            if name.startswith("aftermind.sidecar."):
                assert name.split(".")[2] in {room, *JUDGING[room]}, f"{file} imports {name}"


def test_the_rooms_of_the_cues_import_one_way() -> None:
    for file in (file for file in FILES if file.count("/") > 2 and file.startswith("sidecar/cues/")):
        allowed = CUES[: CUES.index(file.split("/")[2]) + 1]
        for name in imported(file):
            if name.startswith("aftermind.sidecar.cues."):
                assert name.split(".")[3] in allowed, f"{file} imports {name}"


LOWER = {
    "language": {"places"},
    "logbook": set[str](),
    "privacy": {"language", "terminal"},
    "forms": {"importing", "language"},
    "answering": {"carrying", "erasing", "forms", "language", "logbook", "places", "privacy", "repositories"},
}
"""Rooms of `cli` and what each may import of it besides itself: whoever stands above them is not asked back."""


def test_the_lower_rooms_of_cli_import_nobody_above_them() -> None:
    for file in (file for file in FILES if file.startswith("cli/")):
        room = file.split("/")[1].removesuffix(".py")
        for name in imported(file) if room in LOWER else ():
            if name.startswith("aftermind.cli."):
                assert name.split(".")[2] in {room, *LOWER[room]}, f"{file} imports {name}"


ANSWERS = ("cli/answering/", "cli/holding/", "cli/past/")
"""Who holds a store, or its past, answers; whoever else wants something asks."""


def test_only_who_holds_a_store_imports_what_answers() -> None:
    ask = [file for file in FILES if not file.startswith(ANSWERS)]
    assert [(file, name) for file in ask for name in imported(file) if name.startswith("aftermind.cli.answering")] == []


def test_the_doors_of_the_standard_library_import_nothing_else() -> None:
    for file, name in ((one, name) for one in STANDARD_LIBRARY_DOORS for name in {*imported(one)} - BESIDE):
        assert name.split(".")[0] not in {"aftermind", *DOORS} - {"time"}, f"{file} imports {name}"


def test_each_outside_thing_has_one_door() -> None:
    for file in (file for file in FILES if file not in STANDARD_LIBRARY_DOORS):
        for name in imported(file):
            assert fnmatch(file, DOORS.get(name.split(".")[0], file)), f"{file} imports {name}"
            assert CALLS.get(name, file) == file, f"{file} imports {name}"
        for node in nodes(file):
            if isinstance(node, ast.Attribute):
                last_two = ".".join(dotted(node).split(".")[-2:])
                assert CALLS.get(last_two, file) == file or (file, last_two) == TOLD, f"{file}:{node.lineno} {last_two}"


def test_a_file_that_says_it_is_pure_waits_for_nothing_and_sees_what_it_is_given_alone() -> None:
    said = [file for file in FILES if pure(file)]
    assert {
        "engine/memory.py",
        "engine/event_forms/books.py",
        "projections/recalling/ranking/order.py",
        "sidecar/cues/judge.py",
    } <= {*said}
    assert [found for file in said for found in impurities(file, nodes(file))] == []


@pytest.mark.parametrize(
    "source",
    [
        "async def f(): ...",
        "async def f():\n    await g()",
        "def f():\n    import subprocess",
        "from os import path",
        "from aftermind.engine.sqlite import Connection",
        "open('x')",
        "Path('x').read_text()",
        "connection.execute('SELECT 1')",
    ],
)
def test_what_waits_or_looks_is_not_pure(source: str) -> None:
    assert [*impurities("one.py", ast.walk(ast.parse(source)))] != []


def test_a_file_is_pure_that_says_so_without_a_reservation() -> None:
    assert all(map(CLAIM.search, ("Which goes first. Pure.", "Pure: text in, numbers out.", "Pure, and lazy.")))
    assert not any(map(CLAIM.search, ("One pure function.", "Pure but for `show`.", "Pure,\nbut for the looking.")))


def test_where_this_machine_is_is_asked_in_one_place() -> None:
    """`astimezone()` without a zone takes the machine's; law 4."""
    asks = {file for file in FILES for node in nodes(file) if in_its_own_zone(node)}
    assert asks == {"engine/zones.py"}


def in_its_own_zone(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and dotted(node.func).endswith("astimezone") and not node.args


def test_no_file_is_named_after_nothing() -> None:
    assert [file for file in FILES if Path(file).stem.strip("_") in SHAPELESS] == []


def test_no_possessive_quantifier_stands_behind_a_group() -> None:
    """Python before 3.11.5 gets them wrong (decision 102)."""
    wrong = re.compile(r"(?<!\\)\)(?:[*+?]|\{[\d,{}]+\})\+")
    assert wrong.search("(?:a|b)*+")
    found = {file: match[0] for file in FILES if (match := wrong.search((ROOT / file).read_text("utf-8")))}
    assert found == {}


def test_no_file_is_too_long() -> None:
    """Of what is written by hand, whatever it is written in; a program's own list of packages is not."""
    ours = [path for folder in (*FOLDERS, "tests", "bench") for path in (ROOT / folder).rglob("*")]
    code = [path for path in ours if path.suffix in WRITTEN and "node_modules" not in path.parts]
    assert len(code) > len(FILES)
    long = {str(path.relative_to(ROOT)): lines for path in code if (lines := lines_of(path)) > LONGEST}
    assert long == {}


def lines_of(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def test_no_error_is_swallowed_unseen() -> None:
    """Who catches everything raises again, or hands the error on by its name."""
    for file, node in ((one, node) for one in FILES for node in nodes(one)):
        if not isinstance(node, ast.ExceptHandler) or file == "cli/doors/hook.py":  # the hook fails open
            continue
        if node.type is None or {"Exception", "BaseException"} & {dotted(part) for part in ast.walk(node.type)}:
            raises = any(isinstance(part, ast.Raise) for part in ast.walk(node))
            hands_on = node.name and any(isinstance(p, ast.Name) and p.id == node.name for p in ast.walk(node))
            assert raises or hands_on, f"{file}:{node.lineno} swallows errors"


def test_a_suppressed_error_is_a_named_one() -> None:
    for file in FILES:
        for node in nodes(file):
            if isinstance(node, ast.Call) and dotted(node.func).split(".")[-1] == "suppress":
                assert not {"Exception", "BaseException"} & set(map(dotted, node.args)), f"{file}:{node.lineno}"


def test_the_lists_above_name_files_that_exist() -> None:
    assert {"engine/sqlite.py", "engine/stamp.py", "cli/config.py"} <= set(FILES)
