"""One tool as the model sees it, and how a call becomes an outcome."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from ...state.errors import MaintainerError
from ...state.session import Decision, ToolCall
from ..repair import INVALID_JSON, problems_of


class Arguments(BaseModel):
    """Base of the argument schemas: what is not in the schema is refused, so a typo is seen and not ignored."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """On whose behalf a tool works."""

    session: str
    turn: int
    started_at: datetime
    """When the turn started."""
    turn_id: str
    """The same when a turn is run again after a crash: what must not happen twice takes its id from this."""
    head: str = ""
    """Archive id of the newest finished turn on the session's own line; `""` before the first."""


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
class Asked:
    """What a person would have to agree to before a call is run."""

    what: str
    """As the person is shown it. A decision for the session holds for exactly this text."""
    reason: str
    """Why it is not run without asking."""
    risk: str = ""
    """What it could do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    """A tool: its name, what the model is told, its arguments, and the function behind it."""

    name: str
    description: str
    arguments: type[Arguments]
    run: Callable[[Any, Caller], Outcome]
    """Gets the validated `arguments`; what the model can repair is an `Outcome`, not an exception."""
    ask: Callable[[Any, Caller], Asked | None] = lambda *_: None
    """Says what a person must agree to first, from the validated `arguments`."""
    run_agreed: Callable[[Any, Caller], Outcome] | None = None
    """Instead of `run`, after a person agreed; None where that makes no difference."""

    def definition(self) -> dict[str, Any]:
        """Return the tool as providers take it: name, description, JSON schema of the arguments."""
        schema = self.arguments.model_json_schema()
        schema.pop("description", None)
        parameters = _lean(schema, schema.get("$defs", {}))
        function = {"name": self.name, "description": self.description, "parameters": parameters}
        return {"type": "function", "function": function}


_SENT = ("type", "description", "enum", "items", "properties", "required")
"""What of a JSON schema a model is told. Limits and defaults cost tokens in every request; whoever breaks a limit is
told it then."""


def _lean(schema: Mapping[str, Any], kinds: Mapping[str, Any]) -> dict[str, Any]:
    """Return a JSON schema with names resolved and without what costs tokens and tells a model little."""
    if "$ref" in schema:
        schema = {**kinds[schema["$ref"].rpartition("/")[2]], "description": schema.get("description")}
    if "anyOf" in schema:  # what may be left out
        schema = {**schema["anyOf"][0], "description": schema.get("description")}
        return _lean(schema, kinds)
    lean = {key: schema[key] for key in _SENT if schema.get(key)}
    if "properties" in lean:
        lean["properties"] = {name: _lean(each, kinds) for name, each in lean["properties"].items()}
    if "items" in lean:
        lean["items"] = _lean(lean["items"], kinds)
    return lean


def call_tool(
    tools: Mapping[str, Tool], call: ToolCall, caller: Caller, *, decision: Decision | None = None, remark: str = ""
) -> Outcome:
    """Return the outcome of a call; a wrong name or wrong arguments are answered with what would be right.

    Args:
        tools: By name.
        call: What the model asks for.
        caller: On whose behalf.
        decision: What a person said to it; None where nobody was asked.
        remark: What the person said besides.
    """
    checked = check(tools, call)
    if isinstance(checked, Outcome):
        return checked
    tool, arguments = checked
    try:
        asked = tool.ask(arguments, caller)
        if asked is not None and decision not in ("once", "session"):
            why = "the user said no" if decision == "never" else asked.reason
            said = f" The user says: {remark}" if remark else ""
            return Outcome(text=f"Not run: {why}. Find another way, or ask the user.{said}", failed=True)
        run = tool.run_agreed if asked is not None and tool.run_agreed else tool.run
        return run(arguments, caller)
    except MaintainerError as error:
        return Outcome(text=f"{call.name}: {error}", failed=True)
    except Exception as error:  # noqa: BLE001 - a failing tool is an answer to the model, never the end of the turn
        return Outcome(text=f"{call.name} failed: {type(error).__name__}: {error}", failed=True)


def check(tools: Mapping[str, Tool], call: ToolCall) -> tuple[Tool, Arguments] | Outcome:
    """Return the tool with its validated arguments, or the outcome that says what is wrong with the call."""
    tool = tools.get(call.name)
    if tool is None:
        return Outcome(text=f"There is no tool {call.name!r}. Tools: {', '.join(tools)}.", failed=True)
    try:
        return tool, tool.arguments.model_validate(call.arguments)
    except ValidationError as error:
        problem = problems_of(error)
        if INVALID_JSON in call.arguments:
            problem = f"no JSON object: {str(call.arguments[INVALID_JSON])[:200]}"
        schema = tool.definition()["function"]["parameters"]
        text = f"{call.name} got wrong arguments ({problem[:600]}). Its schema: {schema}"
        return Outcome(text=text, failed=True)


def to_ask(tools: Mapping[str, Tool], call: ToolCall, caller: Caller) -> Asked | None:
    """Return what a person must agree to before this call is run; None for calls that just run, or just fail."""
    checked = check(tools, call)
    if isinstance(checked, Outcome):
        return None
    tool, arguments = checked
    return tool.ask(arguments, caller)
