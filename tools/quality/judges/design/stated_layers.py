"""Who may import whom, where the repository says so itself: in its documents, or in the contracts of import-linter."""

import configparser
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from .stated_order import cells, of_order

_ARROW = re.compile(r"\s*(?:--?>|→|⟶|=>)\s*")
_ABOUT_IMPORTS = re.compile(r"import|depend|layer|know|依赖|导入|引用|分层|层次", re.IGNORECASE)
_ALLOWED = re.compile(
    r"may import|can import|imports?\b|may use|depends? on|may know|allowed|可以?导入|可导入|允许导入|依赖",
    re.IGNORECASE,
)
_NAME = re.compile(r"`([\w./-]+)`")
_GROUP = re.compile(r"^[`\w./, 、-]{2,80}$")
_NOTHING = re.compile(r"\bnothing\b|\bnone\b|^[-–—]?$|无|没有|不依赖", re.IGNORECASE)
_EVERYTHING = re.compile(r"every|\ball\b|anything|全部|所有|任意", re.IGNORECASE)
_MUST_NOT = re.compile(
    r"`([\w./-]+)`[^`.]{0,40}?\b(?:must not|may not|never|does not|do not|should not|cannot)\b[^`.]{0,30}?"
    r"\b(?:imports?|knows?|depends? on|uses?|calls?)\b[^`.]{0,30}?`([\w./-]+)`"
    r"|`([\w./-]+)`\s*(?:不得|不能|不可以?|禁止|绝不|不应)\s*(?:导入|依赖|引用|使用|知道)\s*`([\w./-]+)`",
    re.IGNORECASE,
)
_APART = re.compile(
    r"`([\w./-]+)` and `([\w./-]+)`[^`.]{0,20}?\b(?:do not|must not|never)\s+(?:know|import|use|depend)"
    r"|`([\w./-]+)`\s*[和与]\s*`([\w./-]+)`\s*(?:互不|不得互相|不能互相)",
    re.IGNORECASE,
)
_NOTHING_FROM = re.compile(
    r"`([\w./-]+)`[^`]{0,20}?(?:imports? nothing (?:else )?(?:from|of)|不导入|不依赖)\s*`([\w./-]+)`", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Barred:
    """An import that is not allowed: from one part of the product to another, and where that is written."""

    source: str
    target: str
    path: str
    line: int


def of_document(path: str, text: str, part: Callable[[str], str]) -> Iterator[Barred]:
    """Yield what a document bars.

    Understood are a chain of arrows ("`api -> services -> models`", after a word about imports), a table with a column
    of what may be imported, and sentences: "`store` must not import `web`", "`a` and `b` do not know each other".

    Args:
        part: Returns the folder or module that a name in the document means, `""` for none.
    """
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if _ARROW.search(line) and any(_ABOUT_IMPORTS.search(each) for each in lines[max(0, number - 4) : number + 2]):
            for source, target in _against(_chain(line, part)):
                yield Barred(source, target, path, number)
        around = " ".join(lines[number - 1 : number + 1])  # a sentence may go on in the next line
        for match in (m for each in (_MUST_NOT, _APART, _NOTHING_FROM) for m in each.finditer(around)):
            first, second = (part(name) for name in match.groups() if name)
            if first and second and match.start() < len(line):
                yield Barred(first, second, path, number)
                if match.re is _APART:
                    yield Barred(second, first, path, number)
    yield from _of_tables(path, lines, part)
    yield from (Barred(source, target, path, number) for source, target, number in of_order(lines, part))


def _chain(line: str, part: Callable[[str], str]) -> list[list[str]]:
    """Return the groups of a chain of arrows, from those that import to those that are imported."""
    groups = [each.strip(" `*-•").strip() for each in _ARROW.split(line.strip())]
    if len(groups) < 3 or not all(map(_GROUP.match, groups)):
        return []
    found = [[part(name.strip(" `")) for name in re.split(r"[,、]", group)] for group in groups]
    return found if all(all(names) for names in found) else []


def _against(chain: Sequence[Sequence[str]]) -> Iterator[tuple[str, str]]:
    for place, group in enumerate(chain):
        for above in chain[:place]:
            yield from ((source, target) for source in group for target in above)


def _of_tables(path: str, lines: Sequence[str], part: Callable[[str], str]) -> Iterator[Barred]:
    """Yield what a table bars: whatever of its own rows a row does not allow."""
    for start, line in enumerate(lines):
        head = cells(line)
        column = next((at for at, cell in enumerate(head) if at and _ALLOWED.search(cell)), 0)
        if not column or start + 1 >= len(lines) or not re.match(r"^\s*\|[\s:|-]+\|\s*$", lines[start + 1]):
            continue
        rows: dict[str, tuple[str, int]] = {}
        for number, row in enumerate(lines[start + 2 :], start + 3):
            entries = cells(row)
            if len(entries) <= column:
                break
            name = _NAME.search(entries[0])
            if found := part(name[1] if name else entries[0]):
                rows[found] = entries[column], number
        for source, (allowed, number) in rows.items():
            named = {part(name) for name in (_NAME.findall(allowed) or re.split(r"[,、]\s*", allowed))}
            open_to_all = _EVERYTHING.search(allowed) or not (named - {""} or _NOTHING.search(allowed.strip()))
            for target in rows:
                if not open_to_all and target != source and target not in named:
                    yield Barred(source, target, path, number)


def of_contracts(path: str, text: str, part: Callable[[str], str]) -> Iterator[Barred]:
    """Yield what contracts of import-linter bar: layers, forbidden modules, independent modules."""
    for number, contract in _contracts(path, text):
        kind = contract.get("type", "")
        if kind == "layers":
            layers = [re.split(r"\s*[|:]\s*", each.strip(" ()")) for each in contract.get("layers", [])]
            container = next(iter(contract.get("containers", [])), "")
            named = [[part(f"{container}.{name}" if container else name) for name in layer] for layer in layers]
            pairs = list(_against([[name for name in layer if name] for layer in named]))
        elif kind == "forbidden":
            wanted = contract.get("source_modules", []), contract.get("forbidden_modules", [])
            pairs = [(part(source), part(target)) for source in wanted[0] for target in wanted[1]]
        elif kind == "independence":
            modules = [part(each) for each in contract.get("modules", [])]
            pairs = [(one, other) for one in modules for other in modules if one != other]
        else:
            continue
        yield from (Barred(source, target, path, number) for source, target in pairs if source and target)


def _contracts(path: str, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the contracts of a file with the lines they begin at."""
    if path.endswith(".toml"):
        try:
            found = tomllib.loads(text).get("tool", {}).get("importlinter", {}).get("contracts", [])
        except (ValueError, AttributeError):
            return
        starts = [text.count("\n", 0, match.start()) + 1 for match in re.finditer(r"\[\[tool\.importlinter", text)]
        yield from zip(starts, found, strict=False)
        return
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    for section in parser.sections():
        if section.startswith("importlinter:contract"):
            values = {key: value.split() if "\n" in value else value for key, value in parser[section].items()}
            lists = {
                key: [value] if isinstance(value, str) and key != "type" else value for key, value in values.items()
            }
            yield text.count("\n", 0, text.find(f"[{section}]")) + 1, lists
