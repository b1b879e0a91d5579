"""Steps that tick themselves off: the findings they were made for are gone, and the work is committed."""

from collections.abc import Callable, Collection, Mapping
from typing import Protocol

from ...state.notes import Note
from .steps import Plan, Step


class Resolver(Protocol):
    """Closes notes."""

    def resolve(self, note_id: str, solution: str) -> Note:
        """Close a note with its solution."""


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


def tick_off(steps: Collection[Step], resolver: Resolver, head: str, committed: Callable[[str], bool]) -> list[Step]:
    """Close the steps whose work is committed, and return them.

    Args:
        steps: From `settled`.
        resolver: The notes.
        head: The commit that has the work; `""` outside git, where the files themselves have to do.
        committed: Tells whether a file is as in that commit.
    """
    done = [step for step in steps if not head or all(map(committed, step.paths))]
    where = f" at commit {head[:10]}" if head else ""
    for step in done:
        resolver.resolve(step.id, f"The finding is gone{where} ({', '.join(step.findings)}).")
    return done
