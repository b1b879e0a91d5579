"""Any search tool as a source of packets: structured results become packets, prose and error texts do not."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeGuard

from pydantic import ValidationError

from ..state.packet import ContextPacket, Need

MOST_RESULTS = 1_000
"""Results looked at, whatever a tool returns."""
_TEXT = ("content", "text", "page_content", "document", "memory", "body", "summary")
_SCORE = ("relevance_score", "relevance", "score", "similarity")
_TIME = ("timestamp", "created_at", "updated_at", "time")
_LISTS = ("results", "items", "memories", "documents", "hits", "data")
_PLACE = ("path", "lines", "note_id", "id", "title", "url", "handle", "importance")


class NotEvidence(ValueError):
    """A tool answered with something that is not a list of results."""


class SearchSource:
    """A `PacketSource` over an object with `search(query, limit=...)`, or `run({"action": "search", ...})`.

    Args:
        tool: The object; a keyword it does not take is not passed.
        name: Shown in receipts and in front of its packets.
        kind: Type of its packets.
        limit: Most packets taken.
        timeout_s: How long a build waits, in seconds.
        least: Field and value below which a result is left out, for example ``("importance", 0.3)``; results
            without the field stay.
    """

    def __init__(
        self, tool: Any, *, name: str, kind: str, limit: int, timeout_s: float, least: tuple[str, float]
    ) -> None:
        if not callable(getattr(tool, "search", None)) and not callable(getattr(tool, "run", None)):
            raise TypeError(
                f"{name}_tool is {type(tool).__name__}: it must have search(query, limit=...) or run({{...}})"
            )
        self.name, self.timeout_s = name, timeout_s
        self.rejected = 0
        """Results of the last search that were no evidence."""
        self._tool, self._kind, self._limit, self._least = tool, kind, limit, least

    def packets(self, need: Need) -> list[ContextPacket]:
        """Return the results as packets, best first.

        Raises:
            NotEvidence: The tool answered with prose, an error, or something else that is no list of results.
        """
        found: list[ContextPacket] = []
        self.rejected = 0
        for place, result in enumerate(_listed(self._ask(need.text))):
            if place >= MOST_RESULTS or len(found) >= self._limit:
                break
            packet = self._packet(result)
            if packet is None:
                self.rejected += 1
            elif self._reaches(result):
                found.append(packet)
        return found

    def _ask(self, query: str) -> Any:
        asked = {"limit": self._limit, f"min_{self._least[0]}": self._least[1]}
        search = getattr(self._tool, "search", None)
        if callable(search):
            return search(query, **_accepted(search, asked))
        return self._tool.run({"action": "search", "query": query, **asked})

    def _reaches(self, result: Any) -> bool:
        value = _field(result, (self._least[0],))
        return not _is_number(value) or value >= self._least[1]

    def _packet(self, result: Any) -> ContextPacket | None:
        if isinstance(result, ContextPacket):
            metadata = {key: result.metadata[key] for key in _PLACE if key in result.metadata}
            text, score, when = result.content, result.relevance_score, result.timestamp
        elif _field(result, ("error",)):
            return None
        else:
            text = _field(result, _TEXT)
            score, when = _field(result, _SCORE), _field(result, _TIME)
            metadata = {key: value for key in _PLACE if isinstance(value := _field(result, (key,)), str | int | float)}
        if not isinstance(text, str) or not text.strip():
            return None
        score = float(score) if _is_number(score) and 0 <= score <= 1 else None
        metadata |= {"type": self._kind, "source": self.name}
        try:
            return ContextPacket(content=text, timestamp=when, relevance_score=score, metadata=metadata)
        except (ValidationError, ValueError, OverflowError):
            return ContextPacket(content=text, relevance_score=score, metadata=metadata)


def _listed(answer: Any) -> Iterable[Any]:
    """Return the list of results inside an answer."""
    if isinstance(answer, Mapping):
        if answer.get("error"):
            raise NotEvidence(f"answered with an error: {str(answer['error'])[:200]}")
        answer = next((answer[key] for key in _LISTS if key in answer), answer)
    if answer is None:
        return ()
    if isinstance(answer, str | bytes | Mapping) or not isinstance(answer, Iterable):
        said = f"{type(answer).__name__}: {str(answer)[:100]!r}"
        raise NotEvidence(f"answered with {said} instead of a list of results; left out")
    return answer


def _field(result: Any, names: Iterable[str]) -> Any:
    """Return the first of the named fields a result has: of a mapping, an object, or its metadata."""
    for name in names:
        value = result.get(name) if isinstance(result, Mapping) else getattr(result, name, None)
        if value is not None and not callable(value):
            return value
    inner = result.get("metadata") if isinstance(result, Mapping) else getattr(result, "metadata", None)
    if isinstance(inner, Mapping):
        return next((inner[name] for name in names if inner.get(name) is not None), None)
    return None


def _is_number(value: Any) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value


def _accepted(function: Callable[..., Any], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return those of the keyword arguments the function takes."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # built in C: nothing is known
        return {}
    if any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters):
        return dict(arguments)
    named = {each.name for each in parameters}
    return {name: value for name, value in arguments.items() if name in named}
