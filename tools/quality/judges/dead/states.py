"""Branches for a state that nothing ever sets."""

from collections.abc import Iterator, Set

from .....state.report import Finding
from ...facts.code import Risk
from ...facts.file import FileFacts
from ...known.project import Project
from .findings import idle_lines


def dead_states(project: Project) -> Iterator[Finding]:
    """Yield the branches for a state of a row of ours that the repository spells nowhere else.

    Only where every value that the field gets is written down in the code: what comes in may be anything.
    """
    said = [(facts, each) for facts in project.files.values() if facts.python for each in facts.python.states]
    asked = [(facts, each) for facts, each in said if each.rule == "asked" and facts.role == "source"]
    sources = [facts for facts in project.of_role("source") if facts.python]
    if not asked or any("setattr" in each.python.used for each in sources if each.python):
        return
    held = {each.what.lower() for facts, each in said if each.rule == "held" and facts.role == "source"}
    filled = {each.what for facts, each in said if each.rule == "open"}
    for facts, each in asked:
        field, _, value = each.what.partition("=")
        known = field.lower().replace("_", "") in held and field.rpartition(".")[2] not in filled
        if known and value not in _spelt(project, facts):
            yield _finding(project, facts, each, value)


def _spelt(project: Project, asking: FileFacts) -> Set[str]:
    """Return the words of all files but the one that asks, and but prose."""
    found: set[str] = set()
    for facts in project.files.values():
        if facts.path == asking.path:
            continue
        if facts.python:
            found.update(facts.python.words)
        elif facts.tree:
            found.update(facts.tree.words)
        elif not facts.path.endswith((".md", ".rst")):
            found.update(facts.words)
    return found


def _finding(project: Project, facts: FileFacts, each: Risk, value: str) -> Finding:
    return idle_lines(
        project,
        facts.path,
        (each.line, each.end),
        rule="state",
        name=value,
        reason="nothing sets this state",
        confidence=0.75,
    )
