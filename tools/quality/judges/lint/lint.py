"""What ruff finds: probable bugs and security, nothing of style."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from .....state.report import Finding, Place
from ...facts.file import FileFacts
from ...known.paths import NEAR_DATABASE
from ...known.project import Project
from ...reading.ruff_rules import BUGS, DESCRIBED, LEFT, SECURITY
from .context import matters
from .fixed_texts import is_fixed
from .slips import PASSED_OVER, SWALLOWED

_IN_TESTS = frozenset({"B015", "F631", "F632", "F811", "F821", "PLR0133", "PLW0129"})
"""Rules that matter in tests: one that is redefined does not test, nor does one that asserts what is always true."""
_NEAR = 2
_HIDES = "A001"
_RAW = frozenset({"S610", "S611", "S704"})
"""Raw SQL in Django, and text that is HTML already: a library builds them for its callers."""
_STATEMENT = re.compile(
    r"(?:[\"'(]|^)\s*(?:select\b[\s\S]+\bfrom|insert\s+into|replace\s+into|update\b[\s\S]+\bset|delete\s+from"
    r"|with\b[\s\S]+\bselect|(?:create|drop|alter)\s+(?:table|view|index))\b",
    re.IGNORECASE | re.MULTILINE,
)
"""A string that begins as SQL does."""
_BEFORE_VALUE = r"(?:=|<|>|\blike|\bvalues\s*\(|\blimit|\boffset|\bbetween)\s*[\"']*"
_BRACES = re.compile(rf"{_BEFORE_VALUE}\{{|'%?\{{", re.IGNORECASE)
_PERCENT = re.compile(rf"{_BEFORE_VALUE}(?<!%)%(?!%)[sdr(]|'%s'", re.IGNORECASE)
_PLUS = re.compile(rf"{_BEFORE_VALUE}\s*\+", re.IGNORECASE)
_IS_PERCENT = re.compile(r"[\"']\s*%\s")


def _holds_value(text: str) -> bool:
    """Return whether a value, not a name, is put into a text of SQL: after a comparison, or between quotes.

    `%s` is filled in only by the operator `%`; elsewhere it is the driver's own mark for a parameter.
    """
    return bool(_BRACES.search(text) or _PLUS.search(text) or (_IS_PERCENT.search(text) and _PERCENT.search(text)))


def lint(project: Project) -> Iterator[Finding]:
    """Yield what the linter says of source files, and a few rules of tests."""
    for path, items in project.lint.items():
        facts = project.files.get(path)
        if facts is None or facts.role not in ("source", "test"):
            continue
        told: set[tuple[str, int]] = set()
        hidden: set[str] = set()
        for item in items:
            rule, line = str(item["rule"]), int(item["line"])
            near = [("swallowed", line + off) for off in range(-_NEAR, _NEAR + 1)] if rule in SWALLOWED else []
            if rule == _HIDES:  # one variable is told once, however often it is set
                if (name := str(item["message"])) in hidden:
                    continue
                hidden.add(name)
            if (rule, line) in told or told.intersection(near) or not _counts(project, facts, item):
                continue
            if rule in DESCRIBED:
                yield from _described(project, facts, item)
                continue
            told |= {(rule, line), *([("swallowed", line)] if near else [])}
            yield from _sql(project, facts, item) if rule == "S608" else [_weighed(project, facts, item)]


def _described(project: Project, facts: FileFacts, item: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield a parameter that a function's own documentation explains and that the function does not take."""
    line = int(item["line"])
    name = str(item["message"]).partition("`")[2].partition("`")[0]
    text = "\n".join(project.text_of(facts.path).split("\n")[line - 1 : int(item["end"])])
    if facts.role == "source" and not name.startswith("*") and name.isidentifier() and name in text:
        yield Finding(
            kind="stale_docs",
            rule=str(item["rule"]),
            place=Place(path=facts.path, line=line),
            severity="low",
            why="stale_path",
            confidence=0.7,
            facts={"claim": name, "reason": "no such parameter"},
            evidence=project.evidence(facts.path, line),
        )


def _counts(project: Project, facts: FileFacts, item: Mapping[str, Any]) -> bool:
    """Return whether what a rule found is worth telling here."""
    rule = str(item["rule"])
    return rule in _IN_TESTS if facts.role == "test" or rule in LEFT else matters(project, facts, item)


def _sql(project: Project, facts: FileFacts, item: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield the finding where the text is SQL at all; names of tables cannot be parameters, so they weigh less."""
    line, end = int(item["line"]), int(item["end"])
    whole = project.text_of(facts.path)
    text = "\n".join(whole.split("\n")[line - 1 : max(end, line) + 1])
    if _STATEMENT.search(text) and not is_fixed(whole, line, end, _STATEMENT):
        finding = _finding(project, facts, item)
        builds = project.kind == "library" and NEAR_DATABASE.search(facts.path)  # putting SQL together is its work
        if builds or not _holds_value(text):
            yield replace(finding, severity="low", why="security_hint", confidence=0.5)
        else:  # a library builds queries from its callers' names; an application, from what its users type
            yield replace(finding, severity="medium", confidence=0.55) if project.kind == "library" else finding


def _weighed(project: Project, facts: FileFacts, item: Mapping[str, Any]) -> Finding:
    """Return the finding; raw texts, and trying without a need to succeed, weigh less in a library."""
    finding = _finding(project, facts, item)
    if item["rule"] in PASSED_OVER and project.kind == "library":
        return replace(finding, severity="info", confidence=0.6)
    if item["rule"] in _RAW and project.kind == "library":
        return replace(finding, severity="low", why="security_hint", confidence=0.5)
    return finding


def _finding(project: Project, facts: FileFacts, item: Mapping[str, Any]) -> Finding:
    rule, line = str(item["rule"]), int(item["line"])
    place = Place(path=facts.path, line=line, end=int(item["end"]))
    evidence = project.evidence(facts.path, line, place.end)
    told = {"message": str(item["message"]).replace("`", "")}
    if rule in SECURITY:
        level, confidence, why = SECURITY[rule]
        return Finding(
            kind="security",
            rule=rule,
            place=place,
            severity=level,
            why=why,
            confidence=confidence,
            facts=told,
            evidence=evidence,
        )
    level, confidence = BUGS.get(rule) or BUGS[rule[:3]]
    return Finding(
        kind="lint",
        rule=rule,
        place=place,
        severity=level,
        why="swallowed" if rule in SWALLOWED else "style" if level == "info" else "bug",
        confidence=confidence,
        facts=told,
        evidence=evidence,
    )


def syntax_errors(project: Project) -> Iterator[Finding]:
    """Yield the source files that cannot be parsed; broken files of tests are often broken on purpose."""
    for facts in project.of_role("source"):
        if facts.problem:
            yield Finding(
                kind="syntax_error",
                place=Place(path=facts.path, line=facts.problem_line),
                severity="high",
                why="broken",
                confidence=0.9,
                facts={"message": facts.problem},
                evidence=project.evidence(facts.path, facts.problem_line),
            )
