"""Notes in comments that say without a keyword that the code is not as it is to stay, in English and Chinese."""

import re
from collections.abc import Iterator, Sequence, Set
from datetime import date
from functools import cache
from importlib.resources import files

_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_NUMBER_OF_MONTH = {str(name): number for number, name in enumerate(_MONTHS.split("|"), 1)}
_SEASONS = {"spring": 5, "summer": 8, "autumn": 11, "fall": 11, "winter": 12}
_DATE = re.compile(
    rf"\b(?P<season>spring|summer|autumn|fall|winter|q[1-4]|(?:{_MONTHS})[a-z]*)\.?,?\s+(?P<of>20\d\d)\b"
    r"|\b(?P<year>20\d\d)(?:-(?P<month>\d\d)(?:-\d\d)?)?(?![\d.-])"
    r"|(?P<nian>20\d\d)\s?年(?:\s?(?P<yue>\d{1,2})\s?月|(?P<ji>[春夏秋冬]))?",
    re.IGNORECASE,
)
_DATE_PLAIN = re.sub(r"\?P<\w+>", "?:", _DATE.pattern)
_CHINESE_SEASONS = {"春": 5, "夏": 8, "秋": 11, "冬": 12}

_COMMENT = re.compile(r"^\s*(?:#+(?![!{#])|//+|/\*+|\*(?!/)|<!--|\{#|--)\s?(.*?)(?:\*/|-->|#\})?\s*$")
_BEHIND = re.compile(r"^(?P<code>[^#]*\S)\s+(?:#|//)\s+(?P<text>.*)$")
"""A comment behind code; the code before it must not leave a string open."""
_UNTIL = re.compile(
    rf"\b(?:until|till|remove (?:after|in|by))\b[^.]{{0,40}}?(?:{_DATE_PLAIN})|(?:到|至)\s?20\d\d\s?年", re.IGNORECASE
)
_SPEAKS_OF_THE_PAST = re.compile(r"\b(?:was|were|had|used to|did|since|between|from)\b|以前|之前|曾|从", re.IGNORECASE)

_OPENS = re.compile(
    r"^(?:not (?:yet )?(?:done|finished|implemented|handled|decided|supported)(?: yet)?\s*[:：]"
    r"|(?:still )?(?:missing|open|left to do|to ?do)\s*[:：]|known (?:gap|problem|issue|limitation)s?\s*[:：]"
    r"|for now[, ]|temporar(?:y|ily)[,:;]|(?:尚未|还没|暂未)(?:实现|完成|支持|做)|暂时(?!可)|以后(?:再|要|应该))",
    re.IGNORECASE,
)
"""How a paragraph of documentation begins that is a note."""
_OPEN = re.compile(
    r"\b(?:not (?:done|finished|implemented|decided|agreed) yet(?=[.,;:)]|$)"
    r"|(?:still|yet) to be (?:done|decided|written|implemented|clarified)"
    r"|temporary (?:fix|hack|workaround|solution)|quick hack|stop-?gap)\b|先这样|权宜之计|临时方案|待办[:：]",
    re.IGNORECASE,
)


@cache
def _shapes() -> Sequence[re.Pattern[str]]:
    """Return what notes look like, from plain_notes.tsv: the words that stand first, and all other shapes."""
    text = (files("maintainer.tools.quality.reading") / "plain_notes.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    parts = {f"<{name}>": f"(?:{shape})" for kind, name, shape in rows if kind == "part"}
    whole = [(what, re.sub(r"<[A-Z]+>", lambda match: parts[match[0]], shape)) for _, what, shape in rows]
    words = "|".join(shape for what, shape in whole if what == "word")
    notes = "|".join(shape for what, shape in whole if what == "note")
    return re.compile(f"^(?:{words})"), re.compile(notes, re.IGNORECASE)


def plain_notes(lines: list[str]) -> Iterator[tuple[int, str, bool]]:
    """Yield line and text of each note, and whether it is one only when the day it names is over."""
    block: list[tuple[int, str]] = []
    for number, line in enumerate([*lines, ""], 1):
        text = _comment(line)
        if text is not None and (not block or _goes_on(lines, number)):
            block.append((number, text))
            continue
        yield from _in_block(block)
        block = [(number, text)] if text is not None else []


def day_over(text: str) -> date | None:
    """Return the last day of the latest date that a note names, None where it names none."""
    return max((_last_day(match) for match in _DATE.finditer(text)), default=None)


def _last_day(match: re.Match[str]) -> date:
    year = int(match["of"] or match["year"] or match["nian"])
    season = str(match["season"] or "").lower()
    if match["month"] or match["yue"]:
        month = int(match["month"] or match["yue"])
    elif season:
        quarter = int(season[1]) * 3 if season[0] == "q" else 0
        month = quarter or _SEASONS.get(season) or _NUMBER_OF_MONTH[season[:3]]
    else:
        month = _CHINESE_SEASONS.get(match["ji"] or "", 12)
    return date(year, min(max(month, 1), 12), 28)


def _comment(line: str) -> str | None:
    """Return the text of a comment that has its line for itself, or stands behind code."""
    if alone := _COMMENT.match(line):
        return alone[1]
    behind = _BEHIND.match(line)
    if behind and all(behind["code"].count(quote) % 2 == 0 for quote in "\"'`"):
        return behind["text"]
    return None


def notes_in_documentation(lines: list[str], documented: Set[int]) -> Iterator[tuple[int, str]]:
    """Yield line and text of each paragraph of documentation strings that opens as an open note.

    Elsewhere in documentation the same words tell how something is used.
    """
    first, _ = _shapes()
    for number in sorted(documented):
        text = lines[number - 1].strip().lstrip("\"'").strip()
        opens = number - 1 not in documented or not lines[number - 2].strip()
        if first.search(text) or _OPEN.search(text) or (opens and _OPENS.search(text)):
            yield number, text


def _goes_on(lines: list[str], number: int) -> bool:
    """Return whether a comment continues the one of the line before: both alone on their lines."""
    return bool(_COMMENT.match(lines[number - 1]) and _COMMENT.match(lines[number - 2]))


def _in_block(block: list[tuple[int, str]]) -> Iterator[tuple[int, str, bool]]:
    """Yield the first note of a comment of one or more lines."""
    text, starts = "", []
    for number, part in block:
        starts.append((len(text), number))
        text += part + " "
    text = text.rstrip()
    found = [match for shape in _shapes() if (match := shape.search(text))]
    if found:
        place = min(match.start() for match in found)
    elif (until := _UNTIL.search(text)) and _DATE.search(text) and not _SPEAKS_OF_THE_PAST.search(text):
        place = until.start()
    else:
        return
    line = next(number for start, number in reversed(starts) if start <= place)
    yield line, text.lstrip(), not found
