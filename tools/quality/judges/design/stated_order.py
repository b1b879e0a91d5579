"""Parts in the order of who may import whom: a list or table of them, and the sentence that says which way it goes."""

import re
from collections.abc import Callable, Iterator, Sequence

_PLACED = re.compile(
    r"(?P<down>\bbelow\b|\bbeneath\b|\bunder(?:neath)?\b|下面|下方|之下)|\babove\b|上面|上方|之上", re.IGNORECASE
)
"""Where the others stand, in this very table or list."""
_WAY = re.compile(
    r"(?P<down>down|top to bottom|向下|自上而下|从上到下)|\bup(?:wards?)?\b|向上|自下而上|"
    + _PLACED.pattern.replace("<down>", "<below>"),
    re.IGNORECASE,
)
"""A direction, which means the order of a list only where that is numbered."""
_OF_IMPORTS = re.compile(r"\bimport|\bdepend|导入|依赖|引用", re.IGNORECASE)
_RULE = re.compile(
    r"\bonly\b|\bnever\b|\bnothing\b|\bno (?:\w+ )?(?:imports?|package|module|layer|app)|\bmust\b|\bmay\b|只|不",
    re.IGNORECASE,
)
_NEVER = re.compile(r"\bnever\b|\bnothing\b|\bnot\b|\bno\b|\bnone\b|不|禁止", re.IGNORECASE)
_NAME = re.compile(r"[`*]+([\w./-]+)[`*]+")
_ITEM = re.compile(r"^\s*(?:\d+[.)]|[-*+])\s+(.*)")
_RULED = re.compile(r"^\s*\|[\s:|-]+\|\s*$")
_FEWEST = 3
"""Parts that make an order; two may stand beside each other by chance."""
_NEAR = 4
"""Lines between a list and the sentence that speaks of it."""

Row = tuple[int, list[str]]


def of_order(lines: Sequence[str], part: Callable[[str], str]) -> Iterator[tuple[str, str, int]]:
    """Yield source, target and line of what an ordered list or table of parts bars.

    Understood is a sentence before or behind it: "imports go downwards only", "a package imports only those above it",
    "nothing imports what stands above it".

    Args:
        part: Returns the folder or module that a name means, `""` for none.
    """
    for first, last, rows in _blocks(lines):
        known = [(number, [name for each in names if (name := part(each))]) for number, names in rows]
        if len(known) < _FEWEST or not all(names for _, names in known):
            continue
        numbered = re.match(r"\s*\d", lines[first]) is not None
        downwards = _direction(lines, first, last, _WAY if numbered else _PLACED)
        if downwards is None:
            continue
        ordered = known if downwards else known[::-1]
        for place, (number, names) in enumerate(ordered):
            for _, above in ordered[:place]:
                yield from ((source, target, number) for source in names for target in above)


def cells(line: str) -> list[str]:
    """Return the cells of a row of a table; empty for every other line."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")] if line.lstrip().startswith("|") else []


def _direction(lines: Sequence[str], first: int, last: int, words: re.Pattern[str]) -> bool | None:
    """Return whether imports go down a block of lines, or up it; None where nothing near says so."""
    before = " ".join(lines[max(0, first - _NEAR) : first])
    behind = " ".join(lines[last + 1 : last + 1 + _NEAR])
    for sentence in re.split(r"(?<=[.;:。;:])\s*", f"{behind}. {before}"):
        way = words.search(sentence)
        if way and _OF_IMPORTS.search(sentence) and _RULE.search(sentence):
            against = _NEVER.search(sentence[: way.start()]) is not None
            downwards = any(way.groupdict().values())
            return downwards is not against
    return None


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, int, list[Row]]]:
    """Yield the lists and tables of a document: first and last line from 0, and the names each entry begins with."""
    start = 0
    while start < len(lines):
        read = _read_table if _RULED.match(lines[start]) else _read_list if _ITEM.match(lines[start]) else None
        if read is None:
            start += 1
            continue
        last, rows = read(lines, start)
        yield start - (read is _read_table), last, rows
        start = last + 1


def _read_table(lines: Sequence[str], start: int) -> tuple[int, list[Row]]:
    rows: list[Row] = []
    last = start
    for number in range(start + 1, len(lines)):
        row = cells(lines[number])
        if not row:
            break
        last = number
        rows.append((number + 1, _NAME.findall(row[0]) or [row[0]]))
    return last, rows


def _read_list(lines: Sequence[str], start: int) -> tuple[int, list[Row]]:
    rows: list[Row] = []
    last = start
    for number in range(start, len(lines)):
        if match := _ITEM.match(lines[number]):
            rows.append((number + 1, _NAME.findall(re.split(r"[((:—]", match[1])[0])))
            last = number
        elif lines[number].strip() and not lines[number].startswith((" ", "\t")):
            break
        elif lines[number].strip():
            last = number
    return last, rows
