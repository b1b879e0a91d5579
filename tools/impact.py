"""What breaks if a file or a name of it changes: the lines that use it, aliases and re-exports included, and tests."""

import ast
import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from .import_graph import Edge, importers
from .python_names import attributes, defined, members, mentions, parsed, public

_IMPORTING = re.compile(r"\b(?:import|require|include|use|using|from|mod|load)\b")
MOST_HOPS = 20
"""Re-exports that are followed from one name to where it is defined."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Use:
    """One line that uses what may change."""

    path: str
    line: int
    name: str = ""
    """What it takes from there; `""` for an import of the whole module that nothing is taken from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Impact:
    """Who notices when a file, or one name of it, changes."""

    path: str
    symbol: str = ""
    """The name; `""` for the whole file."""
    uses: tuple[Use, ...] = ()
    """In source files, by path and line."""
    further: tuple[str, ...] = ()
    """Source files that import those, and those that import them, nearest first."""
    tests: tuple[Use, ...] = ()
    """In tests."""
    far_tests: tuple[str, ...] = ()
    """Tests that reach it only through other files."""
    by_text: bool = False
    """No language whose imports are resolved: only lines that import something of its name were looked for."""

    @property
    def users(self) -> tuple[str, ...]:
        """Return the source files that use it."""
        return tuple(dict.fromkeys(use.path for use in self.uses))


class Imports:
    """Who imports what in a repository, as Python resolves it.

    Args:
        edges: Imports of source files by source files.
        test_edges: Imports of source files by tests.
        read: Returns the text of a file.
    """

    def __init__(self, edges: Sequence[Edge], test_edges: Sequence[Edge], read: Callable[[str], str]) -> None:
        self._edges, self._test_edges, self._read = edges, test_edges, read
        self._exposed: dict[tuple[str, str], tuple[str, str]] = {}
        self._stars: dict[str, list[str]] = defaultdict(list)
        for edge in edges:
            if edge.name == "*":
                self._stars[edge.source].append(edge.target)
            elif "." not in edge.local and not edge.late:
                self._exposed[edge.source, edge.local] = edge.target, edge.name
        self._trees: dict[str, ast.Module | None] = {}

    def impact(self, path: str, symbol: str = "") -> Impact:
        """Return who notices when a file, or one name of it, changes.

        A method is looked for by its name alone in all files that reach its own: what an object is cannot be seen.
        """
        if symbol and symbol not in defined(self._tree(path)):
            return self._of_member(path, symbol)
        carriers = self._carriers(path)
        uses = {*self._uses(self._edges, carriers, path, symbol)}
        if symbol:
            uses |= {Use(path=path, line=line, name=symbol) for line in mentions(self._tree(path), symbol)}
        return self._with_far(path, symbol, uses, {*self._uses(self._test_edges, carriers, path, symbol)})

    def _of_member(self, path: str, symbol: str) -> Impact:
        whole = self.impact(path)
        sources = {path, *whole.users, *whole.further}
        tests = {*(use.path for use in whole.tests), *whole.far_tests}
        uses, tested = (
            {Use(path=file, line=line, name=symbol) for file in files for line in members(self._tree(file), symbol)}
            for files in (sources, tests)
        )
        return self._with_far(path, symbol, uses, tested)

    def _with_far(self, path: str, symbol: str, uses: set[Use], tests: set[Use]) -> Impact:
        near = {use.path for use in uses} - {path}
        further = self._further(near, {path, *near})
        reached = {path, *near, *further}
        far = {edge.source for edge in self._test_edges if edge.target in reached} - {use.path for use in tests}
        return Impact(
            path=path,
            symbol=symbol,
            uses=tuple(sorted(uses)),
            further=tuple(further),
            tests=tuple(sorted(tests)),
            far_tests=tuple(sorted(far)),
        )

    def origin(self, path: str, name: str) -> tuple[str, str]:
        """Return the file and the name that a name of a module really is, `""` for a whole module."""
        for _ in range(MOST_HOPS):
            following = self._exposed.get((path, name)) or self._by_star(path, name)
            if following is None:
                break
            path, name = following
            if not name:
                break
        return path, name

    def _by_star(self, path: str, name: str) -> tuple[str, str] | None:
        found = (target for target in self._stars.get(path, ()) if name in public(self._tree(target)))
        target = next(found, None)
        return (target, name) if target else None

    def _carriers(self, path: str) -> set[str]:
        """Return the files through which names of a file can be had: itself, and those that re-export from it."""
        sources = defaultdict(set)
        for edge in self._edges:
            if edge.name or edge.source.endswith("__init__.py"):
                sources[edge.target].add(edge.source)
        found, waiting = {path}, [path]
        while waiting:
            for source in sources[waiting.pop()] - found:
                found.add(source)
                waiting.append(source)
        return found

    def _uses(self, edges: Iterable[Edge], carriers: set[str], path: str, symbol: str) -> Iterator[Use]:
        """Yield the lines of other files that use a file, or one name of it."""
        for edge in edges:
            if edge.target not in carriers or edge.source == path:
                continue
            if edge.name == "*":
                yield from self._by_name(edge, public(self._tree(path)), path, symbol)
            elif edge.name:
                real, name = self.origin(edge.target, edge.name)
                if real == path and name:
                    if symbol in ("", name):
                        yield from self._lines(edge, name, mentions(self._tree(edge.source), edge.local))
                    continue
                if real == path:
                    yield from self._attributes(edge, real, path, symbol)
            else:
                yield from self._attributes(edge, edge.target, path, symbol)

    def _by_name(self, edge: Edge, names: set[str], path: str, symbol: str) -> Iterator[Use]:
        for name in sorted(names if not symbol else names & {symbol}):
            if self.origin(edge.target, name) == (path, name):
                for line in mentions(self._tree(edge.source), name):
                    yield Use(path=edge.source, line=line, name=name)

    def _attributes(self, edge: Edge, module: str, path: str, symbol: str) -> Iterator[Use]:
        """Yield what is taken from a module that goes by a name of its own, such as `c.f` after `import a.b as c`."""
        taken = False
        for line, name in attributes(self._tree(edge.source), edge.local):
            real = self.origin(module, name)
            if real[0] == path and real[1] and symbol in ("", real[1]):
                taken = True
                yield Use(path=edge.source, line=line, name=real[1])
        if not taken and not symbol and module == path:
            yield Use(path=edge.source, line=edge.line)

    def _lines(self, edge: Edge, name: str, lines: Sequence[int]) -> Iterator[Use]:
        for line in lines or (edge.line,):
            yield Use(path=edge.source, line=line, name=name)

    def _further(self, near: set[str], known: set[str]) -> list[str]:
        users = importers(self._edges)
        waiting, seen, found = deque(sorted(near)), set(known), list[str]()
        while waiting:
            for path in sorted(users.get(waiting.popleft(), set()) - seen):
                seen.add(path)
                found.append(path)
                waiting.append(path)
        return found

    def _tree(self, path: str) -> ast.Module | None:
        if path not in self._trees:
            self._trees[path] = parsed(self._read(path))
        return self._trees[path]


def impact_by_text(path: str, paths: Iterable[str], read: Callable[[str], str]) -> Impact:
    """Return the lines of other files of a language that import something by the name of a file.

    For languages whose imports are not resolved: another file of that name counts, too; tests are not told apart.

    Args:
        path: The file.
        paths: Files that may use it.
        read: Returns the text of a file.
    """
    name, ending = path.rpartition("/")[2].partition(".")[::2]
    if name in ("index", "mod", "main", "lib") and "/" in path:  # it goes by its folder's name
        name = path.split("/")[-2]
    word = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
    kin = [each for each in paths if each != path and each.rpartition(".")[2][:2] == ending.rpartition(".")[2][:2]]
    found = [
        Use(path=each, line=number)
        for each in kin
        for number, line in enumerate(read(each).splitlines(), 1)
        if _IMPORTING.search(line) and word.search(line)
    ]
    return Impact(path=path, uses=tuple(sorted(found)), by_text=True)
