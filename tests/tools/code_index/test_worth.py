"""Questions that nothing in a repository answers."""

from collections.abc import Iterator

import pytest
from maintainer.state.packet import Need
from maintainer.tools import RAGTool
from maintainer.tools.code_index.question import understand
from maintainer.tools.code_index.worth import SILENCE, fits
from maintainer.tools.rag import CodeSource

WORDS = ("session", "cookie", "signature", "package", "config", "today", "tell", "best", "login", "page")


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RAGTool]:
    """A repository large enough that the silence on a word says something."""
    root = tmp_path_factory.mktemp("shop")
    for number in range(SILENCE // 2 + 10):
        first, second = WORDS[number % 10], WORDS[(number * 3 + 1) % 10]
        text = "".join(
            f'def {first}_{second}_{number}_{i}(value):\n    """Load the {first} of the {second}."""\n'
            f"    return value + {number}\n\n\n"
            for i in range(3)
        )
        (root / f"{first}_{number}.py").write_text(text)
    with RAGTool(root, home=tmp_path_factory.mktemp("home"), embedder="none") as tool:
        tool.refresh()
        yield tool


@pytest.mark.parametrize(
    "question",
    [
        "how do I bake bread",
        "What is the capital of France?",
        "best pasta recipe with tomatoes",
        "How is the weather today?",
        "tell me a joke",
        "怎么烤面包",
        "今天天气怎么样",
        "讲个笑话",
        "一根香蕉有多少卡路里",
    ],
)
def test_a_question_about_something_else_finds_nothing_and_is_told_so(shop: RAGTool, question: str) -> None:
    assert shop.search(question, min_score=0.0) == []
    assert shop.ask(question).text in ("Nothing in the index answers this.", "没有找到相关内容。")
    assert CodeSource(shop).packets(Need(question)) == []


@pytest.mark.parametrize(
    "question", ["where is the session cookie loaded?", "会话 cookie 在哪里加载", "login page", "session_3.py"]
)
def test_a_question_about_the_repository_is_answered(shop: RAGTool, question: str) -> None:
    assert shop.search(question)


@pytest.mark.parametrize(
    ("question", "known", "expected"),
    [
        ("retry uploads to kafka", {"retry": 9, "upload": 9}, True),
        ("bake fresh bread", {"fresh": 9}, False),
        ("src/bread.py fails", {}, True),  # whoever names a path means this repository
        ("烤面包", {"面包": 3}, True),  # a repository that holds the Chinese words
        ("烤面包机", {}, False),
    ],
)
def test_more_than_half_of_the_words_must_stand_somewhere(question: str, known: dict[str, int], expected: bool) -> None:
    terms = understand(question).terms
    frequency = {term: known[word] for term in terms for word in known if term.startswith(word[:4])}
    assert fits(understand(question), frequency, 1000) is expected


def test_in_a_small_repository_silence_on_a_word_says_nothing() -> None:
    assert fits(understand("bake fresh bread"), {"fresh": 1}, SILENCE - 1)
    assert not fits(understand("bake fresh bread"), {"fresh": 1}, SILENCE)
