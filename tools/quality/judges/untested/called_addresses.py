"""Which files serve an address that some test gets an answer from, whether it is spelt or asked for by its name."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from ...facts.file import FileFacts
from ...known.project import Project
from .address_tables import ENTERING, Entry, entries

_OF_SCRIPTS = re.compile(r"\.\s*(?:get|post|put|patch|delete|all|route)\(\s*[\"'`](/[^\"'`]*)[\"'`]")
_MOUNTED = re.compile(r"\.\s*(?:use|register|route)\(\s*[\"'`](/[^\"'`]*)[\"'`]\s*,([^;\n]*)")
_CALLED_BY_SCRIPTS = re.compile(r"[\"'`](/[^\"'`\s]*)[\"'`]")
_REFUSED = re.compile(r"\b(?:toBe|toEqual|equal|strictEqual|expect)\((?:[^()]*,\s*)?40[1345]\)")


@dataclass(frozen=True, slots=True)
class Called:
    """What tests get an answer from."""

    shapes: Set[str]
    """Addresses that tests in Python call, with their variable parts replaced."""
    names: Sequence[tuple[str, Set[str]]]
    """Names of views that they ask for, `{}` for what is filled in, with the words of the test."""
    of_scripts: Set[str]
    """Addresses that tests in JavaScript and TypeScript call."""
    tables: Mapping[str, Sequence[Entry]]
    """By file of the product, the addresses it gives to views."""


def called(project: Project) -> Called:
    """Gather what the tests of a repository call."""
    shapes: set[str] = set()
    names: list[tuple[str, Set[str]]] = []
    scripts: set[str] = set()
    for test in project.of_role("test"):
        if test.python:
            shapes |= {_shape(each) for each in test.python.answered if each.startswith("/")}
            words = frozenset(test.python.words)
            names += [(each, words) for each in test.python.answered if not each.startswith("/")]
        elif test.tree and test.language in ("javascript", "typescript", "tsx"):
            lines = [line for line in project.text_of(test.path).split("\n") if not _REFUSED.search(line)]
            scripts |= {_shape(each.partition("?")[0]) for each in _CALLED_BY_SCRIPTS.findall("\n".join(lines))}
    possible = [
        each.path for each in project.of_role("source") if each.python and ENTERING.intersection(each.python.used)
    ]
    tables = {path: found for path in possible if (found := entries(project.text_of(path)))} if shapes or names else {}
    return Called(shapes, names, scripts, tables)


def is_called(project: Project, facts: FileFacts, by_tests: Called) -> bool:
    """Return whether a test calls an address that the file serves."""
    if facts.python:
        return _any_fits(facts.python.routes, by_tests.shapes) or any(
            _any_fits(entry.routes, by_tests.shapes)
            or any(_is_asked(entry.name, each, words) for each, words in by_tests.names)
            for entry in _in_tables(project, facts, by_tests.tables)
        )
    return bool(by_tests.of_scripts) and _any_fits(_of_scripts(project, facts), by_tests.of_scripts)


def _of_scripts(project: Project, facts: FileFacts) -> Iterator[str]:
    """Yield the addresses of a file of routes, below those at which other files mount it."""
    own = _OF_SCRIPTS.findall(project.text_of(facts.path))
    yield from own
    names = {(edge.source, edge.name) for edge in project.edges_to.get(facts.path, ()) if own}
    for source, name in sorted(names):
        for lead, mounted in _MOUNTED.findall(project.text_of(source)):
            if re.search(rf"\b{re.escape(name)}\b", mounted):
                yield from (f"{lead}{each}" for each in own)


def _in_tables(project: Project, facts: FileFacts, tables: Mapping[str, Sequence[Entry]]) -> Iterator[Entry]:
    """Yield what tables of addresses that import a file say of its views."""
    given = sorted({edge.source for edge in project.edges_to.get(facts.path, ())} & tables.keys())
    mine = {each.name.partition(".")[0] for each in facts.functions} | set(facts.python.bases if facts.python else ())
    yield from (each for path in given for each in tables[path] if mine & each.view)


def _is_asked(name: str, asked: str, words: Set[str]) -> bool:
    """Return whether a test asks for the address of a view by its name, whole or put together."""
    if not name:
        return False
    if "{}" not in asked:
        return asked.startswith(name) if name.endswith("-") else asked == name
    lead, _, rest = asked.partition("{}")
    filled = name.removeprefix(lead).removesuffix(rest)
    return name.startswith(lead) and name.endswith(rest) and set(re.findall(r"[A-Za-z_]\w+", filled)) <= words


def _any_fits(routes: Sequence[str] | Iterator[str], calls: Set[str]) -> bool:
    served = [shape for route in routes if _says_something(shape := _shape(route))]
    return any(call.endswith(shape) or ("{}" in shape and _fits(call, shape)) for shape in served for call in calls)


def _says_something(shape: str) -> bool:
    """Return whether an address has a word of its own: `/{}` is served by everybody."""
    return bool(shape.replace("{}", "").strip("/"))


def _shape(route: str) -> str:
    """Return an address with its variable parts replaced: `/orders/<int:id>` and `/orders/{id}` are the same."""
    return re.sub(r"<[^>]*>|\$?\{[^}]*\}|:\w+|\(\?P<[^)]*\)", "{}", "/" + route.strip("/^$"))


def _fits(call: str, shape: str) -> bool:
    """Return whether an address ends as a route with variables allows."""
    pattern = "/".join("[^/]+" if part == "{}" else re.escape(part) for part in shape.strip("/").split("/"))
    return re.search(rf"(^|/){pattern}$", call.strip("/")) is not None and pattern.strip("[^/]+") != ""
