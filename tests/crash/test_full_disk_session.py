"""A disk that is full in the middle of a turn costs one clear line; with room again the session goes on, whole."""

import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import repeat
from pathlib import Path
from typing import Any

import pytest
from maintainer.graph import Maintainer
from maintainer.state.errors import MaintainerError
from maintainer.tools.fakes import ScriptedModel

REQUESTS = ("how is this built?", "支付在哪里?", "what should we repair first?")
Child = Callable[[Callable[[], Any]], Any]


@contextmanager
def opened(repo: Path) -> Iterator[Maintainer]:
    words = "Prices are made in shop.py:1 and read twice. " + "It is a long story. " * 300
    with Maintainer(repo, model=ScriptedModel(repeat(words)), embedder="none") as maintainer:
        yield maintainer


def ran_out_of_room(repo: Path, room: int) -> str:
    """Finish the first turn, run the second while no file may grow beyond `room` bytes; return what was said of it."""
    with opened(repo) as maintainer:
        maintainer.run(REQUESTS[0], mode="explore", session="main")
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, most))
        try:
            maintainer.run(REQUESTS[1], mode="explore", session="main")
        except MaintainerError as error:
            return str(error)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    return ""


def went_on(repo: Path) -> dict[str, Any]:
    """Finish what is unfinished and ask what was not asked yet; return what the session holds then."""
    with opened(repo) as maintainer:
        done = maintainer.resume("main").turn
        for request in REQUESTS[done:]:
            answer = maintainer.run(request, mode="explore", session="main")
        state = maintainer._sessions.state_at("main", f"t{answer.turn}")
        archive = maintainer._toolbox.archive
        return {
            "status": answer.status,
            "asked": [message.content for message in state.history if message.role == "user"],
            "archived": [turn.said[0].text for turn in archive.turns(archive.newest("main"))],
            "titles": sorted(row.title for row in maintainer._toolbox.notes.list()),
        }


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "shop.py").write_text("def price(order):\n    return order.total\n")
    return folder


@pytest.mark.parametrize("room", [3_000, 100_000])
def test_a_turn_without_room_is_told_in_a_line_and_the_session_goes_on(repo: Path, room: int, in_child: Child) -> None:
    told = in_child(lambda: ran_out_of_room(repo, room))
    assert told
    assert len(told.splitlines()) == 1
    after = in_child(lambda: went_on(repo))
    assert after["status"] == "finished"
    assert after["asked"] == after["archived"] == [*REQUESTS]
    assert len(after["titles"]) == len({*after["titles"]})
