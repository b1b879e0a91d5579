"""Means of nothing, days a year does not have, and columns that whoever sends a request may set."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]
APP = {"manage.py": "print(1)\n", "requirements.txt": "flask==3.1.0\n"}
MEAN = "def mean_catch(db, boat):\n{}    return sum(weights) / len(weights)\n"
VIEW = "from flask import request\nfrom harbour import boats\n\n\n@app.patch('/boats/<int:key>')\ndef change(key):\n{}"
LOOP = "def change(boat, data):\n    for key, value in data.items():\n{}            setattr(boat, key, value)\n"
SERIALIZER = (
    "class BoatSerializer(serializers.ModelSerializer):\n    class Meta:\n        model = Boat\n        fields = {}\n{}"
)
VIEWS = (
    "from harbour.serializers import BoatSerializer\n\n\n"
    "class Boats(viewsets.{}):\n    serializer_class = BoatSerializer\n"
)


def rules(findings: list[Finding]) -> set[str]:
    return {finding.rule for finding in findings}


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("    weights = [each.kg for each in db.query(Catch).all()]\n", True),
        ("    catches = db.query(Catch).all()\n    weights = [each.kg for each in catches if each.kg]\n", True),
        ("    weights = []\n    for each in boat.catches:\n        weights.append(each.kg)\n", True),
        ("    catches = db.query(Catch).all()\n    if not catches:\n        return 0\n"
         "    weights = [c.kg for c in catches]\n",
         False),
        ("    weights = [each.kg for each in db.query(Catch).all()] or [0]\n", False),
        ("    weights = [1, 2, 3]\n", False),
        ("    weights = boat\n", False),
        ("    weights = [each for each in SIZES]\n", False),
    ],
)  # fmt: skip
def test_a_mean_of_nothing(lines: str, told: bool, found: Found) -> None:
    assert ("divided-by-nothing" in rules(found(APP | {"app.py": MEAN.format(lines)}, "lint"))) is told


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("def share(db):\n    total = sum(c.kg for c in db.query(Catch).all())\n    return 5 / total\n", True),
        (
            "def share(db):\n    total = sum(c.kg for c in db.query(Catch).all())\n"
            "    return 5 / total if total else 0\n",
            False,
        ),
        ("def share(db):\n    total = max(1, db.query(Catch).count())\n    return 5 / total\n", False),
        ("def share(db):\n    total = db.query(Catch).count()\n    return 5 / total\n", True),
        ("def middle(db):\n    rows = [c.kg for c in db.scalars(q)]\n    return statistics.median(rows)\n", True),
        ("def again(rows):\n    rows = [r for r in rows]\n    return 1 / len(rows)\n", False),
    ],
)
def test_a_share_of_nothing(code: str, told: bool, found: Found) -> None:
    assert ("divided-by-nothing" in rules(found(APP | {"app.py": code}, "lint"))) is told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("return boat.seen.replace(year=boat.seen.year + 1)", True),
        ("return born.replace(year=today.year)", True),
        ("return date(today.year, born.month, born.day)", True),
        ("return born.replace(month=born.month + 1)", True),
        ("return born.replace(year=today.year, day=1)", False),
        ("return first_day.replace(year=today.year)", False),
        ("return dataclasses.replace(boat, year=today.year)", False),
        ("return born.replace(year=2000)", False),
        ("return born + relativedelta(years=1) or born.replace(year=today.year)", False),
        ("try:\n        return born.replace(year=today.year)\n    except ValueError:\n        return born", False),
    ],
)
def test_a_day_that_the_next_year_may_not_have(line: str, told: bool, found: Found) -> None:
    code = f"def due(boat, born, first_day, today):\n    {line}\n"
    assert ("no-such-day" in rules(found(APP | {"app.py": code}, "lint"))) is told


@pytest.mark.parametrize(
    ("handed", "code", "told"),
    [
        ("    return boats.change(get(key), request.json)\n", LOOP.format("        if hasattr(boat, key):\n"), True),
        ("    data = request.json\n    return boats.change(get(key), data)\n",
         LOOP.format("        if value != boat:\n"), True),
        ("    return boats.change(get(key), request.json)\n", LOOP.format("        if key in NAMES:\n"), False),
        ("    return boats.change(get(key), {'name': 'Anna'})\n", LOOP.format("        if value:\n"), False),
        ("    return boats.change(get(key), read_body())\n",
         "def change(key, values):\n    return Boat.query.filter_by(id=key).update(values)\n", True),
        ("    return boats.change(key, request.json)\n", "def change(key, data):\n    return Boat(**data)\n", True),
        ("    return boats.change(key, request.json)\n", "def change(key, data):\n    return BoatIn(**data)\n", False),
        ("    return boats.change(get(key), request.json)\n",
         "def change(key, data):\n    return Boat(name=data['name'])\n", False),
        ("    return boats.change(get(key), request.json)\n",
         "def change(boat, data):\n    for key, value in clean(data).items():\n"
         "        setattr(boat, key, value)\n", False),
    ],
)  # fmt: skip
def test_every_column_through_a_function(handed: str, code: str, told: bool, found: Found) -> None:
    files = {"harbour/__init__.py": "", "harbour/boats.py": code, "harbour/web.py": VIEW.format(handed)}
    assert ("set-by-user" in rules(found(APP | files, "security"))) is told


@pytest.mark.parametrize(
    ("view", "fields", "more", "told"),
    [
        ("ModelViewSet", "'__all__'", "", True),
        ("ReadOnlyModelViewSet", "'__all__'", "", False),
        ("ModelViewSet", "['name']", "", False),
        ("ModelViewSet", "'__all__'", "        read_only_fields = ['owner']\n", False),
    ],
)
def test_a_serializer_with_every_column(view: str, fields: str, more: str, told: bool, found: Found) -> None:
    files = {"harbour/__init__.py": "", "harbour/serializers.py": SERIALIZER.format(fields, more)}
    assert ("every-column" in rules(found(APP | files | {"harbour/views.py": VIEWS.format(view)}, "security"))) is told


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("text | safe", True),
        ("review|safe", True),
        ("text", False),
        ("content_html | safe", False),
        ("map|safe", False),
    ],
)
def test_what_people_write_is_shown_as_it_is(value: str, told: bool, found: Found) -> None:
    page = f"{{% for boat, text in boats %}}<p>{{{{ {value} }}}}</p>{{% endfor %}}\n"
    assert ("page-from-text" in rules(found(APP | {"templates/boats.html": page}, "security"))) is told


@pytest.mark.parametrize(
    ("keep", "told"),
    [
        ("if urlsplit(url).scheme not in ('http', 'https'):\n        raise ValueError(url)", 7),
        ("assert url", 12),
        ("if ipaddress.ip_address(resolve(url)).is_private:\n        raise ValueError(url)", 0),
    ],
)
def test_an_address_of_others_may_be_of_the_own_network(keep: str, told: int, found: Found) -> None:
    code = (
        "import requests\nfrom urllib.parse import urlsplit\n\n\n"
        f"def add_webhook(boat, url):\n    # kept\n    {keep}\n    return Webhook(boat, url)\n"
    )
    code += (
        "\n" * (10 - code.count("\n")) + "def tell(hook, body):\n    requests.post(hook.url, json=body, timeout=9)\n"
    )
    findings = found(APP | {"app.py": code}, "security")
    assert [each.place.line for each in findings if each.rule == "inner-address"] == ([told] if told else [])


@pytest.mark.parametrize(
    ("page", "code", "told"),
    [
        ("{% autoescape off %}<p>{{ boat.name }}</p>{% endautoescape %}", "", True),
        ("{% autoescape off %}<p>Boats</p>{% endautoescape %}", "", False),
        ("{% autoescape off %}Dear {{ guest.name }},\nyour boat waits.\n{% endautoescape %}", "", False),
        ("{% autoescape on %}<p>{{ boat.name }}</p>{% endautoescape %}", "", False),
        ("<p>{{ text | safe }}</p>", "import bleach\n", False),
    ],
)
def test_a_page_that_escapes_nothing(page: str, code: str, told: bool, found: Found) -> None:
    files = {"templates/boats.html": page, "harbour.py": code}
    assert ("page-from-text" in rules(found(APP | files, "security"))) is told
