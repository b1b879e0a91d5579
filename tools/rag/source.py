"""The repository's code and documents as packets for the context."""

from collections.abc import Sequence

from ...state.packet import ContextPacket, Need
from ..secrets import mask
from .answers import CODE, Passage
from .tool import RAGTool

TIMEOUT_S = 3.0
"""How long a build waits for code (contract of the RAG source)."""
TOKENS = 3_000
"""Offered at most, in tokens; what goes in is for the selection to decide."""
_WAIT_S = 0.3
"""For the words of edited files; what is late is found in the next turn."""
_FIRST_WAIT_S = 2.0
"""While the index is empty, as there is nothing else to offer."""


class CodeSource:
    """A `PacketSource` over a `RAGTool`: passages cut to the lines that matter; never waits for vectors.

    Args:
        tool: Searched; kept up to date in the background.
        tokens: Offered at most.
    """

    name = "rag"
    timeout_s = TIMEOUT_S

    def __init__(self, tool: RAGTool, *, tokens: int = TOKENS) -> None:
        self._tool, self._tokens = tool, tokens

    @property
    def notices(self) -> Sequence[str]:
        """Return what works less well than it should, in words."""
        return self._tool.notices

    def packets(self, need: Need) -> Sequence[ContextPacket]:
        """Return the passages that answer the need, best first, from the index as far as it is built."""
        empty = self._tool.index.store.generation() == 0
        self._tool.catch_up(_FIRST_WAIT_S if empty else _WAIT_S, need.text)
        return [_packet(found) for found in self._tool.within(need.text, self._tokens, terms=need.terms)]


def _packet(found: Passage) -> ContextPacket:
    return ContextPacket(
        content=mask(f"{found.place}\n{found.text}"),
        token_count=found.tokens,
        relevance_score=found.score,
        metadata={
            "type": "code" if found.namespace == CODE else "rag",
            "source": "rag",
            "path": found.path,
            "lines": found.lines,
            "sha256": found.sha256,
            "namespace": found.namespace,
            "symbols": list(found.symbols),
        },
    )
