"""What runs in tests of others: views by their names, guards, facades, plugins, signals; what skipped tests leave."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]

VIEWS = """\
class CartView(View):
    def post(self, request):
        amount = request.POST.get("amount")
        if not amount:
            return redirect("shop:cart")
        if int(amount) > 9:
            messages.error(request, "too many")
        cart = Cart.of(request)
        cart.add(amount)
        cart.save()
        return redirect("shop:cart")
"""
URLS = """\
from django.urls import path
from shop import views
app_name = "shop"
urlpatterns = [path("", views.CartView.as_view(), name="cart-page")]
"""


@pytest.mark.parametrize(
    ("test", "is_told"),
    [
        ('def test_cart(client):\n    client.post(reverse("shop:cart-page"), {"amount": 3})\n', False),
        (
            'def test_cart(client):\n    for name in ("cart-page",):\n        client.get(reverse(f"shop:{name}"))\n',
            False,
        ),
        ('def test_other(client):\n    client.post(reverse("shop:orders"))\n', True),
        ('def test_door(client):\n    assert client.get(reverse("shop:cart-page")).status_code == 403\n', True),
    ],
)
def test_views_are_called_by_the_names_of_their_addresses(test: str, is_told: bool, found: Found) -> None:
    files = {"shop/views.py": VIEWS, "shop/urls.py": URLS, "tests/test_pages.py": test}
    assert bool(found(files, "missing_tests")) is is_told


ROUTER = """\
import { Router } from "express";
export function boatRoutes(harbour) {
  const router = Router();
  router.get("/:id/berth", async (request, response) => {
    const boat = await harbour.find(request.params.id);
    if (boat === null) {
      throw new NotFound("no such boat");
    }
    if (boat.away) {
      response.status(409).json({ error: "at sea" });
      return;
    }
    response.json(boat.berth);
  });
  return router;
}
"""


@pytest.mark.parametrize(
    ("test", "is_told"),
    [
        ('it("berth", async () => {\n  expect((await call("/boats/7/berth")).body).toBe("D4");\n});\n', False),
        ('it("refuses", async () => {\n  expect((await call("/boats/7/berth")).status).toBe(401);\n});\n', True),
        ('it("other", async () => {\n  expect((await call("/crews/7")).body).toBe("D4");\n});\n', True),
    ],
)
def test_routes_of_scripts_are_called_by_their_addresses(test: str, is_told: bool, found: Found) -> None:
    app = 'import { boatRoutes } from "./routes/boats.js";\napp.use("/boats", boatRoutes(harbour));\n'
    files = {"src/routes/boats.js": ROUTER, "src/app.js": app, "tests/harbour.test.js": test}
    assert bool(found(files, "missing_tests")) is is_told


PAYLOAD = """\
from flask import request


def whole(field):
    sent = request.get_json(silent=True)
    if not isinstance(sent, dict):
        raise Wrong("send an object")
    value = sent.get(field)
    if isinstance(value, bool) or not isinstance(value, int):
        raise Wrong("a whole number is needed")
    if value < 0:
        raise Wrong("less than nothing")
    return value
"""
ROUTES = """\
from p.payload import whole


@app.post("/crates")
def crates():
    count = whole("count")
    if count > 99:
        abort(400)
    return store(count)
"""
WORK = """\
import sqlite3
from p.store.crates import SqlCrates


class Work:
    def __init__(self, connection):
        self.crates = SqlCrates(connection)


def depot(connection, name):
    return Work(connection).crates.heavy(name), Work(connection).crates.get(1)


print(depot(connect(), "north"))
"""
TABLE = """\
SOURCES = {"rain": "p.sources.rain:Source"}
print(loaded(SOURCES["rain"]).fetch())
"""
CRATES = """\
class SqlCrates:
    def __init__(self, connection):
        self._connection = connection

    def get(self, number):
        row = self._connection.execute("SELECT * FROM crates WHERE id = ?", (number,)).fetchone()
        if row is None:
            raise LookupError(number)
        return crate(row)

    def heavy(self, depot):
        rows = self._connection.execute("SELECT * FROM crates WHERE depot = ?", (depot,))
        found = [crate(row) for row in rows if row["kilos"] > 40]
        found.sort(key=by_weight)
        return found
"""
HEARS = """\
@receiver(post_save, sender=Grower)
def greet(sender, instance, created, **kwargs):
    if not created:
        return
    if instance.silent:
        return
    text = f"Hello {instance.name}"
    send_mail("Welcome", text, None, [instance.email])
    log.info("greeted")
    count(1)
    note(instance)
"""
PLUGIN = """\
import requests


class Source:
    def fetch(self):
        try:
            hours = requests.get(self.url, timeout=3).json()["hours"]
        except KeyError as error:
            raise SourceError(self.url) from error
        batch = Batch()
        batch.at = now()
        batch.url = self.url
        return [hour for hour in hours if hour is not None]
"""


@pytest.mark.parametrize(
    ("files", "test", "is_told"),
    [
        (
            {"p/payload.py": PAYLOAD, "p/routes.py": ROUTES},
            'def test_it(client):\n    assert client.post("/crates").json == {}\n',
            False,
        ),
        (
            {"p/payload.py": PAYLOAD, "p/routes.py": ROUTES},
            'def test_it(client):\n    assert client.post("/boxes").json == {}\n',
            True,
        ),
        (
            {"p/work.py": WORK, "p/store/crates.py": CRATES},
            "from p.work import Work\n\ndef test_it(db):\n    assert Work(db).crates.get(1)\n",
            False,
        ),
        (
            {"p/work.py": WORK, "p/store/crates.py": CRATES},
            "from p.work import Work\n\ndef test_it(db):\n    assert Work(db)\n",
            True,
        ),
        ({"p/hears.py": HEARS}, "def test_it():\n    assert Grower.objects.create().number\n", False),
        ({"p/hears.py": HEARS}, "def test_it():\n    assert Buyer.objects.create().number\n", True),
        (
            {"p/sources/rain.py": PLUGIN, "p/table.py": TABLE},
            'def test_it():\n    assert fetch("rain") == []\n',
            False,
        ),
        (
            {"p/sources/rain.py": PLUGIN, "p/table.py": TABLE},
            'def test_it():\n    assert fetch("wind") == []\n',
            True,
        ),
    ],
)
def test_what_stands_beside_something_tested_runs_along(
    files: dict[str, str], test: str, is_told: bool, found: Found
) -> None:
    beside = {finding.place.path for finding in found({**files, "tests/test_things.py": test}, "missing_tests")}
    assert bool(beside & {"p/payload.py", "p/store/crates.py", "p/hears.py", "p/sources/rain.py"}) is is_told


SETTLE = """\
def settle(rows, year):
    total = 0
    for row in rows:
        if row.year != year:
            continue
        if row.grade == "B":
            total += row.cents * 92 // 100
        else:
            total += row.cents
    reserve = total // 10
    return total - reserve
"""


@pytest.mark.parametrize(
    ("test", "is_told"),
    [
        ("def test_settle():\n    assert settle([], 2026) == 0\n", False),
        ('@pytest.mark.skip(reason="later")\ndef test_settle():\n    assert settle([], 2026) == 0\n', True),
        (
            '@unittest.skip("later")\nclass TestIt:\n    def test_it(self):\n        assert settle([], 2026) == 0\n',
            True,
        ),
        ('@pytest.mark.skipif(WINDOWS, reason="slow")\ndef test_settle():\n    assert settle([], 2026) == 0\n', False),
        ("pytestmark = pytest.mark.skip\n\ndef test_settle():\n    assert settle([], 2026) == 0\n", True),
    ],
)
def test_a_skipped_test_tests_nothing(test: str, is_told: bool, found: Found) -> None:
    files = {
        "p/payouts.py": SETTLE,
        "p/app.py": "from p.payouts import settle\n\nprint(settle(load(), 2026))\n",
        "tests/test_payouts.py": f"from p.payouts import settle\n\n\n{test}",
    }
    assert bool(found(files, "missing_tests")) is is_told
