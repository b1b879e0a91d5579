"""A sub-agent's answer made into a report, and a report into the text its parent reads."""

import re
from collections.abc import Sequence

from ..state.delegation import AgentReport, Finding
from ..state.session import Citation, Exchange
from .citations import place_of
from .tokens import TokenCounter

MOST_TOKENS = 2000
"""Of a report as text: what a parent's window can bear."""
_ITEM = re.compile(r"^\s*(?:[-*•]|\d+[.)、])\s+")
_OPEN_HEADING = re.compile(
    r"^\W*(?:open|remaining|unanswered) (?:questions|points)|^\W*(?:未决|待解决|遗留|开放)(?:的)?问题", re.IGNORECASE
)
_HEADING = re.compile(r"^\s*(?:#{1,6}\s|\*\*[^*]+\*\*:?\s*$|[^:。.]{1,60}[::]\s*$)")


def findings_in(answer: str, citations: Sequence[Citation]) -> tuple[list[Finding], list[str]]:
    """Return what an answer found and what it left open.

    Each item of a list and each paragraph is a finding; its sources are the citations in it that hold. What stands
    under a heading such as "Open questions" (未决问题) is left open.
    """
    places = [place_of(each) for each in citations if each.valid]
    findings: list[Finding] = []
    questions: list[str] = []
    is_open = False
    for part in _parts(answer):
        if _OPEN_HEADING.match(part):
            is_open = True
            part = part.split(":", 1)[1].strip() if ":" in part else ""
        elif _HEADING.match(part):
            is_open = False
            continue
        if not part or part.startswith(">"):
            continue
        if is_open:
            questions.append(part)
        else:
            findings.append(Finding(claim=part, sources=[place for place in places if _names(part, place)]))
    return findings, questions


def as_text(report: AgentReport, counter: TokenCounter, most: int = MOST_TOKENS) -> str:
    """Return a report as its parent reads it, in at most `most` tokens; findings with sources go last to be cut."""
    ranked = sorted(range(len(report.findings)), key=lambda place: not report.findings[place].sources)
    kept = len(ranked)
    questions = report.open_questions
    while True:
        chosen = [report.findings[place] for place in sorted(ranked[:kept])]
        text = _text(report, chosen, questions)
        if counter.count(text) <= most:
            return text
        if kept > 1:
            kept -= max(1, kept // 8)
        elif questions:
            questions = questions[: len(questions) // 2]
        else:
            return counter.head(text, most)


def trace_of(task: str, exchanges: Sequence[Exchange], answer: str) -> str:
    """Return everything a sub-agent did, step by step, for whoever opens its trace."""
    steps = [
        f"[step {each.step}] {each.call.name} {each.call.arguments}{' (failed)' if each.failed else ''}"
        f"{f' full text: {each.handle}' if each.handle else ''}\n{each.result}"
        for each in exchanges
    ]
    return "\n\n".join([f"[task]\n{task}", *steps, f"[answer]\n{answer}"])


def _text(report: AgentReport, findings: Sequence[Finding], questions: Sequence[str]) -> str:
    used = report.usage.input_tokens + report.usage.output_tokens
    lines = [f"[{report.kind}: {report.status}, {used} tokens, trace {report.trace or 'none'}]"]
    if report.problem:
        lines.append(f"Problem: {report.problem}")
    for number, finding in enumerate(findings, start=1):
        unnamed = [place for place in finding.sources if place not in finding.claim]
        lines.append(f"{number}. {finding.claim}" + (f" ({'; '.join(unnamed)})" if unnamed else ""))
    if left_out := len(report.findings) - len(findings):
        lines.append(f"({left_out} more findings are in the trace.)")
    if questions:
        lines.append("Open questions:")
        lines += [f"- {question}" for question in questions]
    return "\n".join(lines)


def _parts(answer: str) -> list[str]:
    """Return the items and paragraphs of an answer, each in one piece."""
    parts: list[str] = []
    fresh = True
    for line in answer.splitlines():
        if not line.strip():
            fresh = True
        elif fresh or _ITEM.match(line) or _HEADING.match(line) or _HEADING.match(parts[-1]):
            parts.append(_ITEM.sub("", line).strip())
            fresh = False
        else:
            parts[-1] += f"\n{line.rstrip()}"
    return parts


def _names(part: str, place: str) -> bool:
    path, _, lines = place.rpartition(":")
    return path in part and lines.split("-")[0] in part
