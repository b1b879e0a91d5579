"""What documents and docstrings say of a program in passing: its libraries, tables, constants and numbers."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]

APP = {
    "requirements.txt": "redis\nflask\n",
    "app/__init__.py": "",
    "app/rules.py": "MAX_RENEWALS = 2\nHOLD_DAYS = 8\nMAX_ATTEMPTS = 3\nMIN_AGE_YEARS = 16\nTOP_UP_LIMIT = 200_00\n",
    "app/models.py": 'class MailQueue:\n    __tablename__ = "mails"\n\n\nclass PaymentError(Exception):\n    pass\n',
}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Search runs on the index of Whoosh.", ["Whoosh"]),
        ("搜索使用 Elasticsearch。", ["Elasticsearch"]),
        ("Sessions are kept in Redis.", []),
        ("Search runs on SQL, not on Whoosh.", []),
        ("We could use Celery later.", []),
        ("Mails wait in the table `outbox`.", ["outbox"]),
        ("邮件先写入表 `outbox_mails`。", ["outbox_mails"]),
        ("Mails wait in the table `mail_queue`, which never delays a bid.", []),  # of the class
        ("Mails wait in the table `mails`.", []),
        ("There is no table `outbox`.", []),
        ("A loan can be renewed three times, unless somebody waits.", ["MAX_RENEWALS: 3"]),
        ("A loan can be renewed twice.", []),
        ("A loan can be renewed two times.", []),
        ("A delivery is tried at most 3 times, an attempt takes a minute.", []),
        ("At most 5 attempts times out.", []),
        ("Holds wait for `HOLD_DAYS` (10 days).", ["HOLD_DAYS: 10"]),
        ("| `HOLD_DAYS` | 8 |", []),
        ("| `HOLD_DAYS` | 12 |", ["HOLD_DAYS: 12"]),
        ("`TOP_UP_LIMIT` 是 200 元。", []),  # in cents
        ("`TOP_UP_LIMIT` 是 300 元。", ["TOP_UP_LIMIT: 300"]),
        ("Twice `HOLD_DAYS` is enough.", []),
    ],
)
def test_what_a_guide_says_in_passing_is_looked_up(line: str, told: list[str], found: Found) -> None:
    findings = found({**APP, "docs/design.md": f"# Design\n\n{line}\n"}, "stale_docs")
    assert [finding.facts["claim"] for finding in findings] == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Lots below `MINIMUM_LOT` are free.", ["MINIMUM_LOT"]),
        ("Loans end after ``HOLD_DAYS``.", []),
        (
            "Raises:\n        PaymentError: It failed.\n        RefundError: It failed.\n        ValueError: No.",
            ["RefundError"],
        ),
    ],
)
def test_constants_and_errors_of_docstrings_exist(text: str, told: list[str], found: Found) -> None:
    code = f'def pay(lot):\n    """Take the money.\n\n    {text}\n    """\n    return lot\n'
    findings = [each for each in found({**APP, "app/pay.py": code}, "stale_docs") if not each.rule]
    assert [finding.facts["claim"] for finding in findings] == told


@pytest.mark.parametrize(
    ("text", "body", "told"),
    [
        ("Lend a boat; returns False when it leaks.", "    boat.out = True\n", True),
        ("借船；漏水时返回 False，不抛异常。", "    boat.out = True\n", True),
        ("Lend a boat; returns False when it leaks.", "    boat.out = True\n    return True\n", False),
        ("Lend a boat; returns False when it leaks.", "    raise NotImplementedError\n", False),
        ("Lend a boat if the gauge returns False.", "    boat.out = True\n", False),
        ("Lend a boat.", "    boat.out = True\n", False),
    ],
)
def test_a_function_that_gives_nothing_is_not_asked_for_a_truth(text: str, body: str, told: bool, found: Found) -> None:
    module = f'def lend(boat):\n    """{text}"""\n{body}\n\nlend(1)\n'
    assert bool(found({"harbour/boats.py": module}, "stale_docs")) is told


WORKER = {
    "post/settings.py": "import os\nfrom dataclasses import dataclass, field\n\n\n@dataclass\nclass Settings:\n"
    "    parcel_attempts: int = field(default_factory=lambda: int(os.getenv('PARCEL_ATTEMPTS', '6')))\n",
    "post/worker.py": "MOST_TRIES = 3\nKEEP_DAYS = 300\nprint(MOST_TRIES, KEEP_DAYS)\n",
    "post/parcels.py": "HOLD_MINUTES = 5 * 3\nprint(HOLD_MINUTES)\n",
}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("A parcel is held for 30 minutes.", True),
        ("A parcel is held for 15 minutes.", False),
        ("A parcel is kept for 8 days.", False),  # what the worker keeps may be anything
        ("What the worker cannot do is tried five times.", True),
        ("What the worker cannot do is tried three times.", False),
        ("A parcel that comes back is sent again, up to 10 times.", True),
        ("A parcel that comes back is sent again, up to six times.", False),
        ("A bell is rung ten times.", False),
        ("A letter is tried ten times.", False),
    ],
)
def test_numbers_of_defaults_products_and_tries(line: str, told: bool, found: Found) -> None:
    assert bool(found({**WORKER, "docs/rules.md": f"# Rules\n\n{line}\n"}, "stale_docs")) is told


def test_a_note_in_a_letter_that_is_filled_in(found: Found) -> None:
    letter = "Hello {{ name }},\n{# TODO: say when the ferry leaves #}\nBye\n"
    assert not found({"docs/plans.txt": letter}, "todo")
    assert [each.place.line for each in found({"post/templates/trip.txt": letter}, "todo")] == [2]
