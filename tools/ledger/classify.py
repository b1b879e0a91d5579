"""One statement: is it a standing fact, of which kind, how surely; does it replace or resolve something?"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ...state.ledger import FactKind
from ...state.turns import Role
from . import cues
from .scope import bare, names, names_a_commit, paths
from .statements import Statement

THRESHOLD = 0.35
"""Least weight of a fact."""
_BASE = {"user": 0.55, "assistant": 0.2, "tool": 0.0}
"""Before any cue: what the user states is meant to last, what an assistant says is mostly about the work at hand."""
_CUE = {"rule": 0.25, "decision": 0.25, "problem": 0.3, "solved": 0.35, "change": 0.25, "rejected": 0.2}
_ASSISTANT_RULE = 0.05
"""An assistant gives no rules; its "should" is advice."""
_SHORTEST_WORDS, _SHORTEST_CJK, _SHORTEST_CJK_UPDATE = 4, 8, 6
_SMALL = 8
_LONGEST_COMPLETION = 160
_SHORT = 60
"""Characters of an acknowledgement."""
_LONGEST = 600
"""Characters; what is longer is a text, not a statement."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a statement is."""

    kind: FactKind
    weight: float
    """In [0, 1]."""
    updates: bool
    """Its words say that it replaces something."""
    resolves: bool
    """Its words say that a problem is over."""
    reasoned: bool = False
    """It gives its reason itself."""


def classify(statement: Statement, by: Role) -> Verdict | None:
    """Return what a statement is, or None for what does not last: questions, tasks, hearsay, small talk."""
    plain = bare(statement.text)
    main = cues.without_ground(plain)
    if by == "tool" or not _long_enough(plain, statement.text, by) or len(statement.text) > _LONGEST:
        return None
    if _passes_by(plain, statement, by):
        return None
    found: Mapping[FactKind, bool] = {kind: cues.says(kind, main) for kind in cues.KINDS}
    updates = cues.says("update", main)
    grounded = _reasons(plain) or completes(statement)
    if (by == "user" or grounded) and cues.says("design", main):
        found = {**found, "decision": True}  # without a reason an assistant only describes what the code does
    if by == "assistant" and not (any(found.values()) or updates or grounded):
        return None  # it names something, and nothing says that it lasts
    if found["problem"] and _lays_down(main, by):
        found = {**found, "problem": False}
    kind = _kind(found, by)
    weight = _weight(plain, statement, by, found, updates)
    if weight < THRESHOLD:
        return None
    return Verdict(kind, round(min(weight, 1.0), 3), updates, kind == "solved", _reasons(plain))


def completes(statement: Statement) -> bool:
    """Return whether the sentence that follows only completes the statement: a reason, "unsolved for now"."""
    following = bare(statement.following)
    if not following or len(following) > _LONGEST_COMPLETION:
        return False
    if cues.says("completion", following):
        return True
    leans = cues.points_back(following) and not cues.says("dismissed_by_next", following)
    return leans and not names(statement.following) and bool(names(statement.text))


def gives_ground(statement: Statement, verdict: Verdict, by: Role) -> bool:
    """Return whether the sentence that follows can only be the reason: "X goes to LMDB. The laptops are offline."

    It states something, names nothing of its own, stands right behind a statement that names something and gives no
    reason, and nothing sets it apart ("By the way").
    """
    following = statement.following
    if not following or statement.apart or verdict.reasoned or verdict.kind not in ("decision", "rule", "fact"):
        return False
    if len(following) > _LONGEST_COMPLETION or names(following) or not names(statement.text):
        return False
    return not cues.commands(bare(following)) and classify(Statement(following), by) is not None


def is_small_talk(sentence: str) -> bool:
    """Return whether a sentence only greets, says yes, or announces a step."""
    plain = bare(sentence)
    return len(plain) < _SMALL or _acknowledges(plain) or (len(plain) <= _SHORT and cues.says("narration", plain))


def _long_enough(plain: str, text: str, by: Role) -> bool:
    """Return whether a sentence has the words of a statement.

    In a report a name counts twice ("`a.py` 并入 `b.py`"); the user's "`a.py` 也看一下" stays a request.
    """
    words = len(re.findall(r"[a-z0-9_]+", plain)) + (by == "assistant") * len(names(text))
    chinese = sum("\u4e00" <= char <= "\u9fff" for char in plain)
    shortest = _SHORTEST_CJK_UPDATE if cues.says("update", plain) else _SHORTEST_CJK
    return words + chinese * _SHORTEST_WORDS / shortest >= _SHORTEST_WORDS


def _passes_by(plain: str, statement: Statement, by: Role) -> bool:
    """Return whether the sentence is a question, a task, hearsay, an acknowledgement or talk about one's own steps."""
    if cues.QUESTION_END.search(statement.text) or cues.says("hearsay", plain) or cues.says("hypothetical", plain):
        return True
    if cues.says("dismissal", plain) or _dismisses(plain):
        return True
    if _dismisses(bare(statement.following)) and not completes(statement):
        return True
    lasting = cues.says("generality", plain)
    if by == "assistant":
        return cues.says("narration", plain) or _acknowledges(plain)
    if cues.says("task", plain):
        return not lasting
    if cues.says("question", plain):  # without a question mark; "Where it fits, use pathlib" is none
        return not (lasting or "," in plain or cues.says("rule", plain) or cues.says("decision", plain))
    return _acknowledges(plain) and not lasting


def _dismisses(plain: str) -> bool:
    """Return whether a sentence is a short one that takes back the importance of what was said."""
    return len(plain) <= _SHORT and cues.says("dismissed_by_next", plain)


def _acknowledges(plain: str) -> bool:
    """Return whether a sentence is a short one that says yes, thanks or go on, and names nothing."""
    short = len(plain) <= _SHORT and not re.search(r"[0-9cq]\b|\d", plain)
    return short and cues.says("acknowledgement", plain)


def _reasons(plain: str) -> bool:
    """Return whether a sentence gives a reason, by a word or by a clause of its own."""
    return cues.says("reason", plain) or cues.CLAUSE.search(plain) is not None


def _lays_down(main: str, by: Role) -> bool:
    """Return whether a clause lays down something new and another one speaks of trouble: that is why, not what.

    What an assistant lays down stands first; the user may also tell the trouble first.
    """
    clauses = re.split(r"[,;:，；：]", main)
    return any(
        cues.says("update", clause)
        and (cues.says("rule", clause) or cues.says("decision", clause))
        and not cues.says("problem", clause)
        for clause in (clauses if by == "user" else clauses[:1])
    )


def _kind(found: Mapping[FactKind, bool], by: Role) -> FactKind:
    order: tuple[FactKind, ...] = ("solved", "problem", "rejected", "rule", "change", "decision")
    if by == "assistant":
        order = ("solved", "problem", "rejected", "decision", "change")
    told: list[FactKind] = [kind for kind in order if found.get(kind)]
    return told[0] if told else "fact"


def _weight(plain: str, statement: Statement, by: Role, found: Mapping[FactKind, bool], updates: bool) -> float:
    weight = _BASE[by]
    cue = {**_CUE, "rule": _CUE["rule"] if by == "user" else _ASSISTANT_RULE}
    weight += max((cue[kind] for kind, present in found.items() if present), default=0.0)
    weight += 0.1 * (sum(found.values()) > 1) + 0.1 * updates
    weight += 0.1 * _reasons(plain)
    weight += 0.1 * bool(names(statement.text)) + 0.05 * bool(paths(statement.text))
    if cues.says("routine", plain):
        weight -= 0.4 if by == "assistant" else 0.1
    if names_a_commit(statement.text) or " q " in f" {plain} ":
        weight -= 0.3 if by == "assistant" else 0.0
    if cues.starts_with_pronoun(plain) and not names(statement.text):
        weight -= 0.25
    return weight
