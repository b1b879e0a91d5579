"""Handing a task to a sub-agent: the definition only, the work is done by a node."""

from collections.abc import Mapping, Sequence
from typing import Literal

from pydantic import Field

from ...state.session import ToolCall
from .tool import Arguments, Caller, Outcome, Tool, check

MOST_TASKS = 4
"""Sub-agents at work at the same time; further calls of a reply are answered with this rule."""
Kind = Literal["explorer", "analyst", "planner"]


class Assignment(Arguments):
    """Arguments of `delegate`."""

    kind: Kind
    task: str = Field(description="All it must know: it sees nothing of this talk", min_length=10)


def delegate_tool() -> Tool:
    """Return the tool; its function is reached only by calls beyond the limit."""

    def run(_: Assignment, __: Caller) -> Outcome:
        return Outcome(text=f"Not run: at most {MOST_TASKS} sub-agents at a time. Ask again.", failed=True)

    return Tool(
        name="delegate",
        description="Give a large task to a sub-agent with a window of its own; it returns a report.",
        arguments=Assignment,
        run=run,
    )


def delegated(calls: Sequence[ToolCall], tools: Mapping[str, Tool]) -> list[ToolCall]:
    """Return the calls that sub-agents will work on: well-formed ones, four at most; the others are `act`'s."""
    asked = [call for call in calls if call.name == "delegate" and not isinstance(check(tools, call), Outcome)]
    return asked[:MOST_TASKS]
