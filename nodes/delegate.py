"""Hand a task to a sub-agent with a clean window; a failing one costs only its own part."""

from collections.abc import Callable
from typing import Any, Protocol, TypedDict

from langgraph.errors import GraphBubbleUp
from langgraph.runtime import Runtime

from ..state.delegation import AgentReport
from ..state.session import Exchange, Task, Usage
from ..state.settings import RunSettings
from ..tools.agent_reports import as_text
from ..tools.secrets import mask
from ..tools.tokens import TokenCounter


class SubAgent(Protocol):
    """Works on a task in a context window of its own."""

    def __call__(self, task: Task, runtime: Runtime[RunSettings]) -> AgentReport:
        """Return the report; its trace is kept before it is returned."""
        ...


class DelegateUpdate(TypedDict):
    """What `delegate` writes."""

    exchanges: list[Exchange]
    stats: dict[str, int]
    spent: Usage
    used: Usage


def delegate(
    state: Task,
    runtime: Runtime[RunSettings],
    *,
    work: SubAgent,
    counter: TokenCounter,
    keep: Callable[[str], str],
) -> DelegateUpdate:
    """Read one `Task` (sent by `route_calls`); write the report as the result of its call.

    Args:
        state: What to do: a task stands in the place of the session's state.
        runtime: Of the parent, so that a sub-agent stops when its parent is stopped.
        work: Does it.
        counter: Counts tokens.
        keep: Keeps a text and returns its handle.
    """
    arguments: dict[str, Any] = state.call.arguments
    try:
        report = work(state, runtime)
    except GraphBubbleUp:  # the parent is being stopped: nothing is written, and the task runs on when it is resumed
        raise
    except Exception as error:  # noqa: BLE001 - one failing sub-agent must not end the turn or its siblings
        problem = f"{type(error).__name__}: {error}"[:500]
        kind, asked = str(arguments.get("kind", "")), str(arguments.get("task", ""))
        report = AgentReport(kind=kind, task=asked, status="error", problem=problem)
    text = mask(as_text(report, counter))
    exchange = Exchange(
        call=state.call,
        result=text,
        handle=keep(report.model_dump_json(indent=1)),
        failed=report.status == "error",
        step=state.step,
        model=state.model,
    )
    stats = {"delegations": 1, f"delegations_{report.status}": 1}
    return {"exchanges": [exchange], "stats": stats, "spent": report.usage, "used": report.usage}
