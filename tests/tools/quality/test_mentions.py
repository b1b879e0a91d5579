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
