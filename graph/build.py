"""The graph: which node follows which, and what each is handed."""

import atexit
from collections import Counter
from collections.abc import Callable, Hashable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.runtime import Runtime

from ..nodes.act import act
from ..nodes.approve import approve
from ..nodes.compact import compact, is_full
from ..nodes.compress import compress
from ..nodes.delegate import SubAgent, delegate
from ..nodes.gather import gather
from ..nodes.llm_call import LlmUpdate, llm_call
from ..nodes.note_writer import note_writer
from ..nodes.open_turn import open_turn
from ..nodes.probe import ProbeUpdate, probe
from ..nodes.prompts.request import ceiling_of, config_of
from ..nodes.record import record
from ..nodes.scoring.meaning import Meaning
from ..nodes.select import select
from ..nodes.structure import structure
from ..state.modes import MODE_NAMES
from ..state.options import Options
from ..state.session import Failure, SessionInput, SessionState
from ..state.settings import RunSettings
from ..state.situation import Situation
from ..tools.clock import SystemClock
from ..tools.evidence_answer import write_evidence_answer
from ..tools.git.working_tree import edited_since
from ..tools.home import open_home, open_repository
from ..tools.mode_meaning import ModeMeaning
from ..tools.models import Model
from ..tools.progress import heard_by
from ..tools.settings_file import load_options
from ..tools.toolbox import Toolbox, open_toolbox
from ..tools.toolset.offer import offered
from .checkpoints import open_checkpointer
from .routes import route_budget, route_calls, route_history, route_mode, route_reply
from .subagents import SubAgents

WINDOW_MESSAGES = 20
"""Messages of earlier turns the state holds before it is compacted (Hello-Agents, ch. 9.6)."""

WINDOW_BUDGETS = 2
"""... and how many budgets of tokens they may have."""

TOOLS_SHARE = 3
"""Tool definitions get at most a third of a request; what does not fit is not offered."""

App = CompiledStateGraph[SessionState, RunSettings, SessionInput, SessionState]
Graph = StateGraph[SessionState, RunSettings, SessionInput, SessionState]


def wire(toolbox: Toolbox, work: SubAgent | None = None) -> Graph:
    """Return the graph with its nodes bound to the tools, not yet compiled.

    Args:
        toolbox: What the nodes work with.
        work: Does what the model hands out. None makes the graph of a sub-agent: it looks and answers; to ask the user,
            to write notes and to keep the turn is its parent's.
    """
    graph = StateGraph(SessionState, context_schema=RunSettings, input_schema=SessionInput)
    _add_opening(graph, toolbox)
    _add_loop(graph, toolbox)
    replies = partial(route_reply, tools=toolbox.tools)
    if work is None:
        loop: dict[Hashable, str] = {"gather": "gather", "act": "act", "note_writer": END}
        graph.add_conditional_edges("llm_call", replies, loop)
        return graph
    graph.add_node("approve", partial(approve, tools=toolbox.tools))
    graph.add_node("delegate", partial(delegate, work=work, counter=toolbox.counter, keep=toolbox.archive.put))
    graph.add_conditional_edges("llm_call", replies, ["gather", "approve", "act", "delegate", "note_writer"])
    graph.add_conditional_edges("approve", partial(route_calls, tools=toolbox.tools), ["act", "delegate"])
    graph.add_edge("delegate", "gather")
    _add_closing(graph, toolbox)
    return graph


def _add_opening(graph: Graph, toolbox: Toolbox) -> None:
    """Add what comes before the first model call: a clean desk, and the first look of the mode."""
    graph.add_node(
        "open_turn",
        partial(
            open_turn,
            clock=toolbox.clock,
            observe=partial(observed, toolbox),
            last_seen=toolbox.last_seen.by_another,
            see=toolbox.last_seen.keep,
            happened=toolbox.history.since,
            edited=partial(edited, toolbox),
            holds=toolbox.archive.holds,
            repo=str(toolbox.repo),
            language=toolbox.options.language,
        ),
    )
    graph.add_edge(START, "open_turn")
    graph.add_conditional_edges("open_turn", route_mode, [f"probe_{mode}" for mode in MODE_NAMES])
    meaning = ModeMeaning(toolbox.embedder)
    for mode in MODE_NAMES:
        look = partial(probe, mode=mode, looks=toolbox.looks, meaning=meaning)
        graph.add_node(f"probe_{mode}", partial(_watched, step=look))
        graph.add_edge(f"probe_{mode}", "gather")


def _watched(
    state: SessionState, runtime: Runtime[RunSettings], *, step: Callable[[SessionState], ProbeUpdate]
) -> ProbeUpdate:
    """Return what a step writes; its progress goes into the stream of events."""

    def told(what: str, done: int, total: int) -> None:
        runtime.stream_writer({"kind": "progress", "name": what, "text": f"{done}/{total}"})

    with heard_by(told):
        return step(state)


def _add_loop(graph: Graph, toolbox: Toolbox) -> None:
    """Add the loop: a context for every model call, and the tools it asks for."""
    options, counter = toolbox.options, toolbox.counter
    room = (options.budget - options.reply_tokens) // TOOLS_SHARE
    definitions = offered(toolbox.tools, room, counter) if toolbox.models.main else []
    budgeted: dict[str, Any] = {
        "counter": counter,
        "definitions": definitions,
        "instructions": "",
        "keep": toolbox.archive.put,
        "clock": toolbox.clock,
    }
    meaning = Meaning(toolbox.embedder) if toolbox.embedder is not None else None

    def ask(state: SessionState, runtime: Runtime[RunSettings]) -> LlmUpdate:
        return llm_call(
            state,
            model=toolbox.models.main,
            definitions=definitions,
            write=write_evidence_answer,
            places=toolbox.places,
            max_steps=options.max_steps,
            reply_tokens=options.reply_tokens,
            ceiling=config_of(runtime.context).ceiling,
            turn_tokens=options.turn_tokens,
            on_text=lambda text: runtime.stream_writer({"kind": "text", "text": text}),
        )

    def is_over(state: SessionState, runtime: Runtime[RunSettings]) -> str:
        return route_budget(state, ceiling=lambda each: ceiling_of(each, runtime.context))

    graph.add_node("gather", partial(gather, sources=toolbox.sources, news=_news(toolbox), rewrite=toolbox.rewrite))
    graph.add_node("select", partial(select, meaning=meaning, **budgeted))
    graph.add_node("structure", partial(structure, receipts=toolbox.receipts, **budgeted))
    graph.add_node("compress", partial(compress, receipts=toolbox.receipts, **budgeted))
    graph.add_node("llm_call", ask)
    graph.add_node("act", partial(act, tools=toolbox.tools, gate=toolbox.gate, mail=toolbox.mailbox.take))
    graph.add_edge("gather", "select")
    graph.add_edge("select", "structure")
    graph.add_conditional_edges("structure", is_over, ["compress", "llm_call"])
    graph.add_edge("compress", "llm_call")
    graph.add_edge("act", "gather")


def _add_closing(graph: Graph, toolbox: Toolbox) -> None:
    """Add what comes after the answer: notes, the archive, and a window that stays small."""
    archive, clock = toolbox.archive, toolbox.clock
    graph.add_node(
        "note_writer",
        partial(
            note_writer,
            notes=toolbox.notes,
            bind=toolbox.bound.bind_place,
            clock=clock,
            model=toolbox.models.notes,
        ),
    )
    graph.add_node(
        "record", partial(record, archive=archive, memory=toolbox.memory, facts=toolbox.ledger.changes, clock=clock)
    )
    window: dict[str, Any] = {
        "counter": toolbox.counter,
        "most_messages": WINDOW_MESSAGES,
        "most_tokens": WINDOW_BUDGETS * toolbox.options.budget,
    }
    graph.add_node("compact", partial(compact, archive=archive, clock=clock, model=toolbox.models.summary, **window))
    graph.add_edge("note_writer", "record")
    graph.add_conditional_edges("record", partial(route_history, is_full=partial(is_full, **window)), ["compact", END])
    graph.add_edge("compact", END)


def _news(toolbox: Toolbox) -> Callable[[], list[Failure]]:
    """Return what tells the warnings of the stores, each once in the life of this process."""
    told: Counter[str] = Counter()

    def news() -> list[Failure]:
        fresh = [
            Failure(where=store, reason=warning)
            for store, warnings in toolbox.warned.items()
            for warning in warnings[told[store] :]
        ]
        told.update(failure.where for failure in fresh)
        return fresh

    return news


def edited(toolbox: Toolbox) -> list[str]:
    """Return the files that were changed and not committed since a session last looked."""
    moment_ns = toolbox.last_seen.moment_ns()
    return edited_since(toolbox.repo, toolbox.git.hashes(), moment_ns) if toolbox.git.available and moment_ns else []


def observed(toolbox: Toolbox, before: Situation | None) -> Situation:
    """Return the world as it is now; where HEAD has moved, notes about the files that changed are checked first,
    and all notes where git cannot tell which files did."""
    git, embedder = toolbox.git, toolbox.embedder
    head = git.head() if git.available else ""
    if before is not None and before.head and before.head != head:
        toolbox.review.verify(git.files_since(before.head))
    return Situation(
        repo=str(toolbox.repo),
        head=head,
        branch=git.branch() if git.available else "",
        model=toolbox.models.main.name if toolbox.models.main else "none",
        tokenizer=toolbox.counter.name,
        index=embedder.name if embedder is not None else "words",
        stale_notes=sorted(item.note_id for item in toolbox.review.queue()),
    )


def build_graph(
    repo: Path | str | Toolbox = ".",
    *,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    home: Path | str | None = None,
    model: str | Model | None = None,
    **settings: Any,
) -> App:
    """Return the compiled graph for a repository, or for a toolbox that is open already.

    Args:
        repo: The repository's folder; a toolbox opened for it stays open as long as the process lives.
        checkpointer: Where steps are stored; None for a server that brings its own.
        home: Where notes, archive and indexes are kept; by default `repo/.maintainer`.
        model: `provider:name`, a `Model`, or None for what the settings say.
        settings: Any field of `Options`.

    Raises:
        MaintainerError: The repository, the home folder or a setting cannot be used.
    """
    if isinstance(repo, Toolbox):
        return _compiled(repo, checkpointer)
    folder = open_repository(repo)
    place = open_home(folder, home)
    named, own = (model, None) if isinstance(model, str) else (None, model)
    options = load_options(repository_file=place / "settings.yaml", model=named, **settings)
    lifetime = ExitStack()
    atexit.register(lifetime.close)
    toolbox = lifetime.enter_context(open_toolbox(folder, place, options, clock=SystemClock(), model=own))
    return _compiled(toolbox, checkpointer)


def _compiled(toolbox: Toolbox, checkpointer: BaseCheckpointSaver[Any] | None) -> App:
    steps = checkpointer or open_checkpointer("memory")
    agents = SubAgents(
        toolbox, build=lambda own: wire(own).compile(checkpointer=steps, name="sub-agent"), checkpointer=steps
    )
    return wire(toolbox, agents).compile(checkpointer=checkpointer, name="maintainer")


def run_settings(options: Options) -> RunSettings:
    """Return the per-run settings that follow from the options."""
    return RunSettings(max_tokens=options.budget, reply_reserve=options.reply_tokens)
