"""Constants and loggers of Python modules that nothing reads."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace

from .....state.report import Finding
from ...facts.code import Defined
from ...facts.file import FileFacts
from ...known.project import Project
from .findings import unused

_READ_BY_OTHERS = ("settings", "config", "conf", "constants", "const", "defaults", "version", "about", "local")
"""Files whose names a framework or a person reads, by how they are called."""

_WORD = re.compile(r"[A-Za-z_]\w*")
_HABIT = 3


def dead_constants(project: Project) -> Iterator[Finding]:
    """Yield constants that no file reads: private ones anywhere, public ones in what is started, not imported.

    A constant is read where its own file uses it, another file takes or uses a name like it, or a string holds it.
    """
    elsewhere = _used_elsewhere(project)
    idle: list[Finding] = []
    taken: dict[str, set[str]] = defaultdict(set)
    for edge in project.edges:
        taken[edge.target].add(edge.name)
    for facts in project.of_role("source"):
        if facts.python is None:
            continue
        own = {*facts.python.used, *facts.python.words}
        for each in facts.python.constants:
            if each.what == "logger":  # every file has its own
                if each.name not in facts.python.used and not taken[facts.path] & {each.name, "*"}:
                    idle.append(_finding(project, facts, each))
                continue
            public = not each.name.startswith("_")
            if public and (project.kind not in ("web application", "application") or _is_for_others(facts.path)):
                continue
            used = each.name in own or elsewhere.get(each.name, set()) - {facts.path}
            if not used and not _keeps_imports(project, facts, each):
                yield _finding(project, facts, each)
    yield from _together(idle)


def _together(findings: Sequence[Finding]) -> Iterator[Finding]:
    """Yield findings as one where there are so many that they are a habit; a single logger waits for its first use."""
    if len(findings) >= _HABIT:
        yield replace(findings[0], others=tuple(each.place for each in findings[1:]))


def _is_for_others(path: str) -> bool:
    parts = path.removesuffix(".py").lower().split("/")[-2:]
    return any(word in part for part in parts for word in _READ_BY_OTHERS)


def _keeps_imports(project: Project, facts: FileFacts, each: Defined) -> bool:
    """Return whether a constant only names what its file imports: that it is imported is what it is for."""
    lines = project.text_of(facts.path).split("\n")[each.line - 1 : each.end]
    words = set(_WORD.findall(" ".join(line.partition("#")[0] for line in lines).partition("=")[2]))
    imported = (
        {one.alias or one.name or one.module.partition(".")[0] for one in facts.python.imports}
        if facts.python
        else set()
    )
    return bool(words) and words <= imported


def _used_elsewhere(project: Project) -> Mapping[str, Set[str]]:
    """Return, by name, the files that use, import or spell it; a page or setting may name it too."""
    found: dict[str, set[str]] = defaultdict(set)
    for path, facts in project.files.items():
        if facts.python:
            for name in (*facts.python.used, *facts.python.words, *(each.name for each in facts.python.imports)):
                found[name].add(path)
            if any(each.name == "*" for each in facts.python.imports):
                found["*"].add(path)
        elif not facts.language:
            for name in facts.words:
                found[name].add(path)
    return found


def _finding(project: Project, facts: FileFacts, each: Defined) -> Finding:
    return unused(
        project,
        facts.path,
        (each.line, each.end),
        what=each.what,
        name=each.name,
        reason="it is set and not read",
        severity="info",
        confidence=0.8,
    )
