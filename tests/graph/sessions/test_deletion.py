"""A deleted session is gone from every store, byte for byte; what a fork needs of it stays."""

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from langgraph.checkpoint.base import empty_checkpoint
from maintainer.graph.sessions import Sessions
from maintainer.graph.sessions.deletion import erase_session
from maintainer.graph.sessions.stores import portable_stores, session_stores
from maintainer.state.errors import StoreError, UnknownHandle
from maintainer.state.receipt import Receipt
from maintainer.state.session import SessionInput
from maintainer.state.turns import Said, Turn
from maintainer.tools.archive import Archive
from maintainer.tools.fakes import FixedClock
from maintainer.tools.mailbox import Mailbox
from maintainer.tools.memory import MemoryTool
from maintainer.tools.recall import TurnIndex
from maintainer.tools.receipts import ReceiptStore
from maintainer.tools.terminal import CommandResult
from maintainer.tools.terminal.audit import AuditLog, path_in, read

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
STORES = ("checkpoints", "archive", "recall", "memory", "mail", "receipts", "audit")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


def turn(id_: str, session: str, parent: str = "", text: str = "swordfish 密码") -> Turn:
    said = (Said(role="user", text=f"{text} asked in {id_}"), Said(role="tool", text=f"{text} found in {id_}"))
    return Turn(id=id_, session=session, at=NOON, said=said, parent=parent, facts=({"goal": f"{text} of {id_}"},))


@pytest.fixture
def filled(home: Path, app: Any, sessions: Sessions) -> None:
    """A session `secret` with something in every store, and one, `plain`, beside it."""
    for name, text in (("secret", "swordfish 密码"), ("plain", "harmless")):
        with sessions.writing(name, repo="/repo") as session:
            session.run(app, SessionInput(request=text, turn_id=uuid4().hex), None)
        archive, receipts = Archive(home / "archive"), ReceiptStore(home / "receipts")
        archive.append(turn(f"{name}-1", name, text=text))
        archive.append(turn(f"{name}-2", name, f"{name}-1", text=text))
        archive.append(turn(f"{name}-agent", f"{name}/1.call", text=text))
        for owner in (name, f"{name}/1.call"):
            receipts.save(receipt(owner, text))
        memory = MemoryTool(home / "memory", session=name)
        memory.add(f"{text} remembered", "working")
        memory.add(f"{text} happened", "episodic")
        for store in (archive, receipts, memory):
            store.close()
        Mailbox(home / "mail", FixedClock()).post(name, f"{text} in between")
        for owner in (name, f"{name}/1.call"):
            AuditLog(path_in(home), FixedClock(), owner).append(CommandResult(command=f"grep {text} {owner}"))
        remembered(home, f"{name}-2")


def remembered(home: Path, head: str) -> None:
    """Index a line of turns as a recall does."""
    with closing(Archive(home / "archive")) as archive, closing(TurnIndex(archive, home / "index" / "turns")) as turns:
        assert turns.search("asked", head) != []


def receipt(session: str, text: str) -> Receipt:
    return Receipt(
        session=session,
        request=text,
        prompt={"user": f"{text} prompt"},
        strategy="default",
        tokenizer="o200k_base",
        exact=True,
        budget=4000,
        reply_reserve=800,
        tokens=10,
        sections={},
        utilisation=0.1,
        stable_tokens=5,
    )


def places_of(home: Path, text: str) -> list[str]:
    data = text.encode()
    return sorted(str(p.relative_to(home)) for p in home.rglob("*") if p.is_file() and data in p.read_bytes())


def test_every_store_is_emptied_of_the_session_and_of_no_other(home: Path, filled: None, sessions: Sessions) -> None:
    with session_stores(home) as stores:
        proof = sessions.delete("secret", stores)

    counted = {store.store: (store.before > 0, store.after) for store in proof.stores}
    assert counted == dict.fromkeys(STORES, (True, 0))
    with session_stores(home) as stores:
        left = {store.name: store.count("plain") for store in stores}
    # the index of turns is made again, from the archive, when it is next asked
    assert left == {"archive": 3, "recall": 0, "memory": 2, "mail": 1, "receipts": 2, "audit": 2}
    remembered(home, "plain-2")
    assert [entry.command for entry in read(path_in(home))] == ["grep harmless plain", "grep harmless plain/1.call"]
    assert sessions.state_at("plain", "t1").answer == "harmless!"


def test_no_byte_of_what_was_said_is_left(home: Path, filled: None, sessions: Sessions) -> None:
    assert places_of(home, "swordfish") != []
    with session_stores(home) as stores:
        sessions.delete("secret", stores)
    assert places_of(home, "swordfish") == places_of(home, "密码") == []
    assert places_of(home, "harmless") != []


def test_turns_that_a_fork_has_as_its_past_stay(home: Path) -> None:
    archive = Archive(home / "archive")
    archive.append(turn("one", "secret"))
    archive.append(turn("two", "secret", "one"))
    archive.append(turn("other", "fork", "one"))

    archive.erase("secret")

    assert [each.id for each in archive.turns("other")] == ["one", "other"]
    assert archive.turns("other")[0].said[0].text == "swordfish 密码 asked in one"
    with pytest.raises(UnknownHandle):
        archive.turn("two")
    assert archive.count("secret") == 0
    archive.close()


def test_an_archive_goes_on_after_an_erasure_also_when_its_catalogue_is_lost(home: Path) -> None:
    archive = Archive(home / "archive")
    archive.append(turn("one", "secret"))
    archive.append(turn("kept", "plain"))
    archive.erase("secret")
    archive.append(turn("more", "plain", "kept"))
    archive.close()
    for path in (home / "archive").glob("catalogue*"):
        path.unlink()

    again = Archive(home / "archive")
    assert [each.id for each in again.turns("more")] == ["kept", "more"]
    assert again.warnings == []
    assert again.count("secret") == 0
    again.close()


def test_a_text_two_sessions_share_stays_for_the_other(home: Path) -> None:
    archive = Archive(home / "archive")
    shared = Said(role="user", text="the same question")
    archive.append(Turn(id="a", session="secret", at=NOON, said=(shared,)))
    archive.append(Turn(id="b", session="plain", at=NOON, said=(shared,)))
    archive.erase("secret")
    assert archive.turn("b").said[0].text == "the same question"
    archive.close()


def test_what_cannot_be_erased_is_named_and_the_session_stays_listed(app: Any, sessions: Sessions) -> None:
    class Stubborn:
        name = "vectors"

        def count(self, session: str) -> int:
            return 3

        def erase(self, session: str) -> None:
            pass

    with sessions.writing("main", repo="/repo") as session:
        session.run(app, SessionInput(request="one"), None)
    with pytest.raises(StoreError, match="3 entries in vectors are left"):
        sessions.delete("main", [Stubborn()])
    assert sessions.catalogue.get("main").name == "main"
    assert erase_session(sessions.catalogue.get("main"), []).stores == ()


def test_an_unfinished_sub_agents_steps_go_with_their_session(app: Any, sessions: Sessions, saver: Any) -> None:
    with sessions.writing("main", repo="/repo") as session:
        session.run(app, SessionInput(request="one"), None)
    agent = str(uuid4())
    app.update_state({"configurable": {"thread_id": agent}}, {"session": "main/1.call", "request": "x"}, "begin")

    begun = str(uuid4())  # killed before its first node: only the metadata says whose it is
    saver.put(
        {"configurable": {"thread_id": begun, "checkpoint_ns": "", "session": "main/1.other"}},
        empty_checkpoint(),
        {"source": "input", "step": -1, "session": "main/1.other"},
        {},
    )
    studio = str(uuid4())
    saver.put({"configurable": {"thread_id": studio, "checkpoint_ns": ""}}, empty_checkpoint(), {"source": "input"}, {})

    sessions.delete("main")

    assert saver.threads() == [studio]


def test_archived_turns_travel_with_their_session(home: Path, filled: None, sessions: Sessions, tmp_path: Path) -> None:
    with portable_stores(home) as stores:
        sessions.export("secret", tmp_path / "s.session", stores)
    other = Sessions(tmp_path / "other", sessions.checkpointer, clock=sessions.clock)
    with portable_stores(tmp_path / "other") as stores:
        record = other.take(tmp_path / "s.session", "copy", stores)
        (turns,) = stores
        assert len(list(turns.lines(record))) == 2

    archive = Archive(tmp_path / "other" / "archive")
    assert [each.session for each in archive.turns(archive.newest("copy"))] == ["copy", "copy"]
    archive.close()


def test_a_session_with_a_slash_in_its_name_is_no_part_of_another_one(home: Path) -> None:
    with closing(Archive(home / "archive")) as archive, ReceiptStore(home / "receipts") as receipts:
        for owner in ("team", "team/payments", "team/1.call"):
            archive.append(turn(owner, owner))
            receipts.save(receipt(owner, "x"))
    with session_stores(home) as stores:
        for store in stores:
            store.erase("team")
        left = {store.name: store.count("team/payments") for store in stores}
    assert (left["archive"], left["receipts"]) == (1, 1)
    with closing(Archive(home / "archive")) as archive, ReceiptStore(home / "receipts") as receipts:
        assert archive.turn("team/payments").said != ()
        assert [row.session for row in receipts.list()] == ["team/payments"]
