"""Source files that import each other: when they are loaded, or later, from inside a function."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set

from .....state.report import Finding, Place
from ....import_graph import Edge, cycles
from ....layers import folder_of
from ...known.project import Project

LONGEST = 4
"""Files of a circle that a late import closes; longer ones are the shape of a program that starts itself."""
MOST_MEMBERS = 6
_NOQA = re.compile(r"#\s*noqa\b(?::\s*[A-Z]+\d+(?:\s*,\s*[A-Z]+\d+)*)?", re.IGNORECASE)
_ONLY_SAYS_CIRCLE = re.compile(
    r"\b(?:avoids?|avoiding|circular|cyclic|cycles?|circle|imports?|imported|dependency|late|lazy|lazily|local|here|to|prevents?"
    r"|because|of|the|a|this|is|due|breaks?|inside|function|for|in|避免|防止|循环|导入|引用|依赖|延迟|局部)\b|[避免防止循环导入引用依赖延迟]"
)
"""What a comment says that only names the circle: it is the finding, not its excuse."""
_LEAST_REASON = 3
"""Words, or twice as many characters of Chinese, from which on a comment gives a reason."""


def import_cycles(project: Project) -> Iterator[Finding]:
    """Yield groups of source files that import each other when loaded, and pairs that do so through a late import."""
    edges = [
        edge
        for edge in between_sources(project)
        if not (edge.typing or _may_be_mutual(edge) or _asks_its_package(edge) or _is_meant(project, edge))
    ]
    groups = cycles(edges)
    for group in groups:
        yield _cycle(project, group, [edge for edge in edges if not edge.late])
    for members in _late_groups(edges, groups):
        if len(members) > 2 and project.kind == "library":
            continue  # a package that is one for its users is cut into modules as it may
        yield _cycle(project, members, edges, late=True)


def _late_groups(edges: Sequence[Edge], groups: Sequence[Sequence[str]]) -> Iterator[list[str]]:
    """Yield the shortest circle that each late import closes, where the others of it run on loading; each circle once.

    Two files that import each other are told even if both do so late.
    """
    eager, every = defaultdict(set), defaultdict(set)
    for edge in edges:
        every[edge.source].add(edge.target)
        if not edge.late:
            eager[edge.source].add(edge.target)
    told = {frozenset(group) for group in groups}
    for edge in sorted(edges, key=lambda edge: (edge.source, edge.target)):
        if not edge.late or edge.source == edge.target:
            continue
        mutual = edge.source in every[edge.target]
        way = [edge.target, edge.source] if mutual else _way(edge.target, edge.source, eager)
        if way and not any(set(way) <= each for each in told):
            told.add(frozenset(way))
            yield sorted(way)


def _way(start: str, goal: str, needs: Mapping[str, Set[str]]) -> list[str]:
    """Return the files on the shortest way from one to another, at most `LONGEST` of them, empty without one."""
    ways = [[start]]
    while ways and len(ways[0]) < LONGEST:
        ways = [[*way, each] for way in ways for each in sorted(needs.get(way[-1], ())) if each not in way]
        if found := next((way for way in ways if way[-1] == goal), None):
            return found
    return []


def _asks_its_package(edge: Edge) -> bool:
    """Return whether a module imports from the package around it, which hands on what its modules define."""
    package = edge.target.removesuffix("__init__.py")
    return edge.target.endswith("__init__.py") and edge.source.startswith(package)


def _is_meant(project: Project, edge: Edge) -> bool:
    """Return whether a comment marks a late import as a decision: by `noqa`, or by a reason beside or above it."""
    if not edge.late:
        return False
    lines = project.text_of(edge.source).split("\n")
    own, above = lines[edge.line - 1].partition("#")[1:], lines[edge.line - 2].strip() if edge.line > 1 else ""
    comments = ["".join(own), above if above.startswith("#") else ""]
    return any(_NOQA.search(each) or _gives_reason(each) for each in comments)


def _gives_reason(comment: str) -> bool:
    words = _ONLY_SAYS_CIRCLE.sub(" ", comment.lower())
    return len(re.findall(r"[a-z]{2,}|[\u4e00-\u9fff]{2}", words)) >= _LEAST_REASON


def _may_be_mutual(edge: Edge) -> bool:
    """Return whether an import may go both ways: classes of one Java package, and packages of Go, which never do."""
    return edge.source.endswith(".go") or (
        edge.source.endswith(".java") and folder_of(edge.source) == folder_of(edge.target)
    )


def between_sources(project: Project) -> list[Edge]:
    """Return the imports of one source file by another."""
    roles = {path: facts.role for path, facts in project.files.items()}
    return [edge for edge in project.edges if roles[edge.source] == roles[edge.target] == "source"]


def _cycle(project: Project, group: Sequence[str], edges: Sequence[Edge], *, late: bool = False) -> Finding:
    members = set(group)
    inside = [edge for edge in edges if edge.source in members and edge.target in members]
    where = {edge.source: edge.line for edge in reversed(inside)}
    first, *others = [Place(path=path, line=where.get(path, 1)) for path in group]
    shown = [*group[:MOST_MEMBERS], *([f"+{len(group) - MOST_MEMBERS}"] if len(group) > MOST_MEMBERS else [])]
    return Finding(
        kind="import_cycle",
        rule="late" if late else "",
        place=first,
        others=tuple(others),
        severity="medium" if not late else "info" if project.kind == "library" else "low",
        why="cycle",
        confidence=0.7 if late else 0.95,
        facts={"members": shown, "size": len(group)},
        evidence=project.evidence(first.path, first.line),
    )
