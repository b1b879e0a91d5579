"""What a real server and a real model do with our requests."""

from pathlib import Path
from typing import Any, Literal

import pytest
from maintainer.graph import Maintainer
from maintainer.nodes.llm_call import corrected
from maintainer.state.session import Exchange, Prompt, ToolCall
from maintainer.tools.models import ContextTooLong, Model
from maintainer.tools.rewrite import Rewriter
from maintainer.tools.tokens import open_counter
from maintainer.tools.toolset.delegate import delegate_tool
from pydantic import BaseModel

FILLER = "def area_{0}(width, height):\n    # rectangle number {0}\n    return width * height\n\n"


class Verdict(BaseModel):
    language: Literal["python", "java"]
    functions: int


class YesOrNo(BaseModel):
    答案: Literal["是", "否"]


def test_words_come_one_by_one_with_the_server_s_own_count(model: Model) -> None:
    heard: list[str] = []
    reply = model.reply(Prompt(system="You are brief.", user="Say hello."), max_tokens=24, on_text=heard.append)
    assert len(heard) > 3
    assert "".join(heard) == reply.text != ""
    assert 10 < reply.usage.input_tokens < 100
    assert 0 < reply.usage.output_tokens <= 24


def test_an_answer_cut_at_its_limit_is_said_to_be_cut(model: Model) -> None:
    reply = model.reply(Prompt(system="", user="Count from one to one hundred in words."), max_tokens=8)
    assert reply.notices == ["openai-compatible:smollm2 was cut off at 8 tokens (reply_tokens)"]


def test_a_schema_is_kept_to_even_by_a_tiny_model(model: Model) -> None:
    verdict = model.structured("You classify code.", FILLER.format(1), Verdict, max_tokens=60)
    assert verdict.language in ("python", "java")


def test_chinese_goes_in_and_comes_out_whole(model: Model) -> None:
    answer = model.structured("你是代码助手。", "购物车的总价是浮点数吗?", YesOrNo, max_tokens=40)
    assert answer.答案 in ("是", "否")
    heard: list[str] = []
    reply = model.reply(
        Prompt(system="请用中文回答。", user="你好,请介绍一下你自己。"), max_tokens=40, on_text=heard.append
    )
    assert reply.text.strip()
    assert "".join(heard) == reply.text
    assert "\ufffd" not in "".join(heard[:-1])


def test_calls_and_results_are_taken_in_the_form_we_send_them(model: Model) -> None:
    pair = Exchange(call=ToolCall(id="c00010000", name="terminal", arguments={"command": "ls"}), result="a.py", step=1)
    prompt = Prompt(system="You are brief.", user="Which files are there?", exchanges=[pair])
    reply = model.reply(prompt, [delegate_tool().definition()], max_tokens=16)
    assert reply.text or reply.calls


def test_a_context_of_3500_tokens_is_read_and_one_beyond_the_window_is_refused(model: Model) -> None:
    counter = open_counter()
    code = counter.head("".join(FILLER.format(number) for number in range(400)), 3_030)
    prompt = Prompt(system="You are brief.", user=f"{code}\nWhat do these functions return?", tokens=3_050)
    reply = model.reply(prompt, max_tokens=8)
    assert 3_450 <= reply.usage.input_tokens <= 3_800
    factor = corrected(1.0, prompt.tokens, reply.usage.input_tokens)
    assert 1.1 < factor < 1.3, "this model needs more tokens than o200k for the same text"
    with pytest.raises(ContextTooLong, match="exceeds the available context size"):
        model.reply(prompt.model_copy(update={"user": code * 2}), max_tokens=8)


def test_an_unknown_path_of_a_real_server_is_no_model(settings: dict[str, Any]) -> None:
    from maintainer.state.errors import ModelError
    from maintainer.state.options import Options
    from maintainer.tools.models.roles import open_model

    wrong = open_model("m", Options(**{**settings, "base_url": settings["base_url"] + "/nowhere"}))
    with pytest.raises(ModelError, match="HTTP 404"):
        wrong.reply(Prompt(system="", user="hello"), max_tokens=4)


@pytest.mark.parametrize("request_", ["Where are prices computed?", "购物车的价格在哪里计算?"])
def test_a_whole_turn_under_the_ceiling_with_a_session_that_goes_on(
    settings: dict[str, Any], tmp_path: Path, request_: str
) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "pricing.py").write_text("def price(item):\n    return item.net * 1.19\n", "utf-8")
    with Maintainer(tmp_path, embedder="none", budget=2000, reply_tokens=60, max_steps=2, **settings) as maintainer:
        answer = maintainer.run(request_, mode="explore", session="s")
        state = maintainer.graph.get_state({"configurable": {"thread_id": maintainer.sessions()[0].thread_id}}).values
    assert answer.status == "finished"
    assert answer.text.strip()
    assert answer.used.calls >= 1
    assert answer.used.input_tokens > 300
    assert state["token_factor"] >= 1.0
    assert state["history"][-2].content == request_


def test_a_tiny_model_finds_search_terms_in_the_shape_asked_for(model: Model) -> None:
    rewrite = Rewriter(model, open_counter(), budget=4000, timeout_s=60.0)
    found = rewrite("Where is the profile picture of a user stored?")
    assert found.failure == ""
    assert found.terms
    assert 0 < found.usage.output_tokens <= 240
    chinese = rewrite("用户头像保存在哪里?")  # such a model repeats itself in Chinese until it is cut off
    assert chinese.usage.calls >= 1
    assert chinese.terms or chinese.failure
