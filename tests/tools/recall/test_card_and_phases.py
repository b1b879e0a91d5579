from collections.abc import Iterator
from pathlib import Path

import pytest
from maintainer.state.ledger import Ledger
from maintainer.state.packet import Need
from maintainer.state.turns import Said
from maintainer.tools.fakes import FixedClock
from maintainer.tools.ledger import apply, observe
from maintainer.tools.notes import NoteTool
from maintainer.tools.recall import Card, PhaseSource, card_text, end_phase, last_phase, phase_report, where_was_i

TALK = [
    "The plan: 1) read the code; 2) port the cart; 3) ship it. Starting with step 1.",
    "We go with LMDB in `shop/cache.py`, because the laptops are offline.",
    "Step 1 is done. Now on step 2: port the cart.",
    "`shop/cart.py` loses the last item now and then, cause unknown.",
    "I moved the writer from `shop/cart.py` to `shop/store/writer.py`.",
    "`shop/mail.py` hangs in teardown now and then, unsolved.",
    "The hang of `shop/mail.py` in teardown is fixed; a stale lock was behind it.",
]


@pytest.fixture
def ledger() -> Ledger:
    ledger = Ledger()
    for number, text in enumerate(TALK, start=2):
        ledger = apply(ledger, observe(ledger, [Said(role="assistant", text=text)], number), number)
    return ledger


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[NoteTool]:
    with NoteTool(tmp_path / "notes", clock=FixedClock(), embedder=None) as notes:
        yield notes


def test_the_card_tells_where_a_session_stands(ledger: Ledger) -> None:
    card = where_was_i("Port the shop.", ledger, stale_notes=["Cache"], changed=["shop/cart.py"])
    assert card == Card(
        goal="Port the shop.",
        done=("read the code (turn 4)", f"{TALK[6]} (turn 8)"),
        next_action="step 2: port the cart",
        blockers=(f"{TALK[3]} (turn 5)",),
        stale_notes=("Cache",),
        files=("shop/mail.py", "shop/cart.py", "shop/store/writer.py"),
        changed=("shop/cart.py",),
    )


def test_the_card_of_an_empty_session_says_the_goal_only() -> None:
    assert card_text(where_was_i("Port the shop.", Ledger())) == "Goal: Port the shop."


@pytest.mark.parametrize(("language", "next_"), [("en", "Next: step 2"), ("zh", "下一步: step 2")])
def test_the_card_is_written_in_both_languages(ledger: Ledger, language: str, next_: str) -> None:
    text = card_text(where_was_i("g", ledger), "zh" if language == "zh" else "en")
    assert text.splitlines()[1].startswith(next_)


def test_long_lists_are_counted_not_shown(ledger: Ledger) -> None:
    text = card_text(where_was_i("g", ledger, changed=[f"f{n}.py" for n in range(9)]))
    assert text.endswith("  - f4.py\n  - and 4 more")


def test_a_phase_ends_with_a_report_in_the_words_that_were_said(ledger: Ledger, notes: NoteTool) -> None:
    note = end_phase(notes, "Reading", "Port the shop.", ledger)
    assert note.content == phase_report("Reading", "Port the shop.", ledger)
    assert f"## Decisions\n- {TALK[1]} (turn 3)" in note.content
    assert f"## Open problems\n- {TALK[3]} (turn 5)" in note.content
    assert "Next: step 2: port the cart" in note.content
    assert last_phase(notes) == notes.read(note.id)


def test_old_decisions_are_not_told_again_but_problems_are(ledger: Ledger) -> None:
    report = phase_report("Second", "g", ledger, since=6)
    assert "## Decisions" not in report
    assert "## Open problems" in report


def test_the_next_phase_starts_from_the_report(ledger: Ledger, notes: NoteTool) -> None:
    source = PhaseSource(notes)
    assert source.packets(Need(text="go", turn=1)) == []
    end_phase(notes, "Reading", "Port the shop.", ledger)
    [packet] = source.packets(Need(text="go", turn=1))
    assert packet.content.startswith("[Note: Phase: Reading]\n# Reading\nGoal: Port the shop.")
    assert packet.metadata["pinned"]
    assert source.packets(Need(text="go", turn=4)) == []
