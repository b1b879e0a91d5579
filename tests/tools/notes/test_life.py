import json
from collections.abc import Callable
from pathlib import Path

import pytest
from maintainer.state import NoteSource, NoteStatus, NoteType
from maintainer.state.errors import InvalidNote
from maintainer.state.notes import SourceState
from maintainer.tools.fakes import FixedClock
from maintainer.tools.notes import NoteTool
from maintainer.tools.notes.curation import apply, plan
from maintainer.tools.notes.export import as_json, page, release_notes
from maintainer.tools.notes.review import NoteReview
from maintainer.tools.notes.sources import Sources

ALL = [str(status) for status in NoteStatus]


def curate(tool: NoteTool, clock: FixedClock, many: int = 1000) -> dict[str, str]:
    steps = plan(tool.list(status=ALL), tool.store.peek, clock.now(), many=many)
    before = {row.id: row for row in tool.list(status=ALL)}
    assert {row.id: row for row in tool.list(status=ALL)} == before, "a plan changes nothing"
    assert apply(tool, steps) == len(steps)
    assert plan(tool.list(status=ALL), tool.store.peek, clock.now(), many=many) == [], "once is enough"
    return {step.title: step.action for step in steps}


def test_a_solved_blocker_becomes_a_conclusion_with_its_solution(tool: NoteTool) -> None:
    note = tool.create("连接池耗尽", "没有空闲连接", "blocker")
    solved = tool.resolve(note.id, "改为 50")
    assert (solved.type, solved.status) == (NoteType.CONCLUSION, NoteStatus.RESOLVED)
    assert solved.content == "没有空闲连接\n\n## 解决方案\n\n改为 50"
    action = tool.resolve(tool.create("Add a test", "now", "action").id, "")
    assert (action.type, action.content, action.tags) == (NoteType.ACTION, "now", ("completed",))


def test_every_earlier_text_stays_readable(tool: NoteTool, clock: FixedClock, folder: Path) -> None:
    note = tool.create("title", "one\n")
    clock.advance(days=1)
    tool.update(note.id, content="two")
    path = folder / f"{note.id}.md"
    path.write_text(path.read_text().replace("two", "two, by hand"))
    tool.update(note.id, title="new title")
    assert [(version.number, version.title) for version in tool.history(note.id)] == [(1, "title"), (2, "title")]
    assert tool.version(note.id, 1) == note
    assert tool.version(note.id, 2).content == "two, by hand"
    assert tool.version(note.id, 3).title == "new title"
    assert "-one\n" in tool.diff(note.id, 1, 2)
    assert "+title: new title" in tool.diff(note.id, 2)
    with pytest.raises(InvalidNote, match=r"version is 7: .* has version 3 and, in its history, 1, 2"):
        tool.version(note.id, 7)
    restored = tool.restore(note.id, 1)
    assert (restored.version, restored.title, restored.content) == (4, "title", "one\n")
    assert tool.version(note.id, 3).title == "new title"


def test_what_says_the_same_is_merged_into_the_newest(tool: NoteTool, clock: FixedClock) -> None:
    text = "The order service times out because the pool of connections is exhausted at noon every day."
    source = NoteSource(path="app.py")
    old = tool.create("Order timeouts", text, "conclusion", ["old"], sources=[source])
    clock.advance(days=1)
    new = tool.create("Order timeouts", text + " Again.", "conclusion", ["new"])
    tool.create("Order timeouts", text, "blocker")
    assert curate(tool, clock) == {"Order timeouts": "merge"}
    kept, gone = tool.read(new.id), tool.read(old.id)
    assert gone.status is NoteStatus.SUPERSEDED
    assert (kept.links, kept.tags, kept.sources) == ({"supersedes": [old.id]}, ("new", "old"), (source,))
    assert kept.content == text + " Again."


def test_temporary_notes_are_promoted_or_let_go(tool: NoteTool, clock: FixedClock) -> None:
    used = tool.create("used", "a scratch on pools", tags=["temporary"])
    tool.create("user", "relies on it", "conclusion", links={"depends_on": [used.id]})
    unused = tool.create("unused", "another scratch", tags=["临时"])
    done = tool.create("done", "all steps ticked", "task_state", status="resolved")
    clock.advance(days=31)
    fresh = tool.create("fresh", "still warm", tags=["temporary"])
    assert curate(tool, clock) == {"used": "promote", "unused": "archive", "done": "promote"}
    assert (tool.read(used.id).type, tool.read(used.id).tags) == (NoteType.REFERENCE, ())
    assert tool.read(unused.id).status is NoteStatus.ARCHIVED
    assert (tool.read(done.id).type, tool.read(done.id).tags) == (NoteType.CONCLUSION, ("completed",))
    assert tool.read(fresh.id).version == 1


def test_idle_and_finished_actions_are_closed(tool: NoteTool, clock: FixedClock) -> None:
    idle = tool.create("idle", "split orders", "action")
    blocker = tool.create("blocker", "nobody knows", "blocker")
    clock.advance(days=31)
    ticked = tool.create("ticked", "write the test", "action", ["completed"])
    assert curate(tool, clock) == {"idle": "close", "ticked": "close"}
    assert (tool.read(idle.id).status, tool.read(idle.id).tags) == (NoteStatus.ARCHIVED, ("stale", "archived"))
    assert tool.read(ticked.id).status is NoteStatus.RESOLVED
    assert tool.read(blocker.id).status is NoteStatus.OPEN, "an open blocker does not age"


def test_too_many_notes_are_archived_oldest_and_over_first(tool: NoteTool, clock: FixedClock) -> None:
    for title, kind, status in (
        ("old fact", "conclusion", "open"),
        ("solved", "conclusion", "resolved"),
        ("replaced", "general", "superseded"),
        ("old blocker", "blocker", "open"),
    ):
        tool.create(title, f"{title} of its own", kind, status=status)
        clock.advance(hours=1)
    clock.advance(days=91)
    tool.create("new fact", "fresh and warm", "conclusion")
    assert curate(tool, clock, many=3) == {"replaced": "archive", "solved": "archive"}
    assert [row.title for row in tool.list()] == ["new fact", "old blocker", "old fact"]


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "pool.py").write_text("size = 5\nwait = 1\n", "utf-8")
    return folder


def test_a_note_whose_code_changes_is_queued_until_it_is_confirmed(
    tool: NoteTool, open_tool: Callable[[], NoteTool], clock: FixedClock, repo: Path, folder: Path
) -> None:
    review = NoteReview(tool.store, Sources(repo))
    note = tool.create("size", "five places", sources=[review.sources.bind("pool.py", "1")])
    other = tool.create("wait", "a second", sources=[review.sources.bind("pool.py", "2")])
    tool.create("no source", "nothing to compare")
    assert [check.state for check in review.verify()] == [SourceState.FRESH] * 2
    assert review.queue() == []
    (repo / "pool.py").write_text("# limits\nsize = 50\nwait = 1\n", "utf-8")
    seen = clock.advance(days=1)
    assert {check.title: check.state for check in review.verify(["pool.py"], follow_moves=True)} == {
        "wait": SourceState.MOVED,
        "size": SourceState.STALE,
    }
    assert review.verify(["elsewhere.py"]) == []
    assert tool.read(other.id).sources[0].lines == "3"
    clock.advance(days=1)
    again = NoteReview(open_tool().store, Sources(repo))
    again.verify()
    assert [(item.note_id, item.since) for item in again.queue()] == [(note.id, seen)]
    confirmed = again.confirm(note.id)
    assert again.look(confirmed).state is SourceState.FRESH
    assert again.queue() == []
    (repo / "pool.py").unlink()
    with pytest.raises(InvalidNote, match=r"sources holds 'pool.py', which is gone"):
        again.confirm(note.id)
    (folder / ".review.json").write_text("[broken")
    again.verify()
    assert {item.title for item in again.queue()} == {"size", "wait"}


def test_notes_leave_as_one_page_as_json_and_as_release_notes(tool: NoteTool) -> None:
    blocker = tool.create("Pool exhausted", "# Cause\n\nno places\n\n```\n# code\n```", "blocker", ["v1.0"])
    tool.resolve(blocker.id, "Raised to 50.\nSee config.")
    tool.create("Slow start", "ten seconds", "blocker", ["v1.0"])
    tool.resolve(tool.create("Add tests", "", "action", ["v1.0"]).id, "")
    notes = [tool.read(row.id) for row in reversed(tool.list(tags=["v1.0"]))]
    text = page(notes, "Shop")
    assert text.startswith("# Shop\n\n## Blockers\n\n### Slow start\n\n*open · updated 2026-01-05 · #v1.0* `note_")
    assert "\n#### Cause\n" in text
    assert "\n# code\n" in text, "code is left alone"
    assert [note["title"] for note in json.loads(as_json(notes))] == [note.title for note in notes]
    assert release_notes(notes, "v1.0") == (
        "# v1.0\n\n## Fixed\n\n- Pool exhausted: Raised to 50.\n\n## Done\n\n- Add tests\n\n"
        "## Known issues\n\n- Slow start\n"
    )
