"""Commands, tasks and recipes that documents name, looked up in the code that registers them."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]

APP = {
    "manage.py": "import argparse\n\nfrom shop.tasks import TASKS\n\n"
    "commands = argparse.ArgumentParser().add_subparsers()\n"
    'commands.add_parser("run-task").add_argument("name", choices=TASKS)\n',
    "shop/__init__.py": "",
    "shop/tasks.py": 'TASKS = {"overdue": "late", "clean-up": "cleanup", "statistics": "numbers"}\n',
    "shop/cli.py": "import click\nfrom flask.cli import AppGroup\n\n\n@click.group()\ndef main():\n    pass\n\n\n"
    '@main.command("import-depots")\ndef load():\n    pass\n\n\norders = AppGroup("orders")\n\n\n'
    '@orders.command("archive")\ndef archive_orders():\n    pass\n',
    "pyproject.toml": '[project]\nname = "shop"\ndependencies = ["click", "flask"]\n'
    '[project.scripts]\nshop = "shop.cli:main"\n',
    "justfile": "build target=\"all\":\n    echo\n\nset shell := ['sh']\n",
    "package.json": '{"name": "web", "private": true, "scripts": {"build": "x"}}',
}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("python manage.py run-task overdue", None),
        ("10 2 * * *  python manage.py run-task clean-up", None),
        ("python manage.py run-task send-newsletter", "run-task send-newsletter"),
        ("10 2 * * *  python manage.py run-task tidy", "run-task tidy"),
        ("python manage.py run-task NAME", None),
        (".venv/bin/shop import-depots depots.yaml", None),
        (".venv/bin/shop load-depots depots.yaml", "shop load-depots"),
        ("python -m shop.cli export-depots", "shop.cli export-depots"),
        ("flask orders archive", None),
        ("flask orders purge", "flask orders purge"),
        ("just build", None),
        ("just deploy", "just deploy"),
        ("npm test", "npm test"),
    ],
)
def test_what_a_command_line_starts_has_to_be_registered(line: str, told: str | None, found: Found) -> None:
    findings = found({**APP, "README.md": f"Use:\n\n    {line}\n"}, "stale_docs")
    assert [finding.facts["claim"] for finding in findings] == ([told] if told else [])


def test_a_table_of_tasks_names_those_that_are_there(found: Found) -> None:
    rows = "".join(f"| `{name}` | x |\n" for name in ("overdue", "clean-up", "statistics", "newsletter"))
    for head in ("task", "任务", "name"):
        readme = f"| {head} | what |\n|---|---|\n{rows}"
        assert [each.facts["claim"] for each in found({**APP, "README.md": readme}, "stale_docs")] == ["newsletter"]
    words = "".join(f"| `{name}` | x |\n" for name in ("overdue", "spring", "summer", "autumn"))
    assert not found({**APP, "README.md": f"| word | what |\n|---|---|\n{words}"}, "stale_docs")
