"""The programs of a repository: the commands that one module and what it imports define together."""

from collections.abc import Mapping, Sequence, Set
from functools import cached_property
from types import MappingProxyType

from ...import_graph import Edge
from ..facts.file import FileFacts
from ..facts.python import Command

_STEPS = 4
"""Imports from the module that is started to the one that knows a command."""
_LOADS = frozenset({"import_module", "iter_modules", "walk_packages", "entry_points", "load_module", "__import__"})
"""How a program takes in commands that no import names."""


class Programs:
    """Looks up what the program of a module knows."""

    def __init__(self, files: Mapping[str, FileFacts], edges: Sequence[Edge]) -> None:
        """Keep the files, and the imports between them."""
        self._files = files
        self._edges = edges
        self._known: dict[str, Mapping[str, Command]] = {}

    def of(self, path: str) -> Mapping[str, Command]:
        """Return the commands of the program that starts in a module, by their words; `""` is the program."""
        if path not in self._known:
            self._known[path] = MappingProxyType(self._read(self._reached(path)))
        return self._known[path]

    @cached_property
    def _targets(self) -> Mapping[str, Set[str]]:
        found: dict[str, set[str]] = {}
        for edge in self._edges:
            found.setdefault(edge.source, set()).add(edge.target)
        return found

    def _reached(self, path: str) -> Sequence[FileFacts]:
        """Return the files a program is made of."""
        found, last = {path}, {path}
        for _ in range(_STEPS):
            last = {target for each in last for target in self._targets.get(each, ())} - found
            found |= last
        return [self._files[each] for each in sorted(found) if each in self._files]

    def _read(self, files: Sequence[FileFacts]) -> dict[str, Command]:
        told = [each.python for each in files if each.python]
        rows = [row for each in told for row in each.commands]
        held = {row.held: row.path for row in rows if row.held and not row.path.startswith("@")}
        tables: dict[str, list[str]] = {}
        for name, keys in (pair for each in told for pair in each.tables.items()):
            tables[name] = [*tables.get(name, ()), *keys]
        found: dict[str, Command] = {}
        for row in rows:
            above, _, below = row.path.partition(" ")
            path = row.path
            if above.startswith("@"):
                path = f"{held[above[1:]]} {below}".strip() if above[1:] in held else ""
            known = found.get(path, Command(path))
            parts = [
                name for part in row.parts for name in (tables.get(part[1:], ["*"]) if part[:1] == "@" else [part])
            ]
            found[path] = Command(
                path,
                [*known.parts, *parts],
                [*known.options, *row.options],
                -1 if min(known.takes, row.takes) < 0 else known.takes + row.takes,
                others=known.others or row.others or (above.startswith("@") and above[1:] not in held) or "*" in parts,
                held=known.held or row.held,
            )
        if found and any(_LOADS & {*each.used} for each in told if each.commands):
            found[""] = Command("", others=True)
        return found
