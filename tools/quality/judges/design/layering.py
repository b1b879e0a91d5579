"""Imports against the direction of the layers, as folders are named and as most imports go."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set

from .....state.report import Finding, Place
from ....import_graph import Edge
from ....layers import AGAINST_THE_STREAM, folder_of
from ...known.project import Project
from .circles import between_sources

LEAST_STREAM = 4
"""Imports in the main direction from which on it counts as a rule of the project."""
_RANK = {
    **dict.fromkeys(("lib", "libs", "util", "utils", "common", "helpers", "shared"), 0),
    **dict.fromkeys(("model", "models", "domain", "entities", "schema", "schemas", "db"), 1),
    **dict.fromkeys(("repository", "repositories", "repos", "dao", "daos"), 2),
    **dict.fromkeys(("services", "service", "usecases", "use_cases", "business"), 3),
    **dict.fromkeys(("api", "web", "views", "controllers", "routes", "routers", "handlers", "cli", "endpoints"), 4),
    **dict.fromkeys(("blueprints", "presentation", "resolvers", "graphql", "httpapi", "rest", "http", "ui"), 4),
    **dict.fromkeys(("workers", "worker", "jobs", "tasks", "scheduler", "commands"), 4),
}
"""Layers that go by names everybody uses, lowest first."""
_OF_THE_WEB = frozenset({"schema", "schemas", "serializers", "forms", "helpers", "utils", "deps", "dependencies"})
"""Folders and modules that belong to the layer of the web where they stand below it."""
_INNER, _OUTER = frozenset({"domain", "entities"}), frozenset({"infrastructure", "infra", "adapters"})
_FOUNDATIONS = frozenset(
    {"config", "conf", "settings", "constants", "errors", "exceptions", "types", "log", "logging", "version"}
)
"""What helpers may need, wherever it stands."""
_STORES = frozenset({"repositories", "repository", "repos", "dao", "daos"})
_SERVING = frozenset({"routes", "routers", "controllers", "handlers", "middleware", "middlewares"})
_REPOSITORIES, _WEB, _NO_LAYER = 2, 4, 9
_FEW = 3
"""One file in so many that imports what stands above its folder is the exception there."""
_BROWSER = (".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx")
"""Where `api` and `utils` are other layers than on a server."""


def layering(project: Project) -> Iterator[Finding]:
    """Yield imports against the stream: from a layer that goes by its name, or a folder that is itself imported."""
    said = between_sources(project)
    inner = [edge for edge in said if not edge.typing]
    folders: dict[tuple[str, str], int] = Counter((folder_of(edge.source), folder_of(edge.target)) for edge in inner)
    ranks: dict[tuple[int, int], int] = Counter(
        (_rank(edge.source), _rank(edge.target)) for edge in said if not edge.typing or _points_down(edge)
    )
    lone = _lone(project, inner)
    breaches: dict[tuple[str, str], list[Edge]] = defaultdict(list)
    sure: dict[tuple[str, str], tuple[bool, int]] = {}
    for edge in sorted(inner, key=lambda edge: (edge.source, edge.line, edge.target)):
        lower, upper = folder_of(edge.source), folder_of(edge.target)
        against, main = folders[lower, upper], folders[upper, lower]
        apart = lower != upper and not lower.startswith(f"{upper}/") and not upper.startswith(f"{lower}/")
        by_count = apart and main >= max(LEAST_STREAM, AGAINST_THE_STREAM * against)
        low, high = _rank(edge.source), _rank(edge.target)
        by_name = (
            (not edge.source.endswith(_BROWSER) or _is_on_server(edge))
            and low < high != _NO_LAYER
            and high >= _REPOSITORIES
            and ranks[high, low] >= ranks[low, high]
        )
        by_name = by_name or _is_outward(edge)
        by_name = by_name or (project.kind != "library" and _is_shared_above(edge, folders, lone))
        adapts = edge.source.rpartition("/")[2].removesuffix(".py") in upper.split("/")  # auth/admin.py speaks to admin
        if (by_count or by_name) and not adapts:
            names = (lower, upper) if lower != upper else (edge.source, edge.target)
            breaches[names].append(edge)
            sure[names] = (by_count and by_name, main or ranks[high, low])
    for names, edges in breaches.items():
        yield _breach(project, edges, *names, sure[names][1], sure=sure[names][0])


def _points_down(edge: Edge) -> bool:
    return _rank(edge.source) > _rank(edge.target)


def _is_on_server(edge: Edge) -> bool:
    """Return whether a script imports between layers that only servers have by these names."""
    lower, upper = (set(each.split("/")[:-1]) for each in (edge.source, edge.target))
    from_repository = bool(lower & _STORES) and bool(upper & (_SERVING | {"services", "service"}))
    return from_repository or (bool(lower & {"services", "service"}) and bool(upper & _SERVING))


def _is_outward(edge: Edge) -> bool:
    """Return whether the rules of the business import what connects them to the outside (ports and adapters)."""
    inner, outer = (set(each.split("/")[:-1]) for each in (edge.source, edge.target))
    return bool(inner & _INNER and outer & _OUTER and not inner & _OUTER)


def _is_shared_above(edge: Edge, folders: Mapping[tuple[str, str], int], lone: Set[str]) -> bool:
    """Return whether a folder of shared helpers imports one of those it is there for."""
    lower, upper = folder_of(edge.source), folder_of(edge.target)
    stem = edge.target.rpartition("/")[2].partition(".")[0]
    apart = lower != upper and not upper.startswith(lower) and not lower.startswith(f"{upper}/") and upper != "."
    shared = _rank(edge.source) == 0 < _rank(edge.target) and stem not in _FOUNDATIONS
    against = 0 < folders.get((lower, upper), 0) <= folders.get((upper, lower), 0)
    return apart and shared and (against or (edge.source in lone and _rank(edge.target) != _NO_LAYER))


def _lone(project: Project, edges: Sequence[Edge]) -> Set[str]:
    """Return the few files of folders of shared helpers that import a layer, where most beside them import none."""
    above = {
        edge.source
        for edge in edges
        if _rank(edge.source) == 0 < _rank(edge.target) < _NO_LAYER and not edge.source.endswith(_BROWSER)
    }
    helpers: dict[str, set[str]] = defaultdict(set)
    for facts in project.of_role("source"):
        folder = folder_of(facts.path)
        if _RANK.get(folder.rpartition("/")[2]) == 0 and not facts.path.endswith("__init__.py"):
            helpers[folder].add(facts.path)
    return {path for paths in helpers.values() if len(paths & above) * _FEW <= len(paths) for path in paths & above}


def _rank(path: str) -> int:
    """Return the layer a file is in by the name of its folder, or by its own; `_NO_LAYER` where none is known."""
    parts = path.rpartition(".")[0].split("/")
    if _OF_THE_WEB.intersection(parts) and any(_RANK.get(part) == _WEB for part in parts[1:]):
        return _WEB
    ranks = [_RANK[part] for part in reversed(parts) if part in _RANK]
    if ranks[:1] == [_WEB] and parts[-1] in _RANK and parts[-2:-1] and 0 < _RANK.get(parts[-2], 0) < _WEB:
        return _RANK[parts[-2]]  # repositories/jobs.py holds rows of jobs, and runs none
    return next(iter(ranks), _NO_LAYER)


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
