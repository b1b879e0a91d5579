"""Ask the model, or write the evidence-only answer where there is none."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypedDict

from ..state.errors import ModelError
from ..state.session import Failure, Language, Prompt, Reply, SessionState, Usage
from ..tools.models import ContextTooLong, Definition, Model
from ..tools.models.sound import sound
from ..tools.repair import fenced_calls

SHRINK = 0.7
"""How much of the budget is left for the second try after a provider found the request too long."""
MOST_FACTOR = 4.0
"""Reported tokens beyond this multiple of ours are a provider's oddity, not its tokenizer."""


class Writer(Protocol):
    """Writes an answer from the evidence alone, without any model."""

    def __call__(self, state: SessionState, *, why: str) -> str:
        """Return the answer, never empty; `why` says why no model wrote it."""


class LlmUpdate(TypedDict, total=False):
    """What `llm_call` writes."""

    reply: Reply | None
    answer: str
    outcome: str
    step: int
    shrink: float
    spent: Usage
    used: Usage
    token_factor: float
    failures: list[Failure]


def llm_call(
    state: SessionState,
    *,
    model: Model | None,
    definitions: Sequence[Definition],
    write: Writer,
    max_steps: int,
    reply_tokens: int,
    on_text: Callable[[str], None] | None = None,
) -> LlmUpdate:
    """Read `prompt`; write `reply`, and `answer` when it is the turn's last."""
    assert state.prompt is not None, "structure or compress have made it"
    step = state.step + 1
    if model is None:
        text = write(state, why="")
        return {"reply": Reply(text=text, model="none"), "answer": text, "step": step}
    stop = state.outcome or (f"stopped after {max_steps} model calls" if step >= max_steps else "")
    prompt = _last_call(state.prompt, stop if definitions else "", state.language)
    try:
        reply = model.reply(prompt, () if stop else definitions, max_tokens=reply_tokens, on_text=on_text)
    except ContextTooLong as error:
        if state.shrink < 1.0:
            return _fall_back(state, write, step, f"the request stayed too long for the model ({error})")
        return {"reply": None, "shrink": SHRINK, "failures": [_failure(str(error))]}
    except ModelError as error:
        if not state.exchanges:
            raise  # nothing is lost: the turn can be resumed once the model answers
        return _fall_back(state, write, step, str(error))
    reply = sound(reply, step)
    counted: LlmUpdate = {
        "spent": reply.usage,
        "used": reply.usage,
        "token_factor": corrected(state.token_factor, prompt.tokens, reply.usage.input_tokens),
        "failures": [_failure(notice) for notice in reply.notices],
    }
    if reply.calls and not stop:
        return {**counted, "reply": reply, "step": step}
    text = _words(reply, definitions)
    if not text:
        fallen = _fall_back(state, write, step, stop or "; ".join([f"{model.name} answered nothing", *reply.notices]))
        return {**counted, **fallen, "failures": [*counted["failures"], *fallen["failures"]]}
    last = reply.model_copy(update={"text": text, "calls": []})
    return {**counted, "reply": last, "answer": text, "step": step, "outcome": stop or "; ".join(reply.notices)}


def corrected(factor: float, ours: int, reported: int) -> float:
    """Return how many tokens the provider counts where we count one, from 1.0 to 4.0.

    A higher figure is believed at once, a lower one little by little: Chinese and English differ by a third within
    one tokenizer, and the ceiling must hold for the next request, whatever it is made of.

    Args:
        factor: Believed so far.
        ours: Our count of the request, in tokens; 0 where it was not counted.
        reported: The provider's count of the same request; 0 where it reports none.
    """
    if ours <= 0 or reported <= 0:
        return factor
    seen = min(max(reported / ours, 1.0), MOST_FACTOR)
    return max(seen, 0.9 * factor + 0.1 * seen)


def _words(reply: Reply, definitions: Sequence[Definition]) -> str:
    """Return the answer in a reply that is the turn's last: a tool call written out as JSON is none."""
    text, _ = fenced_calls(reply.text, {str(each["function"]["name"]) for each in definitions})
    return text.strip()


def _last_call(prompt: Prompt, stop: str, language: Language) -> Prompt:
    """Return the prompt, ending with why this is the last call where it is.

    The ceiling holds: the tool definitions, which are not sent with it, are longer than the sentence.
    """
    if not stop:
        return prompt
    rules = {
        "en": f"No more tool calls ({stop}): answer with what you know.",
        "zh": f"不再调用工具({stop}):请根据已知内容作答。",
    }
    return prompt.model_copy(update={"user": f"{prompt.user}\n\n{rules[language]}"})


def _fall_back(state: SessionState, write: Writer, step: int, why: str) -> LlmUpdate:
    text = write(state, why=why)
    return {
        "reply": Reply(text=text, model="none"),
        "answer": text,
        "step": step,
        "outcome": why,
        "failures": [_failure(why)],
    }


def _failure(reason: str) -> Failure:
    return Failure(where="llm_call", reason=reason)
