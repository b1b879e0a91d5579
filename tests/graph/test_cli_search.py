"""`maintainer search`, `index` and `map` as people and machines use them."""

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from maintainer.graph.cli.search import register
from maintainer.state.errors import ConfigError
from typer.testing import CliRunner


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MAINTAINER_EMBEDDER", "none")
    (tmp_path / "cart.py").write_text('def total(prices):\n    """Sum of the cart."""\n    return sum(prices)\n')
    (tmp_path / "logo.png").write_bytes(b"\x89PNG")
    return tmp_path


def run(repo: Path, command: str, *arguments: str) -> str:
    app = typer.Typer()
    app.callback()(lambda: None)
    register(app)
    result = CliRunner().invoke(app, [command, *arguments, "--repo", str(repo)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0
    return result.output


def data(repo: Path, command: str, *arguments: str) -> dict[str, Any]:
    return json.loads(run(repo, command, *arguments, "--json"))


def test_search_prints_places_and_lines(repo: Path) -> None:
    assert "cart.py:1-3" in run(repo, "search", "cart total")
    assert "return sum(prices)" in run(repo, "search", "购物车 cart total")
    assert "Nothing in the index answers this." in run(repo, "search", "xylophone")


def test_search_as_json(repo: Path) -> None:
    (result,) = data(repo, "search", "cart total", "--limit", "1", "--language", "python")["results"]
    assert (result["path"], result["lines"], result["symbols"]) == ("cart.py", "1-3", ["total"])


def test_an_empty_question_is_an_error(repo: Path) -> None:
    with pytest.raises(ConfigError, match="query"):
        run(repo, "search", "")


def test_a_role_that_is_none_is_an_error(repo: Path) -> None:
    with pytest.raises(ConfigError, match="role"):
        run(repo, "search", "cart", "--role", "poem")


def test_index_says_what_it_holds_and_leaves_out(repo: Path) -> None:
    out = run(repo, "index")
    assert "1 files read" in out
    assert "'logo.png': binary" in out
    again = data(repo, "index")
    assert (again["indexed"], again["unchanged"], again["files"]) == (0, 1, 1)
    assert data(repo, "index", "--rebuild")["indexed"] == 1


def test_map_keeps_its_ceiling(repo: Path) -> None:
    assert "def total(prices)" in run(repo, "map")
    drawn = data(repo, "map", "--tokens", "5")
    assert drawn["tokens"] <= 5
