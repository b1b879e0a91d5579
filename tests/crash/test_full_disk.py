"""A full or read-only disk under every store: one clear line, nothing acknowledged lost, and it goes on afterwards.

Each store is worked with in a forked process in which no file may grow beyond some bytes, or in which it has become
read-only. Afterwards another process, in which there is room again, reads what was acknowledged and writes more.
"""

import os
import random
import resource
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.base import empty_checkpoint
from maintainer.graph.checkpoints import open_checkpointer
from maintainer.graph.sessions import SessionCatalogue
from maintainer.state.errors import MaintainerError
from maintainer.state.receipt import Receipt
from maintainer.state.turns import Said, Turn
from maintainer.tools.archive import Archive
from maintainer.tools.fakes import FixedClock
from maintainer.tools.mailbox import Mailbox
from maintainer.tools.memory import MemoryTool
from maintainer.tools.notes import NoteTool
from maintainer.tools.rag import RAGTool
from maintainer.tools.receipts import ReceiptStore
from maintainer.tools.terminal import CommandResult
from maintainer.tools.terminal.audit import AuditLog, read

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
NOBODY = 65534
Child = Callable[[Callable[[], Any]], Any]


@dataclass
class Disk:
    """One store, open in a folder: writes a text under a name, and reads all names with the lengths of their texts."""

    write: Callable[[str, str], object]
    read: Callable[[], dict[str, int]]


def checkpoints(folder: Path, opened: ExitStack) -> Disk:
    saver = opened.enter_context(closing(open_checkpointer(folder / "checkpoints.sqlite")))

    def write(name: str, text: str) -> None:
        config: Any = {"configurable": {"thread_id": name, "checkpoint_ns": ""}}
        step = {**empty_checkpoint(), "channel_values": {"text": text}, "channel_versions": {"text": "1"}}
        saver.put(config, step, {}, {"text": "1"})  # type: ignore[arg-type]
        saver.settle()

    def texts() -> dict[str, int]:
        found = {name: saver.get_tuple({"configurable": {"thread_id": name}}) for name in saver.threads()}
        return {name: len(step.checkpoint["channel_values"]["text"]) for name, step in found.items() if step}

    return Disk(write, texts)


def archive(folder: Path, opened: ExitStack) -> Disk:
    store = opened.enter_context(closing(Archive(folder / "archive")))

    def write(name: str, text: str) -> None:
        said = (Said(role="user", text=text),)
        store.append(Turn(id=name, session="s", at=NOON, said=said, parent=store.newest("s")))

    return Disk(write, lambda: {turn.id: len(turn.said[0].text) for turn in store.turns(store.newest("s"))})


def receipts(folder: Path, opened: ExitStack) -> Disk:
    store = opened.enter_context(ReceiptStore(folder / "receipts"))

    def write(name: str, text: str) -> None:
        fields = {"strategy": "default", "tokenizer": "o200k_base", "exact": True, "budget": 1, "reply_reserve": 1}
        counts: dict[str, Any] = {"tokens": 1, "sections": {}, "utilisation": 0.1, "stable_tokens": 1}
        store.save(Receipt(session=name, request="?", prompt={"user": text}, **fields, **counts))  # type: ignore[arg-type]

    return Disk(write, lambda: {row.session: len(store.load(row.id).prompt["user"]) for row in store.list()})


def notes(folder: Path, opened: ExitStack) -> Disk:
    tool = opened.enter_context(NoteTool(folder / "notes", embedder=None))
    return Disk(tool.create, lambda: {row.title: len(tool.read(row.id).content) for row in tool.list()})


def memory(folder: Path, opened: ExitStack) -> Disk:
    tool = opened.enter_context(closing(MemoryTool(folder / "memory")))

    def texts() -> dict[str, int]:
        found = tool.search("remember", "episodic", limit=100)
        return {each.metadata["name"]: len(each.content) - len("remember ") for each in found}

    return Disk(lambda name, text: tool.add(f"remember {text}", "episodic", metadata={"name": name}), texts)


def documents(folder: Path, opened: ExitStack) -> Disk:
    (folder / "repo").mkdir(exist_ok=True)
    tool = opened.enter_context(RAGTool(folder / "repo", home=folder / "index", embedder=None))
    kept = folder / "index" / "documents" / "texts" / "docs"
    return Disk(
        lambda name, text: tool.add(text, name),
        lambda: {path.stem.split("-")[0]: path.stat().st_size for path in kept.glob("*.md")},
    )


def audit(folder: Path, _: ExitStack) -> Disk:
    path = folder / "audit.jsonl"
    log = AuditLog(path, FixedClock())
    return Disk(
        lambda name, text: log.append(CommandResult(command=name, reason=text, refused=True)),
        lambda: {entry.command: len(entry.reason) for entry in read(path)},
    )


def catalogue(folder: Path, _: ExitStack) -> Disk:
    records = SessionCatalogue(folder / "sessions", FixedClock())
    return Disk(
        lambda name, text: records.create(name, "/repo", detail=text),
        lambda: {record.name: len(record.detail) for record in records.list()},
    )


def mailbox(folder: Path, _: ExitStack) -> Disk:
    box = Mailbox(folder / "mail", FixedClock())
    return Disk(
        lambda name, text: box.post("s", f"{name} {text}"),
        lambda: {text.split()[0]: len(text) - len(text.split()[0]) - 1 for text in box.take("s").values()},
    )


STORES = (checkpoints, archive, receipts, notes, memory, documents, audit, catalogue, mailbox)
Store = Callable[[Path, ExitStack], Disk]


def text_of(name: str, size: int = 1500) -> str:
    """Return words no one can compress much."""
    chance = random.Random(name)
    return " ".join(f"{chance.getrandbits(40):010x}" for _ in range(size // 11))


def attempt(disk: Disk, name: str, size: int) -> str:
    """Write what there is no room for and return what was said; `""` where it was written after all."""
    try:
        disk.write(name, text_of(name, size))
    except MaintainerError as error:
        return str(error)
    return ""


def worked_without_room(store: Store, folder: Path, room: int, size: int) -> dict[str, Any]:
    """Acknowledge two texts, try a third without room, go on with a fourth in the same process."""
    with ExitStack() as opened:
        disk = store(folder, opened)
        for name in ("one", "two"):
            disk.write(name, text_of(name))
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, most))
        told = attempt(disk, "big", size)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        disk.write("four", text_of("four"))
        return {"told": told, "kept": disk.read()}


def worked_read_only(store: Store, folder: Path) -> dict[str, Any]:
    """Try to write as somebody who may only read."""
    if os.geteuid() == 0:
        os.setuid(NOBODY)
    try:
        with ExitStack() as opened:
            return {"told": attempt(store(folder, opened), "big", 1500)}
    except MaintainerError as error:
        return {"told": str(error)}


@pytest.fixture
def writable(tmp_path: Path) -> Iterator[Callable[[bool], None]]:
    """Makes the test's folder read-only for everybody but root, or writable again."""

    def change(writable: bool) -> None:
        for path in (tmp_path, *tmp_path.rglob("*")):
            path.chmod((0o755 if writable else 0o555) if path.is_dir() else (0o644 if writable else 0o444))

    for path in tmp_path.parents:
        if os.geteuid() == 0 and path != Path("/tmp") and path.is_relative_to("/tmp"):
            path.chmod(path.stat().st_mode | 0o055)
    yield change
    change(True)


def written(store: Store, folder: Path, name: str) -> dict[str, Any]:
    """Write one more text with room for it, and return what is there."""
    with ExitStack() as opened:
        disk = store(folder, opened)
        disk.write(name, text_of(name))
        return disk.read()


def lengths(*names: str) -> dict[str, int]:
    return {name: len(text_of(name)) for name in names}


@pytest.mark.parametrize("room", [0, 3000, 40_000])
@pytest.mark.parametrize("store", STORES, ids=lambda store: store.__name__)
def test_without_room_a_store_says_so_and_keeps_what_it_had(
    store: Store, room: int, tmp_path: Path, in_child: Child
) -> None:
    size = 400_000 if store is not audit else 1500
    done = in_child(lambda: worked_without_room(store, tmp_path, 0 if store is audit else room, size))
    assert done["told"]
    assert len(done["told"].splitlines()) == 1
    assert str(tmp_path) in done["told"]
    assert done["kept"] == lengths("one", "two", "four")
    assert in_child(lambda: written(store, tmp_path, "five")) == lengths("one", "two", "four", "five")


@pytest.mark.parametrize("store", STORES, ids=lambda store: store.__name__)
def test_a_store_that_may_not_be_written_says_so_and_keeps_what_it_had(
    store: Store, tmp_path: Path, writable: Callable[[bool], None], in_child: Child
) -> None:
    in_child(lambda: written(store, tmp_path, "one"))
    writable(False)
    told = in_child(lambda: worked_read_only(store, tmp_path))["told"]
    writable(True)
    assert told
    assert len(told.splitlines()) == 1
    assert str(tmp_path) in told
    assert in_child(lambda: written(store, tmp_path, "two")) == lengths("one", "two")
