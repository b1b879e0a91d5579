"""Make a copy of the shop with a git history: `python examples/make_shop_history.py FOLDER`.

The history is the same wherever it is made: fixed authors, dates and texts, so the hashes are the same too. The last
commit is exactly `examples/shop`; earlier ones hold less of the files, as they were when the shop was younger.
"""

import ast
import os
import shutil
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

SHOP = Path(__file__).parent / "shop"
STARTED = datetime(2023, 1, 9, 9, 30)

PEOPLE = {"ida": "Ida Brandt", "tomas": "Tomas Vesely", "lin": "Lin Yue"}
CHECKOUT = "shop/services/checkout.py"
PRICING = "shop/services/pricing.py"
SHIPPING = "shop/services/shipping.py"
PAYMENTS = "shop/services/payments.py"

# days after the start, who, what for, and how much of each file is there (1.0: as it is today)
STEPS: list[tuple[int, str, str, dict[str, float]]] = [
    (0, "ida", "Start of the new shop", {"README.md": 0.6, "requirements.txt": 1, ".gitignore": 1, "pyproject.toml": 1,
        "shop/__init__.py": 1, "shop/config.py": 0.7, "shop/extensions.py": 1, "shop/errors.py": 1, "wsgi.py": 1}),
    (3, "ida", "Money, slugs and pages", {"shop/lib/": 1, "tests/conftest.py": 1, "tests/test_money.py": 1,
        "tests/test_slugs.py": 1}),
    (9, "ida", "Tables", {"shop/models/": 1}),
    (16, "tomas", "Pricing, first half", {PRICING: 0.5, "shop/services/__init__.py": 1}),
    (21, "tomas", "Shipping", {SHIPPING: 0.6}),
    (29, "tomas", "Checkout", {CHECKOUT: 0.25, "shop/services/coupons.py": 0.5, "tests/test_coupons.py": 0.5}),
    (34, "tomas", "Paylane", {PAYMENTS: 0.7}),
    (38, "tomas", "Checkout charges the card", {CHECKOUT: 0.35, PAYMENTS: 0.8}),
    (52, "ida", "Cents in checkout after the rounding bug", {CHECKOUT: 0.4, PRICING: 0.7}),
    (70, "ida", "Cart and catalogue", {"shop/services/cart.py": 1, "shop/services/catalog.py": 0.8,
        "tests/test_cart.py": 1, "tests/test_catalog.py": 0.5}),
    (83, "tomas", "Paylane: refunds", {PAYMENTS: 0.95, CHECKOUT: 0.45}),
    (101, "tomas", "Islands cost more", {SHIPPING: 0.8, CHECKOUT: 0.5}),
    (120, "ida", "Pages", {"shop/web/": 1, "shop/templates/": 1, "shop/static/": 1, "tests/test_pages.py": 0.7}),
    (133, "ida", "Mails", {"shop/services/mailer.py": 1, CHECKOUT: 0.55, "tests/test_mailer.py": 1}),
    (158, "ida", "Accounts", {"shop/services/auth.py": 1, "tests/test_auth.py": 1}),
    (171, "tomas", "Payment errors are logged", {PAYMENTS: 1}),
    (204, "lin", "Checkout: saved addresses", {CHECKOUT: 0.6, "tests/test_checkout.py": 0.6}),
    (232, "lin", "Trade customers", {PRICING: 0.9, CHECKOUT: 0.65, "tests/test_pricing.py": 1}),
    (266, "lin", "Fixed coupons in checkout", {PRICING: 1, CHECKOUT: 0.7, "shop/services/coupons.py": 1,
        "tests/test_coupons.py": 1}),
    (297, "lin", "Stock is taken at checkout", {"shop/services/inventory.py": 1, CHECKOUT: 0.75,
        "shop/services/catalog.py": 1, "tests/test_catalog.py": 1}),
    (331, "lin", "Express", {SHIPPING: 1, CHECKOUT: 0.8}),
    (352, "ida", "Wish lists for the spring campaign", {"shop/services/wishlist.py": 1}),
    (390, "lin", "Reports and exports", {"shop/services/reports.py": 1, "shop/services/exports.py": 1, "manage.py": 0.8}),
    (418, "lin", "Checkout: notes for the packers", {CHECKOUT: 0.85}),
    (427, "lin", "JSON API", {"shop/api/": 1, "docs/api.md": 1, "tests/test_api_products.py": 1,
        "tests/test_api_cart.py": 1, "tests/test_api_orders.py": 1, "tests/test_api_users.py": 1,
        "tests/test_guard.py": 1, "tests/test_payload.py": 1}),
    (455, "lin", "Large first orders by phone", {CHECKOUT: 0.9}),
    (480, "ida", "Search and reviews", {"shop/services/search.py": 1, "shop/services/reviews.py": 1,
        "tests/test_search.py": 1, "tests/test_reviews.py": 1}),
    (502, "lin", "Glass costs more", {CHECKOUT: 0.95, SHIPPING: 1}),
    (533, "ida", "Nightly jobs", {"shop/tasks/": 1, "manage.py": 1, "tests/test_cleanup.py": 1}),
    (561, "lin", "Orders can be cancelled", {CHECKOUT: 1, "tests/test_checkout.py": 1}),
    (590, "ida", "Documents", {"": 1}),
]  # fmt: skip


def part_of(text: str, share: float, *, python: bool) -> str:
    """Return the beginning of a file; of Python as many lines as are whole statements."""
    lines = text.splitlines(keepends=True)
    limit = max(1, int(len(lines) * share))
    if share >= 1 or not python:
        return "".join(lines[:limit])
    ends = {node.end_lineno or 0 for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt)}
    for end in sorted((end for end in ends if end <= limit), reverse=True):
        beginning = "".join(lines[:end])
        try:
            ast.parse(beginning)
        except SyntaxError:  # a try without its except
            continue
        return beginning
    return lines[0]


def make(target: Path) -> Path:
    """Make the repository in an empty or new folder and return it.

    Raises:
        FileExistsError: The folder has something in it.
    """
    target.mkdir(parents=True, exist_ok=True)
    if any(target.iterdir()):
        raise FileExistsError(f"{target} is not empty: name a new folder")
    files = sorted(path.relative_to(SHOP).as_posix() for path in SHOP.rglob("*") if _belongs(path))
    _git(target, "init", "-q", "-b", "main")
    for number, (days, who, message, parts) in enumerate(STEPS):
        for name, share in parts.items():
            for path in files:
                if path == name or (name.endswith("/") and path.startswith(name)) or name == "":
                    _write(target / path, part_of((SHOP / path).read_text("utf-8"), share, python=path.endswith(".py")))
        _git(target, "add", "-A")
        _git(target, "commit", "-q", "-m", message, who=who, at=STARTED + timedelta(days=days, minutes=37 * number))
    return target


def _belongs(path: Path) -> bool:
    parts = path.relative_to(SHOP).parts
    return path.is_file() and not {"__pycache__", ".maintainer", ".pytest_cache", "instance"} & set(parts)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def _git(folder: Path, *args: str, who: str = "ida", at: datetime = STARTED) -> None:
    stamp = at.strftime("%Y-%m-%dT%H:%M:%S+00:00")
    mail = f"{who}@tinlantern.example"
    env = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": PEOPLE[who],
        "GIT_AUTHOR_EMAIL": mail,
        "GIT_AUTHOR_DATE": stamp,
        "GIT_COMMITTER_NAME": PEOPLE[who],
        "GIT_COMMITTER_EMAIL": mail,
        "GIT_COMMITTER_DATE": stamp,
    }
    subprocess.run(["git", *args], cwd=folder, env=env, check=True)


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    if shutil.which("git") is None:
        print("git is not installed", file=sys.stderr)
        return 1
    print(make(Path(sys.argv[1])))
    return 0


if __name__ == "__main__":
    sys.exit(main())
