"""What goes in whatever the budget, and the room it leaves for packets."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...state.errors import BudgetError
from ...state.receipt import Removal
from ...state.session import Exchange
from ...tools.tokens import TokenCounter
from ..prompts.assemble import assemble
from ..prompts.skeleton import Request
from .excerpt import ends
from .exchanges import exchange_tokens, fit_exchanges

EXCHANGE_SHARE = 0.6
"""Most of the free room that results of this turn's tool calls may take from other evidence."""
LEAST_QUERY = 30
"""A request is not cut below so many tokens: less of it would be another request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The fixed parts of one request."""

    request: Request
    """With the query cut where it would not fit whole."""
    exchanges: list[Exchange]
    room: int
    """Tokens left for packets."""
    removals: tuple[Removal, ...] = ()


def frame(
    request: Request,
    counter: TokenCounter,
    ceiling: int,
    *,
    exchanges: Sequence[Exchange] = (),
    definitions: Sequence[Mapping[str, Any]] = (),
    keep: Callable[[str], str] = lambda _: "",
    shorten: bool = True,
    as_messages: bool = True,
) -> Frame:
    """Return the fixed parts, fitted, and the room they leave under the ceiling.

    Args:
        request: What the context is built around.
        counter: Counts tokens.
        ceiling: Of the whole request, in tokens.
        exchanges: Tool calls of this turn with their results, oldest first.
        definitions: Tools offered to the model.
        keep: Keeps a text and returns its handle; `""` where nothing can be kept.
        shorten: Whether an over-long query may be cut.
        as_messages: Whether it is sent as messages; else as one text.

    Raises:
        BudgetError: Instructions, tool definitions and skeleton, or the query that may not be cut, are larger.
    """

    def size(candidate: Request) -> int:
        return assemble(candidate, (), counter, definitions=definitions, as_messages=as_messages).tokens

    removals: tuple[Removal, ...] = ()
    if size(request) > ceiling:
        request, removal = _with_shorter_query(request, counter, ceiling, size, keep, shorten)
        removals = (removal,)
    free = ceiling - size(request)
    kept = fit_exchanges(exchanges, int(free * EXCHANGE_SHARE), counter, keep)
    room = free - sum(exchange_tokens(each, counter) for each in kept)
    return Frame(request=request, exchanges=kept, room=room, removals=removals)


def _with_shorter_query(
    request: Request,
    counter: TokenCounter,
    ceiling: int,
    size: Callable[[Request], int],
    keep: Callable[[str], str],
    shorten: bool,
) -> tuple[Request, Removal]:
    bare = size(replace(request, query=""))
    room, whole = ceiling - bare, counter.count(request.query)
    if room < LEAST_QUERY or not shorten:
        raise BudgetError(
            f"the request needs {size(request)} tokens and {ceiling} are allowed: instructions, tool definitions and "
            f"the fixed sections take {bare}, the query {whole}. Raise max_tokens or shorten the instructions"
            + ("" if shorten else ", or set enable_compression")
        )
    handle = keep(request.query)
    reopen = f"; read the whole with expand({handle!r})" if handle else ""
    tokens = room
    while tokens > 0:
        cut = ends(request.query, tokens, counter, f"the middle of this request is left out{reopen}")
        cut = cut or counter.head(request.query, tokens)
        shorter = replace(request, query=cut)
        over = size(shorter) - ceiling
        if over <= 0:
            left_out = whole - counter.count(cut)
            return shorter, Removal(what="query", tokens=left_out, rule="longer than the budget", handle=handle)
        tokens -= over
    raise BudgetError(f"no part of the query fits into {ceiling} tokens: raise max_tokens")
