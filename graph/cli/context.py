"""`maintainer context`: what was in a prompt, what was not, and why."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ...state.errors import StoreError
from ...tools.home import home_of
from .options import Home, Json, Repo, console, print_json

if TYPE_CHECKING:
    from rich.text import Text

    from ...state.receipt import Entry, Receipt
    from ...tools.receipts import ReceiptStore

_COLOURS = ("cyan", "green", "yellow", "magenta", "blue", "bright_black", "red", "bright_cyan", "white")

REPLY = "reply"
"""What the part of the budget is called that is kept for the answer."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("context")(context)


def context(
    receipt: Annotated[str, typer.Argument(help="Id of a receipt; by default the newest one.", metavar="[ID]")] = "",
    session: Annotated[str | None, typer.Option("--session", help="Only calls of this session.")] = None,
    turn: Annotated[int | None, typer.Option("--turn", help="The last call of this turn.", min=1)] = None,
    why: Annotated[
        str, typer.Option("--why", help="Why this file or text is in the prompt, or is not.", metavar="PATH")
    ] = "",
    prompt: Annotated[bool, typer.Option("--prompt", help="Print the prompt itself, byte for byte.")] = False,
    listing: Annotated[bool, typer.Option("--list", help="List what is kept.")] = False,
    as_json: Json = False,
    repo: Repo = Path(),
    home: Home = None,
) -> None:
    """Show the context of a model call: its sections, and every candidate with score and rule."""
    from ...tools.receipts import ReceiptStore

    folder = home_of(repo, home) / "receipts"
    if not (folder / "receipts.db").exists():
        raise StoreError(f"no receipts in {folder}: they are kept from the first question on")
    with ReceiptStore(folder) as receipts:
        if listing:
            _print_list(receipts, session, turn, as_json)
            return
        shown = receipts.load(receipt or _newest(receipts, session, turn))
    if prompt:
        _print_prompt(shown, as_json)
    elif why:
        _print_why(shown, why, as_json)
    elif as_json:
        print_json(shown.to_dict())
    else:
        _print_receipt(shown)


def _newest(receipts: "ReceiptStore", session: str | None, turn: int | None) -> str:
    found = receipts.list(session, turn, limit=1)
    if not found:
        of = f" of session {session!r}" if session else ""
        at = f" in turn {turn}" if turn else ""
        raise StoreError(f"no receipt{of}{at} is kept; `maintainer context --list` shows those that are")
    return found[0].id


def _print_list(receipts: "ReceiptStore", session: str | None, turn: int | None, as_json: bool) -> None:
    kept = receipts.list(session, turn)
    if as_json:
        print_json([asdict(each) for each in kept])
        return
    for each in kept:
        console().print(f"{each.id}  {each.at}  {each.session}  turn {each.turn} call {each.step}", markup=False)


def _print_prompt(receipt: "Receipt", as_json: bool) -> None:
    from ...tools.receipts.store import prompt_text

    if as_json:
        print_json(dict(receipt.prompt))
    else:
        typer.echo(prompt_text(receipt).encode("utf-8", "replace").decode("utf-8"), nl=False)


def _print_why(receipt: "Receipt", wanted: str, as_json: bool) -> None:
    found = [entry for entry in receipt.entries if wanted.lower() in f"{entry.title} {entry.source}".lower()]
    if as_json:
        print_json([asdict(entry) for entry in found])
        return
    if not found:
        more = sum(receipt.unlisted.values())
        also = f" ({more} less promising ones were offered and are not listed)" if more else ""
        console().print(f"{wanted}: not among the candidates of this call{also}", markup=False)
    for entry in found:
        console().print(_explained(entry), markup=False)


def _explained(entry: "Entry") -> str:
    """Return what became of a candidate, in two lines."""
    state = f"in [{entry.section}], {entry.tokens} tokens" if entry.chosen else "left out"
    parts = ", ".join(f"{name} {value:.2f}" for name, value in entry.parts.items())
    return (
        f"{entry.title} ({entry.source}): {state}; {entry.rule}\n"
        f"  score {entry.score:.2f} = relevance {entry.relevance:.2f} ({parts}) and recency {entry.recency:.2f}"
    )


def _print_receipt(receipt: "Receipt") -> None:
    out = console()
    where = f"session {receipt.session}, turn {receipt.turn}, call {receipt.step}, " if receipt.session else ""
    out.print(f"{where}mode {receipt.mode or '-'}, {receipt.strategy} strategy, {receipt.at}", markup=False)
    out.print(f"asked: {receipt.request[:200]}", markup=False)
    out.print(_bar(receipt, max(20, min(out.width, 100))))
    limit = receipt.budget - receipt.reply_reserve
    out.print(
        f"{receipt.tokens} of {limit} tokens ({receipt.utilisation:.0%}), {receipt.reply_reserve} more kept for the "
        f"reply; {receipt.stable_tokens} the same as in the call before; counted with {receipt.tokenizer}",
        markup=False,
    )
    out.print(_table(receipt))
    for rule, count in receipt.unlisted.items():
        out.print(f"and {count} more: {rule}", markup=False)
    for removal in receipt.removals:
        again = f", expand({removal.handle!r})" if removal.handle else ""
        out.print(f"shortened: {removal.what} by {removal.tokens} tokens ({removal.rule}{again})", markup=False)
    for source in receipt.sources:
        failed = f"; {source.failure}" if source.failure else ""
        out.print(f"source {source.name}: {source.offered} offered in {source.seconds:.2f} s{failed}", markup=False)
    if receipt.quality is not None:
        quality = receipt.quality
        out.print(
            f"quality {quality.score:.2f}: density {quality.density:.2f}, relevance {quality.relevance:.2f}, "
            f"completeness {quality.completeness:.2f}",
            markup=False,
        )
        for advice in quality.advice:
            out.print(f"advice: {advice}", markup=False)


def _bar(receipt: "Receipt", width: int) -> "Text":
    """Return the sections as one stacked bar over the whole budget, and below what each letter of it stands for."""
    from rich.text import Text

    bar, legend = Text(), Text()
    parts: list[tuple[str, int]] = [(name, tokens) for name, tokens in receipt.sections.items() if tokens > 0]
    parts.append((REPLY, receipt.reply_reserve))
    done = drawn = 0
    for place, (name, tokens) in enumerate(parts):
        done += tokens
        end = round(width * done / receipt.budget)
        colour = _COLOURS[place % len(_COLOURS)]
        bar.append(name[0] * (end - drawn), style=f"black on {colour}")  # sections are capitals, the rest is small
        legend.append(f"{name[0]} {name} {tokens}   ", style=colour)
        drawn = max(end, drawn)
    bar.append("." * max(0, width - drawn))
    legend.append(f". free {max(0, receipt.budget - done)}")
    return bar.append("\n").append(legend)


def _table(receipt: "Receipt") -> Any:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for name, side in (("", "left"), ("what", "left"), ("from", "left"), ("tokens", "right"), ("rel.", "right")):
        table.add_column(name, justify=side, no_wrap=name != "what")  # type: ignore[arg-type]
    table.add_column("score", justify="right")
    table.add_column("why")
    for entry in receipt.entries:
        style = "" if entry.chosen else "dim"
        cells = (
            "+" if entry.chosen else "-",
            entry.title,
            entry.source,
            str(entry.tokens or ""),
            f"{entry.relevance:.2f}",
            f"{entry.score:.2f}",
            entry.rule,
        )
        table.add_row(*(Text(cell, style=style) for cell in cells))
    return table
