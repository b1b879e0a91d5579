"""Structure: the selected packets in the fixed skeleton, counted."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict

from langgraph.runtime import Runtime

from ..state.session import Prompt, SessionState
from ..state.settings import RunSettings
from ..tools.clock import Clock
from ..tools.tokens import TokenCounter
from .packing.frame import frame
from .prompts.account import Receipts, account
from .prompts.assemble import assemble
from .prompts.request import ceiling_of, config_of, in_order, request_of


class StructureUpdate(TypedDict):
    """What `structure` writes."""

    prompt: Prompt
    receipt: str


def structure(
    state: SessionState,
    runtime: Runtime[RunSettings],
    *,
    instructions: str,
    counter: TokenCounter,
    clock: Clock,
    receipts: Receipts | None = None,
    definitions: Sequence[Mapping[str, Any]] = (),
    keep: Callable[[str], str] = lambda _: "",
) -> StructureUpdate:
    """Read `request`, `selected` and `exchanges`; write `prompt`, and `receipt` where it is within the budget.

    Raises:
        BudgetError: What must be in the prompt is larger than the budget.
    """
    request = request_of(state, instructions)
    ceiling = ceiling_of(state, runtime.context)
    fixed = frame(request, counter, ceiling, exchanges=state.exchanges, definitions=definitions, keep=keep)
    packets = in_order(state.selected)
    prompt = assemble(fixed.request, packets, counter, exchanges=fixed.exchanges, definitions=definitions)
    if receipts is None or prompt.tokens > ceiling:
        return {"prompt": prompt, "receipt": ""}  # what is over the budget is accounted for by compress
    receipt = account(
        state,
        prompt,
        packets,
        config_of(runtime.context),
        counter,
        clock.now(),
        ceiling=ceiling,
        before=receipts.last_prompt(state.session),
        removals=fixed.removals,
    )
    return {"prompt": prompt, "receipt": receipts.save(receipt)}
