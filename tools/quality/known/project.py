"""A repository as the judges see it: facts of all files, manifests, history; nothing is read twice."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any

from ....state.report import Finding
from ...git import Commit
from ...import_graph import Edge, Import, Modules, edges
from ...manifest import Manifest
from ...repository_kind import RepositoryKind
from ...secrets import mask
from ..facts.file import FileFacts
from ..reading.command_lines.options import FOR_ALL
from .paths import is_example
from .programs import Programs
from .tree_imports import TreeImports, tree_edges


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
    paths: Set[str]
    """Every file of the repository, also those without facts."""
    today: date | None = None
    """None where nobody knows what is out of date."""
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
                Import(
                    module=each.module,
                    name=each.name,
                    level=each.level,
                    line=each.line,
                    late=each.late,
                    typing=each.typing,
                    alias=each.alias,
                )
                for each in facts.python.imports
            ]
            for path, facts in self.files.items()
            if facts.python
        }
        return [*edges(imports, self.modules), *tree_edges(self.files, TreeImports(self.paths, self.text_of))]

    @cached_property
    def edges_to(self) -> Mapping[str, Sequence[Edge]]:
        """Return the imports of each file that is imported."""
        found: dict[str, list[Edge]] = defaultdict(list)
        for edge in self.edges:
            found[edge.target].append(edge)
        return found

    @cached_property
    def importing_tests(self) -> dict[str, frozenset[str]]:
        """Return, by source file, the tests that import it, or a name of it that its package hands on."""
        handed: dict[tuple[str, str], list[str]] = defaultdict(list)
        for edge in self.edges:
            if edge.source.endswith("__init__.py"):
                handed[edge.source, edge.name].append(edge.target)
        found: dict[str, set[str]] = defaultdict(set)
        for edge in self.edges:
            if self.files[edge.source].role != "test":
                continue
            reached = {edge.target}
            for _ in range(2):  # a package hands on what its inner package hands on
                reached |= {target for path in reached for target in handed.get((path, edge.name), ()) if edge.name}
            for path in reached:
                found[path].add(edge.source)
        return {path: frozenset(tests) for path, tests in found.items()}

    @cached_property
    def names_in_tests(self) -> Set[str]:
        """Return every name that some test uses."""
        return {name for facts in self.of_role("test") if facts.python for name in facts.python.used}

    @cached_property
    def words_in_tests(self) -> Set[str]:
        """Return every word of the strings of tests."""
        return {word for facts in self.of_role("test") if facts.python for word in facts.python.words}

    @cached_property
    def definitions(self) -> Counter[str]:
        """Return how many files define each name."""
        return Counter(
            name
            for facts in self.files.values()
            if facts.python
            for name in {each.name for each in facts.python.defined}
        )

    @cached_property
    def names_in_code(self) -> Set[str]:
        """Return every name that code other than tests defines or uses, and the words of its strings."""
        found: set[str] = set()
        for facts in self.files.values():
            if facts.role == "test":
                continue
            if code := facts.python or facts.tree:
                found.update(code.used, code.words, (each.name for each in code.defined))
                found.update(facts.python.prefixes if facts.python else ())
            found.update(each.name.rpartition(".")[2].rpartition("::")[2] for each in facts.functions)
            found.update(facts.words if facts.generated else ())
        return found

    @cached_property
    def words_in_data(self) -> Set[str]:
        """Return every word of configuration files and of other files that are neither code nor documents."""
        return {word for facts in self.of_role("data") for word in facts.words}

    @cached_property
    def words_in_settings(self) -> Set[str]:
        """Return the words of configuration files, without examples of settings, and of tests' strings."""
        found = {word for facts in self.of_role("data") if not is_example(facts.path) for word in facts.words}
        return found | self.words_in_tests

    @cached_property
    def commands(self) -> Mapping[str, Set[str]]:
        """Return the options of each command that the code defines once; those of all commands under `""`."""
        found: dict[str, set[str]] = {FOR_ALL: set()}
        twice: set[str] = set()
        for facts in self.of_role("source"):
            known = {name: set(options) for name, options in facts.python.options.items()} if facts.python else {}
            found[FOR_ALL] |= known.pop(FOR_ALL, set())
            twice |= known.keys() & found.keys()
            found.update(known)
        return {name: options for name, options in found.items() if name not in twice}

    @cached_property
    def programs(self) -> Programs:
        """Return the programs of the repository."""
        return Programs(self.files, self.edges)

    @cached_property
    def served(self) -> Set[str]:
        """Return the addresses that source files serve, each behind its method, `*` where none is said."""
        return {each for facts in self.of_role("source") if facts.python for each in facts.python.served}

    @cached_property
    def routes(self) -> Set[str]:
        """Return the addresses that source files serve."""
        return {route for facts in self.of_role("source") if facts.python for route in facts.python.routes}

    @cached_property
    def _known(self) -> Set[str]:
        folders = {"."}
        for path in self.paths:
            folder = path.rpartition("/")[0]
            while folder and folder not in folders:
                folders.add(folder)
                folder = folder.rpartition("/")[0]
        return self.paths | folders

    def exists(self, path: str) -> bool:
        """Return whether a file or folder is in the repository."""
        return path in self._known

    @cached_property
    def base_names(self) -> Set[str]:
        """Return the names of all files, without their folders."""
        return {path.rpartition("/")[2] for path in self.paths}

    def ends_with(self, ending: str) -> bool:
        """Return whether some file's path is, or ends with, the given one."""
        if ending.rpartition("/")[2] not in self.base_names:
            return self.exists(ending)
        return any(path == ending or path.endswith(f"/{ending}") for path in self.paths)

    @cached_property
    def starting_texts(self) -> list[str]:
        """Return the texts of the files that define commands: manage.py, cli.py, tasks.py and the like."""
        names = {"manage.py", "cli.py", "commands.py", "tasks.py", "app.py", "main.py", "__main__.py", "__init__.py"}
        return [
            self.text_of(path)
            for path, facts in self.files.items()
            if facts.role in ("source", "example") and path.rpartition("/")[2] in names
        ]

    def evidence(self, path: str, line: int, end: int = 0) -> str:
        """Return lines of a file, the first four of them at most, with secrets masked."""
        lines = self.text_of(path).split("\n")
        shown = "\n".join(lines[line - 1 : min(max(line, end), line + 3)])
        facts = self.files.get(path)
        return shown if facts and not facts.to_mask else mask(shown)


Judge = Callable[[Project], Iterator[Finding]]
"""Every judge is one function: from the project to findings of one kind, or of a few that belong together."""
