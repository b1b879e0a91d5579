"""Modules that import each other, and imports against the direction of the layers."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set

from ....state.report import Finding, Place
from ...import_graph import Edge, cycles
from ...layers import AGAINST_THE_STREAM
from ..project import Project

LEAST_STREAM = 4
"""Imports in the main direction from which on it counts as a rule of the project."""
LONGEST = 4
"""Files of a circle that a late import closes; longer ones are the shape of a program that starts itself."""
MOST_MEMBERS = 6
_RANK = {
    **dict.fromkeys(("lib", "libs", "util", "utils", "common", "helpers", "shared"), 0),
    **dict.fromkeys(("model", "models", "domain", "entities", "schema", "schemas", "db"), 1),
    **dict.fromkeys(("repositories", "services", "service", "usecases", "business"), 2),
    **dict.fromkeys(("api", "web", "views", "controllers", "routes", "routers", "handlers", "cli", "endpoints"), 3),
    **dict.fromkeys(
        ("workers", "worker", "jobs", "tasks", "scheduler", "commands", "httpapi", "rest", "http", "ui"), 3
    ),
}
"""Layers that go by names everybody uses, lowest first."""
_INNER, _OUTER = frozenset({"domain", "entities"}), frozenset({"infrastructure", "infra", "adapters"})
_FOUNDATIONS = frozenset(
    {"config", "conf", "settings", "constants", "errors", "exceptions", "types", "log", "logging", "version"}
)
"""What helpers may need, wherever it stands."""
_SERVICES, _NO_LAYER = 2, 9
_BROWSER = (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx")
"""Where `api` and `utils` are other layers than on a server."""


def import_cycles(project: Project) -> Iterator[Finding]:
    """Yield groups of source files that import each other when loaded, and pairs that do so through a late import."""
    edges = [edge for edge in _inner(project) if not (edge.typing or _may_be_mutual(edge) or _asks_its_package(edge))]
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


def _may_be_mutual(edge: Edge) -> bool:
    """Return whether an import may go both ways: classes of one Java package, and packages of Go, which never do."""
    return edge.source.endswith(".go") or (
        edge.source.endswith(".java") and _folder(edge.source) == _folder(edge.target)
    )


def _inner(project: Project) -> list[Edge]:
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


def layering(project: Project) -> Iterator[Finding]:
    """Yield imports against the stream: from a layer that goes by its name, or a folder that is itself imported."""
    inner = [edge for edge in _inner(project) if not edge.typing]
    folders: dict[tuple[str, str], int] = Counter((_folder(edge.source), _folder(edge.target)) for edge in inner)
    ranks: dict[tuple[int, int], int] = Counter((_rank(edge.source), _rank(edge.target)) for edge in inner)
    breaches: dict[tuple[str, str], list[Edge]] = defaultdict(list)
    sure: dict[tuple[str, str], tuple[bool, int]] = {}
    for edge in sorted(inner, key=lambda edge: (edge.source, edge.line, edge.target)):
        lower, upper = _folder(edge.source), _folder(edge.target)
        against, main = folders[lower, upper], folders[upper, lower]
        apart = lower != upper and not lower.startswith(f"{upper}/") and not upper.startswith(f"{lower}/")
        by_count = apart and main >= max(LEAST_STREAM, AGAINST_THE_STREAM * against)
        low, high = _rank(edge.source), _rank(edge.target)
        by_name = (
            not edge.source.endswith(_BROWSER)
            and low < high != _NO_LAYER
            and high >= _SERVICES
            and ranks[high, low] >= ranks[low, high]
        )
        by_name = by_name or _is_outward(edge)
        by_name = by_name or (project.kind != "library" and _is_shared_above(edge, folders))
        adapts = edge.source.rpartition("/")[2].removesuffix(".py") in upper.split("/")  # auth/admin.py speaks to admin
        if (by_count or by_name) and not adapts:
            names = (lower, upper) if lower != upper else (edge.source, edge.target)
            breaches[names].append(edge)
            sure[names] = (by_count and by_name, main or ranks[high, low])
    for names, edges in breaches.items():
        yield _breach(project, edges, *names, sure[names][1], sure=sure[names][0])


def _is_outward(edge: Edge) -> bool:
    """Return whether the rules of the business import what connects them to the outside (ports and adapters)."""
    inner, outer = (set(each.split("/")[:-1]) for each in (edge.source, edge.target))
    return bool(inner & _INNER and outer & _OUTER and not inner & _OUTER)


def _is_shared_above(edge: Edge, folders: Mapping[tuple[str, str], int]) -> bool:
    """Return whether a folder of shared helpers imports one of those it is there for."""
    lower, upper = _folder(edge.source), _folder(edge.target)
    stem = edge.target.rpartition("/")[2].partition(".")[0]
    apart = lower != upper and not upper.startswith(lower) and not lower.startswith(f"{upper}/") and upper != "."
    shared = _rank(edge.source) == 0 < _rank(edge.target) and stem not in _FOUNDATIONS
    return apart and shared and 0 < folders.get((lower, upper), 0) <= folders.get((upper, lower), 0)


def _folder(path: str) -> str:
    return path.rpartition("/")[0] or "."


def _rank(path: str) -> int:
    """Return the layer a file is in by the name of its folder, or by its own; `_NO_LAYER` where none is known."""
    parts = path.rpartition(".")[0].split("/")
    return next((_RANK[part] for part in reversed(parts) if part in _RANK), _NO_LAYER)


def _breach(project: Project, edges: Sequence[Edge], lower: str, upper: str, main: int, *, sure: bool) -> Finding:
    first, *rest = dict.fromkeys((edge.source, edge.line) for edge in edges)
    return Finding(
        kind="layering",
        place=Place(path=first[0], line=first[1]),
        others=tuple(Place(path=path, line=line) for path, line in rest),
        severity="low" if all(edge.late for edge in edges) else "medium",
        why="layer",
        confidence=0.9 if sure else 0.7,
        facts={"source": lower, "target": upper, "with": main, "against": len(rest) + 1},
        evidence=project.evidence(*first),
    )
