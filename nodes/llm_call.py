"""Ask the model, or write the evidence-only answer where there is none."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypedDict

from ..state.errors import ModelError
from ..state.session import Failure, Prompt, Reply, SessionState, Usage
from ..tools.models import ContextTooLong, Definition, Model

SHRINK = 0.7
"""How much of the budget is left for the second try after a provider found the request too long."""


class Writer(Protocol):
    """Writes an answer from the evidence alone, without any model."""

    def __call__(self, state: SessionState, *, why: str) -> str:
        """Return the answer; `why` says why no model wrote it."""


class LlmUpdate(TypedDict, total=False):
    """What `llm_call` writes."""

    reply: Reply | None
    answer: str
    outcome: str
    step: int
    shrink: float
    spent: Usage
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
    offered = () if stop else definitions
    try:
        reply = model.reply(_last_call(state.prompt, stop), offered, max_tokens=reply_tokens, on_text=on_text)
    except ContextTooLong as error:
        failure = Failure(where="llm_call", reason=str(error))
        if state.shrink < 1.0:
            return _fall_back(state, write, step, f"the request stayed too long for the model ({error})")
        return {"reply": None, "shrink": SHRINK, "failures": [failure]}
    except ModelError as error:
        if not state.exchanges:
            raise  # nothing is lost: the turn can be resumed once the model answers
        return _fall_back(state, write, step, str(error))
    spent = _sum(state.spent, reply.usage)
    if reply.calls and not stop:
        return {"reply": reply, "step": step, "spent": spent}
    if not reply.text.strip():
        return {**_fall_back(state, write, step, stop or f"{model.name} answered nothing"), "spent": spent}
    return {
        "reply": reply.model_copy(update={"calls": []}),
        "answer": reply.text,
        "step": step,
        "outcome": stop,
        "spent": spent,
    }


def _last_call(prompt: Prompt, stop: str) -> Prompt:
    """Return the prompt, ending with why this is the last call where it is.

    The ceiling holds: the tool definitions, which are not sent with it, are longer than the sentence.
    """
    if not stop:
        return prompt
    return prompt.model_copy(
        update={"user": f"{prompt.user}\n\nNo more tool calls ({stop}): answer with what you know."}
    )


def _fall_back(state: SessionState, write: Writer, step: int, why: str) -> LlmUpdate:
    text = write(state, why=why)
    failure = Failure(where="llm_call", reason=why)
    return {
        "reply": Reply(text=text, model="none"),
        "answer": text,
        "step": step,
        "outcome": why,
        "failures": [failure],
    }


def _sum(one: Usage, other: Usage) -> Usage:
    return Usage(
        input_tokens=one.input_tokens + other.input_tokens,
        output_tokens=one.output_tokens + other.output_tokens,
        cached_tokens=one.cached_tokens + other.cached_tokens,
    )
