"""Asynchronous methods of JavaScript and TypeScript that are called and whose promise nobody waits for."""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath

from .....state.report import Finding, Place
from ...known.project import Project

_SCRIPTS = (".js", ".mjs", ".cjs", ".ts", ".mts", ".cts")
_CLASS = re.compile(r"^\s*(?:export\s+)?(?:default\s+)?(?:abstract\s+)?class\s+(\w+)", re.M)
_METHOD = re.compile(
    r"^[ \t]+(?:(?:public|private|protected|static|override)\s+)*(?P<async>async\s+)?"
    r"(?!(?:if|for|while|switch|catch|return|await|function)\b)(?P<name>\w+)\s*\(",
    re.M,
)
_ALONE = re.compile(r"^\s*(?:if \([^;{}]*\) )?(?:this\.)?(?:\w+\.)*(?P<holder>\w+)\.(?P<name>\w+)\(.*\);\s*(?://.*)?$")
_ENDS = re.compile(r"(?:[;{}]|\*/)\s*$|^\s*//|^\s*$")
_HEARS = re.compile(r"\.(?:catch|then|finally)\(")


def promises(project: Project) -> Iterator[Finding]:
    """Yield the statements that call such a method of another object; an error in it ends the process, unheard."""
    files = {facts.path: project.text_of(facts.path) for facts in project.of_role("source") if _is_script(facts.path)}
    owners: dict[str, set[str]] = defaultdict(set)
    for path, text in files.items():
        holders = {PurePosixPath(path).stem.lower(), *(name.lower() for name in _CLASS.findall(text))}
        for each in _METHOD.finditer(text) if "class " in text else ():
            says, body = _body(text, each.end())
            if says and (each["async"] or "Promise<" in says) and "try {" not in body:
                owners[each["name"]] |= holders
    for path, text in files.items() if owners else ():
        lines = text.split("\n")
        for at, line in enumerate(lines):
            call = _ALONE.match(line)
            if call is None or _HEARS.search(line) or not _ENDS.search(lines[at - 1]):
                continue
            if any(owner.endswith(call["holder"].lower().lstrip("_")) for owner in owners.get(call["name"], ())):
                yield _finding(project, path, at + 1, f"{call['holder']}.{call['name']}")


def _is_script(path: str) -> bool:
    return path.endswith(_SCRIPTS)


def _body(text: str, start: int) -> tuple[str, str]:
    """Return what a method says it returns, and its body, where its parameters begin; `""` twice for a mere call."""
    depth, at = 1, start
    while at < len(text) and depth:
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        at += 1
    head = re.match(r"\s*(?::[^;{}=]*(?:\{[^{}]*\}[^;{}=]*)?)?\{", text[at:])
    if head is None:
        return "", ""
    begin = at = at + head.end()
    depth = 1
    while at < len(text) and depth:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return head.group(), text[begin:at]


def _finding(project: Project, path: str, line: int, what: str) -> Finding:
    return Finding(
        kind="lint",
        rule="promise-dropped",
        place=Place(path=path, line=line),
        severity="medium",
        why="bug",
        confidence=0.75,
        facts={"message": "promise-dropped", "what": what},
        evidence=project.evidence(path, line),
    )
