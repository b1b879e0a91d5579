"""The one handler or router that does not ask who it is, where those beside it do."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from .....state.report import Finding, Place
from ...facts.file import FileFacts
from ...facts.requests import Door
from ...known.project import Project

LEAST_GUARDED = 2
"""Guarded siblings from which on asking is their habit."""
MOST_OPEN = 3
"""For each open handler there are at least so many guarded ones, where more than one is open."""
LEAST_ASKING = 5
"""Handlers that change something and ask the same, from which on all should."""
_FOR_ALL = re.compile(
    r"auth|log_?in|log_?out|sign_?(?:in|up|out)|session|regist|health|live(?!r)|ready|public|hook|ping|status|metrics|static|docs"
    r"|index|home|root|callback|oauth|feed|page|token|reset|forgot|confirm|verify|unsubscribe|robots|sitemap|favicon|version"
    r"|about|contact|search|timetable|calendar|catalog|crowd|error|not_found|redoc|openapi|^get /?$",
    re.I,
)
"""What everybody may call, by its name."""
_SIGNED_IN = re.compile(r"log_?in|LoginRequired|signed|authenticated|IsAuthenticated$|current_?(?:user|member)", re.I)
_STAFF = re.compile(r"staff|admin|superuser|manager|office|role|permission", re.I)
_FOR_STAFF = re.compile(r"export|report|download|payroll|admin|delete|retire|usage|csv|all_|purge|stats|turnover", re.I)


def doors(project: Project) -> Iterator[Finding]:
    """Yield the routers and handlers that let everybody in beside those that do not."""
    yield from _routers(project)
    told: set[tuple[str, int]] = set()
    for facts in project.of_role("source"):
        code = facts.python or facts.tree
        groups: dict[str, list[Door]] = defaultdict(list)
        for each in code.doors if code else ():
            groups[each.group].append(each)
        for inside in groups.values():
            plain = [*_open(inside), *_too_open(inside)]
            told |= {(facts.path, each.line) for each in plain}
            yield from (_finding(project, facts, each) for each in plain)
    for facts, each in _unlike_all(project):
        if (facts.path, each.line) not in told:
            yield _finding(project, facts, each)


def _unlike_all(project: Project) -> Iterator[tuple[FileFacts, Door]]:
    """Yield the one handler of a project that changes something and does not ask, where all others ask the same."""
    asked: Counter[str] = Counter()
    plain: list[tuple[FileFacts, Door]] = []
    for facts in project.of_role("source"):
        code = facts.python
        routers = {each.group for each in code.doors if each.router and each.guards} if code else set()
        for each in code.doors if code else ():
            if each.writes and not each.router and each.group not in routers:
                asked.update(each.guards)
                named = f"{facts.path.rpartition('/')[2]} {each.name}"
                if not each.guards and not each.looks and not _FOR_ALL.search(named):
                    plain.append((facts, each))
    most = max(asked.values(), default=0)
    if len(plain) == 1 and most >= LEAST_ASKING and not _is_guarded_where_included(project):
        yield from plain


def _routers(project: Project) -> Iterator[Finding]:
    """Yield a router without a guard, where others of the project have one and none of its handlers has."""
    known: list[tuple[FileFacts, Door, bool]] = []
    for facts in project.of_role("source"):
        found = facts.python.doors if facts.python else []
        for router in (each for each in found if each.router):
            inside = [each for each in found if each.group == router.group and not each.router]
            asks = any(each.guards or each.looks for each in inside)
            named = f"{facts.path.rpartition('/')[2]} {' '.join(each.name for each in inside)}"
            known.append((facts, router, bool(inside) and not asks and not _FOR_ALL.search(named)))
    guarded = Counter(guard for _, router, _ in known for guard in router.guards)
    plain = [(facts, router) for facts, router, is_open in known if is_open and not router.guards]
    most = max(guarded.values(), default=0)
    if most >= LEAST_GUARDED and plain and len(plain) * 2 <= most and not _is_guarded_where_included(project):
        yield from (_finding(project, facts, router) for facts, router in plain)


def _is_guarded_where_included(project: Project) -> bool:
    return any(
        re.search(r"include_router\([^)]*dependencies", project.text_of(facts.path))
        for facts in project.of_role("source")
        if facts.python and "include_router" in facts.python.used
    )


def _open(inside: Sequence[Door]) -> Iterator[Door]:
    """Yield the handlers of a router that do not ask, where most others ask the same."""
    if any(each.router and each.guards for each in inside):
        return
    handlers = [each for each in inside if not each.router]
    guarded = [each for each in handlers if each.guards]
    asked = Counter(guard for each in guarded for guard in each.guards)
    most = max(asked.values(), default=0)
    plain = [each for each in handlers if not each.guards and not each.looks and not _FOR_ALL.search(each.name)]
    asking = [each for each in handlers if each.guards or each.looks]
    silent = len(handlers) - len(asking)
    if most < LEAST_GUARDED or not plain or (silent > 1 and silent * MOST_OPEN > most):
        return
    for each in plain:
        alike = [other for other in asking if other.writes == each.writes]
        picked = each.picks and len(plain) == 1 and len(asking) > LEAST_GUARDED and bool(alike)
        if each.writes or len(alike) >= LEAST_GUARDED or picked:
            yield each


def _too_open(inside: Sequence[Door]) -> Iterator[Door]:
    """Yield a handler for the office that lets in whoever is signed in, where those beside it are for the staff."""
    staff = [each for each in inside if any(map(_STAFF.search, each.guards))]
    if len(staff) <= LEAST_GUARDED:
        return
    for each in inside:
        signed = bool(each.guards) and all(map(_SIGNED_IN.search, each.guards))
        if signed and not any(map(_STAFF.search, each.guards)) and not each.looks and _FOR_STAFF.search(each.name):
            yield each


def _finding(project: Project, facts: FileFacts, door: Door) -> Finding:
    return Finding(
        kind="security",
        rule="guard-missing",
        place=Place(path=facts.path, line=door.line, end=door.end),
        symbol=door.name,
        severity="medium",
        why="weak_protection",
        confidence=0.7,
        facts={"message": "guard-missing", "what": door.name},
        evidence=project.evidence(facts.path, door.line, door.end),
    )
