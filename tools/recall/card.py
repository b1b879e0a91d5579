"""The card at resume, "where was I": goal, what is done, what comes next, what is in the way, what has changed."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ...state.ledger import Fact, Ledger
from ...state.session import Language

_MOST = 5
"""Entries shown of each kind; the others are counted."""
_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "goal": "Goal",
        "done": "Done",
        "next_action": "Next",
        "blockers": "In the way",
        "stale_notes": "Notes whose code has changed since",
        "files": "Files touched",
        "changed": "Changed in git since",
        "more": "and {n} more",
    },
    "zh": {
        "goal": "目标",
        "done": "已完成",
        "next_action": "下一步",
        "blockers": "阻碍",
        "stale_notes": "对应代码已变的笔记",
        "files": "动过的文件",
        "changed": "此后 git 中的变化",
        "more": "另有 {n} 项",
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """Where a session stands."""

    goal: str
    done: tuple[str, ...] = ()
    """Steps and solved problems, each with the turn that shows it."""
    next_action: str = ""
    blockers: tuple[str, ...] = ()
    stale_notes: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    """Files that differ in git since the session's last turn."""

    def to_dict(self) -> dict[str, Any]:
        """Return the card as plain JSON values."""
        return asdict(self)


def where_was_i(goal: str, ledger: Ledger, *, stale_notes: Sequence[str] = (), changed: Sequence[str] = ()) -> Card:
    """Return the card of a session.

    Args:
        goal: Its first request, verbatim.
        ledger: Of its line.
        stale_notes: Titles of notes whose code has changed.
        changed: Files that differ in git since its last turn.
    """
    plan = ledger.plans[-1] if ledger.plans else None
    done = [f"{step.text} (turn {plan.updated})" for step in plan.steps if step.status == "done"] if plan else []
    standing = ledger.standing()
    solved = [_said(fact) for fact in standing if fact.kind == "solved"]
    changes = [fact for fact in standing if fact.kind in ("change", "solved")]
    files = dict.fromkeys(name for fact in reversed(changes) for name in fact.scope if "/" in name or "." in name)
    current = plan.current if plan else None
    return Card(
        goal=goal,
        done=(*done, *reversed(solved)),
        next_action=f"step {current + 1}: {plan.steps[current].text}" if plan and current is not None else "",
        blockers=tuple(_said(fact) for fact in reversed(standing) if fact.kind == "problem"),
        stale_notes=tuple(stale_notes),
        files=tuple(files),
        changed=tuple(changed),
    )


def card_text(card: Card, language: Language = "en") -> str:
    """Return the card as lines for a person; empty parts are left out."""
    words = _WORDS[language]
    lines = [f"{words['goal']}: {card.goal}"]
    if card.next_action:
        lines.append(f"{words['next_action']}: {card.next_action}")
    for name in ("done", "blockers", "stale_notes", "files", "changed"):
        entries: tuple[str, ...] = getattr(card, name)
        if entries:
            lines.append(f"{words[name]}:")
            lines += [f"  - {entry}" for entry in entries[:_MOST]]
            if len(entries) > _MOST:
                lines.append(f"  - {words['more'].format(n=len(entries) - _MOST)}")
    return "\n".join(lines)


def _said(fact: Fact) -> str:
    return f"{fact.text} (turn {fact.turn})"
