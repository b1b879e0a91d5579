"""What tests put something else in the place of does not run with them."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]


def paths(findings: list[Finding]) -> list[str]:
    return sorted({finding.place.path for finding in findings})


POST = """\
import requests


def send_letter(letter):
    answer = requests.post(letter.address, data=letter.text, timeout=5)
    if answer.status_code >= 400:
        raise ValueError(answer.text)
    return answer.json()
"""
DESK = """\
from quay.post import send_letter


def close_day(letters):
    return [send_letter(each) for each in letters]
"""
QUAY = {"manage.py": "import quay.desk\n", "quay/__init__.py": "", "quay/post.py": POST, "quay/desk.py": DESK}
REPLACING = {
    'with patch("quay.desk.send_letter") as put:\n        close_day([1])\n    put.assert_called()': True,
    'monkeypatch.setattr(desk, "send_letter", print)\n    close_day([1])': True,
    "desk.send_letter = Mock()\n    close_day([1])\n    assert desk.send_letter.call_count": True,
    'monkeypatch.setattr(post.requests, "post", fake)\n    post.send_letter(1)': False,
    "assert close_day([letter]) == [1]": False,
}


@pytest.mark.parametrize("body", REPLACING)
def test_what_tests_replace_is_not_tested(body: str, found: Found) -> None:
    lines = "from unittest.mock import Mock, patch\nfrom quay import desk, post\nfrom quay.desk import close_day\n"
    test = f"{lines}\n\ndef test_day(monkeypatch):\n    {body}\n"
    told = found({**QUAY, "tests/test_day.py": test}, "missing_tests")
    assert paths(told) == (["quay/post.py"] if REPLACING[body] else [])
