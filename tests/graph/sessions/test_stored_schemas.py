"""Sessions that released versions exported stay readable, and can be gone on with, for ever.

`tests/data/sessions/schemaN.session` is what `maintainer sessions export` wrote under schema N: two finished turns, a
mark on the first, and a third turn that was stopped before its prompt was put together. No such file is ever changed.
"""

from pathlib import Path

import pytest
from maintainer.graph import Maintainer
from maintainer.graph.sessions.history import find
from maintainer.graph.sessions.stores import portable_stores
from maintainer.state.session import SCHEMA_VERSION
from maintainer.tools.fakes import ScriptedModel

STORED = sorted((Path(__file__).parents[2] / "data" / "sessions").glob("schema*.session"))
SAID = ["where are prices made?", "支付在哪里?"]


def test_every_schema_up_to_todays_has_its_stored_session() -> None:
    assert [path.stem for path in STORED] == [f"schema{number}" for number in range(1, SCHEMA_VERSION + 1)]


@pytest.mark.parametrize("file", STORED, ids=lambda path: path.stem)
def test_a_session_of_any_schema_is_read_finished_and_gone_on_with(file: Path, tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    repo.mkdir()
    (repo / "shop.py").write_text("def price(order):\n    return round(order.total, 2)\n")
    model = ScriptedModel(["The total is rounded in shop.py:2.", "It is called in pay.py."])
    with Maintainer(repo, model=model, embedder="none") as maintainer:
        with portable_stores(maintainer.home) as stores:
            record = maintainer._sessions.take(file, stores=stores)
        marked = find(maintainer._sessions.history("shop"), "the first answer")
        before = maintainer._sessions.state_at("shop", "t3")

        finished = maintainer.resume("shop")
        goes_on = maintainer.run("who calls it?", mode="explore", session="shop")

        state = maintainer._sessions.state_at("shop", "t4")
        archive = maintainer._toolbox.archive
        archived = [turn.said[0].text for turn in archive.turns(archive.newest("shop"))]

    assert (record.turns, marked.turn, before.goal) == (3, 1, SAID[0])
    assert [message.content for message in before.history if message.role == "user"] == SAID
    assert (finished.status, finished.turn, finished.resumed) == ("finished", 3, ("structure",))
    assert finished.text == "The total is rounded in shop.py:2."
    assert (goes_on.status, goes_on.turn) == ("finished", 4)
    assert archived == [*SAID, "what rounds the total?", "who calls it?"]
    assert [message.content for message in state.history if message.role == "user"] == archived
    assert state.schema_version == SCHEMA_VERSION
