"""Numbers that documents give for one row of a table of the code."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]

CODE = (
    "from decimal import Decimal\nfrom harbour.ranks import Rank\n\n"
    'DISCOUNT = {Rank.PILOT: Decimal("0.10"), Rank.SKIPPER: Decimal("0.15")}\n'
    'BERTH_PRICES = {"dinghy": 1200, "barge": 4500}\nSTAY_DAYS = {"dinghy": 14, "barge": 3}\n'
    "print(DISCOUNT, BERTH_PRICES, STAY_DAYS)\n"
)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("A pilot pays 20 percent less, a skipper 15 percent.", True),
        ("A pilot pays 10 percent less, a skipper 15%.", False),
        ("A pilot pays 90 percent.", False),
        ("A pilot is at least 20 years old.", False),
        ("The berth of a dinghy costs 15 euros.", True),
        ("The berth of a dinghy costs 12 euros.", False),
        ("A dinghy may stay ten days.", True),
        ("A dinghy may stay 14 days.", False),
        ("A dinghy may stay two weeks.", False),
        ("A dinghy is 4 metres long.", False),
        ("A dinghy or a barge may stay 9 days.", False),
    ],
)
def test_rows_of_tables(line: str, told: bool, found: Found) -> None:
    files = {"harbour/prices.py": CODE, "docs/rules.md": f"# Rules\n\n{line}\n"}
    assert bool(found(files, "stale_docs")) is told
