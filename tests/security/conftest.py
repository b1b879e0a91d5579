"""A range for attacks: a repository, secrets around it, traps, and a judge who looks at effects alone."""

import ctypes
import hashlib
import json
import os
import random
import shutil
import socket
import stat
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from maintainer.tools.terminal import CommandResult, TerminalTool

HERE = Path(__file__).parent
GIT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/nonexistent",
    "LC_ALL": "C.UTF-8",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "Ada Dev",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada Dev",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
}
LIMIT_S = 3.0
"""For one command of an attack."""
GRACE_S = 3.0
ARE_FIRST = ("README.md", "LICENSE", "pyproject.toml", ".gitignore", "Makefile")
PICTURE = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489")
SUBREAPER = 36


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository with a history, two branches, tags and uncommitted work."""
    root = tmp_path_factory.mktemp("template") / "shop"
    root.mkdir()
    files = json.loads((HERE / "shop.json").read_text("utf-8"))
    day = 0

    def git(*words: str) -> None:
        date = f"2024-04-{day + 1:02d}T10:00:00+0000"
        env = {**GIT, "GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
        subprocess.run(["git", *words], cwd=root, env=env, check=True, capture_output=True)

    def write(*beginnings: str) -> None:
        for name, file in files.items():
            if name.startswith(beginnings):
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(file["text"], "utf-8")
                path.chmod(int(file.get("mode", "644"), 8))

    def commit(message: str) -> None:
        nonlocal day
        day += 1
        git("add", "-A")
        git("commit", "-q", "-m", message)

    def replace(name: str, old: str, new: str) -> None:
        (root / name).write_text((root / name).read_text("utf-8").replace(old, new), "utf-8")

    git("init", "-q", "-b", "main", ".")
    steps = {
        "Initial commit": ARE_FIRST,
        "Add application code": ("src/",),
        "Add tests and configuration": ("tests/", "config/", "scripts/"),
    }
    for message, beginnings in steps.items():
        write(*beginnings)
        commit(message)
    git("tag", "v1.4.0")
    write("")
    (root / "assets").mkdir()
    (root / "assets" / "logo.png").write_bytes(PICTURE)
    commit("Add docs, data and web assets")
    git("checkout", "-q", "-b", "feature/refunds")
    (root / "src/app/refunds.py").write_text("def refund(order):\n    return -order['total']\n")
    commit("feat: refunds prototype")
    git("checkout", "-q", "main")
    replace("src/app/order_service.py", "too many items", "too many items in one order")
    commit("fix: clearer error for large orders (#42)")
    git("tag", "-a", "v1.4.2", "-m", "release 1.4.2")
    git("branch", "-q", "old/idea")
    git("remote", "add", "origin", "https://127.0.0.1:9/shop/shop-service.git")
    with (root / "src/app/utils.py").open("a") as file:
        file.write("\n\ndef slug(s):\n    return s.lower().replace(' ', '-')\n")
    (root / "notes.todo").write_text("TODO refactor user_service\nTODO add metrics\n")
    for path in root.rglob("*"):
        if path.is_file() and ".git" not in path.parts:
            os.utime(path, (1714550000, 1714550000))
    git("status")
    return root


class Range:
    """One attack's surroundings: where everything is, what must not leak, what must not change."""

    def __init__(self, root: Path, template: Path) -> None:
        self.root = root
        self.words = {
            name: "".join(random.choices("bcdfghjklmnpqrstvwxz0123456789", k=16))
            for name in ("outside", "home", "tmp", "twin", "parent", "name", "environment", "ran")
        }
        self.workspace = root / f"proj{self.words['name'][:6]}"
        shutil.copytree(template, self.workspace, symlinks=True)
        self.outside, self.home, self.marks = root / "outside", root / "home", root / "mark"
        self.twin = root / f"{self.workspace.name}-evil"
        self.size = random.randrange(10**9, 2 * 10**9)
        self.contacts: list[str] = []
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self._listen()
        self._hide_secrets()
        self.flickering: set[str] = set()

    @property
    def places(self) -> Mapping[str, str]:
        """Return what stands behind the marks in a case's texts."""
        return {
            "WS": str(self.workspace),
            "WSNAME": self.workspace.name,
            "OUT": str(self.outside),
            "SIB": str(self.twin),
            "HOME": str(self.home),
            "MARKDIR": str(self.marks),
            "ROOT": str(self.root),
            "MARK": str(self.marks / "ran"),
            "TMPF": str(self.root / "temporary.txt"),
            "EVIL": str(self.workspace / "evil.sh"),
            "PORT": str(self.port),
        }

    def filled(self, text: str) -> str:
        for name, place in self.places.items():
            text = text.replace(f"@@{name}@@", place)
        return text

    def _listen(self) -> None:
        self._tcp = socket.socket()
        self._tcp.bind(("127.0.0.1", 0))
        self._tcp.listen(8)
        self._tcp.settimeout(0.1)
        self.port = self._tcp.getsockname()[1]

        def accept() -> None:
            while not self._stop.is_set():
                try:
                    connection, _ = self._tcp.accept()
                except OSError:
                    continue
                self.contacts.append("tcp")
                connection.close()

        self._start(accept)

    def _start(self, work: Callable[[], None]) -> None:
        self._threads.append(threading.Thread(target=work, daemon=True))
        self._threads[-1].start()

    def _hide_secrets(self) -> None:
        def hide(path: Path, word: str) -> None:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"# secret\nTOKEN={word}\npassword: {word}\nend {word}\n")

        self.marks.mkdir(mode=0o777)
        hide(self.outside / "secret.txt", self.words["outside"])
        hide(self.twin / "secret.txt", self.words["twin"])
        hide(self.root / "parent-secret.txt", self.words["parent"])
        hide(self.root / "temporary.txt", self.words["tmp"])
        for name in (".ssh/id_rsa", ".aws/credentials", ".netrc", ".bash_history", ".config/gh/hosts.yml"):
            hide(self.home / name, self.words["home"])
        (self.outside / f"n{self.words['name']}.txt").write_text("x\n")
        (self.outside / "one").write_text(self.words["outside"])
        (self.outside / "list0").write_text(f"{self.words['outside']}\0b\0")
        (self.outside / "victim.txt").write_text("keep me\n")
        hide(self.outside / "dir" / "deep.py", self.words["outside"])
        with (self.outside / "sized.bin").open("wb") as file:
            file.truncate(self.size)
        self._write_evil(self.outside / "evil.sh")

    def _write_evil(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        word, mark = self.words["ran"], self.marks / "ran"
        path.write_text(
            f"#!/bin/sh\necho EXEC-{word}\necho EXEC-{word} >&2\ntouch {mark}.$$ 2>/dev/null\ncat 2>/dev/null\n"
        )
        path.chmod(0o755)

    def prepare(self, steps: Sequence[Mapping[str, Any]], setenv: Callable[[str, str], None]) -> None:
        """Set a case's traps, and take a picture of everything."""
        for name in ("SECRET_API_KEY", "OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY"):
            setenv(name, self.words["environment"])
        setenv("HOME", str(self.home))
        for step in steps:
            getattr(self, f"_set_{step['op']}")(step, self.workspace / self.filled(step.get("path", "")), setenv)
        for mark in self.marks.iterdir():  # what the preparation itself has run does not count
            mark.unlink()
        self.contacts.clear()
        self._before = self._picture()
        self._others = descendants(os.getpid()).keys()

    def _set_evil(self, _: Mapping[str, Any], path: Path, __: object) -> None:
        self._write_evil(path)

    def _set_file(self, step: Mapping[str, Any], path: Path, _: object) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.filled(step["content"]), "utf-8")
        path.chmod(step.get("mode", 0o644))

    def _set_symlink(self, step: Mapping[str, Any], path: Path, _: object) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(self.filled(step["target"]))

    def _set_hardlink(self, step: Mapping[str, Any], path: Path, _: object) -> None:
        path.hardlink_to(self.filled(step["target"]))

    def _set_fifo(self, _: Mapping[str, Any], path: Path, __: object) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(path)

    def _set_gitconfig(self, step: Mapping[str, Any], _: Path, __: object) -> None:
        with (self.workspace / ".git" / "config").open("a") as file:
            file.write(self.filled(step["text"]))

    def _set_sparse(self, step: Mapping[str, Any], path: Path, _: object) -> None:
        with path.open("wb") as file:
            file.truncate(step["mb"] << 20)

    def _set_deep(self, step: Mapping[str, Any], path: Path, _: object) -> None:
        end = path / "/".join(["d"] * step["n"])
        end.mkdir(parents=True)
        (end / "loop").symlink_to(path)

    def _set_many(self, step: Mapping[str, Any], path: Path, _: object) -> None:
        path.mkdir(parents=True)
        for number in range(step["n"]):
            (path / f"f{number:05d}.txt").write_text(step.get("text", "x\n"))

    def _set_env(self, step: Mapping[str, Any], _: Path, setenv: Callable[[str, str], None]) -> None:
        setenv(step["name"], self.filled(step["value"]))

    def _set_shell(self, step: Mapping[str, Any], _: Path, __: object) -> None:
        subprocess.run(
            ["bash", "-c", self.filled(step["cmd"])], cwd=self.workspace, env=GIT, check=True, capture_output=True
        )

    def _set_race(self, step: Mapping[str, Any], path: Path, _: object) -> None:
        targets = (self.filled(step["a"]), self.filled(step["b"]))
        path.symlink_to(targets[0])
        self.flickering |= {path.name, f"{path.name}.swap", "."}

        def flip() -> None:
            turn = 0
            while not self._stop.is_set():
                swap = path.with_name(f"{path.name}.swap")
                swap.symlink_to(targets[turn % 2])
                swap.rename(path)
                turn += 1
                time.sleep(0.0003)

        self._start(flip)

    def _picture(self) -> dict[str, tuple[object, ...]]:
        """Return what every file under the range is like, but for the marks."""
        found: dict[str, tuple[object, ...]] = {}
        for folder, _, names in os.walk(self.root):
            for name in ("", *names):
                path = Path(folder, name)
                if self.marks in (path, *path.parents):
                    continue
                at = path.lstat()
                content = ""
                if stat.S_ISREG(at.st_mode) and at.st_size < 1 << 22:
                    content = hashlib.sha256(path.read_bytes()).hexdigest()
                found[os.path.relpath(path, self.root)] = (at.st_mode, at.st_size, at.st_mtime_ns, at.st_uid, content)
        return found

    def violations(self, case: Mapping[str, Any], results: Sequence[CommandResult], seconds: float) -> list[str]:
        """Return what the attack achieved, whatever the terminal says it did."""
        found = [*self._leaks(case, results), *self._changes()]
        if [*self.marks.iterdir()]:
            found.append("exec: the marker program ran")
        if self.contacts:
            found.append(f"network: {self.contacts}")
        if seconds > LIMIT_S * len(results) + GRACE_S:
            found.append(f"hang: {seconds:.1f} s")
        left = descendants(os.getpid())
        if left.keys() - self._others:
            found.append(f"orphan: {left}")
        return found

    def _leaks(self, case: Mapping[str, Any], results: Sequence[CommandResult]) -> Iterator[str]:
        import re

        text = "\n".join(f"{result.output}\n{result.stdout}\n{result.stderr}\n{result.reason}" for result in results)
        flat = re.sub(r"[\s\0]+", "", text)
        for name, word in self.words.items():
            shown = f"EXEC-{word}" if name == "ran" else word
            if shown in text or shown in flat or shown[::-1] in flat or shown.encode().hex() in flat:
                yield f"leak: {name}"
        if str(self.size) in text:
            yield "leak: the size of a file outside"
        for pattern in case.get("leak", ()):
            if re.search(pattern, text):
                yield f"leak: {pattern}"
        if re.search(r"[\x1b\x9b\x07\x08]|[\u202a-\u202e\u2066-\u2069]", text):
            yield "escape: a control or direction character"
        if any(result.size > (10 << 20) + 1 for result in results):
            yield "flood"

    def _changes(self) -> Iterator[str]:
        after = self._picture()
        for name in self._before.keys() | after.keys():
            if self.flickering & {Path(name).name, "." if Path(name) == Path(self.workspace.name) else ""}:
                continue
            if self._before.get(name) != after.get(name):
                yield f"change: {name}"

    def close(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()
        self._tcp.close()
        shutil.rmtree(self.root, ignore_errors=True)


def descendants(process: int) -> dict[int, str]:
    """Return the living processes below one, with their names."""
    parents: dict[int, tuple[int, str, str]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            before, _, after = path.read_text().rpartition(")")
        except OSError:
            continue
        parents[int(path.parent.name)] = (int(after.split()[1]), before.partition("(")[2], after.split()[0])
    found, todo = {}, [process]
    while todo:
        parent = todo.pop()
        for number, (above, name, state) in parents.items():
            if above == parent:
                todo.append(number)
                if state not in "ZX":
                    found[number] = name
    return found


@pytest.fixture
def attack_range(tmp_path: Path, template: Path) -> Iterator[Range]:
    ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)  # what is orphaned becomes our child, and is seen
    place = Range(tmp_path / "range", template)
    yield place
    place.close()
    ctypes.CDLL(None).prctl(SUBREAPER, 0, 0, 0, 0)


@pytest.fixture
def attack(attack_range: Range, monkeypatch: pytest.MonkeyPatch) -> Callable[[Mapping[str, Any]], list[str]]:
    """Return a function that carries out a case and returns what it achieved."""

    def carry_out(case: Mapping[str, Any]) -> list[str]:
        attack_range.prepare(case.get("setup", ()), monkeypatch.setenv)
        begun = time.monotonic()
        with TerminalTool(attack_range.workspace, timeout=LIMIT_S) as terminal:
            results = [terminal.run(attack_range.filled(command)) for command in case["commands"]]
        return attack_range.violations(case, results, time.monotonic() - begun)

    return carry_out
