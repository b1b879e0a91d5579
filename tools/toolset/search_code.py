"""Finding code by what it does: the repository's index, in the model's words."""

from pydantic import Field

from ..rag import RAGTool
from .tool import Arguments, Caller, Outcome, Tool

MOST_FOUND = 5


class Sought(Arguments):
    """Arguments of `search_code`."""

    query: str = Field(description="A question, an error or a name, in any language", min_length=1, max_length=2000)


def search_code_tool(code: RAGTool) -> Tool:
    """Return the tool over the index of code and documents."""

    def run(arguments: Sought, _: Caller) -> Outcome:
        found = code.search(arguments.query, MOST_FOUND)
        parts = [f"{each.place}\n{each.text}" for each in found]
        if not parts:
            parts = ["Nothing in the index answers this: try other words, or grep with the terminal."]
        return Outcome(text="\n---\n".join([*parts, *(f"[{notice}]" for notice in code.notices)]))

    return Tool(
        name="search_code",
        description="Find the lines of code or documents that answer a question.",
        arguments=Sought,
        run=run,
    )
