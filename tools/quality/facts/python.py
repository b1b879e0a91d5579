"""What only files of Python have."""

from dataclasses import field

from pydantic.dataclasses import dataclass

from .code import Defined, Imported, LoopQuery, Risk
from .measures import ShapeRow
from .requests import Door, Handed, Model, View


@dataclass(frozen=True, slots=True)
class Switches:
    """Names that are off, in one file."""

    off: list[Defined] = field(default_factory=list)
    """Constants and fields of classes that are written down as false."""
    asking: list[Risk] = field(default_factory=list)
    """Lines that do not run where the name `what` is off; rule `name` where it is plain, `of` where it is held."""
    given: list[str] = field(default_factory=list)
    """Names that it sets to something else, or spells in a string."""


@dataclass(frozen=True, slots=True)
class Contradicted:
    """A sentence of a documentation string that its function contradicts."""

    line: int
    text: str
    reason: str
    confidence: float
    of_class: str = ""
    """What the function returns; where that is no class of the repository's own, nothing is contradicted."""


@dataclass(frozen=True, slots=True)
class Command:
    """What one command of a program takes, or the program itself; a module may tell of one in several parts."""

    path: str
    """The words that call it, `invoice show`; `""` for the program, `@group` for a group of another module."""
    parts: list[str] = field(default_factory=list)
    """The commands below it; `@JOBS` for the keys of a table."""
    options: list[str] = field(default_factory=list)
    """`*` where there may be others."""
    takes: int = 0
    """How many words beside options, -1 for any number."""
    others: bool = False
    """Whether there may be commands below it that cannot be read."""
    held: str = ""
    """The name by which other modules add to it."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """One number that has a name, or one row of a table that has one."""

    name: str
    value: str
    """As a decimal."""
    unit: str = ""
    """What a span of time is counted in: `hours`."""
    row: str = ""
    """The word that is the key of a row, in small letters: `jade` of `{Level.JADE: 15}`."""


@dataclass(frozen=True, slots=True)
class PythonFacts:
    """What only Python files have."""

    imports: list[Imported] = field(default_factory=list)
    defined: list[Defined] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    """Every name the file uses, sorted."""
    of_objects: list[str] = field(default_factory=list)
    """Names by which it means only its own functions, or what objects of classes have; see `within`."""
    words: list[str] = field(default_factory=list)
    """Identifier-like parts of its strings: names may be looked up by them."""
    prefixes: list[str] = field(default_factory=list)
    """Beginnings of names that it puts together: `visit_` of `f"visit_{kind}"`."""
    routes: list[str] = field(default_factory=list)
    """Paths it serves, from decorators and URL tables."""
    served: list[str] = field(default_factory=list)
    """The same paths behind their methods, `GET /orders`; `*` stands for a method that is not said."""
    paths: list[str] = field(default_factory=list)
    """Strings that look like a path of an address: what tests call."""
    answered: list[str] = field(default_factory=list)
    """Of a file of tests, those that its tests get more from than refusals."""
    unreachable: list[tuple[int, int]] = field(default_factory=list)
    shadowed: list[Risk] = field(default_factory=list)
    """Clauses of `except` after others; see `caught`."""
    handled: list[Risk] = field(default_factory=list)
    """Last branches for what is left over of a constant's values; see `handled_before`."""
    listed: dict[str, list[str]] = field(default_factory=dict)
    """By constant that lists values and by enumeration, all of them."""
    wrapping: list[str] = field(default_factory=list)
    """Its decorators that only put something around a function and tell nobody of it."""
    loop_queries: list[LoopQuery] = field(default_factory=list)
    calls: dict[str, list[str]] = field(default_factory=dict)
    """By function, which functions of the same file it names."""
    querying: list[str] = field(default_factory=list)
    """Its functions that query a database themselves."""
    writing: list[str] = field(default_factory=list)
    """Functions that write to a database themselves."""
    bases: dict[str, list[str]] = field(default_factory=dict)
    """By class, the last part of the names of its bases."""
    inner: dict[str, list[str]] = field(default_factory=dict)
    """By its outermost definitions, which of them each uses; `""` for the code outside of them."""
    nested: dict[int, int] = field(default_factory=dict)
    """By the line of a function that is deeply nested, how deep its conditions and loops go."""
    called: dict[str, list[str]] = field(default_factory=dict)
    """By function, what it calls, as `name` or `holder.name`."""
    risks: list[Risk] = field(default_factory=list)
    hands_on: list[Handed] = field(default_factory=list)
    """What its functions call with text that came in, or that they were given."""
    takes: dict[str, list[str]] = field(default_factory=dict)
    """By function that something may be handed, its parameters in their order, without `self` and `cls`."""
    clocks: list[str] = field(default_factory=list)
    """Its functions that read the clock for others."""
    clock_reads: list[LoopQuery] = field(default_factory=list)
    """Where its functions read the clock of the machine themselves."""
    models: list[Model] = field(default_factory=list)
    views: list[View] = field(default_factory=list)
    doors: list[Door] = field(default_factory=list)
    loading: dict[str, list[str]] = field(default_factory=dict)
    """By function that loads a row by an id, the classes of what it loads."""
    minding: list[str] = field(default_factory=list)
    """Functions that know who is asking."""
    whose: list[str] = field(default_factory=list)
    """Fields of rows that it compares with who is asking: `owner`, `event.host`."""
    relations: list[str] = field(default_factory=list)
    """Attributes of its models that lead to other rows, by a query each."""
    loaded_along: list[str] = field(default_factory=list)
    """Those that come with the row itself."""
    loaded_here: list[str] = field(default_factory=list)
    """Those that some query of the file loads along with rows that are loaded along."""
    reaching: dict[str, list[str]] = field(default_factory=dict)
    """By property or method of its models, the attributes of the row that it uses."""
    asking: list[str] = field(default_factory=list)
    """Properties that ask for rows of their row each time."""
    giving_rows: list[str] = field(default_factory=list)
    """Functions that return rows of a query that loads nothing along."""
    shapes: list[ShapeRow] = field(default_factory=list)
    """The statements of its functions."""
    short: list[str] = field(default_factory=list)
    """Its constants that hold a few values, and its enumerations."""
    coroutines: list[str] = field(default_factory=list)
    alone: list[LoopQuery] = field(default_factory=list)
    """Calls that stand alone in its asynchronous functions."""
    thrown_away: list[LoopQuery] = field(default_factory=list)
    """Calls of classes, by their capital, whose object nobody takes."""
    constants: list[Defined] = field(default_factory=list)
    """Names in capitals that it sets at its top level, and its logger."""
    settings: list[Defined] = field(default_factory=list)
    """Fields of its classes of settings."""
    switches: Switches = field(default_factory=Switches)
    states: list[Risk] = field(default_factory=list)
    """Fields that hold a state, what is put there, and who asks for one; see `states`."""
    contradicted: list[Contradicted] = field(default_factory=list)
    names_said: list[tuple[int, str]] = field(default_factory=list)
    """Line and name of constants and errors that its documentation speaks of."""
    running: list[str] | None = None
    """Of tests some of which are skipped: the names that the others use."""
    replaced: list[str] = field(default_factory=list)
    """Of tests: the functions they put something else in the place of, and call nowhere."""
    options: dict[str, list[str]] = field(default_factory=dict)
    """By command that it defines, the options it knows; see `command_lines`."""
    commands: list[Command] = field(default_factory=list)
    tables: dict[str, list[str]] = field(default_factory=dict)
    """By constant that is a table, its keys that are texts."""
    numbers: list[str] = field(default_factory=list)
    """The numbers it holds, as Python writes them."""
    named_numbers: list[Numbers] = field(default_factory=list)
