"""An answer becomes findings with sources; a report never floods its parent."""

import pytest
from maintainer.state.delegation import AgentReport, Finding
from maintainer.state.session import Citation, Exchange, ToolCall, Usage
from maintainer.tools.agent_reports import MOST_TOKENS, as_text, findings_in, trace_of
from maintainer.tools.tokens import open_counter

COUNTER = open_counter()
ANSWER = """\
## Findings
- Prices are floats (`shop/pricing.py:12`)
  and are rounded twice.
- Discounts apply before tax, shop/tax.py:3-9.

Nobody tests either.

> Citations that could not be verified:
> - nowhere.py:1: no such file

Open questions:
- Who owns tax rates?
1. Is rounding meant?
"""
GOOD = [Citation(path="shop/pricing.py", line=12, end=12), Citation(path="shop/tax.py", line=3, end=9)]


def test_items_and_paragraphs_are_findings_with_the_sources_that_hold() -> None:
    findings, questions = findings_in(ANSWER, [*GOOD, Citation(path="nowhere.py", line=1, valid=False)])
    assert [(finding.claim.split()[0], finding.sources) for finding in findings] == [
        ("Prices", ["shop/pricing.py:12"]),
        ("Discounts", ["shop/tax.py:3-9"]),
        ("Nobody", []),
    ]
    assert findings[0].claim.endswith("rounded twice.")
    assert questions == ["Who owns tax rates?", "Is rounding meant?"]


def test_chinese_answers_are_read_the_same_way() -> None:
    findings, questions = findings_in("1. 价格用浮点数 shop/pricing.py:12\n\n未决问题:\n- 谁负责税率?", GOOD)
    assert [finding.sources for finding in findings] == [["shop/pricing.py:12"]]
    assert questions == ["谁负责税率?"]


@pytest.mark.parametrize("answer", ["", "\n\n", "# Only a heading"])
def test_an_answer_without_content_has_no_findings(answer: str) -> None:
    assert findings_in(answer, []) == ([], [])


def test_a_report_says_how_it_went_and_where_its_trace_is() -> None:
    usage = Usage(input_tokens=900, output_tokens=100)
    report = AgentReport(
        kind="explorer",
        task="t",
        status="partial",
        problem="stopped",
        findings=[Finding(claim="Prices are floats", sources=["a.py:1"])],
        open_questions=["Why?"],
        usage=usage,
        trace="abc",
    )
    assert as_text(report, COUNTER).splitlines() == [
        "[explorer: partial, 1000 tokens, trace abc]",
        "Problem: stopped",
        "1. Prices are floats (a.py:1)",
        "Open questions:",
        "- Why?",
    ]


def test_a_flood_of_findings_is_cut_to_the_limit_and_those_with_sources_stay() -> None:
    findings = [Finding(claim=f"claim {number} " + "word " * 40) for number in range(200)]
    findings.append(Finding(claim="the one with a source", sources=["a.py:1"]))
    report = AgentReport(kind="k", task="t", status="done", findings=findings, open_questions=["why? " * 50] * 20)
    text = as_text(report, COUNTER)
    assert 1_000 <= COUNTER.count(text) <= MOST_TOKENS
    assert "the one with a source (a.py:1)" in text
    assert "more findings are in the trace" in text


def test_one_endless_finding_is_cut_too() -> None:
    report = AgentReport(kind="k", task="t", status="done", findings=[Finding(claim="中文" * 50_000)])
    assert COUNTER.count(as_text(report, COUNTER)) <= MOST_TOKENS


def test_a_trace_holds_the_task_every_step_and_the_answer() -> None:
    exchange = Exchange(call=ToolCall(id="c", name="terminal", arguments={"command": "ls"}), result="a.py", step=2)
    trace = trace_of("look", [exchange], "found")
    assert trace == "[task]\nlook\n\n[step 2] terminal {'command': 'ls'}\na.py\n\n[answer]\nfound"
