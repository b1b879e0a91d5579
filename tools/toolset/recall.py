"""What was said and learnt before, in this session and others."""

from pydantic import Field

from ..memory import MemoryTool
from .tool import Arguments, Caller, Outcome, Tool

MOST_FOUND = 5


class Question(Arguments):
    """Arguments of `recall`."""

    query: str = Field(min_length=1)


def recall_tool(memory: MemoryTool) -> Tool:
    """Return the tool over the conversation's memory."""

    def run(arguments: Question, _: Caller) -> Outcome:
        found = memory.search(arguments.query, limit=MOST_FOUND)
        lines = [f"- {each.created_at:%Y-%m-%d} ({each.type}) {each.content}" for each in found]
        return Outcome(text="\n".join(lines) or "Nothing like that is remembered.")

    return Tool(
        name="recall",
        description="Find what was asked, answered and learnt in earlier conversations.",
        arguments=Question,
        run=run,
    )
