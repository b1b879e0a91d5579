"""Lines of one file, numbered: what an answer cites."""

from pydantic import Field

from ..places import Places
from .tool import Arguments, Caller, Outcome, Tool

MOST_LINES = 400


class Lines(Arguments):
    """Arguments of `read_lines`."""

    path: str
    first: int = Field(1, ge=1)
    last: int | None = Field(None, ge=1)


def read_lines_tool(places: Places) -> Tool:
    """Return the tool over the files of a repository."""

    def run(arguments: Lines, _: Caller) -> Outcome:
        lines = places.lines(arguments.path)
        first = arguments.first
        last = min(arguments.last or len(lines), len(lines), first + MOST_LINES - 1)
        if first > len(lines) or last < first:
            wanted = f"{first}-{arguments.last}" if arguments.last else f"{first}"
            return Outcome(text=f"{arguments.path} has {len(lines)} lines; there is no {wanted}.", failed=True)
        width = len(str(last))
        body = "\n".join(f"{number:{width}} {lines[number - 1]}" for number in range(first, last + 1))
        more = f"\n[{len(lines)} lines in all]" if last < len(lines) else ""
        return Outcome(text=f"{arguments.path}:{first}-{last}\n{body}{more}")

    return Tool(
        name="read_lines",
        description=f"Read up to {MOST_LINES} lines of a file, numbered, so that you can cite path:line.",
        arguments=Lines,
        run=run,
    )
