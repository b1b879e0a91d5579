"""Models are named by one string; each part of the work may have its own."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage
from maintainer.state.errors import ConfigError, ModelError
from maintainer.state.options import Options
from maintainer.state.session import Exchange, Prompt, ToolCall
from maintainer.tools.fakes import ScriptedModel
from maintainer.tools.models import ContextTooLong, Models, open_models
from maintainer.tools.models.fallback import FallbackModel
from maintainer.tools.models.roles import open_model
from pydantic import BaseModel

ASK = Prompt(system="rules", user="task")
URL = "http://127.0.0.1:9/v1"


@pytest.mark.parametrize(
    ("spec", "base_url", "name"),
    [
        ("openai:gpt-4.1", "", "openai:gpt-4.1"),
        ("gpt-4.1", "", "openai:gpt-4.1"),
        ("qwen3", URL, "openai-compatible:qwen3"),
        ("qwen3:8b", URL, "openai-compatible:qwen3:8b"),
        ("openai-compatible:qwen3:8b", URL, "openai-compatible:qwen3:8b"),
        (f"qwen3:8b@{URL}", "", "openai-compatible:qwen3:8b"),
        ("ollama:qwen3:8b", "", "ollama:qwen3:8b"),
        (f"hf.co/some/model@main@{URL}", "", "openai-compatible:hf.co/some/model@main"),
    ],
)
def test_one_string_names_provider_and_model(spec: str, base_url: str, name: str) -> None:
    assert open_model(spec, Options(model=spec, base_url=base_url, api_key="sk-x")).name == name


@pytest.mark.parametrize(
    ("spec", "settings", "says"),
    [
        ("openai:gpt-4.1", {}, "OPENAI_API_KEY is '': is needed for openai:gpt-4.1"),
        ("openai-compatible:qwen3", {}, "base_url is '': is needed"),
        ("openai:", {"api_key": "x"}, "must be provider:name"),
        ("openai:", {"base_url": URL}, "must be provider:name"),
        ("acme:best", {"api_key": "x"}, "must be provider:name with one of anthropic"),
        ("anthropic:claude-sonnet-4-5", {}, "pip install langchain langchain-anthropic"),
        ("openai:gpt-4", {"api_key": "x", "budget": 9000}, "must be at most 8192, the window of openai:gpt-4"),
        ("q", {"base_url": URL, "window": 2048}, "budget is 4000: must be at most 2048"),
        ("q", {"base_url": URL, "prices": "1/2"}, "must be input/cached/output in US dollars"),
        ("q", {"base_url": URL, "prices": "1/nan/2"}, "must be input/cached/output in US dollars"),
    ],
)
def test_what_is_missing_is_named_with_its_remedy(spec: str, settings: dict[str, Any], says: str) -> None:
    with pytest.raises(ConfigError, match=says.replace("(", r"\(")):
        open_models(Options(model=spec, **settings))


@pytest.mark.parametrize("name", ["", "none"])
def test_no_model_is_a_choice(name: str) -> None:
    assert open_models(Options(model=name)) == Models()


def test_parts_share_the_main_model_unless_they_have_their_own() -> None:
    models = open_models(Options(model="big", note_model="small", base_url=URL))
    assert models.main is models.summary is models.agents
    assert models.notes is not None
    assert models.main is not None
    assert (models.main.name, models.notes.name) == ("openai-compatible:big", "openai-compatible:small")


def test_the_key_never_leaves_for_another_host(endpoint: Any) -> None:
    endpoint.says("hi")
    options = Options(model="openai:gpt-4.1", api_key="sk-secret")
    open_model(f"openai-compatible:m@{endpoint.url}", options).reply(ASK)
    assert endpoint.keys == ["Bearer unused"]


def test_the_key_goes_to_the_endpoint_of_the_settings_under_any_path(endpoint: Any) -> None:
    endpoint.says("hi")
    options = Options(model="m", api_key="sk-secret", base_url=endpoint.url)
    open_model(f"openai-compatible:m@{endpoint.url}", options).reply(ASK)
    assert endpoint.keys == ["Bearer sk-secret"]


def test_a_window_that_is_set_is_the_main_model_s_alone() -> None:
    options = Options(model="main", base_url=URL, window=4_000, fallbacks="openai:gpt-4", api_key="x")
    assert open_models(options).main is not None


def test_the_next_model_is_asked_when_one_fails_and_the_answer_says_so() -> None:
    first = ScriptedModel([ModelError("first is down")], name="first")
    chain = FallbackModel([first, ScriptedModel(["hello"], name="second")])
    reply = chain.reply(ASK)
    assert (chain.name, reply.text, reply.model) == ("first", "hello", "second")
    assert reply.notices == ["first is down; second was asked instead"]


def test_a_request_too_long_is_made_smaller_before_another_model_is_asked() -> None:
    second = ScriptedModel(["hello"])
    chain = FallbackModel([ScriptedModel([ContextTooLong("too long")]), second])
    with pytest.raises(ContextTooLong):
        chain.reply(ASK)
    assert second.prompts == []


def test_when_all_fail_all_are_named() -> None:
    chain = FallbackModel([ScriptedModel([ModelError("one is down")]), ScriptedModel([ModelError("two is down")])])
    with pytest.raises(ModelError, match="one is down; two is down"):
        chain.reply(ASK)


def test_forms_fall_back_too() -> None:
    class Verdict(BaseModel):
        good: bool

    chain = FallbackModel([ScriptedModel([]), ScriptedModel([], forms=[{"good": True}])])
    assert chain.structured("s", "u", Verdict).good


def test_a_fallback_named_in_the_settings_is_asked(endpoint: Any) -> None:
    endpoint.refuses(404)
    endpoint.says("from the second")
    model = open_models(Options(model="first", fallbacks="openai-compatible:second, ", base_url=endpoint.url)).main
    assert model is not None
    reply = model.reply(ASK)
    assert [request["model"] for request in endpoint.requests] == ["first", "second"]
    assert (reply.text, reply.model) == ("from the second", "openai-compatible:second")
    assert "first is not known at the endpoint" in reply.notices[0]


def foreign_model(answers: list[Any]) -> Any:
    """Return our model over a LangChain model that is not of the OpenAI kind, and what that one was sent."""
    from langchain_core.language_models import BaseChatModel
    from langchain_core.outputs import ChatGeneration, ChatResult
    from maintainer.tools.models.chat import ChatModel

    class Foreign(BaseChatModel):
        @property
        def _llm_type(self) -> str:
            return "foreign"

        def _generate(self, sent: Any, *_: Any, **named: Any) -> ChatResult:
            seen.append((sent, named))
            return ChatResult(generations=[ChatGeneration(message=answers.pop(0))])

    seen: list[Any] = []
    return ChatModel(Foreign(), name="anthropic:m", wire=False, limit="num_predict"), seen


def test_signed_thinking_of_another_provider_goes_back_unchanged() -> None:
    signed = {"type": "thinking", "thinking": "list first", "signature": "abc"}
    asking = AIMessage(
        content=[signed, {"type": "text", "text": "I look."}],
        tool_calls=[{"id": "t1", "name": "terminal", "args": {"command": "ls"}}],
    )
    model, seen = foreign_model([asking, AIMessage("done")])
    reply = model.reply(ASK, max_tokens=9)
    assert (reply.text, reply.thinking) == ("I look.", [signed])
    assert reply.calls == [ToolCall(id="t1", name="terminal", arguments={"command": "ls"})]
    pair = Exchange(
        call=reply.calls[0], result="a.py", reasoning=reply.text, thinking=reply.thinking, model=reply.model
    )
    model.reply(ASK.model_copy(update={"exchanges": [pair]}))
    assert seen[1][0][2].content == [signed, {"type": "text", "text": "I look."}]
    assert seen[0][1]["num_predict"] == 9


def test_a_provider_without_schemas_is_told_the_schema_in_words() -> None:
    class Verdict(BaseModel):
        good: bool

    model, seen = foreign_model([AIMessage('{"good": true}')])
    assert model.structured("s", "u", Verdict).good
    assert '"good"' in seen[0][0][1].content
