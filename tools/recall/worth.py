"""How much a standing fact is worth in the context of a request: what it is, and how close it is to the request."""

import math
from collections import Counter
from collections.abc import Sequence

from ...state.ledger import Fact, Ledger
from ..ledger.aspects import aspects
from ..ledger.matching import Cosines
from ..ledger.parts import parts
from ..ledger.scope import bare, names, words
from ..search.query import query_terms

STANDING, REMARK = 0.6, 0.2
"""Worth of a fact the request does not speak of: one about the project stays in while there is room; a remark gives
way to everything that fits the request."""
_ENOUGH, _NAMED_SHARE = 12, 0.2
"""Facts after which a session can be told to be a talk, and the share of them that name something in work."""
_NEAR, _SAME = 0.25, 0.65
"""Cosines of a request with a fact it has nothing to do with, and with one it is about."""
_ASPECT = 0.3
"""Closeness of a fact that speaks of an aspect the request speaks of: speed, storage, commits."""
_PART, _SAME_PART = 0.6, 0.5
"""Closeness of a fact about a part named in words ("the unit tests"), and the cosine from which two names mean one."""
_RELATED = 0.5
"""Closeness of a fact about a file that the best turn found for the request speaks of."""
_NAMED = 0.9
"""Closeness of a fact about a path or name the request names."""


def is_talk(ledger: Ledger) -> bool:
    """Return whether a session is a conversation and no work on a project: no plan, and hardly a fact names anything.

    A session is taken for work until enough was said.
    """
    named = [bool(fact.scope) for fact in ledger.facts.values()]
    return not ledger.plans and len(named) >= _ENOUGH and sum(named) < _NAMED_SHARE * len(named)


def is_about_project(fact: Fact, *, talk: bool) -> bool:
    """Return whether a fact speaks of the project, or is a remark.

    It does when it names something in the project; in a session that is work on it, also when the user lays it down or
    it says what was decided, is broken or was changed.
    """
    return bool(fact.scope) or (not talk and (fact.kind != "fact" or fact.by == "user"))


def closeness(
    request: str,
    facts: Sequence[Fact],
    cosines: Cosines | None,
    related: Sequence[tuple[float, str]] = (),
) -> list[float]:
    """Return how close each fact is to a request, in [0, 1].

    Words count by their rarity among the facts; a fact that shares the rarest words of the request, names what the
    request names or means nearly the same is close. So is, less, one about a file that the turns found for the request
    speak of: "file upload encoding" leads to `multipart.py` by what was said of it before.

    Args:
        request: The newest request.
        facts: Those to judge.
        cosines: Closeness of meaning; None: words alone.
        related: What was said about it before: score in [0, 1] and text.
    """
    if not facts:
        return []
    terms = [words(fact.text) for fact in facts]
    spread = Counter(term for each in terms for term in each)
    asked = {
        term: weight * math.log1p(len(facts) / spread[term])
        for term, weight in query_terms(request).items()
        if spread[term]
    }
    most = max((sum(asked.get(term, 0.0) for term in each) for each in terms), default=0.0)
    named = {part for name in names(request) for part in _ends(name)}
    sought = aspects(bare(request))
    spoken = [aspects(bare(fact.text)) & sought for fact in facts]
    told = [(score, words(text)) for score, text in related]
    meant = _about_part(request, facts, cosines)
    near: Sequence[float] = [0.0] * len(facts)
    if cosines is not None:
        near = cosines(request, [fact.text for fact in facts])
    return [
        _joined(
            0.8 * sum(asked.get(term, 0.0) for term in each) / most if most else 0.0,
            _scaled(cosine),
            _NAMED if named & {part for name in fact.scope for part in _ends(name)} else 0.0,
            _ASPECT if same else 0.0,
            part,
            _RELATED * max((score for score, said in told if _speaks_of(said, fact)), default=0.0),
        )
        for fact, each, cosine, same, part in zip(facts, terms, near, spoken, meant, strict=True)
    ]


def _about_part(request: str, facts: Sequence[Fact], cosines: Cosines | None) -> list[float]:
    """Return `_PART` for each fact about the part of the project the request names in words, in either language."""
    asked = parts(request)
    named = dict.fromkeys(part for fact in facts if not fact.scope for part in parts(fact.text))
    if not asked or not named or cosines is None:
        return [0.0] * len(facts)
    near = {
        part
        for each in asked
        for part, cosine in zip(named, cosines(each, list(named)), strict=True)
        if cosine >= _SAME_PART
    }
    return [_PART if not fact.scope and near & {*parts(fact.text)} else 0.0 for fact in facts]


def _speaks_of(said: frozenset[str], fact: Fact) -> bool:
    """Return whether a text holds the words of a file's name."""
    return any(stem <= said for name in fact.scope if (stem := words(_ends(name)[-1]) if _ends(name) else None))


def worth(fact: Fact, close: float, *, standing: bool) -> float:
    """Return the relevance of a fact or remark in [0, 1], given how close it is to the request."""
    least = STANDING if standing else REMARK
    return least * (0.5 + 0.5 * fact.weight) * (1 - close) + close


def _joined(*signs: float) -> float:
    """Return signs as one: 1 - the product of what each leaves open."""
    return 1 - math.prod(1 - sign for sign in signs)


def _scaled(cosine: float) -> float:
    return 0.8 * min(1.0, max(0.0, (cosine - _NEAR) / (_SAME - _NEAR)))


def _ends(name: str) -> tuple[str, ...]:
    """Return a path by its whole, its last part and that part's stem: people write any of them."""
    last = name.rstrip("/").rsplit("/", 1)[-1]
    stem = last.rsplit(".", 1)[0].strip("_") if "." in last else last
    return tuple(part for part in (name, last, stem) if len(part) > 3)
