"""The model's terminal: read-only commands in the repository."""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from pydantic import Field

from ..terminal import TerminalTool
from .tool import Arguments, Asked, Caller, Outcome, Tool


class Command(Arguments):
    """Arguments of `terminal`."""

    command: str = Field(description="For example grep -rn TODO src | head", min_length=1, max_length=4000)


class Terminals:
    """A terminal for each session and sub-agent: a `cd` in one moves no other.

    Args:
        open_terminal: Opens one, for the session it is given the name of.
        most: Terminals kept open; the one used longest ago is closed first, and its session starts again at the top.
    """

    def __init__(self, open_terminal: Callable[[str], TerminalTool], most: int = 8) -> None:
        self._open, self._most, self._lock = open_terminal, most, Lock()
        self._terminals: OrderedDict[str, TerminalTool] = OrderedDict()
        self._turns: dict[str, int] = {}

    def of(self, session: str, turn: int = 0) -> TerminalTool:
        """Return a session's terminal; in a new turn it shows everything in full again."""
        with self._lock:
            terminal = self._terminals.get(session)
            if terminal is None:
                while len(self._terminals) >= self._most:
                    self._terminals.popitem(last=False)[1].close()
                terminal = self._terminals[session] = self._open(session)
            self._terminals.move_to_end(session)
            if self._turns.get(session) != turn:
                terminal.forget_views()  # what earlier turns saw is not in this turn's window
                self._turns[session] = turn
            return terminal

    def cancel(self) -> None:
        """Stop every running command at once; may be called from any thread."""
        with self._lock:
            for terminal in self._terminals.values():
                terminal.cancel()

    def close(self) -> None:
        """Close all terminals."""
        with self._lock:
            while self._terminals:
                self._terminals.popitem()[1].close()


def terminal_tool(terminals: Terminals) -> Tool:
    """Return the tool; what a command prints comes with its exit code where that says something."""

    def run(arguments: Command, caller: Caller) -> Outcome:
        terminal = terminals.of(caller.session, caller.turn)
        result = terminal.run(arguments.command)
        counts = {"commands_refused": 1} if result.refused else {"commands_executed": 1}
        return Outcome(text=terminal.view(result, caller.turn).text, failed=not result.ok, counts=counts)

    def ask(arguments: Command, caller: Caller) -> Asked | None:
        proposal = terminals.of(caller.session, caller.turn).propose(arguments.command)
        if proposal is None:
            return None
        return Asked(what=proposal.command, reason=proposal.reason, risk=proposal.risk)

    def run_agreed(arguments: Command, caller: Caller) -> Outcome:
        # Told "once" each time: what holds for the session is kept in its state and survives this process.
        terminals.of(caller.session, caller.turn).decide(arguments.command, "once")
        return run(arguments, caller)

    return Tool(
        name="terminal",
        description="Run a read-only command line in the repository: ls, find, grep, rg, cat, head, sed -n, wc, git "
        "log and the like, with pipes and cd. Nothing is written, no network.",
        arguments=Command,
        run=run,
        ask=ask,
        run_agreed=run_agreed,
    )
