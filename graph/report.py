"""The report of a session: what its stores, the notes and a fresh analysis say, put together as plain data."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from ..state.errors import MaintainerError
from ..state.notes import Note, NoteType
from ..state.report import Report
from ..state.session import Language, SessionState
from ..state.session_report import ChosenLine, NoteLine, SessionReport, StepLine, TurnLine
from ..tools.archive import Archive
from ..tools.clock import Clock
from ..tools.git import Git
from ..tools.notes import NoteTool
from ..tools.plan import PlanCycle, plan_of
from ..tools.progress import Progress
from ..tools.quality.engine import Quality
from ..tools.quality.memory import QualityMemory
from ..tools.receipts import ReceiptStore
from ..tools.secrets import mask
from .sessions import Sessions

T = TypeVar("T")

MOST_TURNS = 200
MOST_NOTES = 200
MOST_CHOSEN = 12
"""Texts of one prompt that are listed, the largest first."""
_BEGINNING, _FIRST_LINES = 280, 5
"""Characters of what was said, and lines of an answer, that are told."""


def session_report(
    repo: Path,
    home: Path,
    *,
    clock: Clock,
    sessions: Sessions | None = None,
    session: str = "",
    language: Language | None = None,
    analyze: bool = True,
    progress: Progress | None = None,
) -> SessionReport:
    """Return the report of one session, or, without sessions, of the repository alone.

    A store that cannot be read costs its own part and is named in `problems`.

    Args:
        repo: The repository's folder.
        home: The folder of our files.
        clock: Dates the report.
        sessions: Where sessions are kept; None where there are none.
        session: By default the session used last.
        language: By default the session's.
        analyze: Whether to analyze the repository now.
        progress: Told what is being done.

    Raises:
        UnknownSession: There is no such session.
    """
    git = Git(repo)
    name, state = _session(sessions, session)
    report = SessionReport(
        repository=str(repo),
        session=name,
        made_at=clock.now().isoformat(timespec="seconds"),
        language=language or (state.language if state else "en"),
        head=git.head(),
        branch=git.branch(),
    )
    problems: list[str] = []
    if state is not None:
        report = _with_state(report, state)
        report = _part(problems, "archive", lambda: replace(report, turns=_turns(home, state, problems)), report)
    report = _part(problems, "notes", lambda: _with_notes(report, home, clock, problems), report)
    if analyze:
        quality = _part(problems, "analysis", lambda: _analysis(repo, home, git, clock, name, progress), None)
        report = replace(report, quality=quality)
        problems += quality.problems if quality else ()
    report = replace(report, trend=tuple(QualityMemory(home).trend()), problems=tuple(problems))
    return replace(report, statistics=_present(report))


def _present(report: SessionReport) -> dict[str, int]:
    """Return the statistics with the findings there are now: turns that find the same again do not add up."""
    counted = dict(report.statistics)
    if report.quality is not None:
        counted["issues_found"] = len(report.quality.findings)
    elif last := next((point for point in reversed(report.trend) if point.session == report.session), None):
        counted["issues_found"] = sum(last.counts.values())
    return counted


def _part(problems: list[str], what: str, make: Callable[[], T], without: T) -> T:
    try:
        return make()
    except (MaintainerError, OSError) as error:
        problems.append(f"{what}: {error}")
        return without


def _session(sessions: Sessions | None, name: str) -> tuple[str, SessionState | None]:
    """Return a session's name and newest state."""
    if sessions is None:
        return "", None
    if not name:
        name = next((record.name for record in sessions.catalogue.list()), "")
        if not name:
            return "", None
    return sessions.catalogue.get(name).name, sessions.newest_state(name)


def _with_state(report: SessionReport, state: SessionState) -> SessionReport:
    spent = state.spent
    usage = {
        "model_calls": spent.calls,
        "input_tokens": spent.input_tokens,
        "output_tokens": spent.output_tokens,
        "cached_tokens": spent.cached_tokens,
    }
    finished = state.prompt is None  # `record` has added the turn's counts to the totals
    statistics = Counter(state.totals) if finished else Counter(state.totals) + Counter(state.stats)
    cost = spent.cost_usd if spent.calls and not spent.unpriced_tokens else None
    return replace(report, statistics={"turns": state.turn, **statistics}, usage=usage, cost=cost)


def _turns(home: Path, state: SessionState, problems: list[str]) -> tuple[TurnLine, ...]:
    with ExitStack() as opened:
        archive = Archive(home / "archive")
        opened.callback(archive.close)
        receipts = opened.enter_context(ReceiptStore(home / "receipts"))
        newest = {stored.turn: stored.id for stored in reversed(receipts.list(state.session, limit=10 * MOST_TURNS))}
        turns = archive.turns(state.head, MOST_TURNS)
        problems += archive.warnings
        return tuple(
            _turn_line(turn.number, turn.at.isoformat(timespec="seconds"), dict(_said(turn.said)), newest, receipts)
            for turn in turns
        )


def _said(said: object) -> Iterator[tuple[str, str]]:
    """Yield role and text: of the user the first, of the assistant the last."""
    for each in said if isinstance(said, tuple) else ():
        if each.role in ("user", "assistant"):
            yield each.role, each.text


def _turn_line(number: int, at: str, said: dict[str, str], newest: dict[int, str], receipts: ReceiptStore) -> TurnLine:
    name = newest.get(number, "")
    line = TurnLine(
        number=number,
        at=at,
        mode="",
        request=_beginning(said.get("user", "")),
        answer=_first_lines(said.get("assistant", "")),
        receipt=name,
    )
    if not name:
        return line
    receipt = receipts.load(name)
    largest = sorted(receipt.chosen, key=lambda entry: -entry.tokens)[:MOST_CHOSEN]
    left_out = Counter(receipt.unlisted) + Counter(entry.rule for entry in receipt.dropped)
    return replace(
        line,
        mode=receipt.mode,
        budget=receipt.budget,
        tokens=receipt.tokens,
        reserve=receipt.reply_reserve,
        sections=dict(receipt.sections),
        chosen=tuple(ChosenLine(title=mask(each.title), source=each.source, tokens=each.tokens) for each in largest),
        left_out=dict(left_out.most_common()),
    )


def _beginning(text: str) -> str:
    plain = " ".join(mask(text).split())
    return plain if len(plain) <= _BEGINNING else f"{plain[: _BEGINNING - 1]}…"


def _first_lines(text: str) -> str:
    """Return the beginning of an answer with its lines; what is left away is marked."""
    rows = [row for line in mask(text).splitlines() if (row := " ".join(line.split()))]
    shown = "\n".join(rows[:_FIRST_LINES])
    if len(shown) > 2 * _BEGINNING:
        return f"{shown[: 2 * _BEGINNING - 1]}…"
    return f"{shown}\n…" if len(rows) > _FIRST_LINES else shown


def _with_notes(report: SessionReport, home: Path, clock: Clock, problems: list[str]) -> SessionReport:
    if not (home / "notes").is_dir():
        return report
    with NoteTool(home / "notes", clock=clock) as tool:
        notes = [tool.read(row.id) for row in tool.list(limit=MOST_NOTES)]
    lines = tuple(_note_line(note) for note in notes)
    try:
        plan = plan_of(notes)
    except PlanCycle as error:
        problems.append(str(error))
        return replace(report, notes=lines)
    steps = tuple(
        StepLine(
            id=step.id,
            title=step.title,
            status=str(step.status),
            depends_on=step.depends_on,
            ready=step.ready,
            estimate=step.estimate,
            acceptance=step.acceptance,
        )
        for step in plan.steps
    )
    return replace(report, notes=tuple(line for line in lines if line.type != NoteType.ACTION), plan=steps)


def _note_line(note: Note) -> NoteLine:
    return NoteLine(
        id=note.id,
        title=note.title,
        type=str(note.type),
        status=str(note.status),
        updated_at=note.updated_at.isoformat(timespec="seconds"),
        links={relation: tuple(ids) for relation, ids in note.links.items() if ids},
    )


def _analysis(repo: Path, home: Path, git: Git, clock: Clock, session: str, progress: Progress | None) -> Report:
    quality = Quality(repo, home, git=git, clock=clock)
    try:
        report = quality.analyze(progress=progress)
    finally:
        quality.close()
    renames = git.renames() if git.available else {}
    return QualityMemory(home).compare_and_keep(report, session, clock.now(), renames)
