"""From turns to the ledger: what a turn changes, as plain data, and the ledger after all changes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any, cast

from ...state.ledger import Fact, Ledger, Plan, Step
from ...state.turns import Role, Said
from .classify import Verdict, classify, completes, gives_ground
from .matching import Cosines, find_match
from .plan_text import read_plan
from .plans import advance, choose
from .progress import progress
from .scope import names
from .statements import Statement, statements

Change = Mapping[str, Any]
"""``{"op": "add", "fact": …}``, ``{"op": "supersede" | "resolve" | "contest", "old": id, "new": id}``,
``{"op": "plan", "plan": …}``; plain JSON values, kept in the archive beside their turn."""

_GOAL_LENGTH = 600
"""Characters of a first request that is pinned whole; nothing in it needs to be noted again."""


def observe(
    ledger: Ledger, said: Sequence[Said], turn: int, cosines: Cosines | None = None, *, at: str = ""
) -> list[Change]:
    """Return the changes a turn makes: new facts, what they replace or resolve, and the plan's progress.

    Args:
        ledger: Before the turn.
        said: In the turn.
        turn: Its number.
        cosines: Closeness of meaning; None: words alone.
        at: When, as an ISO time.
    """
    changes: list[Change] = []
    count = 0
    for each in said:
        pinned = turn == 1 and each.role == "user" and len(each.text) <= _GOAL_LENGTH
        if each.role == "tool" or pinned:
            continue
        for change in _plan_changes(ledger, each.text, turn, cosines):
            changes.append(change)
            ledger = apply(ledger, [change], turn)
        taken = False
        for statement in statements(each.text):
            if taken or _is_about_plan(statement.text, ledger, turn):
                taken = False
                continue
            verdict = classify(statement, each.role)
            if verdict is None:
                continue
            count += 1
            taken = _takes_in_next(statement, verdict, each.role)
            fact = Fact(
                id=f"{turn}.{count}",
                kind=verdict.kind,
                text=f"{statement.text} {statement.following}" if taken else statement.text,
                turn=turn,
                by=each.role,
                at=at,
                handle=each.handle,
                scope=names(statement.text),
                weight=verdict.weight,
            )
            new = _with_matches(ledger, fact, verdict.updates, verdict.resolves, cosines)
            changes += new
            ledger = apply(ledger, new, turn)
    return changes


def _takes_in_next(statement: Statement, verdict: Verdict, by: Role) -> bool:
    """Return whether the next sentence belongs to a fact: it completes it, or can only be its reason."""
    return completes(statement) or gives_ground(statement, verdict, by)


def _with_matches(ledger: Ledger, fact: Fact, updates: bool, resolves: bool, cosines: Cosines | None) -> list[Change]:
    standing = ledger.standing()
    same = next((old for old in standing if " ".join(old.text.split()) == " ".join(fact.text.split())), None)
    if same is not None:
        return []  # said again: the first one stands
    matches = find_match(fact, standing, updates=updates, resolves=resolves, cosines=cosines)
    ops = {"superseded": "supersede", "resolved": "resolve", "contested": "contest"}
    return [
        {"op": "add", "fact": asdict(fact)},
        *({"op": ops[match.relation], "old": match.fact.id, "new": fact.id} for match in matches),
    ]


def apply(ledger: Ledger, changes: Iterable[Change], turn: int) -> Ledger:
    """Return the ledger after some changes; a change that names an unknown fact changes nothing."""
    facts, plans, plan_turns = dict(ledger.facts), list(ledger.plans), ledger.plan_turns
    for change in changes:
        op = change["op"]
        if op == "add":
            fact = _fact(change["fact"])
            facts[fact.id] = fact
        elif op == "plan":
            plan = _plan(change["plan"])
            plans = [old for old in plans if old.turn != plan.turn] + [plan]
            plan_turns |= {turn}
        elif change["old"] in facts:
            old = facts[change["old"]]
            if op == "contest":
                facts[old.id] = replace(old, contested_by=change["new"])
            else:
                status = "superseded" if op == "supersede" else "resolved"
                facts[old.id] = replace(old, status=cast(Any, status), replaced_by=change["new"])
    return Ledger(facts, tuple(plans), max(turn, ledger.turn), plan_turns)


def _plan_changes(ledger: Ledger, text: str, turn: int, cosines: Cosines | None) -> list[Change]:
    plans = list(ledger.plans)
    laid_out = read_plan(text, turn)
    if laid_out is not None:
        plans.append(laid_out)
    told = choose(text, plans, cosines)
    if told is not None:
        plan, steps = told
        return [{"op": "plan", "plan": asdict(advance(plan, steps, turn))}]
    return [{"op": "plan", "plan": asdict(laid_out)}] if laid_out is not None else []


def _is_about_plan(text: str, ledger: Ledger, turn: int) -> bool:
    """Return whether a statement lays out or ticks a plan: the plan keeps it, the ledger need not."""
    return any(plan.updated == turn and (read_plan(text, turn) or progress(text, plan)) for plan in ledger.plans)


def _fact(data: Mapping[str, Any]) -> Fact:
    return Fact(**{**data, "scope": tuple(data["scope"])})


def _plan(data: Mapping[str, Any]) -> Plan:
    return Plan(**{**data, "steps": tuple(Step(**step) for step in data["steps"])})
