from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from maintainer.nodes.note_writer import note_writer
from maintainer.state.errors import ModelError
from maintainer.state.notes import NoteStatus, NoteType
from maintainer.state.packet import ContextPacket
from maintainer.state.session import Citation, Reply, SessionState, Usage
from maintainer.tools.fakes import FixedClock, ScriptedModel
from maintainer.tools.notes import NoteTool
from maintainer.tools.notes.sources import Sources

CLOCK = FixedClock()


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "pool.py").write_text("size = 5\nwait = 1\n", "utf-8")
    return folder


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[NoteTool]:
    with NoteTool(tmp_path / "notes", clock=CLOCK, embedder=None) as tool:
        yield tool


def turn(request: str = "how large is the pool?", answer: str = "It has five places.", **more: Any) -> SessionState:
    values: dict[str, Any] = {
        "turn_id": "t1",
        "session": "s",
        "started_at": CLOCK.now(),
        "reply": Reply(text=answer, model="none"),
        "citations": [Citation(path="pool.py", line=1, end=1)],
    }
    return SessionState(request=request, answer=answer, **{**values, **more})


def impact(content: str = "If pool.py changes: nobody notices") -> ContextPacket:
    return ContextPacket(content, metadata={"type": "first_look", "what": "impact", "path": "pool.py"})


def test_without_a_model_what_was_established_becomes_a_note_bound_to_the_places_it_names(
    notes: NoteTool, repo: Path
) -> None:
    (repo / "other.py").write_text("x = 1\n", "utf-8")
    sources = Sources(repo)
    cited = [Citation(path="other.py", line=1, end=1), Citation(path="pool.py", line=1, end=1)]
    state = turn(answer="Best matches: other.py:1 ...", first_look=[impact()], citations=cited)
    update = note_writer(state, notes=notes, bind=sources.bind_place, clock=CLOCK)
    assert update["stats"] == {"notes_created": 1}
    (key,) = update["notes"]
    note = notes.read(key)
    assert (note.title, note.content, note.type) == (
        "how large is the pool?",
        "If pool.py changes: nobody notices",
        NoteType.CONCLUSION,
    )
    assert note.sources == (sources.bind("pool.py", "1"),)
    assert note.extra == {"session": "s", "turn": "t1"}


def test_findings_are_kept_with_their_sum_and_make_no_blocker(notes: NoteTool, repo: Path) -> None:
    look = [
        ContextPacket("9 files: high 1.", metadata={"type": "quality", "what": "summary"}),
        ContextPacket(
            "whole text", metadata={"type": "quality", "what": "finding", "title": "[high] a.py:1 Probable bug"}
        ),
    ]
    update = note_writer(turn(first_look=look), notes=notes, bind=Sources(repo).bind_place, clock=CLOCK)
    note = notes.read(update["notes"][0])
    assert (note.content, note.type) == ("9 files: high 1.\n[high] a.py:1 Probable bug", NoteType.CONCLUSION)


def test_places_that_match_a_request_are_no_conclusion(notes: NoteTool, repo: Path) -> None:
    look = [ContextPacket("shop: 9 files", metadata={"type": "first_look", "what": "map"})]
    update = note_writer(turn(first_look=look), notes=notes, bind=Sources(repo).bind_place, clock=CLOCK)
    assert not update.get("notes")
    assert notes.list() == []


def test_a_turn_run_again_gives_the_same_note_once(notes: NoteTool, repo: Path) -> None:
    first = note_writer(turn(first_look=[impact()]), notes=notes, bind=Sources(repo).bind_place, clock=CLOCK)
    again = note_writer(turn(first_look=[impact()]), notes=notes, bind=Sources(repo).bind_place, clock=CLOCK)
    assert again == first
    six = turn(turn_id="t2", first_look=[impact("If pool.py changes: six notice")])
    later = note_writer(six, notes=notes, bind=Sources(repo).bind_place, clock=CLOCK)
    assert (later["notes"], later["stats"]) == (first["notes"], {"notes_updated": 1})
    assert len(notes.list()) == 1


def test_without_citations_a_note_is_bound_to_the_code_that_was_shown(notes: NoteTool, repo: Path) -> None:
    shown = [
        ContextPacket("size", metadata={"type": "code", "path": "pool.py", "lines": "1-2"}),
        ContextPacket("words", metadata={"type": "history"}),
    ]
    told = turn(citations=[], selected=shown, reply=Reply(text="It has five places.", model="scripted"))
    update = note_writer(told, notes=notes, bind=Sources(repo).bind_place, clock=CLOCK)
    (source,) = notes.read(update["notes"][0]).sources
    assert (source.path, source.lines) == ("pool.py", "1-2")


@pytest.mark.parametrize("nothing", [{"answer": " "}, {"notes": ["note_1"]}, {"citations": []}])
def test_nothing_found_or_already_noted_writes_nothing(notes: NoteTool, repo: Path, nothing: dict[str, Any]) -> None:
    update = note_writer(turn(**nothing), notes=notes, bind=Sources(repo).bind_place, clock=CLOCK)
    assert not update.get("notes")
    assert not update.get("stats")
    assert notes.list() == []


def test_a_model_proposes_notes_and_says_which_blocker_is_solved(notes: NoteTool, repo: Path) -> None:
    blocker = notes.create("Pool exhausted", "no connection left", "blocker")
    other = notes.create("a conclusion", "not open for solving", "conclusion")
    form = {
        "notes": [
            {
                "title": "Pool raised",
                "content": "to 50",
                "sources": ["pool.py:1-2", "gone.py:3"],
                "resolves": blocker.id,
            },
            {"title": "Add a test", "content": "for the pool", "type": "action", "resolves": other.id},
        ]
    }
    model = ScriptedModel([], forms=[form])
    state = turn(reply=Reply(text="It is fixed.", model="scripted"))
    update = note_writer(state, notes=notes, bind=Sources(repo).bind_place, clock=CLOCK, model=model)
    assert update["stats"] == {"notes_created": 2}
    assert update["used"] == update["spent"] == Usage(calls=1)
    raised, action = map(notes.read, update["notes"])
    assert ([source.lines for source in raised.sources], action.type) == (["1-2"], NoteType.ACTION)
    assert notes.read(blocker.id).status is NoteStatus.RESOLVED
    assert notes.read(other.id).status is NoteStatus.OPEN, "it was not among the open notes the model was shown"
    assert f"- {blocker.id}: Pool exhausted" in model.asked_forms[0].user


def test_a_model_may_find_nothing_worth_keeping(notes: NoteTool, repo: Path) -> None:
    model = ScriptedModel([], forms=[{"notes": []}])
    state = turn(reply=Reply(text="Hello!", model="scripted"))
    update = note_writer(state, notes=notes, bind=Sources(repo).bind_place, clock=CLOCK, model=model)
    assert update["notes"] == []


def test_where_the_model_fails_key_words_do_and_the_turn_says_so(notes: NoteTool, repo: Path) -> None:
    model = ScriptedModel([], forms=[ModelError("no answer")])
    state = turn(reply=Reply(text="It has five places.", model="scripted"))
    update = note_writer(state, notes=notes, bind=Sources(repo).bind_place, clock=CLOCK, model=model)
    assert len(update["notes"]) == 1
    assert [failure.reason for failure in update["failures"]] == [
        "notes by key words, because the model failed: no answer"
    ]


def test_a_note_that_cannot_be_kept_costs_the_note_only(tmp_path: Path, repo: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with NoteTool(tmp_path / "file", clock=CLOCK, embedder=None) as blocked:
        update = note_writer(turn(first_look=[impact()]), notes=blocked, bind=Sources(repo).bind_place, clock=CLOCK)
    assert update["notes"] == []
    assert "cannot make the folder" in update["failures"][0].reason


def test_a_secret_in_an_answer_is_masked_in_the_note(notes: NoteTool, repo: Path) -> None:
    state = turn(first_look=[impact("The token is ghp_abcdefghijklmnopqrstuvwxyz0123456789 there.")])
    update = note_writer(state, notes=notes, bind=Sources(repo).bind_place, clock=CLOCK)
    assert notes.read(update["notes"][0]).content == "The token is [masked github-token] there."
