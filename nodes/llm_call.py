"""Ask the model, or write the evidence-only answer where there is none."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypedDict

from ..state.errors import ModelError
from ..state.session import Citation, Failure, Language, Prompt, Reply, SessionState, Usage
from ..tools.citations import check_citations, marked
from ..tools.claims import unproven, with_doubts
from ..tools.models import ContextTooLong, Definition, Model
from ..tools.models.sound import sound
from ..tools.places import Places
from ..tools.repair import fenced_calls
from ..tools.toolset.learned import learned

SHRINK = 0.7
"""How much of the budget is left for the second try after a provider found the request too long."""
MOST_FACTOR = 2.0
"""Reported tokens beyond this multiple of ours are a provider's oddity, not its tokenizer."""
_LEAST_TASK, _SKELETON = 100, 40
"""Tokens of a request cut to its two ends, and of the sections that are empty."""
_LAST = {
    "en": "No more tool calls ({stop}): answer with what you know.",
    "zh": "不再调用工具({stop}):请根据已知内容作答。",
}


class Writer(Protocol):
    """Writes an answer from the evidence alone, without any model."""

    def __call__(self, state: SessionState, *, why: str) -> str:
        """Return the answer, never empty; `why` says why no model wrote it."""
        ...


class LlmUpdate(TypedDict, total=False):
    """What `llm_call` writes."""

    reply: Reply | None
    answer: str
    citations: list[Citation]
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
    places: Places,
    max_steps: int,
    reply_tokens: int,
    ceiling: int,
    turn_tokens: int = 0,
    on_text: Callable[[str], None] | None = None,
) -> LlmUpdate:
    """Read `prompt`; write `reply`, and `answer` with its `citations` when it is the turn's last.

    Args:
        state: The session.
        model: None writes the evidence-only answer.
        definitions: Of the tools it may call.
        write: Writes that answer, also when the model fails after tools were used.
        places: Where citations are checked.
        max_steps: Model calls of one turn.
        reply_tokens: Most tokens of one reply.
        ceiling: Most tokens of a request as the user set it, before any correction; > 0.
        turn_tokens: Tokens of a turn from which on the model is asked for its last word; 0 means no limit.
        on_text: Hears the words as they come.

    Raises:
        ModelError: The model failed and nothing would be lost by asking again: the turn can be resumed.
    """
    assert state.prompt is not None, "structure or compress have made it"
    step = state.step + 1
    if model is None:
        return _last(state, step, Reply(text=write(state, why=""), model="none"), places)
    stop = state.outcome or _limit(state, step, max_steps, turn_tokens)
    prompt = _last_call(state.prompt, stop if definitions else "", state.language)
    try:
        reply = model.reply(prompt, () if stop else definitions, max_tokens=reply_tokens, on_text=on_text)
    except ContextTooLong as error:
        smaller = max(SHRINK, _least(state.prompt) * state.token_factor / ceiling)
        if state.shrink < 1.0 or smaller >= 1.0:
            return _fall_back(state, write, step, places, f"the request stayed too long for the model ({error})")
        return {"reply": None, "shrink": smaller, "failures": [_failure(str(error))]}
    except ModelError as error:
        if not state.exchanges:
            raise
        return _fall_back(state, write, step, places, str(error))
    reply = sound(reply, step)
    notices = [_failure(notice) for notice in reply.notices]
    factor = corrected(state.token_factor, prompt.tokens, reply.usage.input_tokens)
    factor = min(factor, max(ceiling / _least(prompt), 1.0))
    counted: LlmUpdate = {"spent": reply.usage, "used": reply.usage, "token_factor": factor, "failures": notices}
    if reply.calls and not stop:
        return {**counted, "reply": reply, "step": step}
    text = _words(reply, definitions)
    if text:
        final = reply.model_copy(update={"text": text, "calls": []})
        return {**counted, **_last(state, step, final, places), "outcome": stop or "; ".join(reply.notices)}
    why = stop or "; ".join([f"{model.name} answered nothing", *reply.notices])
    fallen = _fall_back(state, write, step, places, why)
    return {**counted, **fallen, "failures": [*notices, *fallen.get("failures", [])]}


def corrected(factor: float, ours: int, reported: int) -> float:
    """Return how many tokens the provider counts where we count one, from 1.0 to 2.0.

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


def _least(prompt: Prompt) -> int:
    """Return the tokens without which no request of this session can be built: a correction must leave them."""
    whole = sum(prompt.sections.get(name, 0) for name in ("Role & Policies", "Output", "tools", "overhead"))
    return whole + min(prompt.sections.get("Task", 0), _LEAST_TASK) + _SKELETON


def _limit(state: SessionState, step: int, max_steps: int, turn_tokens: int) -> str:
    """Return which limit of the turn makes this call its last, or `""`."""
    used = state.used.input_tokens + state.used.output_tokens
    if turn_tokens and used >= turn_tokens:
        return f"stopped after {used} of {turn_tokens} tokens"
    return f"stopped after {max_steps} model calls" if step >= max_steps else ""


def _last_call(prompt: Prompt, stop: str, language: Language) -> Prompt:
    """Return the prompt, ending with why this is the last call where it is.

    The ceiling holds: the tool definitions, which are not sent with it, are longer than the sentence.
    """
    if not stop:
        return prompt
    return prompt.model_copy(update={"user": f"{prompt.user}\n\n{_LAST[language].format(stop=stop)}"})


def _words(reply: Reply, definitions: Sequence[Definition]) -> str:
    """Return the answer in a reply that is the turn's last: a tool call written out as JSON is none."""
    text, _ = fenced_calls(reply.text, {str(each["function"]["name"]) for each in definitions})
    return text.strip()


def _last(state: SessionState, step: int, reply: Reply, places: Places) -> LlmUpdate:
    """Return the turn's answer with its citations checked, and marked where they or its claims do not hold."""
    citations = check_citations(reply.text, places)
    claims = unproven(reply.text, state.exchanges, citations)
    answer = with_doubts(marked(reply.text, citations, state.language), claims, state.language)
    return {"reply": reply, "answer": answer, "citations": citations, "step": step}


def _fall_back(state: SessionState, write: Writer, step: int, places: Places, why: str) -> LlmUpdate:
    known = learned(state.exchanges, state.language)
    text = write(state, why=why)
    reply = Reply(text=f"{known}\n\n{text}" if known else text, model="none")
    return {**_last(state, step, reply, places), "outcome": why, "failures": [_failure(why)]}


def _failure(reason: str) -> Failure:
    return Failure(where="llm_call", reason=reason)
