"""What only looks like a hole or a slip, because the code itself, or who sits before it, is all there is to trust."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]
APP = {"manage.py": "print(1)\n", "requirements.txt": "flask==3.1.0\n"}
STORE = """
class Store:
    table = ""

    def __init__(self, connection, {given}):
        self.connection = connection
{set}
    def one(self, row_id):
        return self.connection.execute(f"SELECT * FROM {{self.table}} WHERE id = ?", (row_id,))

    def add(self, {values}):
        names = ", ".join(values)
        marks = ", ".join("?" * len(values))
        self.connection.execute(f"INSERT INTO {{self.table}} ({{names}}) VALUES ({{marks}})", tuple(values.values()))
"""
COUNTS = """
TABLES = ('boats', 'trips')
def sizes(db):
    return [db.execute(f'SELECT count(*) FROM {each}') for each in %s]
"""
MAILS = """
from pathlib import Path
from jinja2 import Environment, FileSystemLoader
LETTERS = Path(__file__).parent / "letters"
def letter(name):
    return Environment(loader=FileSystemLoader(LETTERS), autoescape=False).get_template(name)
"""
WEB = """
import requests
from flask import request
@app.get('/w')
def w():
    return requests.get({}, timeout=3).text
"""


@pytest.mark.parametrize(
    ("given", "later", "values", "told"),
    [
        ("", "", "**values", 0),
        ("", "", "values", 1),
        ("table", "        self.table = table", "**values", 2),
    ],
)
def test_names_that_classes_and_calls_write_down_are_no_injection(
    given: str, later: str, values: str, told: int, found: Found
) -> None:
    code = STORE.format(given=given, set=later, values=values)
    assert len(found(APP | {"store.py": code}, "security")) == told


def test_a_loop_over_a_constant_gives_constants(found: Found) -> None:
    assert not found(APP | {"a.py": COUNTS % "TABLES"}, "security")
    assert found(APP | {"a.py": COUNTS % "db.names()"}, "security")


def test_templates_of_a_folder_of_texts_need_no_escaping(found: Found) -> None:
    assert not found(APP | {"mails.py": MAILS, "letters/hello.txt": "Hello"}, "security")
    assert found(APP | {"mails.py": MAILS, "letters/hello.html": "<p>Hello</p>"}, "security")


def test_a_document_of_ones_own_is_parsed_without_fear(found: Found) -> None:
    own = "from xml.etree import ElementTree\ndef read(path):\n    return ElementTree.parse(path)\n"
    sent = "from xml.etree import ElementTree\ndef read(request):\n    return ElementTree.fromstring(request.body)\n"
    assert not found(APP | {"a.py": own}, "security")
    assert found(APP | {"a.py": sent}, "security")


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("f\"{settings.url}/{request.args['port']}\"", False),
        ("settings.url + '/ports/' + request.args['port']", False),
        ("f\"{settings.scheme}://{request.args['host']}\"", True),
        ("request.args['url']", True),
    ],
)
def test_the_settings_name_the_server(address: str, told: bool, found: Found) -> None:
    assert bool(found(APP | {"a.py": WEB.format(address)}, "security")) == told


def test_a_view_is_exempt_for_a_reason_that_stands_above_it(found: Found) -> None:
    view = "@csrf_exempt\ndef book(request):\n    return make(request)\n"
    assert found(APP | {"a.py": view}, "security")
    assert not found(APP | {"a.py": f"# There is no session here, so no cookie to abuse.\n{view}"}, "security")
    assert found(APP | {"a.py": f"# Everything about bookings.\n{view}"}, "security")


def test_what_a_command_prints_its_operator_has_asked_for(found: Found) -> None:
    code = "def new(email, token):\n    print(email, token)\n"
    assert not found(APP | {"shop/cli.py": code}, "security")
    assert found(APP | {"shop/mail.py": code}, "security")


def test_a_timer_hears_of_answers_that_are_looked_at(found: Found) -> None:
    code = "async function refresh() {\n  const a = await fetch('/b');\n  %s\n}\nsetInterval(refresh, 900);\n"
    assert found(APP | {"static/a.js": code % "show(await a.json());"}, "lint")
    assert not found(APP | {"static/a.js": code % "if (a.ok) { show(await a.json()); }"}, "lint")


def test_the_right_to_do_something_is_a_bug_of_the_assert(found: Found) -> None:
    code = "def refund(staff, ticket):\n    assert staff.role == 'office'\n    return ticket\n"
    assert [each.rule for each in found(APP | {"a.py": code}, "lint")] == ["S101"]
