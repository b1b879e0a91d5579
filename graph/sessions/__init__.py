"""Sessions: named, locked, resumable, with a past one can look into."""

from .catalogue import SessionCatalogue, SessionRecord
from .names import thread_id
from .resume import Limits, Turn, continue_thread
from .session import Session
from .sessions import Sessions
from .signals import draining

__all__ = [
    "Limits",
    "Session",
    "SessionCatalogue",
    "SessionRecord",
    "Sessions",
    "Turn",
    "continue_thread",
    "draining",
    "thread_id",
]
