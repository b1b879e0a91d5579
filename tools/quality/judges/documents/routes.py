"""The addresses a repository serves, with what may and what cannot stand before them."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ...facts.file import FileFacts
from ...known.project import Project
from ...syntax.walking import every_node
from .view_sets import ViewSet, registered, view_sets

_MOUNTS = frozenset({"register_blueprint", "include_router", "mount", "Mount", "add_router"})
_VARIABLE = re.compile(r"<[^>]*>|\{[^}]*\}|\(\?P[^)]*\)|\[[^\]]*\]|:\w+|\$\w+")
_SPOKEN = re.compile(r"^(?:[A-Z][A-Z_]*|\d[\d-]*|\{\}+)$")
"""A part that stands for a value in a document: `ID`, `7`, `2024-05-01`."""
_WHOLE_REST = re.compile(r"<path:|:path\}|\{\*|/\*$|\(\.\*\)")
_SCRIPT_ROUTE = re.compile(
    r"\b(?:app|api|server|fastify|\w*[rR]outer|\w*[rR]outes)\s*\.\s*(get|post|put|patch|delete|head|all|use|route)"
    r"\(\s*[\"'`](/[^\"'`]*)[\"'`]"
)
_SERVES = re.compile(r"[\"'](?:express|koa|@koa/router|koa-router|fastify|hono|@hapi/hapi|restify|polka)[\"']")


@dataclass(frozen=True, slots=True)
class Route:
    """An address as its own file writes it."""

    verb: str
    """`*` where none is said."""
    parts: tuple[str, ...]
    """`{}` for a variable."""
    rest: bool = False
    """Whether it takes whatever follows, too."""
    never: frozenset[str] = frozenset()
    """Beginnings that other routes of the repository have and this one cannot have."""


def parts_of(address: str) -> list[str]:
    """Return the parts of an address, `{}` for what stands for a value."""
    plain = _VARIABLE.sub("{}", address.strip("^$")).partition("?")[0]
    return ["{}" if _SPOKEN.match(part) else part for part in plain.split("/") if part]


def routes_of(project: Project) -> tuple[Route, ...]:
    """Return every route of the source files; empty where nothing is served."""
    found: list[Route] = []
    mounts, sets = list(_mounts(project)), view_sets(project)
    for facts in project.of_role("source"):
        never = frozenset(lead for lead, reached in mounts if facts.path not in reached)
        may = frozenset(lead for lead, reached in mounts if facts.path in reached)
        for verb, address in _addresses(project, facts, sets):
            parts = tuple(parts_of(address))
            rest = bool(_WHOLE_REST.search(address))
            if parts or rest:
                found.append(Route(verb, tuple(part for part in parts if part != "*"), rest, never - may))
    return tuple(found)


def _addresses(project: Project, facts: FileFacts, sets: Mapping[str, ViewSet]) -> Iterator[tuple[str, str]]:
    if facts.python:
        for each in facts.python.served:
            verb, _, address = each.partition(" ")
            yield verb, address
        if any(each.module.startswith("rest_framework") for each in facts.python.imports):
            yield from registered(project.text_of(facts.path), sets)
    elif facts.tree and _SERVES.search(text := project.text_of(facts.path)):
        for verb, address in _SCRIPT_ROUTE.findall(text):
            plain = "*" if verb in ("all", "route", "use") else verb.upper()  # a router may answer at its own address
            yield ("*", f"{address.rstrip('/')}/*") if verb == "use" and _hands_on(text, address) else (plain, address)


def _hands_on(text: str, address: str) -> bool:
    """Return whether what is used at an address is no router of ours, whose own routes say what there is."""
    used = re.search(rf"{re.escape(address)}[\"'`]\s*,\s*(.*)", text)
    return bool(used) and not re.search(r"\w*[rR]out(?:er|es)|require\(", used[1] if used else "")


def _mounts(project: Project) -> Iterator[tuple[str, set[str]]]:
    """Yield every beginning that is given to routers of other files, with the files it may reach."""
    targets: dict[str, list[tuple[str, str]]] = {}
    for edge in project.edges:
        targets.setdefault(edge.source, []).append((edge.name, edge.target))
    for facts in project.of_role("source"):
        if not facts.python or not _MOUNTS & {*facts.python.used}:
            continue
        try:
            tree = ast.parse(project.text_of(facts.path))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        for node in every_node(tree):
            if isinstance(node, ast.Call) and (lead := _lead(node)):
                named = {each.id for arg in node.args for each in every_node(arg) if isinstance(each, ast.Name)}
                aliases = {each.alias: each.name for each in facts.python.imports if each.alias in named}
                meant = {target for name, target in targets.get(facts.path, []) if name in {*named, *aliases.values()}}
                yield lead, _reached(meant or {facts.path}, targets)


def _lead(node: ast.Call) -> str:
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if name not in _MOUNTS:
        return ""
    said = [each.value for each in node.keywords if each.arg in ("url_prefix", "prefix", "path")]
    said += node.args[:1] if name in ("mount", "Mount") else []
    texts = [each.value for each in said if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return "/".join(parts_of(texts[0])) if texts else ""


def _reached(start: set[str], targets: dict[str, list[tuple[str, str]]]) -> set[str]:
    """Return files and what they import, two steps far."""
    found = set(start)
    for _ in range(2):
        found |= {target for path in tuple(found) for _, target in targets.get(path, [])}
    return found
