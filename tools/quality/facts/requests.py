"""What is known of requests: where what they bring goes, whose rows they ask for, and who is let in."""

from dataclasses import field

from pydantic.dataclasses import dataclass


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
class Model:
    """A class whose objects are rows, as far as it matters for whose they are."""

    name: str
    table: str
    refers: list[str] = field(default_factory=list)
    """Tables or classes its rows refer to."""
    signs_in: bool = False
    """Whether it holds with what somebody signs in."""
    fields: list[str] = field(default_factory=list)
    """The fields by which it refers to them, without `_id`."""


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
    whole: bool = False
    """Whether it is a class that gives out any row there is."""


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
    picks: bool = False
    """Whether it is for one row, named by a number anybody can try: `/orders/<number>`."""
