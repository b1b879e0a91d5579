import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from maintainer.state import NoteSource, NoteStatus, NoteType
from maintainer.state.errors import InvalidNote, UnknownNote
from maintainer.tools.fakes import FixedClock
from maintainer.tools.notes import NoteTool


def test_a_note_is_read_as_it_was_written(tool: NoteTool, clock: FixedClock) -> None:
    source = NoteSource(path="app/订单.py", lines="3-9", sha256="12e4", commit="abc")
    note = tool.create(
        "订单: why?", "\n---\nbody\r\n\n", "blocker", ["v1.0", "a,b", "数据库"], sources=[source], extra={"priority": 3}
    )
    assert tool.read(note.id) == note
    assert (note.type, note.status, note.version) == (NoteType.BLOCKER, NoteStatus.OPEN, 1)
    assert note.created_at == note.updated_at == clock.now()
    assert note.id.startswith("note_20260105_090000_")


@pytest.mark.parametrize(
    "content", ["", "\n", " ", "\n\nx\n\n", "---\na: b\n---\n", "a\r\nb", "\ufeffx", "\x00", "é\u2028🎉"]
)
def test_every_text_comes_back_exactly(tool: NoteTool, content: str) -> None:
    assert tool.read(tool.create("t", content).id).content == content


def test_an_update_changes_what_is_given_and_the_time(tool: NoteTool, clock: FixedClock) -> None:
    note = tool.create("title", "text", tags=["a"])
    later = clock.advance(hours=1)
    changed = tool.update(note.id, content="new", status="in_progress")
    assert (changed.content, changed.status, changed.updated_at) == ("new", NoteStatus.IN_PROGRESS, later)
    assert (changed.title, changed.tags, changed.created_at) == ("title", ("a",), note.created_at)
    assert tool.read(note.id) == changed


def test_a_deleted_note_is_gone_from_everywhere(
    tool: NoteTool, open_tool: Callable[[], NoteTool], folder: Path
) -> None:
    kept, gone = tool.create("kept", "bloom filter"), tool.create("gone", "bloom filter")
    tool.update(gone.id, content="bloom filters")
    tool.delete(gone.id)
    for each in (tool, open_tool()):
        assert [note.id for note in each.search("bloom filter")] == [kept.id]
        assert [row.id for row in each.list()] == [kept.id]
        with pytest.raises(UnknownNote, match=gone.id):
            each.read(gone.id)
    assert not list(folder.rglob(f"*{gone.id}*"))
    assert list(json.loads((folder / "notes_index.json").read_text("utf-8"))) == [kept.id]


def test_a_list_is_newest_first_and_filtered(tool: NoteTool, clock: FixedClock) -> None:
    def add(title: str, *args: Any, **more: Any) -> None:
        clock.advance(days=1)
        tool.create(title, "text", *args, **more)

    add("one", "blocker", ["Ui", "v1.0"])
    add("two", "action", ["api"], sources=[NoteSource(path="app/orders/cart.py")])
    add("three", "action", ["ui"], status="resolved")
    add("four", status="archived")

    def titles(**filters: Any) -> str:
        return " ".join(row.title for row in tool.list(**filters))

    assert titles() == "three two one"
    assert titles(limit=1) == "three"
    assert titles(limit=0) == ""
    assert titles(note_type="action") == "three two"
    assert titles(tags=["UI", "api"]) == "three two one"
    assert titles(tags=["ui", "v1.0"], all_tags=True) == "one"
    assert titles(status="archived") == "four"
    assert titles(status=["resolved", "archived"]) == "four three"
    assert titles(since="2026-01-07", until=datetime(2026, 1, 8, tzinfo=UTC)) == "two"
    assert titles(path="app/orders") == titles(path="./app/orders/cart.py") == "two"
    assert titles(path="app/order") == ""


def test_a_summary_counts_and_names_the_five_newest(tool: NoteTool, clock: FixedClock) -> None:
    for number in range(6):
        clock.advance(minutes=1)
        tool.create(f"n{number}", "", "blocker" if number % 2 else "general")
    summary = tool.summary()
    assert summary.total_notes == 6
    assert summary.type_distribution == {"blocker": 3, "general": 3}
    assert summary.status_distribution == {"open": 6}
    assert [row.title for row in summary.recent_notes] == ["n5", "n4", "n3", "n2", "n1"]


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"title": ""}, "title is ''"),
        ({"title": "x" * 501}, "title is"),
        ({"title": 3}, "title is 3: must be text"),
        ({"content": None}, "content is None: must be text"),
        ({"content": "\udcff"}, "content holds half a character"),
        ({"content": "x" * (11 << 20)}, "content makes a file of"),
        ({"note_type": "bug"}, "note_type is 'bug': must be one of task_state, conclusion, blocker"),
        ({"status": "done"}, "status is 'done': must be one of open, in_progress"),
        ({"tags": "ui"}, "tags is 'ui': must be a list"),
        ({"tags": ["a", " "]}, "tags is .*: must not hold an empty word"),
        ({"links": {"blocks": ["x"]}}, "links is 'blocks': must be one of supersedes, resolves, depends_on"),
        ({"links": {"resolves": ["../x"]}}, r"id is '\.\./x'"),
        ({"note_id": "a/b"}, "id is 'a/b'"),
    ],
)
def test_a_wrong_value_is_refused_by_name_and_nothing_is_written(
    tool: NoteTool, folder: Path, wrong: dict[str, Any], words: str
) -> None:
    with pytest.raises(InvalidNote, match=words):
        tool.create(**{"title": "t", "content": "c", **wrong})
    assert not list(folder.glob("*.md"))


@pytest.mark.parametrize("key", ["", "../x", "/etc/passwd", "a\\b", ".lock", "..", "x\x00", "c:x", "x" * 201, 5, None])
def test_an_id_that_could_be_a_path_is_refused(tool: NoteTool, key: Any) -> None:
    tool.create("t", "c")
    for operation in (tool.read, tool.delete, tool.update, tool.history):
        with pytest.raises(InvalidNote, match="id is"):
            operation(key)


def test_a_note_with_a_given_id_is_written_once(tool: NoteTool) -> None:
    first = tool.create("t", "c", note_id="note_20260105_090000_turn1")
    assert tool.create("other", "words", note_id=first.id) == first
    assert len(tool.list()) == 1


def test_ids_differ_though_the_clock_stands_still(tool: NoteTool) -> None:
    assert len({tool.create("same", "same").id for _ in range(50)}) == 50


def test_the_dictionary_form_answers_with_plain_data(tool: NoteTool) -> None:
    made = tool.run({"action": "create", "title": "Cache", "content": "bloom filter", "note_type": "blocker"})
    key = made["note"]["id"]
    assert json.loads(json.dumps(made)) == made
    assert tool.run({"action": "search", "query": "bloom", "limit": 3})["notes"] == [made["note"]]
    assert tool.run({"action": "read", "note_id": key})["note"]["type"] == "blocker"
    assert tool.run({"action": "update", "note_id": key, "tags": ["x"]})["note"]["tags"] == ["x"]
    assert [row["id"] for row in tool.run({"action": "list", "tags": ["x"]})["notes"]] == [key]
    assert tool.run({"action": "summary"})["summary"]["type_distribution"] == {"blocker": 1}
    assert tool.run({"action": "delete", "note_id": key}) == {"ok": True, "deleted": key}


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({}, "action is None: must be one of create, read"),
        ({"action": ["list"]}, "action is"),
        ({"action": "read"}, "read needs note_id"),
        ({"action": "list", "path_": "x"}, "list does not know 'path_'"),
        ({"action": "read", "note_id": "../x"}, "id is '../x'"),
        ({"action": "search", "query": "x", "limit": "3"}, "limit is '3': must be a whole number"),
    ],
)
def test_the_dictionary_form_answers_a_wrong_request_with_an_error(
    tool: NoteTool, request_: dict[str, Any], words: str
) -> None:
    answer = tool.run(request_)
    assert answer["ok"] is False
    assert words in answer["error"]
