"""An older message as it is shown again: without what the ledger shows anyway, what is out of date marked."""

from collections.abc import Sequence

from ...state.ledger import Fact, Ledger
from ...state.packet import ContextPacket
from ...state.turns import Turn
from ..ledger.classify import is_small_talk
from ..ledger.progress import progress
from ..ledger.statements import sentences
from .turns import Recalled
from .worth import is_about_project

_TRUST = 0.9
"""Relevance of the best turn found: the search knows which fits best, not how well."""
_LEFT_OUT = "[...]"
_LONGEST = 1_200
"""Characters of a recalled message; the rest is behind its handle."""


def recalled_packet(found: Recalled, facts: Sequence[Fact], ledger: Ledger, *, talk: bool) -> ContextPacket | None:
    """Return a message as a packet; None where nothing but small talk is left of it.

    Args:
        found: The message and how well it fits.
        facts: Those its turn told.
        ledger: Of the line.
        talk: The session is a talk and no work on a project.
    """
    said, turn = found.said, found.turn
    rest = _without_facts(said.text, facts, talk) if said.role != "tool" else said.text
    if said.role != "tool" and all(map(is_small_talk, sentences(rest))):
        return None
    text = marked(rest, turn, facts, ledger, talk=talk)
    more = f'\n[... more: expand("{said.handle}")]' if len(text) > _LONGEST else ""
    who = f"{said.name if said.role == 'tool' else said.role}, turn {turn.number}"
    asked = f" $ {said.command}\n" if said.command else " "
    metadata = {
        "type": "recalled",
        "source": "recall",
        "scored_by": "recall",
        "turn": turn.number,
        "handle": said.handle,
    }
    content = f"{who}:{asked}{text[:_LONGEST].rstrip()}{more}"
    return ContextPacket(content=content, relevance_score=round(_TRUST * found.score, 4), metadata=metadata)


def _without_facts(text: str, facts: Sequence[Fact], talk: bool) -> str:
    """Return a message without what the ledger holds: there it stands once, and with its status."""
    for fact in facts:
        if fact.status == "standing" and is_about_project(fact, talk=talk):
            for sentence in sentences(fact.text):
                text = text.replace(sentence, _LEFT_OUT, 1)
    return text


def marked(text: str, turn: Turn, facts: Sequence[Fact], ledger: Ledger, *, talk: bool = False) -> str:
    """Return a message of an old turn with every sentence marked that no longer holds; old progress is left out.

    In a talk everybody speaks of himself: only what the same speaker surely took back is marked.
    """
    for fact in facts:
        if fact.status != "standing" or (fact.contested_by and not talk):
            by = ledger.facts.get(fact.replaced_by or fact.contested_by)
            if talk and by is not None and by.by != fact.by:
                continue
            since = f" by turn {by.turn}" if by else ""
            state = fact.status if fact.status != "standing" else "perhaps superseded"
            first = next(iter(sentences(fact.text)), fact.text)
            text = text.replace(first, f"[{state}{since}] {first}", 1)
    if turn.number in ledger.plan_turns:
        old = [plan for plan in ledger.plans if plan.turn <= turn.number < plan.updated]
        for sentence in sentences(text):
            if any(progress(sentence, plan) for plan in old):
                text = text.replace(sentence, "[progress told since: see the plan]", 1)
    return text
