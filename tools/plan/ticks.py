"""Steps that tick themselves off: the findings they were made for are gone, and the work is committed."""

from collections.abc import Callable, Collection, Mapping
from pathlib import Path

from ..git import Git
from .kept import PlanNotes, close, reopen
from .steps import Plan, Step


def settled(plan: Plan, found: Collection[str], renames: Mapping[str, str]) -> list[Step]:
    """Return the open steps whose findings are all gone.

    A file that was renamed takes its findings to another fingerprint: its steps are left to people.

    Args:
        plan: As the notes say.
        found: Fingerprints of what an analysis of now found, suppressed findings included.
        renames: Old path to new path.
    """
    return [
        step
        for step in plan.open
        if step.findings and not set(step.findings) & set(found) and not set(step.paths) & renames.keys()
    ]


def returned(plan: Plan, found: Collection[str]) -> list[Step]:
    """Return the steps that were ticked off on evidence and whose findings are there again.

    What people closed themselves stays closed, whatever is found.
    """
    return [step for step in plan.steps if step.done and step.ticked and set(step.findings) & set(found)]


def tick_off(steps: Collection[Step], notes: PlanNotes, head: str, committed: Callable[[str], bool]) -> list[Step]:
    """Close the steps whose work is committed, and return them.

    Args:
        steps: From `settled`.
        notes: Where they are kept.
        head: The commit that has the work; `""` outside git, where the files themselves have to do.
        committed: Tells whether a file is as in that commit.
    """
    done = [step for step in steps if not head or all(map(committed, step.paths))]
    where = f" at commit {head[:10]}" if head else ""
    for step in done:
        close(notes, step.id, f"The finding is gone{where} ({', '.join(step.findings)}).")
    return done


def untick(steps: Collection[Step], notes: PlanNotes, head: str) -> list[Step]:
    """Open steps from `returned` again, and return them."""
    where = f" at commit {head[:10]}" if head else ""
    for step in steps:
        reopen(notes, step.id, f"The finding is there again{where} ({', '.join(step.findings)}).")
    return list(steps)


def is_committed(repo: Path, git: Git, path: str) -> bool:
    """Return whether a file is as in the checked-out commit."""
    try:
        now: str | None = (repo / path).read_text("utf-8", "replace")
    except OSError:
        now = None
    return git.show_file("HEAD", path) == now


def moved_away(repo: Path, git: Git) -> dict[str, str]:
    """Return old path to new of the files that were renamed and are gone from their old place."""
    if not git.available:
        return {}
    return {old: new for old, new in git.renames().items() if not (repo / old).exists()}
