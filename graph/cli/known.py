"""What a session knows: `recall`, `facts`, `where` (was I), `compactions`, and `phase`, which ends one."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...tools.home import home_of
from .options import Home, Json, Repo, console, print_json
from .session_home import Name, open_sessions, tell

if TYPE_CHECKING:
    from ...state.ledger import Ledger
    from ...state.session import SessionState

Limit = Annotated[int, typer.Option("--limit", min=1, help="How many at most.")]
Text = Annotated[str, typer.Argument(help="What is looked for.", metavar="QUERY")]


def register(app: typer.Typer) -> None:
    """Add the five commands."""
    app.command("recall")(recall)
    app.command("facts")(facts)
    app.command("where")(where)
    app.command("compactions")(compactions)
    app.command("phase")(phase)


def recall(
    name: Name, query: Text, limit: Limit = 10, repo: Repo = Path(), home: Home = None, as_json: Json = False
) -> None:
    """Search everything ever said in a session, its ancestors included."""
    from ...tools.archive import Archive
    from ...tools.embeddings import open_embedder
    from ...tools.recall import TurnIndex
    from ...tools.settings_file import load_options

    state, place = _state(name, repo, home), home_of(repo, home)
    archive = Archive(place / "archive")
    options = load_options(repository_file=place / "settings.yaml")
    index = TurnIndex(archive, place / "index" / "turns", open_embedder(options.embedder, options.api_key))
    try:
        found = index.search(query, state.head, limit)
    finally:
        index.close()
        archive.close()
    rows = [
        {
            "turn": each.turn.number,
            "role": each.said.role,
            "score": round(each.score, 3),
            "text": each.said.text,
            "handle": each.said.handle,
        }
        for each in found
    ]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        text = " ".join(str(row["text"]).split())
        console().print(f"turn {row['turn']:>4}  {row['role']:9} {text[:160]}", markup=False)
    if not rows:
        console().print("nothing like that was said")


def facts(name: Name, repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
    """Show the standing facts of a session: decisions, rules, open problems, changes, and its plans."""
    from ...tools.ledger import fact_lines, plan_lines

    ledger = _ledger(_state(name, repo, home), repo, home)
    if as_json:
        plans = [asdict(plan) for plan in ledger.plans]
        print_json({"facts": [asdict(fact) for fact in ledger.facts.values()], "plans": plans})
        return
    for line in fact_lines(ledger):
        console().print(line.text, markup=False)
    for plan in ledger.plans:
        console().print("\n".join(plan_lines(plan)), markup=False)
    if not ledger.facts and not ledger.plans:
        console().print("no standing facts yet")


def where(name: Name, repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
    """Show where a session stands: goal, what is done, what comes next, what is in the way, what has changed."""
    from ...tools.git import Git
    from ...tools.recall import card_text, where_was_i

    state = _state(name, repo, home)
    situation, git = state.situation, Git(repo)
    changed = git.files_since(situation.head) if situation and situation.head else None
    stale = _stale_notes(repo, home)
    card = where_was_i(state.goal, _ledger(state, repo, home), stale_notes=stale, changed=changed or ())
    tell(as_json, card.to_dict(), card_text(card, state.language))


def _stale_notes(repo: Path, home: Path | None) -> list[str]:
    """Return the titles of the notes whose code is no longer as they saw it, looked at now."""
    from ...state.notes import SourceState
    from ...tools.git import Git
    from ...tools.notes import NoteTool
    from ...tools.notes.review import NoteReview
    from ...tools.notes.sources import Sources

    with NoteTool(home_of(repo, home) / "notes") as notes:
        checks = NoteReview(notes.store, Sources(repo.resolve(), Git(repo))).verify()
    return [check.title for check in checks if check.state is SourceState.STALE]


def compactions(name: Name, repo: Repo = Path(), home: Home = None, as_json: Json = False) -> None:
    """Show what the newest ten compactions of a session did."""
    records = _state(name, repo, home).compactions
    if as_json:
        print_json([record.model_dump(mode="json") for record in records])
        return
    for record in records:
        gone = ", ".join(record.gone) or "-"
        by = f" by {record.model} in {record.seconds:g} s" if record.model else ""
        failed = f" FAILED: {record.failure}" if record.failure else ""
        console().print(
            f"turn {record.turn:>4}  {record.layer:7} {record.tokens_before} -> {record.tokens_after} tokens"
            f"  gone: {gone}{by}{failed}",
            markup=False,
        )
    if not records:
        console().print("nothing was compacted yet")


def phase(
    name: Name,
    title: Annotated[str, typer.Argument(help="What to call the phase that ends.")],
    repo: Repo = Path(),
    home: Home = None,
    as_json: Json = False,
) -> None:
    """End a phase: write its report as a note, from which the next session starts."""
    from ...tools.notes import NoteTool
    from ...tools.recall import end_phase, last_phase

    state = _state(name, repo, home)
    with NoteTool(home_of(repo, home) / "notes") as notes:
        before = last_phase(notes)
        since = next((int(tag[5:]) for tag in before.tags if tag.startswith("turn-")), 0) if before else 0
        note = end_phase(notes, title, state.goal, _ledger(state, repo, home), since if since < state.turn else 0)
    tell(as_json, {"note": note.id, "title": note.title, "content": note.content}, f"{note.id}\n{note.content}")


def _state(name: str, repo: Path, home: Path | None) -> "SessionState":
    from ...state.errors import UnknownSession

    with open_sessions(repo, home) as sessions:
        state = sessions.newest_state(name)
    if state is None:
        raise UnknownSession(f"session {name!r} has not finished a step yet")
    return state


def _ledger(state: "SessionState", repo: Path, home: Path | None) -> "Ledger":
    from ...tools.archive import Archive
    from ...tools.ledger import LedgerKeeper

    archive = Archive(home_of(repo, home) / "archive")
    try:
        return LedgerKeeper(archive).at(state.head)
    finally:
        archive.close()
