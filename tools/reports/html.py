"""The report as one HTML page: no script, nothing loaded from anywhere, good on paper and on a phone."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from importlib.resources import files
from types import MappingProxyType

from ...state.report import SEVERITIES, Finding, Report
from ...state.session_report import SessionReport
from ..quality import words
from .drawing import PALETTE, bars, legend, lines, tiles
from .texts import statistic, text

MOST_FINDINGS = 200
MOST_TILES = 40
SEVERITY_COLOURS: Mapping[str, str] = MappingProxyType(
    {"critical": "#8f2a1c", "high": "#c9502c", "medium": "#b87314", "low": "#5a7a93", "info": "#7c7a74"}
)
_WEIGHT = MappingProxyType({"critical": 8, "high": 5, "medium": 2, "low": 1, "info": 0})
"""How much a finding darkens its folder."""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What the page may load: nothing; its own style stands in it."""


def as_html(report: SessionReport) -> str:
    """Return the report as a page, in its language; every text from outside is escaped."""
    language = report.language
    style = (files(__package__) / "page.css").read_text("utf-8")
    title = f"{text('title', language)}: {report.repository.rstrip('/').rpartition('/')[2]}"
    body = "\n".join(part for part in _parts(report) if part)
    return (
        f'<!doctype html>\n<html lang="{"zh-Hans" if language == "zh" else "en"}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_safe(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _parts(report: SessionReport) -> Iterator[str]:
    language = report.language
    yield f"<h1>{_safe(text('title', language))}</h1>"
    yield _meta(report)
    yield _numbers(report)
    if report.quality is not None:
        yield _folders(report.quality, report)
    if len(report.trend) > 1:
        points = [(point.at[:10], point.counts) for point in report.trend]
        chart = lines(points, SEVERITY_COLOURS, title=text("trend", language))
        yield _section(text("trend", language), chart, legend(_in_words(report)))
    yield _context(report)
    if report.quality is not None:
        yield _quality(report.quality, report)
    yield _plan(report)
    yield _notes(report)
    yield _timeline(report)
    if report.problems:
        yield _section(text("problems", language), _list(map(_safe, report.problems)))


def _meta(report: SessionReport) -> str:
    language = report.language
    facts = {
        "repository": report.repository,
        "session": report.session,
        "commit": f"{report.head[:10]} {report.branch}".strip(),
        "made": report.made_at,
    }
    spans = (
        f"<span>{text(key, language)}: <code>{_safe(value)}</code></span>" for key, value in facts.items() if value
    )
    return f'<p class="meta">{" ".join(spans)}</p>'


def _numbers(report: SessionReport) -> str:
    shown: dict[str, object] = {}
    if report.quality is not None:
        for level in SEVERITIES:
            shown[words.severity(level, report.language)] = sum(f.severity == level for f in report.quality.findings)
    counted = {**report.statistics, **report.usage}
    shown.update({statistic(name, report.language): count for name, count in counted.items() if count})
    if report.cost is not None:
        shown[text("cost", report.language)] = f"${report.cost:.4f}"
    items = (f"<li><b>{_safe(value)}</b>{_safe(name)}</li>" for name, value in shown.items())
    return f'<ul class="numbers">{"".join(items)}</ul>'


def _quality(quality: Report, report: SessionReport) -> str:
    language = report.language
    told = f"{text('analyzed', language)}: {quality.files} {text('files', language)}, "
    told += f"{quality.lines} {text('lines', language)}"
    told += f" ({words.repository_kind(quality.repository_kind, language)})" if quality.repository_kind else ""
    if quality.new or quality.fixed:
        told += f"; {len(quality.new)} {text('new', language)}, {len(quality.fixed)} {text('fixed', language)}"
    if quality.suppressed:
        told += f"; {quality.suppressed} {text('suppressed', language)}"
    rows = "".join(
        _row(finding, finding.fingerprint in quality.new, report) for finding in quality.findings[:MOST_FINDINGS]
    )
    heads = "".join(f"<th>{text(key, language)}</th>" for key in ("severity", "where", "what", "do"))
    more = len(quality.findings) - MOST_FINDINGS
    tail = f"<p>… {more} {text('more', language)}</p>" if more > 0 else ""
    table = (
        f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>{tail}" if rows else text("none", language)
    )
    return _section(text("findings", language), f"<p>{_safe(told)}</p>", table)


def _row(finding: Finding, is_new: bool, report: SessionReport) -> str:
    language = report.language
    mark = f' <span class="new">{text("new", language)}</span>' if is_new else ""
    level = f'<span class="sev {finding.severity}">{words.severity(finding.severity, language)}</span>{mark}'
    what = f"<b>{_safe(words.title(finding, language))}</b> {_safe(words.says(finding, language))}"
    sure = f"{text('confidence', language)} {finding.confidence:.0%}"
    evidence = f"<pre>{_safe(finding.evidence)}</pre>" if finding.evidence else ""
    reason = f"{_safe(words.reason(finding, language))} ({sure})"
    why = f"<details><summary>{text('why', language)}</summary>{reason}{evidence}</details>"
    places = "<br>".join(_safe(place).replace("/", "/<wbr>") for place in (finding.place, *finding.others[:4]))
    return (
        f'<tr><td>{level}</td><td class="place">{places}</td>'
        f"<td>{what}{why}</td><td>{_safe(words.action(finding, language))}</td></tr>"
    )


def _folders(quality: Report, report: SessionReport) -> str:
    """Return bars of findings by folder, and the map of folders."""
    counts: dict[str, dict[str, int]] = defaultdict(lambda: dict.fromkeys(SEVERITIES, 0))
    weight: dict[str, int] = defaultdict(int)
    for finding in quality.findings:
        folder = finding.place.path.rpartition("/")[0] or "."
        counts[folder][finding.severity] += 1
        weight[folder] += _WEIGHT[finding.severity]
    if not counts:
        return ""
    worst = sorted(counts, key=lambda folder: (-weight[folder], folder))[:12]
    most = max(sum(counts[folder].values()) for folder in worst)
    chart = bars([(folder[-14:], counts[folder]) for folder in worst], SEVERITY_COLOURS, most=most, title="")
    parts = [chart, legend(_in_words(report))]
    sizes = {folder: size for folder, size in quality.folders.items() if size}
    if sizes:
        largest = sorted(sizes, key=lambda folder: -sizes[folder])[:MOST_TILES]
        heaviest = max(weight.values()) or 1
        boxes = [(folder, sizes[folder], (weight.get(folder, 0) / heaviest) ** 0.5) for folder in largest]
        caption = text("map", report.language)
        parts += [f'<p class="soft">{caption}</p>', tiles(boxes, title=caption)]
    return _section(text("by_folder", report.language), *parts)


def _context(report: SessionReport) -> str:
    turns = [turn for turn in report.turns if turn.sections]
    if not turns:
        return ""
    names = dict.fromkeys(name for turn in turns for name in turn.sections)
    colours = dict(zip(names, (PALETTE * 3)[: len(names)], strict=True))
    most = max(max(turn.budget, turn.tokens) for turn in turns)
    title = text("context", report.language)
    chart = bars(
        [(f"{turn.number} {turn.mode}", turn.sections) for turn in turns[-30:]], colours, most=most, title=title
    )
    budget = f'<p class="soft">{text("of", report.language)} {most} {text("tokens", report.language)}</p>'
    return _section(title, chart, legend(colours), budget)


def _plan(report: SessionReport) -> str:
    if not report.plan:
        return ""
    language = report.language
    number = {step.id: place for place, step in enumerate(report.plan, 1)}
    rows = []
    for step in report.plan:
        done = step.status in ("resolved", "superseded", "archived")
        after = ", ".join(str(number[each]) for each in step.depends_on if each in number)
        tail = f' <span class="soft">({text("after", language)} {after})</span>' if after else ""
        tail += f' <span class="new">{text("ready", language)}</span>' if step.ready else ""
        rows.append(f"<li>{'☑' if done else '☐'} {_safe(step.title)}{tail}</li>")
    return _section(text("plan", language), f"<ol>{''.join(rows)}</ol>")


def _notes(report: SessionReport) -> str:
    if not report.notes:
        return ""
    rows = "".join(
        f"<tr><td>{_safe(note.type)}</td><td>{_safe(note.title)}</td><td>{_safe(note.status)}</td>"
        f"<td><code>{_safe(note.id)}</code></td></tr>"
        for note in report.notes
    )
    return _section(text("notes", report.language), f"<table><tbody>{rows}</tbody></table>")


def _timeline(report: SessionReport) -> str:
    if not report.turns:
        return ""
    language = report.language
    heads = "".join(f"<th>{text(key, language)}</th>" for key in ("turn", "mode", "request", "answer", "receipt"))
    rows = "".join(
        f'<tr id="turn-{turn.number}"><td>{turn.number}<br><span class="soft">{_safe(turn.at[:16])}</span></td>'
        f"<td>{_safe(turn.mode)}</td><td>{_safe(turn.request)}</td><td>{_safe(turn.answer)}</td>"
        f"<td><code>{_safe(turn.receipt)}</code></td></tr>"
        for turn in report.turns
    )
    return _section(text("timeline", language), f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>")


def _section(title: str, *parts: str) -> str:
    return f"<section>\n<h2>{_safe(title)}</h2>\n{''.join(parts)}\n</section>"


def _list(items: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"


def _in_words(report: SessionReport) -> dict[str, str]:
    return {words.severity(level, report.language): SEVERITY_COLOURS[level] for level in SEVERITIES}


def _safe(value: object) -> str:
    """Return text that can only be text on the page, and that UTF-8 can hold."""
    return escape(str(value).encode("utf-8", "replace").decode("utf-8"))
