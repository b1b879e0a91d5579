"""Everything that is known of one file, of whatever language."""

from dataclasses import field

from pydantic.dataclasses import dataclass

from ...code_index.choice import Role
from .code import LoopQuery, Risk
from .measures import BlockRow, Function
from .python import PythonFacts
from .tree import TreeFacts


@dataclass(frozen=True, slots=True)
class Todo:
    """A note somebody left in the code."""

    line: int
    tag: str
    text: str


@dataclass(frozen=True, slots=True)
class Secret:
    """A place that holds a key or password; the value itself is never kept."""

    line: int
    what: str
    mixed: bool = False
    """Whether the value is long and mixed: no example that somebody thought up."""


@dataclass(frozen=True, slots=True)
class FileFacts:
    """Everything known of one file."""

    path: str
    language: str
    role: Role
    lines: int
    functions: list[Function] = field(default_factory=list)
    todos: list[Todo] = field(default_factory=list)
    secrets: list[Secret] = field(default_factory=list)
    to_mask: bool = False
    """Whether anything in it looks like a secret, told or not: what is shown of it is masked."""
    blocks: list[BlockRow] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    """Of files that are no code: identifier-like words, for names used from templates and settings."""
    python: PythonFacts | None = None
    tree: TreeFacts | None = None
    loops: list[LoopQuery] = field(default_factory=list)
    """Of templates: where a loop asks for rows of a row."""
    risks: list[Risk] = field(default_factory=list)
    """Of templates: what goes into a page unescaped."""
    generated: str = ""
    """Why its structure is nobody's handwriting, and left alone: generated or minified."""
    problem: str = ""
    """Why some of it is missing, for example a syntax error."""
    problem_line: int = 0
