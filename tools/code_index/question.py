"""What a question says about code before anything is searched: terms, paths, stack frames, what it is about."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath

from ..search import everyday
from ..search.glossary import FIRST_WEIGHT, OTHER_WEIGHT, expand, translations
from ..search.postings import Posting, Postings
from ..search.query import COMPOUND_WEIGHT, compounds
from ..search.synonyms import Synonyms, joined
from ..search.text import has_cjk, tokenize
from .choice import DOC_SUFFIXES, Role
from .languages import language_of
from .read import KEYWORDS

FIRST_LINE = 3.0
"""The first line of a report is its title: its terms count this many times."""
IDENTIFIER = 1.5
"""Weight of an identifier in several parts, against its parts."""
OFTEN_TASK = 0.7
"""Weight of a word that more often says what to do than where."""
EVERYDAY = 0.6
"""Weight of code's words for what a text without software terms says."""
_TASK_WORDS = frozenset(
    tokenize(
        "add added adds adding use used uses using make makes made fix fixed fixes fixing bug issue problem change"
        " changed changes new instead etc allow allows currently please want"
    )
)
"""Words of every task and report; they say what to do, not where."""
_OFTEN_TASK_WORDS = frozenset(
    tokenize(
        "remove removed removing replace rename move switch convert update upgrade improve enhance extend support"
        " implement introduce provide create handle ensure avoid prevent stop reduce refactor rework rewrite simplify"
        " tidy clean cleanup merge set test tests better proper properly correct correctly missing minor small various"
        " possible wrong broken incorrect unexpected work works working need needs see like way case code"
    )
)
"""Words of many tasks that may name the place, too."""
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
    terms: Mapping[str, float]
    """Search terms it is made of, with their weights above 0."""
    hints: Mapping[str, float]
    """Terms that may lead to the place and need not stand there: joined words, everyday words in code, Chinese."""
    things: tuple[Synonyms, ...]
    """Its Chinese words with their translations."""
    places: tuple[Place, ...]
    """Paths and stack frames named, in the order of the text; the last frame of a trace is where it broke."""
    about: frozenset[Role]
    """Kinds of files asked for expressly; other kinds than source stand back."""
    by_meaning: bool
    """Whether it is told in other words than code's: in Chinese or in whole sentences, or of documents. Closeness of
    vectors helps only there (docs/decisions/0126)."""

    def weights(self) -> dict[str, float]:
        """Return the weights of all that `lookup` finds."""
        return {**self.hints, **self.terms, **{thing.name: thing.weight for thing in self.things}}

    def words(self) -> dict[str, float]:
        """Return its terms and the translations of its things, each with its weight."""
        translated = {
            term: thing.weight * share for thing in self.things for way, share in thing.ways.items() for term in way
        }
        return translated | dict(self.terms)

    def lookup(self, postings: Postings) -> list[Posting]:
        """Return where its terms stand, those of a thing joined under the thing's name. Call it within `reading`."""
        own = self.hints.keys() | self.terms.keys()
        found = list(postings.lookup(own.union(*(thing.terms for thing in self.things))))
        return [posting for posting in found if posting.term in own] + joined(found, self.things)


def understand(text: str) -> Question:
    """Return what a question in English or Chinese says, without a model."""
    title = text.strip().partition("\n")[0]
    about: frozenset[Role] = frozenset(role for role, pattern in _ABOUT.items() if pattern.search(title))
    terms = _terms(text)
    hints = {term: weight for term, weight in _hints(text).items() if term not in terms}
    by_meaning = has_cjk(text) or everyday.told(text) or "doc" in about
    return Question(text, terms, hints, tuple(_things(text)), tuple(_places(text)), about, by_meaning)


def _terms(text: str) -> dict[str, float]:
    counts = _counted(text, lambda part: (term for term in tokenize(part) if term not in KEYWORDS))
    weights = {term: math.sqrt(count) * _share(term) for term, count in counts.items()}
    return {term: weight for term, weight in weights.items() if term not in _TASK_WORDS} or weights


def _share(term: str) -> float:
    if term in _OFTEN_TASK_WORDS:
        return OFTEN_TASK
    return IDENTIFIER if term[0] == "=" else 1.0


def _hints(text: str) -> dict[str, float]:
    if has_cjk(text):
        return dict.fromkeys(compounds(text), COMPOUND_WEIGHT)
    told = everyday.in_code(text) if everyday.told(text) else ()
    return dict.fromkeys(told, EVERYDAY) | expand(text) | dict.fromkeys(compounds(text), COMPOUND_WEIGHT)


def _things(text: str) -> Iterator[Synonyms]:
    """Yield the Chinese words with their translations; what only names a task is not translated."""
    known = dict(translations(text))
    for word, count in _counted(text, lambda part: (said for said, _ in translations(part))).items():
        usual, *others = known[word]
        ways = {way: OTHER_WEIGHT for way in others if way} | ({usual: FIRST_WEIGHT} if usual else {})
        if not _TASK_WORDS.issuperset(usual):
            share = OFTEN_TASK if _OFTEN_TASK_WORDS.issuperset(usual) else 1.0
            yield Synonyms(word, math.sqrt(count) * share, ways)


def _counted(text: str, said: Callable[[str], Iterable[str]]) -> dict[str, float]:
    """Return how often each thing is said, the first line counted `FIRST_LINE` times."""
    title, _, rest = text.strip().partition("\n")
    counts: dict[str, float] = {}
    for part, share in ((title, FIRST_LINE), (rest, 1.0)):
        for term in said(part):
            counts[term] = counts.get(term, 0.0) + share
    return counts


def _places(text: str) -> list[Place]:
    found = [Place(path, int(line)) for pattern in _FRAMES for path, line in pattern.findall(text)]
    found += [Place(path, int(line or 0)) for path, line in _PATH.findall(text) if "/" in path or _is_file(path)]
    return list(dict.fromkeys(found))


def _is_file(name: str) -> bool:
    """Return whether a word with a dot is a file's name, not an abbreviation or an attribute."""
    return bool(language_of(name)) or PurePosixPath(name).suffix.lower() in _FILE_SUFFIXES
