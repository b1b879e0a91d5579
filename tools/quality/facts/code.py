"""What code of every language says: imports, definitions, queries in loops, and risks by the shape of a statement."""

from dataclasses import field

from pydantic.dataclasses import dataclass

DEEP = 5
"""Conditions and loops inside each other from which on a function is deeply nested."""


@dataclass(frozen=True, slots=True)
class Imported:
    """One imported module or name; see `tools.import_graph.Import`."""

    module: str
    name: str
    level: int
    line: int
    late: bool
    typing: bool
    alias: str
    optional: bool = False
    """Inside `try: ... except ImportError`."""


@dataclass(frozen=True, slots=True)
class Defined:
    """A definition that may turn out to be used by nobody."""

    name: str
    what: str
    """function, class, method or property."""
    line: int
    end: int
    owner: str = ""
    """The class or function around it."""
    kept: str = ""
    """Why it counts as used whoever names it: decorated, exported, overrides, ..."""
    by: list[str] = field(default_factory=list)
    """What decorates it and may be ours, by its name; of what templates use, the names they use it by."""


@dataclass(frozen=True, slots=True)
class LoopQuery:
    """A query to a database, or a call that may make one, once per round of a loop."""

    line: int
    call: str
    """The called expression, shortened."""
    callee: str = ""
    """Name of a function that is called; `""` where the query stands in the loop itself."""
    whom: str = "database"
    """Who is asked: database or server."""
    relation: str = ""
    """The attribute that is followed to another row: a query only where some model has such a relation."""
    through: str = ""
    """The relation by which the rows of the loop were reached themselves."""
    loop: int = 0
    """Line of the loop that grows; what stands in one is mended together."""
    loaded: bool = False
    """Whether the rows came with what belongs to them: only what asks anew is a query."""
    over: tuple[str, ...] = ()
    """The constants all loops around go through: where each holds a few values, it is no loop that grows."""
    rows: tuple[str, ...] = ()
    """What each loop around calls its row; `""` where it has no one name."""
    dropped: bool = False
    """Whether nobody takes the answer of the call: something is done, not asked."""
    named: bool = False
    """Whether all that came along is known by name, and the attribute is not among it."""


@dataclass(frozen=True, slots=True)
class Risk:
    """A bug or hole by the shape of the code; see `risks`."""

    line: int
    end: int
    rule: str
    what: str = ""
    """What is called, set or compared there."""
    given: str = ""
    """The function it is in, where it is a hole only if somebody hands that function what came from outside."""
    parameter: str = ""
    """Which of its parameters that is."""
