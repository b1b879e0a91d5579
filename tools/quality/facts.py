"""What the analyzers need to know of one file: read once, kept by content, plain enough for JSON."""

from dataclasses import field
from typing import NamedTuple

from pydantic.dataclasses import dataclass

from ..code_index.choice import Role


@dataclass(frozen=True, slots=True)
class Function:
    """A function or method as lizard measures it."""

    name: str
    line: int
    end: int
    complexity: int
    """Cyclomatic: 1 and one for each decision (McCabe 1976)."""
    lines: int
    """Of code, without blank lines and comments."""
    parameters: int
    """Without `self` and `cls`."""


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


BlockRow = tuple[int, int, int, int, int, int]
"""The fields of a `Block` in their order: there are many, and a row is read three times as fast."""


class Block(NamedTuple):
    """The fingerprint of a window of tokens."""

    hash: int
    place: int
    """Number of its first token in the function."""
    line: int
    end: int
    function: int
    """Index into the file's functions."""
    of: int
    """Tokens of the function."""


ShapeRow = tuple[int, int, int, int, int, int, int, int, int, int, bool]
"""The fields of a `Shape` in their order, as rows of a `Block`."""


class Shape(NamedTuple):
    """A statement of a function by its shape, whatever its names and numbers are."""

    hash: int
    message: int
    """Hash of the texts in it that are sentences, or 0."""
    parts: int
    statements: int
    decisions: int
    line: int
    end: int
    block: int
    """Number of the list of statements it stands in."""
    place: int
    """Its place in that list, from 0."""
    function: int
    refuses: bool
    """Whether it checks and raises."""


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


@dataclass(frozen=True, slots=True)
class Handed:
    """Text that goes on into a call: what came in with a request, or what the function was given itself."""

    callee: str
    argument: str
    """Its place in the call, from 0, or its name."""
    function: str = ""
    """The function that was given it; `""` where it came in with a request."""
    parameter: str = ""


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
class Model:
    """A class whose objects are rows, as far as it matters for whose they are."""

    name: str
    table: str
    refers: list[str] = field(default_factory=list)
    """Tables or classes its rows refer to."""
    signs_in: bool = False
    """Whether it holds with what somebody signs in."""


@dataclass(frozen=True, slots=True)
class View:
    """A handler for whoever is signed in that loads a row and does not look at who asks."""

    line: int
    end: int
    name: str
    verb: str
    rows: list[str] = field(default_factory=list)
    """Classes of the rows it loads itself."""
    loaders: list[str] = field(default_factory=list)
    """Whom it gives the id."""
    calls: list[str] = field(default_factory=list)
    """Whom it calls."""
    beside: str = ""
    """Whom it gives the id, where another handler of the file gives them who is asking: `slips` of `slips.of(me)`."""


@dataclass(frozen=True, slots=True)
class Door:
    """A handler of requests, or a router of them, with who is let in."""

    line: int
    end: int
    name: str
    group: str
    """The router it belongs to, or `views`; a router is its own."""
    guards: list[str] = field(default_factory=list)
    """What asks who it is, before the handler runs."""
    writes: bool = False
    looks: bool = False
    """Whether the handler itself looks at who asks."""
    router: bool = False


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
class PythonFacts:
    """What only Python files have."""

    imports: list[Imported] = field(default_factory=list)
    defined: list[Defined] = field(default_factory=list)
    used: list[str] = field(default_factory=list)
    """Every name the file uses, sorted."""
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
    wrapping: list[str] = field(default_factory=list)
    """Its decorators that only put something around a function and tell nobody of it."""
    loop_queries: list[LoopQuery] = field(default_factory=list)
    calls: dict[str, list[str]] = field(default_factory=dict)
    """By function, which functions of the same file it names."""
    querying: list[str] = field(default_factory=list)
    """Its functions that query a database themselves."""
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
    options: dict[str, list[str]] = field(default_factory=dict)
    """By command that it defines, the options it knows; see `command_options`."""
    numbers: list[str] = field(default_factory=list)
    """The numbers it holds, as Python writes them."""


@dataclass(frozen=True, slots=True)
class TreeFacts:
    """What files of JavaScript, TypeScript, Java and Go have."""

    imports: list[Imported] = field(default_factory=list)
    """`module` as it is written, `name` is `*` for all of it."""
    defined: list[Defined] = field(default_factory=list)
    """The outermost functions and classes; of Java, classes and private methods."""
    used: list[str] = field(default_factory=list)
    """Every name the file uses, other than where it defines, imports or exports it."""
    words: list[str] = field(default_factory=list)
    """Identifier-like parts of its strings."""
    inner: dict[str, list[str]] = field(default_factory=dict)
    """By its definitions, which of them each uses; `""` for the code outside of them."""
    loop_queries: list[LoopQuery] = field(default_factory=list)
    nested: dict[int, int] = field(default_factory=dict)
    """By the line of a function that is deeply nested, how deep its conditions and loops go."""
    methods: list[Defined] = field(default_factory=list)
    """Those of the classes of scripts that no framework can call by their place."""
    unreachable: list[tuple[int, int]] = field(default_factory=list)
    risks: list[Risk] = field(default_factory=list)
    doors: list[Door] = field(default_factory=list)
    left: list[Risk] = field(default_factory=list)
    """Imports, variables and comments that were left behind."""


DEEP = 5
"""Conditions and loops inside each other from which on a function is deeply nested."""


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
