"""Tool calls with their results, within a room: the newest whole, older ones as a line and a handle."""

import json
from collections.abc import Callable, Sequence

from ...state.session import Exchange
from ...tools.tokens import TokenCounter
from .excerpt import ends

OVERHEAD = 8
"""Tokens of the two messages around a call and its result, beside their texts."""
_LONG_ARGUMENT = 200
"""Characters; longer arguments of older calls are cut to this."""


def exchange_tokens(exchange: Exchange, counter: TokenCounter) -> int:
    """Return what a call and its result cost as messages, with what the model said and thought beside them."""
    call = exchange.call
    arguments = json.dumps(call.arguments, ensure_ascii=False)
    thinking = json.dumps(exchange.thinking, ensure_ascii=False) if exchange.thinking else ""
    texts = (call.id, call.id, call.name, arguments, exchange.result, exchange.reasoning, thinking)
    return OVERHEAD + sum(map(counter.count, texts))


def fit_exchanges(
    exchanges: Sequence[Exchange], room: int, counter: TokenCounter, keep: Callable[[str], str]
) -> list[Exchange]:
    """Return the exchanges that fit into `room` tokens, in their order, always as whole pairs.

    The newest are kept whole as far as they fit, a longer one with its two ends; older ones shrink to one line with
    the handle of the result; the oldest go altogether when even the lines do not fit.

    Args:
        exchanges: Oldest first.
        room: In tokens.
        counter: Counts tokens.
        keep: Keeps a text and returns its handle; `""` where nothing can be kept.
    """
    if sum(exchange_tokens(each, counter) for each in exchanges) <= room:
        return list(exchanges)
    small: list[Exchange] = []
    used = 0
    for each in reversed(exchanges):
        line = _as_line(each, counter, keep)
        size = exchange_tokens(line, counter)
        if used + size > room:
            break
        small.append(line)
        used += size
    fitted = list(small)  # newest first
    for place, whole in enumerate(reversed(exchanges[len(exchanges) - len(small) :])):
        line_size = exchange_tokens(small[place], counter)
        better = _within(whole, room - used + line_size, counter, keep)
        if better is None:
            break
        fitted[place] = better
        used += exchange_tokens(better, counter) - line_size
    return fitted[::-1]


def _as_line(exchange: Exchange, counter: TokenCounter, keep: Callable[[str], str]) -> Exchange:
    """Return an exchange with its result cut to the first line and the handle of the whole."""
    handle = exchange.handle or keep(exchange.result)
    first = next((line.strip() for line in exchange.result.splitlines() if line.strip()), "")
    said = f"[result of {counter.count(exchange.result)} tokens cleared{_reopen(handle)}] {first[:120]}"
    if counter.count(said) >= counter.count(exchange.result):
        said = exchange.result
    arguments = {name: _short(value) for name, value in exchange.call.arguments.items()}
    call = exchange.call.model_copy(update={"arguments": arguments})
    return exchange.model_copy(update={"call": call, "result": said, "handle": handle, "reasoning": "", "thinking": []})


def _within(exchange: Exchange, room: int, counter: TokenCounter, keep: Callable[[str], str]) -> Exchange | None:
    """Return the exchange whole, or with the two ends of its result, or None where that says no more than a line."""
    size = exchange_tokens(exchange, counter)
    if size <= room:
        return exchange
    left = counter.count(exchange.result) - (size - room)
    handle = exchange.handle or keep(exchange.result)
    cut = ends(exchange.result, left, counter, f"shortened{_reopen(handle)}")
    if left < 100 or not cut:
        return None
    return exchange.model_copy(update={"result": cut, "handle": handle})


def _reopen(handle: str) -> str:
    return f", read it with expand({handle!r})" if handle else ""


def _short(value: object) -> object:
    if isinstance(value, str) and len(value) > _LONG_ARGUMENT:
        return value[:_LONG_ARGUMENT] + " ..."
    if isinstance(value, list | dict) and len(json.dumps(value, default=str)) > _LONG_ARGUMENT:
        return "..."
    return value
