"""The fixed skeleton of a request: six sections, the stable ones first."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from ...state.packet import ContextPacket
from ...state.session import Language
from ...tools.tokens import TokenCounter
from .fence import QUOTING, SEPARATOR, harmless, label, plain, without_headers
from .texts import text

ROLE, TASK, STATE, EVIDENCE, CONTEXT, OUTPUT = "Role & Policies", "Task", "State", "Evidence", "Context", "Output"

SECTION_OF_TYPE: Mapping[str, str] = MappingProxyType(
    {
        "system_instruction": ROLE,
        "task_state": STATE,
        "plan": STATE,
        "goal": STATE,
        "progress": STATE,
        "blocker": STATE,
        "fact": STATE,
        "rag": EVIDENCE,
        "rag_result": EVIDENCE,
        "code": EVIDENCE,
        "document": EVIDENCE,
        "evidence": EVIDENCE,
        "first_look": EVIDENCE,
        "git": EVIDENCE,
        "knowledge": EVIDENCE,
        "knowledge_base": EVIDENCE,
        "quality": EVIDENCE,
        "retrieval": EVIDENCE,
        "terminal": EVIDENCE,
        "tool_result": EVIDENCE,
        "output_format": OUTPUT,
    }
)
"""Which section a type belongs to; every other type is [Context]. A new type of section content is one line here."""

_UNLABELLED = frozenset({"anchors", "custom", "history", "conversation_history", "ledger", "note", "notes", "recall"})
"""Sources whose packets say themselves where they come from."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a context is built around: everything that goes in whatever the budget."""

    query: str
    instructions: str = ""
    """The caller's system instructions."""
    guidance: str = ""
    """How this kind of task is worked on; stands after the query, so that the prefix stays the same."""
    output: str = ""
    """The form of the answer; empty: the standing text."""
    language: Language = "en"
    prefix_language: Language | None = None
    """Of [Role & Policies]; None: `language`. Sessions keep one, so that the prefix stays the same."""


def section_of(packet: ContextPacket) -> str:
    """Return the section a packet is rendered in; an open blocker and task state kept as notes are [State]."""
    kind = packet.type
    if kind == "note" and packet.metadata.get("note_type") in ("blocker", "task_state"):
        closed = packet.metadata.get("status") in ("resolved", "superseded", "archived")
        return CONTEXT if closed else STATE
    return SECTION_OF_TYPE.get(kind, CONTEXT)


def block(packet: ContextPacket, text: str | None = None) -> str:
    """Return a packet as it stands in its section: where it comes from, then its harmless content.

    `text` stands in for the content where it was shortened.
    """
    content = harmless(packet.content if text is None else text).strip("\n")
    place, source = place_of(packet), packet.source
    if not place and source in _UNLABELLED:
        return content
    return f"{label(source, place)}\n{content}"


def place_of(packet: ContextPacket) -> str:
    """Return path and lines of a packet as `path:lines`, or `""`."""
    path, lines = packet.metadata.get("path") or "", packet.metadata.get("lines") or ""
    return f"{path}:{lines}" if path and lines else str(path)


def sections(request: Request, packets: Sequence[ContextPacket]) -> dict[str, str]:
    """Return the six sections by name, in their order, each with its header."""
    language = request.language
    role = (plain(request.instructions), text("role", request.prefix_language or language))
    task = (without_headers(plain(request.query)), request.guidance)
    output = (request.output or text("output", language), *(block(p) for p in packets if section_of(p) == OUTPUT))
    bodies = {ROLE: _joined(role), TASK: _joined(task)}
    for name in QUOTING:
        bodies[name] = body_of([packet for packet in packets if section_of(packet) == name], language)
    bodies[OUTPUT] = _joined(output)
    return {name: f"[{name}]\n{body}" for name, body in bodies.items()}


def body_of(packets: Iterable[ContextPacket], language: Language) -> str:
    """Return packets as the body of a section, parted by lines of `---`."""
    items = f"\n{SEPARATOR}\n".join(block(packet) for packet in packets)
    return f"{text('quoted', language)}\n{items}" if items else text("nothing", language)


def quoted_tokens(counter: TokenCounter, language: Language) -> int:
    """Return what the labels of the quoting sections cost, in tokens."""
    return len(QUOTING) * (counter.count(text("quoted", language)) + 1)


def _joined(parts: Iterable[str]) -> str:
    return "\n".join(part for part in parts if part.strip())
