"""Bugs and holes found by the shape of the code, each with how bad and how sure it is."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from .....state.report import Finding, Kind, Place, Severity
from ...facts.code import Risk
from ...facts.file import FileFacts
from ...known.paths import SPEAKS, is_product
from ...known.project import Project
from .calls import Calls
from .handed import handed_in
from .inner_addresses import inner_addresses
from .never_raised import never_raised

RISKS: Mapping[str, tuple[Kind, Severity, float, str]] = MappingProxyType(
    {
        "any-origin": ("security", "medium", 0.85, "weak_protection"),
        "asked-again": ("lint", "medium", 0.95, "bug"),
        "branches-alike": ("lint", "low", 0.85, "bug"),
        "callers-changed": ("lint", "low", 0.75, "bug"),
        "certificates-unchecked": ("security", "high", 0.9, "weak_protection"),
        "checked-by-assert": ("lint", "low", 0.7, "bug"),
        "compared-as-objects": ("lint", "medium", 0.9, "bug"),
        "compared-in-time": ("security", "low", 0.8, "weak_protection"),
        "connection-shared": ("lint", "medium", 0.7, "bug"),
        "cut-off": ("lint", "medium", 0.75, "bug"),
        "debugger-left": ("lint", "medium", 0.9, "bug"),
        "decided-in-python": ("lint", "medium", 0.9, "bug"),
        "default-kept": ("lint", "medium", 0.9, "bug"),
        "default-shared": ("lint", "low", 0.75, "bug"),
        "deferred-in-loop": ("lint", "low", 0.75, "bug"),
        "divided-by-nothing": ("lint", "medium", 0.75, "bug"),
        "done-before-known": ("lint", "medium", 0.75, "bug"),
        "endless-pattern": ("security", "low", 0.7, "security_hint"),
        "entities-resolved": ("security", "medium", 0.8, "weak_protection"),
        "equal-to-fraction": ("lint", "low", 0.75, "bug"),
        "equal-to-itself": ("lint", "low", 0.8, "bug"),
        "equal-to-nan": ("lint", "medium", 0.95, "bug"),
        "error-unheard": ("lint", "low", 0.7, "swallowed"),
        "every-column": ("security", "medium", 0.75, "weak_protection"),
        "fast-hash": ("security", "medium", 0.8, "weak_protection"),
        "forgery-allowed": ("security", "low", 0.6, "security_hint"),
        "guessable": ("security", "medium", 0.75, "weak_protection"),
        "inner-address": ("security", "medium", 0.7, "injection"),
        "left-open": ("security", "medium", 0.7, "weak_protection"),
        "listener-kept": ("lint", "low", 0.75, "bug"),
        "loosely-equal": ("lint", "low", 0.75, "bug"),
        "lost-promise": ("lint", "medium", 0.9, "bug"),
        "never-awaited": ("lint", "medium", 0.9, "bug"),
        "never-raised": ("lint", "medium", 0.9, "bug"),
        "no-such-day": ("lint", "medium", 0.8, "bug"),
        "open-cookie": ("security", "low", 0.75, "weak_protection"),
        "open-redirect": ("security", "medium", 0.75, "injection"),
        "opened-each-time": ("lint", "medium", 0.75, "bug"),
        "option-unread": ("lint", "medium", 0.8, "bug"),
        "page-from-text": ("security", "medium", 0.65, "injection"),
        "page-from-user": ("security", "high", 0.75, "injection"),
        "password-in-the-clear": ("security", "high", 0.75, "weak_protection"),
        "path-from-user": ("security", "high", 0.75, "injection"),
        "patterns-shown": ("security", "medium", 0.85, "weak_protection"),
        "personal-in-log": ("security", "medium", 0.7, "weak_protection"),
        "promise-unheard": ("lint", "low", 0.75, "bug"),
        "request-forgery": ("security", "medium", 0.7, "injection"),
        "secret-in-log": ("security", "medium", 0.75, "weak_protection"),
        "set-by-user": ("security", "medium", 0.7, "injection"),
        "set-in-condition": ("lint", "medium", 0.85, "bug"),
        "shared-by-all": ("lint", "medium", 0.85, "bug"),
        "shell-from-text": ("security", "high", 0.75, "injection"),
        "sorted-as-text": ("lint", "medium", 0.9, "bug"),
        "sql-from-text": ("security", "high", 0.75, "injection"),
        "switched-off": ("security", "medium", 0.8, "weak_protection"),
        "text-is-true": ("lint", "medium", 0.85, "bug"),
        "text-run": ("security", "medium", 0.7, "injection"),
        "text-without-f": ("lint", "medium", 0.85, "bug"),
        "token-unverified": ("security", "high", 0.85, "weak_protection"),
        "used-up": ("lint", "medium", 0.85, "bug"),
        "waits-for-ever": ("lint", "low", 0.8, "bug"),
        "weak-hash": ("security", "medium", 0.7, "weak_protection"),
        "without-self": ("lint", "medium", 0.85, "bug"),
    }
)
"""Rule to kind, severity, confidence and the reason for its severity."""
_BY_TRADE = frozenset(
    {
        *("certificates-unchecked", "checked-by-assert", "error-unheard", "path-from-user", "request-forgery"),
        *("waits-for-ever", "connection-shared", "sql-from-text", "switched-off", "every-column", "fast-hash"),
    }
)
"""What a library does for its callers, who know what they hand in."""
_CLEANERS = re.compile(r"(?:bleach|nh3|html_sanitizer|lxml_html_clean|lxml\.html\.clean|markupsafe)\b")
_BY_HAND = re.compile(r"(^|/)scripts/")
_SAYS_WHY = re.compile(
    r"\s*#.*(?:cookie|session|signature|signed|token|hmac|anonym|public|server|machine|device|登录|会话|签名|令牌|公开)",
    re.I,
)
"""A comment on who calls, and why no page of others can."""

_NEAR = 1
"""Lines within which one rule is told once: two switches of one protection."""


def risks(project: Project) -> Iterator[Finding]:
    """Yield the risks of source files; those of a function that is handed something only where a handler does so."""
    handed = handed_in(project)
    for facts in project.of_role("source"):
        code = facts.python or facts.tree
        told: dict[str, int] = {}
        for each in code.risks if code else ():
            if each.rule == "inner-address":  # told once in a project, below
                continue
            outside = not each.given or (facts.path, each.given, each.parameter) in handed
            again = each.line - told.get(each.rule, -_NEAR - 1) <= _NEAR
            by_trade = project.kind == "library" and each.rule in _BY_TRADE
            if outside and not again and not by_trade and not _is_meant(project, facts.path, each):
                told[each.rule] = each.line
                yield _finding(project, facts, each)
    cleans = _cleans(project)
    for facts in project.files.values():
        if facts.risks and is_product(facts.path):
            told_plainly = [each for each in facts.risks if "." in each.what.partition("|")[0] or not cleans]
            yield from (_finding(project, facts, each) for each in told_plainly)
    yield from _never_awaited(project)
    for facts, each in (*never_raised(project), *inner_addresses(project)):
        yield _finding(project, facts, each)


def _cleans(project: Project) -> bool:
    """Return whether some file of a project cleans markup: then a view may have done so with what it hands over."""
    imported = (each.module for facts in project.of_role("source") if facts.python for each in facts.python.imports)
    return any(_CLEANERS.match(module) for module in imported)


def _is_meant(project: Project, path: str, each: Risk) -> bool:
    """Return whether somebody who sits at a terminal is told or waits, or a comment above says why it is so."""
    if each.rule == "secret-in-log" and each.what == "print":
        return bool(SPEAKS.search(path))
    if each.rule == "waits-for-ever":
        return bool(_BY_HAND.search(path))
    if each.rule == "forgery-allowed":
        above = project.text_of(path).split("\n")[max(0, each.line - 3) : each.line - 1]
        return any(_SAYS_WHY.match(line) for line in above)
    return False


def _never_awaited(project: Project) -> Iterator[Finding]:
    """Yield calls of coroutines that nobody awaits: they do nothing."""
    calls = Calls(project)
    made = {(path, name) for path, facts in project.files.items() if facts.python for name in facts.python.coroutines}
    for facts in project.of_role("source") if made else ():
        known = {each.line for each in facts.python.risks if each.rule == "never-awaited"} if facts.python else set()
        for each in facts.python.alone if facts.python else ():
            if each.line in known:
                continue
            meant = calls.named(facts, each.callee)
            if meant and meant <= made:
                yield _finding(project, facts, Risk(each.line, each.line, "never-awaited", each.call))


def _finding(project: Project, facts: FileFacts, each: Risk) -> Finding:
    kind, severity, confidence, why = RISKS[each.rule]
    return Finding(
        kind=kind,
        rule=each.rule,
        place=Place(path=facts.path, line=each.line, end=each.end),
        severity=severity,
        why=why,
        confidence=confidence,
        facts={"message": each.rule, "what": each.what},
        evidence=project.evidence(facts.path, each.line, each.end),
    )
