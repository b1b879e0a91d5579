"""A word in between, from another terminal."""

import json
from pathlib import Path

from maintainer.graph import Maintainer
from maintainer.graph.cli import build_app
from maintainer.state.session import Prompt, Reply
from maintainer.tools.fakes import ScriptedModel, asking
from typer.testing import CliRunner


def test_a_word_from_another_process_reaches_the_turn_under_way(shop: Path) -> None:
    def interfere(_: Prompt) -> Reply:
        said = CliRunner().invoke(build_app(), ["steer", "s", "只看 shop/services", "--repo", str(shop), "--json"])
        assert json.loads(said.stdout)["session"] == "s"
        return asking("terminal", command="ls shop")

    model = ScriptedModel([interfere, "Only services."])
    with Maintainer(shop, model=model, embedder="none") as maintainer:
        maintainer.run("Where are orders placed?", mode="explore", session="s")
    assert "只看 shop/services" in model.prompts[1].user


def test_steering_nobody_or_with_nothing_is_one_line_and_exit_code_1(shop: Path) -> None:
    for words in (["steer", "nobody", "hello"], ["steer", "s", " "]):
        result = CliRunner().invoke(build_app(), [*words, "--repo", str(shop)])
        assert result.exit_code == 1
