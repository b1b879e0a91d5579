"""The Python front door: one maintainer of one repository, with its sessions."""

import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from langgraph.types import Command

from ..state.answer import Answer, Event
from ..state.errors import ConfigError, SessionError
from ..state.modes import MODE_NAMES, Mode
from ..state.session import SessionInput
from ..state.session_report import SessionReport
from ..tools.clock import Clock, SystemClock
from ..tools.home import open_home, open_repository
from ..tools.models import Model
from ..tools.settings_file import load_options
from ..tools.toolbox import Toolbox, open_toolbox
from .build import build_graph, run_settings
from .checkpoints import open_store
from .report import session_report
from .sessions import Limits, SessionRecord, Sessions, Turn
from .sessions.history import Step

FIRST_SESSION = "main"
"""Name of a repository's first session where the user gives none."""
MOST_REQUEST_CHARS = 1_000_000


class Maintainer:
    """Looks after one repository; everything it keeps is under `home`, so another process can go on.

    Args:
        repo: The repository's folder.
        home: Where notes, checkpoints, archive and indexes are kept; by default `repo/.maintainer`.
        model: `provider:name`, a `Model`, or None for what the settings say; `"none"` for no model.
        clock: For tests; by default the machine's.
        settings: Any field of `Options`, for example `budget=8000`; None counts as not given.

    Raises:
        MaintainerError: The repository, the home folder or a setting cannot be used.
    """

    def __init__(
        self,
        repo: Path | str = ".",
        home: Path | str | None = None,
        model: str | Model | None = None,
        *,
        clock: Clock | None = None,
        **settings: Any,
    ) -> None:
        self.repo = open_repository(repo)
        self.home = open_home(self.repo, home)
        named = model if isinstance(model, str) else None
        self.options = load_options(repository_file=self.home / "settings.yaml", model=named, **settings)
        self._clock = clock = clock or SystemClock()
        with ExitStack() as opened:
            own = None if model is None or isinstance(model, str) else model
            self._toolbox: Toolbox = opened.enter_context(
                open_toolbox(self.repo, self.home, self.options, model=own, clock=clock)
            )
            self._checkpointer = open_store(self.home, self.options)
            opened.callback(self._checkpointer.close)
            self.graph = build_graph(self._toolbox, checkpointer=self._checkpointer)
            self._sessions = Sessions(self.home, self._checkpointer, clock=clock)
            self._opened = opened.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close every store; what was acknowledged is on disk already."""
        self._opened.close()

    def run(self, request: str, mode: Mode = "auto", session: str | None = None) -> Answer:
        """Return the answer to a request; a turn left unfinished by a crash is finished first.

        Args:
            request: What you want to know, in English or Chinese.
            mode: One of explore, analyze, plan, auto.
            session: Readable name; by default the session used last.

        Raises:
            ConfigError: The request is empty or the mode unknown.
            SessionBusy: Another process is writing this session.
            ModelError: The model cannot be reached; the turn can be resumed.
        """
        return _answer_of(self.stream(request, mode, session))

    def stream(self, request: str, mode: Mode = "auto", session: str | None = None) -> Iterator[Event]:
        """Yield what happens while a turn is under way; the last event carries the answer. Raises as `run`."""
        if mode not in MODE_NAMES:
            raise ConfigError("mode", mode, f"must be one of {', '.join(MODE_NAMES)}")
        if not isinstance(request, str) or not request.strip():
            raise ConfigError("request", request, "must say what you want to know, for example 'how is this built?'")
        if len(request) > MOST_REQUEST_CHARS:
            raise ConfigError("request", f"{request[:40]}...", f"must be at most {MOST_REQUEST_CHARS} characters")
        text = request.encode("utf-8", "replace").decode("utf-8")  # lone surrogates cannot be stored
        new_input = SessionInput(request=text, mode=mode, turn_id=uuid.uuid4().hex)
        return self._turn(self._last() or FIRST_SESSION if session is None else session, new_input)

    def resume(self, session: str | None = None, answer: Any = None) -> Answer:
        """Return the answer of a session's unfinished turn, finished now.

        Args:
            session: By default the session used last.
            answer: To what an interrupted turn waits for, for example `"once"`.

        Raises:
            UnknownSession: There is no such session.
        """
        return _answer_of(self.stream_resume(session, answer))

    def stream_resume(self, session: str | None = None, answer: Any = None) -> Iterator[Event]:
        """Yield what happens while a turn is finished; the last event carries the answer. Raises as `resume`."""
        name = self._last() if session is None else session
        if name is None:
            raise SessionError(f"no session in {self.home}: start one with maintainer explore 'how is this built?'")
        self._sessions.catalogue.get(name)
        return self._turn(name, None if answer is None else Command(resume=answer))

    def steer(self, text: str, session: str | None = None) -> str:
        """Add something to the request of a turn that is under way, in this process or another, and return its id.

        It is heard after the tool calls that are running; a turn that ends before leaves it to the session's next one.

        Raises:
            ConfigError: The text is empty.
            UnknownSession: There is no such session.
        """
        if not isinstance(text, str) or not text.strip():
            raise ConfigError("text", text, "must say what to add, for example 'only look at the cart'")
        name = self._last() if session is None else session
        if name is None:
            raise SessionError(f"no session in {self.home}: there is no turn to add something to")
        self._sessions.catalogue.get(name)
        return self._toolbox.mailbox.post(name, text.strip())

    def sessions(self) -> list[SessionRecord]:
        """Return all sessions, the one used last first."""
        return list(self._sessions.catalogue.list())

    def history(self, session: str) -> list[Step]:
        """Return the stored steps of a session, oldest first.

        Raises:
            UnknownSession: There is no such session.
        """
        return self._sessions.history(session)

    def report(self, session: str | None = None, *, analyze: bool = True) -> SessionReport:
        """Return the report of a session, and of the repository as it is now.

        Args:
            session: By default the session used last.
            analyze: Whether to analyze the repository; without, only what is stored is told.

        Raises:
            UnknownSession: There is no such session.
        """
        return session_report(
            self.repo, self.home, clock=self._clock, sessions=self._sessions, session=session or "", analyze=analyze
        )

    def fork(self, session: str, at: str | int, name: str | None = None) -> SessionRecord:
        """Make a new session that starts at a step of another one and shares only the past before it.

        Args:
            session: The session to start from.
            at: A step number, a turn (`"t3"`), a mark, or the first 8 digits of a step's id.
            name: Of the new session; by default made from the two.

        Raises:
            UnknownSession: There is no such session.
            SessionError: The step is not stored any more, or the name is taken.
        """
        return self._sessions.fork(session, str(at), name or f"{session} at {at}")

    def _last(self) -> str | None:
        return next((record.name for record in self.sessions()), None)

    def _turn(self, name: str, new_input: SessionInput | Command[Any] | None) -> Iterator[Event]:
        limits = Limits(
            steps=8 * self.options.max_steps + 12,
            turn_s=self.options.turn_timeout_s,
            session_tokens=self.options.session_tokens or None,
        )
        with self._sessions.writing(name, repo=str(self.repo)) as session:
            parts = session.stream(self.graph, new_input, run_settings(self.options), limits=limits)
            while True:
                try:
                    part = next(parts)
                except StopIteration as stop:
                    yield Event(kind="answer", answer=_answer(name, stop.value))
                    return
                yield from _events(part)


def _events(part: Any) -> Iterator[Event]:
    kind, data = part["type"], part["data"]
    if kind == "updates":
        yield from (Event(kind="node", name=node) for node in data if not node.startswith("__"))
    elif kind == "custom" and isinstance(data, dict):
        yield Event(kind=data.get("kind", "progress"), name=data.get("name", ""), text=data.get("text", ""))


def _answer_of(events: Iterator[Event]) -> Answer:
    *_, last = events
    assert last.answer is not None, "the last event of a turn carries its answer"
    return last.answer


def _answer(name: str, turn: Turn) -> Answer:
    state = turn.state
    return Answer(
        text=state.answer,
        mode=state.active_mode,
        mode_reason=state.mode_reason,
        session=name,
        turn=state.turn,
        status=turn.status,
        detail=turn.detail or state.outcome,
        model=state.reply.model if state.reply else "none",
        citations=state.citations,
        notes=state.notes,
        stats=state.stats,
        receipt=state.receipt,
        failures=state.failures,
        resumed=turn.resumed,
        notices=turn.notices,
        questions=[interrupt.value for interrupt in turn.interrupts],
        usage=state.spent,
        used=state.used,
    )
