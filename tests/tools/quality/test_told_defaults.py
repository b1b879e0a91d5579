"""Defaults in tables of documents, limits of what is counted, addresses that end in dots."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]

SETTINGS = {
    "harbour/settings.py": "import os\n\nSTAY = int(os.environ.get('HARBOUR_STAY_DAYS', '14'))\n"
    "PORT = os.getenv('HARBOUR_PORT') or 8080\nLOUD = os.getenv('HARBOUR_LOUD', 'true')\n",
    "web/main.js": "const wait = Number(process.env.HARBOUR_WAIT_MS ?? 500);\nconsole.log(wait);\n",
}


@pytest.mark.parametrize(
    ("head", "row", "told"),
    [
        ("| variable | default | what |", "| `HARBOUR_STAY_DAYS` | `21` | how long a boat stays |", True),
        ("| variable | default | what |", "| `HARBOUR_STAY_DAYS` | 14 | how long a boat stays |", False),
        ("| variable | default | what |", "| `HARBOUR_STAY_DAYS` | two weeks | how long a boat stays |", False),
        ("| variable | example | what |", "| `HARBOUR_STAY_DAYS` | `21` | how long a boat stays |", False),
        ("| 变量 | 说明 | 默认值 |", "| `HARBOUR_PORT` | 端口 | `8000` |", True),
        ("| 变量 | 说明 | 默认值 |", "| `HARBOUR_PORT` | 端口 | `8080` |", False),
        ("| name | default |", "| `HARBOUR_LOUD` | `1` |", False),
        ("| name | default |", "| `HARBOUR_LOUD` | `off` |", True),
        ("| name | Default value |", "| `HARBOUR_WAIT_MS` | 5000 |", True),
        ("| name | Default value |", "| `HARBOUR_WAIT_MS` | 500 |", False),
    ],
)
def test_defaults_of_tables(head: str, row: str, told: bool, found: Found) -> None:
    table = f"# Settings\n\n{head}\n{'|---' * (head.count('|') - 1)}|\n{row}\n"
    assert bool(found({**SETTINGS, "docs/settings.md": table}, "stale_docs")) is told


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("* A crew needs at least 5 sailors before it leaves; a dinghy needs two.", True),
        ("* A crew needs at least 3 sailors before it leaves.", False),
        ("A boat has twelve flags at most.", True),
        ("A boat has eight flags at most.", False),
        ("A boat has at most 6 flags per mast.", False),
        ("A list shows at most 20 boats.", False),  # that is another limit of boats
        ("At least 5 buoys are out.", False),
    ],
)
def test_limits_of_what_is_counted(line: str, told: bool, found: Found) -> None:
    code = "LEAST_SAILORS = 3\nMAX_FLAGS = 8\nMAX_BOATS = 90\nBOATS_SHOWN = 20\n"
    code += "print(LEAST_SAILORS, MAX_FLAGS, MAX_BOATS, BOATS_SHOWN)\n"
    assert bool(found({"harbour/rules.py": code, "docs/rules.md": f"# Rules\n\n{line}\n"}, "stale_docs")) is told


@pytest.mark.parametrize("end", ["...", "…", "…/slip"])
def test_an_address_with_dots_stands_for_many(end: str, found: Found) -> None:
    code = "from flask import Flask\n\napp = Flask(__name__)\n\n\n"
    code += "@app.get('/office/berths')\ndef berths():\n    return ''\n"
    assert not found({"harbour/web.py": code, "docs/api.md": f"- `GET /office/{end}` for the office\n"}, "stale_docs")
    assert found({"harbour/web.py": code, "docs/api.md": "- `GET /crane/berths`.\n"}, "stale_docs")
