"""`maintainer check`: the quality gate for continuous integration."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .options import Home, Json, Repo, console, print_json

if TYPE_CHECKING:
    from ...state.report import Finding, Report, Severity
    from ...state.session import Language

FAILED = 2
"""Exit code when findings are at or above the limit; 1 means that the check itself could not be made."""
STOPPED = 130
"""Exit code after Ctrl-C, as of every program that a signal ended."""
BASELINE = "baseline.json"

FailOn = Annotated[
    str,
    typer.Option(
        "--fail-on",
        help="critical, high, medium, low, info, or never: exit with 2 from here on; high, with --to-plan never.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("check")(check)


def check(
    fail_on: FailOn = "",
    new_only: Annotated[bool, typer.Option("--new-only", help="Only what the baseline does not have.")] = False,
    baseline: Annotated[
        Path | None, typer.Option("--baseline", help="By default baseline.json in the home folder.")
    ] = None,
    save: Annotated[bool, typer.Option("--save", help="Make what is found now the baseline.")] = False,
    sarif: Annotated[Path | None, typer.Option("--sarif", help="Write the findings as SARIF 2.1.0 here.")] = None,
    confidence: Annotated[
        float, typer.Option("--confidence", help="Only findings at least this sure.", min=0.0, max=1.0)
    ] = 0.5,
    to_plan: Annotated[bool, typer.Option("--to-plan", help="Keep the worst findings as steps of the plan.")] = False,
    about: Annotated[
        str, typer.Option("--about", help="With --to-plan: only what this speaks of, such as a path, symbol or topic.")
    ] = "",
    language: Annotated[str, typer.Option("--language", help="en or zh.")] = "en",
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Check the repository and fail on findings that are bad enough; no session and no model is needed."""
    from ...state.errors import ConfigError
    from ...state.report import SEVERITIES

    fail_on = fail_on or ("never" if to_plan else "high")
    if about and not to_plan:
        raise ConfigError("--about", about, "is for --to-plan: it says which findings become steps")
    if fail_on not in (*SEVERITIES, "never"):
        raise ConfigError("--fail-on", fail_on, f"must be one of {', '.join(SEVERITIES)}, never")
    if language not in ("en", "zh"):
        raise ConfigError("language", language, "must be en or zh")
    report, place = _analyzed(repo, home)
    path = baseline or place / BASELINE
    report, shown = _compared(report, path, new_only, repo)
    shown = [finding for finding in shown if finding.confidence >= confidence]
    failing = [finding for finding in shown if fail_on != "never" and _reaches(finding, fail_on)]
    if save:
        _save(path, report)
    if to_plan:
        _adopt(place, shown, about, language)
    if sarif is not None:
        _write_sarif(sarif, report, shown, language)
    if as_json:
        print_json(_as_plain(report, shown, failing))
    elif not to_plan:
        _print(report, shown, failing, fail_on, language)
    if failing:
        raise typer.Exit(FAILED)


def _analyzed(repo: Path, home: Path | None) -> "tuple[Report, Path]":
    from ...tools.home import open_home, open_repository
    from ...tools.quality.engine import Quality

    folder = open_repository(repo)
    place = open_home(folder, home)
    quality = Quality(folder, place)
    screen = console(stderr=True)
    try:
        if not sys.stderr.isatty():
            return quality.analyze(), place
        with screen.status("analyzing") as status:
            return quality.analyze(
                progress=lambda what, done, total: status.update(f"analyzing: {what} {done}/{total}")
            ), place
    except KeyboardInterrupt:
        screen.print("stopped; what was read is kept: start it again to go on", markup=False)
        raise typer.Exit(STOPPED) from None
    finally:
        quality.close()


def _compared(report: "Report", path: Path, new_only: bool, repo: Path) -> "tuple[Report, list[Finding]]":
    """Return the report with what is new, and the findings to judge; a finding moves with its file."""
    from ...tools.git import Git
    from ...tools.quality.baseline import compared, load_baseline

    if new_only or path.exists():
        git = Git(repo)
        report = compared(report, load_baseline(path), git.renames() if git.available else {})
    findings = [each for each in report.findings if not new_only or each.fingerprint in report.new]
    return report, findings


def _reaches(finding: "Finding", limit: "Severity | str") -> bool:
    from ...state.report import SEVERITIES

    return SEVERITIES.index(finding.severity) <= SEVERITIES.index(limit)


def _save(path: Path, report: "Report") -> None:
    from ...tools.quality.baseline import save_baseline

    save_baseline(path, report)
    console(stderr=True).print(f"baseline written to {path}", markup=False)


def _adopt(place: Path, shown: "list[Finding]", about: str, language: "Language | str") -> None:
    """Keep findings as steps and name them; the list of all findings is for a check without `--to-plan`."""
    from ...tools.clock import SystemClock
    from ...tools.notes import NoteTool
    from ...tools.plan.book import chosen
    from ...tools.plan.proposal import adopt, planned_in, proposals

    spoken: Language = "zh" if language == "zh" else "en"
    with NoteTool(place / "notes", clock=SystemClock(), embedder=None) as notes:
        wanted = proposals(chosen(shown, about), spoken, planned=planned_in(notes))
        made = adopt(notes, wanted, spoken)
    for note in made:
        console(stderr=True).print(f"step {note.id}: {note.title}", markup=False)
    if not made:
        console(stderr=True).print("every finding has its step already", markup=False)
    console(stderr=True).print("`maintainer steps` shows the plan", markup=False)


def _write_sarif(path: Path, report: "Report", shown: "list[Finding]", language: "Language | str") -> None:
    from dataclasses import replace

    from ...tools.files import write_atomic
    from ...tools.reports import as_sarif

    told = as_sarif(replace(report, findings=tuple(shown)), "zh" if language == "zh" else "en")
    write_atomic(path, (json.dumps(told, ensure_ascii=False, indent=1) + "\n").encode("utf-8", "replace"))


def _as_plain(report: "Report", shown: "list[Finding]", failing: "list[Finding]") -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "findings": [asdict(finding) for finding in shown],
        "new": sorted(report.new),
        "fixed": [asdict(finding) for finding in report.fixed],
        "suppressed": report.suppressed,
        "failing": [finding.fingerprint for finding in failing],
        "files": report.files,
        "problems": list(report.problems),
    }


def _print(
    report: "Report", shown: "list[Finding]", failing: "list[Finding]", fail_on: str, language: "Language | str"
) -> None:
    from ...tools.quality.words import line

    out = console()
    for finding in shown:
        mark = "+ " if finding.fingerprint in report.new else "  "
        out.print(mark + line(finding, "zh" if language == "zh" else "en"), markup=False)
    for problem in report.problems:
        console(stderr=True).print(f"not looked at: {problem}", style="yellow", markup=False)
    counted = f"{len(shown)} findings in {report.files} files"
    compared = f", {len(report.new)} new, {len(report.fixed)} fixed" if report.new or report.fixed else ""
    left_out = f", {report.suppressed} suppressed" if report.suppressed else ""
    verdict = f"{len(failing)} at or above {fail_on}" if fail_on != "never" else "no limit set"
    out.print(f"{counted}{compared}{left_out}: {verdict}", markup=False)
