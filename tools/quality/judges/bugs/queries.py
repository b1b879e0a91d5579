"""Queries once per round of a loop: in the loop itself, or in a function it calls."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass

from .....state.report import Finding, Place, Severity
from ...facts.code import LoopQuery
from ...facts.file import FileFacts
from ...known.paths import NEAR_DATABASE, is_product
from ...known.project import Project
from .calls import EVERYDAY, Calls

_WRITES = ".save"
"""Rows may have to be written one by one: each has its own signals and checks."""


_MAKES = re.compile(
    r"^(?:publish|hire|place|submit|enroll?|register|issue|run)$"
    r"|^(?:publish|hire|place|submit|enroll?|register|issue|open|write|send|run|dispatch|deliver|create|book|charge)"
    r"_(?!(?:of|by|for|at|in|on|with|all)(?:_|$))"
)
"""What is made one by one, each with its own checks, number and message, as it should be."""
_SEEMS_TO_MAKE = re.compile(r"(?:open|issue|place|charge|book)_")
"""Begin the names of questions too, `open_amount`, `book_title`: what they do tells."""
_FEW_UNITS = re.compile(r"(?:\w+_)?(?:branch|store|shop|depot|warehouse|office|outlet|department)", re.I)
"""Rows of which a house has a few, however much it does."""
_KEEPS_ROWS = ("sqlalchemy", "flask_sqlalchemy", "sqlmodel")
_OF_MANY = re.compile(
    r"report|export|statistic|figures|sheet|csv|digest|import|backfill|(^|/)(scripts|jobs|tasks|worker|cron|commands)/"
)
"""Files that go through many rows, by their path."""
_RUNS_ONCE = re.compile(r"(^|/)(migrat(?:e|ions?)|alembic|schema_versions?)(/|\.py$)")
"""Files of migrations: what they do is done once, a statement after the other."""
_SCRIPT = re.compile(r"(^|/)(scripts?|bin)/")
"""Files whose loops are the steps of a night, or of somebody who waits for them."""
LONG_NAME = 5
"""Letters of a property from which on its name says whose it is."""


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
    kept: bool
    """Whether a row that was read once is kept with the session, so that it is not asked for again."""

    def is_followed(self, path: str, each: LoopQuery) -> bool:
        """Return whether a loop over rows goes on to other rows there.

        Where the loop goes through what belongs to one row, it is told in reports and the like only: a cart has few
        lines. Whether they were loaded along is not in sight there either.
        """
        if self.kept and _FEW_UNITS.fullmatch(each.relation):
            return False
        if each.loaded:
            return each.relation in self.asking or (each.named and each.relation in self.direct)
        if not each.through:
            return each.relation in self.found | self.asking
        return bool(_OF_MANY.search(path)) and each.through in self.any and each.relation in self.direct - self.loaded


def queries_in_loops(project: Project) -> Iterator[Finding]:
    """Yield every loop of a source file that asks a database, or from a browser a server, in each round."""
    calls = Calls(project)
    related = _related(project)
    for facts in project.of_role("source"):
        code = None if _RUNS_ONCE.search(facts.path) else facts.python or facts.tree
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
        if found & set(used) and defined[name] == 1 and len(name) >= LONG_NAME and name not in EVERYDAY
    }
    loaded = {name for each in code for name in each.loaded_here}
    asking = {name for each in code for name in each.asking if defined[name] == 1 and name not in EVERYDAY}
    short = {name for each in code for name in each.short}
    kept = any(name.module.startswith(_KEEPS_ROWS) for each in code for name in each.imports)
    return _Related(found | reaching, found, found | along, loaded, asking, short, kept)


def _asks(calls: Calls, facts: FileFacts, each: LoopQuery, related: _Related) -> bool:
    if each.over and set(each.over) <= related.short:
        return False
    if each.relation:
        return related.is_followed(facts.path, each) and (not each.callee or calls.gives_rows(facts, each.callee))
    return not each.callee or (calls.asks(facts, each.callee) and not _is_step(calls, facts, each))


def _is_step(calls: Calls, facts: FileFacts, each: LoopQuery) -> bool:
    """Return whether a call does something to one row, with its own checks, rather than ask for what one query gives.

    Where its answer is taken, it may be asked for all at once, whatever it writes besides.
    """
    if each.rows and all(_FEW_UNITS.fullmatch(row) for row in each.rows):
        return True
    name = each.callee.rpartition(".")[2]
    if _MAKES.match(name) and not (_SEEMS_TO_MAKE.match(name) and not calls.writes(facts, each.callee)):
        return True
    return each.dropped and (calls.writes(facts, each.callee) or bool(_SCRIPT.search(facts.path)))


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
