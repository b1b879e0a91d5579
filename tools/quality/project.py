"""A repository as the judges see it: facts of all files, manifests, history; nothing is read twice."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ...state.report import Finding
from ..git import Commit
from ..import_graph import Edge, Import, Modules, edges
from ..manifest import Manifest
from ..repository_map import RepositoryKind
from .facts import FileFacts


@dataclass(frozen=True, kw_only=True)
class Project:
    """Everything a judge may look at."""

    files: Mapping[str, FileFacts]
    """By path, in the order of paths."""
    kind: RepositoryKind = "application"
    why_kind: str = ""
    manifest: Manifest = field(default_factory=Manifest)
    commits: Sequence[Commit] = ()
    """Newest first; empty without history."""
    lint: Mapping[str, Sequence[Mapping[str, Any]]] = field(default_factory=dict)
    """What ruff said, by path."""
    text_of: Callable[[str], str]
    """Returns the text of a file; for evidence and documents."""
    exists: Callable[[str], bool]
    """Tells whether a path is in the repository."""
    ages: Callable[[str, int], float | None]
    """Returns how many days ago a line was last changed, or None where nobody knows."""

    def of_role(self, *roles: str) -> Iterator[FileFacts]:
        """Yield the files of some roles."""
        return (facts for facts in self.files.values() if facts.role in roles)

    @cached_property
    def modules(self) -> Modules:
        """Return the Python modules by name."""
        return Modules(path for path, facts in self.files.items() if facts.language == "python")

    @cached_property
    def edges(self) -> list[Edge]:
        """Return every import of one file by another."""
        imports = {
            path: [
                Import(module=each.module, name=each.name, level=each.level, line=each.line, late=each.late)
                for each in facts.python.imports
            ]
            for path, facts in self.files.items()
            if facts.python
        }
        return edges(imports, self.modules)

    def evidence(self, path: str, line: int, end: int = 0) -> str:
        """Return lines of a file, the first four of them at most."""
        lines = self.text_of(path).split("\n")
        return "\n".join(lines[line - 1 : min(max(line, end), line + 3)])


Judge = Callable[[Project], Iterator[Finding]]
"""Every judge is one function: from the project to findings of one kind, or of a few that belong together."""
