"""Functions that wait for a server or a program, called where a loop of events waits with them."""

import ast
from collections.abc import Iterable, Iterator, Sequence, Set

from .....state.report import Finding, Place
from ...facts.file import FileFacts
from ...known.project import Project
from ...reading.queries.database_calls import called_name
from .calls import Calls, last_name

DEEPEST = 3
"""Calls between an asynchronous function and what waits."""
_VERBS = ("get", "post", "put", "patch", "delete", "head", "request")
_WAITS = frozenset(
    {
        *(f"{library}.{verb}" for library in ("requests", "httpx") for verb in _VERBS),
        *("time.sleep", "request.urlopen", "smtplib.SMTP", "smtplib.SMTP_SSL", "ftplib.FTP", "ftplib.FTP_TLS"),
        *("subprocess.run", "subprocess.check_output", "subprocess.check_call", "subprocess.call"),
        *("imaplib.IMAP4_SSL", "paramiko.SSHClient", "socket.create_connection"),
    }
)
"""What the loop of events stands still for; most of it the linter tells where such a function does it itself."""
_UNTOLD = frozenset(each for each in _WAITS if each.partition(".")[0] in ("smtplib", "ftplib", "imaplib", "paramiko"))
_Function = tuple[str, str]


def blocking(project: Project) -> Iterator[Finding]:
    """Yield the calls in asynchronous functions that make every other request wait."""
    calls = Calls(project)
    files = [facts for facts in project.of_role("source") if facts.python]
    waits = {
        (facts.path, name)
        for facts in files
        for name, called in (facts.python.called if facts.python else {}).items()
        if _WAITS.intersection(called)
    }
    waits -= {(path, name) for path, name in waits if name in _asynchronous(project, path)}
    found = set(waits)
    for _ in range(DEEPEST - 1 if waits else 0):
        fresh = {(facts.path, name) for facts, name in _calling(calls, files, found)} - found
        fresh -= {(path, name) for path, name in fresh if name in _asynchronous(project, path)}
        found |= fresh
        if not fresh:
            break
    likely = {facts.path for facts, _ in _calling(calls, files, found)} if found else set[str]()
    for facts in files:
        called = facts.python.called if facts.python else {}
        direct = any(_UNTOLD.intersection(each) for each in called.values())
        if (direct or facts.path in likely) and "async def" in project.text_of(facts.path):
            yield from _told(project, calls, facts, found)


def _calling(calls: Calls, files: Iterable[FileFacts], found: Set[_Function]) -> Iterator[tuple[FileFacts, str]]:
    """Yield the functions that call one of those found, whatever else the name may mean there, with their files."""
    likely = calls.names_of(found)
    for facts in files:
        for name, called in facts.python.called.items() if facts.python else ():
            named = (calls.named(facts, each) for each in called if last_name(each) in likely)
            if any(meant and meant <= found for meant in named):
                yield facts, name


def _told(project: Project, calls: Calls, facts: FileFacts, found: Set[_Function]) -> Iterator[Finding]:
    for function in ast.walk(_tree(project, facts.path)):
        if not isinstance(function, ast.AsyncFunctionDef):
            continue
        for call in _here(function.body):
            name = called_name(call)
            meant = calls.named(facts, name) if name else frozenset()
            if name in _UNTOLD or (meant and meant <= found):
                yield Finding(
                    kind="lint",
                    rule="ASYNC210",
                    place=Place(path=facts.path, line=call.lineno, end=call.end_lineno or call.lineno),
                    symbol=function.name,
                    severity="medium",
                    why="bug",
                    confidence=0.8,
                    facts={"message": f"{name} blocks the loop of events", "what": name},
                    evidence=project.evidence(facts.path, call.lineno),
                )


def _here(nodes: Sequence[ast.AST]) -> Iterator[ast.Call]:
    """Yield the calls that run in a function itself, not in one it hands on."""
    for node in nodes:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            if isinstance(node, ast.Call):
                yield node
            yield from _here(list(ast.iter_child_nodes(node)))


def _asynchronous(project: Project, path: str) -> Set[str]:
    if "async def" not in project.text_of(path):
        return frozenset()
    return {each.name for each in ast.walk(_tree(project, path)) if isinstance(each, ast.AsyncFunctionDef)}


def _tree(project: Project, path: str) -> ast.Module:
    try:
        return ast.parse(project.text_of(path))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ast.Module([], [])
