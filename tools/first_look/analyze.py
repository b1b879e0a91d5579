"""Analyze: the ranked findings first."""

from ...state.modes import MODES
from ...state.packet import ContextPacket, Need
from ...state.report import SEVERITIES, Finding, Report
from ...state.session import Failure, Language
from ..quality.engine import Quality
from ..quality.words import action, line, reason, severity
from .look import FirstLook

MOST_FINDINGS = 30
"""Of one look; the rest are counted and stand in the report."""


class AnalyzeLook:
    """Looks for problems in one repository."""

    def __init__(self, quality: Quality) -> None:
        self._quality = quality

    def __call__(self, _need: Need, language: Language) -> FirstLook:
        """Return a summary and the worst findings, each a packet of its own."""
        report = self._quality.analyze()
        packets = [_summary(report, language)]
        packets += [_packet(finding, language) for finding in report.findings[:MOST_FINDINGS]]
        failures = [Failure(where="quality", reason=problem) for problem in report.problems[:5]]
        return FirstLook(packets=packets, stats={"issues_found": len(report.findings)}, failures=failures)


def _summary(report: Report, language: Language) -> ContextPacket:
    counts = {level: sum(finding.severity == level for finding in report.findings) for level in SEVERITIES}
    told = ", ".join(f"{severity(level, language)} {count}" for level, count in counts.items() if count)
    if language == "zh":
        text = (
            f"分析了 {report.files} 个文件、{report.lines} 行代码({report.repository_kind}):{told or '没有发现问题'}。"
        )
    else:
        text = (
            f"{report.files} files, {report.lines} lines of code ({report.repository_kind}): {told or 'no findings'}."
        )
    return ContextPacket(
        content=text,
        relevance_score=MODES["analyze"].relevance,
        metadata={"type": "quality", "source": "probe", "what": "summary"},
    )


def _packet(finding: Finding, language: Language) -> ContextPacket:
    """Return a finding as evidence: what, where, why it matters, what to do, the lines themselves."""
    parts = [line(finding, language), f"{reason(finding, language)}. {action(finding, language)}"]
    if finding.evidence:
        parts.append("\n".join(f"    {row}" for row in finding.evidence.splitlines()))
    end = finding.place.end or finding.place.line
    return ContextPacket(
        content="\n".join(parts),
        relevance_score=MODES["analyze"].relevance,
        metadata={
            "type": "quality",
            "source": "probe",
            "what": "finding",
            "path": finding.place.path,
            "lines": f"{finding.place.line}-{end}",
            "kind": finding.kind,
            "severity": finding.severity,
            "fingerprint": finding.fingerprint,
            "title": line(finding, language),
            "action": action(finding, language),
        },
    )
