"""Several models as one: when one fails, the next is asked, and the answer says so."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from ...state.errors import ModelError
from ...state.session import Prompt, Reply, Usage
from .protocol import Answer, ContextTooLong, Definition, Model

Result = TypeVar("Result")


class FallbackModel:
    """A chain of models, asked in order.

    A request that is too long for one model is not put to the next: it is made smaller first.
    """

    def __init__(self, models: Sequence[Model]) -> None:
        if not models:
            raise ValueError("a chain needs at least one model")
        self._models = tuple(models)

    @property
    def name(self) -> str:
        """Return the name of the first model: the one that is meant."""
        return self._models[0].name

    def reply(
        self,
        prompt: Prompt,
        definitions: Sequence[Definition] = (),
        *,
        max_tokens: int = 1000,
        on_text: Callable[[str], None] | None = None,
    ) -> Reply:
        """Return the first answer there is, with a notice for every model that failed; see `Model.reply`."""
        reply, failed = self._first(
            lambda model: model.reply(prompt, definitions, max_tokens=max_tokens, on_text=on_text)
        )
        notices = [f"{problem}; {reply.model} was asked instead" for problem in failed]
        return reply.model_copy(update={"notices": [*notices, *reply.notices]})

    def structured(
        self,
        system: str,
        user: str,
        schema: type[Answer],
        *,
        max_tokens: int = 1000,
        on_usage: Callable[[Usage], None] | None = None,
    ) -> Answer:
        """Return the first valid answer there is; see `Model.structured`."""
        answer, _ = self._first(
            lambda model: model.structured(system, user, schema, max_tokens=max_tokens, on_usage=on_usage)
        )
        return answer

    def _first(self, ask: Callable[[Model], Result]) -> tuple[Result, list[str]]:
        failed: list[str] = []
        for model in self._models:
            try:
                return ask(model), failed
            except ContextTooLong:
                raise
            except ModelError as error:
                failed.append(str(error))
        raise ModelError("; ".join(failed))
