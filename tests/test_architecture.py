"""The shape of the house: which way imports go, the one door of each outside thing, what is pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
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
    "sqlite3": "engine/sqlite.py",
    "aiosqlite": "engine/sqlite.py",
    "fastembed": "projections/meaning/embedding.py",
    "onnxruntime": "projections/meaning/embedding.py",
    "litellm": "sidecar/litellm_model.py",
    **dict.fromkeys(("mcp", "mcp_types", "pydantic"), "cli/doors/mcp_*.py"),
    **dict.fromkeys(("starlette", "uvicorn", "h11"), "cli/doors/http*.py"),
    "keyring": "cli/secret.py",
    "pypdf": "cli/reading/pdf.py",
    "pathspec": "cli/ingesting/ignoring.py",
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
PURE_ROOMS = tuple(
    f"engine/{room}/" for room in ("entities", "event_forms", "items", "masking", "memories", "permitting")
)
PURE = [
    *(file for file in FILES if file.startswith(PURE_ROOMS)),
    *("engine/names.py", "engine/events.py", "engine/stored.py", "engine/memory.py", "engine/policy.py"),
    *("engine/logs/seal.py", "engine/projects.py", "engine/errors.py", "sidecar/endpoint.py", "sidecar/offers.py"),
    *(
        "sidecar/distilling.py",
        "projections/reading/statements/wording.py",
        "projections/reading/statements/wording_words.py",
        "cli/answering/learning/lessons.py",
        "cli/answering/fit.py",
        "cli/language/ids.py",
    ),
    *("sidecar/judging.py", "sidecar/shape.py", "sidecar/replies.py", "sidecar/evidence.py", "sidecar/shortening.py"),
    *("sidecar/probing.py",),
    *("sidecar/cues.py", "sidecar/follow_ups.py", "sidecar/runs.py", "sidecar/phrases.py", "sidecar/voice.py"),
    *("sidecar/addressed.py", "sidecar/languages.py", "sidecar/capturing.py", "sidecar/signs.py"),
    *("sidecar/amounts.py", "sidecar/apart.py", "sidecar/heard.py", "sidecar/outputs.py", "sidecar/repeated.py"),
    *("sidecar/negated.py", "sidecar/corrected.py"),
    *("sidecar/remarks.py", "sidecar/unreported.py", "sidecar/reported.py", "sidecar/tallied.py"),
    *("sidecar/spoken.py", "sidecar/confided.py"),
    *(
        "projections/reading/times/timed.py",
        "projections/reading/times/words.py",
        "projections/reading/times/western.py",
        "projections/reading/times/stretches.py",
    ),
    *("projections/reading/times/eastern.py", "projections/recalling/timeline.py", "projections/reading/twins.py"),
    *(
        "projections/recalling/ranking.py",
        "projections/recalling/briefing.py",
        "projections/recalling/matching.py",
        "projections/reading/manner.py",
    ),
    *(f"cli/onboarding/{name}.py" for name in ("statement", "manifests", "pipelines", "layout")),
    *(f"cli/web/{name}.py" for name in ("guarding", "allowance", "asking", "figures", "described")),
    "cli/always_on/written.py",
    *("cli/past/moments.py", "cli/past/choosing.py", "cli/past/living.py"),
]
"""`engine/log.py` is missing: the port it states is asynchronous, and `follow` is made of nothing but the port."""
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
    return tuple(_imported(file))


def _imported(file: str) -> Iterator[str]:
    for node in nodes(file):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}:{node.lineno} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


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


def test_a_pure_file_waits_for_nothing() -> None:
    waits = (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)
    assert [(file, node.lineno) for file in PURE for node in nodes(file) if isinstance(node, waits)] == []


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
    assert [file for file in PURE if file not in FILES] == []
    assert {"engine/sqlite.py", "engine/stamp.py", "cli/config.py"} <= set(FILES)
