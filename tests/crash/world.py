"""What the crash harness kills: sessions over a real store, real archive and real notes, with a model that counts."""

import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

from langgraph.graph import END, START, StateGraph
from maintainer.graph.checkpoints import Checkpointer, KeepPolicy, open_checkpointer
from maintainer.graph.sessions import Sessions, thread_id
from maintainer.nodes.record import record
from maintainer.state.notes import Note
from maintainer.state.session import SCHEMA_VERSION, Reply, SessionInput, SessionState, Usage
from maintainer.tools.archive import Archive
from maintainer.tools.fakes import FixedClock
from maintainer.tools.notes.store import NoteStore

REQUESTS = ("how is this built?", "支付模块在哪里?", "what should we repair first?", "and why that one?")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
NAMESPACE = uuid.UUID(int=7)


def prepare(folder: Path) -> None:
    folder.mkdir()


def turn_id(folder: Path, number: int) -> str:
    """Return the id a caller gives a turn, the same in every life."""
    return f"{folder.name}-{number}"


@contextmanager
def opened(folder: Path, store: str) -> Iterator[tuple[Sessions, Any, str]]:
    url = str(folder / "home" / "checkpoints.sqlite") if store == "sqlite" else store
    name = f"session of {folder}"
    (folder / "home").mkdir(exist_ok=True)
    with closing(open_checkpointer(url)) as saver, closing(Archive(folder / "home" / "archive")) as archive:
        app = build(saver, archive, NoteStore(folder / "home" / "notes", FixedClock()), folder / "calls.log")
        policy = KeepPolicy(steps=4, turns=2)  # so that every turn prunes
        yield Sessions(folder / "home", saver, clock=FixedClock(), policy=policy), app, name


def build(saver: Checkpointer, archive: Archive, notes: NoteStore, calls: Path) -> Any:
    def begin(state: SessionState) -> dict[str, Any]:
        return {
            "schema_version": SCHEMA_VERSION,
            "turn": state.turn + 1,
            "goal": state.goal or state.request,
            "step": 0,
        }

    def think(state: SessionState) -> dict[str, Any]:
        with calls.open("a") as log:
            log.write(f"{state.request}\n")
        reply = Reply(text=f"answer to {state.request}", model="counting", usage=Usage(input_tokens=10))
        return {"reply": reply, "answer": reply.text * 50, "step": state.step + 1, "spent": reply.usage}

    def note(state: SessionState) -> dict[str, Any]:
        key = str(uuid.uuid5(NAMESPACE, state.turn_id))
        made = Note(
            id=f"note_20260301_120000_{key[:8]}",
            title=state.request,
            content=state.answer,
            created_at=NOON,
            updated_at=NOON,
        )
        return {"notes": [notes.create(made).id]}

    def compact(state: SessionState) -> dict[str, Any]:
        return {"history": state.history[-4:]}

    builder = StateGraph(SessionState, input_schema=SessionInput)
    keep = partial(record, archive=archive, facts=lambda _: (), clock=FixedClock())
    nodes = {"begin": begin, "think": think, "note": note, "record": keep, "compact": compact}
    for name, node in nodes.items():
        builder.add_node(name, node)
    builder.add_edge(START, "begin")
    for before, after in zip(nodes, [*nodes][1:], strict=False):
        builder.add_edge(before, after)
    builder.add_edge("compact", END)
    return builder.compile(checkpointer=saver)


def work(folder: Path, store: str) -> dict[str, Any]:
    """Ask all requests, those that are done already included, and return what was resumed."""
    resumed: list[str] = []
    with opened(folder, store) as (sessions, app, name), sessions.writing(name, repo=str(folder)) as session:
        done = session.record.turns
        for number, request in list(enumerate(REQUESTS))[done:]:
            turn = session.run(app, SessionInput(request=request, turn_id=turn_id(folder, number)), None)
            resumed += turn.resumed
            assert turn.status == "finished", turn
    return {"resumed": resumed}


def look(folder: Path, store: str) -> dict[str, Any]:
    """Return what a life finds: the tasks left over, and the model calls whose answers are stored."""
    with opened(folder, store) as (_, app, name):
        snapshot = app.get_state({"configurable": {"thread_id": thread_id(name)}})
    state = SessionState.model_validate(snapshot.values)
    paid = [message.content for message in state.history if message.role == "user"]
    if state.step and not {"__start__", "begin"} & {task.name for task in snapshot.tasks}:
        paid.append(state.request)
    return {"unfinished": [task.name for task in snapshot.tasks], "stored": paid, "calls": len(calls(folder))}


def calls(folder: Path) -> list[str]:
    log = folder / "calls.log"
    return log.read_text().splitlines() if log.exists() else []


def paid_twice(folder: Path, before: dict[str, Any]) -> list[str]:
    return [call for call in calls(folder)[before["calls"] :] if call in before["stored"]]


def facts(folder: Path, store: str) -> dict[str, Any]:
    """Return everything that must be the same however often the process was killed."""
    with opened(folder, store) as (sessions, app, name):
        snapshot = app.get_state({"configurable": {"thread_id": thread_id(name)}})
        state = SessionState.model_validate(snapshot.values)
        with closing(Archive(folder / "home" / "archive")) as archive:
            turns = [[turn.number, turn.said[0].text] for turn in archive.turns(state.head)]
        notes = [path.read_text() for path in (folder / "home" / "notes").glob("*.md")]
        stored = sessions.catalogue.get(name)
    return {
        "unfinished": [task.name for task in snapshot.tasks],
        "turn": state.turn,
        "history": [message.content for message in state.history],
        "spent": state.spent.input_tokens,
        "answer": state.answer,
        "archive": turns,
        "notes": sorted(note.split("title:")[1].splitlines()[0] for note in notes),
        "record": [stored.turns, stored.status],
    }
