"""The part of the page about the work: plan, notes, what filled the context, and what was said."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from ...state.session import Language
from ...state.session_report import NoteLine, SessionReport, StepLine, TurnLine
from .drawing import bars, legend, rail
from .markup import fold, safe, section
from .texts import note_word, rule, section_word, status, text

MOST_TURNS = 60
_DONE = frozenset({"resolved", "superseded", "archived"})
_COLOURS = 9
"""Colours of the page for parts of the context: `c0` to `c8`."""


def session(report: SessionReport) -> Iterator[str]:
    """Yield plan, notes, context and timeline, those of them there are."""
    language = report.language
    if report.plan:
        yield _plan(report.plan, language)
    if report.notes:
        yield _notes(report.notes, report.plan, language)
    turns = [turn for turn in report.turns if turn.sections][-MOST_TURNS:]
    if turns:
        yield _context(turns, language)
    if report.turns:
        yield section("timeline", text("timeline", language), _timeline(report.turns[-MOST_TURNS:], language))


def _plan(plan: Sequence[StepLine], language: Language) -> str:
    """Return the steps in order, with arcs from each to those that wait for it."""
    row = {step.id: place for place, step in enumerate(plan)}
    arcs = [
        (row[other], row[step.id], "done" if plan[row[other]].status in _DONE else "waits")
        for step in plan
        for other in step.depends_on
        if other in row
    ]
    done = sum(step.status in _DONE for step in plan)
    title = text("plan", language)
    progress = f'<p class="soft">{done} {text("of", language)} {len(plan)} {text("done", language)}</p>'
    rows = "".join(_step(step, row, language) for step in plan)
    drawn = rail([_state(step) for step in plan], arcs, title=title)
    shown = {name: text(name, language) for name in ("done", "doing", "ready", "waits")}
    return section("plan", title, progress, f'<div class="railed">{drawn}<ol>{rows}</ol></div>', legend(shown))


def _state(step: StepLine) -> str:
    if step.status in _DONE:
        return "done"
    return "doing" if step.status == "in_progress" else "ready" if step.ready else "waits"


def _step(step: StepLine, row: Mapping[str, int], language: Language) -> str:
    after = ", ".join(map(str, sorted(row[other] + 1 for other in step.depends_on if other in row)))
    facts = [
        text(_state(step), language),
        *([step.estimate] if step.estimate else []),
        *([f"{text('after', language)} {after}"] if after else []),
    ]
    tip = f"{step.title}\n{step.acceptance}".strip()
    return (
        f'<li class="{_state(step)}" title="{safe(tip)}"><span>{row[step.id] + 1}. {safe(step.title)}</span>'
        f"<small>{safe(' · '.join(facts))}</small></li>"
    )


def _notes(notes: Sequence[NoteLine], plan: Sequence[StepLine], language: Language) -> str:
    """Return the notes with arcs between those that are linked; a link to a step of the plan stands in words."""
    row = {note.id: place for place, note in enumerate(notes)}
    steps = {step.id: place for place, step in enumerate(plan, 1)}
    arcs = [
        (row[note.id], row[other], relation)
        for note in notes
        for relation, ids in note.links.items()
        for other in ids
        if other in row and relation in ("supersedes", "resolves", "depends_on")
    ]
    rows = "".join(_note(note, steps, language) for note in notes)
    drawn = rail([note.type for note in notes], arcs, title=text("notes", language))
    kinds = dict.fromkeys(note.type for note in notes) | dict.fromkeys(relation for *_, relation in arcs)
    shown = legend({name: note_word(name, language) for name in kinds}) if len(kinds) > 1 else ""
    return section("notes", text("notes", language), f'<div class="railed">{drawn}<ol>{rows}</ol></div>', shown)


def _note(note: NoteLine, steps: Mapping[str, int], language: Language) -> str:
    linked = [
        f"{note_word(relation, language)} {_step_name(steps[other], language)}"
        for relation, ids in note.links.items()
        for other in ids
        if other in steps
    ]
    facts = [note_word(note.type, language), status(note.status, language), note.updated_at[:10], *linked]
    return (
        f'<li title="{safe(note.title)}"><span>{safe(note.title)}</span>'
        f"<small>{safe(' · '.join(facts))} <code>{safe(note.id)}</code></small></li>"
    )


def _step_name(number: int, language: Language) -> str:
    return f"第 {number} 步" if language == "zh" else f"step {number}"


def _context(turns: Sequence[TurnLine], language: Language) -> str:
    """Return one bar a turn: what filled the window, and what was kept for the reply."""
    names = dict.fromkeys(name for turn in turns for name in turn.sections)
    parts = {name: f"c{place % _COLOURS}" for place, name in enumerate(names)}
    called = {parts[name]: section_word(name, language) for name in names}
    called["reserve"] = text("reserve", language)
    rows = []
    for turn in turns:
        filled = {parts[name]: 0 for name in turn.sections}
        for name, tokens in turn.sections.items():
            filled[parts[name]] += tokens
        end = f"{turn.tokens:,} / {turn.budget:,}"
        rows.append((f"{turn.number} {text(turn.mode or 'auto', language)}", {**filled, "reserve": turn.reserve}, end))
    most = max(max(turn.budget, turn.tokens) for turn in turns)
    title = text("context", language)
    caption = f'<p class="soft">{safe(text("context_means", language))}</p>'
    return section("context", title, caption, bars(rows, called, most=most, title=title), legend(called))


def _timeline(turns: Sequence[TurnLine], language: Language) -> str:
    items = []
    for turn in turns:
        when = f'<span class="soft">{turn.number} · {safe(turn.at[:16].replace("T", " "))} · '
        when += f"{safe(text(turn.mode, language)) if turn.mode else ''}</span>"
        said = f'<p><b>{safe(turn.request)}</b></p><p class="answer">{safe(turn.answer)}</p>'
        items.append(f'<li id="turn-{turn.number}">{when}{said}{_receipt(turn, language)}</li>')
    return f'<ol class="timeline">{"".join(items)}</ol>'


def _receipt(turn: TurnLine, language: Language) -> str:
    """Return what the turn's last prompt held and what was left out of it, by rule."""
    if not turn.receipt:
        return ""
    tokens = text("tokens", language)
    chosen = "".join(
        f'<li>{safe(each.title)} <span class="soft">{safe(each.source)} · {each.tokens:,} {tokens}</span></li>'
        for each in turn.chosen
    )
    why: Counter[str] = Counter()
    for name, count in turn.left_out.items():
        why[rule(name, language)] += count
    left = "".join(f"<li>{count} × {safe(name)}</li>" for name, count in why.most_common())
    parts = [f"<p>{text('in_prompt', language)}</p><ul>{chosen}</ul>" if chosen else ""]
    parts += [f"<p>{text('left_out', language)}</p><ul>{left}</ul>" if left else ""]
    parts += [f"<p><code>maintainer context {safe(turn.receipt)}</code></p>"]
    return fold(f"{text('receipt', language)} <code>{safe(turn.receipt[:8])}</code>", "".join(parts), kind="receipt")
