"""The past of a session: its steps, the state at each, what differs between two, and new lines from old ones."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointTuple
from langgraph.types import Send

from ...state.errors import SessionError, StoreError
from ...state.session import SessionState
from ..checkpoints import Checkpointer

_TRIGGER = "branch:to:"
_TASKS = "__pregel_tasks"
ID_DIGITS = 8
"""Digits of a checkpoint id that are enough to name it."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """One stored step: the state between two nodes."""

    number: int
    """Counts the steps of the session; what `--at` takes. -1 holds the first request."""
    checkpoint_id: str
    parent: str
    turn: int
    next: tuple[str, ...]
    """The nodes that run from here; empty at the end of a turn."""
    source: str
    """`input`, `loop`, `update` (an edit) or `fork`."""
    at: datetime
    mark: str = ""
    current: bool = True
    """False for a step on a branch the session has left."""

    def to_dict(self) -> dict[str, Any]:
        """Return the step as plain JSON values."""
        return {**asdict(self), "at": self.at.isoformat()}


@dataclass(frozen=True, kw_only=True)
class Change:
    """One field of the state that differs."""

    field: str
    before: Any
    after: Any
    """Plain JSON values; of lists, only the items the other side does not have."""


def steps(saver: Checkpointer, thread_id: str, marks: Mapping[str, str] | None = None) -> list[Step]:
    """Return the stored steps of a thread, oldest first; pruned ones are missing, their numbers stay free."""
    return _steps([*saver.list(_config(thread_id))], marks or {})


def find(known: Sequence[Step], at: str) -> Step:
    """Return the step a user means.

    Args:
        known: From `steps`.
        at: A step number (``"12"``), a turn (``"t3"``: where it ended, or is now), a mark, or 8 digits of an id.

    Raises:
        SessionError: No stored step, or more than one, is meant.
    """
    present = [step for step in known if step.current]
    if re.fullmatch(r"-?[0-9]{1,18}", at):
        matches = [step for step in present if step.number == int(at)]
    elif re.fullmatch(r"t[0-9]{1,18}", at):
        of_turn = [step for step in present if step.turn == int(at[1:])]
        matches = ([step for step in of_turn if not step.next] or of_turn)[-1:]
    else:
        matches = [step for step in known if at and step.mark == at]
        if not matches and len(at) >= ID_DIGITS:
            matches = [step for step in known if step.checkpoint_id.startswith(at)]
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise SessionError(f"{at!r} names {len(matches)} steps: give more digits of the id")
    numbers = ", ".join(str(step.number) for step in present[-12:])
    raise SessionError(f"no stored step {at!r}: must be a number ({numbers}), t and a turn (t3), a mark or an id")


def stored_at(saver: Checkpointer, thread_id: str, at: str, marks: Mapping[str, str]) -> tuple[Step, CheckpointTuple]:
    """Return the step a user means (`at` as `find` takes it) and what is stored of it.

    In one look: the process that writes the session may prune the step a moment later.

    Raises:
        SessionError: No stored step, or more than one, is meant.
    """
    stored = [*saver.list(_config(thread_id))]
    step = find(_steps(stored, marks), at)
    return step, next(each for each in stored if each.checkpoint["id"] == step.checkpoint_id)


def newest_state(saver: Checkpointer, thread_id: str) -> SessionState | None:
    """Return the state at the newest step, None where no step is stored."""
    stored = saver.get_tuple(_config(thread_id))
    return None if stored is None else state_of(stored)


def session_of(saver: Checkpointer, thread_id: str) -> str:
    """Return the name of the session a thread says it is, `""` where it says none or cannot be read.

    Before its first node has run, only the metadata names it: it is what the run was started as.
    """
    try:
        stored = saver.get_tuple(_config(thread_id))
    except StoreError:
        return ""
    if stored is None:
        return ""
    named = stored.checkpoint["channel_values"].get("session") or stored.metadata.get("session")
    return str(named or "")


def diff(before: SessionState, after: SessionState) -> list[Change]:
    """Return the fields in which two states differ, in the order of the state; of lists only what differs."""
    then, now = before.model_dump(mode="json"), after.model_dump(mode="json")
    found = []
    for name in type(after).model_fields:
        old, new = then[name], now[name]
        if old == new:
            continue
        if isinstance(old, list) and isinstance(new, list):
            old, new = [item for item in old if item not in new], [item for item in new if item not in old]
        found.append(Change(field=name, before=old, after=new))
    return found


def copy_step(saver: Checkpointer, stored: CheckpointTuple, target: str, changes: Mapping[str, Any]) -> None:
    """Make a stored step the first step of another thread, with some values changed.

    Results of a step that was under way are not copied: the new line runs it itself.
    """
    checkpoint = stored.checkpoint.copy()
    known = {name: value for name, value in changes.items() if name in checkpoint["channel_values"]}
    checkpoint["channel_values"] = {**checkpoint["channel_values"], **known}
    config: RunnableConfig = {"configurable": {"thread_id": target, "checkpoint_ns": ""}}
    saver.put(config, checkpoint, {**stored.metadata, "source": "fork"}, checkpoint["channel_versions"])


def _steps(stored: Sequence[CheckpointTuple], marks: Mapping[str, str]) -> list[Step]:
    labels = {checkpoint_id: label for label, checkpoint_id in marks.items()}
    found = [as_step(each, labels) for each in stored]
    line = _line(found)
    return [replace(step, current=step.checkpoint_id in line) for step in sorted(found, key=lambda s: s.checkpoint_id)]


def _line(found: Sequence[Step]) -> set[str]:
    """Return the ids from the newest step back to the first; where a parent was pruned, the step before it follows."""
    by_id = {step.checkpoint_id: step for step in found}
    line: set[str] = set()
    step = by_id[max(by_id)] if by_id else None
    while step is not None:
        line.add(step.checkpoint_id)
        number = step.number
        earlier = [id_ for id_, other in by_id.items() if id_ < step.checkpoint_id and other.number < number]
        step = by_id.get(step.parent) or by_id.get(max(earlier, default=""))
    return line


def as_step(stored: CheckpointTuple, labels: Mapping[str, str]) -> Step:
    """Return what a stored step is called and where it stands."""
    values = stored.checkpoint["channel_values"]
    id_ = stored.checkpoint["id"]
    parent = (stored.parent_config or {}).get("configurable", {}).get("checkpoint_id", "")
    sent = [task.node for task in values.get(_TASKS) or () if isinstance(task, Send)]
    waiting = [name.removeprefix(_TRIGGER) for name in values if name.startswith(_TRIGGER)]
    first = ["__start__"] if "__start__" in values else []
    return Step(
        number=stored.metadata.get("step", 0),
        checkpoint_id=id_,
        parent=parent,
        turn=values.get("turn", 0),
        next=tuple(dict.fromkeys((*first, *waiting, *sent))),
        source=stored.metadata.get("source", ""),
        at=datetime.fromisoformat(stored.checkpoint["ts"]),
        mark=labels.get(id_, ""),
    )


def state_of(stored: CheckpointTuple) -> SessionState:
    """Return the state a stored step holds."""
    return SessionState.model_validate(stored.checkpoint["channel_values"])


def _config(thread_id: str) -> RunnableConfig:
    return {"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}}
