"""Queries once per round of a loop: in the loop itself, or in a function it calls."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property

from .....state.report import Finding, Place, Severity
from ....import_graph import Import
from ...facts.code import LoopQuery
from ...facts.file import FileFacts
from ...known.project import Project, is_product

DEEPEST = 3
"""Calls between the loop and the query: beyond, what is called is a step of a program, not a look-up."""
_WRITES = ".save"
"""Rows may have to be written one by one: each has its own signals and checks."""
NEAR_DATABASE = re.compile(r"(^|/)(scripts|db|database|backends?|drivers?|migrations)/")
"""Scripts that run once, and the layer that is the database's own: there a query a round weighs less."""
_EVERYDAY = frozenset(name for of in (dict, list, set, str, bytes) for name in dir(of)) | {
    *(
        "read",
        "write",
        "close",
        "open",
        "run",
        "start",
        "stop",
        "send",
        "put",
        "save",
        "load",
        "match",
        "group",
        "search",
    ),
    *("get_or_create", "create", "delete", "filter", "all", "first", "exists", "call", "process", "handle", "execute"),
}
"""Methods that many classes have: their name does not tell whose they are."""

_MAKES = re.compile(
    r"^(?:publish|hire|place|submit|enroll?|register|issue)$"
    r"|^(?:publish|hire|place|submit|enroll?|register|issue|open|write|send|run|dispatch|deliver|create|book|charge)"
    r"_(?!(?:of|by|for|at|in|on|with|all)(?:_|$))"
)
"""What is made one by one, each with its own checks, number and message, as it should be."""
_OF_MANY = re.compile(
    r"report|export|statistic|figures|sheet|csv|digest|import|backfill|(^|/)(scripts|jobs|tasks|worker|cron|commands)/"
)
"""Files that go through many rows, by their path."""
LONG_NAME = 5
"""Letters of a property from which on its name says whose it is."""

_Function = tuple[str, str]
"""Path and name."""


@dataclass(frozen=True, slots=True)
class _Related:
    """What the models of a project say of the rows behind a row."""

    found: Set[str]
    """Attributes that cost a query each, of rows and through their properties."""
    direct: Set[str]
    """Those without the properties."""
    any: Set[str]
    """All attributes that lead to rows."""
    loaded: Set[str]
    """Those that some query loads along with rows that are loaded along."""
    asking: Set[str]
    """Properties that ask each time, whatever was loaded along."""
    short: Set[str]
    """Constants that hold a few values."""

    def is_followed(self, path: str, each: LoopQuery) -> bool:
        """Return whether a loop over rows goes on to other rows there.

        Where the loop goes through what belongs to one row, it is told in reports and the like only: a cart has few
        lines. Whether they were loaded along is not in sight there either.
        """
        if each.loaded:
            return each.relation in self.asking
        if not each.through:
            return each.relation in self.found | self.asking
        return bool(_OF_MANY.search(path)) and each.through in self.any and each.relation in self.direct - self.loaded


def queries_in_loops(project: Project) -> Iterator[Finding]:
    """Yield every loop of a source file that asks a database, or from a browser a server, in each round."""
    calls = Calls(project)
    related = _related(project)
    for facts in project.of_role("source"):
        code = facts.python or facts.tree
        loops: dict[int, list[LoopQuery]] = defaultdict(list)
        for each in code.loop_queries if code else ():
            if _asks(calls, facts, each, related):
                loops[each.loop or -each.line].append(each)
        for asked in loops.values():
            yield _finding(project, facts, asked)
    for facts in project.files.values():
        for each in facts.loops:
            if is_product(facts.path) and related.is_followed(facts.path, each):
                yield _finding(project, facts, [each])


def _related(project: Project) -> _Related:
    code = [facts.python for facts in project.files.values() if facts.python]
    along = {name for each in code for name in each.loaded_along}  # whose row it is, its name does not tell
    found = {name for each in code for name in each.relations} - along
    defined = Counter(name for each in code for name in each.reaching)
    reaching = {
        name
        for each in code
        for name, used in each.reaching.items()
        if found & set(used) and defined[name] == 1 and len(name) >= LONG_NAME and name not in _EVERYDAY
    }
    loaded = {name for each in code for name in each.loaded_here}
    asking = {name for each in code for name in each.asking if defined[name] == 1 and name not in _EVERYDAY}
    short = {name for each in code for name in each.short}
    return _Related(found | reaching, found, found | along, loaded, asking, short)


def _asks(calls: "Calls", facts: FileFacts, each: LoopQuery, related: _Related) -> bool:
    if each.over and set(each.over) <= related.short:
        return False
    if each.relation:
        return related.is_followed(facts.path, each) and (not each.callee or calls.gives_rows(facts, each.callee))
    return not each.callee or (not _MAKES.match(each.callee.rpartition(".")[2]) and calls.asks(facts, each.callee))


class Calls:
    """Which functions of a project ask a database, themselves or by what they call."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._imports: dict[str, dict[str, tuple[str, str]]] = {}

    def asks(self, facts: FileFacts, callee: str) -> bool:
        """Return whether a called function asks a database."""
        return bool(self.named(facts, callee) & self._asking)

    def gives_rows(self, facts: FileFacts, callee: str) -> bool:
        """Return whether a called function returns rows of a query that loads nothing along."""
        return bool(self.named(facts, callee) & self._giving)

    @cached_property
    def _giving(self) -> Set[_Function]:
        files = self._project.files.values()
        return {(facts.path, name) for facts in files if facts.python for name in facts.python.giving_rows}

    @cached_property
    def _asking(self) -> Set[_Function]:
        files = [facts for facts in self._project.files.values() if facts.python]
        found = {(facts.path, name) for facts in files if facts.python for name in facts.python.querying}
        if not found:
            return found
        for _ in range(DEEPEST - 1):
            fresh = {
                (facts.path, name)
                for facts in files
                if facts.python
                for name, called in facts.python.called.items()
                if (facts.path, name) not in found and any(self.named(facts, each) & found for each in called)
            }
            if not fresh:
                break
            found |= fresh
        return found

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
        if name in _EVERYDAY:
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


def _goes_by(holder: str, owner: str) -> bool:
    """Return whether an object's name says its class: `store` or `patients` for `PatientStore`."""
    plain, words = holder.strip("_").lower().replace("_", ""), owner.lower()
    return len(plain) > 3 and (plain in words or plain.rstrip("s") in words)


def _finding(project: Project, facts: FileFacts, asked: Sequence[LoopQuery]) -> Finding:
    """Return one finding for what a loop asks: at the query that stands in it, if one does."""
    first = min(asked, key=lambda each: (_is_indirect(each), each.line))
    unsure = _is_indirect(first) or facts.tree is not None or first.call.endswith(_WRITES)
    weak = unsure or bool(NEAR_DATABASE.search(facts.path))
    level: Severity = "low" if weak else "medium"
    others = sorted({each.line for each in asked} - {first.line})
    return Finding(
        kind="query_in_loop",
        place=Place(path=facts.path, line=first.line),
        others=tuple(Place(path=facts.path, line=line) for line in others),
        severity=level,
        why="indirect_query" if _is_indirect(first) else "query",
        confidence=0.65 if unsure else 0.85,
        facts={"call": first.call, "whom": f"the {first.whom}"},
        evidence=project.evidence(facts.path, first.line).strip(),
    )


def _is_indirect(each: LoopQuery) -> bool:
    return bool(each.callee) and not each.relation
