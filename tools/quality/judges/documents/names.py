"""Names in documents that the code does not know: addresses, functions, imports, variables of the environment."""

import re
from collections.abc import Iterator

from ...known.project import Project
from .claims import Claim

_CALL = re.compile(r"^(?:\w+\.)*([a-z]\w*_\w+)\(\)$")
"""A function with a name of more than one word: `total()` may be anything."""
_DOTTED = re.compile(r"^([a-z_]\w*(?:\.[a-z_]\w*)*)\.([a-z]\w*_\w+)$")
"""A function of a module, with a name of more than one word."""
_OF_TUTORIALS = frozenset({"tasks", "app", "main", "models", "views", "utils", "settings", "config", "base", "proj"})
"""Modules that every guide has its reader write."""
_IMPORT = re.compile(r"^\s*(?:>>> )?(?:from\s+([\w.]+)\s+import\s+([\w, ]+)|import\s+([\w.]+))\s*$")
_VARIABLE = re.compile(r"^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$")
_ABOUT_VARIABLES = re.compile(
    r"environ|\benv\b|\bvariables?\b|\bsettings?\b|\bconfig|环境变量|变量|配置", re.IGNORECASE
)
_FIELD = re.compile(r"^[ \t]+(\w+)\s*:\s*\S", re.MULTILINE)
_OTHERS = re.compile(
    r"^(?:PYTHON|PIP|FLASK|DJANGO|NODE|NPM|UVICORN|GUNICORN|CELERY|POSTGRES|PG|MYSQL|REDIS|AWS|AZURE|GOOGLE|GITHUB|CI|DOCKER"
    r"|COMPOSE|LC|XDG|SSL|HTTP|HTTPS|NO|OPENAI|VIRTUAL|LD|JAVA|GO|CARGO|RUST|TOX|COVERAGE|SPHINX|SENTRY)_?"
)
"""Beginnings of variables that other programs read."""


def name_claims(project: Project, number: int, code: str, heading: str) -> Iterator[Claim]:
    """Yield what is wrong with a piece of code in running text, given the heading or head of table it stands under."""
    if dotted := _DOTTED.match(code):
        if _is_of_ours(project, dotted[1]) and dotted[2] not in project.names_in_code:
            yield Claim(number, code, "no such function", "stale_path", 0.75)
    elif call := _CALL.match(code):
        if call[1] not in project.names_in_code:
            yield Claim(number, code, "no such function", "stale_path", 0.7)
    elif _VARIABLE.match(code) and _is_setting(project, code, heading) and not is_read(project, code):
        yield Claim(number, code, "nothing reads it", "stale_command", 0.7)


def _is_of_ours(project: Project, module: str) -> bool:
    """Return whether a name is that of exactly one module of the product, which no name can join at run time."""
    stem = module.replace(".", "/")
    if stem in _OF_TUTORIALS:
        return False
    paths = (facts for facts in project.of_role("source") if f"/{facts.path}".endswith(f"/{stem}.py"))
    meant = [facts.python for facts in paths if facts.python]
    return len(meant) == 1 and not any(each.name == "*" for each in meant[0].imports)


def example_claims(project: Project, text: str) -> Iterator[Claim]:
    """Yield the variables of an example of settings (`.env.example`) that nothing reads."""
    for number, line in enumerate(text.splitlines(), 1):
        named = re.match(r"^\s*(?:export\s+)?([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\s*=", line)
        if named and not is_read(project, named[1], without_examples=True):
            yield Claim(number, named[1], "nothing reads it", "stale_path", 0.7)


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


def is_read(project: Project, name: str, *, without_examples: bool = False) -> bool:
    """Return whether code or a configuration file has a variable's name, whole, or put together from a beginning."""
    told = project.words_in_data if not without_examples else project.words_in_settings
    if _OTHERS.match(name) or name in project.names_in_code or name in told:
        return True
    beginnings = [word for word in project.names_in_code if word.endswith("_") and name.startswith(word.upper())]
    fields = [each for beginning in beginnings for each in _fields_behind(project, beginning)]
    rest = {name.removeprefix(beginning.upper()) for beginning in beginnings}
    known = any(each.startswith(tuple(fields)) for each in rest) if fields else False
    return known or any({each, each.lower()} & project.names_in_code for each in rest)


def _fields_behind(project: Project, beginning: str) -> list[str]:
    """Return the fields, in capitals, of the classes whose variables begin so: `env_prefix="SHOP_"` of pydantic."""
    found: list[str] = []
    for facts in project.of_role("source"):
        if facts.python and any(each.module.startswith("pydantic") for each in facts.python.imports):
            text = project.text_of(facts.path)
            if re.search(rf"env_prefix\W+{re.escape(beginning)}\b", text):
                found += [field.upper() for field in _FIELD.findall(text)]
    return found
