"""Names in documents that the code does not know: addresses, functions, imports, variables of the environment."""

import re
from collections.abc import Iterator

from ..project import Project
from .claims import Claim

_ADDRESS = re.compile(r"^(?:GET|POST|PUT|PATCH|DELETE|HEAD)\s+(/[^\s?]*)")
_CALL = re.compile(r"^(?:\w+\.)*([a-z]\w*_\w+)\(\)$")
"""A function with a name of more than one word: `total()` may be anything."""
_IMPORT = re.compile(r"^\s*(?:>>> )?(?:from\s+([\w.]+)\s+import\s+([\w, ]+)|import\s+([\w.]+))\s*$")
_VARIABLE = re.compile(r"^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$")
_ABOUT_VARIABLES = re.compile(
    r"environ|\benv\b|\bvariables?\b|\bsettings?\b|\bconfig|环境变量|变量|配置", re.IGNORECASE
)
_OTHERS = re.compile(
    r"^(?:PYTHON|PIP|FLASK|DJANGO|NODE|NPM|UVICORN|GUNICORN|CELERY|POSTGRES|PG|MYSQL|REDIS|AWS|AZURE|GOOGLE|GITHUB|CI|DOCKER"
    r"|COMPOSE|LC|XDG|SSL|HTTP|HTTPS|NO|OPENAI|VIRTUAL|LD|JAVA|GO|CARGO|RUST|TOX|COVERAGE|SPHINX|SENTRY)_?"
)
"""Beginnings of variables that other programs read."""


def name_claims(project: Project, number: int, code: str, heading: str) -> Iterator[Claim]:
    """Yield what is wrong with a piece of code in running text, given the heading or head of table it stands under."""
    if address := _ADDRESS.match(code):
        if not _is_served(project, address[1]):
            yield Claim(number, code.partition("?")[0], "no such address", "stale_command", 0.75)
    elif call := _CALL.match(code):
        if call[1] not in project.names_in_code:
            yield Claim(number, code, "no such function", "stale_path", 0.7)
    elif _VARIABLE.match(code) and _is_setting(project, code, heading) and not _is_read(project, code):
        yield Claim(number, code, "nothing reads it", "stale_command", 0.7)


def import_claims(project: Project, number: int, line: str) -> Iterator[Claim]:
    """Yield an import in an example that fails: no such module of ours, or no such name in it."""
    match = _IMPORT.match(line)
    if not match:
        return
    module = match[1] or match[3]
    if module.partition(".")[0] not in project.modules.tops():
        return
    path = project.modules.path(module)
    if not path:
        yield Claim(number, line.strip().removeprefix(">>> "), "no such module", "stale_command", 0.8)
        return
    facts = project.files[path].python
    if facts is None or any(each.name == "*" for each in facts.imports):
        return
    known = {*(each.name for each in facts.defined), *facts.used, *facts.words}
    known |= {each.alias or each.name or each.module for each in facts.imports}
    for name in (match[2] or "").split(","):
        plain = name.split(" as ")[0].strip()
        assigned = re.search(rf"^\s*{re.escape(plain)}\b\s*[:=]", project.text_of(path), re.MULTILINE)
        if plain and plain not in known and not assigned and f"{module}.{plain}" not in project.modules:
            yield Claim(number, line.strip().removeprefix(">>> "), "no such name", "stale_command", 0.75)


def _is_setting(project: Project, name: str, heading: str) -> bool:
    """Return whether a name in capitals is a variable of the environment: told so, or called as others here are."""
    family = name.partition("_")[0] + "_"
    return bool(_ABOUT_VARIABLES.search(heading)) or any(
        other.startswith(family) and _VARIABLE.match(other) for other in project.names_in_code
    )


def _is_read(project: Project, name: str) -> bool:
    """Return whether code or a configuration file has a variable's name, whole, or put together from a beginning."""
    if _OTHERS.match(name) or name in project.names_in_code or name in project.words_in_data:
        return True
    beginnings = (word for word in project.names_in_code if word.endswith("_") and name.startswith(word.upper()))
    return any(True for _ in beginnings)


def _is_served(project: Project, address: str) -> bool:
    """Return whether some route ends as the address does; without any route in the code nothing can be said."""
    wanted = _parts(address)
    routes = [_parts(route) for route in project.routes]
    if not routes or not wanted or any(_ends_as(wanted, route) for route in routes):
        return True
    fixed = {part for part in wanted if part != "{}"}
    return any(facts.tree and fixed <= {*facts.tree.words} for facts in project.of_role("source"))


def _ends_as(wanted: list[str], route: list[str]) -> bool:
    """Return whether a route serves an address, or its end: it may be mounted somewhere; a variable takes any part."""
    if not any(part != "{}" for part in route) or len(route) > len(wanted):
        return False
    pairs = zip(reversed(route), reversed(wanted), strict=False)
    return all(one == other or one == "{}" for one, other in pairs)


def _parts(address: str) -> list[str]:
    plain = re.sub(r"<[^>]*>|\{[^}]*\}|\(\?P[^)]*\)|:\w+", "{}", address.strip("^$"))
    return [part for part in plain.split("/") if part]
