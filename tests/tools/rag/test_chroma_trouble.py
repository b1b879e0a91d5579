"""Whatever happens to Chroma: one clear message, the words go on, and what can be made again is made again."""

import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from maintainer.tools import RAGTool

FILES = {
    "cart.py": 'def total(prices):\n    """Sum of the shopping cart."""\n    return sum(prices)\n',
    "mail.py": 'def send(order):\n    """Send a mail about an order."""\n',
}
ASKED, FOUND = "sum of the shopping cart", "cart.py"


class Letters:
    """Texts by how often they hold each letter."""

    name = "letters"
    dimension = 26

    def embed(self, texts: Sequence[str]) -> "np.ndarray":
        vectors = np.array([[text.lower().count(chr(97 + i)) for i in range(26)] for text in texts], dtype="f4")
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.where(lengths > 0, lengths, 1.0)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def open_rag(tmp_path: Path, home: Path) -> Iterator[Callable[..., RAGTool]]:
    opened: list[RAGTool] = []

    def make(repo: str = "repo", **options: str) -> RAGTool:
        for path, text in FILES.items():
            (tmp_path / repo).mkdir(exist_ok=True)
            (tmp_path / repo / path).write_text(text)
        folder = home if repo == "repo" else home.with_name(f"home-{repo}")
        opened.append(RAGTool(tmp_path / repo, home=folder, embedder=Letters(), **options))
        return opened[-1]

    yield make
    for tool in opened:
        tool.close()


@pytest.fixture
def chroma(home: Path, open_rag: Callable[..., RAGTool]) -> Path:
    """Return a folder of Chroma with vectors in it that nobody has open."""
    tool = open_rag()
    tool.refresh(vectors=True)
    tool.close()
    return home / "chroma"


def change(chroma: Path, statement: str) -> None:
    with closing(sqlite3.connect(chroma / "chroma.sqlite3")) as database, database:
        database.execute(statement)


def finds_by_words(tool: RAGTool) -> bool:
    return [passage.path for passage in tool.search(ASKED)] == [FOUND]


LAST = "(SELECT max(version) FROM migrations WHERE dir = 'sysdb')"


@pytest.mark.parametrize(
    "damage",
    [
        lambda chroma: change(chroma, f"DELETE FROM migrations WHERE dir = 'sysdb' AND version = {LAST}"),
        lambda chroma: change(chroma, "DROP TABLE migrations"),
        lambda chroma: change(chroma, "ALTER TABLE collections RENAME COLUMN dimension TO dimensions"),
        lambda chroma: change(chroma, "ALTER TABLE embeddings RENAME TO vectors"),
        lambda chroma: (chroma / "chroma.sqlite3").write_bytes(b"no database" * 1000),
        lambda chroma: os.truncate(chroma / "chroma.sqlite3", 20_000),
    ],
    ids=["older", "much older", "newer", "newer tables", "garbage", "cut off"],
)
def test_a_database_of_another_version_or_damaged_is_made_again_and_said_so_once(
    chroma: Path, open_rag: Callable[..., RAGTool], damage: Callable[[Path], None]
) -> None:
    damage(chroma)
    tool = open_rag()
    tool.refresh(vectors=True)
    assert finds_by_words(tool)
    (notice,) = tool.notices
    assert notice.startswith("the vectors are being made again: Chroma cannot ")
    assert tool.stats()["vectors"] == {"done": 2, "of": 2}


@pytest.mark.parametrize(
    "loss",
    [
        shutil.rmtree,
        lambda chroma: (chroma / "chroma.sqlite3").unlink(),
        lambda chroma: (chroma / "chroma.sqlite3").write_bytes(b""),
    ],
    ids=["folder", "file", "content"],
)
def test_a_database_that_is_gone_is_made_again(
    chroma: Path, open_rag: Callable[..., RAGTool], loss: Callable[[Path], None]
) -> None:
    loss(chroma)
    tool = open_rag()
    tool.refresh(vectors=True)
    assert finds_by_words(tool)
    assert tool.notices == []
    assert tool.stats()["vectors"] == {"done": 2, "of": 2}


def test_a_database_of_a_newer_version_that_only_adds_is_used_as_it_is(
    chroma: Path, open_rag: Callable[..., RAGTool]
) -> None:
    change(chroma, "INSERT INTO migrations SELECT dir, 99, '00099-x.sqlite.sql', sql, hash FROM migrations LIMIT 1")
    change(chroma, "ALTER TABLE collections ADD COLUMN extra TEXT")
    tool = open_rag()
    tool.refresh(vectors=True)
    assert tool.notices == []
    assert tool.stats()["vectors"] == {"done": 2, "of": 2}


HOLD = """
import sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("BEGIN EXCLUSIVE")
print("held", flush=True)
sys.stdin.read()
"""


def test_a_database_another_program_has_locked_costs_the_meaning_until_it_is_free(
    chroma: Path, open_rag: Callable[..., RAGTool]
) -> None:
    command = [sys.executable, "-c", HOLD, str(chroma / "chroma.sqlite3")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        tool = open_rag()
        tool.refresh(vectors=True)
        assert finds_by_words(tool)
        tool.refresh(vectors=True)
        (notice,) = tool.notices
        assert notice.startswith("search by words alone: ")
        assert "locked by another process" in notice
        holder.communicate()
    tool.refresh(vectors=True)
    assert tool.notices == []
    assert tool.stats()["vectors"] == {"done": 2, "of": 2}


NOBODY = """
import os, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from test_chroma_trouble import ASKED, Letters
from maintainer.tools import RAGTool
def ask(home):
    with RAGTool(sys.argv[2], home=home, embedder=Letters()) as tool:
        tool.refresh(vectors=True)
        print(*(passage.path for passage in tool.search(ASKED)), *tool.notices, sep="|")
ask(Path(sys.argv[3]) / "warm")  # loads all it needs, where it still may
os.setgid(65534); os.setuid(65534)
ask(Path(sys.argv[3]) / "home")
"""


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("locked", [True, False], ids=["home", "Chroma's folder alone"])
def test_a_folder_that_may_only_be_read_costs_the_meaning_and_is_left_as_it_is(
    chroma: Path, home: Path, tmp_path: Path, locked: bool
) -> None:
    for folder, _, names in os.walk(home):
        os.chmod(folder, 0o755)
        for name in names:
            os.chmod(Path(folder, name), 0o644)
    for parent in tmp_path.parents[:3]:  # pytest keeps its folders to itself
        if parent.stat().st_mode & 0o055 != 0o055 and parent != Path("/"):
            parent.chmod(0o755)
    tmp_path.chmod(0o755)
    if not locked:
        home.chmod(0o777)
        for file in home.iterdir():
            file.chmod(0o777 if file.is_file() else 0o755)
    before = sorted((path, path.stat().st_size) for path in chroma.rglob("*"))
    command = [sys.executable, "-c", NOBODY, str(Path(__file__).parent), str(tmp_path / "repo"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    warm, asked = done.stdout.splitlines()
    assert warm == FOUND
    found, *notices = asked.split("|")
    assert found == FOUND
    about_vectors = [notice for notice in notices if notice.startswith("search by words alone: ")]
    assert len(about_vectors) == 1
    assert "permission" in about_vectors[0].lower()
    assert sorted((path, path.stat().st_size) for path in chroma.rglob("*")) == before


def test_two_repositories_on_one_server_keep_their_vectors_apart(
    serve: Callable[..., tuple[str, object]], open_rag: Callable[..., RAGTool], tmp_path: Path
) -> None:
    url, _ = serve()
    one, two = open_rag("one", server=url), open_rag("two", server=url)
    (tmp_path / "two/extra.py").write_text("def zebra():\n    return 'zzzz'\n")
    for tool in (one, two, one):
        tool.refresh(vectors=True)
    assert one.stats()["vectors"] == {"done": 2, "of": 2}
    assert two.stats()["vectors"] == {"done": 3, "of": 3}
    (tmp_path / "one/mail.py").unlink()
    one.refresh(vectors=True)
    assert one.stats()["vectors"] == {"done": 1, "of": 1}
    two.refresh(vectors=True)
    assert two.stats()["vectors"] == {"done": 3, "of": 3}
    assert (one.notices, two.notices) == ([], [])


def test_a_server_that_goes_away_is_told_once_and_used_again_when_it_is_back(
    serve: Callable[..., tuple[str, "subprocess.Popen[bytes]"]], open_rag: Callable[..., RAGTool]
) -> None:
    url, process = serve()
    tool = open_rag(server=url)
    tool.refresh(vectors=True)
    process.kill()
    process.wait()
    for _ in range(3):
        assert finds_by_words(tool)
        tool.refresh(vectors=True)
        (notice,) = tool.notices
        assert notice.startswith("search by words alone: Chroma cannot ")
    serve(port=int(url.rpartition(":")[2]))
    tool.refresh(vectors=True)
    assert tool.notices == []
    assert tool.stats()["vectors"] == {"done": 2, "of": 2}


def test_a_server_that_never_answers_is_given_up(
    open_rag: Callable[..., RAGTool], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("maintainer.tools.rag.chroma._SERVER_TIMEOUT_S", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        tool = open_rag(server=f"http://127.0.0.1:{silent.getsockname()[1]}")
        tool.refresh(vectors=True)
        assert finds_by_words(tool)
        (notice,) = tool.notices
        assert "timed out" in notice
