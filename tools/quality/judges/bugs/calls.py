"""Which function a call means, across the files of a project, and whether it asks a database."""

from collections import defaultdict
from collections.abc import Mapping, Set
from functools import cached_property

from ....import_graph import Import
from ...facts.file import FileFacts
from ...known.project import Project

DEEPEST = 3
"""Calls between the loop and the query: beyond, what is called is a step of a program, not a look-up."""
EVERYDAY = frozenset(name for of in (dict, list, set, str, bytes) for name in dir(of)) | {
    *("read", "write", "close", "open", "run", "start", "stop", "send", "put", "save", "load"),
    *("match", "group", "search"),
    *("get_or_create", "create", "delete", "filter", "all", "first", "exists", "call", "process", "handle", "execute"),
}
"""Methods that many classes have: their name does not tell whose they are."""
_Function = tuple[str, str]
"""Path and name."""


class Calls:
    """Which functions of a project ask a database, themselves or by what they call."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._imports: dict[str, dict[str, tuple[str, str]]] = {}

    def asks(self, facts: FileFacts, callee: str) -> bool:
        """Return whether a called function asks a database."""
        return bool(self.named(facts, callee) & self._asking)

    def writes(self, facts: FileFacts, callee: str) -> bool:
        """Return whether a called function writes to a database."""
        return bool(self.named(facts, callee) & self._writing)

    def gives_rows(self, facts: FileFacts, callee: str) -> bool:
        """Return whether a called function returns rows of a query that loads nothing along."""
        return bool(self.named(facts, callee) & self._giving)

    @cached_property
    def _giving(self) -> Set[_Function]:
        files = self._project.files.values()
        return {(facts.path, name) for facts in files if facts.python for name in facts.python.giving_rows}

    @cached_property
    def _asking(self) -> Set[_Function]:
        files = self._project.files.values()
        return self._reaching({(facts.path, name) for facts in files if facts.python for name in facts.python.querying})

    @cached_property
    def _writing(self) -> Set[_Function]:
        files = self._project.files.values()
        return self._reaching({(facts.path, name) for facts in files if facts.python for name in facts.python.writing})

    def _reaching(self, found: set[_Function]) -> Set[_Function]:
        """Return some functions and those that call them, by a few others at most."""
        if not found:
            return found
        files = [facts for facts in self._project.files.values() if facts.python]
        for _ in range(DEEPEST - 1):
            likely = self.names_of(found)
            fresh = {
                (facts.path, name)
                for facts in files
                if facts.python
                for name, called in facts.python.called.items()
                if (facts.path, name) not in found
                and any(last_name(each) in likely and self.named(facts, each) & found for each in called)
            }
            if not fresh:
                break
            found |= fresh
        return found

    def names_of(self, functions: Set[_Function]) -> Set[str]:
        """Return the last names of calls that can mean one of some functions: it tells most calls apart at once."""
        return self._aliases | {name for _, name in functions}

    @cached_property
    def _aliases(self) -> Set[str]:
        code = [facts.python for facts in self._project.files.values() if facts.python]
        return {each.alias for python in code for each in python.imports if each.alias not in ("", each.name)}

    def named(self, facts: FileFacts, callee: str) -> Set[_Function]:
        """Return the functions a call may mean; none where its name does not tell."""
        assert facts.python is not None
        holder, _, name = callee.rpartition(".")
        if holder in ("", "self", "cls") and any(each.name == name for each in facts.python.defined):
            return {(facts.path, name)}
        path, taken = self._imported(facts).get(holder or name, ("", ""))
        if path and (not holder or not taken):
            return {(path, name if holder else taken or name)}
        return self._methods_named(facts, holder, name) if holder else set()

    def _imported(self, facts: FileFacts) -> Mapping[str, tuple[str, str]]:
        """Return, by the name it goes by in the file, what is imported: file, and name in it or `""` for a module."""
        if facts.path not in self._imports:
            assert facts.python is not None
            found: dict[str, tuple[str, str]] = {}
            for each in facts.python.imports:
                wanted = Import(module=each.module, name=each.name, level=each.level, line=each.line)
                path = self._project.modules.resolve(facts.path, wanted)
                if path:
                    stem = path.removesuffix("/__init__.py").removesuffix(".py").rpartition("/")[2]
                    taken = "" if each.name in ("", stem) else each.name
                    found[each.alias or each.name or each.module.partition(".")[0]] = path, taken
            self._imports[facts.path] = found
        return self._imports[facts.path]

    def _methods_named(self, facts: FileFacts, holder: str, name: str) -> Set[_Function]:
        """Return the methods of a name, where every class with such a method is in sight, or the object says whose."""
        owners = self._owners.get(name, {})
        if not owners:
            return set()
        likely = {path for path, classes in owners.items() if any(_goes_by(holder, each) for each in classes)}
        if name in EVERYDAY:
            return {(path, name) for path in likely}
        if likely:
            return {(path, name) for path in likely}
        seen = {facts.path, *(path for path, _ in self._imported(facts).values())}
        return {(path, name) for path in owners} if len(owners) == 1 and owners.keys() & seen else set()

    @cached_property
    def _owners(self) -> Mapping[str, Mapping[str, Set[str]]]:
        """Return, by method, the files with classes that have it, and those classes."""
        found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for facts in self._project.of_role("source"):
            for each in facts.python.defined if facts.python else ():
                if each.what == "method":
                    found[each.name][facts.path].add(each.owner)
        return found


def last_name(callee: str) -> str:
    """Return what is called, without what it is called of: `add` of `session.add`."""
    return callee.rpartition(".")[2]


def _goes_by(holder: str, owner: str) -> bool:
    """Return whether an object's name says its class: `store` or `patients` for `PatientStore`."""
    plain, words = holder.strip("_").lower().replace("_", ""), owner.lower()
    return len(plain) > 3 and (plain in words or plain.rstrip("s") in words)
