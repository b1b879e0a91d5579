import subprocess
import sys
import time
from pathlib import Path

import pytest
from maintainer.state.errors import StoreDamaged, StoreError
from maintainer.tools.database import damage_in, is_held, open_database, opened_anew, reading, writing

SCHEMA = "CREATE TABLE t (x INTEGER);\nCREATE TABLE u (y INTEGER)"


def test_what_was_written_is_there_when_opened_again(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "a.sqlite"
    first = open_database(path, SCHEMA, version=1)
    with writing(first):
        first.execute("INSERT INTO t VALUES (1)")
    first.close()
    second = open_database(path, SCHEMA, version=1)
    assert second.execute("SELECT x FROM t").fetchall() == [(1,)]
    second.close()


def test_processes_that_make_one_file_at_once_wait_for_each_other(tmp_path: Path) -> None:
    """SQLite itself refuses, at once, the second of two that give a new file its log: one in three of these."""
    script = (
        "import sys, time\nfrom pathlib import Path\nfrom maintainer.tools.database import open_database\n"
        "folder, schema, start = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])\n"
        "for number in range(40):\n"
        "    time.sleep(max(0.0, start + number * 0.02 - time.time()))\n"
        "    open_database(folder / f'{number}.sqlite', schema, version=1).close()\n"
    )
    command = [sys.executable, "-c", script, str(tmp_path), SCHEMA, str(time.time() + 1)]
    running = [subprocess.Popen(command, stderr=subprocess.PIPE, text=True) for _ in range(4)]
    assert [process.communicate(timeout=120)[1] for process in running] == [""] * 4


def test_processes_that_find_one_file_damaged_make_it_anew_once(tmp_path: Path) -> None:
    script = (
        "import sys, time\nfrom pathlib import Path\n"
        "from maintainer.tools.database import open_database, opened_anew, writing\n"
        "folder, schema, start, me = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3]), int(sys.argv[4])\n"
        "for number in range(30):\n"
        "    path = folder / f'{number}.sqlite'\n"
        "    time.sleep(max(0.0, start + number * 0.03 - time.time()))\n"
        "    made, _ = opened_anew(lambda: open_database(path, schema, version=1), path)\n"
        "    with writing(made):\n"
        "        made.execute('INSERT INTO t VALUES (?)', (me,))\n"
        "    made.close()\n"
    )
    for number in range(30):
        (tmp_path / f"{number}.sqlite").write_bytes(b"not a database at all, but long enough to look at" * 30)
    command = [sys.executable, "-c", script, str(tmp_path), SCHEMA, str(time.time() + 1)]
    running = [subprocess.Popen([*command, str(me)], stderr=subprocess.PIPE, text=True) for me in range(4)]
    assert [process.communicate(timeout=120)[1] for process in running] == [""] * 4
    for number in range(30):
        made = open_database(tmp_path / f"{number}.sqlite", SCHEMA, version=1)
        assert made.execute("SELECT x FROM t ORDER BY x").fetchall() == [(me,) for me in range(4)]
        made.close()


def test_a_connection_that_was_closed_meanwhile_is_no_damage(tmp_path: Path) -> None:
    db = open_database(tmp_path / "a.sqlite", SCHEMA, version=1)
    db.close()
    with pytest.raises(StoreError) as caught, reading(db):
        pass
    assert not isinstance(caught.value, StoreDamaged)


def test_a_damaged_file_is_made_anew_where_that_may_be(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    path.write_bytes(b"not a database at all, but long enough to look at" * 30)
    made, damage = opened_anew(lambda: open_database(path, SCHEMA, version=1), path)
    assert "damaged" in str(damage)
    assert made.execute("SELECT count(*) FROM t").fetchone() == (0,)
    made.close()


def test_a_file_another_process_holds_is_never_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.sqlite"
    holder = open_database(path, SCHEMA, version=1)
    monkeypatch.setattr(f"{open_database.__module__}.BUSY_TIMEOUT_S", 0.1)
    with writing(holder):
        holder.execute("INSERT INTO t VALUES (1)")
        with pytest.raises(StoreError, match="another process has been writing"):
            opened_anew(lambda: open_database(path, SCHEMA, version=1), path)
    again = open_database(path, SCHEMA, version=1)
    assert again.execute("SELECT x FROM t").fetchall() == [(1,)]
    again.close()
    holder.close()


def test_an_error_undoes_the_whole_block(tmp_path: Path) -> None:
    db = open_database(tmp_path / "a.sqlite", SCHEMA, version=1)
    with pytest.raises(RuntimeError), writing(db):  # noqa: PT012 - the block is what is tested
        db.execute("INSERT INTO t VALUES (1)")
        with writing(db):
            db.execute("INSERT INTO u VALUES (2)")
        raise RuntimeError
    assert db.execute("SELECT count(*) FROM t").fetchone() == (0,)
    assert db.execute("SELECT count(*) FROM u").fetchone() == (0,)
    db.close()


def test_a_reader_sees_one_state_while_another_writes(tmp_path: Path) -> None:
    reader = open_database(tmp_path / "a.sqlite", SCHEMA, version=1)
    writer = open_database(tmp_path / "a.sqlite", SCHEMA, version=1)
    with reading(reader):
        before = reader.execute("SELECT count(*) FROM t").fetchone()
        with writing(writer):
            writer.execute("INSERT INTO t VALUES (1)")
        assert reader.execute("SELECT count(*) FROM t").fetchone() == before == (0,)
    assert reader.execute("SELECT count(*) FROM t").fetchone() == (1,)
    reader.close()
    writer.close()


@pytest.mark.parametrize(
    "content", [b"not a database at all, but long enough to look at" * 30, b"SQLite format 3\x00" + b"\xff" * 4096]
)
def test_a_damaged_file_says_so(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.sqlite"
    path.write_bytes(content)
    with pytest.raises(StoreDamaged, match=r"a\.sqlite"):
        open_database(path, SCHEMA, version=1)


def test_another_version_says_so(tmp_path: Path) -> None:
    open_database(tmp_path / "a.sqlite", SCHEMA, version=1).close()
    with pytest.raises(StoreDamaged, match="version 1"):
        open_database(tmp_path / "a.sqlite", SCHEMA, version=2)


def test_a_folder_that_cannot_be_made_is_an_error_but_no_damage(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError) as caught:
        open_database(tmp_path / "file" / "a.sqlite", SCHEMA, version=1)
    assert not isinstance(caught.value, StoreDamaged)


def test_the_log_of_a_large_write_is_cut_back_while_the_file_is_open(tmp_path: Path) -> None:
    db = open_database(tmp_path / "a.sqlite", "CREATE TABLE t (x BLOB)", version=1)
    with writing(db):
        db.executemany("INSERT INTO t VALUES (?)", ((b"x" * 10_000,) for _ in range(1000)))
    log = tmp_path / "a.sqlite-wal"
    assert log.stat().st_size > 10_000_000
    for _ in range(2):
        with writing(db):
            db.execute("INSERT INTO t VALUES (x'00')")
    assert log.stat().st_size <= 2_000_000
    db.close()


def test_whether_somebody_else_is_writing_a_file_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    assert not is_held(path)
    db = open_database(path, SCHEMA, version=1)
    assert not is_held(path)
    with writing(db):
        assert is_held(path)
    db.close()
    path.write_bytes(b"no database" * 100)
    assert not is_held(path)


def test_a_look_for_damage_makes_no_file(tmp_path: Path) -> None:
    assert damage_in(tmp_path / "gone meanwhile.sqlite") == ""
    assert not [*tmp_path.iterdir()]
    (tmp_path / "a.sqlite").write_bytes(b"no database" * 100)
    assert "damaged" in damage_in(tmp_path / "a.sqlite")
