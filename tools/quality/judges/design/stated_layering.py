"""Imports that the repository's own words do not allow."""

import re
from collections.abc import Iterator
from functools import cache, partial

from .....state.report import Finding, Place
from ....import_graph import Edge
from ...known.project import Project
from .stated_layers import Barred, of_contracts, of_document
from .stated_prose import of_prose

_SPEAKS_OF_PARTS = re.compile(
    r"(^|/)(readme|contributing|agents|claude|architecture|design|hacking|structure|layers|overview|development)[^/]*"
    r"\.(md|rst|txt)$|^docs?/[^/]+\.(md|rst)$",
    re.IGNORECASE,
)
_CONTRACTS = ("pyproject.toml", ".importlinter", "setup.cfg")
_MOST_TOLD = 20


def stated_layering(project: Project) -> Iterator[Finding]:
    """Yield the imports between parts that a document or a contract bars, one finding for each pair of parts."""
    edges = _between_sources(project)
    found: dict[tuple[str, str], tuple[Barred, list[Edge]]] = {}
    for barred in _barred(project):
        own = [edge for edge in edges if _is_in(edge.source, barred.source) and not _is_in(edge.target, barred.source)]
        breaches = [edge for edge in own if _is_in(edge.target, barred.target)]
        if breaches:
            found.setdefault((barred.source, barred.target), (barred, breaches))
    for (source, target), (barred, breaches) in list(found.items())[:_MOST_TOLD]:
        allowed = sum(_is_in(edge.source, target) and _is_in(edge.target, source) for edge in edges)
        if len(breaches) <= allowed or not allowed:
            yield _finding(project, barred, breaches, allowed)


def _between_sources(project: Project) -> list[Edge]:
    roles = {path: facts.role for path, facts in project.files.items()}
    inner = (edge for edge in project.edges if not edge.typing and roles[edge.source] == roles[edge.target] == "source")
    return sorted(inner, key=lambda edge: (edge.source, edge.line, edge.target))


def _barred(project: Project) -> Iterator[Barred]:
    part = cache(partial(_part, project))
    for facts in project.of_role("doc"):
        if _SPEAKS_OF_PARTS.search(facts.path):
            yield from of_document(facts.path, project.text_of(facts.path), part)
            yield from of_prose(facts.path, project.text_of(facts.path), part)
    for path in _CONTRACTS:
        if project.exists(path) and "importlinter" in (text := project.text_of(path)):
            yield from of_contracts(path, text, part)


def _part(project: Project, name: str) -> str:
    """Return the folder, or module, of the product that a name means, the outermost where there are several."""
    plain = name.strip().strip("/").removesuffix(".py").replace(".", "/")
    if not re.fullmatch(r"[\w/-]+", plain):
        return ""
    folders = _folders(project)
    ends = [each for each in folders if each == plain or each.endswith(f"/{plain}")]
    return min(ends, key=lambda each: (each.count("/"), each), default="")


def _folders(project: Project) -> set[str]:
    found: set[str] = set()
    for facts in project.of_role("source"):
        parts = facts.path.split("/")
        found |= {"/".join(parts[:depth]) for depth in range(1, len(parts))}
        found.add(facts.path.rpartition(".")[0])
    return found


def _is_in(path: str, part: str) -> bool:
    return path.startswith(f"{part}/") or path.rpartition(".")[0] == part


def _finding(project: Project, barred: Barred, edges: list[Edge], allowed: int) -> Finding:
    first, *rest = dict.fromkeys((edge.source, edge.line) for edge in edges)
    return Finding(
        kind="layering",
        rule="stated",
        place=Place(path=first[0], line=first[1]),
        others=(*(Place(path=path, line=line) for path, line in rest), Place(path=barred.path, line=barred.line)),
        severity="medium",
        why="stated_layer",
        confidence=0.9,
        facts={"source": barred.source, "target": barred.target, "with": allowed, "against": len(rest) + 1},
        evidence=project.evidence(*first),
    )
