"""The RAG tool by one dictionary, as a model or another program asks for it; answers are plain data, too."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from ...state.errors import ConfigError, MaintainerError
from .answers import Answer, Passage, as_data


class Searchable(Protocol):
    """What is asked; `RAGTool` is it."""

    @property
    def notices(self) -> Sequence[str]:
        """Return what the user should know of."""
        ...

    def add(self, text: str = ..., title: str = ..., *, path: Path | str | None = ..., namespace: str = ...) -> str:
        """Keep a text and return its name."""
        ...

    def search(self, query: str, limit: int = ..., *, min_score: float = ..., namespace: str = ...) -> list[Passage]:
        """Return the passages that answer best."""
        ...

    def ask(self, question: str, limit: int = ...) -> Answer:
        """Return an answer with citations."""
        ...

    def stats(self) -> dict[str, Any]:
        """Return what the index holds."""
        ...

    def clear(self, namespace: str, *, confirm: bool = ...) -> int:
        """Delete one namespace and return how many documents it had."""
        ...


def run(tool: Searchable, request: Mapping[str, Any]) -> dict[str, Any]:
    """Do one action and return ``{"ok": True, …}`` with its result, or ``{"ok": False, "error": …}``.

    ===========  =======================================  ========================
    action       further keys                             result under
    ===========  =======================================  ========================
    ``add``      text or path, title, namespace           ``name``
    ``search``   query, limit, min_score, namespace       ``results``
    ``ask``      question, limit                          ``answer``, ``citations``
    ``stats``                                             ``stats``
    ``clear``    namespace, confirm                       ``removed``
    ===========  =======================================  ========================
    """
    try:
        values = dict(request)
        action = values.pop("action", None)
        if not isinstance(action, str) or action not in _ACTIONS:
            raise ConfigError("action", action, f"must be one of {', '.join(_ACTIONS)}")
        required, optional, perform = _ACTIONS[action]
        for name in values:
            if name not in required | optional:
                raise ConfigError(name, values[name], f"is no argument of {action}")
        for name in required - values.keys():
            raise ConfigError(name, None, f"is needed by {action}")
        answer = {"ok": True, **perform(tool, values)}
    except MaintainerError as error:
        answer = {"ok": False, "error": str(error)}
    if tool.notices:
        answer["notices"] = tool.notices
    return answer


def _search(tool: Searchable, values: dict[str, Any]) -> dict[str, Any]:
    return {"results": [as_data(found) for found in tool.search(**values)]}


def _ask(tool: Searchable, values: dict[str, Any]) -> dict[str, Any]:
    found = tool.ask(**values)
    return {"answer": found.text, "citations": [citation.model_dump() for citation in found.citations]}


Action = Callable[[Searchable, dict[str, Any]], dict[str, Any]]
_ACTIONS: dict[str, tuple[set[str], set[str], Action]] = {
    "add": (set(), {"text", "path", "title", "namespace"}, lambda tool, values: {"name": tool.add(**values)}),
    "search": ({"query"}, {"limit", "min_score", "namespace"}, _search),
    "ask": ({"question"}, {"limit"}, _ask),
    "stats": (set(), set(), lambda tool, _: {"stats": tool.stats()}),
    "clear": ({"namespace"}, {"confirm"}, lambda tool, values: {"removed": tool.clear(**values)}),
}
