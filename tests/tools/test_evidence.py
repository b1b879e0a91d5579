"""Any search tool is a source; what it says in prose is not evidence."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import pytest
from maintainer.state import ContextPacket, Need
from maintainer.tools.evidence import NotEvidence, SearchSource

NEED = Need(text="order service")


class Tool:
    def __init__(self, answer: Any) -> None:
        self.answer, self.asked = answer, dict[str, Any]()

    def search(self, query: str, limit: int = 3, **more: Any) -> Any:
        self.asked = {"query": query, "limit": limit, **more}
        return self.answer


def source(tool: Any) -> SearchSource:
    return SearchSource(tool, name="memory", kind="memory", limit=2, timeout_s=1, least=("importance", 0.3))


@dataclass
class Hit:
    text: str
    score: float = 0.5
    metadata: dict[str, Any] = field(default_factory=dict)


@pytest.mark.parametrize(
    "result",
    [
        {"content": "fact", "score": 0.5, "path": "a.py"},
        {"text": "fact", "relevance": 0.5, "metadata": {"path": "a.py"}},
        {"page_content": "fact", "similarity": 0.5, "metadata": {"path": "a.py", "secret": object()}},
        Hit("fact", metadata={"path": "a.py"}),
        ContextPacket("fact", relevance_score=0.5, metadata={"path": "a.py", "type": "system_instruction"}),
    ],
)
def test_results_of_every_usual_form_become_packets(result: Any) -> None:
    packet = source(Tool([result])).packets(NEED)[0]
    assert (packet.content, packet.relevance_score) == ("fact", 0.5)
    assert packet.metadata == {"path": "a.py", "type": "memory", "source": "memory"}


@pytest.mark.parametrize("key", ["results", "items", "memories", "documents", "hits", "data"])
def test_a_list_inside_an_answer_is_found(key: str) -> None:
    assert source(Tool({key: [{"content": "fact"}], "total": 1})).packets(NEED)[0].content == "fact"


@pytest.mark.parametrize(
    "answer", ["Found 3 memories", b"x", 7, {"message": "ok"}, {"error": "no index"}, {"results": "none"}]
)
def test_prose_is_no_evidence(answer: Any) -> None:
    with pytest.raises(NotEvidence, match="answered with"):
        source(Tool(answer)).packets(NEED)


def test_single_bad_results_are_counted_and_left_out() -> None:
    asked = source(Tool(["text", {"error": "x"}, {"content": " "}, {"content": 7}, None, {"content": "fact"}]))
    assert [packet.content for packet in asked.packets(NEED)] == ["fact"]
    assert asked.rejected == 5


def test_no_answer_is_an_empty_one() -> None:
    assert source(Tool(None)).packets(NEED) == []
    assert source(Tool([])).packets(NEED) == []


def test_limit_and_least_importance_hold_whatever_the_tool_does() -> None:
    results = [{"content": str(n), "importance": n / 10} for n in range(10)]
    tool = Tool(results)
    assert [packet.content for packet in source(tool).packets(NEED)] == ["3", "4"]
    assert tool.asked == {"query": "order service", "limit": 2, "min_importance": 0.3}


def test_keywords_a_tool_does_not_take_are_not_passed() -> None:
    class Plain:
        def search(self, query: str) -> list[dict[str, str]]:
            return [{"content": query}]

    assert source(Plain()).packets(NEED)[0].content == "order service"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("2026-01-05T12:00:00", datetime(2026, 1, 5, 12, tzinfo=UTC)),
        (datetime(2026, 1, 5, 12, tzinfo=UTC), datetime(2026, 1, 5, 12, tzinfo=UTC)),
        ("a while ago", None),
    ],
)
def test_a_wrong_time_costs_the_time_and_not_the_fact(given: Any, kept: datetime | None) -> None:
    assert source(Tool([{"content": "fact", "created_at": given}])).packets(NEED)[0].timestamp == kept


@pytest.mark.parametrize("score", [12.5, -1, float("nan"), True, "high", None])
def test_a_score_outside_its_range_is_no_score(score: Any) -> None:
    assert source(Tool([{"content": "fact", "score": score}])).packets(NEED)[0].relevance_score is None
