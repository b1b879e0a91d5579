"""Where the steps of a session are kept: one URL decides between memory, SQLite and PostgreSQL."""

from pathlib import Path

from ...state.options import Options
from ...state.urls import check_store
from .base import Checkpointer
from .retention import KeepPolicy
from .serializer import open_serializer

__all__ = ["Checkpointer", "KeepPolicy", "open_checkpointer", "open_store"]


def open_store(home: Path, options: Options) -> Checkpointer:
    """Return the checkpointer the settings name; by default the SQLite file in the home folder. Raises as below."""
    url = options.checkpoints or home / "checkpoints.sqlite"
    return open_checkpointer(url, key=options.checkpoint_key.encode() or None)


def open_checkpointer(url: str | Path, *, key: bytes | None = None) -> Checkpointer:
    """Return the checkpointer a URL names, checked and ready for `invoke` and `ainvoke`.

    Args:
        url: ``"memory"``, a path ending in ``.sqlite``, ``sqlite:///PATH`` or ``postgresql://…``.
        key: 16, 24 or 32 bytes: what is stored is encrypted with AES (see docs/guide/sessions.md for what stays
            in clear). None stores it in clear.

    Raises:
        ConfigError: The URL names no store, or the key has a wrong length.
        StoreError: The store cannot be opened or its driver is not installed.
    """
    text = str(url)
    serializer = open_serializer(key)
    if text in ("memory", "memory:"):
        from .memory import MemoryCheckpointer

        return MemoryCheckpointer(serializer)
    if text.startswith(("postgresql://", "postgres://")):
        from .postgres import open_postgres

        return open_postgres(text, serializer)
    check_store("checkpoints", text)
    from .sqlite_file import open_sqlite

    return open_sqlite(Path(text.removeprefix("sqlite:///")), serializer)
