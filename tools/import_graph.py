"""Which Python module of a repository imports which: by syntax, resolved to files."""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

SOURCE_ROOTS = frozenset({"src", "lib", "python"})
"""Folders that are put on the path, so that their own name is no part of a module's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """One import statement, or one name of a `from` import."""

    module: str
    """Dotted, without leading dots; `""` in `from . import x`."""
    name: str = ""
    """What is taken from the module; `""` in `import a.b`."""
    level: int = 0
    """Leading dots."""
    line: int
    late: bool = False
    """Inside a function: not run when the module is loaded."""
    typing: bool = False
    """Only for type checkers: never run."""
    alias: str = ""
    """Name it goes by in the file; `""` for its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """One file needs another."""

    source: str
    target: str
    line: int
    late: bool
    typing: bool = False
    name: str = ""
    """What is taken from the target; `""` for the module itself."""
    local: str = ""
    """What it goes by in the source: `c` after `import a.b as c`, `a.b` after `import a.b`."""


def read_imports(tree: ast.Module) -> list[Import]:
    """Return every import of a module in the order of lines."""
    found: list[Import] = []
    waiting: list[tuple[ast.AST, bool, bool]] = [(tree, False, False)]
    while waiting:
        node, late, typing = waiting.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            found += _imports_of(node, late, typing)
        elif isinstance(node, ast.If) and _is_for_types(node.test):
            waiting += [(child, late, True) for child in node.body]
            waiting += [(child, late, typing) for child in node.orelse]
        elif not isinstance(node, ast.expr):
            inner = late or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            waiting += [(child, inner, typing) for child in ast.iter_child_nodes(node)]
    return sorted(found, key=lambda each: each.line)


def _is_for_types(test: ast.expr) -> bool:
    names = (getattr(each, "id", getattr(each, "attr", "")) for each in ast.walk(test))
    return "TYPE_CHECKING" in names


def _imports_of(node: ast.Import | ast.ImportFrom, late: bool, typing: bool) -> list[Import]:
    level = node.level if isinstance(node, ast.ImportFrom) else 0
    return [
        Import(
            module=(node.module or "") if isinstance(node, ast.ImportFrom) else alias.name,
            name=alias.name if isinstance(node, ast.ImportFrom) else "",
            level=level,
            line=node.lineno,
            late=late,
            typing=typing,
            alias=alias.asname or "",
        )
        for alias in node.names
    ]


class Modules:
    """The modules of a repository by dotted name.

    Args:
        paths: Its files.
        prefix: A name its modules are installed under that no folder has, as a package directory of setuptools gives.
    """

    def __init__(self, paths: Iterable[str], prefix: str = "") -> None:
        self._paths = {path for path in paths if path.endswith((".py", ".pyi"))}
        self._packages = {str(PurePosixPath(path).parent) for path in self._paths if path.endswith("/__init__.py")}
        self._by_name: dict[str, str] = {}
        for path in sorted(self._paths, key=lambda path: (path.endswith(".pyi"), path.count("/"))):
            for name in self._names(path):
                self._by_name.setdefault(name, path)
        self._prefix = f"{prefix}." if prefix and prefix not in self.tops() else ""

    def __contains__(self, name: str) -> bool:
        return bool(self.path(name))

    def path(self, name: str) -> str:
        """Return the file of a dotted name, or `""`."""
        found = self._by_name.get(name, "")
        if not found and self._prefix and name.startswith(self._prefix):
            found = self._by_name.get(name.removeprefix(self._prefix), "")
        return found

    def tops(self) -> frozenset[str]:
        """Return the first parts of all names: what an import of our own starts with."""
        return frozenset(name.partition(".")[0] for name in self._by_name)

    def _names(self, path: str) -> Iterator[str]:
        """Yield the names a file can be imported by: from the repository, from a source root, from its own package."""
        parts = PurePosixPath(path).with_suffix("").parts
        if parts[-1] == "__init__":
            parts = parts[:-1]
        starts = {0, self._package_start(path)}
        starts |= {place + 1 for place, part in enumerate(parts[:-1]) if part in SOURCE_ROOTS and place < 2}
        for start in sorted(starts):
            if parts[start:]:
                yield ".".join(parts[start:])

    def _package_start(self, path: str) -> int:
        """Return how many folders stand above the outermost package a file is in."""
        folder = PurePosixPath(path).parent
        while str(folder) in self._packages:
            folder = folder.parent
        return len(folder.parts)

    def resolve(self, path: str, each: Import) -> str:
        """Return the file an import of the file `path` leads to, or `""` when it is none of the repository's."""
        return self.leads_to(path, each)[0]

    def leads_to(self, path: str, each: Import) -> tuple[str, bool]:
        """Return the file as `resolve` does, and whether the import means that file itself, not a name in it.

        `from a import b` means the module `a/b.py` where there is one, else the name `b` of `a`.
        """
        if each.level:
            base = PurePosixPath(path).parent.parts
            base = base[: len(base) - (each.level - 1)] if each.level > 1 else base
            stem = "/".join((*base, *each.module.split("."))) if each.module else "/".join(base)
            module = self._file(f"{stem}/{each.name}")
            return (module, True) if module else (self._file(stem), False)
        if each.name:
            module = self.path(f"{each.module}.{each.name}")
            return (module, True) if module else (self.path(each.module), False)
        name = each.module
        while name and name not in self:  # `import a.b.c` runs a/__init__.py at least
            name = name.rpartition(".")[0]
        return self.path(name), True

    def _file(self, stem: str) -> str:
        for path in (f"{stem}.py", f"{stem}/__init__.py", f"{stem}.pyi"):
            if path.removeprefix("/") in self._paths:
                return path.removeprefix("/")
        return ""


def edges(imports: Mapping[str, Sequence[Import]], modules: Modules) -> list[Edge]:
    """Return every import of a repository's file by another, in the order of files and lines."""
    found = []
    for path, each_of in imports.items():
        for each in each_of:
            target, is_module = modules.leads_to(path, each)
            if target and target != path:
                edge = Edge(
                    source=path,
                    target=target,
                    line=each.line,
                    late=each.late,
                    typing=each.typing,
                    name="" if is_module else each.name,
                    local=each.alias or each.name or each.module,
                )
                found.append(edge)
    return found


def importers(all_edges: Iterable[Edge]) -> dict[str, set[str]]:
    """Return, by file, the files that import it."""
    found: dict[str, set[str]] = defaultdict(set)
    for edge in all_edges:
        found[edge.target].add(edge.source)
    return dict(found)


def cycles(all_edges: Iterable[Edge]) -> list[list[str]]:
    """Return the groups of files that import each other when loaded, each sorted (Tarjan's components)."""
    needs: dict[str, list[str]] = defaultdict(list)
    for edge in all_edges:
        if not edge.late and not edge.typing:
            needs[edge.source].append(edge.target)
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_path: list[str] = []
    on_path: set[str] = set()
    groups: list[list[str]] = []
    for start in sorted(needs):
        if start in number:
            continue
        calls = [(start, iter(needs[start]))]
        number[start] = lowest[start] = len(number)
        open_path.append(start)
        on_path.add(start)
        while calls:
            node, rest = calls[-1]
            following = next(rest, None)
            if following is None:
                calls.pop()
                if calls:
                    outer = calls[-1][0]
                    lowest[outer] = min(lowest[outer], lowest[node])
                if lowest[node] == number[node]:
                    place = open_path.index(node)
                    group, open_path = open_path[place:], open_path[:place]
                    on_path.difference_update(group)
                    if len(group) > 1:
                        groups.append(sorted(group))
            elif following not in number:
                number[following] = lowest[following] = len(number)
                open_path.append(following)
                on_path.add(following)
                calls.append((following, iter(needs.get(following, ()))))
            elif following in on_path:
                lowest[node] = min(lowest[node], number[following])
    return sorted(groups)
