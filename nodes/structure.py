"""Structure: the selected packets in the fixed skeleton, counted."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict

from langgraph.runtime import Runtime

from ..state.session import Prompt, SessionState
from ..state.settings import RunSettings
from ..tools.tokens import TokenCounter
from .packing.frame import frame
from .prompts.assemble import assemble
from .prompts.request import ceiling_of, in_order, request_of


class StructureUpdate(TypedDict):
    """What `structure` writes."""

    prompt: Prompt


def structure(
    state: SessionState,
    runtime: Runtime[RunSettings],
    *,
    instructions: str,
    counter: TokenCounter,
    definitions: Sequence[Mapping[str, Any]] = (),
    keep: Callable[[str], str] = lambda _: "",
) -> StructureUpdate:
    """Read `request`, `selected` and `exchanges`; write `prompt`.

    Raises:
        BudgetError: What must be in the prompt is larger than the budget.
    """
    request = request_of(state, instructions)
    ceiling = ceiling_of(state, runtime.context)
    fixed = frame(request, counter, ceiling, exchanges=state.exchanges, definitions=definitions, keep=keep)
    packets = in_order(state.selected)
    return {"prompt": assemble(fixed.request, packets, counter, exchanges=fixed.exchanges, definitions=definitions)}
