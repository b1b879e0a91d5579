import gc
import json
import os
import subprocess
import sys
import weakref
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from maintainer.state.errors import StoreError, UnknownNote
from maintainer.tools.fakes import FixedClock
from maintainer.tools.notes import NoteTool
from maintainer.tools.notes.check import check, repair
from maintainer.tools.notes.look import FolderLook

Open = Callable[[], NoteTool]


def index_of(folder: Path) -> dict[str, dict[str, object]]:
    index: dict[str, dict[str, object]] = json.loads((folder / "notes_index.json").read_text("utf-8"))
    return index


def titles(tool: NoteTool) -> list[str]:
    return sorted(row.title for row in tool.list())


def test_the_index_is_json_by_id_after_every_operation(tool: NoteTool, folder: Path) -> None:
    one, two = tool.create("one", ""), tool.create("two", "")
    assert list(index_of(folder)) == [one.id, two.id]
    tool.update(one.id, title="uno")
    assert index_of(folder)[one.id]["title"] == "uno"
    tool.delete(two.id)
    assert {key: row["file_path"] for key, row in index_of(folder).items()} == {one.id: f"{one.id}.md"}
    tool.delete(one.id)
    assert index_of(folder) == {}
    three = tool.create("three", "")
    assert list(index_of(folder)) == [three.id]


def test_outdated_rows_are_swept_out_in_time(tool: NoteTool, folder: Path) -> None:
    note = tool.create("t", "")
    for number in range(1100):
        tool.store.index.put(tool.read(note.id), f"{note.id}.md") if number else None
    assert (folder / "notes_index.json").read_bytes().count(b"\n") < 1100
    assert list(index_of(folder)) == [note.id]


@pytest.mark.parametrize("part", [1, 7, 400, 2000])
def test_the_index_is_read_in_parts_that_end_anywhere(
    tool: NoteTool, open_tool: Open, monkeypatch: pytest.MonkeyPatch, part: int
) -> None:
    notes = [tool.create(title, "", tags=["标签"]) for title in ("one", "二", "three")]
    monkeypatch.setattr("maintainer.tools.notes.index_file._PART", part)
    other = open_tool()
    assert {row.id for row in other.list()} == {note.id for note in notes}
    tool.create("four", "")
    assert titles(other) == ["four", "one", "three", "二"]
    assert not other.notices


def test_an_answer_does_not_make_the_programs_young_things_old(tool: NoteTool) -> None:
    class Ring:
        def __init__(self) -> None:
            self.itself = self

    tool.create("one", "")
    gc.collect()
    ring = weakref.ref(Ring())
    tool.list()
    gc.collect(0)
    assert ring() is None


GIT_MARKS = b'{\n<<<<<<< HEAD\n"a": {}\n=======\n"b": {}\n>>>>>>> other\n}\n'


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"{}x",
        b'{"note_1": 5}',
        b'{"note_1": {"title": "x"}}',
        GIT_MARKS,
        b"\xff\xfe",
        b"[" * 9999,
    ],
)
def test_a_damaged_index_is_rebuilt_from_the_files_and_that_is_said(
    tool: NoteTool, open_tool: Open, folder: Path, damage: bytes
) -> None:
    one, two = tool.create("one", "", tags=["x"]), tool.create("two", "")
    (folder / "notes_index.json").write_bytes(damage)
    again = open_tool()
    assert titles(again) == titles(tool) == ["one", "two"]
    assert again.read(one.id) == one
    assert any("rebuilt from 2 notes" in notice for notice in again.notices)
    assert set(index_of(folder)) == {one.id, two.id}
    assert open_tool().notices == [], "it is said once"


def test_a_missing_or_torn_index_is_rebuilt(tool: NoteTool, open_tool: Open, folder: Path) -> None:
    for number in range(3):
        tool.create(f"n{number}", "")
    whole = (folder / "notes_index.json").read_bytes()
    for length in (*range(0, len(whole), 97), len(whole) - 1, len(whole) - 2):
        (folder / "notes_index.json").write_bytes(whole[:length])
        assert titles(open_tool()) == ["n0", "n1", "n2"]
    (folder / "notes_index.json").unlink()
    assert titles(tool) == ["n0", "n1", "n2"]


def test_an_index_that_points_out_of_the_folder_is_not_followed(tool: NoteTool, open_tool: Open, folder: Path) -> None:
    note = tool.create("t", "c")
    secret = folder.parent / "secret.md"
    secret.write_text("secret")
    path = folder / "notes_index.json"
    path.write_text(path.read_text().replace(f'"{note.id}.md"', '"../secret.md"'))
    again = open_tool()
    assert again.read(note.id).content == "c"
    assert [one.content for one in again.search("secret")] == []


def test_a_link_is_no_note(tool: NoteTool, folder: Path) -> None:
    tool.create("t", "c")
    secret = folder.parent / "secret.md"
    secret.write_text("# secret")
    (folder / "linked.md").symlink_to(secret)
    assert titles(tool) == ["t"]
    with pytest.raises(UnknownNote):
        tool.read("linked")


def test_files_added_edited_renamed_and_removed_by_hand_are_seen_at_once(
    tool: NoteTool, open_tool: Open, folder: Path
) -> None:
    one, two = tool.create("one", "alpha"), tool.create("two", "beta")
    assert [note.title for note in tool.search("alpha")] == ["one"]
    (folder / "by-hand.md").write_text("# three\n\ngamma", "utf-8")
    path = folder / f"{one.id}.md"
    path.write_text(path.read_text().replace("title: one", "title: uno").replace("alpha", "delta"))
    (folder / f"{two.id}.md").rename(folder / "renamed.md")
    for each in (tool, open_tool()):
        assert titles(each) == ["three", "two", "uno"]
        assert [note.title for note in each.search("gamma")] == ["three"]
        assert [note.title for note in each.search("delta")] == ["uno"]
        assert each.search("alpha") == []
        assert each.read(two.id).title == "two"
    (folder / "renamed.md").unlink()
    assert titles(tool) == ["three", "uno"]
    assert "changed by hand: 3 new or edited, 0 gone" in " ".join(tool.notices)


def test_another_process_is_seen_at_once(tool: NoteTool, open_tool: Open) -> None:
    other = open_tool()
    assert titles(other) == []
    note = tool.create("t", "alpha")
    assert titles(other) == ["t"]
    other.update(note.id, content="beta")
    assert tool.read(note.id).content == "beta"
    assert [found.id for found in tool.search("beta")] == [note.id]
    tool.delete(note.id)
    assert titles(other) == []
    assert other.notices == tool.notices == []


CREATE_200 = """
import sys
from maintainer.tools.notes import NoteTool

with NoteTool(sys.argv[1], embedder=None) as tool:
    for number in range(200):
        note = tool.create(f"{sys.argv[2]} {number}", "text", tags=[sys.argv[2]])
        print(note.id, flush=True)
"""


def test_two_processes_with_200_notes_each_make_400(folder: Path, open_tool: Open) -> None:
    argv = [sys.executable, "-c", CREATE_200, folder]
    workers = [subprocess.Popen([*argv, name], stdout=subprocess.PIPE, text=True) for name in ("a", "b")]
    ids = [line for worker in workers for line in worker.communicate(timeout=120)[0].split()]
    assert len(set(ids)) == 400
    assert set(index_of(folder)) == set(ids) == {path.stem for path in folder.glob("*.md")}
    tool = open_tool()
    assert len(tool.list()) == len(tool.list(tags=["a", "b"])) == 400
    assert check(tool.store) == []


def test_of_two_files_with_one_id_the_one_named_by_it_is_the_note(
    tool: NoteTool, open_tool: Open, folder: Path
) -> None:
    note = tool.create("original", "text")
    for copy in ("0-copy.md", "z-copy.md"):
        (folder / copy).write_text((folder / f"{note.id}.md").read_text().replace("original", "copy"))
    for each in (tool, open_tool()):
        assert titles(each) == ["original"]
    findings = [finding for finding in check(tool.store) if finding.kind == "duplicate id"]
    assert [finding.file for finding in findings] == ["0-copy.md", "z-copy.md"]
    assert repair(tool.store, findings) == []
    assert titles(tool) == ["copy", "copy", "original"]
    assert tool.read("0-copy").title == "copy"


def test_a_read_only_folder_can_be_read_and_says_what_does_not_work(
    tool: NoteTool, open_tool: Open, folder: Path, as_ordinary_user: Callable[[], None]
) -> None:
    note = tool.create("t", "bloom filter")
    (folder / "notes_index.json").unlink()
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    as_ordinary_user()
    reader = open_tool()
    assert [found.id for found in reader.search("bloom")] == [note.id]
    assert any("in memory only" in notice for notice in reader.notices)
    with pytest.raises(StoreError, match=r"cannot (write|lock) .*: no permission"):
        reader.update(note.id, content="new")
    assert reader.read(note.id) == note


def test_a_full_disk_leaves_the_old_note_whole(tool: NoteTool, folder: Path, room_for: Callable[[int], None]) -> None:
    note = tool.create("t", "old")
    room_for(5000)
    with pytest.raises(StoreError, match="cannot write"):
        tool.update(note.id, content="x" * 9000)
    with pytest.raises(StoreError, match="cannot write"):
        tool.create("u", "x" * 9000)
    assert tool.read(note.id) == note
    assert titles(tool) == ["t"]
    assert [path.name for path in folder.glob(".*tmp")] == []


def test_an_index_that_cannot_be_written_costs_a_notice_not_the_note(
    tool: NoteTool, open_tool: Open, folder: Path, room_for: Callable[[int], None]
) -> None:
    kept = [tool.create(f"n{number}", "").id for number in range(4)]
    room_for((folder / "notes_index.json").stat().st_size + 10)
    kept.append(tool.create("last", "").id)
    assert any("could not be written" in notice for notice in tool.notices)
    room_for(-1)
    assert {row.id for row in open_tool().list()} == {row.id for row in tool.list()} == set(kept)


def test_check_names_what_is_wrong_and_repairs_what_needs_no_guessing(tool: NoteTool, folder: Path) -> None:
    one, two, three = (tool.create(title, "text") for title in ("one", "two", "three"))
    tool.update(three.id, links={"depends_on": ["note_gone"]})
    (folder / "orphan.md").write_text("hello")
    (folder / f"{one.id}.md").unlink()
    path = folder / f"{two.id}.md"
    path.write_text(path.read_text().replace("title: two", "title: two: again\nmine: [x"))
    (folder / ".note.md.abc123.tmp").write_text("half")
    findings = check(tool.store)
    assert {(finding.kind, finding.file) for finding in findings} == {
        ("ghost row", f"{one.id}.md"),
        ("outdated row", f"{two.id}.md"),
        ("broken file", f"{two.id}.md"),
        ("orphan file", "orphan.md"),
        ("dangling link", f"{three.id}.md"),
        ("left-over", ".note.md.abc123.tmp"),
    }
    left = repair(tool.store, findings)
    assert {finding.kind for finding in left} == {"dangling link", "broken file"}
    assert titles(tool) == ["hello", "three", "two: again"]
    text = path.read_text()
    assert 'title: "two: again"\n' in text
    assert "mine: [x\n" in text, "what is not ours to read is left as it is"


def test_the_folder_itself_must_not_be_a_link(tmp_path: Path, clock: FixedClock) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "notes").symlink_to(tmp_path / "elsewhere")
    with (
        NoteTool(tmp_path / "notes", clock=clock, embedder=None) as tool,
        pytest.raises(StoreError, match="symbolic link"),
    ):
        tool.create("t", "c")
    assert os.listdir(tmp_path / "elsewhere") == []


def test_on_a_busy_machine_a_hand_edit_among_few_notes_is_seen_at_once(
    tool: NoteTool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each look at the files takes a second here; the next one would be due in twenty."""
    monkeypatch.setattr(f"{FolderLook.__module__}.perf_counter", count().__next__)
    note = tool.create("Pool", "text")
    tool.list()
    path = folder / f"{note.id}.md"
    path.write_text(path.read_text("utf-8").replace("title: Pool", "title: Pond, by hand"), "utf-8")
    assert [row.title for row in tool.list()] == ["Pond, by hand"]
