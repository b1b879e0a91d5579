"""Sessions written by other versions: older ones are brought up to date, newer ones are refused untouched."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, CheckpointMetadata
from langgraph.checkpoint.base.id import uuid6
from langgraph.types import Send

from ...state.errors import NewerSchema
from ...state.session import SCHEMA_VERSION
from ..checkpoints import Checkpointer

Migration = Callable[[dict[str, Any]], dict[str, Any]]
"""Takes the state's values under one version and returns those of the next."""


@dataclass(frozen=True, kw_only=True)
class Schema:
    """What this version writes, and how it reads what others wrote."""

    version: int = SCHEMA_VERSION
    migrations: Mapping[int, Migration] = field(default_factory=dict)
    """By the version they start from; each leads to the next."""
    node_aliases: Mapping[str, str] = field(default_factory=dict)
    """Old name of a node to its name now. Without one, a session that waits at a renamed node ends silently."""


CURRENT = Schema()


def migrate_thread(saver: Checkpointer, thread_id: str, name: str, schema: Schema = CURRENT) -> str:
    """Bring a session's newest checkpoint up to date; return what was done in one sentence, or ``""``.

    The old checkpoint stays as the new one's parent. A step that was under way is done again.

    Raises:
        NewerSchema: A newer version wrote it; nothing is touched.
    """
    config: RunnableConfig = {"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}}
    stored = saver.get_tuple(config)
    if stored is None:
        return ""
    checkpoint = stored.checkpoint
    found = int(checkpoint["channel_values"].get("schema_version") or 1)
    if found > schema.version:
        raise NewerSchema(
            f"session {name!r} was written by a newer maintainer (schema {found}, this one knows {schema.version}): "
            "upgrade maintainer; nothing was changed"
        )
    names = _Names(schema.node_aliases)
    renamed = names.of_today(checkpoint)
    if found == schema.version and renamed == checkpoint:
        return ""
    values = renamed["channel_values"]
    for version in range(found, schema.version):
        values = schema.migrations[version](dict(values))
    values = {**values, "schema_version": schema.version}
    old = checkpoint["channel_values"]
    changed = {name for name, value in values.items() if name not in old or value is not old[name]}
    versions: dict[
        str, str | int | float
    ] = {  # a changed value needs a new version: stores keep one value for each version
        name: renamed["channel_versions"].get(name, "")
        if name.startswith(_TRIGGER)
        else saver.get_next_version(str(renamed["channel_versions"].get(name, "0")), None)
        for name in changed
    }
    renamed["channel_values"] = values
    renamed["channel_versions"] = {**renamed["channel_versions"], **versions}
    renamed["id"] = str(uuid6(clock_seq=-2))
    renamed["ts"] = datetime.now(UTC).isoformat()
    metadata: CheckpointMetadata = {**stored.metadata, "source": "update", "step": stored.metadata.get("step", -1) + 1}
    saver.put(stored.config, renamed, metadata, versions)
    if found == schema.version:
        return f"session {name!r} now uses today's names of the graph's nodes"
    return f"session {name!r} was brought from schema {found} to {schema.version}"


_TRIGGER = "branch:to:"
"""LangGraph's channel that makes a node run next."""


@dataclass(frozen=True)
class _Names:
    """Rewrites a checkpoint to the names the graph's nodes have today."""

    aliases: Mapping[str, str]

    def of_today(self, checkpoint: Checkpoint) -> Checkpoint:
        """Return a copy in which every trigger and every pending task names a node of today."""
        today = checkpoint.copy()
        today["channel_values"] = {self._channel(k): self._value(v) for k, v in checkpoint["channel_values"].items()}
        today["channel_versions"] = {self._channel(k): v for k, v in checkpoint["channel_versions"].items()}
        today["versions_seen"] = {
            self.aliases.get(node, node): {self._channel(k): v for k, v in seen.items()}
            for node, seen in checkpoint["versions_seen"].items()
        }
        updated = checkpoint.get("updated_channels")
        today["updated_channels"] = None if updated is None else [self._channel(name) for name in updated]
        return today

    def _channel(self, name: str) -> str:
        node = name.removeprefix(_TRIGGER)
        return f"{_TRIGGER}{self.aliases[node]}" if name.startswith(_TRIGGER) and node in self.aliases else name

    def _value(self, value: Any) -> Any:
        if isinstance(value, list) and any(isinstance(item, Send) and item.node in self.aliases for item in value):
            return [Send(self.aliases.get(i.node, i.node), i.arg) if isinstance(i, Send) else i for i in value]
        return value
