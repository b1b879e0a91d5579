"""What documents tell beside what is there: names in lists, options, results of functions, numbers with units."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]

SHOP = {
    "src/shop/__init__.py": "",
    "src/shop/orders/__init__.py": "",
    "src/shop/stock/__init__.py": "",
    "src/shop/mails/letters.py": 'JOBS = {"remind": 1, "close_day": 2, "export": 3}\nRETURN_DAYS_AFTER = 14\n',
    "src/shop/orders/management/commands/purge.py": (
        "from django.core.management.base import BaseCommand\n\n\nclass Command(BaseCommand):\n"
        '    def add_arguments(self, parser):\n        parser.add_argument("--days", type=int)\n'
    ),
    "manage.py": "import django\n",
    "web/config.ts": 'export const config = {\n  basketMinutes: number("BASKET_MINUTES", 20),\n};\n',
}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "| App | What |\n|---|---|\n| `orders` | a |\n| `stock` | b |\n| `mails` | c |\n| `returns` | d |",
            ["returns"],
        ),
        ("- `orders`: all orders\n- `stock`: what is there\n- `loyalty`: points\n- `mails`: letters", ["loyalty"]),
        ("It runs `remind`, `close_day`, `export` or `backup`.", ["backup"]),
        ("任务有 `remind`、`close_day`、`export` 和 `backup`。", ["backup"]),
        ("It runs `remind`, `close_day` or `export`.", []),
        ("Install `redis`, `nginx`, `stock` first.", []),
        ("- `orders`: a\n- `stock`: b\n- `mails`: c\n- `loyalty`: planned for next year", []),
        ("Letters are made in `mails/letters.py`, bills in `mails/bills.py`.", ["mails/bills.py"]),
        ("    python manage.py purge --keep 30", ["purge --keep"]),
        ("    python manage.py purge --days 30 --verbosity 2", []),
        ("Goods go back until 30 days after the delivery.", ["RETURN_DAYS_AFTER: 30"]),
        ("Goods go back until 14 days after the delivery.", []),
        ("The office answers within 3 days.", []),
        ("A basket is kept for 30 minutes.", ["BASKET_MINUTES: 30"]),
        ("A basket is kept for 20 minutes.", []),
    ],
)
def test_names_and_numbers_of_a_guide(text: str, told: list[str], found: Found) -> None:
    findings = found({**SHOP, "docs/guide.md": f"# Guide\n\n{text}\n"}, "stale_docs")
    assert [finding.facts["claim"] for finding in findings] == told


@pytest.mark.parametrize(
    ("head", "text", "body", "told"),
    [
        ("get(key) -> Item", "Return it.\n\n    Returns None if it is gone.", "key or fail()\n    return Item()", 4),
        ("get(key) -> Item | None", "Return an item.\n\n    Returns None if there is none.", "return Item()", 0),
        ("get(key)", "Return an item, or None if there is none.", "return ITEMS.get(key)", 0),
        ("pause(day) -> Item", "Stop it.\n\n    Returns:\n        The number of days left.", "return Item(day)", 5),
        ("weeks(x) -> dict[str, int]", "Return the sums as a list of pairs.", "return dict(x)", 2),
        ("weeks(x) -> list[int]", "Return a list of sums.", "return x", 0),
        ("open_ones(x) -> list[int]", "Return whether some are open.", "return x", 2),
        ("weeks(x) -> list[int]", "Return the weeks, newest first.", "return sorted(x)", 2),
        ("weeks(x) -> list[int]", "Return the weeks, newest first.", "return sorted(x, reverse=True)", 0),
        ("weeks(x) -> list[int]", "Return the weeks, newest first.", "return sorted(x, key=age)", 0),
        ("rows(db)", "返回所有订单，按时间倒序。", 'return db.execute("SELECT * FROM o ORDER BY at")', 2),
        ("rows(db)", "Return all, oldest first.", 'return db.execute("SELECT * FROM o ORDER BY at DESC")', 2),
        ("ask(url, wait=10)", "Ask.\n\n    Args:\n        wait: Seconds, defaults to 30.", "return url", 5),
        ("ask(url, wait=10)", "Ask.\n\n    Args:\n        wait: Seconds, defaults to 10.", "return url", 0),
    ],
)  # fmt: skip
def test_documentation_that_its_function_contradicts(head: str, text: str, body: str, told: int, found: Found) -> None:
    code = f'def {head}:\n    """{text}"""\n    {body}\n\n\nclass Item:\n    pass\n'
    findings = found({"shop/items.py": code}, "stale_docs")
    assert [finding.place.line for finding in findings] == ([told] if told else [])


RULES = (
    "def shipping(grams, member):\n    if grams < 500:\n        return 390\n    if grams < 2000:\n        return 590\n"
    "    return 0 if member and grams < 5000 else 990\n"
)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Shipping: 3.90 € below 500 g, 5.90 € below 2000 g, then 9.90 €.", []),
        ("Shipping: 3.90 € below 500 g, 6.40 € below 2000 g, then 9.90 €.", ["6.40"]),
        ("Shipping: 1 day to 11 places, 13 days to 17 others.", []),
        ("Our site: 390 friends, 590 foes, 990 others, 13 ships.", []),
        ("The shop is at http://localhost:8080/ then.", ["localhost:8080"]),
        ("The shop is at http://localhost:5000/ then.", []),
        ("The shop is at http://localhost:8765/ then.", []),
        ("Mails are at http://localhost:8025/ then.", []),
    ],
)
def test_bands_of_a_rule_and_ports(line: str, told: list[str], found: Found) -> None:
    files = {
        "requirements.txt": "flask\n",
        "shop/__init__.py": "",
        "shop/app.py": "import flask\n",
        "shop/shipping.py": RULES,
        "docker-compose.yml": "services:\n  web:\n    ports:\n      - 8765:5000\n",
    }
    findings = found({**files, "docs/guide.md": f"# Guide\n\n{line}\n"}, "stale_docs")
    assert [finding.facts["claim"] for finding in findings] == told
