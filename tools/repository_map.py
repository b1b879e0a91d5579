"""A sketch of a repository: sizes, names and imports before any content."""

import ast
import re
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Literal

from ..state.errors import StoreError
from .code_index.choice import Role, choose, role_of
from .code_index.languages import language_of
from .code_index.read import decode
from .import_graph import Edge, Import, Modules, cycles, edges, importers, read_imports
from .manifest import Manifest, read_manifests
from .sketch_cache import FileSketch, SketchCache
from .tree import TreeFile, walk

RepositoryKind = Literal["web application", "library", "monorepo", "data project", "application"]

MOST_PARSED = 4_000
"""Python files whose imports are read; in a larger repository the ones nearest to the root."""
AGAINST_THE_STREAM = 3
"""Imports in one direction for one in the other, from which on the other is called a breach."""
_WEB = frozenset(
    {
        *("flask", "django", "fastapi", "starlette", "aiohttp", "tornado", "bottle", "pyramid", "sanic", "quart"),
        *("falcon", "litestar", "express", "koa", "next"),
    }
)
_DATA = frozenset({"pandas", "numpy", "scikit-learn", "torch", "tensorflow", "matplotlib", "jupyter", "polars"})
_LIBRARY = re.compile(r"Framework ::|:: Libraries")
_STARTED = re.compile(
    r"(^|/)(manage|wsgi|asgi|app|main|cli|server|run|__main__)\.py$|(^|/)(index|main|server|app)\.[jt]sx?$"
    r"|(^|/)main\.(go|rs|c|cpp)$|(^|/)Main\.java$"
)
_STARTS_HERE = re.compile(
    r"^if __name__ == .__main__.:|^\s*def create_app\(|^\w+\s*=\s*(?:Flask|FastAPI|Typer|Starlette)\(", re.MULTILINE
)
_GUIDES = re.compile(
    r"^(readme|agents|contributing|claude|architecture|changelog|changes|history|news)(\.[\w-]+)*$"
    r"|^docs?/(index|readme|architecture|overview|design)\.\w+$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Folder:
    """A folder of source files, as one box of the sketch."""

    path: str
    files: int
    lines: int
    needs: tuple[str, ...]
    """Folders its files import from, most used first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryPoint:
    """Where the program can be started, or where a caller comes in."""

    path: str
    line: int
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryMap:
    """The sketch."""

    kind: RepositoryKind
    why_kind: str
    files: int
    sources: int
    tests: int
    lines: int
    """Of source and test files."""
    languages: Mapping[str, int]
    """Source and test files by language, most first."""
    guides: tuple[TreeFile, ...]
    """README, AGENTS.md and the like, with size and time."""
    entry_points: tuple[EntryPoint, ...]
    folders: tuple[Folder, ...]
    """Largest first."""
    layers: tuple[tuple[str, ...], ...]
    """Folders in the order of imports, the ones nobody imports first; folders in a cycle stand together."""
    biggest: tuple[tuple[str, int], ...]
    """Source files with most lines."""
    most_imported: tuple[tuple[str, int], ...]
    """Source files with the number of source files that import them."""
    edges: tuple[Edge, ...] = ()
    """Imports of source files by source files."""
    test_edges: tuple[Edge, ...] = ()
    """Imports of source files by tests."""
    manifest: Manifest = field(default_factory=Manifest)
    notes: tuple[str, ...] = ()
    """What the sketch leaves out, and why."""

    def flow(self, start: str, most: int = 6) -> list[str]:
        """Return the way from an entry point down to where most imports lead: one file of each step."""
        needs: dict[str, list[str]] = defaultdict(list)
        for edge in self.edges:
            needs[edge.source].append(edge.target)
        weight = dict(self.most_imported)
        way, here = [start], start
        while len(way) < most:
            following = [path for path in needs.get(here, []) if path not in way and needs.get(path)]
            if not following:
                break
            here = max(following, key=lambda path: (len(set(needs[path])), -weight.get(path, 0), path))
            way.append(here)
        return way


def sketch(repo: Path, cache: SketchCache | None = None) -> RepositoryMap:
    """Return the sketch of a repository; a file that cannot be read is left out and counted in `notes`.

    Args:
        repo: The repository's folder.
        cache: Knows what earlier sketches have read; None reads every file.
    """
    tree = walk(repo)
    notes = [] if tree.complete else [f"more than {len(tree.files)} files: the rest is not on the map"]
    notes += [f"unreadable folder: {folder}" for folder in tree.unreadable[:5]]
    chosen, _ = choose(tree.files)
    code = [(file, role_of(file.path, language)) for file in chosen if (language := language_of(file.path))]
    read = _read_code(repo, code, notes, cache)
    own = (file.path for file in tree.files if role_of(f"{_folder(file.path)}/x.py", "python") == "source")
    manifest = read_manifests(own, lambda path: _text(repo, path))
    paths = [file.path for file, _ in code]
    found = edges(read.imports, Modules(paths))
    roles = {file.path: role for file, role in code}
    inner = [edge for edge in found if roles[edge.source] == roles[edge.target] == "source"]
    sources = [path for path in paths if roles[path] == "source"]
    kind, why = kind_of(
        [file.path for file in tree.files], manifest, any(roles[path] == "source" for path in read.factories)
    )
    imported = Counter({path: len(users) for path, users in importers(inner).items()})
    return RepositoryMap(
        kind=kind,
        why_kind=why,
        files=len(tree.files),
        sources=len(sources),
        tests=sum(role == "test" for role in roles.values()),
        lines=sum(count for path, count in read.lines.items() if roles[path] in ("source", "test")),
        languages=dict(Counter(language_of(path) for path in paths).most_common()),
        guides=tuple(file for file in tree.files if _GUIDES.search(file.path))[:8],
        entry_points=_entry_points(sources, read, manifest, Modules(paths)),
        folders=_folders(sources, read.lines, inner),
        layers=layers_of(boxes_of(sources), inner),
        biggest=tuple(sorted(((path, read.lines.get(path, 0)) for path in sources), key=lambda row: -row[1])[:10]),
        most_imported=tuple(imported.most_common(10)),
        edges=tuple(inner),
        test_edges=tuple(edge for edge in found if (roles[edge.source], roles[edge.target]) == ("test", "source")),
        manifest=manifest,
        notes=tuple(notes),
    )


@dataclass(slots=True)
class _Read:
    lines: dict[str, int] = field(default_factory=dict)
    imports: dict[str, Sequence[Import]] = field(default_factory=dict)
    factories: dict[str, int] = field(default_factory=dict)
    """Line where a file makes or starts the application."""


def _read_code(repo: Path, code: Sequence[tuple[TreeFile, Role]], notes: list[str], cache: SketchCache | None) -> _Read:
    read, fresh = _Read(), dict[TreeFile, FileSketch]()
    known = cache.load(file for file, _ in code) if cache is not None else {}
    parsed = unread = 0
    for file, _ in sorted(code, key=lambda row: (row[1] == "test", row[0].path.count("/"), row[0].path)):
        is_parsed = file.path.endswith(".py") and parsed < MOST_PARSED
        parsed += is_parsed
        found = known.get(file.path)
        if found is None:
            text = _text(repo, file.path)
            if not text and file.size:
                unread += 1
                continue
            found = _file_sketch(text, python=is_parsed)
            if is_parsed or not file.path.endswith(".py"):
                fresh[file] = found
        read.lines[file.path] = found.lines
        if found.starts:
            read.factories[file.path] = found.starts
        if is_parsed:
            read.imports[file.path] = found.imports
    python = sum(file.path.endswith(".py") for file, _ in code)
    if python > parsed:
        notes.append(f"imports of {parsed} of {python} Python files were read")
    if unread:
        notes.append(f"{unread} source files are binary or unreadable")
    if cache is not None and fresh:
        try:
            cache.keep(fresh)
        except StoreError as error:
            notes.append(f"what was read is not kept for the next look: {error}")
    return read


def _file_sketch(text: str, *, python: bool) -> FileSketch:
    start = _STARTS_HERE.search(text)
    return FileSketch(
        lines=text.count("\n") + (not text.endswith("\n") and bool(text)),
        starts=text.count("\n", 0, start.start()) + 1 if start else 0,
        imports=tuple(imports_of(text)) if python else (),
    )


def imports_of(text: str) -> list[Import]:
    """Return the imports of Python source, or none where it has syntax errors."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a repository's own invalid escapes are not ours to report here
            return read_imports(ast.parse(text))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _text(repo: Path, path: str) -> str:
    try:
        return decode((repo / path).read_bytes()) or ""
    except OSError:
        return ""


def kind_of(paths: Sequence[str], manifest: Manifest, has_factory: bool) -> tuple[RepositoryKind, str]:
    """Return what kind of repository this is, and what shows it."""
    needs = {each.key for each in manifest.requirements}
    names = {PurePosixPath(path).name for path in paths}
    projects = {
        str(PurePosixPath(path).parent)
        for path in manifest.paths
        if PurePosixPath(path).name in ("pyproject.toml", "setup.py", "package.json", "go.mod", "Cargo.toml")
    }
    if len(projects - {"."}) >= 2:
        return "monorepo", f"manifests in {', '.join(sorted(projects - {'.'})[:3])}"
    web = sorted(needs & _WEB)
    if web and (has_factory or names & {"manage.py", "wsgi.py", "asgi.py"}):
        return "web application", f"depends on {web[0]} and starts an application"
    notebooks = sum(path.endswith(".ipynb") for path in paths)
    data = sorted(needs & _DATA)
    if notebooks >= 3 or (notebooks and data):
        return "data project", f"{notebooks} notebooks"
    if mark := next((each for each in manifest.classifiers if _LIBRARY.search(each)), ""):
        return "library", mark
    if manifest.name and not manifest.scripts and not has_factory and not names & {"manage.py", "wsgi.py", "main.py"}:
        return "library", f"published as {manifest.name}, starts nothing"
    return "application", "it is started, not imported" if manifest.scripts else "no sign of anything more special"


def _folders(sources: Sequence[str], lines: Mapping[str, int], inner: Iterable[Edge]) -> tuple[Folder, ...]:
    files: dict[str, list[str]] = defaultdict(list)
    for path in sources:
        files[_folder(path)].append(path)
    needs: dict[str, Counter[str]] = defaultdict(Counter)
    for edge in inner:
        if _folder(edge.source) != _folder(edge.target):
            needs[_folder(edge.source)][_folder(edge.target)] += 1
    boxes = (
        Folder(
            path=folder,
            files=len(members),
            lines=sum(lines.get(path, 0) for path in members),
            needs=tuple(name for name, _ in needs[folder].most_common()),
        )
        for folder, members in files.items()
    )
    return tuple(sorted(boxes, key=lambda box: (-box.lines, box.path)))


def _folder(path: str) -> str:
    return str(PurePosixPath(path).parent)


def boxes_of(paths: Iterable[str]) -> dict[str, str]:
    """Return, by file, the box it is in: its folder, or the file itself where the folder holds folders of source.

    The modules beside sub-packages are the application's root and its foundation at once: one box would tie a knot.
    """
    paths = list(paths)
    inner = {_folder(path) for path in paths}
    outer = {str(parent) for folder in inner for parent in PurePosixPath(folder).parents if str(parent) in inner}
    return {path: path if _folder(path) in outer else _folder(path) for path in paths}


def main_directions(box: Mapping[str, str], inner: Iterable[Edge]) -> dict[tuple[str, str], int]:
    """Return how often files of one box import files of another, without what goes against the stream.

    One import against many in the other direction is a breach of the layers, not part of them.
    """
    counts = Counter((box[edge.source], box[edge.target]) for edge in inner)
    return {
        (one, other): count
        for (one, other), count in counts.items()
        if one != other and count * AGAINST_THE_STREAM > counts[other, one]
    }


def layers_of(box: Mapping[str, str], inner: Sequence[Edge]) -> tuple[tuple[str, ...], ...]:
    """Return boxes ordered so that imports point down; those in a cycle share a layer."""
    kept = [Edge(source=one, target=other, line=0, late=False) for one, other in main_directions(box, inner)]
    group: dict[str, tuple[str, ...]] = {name: (name,) for edge in kept for name in (edge.source, edge.target)}
    for members in cycles(kept):
        group.update(dict.fromkeys(members, tuple(members)))
    below: dict[tuple[str, ...], set[tuple[str, ...]]] = {members: set() for members in group.values()}
    for edge in kept:
        if group[edge.source] != group[edge.target]:
            below[group[edge.source]].add(group[edge.target])
    levels: list[tuple[str, ...]] = []
    while below:
        lowest = [members for members, under in below.items() if not under & below.keys()]
        levels.append(tuple(sorted(name for each in lowest for name in each)))
        for each in lowest:
            del below[each]
    return tuple(reversed(levels))


def _entry_points(sources: Sequence[str], read: _Read, manifest: Manifest, modules: Modules) -> tuple[EntryPoint, ...]:
    found: dict[str, EntryPoint] = {}
    for command, target in manifest.scripts.items():
        path = modules.path(target.partition(":")[0])
        if path:
            found[path] = EntryPoint(path=path, line=1, what=f"command {command}")
    for path in sorted(sources, key=lambda path: (path.count("/"), path)):
        line = read.factories.get(path, 0)
        if path not in found and (line or _STARTED.search(path)):
            found[path] = EntryPoint(
                path=path, line=line or 1, what="starts or makes the application" if line else "start"
            )
    return tuple(list(found.values())[:12])
