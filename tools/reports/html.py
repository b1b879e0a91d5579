"""The report as one HTML page: no script, nothing loaded from anywhere, good on paper, on a phone and in the dark."""

from collections.abc import Iterator
from importlib.resources import files

from ...state.session_report import SessionReport
from ..quality import words
from .html_findings import counts, findings
from .html_session import session
from .markup import path, safe, section
from .texts import statistic, text

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""What the page may load: nothing; its own style stands in it."""
_PARTS = ("findings", "folders", "trend", "plan", "notes", "context", "timeline", "problems")


def as_html(report: SessionReport) -> str:
    """Return the report as a page, in its language; every text from outside is escaped."""
    language = report.language
    style = (files("maintainer.tools.reports") / "page.css").read_text("utf-8")
    parts = [*findings(report), *session(report)]
    if report.problems:
        listed = "".join(f"<li>{safe(problem)}</li>" for problem in report.problems)
        parts.append(section("problems", text("problems", language), f"<ul>{listed}</ul>"))
    body = "\n".join([_head(report), _summary(report), _contents(report, parts), *filter(None, parts)])
    return (
        f'<!doctype html>\n<html lang="{"zh-Hans" if language == "zh" else "en"}">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{safe(_name(report))}: {safe(text('title', language))}</title>\n"
        f"<style>\n{style}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _name(report: SessionReport) -> str:
    return report.repository.rstrip("/").rpartition("/")[2] or report.repository


def _head(report: SessionReport) -> str:
    language = report.language
    facts = {
        "session": report.session,
        "commit": f"{report.head[:10]} {report.branch}".strip(),
        "made": f"{report.made_at[:16].replace('T', ' ')} UTC",
    }
    spans = (f"<span>{text(key, language)} {safe(value)}</span>" for key, value in facts.items() if value)
    return (
        f'<header>\n<p class="kicker">{safe(text("title", language))}</p>\n<h1>{safe(_name(report))}</h1>\n'
        f'<p class="meta">{path(report.repository)} {" ".join(spans)}</p>\n</header>'
    )


def _summary(report: SessionReport) -> str:
    """Return what a reader in a hurry has to know."""
    lines = [*_found(report), *_planned(report), _spent(report)]
    told = "".join(f"<p>{line}</p>" for line in lines)
    return f'<div class="summary">{told}{_strip(report)}</div>'


def _found(report: SessionReport) -> Iterator[str]:
    quality, language = report.quality, report.language
    if quality is None:
        yield safe(text("no_analysis", language))
        return
    if not quality.findings:
        yield safe(text("nothing_found", language).format(files=f"{quality.files:,}"))
    else:
        key = "found_one" if len(quality.findings) == 1 else "found"
        told = text(key, language).format(count=f"{len(quality.findings):,}", files=f"{quality.files:,}")
        comma = "、" if language == "zh" else ", "
        levels = comma.join(f"{words.severity(level, language)} {n}" for level, n in counts(quality).items() if n)
        since = ""
        if quality.new or quality.fixed:
            since = " " + text("since", language).format(new=len(quality.new), fixed=len(quality.fixed))
        stop = "。" if language == "zh" else "."
        yield f"<b>{safe(told)}</b>{':' if language == 'zh' else ': '}{safe(levels)}{stop}{safe(since)}"
        worst = quality.findings[0]
        yield f"{safe(text('look_first', language))} {path(worst.place)} — {safe(words.says(worst, language))}{stop}"


def _planned(report: SessionReport) -> Iterator[str]:
    if not report.plan:
        return
    language = report.language
    done = sum(step.status in ("resolved", "archived") for step in report.plan)
    told = text("plan_stands", language).format(done=done, total=len(report.plan))
    doing = next((step for step in report.plan if step.status == "in_progress"), None)
    following = doing or next((step for step in report.plan if step.ready), None)
    if following is not None:
        lead = text("go_on" if doing else "start_with", language)
        told += f";{lead}:{following.title}" if language == "zh" else f"; {lead}: {following.title}"
    yield safe(told) + ("。" if language == "zh" else ".")


def _spent(report: SessionReport) -> str:
    """Return the line of tokens and cost."""
    language, usage = report.language, report.usage
    if not usage.get("model_calls"):
        return f'<span class="soft">{safe(text("no_model", language))}</span>'
    told = text("called", language).format(
        calls=usage["model_calls"],
        input=f"{usage.get('input_tokens', 0):,}",
        cached=f"{usage.get('cached_tokens', 0):,}",
        output=f"{usage.get('output_tokens', 0):,}",
    )
    price = f"${report.cost:.4f}" if report.cost is not None else text("unpriced", language)
    return f'<span class="soft">{safe(told)}{";" if language == "zh" else "; "}{safe(price)}</span>'


def _strip(report: SessionReport) -> str:
    """Return the numbers the tools have counted, in one quiet row."""
    items = "".join(
        f"<li><b>{count:,}</b> {safe(statistic(name, report.language))}</li>"
        for name, count in report.statistics.items()
        if count and not (name == "issues_found" and report.quality)  # said above
    )
    return f'<ul class="numbers">{items}</ul>' if items else ""


def _contents(report: SessionReport, parts: list[str]) -> str:
    """Return links to the parts there are."""
    page = "".join(parts)
    names = [name for name in _PARTS if f'<section id="{name}">' in page]
    links = " ".join(f'<a href="#{name}">{safe(text(name, report.language))}</a>' for name in names)
    return f'<nav aria-label="{safe(text("contents", report.language))}">{links}</nav>' if len(names) > 1 else ""
