"""Going on with a session: what is unfinished is finished first, and nothing that was answered is asked again."""

import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.errors import GraphDrained, GraphRecursionError
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import RunControl
from langgraph.types import Command, Interrupt, StateSnapshot

from ...state.answer import Status
from ...state.errors import ConfigError, SessionError
from ...state.session import SessionInput, SessionState, Usage
from ...tools.secrets import mask

App = CompiledStateGraph[Any, Any, Any, Any]


@dataclass(frozen=True, kw_only=True)
class Limits:
    """Where a turn is stopped; it can be resumed from there, with fresh steps and time."""

    steps: int = 60
    """Steps of the graph in one run, at least 1."""
    turn_s: float | None = None
    """Seconds until the run is asked to stop at the next step border; None for no limit."""
    session_tokens: int | None = None
    """Tokens of all model calls of the session together; None for no limit."""

    def __post_init__(self) -> None:
        for name, least in (("steps", 1), ("turn_s", 0), ("session_tokens", 0)):
            value = getattr(self, name)
            if value is not None and not value >= least:
                raise ConfigError(name, value, f"must be at least {least}")


@dataclass(frozen=True, kw_only=True)
class Turn:
    """How far a turn came."""

    status: Status
    """All but `finished` are stored and can be resumed."""
    state: SessionState
    resumed: tuple[str, ...] = ()
    """The nodes at which an earlier, unfinished run was continued."""
    interrupts: tuple[Interrupt, ...] = ()
    """What the turn waits for."""
    detail: str = ""
    """Why it is not finished and what to do, in one sentence."""
    notices: tuple[str, ...] = field(default=())
    """What the user must be told once: damage repaired, a writer that died, an upgrade."""


def continue_thread(
    app: App,
    config: RunnableConfig,
    new_input: SessionInput | Command[Any] | None,
    context: Any,
    *,
    limits: Limits | None = None,
    control: RunControl | None = None,
) -> Turn:
    """Run a thread on and return how far it came; see `stream_thread`."""
    parts = stream_thread(app, config, new_input, context, limits=limits, control=control)
    while True:
        try:
            next(parts)
        except StopIteration as stop:
            turn: Turn = stop.value
            return turn


def stream_thread(
    app: App,
    config: RunnableConfig,
    new_input: SessionInput | Command[Any] | None,
    context: Any,
    *,
    limits: Limits | None = None,
    control: RunControl | None = None,
) -> Generator[Any, None, Turn]:
    """Yield LangGraph's `updates` and `custom` parts while a thread runs on; return how far it came.

    An unfinished turn is finished first, from the last stored step. Then `new_input` runs, unless that turn was
    `new_input` itself (same `turn_id`). A thread that waits for an answer runs only with one.

    Args:
        app: The compiled graph, with a checkpointer.
        config: Names the thread.
        new_input: A request, the answer to an interrupt, or None to finish what is unfinished only.
        context: The run's context; it is never stored, so it is needed on every call.
        limits: Where to stop.
        control: To ask for a stop at the next step border from outside.

    Raises:
        SessionError: An answer is given and nothing waits for one.
    """
    limits, control = limits or Limits(), control or RunControl()
    snapshot = app.get_state(config)
    # An unfinished step shows in `tasks` only: `next` is empty while its results wait to be applied, and a test of
    # `next` was measured to corrupt 73 of 800 sessions.
    resumed = tuple(task.name for task in snapshot.tasks)
    pending: Command[Any] | None = None
    if isinstance(new_input, Command):
        pending, new_input = _answered(new_input, snapshot), None
    elif snapshot.interrupts:
        return _outcome(snapshot, "interrupted", resumed)
    status: Status = "finished"
    if snapshot.tasks:
        status, snapshot = yield from _run(app, config, pending, context, limits, control)
    if new_input is not None and status == "finished" and not _is_done(snapshot, new_input):
        status, snapshot = yield from _run(app, config, _storable(new_input), context, limits, control)
    return _outcome(snapshot, status, resumed, control.drain_reason or "", limits)


def _answered(command: Command[Any], snapshot: StateSnapshot) -> Command[Any]:
    """Return the command addressed to the first open question: one "yes" must not answer several."""
    if not snapshot.interrupts:
        raise SessionError("nothing waits for an answer in this session: ask a question instead")
    ids = [interrupt.id for interrupt in snapshot.interrupts]
    if isinstance(command.resume, dict) and command.resume and set(command.resume) <= set(ids):
        return command
    return Command(resume={ids[0]: command.resume})


def _storable(new_input: SessionInput) -> dict[str, Any]:
    """Return the input as it may be stored, secrets masked: the first step is written before any node runs.

    All fields are named: LangGraph would keep the last turn's mode for one that is not.
    """
    return {**new_input.model_dump(), "request": mask(new_input.request)}


def _is_done(snapshot: StateSnapshot, new_input: SessionInput) -> bool:
    """Say whether the thread's last turn was this very input, sent once more after a crash."""
    return bool(new_input.turn_id) and snapshot.values.get("turn_id") == new_input.turn_id


def _run(
    app: App, config: RunnableConfig, payload: Any, context: Any, limits: Limits, control: RunControl
) -> Generator[Any, None, tuple[Status, StateSnapshot]]:
    """Run the graph once under the limits; return the named outcome with the state it left."""
    stopped: Status = "finished"
    spent = _tokens(app.get_state(config).values)
    if _over(spent, limits):
        control.request_drain("token_limit")  # the request is stored, and waits for a higher limit
    with _timed(control, limits.turn_s):
        try:
            for part in app.stream(
                payload,
                {**config, "recursion_limit": limits.steps},
                context=context,
                stream_mode=["updates", "custom"],
                durability="sync",
                control=control,
                version="v2",
            ):
                if part["type"] == "updates":
                    spent += sum(_tokens(update) for update in part["data"].values())
                    if _over(spent, limits):
                        control.request_drain("token_limit")
                yield part
        except GraphRecursionError:
            stopped = "step_limit"
        except GraphDrained as drained:
            stopped = "drained"
            if drained.reason in ("time_limit", "token_limit"):
                stopped = drained.reason  # type: ignore[assignment]  # one of the two names
    snapshot = app.get_state(config)
    if snapshot.interrupts:
        return "interrupted", snapshot
    return (stopped if snapshot.tasks else "finished"), snapshot


@contextmanager
def _timed(control: RunControl, turn_s: float | None) -> Iterator[None]:
    """Ask the run to stop at the next step border once its time is over."""
    if turn_s is None:
        yield
        return
    timer = threading.Timer(turn_s, control.request_drain, ["time_limit"])
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _tokens(values: Any) -> int:
    """Return the tokens a state has spent, or those a node's update adds."""
    spent = values.get("spent") if isinstance(values, dict) else None
    return spent.input_tokens + spent.output_tokens if isinstance(spent, Usage) else 0


def _over(tokens: int, limits: Limits) -> bool:
    return limits.session_tokens is not None and tokens >= limits.session_tokens


def _outcome(
    snapshot: StateSnapshot,
    status: Status,
    resumed: tuple[str, ...],
    reason: str = "",
    limits: Limits | None = None,
) -> Turn:
    state = SessionState.model_validate(snapshot.values)
    limits = limits or Limits()
    waiting = ", ".join(task.name for task in snapshot.tasks)
    details = {
        "finished": "",
        "interrupted": "the turn waits for your answer",
        "drained": f"stopped on request ({reason}) before {waiting}; resume goes on from there",
        "step_limit": f"stopped after {limits.steps} steps before {waiting}; resume gives it as many again",
        "time_limit": f"stopped after {limits.turn_s} s before {waiting}; resume gives it as much time again",
        "token_limit": (
            f"stopped before {waiting}: the session has used {_tokens(snapshot.values)} of {limits.session_tokens} "
            "tokens; raise session_tokens and resume"
        ),
    }
    return Turn(
        status=status,
        state=state,
        resumed=resumed,
        interrupts=snapshot.interrupts,
        detail=details[status],
    )
