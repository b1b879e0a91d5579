"""The errors a caller can foresee, one tree.

    MaintainerError
    ├── ConfigError         a setting has a wrong value
    ├── BudgetError         what must be in the prompt is larger than the budget
    ├── RepositoryError     the repository cannot be looked after
    ├── StoreError          a file or database of ours cannot be read or written
    │   ├── UnknownHandle   the archive keeps nothing under this handle
    │   ├── StoreBusy       another process holds its lock
    │   └── StoreDamaged    its content is broken, or of another version of this program
    ├── NoteError
    │   ├── UnknownNote     no note has this id
    │   └── InvalidNote     a field of a note has a wrong value
    ├── SessionError
    │   ├── UnknownSession  no session has this name
    │   ├── SessionBusy     another process is writing this session
    │   └── NewerSchema     the session was written by a newer version
    ├── UnknownPlace        a path or its lines are not in the repository, or cannot be read as text
    ├── CommandRefused      the terminal's policy does not allow a command
    ├── LedgerError         an operation on the ledger of standing facts failed
    ├── MemoryProblem       a memory operation got a wrong value
    │   └── UnknownMemory   no memory has this id
    ├── ModelError          the model cannot be reached or refuses
    └── SearchError         an index or an embedder cannot be used

Every message names the value, the rule it breaks and what to do.
"""


class MaintainerError(Exception):
    """Base of all foreseen errors; the command line prints it as one line."""


class ConfigError(MaintainerError):
    """A setting has a wrong value.

    Args:
        field: Name of the setting, as the user writes it.
        value: The value that was given.
        rule: What the value must be, for example ``"must be in [0, 1]"``.
    """

    def __init__(self, field: str, value: object, rule: str) -> None:
        self.field, self.value, self.rule = field, value, rule
        super().__init__(f"{field} is {_short(value)}: {rule}")


class BudgetError(MaintainerError):
    """What must stay whole in the prompt is larger than the token budget."""


class RepositoryError(MaintainerError):
    """The path is no repository that can be looked after."""


class StoreError(MaintainerError):
    """A file or database of ours cannot be read or written."""


class UnknownHandle(StoreError):
    """The archive keeps nothing under this handle or id."""

    def __init__(self, handle: str) -> None:
        self.handle = handle
        super().__init__(f"the archive has no {handle!r}: copy the handle exactly as it was shown")


class StoreBusy(StoreError):
    """Another process holds the lock of this file or database."""


class StoreDamaged(StoreError):
    """The content of a database of ours is broken, or was written by another version of this program."""


class NoteError(MaintainerError):
    """An operation on notes failed."""


class UnknownNote(NoteError):
    """No note has this id."""


class InvalidNote(NoteError):
    """A field of a note has a wrong value."""


class SessionError(MaintainerError):
    """An operation on a session failed."""


class UnknownSession(SessionError):
    """No session has this name."""


class SessionBusy(SessionError):
    """Another process is writing this session."""


class NewerSchema(SessionError):
    """The session was written by a newer version of maintainer."""


class UnknownPlace(MaintainerError):
    """A path or its lines are not in the repository, or cannot be read as text."""


class CommandRefused(MaintainerError):
    """The terminal's policy does not allow a command; the message quotes the offending part and says what to do."""


class LedgerError(MaintainerError):
    """An operation on the ledger of standing facts failed."""


class MemoryProblem(MaintainerError):
    """A memory operation got a wrong value."""

    def __init__(self, field: str, value: object, rule: str) -> None:
        self.field, self.value, self.rule = field, value, rule
        super().__init__(f"{field} is {value!r}: {rule}")


class UnknownMemory(MemoryProblem):
    """No memory has this id."""

    def __init__(self, memory_id: str) -> None:
        super().__init__("memory_id", memory_id, "no memory has it; ids come from add and search")


class ModelError(MaintainerError):
    """The model cannot be reached, refuses the request or answers nothing usable."""


class SearchError(MaintainerError):
    """A search index or an embedder cannot be used."""


def _short(value: object, most: int = 200) -> str:
    """Return a value as a message shows it: a megabyte of it helps nobody."""
    text = repr(value)
    return text if len(text) <= most else f"{text[:most]}... ({len(text):,} characters)"
