from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from maintainer.state.errors import LedgerError
from maintainer.state.packet import ContextPacket, Need
from maintainer.state.turns import Role, Said, Turn
from maintainer.tools.archive import Archive
from maintainer.tools.embeddings import Embedder, open_embedder
from maintainer.tools.ledger import LedgerKeeper
from maintainer.tools.recall import TurnIndex, past_sources
from maintainer.tools.recall.vectors import VectorTable
from maintainer.tools.search import Document, WordIndex

NOON = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)


class Past:
    """One archive with its ledger and index, and a way to say things."""

    def __init__(self, folder: Path, embedder: Embedder | None) -> None:
        self._folder, self._embedder = folder, embedder
        self._open()

    def _open(self) -> None:
        self.archive = Archive(self._folder / "archive")
        self.keeper = LedgerKeeper(self.archive, self._embedder, folder=self._folder / "recall")
        self.index = TurnIndex(self.archive, self._folder / "recall", self._embedder)

    def say(self, *texts: str, parent: str = "", session: str = "s", name: str = "") -> str:
        """Archive a turn and return its id."""
        roles: tuple[Role, ...] = ("user", "assistant")
        said = tuple(Said(role=roles[i % 2], text=text) for i, text in enumerate(texts))
        number = self.keeper.at(parent).turn + 1
        turn = Turn(
            id=name or f"{session}{number}", session=session, at=NOON + timedelta(days=number), said=said, parent=parent
        )
        self.archive.append(Turn(**{**fields(turn), "facts": tuple(self.keeper.changes(turn))}))
        return turn.id

    def packets(self, request: str, head: str) -> dict[str, list[ContextPacket]]:
        """Return what the three sources offer, by name."""
        sources = past_sources(self.archive, self.keeper, self.index)
        return {source.name: list(source.packets(Need(text=request, head=head))) for source in sources}

    def close(self) -> None:
        for part in (self.archive, self.keeper, self.index):
            part.close()

    def reopen(self) -> None:
        self.close()
        self._open()


def fields(turn: Turn) -> dict[str, object]:
    return {name: getattr(turn, name) for name in Turn.__dataclass_fields__}


@pytest.fixture(scope="module")
def embedder() -> Embedder | None:
    return open_embedder()


@pytest.fixture(params=["words", "meaning"])
def past(request: pytest.FixtureRequest, tmp_path: Path, embedder: Embedder | None) -> Iterator[Past]:
    past = Past(tmp_path, embedder if request.param == "meaning" else None)
    yield past
    past.close()


def talk(past: Past, *exchanges: tuple[str, str]) -> str:
    head = ""
    for exchange in exchanges:
        head = past.say(*exchange, parent=head)
    return head


LONG = [
    ("Goal: keep the shop running.", "All right."),
    ("The invoice of Mrs Berger went missing in March.", "It was in the archive of the old server."),
    *((f"Please look at file number {n}.", f"File {n} is fine.") for n in range(14)),
]


def test_old_turns_are_found_by_their_words(past: Past) -> None:
    head = talk(past, *LONG)
    found = past.index.search("What happened to the invoice of Mrs Berger?", head)
    assert found[0].said.text == "The invoice of Mrs Berger went missing in March."
    assert found[0].score == 1.0


def test_what_was_said_next_to_a_hit_is_found_too(past: Past) -> None:
    head = talk(past, *LONG)
    found = past.index.search("invoice of Mrs Berger", head, limit=3)
    assert "It was in the archive of the old server." in [each.said.text for each in found]


def test_a_fork_recalls_its_own_line_only(past: Past) -> None:
    root = past.say("Goal: keep it running.", "Yes.", name="root")
    left = past.say("The secret word is pomegranate.", "Noted.", parent=root, session="left")
    right = past.say("The secret word is walnut.", "Noted.", parent=root, session="right")
    for head, word in ((left, "pomegranate"), (right, "walnut")):
        texts = [each.said.text for each in past.index.search("secret word", head)]
        assert texts[0] == f"The secret word is {word}."
        assert not any("secret" in text for text in texts[1:])


def test_the_index_is_made_again_after_a_restart_and_after_it_was_lost(past: Past, tmp_path: Path) -> None:
    head = talk(past, *LONG)
    before = [(each.turn.id, each.place, each.score) for each in past.index.search("invoice", head)]
    past.reopen()
    assert [(each.turn.id, each.place, each.score) for each in past.index.search("invoice", head)] == before
    past.close()
    for path in (tmp_path / "recall").glob("*.sqlite*"):
        path.unlink()
    past._open()
    assert [(each.turn.id, each.place) for each in past.index.search("invoice", head)] == [key[:2] for key in before]


def test_a_process_killed_while_it_indexes_a_long_past_leaves_no_gap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    past, head = Past(tmp_path, None), ""
    for number in range(250):
        head = past.say(f"Look at file number {number}.", parent=head)
    put, calls = WordIndex.put, iter([False, True])

    def killed(self: WordIndex, documents: Iterable[Document]) -> None:
        if next(calls, False):
            raise KeyboardInterrupt
        put(self, documents)

    monkeypatch.setattr(WordIndex, "put", killed)
    with pytest.raises(KeyboardInterrupt):
        past.index.catch_up(head)
    past.reopen()
    past.index.catch_up(head)
    assert past.index.count("s") == 250
    past.close()


def test_a_process_with_another_model_meanwhile_mixes_no_vectors(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    mine = VectorTable(path, Axis("first", 4))
    mine.put({"a": "0", "b": "1"})
    other = VectorTable(path, Axis("second", 3))
    mine.put({"c": "2"})
    other.put({"d": "1"})
    assert mine.nearest("2", 1) == {"c": 1.0}
    assert VectorTable(path, Axis("second", 3)).ids() == other.ids() == {"d"}


class Axis:
    """A text is the number of the axis it lies on."""

    def __init__(self, name: str, dimension: int) -> None:
        self.name, self.dimension = name, dimension

    def embed(self, texts: Sequence[str]) -> "np.ndarray":
        return np.eye(self.dimension, dtype="f4")[[int(text) for text in texts]]


def test_nothing_of_an_erased_session_stays_in_the_index(past: Past, tmp_path: Path) -> None:
    past.say("The word is pomegranate.", session="gone")
    head = past.say("The word is walnut.", session="kept")
    past.index.search("word", "gone1")
    past.index.search("word", head)
    assert past.index.count("gone") == 1
    past.index.erase("gone")
    assert past.index.count("gone") == 0
    assert [each.said.text for each in past.index.search("word", head)] == ["The word is walnut."]


def test_goal_and_plan_are_pinned_word_for_word(past: Past) -> None:
    plan = "The plan: 1) read the code; 2) port it; 3) ship it. Starting with step 1."
    head = talk(past, ("Goal: port the shop by May.", plan), ("Go on.", "Step 1 is done. Now on step 2: port it."))
    goal, steps = past.packets("anything", head)["anchors"]
    assert goal.content == "Goal: Goal: port the shop by May."
    assert steps.content.splitlines()[1:3] == ["[x] 1. read the code (done)", "[>] 2. port it (in progress)"]
    assert all(packet.metadata["pinned"] for packet in (goal, steps))


def test_standing_facts_are_offered_verbatim_the_closest_first(past: Past) -> None:
    rule = "Never touch the table KEEP_7 in `shop/cart.py`."
    other = "`shop/mail.py` writes to the queue, because mails may be late."
    head = talk(past, ("Goal: go.", "Yes."), (other, "Noted."), (rule, "Noted."), ("Thanks.", "Sure."))
    first, second = past.packets("Please clean up `cart.py`.", head)["ledger"]
    assert first.content == f"Rule (turn 3): {rule}"
    assert first.metadata["pinned"]
    assert other in second.content
    assert first.relevance_score > second.relevance_score


def test_superseded_facts_are_absent_and_marked_where_they_are_recalled(past: Past) -> None:
    old = "`web/session.py` keeps its sessions in `redis_store`, because restarts must not log people out."
    new = "`web/session.py` no longer keeps its sessions in `redis_store`, they move to `pg_store`."
    filler = [(f"Please look at file number {n}.", f"File {n} is fine.") for n in range(12)]
    head = talk(past, ("Goal: go.", "Yes."), (old, "Noted."), ("Next.", "Yes."), (new, "Noted."), *filler)
    offered = past.packets("Where do the sessions of `web/session.py` live?", head)
    assert not any(packet.content.endswith(old) for packet in offered["ledger"])
    recalled = [packet.content for packet in offered["recall"] if old in packet.content]
    assert len(recalled) == 1
    assert f"superseded by turn 4] {old}" in recalled[0]


def test_the_ledger_of_a_fork_and_after_a_restart_is_the_same_fold(past: Past) -> None:
    root = past.say("Goal: go.", "Yes.", name="root")
    rule = past.say("Never push to main in `repo/a.py`.", "Noted.", parent=root, name="rule")
    fork = past.say("Always sign commits of `repo/b.py`.", "Noted.", parent=root, session="fork", name="fork")
    ledgers = {head: past.keeper.at(head) for head in (root, rule, fork)}
    assert [len(ledger.standing()) for ledger in ledgers.values()] == [0, 1, 1]
    past.reopen()
    assert {head: past.keeper.at(head) for head in (root, rule, fork)} == ledgers


def test_a_model_can_note_supersede_and_resolve_outright(past: Past) -> None:
    head = talk(past, ("Goal: go.", "Yes."), ("Go on.", "Sure."))
    problem = past.keeper.note(head, "problem", "`a.py` is slow")
    fixed = past.keeper.resolve(head, problem.id, "a cache was missing")
    rule = past.keeper.note(head, "rule", "lines have 100 columns", by="user")
    newer = past.keeper.supersede(head, rule.id, "lines have 120 columns")
    assert [fact.id for fact in past.keeper.at(head).standing()] == [fixed.id, newer.id]
    with pytest.raises(LedgerError, match=f"no standing fact has the id '{rule.id}'"):
        past.keeper.supersede(head, rule.id, "again")
    past.reopen()
    assert [fact.text for fact in past.keeper.at(head).standing()] == ["a cache was missing", "lines have 120 columns"]


def test_secrets_reach_neither_ledger_nor_index(past: Past, tmp_path: Path) -> None:
    head = past.say("The password for `db/main.py` is hunter22, never tell it.", "Noted.")
    past.packets("password", head)
    past.close()
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"hunter22" not in stored
    past._open()


def test_an_empty_session_offers_nothing(past: Past) -> None:
    assert past.packets("anything", "") == {"anchors": [], "ledger": [], "recall": []}


SMALL_TALK = [
    "My week was busy.",
    "The bus was late again.",
    "I made pasta, the simple one.",
    "Our cat sleeps.",
]


def conversation(past: Past) -> str:
    """Say what two people tell each other over some weeks, and return the newest turn."""
    head = past.say("Tom: I moved to Graz last spring. I always loved the hills.", "Maya: How nice for you!")
    for n in range(12):
        head = past.say(
            f"Tom: {SMALL_TALK[n % 4]} Number {n} of my tulips is open.", f"Maya: I ran {n} miles.", parent=head
        )
    return head


def test_in_a_talk_recalled_messages_stand_whole_and_the_ledger_gives_way(past: Past) -> None:
    head = conversation(past)
    recalled = [packet.content for packet in past.packets("Where did Tom move?", head)["recall"]]
    assert "user, turn 1: Tom: I moved to Graz last spring. I always loved the hills." in recalled
    assert past.packets("Where did Tom move?", head)["ledger"] == []


def test_in_a_talk_nobody_takes_back_what_the_other_said(past: Past) -> None:
    head = conversation(past)
    head = past.say("Tom: Fine.", "Maya: I no longer live in Graz, I moved to Cork.", parent=head)
    for n in range(12):
        head = past.say(f"Tom: {SMALL_TALK[n % 4]} Still {n}.", f"Maya: I swam {n} miles.", parent=head)
    assert not any("superseded" in packet.content for packet in past.packets("Who moved to Graz?", head)["recall"])


def test_in_work_on_a_project_a_rule_about_any_part_of_it_is_a_fact(past: Past) -> None:
    head = past.say("`core/feed.py` pages by cursor, because offsets broke.", "Noted.")
    head = past.say("Texts of the onboarding guide come in Dutch.", "All right.", parent=head)
    types = {packet.content: packet.type for packet in past.packets("hello", head)["ledger"]}
    assert types["Fact (turn 2): Texts of the onboarding guide come in Dutch."] == "fact"
