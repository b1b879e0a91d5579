"""What ruff finds: probable bugs and security, nothing of style."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from ....state.report import Finding, Place
from ..facts import FileFacts
from ..project import Project
from ..ruff import BUGS, LEFT, SECURITY
from .queries import NEAR_DATABASE

_IN_TESTS = frozenset({"F811", "F821"})
"""Rules that matter in tests: a test that is redefined does not test."""
_SWALLOWED = ("E722", "S110", "S112")
"""Three views of one thing: a handler that lets errors disappear; the first that speaks is told."""
_NEAR = 2
_PASSED_OVER = ("S110", "S112")
_WEAK_HASH = "S324"
_WEAK_RANDOM = "S311"
_GUESSED = re.compile(
    r"passw|token|secret|\botp|_otp|nonce|salt|session_?id|reset|invit|voucher|_code\b|api_?key", re.IGNORECASE
)
"""What must not be guessed; elsewhere chance is for tests, games and waiting times."""
_RUNS_TEXT = ("S102", "S307")
"""Run with `compile`, they are how a file of settings or a start-up script is run on purpose."""
_IS_A_SHELL = re.compile(r"shell|console|repl\b|interpret|interactive|debugger|sandbox", re.IGNORECASE)
"""What runs text because that is its purpose, by the name of its file."""
_IS_NAMED = re.compile(r"md5|sha_?1", re.IGNORECASE)
"""A definition named after its algorithm implements it knowingly, for what was made with it long ago."""
_RAW_IN_DJANGO = "S611"
_PROTECTS = re.compile(r"passw|token|secret|signature|credential|auth|session|api_?key", re.IGNORECASE)
"""What a weak hash matters for; elsewhere it names and compares."""
_UNDONE = re.compile(r"TODO|FIXME|XXX|HACK|noqa")
_SAFE = "seems safe"
"""What ruff says of a shell that gets a constant command."""
_OTHER_SCRIPTS = "PLE2502"
"""Marks of writing direction: a trick in code, everyday spelling in translations."""
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
        for item in items:
            rule, line = str(item["rule"]), int(item["line"])
            near = [("swallowed", line + off) for off in range(-_NEAR, _NEAR + 1)] if rule in _SWALLOWED else []
            if (rule, line) in told or told.intersection(near) or not _counts(project, facts, item):
                continue
            told |= {(rule, line), *([("swallowed", line)] if near else [])}
            yield from _sql(project, facts, item) if rule == "S608" else [_weighed(project, facts, item)]


def _counts(project: Project, facts: FileFacts, item: Mapping[str, Any]) -> bool:
    """Return whether what a rule found is worth telling here."""
    rule, line, end = str(item["rule"]), int(item["line"]), int(item["end"])
    if facts.role == "test" or rule in LEFT:
        return rule in _IN_TESTS
    if rule in _PASSED_OVER:
        return not _is_explained(project, facts, item)
    if rule == _WEAK_HASH:
        named = facts.python.defined if facts.python else ()
        knowingly = any(
            _IS_NAMED.search(f"{each.owner}.{each.name}") for each in named if each.line <= line <= each.end
        )
        return not knowingly and bool(_PROTECTS.search(_around(project, facts, item)))
    if rule == _WEAK_RANDOM:
        return bool(_GUESSED.search(_around(project, facts, item)))
    if rule in _RUNS_TEXT:
        purpose = _IS_A_SHELL.search(facts.path.rpartition("/")[2])
        return not purpose and "compile(" not in project.evidence(facts.path, line, end)
    if rule == _OTHER_SCRIPTS:
        return "locale" not in facts.path
    return _SAFE not in str(item["message"])


def _around(project: Project, facts: FileFacts, item: Mapping[str, Any]) -> str:
    """Return the function a line is in, without its documentation, or the line itself outside of functions."""
    line = int(item["line"])
    inside = [each for each in facts.functions if each.line <= line <= each.end]
    innermost = max(inside, key=lambda each: each.line, default=None)
    lines = project.text_of(facts.path).split("\n")
    return "\n".join(lines[innermost.line - 1 : innermost.end] if innermost else lines[line - 1 : line])


def _is_explained(project: Project, facts: FileFacts, item: Mapping[str, Any]) -> bool:
    """Return whether a comment in the handler says why the error is passed over, other than that it should not be.

    When an object is thrown away there is nobody left to tell.
    """
    if "def __del__" in _around(project, facts, item):
        return True
    lines = project.text_of(facts.path).split("\n")[int(item["line"]) - 1 : int(item["end"])]
    return any("#" in line and not _UNDONE.search(line) for line in lines)


def _sql(project: Project, facts: FileFacts, item: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield the finding where the text is SQL at all; names of tables cannot be parameters, so they weigh less."""
    line, end = int(item["line"]), int(item["end"])
    text = "\n".join(project.text_of(facts.path).split("\n")[line - 1 : max(end, line) + 1])
    if _STATEMENT.search(text):
        finding = _finding(project, facts, item)
        builds = project.kind == "library" and NEAR_DATABASE.search(facts.path)  # putting SQL together is its work
        if builds or not _holds_value(text):
            yield replace(finding, severity="low", why="security_hint", confidence=0.5)
        else:  # a library builds queries from its callers' names; an application, from what its users type
            yield replace(finding, severity="medium", confidence=0.55) if project.kind == "library" else finding


def _weighed(project: Project, facts: FileFacts, item: Mapping[str, Any]) -> Finding:
    """Return the finding; raw SQL, and trying without a need to succeed, weigh less in a library."""
    finding = _finding(project, facts, item)
    if item["rule"] in _PASSED_OVER and project.kind == "library":
        return replace(finding, severity="info", confidence=0.6)
    if item["rule"] == _RAW_IN_DJANGO and project.kind == "library":
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
    level, confidence = BUGS.get(rule) or BUGS["PLE"]
    return Finding(
        kind="lint",
        rule=rule,
        place=place,
        severity=level,
        why="swallowed" if rule in _SWALLOWED else "style" if level == "info" else "bug",
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
