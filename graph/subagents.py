"""Sub-agents: the same graph once more, each with a clean window, a budget, few tools and a thread of its own."""

import uuid
from collections.abc import Callable, Mapping
from contextvars import Context
from dataclasses import replace
from threading import Lock
from types import MappingProxyType
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.errors import GraphDrained
from langgraph.runtime import RunControl, Runtime

from ..state.delegation import AgentReport, ReportStatus, agent_name
from ..state.errors import SessionError
from ..state.modes import Mode
from ..state.options import Options
from ..state.session import SessionInput, SessionState, Task
from ..state.settings import RunSettings
from ..tools.agent_reports import findings_in, trace_of
from ..tools.models import Models
from ..tools.toolbox import Toolbox
from ..tools.toolset.tool import Tool
from .sessions import Limits, Turn, continue_thread
from .sessions.names import NAMESPACE
from .sessions.resume import App

STEPS = 8
"""Model calls of one sub-agent."""
TOKENS = 30_000
"""Tokens from which on a sub-agent is asked for its last word."""
SECONDS = 300.0
"""After which it is stopped with what it has."""
TOOLS = frozenset({"terminal", "read_lines", "search_code", "expand", "notes_search", "recall"})
"""What sub-agents may use: they look and report. Writing notes and plans is their parent's."""
SOURCES = frozenset({"rag", "notes"})
"""What their context is gathered from: code and findings, not the talk of sessions, their siblings' included."""
MODES: Mapping[str, Mode] = MappingProxyType({"explorer": "explore", "analyst": "analyze", "planner": "plan"})


class SubAgents:
    """Runs the tasks a session hands out, several at the same time.

    Args:
        toolbox: The parent's; its stores are shared, its tools are filtered.
        build: Compiles a sub-agent's graph for a toolbox, with the same checkpointer.
        checkpointer: Where the steps of a sub-agent are stored until its report is.
    """

    def __init__(
        self,
        toolbox: Toolbox,
        build: Callable[[Toolbox], App],
        checkpointer: BaseCheckpointSaver[Any],
    ) -> None:
        self._toolbox, self._build, self._checkpointer = toolbox, build, checkpointer
        self._app: App | None = None
        self._lock = Lock()

    def __call__(self, task: Task, runtime: Runtime[RunSettings]) -> AgentReport:
        """Return the report of a task; one that was begun before a crash runs on where it stopped.

        Raises:
            GraphDrained: The parent is being stopped; the task runs on when the parent is resumed.
        """
        kind, asked = str(task.call.arguments["kind"]), str(task.call.arguments["task"])
        thread = thread_of(task)
        turn = self._run(task, thread, kind, asked, runtime.control)
        if turn.status == "drained":
            raise GraphDrained((runtime.control and runtime.control.drain_reason) or turn.detail)
        report = self._report(kind, asked, turn)
        self._checkpointer.delete_thread(thread)  # the trace has it all, and is deleted with its session
        return report

    def _run(self, task: Task, thread: str, kind: str, asked: str, parent: RunControl | None) -> Turn:
        options = self._toolbox.options
        config: RunnableConfig = {
            "configurable": {"thread_id": thread, "session": name_of(task), "repo": str(self._toolbox.repo)}
        }
        settings = RunSettings.model_validate(
            {"max_tokens": options.budget, "reply_reserve": options.reply_tokens, "kind": kind}
        )
        # In a context of its own: inside the parent's, LangGraph would take it for a part of the parent's run.
        return Context().run(
            continue_thread,
            self._opened(),
            config,
            SessionInput(request=asked, mode=MODES[kind], turn_id=thread),
            settings,
            limits=Limits(steps=8 * STEPS + 12, turn_s=SECONDS),
            control=LinkedControl(parent),
        )

    def _report(self, kind: str, asked: str, turn: Turn) -> AgentReport:
        state = turn.state
        findings, questions = findings_in(state.answer, state.citations)
        status, problem = judged(turn, any(finding.sources for finding in findings))
        trace = self._toolbox.archive.put(trace_of(asked, state.exchanges, state.answer or problem))
        return AgentReport(
            kind=kind,
            task=asked,
            status=status,
            problem=problem,
            findings=findings,
            open_questions=questions,
            usage=state.spent,
            trace=trace,
        )

    def _opened(self) -> App:
        with self._lock:
            if self._app is None:
                self._app = self._build(for_agents(self._toolbox))
            return self._app


class LinkedControl(RunControl):
    """A control that also obeys another one: a sub-agent stops when its parent is stopped, not the other way round."""

    __slots__ = ("_parent",)

    def __init__(self, parent: RunControl | None) -> None:
        super().__init__()
        self._parent = parent

    @property
    def drain_requested(self) -> bool:
        """Return whether this run or its parent is to stop at the next step border."""
        return self.drain_reason is not None

    @property
    def drain_reason(self) -> str | None:
        """Return why; the parent's reason is always a plain stop here, because its limits are not this run's."""
        if self._parent is not None and self._parent.drain_requested:
            return "the session is being stopped"
        return super().drain_reason


def for_agents(toolbox: Toolbox) -> Toolbox:
    """Return the toolbox as sub-agents get it: the agents' model, few tools and sources, nobody to ask."""
    options: Options = replace(toolbox.options, max_steps=STEPS, turn_tokens=TOKENS, session_tokens=0, approvals=False)
    tools: dict[str, Tool] = {
        name: replace(tool, ask=lambda *_: None, run_agreed=None)
        for name, tool in toolbox.tools.items()
        if name in TOOLS
    }
    sources = tuple(source for source in toolbox.sources if source.name in SOURCES)
    return replace(toolbox, options=options, models=Models.all(toolbox.models.agents), tools=tools, sources=sources)


def thread_of(task: Task) -> str:
    """Return the id of the thread a task runs on: the same after a crash, another one for every other task."""
    return str(uuid.uuid5(NAMESPACE, f"{task.session}\n{task.turn_id}\n{task.call.id}"))


def name_of(task: Task) -> str:
    """Return the name a task's steps go by."""
    return agent_name(task.session, task.turn, task.call.id)


def judged(turn: Turn, has_sources: bool) -> tuple[ReportStatus, str]:
    """Return how a sub-agent did, and why it is not done where it is not."""
    state: SessionState = turn.state
    if turn.status == "interrupted":
        raise SessionError("a sub-agent asked the user, who does not talk to it")
    if turn.status != "finished":
        return "budget", turn.detail
    if state.outcome.startswith("stopped"):
        return "budget", state.outcome
    if state.outcome or not state.answer.strip():
        return "partial", state.outcome or "no answer"
    if not has_sources:
        return "partial", "no finding has a source that holds"
    return "done", ""
