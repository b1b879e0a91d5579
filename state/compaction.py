"""Compaction: what a summary must hold, and the record each compaction leaves."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from .packet import UtcTime

Layer = Literal["clear", "drop", "digest", "summary"]
KEPT_COMPACTIONS = 10
"""Records a session keeps."""


class Compaction(BaseModel):
    """One layer of one compaction."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    turn: int
    at: UtcTime
    layer: Layer
    tokens_before: int
    """Of the history window with its digest, by the session's tokenizer."""
    tokens_after: int
    gone: list[str] = Field(default_factory=list)
    """What left the window, for example `"turn 3"`; all of it is in the archive."""
    model: str = ""
    """Name of the model that wrote the summary; `""` for the layers that need none."""
    seconds: float = 0.0
    failure: str = ""
    """Why the layer was given up; history is then as it was before the layer."""


class Point(BaseModel):
    """One sentence of a summary."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(min_length=1)
    turns: list[int] = Field(min_length=1, description="Numbers of the turns this was said in")


class Done(Point):
    """Something that is done."""

    evidence: str = Field(min_length=1, description="What shows that it is done: a path, a commit, an output")


class Summary(BaseModel):
    """What a model's summary must hold; an answer without one of these fields is refused."""

    model_config = ConfigDict(extra="forbid")

    goal: str = Field(min_length=1, description="What the user wants to reach, in their words")
    decisions: list[Point] = Field(description="Decisions with their reasons")
    open_problems: list[Point]
    file_changes: list[Point]
    preferences: list[Point] = Field(description="Rules and wishes of the user")
    plan: list[str] = Field(description="Steps, each with [x] done, [>] in progress or [ ] to do")
    done: list[Done]
    next_action: str = Field(min_length=1)
