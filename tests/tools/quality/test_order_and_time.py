"""Effects before their answers, coroutines nobody awaits, and who reads the clock."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]
REFUND = """\
def refund(payment, client):
    answer = requests.post(URL, json={{}}, timeout=5)
    {first}
    {then}
    return answer.ok
"""
WORK = """\
async def run(session: AsyncSession, job):
    try:
        await work(job)
        await session.commit()
    except Exception:
        {undo}
        raise
"""


def told(findings: list[Finding], rule: str) -> list[str]:
    return [str(each.place) for each in findings if each.rule == rule]


def test_what_is_noted_before_the_answer_is_looked_at(found: Found) -> None:
    early = REFUND.format(first='payment.state = "refunded"', then="answer.raise_for_status()")
    late = REFUND.format(first="answer.raise_for_status()", then='payment.state = "refunded"')
    begun = REFUND.format(first='payment.state = "asked"', then="answer.raise_for_status()")
    assert told(found({"a.py": early}, "lint"), "done-before-known") == ["a.py:3"]
    assert told(found({"a.py": late}, "lint"), "done-before-known") == []
    assert told(found({"a.py": begun}, "lint"), "done-before-known") == []


@pytest.mark.parametrize(
    ("undo", "lost"),
    [("session.rollback()", 1), ("await session.rollback()", 0), ("session.expunge_all()", 0), ("asyncio.sleep(1)", 1)],
)
def test_a_coroutine_of_a_library_that_nobody_awaits(undo: str, lost: int, found: Found) -> None:
    assert len(told(found({"a.py": WORK.format(undo=undo)}, "lint"), "never-awaited")) == lost


def test_a_coroutine_is_always_true(found: Found) -> None:
    code = "async def may(x):\n    return x\n\n\nasync def run(x):\n    if not may(x):\n        return 1\n"
    assert told(found({"a.py": code}, "lint"), "never-awaited") == ["a.py:6"]
    assert told(found({"a.py": code.replace("not may", "not await may")}, "lint"), "never-awaited") == []


CLOCK = "from datetime import UTC, date, datetime\n\n\ndef now():\n    return datetime.now(UTC)\n\n\ndef today():\n"
CLOCK += "    return now().date()\n"
USER = "from .clock import today\n\n\ndef late(due):\n    return due < today()\n"
OTHER = "from datetime import date\n\n\ndef is_open(day):\n    return day == date.today()\n"


def test_the_one_that_does_not_ask_the_clock_of_the_project(found: Found) -> None:
    files = {"shop/__init__.py": "", "shop/clock.py": CLOCK, "shop/odd.py": OTHER}
    users = {f"shop/{name}.py": USER for name in ("loans", "fines", "holds")}
    assert told(found(files | users, "lint"), "clock-bypassed") == ["shop/odd.py:5"]


def test_where_everybody_reads_the_clock_nobody_is_odd(found: Found) -> None:
    files = {"shop/__init__.py": "", "shop/clock.py": CLOCK, "shop/loans.py": USER}
    others = {f"shop/{name}.py": OTHER for name in ("a", "b", "c")}
    assert told(found(files | others, "lint"), "clock-bypassed") == []
