"""Copies of code across functions, whatever their variables are called."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from .....state.report import Finding, Place
from ...facts.file import FileFacts
from ...facts.measures import Block, BlockRow
from ...known.project import Project
from ...reading.tokens import WINDOW
from .rules_again import rules_again

LEAST_TOKENS, LEAST_RUN = 60, 40
"""Shared tokens from which on two functions hold a copy, and how many of them stand in one run."""
LEAST_WHOLE, WHOLE = 36, 0.75
"""Less is a copy where it is nearly all of both functions."""
LEAST_EDITED, EDITED = 60, 0.6
"""Without a long run it is a copy with edits where it is most of both functions."""
LEAST_WINDOWS = 2
"""Windows two functions share at least where they share `LEAST_WHOLE` tokens."""
LEAST_LINES = 4
LARGE_TOKENS = 150
COMMON = 12
"""A window that stands in more functions than this is an idiom, not a copy."""

_REGISTERS = re.compile(
    r"\.(?:add_argument|add_parser|add_subparsers|set_defaults|add_option|add_command|add_url_rule|add_route|add_api_route"
    r"|register_blueprint|include_router|add_handler|connect|Flags\(\)|Var)\("
    r"|\b(?:app|\w*[rR]outer|routes|server|fastify)\.(?:get|post|put|patch|delete|use|all)\("
)
"""What a program is made known by to a framework, one call after the other: such lists look alike."""
_FORM_OF_A_PAGE = re.compile(r"\.is_valid\(\)|\.validate_on_submit\(\)")
SHORT = 50
"""Tokens of a view that takes a form: shorter ones all look alike."""

_Part = tuple[str, int]
"""A function: path and index."""


@dataclass(slots=True)
class _Match:
    """What two functions share."""

    one: list[Block] = field(default_factory=list)
    other: list[Block] = field(default_factory=list)


def duplicates(project: Project) -> Iterator[Finding]:
    """Yield groups of functions that share a run of tokens or most of them, and rules that were written again."""
    shared = {pair: match for pair, match in _matches(project).items() if _is_copy(match)}
    known: list[Finding] = []
    for group in _groups(shared):
        found = list(_finding(project, group, shared))
        known += found
        if all(_is_manner(project, each, finding) for finding in found for each in (finding.place, *finding.others)):
            continue
        if not _are_twins([_whole_name(project.files[path], number) for path, number in group]):
            yield from found
    yield from rules_again(project, known)


def _matches(project: Project) -> dict[tuple[_Part, _Part], _Match]:
    files = list(project.of_role("source"))
    counts = Counter(row[0] for facts in files for row in facts.blocks)
    shared = {value for value, count in counts.items() if 2 <= count <= COMMON}
    windows: dict[int, list[tuple[_Part, BlockRow]]] = defaultdict(list)
    for facts in files:
        for row in facts.blocks:
            if row[0] in shared:
                windows[row[0]].append(((facts.path, row[4]), row))
    pairs = Counter((one[0], other[0]) for places in windows.values() for one, other in combinations(places, 2))
    matches: dict[tuple[_Part, _Part], _Match] = defaultdict(_Match)
    for places in windows.values():
        for (part, row), (other_part, other) in combinations(places, 2):
            # A pattern inside one function is its own business; one window alone is no copy.
            if part != other_part and pairs[part, other_part] >= LEAST_WINDOWS:
                match = matches[part, other_part]
                match.one.append(Block(*row))
                match.other.append(Block(*other))
    return matches


def _is_copy(match: _Match) -> bool:
    """Return whether two functions hold a copy: a long run, or nearly all of them, or most of two long ones."""
    if min(_lines(match.one), _lines(match.other)) < LEAST_LINES:
        return False
    size, run = _size(match), min(_longest(match.one), _longest(match.other))
    share = size / max(match.one[0].of, match.other[0].of)
    return (
        (size >= LEAST_TOKENS and run >= LEAST_RUN)
        or (size >= LEAST_WHOLE and share >= WHOLE)
        or (size >= LEAST_EDITED and share >= EDITED)
    )


def _size(match: _Match) -> int:
    """Return how many tokens are shared, counted on the side that has fewer."""
    return min(sum(_runs(match.one)), sum(_runs(match.other)))


def _longest(blocks: Sequence[Block]) -> int:
    return max(_runs(blocks))


def _runs(blocks: Iterable[Block]) -> list[int]:
    """Return the lengths of the runs of tokens that windows cover together."""
    runs: list[list[int]] = []
    for place in sorted({block.place for block in blocks}):
        if runs and place <= runs[-1][1]:
            runs[-1][1] = place + WINDOW
        else:
            runs.append([place, place + WINDOW])
    return [end - start for start, end in runs]


def _lines(blocks: Iterable[Block]) -> int:
    first, last = _span(blocks)
    return last - first + 1


def _span(blocks: Iterable[Block]) -> tuple[int, int]:
    blocks = list(blocks)
    return min(block.line for block in blocks), max(block.end for block in blocks)


def _groups(shared: Mapping[tuple[_Part, _Part], _Match]) -> list[list[_Part]]:
    """Return functions that are linked by copies."""
    leader: dict[_Part, _Part] = {}

    def find(part: _Part) -> _Part:
        while leader.setdefault(part, part) != part:
            part = leader[part]
        return part

    for one, other in sorted(shared):
        leader[find(other)] = find(one)
    groups: dict[_Part, list[_Part]] = defaultdict(list)
    for part in sorted(leader):
        groups[find(part)].append(part)
    return [members for _, members in sorted(groups.items())]


def _finding(project: Project, group: list[_Part], shared: Mapping[tuple[_Part, _Part], _Match]) -> Iterator[Finding]:
    blocks: dict[_Part, list[Block]] = defaultdict(list)
    for (one, other), match in shared.items():
        if one in group:
            blocks[one] += match.one
            blocks[other] += match.other
    places = [Place(path=part[0], line=_span(blocks[part])[0], end=_span(blocks[part])[1]) for part in group]
    tokens = max(_size(shared[pair]) for pair in shared if pair[0] in group)
    names = [_name(project.files[part[0]], part[1]) for part in group]
    first, *others = places
    large = tokens >= LARGE_TOKENS
    yield Finding(
        kind="duplicate_code",
        place=first,
        others=tuple(others),
        symbol=names[0],
        severity="medium" if large else "low",
        why="large_copy" if large else "copy",
        confidence=min(0.95, 0.6 + tokens / 500),
        facts={
            "lines": first.end - first.line + 1,
            "tokens": tokens,
            "other": ", ".join(f"{place} ({name})" for place, name in zip(others[:4], names[1:], strict=False)),
            "copies": len(group),
        },
        evidence=project.evidence(first.path, first.line, first.end),
    )


def _is_manner(project: Project, place: Place, finding: Finding) -> bool:
    """Return whether what was copied only makes things known to a framework, or takes a form as all views do."""
    text = "\n".join(project.text_of(place.path).split("\n")[place.line - 1 : place.end])
    if int(str(finding.facts["tokens"])) < SHORT and _FORM_OF_A_PAGE.search(text):
        return True
    return len(_REGISTERS.findall(text)) >= max(2, text.count("\n") // 10)


def _whole_name(facts: FileFacts, function: int) -> str:
    """Return the name of a function with that of its class."""
    found = facts.functions[function]
    defined = facts.python.defined if facts.python else ()
    owners = [each.name for each in defined if each.what == "class" and each.line <= found.line <= each.end]
    return ".".join([*owners[-1:], found.name])


def _are_twins(names: Sequence[str]) -> bool:
    """Return whether functions are one for callers that wait and one for those that do not.

    `Client.get` and `AsyncClient.get`, `iter_bytes` and `aiter_bytes`: whoever offers both writes both; a copy of a
    third kind among them is a copy.
    """
    plain = {re.sub(r"async_?|(?<=\.)a(?=[a-z])", "", name, flags=re.IGNORECASE).lower() for name in names}
    return len(plain) == 1 < len(set(names))


def _name(facts: FileFacts, function: int) -> str:
    return facts.functions[function].name
