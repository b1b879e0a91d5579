import errno
import os
import resource
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from maintainer.state.errors import StoreError
from maintainer.tools.files import explained, in_one_line, locked, make_folder, remove, write_atomic


@contextmanager
def ordinary_user() -> Iterator[None]:
    """Give up root's right to write everywhere, for the block."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Let no file grow beyond `size` bytes, as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


def test_a_written_file_holds_exactly_the_bytes_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    target = tmp_path / "计划.md"
    write_atomic(target, b"one\r\n\xff")
    write_atomic(target, "二\n".encode())
    assert target.read_bytes() == "二\n".encode()
    assert list(tmp_path.iterdir()) == [target]


def test_a_file_that_no_longer_fits_leaves_the_old_one_whole(tmp_path: Path) -> None:
    target = tmp_path / "note.md"
    write_atomic(target, b"old")
    with room_for(1000), pytest.raises(StoreError, match=r"cannot write .*note\.md: the file would be larger"):
        write_atomic(target, b"x" * 5000)
    assert target.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_read_only_folder_is_named_and_the_old_file_is_whole() -> None:
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        target = folder / "note.md"
        write_atomic(target, b"old")
        folder.chmod(0o555)
        with (
            ordinary_user(),
            pytest.raises(StoreError, match=r"cannot write .*note\.md: no permission: check who owns"),
        ):
            write_atomic(target, b"new")
        folder.chmod(0o755)
        assert target.read_bytes() == b"old"


@pytest.mark.parametrize(
    ("number", "words"),
    [(errno.ENOSPC, "the disk is full"), (errno.EROFS, "the disk is read-only"), (errno.EIO, os.strerror(errno.EIO))],
)
def test_each_foreseen_fault_says_what_to_do(number: int, words: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=f"cannot write .*: {words}"), explained("write", tmp_path):
        raise OSError(number, os.strerror(number))


def test_permissions_of_an_existing_file_are_kept(tmp_path: Path) -> None:
    target = tmp_path / "note.md"
    write_atomic(target, b"old")
    target.chmod(0o640)
    write_atomic(target, b"new")
    assert stat.S_IMODE(target.stat().st_mode) == 0o640


def test_a_link_in_a_files_place_is_replaced_and_its_target_untouched(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(b"precious")
    link = tmp_path / "note.md"
    link.symlink_to(outside)
    write_atomic(link, b"new")
    assert (outside.read_bytes(), link.read_bytes(), link.is_symlink()) == (b"precious", b"new", False)


def test_a_pipe_is_not_replaced_by_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(StoreError, match="device or a pipe"):
        write_atomic(pipe, b"x")
    assert stat.S_ISFIFO(pipe.lstat().st_mode)
    assert os.listdir(tmp_path) == ["pipe"]


def test_what_stands_for_the_standard_output_is_not_replaced() -> None:
    before = os.lstat("/dev/stdout")
    with pytest.raises(StoreError, match="device or a pipe"):
        write_atomic(Path("/dev/stdout"), b"x")
    assert os.lstat("/dev/stdout").st_ino == before.st_ino


@pytest.mark.parametrize("path", ["/", ".", "", "tests/.."])
def test_a_folder_is_not_written_as_a_file(path: str) -> None:
    with pytest.raises(StoreError, match="this is a folder, not a file"):
        write_atomic(Path(path), b"x")


def test_a_link_in_a_folders_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.raises(StoreError, match="symbolic link"):
        make_folder(tmp_path / "link")


def test_removing_what_is_gone_is_no_error(tmp_path: Path) -> None:
    target = tmp_path / "note.md"
    write_atomic(target, b"x")
    remove(target)
    remove(target)
    assert list(tmp_path.iterdir()) == []


ADD_ONE_50_TIMES = """
import sys
from pathlib import Path
from maintainer.tools.files import locked, write_atomic

counter = Path(sys.argv[1])
for _ in range(50):
    with locked(counter.with_suffix(".lock")):
        write_atomic(counter, str(int(counter.read_bytes()) + 1).encode())
"""


def test_two_processes_never_lose_each_others_counts(tmp_path: Path) -> None:
    counter = tmp_path / "counter"
    write_atomic(counter, b"0")
    workers = [subprocess.Popen([sys.executable, "-c", ADD_ONE_50_TIMES, counter]) for _ in range(2)]
    assert [worker.wait(60) for worker in workers] == [0, 0]
    assert counter.read_bytes() == b"100"


HOLD_UNTIL_KILLED = """
import sys, time
from pathlib import Path
from maintainer.tools.files import locked

with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


def test_a_busy_lock_is_an_error_that_names_it_and_a_killed_holder_frees_it(tmp_path: Path) -> None:
    lock = tmp_path / "store.lock"
    with subprocess.Popen([sys.executable, "-c", HOLD_UNTIL_KILLED, lock], stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(StoreError, match=r"cannot lock .*store\.lock: another process"), locked(lock, timeout_s=0):
            pytest.fail("two holders")
        holder.kill()
    with locked(lock, timeout_s=5):
        pass


@pytest.mark.parametrize(
    ("path", "shown"),
    [
        ("a/b c.py", "a/b c.py"),
        ("中文\u3000名.py", "中文\u3000名.py"),
        ("a\nb\x1b[0m.py", r"a\nb\x1b[0m.py"),
        ("\u2028", r"\u2028"),
    ],
)
def test_a_name_is_shown_in_one_line(path: str, shown: str) -> None:
    assert in_one_line(path) == shown
