"""What manifests declare: what the project is called, what it needs, and the commands it is worked on with. Pure: a
manifest's text in, sentences out. What is no manifest of its kind says nothing.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from aftermind.cli.onboarding.statement import Stated, commands, names, short

_TARGET = re.compile(r"^(?P<name>[A-Za-z0-9][\w./-]*)\s*:(?!=)[^#=]*(?:##\s*(?P<about>.*))?$")
_REQUIRED = re.compile(r"^\s*(?P<name>[A-Za-z0-9][\w.-]*(?:\[[\w, -]*\])?)\s*(?P<version>[<>=!~][^;#]*)?")
_GO = re.compile(r"^(?P<word>module|go|toolchain)\s+(?P<value>\S+)", re.MULTILINE)
_GO_NEEDS = re.compile(
    r"^\s*(?:require\s+)?(?P<name>[\w.-]+\.[\w.-]+/\S+)\s+(?P<version>v\S+)(?!.*// indirect)", re.MULTILINE
)
_GEM = re.compile(r"""^\s*gem\s+["'](?P<name>[^"']+)["']""", re.MULTILINE)
_DOCKER = re.compile(r"^(?P<word>FROM|EXPOSE|CMD|ENTRYPOINT)\s+(?P<value>.+)$", re.MULTILINE | re.IGNORECASE)


def pyproject(text: str) -> Iterator[Stated]:
    found = tomllib.loads(text)
    project = _table(found, "project") or _table(_table(found, "tool"), "poetry")
    yield from _called(project)
    if needs := project.get("requires-python"):
        yield Stated(f"It needs Python {needs}.", "requires-python")
    declared = project.get("dependencies")
    if isinstance(declared, list | dict):
        yield from _depends(declared, "dependencies")
    for group, listed in _table(project, "optional-dependencies").items():
        if isinstance(listed, list):
            yield from _depends(listed, f"optional-dependencies › {group}")
    for group, listed in _table(found, "dependency-groups").items():
        if isinstance(listed, list):
            yield from _depends([one for one in listed if isinstance(one, str)], f"dependency-groups › {group}")
    for name, to in _table(project, "scripts").items():
        yield Stated(f"The command `{short(name)}` runs {short(str(to))}.", "scripts")
    if tools := list(_table(found, "tool")):
        yield Stated(f"Tools it configures: {names(tools)}.", "tool")
    if backend := _table(found, "build-system").get("build-backend"):
        yield Stated(f"It is built by {backend}.", "build-system")


def package_json(text: str) -> Iterator[Stated]:
    found = _object(text)
    yield from _called(found)
    runner = short(str(found.get("packageManager", "npm"))).partition("@")[0] or "npm"
    if manager := found.get("packageManager"):
        yield Stated(f"Its package manager is {short(str(manager))}.", "packageManager")
    for name, version in _table(found, "engines").items():
        yield Stated(f"It needs {short(name)} {short(str(version))}.", "engines")
    for name, script in _table(found, "scripts").items():
        yield Stated(f"`{runner} run {short(name)}` runs {commands([str(script)])}.", "scripts")
    for place in ("dependencies", "devDependencies", "peerDependencies"):
        yield from _depends(_table(found, place), place)
    if isinstance(spaces := found.get("workspaces"), list):
        yield Stated(f"Its workspaces: {names(map(str, spaces))}.", "workspaces")


def cargo(text: str) -> Iterator[Stated]:
    found = tomllib.loads(text)
    package = _table(found, "package")
    yield from _called(package)
    for word, about in (("edition", "Its Rust edition is"), ("rust-version", "It needs Rust")):
        if isinstance(value := package.get(word), str):
            yield Stated(f"{about} {value}.", word)
    for place in ("dependencies", "dev-dependencies", "build-dependencies"):
        yield from _depends(_table(found, place), place)
    if isinstance(members := _table(found, "workspace").get("members"), list):
        yield Stated(f"Its workspace members: {names(map(str, members))}.", "workspace")


def go_mod(text: str) -> Iterator[Stated]:
    for found in _GO.finditer(text):
        about = {"module": "The module is called", "go": "It needs Go", "toolchain": "Its toolchain is"}[found["word"]]
        yield Stated(f"{about} {short(found['value'])}.", found["word"])
    yield from _depends([found["name"] for found in _GO_NEEDS.finditer(text)], "require")


def composer(text: str) -> Iterator[Stated]:
    found = _object(text)
    yield from _called(found)
    for place in ("require", "require-dev"):
        yield from _depends(_table(found, place), place)
    for name, script in _table(found, "scripts").items():
        lines = script if isinstance(script, list) else [script]
        yield Stated(f"`composer {short(name)}` runs {commands([str(line) for line in lines])}.", "scripts")


def requirements(text: str) -> Iterator[Stated]:
    found = [match[0].strip() for line in text.splitlines() if (match := _REQUIRED.match(line))]
    yield from _depends(found, "")


def gemfile(text: str) -> Iterator[Stated]:
    yield from _depends([found["name"] for found in _GEM.finditer(text)], "")


def makefile(text: str) -> Iterator[Stated]:
    """The targets in their order, each with its own remark, or with the first of what it runs."""
    lines = text.replace("\\\n", " ").splitlines()
    found: dict[str, tuple[str, list[str]]] = {}
    for number, line in enumerate(lines):
        if not (match := _TARGET.match(line)) or "%" in match["name"]:
            continue
        recipe = []
        for below in lines[number + 1 :]:
            if not below.startswith("\t"):
                break
            recipe.append(below.strip().lstrip("@-+").strip())
        if recipe or match["about"]:
            found.setdefault(match["name"], (match["about"] or "", [one for one in recipe if one]))
    for name, (about, recipe) in found.items():
        what = f"runs {commands(recipe[:4])}" if recipe else "is a target"
        yield Stated(f"`make {name}` {what}{f': {short(about)}' if about else ''}.", "targets")


def dockerfile(text: str) -> Iterator[Stated]:
    about = {"FROM": "Its image is built from", "EXPOSE": "Its image listens on port"}
    for found in _DOCKER.finditer(text.replace("\\\n", " ")):
        word = found["word"].upper()
        yield Stated(f"{about.get(word, 'Its image starts with')} {short(found['value'])}.", word)


MANIFESTS: Final[Mapping[str, Callable[[str], Iterator[Stated]]]] = {
    "pyproject.toml": pyproject,
    "package.json": package_json,
    "Cargo.toml": cargo,
    "go.mod": go_mod,
    "composer.json": composer,
    "requirements.txt": requirements,
    "Gemfile": gemfile,
    "Makefile": makefile,
    "Dockerfile": dockerfile,
}
"""By the name of the file."""


def _called(found: Mapping[str, Any]) -> Iterator[Stated]:
    if isinstance(name := found.get("name"), str) and name.strip():
        about = found.get("description")
        more = f": {short(about).rstrip('.')}" if isinstance(about, str) and about.strip() else ""
        yield Stated(f"The project is called {short(name)}{more}.", "name")
    if isinstance(license := found.get("license"), str) and license.strip():
        yield Stated(f"Its license is {short(license)}.", "license")


def _depends(on: Mapping[str, Any] | list[Any], place: str) -> Iterator[Stated]:
    listed = (
        [f"{name} {value}" if isinstance(value, str) else name for name, value in on.items()]
        if isinstance(on, Mapping)
        else [str(one) for one in on]
    )
    if listed:
        yield Stated(f"It depends on {names(listed)}.", place)


def _object(text: str) -> Mapping[str, Any]:
    found = json.loads(text.removeprefix("\ufeff"))
    if not isinstance(found, dict):
        raise ValueError("it is no object")
    return found


def _table(found: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    table = found.get(name)
    return table if isinstance(table, dict) else {}
