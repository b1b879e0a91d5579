"""`maintainer audit` shows what the terminal was asked for, to people and to machines."""

import json
from pathlib import Path

import pytest
import typer
from maintainer.graph.cli import audit
from maintainer.tools import TerminalTool
from maintainer.tools.terminal.audit import path_in
from typer.testing import CliRunner


def commands() -> typer.Typer:
    app = typer.Typer()
    app.callback()(lambda: None)  # or a single command would have no name
    audit.register(app)
    return app


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    (tmp_path / "README.md").write_text("hello\n")
    with TerminalTool(tmp_path, audit=path_in(tmp_path / ".maintainer")) as terminal:
        terminal.run("cat README.md")
        terminal.run("rm README.md")
    return tmp_path


def test_the_log_is_shown_oldest_first(repo: Path) -> None:
    done = CliRunner().invoke(commands(), ["audit", "--repo", str(repo)])
    assert done.exit_code == 0, done.output
    assert done.output.index("cat README.md") < done.output.index("rm README.md")
    assert "'rm' is not an allowed command" in done.output
    assert "2 commands, 1 refused" in done.output


def test_machines_get_json_and_may_ask_for_refusals_only(repo: Path) -> None:
    done = CliRunner().invoke(commands(), ["audit", "--repo", str(repo), "--json", "--refused"])
    entries = json.loads(done.output)
    assert [(entry["verdict"], entry["exit_code"]) for entry in entries] == [("refused", 126)]


def test_an_empty_log_is_no_error(tmp_path: Path) -> None:
    done = CliRunner().invoke(commands(), ["audit", "--repo", str(tmp_path)])
    assert (done.exit_code, "0 commands" in done.output) == (0, True)
    assert not (tmp_path / ".maintainer").exists()
