"""One model call against a server that behaves, and one that does not."""

import re
from typing import Any

import pytest
from maintainer.state.errors import ModelError
from maintainer.state.session import Exchange, Prompt, ToolCall
from maintainer.tools.models import ContextTooLong
from maintainer.tools.repair import INVALID_JSON
from maintainer.tools.toolset.tool import Arguments

ASK = Prompt(system="rules", user="Wie heißt du? 你叫什么?", tokens=40)
TOOL = {
    "type": "function",
    "function": {
        "name": "terminal",
        "description": "Run a command.",
        "parameters": {"type": "object", "properties": {"command": {"type": "string"}}},
    },
}
USAGE = {
    "prompt_tokens": 50,
    "completion_tokens": 7,
    "total_tokens": 57,
    "prompt_tokens_details": {"cached_tokens": 32},
}


class Verdict(Arguments):
    good: bool
    why: str


def hang(handler: Any) -> None:
    handler.endpoint.over.wait(30)
    handler.break_off()


def hang_after_a_word(handler: Any) -> None:
    handler.begin_stream()
    handler.send_delta({"role": "assistant", "content": "Well"})
    hang(handler)


def keep_alive_for_ever(handler: Any) -> None:
    handler.begin_stream()
    while not handler.endpoint.over.wait(0.02):
        handler.send_raw(": keep-alive\n\n")
    handler.break_off()


def break_in_mid_chunk(handler: Any) -> None:
    handler.begin_stream()
    handler.send_delta({"role": "assistant", "content": "half an "})
    handler.break_off()


def end_without_a_finish_reason(handler: Any) -> None:
    handler.begin_stream()
    handler.send_delta({"role": "assistant", "content": "half an "})
    handler.wfile.write(b"0\r\n\r\n")


def overloaded_in_mid_stream(handler: Any) -> None:
    handler.begin_stream()
    handler.send_delta({"role": "assistant", "content": "half an "})
    handler.send_event({"error": {"message": "overloaded", "type": "server_error", "code": 503}})
    handler.wfile.write(b"0\r\n\r\n")


def answer_in_one_piece(handler: Any) -> None:
    data = b'{"id": "1", "object": "chat.completion", "choices": [{"index": 0, "message": {"content": "hi"}}]}'
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data)


def garbage(handler: Any) -> None:
    handler.begin_stream()
    handler.send_raw("data: {not json\n\n")
    handler.wfile.write(b"0\r\n\r\n")


def test_words_are_heard_as_they_come_and_usage_is_the_provider_s(endpoint: Any) -> None:
    endpoint.says("我", "叫", "小明。", usage=USAGE)
    heard: list[str] = []
    reply = endpoint.model(prices="2.0/0.5/8.0").reply(ASK, max_tokens=77, on_text=heard.append)
    assert (reply.text, heard, reply.calls, reply.notices) == ("我叫小明。", ["我", "叫", "小明。"], [], [])
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.cached_tokens) == (50, 7, 32)
    assert reply.usage.cost_usd == pytest.approx((18 * 2.0 + 32 * 0.5 + 7 * 8.0) / 1e6)
    assert (reply.usage.calls, reply.usage.unpriced_tokens) == (1, 0)
    assert endpoint.paths == ["/v1/chat/completions"]
    assert endpoint.requests[0]["messages"][1] == {"role": "user", "content": ASK.user}


@pytest.mark.parametrize(
    ("spec", "field"), [("openai-compatible:m", "max_tokens"), ("openai:m", "max_completion_tokens")]
)
def test_the_reply_is_limited_in_the_field_the_endpoint_knows(endpoint: Any, spec: str, field: str) -> None:
    endpoint.says("ok")
    endpoint.model(spec).reply(ASK, max_tokens=77)
    sent = endpoint.requests[0]
    assert {name: sent.get(name) for name in ("max_tokens", "max_completion_tokens")} == {
        "max_tokens": None,
        "max_completion_tokens": None,
    } | {field: 77}


def test_tokens_are_counted_by_us_where_the_provider_reports_none(endpoint: Any) -> None:
    endpoint.says("four words of answer")
    usage = endpoint.model().reply(ASK).usage
    assert (usage.input_tokens, usage.output_tokens, usage.calls) == (40, 4, 1)
    assert (usage.cost_usd, usage.unpriced_tokens) == (0.0, 44)


def test_parallel_tool_calls_are_put_together_from_their_parts(endpoint: Any) -> None:
    endpoint.says(
        "Let me look.",
        finish="tool_calls",
        calls=(("a", "terminal", ('{"comm', 'and": "ls"}')), ("b", "terminal", ('{"command": "pwd"}',))),
    )
    reply = endpoint.model().reply(ASK, [TOOL])
    assert reply.text == "Let me look."
    assert reply.calls == [
        ToolCall(id="a", name="terminal", arguments={"command": "ls"}),
        ToolCall(id="b", name="terminal", arguments={"command": "pwd"}),
    ]
    assert endpoint.requests[0]["tools"][0]["function"]["name"] == "terminal"


@pytest.mark.parametrize("arguments", ['{"command": "cat a | he', "ls -la", "[1, 2]", "null", "[" * 5000])
def test_arguments_that_are_no_whole_object_are_never_completed_by_guessing(endpoint: Any, arguments: str) -> None:
    endpoint.says(finish="tool_calls", calls=(("a", "terminal", (arguments,)),))
    reply = endpoint.model().reply(ASK, [TOOL])
    assert reply.calls == [ToolCall(id="a", name="terminal", arguments={INVALID_JSON: arguments})]


def test_a_call_written_as_fenced_json_counts_as_a_call(endpoint: Any) -> None:
    endpoint.says('Look:\n```json\n{"name": "terminal", "arguments": {"command": "ls"}}\n```')
    reply = endpoint.model().reply(ASK, [TOOL])
    assert (reply.text, [(call.name, call.arguments) for call in reply.calls]) == (
        "Look:",
        [("terminal", {"command": "ls"})],
    )


def test_json_in_an_answer_is_no_call_where_no_tools_were_offered(endpoint: Any) -> None:
    text = '```json\n{"name": "terminal", "arguments": {}}\n```'
    endpoint.says(text)
    assert endpoint.model().reply(ASK).text == text


def test_a_think_block_is_not_part_of_the_answer(endpoint: Any) -> None:
    endpoint.says("<think>The user", " asks…</think>\n", "Forty-two.")
    assert endpoint.model().reply(ASK).text == "Forty-two."


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_goes_back_with_the_call_it_led_to(endpoint: Any, field: str) -> None:
    model = endpoint.model()
    endpoint.says(finish="tool_calls", thinking=("First ", "list."), field=field, calls=(("a", "terminal", ("{}",)),))
    reply = model.reply(ASK, [TOOL])
    pair = Exchange(call=reply.calls[0], result="two files", step=1, thinking=reply.thinking, model=reply.model)
    endpoint.says("done")
    model.reply(ASK.model_copy(update={"exchanges": [pair]}), [TOOL])
    _, _, asking, result = endpoint.requests[1]["messages"]
    assert asking["reasoning_content"] == "First list."
    assert (asking["tool_calls"][0]["id"], result["tool_call_id"], result["content"]) == ("a", "a", "two files")


def test_reasoning_of_another_model_is_not_sent(endpoint: Any) -> None:
    thinking = [{"type": "reasoning_content", "reasoning_content": "secret thoughts"}]
    pair = Exchange(call=ToolCall(id="a", name="terminal"), result="x", step=1, thinking=thinking, model="other:m")
    endpoint.says("done")
    endpoint.model().reply(ASK.model_copy(update={"exchanges": [pair]}))
    assert "secret thoughts" not in str(endpoint.requests)


def test_an_invented_tool_name_cannot_make_the_next_request_fail(endpoint: Any) -> None:
    pair = Exchange(call=ToolCall(id="a", name="run shell!;" + "x" * 99), result="no such tool", step=1)
    endpoint.says("done")
    endpoint.model().reply(ASK.model_copy(update={"exchanges": [pair]}))
    assert re.fullmatch(r"[\w-]{1,64}", endpoint.requests[0]["messages"][2]["tool_calls"][0]["function"]["name"])


def test_calls_of_one_step_are_one_message_followed_by_all_results(endpoint: Any) -> None:
    pairs = [
        Exchange(call=ToolCall(id=id_, name="terminal"), result=id_.upper(), step=step, reasoning=f"step {step}")
        for step, id_ in [(1, "a"), (1, "b"), (2, "c")]
    ]
    endpoint.says("done")
    endpoint.model().reply(ASK.model_copy(update={"exchanges": pairs}))
    sent = endpoint.requests[0]["messages"][2:]
    assert [message["role"] for message in sent] == ["assistant", "tool", "tool", "assistant", "tool"]
    assert [message["content"] for message in sent] == ["step 1", "A", "B", "step 2", "C"]


def test_an_empty_answer_is_an_answer_and_a_cut_one_is_said_to_be_cut(endpoint: Any) -> None:
    endpoint.says()
    endpoint.says("half an ", finish="length")
    model = endpoint.model()
    assert model.reply(ASK).text == ""
    cut = model.reply(ASK, max_tokens=33)
    assert cut.text == "half an "
    assert cut.notices == ["openai-compatible:m was cut off at 33 tokens (reply_tokens)"]


@pytest.mark.parametrize(
    ("status", "headers", "waits"),
    [
        (429, {"retry_after": "7"}, [7.0]),
        (429, {"retry_after": "Wed, 21 Oct 2026 07:28:03 GMT", "date": "Wed, 21 Oct 2026 07:28:00 GMT"}, [3.0]),
        (429, {"retry_after": "-5"}, [0.0]),
        (408, {"retry_after": "1.5"}, [1.5]),
        (503, {"retry_after": "2"}, [2.0]),
    ],
)
def test_waits_as_long_as_the_provider_asks(
    endpoint: Any, status: int, headers: dict[str, str], waits: list[float]
) -> None:
    endpoint.refuses(status, **headers)
    endpoint.says("ok")
    assert endpoint.model(model_timeout_s=60).reply(ASK).text == "ok"
    assert endpoint.waits == waits


@pytest.mark.parametrize("said", [None, "nan", "soon", "inf"])
def test_waits_by_itself_where_the_provider_asks_for_nothing_sensible(endpoint: Any, said: str | None) -> None:
    for _ in range(2):
        endpoint.refuses(429, **({"retry_after": said} if said else {}))
    endpoint.says("ok")
    assert endpoint.model().reply(ASK).text == "ok"
    first, second = endpoint.waits
    assert 0.4 <= first <= 0.6
    assert 0.8 <= second <= 1.2


def test_a_wait_beyond_the_time_limit_is_said_at_once(endpoint: Any) -> None:
    endpoint.refuses(429, retry_after="3600")
    with pytest.raises(ModelError, match=r"limits the rate .*in 3600 s, would come after model_timeout_s \(5 s\)"):
        endpoint.model().reply(ASK)
    assert (len(endpoint.requests), endpoint.waits) == (1, [])


def test_gives_up_after_the_third_attempt(endpoint: Any) -> None:
    for _ in range(3):
        endpoint.refuses(500)
    with pytest.raises(ModelError, match="HTTP 500"):
        endpoint.model().reply(ASK)
    assert len(endpoint.requests) == 3


@pytest.mark.parametrize(
    ("status", "says"),
    [
        (400, "HTTP 400"),
        (401, "refused the key"),
        (403, "refused the key"),
        (404, "is not known at the endpoint"),
        (409, "HTTP 409"),
        (422, "HTTP 422"),
    ],
)
def test_what_cannot_pass_is_not_tried_again(endpoint: Any, status: int, says: str) -> None:
    endpoint.refuses(status, retry_after="1")
    with pytest.raises(ModelError, match=says):
        endpoint.model().reply(ASK)
    assert len(endpoint.requests) == 1


def test_a_used_up_quota_is_no_rate_limit(endpoint: Any) -> None:
    endpoint.refuses(
        429, body={"error": {"message": "pay", "code": "insufficient_quota", "type": "insufficient_quota"}}
    )
    with pytest.raises(ModelError, match="quota is used up"):
        endpoint.model().reply(ASK)
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize(
    ("status", "message", "code"),
    [
        (400, "This model's maximum context length is 4096 tokens.", "context_length_exceeded"),
        (400, "request (6031 tokens) exceeds the available context size (4096 tokens), try increasing it", 400),
        (400, "Please reduce the length of the messages or completion.", None),
        (400, "This endpoint's maximum context length is 32768 tokens", 400),
        (413, "prompt is too long: 210000 tokens > 200000 maximum", None),
    ],
    ids=["openai", "llama.cpp", "vllm", "openrouter", "anthropic"],
)
def test_a_request_too_long_is_known_in_every_provider_s_words(
    endpoint: Any, status: int, message: str, code: Any
) -> None:
    endpoint.refuses(status, body={"error": {"message": message, "code": code, "type": "invalid_request_error"}})
    with pytest.raises(ContextTooLong):
        endpoint.model().reply(ASK)
    assert len(endpoint.requests) == 1


def test_exceeding_something_else_is_not_a_request_too_long(endpoint: Any) -> None:
    endpoint.refuses(
        400, body={"error": {"message": "max_tokens exceeds the limit of 4096", "code": "bad", "type": "t"}}
    )
    with pytest.raises(ModelError) as caught:
        endpoint.model().reply(ASK)
    assert not isinstance(caught.value, ContextTooLong)


@pytest.mark.parametrize("broken", [break_in_mid_chunk, end_without_a_finish_reason, overloaded_in_mid_stream])
def test_a_broken_stream_is_asked_for_again_and_never_taken_for_an_answer(endpoint: Any, broken: Any) -> None:
    endpoint.plays_once(broken)
    endpoint.says("a whole ", "answer")
    heard: list[str] = []
    assert endpoint.model().reply(ASK, on_text=heard.append).text == "a whole answer"
    assert heard[0] == "half an "
    assert "once more from the start" in heard[1]
    assert heard[2:] == ["a whole ", "answer"]


@pytest.mark.parametrize("broken", [break_in_mid_chunk, end_without_a_finish_reason, overloaded_in_mid_stream])
def test_a_stream_that_goes_on_breaking_is_an_error(endpoint: Any, broken: Any) -> None:
    for _ in range(3):
        endpoint.plays_once(broken)
    with pytest.raises(ModelError):
        endpoint.model().reply(ASK)


@pytest.mark.parametrize("silent", [hang, hang_after_a_word, keep_alive_for_ever])
def test_no_server_can_hold_a_call_longer_than_its_time_limit(endpoint: Any, silent: Any) -> None:
    for _ in range(3):
        endpoint.plays_once(silent)
    with pytest.raises(ModelError, match=r"model_timeout_s \(0.3 s\)|cannot be reached"):
        endpoint.model(model_timeout_s=0.3).reply(ASK)


@pytest.mark.parametrize("wrong", [answer_in_one_piece, garbage])
def test_an_endpoint_that_is_none_is_told_from_a_model_that_fails(endpoint: Any, wrong: Any) -> None:
    endpoint.plays_once(wrong)
    with pytest.raises(ModelError, match="base URL"):
        endpoint.model().reply(ASK)


def test_an_address_where_nobody_listens_is_named_with_its_remedy(endpoint: Any) -> None:
    model = endpoint.model(base_url="http://127.0.0.1:9/v1", model_timeout_s=20)
    with pytest.raises(ModelError, match=r"cannot be reached .*check the base URL"):
        model.reply(ASK)


def test_a_key_in_an_error_text_is_masked(endpoint: Any) -> None:
    key = "sk-proj-" + "Ab3dEf9hIj2kLm4n" * 3
    endpoint.refuses(400, body={"error": {"message": f"Incorrect key {key}", "code": "x", "type": "t"}})
    with pytest.raises(ModelError) as caught:
        endpoint.model().reply(ASK)
    assert key not in str(caught.value)


def test_an_answer_by_schema_is_asked_for_in_the_request(endpoint: Any) -> None:
    endpoint.says('{"good": true, "why": "测试"}', usage=USAGE)
    used: list[Any] = []
    assert endpoint.model().structured("s", "u", Verdict, on_usage=used.append) == Verdict(good=True, why="测试")
    sent = endpoint.requests[0]
    assert sent["response_format"]["json_schema"]["schema"]["required"] == ["good", "why"]
    assert sent["stream"] is True
    assert [usage.input_tokens for usage in used] == [50]


def test_an_answer_that_does_not_fit_is_asked_for_once_more_with_the_schema_in_words(endpoint: Any) -> None:
    endpoint.says("Sure! {maybe} it is good.")
    endpoint.says('Of course: {not this} ```json\n{"good": false, "why": "no tests"}\n```')
    used: list[Any] = []
    assert not endpoint.model().structured("s", "u", Verdict, on_usage=used.append).good
    again = endpoint.requests[1]["messages"][1]["content"]
    assert "did not fit the schema" in again
    assert '"required": ["good", "why"]' in again
    assert len(used) == 2


def test_an_endpoint_without_schemas_gets_the_schema_in_words(endpoint: Any) -> None:
    message = "'response_format' of type 'json_schema' is not supported with this model"
    endpoint.refuses(400, body={"error": {"message": message, "code": None, "type": "t"}})
    endpoint.says('{"good": true, "why": "ok"}')
    with pytest.warns(UserWarning, match="structured output"):  # langchain-openai's own words on the way
        assert endpoint.model().structured("s", "u", Verdict).good
    assert "response_format" not in endpoint.requests[1]


def test_two_answers_that_do_not_fit_are_an_error_with_the_reason(endpoint: Any) -> None:
    for _ in range(2):
        endpoint.says('{"good": "perhaps"}')
    with pytest.raises(ModelError, match=r"no valid Verdict in two attempts.*good"):
        endpoint.model().structured("s", "u", Verdict)


def test_no_call_makes_langchain_openai_load_a_tokenizer(endpoint: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def download(*_: Any) -> Any:
        raise AssertionError("tiktoken would download its tables")

    monkeypatch.setattr("tiktoken.get_encoding", download)
    monkeypatch.setattr("tiktoken.encoding_for_model", download)
    endpoint.says("ok", usage=USAGE)
    endpoint.says('{"good": true, "why": "ok"}')
    model = endpoint.model()
    assert model.reply(ASK, [TOOL]).text == "ok"
    assert model.structured("s", "u", Verdict).good
