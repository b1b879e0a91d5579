"""Files that answer requests and ask the database themselves, where all others of their kind let somebody ask."""

import re
from collections.abc import Iterator

from .....state.report import Finding, Place
from ...facts.file import FileFacts
from ...known.project import Project
from .complexity import holds_code

_SQL = re.compile(
    r"[\"'`]\s*(?:SELECT\s[\s\S]{1,400}?\sFROM\s|INSERT\s+(?:OR\s+\w+\s+)?INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s)"
)
_SERVES = re.compile(
    r"(^|/)(api|web|views|controllers|routes|routers|handlers|endpoints|blueprints|resolvers)(/[^/]+)*(/|\.)[^/]+$"
)
"""What answers requests, by its name; commands and jobs are near to the database by trade."""
_OPENS = re.compile(
    r"(^|[./])(db|database|pool|connections?|engine|datasource|sqlite3|psycopg2?|pg|mysql2?|better-sqlite3|asyncpg)$"
)
"""The end of what is imported to ask a database."""
LEAST_FILES, FEW = 4, 5
"""Files that answer, from which on they have a habit; and of how many one may break it to be told."""


def passed_over(project: Project) -> Iterator[Finding]:
    """Yield the few files of the web that hold SQL, where two files below them do and the others of the web do not."""
    served = [facts for facts in project.of_role("source") if holds_code(facts) and _SERVES.search(facts.path)]
    if len(served) < LEAST_FILES or project.kind in ("library", "data project"):
        return
    asking = [(facts, match) for facts in served if (match := _SQL.search(project.text_of(facts.path)))]
    if not asking or len(asking) * FEW > len(served):
        return
    web = {facts.path for facts in served}
    below = [
        facts
        for facts in project.of_role("source")
        if holds_code(facts) and facts.path not in web and _asks(project, facts)
    ]
    if len(below) < 2:
        return
    for facts, match in asking:
        yield _finding(project, facts, match.start(), len(served) - len(asking))


def _asks(project: Project, facts: FileFacts) -> bool:
    return bool(_SQL.search(project.text_of(facts.path)))


def _finding(project: Project, facts: FileFacts, start: int, others: int) -> Finding:
    code = facts.python or facts.tree
    asked = project.text_of(facts.path).count("\n", 0, start) + 1
    opened = [each.line for each in code.imports if _OPENS.search(each.module)] if code else []
    line = opened[0] if opened else asked
    return Finding(
        kind="layering",
        rule="passed over",
        place=Place(path=facts.path, line=line),
        others=(Place(path=facts.path, line=asked),) if asked != line else (),
        severity="low",
        why="passed over",
        confidence=0.75,
        facts={"source": facts.path, "target": "SQL", "with": others, "against": 1},
        evidence=project.evidence(facts.path, line),
    )
