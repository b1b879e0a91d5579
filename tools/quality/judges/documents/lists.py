"""Names that a document lists beside others, all of them here but one: modules, tasks, keys, apps, options."""

import re
from collections.abc import Iterator, Sequence

from ...known.project import Project
from .claims import Claim
from .tasks import is_registered

_CODE = r"`([A-Za-z][\w./-]*)`"
_ENUMERATION = re.compile(rf"{_CODE}(?:\s*(?:,|、|/|\bor\b|\band\b|或|和|, and|, or)\s*{_CODE})+")
_EACH = re.compile(_CODE)
_CELL = re.compile(rf"^\|\s*{_CODE}\s*\|")
_ITEM = re.compile(rf"^\s*[-*+]\s+(?:\*\*)?{_CODE}(?:\*\*)?\s*(?:[:：—–]|-\s|\()")
_NAME = re.compile(r"^(?=.*[a-z])[A-Za-z][A-Za-z0-9]*(?:[_:-][A-Za-z0-9]+)*(?:/|\.(?:py|js|ts))?$")
"""Names all in capitals are told by what looks after settings and constants; folders may end in a slash."""
_MADE = frozenset({"build", "dist", "data", "tmp", "logs", "log", "var", "venv", "instance", "media", "static"})
_NOT_HERE = re.compile(
    r"\b(?:no longer|not yet|without|(?:removed|dropped) (?:in|with|since)|(?:was|were) (?:removed|dropped|renamed)"
    r"|deprecated|former(?:ly)?|planned|in (?:the )?future|instead of|external(?:ly)?|example|yours?)\b"
    r"|不再|没有|已删|以前|计划|例如|外部",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(r"example|sample|template|\.dist$")
_FEWEST = 3
"""Names of a list from which on they say what kind of name belongs there."""


def list_claims(project: Project, text: str) -> Iterator[Claim]:
    """Yield the names of lists, tables and enumerations that are not there, where nearly all others are."""
    for names in _lists(text):
        for number, name, line in _strangers(project, names):
            if not _NOT_HERE.search(line):
                yield Claim(number, name, "no such name", "stale_path", 0.75)


def _lists(text: str) -> Iterator[Sequence[tuple[int, str, str]]]:
    """Yield the names of each list with their lines: first cells of a table, heads of items, an enumeration."""
    told: list[tuple[int, str, str]] = []
    kind, fenced = "", False
    for number, line in enumerate([*text.splitlines(), ""], 1):
        fenced = fenced != line.lstrip().startswith(("```", "~~~"))
        match = None if fenced else _CELL.match(line) or _ITEM.match(line)
        now = line.lstrip()[:1] if match else ""
        if match and (not told or now == kind):
            told.append((number, match[1], line))
        elif told and (not line.strip() or (match and now != kind)):
            yield told
            told = [(number, match[1], line)] if match else []
        kind = now or kind
        for listed in () if fenced or "`" not in line else _ENUMERATION.finditer(line):
            yield [(number, name, line) for name in _EACH.findall(listed[0])]


def _strangers(project: Project, names: Sequence[tuple[int, str, str]]) -> Iterator[tuple[int, str, str]]:
    """Yield the few names that are not what the others are."""
    plain = [each for each in names if _NAME.match(each[1])]
    if len({name for _, name, _ in plain}) < _FEWEST or len(plain) < len(names):
        return
    for is_one in (_is_part, _is_in_code, is_registered):
        unknown = [each for each in plain if not is_one(project, each[1])]
        if not unknown:
            return
        if len(unknown) * _FEWEST <= len(plain) and len(plain) - len(unknown) >= 2:
            yield from (each for each in unknown if not _is_known(project, each[1]))
            return


def _is_part(project: Project, name: str) -> bool:
    """Return whether a folder or module of the product is called so."""
    name = name.rstrip("/").partition(".")[0]
    plain = name.replace("-", "_")
    return any(
        part.partition(".")[0] in (name, plain) for facts in project.of_role("source") for part in facts.path.split("/")
    )


def _is_in_code(project: Project, name: str) -> bool:
    """Return whether code has a name: what only an example of settings has, nobody reads."""
    spelled = {name, name.replace("-", "_")}
    if spelled & project.names_in_code:
        return True
    data = (facts for facts in project.of_role("data") if not _EXAMPLE.search(facts.path))
    return any(each in facts.words for facts in data for each in spelled)


def _is_known(project: Project, name: str) -> bool:
    """Return whether a name is something else after all: a package, a folder that is made, a program."""
    if name.endswith("/"):
        made = name[:-1] in _MADE or name[:-1] in project.text_of(".gitignore")
        return made or any(f"/{name}" in f"/{path}" for path in project.paths)
    if "." in name and name in project.base_names:
        return True
    packages = {each.name.lower().replace("_", "-") for each in project.manifest.requirements}
    if name in _MADE or name.lower().replace("_", "-") in packages or name in project.manifest.scripts:
        return True
    there = any(f"/{name}/" in f"/{path}" or f"/{name}." in f"/{path}" for path in project.paths)
    return there or _is_word(project, name)


def _is_word(project: Project, name: str) -> bool:
    """Return whether any file that is no document has the name."""
    shape = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])|\b{re.escape(name.replace('-', '_'))}\b")
    files = (facts for facts in project.of_role("source", "data", "test") if not _EXAMPLE.search(facts.path))
    return any(shape.search(project.text_of(facts.path)) for facts in files)
