"""Receipts are stored once, found by turn, and forgotten with what only they used."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from maintainer.state.errors import StoreError
from maintainer.state.receipt import Entry, Receipt
from maintainer.tools.receipts import ReceiptStore
from maintainer.tools.receipts.store import prompt_text

ENTRY = Entry(
    source="rag",
    type="code",
    title="a.py:3",
    tokens=9,
    relevance=0.5,
    recency=1,
    score=0.6,
    chosen=False,
    rule="no room",
)
RECEIPT = Receipt(
    strategy="default",
    tokenizer="o200k_base",
    exact=True,
    budget=4000,
    reply_reserve=800,
    tokens=900,
    sections={"Task": 9},
    utilisation=0.28,
    stable_tokens=0,
    session="s",
    turn=1,
    step=1,
    at="2026-01-05T09:00:00+00:00",
    prompt={"system": "rules " * 500, "user": "订单\ud800 why?"},
)


@pytest.fixture
def store(tmp_path: Path) -> ReceiptStore:
    return ReceiptStore(tmp_path)


def test_a_receipt_comes_back_as_it_was(store: ReceiptStore) -> None:
    with store:
        name = store.save(replace(RECEIPT, entries=(ENTRY,)))
        assert store.load(name) == replace(RECEIPT, entries=(ENTRY,))
        assert store.save(replace(RECEIPT, entries=(ENTRY,))) == name
        assert len(store.list()) == 1


def test_another_process_finds_it(store: ReceiptStore, tmp_path: Path) -> None:
    with store, ReceiptStore(tmp_path) as other:
        name = store.save(RECEIPT)
        assert other.load(name).prompt == RECEIPT.prompt


def test_what_stays_the_same_from_call_to_call_is_stored_once(store: ReceiptStore, tmp_path: Path) -> None:
    rules = "".join(f"rule {n}: {n * 7919 % 1000}\n" for n in range(20_000))
    with store:
        for step in range(40):
            store.save(replace(RECEIPT, step=step, prompt={"system": rules, "user": f"question {step}"}))
    assert (tmp_path / "receipts.db").stat().st_size < len(rules)


def test_receipts_are_listed_newest_first_by_session_and_turn(store: ReceiptStore) -> None:
    with store:
        for turn in (1, 2):
            for step in (1, 2):
                store.save(replace(RECEIPT, turn=turn, step=step, at=f"2026-01-0{turn}T0{step}:00:00+00:00"))
        store.save(replace(RECEIPT, session="other"))
        assert [(each.turn, each.step) for each in store.list("s")] == [(2, 2), (2, 1), (1, 2), (1, 1)]
        assert [(each.turn, each.step) for each in store.list("s", 1, limit=1)] == [(1, 2)]
        assert store.list("nobody") == []
        assert store.last_prompt("nobody") == ""
        assert store.last_prompt("s") == prompt_text(RECEIPT)


def test_only_the_best_of_the_dropped_are_listed(store: ReceiptStore) -> None:
    many = tuple(replace(ENTRY, title=f"a.py:{n}", rule="no room" if n % 2 else "irrelevant") for n in range(1000))
    with store:
        kept = store.load(store.save(replace(RECEIPT, entries=many)))
    assert len(kept.entries) == 200
    assert kept.unlisted == {"no room": 400, "irrelevant": 400}
    assert kept.candidates == 1000


def test_forgetting_takes_the_texts_too(store: ReceiptStore) -> None:
    with store:
        old = store.save(replace(RECEIPT, prompt={"user": "old text"}))
        new = store.save(replace(RECEIPT, at="2026-05-05T09:00:00+00:00", prompt={"user": "new text"}))
        assert store.forget(before=datetime(2026, 3, 1, tzinfo=UTC)) == 1
        assert store.load(new).prompt == {"user": "new text"}
        with pytest.raises(StoreError, match=f"no receipt '{old}' is kept here"):
            store.load(old)
        assert store.forget(session="s") == 1
        assert store.list() == []
        with pytest.raises(ValueError, match="say what to forget"):
            store.forget()


def test_a_damaged_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "receipts.db").write_bytes(b"no database, but long enough to look like a file" * 99)
    with ReceiptStore(tmp_path) as store, pytest.raises(StoreError, match=r"receipts\.db"):
        store.save(RECEIPT)
