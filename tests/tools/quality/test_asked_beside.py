"""What other handlers ask, who waits while a loop of events stands still, and values compared as objects."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]
APP = {"manage.py": "print(1)\n", "requirements.txt": "flask==3.1.0\n"}
VERBS = ("paint", "tow", "launch", "moor", "lift")
HANDLER = "@{0}.post('/{0}')\n{1}def {0}(number):\n    return save(number)\n"
OWN = """
from shop.store import slips
@app.get('/slips')
@allowed('crew')
def mine():
    return slips.of(g.user['id'])

@app.get('/slips/<number>')
@allowed({roles})
def one(number):
    return {load}
"""
WEATHER = "import {0}\n\ndef forecast(port):\n    return {1}\n\ndef calm(port):\n    return forecast(port) == 'calm'\n"
ASKING = "from app import weather\n\n@router.get('/{{port}}')\nasync def show(port: str):\n    return {}\n"


def told(findings: list[Finding], rule: str) -> list[str]:
    return [each.place.path for each in findings if each.rule == rule]


@pytest.mark.parametrize(
    ("name", "guard", "expected"),
    [("deliver", "", True), ("deliver", "@staff_only\n", False), ("login", "", False)],
)
def test_the_one_handler_of_a_project_that_changes_and_does_not_ask(
    name: str, guard: str, expected: bool, found: Found
) -> None:
    files = {f"api/{each}.py": HANDLER.format(each, "@staff_only\n") for each in VERBS}
    findings = found(APP | files | {f"api/{name}.py": HANDLER.format(name, guard)}, "security")
    assert told(findings, "guard-missing") == ([f"api/{name}.py"] if expected else [])


@pytest.mark.parametrize(
    ("roles", "load", "expected"),
    [
        ("", "slips.by_number(number)", True),
        ("'office'", "slips.by_number(number)", False),
        ("", "slips.by_number(number, g.user['id'])", False),
        ("", "rates.by_number(number)", False),
    ],
)
def test_what_others_ask_for_whoever_is_signed_in_belongs_to_them(
    roles: str, load: str, expected: bool, found: Found
) -> None:
    findings = found(APP | {"app.py": OWN.format(roles=roles, load=load)}, "security")
    assert bool(told(findings, "owner-unchecked")) == expected


@pytest.mark.parametrize(
    ("library", "asks", "call", "expected"),
    [
        ("httpx", "httpx.get(port, timeout=3).text", "weather.forecast(port)", True),
        ("httpx", "httpx.get(port, timeout=3).text", "weather.calm(port)", True),
        ("time", "time.sleep(9)", "weather.forecast(port)", True),
        ("httpx", "httpx.get(port, timeout=3).text", "await asyncio.to_thread(weather.forecast, port)", False),
        ("httpx", "httpx.get(port, timeout=3).text", "await loop.run(lambda: weather.forecast(port))", False),
        ("json", "json.loads(port)", "weather.forecast(port)", False),
    ],
)
def test_a_function_that_waits_stops_the_loop_of_who_calls_it(
    library: str, asks: str, call: str, expected: bool, found: Found
) -> None:
    files = {"app/__init__.py": "", "app/weather.py": WEATHER.format(library, asks), "app/api.py": ASKING.format(call)}
    assert told(found(APP | files, "lint"), "ASYNC210") == (["app/api.py"] if expected else [])


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("row.id is wanted_id", True),
        ("len(rows) is not count", True),
        ("row.email is email", True),
        ("name is text.strip()", True),
        ("row.status is Status.PAID", False),
        ("row is wanted", False),
        ("row.parent_id is None", False),
        ("key is MISSING", False),
    ],
)
def test_numbers_and_texts_are_not_compared_as_objects(test: str, expected: bool, found: Found) -> None:
    code = f"def f(row, rows, wanted, wanted_id, count, email, name, text, key):\n    return {test}\n"
    assert bool(told(found(APP | {"a.py": code}, "lint"), "compared-as-objects")) == expected


@pytest.mark.parametrize(
    ("load", "test", "expected"),
    [
        ("session.get(Claim, number)", "claim is not None, 'no such claim'", True),
        ("await store.by_number(number)", "claim, 'no such claim'", True),
        ("session.get(Claim, number)", "claim is not None", False),
        ("session.get(Claim, 1)", "claim is not None, 'the first is always there'", False),
    ],
)
def test_a_row_that_is_missing_is_no_matter_of_an_assert(load: str, test: str, expected: bool, found: Found) -> None:
    code = f"async def settle(session, store, number):\n    claim = {load}\n    assert {test}\n    return claim\n"
    assert bool(told(found(APP | {"a.py": code}, "lint"), "checked-by-assert")) == expected


@pytest.mark.parametrize(
    ("name", "expected"), [("ticket_code", True), ("booking_reference", True), ("colour_code", False), ("noise", False)]
)
def test_codes_spelt_by_chance_can_be_guessed(name: str, expected: bool, found: Found) -> None:
    code = f"import random\ndef {name}(n=9):\n    return ''.join(random.choice('ABCD23') for _ in range(n))\n"
    assert bool(told(found(APP | {"a.py": code}, "security"), "S311")) == expected


def test_a_live_key_of_any_service_is_a_secret(found: Found) -> None:
    live = "fb_" + "live_2c81D0pTq9XvRz64LmWnKe73"
    assert [each.rule for each in found(APP | {"sms.py": f"KEY = '{live}'\n"}, "secret")] == ["live-key"]


def test_django_s_own_time_knows_the_zone(found: Found) -> None:
    naive = "from datetime import datetime\n\nprint(datetime.now())\n"
    aware = "from django.utils import timezone\n\nprint(timezone.now())\n"
    assert told(found(APP | {"a.py": naive, "b.py": aware, "c.py": aware}, "lint"), "DTZ005") == ["a.py"]
