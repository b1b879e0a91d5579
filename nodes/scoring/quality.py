"""How good a context is: density, relevance, completeness, and what would make it better."""

from collections.abc import Sequence

from ...state.packet import ContextPacket
from ...state.receipt import Quality
from .candidates import Question
from .relevance import match

LOW = 0.35
MATCHED = 0.5
"""Match from which a concept counts as spoken of."""


def quality(
    question: Question, chosen: Sequence[ContextPacket], tokens: int, ceiling: int, instructions: int, reserve: int
) -> Quality:
    """Return the quality of a context.

    Args:
        question: What was asked, as weighed for the pool.
        chosen: The packets in the prompt, with their tokens and relevance.
        tokens: Of the whole request.
        ceiling: Most tokens it may have.
        instructions: Tokens of [Role & Policies].
        reserve: Tokens meant for them.
    """
    content = sum(packet.token_count for packet in chosen)
    density = content / tokens if tokens else 0.0
    relevance = (
        sum((packet.relevance_score or 0.0) * packet.token_count for packet in chosen) / content if content else 0.0
    )
    total = sum(question.weights)
    missing = [
        (weight, concept)
        for concept, weight in zip(question.concepts, question.weights, strict=True)
        if not any(match(concept, packet.content) >= MATCHED for packet in chosen)
    ]
    completeness = 1 - sum(weight for weight, _ in missing) / total if total else float(bool(chosen))
    advice = []
    if not chosen:
        advice.append("nothing was selected: add sources, or lower min_relevance")
    elif relevance < LOW:
        advice.append("the content is little related: raise min_relevance, or add sources that know the subject")
    if missing and chosen:
        words = ", ".join(
            "".join(concept.options[0][1]).lstrip("=") for _, concept in sorted(missing, key=lambda each: -each[0])[:3]
        )
        advice.append(f"nothing selected speaks of: {words}")
    if instructions > reserve:
        advice.append(
            f"the instructions take {instructions} tokens, reserve_ratio means {reserve}: shorten them or raise it"
        )
    if chosen and tokens > 0.97 * ceiling and completeness < LOW:
        advice.append("the budget is used up and the question is not covered: raise max_tokens")
    score = (max(density, 0.0) * relevance * completeness) ** (1 / 3)
    return Quality(
        density=round(min(density, 1.0), 4),
        relevance=round(relevance, 4),
        completeness=round(completeness, 4),
        score=round(min(score, 1.0), 4),
        advice=tuple(advice),
    )
