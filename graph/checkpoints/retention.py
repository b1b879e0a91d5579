"""Which checkpoints stay: the newest steps, the ends of the newest turns, and what somebody marked."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ...state.errors import ConfigError


@dataclass(frozen=True, kw_only=True)
class Row:
    """One checkpoint, as far as retention and history need to know it."""

    id: str
    """Sorts by time (uuid6)."""
    parent: str = ""
    source: str = ""
    """`"input"` starts a turn; the others are `"loop"`, `"update"` and `"fork"`."""
    step: int = 0
    namespace: str = ""
    """`""` for the graph itself, `node:task` for a sub-graph."""
    root: str = ""
    """For a sub-graph: the id of the checkpoint of the graph it was called from."""


@dataclass(frozen=True, kw_only=True)
class KeepPolicy:
    """How much of a session's past stays open to time travel."""

    steps: int = 8
    """The newest steps that stay, at least 1: about one turn."""
    turns: int = 50
    """The newest ends of turns that stay, at least 1."""

    def __post_init__(self) -> None:
        for name in ("steps", "turns"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 1:
                raise ConfigError(f"keep {name}", value, "must be a whole number of at least 1")


def turn_ends(rows: Sequence[Row]) -> list[str]:
    """Return the ids of the checkpoints at which a turn, or a branch, ended; newest first.

    A turn has ended where the next one's input follows, or where nothing follows.
    """
    own = [row for row in rows if not row.namespace]
    parents = {row.parent for row in own}
    before_input = {row.parent for row in own if row.source == "input"}
    return sorted((row.id for row in own if row.id in before_input or row.id not in parents), reverse=True)


def kept(rows: Sequence[Row], policy: KeepPolicy, marks: Collection[str] = ()) -> set[str]:
    """Return the ids that stay; a sub-graph's checkpoints stay as long as the step that called it."""
    own = sorted((row.id for row in rows if not row.namespace), reverse=True)
    keep = {*own[: policy.steps], *turn_ends(rows)[: policy.turns], *marks}
    return keep | {row.id for row in rows if row.namespace and row.root in keep}
