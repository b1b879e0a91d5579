"""What was left behind: imports and variables without a use, code in comments; in Python files ruff finds them."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from .....state.report import Finding
from ...facts.file import FileFacts
from ...known.project import Project
from ...reading.ruff_rules import LEFT
from .findings import idle_lines

LEAST_COMMENTED = 2
"""Lines of code in comments, together: a single one is an example."""
_PART_OF_CODE = re.compile(
    r"^#[\s\W]*$|[(\[{]$|^#\s*(?:if|for|while|def|class|with|elif|else|try|except|finally|async|match|case)\b.*:$"
)
"""Lines that ruff takes for no code by themselves: heads of blocks, brackets."""
_RUNS = re.compile(r"^(?!def |class |import |from |async )(?:[\w.]+\(|@|for |with |try|while |if )", re.MULTILINE)
"""What a module does when it is loaded, besides setting names."""
_IMPORT, _VARIABLE, _COMMENT = LEFT
_IS_A_TEST = "find_spec"
"""What ruff says of an import that only asks whether a package is there."""


def left_behind(project: Project) -> Iterator[Finding]:
    """Yield the unused imports of each source file as one finding, each unused variable, each block switched off."""
    yield from _elsewhere(project)
    taken: dict[str, set[str]] = defaultdict(set)
    for edge in project.edges:
        taken[edge.target].add(edge.name)
    for path, items in project.lint.items():
        facts = project.files.get(path)
        if facts is None or facts.role != "source":
            continue
        by_rule: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
        for item in items:
            by_rule[str(item["rule"])].append(item)
        if not path.endswith("__init__.py") and not taken[path] & _imported(facts):
            yield from _imports(project, facts, by_rule[_IMPORT])
        for item in by_rule[_VARIABLE]:
            yield _finding(project, facts, int(item["line"]), int(item["end"]), "variable", _quoted(item))
        commented = sorted(int(item["line"]) for item in by_rule[_COMMENT])
        for first, last in _blocks(commented):
            if _explains(project.text_of(path).split("\n"), first, set(commented)):
                continue
            yield _finding(project, facts, first, last, "comment", f"{first}-{last}")


def _elsewhere(project: Project) -> Iterator[Finding]:
    """Yield the same of the languages that tree-sitter reads: the unused imports of a file as one finding."""
    for facts in project.of_role("source"):
        left = facts.tree.left if facts.tree else []
        imports = [each for each in left if each.rule == "import"]
        if imports and not facts.path.endswith(".d.ts"):
            names = ", ".join(dict.fromkeys(each.what for each in imports))
            yield _finding(project, facts, imports[0].line, imports[0].line, "import", names)
        for each in left:
            if each.rule != "import":
                yield _finding(project, facts, each.line, each.end, each.rule, each.what)


def _imported(facts: FileFacts) -> set[str]:
    """Return the names a file imports: where another file takes one from it, it is a place to import from."""
    return {each.alias or each.name or each.module for each in facts.python.imports} if facts.python else set()


def _imports(project: Project, facts: FileFacts, items: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    unused = [
        item for item in items if _IS_A_TEST not in str(item["message"]) and not _does_something(project, facts, item)
    ]
    if unused:
        names = ", ".join(dict.fromkeys(_quoted(item) for item in unused))
        lines = [int(item["line"]) for item in unused]
        yield _finding(project, facts, min(lines), min(lines), "import", names)


def _does_something(project: Project, facts: FileFacts, item: Mapping[str, Any]) -> bool:
    """Return whether an unused import is of a module of ours that may be loaded for what it does then.

    One that is taken from its package, and only defines functions, does nothing.
    """
    name = _quoted(item)
    if name not in project.modules:
        return False
    lines = range(int(item["line"]), int(item["end"]) + 1)
    taken = any(each.name and each.line in lines for each in facts.python.imports) if facts.python else False
    whom = project.files.get(project.modules.path(name))
    if not taken or whom is None or whom.python is None:
        return True
    plain = whom.python.defined and not any(each.kept or each.what != "function" for each in whom.python.defined)
    return not plain or bool(_RUNS.search(project.text_of(whom.path)))


def _blocks(lines: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield first and last line of runs of lines that are long enough; one line between them may be prose."""
    start = 0
    for place, line in enumerate(lines):
        if place + 1 < len(lines) and lines[place + 1] - line <= 2:
            continue
        if place - start + 1 >= LEAST_COMMENTED:
            yield lines[start], line
        start = place + 1


def _explains(lines: Sequence[str], first: int, code: Set[int]) -> bool:
    """Return whether the comment around a line also holds prose: then its code is an example."""
    start, end = first, first
    while start > 1 and lines[start - 2].lstrip().startswith("#"):
        start -= 1
    while end < len(lines) and lines[end].lstrip().startswith("#"):
        end += 1
    others = (lines[number - 1].strip() for number in range(start, end + 1) if number not in code)
    return any(not _PART_OF_CODE.search(line) for line in others)


def _quoted(item: Mapping[str, Any]) -> str:
    """Return the name a message speaks of, which it puts between back quotes."""
    return str(item["message"]).partition("`")[2].partition("`")[0]


_REASONS = {
    "import": ("it is imported and not used", "unused"),
    "variable": ("it is set and not read", "unused"),
    "comment": ("it is code that was switched off", "commented_out"),
}


def _finding(project: Project, facts: FileFacts, first: int, last: int, what: str, name: str) -> Finding:
    reason, why = _REASONS[what]
    return idle_lines(
        project,
        facts.path,
        (first, last),
        rule=what,
        what=what,
        name=name,
        reason=reason,
        why=why,
        severity="low" if what == "comment" else "info",
        confidence=0.65 if what == "comment" else 0.9,
    )
