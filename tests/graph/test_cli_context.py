"""`maintainer context` shows a receipt as people and machines want it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import typer
from maintainer.graph import ContextBuilder
from maintainer.graph.cli.context import register
from maintainer.state import ContextConfig, ContextPacket
from maintainer.state.errors import StoreError
from maintainer.tools.fakes import FixedClock
from maintainer.tools.receipts import ReceiptStore
from typer.testing import CliRunner


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    with ReceiptStore(tmp_path / ".maintainer" / "receipts") as receipts:
        builder = ContextBuilder(
            config=ContextConfig(max_tokens=500, reply_reserve=100),
            receipts=receipts,
            embedder=None,
            clock=FixedClock(),
        )
        packets = [
            ContextPacket(
                f"order service fact {n} " + f"w{n} " * 20,
                metadata={"type": "code", "path": f"src/m{n}.py", "lines": "1-9"},
            )
            for n in range(12)
        ]
        builder.build("why is the order service slow", [("user", "hi")], "Rules.", [*packets, ContextPacket("bananas")])
    return tmp_path


def run(repo: Path, *arguments: str) -> str:
    app = typer.Typer()
    app.callback()(lambda: None)
    register(app)
    result = CliRunner().invoke(app, ["context", "--repo", str(repo), *arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_the_receipt_is_a_bar_and_a_table(repo: Path) -> None:
    shown = run(repo)
    assert "asked: why is the order service slow" in shown
    assert "EEEEEEEE" in shown
    assert "rrrrrr" in shown
    assert re.search(r"E Evidence \d+ ", shown), "the bar's letters are explained"
    assert re.search(r"r reply \d+ ", shown)
    assert re.search(r"\. free \d+", shown)
    assert "src/m0.py:1-9" in shown
    assert "relevance 0.00 is below" in shown
    assert "of 400 tokens" in shown
    assert "quality 0." in shown


def test_why_explains_one_file(repo: Path) -> None:
    assert "src/m0.py:1-9 (code): in [Evidence]" in run(repo, "--why", "m0.py")
    assert "bananas (custom): left out; relevance 0.00 is below 0.1" in run(repo, "--why", "banana")
    assert "m99.py: not among the candidates" in run(repo, "--why", "m99.py")


def test_the_prompt_is_printed_as_it_was(repo: Path) -> None:
    with ReceiptStore(repo / ".maintainer" / "receipts") as receipts:
        kept = receipts.load(receipts.list()[0].id)
    assert run(repo, "--prompt") == kept.prompt["text"]
    assert json.loads(run(repo, "--prompt", "--json")) == kept.prompt


def test_machines_get_json(repo: Path) -> None:
    plain: dict[str, Any] = json.loads(run(repo, "--json"))
    assert plain["candidates"] == 14
    assert sum(entry["chosen"] for entry in plain["entries"]) >= 3
    listed = json.loads(run(repo, "--list", "--json"))
    assert run(repo, listed[0]["id"], "--why", "m0") == run(repo, "--why", "m0")
    assert json.loads(run(repo, "--why", "m0", "--json"))[0]["title"] == "src/m0.py:1-9"


def test_what_is_not_kept_is_said_with_a_remedy(repo: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    with pytest.raises(StoreError, match="no receipt in turn 9 is kept; `maintainer context --list` shows"):
        run(repo, "--turn", "9")
    with pytest.raises(StoreError, match="kept from the first question on"):
        run(tmp_path_factory.mktemp("empty"))
