"""What a started program can and cannot do."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import cast

import pytest
from maintainer.tools import processes
from maintainer.tools.processes import NOT_STARTED, Finished, run


def python(code: str, cwd: Path, **limits: float) -> Finished:
    return run([sys.executable, "-c", code], cwd=cwd, **limits)  # type: ignore[arg-type]


def test_returns_both_streams_and_the_exit_code(tmp_path: Path) -> None:
    done = python("import sys; print('out'); print('err', file=sys.stderr); sys.exit(3)", tmp_path)
    assert (done.returncode, done.stdout, done.stderr, done.ok) == (3, b"out\n", b"err\n", False)


def test_runs_in_the_folder_it_is_given(tmp_path: Path) -> None:
    assert python("import os; print(os.getcwd())", tmp_path).text.strip() == str(tmp_path.resolve())


def test_a_program_sees_nothing_of_our_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    seen = python("import os; print(sorted(os.environ))", tmp_path).text
    assert "OPENAI_API_KEY" not in seen
    assert "PATH" in seen


def test_arguments_are_never_read_by_a_shell(tmp_path: Path) -> None:
    hostile = "$(touch owned); `touch owned` > owned"
    done = run([sys.executable, "-c", "import sys; print(sys.argv[1])", hostile], cwd=tmp_path)
    assert done.text.strip() == hostile
    assert not (tmp_path / "owned").exists()


def test_input_is_empty(tmp_path: Path) -> None:
    assert python("import sys; print(repr(sys.stdin.read()))", tmp_path).text.strip() == "''"


def test_a_slow_program_is_stopped_and_its_output_kept(tmp_path: Path) -> None:
    done = run(["sh", "-c", "echo first; exec sleep 60"], cwd=tmp_path, timeout_s=1.0)  # sh starts at once
    assert (done.timed_out, done.ok, done.stdout) == (True, False, b"first\n")


def test_a_slow_program_that_closed_its_streams_is_stopped(tmp_path: Path) -> None:
    done = python("import os, time; os.close(1); os.close(2); time.sleep(60)", tmp_path, timeout_s=0.5)
    assert done.timed_out


def test_a_talkative_program_is_stopped_at_the_limit(tmp_path: Path) -> None:
    done = python("while True: print('x' * 1000)", tmp_path, max_bytes=10_000)
    assert done.truncated
    assert len(done.stdout) + len(done.stderr) == 10_000


def test_output_of_exactly_the_limit_is_whole(tmp_path: Path) -> None:
    done = python("print('x' * 99)", tmp_path, max_bytes=100)
    assert (done.truncated, len(done.stdout)) == (False, 100)


def test_children_left_behind_are_killed(tmp_path: Path) -> None:
    sleeper = "[sys.executable, '-c', 'import time; time.sleep(60)']"
    code = f"import subprocess, sys; print(subprocess.Popen({sleeper}).pid)"
    pid = int(python(code, tmp_path).text)
    for _ in range(1200):
        if not _alive(pid):
            return
        time.sleep(0.05)
    pytest.fail("the child outlived its parent")


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        return not Path("/proc/self").exists()
    return state != "Z"


@pytest.mark.parametrize(
    ("argv", "reason"),
    [(["no-such-program-here"], "no-such-program-here"), (["echo", "a\0b"], "null byte")],
)
def test_a_program_that_cannot_start_is_an_answer(argv: list[str], reason: str, tmp_path: Path) -> None:
    done = run(argv, cwd=tmp_path)
    assert (done.returncode, done.ok) == (NOT_STARTED, False)
    assert reason in done.stderr.decode()


def test_a_missing_folder_is_an_answer(tmp_path: Path) -> None:
    done = run(["echo"], cwd=tmp_path / "gone")
    assert done.returncode == NOT_STARTED
    assert "gone" in done.stderr.decode()


def test_text_replaces_bytes_that_are_no_utf_8(tmp_path: Path) -> None:
    assert python("import sys; sys.stdout.buffer.write(b'a\\xffb')", tmp_path).text == "a�b"


def test_what_a_program_wrote_last_is_read_though_it_ends_between_two_looks() -> None:
    class Program:
        """Writes its output and ends while the caller looks elsewhere: at its second question whether it has ended."""

        def __init__(self) -> None:
            out, self._write_out = os.pipe()
            err, self._write_err = os.pipe()
            self.stdout, self.stderr = open(out, "rb"), open(err, "rb")  # noqa: SIM115
            self.asked = 0

        def poll(self) -> int | None:
            self.asked += 1
            if self.asked == 2:
                os.write(self._write_out, b"last words")
            return 0 if self.asked >= 2 else None

        def wait(self, _: float) -> int:
            return 0

        def close(self) -> None:
            self.stdout.close()
            self.stderr.close()
            os.close(self._write_out)
            os.close(self._write_err)

    program = Program()
    collected = processes._collect(cast("subprocess.Popen[bytes]", program), time.monotonic() + 5, 1000)
    program.close()
    assert bytes(collected.stdout) == b"last words"
