"""A session as one portable file: a zip with a manifest, checked byte by byte before anything of it is believed.

`manifest.json` names format, record, schema and the SHA-256 of each other member; `checkpoints.jsonl` holds a step a
line; each further store adds `NAME.jsonl`. Values are as the serializer wrote them: encrypted when the store is.
"""

import base64
import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import CheckpointTuple

from ...state.errors import NewerSchema, SessionError
from ...tools.files import explained, write_atomic
from ..checkpoints import Checkpointer
from .catalogue import SessionRecord, record_from

FORMAT = 1
MAX_BYTES = 2**30
"""Largest sum of unpacked members that is read: a small file must not fill the memory."""


class PortableStore(Protocol):
    """A store whose part of a session can travel with it."""

    @property
    def name(self) -> str:
        """Return the member's name without its ending; letters only."""
        ...

    def lines(self, record: SessionRecord) -> Iterable[str]:
        """Yield the session's entries, one JSON text each, without line breaks."""
        ...

    def take(self, record: SessionRecord, lines: Sequence[str]) -> None:
        """Store such entries; those that are there already are left alone."""
        ...


def write_session(
    path: Path, record: SessionRecord, saver: Checkpointer, schema_version: int, stores: Sequence[PortableStore] = ()
) -> int:
    """Write a session into one file, whole or not at all, and return its size in bytes."""
    rows = [json.dumps(_packed(saver, stored)) for stored in _checkpoints(saver, record.thread_id)]
    members = {"checkpoints": rows} | {store.name: [*store.lines(record)] for store in stores}
    texts = {f"{name}.jsonl": "".join(f"{line}\n" for line in lines).encode() for name, lines in members.items()}
    manifest = {
        "format": FORMAT,
        "schema_version": schema_version,
        "record": record.to_dict(),
        "members": {name: hashlib.sha256(data).hexdigest() for name, data in texts.items()},
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", json.dumps(manifest, ensure_ascii=False, indent=1))
        for name, data in texts.items():
            archive.writestr(name, data)
    data = packed.getvalue()
    write_atomic(path, data, mode=0o600)
    return len(data)


class Parcel:
    """A session file that was read and found whole.

    Raises:
        SessionError: It is no session file, or a byte of it has changed.
        NewerSchema: A newer version wrote it.
        StoreError: It cannot be read.
    """

    def __init__(self, path: Path, schema_version: int) -> None:
        self.path = path
        self._members = self._read()
        try:
            manifest = json.loads(self._members.pop("manifest.json"))
            newer = max(manifest["format"] - FORMAT, manifest["schema_version"] - schema_version) > 0
            self.record = record_from(manifest["record"])
            hashes = dict(manifest["members"])
        except (KeyError, ValueError, TypeError, AttributeError) as error:
            raise SessionError(
                f"{path} is no session file ({error}): make one with `maintainer sessions export`"
            ) from None
        if newer:
            raise NewerSchema(f"{path} was written by a newer maintainer: upgrade it; nothing was imported")
        found = {name: hashlib.sha256(data).hexdigest() for name, data in self._members.items()}
        if found != hashes:
            wrong = sorted(set(found.items()) ^ set(hashes.items()))
            raise SessionError(f"{path} is damaged ({wrong[0][0]} has changed): copy or export it again")

    def lines(self, name: str) -> list[str]:
        """Return the entries of one store, none where the file has none."""
        return self._members.get(f"{name}.jsonl", b"").decode().splitlines()

    def restore(self, saver: Checkpointer, record: SessionRecord) -> None:
        """Put the steps into a thread; on any error nothing of it is left.

        Raises:
            SessionError: A step cannot be read.
            StoreError: It cannot be written, or is encrypted with another key.
        """
        try:
            for line in self.lines("checkpoints"):
                _unpack(saver, json.loads(line), record)
        except BaseException as error:
            saver.delete_thread(record.thread_id)
            if isinstance(error, KeyError | ValueError | TypeError):
                raise SessionError(
                    f"{self.path} holds a step that cannot be read ({error}): export it again"
                ) from error
            raise

    def _read(self) -> dict[str, bytes]:
        with explained("read", self.path):
            if self.path.exists() and not self.path.is_file():  # a device or a pipe may never end
                raise SessionError(
                    f"{self.path} is no regular file: name a file that `maintainer sessions export` wrote"
                )
            data = self.path.read_bytes()
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                if sum(info.file_size for info in archive.infolist()) <= MAX_BYTES:
                    return {info.filename: archive.read(info) for info in archive.infolist()}
        except Exception as error:  # noqa: BLE001 - a broken zip raises whatever its reader stumbles over
            raise SessionError(
                f"{self.path} is damaged or no session file ({error}): copy or export it again"
            ) from None
        raise SessionError(f"{self.path} unpacks to more than {MAX_BYTES} bytes: it is no session file")


def _checkpoints(saver: Checkpointer, thread_id: str) -> Iterator[CheckpointTuple]:
    config: RunnableConfig = {"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}}
    yield from sorted(saver.list(config), key=lambda stored: stored.checkpoint["id"])


def _packed(saver: Checkpointer, stored: CheckpointTuple) -> dict[str, Any]:
    parent = (stored.parent_config or {}).get("configurable", {}).get("checkpoint_id")
    return {
        "parent": parent,
        "metadata": stored.metadata,
        "checkpoint": _dump(saver, stored.checkpoint),
        "writes": [[task, channel, _dump(saver, value)] for task, channel, value in stored.pending_writes or ()],
    }


def _unpack(saver: Checkpointer, row: dict[str, Any], record: SessionRecord) -> None:
    checkpoint = _load(saver, row["checkpoint"])
    values = checkpoint["channel_values"]
    if "session" in values:
        checkpoint["channel_values"] = {**values, "session": record.name}
    config: RunnableConfig = {
        "configurable": {"thread_id": record.thread_id, "checkpoint_ns": "", "checkpoint_id": row["parent"]}
    }
    stored = saver.put(config, checkpoint, row["metadata"], checkpoint["channel_versions"])
    tasks: dict[str, list[tuple[str, Any]]] = {}
    for task, channel, value in row["writes"]:
        tasks.setdefault(task, []).append((channel, _load(saver, value)))
    for task, writes in tasks.items():
        saver.put_writes(stored, writes, task)


def _dump(saver: Checkpointer, value: Any) -> list[str]:
    kind, data = saver.serde.dumps_typed(value)
    return [kind, base64.b64encode(data).decode()]


def _load(saver: Checkpointer, packed: Sequence[str]) -> Any:
    return saver.serde.loads_typed((packed[0], base64.b64decode(packed[1], validate=True)))
