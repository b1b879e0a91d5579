"""`ContextBuilder`: gather, select, structure, compress, without the graph."""

import time
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Literal, Protocol

from ..nodes.gather import collect
from ..nodes.prompts.account import shared_tokens
from ..nodes.scoring.budget import adapted
from ..nodes.scoring.meaning import Meaning
from ..state.errors import ConfigError
from ..state.packet import ContextPacket, Need, PacketSource
from ..state.receipt import Receipt, SourceReport
from ..state.session import Language
from ..state.settings import ContextConfig
from ..tools.clock import Clock, SystemClock
from ..tools.embeddings import Embedder, open_embedder
from ..tools.evidence import SearchSource
from ..tools.receipts import ReceiptStore
from ..tools.tokens import TokenCounter, open_counter
from .conversation import read_conversation
from .strategies import LISTED, STRATEGIES, Built, Offer

MEMORY_LIMIT, MEMORY_LEAST_IMPORTANCE, MEMORY_TIMEOUT_S = 10, 0.3, 0.5
RAG_LIMIT, RAG_LEAST_SCORE, RAG_TIMEOUT_S = 5, 0.3, 3.0
"""Hello-Agents, ch. 9.3."""


class Originals(Protocol):
    """Where full texts are kept so that a shortened one can be opened again."""

    def put(self, text: str) -> str:
        """Keep a text and return its handle."""
        ...


class ContextBuilder:
    """Builds the context of one model call as text, never a token over the budget.

    Args:
        memory_tool: Anything with `search(query, limit=...)`, or `run({"action": "search", ...})`, that returns
            structured results. An answer in prose is no evidence: it is left out and stands in the receipt.
        rag_tool: The same, for documents and code.
        config: Budget, thresholds and weights.
        strategy: `"default"`, or `"classic"` for the published method with its published faults.
        sources: Further sources; each is asked in parallel, within its own time.
        counter: The tokenizer budgets are counted in; by default o200k_base.
        clock: By default the machine's.
        embedder: What judges closeness of meaning when there are few candidates: an embedder, its setting
            (`tools.embeddings.open_embedder`), or None for words alone.
        receipts: Keeps every receipt; by default only the last one is there, as `receipt`.
        originals: Keeps what compression takes out, so that it can be read again.
        definitions: Tools that will be sent along: they count against the budget.
        language: Of the standing texts; by default that of the request.

    Raises:
        ConfigError: The strategy, the tokenizer or the embedder is unknown.
    """

    def __init__(
        self,
        memory_tool: Any = None,
        rag_tool: Any = None,
        config: ContextConfig | None = None,
        strategy: Literal["default", "classic"] = "default",
        *,
        sources: Sequence[PacketSource] = (),
        counter: TokenCounter | None = None,
        clock: Clock | None = None,
        embedder: Embedder | str | None = "default",
        originals: Originals | None = None,
        receipts: ReceiptStore | None = None,
        definitions: Sequence[Mapping[str, Any]] = (),
        language: Language | None = None,
    ) -> None:
        if strategy not in STRATEGIES:
            raise ConfigError("strategy", strategy, f"must be one of {', '.join(STRATEGIES)}")
        self.config = config or ContextConfig()
        self.receipt: Receipt | None = None
        """Of the last build; None before the first."""
        self._strategy = strategy
        self._sources = [*_tool_sources(memory_tool, rag_tool), *sources]
        self._counter = counter or open_counter()
        self._clock = clock or SystemClock()
        self._meaning = _named_meaning(embedder) if isinstance(embedder, str) else _meaning(embedder)
        self._originals = originals
        self._receipts = receipts
        self._definitions = definitions
        self._language: Language | None = language
        self._last = ""

    def build(
        self,
        user_query: str,
        conversation_history: Iterable[Any] | None = (),
        system_instructions: str | None = "",
        custom_packets: Iterable[ContextPacket] | None = (),
        *,
        additional_packets: Iterable[ContextPacket] | None = (),
        load: float = 0.0,
    ) -> str:
        """Return the context for a request; its receipt is in `receipt`.

        Args:
            user_query: The newest request.
            conversation_history: Oldest first: messages of ours or LangChain's, dicts, or (role, content) pairs.
            system_instructions: Stand at the start, whole, whatever the budget.
            custom_packets: Packets of the caller's own; a score they bring stands as it is.
            additional_packets: Another name for `custom_packets`.
            load: How loaded the session is, in [0, 1]; matters when `config.adaptive` is set.

        Raises:
            BudgetError: What must be in the context is larger than the budget.
            ConfigError: A message or a packet is not one.
        """
        started, now = time.perf_counter(), self._clock.now()
        if not isinstance(user_query, str):
            raise ConfigError("user_query", user_query, "must be a text")
        custom = _checked_packets([*(custom_packets or ()), *(additional_packets or ())])
        history = read_conversation(conversation_history or (), now)
        config = adapted(self.config, user_query, load)
        gathered, reports = collect(Need(text=user_query), self._sources)
        after_gather = time.perf_counter()
        offer = Offer(
            query=user_query,
            instructions=system_instructions or "",
            history=history,
            custom=custom,
            gathered=gathered,
            config=config,
            counter=self._counter,
            now=now,
            definitions=self._definitions,
            meaning=self._meaning,
            language=self._language,
            keep=self._originals.put if self._originals is not None else lambda _: "",
        )
        built = STRATEGIES[self._strategy](offer)
        ended = time.perf_counter()
        timings = {"gather": round(after_gather - started, 5), "build": round(ended - after_gather, 5)}
        self.receipt = self._receipt(offer, built, reports, timings)
        if self._receipts is not None:
            self._receipts.save(self.receipt)
        self._last = built.text
        return built.text

    def _receipt(
        self, offer: Offer, built: Built, reports: Sequence[SourceReport], timings: Mapping[str, float]
    ) -> Receipt:
        config, counter = offer.config, self._counter
        failures = [f"gather:{each.name}: {each.failure}" for each in reports if each.failure]
        if not counter.exact:
            failures.append(f"tokens are estimated ({counter.name}): no table of the tokenizer could be loaded")
        return Receipt(
            strategy=self._strategy,
            tokenizer=counter.name,
            exact=counter.exact,
            budget=config.max_tokens,
            reply_reserve=config.reply_reserve,
            tokens=built.tokens,
            sections=dict(built.sections),
            utilisation=round(built.tokens / config.ceiling, 4),
            stable_tokens=shared_tokens(self._last, built.text, counter) if self._last else 0,
            sources=tuple(reports),
            entries=tuple(built.entries),
            unlisted=dict(built.unlisted),
            removals=tuple(built.removals),
            timings_s=timings,
            failures=(*failures, *built.failures),
            quality=built.quality,
            request=offer.query,
            at=_iso(offer.now),
            prompt={"text": built.text},
        ).shortened(LISTED)


def _meaning(embedder: Embedder | None) -> Meaning | None:
    return None if embedder is None else Meaning(embedder)


@cache
def _named_meaning(setting: str) -> Meaning | None:
    """Return the meaning of a setting, one per process: a model is loaded once, however many builders there are."""
    return _meaning(open_embedder(setting))


def _tool_sources(memory_tool: Any, rag_tool: Any) -> list[PacketSource]:
    sources: list[PacketSource] = []
    if memory_tool is not None:
        least = ("importance", MEMORY_LEAST_IMPORTANCE)
        sources.append(
            SearchSource(
                memory_tool, name="memory", kind="memory", limit=MEMORY_LIMIT, timeout_s=MEMORY_TIMEOUT_S, least=least
            )
        )
    if rag_tool is not None:
        least = ("score", RAG_LEAST_SCORE)
        sources.append(
            SearchSource(rag_tool, name="rag", kind="rag_result", limit=RAG_LIMIT, timeout_s=RAG_TIMEOUT_S, least=least)
        )
    return sources


def _checked_packets(packets: Sequence[Any]) -> list[ContextPacket]:
    for place, packet in enumerate(packets):
        if not isinstance(packet, ContextPacket):
            raise ConfigError(f"custom_packets[{place}]", type(packet).__name__, "must be a ContextPacket")
    return list(packets)


def _iso(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
