"""The ledger of standing facts, for a model that says outright what replaces or solves what."""

from typing import Literal

from pydantic import Field

from ...state.ledger import FactKind
from ..ledger import LedgerKeeper
from .tool import Arguments, Caller, Outcome, Tool

_MOST_LISTED = 40


class FactChange(Arguments):
    """Arguments of `facts`."""

    action: Literal["list", "note", "supersede", "resolve"]
    text: str = Field("", max_length=400, description="The new fact, or what solved the problem")
    kind: FactKind = "decision"
    id: str = Field("", description="Of the fact to supersede or resolve, from list")


def facts_tool(keeper: LedgerKeeper) -> Tool:
    """Return the tool over the ledger of the caller's own line."""

    def run(arguments: FactChange, caller: Caller) -> Outcome:
        head = caller.head
        if not head:
            return Outcome(text="Nothing is standing yet: this is the session's first turn.", failed=True)
        if arguments.action == "list":
            standing = keeper.at(head).standing()[-_MOST_LISTED:]
            lines = [f"{fact.id} {fact.kind}: {fact.text}" for fact in standing]
            return Outcome(text="\n".join(lines) or "No facts are standing.")
        if arguments.action == "note":
            fact = keeper.note(head, arguments.kind, arguments.text)
        elif arguments.action == "supersede":
            fact = keeper.supersede(head, arguments.id, arguments.text)
        else:
            fact = keeper.resolve(head, arguments.id, arguments.text)
        return Outcome(text=f"{fact.id} {fact.kind}: {fact.text}")

    return Tool(
        name="facts",
        description="List the standing facts; note one, supersede one, or resolve an open problem.",
        arguments=FactChange,
        run=run,
    )
