"""What a repository says of itself: who may import whom, which options and parts and settings there are."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]
LAYERS = {
    "shop/__init__.py": "",
    "shop/web/__init__.py": "",
    "shop/web/pages.py": "from shop.ledger import books\n\nprint(books)\n",
    "shop/ledger/__init__.py": "",
    "shop/ledger/books.py": "from shop.mail import post\n\nprint(post)\n",
    "shop/mail/__init__.py": "",
    "shop/mail/post.py": "def send():\n    from shop.web import pages\n    return pages\n",
    "manage.py": "import shop.web.pages\n\nprint(shop)\n",
}


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("docs/design.md", "Imports point down:\n\n    web -> ledger -> mail\n"),
        ("README.md", "## 分层\n\n依赖方向:\n\n`web` → `ledger` → `mail`\n"),
        (
            "docs/design.md",
            "| part | may import |\n|---|---|\n| `web` | everything |\n| `ledger` | `mail` |\n| `mail` | nothing |\n",
        ),
        ("ARCHITECTURE.md", "`mail` must never import `web`.\n"),
        ("README.md", "`mail` 不得导入 `web`。\n"),
        (
            "README.md",
            "| part | what |\n|---|---|\n| `mail` | letters |\n| `ledger` | books |\n| `web` | pages |\n"
            "\nA part imports only from those above it in the table.\n",
        ),
        ("README.md", "Nothing here imports what stands above it:\n\n- `web`\n- `ledger`\n- `mail`\n"),
        ("README.md", "`mail` only sends. Mail writes no rows and never\nimports web.\n"),
        ("README.md", "Nothing in `mail` knows `web`.\n"),
        (
            ".importlinter",
            "[importlinter:contract:1]\nname = x\ntype = layers\nlayers =\n"
            "    shop.web\n    shop.ledger\n    shop.mail\n",
        ),
        (
            "pyproject.toml",
            '[[tool.importlinter.contracts]]\nname = "x"\ntype = "forbidden"\n'
            'source_modules = ["shop.mail"]\nforbidden_modules = ["shop.web"]\n',
        ),
    ],
)
def test_an_import_that_the_repository_itself_bars_is_told(path: str, text: str, found: Found) -> None:
    [breach] = [each for each in found(LAYERS | {path: text}, "layering") if each.rule == "stated"]
    assert str(breach.place) == "shop/mail/post.py:2"
    assert breach.others[-1].path == path


@pytest.mark.parametrize(
    "text",
    [
        "A request goes web -> ledger -> mail and back.\n",  # says nothing of imports
        "Imports point down: letters -> stamps -> boxes\n",  # no parts of this repository
        "`web` must not import `mail`.\n",  # and does not
        "What each part imports stands above it:\n\n- `web`\n- `ledger`\n- `mail`\n",  # nothing of who may
    ],
)
def test_what_bars_nothing_is_no_breach(text: str, found: Found) -> None:
    assert not [each for each in found(LAYERS | {"docs/design.md": text}, "layering") if each.rule == "stated"]


PROGRAM = """\
import argparse

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quiet")
    commands = parser.add_subparsers()
    pack = commands.add_parser("pack")
    pack.add_argument("--level")
    commands.add_parser("list").add_argument("folder")
    return parser
"""
PROJECT = """\
[project]
name = "packer"
dependencies = []
[project.optional-dependencies]
zip = ["zipstream"]
[project.scripts]
packer = "packer.cli:main"
"""


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("packer pack --level 3", False),
        ("packer pack --quiet", False),
        ("packer pack --fast", True),
        ("packer list --level 3", True),  # an option of another command
        ("packer list --help", False),
        ('pip install -e ".[zip]"', False),
        ('pip install -e ".[zip,tar]"', True),
        ("pip install packer[tar]", True),
        ("pip install other[tar]", False),
    ],
)
def test_options_and_parts_in_documents_have_to_be_there(line: str, told: bool, found: Found) -> None:
    files = {
        "README.md": f"Use:\n\n    {line}\n",
        "packer/__init__.py": "",
        "packer/cli.py": PROGRAM,
        "pyproject.toml": PROJECT,
    }
    assert bool(found(files, "stale_docs")) is told


def test_options_of_click_belong_to_their_commands(found: Found) -> None:
    program = (
        "import click\n\n@click.group()\ndef main():\n    pass\n\n"
        '@main.command()\n@click.option("--level")\ndef pack(level):\n    pass\n\n'
        '@main.command("list")\ndef show():\n    pass\n'
    )
    files = {"packer/__init__.py": "", "packer/cli.py": program, "pyproject.toml": PROJECT}
    lines = "    packer pack --level 3\n    packer list --level 3\n"
    findings = found(files | {"README.md": f"Use:\n\n{lines}"}, "stale_docs")
    assert [finding.place.line for finding in findings] == [4]


SETTINGS = (
    "from pydantic_settings import BaseSettings\n\n\nclass Settings(BaseSettings):\n"
    '    model_config = {"env_prefix": "SHOP_"}\n    port: int = 80\n'
).replace('{"env_prefix": "SHOP_"}', 'dict(env_prefix="SHOP_")')


def test_a_variable_behind_a_prefix_needs_a_field(found: Found) -> None:
    text = "## Settings\n\n- `SHOP_PORT`: where it listens\n- `SHOP_COLOUR`: gone\n"
    findings = found({"README.md": text, "app.py": SETTINGS}, "stale_docs")
    assert [finding.place.line for finding in findings] == [4]


def test_an_example_of_settings_is_a_document_too(found: Found) -> None:
    code = 'import os\n\nprint(os.environ["MAIL_HOST"])\n'
    findings = found({".env.example": "MAIL_HOST=x\nMAIL_COLOUR=red\n", "app.py": code}, "stale_docs")
    assert [str(finding.place) for finding in findings] == [".env.example:2"]


def test_a_default_in_a_document_has_to_be_that_of_the_code(found: Found) -> None:
    code = 'import os\n\nprint(os.environ.get("MAIL_TRIES", "5"), os.environ.get("MAIL_PORT", "25"))\n'
    text = "## Settings\n\n- `MAIL_TRIES`: how often (default 3)\n- `MAIL_PORT`: default `25`\n"
    findings = found({"README.md": text, "app.py": code}, "stale_docs")
    assert [finding.place.line for finding in findings] == [3]


ROUTES = """\
ROUTES = []

def on(method, pattern):
    return lambda function: ROUTES.append((method, pattern, function)) or function

@route("GET", "/v1/parcels")
def parcels(client):
    return client.get("/v1/depots")

@route("POST", r"/v1/parcels/(?P<number>\\d+)/label")
def label():
    pass
"""


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("GET /v1/parcels", False),
        ("POST /v1/parcels/7/label", False),
        ("PUT /v1/parcels/<number>/label", True),  # served, but not so
        ("GET /v1/depots", True),  # asked of another server, not served here
    ],
)
def test_an_address_is_served_by_its_method_and_not_by_those_who_ask_for_it(
    address: str, told: bool, found: Found
) -> None:
    findings = found({"README.md": f"- `{address}`: parcels\n", "app.py": ROUTES}, "stale_docs")
    assert bool(findings) is told


def test_a_service_of_compose_has_to_be_there(found: Found) -> None:
    files = {"compose.yaml": "services:\n  web:\n    image: shop\n  worker:\n    image: shop\n"}
    text = "    docker compose up worker\n    docker compose exec queue sh\n"
    findings = found(files | {"README.md": f"Use:\n\n{text}"}, "stale_docs")
    assert [finding.place.line for finding in findings] == [4]


def test_a_parameter_that_documentation_explains_has_to_be_taken(found: Found) -> None:
    code = (
        'def send(letter):\n    """Send a letter.\n\n    Args:\n'
        '        letter: What is sent.\n        stamp: Its price.\n    """\n    return letter\n'
    )
    findings = found({"app.py": code, "b.py": "import app\n\napp.send(1)\n"}, "stale_docs")
    assert [(str(finding.place), finding.facts["claim"]) for finding in findings] == [("app.py:6", "stamp")]


COMMANDS = {
    "manage.py": "import shop.commands\n\nprint(shop)\n",
    "requirements.txt": "flask==3.1.0\n",
    "shop/__init__.py": "",
    "shop/commands.py": (
        "import click\n\n\n@bp.cli.command('load-books')\n@click.argument('path')\n@click.option('--quiet')\n"
        "def load_books(path, quiet):\n    return path, quiet\n"
    ),
}


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("* `load-books FILE` - takes over books; `--quiet` says nothing", False),
        ("* `load-books FILE` - takes over books; `--dry-run` only shows them", True),
        ("    flask --app wsgi load-books x --quiet", False),
        ("    flask --app wsgi load-books x --fast", True),
        ("    flask --app wsgi burn-books", True),
        ("    flask --app wsgi run", False),
    ],
)
def test_commands_of_flask_are_known_with_their_options(line: str, told: bool, found: Found) -> None:
    assert bool(found(COMMANDS | {"README.md": f"Commands:\n\n{line}\n"}, "stale_docs")) is told


def test_a_numbered_list_of_layers_bars_imports_against_it(found: Found) -> None:
    text = "Imports go downwards only:\n\n1. `shop/web/`\n2. `shop/ledger/`\n3. `shop/mail/` (knows nobody)\n"
    [breach] = [each for each in found(LAYERS | {"docs/design.md": text}, "layering") if each.rule == "stated"]
    assert str(breach.place) == "shop/mail/post.py:2"


def test_a_part_may_be_told_to_import_nothing_of_the_rest(found: Found) -> None:
    text = "- `shop/mail/` (imports nothing from `shop`)\n"
    [breach] = [each for each in found(LAYERS | {"docs/design.md": text}, "layering") if each.rule == "stated"]
    assert str(breach.place) == "shop/mail/post.py:2"


def test_a_function_of_a_module_that_is_gone_is_told_without_brackets_too(found: Found) -> None:
    code = {"manage.py": "import ledger\n\nprint(ledger.open_book)\n", "ledger.py": "def open_book():\n    return 1\n"}
    text = "- `ledger.open_book` opens one\n- `ledger.close_book` closes it\n- `other.close_book` is not ours\n"
    findings = found(code | {"README.md": text}, "stale_docs")
    assert [finding.place.line for finding in findings] == [2]
