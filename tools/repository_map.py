"""A sketch of a repository: sizes, names and imports before any content."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..state.errors import StoreError
from .code_index.choice import Role, choose, role_of
from .code_index.languages import language_of
from .code_index.read import decode
from .import_graph import Edge, Import, Modules, edges, importers, read_imports
from .layers import boxes_of, folder_of, layers_of
from .manifest import Manifest, read_manifests
from .python_names import parsed
from .repository_kind import RepositoryKind, kind_of
from .sketch_cache import FileSketch, SketchCache
from .tree import TreeFile, walk

MOST_PARSED = 4_000
"""Python files whose imports are read; in a larger repository the ones nearest to the root."""
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
    paths: tuple[str, ...] = ()
    """Source files."""
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
    code: list[tuple[TreeFile, Role]] = [
        (file, role_of(file.path, language)) for file in chosen if (language := language_of(file.path))
    ]
    read = _read_code(repo, code, notes, cache)
    own = (file.path for file in tree.files if role_of(f"{folder_of(file.path)}/x.py", "python") == "source")
    manifest = read_manifests(own, lambda path: text_of(repo, path))
    paths = [file.path for file, _ in code]
    modules = Modules(paths, prefix=(manifest.name or "").replace("-", "_"))
    found = edges(read.imports, modules)
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
        entry_points=_entry_points(sources, read, manifest, modules),
        folders=_folders(sources, read.lines, inner),
        layers=layers_of(boxes_of(sources), inner),
        biggest=tuple(sorted(((path, read.lines.get(path, 0)) for path in sources), key=lambda row: -row[1])[:10]),
        most_imported=tuple(imported.most_common(10)),
        paths=tuple(sources),
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
            text = text_of(repo, file.path)
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
    tree = parsed(text)
    return read_imports(tree) if tree else []


def text_of(repo: Path, path: str) -> str:
    """Return the text of a file, `""` where it cannot be read or is binary."""
    try:
        return decode((repo / path).read_bytes()) or ""
    except OSError:
        return ""


def _folders(sources: Sequence[str], lines: Mapping[str, int], inner: Iterable[Edge]) -> tuple[Folder, ...]:
    files: dict[str, list[str]] = defaultdict(list)
    for path in sources:
        files[folder_of(path)].append(path)
    needs: dict[str, Counter[str]] = defaultdict(Counter)
    for edge in inner:
        if folder_of(edge.source) != folder_of(edge.target):
            needs[folder_of(edge.source)][folder_of(edge.target)] += 1
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
