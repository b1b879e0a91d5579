"""What a person may allow: commands outside the list, one exact line at a time."""

from ...state.errors import CommandRefused
from .plan import Planner, unlisted
from .result import Answer, Proposal
from .syntax import Pipeline, parse

RISK = "runs outside the sandbox: it could change files, start programs and use the network"


class Approvals:
    """The answers a person gave in this session. Switched off, nothing is proposed and nothing allowed."""

    def __init__(self, planner: Planner, *, on: bool) -> None:
        self._planner, self._on = planner, on
        self._answers: dict[str, Answer] = {}

    def propose(self, command: str) -> Proposal | None:
        """Return what a person would have to allow for a line to run, None when there is nothing to ask."""
        if not self._on or command in self._answers:
            return None
        try:
            pipelines = parse(command)
            names = unlisted(pipelines)
            if not names:
                return None
            self._planner.plan_all(pipelines, approved=True)
        except CommandRefused:
            return None
        reason = f"{', '.join(map(repr, dict.fromkeys(names)))} is not on the list of commands that only read"
        return Proposal(command=command, reason=reason, risk=RISK)

    def decide(self, command: str, answer: Answer) -> None:
        """Remember an answer for exactly this line."""
        self._answers[command] = answer

    def allows(self, command: str, pipelines: tuple[Pipeline, ...]) -> bool:
        """Return whether programs outside the list may run in this line.

        Raises:
            CommandRefused: A person said never.
        """
        answer = self._answers.get(command) if self._on else None
        if answer == "never":
            raise CommandRefused("a person decided that this command may never run; find another way")
        return answer is not None and bool(unlisted(pipelines))

    def used(self, command: str) -> None:
        """Take note that an allowed line is run: `"once"` is used up."""
        if self._answers.get(command) == "once":
            del self._answers[command]
