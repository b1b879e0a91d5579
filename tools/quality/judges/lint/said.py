"""What a rule of the linter said of a file, with the code around the place."""

from collections.abc import Callable
from dataclasses import dataclass

from ...facts.file import FileFacts
from ...known.project import Project


@dataclass(frozen=True, slots=True)
class Said:
    """What a rule said of a file."""

    project: Project
    facts: FileFacts
    line: int
    end: int
    message: str

    @property
    def lines(self) -> list[str]:
        """Return the lines of the file."""
        return self.project.text_of(self.facts.path).split("\n")

    @property
    def itself(self) -> str:
        """Return the lines the rule speaks of."""
        return "\n".join(self.lines[self.line - 1 : self.end])

    @property
    def around(self) -> str:
        """Return the function a line is in, or the line itself outside of functions."""
        inside = [each for each in self.facts.functions if each.line <= self.line <= each.end]
        innermost = max(inside, key=lambda each: each.line, default=None)
        return "\n".join(self.lines[innermost.line - 1 : innermost.end]) if innermost else self.lines[self.line - 1]

    @property
    def quoted(self) -> str:
        """Return the name the message speaks of, which it puts between back quotes."""
        return self.message.partition("`")[2].partition("`")[0]


Check = Callable[[Said], bool]
"""Whether what was said matters there."""
