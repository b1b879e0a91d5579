"""What every VectorIndex promises, run on Chroma's two ways."""

import shutil
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from maintainer.state.errors import ConfigError, SearchError
from maintainer.tools.rag.chroma import ChromaVectors

Opener = Callable[..., ChromaVectors]


class Letters:
    """Texts by how often they hold the letters a to h: meaning one can check by hand."""

    name = "letters"
    dimension = 8

    def embed(self, texts: Sequence[str]) -> "np.ndarray":
        vectors = np.array([[text.count(letter) for letter in "abcdefgh"] for text in texts], dtype="f4")
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True) if len(texts) else 1.0
        return vectors / np.where(lengths > 0, lengths, 1.0)


class OtherLetters(Letters):
    name = "other letters/2"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [str(Path(sys.executable).with_name("chroma")), "run", "--host", "127.0.0.1", "--port", str(port)]
    process = subprocess.Popen(
        [*command, "--path", str(tmp_path_factory.mktemp("server"))],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    for _ in range(200):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    yield f"http://127.0.0.1:{port}"
    process.terminate()
    process.wait()


@pytest.fixture(params=["embedded", "server"])
def opener(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opener]:
    opened: list[ChromaVectors] = []
    url = request.getfixturevalue("server") if request.param == "server" else ""

    def make(embedder: object = None, kind: str = request.node.name) -> ChromaVectors:
        opened.append(ChromaVectors(tmp_path / "chroma", embedder or Letters(), kind=kind, server=url))
        return opened[-1]

    yield make
    for vectors in opened:
        vectors.close()


def test_the_nearest_come_first_with_their_cosine(opener: Opener) -> None:
    vectors = opener()
    vectors.put({"one": "aaa", "two": "aab", "three": "hhh"})
    found = vectors.nearest("a", 2)
    assert list(found) == ["one", "two"]
    assert found["one"] == pytest.approx(1.0, abs=1e-5)
    assert found["two"] == pytest.approx(2 / 5**0.5, abs=1e-5)


def test_nothing_is_near_when_there_is_nothing(opener: Opener) -> None:
    vectors = opener()
    assert vectors.nearest("a") == {}
    vectors.put({})
    vectors.put({"one": "a"})
    assert vectors.nearest("zzz") == {}
    assert vectors.nearest("a", 0) == {}


def test_put_replaces_and_remove_forgets(opener: Opener) -> None:
    vectors = opener()
    vectors.put({"one": "a", "two": "b"})
    vectors.put({"one": "c"})
    assert vectors.nearest("c", 1) == pytest.approx({"one": 1.0}, abs=1e-5)
    vectors.remove(["one", "never there"])
    vectors.remove([])
    assert vectors.ids() == {"two"}
    assert vectors.count() == 1


def test_more_than_one_batch(opener: Opener) -> None:
    vectors = opener()
    vectors.put({str(i): "a" * (i % 7 + 1) + "b" * (i % 5) for i in range(600)})
    assert vectors.count() == 600
    assert vectors.ids() == {str(i) for i in range(600)}


def test_vectors_of_another_model_never_meet(opener: Opener) -> None:
    first = opener()
    first.put({"one": "a"})
    first.close()
    second = opener(OtherLetters())
    assert second.ids() == set()
    second.close()
    assert opener().ids() == {"one"}


def test_what_was_put_is_there_when_opened_again(opener: Opener) -> None:
    first = opener()
    first.put({"one": "a"})
    first.close()
    assert opener().ids() == {"one"}


def test_a_second_user_of_the_folder_is_told_so(tmp_path: Path) -> None:
    first = ChromaVectors(tmp_path / "chroma", Letters(), kind="code")
    with pytest.raises(SearchError, match="another process"):
        ChromaVectors(tmp_path / "chroma", Letters(), kind="code")
    first.close()
    ChromaVectors(tmp_path / "chroma", Letters(), kind="code").close()


def test_a_damaged_folder_is_made_again_and_said_so(tmp_path: Path) -> None:
    (tmp_path / "chroma").mkdir()
    (tmp_path / "chroma/chroma.sqlite3").write_bytes(b"this is no database" * 500)
    vectors = ChromaVectors(tmp_path / "chroma", Letters(), kind="code")
    assert vectors.notices
    vectors.put({"one": "a"})
    assert vectors.ids() == {"one"}
    vectors.close()


@pytest.mark.parametrize(
    "damage", ["UPDATE migrations SET hash = 'of another version'", "DROP TABLE collections", "DROP TABLE embeddings"]
)
def test_a_folder_of_another_version_is_made_again_and_said_so(tmp_path: Path, damage: str) -> None:
    first = ChromaVectors(tmp_path / "chroma", Letters(), kind="code")
    first.put({"one": "a"})
    first.close()
    with closing(sqlite3.connect(tmp_path / "chroma/chroma.sqlite3")) as database, database:
        database.execute(damage)
    second = ChromaVectors(tmp_path / "chroma", Letters(), kind="code")
    assert second.notices
    second.put({"two": "a"})
    assert second.ids() == {"two"}
    second.close()


def test_files_that_vanish_are_an_error_and_new_when_opened_again(tmp_path: Path) -> None:
    first = ChromaVectors(tmp_path / "chroma", Letters(), kind="code")
    first.put({"one": "a"})
    shutil.rmtree(tmp_path / "chroma")
    with pytest.raises(SearchError, match="Chroma cannot write"):
        first.put({"two": "b"})
    first.close()
    second = ChromaVectors(tmp_path / "chroma", Letters(), kind="code")
    second.put({"two": "b"})
    assert second.ids() == {"two"}
    second.close()


def test_vectors_of_other_models_are_forgotten_when_asked_and_other_kinds_kept(opener: Opener) -> None:
    for kind in ("shoes", "hats"):
        first = opener(kind=kind)
        first.put({kind: "a"})
        first.close()
    other = opener(OtherLetters(), kind="shoes")
    other.put({"three": "a"})
    assert other.forget_other_models() == 1
    assert other.forget_other_models() == 0
    assert other.ids() == {"three"}
    other.close()
    hats = opener(kind="hats")
    assert hats.ids() == {"hats"}
    hats.close()
    assert opener(kind="shoes").ids() == set()


def test_a_folder_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Exception, match="file"):
        ChromaVectors(tmp_path / "file" / "chroma", Letters(), kind="code")


def test_a_server_that_does_not_answer_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SearchError, match=r"127\.0\.0\.1:9"):
        ChromaVectors(tmp_path, Letters(), kind="code", server="http://127.0.0.1:9")
    with pytest.raises(ConfigError, match="chroma server"):
        ChromaVectors(tmp_path, Letters(), kind="code", server="localhost")
