"""What only goes wrong where two work on one folder of notes at the same moment: each tool stands for a process."""

import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from maintainer.state.notes import SourceState
from maintainer.tools.notes import NoteTool
from maintainer.tools.notes.check import check
from maintainer.tools.notes.index_file import IndexFile
from maintainer.tools.notes.review import NoteCheck, NoteReview
from maintainer.tools.notes.sources import Sources
from maintainer.tools.notes.words import FIELDS, NoteWords
from maintainer.tools.search import Document

Open = Callable[[], NoteTool]


def test_a_search_that_is_opened_forgets_nothing_another_process_has_just_indexed(
    tool: NoteTool, open_tool: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool.create("Pool", "the connection pool is exhausted")
    assert tool.search("pool")
    looked = NoteWords.ids

    def written_meanwhile(words: NoteWords) -> set[str]:
        monkeypatch.setattr(NoteWords, "ids", looked)
        tool.create("Zebra", "stripes in the log")
        assert tool.search("zebra")
        return looked(words)

    monkeypatch.setattr(NoteWords, "ids", written_meanwhile)
    opened = open_tool()
    assert opened.search("pool")
    assert [note.title for note in tool.search("zebra")] == ["Zebra"]


def test_a_state_of_a_note_that_another_process_has_indexed_hides_none(tool: NoteTool, folder: Path) -> None:
    note = tool.create("Zebra", "stripes in the log")
    assert tool.search("stripes")
    with closing(NoteWords(folder / ".cache" / "words.sqlite", FIELDS)) as elsewhere:
        elsewhere.put([Document(f"{note.id}@0", {"body": "stripes in the log, as it was before"})])
    assert [found.title for found in tool.search("stripes")] == ["Zebra"]


def test_a_note_is_found_while_another_process_reads_the_whole_index_again(
    tool: NoteTool, open_tool: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its search knows all of the notes by then; others look on at each of its steps."""
    tool.create("Zebra", "stripes in the log")
    spare, other = tool.create("Pool", "the connection pool is exhausted"), open_tool()
    assert other.search("zebra")
    assert tool.search("zebra")
    tool.delete(spare.id)  # the index is written afresh
    seen: list[list[str]] = []

    def looked_on(step: Callable[..., None]) -> Callable[..., None]:
        def stepped(words: NoteWords, *args: Any) -> None:
            step(words, *args)
            if words is other._finder._search._words and not words._db.in_transaction:  # type: ignore[union-attr]
                seen.append([note.title for note in tool.search("zebra")])

        return stepped

    for name in ("put", "remove"):
        monkeypatch.setattr(NoteWords, name, looked_on(getattr(NoteWords, name)))
    assert other.search("zebra")
    assert seen
    assert all(titles == ["Zebra"] for titles in seen)


def test_a_note_that_another_process_changes_during_the_search_is_found(
    tool: NoteTool, open_tool: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    note, other = tool.create("Zebra", "stripes in the log"), open_tool()
    assert other.search("zebra")
    assert tool.search("zebra")
    search = NoteWords.search

    def changed_meanwhile(words: NoteWords, *args: Any) -> Any:
        monkeypatch.setattr(NoteWords, "search", search)
        other.update(note.id, content="stripes in another log")
        assert other.search("zebra")
        return search(words, *args)

    monkeypatch.setattr(NoteWords, "search", changed_meanwhile)
    assert [found.content for found in tool.search("zebra")] == ["stripes in another log"]


def test_what_two_processes_queue_for_review_at_once_is_all_queued(
    tool: NoteTool, open_tool: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, other = (tool.create(title, "text") for title in ("mine", "other"))
    review, elsewhere = (NoteReview(each.store, Sources(tmp_path, None)) for each in (tool, open_tool()))  # type: ignore[arg-type]
    read = NoteReview._read

    def queued_meanwhile(self: NoteReview) -> Any:
        found = read(self)
        monkeypatch.setattr(NoteReview, "_read", read)
        elsewhere.enqueue([stale(other.id)])
        return found

    monkeypatch.setattr(NoteReview, "_read", queued_meanwhile)
    review.enqueue([stale(mine.id)])
    assert {item.note_id for item in review.queue()} == {mine.id, other.id}


def stale(note_id: str) -> NoteCheck:
    return NoteCheck(note_id=note_id, title="", state=SourceState.STALE, sources=())


def test_notes_that_are_being_embedded_beside_the_answers_are_not_embedded_twice(folder: Path) -> None:
    embedder = Held()
    with closing(NoteTool(folder, embedder=embedder)) as tool:
        for number in range(100):
            tool.create(f"note {number}", "text")
        tool.search("text")
        assert embedder.second_batch.wait(60)
        tool.search("text")
        embedder.go_on.set()
    made = [text for text in embedder.texts if text.startswith("note ")]
    assert sorted(made) == sorted(set(made))
    with closing(NoteTool(folder, embedder=embedder)) as again:
        again.search("text")
        assert again.notices == []
    assert len({text for text in embedder.texts if text.startswith("note ")}) == 100


class Held:
    """Holds the helper's second batch until it is let go."""

    name = "held"
    dimension = 4

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.second_batch, self.go_on = threading.Event(), threading.Event()
        self._batches = 0

    def embed(self, texts: Sequence[str]) -> "np.ndarray":
        if threading.current_thread() is not threading.main_thread():
            self._batches += 1
            if self._batches == 2:
                self.second_batch.set()
                assert self.go_on.wait(60)
        self.texts += texts
        return np.full((len(texts), 4), 0.5, dtype="f4")


def test_a_note_that_is_being_written_is_no_damage(tool: NoteTool, open_tool: Open) -> None:
    """The file stands before the index knows it, and its text before it has its name."""
    tool.create("Pool", "text")
    half, go_on = threading.Event(), threading.Event()

    def write() -> None:
        with tool.store.exclusive():
            temporary = tool.store.folder / ".note_1.md.0123456789ab.tmp"
            temporary.write_text("---\nid: note_1\n---\ntext\n")
            half.set()
            go_on.wait(0.3)
            temporary.unlink()

    writer = threading.Thread(target=write)
    writer.start()
    assert half.wait(60)
    assert check(open_tool().store) == []
    writer.join()


def test_a_note_that_is_deleted_during_the_check_is_no_damage(
    tool: NoteTool, open_tool: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = tool.create("Pool", "text")
    news = IndexFile.news

    def deleted_meanwhile(self: IndexFile) -> Any:
        found = news(self)
        monkeypatch.setattr(IndexFile, "news", news)
        tool.delete(note.id)
        return found

    monkeypatch.setattr(IndexFile, "news", deleted_meanwhile)
    assert check(open_tool().store) == []
