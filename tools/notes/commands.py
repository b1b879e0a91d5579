"""The notes by one dictionary, as a model or another program asks for them; answers are plain data, too."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Protocol

from ...state.errors import InvalidNote, MaintainerError
from ...state.notes import Note, NoteRow, NotesSummary
from .front_matter import iso

_FIELDS = {"title", "content", "note_type", "tags", "status", "links", "sources", "extra"}
_FILTERS = {"note_type", "tags", "limit", "all_tags", "status", "since", "until", "path"}


class Notebook(Protocol):
    """What the actions are done with; arguments are checked by name before it is asked."""

    @property
    def notices(self) -> list[str]:
        """Say what works less well than it should."""
        ...

    def create(self, title: str, content: str, *args: Any, **values: Any) -> Note:
        """Write a note."""
        ...

    def read(self, note_id: str) -> Note:
        """Return a note."""
        ...

    def update(self, note_id: str, *args: Any, **values: Any) -> Note:
        """Change fields of a note."""
        ...

    def search(self, query: str, *args: Any, **filters: Any) -> Iterable[Note]:
        """Return the best notes."""
        ...

    def list(self, *args: Any, **filters: Any) -> Iterable[NoteRow]:
        """Return notes without their texts."""
        ...

    def summary(self) -> NotesSummary:
        """Count what is there."""
        ...

    def delete(self, note_id: str) -> None:
        """Remove a note."""
        ...


def run(tool: Notebook, request: Mapping[str, Any]) -> dict[str, Any]:
    """Do one action and return ``{"ok": True, …}`` with its result, or ``{"ok": False, "error": …}``.

    ============  ===========================================  ======================
    action        further keys                                 result under
    ============  ===========================================  ======================
    ``create``    title, content, note_type, tags, status …    ``note``
    ``read``      note_id                                      ``note``
    ``update``    note_id and what changes                     ``note``
    ``search``    query, limit and the filters of ``list``     ``notes``
    ``list``      note_type, tags, limit, status, since …      ``notes``, without texts
    ``summary``                                                ``summary``
    ``delete``    note_id                                      ``deleted``
    ============  ===========================================  ======================
    """
    try:
        values = dict(request)
        action = values.pop("action", None)
        if not isinstance(action, str) or action not in _ACTIONS:
            raise InvalidNote(f"action is {action!r}: must be one of {', '.join(_ACTIONS)}")
        allowed, required, perform = _ACTIONS[action]
        if unknown := sorted(values.keys() - allowed - required):
            raise InvalidNote(
                f"{action} does not know {unknown[0]!r}: it takes {', '.join(sorted(allowed | required))}"
            )
        if missing := sorted(required - values.keys()):
            raise InvalidNote(f"{action} needs {missing[0]}")
        answer = {"ok": True, **perform(tool, values)}
    except MaintainerError as error:
        answer = {"ok": False, "error": str(error)}
    if tool.notices:
        answer["notices"] = tool.notices
    return answer


def as_data(value: Any) -> dict[str, Any]:
    """Return a note, a row, a summary, a check (any dataclass) as JSON can hold it."""
    return {name: _plain(getattr(value, name)) for name in value.__dataclass_fields__}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return iso(value)
    if hasattr(value, "__dataclass_fields__"):
        return as_data(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, str) else value


def _deleted(tool: Notebook, values: dict[str, Any]) -> dict[str, Any]:
    tool.delete(values["note_id"])
    return {"deleted": values["note_id"]}


Action = Callable[[Notebook, dict[str, Any]], dict[str, Any]]
_ACTIONS: dict[str, tuple[set[str], set[str], Action]] = {
    "create": (_FIELDS, {"title", "content"}, lambda tool, values: {"note": as_data(tool.create(**values))}),
    "read": (set(), {"note_id"}, lambda tool, values: {"note": as_data(tool.read(**values))}),
    "update": (_FIELDS, {"note_id"}, lambda tool, values: {"note": as_data(tool.update(**values))}),
    "search": (
        _FILTERS | {"newest_first"},
        {"query"},
        lambda tool, values: {"notes": [as_data(note) for note in tool.search(**values)]},
    ),
    "list": (_FILTERS, set(), lambda tool, values: {"notes": [as_data(row) for row in tool.list(**values)]}),
    "summary": (set(), set(), lambda tool, _: {"summary": as_data(tool.summary())}),
    "delete": (set(), {"note_id"}, _deleted),
}
