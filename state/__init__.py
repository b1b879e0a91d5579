"""What is known: plain typed data, settings, errors. No input or output, no clock."""

from .notes import Note, NoteSource, NoteStatus, NoteType
from .packet import ContextPacket, Need, PacketSource
from .settings import ContextConfig

__all__ = [
    "ContextConfig",
    "ContextPacket",
    "Need",
    "Note",
    "NoteSource",
    "NoteStatus",
    "NoteType",
    "PacketSource",
]
