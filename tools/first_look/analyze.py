"""Analyze: the ranked findings first."""

from ...state.modes import MODES
from ...state.packet import ContextPacket, Need
from ...state.report import SEVERITIES, Finding, Report, Severity
from ...state.session import Failure, Language
from ..clock import Clock
from ..focus import focused
from ..git import Git
from ..quality.engine import Quality
from ..quality.memory import QualityMemory
from ..quality.words import action, line, reason, repository_kind, severity
from .look import FirstLook

MOST_FINDINGS = 30
"""Of one look; the rest are counted and stand in the report."""


class AnalyzeLook:
    """Looks for problems in one repository, and tells which are new since the last session."""

    def __init__(self, quality: Quality, memory: QualityMemory | None, git: Git, clock: Clock) -> None:
        self._quality, self._memory, self._git, self._clock = quality, memory, git, clock

    def __call__(self, need: Need, language: Language) -> FirstLook:
        """Return a summary and the worst findings, each a packet of its own; what the request speaks of goes first."""
        report = self._quality.analyze()
        if self._memory is not None:
            renames = self._git.renames() if self._git.available else {}
            report = self._memory.compare_and_keep(report, need.session, self._clock.now(), renames)
        shown = focused(report.findings, need.text)[:MOST_FINDINGS]
        packets = [
            _summary(report, language),
            *(_packet(finding, finding.fingerprint in report.new, language) for finding in shown),
        ]
        failures = [Failure(where="quality", reason=problem) for problem in report.problems[:5]]
        return FirstLook(packets=packets, stats={"issues_found": len(report.findings)}, failures=failures)


def _summary(report: Report, language: Language) -> ContextPacket:
    counts: dict[Severity, int] = {
        level: sum(finding.severity == level for finding in report.findings) for level in SEVERITIES
    }
    told = ", ".join(f"{severity(level, language)} {count}" for level, count in counts.items() if count)
    kind = repository_kind(report.repository_kind, language)
    if language == "zh":
        text = f"分析了 {report.files} 个文件、{report.lines} 行代码({kind}):{told or '没有发现问题'}。"
        text += (
            f"\n与上次会话相比:新增 {len(report.new)},已修复 {len(report.fixed)}。"
            if report.new or report.fixed
            else ""
        )
        text += f"\n按 suppressions.yaml 略去 {report.suppressed} 项。" if report.suppressed else ""
    else:
        text = f"{report.files} files, {report.lines} lines of code ({kind}): {told or 'no findings'}."
        since = f"\nSince the last session: {len(report.new)} new, {len(report.fixed)} fixed."
        text += since if report.new or report.fixed else ""
        text += f"\n{report.suppressed} left out by suppressions.yaml." if report.suppressed else ""
    return ContextPacket(
        content=text,
        relevance_score=MODES["analyze"].relevance,
        metadata={"type": "quality", "source": "probe", "what": "summary"},
    )


def _packet(finding: Finding, is_new: bool, language: Language) -> ContextPacket:
    """Return a finding as evidence: what, where, why it matters, what to do, the lines themselves."""
    mark = ("新 " if language == "zh" else "NEW ") if is_new else ""
    parts = [mark + line(finding, language), f"{reason(finding, language)}. {action(finding, language)}"]
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
            "new": is_new,
            "title": mark + line(finding, language),
            "action": action(finding, language),
        },
    )
