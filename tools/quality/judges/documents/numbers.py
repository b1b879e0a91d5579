"""Numbers that documents give for a rule and that the constant behind it does not have."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType

from ...facts.file import FileFacts
from ...known.project import Project
from .claims import Claim

_OF_SCRIPTS = re.compile(
    r"^\s*(?:export )?(?:const )?([a-z]+(?:[A-Z][a-z]+)+|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\s*[:=]\s*"
    r"(?:\w+\([\"']\w+[\"'],\s*|[\w.()]+\s*(?:\?\?|\|\|)\s*)?(\d[\d_]*(?:\.\d+)?)\)?\s*[,;]?\s*(?://.*)?$",
    re.MULTILINE,
)
"""`const HOLD_MINUTES = 8`, `holdMinutes: 8`, `holdMinutes: number("HOLD_MINUTES", 8)`."""
_ENGLISH = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_WORDS: Mapping[str, int] = MappingProxyType(
    dict(zip(_ENGLISH, range(1, 13), strict=True))
    | {"once": 1, "twice": 2, "fourteen": 14, "fifteen": 15, "twenty": 20, "thirty": 30, "sixty": 60}
    | dict(zip("一二三四五六七八九十", range(1, 11), strict=True))
    | {"两": 2, "十二": 12, "十五": 15, "二十": 20, "三十": 30}
)
_SPELLED = "|".join(sorted(filter(str.isascii, _WORDS), key=len, reverse=True))
NUMBER = re.compile(
    rf"(?<![\w.,:/-])(\d[\d ,_]*(?:\.\d+)?|{_SPELLED})(?![\w/:-]|\.\d)"
    r"|(?<![\d.])(\d+(?:\.\d+)?|[一二三四五六七八九十两]+)\s?(?=[个次天日小分秒元周年月件本条])",
    re.IGNORECASE,
)
_NAMED = r"`{}`\s*\|?\s*(?:=|:|：|\(|（|is|of|为|是|即)?\s*$"
"""What stands between a constant and its number."""
_MOST = re.compile(
    r"\bat most\b|\bup to\b|\bno more than\b|\bmaximum\b|\bmax\b|\blimit(?:ed)?\b|\bcan be\b|\bmay (?:be|have)\b"
    r"|\bcan have\b|最多|不超过|至多|上限|只能",
    re.IGNORECASE,
)
_LEAST = re.compile(r"\bat least\b|\bno (?:less|fewer) than\b|\bminimum\b|\bmin\b|至少|不少于|最少|下限", re.IGNORECASE)
_SCALES = (1, 10, 60, 100, 1_000, 3_600, 7, 24, 1_024, 10_000, 86_400, 1_440, 168, 1_048_576, 1_000_000, 30, 12, 365)
"""What units of the same thing lie apart by: cents, seconds, percent, basis points, bytes, days."""
_UNIT = re.compile(
    r"\s*-?(seconds?|minutes?|hours?|days?|weeks?|months?|years?|percent|euros?|cents?|places?|characters?|pages?|points?)\b",
    re.IGNORECASE,
)
_PAST: Mapping[str, str] = MappingProxyType(
    {
        past: plain
        for plain, *pasts in (
            *(
                ("hold", "held"),
                ("keep", "kept"),
                ("send", "sent"),
                ("pay", "paid"),
                ("lend", "lent"),
                ("sell", "sold"),
            ),
            *(("try", "tries", "tried"), ("retry", "retries", "retried"), ("buy", "bought"), ("take", "taken", "took")),
            *(("lock", "locked"), ("hide", "hidden", "hid"), ("draw", "drawn", "drew"), ("freeze", "frozen", "froze")),
            *(("bring", "brought"), ("write", "written", "wrote"), ("drive", "driven", "drove"), ("spend", "spent")),
            *(("lose", "lost"), ("leave", "left"), ("sleep", "slept"), ("run", "ran"), ("give", "given", "gave")),
            *(
                ("cache", "cached"),
                ("store", "stored"),
                ("queue", "queued"),
                ("expire", "expiry", "expired", "expires"),
            ),
        )
        for past in pasts
    }
)
"""Forms of verbs that have no stem in common with the name of a constant."""
_SMALL = frozenset({"max", "min", "maximum", "minimum", "default", "per", "of", "in", "the", "for", "to"})
_TRIES = frozenset({"tries", "attempts", "retries", "tried", "attempt", "retry"})
_LIMITS = frozenset({"most", "least", "total", "allowed", "limit", "count", "number"})
_TRIED = re.compile(
    r"\b(?:re)?tr(?:y|ies|ied)\b|\battempt|\b(?:sent|posted|delivered|called|asked|queued) (?:again|once more)\b"
    r"|\bresent\b|\brepeated\b|重试|尝试|再试|重发",
    re.IGNORECASE,
)
_UPPER = frozenset({"max", "maximum", "most"})
_LOWER = frozenset({"min", "minimum", "least"})
_OF_A_PART = re.compile(r"\b(?:per|each|every|a page)\b", re.IGNORECASE)
_THING = re.compile(r"\s*([a-z]{4,})", re.IGNORECASE)
_TIMES = re.compile(r"^\s*(?:times|次)")


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant with a number for value."""

    name: str
    value: Decimal
    path: str
    written: str
    """Its name as the code writes it: `holdMinutes`."""


def constants_of(project: Project) -> Sequence[Constant]:
    """Return the constants of the source files whose names no other has with another value."""
    found: dict[str, set[Constant]] = {}
    for facts in project.of_role("source"):
        for name, value in _named(project, facts):
            plain = name if name.isupper() else re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).upper()
            found.setdefault(plain, set()).add(Constant(plain, Decimal(value.replace("_", "")), facts.path, name))
    return [next(iter(each)) for each in found.values() if len({one.value for one in each}) == 1]


def _named(project: Project, facts: FileFacts) -> Sequence[tuple[str, str]]:
    """Return names and numbers of a file; a span of time has its unit for a part of its name."""
    if facts.python:
        told = (each for each in facts.python.named_numbers if not each.row)
        return [(f"{each.name}_{each.unit.upper()}" if each.unit else each.name, each.value) for each in told]
    return _OF_SCRIPTS.findall(project.text_of(facts.path)) if facts.tree else ()


def number_claims(constants: Sequence[Constant], number: int, line: str, about: str) -> Iterator[Claim]:
    """Yield the number of a clause that speaks of exactly one constant and gives it another value.

    Args:
        about: Path and title of the document.
    """
    if not constants or not NUMBER.search(line):
        return
    for clause in re.split(r"[;；。，]\s*|[.,!](?:\s+|$)| (?:and|but|unless) ", line):
        numbers = list(NUMBER.finditer(clause))
        said = value_of(numbers[0]) if len(numbers) == 1 else None
        if said is None:
            continue
        before, counts = clause[: numbers[0].start()], _TIMES.match(clause[numbers[0].end() :]) is not None
        meant = [each for each in constants if re.search(_NAMED.format(f"(?:{each.name}|{each.written})"), before)]
        what = _counted(constants, said, clause[numbers[0].end() :])
        meant = meant or [each for each in constants if _is_limit_of(each.name, clause, what, counts=counts)]
        meant = meant or _of_unit(constants, clause, numbers[0])
        meant = meant or (_of_tries(constants, line, about) if counts else [])
        if len(meant) == 1 and not is_same(said, meant[0].value):
            reason = "the code has another value"
            yield Claim(number, f"{meant[0].name}: {said:f}", reason, "stale_path", 0.7)


def value_of(match: re.Match[str]) -> Decimal | None:
    """Return the number that is written with digits or in words."""
    text = (match[1] or match[2]).strip().lower()
    if text in _WORDS:
        return Decimal(_WORDS[text])
    plain = re.sub(r"[ ,_]", "", text)
    return Decimal(plain) if re.fullmatch(r"\d+(?:\.\d+)?", plain) else None


def _counted(constants: Sequence[Constant], said: Decimal, behind: str) -> str:
    """Return the word of what is counted; `""` for a unit, a limit of a part, or one that another constant has."""
    thing = _THING.match(behind)
    if not thing or _UNIT.match(behind) or _OF_A_PART.search(behind):
        return ""
    what = thing[1].lower()
    if what in _TRIES:  # of which many things have a limit
        return ""
    others = (each.name.lower().split("_") for each in constants if each.value == said)
    return "" if any(are_kin(part, what) for parts in others for part in parts) else what


def _is_limit_of(name: str, clause: str, what: str, *, counts: bool) -> bool:
    """Return whether a clause tells the most or least of what a constant such as `MAX_RENEWALS` counts.

    Args:
        what: The word of what is counted, `""` where that may be many things.
    """
    parts = name.lower().split("_")
    most, least = _UPPER & {*parts}, _LOWER & {*parts}
    told = [part for part in parts if part not in _UPPER | _LOWER | {"per", "of", "number", "count"}]
    if not told or not ((most and _MOST.search(clause)) or (least and _LEAST.search(clause))):
        return False
    words = re.findall(r"[a-z]+", clause.lower())
    near = [any(are_kin(part, word) for word in words) for part in told]
    return all(near) and (counts or len(told) > 1 or (bool(what) and are_kin(told[0], what)))


def _of_unit(constants: Sequence[Constant], clause: str, number: re.Match[str]) -> list[Constant]:
    """Return the constants whose unit stands behind the number, and most of whose other words around it.

    A constant of hours before a class is meant by "until 12 hours before the class".
    """
    behind = _UNIT.match(clause[number.end() :])
    if not behind:
        return []
    unit = behind[1].lower().rstrip("s")
    words = re.findall(r"[a-z]{3,}", clause.lower())
    found: dict[int, list[Constant]] = {}
    for each in constants:
        parts = each.name.lower().split("_")
        others = [part for part in parts if part.rstrip("s") != unit and part not in _SMALL]
        near = sum(any(are_kin(part, word) for word in words) for part in others)
        if len(others) == 1 and others[0] not in words and not _is_about(each.path, words):
            continue  # one verb in another form: many things are kept
        if len(others) < len(parts) and unit in {part.rstrip("s") for part in parts} and near * 2 >= len(others) > 0:
            found.setdefault(near, []).append(each)
    return found[max(found)] if found else []


def _is_about(path: str, words: Sequence[str]) -> bool:
    """Return whether a line has a word of the path of a module: what is held in `orders/checkout.py` are orders."""
    return any(are_kin(part, word) for part in re.findall(r"[a-z]{4,}", path.lower()) for word in words)


def _of_tries(constants: Sequence[Constant], line: str, about: str) -> list[Constant]:
    """Return how often something is tried, where a line tells how often, and it or its document what: `MOST_TRIES`."""
    if not _TRIED.search(line):
        return []
    words = re.findall(r"[a-z]{4,}", f"{line} {about}".lower())
    found = []
    for each in constants:
        parts = each.name.lower().split("_")
        others = [part for part in parts if part not in _TRIES and part not in _SMALL and part not in _LIMITS]
        what = others or re.findall(r"[a-z]{4,}", each.path.lower())
        near = [any(are_kin(part, word) for word in words) for part in what]
        if _TRIES & {*parts} and (all(near) if others else any(near)):
            found.append(each)
    return found


def are_kin(part: str, word: str) -> bool:
    """Return whether two words have one stem: renewals, renewed."""
    if _PAST.get(word, word) == _PAST.get(part, part):
        return True
    size = 0
    while size < min(len(part), len(word)) and part[size] == word[size]:
        size += 1
    return part.rstrip("s") == word.rstrip("s") or (size >= 5 and size >= len(part) - 4 and size >= len(word) - 4)


def is_same(said: Decimal, value: Decimal) -> bool:
    """Return whether two numbers are one in different units."""
    return any(said * scale == value or value * scale == said for scale in _SCALES)
