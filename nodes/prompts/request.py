"""From the state of a session to the request it is about to make."""

import re
from collections.abc import Sequence

from ...state.packet import ContextPacket
from ...state.session import Language, SessionState
from ...state.settings import MAINTAINER_CONTEXT, ContextConfig, RunSettings
from ..scoring.budget import adapted
from .skeleton import Request
from .texts import text

_HAN = re.compile(r"[\u3400-\u9fff]")
_OTHER = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
"""Kana and Hangul: where they stand, Chinese characters are no Chinese."""
_LATIN = re.compile(r"[A-Za-z][\w./-]*")


def language_of(said: str) -> Language:
    """Return `zh` for a text with a line in Chinese, else `en`.

    A line is Chinese that begins so, or has as many Chinese characters as words in Latin letters: `价格` named in an
    English sentence does not change its language, nor do identifiers that of a Chinese one.
    """
    return "zh" if any(map(_is_chinese, said.splitlines())) else "en"


def _is_chinese(line: str) -> bool:
    characters = len(_HAN.findall(line))
    if not characters or _OTHER.search(line):
        return False
    return bool(_HAN.match(line.strip())) or characters >= len(_LATIN.findall(line))


def request_of(state: SessionState, instructions: str) -> Request:
    """Return what the next call of a session asks; `instructions` are added to the standing ones.

    The mode speaks in [Task], never in the instructions, and the instructions keep the language of the session's first
    request: so the prefix is the same in every call.
    """
    kept = language_of(state.goal or state.request)
    return Request(
        query=state.request,
        instructions=f"{text('maintainer', kept)}\n{instructions}".strip(),
        guidance=text(state.active_mode, state.language),
        language=state.language,
        prefix_language=kept,
    )


def config_of(settings: RunSettings | ContextConfig | None) -> ContextConfig:
    """Return the settings of a build; None (a caller without context) means the defaults."""
    if settings is None:
        return MAINTAINER_CONTEXT
    return settings.context() if isinstance(settings, RunSettings) else settings


def ceiling_of(state: SessionState, settings: RunSettings | ContextConfig | None) -> int:
    """Return the most tokens the next request may have, as our tokenizer counts them.

    Less than the setting when the request is easy (`adaptive`), when a provider found one too long (`shrink`), and
    when it counts more tokens than we do (`token_factor`).
    """
    config = adapted(config_of(settings), state.request)
    return int(config.ceiling * state.shrink / max(1.0, state.token_factor))


def in_order(packets: Sequence[ContextPacket]) -> list[ContextPacket]:
    """Return packets as they stand: talk in the order it was said and before all else, the rest by worth as given."""
    talk = [packet for packet in packets if "order" in packet.metadata]
    rest = [packet for packet in packets if "order" not in packet.metadata]
    return sorted(talk, key=lambda packet: int(packet.metadata["order"])) + rest
