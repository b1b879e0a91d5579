"""Tasks that nothing queues, imports that do nothing, and what is named only in parts."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]

TASKS = """\
from celery import shared_task

from kiln.work import burn


@shared_task
def fire(number):
    return burn(number)


@shared_task{given}
def cool(number):
    return burn(-number)
"""
KILN = {
    "manage.py": "import kiln.tasks\n",
    "kiln/__init__.py": "",
    "kiln/work.py": "def burn(number):\n    return number\n",
    "kiln/settings.py": 'CELERY_BEAT_SCHEDULE = {"fire": {"task": "kiln.tasks.fire", "schedule": 60}}\n',
}
CASES = {
    "": ["cool"],
    '(name="cold")': [],
    "()": ["cool"],
}


@pytest.mark.parametrize("given", CASES)
def test_a_task_that_is_in_no_schedule_and_called_by_nobody_is_dead(given: str, found: Found) -> None:
    told = found({**KILN, "kiln/tasks.py": TASKS.format(given=given)}, "dead_code")
    assert [each.symbol for each in told] == CASES[given]


@pytest.mark.parametrize(
    "more",
    [
        {"kiln/views.py": "from kiln.tasks import cool\n\ncool.delay(1)\n"},
        {"kiln/settings.py": 'INSTALLED_APPS = ["django_celery_beat"]\nTASK = "kiln.tasks.fire"\n'},
        {"kiln/settings.py": "BROKER = 1\n"},  # no task is named here at all
    ],
)
def test_a_task_may_be_queued_from_elsewhere(more: dict[str, str], found: Found) -> None:
    told = found({**KILN, "kiln/tasks.py": TASKS.format(given=""), **more}, "dead_code")
    assert "cool" not in [each.symbol for each in told]


def test_an_unused_import_of_plain_functions_is_told_and_one_that_registers_is_not(found: Found) -> None:
    files = {
        "manage.py": "from kiln import glaze, work\n\nprint(1)\n",
        "kiln/__init__.py": "",
        "kiln/work.py": KILN["kiln/work.py"],
        "kiln/glaze.py": "from kiln.work import burn\n\n\ndef shine():\n    return burn(1)\n\n\nprint(shine())\n",
    }
    [told] = [each for each in found(files, "dead_code") if each.rule == "import"]
    assert told.facts["name"] == "kiln.work"


def test_a_constant_that_names_imports_keeps_them(found: Found) -> None:
    files = {
        "manage.py": "from kiln import glaze, work\n\nMODULES = (glaze, work)  # they register\n\nprint(1)\n",
        "kiln/__init__.py": "",
        "kiln/work.py": "print(1)\n",
        "kiln/glaze.py": "print(2)\n",
    }
    assert found(files, "dead_code") == []


@pytest.mark.parametrize("name", ['f"mails/overdue_{step}.txt"', '"mails/overdue_" + step + ".txt"'])
def test_templates_whose_names_are_put_together_are_used(name: str, found: Found) -> None:
    files = {
        "manage.py": f'print(render_template({name}), render_template("home.html"))\n',
        "kiln/templates/home.html": "<p>home</p>\n",
        "kiln/templates/mails/welcome.txt": "Welcome\n",
        "kiln/templates/mails/overdue_1.txt": "Please pay\n",
        "kiln/templates/mails/overdue_2.txt": "Pay now\n",
        "kiln/mails.py": 'print(render_template("mails/welcome.txt"))\n',
    }
    assert [each for each in found(files, "dead_code") if each.rule == "page"] == []
