"""Findings as sentences, in English and Chinese; the sentences stand in phrases.tsv."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Literal

from ...state.report import Finding, Kind, Severity

Language = Literal["en", "zh"]
Pair = tuple[str, str]
"""English, Chinese."""


@cache
def table(name: str) -> Mapping[str, Pair]:
    """Return one table of phrases.tsv: title, says, action, reason, severity, repository, fact or rule."""
    tables: dict[str, dict[str, Pair]] = defaultdict(dict)
    text = (files("maintainer.tools.quality") / "phrases.tsv").read_text("utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            of, key, english, chinese = line.split("\t")
            tables[of][key] = english, chinese
    return MappingProxyType(tables[name])


def title(finding: Finding, language: Language = "en") -> str:
    """Return the name of a finding's kind."""
    return kind_title(finding.kind, language)


def kind_title(kind: Kind, language: Language = "en") -> str:
    """Return the name of a kind of finding."""
    return table("title")[kind][language == "zh"]


def says(finding: Finding, language: Language = "en") -> str:
    """Return what was found, as one sentence without its place; a rule of the linter in our words."""
    if finding.rule in table("rule"):
        return table("rule")[finding.rule][language == "zh"]
    return _filled(table("says")[finding.kind][language == "zh"], finding, language)


def action(finding: Finding, language: Language = "en") -> str:
    """Return what to do about a finding."""
    return _filled(table("action")[finding.kind][language == "zh"], finding, language)


def reason(finding: Finding, language: Language = "en") -> str:
    """Return why a finding has its severity."""
    return table("reason")[finding.why][language == "zh"]


def severity(level: Severity, language: Language = "en") -> str:
    """Return the word for a severity."""
    return table("severity")[level][language == "zh"]


def repository_kind(kind: str, language: Language = "en") -> str:
    """Return the word for a kind of repository."""
    return table("repository")[kind][language == "zh"]


def line(finding: Finding, language: Language = "en") -> str:
    """Return a finding as one line: severity, place, title, what was found."""
    parts = f"[{severity(finding.severity, language)}] {finding.place} {title(finding, language)}"
    return f"{parts}:{says(finding, language)}" if language == "zh" else f"{parts}: {says(finding, language)}"


def _filled(template: str, finding: Finding, language: Language) -> str:
    facts = {"symbol": finding.symbol, "rule": finding.rule, **finding.facts}
    plain = {name: ", ".join(value) if isinstance(value, list) else str(value) for name, value in facts.items()}
    if language == "zh":
        plain = {name: table("fact").get(value, (value, value))[1] for name, value in plain.items()}
    return template.format_map(_Known(plain))


class _Known(dict[str, str]):
    """Names without a fact stay empty: a sentence with a gap is better than none."""

    def __missing__(self, key: str) -> str:
        return ""
