"""Citations in an answer: found as `path:line`, and checked against the files as they are."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..state.errors import UnknownPlace
from ..state.session import Citation, Language
from .places import Places

SLACK = 3
"""Lines above and below a citation in which a quoted text may stand: models are off by a decorator or a comment."""

_PATH = r"(?:[\w.@+-]+/)*[\w.@+-]*(?:\.[A-Za-z]\w{0,9}|Makefile|Dockerfile|LICENSE|Procfile|Gemfile|Jenkinsfile)"
_LINES = r"(?::(?P<a>\d{1,7})(?:\s?[-–—~]\s?(?P<b>\d{1,7}))?(?::\d+)?|\#L(?P<c>\d{1,7})(?:-L?(?P<d>\d{1,7}))?)"
_WORDS = r"\s?[(（,，]?\s?(?:lines?|第)\s?(?P<e>\d{1,7})(?:\s?(?:[-–—~到至]|to|and)\s?(?P<f>\d{1,7}))?(?:\s?行)?"
_STARTS = r"(?:(?<![/\w.@+-])|(?<=[\])}]/))"
_CITED = re.compile(rf"{_STARTS}(?P<path>{_PATH})[`'\"]?(?:{_LINES}|{_WORDS})(?![\w])")
_BORDER = re.compile(r"(?<![^\s`'\"“「(\[{（,，;；:：*<|])(?=[^\s])")
_REACH = 200
"""Characters before a path in which its beginning is looked for: a path with spaces or brackets has many words."""
_HOST = re.compile(r"^[\w.-]+\.(?:com|org|net|io|dev|local|cn|internal)$", re.IGNORECASE)
_WIDE = re.compile(r"^[^\x00-\x7f]+")
_QUOTE = r"`([^`\n]{4,200})`|[\"“「]([^\"”」\n]{4,200})[\"”」]"
_BEFORE = re.compile(rf"(?:{_QUOTE})[^`\"“「.。;；\n]{{0,40}}$")
_AFTER = re.compile(rf"^[`)）\]]*\s?(?:[:：—-]|reads|says|是|写着)\s?(?:{_QUOTE})")
_MARKS = {"en": "Citations that could not be verified:", "zh": "以下引用未能核实:"}


@dataclass(frozen=True, slots=True)
class _Found:
    path: str
    first: int
    last: int
    quote: str
    before: str
    """What stands before it on its line: a path with spaces or brackets begins there."""


def check_citations(text: str, places: Places) -> list[Citation]:
    """Return every place an answer cites, once, in order, and for each what is wrong with it.

    A citation holds when the file exists, has the lines, and shows what the answer quotes right beside it.
    """
    files: dict[str, list[str] | str] = {}
    checked: dict[tuple[str, int, int], Citation] = {}
    for found in _found(text):
        path, lines = _opened(found, places, files)
        problem = lines if isinstance(lines, str) else _problem(found, lines)
        key = (path, found.first, found.last)
        if key not in checked or (problem and checked[key].valid):
            checked[key] = Citation(path=path, line=found.first, end=found.last, valid=not problem, problem=problem)
    return list(checked.values())


def marked(text: str, citations: Sequence[Citation], language: Language) -> str:
    """Return the answer with the citations that fail named at its end; unchanged where none does."""
    bad = [each for each in citations if not each.valid]
    if not bad:
        return text
    lines = [f"- {place_of(each)}: {each.problem}" for each in bad]
    return "\n".join([text.rstrip(), "", f"> {_MARKS[language]}", *(f"> {line}" for line in lines)])


def place_of(citation: Citation) -> str:
    """Return a citation as it is written: `path:12` or `path:12-40`."""
    end = f"-{citation.end}" if citation.end not in (0, citation.line) else ""
    return f"{citation.path}:{citation.line}{end}"


def _found(text: str) -> Iterator[_Found]:
    for match in _CITED.finditer(text):
        path = match["path"].removeprefix("./")
        if _HOST.match(path) or text[max(match.start() - 3, 0) : match.start()].endswith("://"):
            continue
        first = int(match["a"] or match["c"] or match["e"])
        last = int(match["b"] or match["d"] or match["f"] or first)
        before = _BEFORE.search(text[max(match.start() - 260, 0) : match.start()])
        after = _AFTER.search(text[match.end() : match.end() + 260])
        quote = next((part for hit in (after, before) if hit for part in hit.groups() if part), "")
        line = text[max(match.start() - _REACH, 0) : match.start()].rpartition("\n")[2]
        yield _Found(path, first, last, quote, line)


def _opened(found: _Found, places: Places, files: dict[str, list[str] | str]) -> tuple[str, list[str] | str]:
    """Return the path with its lines, or with why there are none.

    The longest path that leads to a file is the one that is meant: names hold spaces and brackets. Chinese sets no
    space before a path, so wide characters that lead to no file are taken off.
    """
    path = found.path
    for border in _BORDER.finditer(found.before):
        longer = (found.before[border.start() :] + path).removeprefix("./")
        if not isinstance(_lines(longer, places, files), str):
            return longer, files[longer]
    if found.before.endswith("/"):  # a folder in brackets: no file of that name elsewhere is meant
        path = re.split(r"[\s`'\"“「*]", found.before)[-1] + path
    lines = _lines(path, places, files)
    bare = _WIDE.sub("", path)
    if isinstance(lines, str) and bare != path and not isinstance(_lines(bare, places, files), str):
        return bare, files[bare]
    return path, lines


def _lines(path: str, places: Places, files: dict[str, list[str] | str]) -> list[str] | str:
    if path not in files:
        try:
            files[path] = places.lines(path)
        except UnknownPlace as error:
            files[path] = str(error)
    return files[path]


def _problem(found: _Found, lines: list[str]) -> str:
    if found.first < 1 or found.last < found.first:
        return f"lines {found.first}-{found.last} are no range"
    if found.last > len(lines):
        return f"the file has {len(lines)} lines"
    wanted = _flat(found.quote)
    if not wanted or _flat(found.path) in wanted:
        return ""
    if wanted in _flat("\n".join(lines[max(found.first - 1 - SLACK, 0) : found.last + SLACK])):
        return ""
    other = next((number for number, line in enumerate(lines, start=1) if wanted in _flat(line)), 0)
    return f"{found.quote!r} stands at line {other}" if other else f"{found.quote!r} is not in the file"


def _flat(text: str) -> str:
    """Return a text without what models change when they quote: spaces, brackets at the end of a call, dots."""
    return re.sub(r"\s+", "", text).removesuffix("()").strip(".…")
