"""What of the archive belongs to one session alone: pure, over the records of the log."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ...state.delegation import is_of
from .log import Position, Record

_HANDLE = re.compile(r"\b[0-9a-f]{16}\b")


@dataclass(frozen=True, slots=True)
class Belongings:
    """The records that go when a session is erased."""

    turns: frozenset[str]
    """Ids of its turns, without those another session was forked from: they are that one's past too."""
    handles: frozenset[str]
    """Of every text that no other turn has."""
    positions: tuple[Position, ...]
    """Of these turns, their later facts and these texts."""


def belongings(records: Iterable[tuple[Position, Record | None]], session: str) -> Belongings:
    """Return what belongs to a session, and to the sub-agents it sent out, and to nobody else."""
    turns: dict[str, tuple[Position, Record]] = {}
    objects: dict[str, tuple[list[Position], str]] = {}
    facts: list[tuple[Position, str]] = []
    for position, record in records:
        if record is None:
            continue
        if record["t"] == "turn":
            turns.setdefault(record["id"], (position, record))
        elif record["t"] == "object":
            objects.setdefault(record["handle"], ([], record["text"]))[0].append(position)
        elif record["t"] == "facts":
            facts.append((position, record["turn"]))
    gone = {id_ for id_, (_, turn) in turns.items() if is_of(turn["session"], session)}
    gone -= _ancestors({id_: turn for id_, (_, turn) in turns.items()}, turns.keys() - gone)
    texts = {handle: text for handle, (_, text) in objects.items()}
    kept = _texts_of((turn for id_, (_, turn) in turns.items() if id_ not in gone), texts)
    only_here = _texts_of((turns[id_][1] for id_ in gone), texts) - kept
    positions = [turns[id_][0] for id_ in gone]
    positions += [position for position, turn in facts if turn in gone]
    positions += [position for handle in only_here for position in objects[handle][0]]
    return Belongings(frozenset(gone), frozenset(only_here), tuple(sorted(positions)))


def _ancestors(turns: Mapping[str, Record], starts: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for start in starts:
        parent = turns[start]["parent"]
        while parent in turns and parent not in found:
            found.add(parent)
            parent = turns[parent]["parent"]
    return found


def _texts_of(turns: Iterable[Mapping[str, Any]], texts: Mapping[str, str]) -> set[str]:
    """Return the handles of all texts of some turns, with those that are named inside these texts."""
    found: set[str] = set()
    open_ = [handle for turn in turns for handle in (*(said[1] for said in turn["said"]), *turn["prompts"])]
    while open_:
        handle = open_.pop()
        if handle in texts and handle not in found:
            found.add(handle)
            open_ += _HANDLE.findall(texts[handle])
    return found
