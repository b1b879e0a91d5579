"""Findings as SARIF 2.1.0, which code review sites and editors show beside the lines."""

from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType
from typing import Any
from urllib.parse import quote

from ...state.report import Finding, Kind, Place, Report, Severity
from ...state.session import Language
from ..quality import words

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVEL: Mapping[Severity, str] = MappingProxyType(
    {"critical": "error", "high": "error", "medium": "warning", "low": "note", "info": "note"}
)
_SCORE: Mapping[Severity, str] = MappingProxyType(
    {"critical": "9.5", "high": "8.0", "medium": "5.5", "low": "3.0", "info": "1.0"}
)
"""GitHub's `security-severity`, the middle of each of its ranges."""


def as_sarif(report: Report, language: Language = "en") -> dict[str, Any]:
    """Return the findings as one SARIF run; `baselineState` tells which are new."""
    kinds: list[Kind] = sorted({finding.kind for finding in report.findings})
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "maintainer",
                        "version": _version(),
                        "rules": [_rule(k, language) for k in kinds],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(finding, kinds, report, language) for finding in report.findings],
            }
        ],
    }


def _version() -> str:
    try:
        return version("maintainer")
    except PackageNotFoundError:
        return "0"


def _rule(kind: Kind, language: Language) -> dict[str, Any]:
    return {"id": kind, "shortDescription": {"text": words.kind_title(kind, language)}}


def _result(finding: Finding, kinds: Sequence[str], report: Report, language: Language) -> dict[str, Any]:
    text = f"{words.title(finding, language)}: {words.says(finding, language)}. {words.action(finding, language)}"
    result: dict[str, Any] = {
        "ruleId": finding.kind,
        "ruleIndex": kinds.index(finding.kind),
        "level": _LEVEL[finding.severity],
        "message": {"text": text},
        "locations": [_location(finding.place)],
        "partialFingerprints": {"maintainer/v1": finding.fingerprint},
        "baselineState": "new" if finding.fingerprint in report.new else "unchanged",
        "properties": {
            "severity": finding.severity,
            "security-severity": _SCORE[finding.severity],
            "confidence": finding.confidence,
        },
    }
    if finding.others:
        result["relatedLocations"] = [_location(place) for place in finding.others]
    return result


def _location(place: Place) -> dict[str, Any]:
    path = quote(place.path.encode("utf-8", "surrogateescape"))
    region = {"startLine": max(1, place.line), "endLine": max(1, place.end or place.line)}
    return {"physicalLocation": {"artifactLocation": {"uri": path, "uriBaseId": "%SRCROOT%"}, "region": region}}
