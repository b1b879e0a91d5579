import pytest
from maintainer.state.session import Prompt
from maintainer.tools.models.messages import messages, text_of

PROMPT = Prompt(system="You look after code.", user="Where?")


def test_the_prefix_is_marked_where_a_provider_caches_marked_text_only() -> None:
    system, user = messages(PROMPT, "anthropic:claude")
    assert system.content == [{"type": "text", "text": "You look after code.", "cache_control": {"type": "ephemeral"}}]
    assert (text_of(system), user.content) == ("You look after code.", "Where?")


@pytest.mark.parametrize("model", ["", "openai:gpt-4.1", "openai-compatible:qwen3"])
def test_elsewhere_the_prefix_is_plain_text(model: str) -> None:
    assert next(messages(PROMPT, model)).content == "You look after code."
