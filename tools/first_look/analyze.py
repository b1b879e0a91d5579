"""Analyze: the ranked findings first."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ...state.modes import MODES
from ...state.packet import ContextPacket, Need
from ...state.report import SEVERITIES, Finding, Kind, Report
from ...state.session import Failure, Language
from ..clock import Clock
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


def focused(findings: Sequence[Finding], request: str) -> list[Finding]:
    """Return the findings with those first that a request asks for: by kind, by file or by name of a function."""
    said = request.lower()
    kinds = {kind for pattern, named in _ASKED.items() if re.search(pattern, said) for kind in named}

    def asked(finding: Finding) -> int:
        path = finding.place.path.lower()
        stem = path.rpartition("/")[2].partition(".")[0]
        named = (
            path in said
            or path.rpartition("/")[2] in said
            or (len(stem) > 3 and re.search(rf"\b{re.escape(stem)}\b", said))
        )
        symbol = finding.symbol.lower().rpartition(".")[2]
        return -(finding.kind in kinds) - bool(named) - bool(len(symbol) > 3 and symbol in said)

    return sorted(findings, key=asked)


_ASKED: Mapping[str, tuple[Kind, ...]] = MappingProxyType(
    {
        r"\bsecur|vulnerab|inject|unsafe|安全|漏洞|注入": ("security", "secret"),
        r"\bsecrets?\b|credential|passwords?\b|api keys?|密钥|密码|泄露": ("secret",),
        r"\bcomplex|\blong(?:est)? func|too big|复杂|过长": ("complex_function", "many_parameters", "large_file"),
        r"duplicat|copy|copies|重复|复制": ("duplicate_code",),
        r"\bdead\b|unused|死代码|没用|未使用|废弃": ("dead_code", "unused_dependency"),
        r"untested|missing tests?|without tests?|coverage|no tests|测试": ("missing_tests",),
        r"circular|cycl|layer|循环|分层|依赖关系": ("import_cycle", "layering"),
        r"todo|fixme|待办": ("todo",),
        r"hot ?spots?|churn|热点|经常改": ("hot_spot", "bus_factor"),
        r"\bslow|performance|n\+1|quer|性能|查询|慢": ("query_in_loop",),
        r"dependenc|requirement|package|依赖包|依赖项|第三方": ("undeclared_dependency", "unused_dependency"),
        r"readme|documentation|\bdocs?\b|stale|outdated|文档|过时": ("stale_docs",),
        r"\bbugs?\b|lint|错误|缺陷": ("lint", "syntax_error"),
    }
)
"""Words of a request, and the kinds of findings they ask for."""


def _summary(report: Report, language: Language) -> ContextPacket:
    counts = {level: sum(finding.severity == level for finding in report.findings) for level in SEVERITIES}
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
