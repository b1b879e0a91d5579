"""What a question says about code before anything is searched: terms, paths, stack frames, what it is about."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from ..search.glossary import FIRST_WEIGHT, OTHER_WEIGHT, expand, translations
from ..search.query import COMPOUND_WEIGHT, compounds
from ..search.text import has_cjk, tokenize
from .choice import DOC_SUFFIXES, Role
from .languages import language_of
from .read import KEYWORDS

FIRST_LINE = 3.0
"""The first line of a report is its title: its terms count this many times."""
IDENTIFIER = 1.5
"""Weight of an identifier in several parts, against its parts."""
_TASK_WORDS = frozenset(
    tokenize(
        "add added adds adding use used uses using make makes made fix fixed fixes fixing bug issue change changed"
        " changes new instead etc allow allows currently please want"
    )
)
"""Words of every task and report; they say what to do, not where."""
_PATH = re.compile(r"(?<![\w/.-])((?:[\w.-]+/)*[\w-]+\.[A-Za-z]\w{0,6})(?::(\d+))?(?![\w/])")
_FILE_SUFFIXES = DOC_SUFFIXES | {".json", ".yaml", ".yml", ".toml", ".cfg", ".ini", ".sh", ".sql", ".css", ".xml"}
_FRAMES = (
    re.compile(r'File "([^"\n]+)", line (\d+)'),  # Python
    re.compile(r"\(([^()\s]+):(\d+)(?::\d+)?\)"),  # JavaScript, Java
    re.compile(r"^\s*(?:at |from )?([^\s():]+\.\w+):(\d+)", re.MULTILINE),  # Go, Rust, Ruby, PHP
)
_ABOUT: dict[Role, re.Pattern[str]] = {
    "test": re.compile(
        r"\b(unit ?tests?|tests? (for|of|cases?|suites?)|test_\w+|pytest|conftest)\b|测试(用例|代码|文件)|单元测试",
        re.I,
    ),
    "doc": re.compile(r"\b(documentation|docs|readme|changelog|tutorial|user guide)\b|文档|说明书|教程", re.I),
    "example": re.compile(r"\b(example (app|script|code)|examples? folder|demo app|setup\.py)\b|示例代码", re.I),
    "data": re.compile(r"\b(ya?ml|toml|json file|ini file|dockerfile|makefile|css|config file)\b|配置文件", re.I),
}
"""Titles that ask for other files than source."""


@dataclass(frozen=True, slots=True)
class Place:
    """A file the question names, perhaps with a line."""

    path: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Question:
    """A question as the ranking sees it."""

    text: str
    terms: dict[str, float]
    """Search terms with their weights above 0."""
    places: tuple[Place, ...]
    """Paths and stack frames named, in the order of the text; the last frame of a trace is where it broke."""
    about: frozenset[Role]
    """Kinds of files asked for expressly; other kinds than source stand back."""


def understand(text: str) -> Question:
    """Return what a question in English or Chinese says, without a model."""
    title = text.strip().partition("\n")[0]
    about = frozenset(role for role, pattern in _ABOUT.items() if pattern.search(title))
    return Question(text, _terms(text), tuple(_places(text)), about)


def _terms(text: str) -> dict[str, float]:
    title, _, rest = text.strip().partition("\n")
    counts: dict[str, float] = {}
    for part, share in ((title, FIRST_LINE), (rest, 1.0)):
        for term, weight in _said(part):
            counts[term] = counts.get(term, 0.0) + share * weight
    weights = {term: math.sqrt(count) * (IDENTIFIER if term[0] == "=" else 1.0) for term, count in counts.items()}
    own = {term: weight for term, weight in weights.items() if term not in _TASK_WORDS} or dict(weights)
    for term in compounds(text):
        own.setdefault(term, COMPOUND_WEIGHT)
    for term, weight in {} if has_cjk(text) else expand(text).items():
        own.setdefault(term, weight)
    return own


def _said(text: str) -> Iterator[tuple[str, float]]:
    """Yield the terms of a text, and those of its Chinese in English; what only names a task is not translated."""
    yield from ((term, 1.0) for term in tokenize(text) if term not in KEYWORDS)
    for alternatives in translations(text):
        if not _TASK_WORDS.issuperset(alternatives[0]):
            others = dict.fromkeys((term for english in alternatives[1:] for term in english), OTHER_WEIGHT)
            yield from (others | dict.fromkeys(alternatives[0], FIRST_WEIGHT)).items()


def _places(text: str) -> list[Place]:
    found = [Place(path, int(line)) for pattern in _FRAMES for path, line in pattern.findall(text)]
    found += [Place(path, int(line or 0)) for path, line in _PATH.findall(text) if "/" in path or _is_file(path)]
    return list(dict.fromkeys(found))


def _is_file(name: str) -> bool:
    """Return whether a word with a dot is a file's name, not an abbreviation or an attribute."""
    return bool(language_of(name)) or PurePosixPath(name).suffix.lower() in _FILE_SUFFIXES
