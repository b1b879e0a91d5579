from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from maintainer.tools.code_index.index import CodeIndex
from maintainer.tools.tokens import TokenCounter, open_counter

FILES = {
    "shop/cart.py": '''"""The shopping cart."""
from .prices import price_of


class Cart:
    """Holds what a customer wants to buy."""

    def __init__(self):
        self.items = []

    def add_item(self, name, count=1):
        """Put an article into the cart."""
        self.items.append((name, count))

    def total(self):
        """Sum the prices of all articles."""
        return sum(price_of(name) * count for name, count in self.items)
''',
    "shop/prices.py": '''"""Prices."""

RATE_LIMIT = 5


def price_of(name):
    """Look a price up."""
    raise KeyError(f"no price for {name}")
''',
    "shop/mail.py": '''"""Sends confirmation mails."""
import smtplib


def send_confirmation(address, order):
    """Send the confirmation of an order; retries when the server times out."""
    for attempt in range(3):
        try:
            return smtplib.SMTP("localhost").sendmail("shop", address, str(order))
        except TimeoutError:
            continue
''',
    "tests/test_cart.py": """from shop.cart import Cart


def test_total_of_an_empty_cart():
    assert Cart().total() == 0
""",
    "README.md": "# Shop\n\nA small shop. Prices are in cents.\n",
}


def write(root: Path, files: dict[str, str | bytes]) -> Path:
    for path, content in files.items():
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content if isinstance(content, bytes) else content.encode())
    return root


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return write(tmp_path / "repo", dict(FILES))


@pytest.fixture
def make_index(tmp_path: Path) -> Iterator[Callable[..., CodeIndex]]:
    opened: list[CodeIndex] = []

    def make(root: Path, **options: object) -> CodeIndex:
        index = CodeIndex(root, options.pop("folder", tmp_path / "home"), **options)
        opened.append(index)
        return index

    yield make
    for index in opened:
        index.close()


@pytest.fixture(scope="session")
def counter() -> TokenCounter:
    return open_counter()
