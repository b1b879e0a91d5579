"""What counts as tested: answers and not refusals, addresses that are put together, guards, starting files, forms."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]

APP = {"p/app.py": "from p import machines\n\nmachines.start()\n"}
KIOSK = """\
@app.post("/api/kiosk")
def receive():
    message = request.json["message"]
    if message[:2] == "23":
        return login(message)
    if message[:2] == "11":
        return lend(message)
    if message[:2] == "09":
        return take_back(message)
    if message[:2] == "63":
        return loans(message)
    return "96"
"""


@pytest.mark.parametrize(
    ("test", "is_told"),
    [
        ('def test_key(client):\n    assert client.post("/api/kiosk").status_code == 403\n', True),
        ('def test_key(client):\n    a = client.post("/api/kiosk")\n    assert a.status_code in (401, 403)\n', True),
        ('class TestK:\n    def test_k(self, client):\n        assert client.get("/api/kiosk").status == 401\n', True),
        ('def test_lends(client):\n    assert client.post("/api/kiosk").status_code == 200\n', False),
        ('def test_lends(client):\n    assert client.post("/api/kiosk").json == {"answer": "96"}\n', False),
        ('def test_lends(client):\n    base = f"/api"\n    assert client.post(base + "/kiosk").json == {}\n', False),
        ('def test_lends(client):\n    base = "/api"\n    assert client.post(f"{base}/kiosk").json == {}\n', False),
    ],
)  # fmt: skip
def test_an_address_that_is_only_refused_is_not_tested(test: str, is_told: bool, found: Found) -> None:
    files = APP | {"p/machines.py": KIOSK, "tests/test_doors.py": test}
    assert bool(found(files, "missing_tests")) is is_told


MANAGE = """\
@cli.command()
def job(name, at):
    moment = parse(at) if at else now()
    try:
        run = find(name)
    except KeyError:
        sys.exit(name)
    echo(run(moment))


@cli.command()
def figures(year):
    for name, value in month(year):
        echo(name, value)
"""
OF_DJANGO = """\
def main():
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "p.settings")
    try:
        from django.core.management import execute_from_command_line
    except ImportError as error:
        raise ImportError(
            "Is Django installed and available on your PYTHONPATH "
            "environment variable? Did you forget the environment?"
        ) from error
    execute_from_command_line(sys.argv)
"""


@pytest.mark.parametrize(
    ("text", "test", "is_told"),
    [
        (MANAGE, "def test_nothing():\n    assert True\n", True),
        (MANAGE, 'def test_job(run):\n    run("manage", "job")\n', False),
        (OF_DJANGO, "def test_nothing():\n    assert True\n", False),
    ],
)
def test_a_file_that_starts_the_program_needs_a_test_where_it_decides(
    text: str, test: str, is_told: bool, found: Found
) -> None:
    assert bool(found({"manage.py": text, "tests/test_a.py": test}, "missing_tests")) is is_told


def test_a_short_webhook_needs_a_test(found: Found) -> None:
    code = (
        '@api.post("/hooks/paid")\ndef paid():\n    if request.headers["X"] != sign(request.data):\n'
        '        return "", 403\n    confirm(request.json)\n    return "", 204\n'
    )
    files = {"p/webhooks.py": code, "tests/test_a.py": "def test_nothing():\n    assert True\n"}
    assert [each.place.path for each in found(files, "missing_tests")] == ["p/webhooks.py"]


def test_guards_and_forms_that_every_call_goes_through_are_tested_with_it(found: Found) -> None:
    guards = """\
def current():
    number = session.get("user")
    return load(number) if number else None


def signed_in(view):
    @wraps(view)
    def wrapped(*args):
        if current() is None:
            raise NotAllowed("sign in")
        return view(*args)

    return wrapped


def visible(user, number):
    if not user.may_see(number):
        raise NotAllowed("not yours")
    return number
"""
    forms = """\
from pydantic import BaseModel


class Subscription(BaseModel):
    url: str

    @field_validator("url")
    def public(cls, value):
        parts = urlsplit(value)
        host = parts.hostname or ""
        if parts.scheme != "https":
            raise ValueError("https")
        if host.endswith(".local"):
            raise ValueError("public")
        host = host.strip()
        return value
"""
    views = "from p.guards import signed_in, visible\nfrom p.forms import Subscription\n\n\n" + KIOSK.replace(
        "def receive", "@signed_in\ndef receive"
    ).replace("login(message)", "visible(1, message)")
    files = APP | {"p/guards.py": guards, "p/forms.py": forms, "p/machines.py": views}
    test = 'def test_lends(client):\n    assert client.post("/api/kiosk").json == {}\n'
    assert found(files | {"tests/test_doors.py": test}, "missing_tests") == []
    untested = found(files | {"tests/test_doors.py": "def test_x():\n    assert 1\n"}, "missing_tests")
    assert {each.place.path for each in untested} == {"p/guards.py", "p/machines.py"}
