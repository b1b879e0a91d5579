"""Branches behind switches that are off, settings, modules, loggers, templates and scripts that nobody needs."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]
APP = {"manage.py": "import app.main\n\napp.main.f()\n", "requirements.txt": "flask==3.1.0\n", "app/__init__.py": ""}


def places(findings: list[Finding]) -> list[str]:
    return sorted(str(finding.place) for finding in findings)


def switched_off(findings: list[Finding]) -> list[str]:
    return [str(each.place) for each in findings if each.rule == "switched off"]


BRANCHES = {
    "if OLD_RATES:\n        return 1\n    return 2": "app/main.py:6",
    "if day and OLD_RATES:\n        return 1\n    return 2": "app/main.py:6",
    "if not OLD_RATES:\n        return 1\n    else:\n        return 2": "app/main.py:8",
    "if not OLD_RATES:\n        return 1\n    return 2": "app/main.py:7",
    "return 1 if OLD_RATES else 2": "app/main.py:5",
    "if OLD_RATES or day:\n        return 1\n    return 2": "",
    "if OLD_RATES is None:\n        return 1\n    return 2": "",
}


@pytest.mark.parametrize("body", BRANCHES)
def test_a_branch_behind_a_constant_that_is_off_never_runs(found: Found, body: str) -> None:
    code = f"OLD_RATES = False\n\n\ndef f(day=1):\n    {body}\n"
    assert switched_off(found(APP | {"app/main.py": code}, "dead_code")) == [*filter(None, [BRANCHES[body]])]


OFF = {"app/main.py": "from app import rates\n\n\ndef f():\n    return rates.g()\n"}
RATES = "OLD_RATES = False\n\n\ndef g():\n    if OLD_RATES:\n        return 1\n    return 2\n"
TURNED_ON = [
    {"tests/test_g.py": "def test_g(monkeypatch):\n    monkeypatch.setattr('app.rates.OLD_RATES', True)\n"},
    {"app/other.py": "from app import rates\n\nrates.OLD_RATES = True\n"},
    {"app/other.py": "settings = dict(OLD_RATES=True)\n"},
    {".env": "OLD_RATES=1\n"},
    {"deploy/compose.yml": "environment:\n  OLD_RATES: 1\n"},
    {"README.md": "Set `OLD_RATES` to go back to the rates of 2020.\n"},
    {"app/rates.py": RATES + "\n\ntry:\n    from local_rates import *\nexcept ImportError:\n    pass\n"},
    {"app/rates.py": "import os\n\n" + RATES.replace("= False", "= os.environ.get('OLD_RATES') == '1'")},
    {"app/rates.py": RATES.replace("def g():", "def set_old():\n    global OLD_RATES\n\n\ndef g():")},
]


@pytest.mark.parametrize("other", TURNED_ON)
def test_a_switch_that_something_may_turn_is_alive(found: Found, other: dict[str, str]) -> None:
    assert switched_off(found(APP | OFF | {"app/rates.py": RATES}, "dead_code")) == ["app/rates.py:6"]
    assert switched_off(found(APP | OFF | {"app/rates.py": RATES} | other, "dead_code")) == []


HELD = {
    'if app.config["CARD_READER"]:': "class Config:\n    CARD_READER = False\n",
    'if app.config.get("CARD_READER"):': "class Config:\n    CARD_READER = None\n",
    'if getattr(settings, "CARD_READER", False):': "CARD_READER = False\n",
    "if settings.CARD_READER:": "CARD_READER: bool = False\n",
    "if settings.card_reader:": "class Settings:\n    card_reader: bool = False\n",
}


@pytest.mark.parametrize("line", HELD)
def test_a_switch_may_be_held_by_a_configuration(found: Found, line: str) -> None:
    files = APP | {"app/main.py": f"def f(app, settings):\n    {line}\n        return 1\n    return 2\n"}
    files |= {"app/config.py": HELD[line]}
    assert switched_off(found(files, "dead_code")) == ["app/main.py:3"]
    filled = {"app/start.py": "def start(app):\n    app.config.from_prefixed_env()\n"}
    assert switched_off(found(files | filled, "dead_code")) == []
    copied = {"app/start.py": "def start(app, rows):\n    for row in rows:\n        app.config[row] = rows[row]\n"}
    assert switched_off(found(files | copied, "dead_code")) == []
    environment = (
        "from pydantic_settings import BaseSettings\n\n\nclass Settings(BaseSettings):\n    card_reader = False\n"
    )
    assert switched_off(found(files | {"app/config.py": environment}, "dead_code")) == []


def test_a_setting_that_nothing_reads_is_dead_but_not_what_frameworks_read(found: Found) -> None:
    settings = (
        "class Settings:\n    zone_url: str = 'http://zones'\n    pepper: str = ''\n\n\n"
        "class Config:\n    SECRET_KEY = ''\n    MAIL_SERVER = ''\n    DAYS_AHEAD = 3\n    SHOWN = 4\n"
    )
    files = APP | {
        "app/settings.py": settings,
        "app/main.py": "def f(settings=None):\n    return settings.pepper\n",
        "app/templates/index.html": "{{ config.SHOWN }}\n",
        "app/apps.py": "class AppConfig(Base):\n    name = 'app'\n    verbose_name = 'The app'\n",
    }
    dead = [each for each in found(files, "dead_code") if each.rule == "setting"]
    assert places(dead) == ["app/settings.py:2", "app/settings.py:9"]
    whole = {"app/main.py": "from dataclasses import asdict\n\nimport app.settings\n\n\ndef f():\n    asdict(app)\n"}
    assert [each for each in found(files | whole, "dead_code") if each.rule == "setting"] == []


def test_loggers_that_nothing_uses_are_one_finding_where_they_are_a_habit(found: Found) -> None:
    idle = "import logging\n\nlogger = logging.getLogger(__name__)\n\n\ndef f():\n    return 1\n"
    busy = idle.replace("return 1", "logger.info('x')")
    files = APP | {
        "app/main.py": busy,
        "app/mail.py": idle,
        "app/log.py": idle,
        "app/a.py": "from app import mail\nfrom app.log import logger\n",
    }
    assert [each for each in found(files, "dead_code") if each.rule == "logger"] == []  # it waits for its first use
    files |= {"app/post.py": idle, "app/rows.py": idle}
    [told] = [each for each in found(files, "dead_code") if each.rule == "logger"]
    assert [str(each) for each in (told.place, *told.others)] == ["app/mail.py:3", "app/post.py:3", "app/rows.py:3"]


CODE = "def svg():\n    return '<svg'\n"
MODULES = {
    "app/lib/__init__.py": "",
    "app/lib/barcode.py": CODE,
    "app/lib/dates.py": "DAY = 1\n",
    "app/main.py": "import app.lib.dates\n\n\ndef f():\n    return 'svg', 'barcode', app.lib.dates.DAY\n",
}


@pytest.mark.parametrize(
    ("other", "dead"),
    [
        ({}, True),
        ({"README.md": "`lib/barcode.py` draws bars.\n"}, True),
        ({"app/jobs.py": "JOBS = {'bars': 'app.lib.barcode'}\n"}, False),
        ({"Procfile": "bars: python -m app.lib.barcode\n"}, False),
        ({"app/lib/barcode.py": f"{CODE}\n\nif __name__ == '__main__':\n    svg()\n"}, False),
        ({"app/lib/__init__.py": "import pkgutil\n\npkgutil.iter_modules(__path__)\n"}, False),
        ({"tests/test_barcode.py": "from app.lib import barcode\n\n\ndef test_it():\n    barcode.svg()\n"}, False),
    ],
)
def test_a_module_that_nothing_imports_is_dead(found: Found, other: dict[str, str], dead: bool) -> None:
    findings = [each for each in found(APP | MODULES | other, "dead_code") if each.rule == "module"]
    assert places(findings) == (["app/lib/barcode.py:1"] if dead else [])


PAGES = {
    "app/templates/slip.html": "{% extends 'base.html' %}\n",
    "app/templates/base.html": "<script src='/static/js/shown.js'></script>\n",
    "app/static/js/shown.js": "alert(1);\n",
    "app/templates/other.html": "",
    "app/static/js/forgotten.js": "alert(2);\n",
    "app/main.py": "def f(render):\n    return render('other.html')\n",
}


@pytest.mark.parametrize(
    ("other", "dead"),
    [
        ({}, True),
        ({"docs/pages.md": "`slip.html` is the slip.\n"}, True),
        ({"app/more.py": "PAGE = 'desk/slip.html'\n"}, False),
        ({"app/more.py": "def g(render, name='slip'):\n    return render(f'{name}.html')\n"}, False),
        ({"app/templates/list.html": "{% include 'slip.html' %}\n"}, False),
    ],
)
def test_a_template_that_nothing_names_is_dead(found: Found, other: dict[str, str], dead: bool) -> None:
    pages = [each for each in found(APP | PAGES | other, "dead_code") if each.rule == "page"]
    expected = ["app/static/js/forgotten.js:1", *(["app/templates/slip.html:1"] if dead else [])]
    assert [place for place in places(pages) if "list" not in place] == expected


SALE = {
    "app/models.py": "class Sale(Base):\n    state = Column(String, default='open')\n",
    "app/main.py": (
        "def f(lot):\n    if lot.sale.state == 'paused':\n        return 1\n    state = 'closed' if lot else 'open'\n"
        "    lot.sale.state = state\n    return 2\n"
    ),
}


@pytest.mark.parametrize(
    ("other", "dead"),
    [
        ({}, True),
        ({"app/web.py": "def g(sale):\n    sale.state = 'paused'\n"}, False),
        ({"app/web.py": "def g(sale, data):\n    sale.state = data['state']\n"}, False),
        ({"app/web.py": "def g(sale, data):\n    for key in data:\n        setattr(sale, key, data[key])\n"}, False),
        ({"app/static/js/sale.js": "save({ state: 'paused' });\n"}, False),
        ({"seed.sql": "INSERT INTO sale (state) VALUES ('paused');\n"}, False),
        ({"app/models.py": "class Lot(Base):\n    state = Column(String)\n"}, False),
    ],
)
def test_a_branch_for_a_state_that_nothing_sets_never_runs(found: Found, other: dict[str, str], dead: bool) -> None:
    findings = [each for each in found(APP | SALE | other, "dead_code") if each.rule == "state"]
    assert places(findings) == (["app/main.py:3"] if dead else [])
