"""A request put together and counted."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ...state.packet import ContextPacket
from ...state.session import Exchange, Prompt
from ...tools.tokens import TokenCounter
from ..packing.exchanges import exchange_tokens
from .skeleton import ROLE, Request, sections

PER_MESSAGE = 4
PER_REQUEST = 3
PER_TOOL = 8
"""Tokens a provider adds around each message, each request and each tool definition (rounded up from OpenAI's)."""


def definition_tokens(definitions: Sequence[Mapping[str, Any]], counter: TokenCounter) -> int:
    """Return what tool definitions cost."""
    return sum(PER_TOOL + counter.count(json.dumps(each, ensure_ascii=False)) for each in definitions)


def assemble(
    request: Request,
    packets: Sequence[ContextPacket],
    counter: TokenCounter,
    *,
    exchanges: Sequence[Exchange] = (),
    definitions: Sequence[Mapping[str, Any]] = (),
    as_messages: bool = True,
) -> Prompt:
    """Return the whole request with its exact size and the tokens of each part.

    Args:
        request: What it is built around.
        packets: What was selected, in the order in which they are to stand.
        counter: Counts tokens.
        exchanges: Tool calls of this turn with their results.
        definitions: Tools offered to the model.
        as_messages: Whether it is sent as messages; else as one text, without their overhead.
    """
    texts = sections(request, packets)
    system = texts[ROLE]
    user = "\n\n".join(body for name, body in texts.items() if name != ROLE)
    parts = {name: counter.count(body) for name, body in texts.items()}
    parts["tools"] = definition_tokens(definitions, counter)
    parts["exchanges"] = sum(exchange_tokens(each, counter) for each in exchanges)
    if as_messages:
        total = counter.count(system) + counter.count(user) + 2 * PER_MESSAGE + PER_REQUEST
    else:
        total = counter.count(f"{system}\n\n{user}")
    total += parts["tools"] + parts["exchanges"]
    parts["overhead"] = total - sum(parts.values())
    return Prompt(system=system, user=user, exchanges=list(exchanges), tokens=total, sections=parts)


def whole_text(prompt: Prompt) -> str:
    """Return the request as one text."""
    return f"{prompt.system}\n\n{prompt.user}"
