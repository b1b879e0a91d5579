"""One tool as the model sees it, and the gate every result goes through."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from pydantic import BaseModel, ConfigDict, ValidationError

from ...state.session import ToolCall
from ..tokens import TokenCounter


class Arguments(BaseModel):
    """Base of the argument schemas: what is not in the schema is refused, so a typo is seen and not ignored."""

    model_config = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a tool gave back."""

    text: str
    failed: bool = False
    counts: Mapping[str, int] = field(default_factory=dict)
    """What to add to the statistics, for example ``{"commands_executed": 1}``."""
    notes: Sequence[str] = ()
    """Ids of notes written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool: its name, what the model is told, its arguments, and the function behind it."""

    name: str
    description: str
    arguments: type[BaseModel]
    run: Callable[[Any], Outcome]
    """Gets the validated `arguments`; what the model can repair is an `Outcome`, not an exception."""

    def definition(self) -> dict[str, Any]:
        """Return the tool as providers take it: name, description, JSON schema of the arguments."""
        schema = self.arguments.model_json_schema()
        schema.pop("title", None)
        schema.pop("description", None)
        for field_schema in schema.get("properties", {}).values():
            field_schema.pop("title", None)
        function = {"name": self.name, "description": self.description, "parameters": schema}
        return {"type": "function", "function": function}


def call_tool(tools: Mapping[str, Tool], call: ToolCall) -> Outcome:
    """Return the outcome of a call; a wrong name or wrong arguments are answered with what would be right."""
    tool = tools.get(call.name)
    if tool is None:
        return Outcome(text=f"There is no tool {call.name!r}. Tools: {', '.join(tools)}.", failed=True)
    try:
        arguments = tool.arguments.model_validate(call.arguments)
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(map(str, each['loc'])) or 'arguments'}: {each['msg']}" for each in error.errors()
        )
        schema = tool.definition()["function"]["parameters"]
        return Outcome(text=f"{call.name} got wrong arguments ({problems[:600]}). Its schema: {schema}", failed=True)
    try:
        return tool.run(arguments)
    except Exception as error:  # noqa: BLE001 - a failing tool is an answer to the model, never the end of the turn
        return Outcome(text=f"{call.name} failed: {type(error).__name__}: {error}", failed=True)


class Originals(Protocol):
    """Where full texts are kept so that a shortened one can be opened again."""

    def put(self, text: str) -> str:
        """Keep a text and return its handle."""


@dataclass(frozen=True, slots=True)
class Gate:
    """What every tool result passes before a model may see it: secrets masked, length capped, original kept."""

    counter: TokenCounter
    originals: Originals
    mask: Callable[[str], str]
    max_tokens: int = 1000
    """Most tokens of one result; the rest stays readable by handle."""

    def admit(self, text: str) -> tuple[str, str]:
        """Return what the model may see and the handle of the full text (`""` where nothing was left out)."""
        text = self.mask(text)
        total = self.counter.count(text)
        if total <= self.max_tokens:
            return text, ""
        handle = self.originals.put(text)
        room = max(self.max_tokens - 40, 2)
        head, tail = self.counter.head(text, room * 2 // 3), self.counter.tail(text, room // 3)
        left_out = total - self.counter.count(head) - self.counter.count(tail)
        mark = f"\n[... {left_out} of {total} tokens left out; read them with expand({handle!r}) ...]\n"
        return head + mark + tail, handle
