"""What documents say of names, commands and options that the repository does not bear out."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]

APP = {
    "manage.py": "import app.main\n",
    "requirements.txt": "flask\n",
    "app/__init__.py": "",
    "app/main.py": "import argparse\nimport os\n\nimport flask\n\nHOST = os.environ['SHOP_HOST']\n\n\n"
    'router = APIRouter(prefix="/orders")\n\n\n@router.get("/{number}")\ndef show_order(number):\n    return 1\n\n\n'
    'argparse.ArgumentParser().add_argument("--dry-run")\n',
    "web/package.json": '{"name": "web", "private": true, "scripts": {"build": "x"}}',
}


def claims(found: Found, readme: str, **files: str) -> list[object]:
    told = found({**APP, "README.md": readme, **files}, "stale_docs")
    return [finding.facts["claim"] for finding in told]


@pytest.mark.parametrize(
    ("readme", "claimed"),
    [
        ("Totals come from `order_total()`.", ["order_total()"]),
        ("`show_order()` shows one, `any()` and `do()` are anybody's.", []),
        ("| variable | use |\n|---|---|\n| `SHOP_HOST` | host |\n| `SHOP_PORT` | port |", ["SHOP_PORT"]),
        ("## Configuration\n\n`FLASK_DEBUG` is Flask's own.", []),
        ("In prose, `SOME_CONSTANT` may be anything.", []),
        ("`GET /orders/{id}` and `GET /api/v1/orders/7` are served.", []),
        ("`DELETE /invoices/{id}` is not.", ["DELETE /invoices/{id}"]),
        ("```python\nfrom app.main import show_order\nimport requests\n```", []),
        ("```python\nfrom app.client import Client\n```", ["from app.client import Client"]),
        ("```python\nfrom app.main import Client\n```", ["from app.main import Client"]),
        ("```sh\ncd web && npm run build\nnpm --prefix web run bundle\n```", ["npm run bundle"]),
        ("```sh\npython app/main.py --dry-run\npython -m app.main --force\n```", ["app/main.py --force"]),
        ("```sh\ncp .env.example .env\n./scripts/start.sh\n```", ["cp .env.example", "./scripts/start.sh"]),
        ("```sh\npytest tests/unit\n```", ["pytest tests/unit"]),
        ("Run `tox -e lint`, then `docker compose -f x.yaml up`.", ["tox -e lint"]),
        ("```sh\nuvicorn app.main:app\ncelery -A app.jobs worker\n```", ["celery app.jobs"]),
        ("```sh\nflask --app app run\nflask init-db\nflask routes\n```", ["flask init-db"]),
        ("Mails go through `SHOP_SMTP`.", ["SHOP_SMTP"]),  # called as SHOP_HOST is
        ("The nightly job is `scripts/nightly.sh`.", ["scripts/nightly.sh"]),
        ("```\napp/\n├── main.py\n└── client.py\n```", ["client.py"]),
    ],
)
def test_names_and_commands_are_looked_up(readme: str, claimed: list[str], found: Found) -> None:
    assert claims(found, readme) == claimed


def test_the_readme_of_a_library_starts_a_file_of_its_reader(found: Found) -> None:
    library = {"pyproject.toml": '[project]\nname = "lib"\n', "lib/__init__.py": "X = 1\n"}
    readme = "```sh\npython hello.py\npython tools/make.py\n```\n"
    assert [each.facts["claim"] for each in found({**library, "README.md": readme}, "stale_docs")] == [
        "python tools/make.py"
    ]


def test_below_the_root_versions_of_python_are_ours_where_something_is_asked_for(found: Found) -> None:
    files = {"pyproject.toml": '[project]\nname = "x"\nrequires-python = ">=3.11"\n', "main.py": "print(1)\n"}
    text = "Python 3.7 and later decode names so.\n\nIt requires Python 3.8 or newer.\n"
    assert [each.place.line for each in found({**files, "docs/a.md": text}, "stale_docs")] == [3]


def test_the_documents_of_a_library_speak_of_what_its_readers_write(found: Found) -> None:
    library = {
        "pyproject.toml": '[project]\nname = "lib"\nscripts = {lib = "lib:main"}\n'
        'classifiers = ["Topic :: Software Development :: Libraries"]\n',
        "lib/__init__.py": "def main():\n    return 1\n",
        "docs/guide.md": "Write `my_function()` and call `GET /mine`:\n\n```sh\nlib my-command\n```\n",
    }
    assert found(library, "stale_docs") == []


FOLDERS = "# Abbey\n\n- `choir/`: songs\n- `cellar/`: barrels\n- `garden/`: herbs\n- `crypt/`: graves\n"


def test_folders_of_a_list_are_there(found: Found) -> None:
    modules = {f"{name}/rules.py": "crypt = 1\nprint(crypt)\n" for name in ("choir", "cellar", "garden")}
    told = found({**modules, "README.md": FOLDERS}, "stale_docs")
    assert [each.facts["claim"] for each in told] == ["crypt/"]
    assert not found({**modules, ".gitignore": "crypt/\n", "README.md": FOLDERS}, "stale_docs")
