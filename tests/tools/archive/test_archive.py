import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from maintainer.state.errors import StoreError, UnknownHandle
from maintainer.state.turns import Said, Turn
from maintainer.tools.archive import Archive
from maintainer.tools.archive.catalogue import Catalogue
from maintainer.tools.archive.log import Log

Opener = Callable[..., Archive]
NOON = datetime(2026, 1, 5, 12, 0, tzinfo=UTC)


def turn(name: str, *texts: str, parent: str = "", session: str = "s") -> Turn:
    said = tuple(Said(role="user" if i % 2 == 0 else "assistant", text=text) for i, text in enumerate(texts))
    return Turn(id=name, session=session, at=NOON, said=said, parent=parent)


def texts(archive: Archive, head: str, last: int | None = None) -> list[str]:
    return [each.text for one in archive.turns(head, last) for each in one.said]


def test_a_text_comes_back_by_its_handle_also_after_reopening(open_archive: Opener) -> None:
    archive = open_archive()
    handle = archive.put("第一行\nsecond \ud800 line\r\n")
    archive.close()
    assert open_archive().get(handle) == "第一行\nsecond \ud800 line\r\n"


def test_the_same_text_is_kept_once(open_archive: Opener) -> None:
    archive = open_archive()
    first = archive.put("x" * 1000)
    size = archive.bytes()
    assert archive.put("x" * 1000) == first
    assert archive.bytes() == size


def test_secrets_are_masked_before_they_reach_the_disk(open_archive: Opener, tmp_path: Path) -> None:
    archive = open_archive()
    archive.put('password = "hunter2"')
    archive.append(turn("t1", "密码是 hunter2"))
    assert b"hunter2" not in b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def test_an_unknown_handle_is_an_error_that_says_what_to_do(open_archive: Opener) -> None:
    with pytest.raises(UnknownHandle, match="copy the handle exactly"):
        open_archive().get("0123456789abcdef")


def test_expand_opens_a_part_by_lines(open_archive: Opener) -> None:
    archive = open_archive()
    handle = archive.put("\n".join(f"line {n}" for n in range(1, 11)))
    part = archive.expand(handle, first=9, lines=5)
    assert (part.text, part.first, part.last, part.total) == ("line 9\nline 10", 9, 10, 10)


def test_a_turn_keeps_its_messages_and_gets_number_and_handles(open_archive: Opener) -> None:
    archive = open_archive()
    archive.append(turn("t1", "where is the parser?", "in parser.py"))
    kept = archive.append(turn("t2", "why?", parent="t1"))
    assert kept.number == 2
    assert archive.get(kept.said[0].handle) == "why?"
    assert texts(archive, "t2") == ["where is the parser?", "in parser.py", "why?"]
    assert archive.newest("s") == "t2"


def test_appending_the_same_turn_again_changes_nothing(open_archive: Opener) -> None:
    archive = open_archive()
    first = archive.append(turn("t1", "hello"))
    size = archive.bytes()
    assert archive.append(turn("t1", "another text")) == first
    assert archive.bytes() == size


def test_a_fork_sees_its_own_line_of_ancestors_only(open_archive: Opener) -> None:
    archive = open_archive()
    for name, parent in (("a1", ""), ("a2", "a1"), ("a3", "a2")):
        archive.append(turn(name, name, parent=parent))
    archive.append(turn("b2", "b2", parent="a1", session="fork"))
    archive.append(turn("b3", "b3", parent="b2", session="fork"))
    archive.append(turn("c4", "c4", parent="b3", session="fork of the fork"))
    archive.append(turn("d4", "d4", parent="b3", session="second fork"))
    assert texts(archive, "a3") == ["a1", "a2", "a3"]
    assert texts(archive, "c4") == ["a1", "b2", "b3", "c4"]
    assert texts(archive, "d4") == ["a1", "b2", "b3", "d4"]
    assert texts(archive, "d4", last=3) == ["b2", "b3", "d4"]
    assert [one.number for one in archive.turns("d4", after=2)] == [3, 4]
    assert open_archive().turns("d4") == archive.turns("d4")


def test_facts_follow_the_line_too(open_archive: Opener) -> None:
    archive = open_archive()
    archive.append(turn("a1", "x"))
    archive.append(turn("a2", "y", parent="a1"))
    archive.append(turn("b2", "z", parent="a1"))
    archive.add_facts("a1", [{"n": 1}, {"n": 2}])
    archive.add_facts("a2", [{"n": 3}])
    archive.add_facts("b2", [{"n": 4}])
    assert [(number, fact["n"]) for number, fact in archive.facts("a2")] == [(1, 1), (1, 2), (2, 3)]
    assert [fact["n"] for _, fact in archive.facts("b2", after=1)] == [4]


def test_a_turn_must_follow_a_known_one(open_archive: Opener) -> None:
    archive = open_archive()
    with pytest.raises(StoreError, match="'t0', which is not in the archive"):
        archive.append(turn("t1", "hello", parent="t0"))
    assert archive.bytes() == 0


def test_a_torn_tail_is_cut_at_whatever_byte_it_ends_and_that_is_said(open_archive: Opener, tmp_path: Path) -> None:
    archive = open_archive()
    archive.append(turn("t1", "kept"))
    whole = archive.bytes()
    archive.append(turn("t2", "lost 丢失", parent="t1"))
    archive.close()
    log = tmp_path / "log" / "000000.log"
    content = log.read_bytes()
    for size in range(whole + 1, len(content), 7):
        log.write_bytes(content[:size])
        reopened = open_archive()
        assert texts(reopened, "t1") == ["kept"]
        assert reopened.newest("s") == "t1"
        assert any("cut off" in warning for warning in reopened.warnings) == (content[size - 1 : size] != b"\n")
        reopened.append(turn(f"n{size}", "goes on", parent="t1"))
        assert texts(reopened, f"n{size}") == ["kept", "goes on"]
        reopened.close()
        assert open_archive().warnings == []


def test_a_damaged_record_in_the_middle_is_passed_over_and_said(open_archive: Opener, tmp_path: Path) -> None:
    archive = open_archive()
    handles = [archive.put(f"text number {n}") for n in range(3)]
    archive.close()
    log = tmp_path / "log" / "000000.log"
    log.write_bytes(log.read_bytes().replace(b"number 1", b"numbeR 1"))
    (tmp_path / "catalogue.sqlite").unlink()
    reopened = open_archive()
    assert [warning for warning in reopened.warnings if "passed over" in warning]
    assert [reopened.get(handle) for handle in (handles[0], handles[2])] == ["text number 0", "text number 2"]
    with pytest.raises(UnknownHandle):
        reopened.get(handles[1])


@pytest.mark.parametrize("part", [b"the second", b'"id":"t2"'])
@pytest.mark.parametrize("catalogue", ["kept", "lost"])
def test_a_line_of_turns_is_read_past_a_damaged_turn_or_text(
    open_archive: Opener, tmp_path: Path, part: bytes, catalogue: str
) -> None:
    archive = open_archive()
    for n, said in enumerate(["the first", "the second", "the third", "the fourth"], 1):
        archive.append(turn(f"t{n}", said, parent=f"t{n - 1}" if n > 1 else ""))
    archive.close()
    log = tmp_path / "log" / "000000.log"
    log.write_bytes(log.read_bytes().replace(part, part.upper(), 1))
    if catalogue == "lost":
        (tmp_path / "catalogue.sqlite").unlink()
    reopened = open_archive()
    read = texts(reopened, "t4")
    assert [text for text in read if text.startswith("the")] == ["the first", "the third", "the fourth"]
    assert len(read) == (4 if part == b"the second" else 3)
    assert [each.number for each in reopened.turns("t4", 2)] == [3, 4]
    assert {*reopened.turns_numbered(reopened.line("t4"), [1, 2, 4])} >= {1, 4}
    assert [warning for warning in reopened.warnings if "turn 2 can no longer be read" in warning]
    told = len(reopened.warnings)
    reopened.turns("t4")
    assert len(reopened.warnings) == told, "each is told once"
    assert len(reopened.damaged()) == 1
    reopened.append(turn("t5", "the fifth", parent="t4"))
    assert texts(reopened, "t5", 1) == ["the fifth"]


def test_the_first_turn_of_a_session_may_be_the_damaged_one(open_archive: Opener, tmp_path: Path) -> None:
    archive = open_archive()
    archive.append(turn("t1", "one"))
    archive.append(turn("t2", "two", parent="t1"))
    archive.append(turn("u1", "other", session="other"))
    archive.close()
    log = tmp_path / "log" / "000000.log"
    log.write_bytes(log.read_bytes().replace(b'"id":"t1"', b'"id":"T1"', 1))
    (tmp_path / "catalogue.sqlite").unlink()
    reopened = open_archive()
    assert [(each.number, each.said[0].text) for each in reopened.turns("t2")] == [(2, "two")]
    assert texts(reopened, "u1") == ["other"]


def test_a_lost_or_broken_catalogue_is_made_again_from_the_log(open_archive: Opener, tmp_path: Path) -> None:
    archive = open_archive()
    archive.append(turn("a1", "one"))
    archive.append(turn("a2", "two", parent="a1"))
    archive.append(turn("b2", "other", parent="a1"))
    expected = archive.turns("b2")
    archive.close()
    for content in (None, b"not a database" * 100):
        for path in tmp_path.glob("catalogue.sqlite*"):
            path.unlink()
        if content:
            (tmp_path / "catalogue.sqlite").write_bytes(content)
        reopened = open_archive()
        assert reopened.turns("b2") == expected
        assert texts(reopened, "a2") == ["one", "two"]
        assert bool(reopened.warnings) == bool(content)
        reopened.close()


def test_the_log_is_split_into_segments(open_archive: Opener, tmp_path: Path) -> None:
    archive = open_archive(segment_bytes=300)
    parent = ""
    for n in range(8):
        archive.append(turn(f"t{n}", f"text {n} " * 10, parent=parent))
        parent = f"t{n}"
    assert len(list((tmp_path / "log").glob("*.log"))) > 2
    (tmp_path / "catalogue.sqlite").unlink()
    assert len(open_archive(segment_bytes=300).turns("t7")) == 8


def test_two_archives_on_one_folder_see_each_other(open_archive: Opener) -> None:
    one, two = open_archive(), open_archive()
    one.append(turn("t1", "by one"))
    two.append(turn("t2", "by two", parent="t1"))
    handle = two.put("new")
    assert one.get(handle) == "new"
    one.append(turn("t3", "again one", parent="t2"))
    assert texts(two, "t2") == ["by one", "by two"]
    assert not one.warnings
    assert not two.warnings


WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from maintainer.state.turns import Said, Turn
from maintainer.tools.archive import Archive
archive, parent = Archive(Path(sys.argv[1])), ""
for n in range(100000):
    said = (Said(role="user", text=f"turn {n} " + "x" * 3000),)
    archive.append(Turn(id=f"t{n}", session="s", at=datetime.now(UTC), said=said, parent=parent))
    parent = f"t{n}"
    print(parent, flush=True)
"""


def test_what_was_acknowledged_survives_kill_9(open_archive: Opener, tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    acknowledged = [process.stdout.readline().strip() for _ in range(40)]
    time.sleep(0.02)
    process.kill()
    acknowledged += process.stdout.read().split()
    process.stdout.close()
    process.wait()
    archive = open_archive()
    assert [one.id for one in archive.turns(acknowledged[-1])] == acknowledged


def test_while_one_session_is_erased_the_others_stay_where_they_are(
    open_archive: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process looks at whatever moment: it misses no turn of its own, and meets none of a stranger."""
    archive, other = open_archive(), open_archive()
    for name in ("erased", "mine", "stranger"):
        archive.append(turn(f"{name} 1", f"{name} asks", f"{name} hears", session=name))
    line = other.line("mine 1")
    seen: list[tuple[str, list[int], list[str]]] = []

    def look() -> None:
        named = other.turns_numbered(line, [1])
        seen.append((other.newest("mine"), [*named], [said.text for one in named.values() for said in one.said]))

    for owner, step in ((Log, "blank"), (Catalogue, "forget"), (Catalogue, "take"), (Catalogue, "shrink")):
        whole = getattr(owner, step)

        def spied(*given: Any, whole: Any = whole, **named: Any) -> Any:
            look()
            done = whole(*given, **named)
            look()
            return done

        monkeypatch.setattr(owner, step, spied)
    archive.erase("erased")
    assert set(map(str, seen)) == {str(("mine 1", [1], ["mine asks", "mine hears"]))}
    assert archive.count("erased") == 0
    with pytest.raises(UnknownHandle):
        other.turn("erased 1")


def test_a_text_that_is_erased_between_finding_and_reading_it_is_unknown(
    open_archive: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive, other = open_archive(), open_archive()
    kept = archive.append(turn("t1", "a question", "an answer"))
    found = Catalogue.object

    def then_erased(self: Catalogue, handle: str) -> Any:
        position = found(self, handle)
        monkeypatch.setattr(Catalogue, "object", found)
        archive.erase("s")
        return position

    monkeypatch.setattr(Catalogue, "object", then_erased)
    with pytest.raises(UnknownHandle):
        other.get(kept.said[0].handle)


def test_a_session_whose_erasing_was_killed_half_way_can_be_erased_again(
    open_archive: Opener, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = open_archive()
    archive.append(turn("t1", "a question", "an answer"))
    archive.append(turn("t2", "of others", session="other"))
    with monkeypatch.context() as killed:
        killed.setattr(Log, "blank", _killed)
        with pytest.raises(KeyboardInterrupt):
            archive.erase("s")
    again = open_archive()
    again.append(turn("t3", "a question", session="other", parent="t2"))  # a text of the one half erased
    again.erase("s")
    assert (again.count("s"), texts(again, "t3")) == (0, ["of others", "a question"])
    assert b"an answer" not in b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def _killed(*_: Any) -> None:
    raise KeyboardInterrupt
