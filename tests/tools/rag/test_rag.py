"""The RAG tool: added documents, search, answers, upkeep in the background, packets for the context."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest
from maintainer.state.errors import ConfigError, RepositoryError, SearchError
from maintainer.state.packet import Need
from maintainer.tools import RAGTool
from maintainer.tools.rag import CodeSource
from maintainer.tools.rag.background import Background
from maintainer.tools.tokens import open_counter

Open = Callable[..., RAGTool]

FILES = {
    "shop/cart.py": 'class Cart:\n    """The shopping cart."""\n\n    def total(self):\n        return sum(self.x)\n',
    "shop/mail.py": 'PASSWORD = "hunter2-very-secret-Zk81xQ"\n\n\ndef send_confirmation(order):\n    """Mail."""\n',
    "README.md": "# Shop\n\nHow to open a shop.\n",
}


class Letters:
    """Texts by how often they hold each letter; counts its calls."""

    name = "letters"
    dimension = 26

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts: Sequence[str]) -> "np.ndarray":
        self.texts += texts
        vectors = np.array([[text.lower().count(chr(97 + i)) for i in range(26)] for text in texts], dtype="f4")
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.where(lengths > 0, lengths, 1.0)


class Broken(Letters):
    def embed(self, texts: Sequence[str]) -> "np.ndarray":
        raise SearchError("the model is gone")


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    for path, text in FILES.items():
        (tmp_path / "repo" / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "repo" / path).write_text(text)
    return tmp_path / "repo"


@pytest.fixture
def open_rag(repo: Path, tmp_path: Path) -> Iterator[Open]:
    opened: list[RAGTool] = []

    def make(**options: object) -> RAGTool:
        opened.append(RAGTool(repo, home=tmp_path / "home", **{"embedder": "none", **options}))
        return opened[-1]

    yield make
    for tool in opened:
        tool.close()


def test_finds_lines_of_the_repository_at_once(open_rag: Open) -> None:
    (first, *_) = open_rag().search("shopping cart total")
    assert first.path == "shop/cart.py"
    assert first.place == "shop/cart.py:1-5"
    assert "def total" in first.text
    assert first.namespace == "code"
    assert 0.3 <= first.score <= 1.0


def test_the_default_home_is_inside_the_repository_and_not_indexed(repo: Path) -> None:
    with RAGTool(repo, embedder="none") as tool:
        tool.refresh()
        assert (repo / ".maintainer/index/index.sqlite").exists()
        assert tool.stats()["files"] == 3


def test_documents_are_added_found_and_cleared(open_rag: Open, tmp_path: Path) -> None:
    tool = open_rag()
    (tmp_path / "runbook.txt").write_text("Restart the billing daemon at night.\n")
    name = tool.add(path=tmp_path / "runbook.txt", namespace="ops")
    assert name.startswith("ops/runbook-")
    assert tool.add("Restart the billing daemon at night.\n", "runbook", namespace="ops") == name
    (found, *_) = tool.search("billing daemon")
    assert (found.namespace, found.lines) == ("ops", "1-1")
    assert tool.search("billing daemon", namespace="code") == []
    assert [p.namespace for p in tool.search("restart shop cart", namespace="ops", min_score=0)] == ["ops"]
    assert tool.clear("ops", confirm=True) == 1
    assert tool.search("billing daemon") == []


def test_documents_outlive_the_process(open_rag: Open) -> None:
    first = open_rag()
    first.add("The billing daemon restarts at night.", "ops")
    first.close()
    assert [p.namespace for p in open_rag().search("billing daemon")] == ["docs"]


@pytest.mark.parametrize(
    ("values", "word"),
    [
        ({"text": "x", "namespace": "../up"}, "namespace"),
        ({"text": "x", "namespace": "code"}, "namespace"),
        ({"text": "  "}, "text"),
        ({"path": "/nowhere/at/all"}, "nowhere"),
        ({"path": "/bin/sh"}, "/bin/sh"),
    ],
)
def test_what_cannot_be_added_is_an_error(open_rag: Open, values: dict[str, str], word: str) -> None:
    tool = open_rag()
    with pytest.raises((ConfigError, SearchError), match=word):
        tool.add(**values)
    assert tool.stats()["documents"] in ({}, {"docs": 0})


def test_clearing_needs_a_yes_and_a_name_that_exists(open_rag: Open) -> None:
    tool = open_rag()
    tool.add("text", "title")
    with pytest.raises(ConfigError, match="confirm"):
        tool.clear("docs")
    with pytest.raises(SearchError, match="docs"):
        tool.clear("other", confirm=True)
    assert tool.stats()["documents"] == {"docs": 1}


def test_the_cleared_repository_is_indexed_again_when_asked(open_rag: Open) -> None:
    tool = open_rag()
    tool.refresh()
    assert tool.clear("code", confirm=True) == 3
    assert tool.stats()["files"] == 0
    assert tool.search("shopping cart total")[0].path == "shop/cart.py"


@pytest.mark.parametrize(
    ("options", "field"), [({"limit": 0}, "limit"), ({"limit": 51}, "limit"), ({"min_score": 2.0}, "min_score")]
)
def test_wrong_values_name_their_field(open_rag: Open, options: dict[str, float], field: str) -> None:
    with pytest.raises(ConfigError, match=field):
        open_rag().search("cart", **options)


def test_a_repository_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RepositoryError):
        RAGTool(tmp_path / "nowhere", embedder="none")


def test_an_answer_cites_what_it_shows(open_rag: Open) -> None:
    answer = open_rag().ask("shopping cart total")
    assert (answer.citations[0].path, answer.citations[0].line, answer.citations[0].end) == ("shop/cart.py", 1, 5)
    assert "shop/cart.py:1-5" in answer.text
    assert "def total" in answer.text


def test_no_answer_is_said_in_the_language_of_the_question(open_rag: Open) -> None:
    tool = open_rag()
    assert tool.ask("xylophone quartz").text == "Nothing in the index answers this."
    assert tool.ask("木琴石英").text == "没有找到相关内容。"


def test_one_dictionary_form(open_rag: Open) -> None:
    tool = open_rag()
    assert (
        tool.run({"action": "search", "query": "cart total", "limit": 1})["results"][0]["place"] == "shop/cart.py:1-5"
    )
    assert tool.run({"action": "ask", "question": "cart total"})["citations"][0]["path"] == "shop/cart.py"
    assert tool.run({"action": "add", "text": "t", "title": "x"})["name"].startswith("docs/x-")
    assert tool.run({"action": "stats"})["stats"]["files"] == 3
    assert tool.run({"action": "clear", "namespace": "docs", "confirm": True}) == {"ok": True, "removed": 1}


@pytest.mark.parametrize(
    "request_",
    [
        {},
        {"action": "fly"},
        {"action": "search"},
        {"action": "search", "query": "x", "colour": 1},
        {"action": "clear", "namespace": "docs"},
    ],
)
def test_a_dictionary_that_asks_nothing_sensible_gets_an_error(open_rag: Open, request_: dict[str, object]) -> None:
    answer = open_rag().run(request_)
    assert answer["ok"] is False
    assert answer["error"]


def test_vectors_catch_up_and_only_new_pieces_are_embedded(open_rag: Open, repo: Path) -> None:
    letters = Letters()
    tool = open_rag(embedder=letters)
    tool.refresh(vectors=True)
    assert tool.stats()["vectors"] == {"done": 4, "of": 4}
    assert len(letters.texts) == 4
    (repo / "shop/mail.py").write_text(FILES["shop/mail.py"] + "\n\ndef zebra():\n    pass\n")
    tool.refresh(vectors=True)
    assert tool.stats()["vectors"] == {"done": 5, "of": 5}
    assert len(letters.texts) == 5
    (repo / "README.md").unlink()
    tool.refresh(vectors=True)
    assert tool.stats()["vectors"] == {"done": 4, "of": 4}


def test_an_embedder_that_fails_leaves_the_words_and_says_so(open_rag: Open) -> None:
    tool = open_rag(embedder=Broken())
    tool.refresh(vectors=True)
    assert tool.search("shopping cart total")[0].path == "shop/cart.py"
    assert any("the model is gone" in notice for notice in tool.notices)


def test_vectors_held_by_another_user_leave_the_words_and_it_is_said(open_rag: Open) -> None:
    first, second = open_rag(embedder=Letters()), open_rag(embedder=Letters())
    first.refresh(vectors=True)
    second.refresh(vectors=True)
    assert second.search("shopping cart total")[0].path == "shop/cart.py"
    assert any("another process" in notice for notice in second.notices)
    first.close()
    second.refresh(vectors=True)
    assert second.notices == []


def test_vectors_of_the_embedder_before_go_once_the_new_ones_are_made(open_rag: Open) -> None:
    before, after = Letters(), Letters()
    after.name = "other letters"
    for embedder in (before, after, before):
        tool = open_rag(embedder=embedder)
        tool.refresh(vectors=True)
        assert tool.stats()["vectors"] == {"done": 4, "of": 4}
        tool.close()
    assert len(before.texts) == 8


def test_vectors_lost_on_the_way_are_made_again(open_rag: Open, repo: Path, tmp_path: Path) -> None:
    tool = open_rag(embedder=Letters())
    tool.refresh(vectors=True)
    shutil.rmtree(tmp_path / "home/chroma")
    (repo / "new.py").write_text("def zebra():\n    pass\n")
    tool.refresh(vectors=True)
    assert any("words alone" in notice for notice in tool.notices)
    tool.refresh(vectors=True)
    assert tool.notices == []
    assert tool.stats()["vectors"] == {"done": 5, "of": 5}


@pytest.mark.parametrize("query", ["", " ", "\n"])
def test_an_empty_question_is_an_error(open_rag: Open, query: str) -> None:
    with pytest.raises(ConfigError, match="query"):
        open_rag().search(query)


def test_answers_less_than_half_as_good_as_the_best_are_left_out(open_rag: Open, repo: Path) -> None:
    (repo / "walrus.py").write_text("def feed_the_walrus(fish):\n    return fish\n")
    (repo / "other.py").write_text("def count(fish):\n    return fish\n")
    tool = open_rag()
    passages = tool.search("walrus feed fish", 10, min_score=0.0)
    assert passages[0].path == "walrus.py"
    assert all(each.score >= passages[0].score / 2 for each in passages)
    assert {each.path for each in tool.within("walrus feed fish", 4000)} >= {"walrus.py", "other.py"}


def test_packets_say_where_they_come_from_and_hold_no_secrets(open_rag: Open) -> None:
    source = CodeSource(open_rag())
    packets = source.packets(Need(text="PASSWORD of send_confirmation mail order"))
    (mail,) = [packet for packet in packets if packet.metadata["path"] == "shop/mail.py"]
    assert (source.name, source.timeout_s) == ("rag", 3.0)
    assert mail.type == "code"
    assert mail.metadata["lines"].startswith("1-")
    assert len(mail.metadata["sha256"]) == 64
    assert mail.content.startswith("shop/mail.py:1-")
    assert "hunter2" not in mail.content
    assert mail.relevance_score is not None


def test_packets_of_added_documents_are_knowledge(open_rag: Open) -> None:
    tool = open_rag()
    tool.add("The billing daemon restarts at night.", "ops")
    packets = CodeSource(tool).packets(Need(text="billing daemon"))
    assert [packet.type for packet in packets] == ["rag"]


def test_packets_stay_within_their_tokens(open_rag: Open, repo: Path) -> None:
    for i in range(60):
        (repo / f"m{i}.py").write_text(f"def cart_{i}(order):\n    return order + {i}\n")
    packets = CodeSource(open_rag(), tokens=300).packets(Need(text="cart order"))
    assert packets
    assert open_counter().count("\n".join(packet.content for packet in packets)) <= 300


def test_an_edit_is_found_in_the_next_answer(open_rag: Open, repo: Path) -> None:
    tool = open_rag()
    tool.search("cart")
    (repo / "shop/cart.py").write_text("def zebra():\n    return 1\n")
    assert tool.search("zebra")[0].path == "shop/cart.py"


def test_background_work_survives_failures_and_closes() -> None:
    runs = []

    def work(stop: Callable[[], bool]) -> None:
        runs.append(stop())
        if len(runs) == 1:
            raise RuntimeError("first try")

    background = Background(work, "test")
    background.ask()
    assert background.wait(10)
    assert background.failure == "RuntimeError: first try"
    background.ask()
    assert background.wait(10)
    assert background.failure == ""
    background.close()
    background.ask()
    assert background.wait(0)
    assert len(runs) == 2


def test_what_may_be_missing_while_the_index_catches_up_is_told_and_a_mere_look_is_not(open_rag: Open) -> None:
    told = []
    for tool in (open_rag(), open_rag()):
        refresh, hold = tool.index.refresh, Event()

        def held(*asked: Any, refresh: Any = refresh, hold: Event = hold) -> Any:
            hold.wait(30)
            return refresh(*asked)

        tool.index.refresh = held  # type: ignore[method-assign]
        for _ in range(2):
            tool.catch_up(0)
            told.append(tool.notices)
            hold.set()
            assert tool.catch_up(30)
            assert tool.notices == []
            hold.clear()
        hold.set()
    behind = "the index is still being brought up to date"
    assert told == [[f"{behind}: some files may be missing"], [], [f"{behind}: the newest changes may be missing"], []]


def test_a_device_is_no_document(open_rag: Open) -> None:
    with pytest.raises(SearchError, match="no regular file"):
        open_rag().add(path="/dev/zero")
