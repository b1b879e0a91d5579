"""The report as Markdown: for a pull request, a wiki, or a terminal."""

from collections.abc import Iterator, Mapping, Sequence

from ...state.report import SEVERITIES, Report, Severity
from ...state.session import Language
from ...state.session_report import SessionReport
from ..quality import words
from .texts import statistic, text

MOST_FINDINGS, MOST_POINTS = 100, 20


def as_markdown(report: SessionReport) -> str:
    """Return the report as Markdown, in its language."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: SessionReport) -> Iterator[str]:
    language = report.language
    yield f"# {text('title', language)}"
    yield ""
    yield f"- {text('repository', language)}: `{_plain(report.repository)}`"
    if report.session:
        yield f"- {text('session', language)}: {_plain(report.session)}"
    if report.head:
        yield f"- {text('commit', language)}: `{report.head[:10]}` {_plain(report.branch)}"
    yield f"- {text('made', language)}: {report.made_at}"
    if report.statistics:
        yield f"- {text('statistics', language)}: " + _counted(report.statistics, language)
    if any(report.usage.values()):
        cost = "" if report.cost is None else f", {text('cost', language)} ${report.cost:.4f}"
        yield f"- {text('usage', language)}: " + _counted(report.usage, language) + cost
    yield from _findings(report.quality, report)
    if len(report.trend) > 1:
        shown: list[Severity] = [
            level for level in SEVERITIES if any(point.counts.get(level) for point in report.trend)
        ]
        yield from _table(
            text("trend", language),
            (text("made", language), text("session", language), *(words.severity(each, language) for each in shown)),
            [
                (point.at[:10], point.session, *(str(point.counts.get(each, 0)) for each in shown))
                for point in report.trend[-MOST_POINTS:]
            ],
        )
    yield from _plan(report)
    yield from _table(
        text("notes", language),
        ("id", text("what", language), "type", "status"),
        [(note.id, note.title, note.type, note.status) for note in report.notes],
    )
    yield from _table(
        text("timeline", language),
        (
            text("turn", language),
            text("mode", language),
            text("request", language),
            text("tokens", language),
            text("receipt", language),
        ),
        [
            (
                str(turn.number),
                turn.mode,
                turn.request,
                f"{turn.tokens} {text('of', language)} {turn.budget}",
                turn.receipt,
            )
            for turn in report.turns
        ],
    )
    if report.problems:
        yield from (
            "",
            f"## {text('problems', language)}",
            "",
            *(f"- {_plain(problem)}" for problem in report.problems),
        )


def _counted(counts: Mapping[str, int], language: Language) -> str:
    return ", ".join(f"{statistic(name, language)} {count}" for name, count in counts.items())


def _findings(quality: Report | None, report: SessionReport) -> Iterator[str]:
    language = report.language
    yield from ("", f"## {text('findings', language)}", "")
    if quality is None:
        yield text("no_analysis", language)
        return
    counts: dict[Severity, int] = {
        level: sum(finding.severity == level for finding in quality.findings) for level in SEVERITIES
    }
    told = ", ".join(f"{words.severity(level, language)} {count}" for level, count in counts.items() if count)
    size = f"{quality.files} {text('files', language)}, {quality.lines} {text('lines', language)}"
    yield f"{told or text('none', language)} ({size})"
    if quality.new or quality.fixed:
        yield f"{len(quality.new)} {text('new', language)}, {len(quality.fixed)} {text('fixed', language)}"
    if quality.suppressed:
        yield f"{quality.suppressed} {text('suppressed', language)}"
    rows = [
        (
            words.severity(finding.severity, language)
            + (f" {text('new', language)}" if finding.fingerprint in quality.new else ""),
            f"`{finding.place}`",
            f"{words.title(finding, language)}: {words.says(finding, language)}",
            words.action(finding, language),
        )
        for finding in quality.findings[:MOST_FINDINGS]
    ]
    heads = tuple(text(key, language) for key in ("severity", "where", "what", "do"))
    yield from _rows(heads, rows)
    if len(quality.findings) > MOST_FINDINGS:
        yield f"… {len(quality.findings) - MOST_FINDINGS} {text('more', language)}"


def _plan(report: SessionReport) -> Iterator[str]:
    if not report.plan:
        return
    language = report.language
    yield from ("", f"## {text('plan', language)}", "")
    number = {step.id: place for place, step in enumerate(report.plan, 1)}
    for step in report.plan:
        done = "x" if step.status in ("resolved", "superseded", "archived") else " "
        after = ", ".join(str(number[each]) for each in step.depends_on if each in number)
        tail = f" ({text('after', language)} {after})" if after else ""
        tail += f", {_plain(step.estimate)}" if step.estimate else ""
        tail += f" **{text('ready', language)}**" if step.ready else ""
        yield f"{number[step.id]}. [{done}] {_plain(step.title)}{tail}"


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if rows:
        yield from ("", f"## {title}")
        yield from _rows(heads, rows)


def _rows(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if not rows:
        return
    yield ""
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join(map(_plain, row))} |"


def _plain(cell: str) -> str:
    """Return a cell that stays in its place: what people and repositories wrote may hold anything."""
    return " ".join(cell.replace("|", "\\|").replace("<", "&lt;").split())
