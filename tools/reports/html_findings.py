"""The part of the page about the code: findings, where they are, how their number went."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from ...state.report import SEVERITIES, Finding, Report, Severity
from ...state.session import Language
from ...state.session_report import SessionReport
from ..quality import words
from .drawing import bars, legend, lines, tiles
from .markup import fold, path, safe, section
from .texts import text

MOST_FINDINGS, MOST_FOLDERS, MOST_TILES, MOST_PLACES = 200, 12, 40, 5
_WEIGHT = MappingProxyType({"critical": 8, "high": 5, "medium": 2, "low": 1, "info": 0})
"""How much a finding darkens its folder."""
_FOLDED = frozenset({"low", "info"})
"""Severities that are shown on demand, as long as there is something worse."""


def counts(quality: Report) -> dict[Severity, int]:
    """Return how many findings there are of each severity, worst first."""
    return {level: sum(finding.severity == level for finding in quality.findings) for level in SEVERITIES}


def severities(language: Language) -> dict[str, str]:
    """Return the words for severities, worst first; the names are classes of the page."""
    return {level: words.severity(level, language) for level in SEVERITIES}


def findings(report: SessionReport) -> Iterator[str]:
    """Yield what was found, where it is, and the trend."""
    quality, language = report.quality, report.language
    if quality is not None:
        yield section("findings", text("findings", language), _about(quality, language), *_groups(quality, language))
        yield _folders(quality, language)
    if len(report.trend) > 1:
        points = [(point.at[:10], point.counts) for point in report.trend]
        chart = lines(points, severities(language), title=text("trend", language))
        yield section("trend", text("trend", language), chart, legend(severities(language)))


def _about(quality: Report, language: Language) -> str:
    told = f"{text('analyzed', language)}: {quality.files:,} {text('files', language)}, "
    told += f"{quality.lines:,} {text('lines', language)}"
    told += f" ({words.repository_kind(quality.repository_kind, language)})" if quality.repository_kind else ""
    if quality.new or quality.fixed:
        told += f"; {len(quality.new)} {text('new', language)}, {len(quality.fixed)} {text('fixed', language)}"
    if quality.suppressed:
        told += f"; {quality.suppressed} {text('suppressed', language)}"
    return f'<p class="soft">{safe(told)}</p>'


def _groups(quality: Report, language: Language) -> Iterator[str]:
    """Yield the findings of each severity; the lesser ones folded."""
    shown = quality.findings[:MOST_FINDINGS]
    if not shown:
        yield f"<p>{text('none', language)}</p>"
    has_worse = any(finding.severity not in _FOLDED for finding in shown)
    for level in SEVERITIES:
        members = [finding for finding in shown if finding.severity == level]
        if not members:
            continue
        items = "".join(_item(finding, finding.fingerprint in quality.new, language) for finding in members)
        listed = f'<ol class="findings">{items}</ol>'
        head = (
            f'<i class="{level}"></i>{safe(words.severity(level, language))} <span class="soft">{len(members)}</span>'
        )
        yield fold(head, listed, kind="group") if level in _FOLDED and has_worse else f"<h3>{head}</h3>{listed}"
    if more := len(quality.findings) - len(shown):
        yield f'<p class="soft">… {more} {text("more", language)}</p>'


def _item(finding: Finding, is_new: bool, language: Language) -> str:
    mark = f' <span class="mark">{text("new", language)}</span>' if is_new else ""
    colon = ":" if language == "zh" else ": "
    what = f"<b>{safe(words.title(finding, language))}</b>{colon}{safe(words.says(finding, language))}{mark}"
    more = len(finding.others) - MOST_PLACES + 1
    places = " ".join(path(place) for place in (finding.place, *finding.others[: MOST_PLACES - 1]))
    places += f' <span class="soft">+{more}</span>' if more > 0 else ""
    sure = f"{text('confidence', language)} {finding.confidence:.0%}"
    evidence = f"<pre>{safe(finding.evidence)}</pre>" if finding.evidence else ""
    reason = f"<p>{safe(words.reason(finding, language))} ({sure})</p>{evidence}"
    why = fold(text("why", language), reason)
    return (
        f'<li class="{finding.severity}"><p>{what}</p><p class="place">{places}</p>'
        f'<p class="do">{safe(words.action(finding, language))}</p>{why}</li>'
    )


def _folders(quality: Report, language: Language) -> str:
    """Return bars of findings by folder, and the map of folders."""
    found, weight = _by_folder(quality.findings)
    if not found:
        return ""
    worst = sorted(found, key=lambda folder: (-weight[folder], folder))[:MOST_FOLDERS]
    most = max(sum(found[folder].values()) for folder in worst)
    rows = [(folder, found[folder], str(sum(found[folder].values()))) for folder in worst]
    title = text("by_folder", language)
    parts = [bars(rows, severities(language), most=most, title=title), legend(severities(language))]
    sizes = {folder: size for folder, size in quality.folders.items() if size}
    if sizes:
        largest = sorted(sizes, key=lambda folder: -sizes[folder])[:MOST_TILES]
        heaviest = max(weight.values()) or 1
        boxes = [(folder, sizes[folder], (weight.get(folder, 0) / heaviest) ** 0.5) for folder in largest]
        caption = text("map", language)
        parts.append(f"<figure>{tiles(boxes, title=caption)}<figcaption>{caption}</figcaption></figure>")
    return section("folders", title, *parts)


def _by_folder(found: Sequence[Finding]) -> tuple[Mapping[str, dict[str, int]], Mapping[str, int]]:
    """Return, by folder, findings by severity and how much they weigh together."""
    counted: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(SEVERITIES, 0))
    weight: dict[str, int] = defaultdict(int)
    for finding in found:
        folder = finding.place.path.rpartition("/")[0] or "."
        counted[folder][finding.severity] += 1
        weight[folder] += _WEIGHT[finding.severity]
    return counted, weight
