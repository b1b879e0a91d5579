"""Stand-ins for the outside world that are good enough to ship: used by tests, notebooks and benchmarks."""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from threading import Lock
from typing import Any

from pydantic import BaseModel

from ..state.errors import ModelError
from ..state.session import Prompt, Reply, ToolCall, Usage
from .models import Answer, Definition
from .repair import problems_of

Step = Reply | str | Exception | Callable[[Prompt], Reply | str]
"""What a scripted model does when it is asked: answers, fails, or answers by what it was shown."""
Form = BaseModel | dict[str, Any] | Exception | Callable[[Prompt], BaseModel | dict[str, Any]]
"""The same for answers that must fit a schema."""


class FixedClock:
    """A clock that stands still until it is told to move."""

    def __init__(self, start: datetime = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)) -> None:
        if start.tzinfo is None:
            raise TypeError(f"start is {start.isoformat()}: must be timezone-aware, for example with tzinfo=UTC")
        self._now = start.astimezone(UTC)

    def now(self) -> datetime:
        """Return the moment the clock stands at, in UTC."""
        return self._now

    def advance(self, **duration: float) -> datetime:
        """Move on by a `timedelta` given as keywords (``days=2, minutes=5``) and return the new moment."""
        self._now += timedelta(**duration)
        return self._now


def asking(name: str, /, **arguments: Any) -> Reply:
    """Return the reply of a model that calls one tool; the scripted model gives the call its id."""
    return Reply(text="", calls=[ToolCall(id="", name=name, arguments=arguments)])


class ScriptedModel:
    """A model that plays a script: one step per call, in order, also when several threads ask.

    Args:
        script: What `reply` answers; endless iterables such as `itertools.repeat` are welcome.
        forms: What `structured` answers; without any, `structured` fails with a ModelError, as a model does that
            cannot fill in forms.
        name: Shown in replies.
    """

    def __init__(self, script: Iterable[Step], *, forms: Iterable[Form] = (), name: str = "scripted") -> None:
        self._script, self._forms, self._lock = iter(script), iter(forms), Lock()
        self.name = name
        self.prompts: list[Prompt] = []
        """Every prompt seen by `reply`, in order."""
        self.offered: list[list[Definition]] = []
        """The tool definitions that came with each of them."""
        self.asked_forms: list[Prompt] = []
        """Every prompt seen by `structured`, in order."""

    def reply(
        self,
        prompt: Prompt,
        definitions: Sequence[Definition] = (),
        *,
        max_tokens: int = 1000,  # noqa: ARG002 - part of the protocol
        on_text: Callable[[str], None] | None = None,
    ) -> Reply:
        """Return the script's next step; the words of its text go to `on_text` one by one.

        Raises:
            AssertionError: The script has ended: the test asks for more than it foresaw.
        """
        with self._lock:
            self.prompts.append(prompt)
            self.offered.append(list(definitions))
            number = len(self.prompts)
            step = next(self._script, None)
        if step is None:
            raise AssertionError(f"the script ended after {number - 1} steps and the model is asked again")
        if isinstance(step, Exception):
            raise step
        played = step(prompt) if callable(step) else step
        reply = Reply(text=played) if isinstance(played, str) else played
        if on_text is not None:
            for word in re.findall(r"\s*\S+\s*", reply.text):
                on_text(word)
        named = [
            call if call.id else call.model_copy(update={"id": f"scripted_{number}_{place}"})
            for place, call in enumerate(reply.calls)
        ]
        return reply.model_copy(update={"calls": named, "model": reply.model or self.name})

    def structured(
        self,
        system: str,
        user: str,
        schema: type[Answer],
        *,
        max_tokens: int = 1000,  # noqa: ARG002 - part of the protocol
        on_usage: Callable[[Usage], None] | None = None,
    ) -> Answer:
        """Return the next form, checked against `schema`; a form costs one call and no tokens.

        Raises:
            ModelError: There is no form left, or it does not fit `schema`.
        """
        prompt = Prompt(system=system, user=user)
        with self._lock:
            self.asked_forms.append(prompt)
            form = next(self._forms, None)
        if form is None:
            raise ModelError(f"{self.name} has no form left for {schema.__name__}: add one to forms=")
        if isinstance(form, Exception):
            raise form
        if on_usage is not None:
            on_usage(Usage(calls=1))
        filled = form if isinstance(form, BaseModel | dict) else form(prompt)
        try:
            return schema.model_validate(filled.model_dump() if isinstance(filled, BaseModel) else filled)
        except ValueError as error:  # pydantic's ValidationError is one
            raise ModelError(f"{self.name} gave no valid {schema.__name__}: {problems_of(error)}") from error
