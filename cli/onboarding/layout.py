"""Where things are: the folders of a project and what is in them, and its tests. Pure: paths in, sentences out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from aftermind.cli.onboarding.statement import Stated, names, short

TEST = re.compile(
    r"(?:^|/)(?:test_[^/]+\.py|[^/]+_test\.(?:py|go|exs?|dart|cc|cpp)|[^/]+\.(?:test|spec)\.[cm]?[jt]sx?"
    r"|[^/]+(?:Tests?|Spec)\.(?:java|kt|cs|swift|scala|php)|[^/]+_spec\.rb|tests?/[^/]+\.rs)$"
)
LANGUAGES = {
    **dict.fromkeys((".py", ".pyi"), "Python"),
    **dict.fromkeys((".ts", ".tsx", ".mts"), "TypeScript"),
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs"), "JavaScript"),
    **dict.fromkeys((".c", ".h"), "C"),
    **dict.fromkeys((".cc", ".cpp", ".hpp", ".cxx"), "C++"),
    ".go": "Go",
    ".rs": "Rust",
    ".java": "Java",
    ".kt": "Kotlin",
    ".rb": "Ruby",
    ".php": "PHP",
    ".cs": "C#",
    ".swift": "Swift",
    ".scala": "Scala",
    ".ex": "Elixir",
    ".sh": "shell",
    ".sql": "SQL",
    ".vue": "Vue",
    ".dart": "Dart",
    ".lua": "Lua",
    ".zig": "Zig",
    ".hs": "Haskell",
    ".clj": "Clojure",
    ".svelte": "Svelte",
}
FOLDERS = 15


def layout(paths: Iterable[str]) -> Iterator[Stated]:
    """`paths`: of all files, from the project's folder, with `/`."""
    languages: Counter[str] = Counter()
    folders: dict[str, Counter[str]] = {}
    tests: dict[str, list[str]] = {}
    for path in paths:
        language = LANGUAGES.get(PurePosixPath(path).suffix.lower())
        top, slash, _ = path.partition("/")
        if slash:
            folders.setdefault(top, Counter())[language or ""] += 1
        if language:
            languages[language] += 1
        if TEST.search(path):
            tests.setdefault(top if slash else ".", []).append(path)
    if languages:
        told = names(f"{language} ({_files(count)})" for language, count in languages.most_common(6))
        yield Stated(f"It is written in {told}.", "languages")
    largest = sorted(folders.items(), key=lambda one: (-one[1].total(), one[0]))[:FOLDERS]
    for name, inside in sorted(largest):
        main = next((language for language, _ in inside.most_common() if language), "")
        yield Stated(
            f"The folder {short(name)}/ has {_files(inside.total())}{f', mostly {main}' if main else ''}.", "folders"
        )
    for name, found in sorted(tests.items(), key=lambda one: (-len(one[1]), one[0]))[:FOLDERS]:
        where = "at the top" if name == "." else f"in {short(name)}/"
        yield Stated(f"{_files(len(found))} of tests {where}, such as {short(min(found))}.", "tests")


def _files(count: int) -> str:
    """Rounded, where one more says nothing new: the sentence should stay the same for a while."""
    if count < 20:
        return "1 file" if count == 1 else f"{count} files"
    step = 10 ** (len(str(count)) - 1)
    return f"more than {(count - 1) // step * step:,} files"
