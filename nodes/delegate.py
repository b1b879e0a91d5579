"""Hand a task to a sub-agent with a clean window; a failing one costs only its own part."""

from typing import Protocol, TypedDict

from ..state.session import Exchange, Task
from ..tools.toolset.tool import Gate


class SubAgent(Protocol):
    """Works on a task in a context window of its own."""

    def __call__(self, task: Task) -> str:
        """Return the report as JSON text; stored before it is returned."""


class DelegateUpdate(TypedDict):
    """What `delegate` writes."""

    exchanges: list[Exchange]
    stats: dict[str, int]


def delegate(task: Task, *, work: SubAgent, gate: Gate) -> DelegateUpdate:
    """Read one `Task` (sent by `route_reply`); write the report as the result of its call."""
    failed = False
    try:
        report = work(task)
    except Exception as error:  # noqa: BLE001 - one failing sub-agent must not end the turn or its siblings
        report, failed = f'{{"status": "error", "problem": "{type(error).__name__}: {error}"}}', True
    text, handle = gate.admit(report)
    exchange = Exchange(call=task.call, result=text, handle=handle, failed=failed, step=task.step)
    return {"exchanges": [exchange], "stats": {"delegations": 1}}
