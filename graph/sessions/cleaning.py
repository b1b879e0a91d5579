"""Many sessions cleaned up at once, beside processes that write some of them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from ...state.errors import SessionBusy, UnknownSession
from ..checkpoints import KeepPolicy
from .catalogue import SessionRecord
from .deletion import Proof, SessionStore
from .sessions import Sessions


@dataclass(slots=True)
class Cleaned:
    """What was done."""

    removed: dict[str, int] = field(default_factory=dict)
    """Steps removed, by session."""
    deleted: list[Proof] = field(default_factory=list)
    in_use: list[str] = field(default_factory=list)
    """Sessions left as they are, since another process is writing them."""
    bytes_before: int = 0
    bytes_after: int = 0


def clean(
    sessions: Sessions,
    chosen: Sequence[SessionRecord],
    old: Collection[SessionRecord],
    policy: KeepPolicy,
    stores: Sequence[SessionStore],
    *,
    skip_busy: bool,
) -> Cleaned:
    """Delete those of the chosen sessions that are old, prune the others by policy, and return what was done.

    A session that somebody has deleted or used since it was chosen is passed over.

    Raises:
        SessionBusy: Another process is writing one, and such are not to be skipped.
    """
    done = Cleaned(bytes_before=sessions.checkpointer.size_bytes())
    for record in chosen:
        try:
            if record not in old:
                done.removed[record.name] = sessions.prune(record.name, policy)
            elif sessions.catalogue.find(record.name) == record:
                done.deleted.append(sessions.delete(record.name, stores))
        except UnknownSession:
            continue  # deleted meanwhile
        except SessionBusy:
            if not skip_busy:
                raise
            done.in_use.append(record.name)
    sessions.checkpointer.settle()
    done.bytes_after = sessions.checkpointer.size_bytes()
    return done
