"""What a checkpoint holds: one session of the graph, small, plain, typed to the last element.

Every class is pydantic, so an edit made in Studio, which arrives as JSON, comes back as the class it was.
Fields under "this turn" are cleared when the next turn starts; what must last longer is in the archive and the notes.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from .compaction import Compaction
from .modes import Mode
from .packet import ContextPacket, UtcTime
from .receipt import SourceReport
from .situation import Situation

SCHEMA_VERSION = 1

Language = Literal["en", "zh"]


class Frozen(BaseModel):
    """Base of the small records below: immutable, unknown fields refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Message(Frozen):
    """One thing said."""

    role: Literal["user", "assistant"]
    content: str
    turn: int
    timestamp: UtcTime


class ToolCall(Frozen):
    """What the model asked a tool to do."""

    id: str
    name: str
    arguments: dict[str, Any] = Field(default_factory=dict)


class Exchange(Frozen):
    """A tool call with its result: always kept as a pair, as providers demand."""

    call: ToolCall
    result: str
    """What the model may see, already capped; the full text is behind `handle`."""
    handle: str = ""
    failed: bool = False
    step: int = 0
    """Which model call of the turn asked for it, from 1."""
    reasoning: str = ""
    """Text the model wrote beside its calls."""
    thinking: list[dict[str, Any]] = Field(default_factory=list)
    """Reasoning as the provider sent it; goes back unchanged, to the same model only, while the turn lasts."""
    model: str = ""
    """Name of the model that made the call."""


class Usage(Frozen):
    """What model calls used: tokens as the provider reports them, counted by us where it does not."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    """Part of `input_tokens` that the provider had in its cache."""
    calls: int = 0
    cost_usd: float = 0.0
    """Price of the calls whose price is known, in US dollars."""
    unpriced_tokens: int = 0
    """Tokens of calls whose price is not known: where this is above 0, `cost_usd` is too low."""


class Reply(Frozen):
    """What the model, or the evidence-only writer, answered."""

    text: str
    calls: list[ToolCall] = Field(default_factory=list)
    model: str = ""
    """Name of the model; `"none"` for the evidence-only answer."""
    usage: Usage = Usage()
    thinking: list[dict[str, Any]] = Field(default_factory=list)
    """Reasoning as the provider sent it; see `Exchange.thinking`."""
    notices: list[str] = Field(default_factory=list)
    """What the user must know of how the answer came about, for example `"cut at 800 tokens"`."""


class Dropped(Frozen):
    """A candidate that is not in the prompt, and the rule that kept it out."""

    packet: ContextPacket
    rule: str


class Failure(Frozen):
    """Something that went wrong and did not end the turn."""

    where: str
    """The node, source or tool, for example `"gather:rag"`."""
    reason: str


class Citation(Frozen):
    """A place in the repository an answer rests on."""

    path: str
    line: int = 0
    end: int = 0
    """Last line, 1-based and included; 0 where the citation names no lines."""
    valid: bool = True
    problem: str = ""
    """Why the citation fails, for example `"no such file"`."""


class Prompt(Frozen):
    """The whole request of one model call."""

    system: str
    """`[Role & Policies]`: byte-identical from call to call."""
    user: str
    """The other five sections."""
    exchanges: list[Exchange] = Field(default_factory=list)
    """Newest tool calls of this turn with results, sent as call/result messages after `user`."""
    tokens: int = 0
    """All of it, with tool definitions and message overhead, by the session's tokenizer."""
    sections: dict[str, int] = Field(default_factory=dict)
    """Tokens by section; `"tools"` for the definitions, `"exchanges"` for the pairs."""


class Task(Frozen):
    """What a sub-agent is asked to do."""

    call: ToolCall
    step: int
    session: str
    turn: int
    turn_id: str = ""
    model: str = ""
    """Name of the model that made the call."""


Decision = Literal["once", "session", "never"]
"""What the user says to a command outside the list."""


def merge_exchanges(old: Sequence[Exchange], new: Sequence[Exchange | dict[str, Any]]) -> list[Exchange]:
    """Return all exchanges by step, a newer one replacing that of the same call.

    Tools and sub-agents finish in parallel, and edits made in Studio arrive as plain dicts.
    """
    merged = {(each.step, each.call.id): each for each in [*old, *map(Exchange.model_validate, new)]}
    return [merged[key] for key in sorted(merged, key=lambda key: key[0])]


def merge_failures(old: Sequence[Failure], new: Sequence[Failure | dict[str, Any]]) -> list[Failure]:
    """Return all failures, each once, in the order they were first seen."""
    return list(dict.fromkeys([*old, *map(Failure.model_validate, new)]))


def add_counts(old: Mapping[str, int], new: Mapping[str, int]) -> dict[str, int]:
    """Return the sums by name."""
    return dict(Counter(old) + Counter(new))


def add_usage(old: Usage, new: Usage | dict[str, Any]) -> Usage:
    """Return the sum, field by field."""
    one, other = old.model_dump(), Usage.model_validate(new).model_dump()
    return Usage(**{name: one[name] + other[name] for name in one})


class SessionInput(BaseModel):
    """What starts a turn."""

    request: str = Field(description="What you want to know or have done, in English or Chinese")
    mode: Mode = Field(default="auto", description="explore, analyze, plan or auto")
    turn_id: str = Field(default="", description="Idempotency key of the turn; made up when empty")


class SessionState(SessionInput):
    """Everything the graph knows of a session."""

    schema_version: int = SCHEMA_VERSION
    session: str = ""
    repo: str = ""
    goal: str = ""
    """The session's first request, verbatim."""
    turn: int = 0
    """Number of the running turn, from 1."""
    request: str = ""
    head: str = ""
    """Archive id of the newest finished turn on this line; a fork's line goes its own way from there."""
    history: list[Message] = Field(default_factory=list)
    """The newest messages of earlier turns (classic bound: 20); all of them are in the archive."""
    digest: str = ""
    """What stands for the turns that left `history`: a line for each, or a model's summary; turn numbers in both."""
    compactions: list[Compaction] = Field(default_factory=list)
    """What the newest compactions did, at most ten records."""
    summary_failures: int = 0
    """Summaries a model failed at in a row."""
    spent: Annotated[Usage, add_usage] = Usage()
    """All model calls of the session so far, those of note writer, summariser and sub-agents included; a node
    returns what it adds."""
    token_factor: float = 1.0
    """How many tokens the provider counts where our tokenizer counts one, >= 1.0 (from its reported usage): the
    ceiling is divided by it."""
    totals: dict[str, int] = Field(default_factory=dict)
    """`stats` of all finished turns, added up."""
    agreed: dict[str, Decision] = Field(default_factory=dict)
    """What the user decided for the whole session, `session` or `never`, by the text that was put to them."""
    heard: list[str] = Field(default_factory=list)
    """Ids of the newest messages that were added between steps."""
    situation: Situation | None = None
    """The world as the newest turn saw it when it started."""

    # this turn
    started_at: datetime | None = None
    language: Language = "en"
    active_mode: Mode = "explore"
    """The mode at work: `mode`, or what auto picked."""
    mode_reason: str = ""
    first_look: list[ContextPacket] = Field(default_factory=list)
    """What the mode collected before anything else."""
    exchanges: Annotated[list[Exchange], merge_exchanges] = Field(default_factory=list)
    """Every tool call of this turn with its result; a node returns the new ones only."""
    candidates: list[ContextPacket] = Field(default_factory=list)
    sources: list[SourceReport] = Field(default_factory=list)
    """How each source did in the newest gathering."""
    selected: list[ContextPacket] = Field(default_factory=list)
    dropped: list[Dropped] = Field(default_factory=list)
    prompt: Prompt | None = None
    receipt: str = ""
    """Id of the newest build's receipt."""
    shrink: float = 1.0
    """Share of the budget still used, in (0, 1]; below 1 after a provider found a request too long."""
    step: int = 0
    """Model calls made in this turn."""
    used: Annotated[Usage, add_usage] = Usage()
    """All model calls of this turn; a node returns what it adds."""
    reply: Reply | None = None
    answer: str = ""
    citations: list[Citation] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)
    """Ids of the notes this turn wrote or updated."""
    approvals: dict[str, Decision] = Field(default_factory=dict)
    """What the user decided, by id of the tool call."""
    remarks: dict[str, str] = Field(default_factory=dict)
    """What the user said instead of a plain yes or no, by id of the tool call; the model is told."""
    outcome: str = ""
    """How the turn ended where that needs saying, for example `"stopped: the same call three times"`."""
    stats: Annotated[dict[str, int], add_counts] = Field(default_factory=dict)
    """Counted by the tools themselves: commands_executed, notes_created, issues_found, ...; a node returns what
    it adds."""
    failures: Annotated[list[Failure], merge_failures] = Field(default_factory=list)
    """A node returns the new ones only."""
