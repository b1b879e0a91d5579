"""What only files of JavaScript, TypeScript, Java and Go have: they are read from trees of tree-sitter."""

from dataclasses import field

from pydantic.dataclasses import dataclass

from .code import Defined, Imported, LoopQuery, Risk
from .requests import Door


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
