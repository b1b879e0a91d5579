"""Numbers of a rule that a document lists, all of them in the module it is about but one; ports nobody listens on."""

import re
from collections.abc import Iterator, Mapping, Set
from decimal import Decimal

from ...known.project import Project
from .claims import Claim

_NUMBER = re.compile(r"(?<![\w.,:/-])(\d{1,3}(?: \d{3})+|\d+(?:\.\d+)?)(?![\w/:.-]*\w)")
_WORD = re.compile(r"[a-z]{4,}")
_STRICT = (Decimal(1), Decimal(100), Decimal(10))
_LOOSE = (*_STRICT, *map(Decimal, (60, 24, 7, 3_600, 1_440, 86_400, 1_000, 1_024, 12, 365)))
_FEWEST = 4
"""Numbers of a line from which on they say which module is meant."""
_PORT = re.compile(r"https?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0):(\d{4,5})\b")
_LISTENS: Mapping[str, str] = {
    "flask": "5000",
    "django": "8000",
    "uvicorn": "8000",
    "gunicorn": "8000",
    "express": "3000",
}
_OF_OTHERS = frozenset(
    {"8025", "1025", "5432", "6379", "9200", "5672", "15672", "9000", "9090", "3306", "27017", "5601"}
)


def band_claims(numbers: Mapping[str, Set[Decimal]], number: int, line: str) -> Iterator[Claim]:
    """Yield the one number of a line that the module named in it does not have, though it has all the others."""
    if not _NUMBER.search(line):
        return
    said = {Decimal(each.replace(" ", "")) for each in _NUMBER.findall(line)}
    if len(said) < _FEWEST:
        return
    words = set(_WORD.findall(line.lower().partition(":")[0]))
    meant = [path for path in numbers if _is_about(path, words)]
    if len(meant) != 1:
        return
    known = numbers[meant[0]]
    strange = [each for each in said if not _has(known, each, _LOOSE)]
    others = [each for each in said if _has(known, each, _STRICT)]
    if len(strange) == 1 and len(others) == len(said) - 1 and strange[0] > 1:
        yield Claim(number, f"{strange[0]:f}", "the code has another value", "stale_path", 0.65)


def numbers_of(project: Project) -> Mapping[str, Set[Decimal]]:
    """Return the numbers that each short Python module of the product holds, by path."""
    return {
        facts.path: {Decimal(each) for each in facts.python.numbers}
        for facts in project.of_role("source")
        if facts.python and facts.lines <= _LONG
    }


_LONG = 250
"""Lines of a module from which on it has nearly any small number."""


def _is_about(path: str, words: Set[str]) -> bool:
    stem = path.rpartition("/")[2].partition(".")[0].rstrip("s")
    return len(stem) >= 4 and any(word.rstrip("s") == stem for word in words)


def _has(known: Set[Decimal], said: Decimal, scales: tuple[Decimal, ...]) -> bool:
    """Return whether code holds a number in some unit, or what it leaves of, or makes of, a hundred percent."""
    near = {said, 100 - said, 100 + said, 1 - said / 100, 1 + said / 100}
    return any(each * scale in known or each / scale in known for each in near for scale in scales)


def port_claims(project: Project, number: int, line: str) -> Iterator[Claim]:
    """Yield the port of an address of this machine that nothing of the repository speaks of."""
    for port in _PORT.findall(line) if project.kind != "library" else ():
        told = re.compile(rf"(?<!\d){port}(?!\d)")
        named = {each.name.lower() for each in project.manifest.requirements}
        usual = {own for name, own in _LISTENS.items() if name in named}
        if not usual or port in usual or port in _OF_OTHERS:
            continue
        files = (facts.path for facts in project.of_role("source", "data", "test", "doc", "example"))
        if not any(told.search(_but_for_addresses(project.text_of(path))) for path in files):
            yield Claim(number, f"localhost:{port}", "nothing listens there", "stale_command", 0.7)


def _but_for_addresses(text: str) -> str:
    return _PORT.sub("", text)
