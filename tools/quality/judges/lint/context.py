"""Whether what a rule of the linter found matters where it stands: the code and the project around it decide."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any

from ...facts.code import Imported
from ...facts.file import FileFacts
from ...known.project import Project
from ..surroundings import comes_from_elsewhere, named_folders, speaks
from .guarded import guards, must_not_be_guessed
from .kept_functions import outlives_its_round
from .template_folders import makes_pages

SWALLOWED = ("E722", "S110", "S112")
"""Three views of one thing: a handler that lets errors disappear; the first that speaks is told."""
PASSED_OVER = ("S110", "S112")
_IS_A_SHELL = re.compile(r"shell|console|repl\b|interpret|interactive|debugger|sandbox|\br?[ip]?db\b", re.IGNORECASE)
"""What runs text, or stops for its user, because that is its purpose: by the name of its file."""
_UNDONE = re.compile(r"TODO|FIXME|XXX|HACK|noqa")
_SAFE = "seems safe"
"""What ruff says of a shell that gets a constant command."""
_CHANGES_WITH_TIME = re.compile(r"\b(?:now|today|utcnow|time|monotonic|uuid\d|random|randint|token_\w+|getenv)\b")
"""Functions whose answer is another one at each call; a default that calls them keeps the first."""
_EVERYBODY_CALLS = frozenset(
    {
        *("all", "any", "bool", "bytes", "dict", "enumerate", "float", "int", "isinstance", "len", "list", "open"),
        *("print", "sorted", "str", "sum", "min", "max", "set", "tuple", "zip"),
    }
)
"""Names of Python that nobody uses for anything else; `id`, `type`, `format` are everyday words."""
_MAY = re.compile(
    r"is_admin|is_staff|is_superuser|permission|\bcan_\w+|has_role|\.role\b|owner|authori[sz]ed|authenticated", re.I
)
_OF_COLUMNS = re.compile(r"\b[A-Z]\w*\.\w+\s*(?:==|!=)\s*None|\.c\.\w+\s*(?:==|!=)\s*None|\b(?:filter|where|having)\(")
"""A comparison with None that a mapper turns into IS NULL."""
_SHRINKS = re.compile(r"\.(?:remove|pop|popitem|discard|clear)\(|\bdel\b")
_RAW = re.compile(r"\b[rR][bB]?[\"']")
_ONE_WORD = re.compile(r"([\"'])[^\s\"'{}]{1,40}\1\s*$")
_KNOWS_ZONES = frozenset({"utc", "UTC", "ZoneInfo", "astimezone", "localtime", "make_aware"})


@dataclass(frozen=True, slots=True)
class _Said:
    """What a rule said of a file."""

    project: Project
    facts: FileFacts
    line: int
    end: int
    message: str

    @property
    def lines(self) -> list[str]:
        """Return the lines of the file."""
        return self.project.text_of(self.facts.path).split("\n")

    @property
    def itself(self) -> str:
        """Return the lines the rule speaks of."""
        return "\n".join(self.lines[self.line - 1 : self.end])

    @property
    def around(self) -> str:
        """Return the function a line is in, or the line itself outside of functions."""
        inside = [each for each in self.facts.functions if each.line <= self.line <= each.end]
        innermost = max(inside, key=lambda each: each.line, default=None)
        return "\n".join(self.lines[innermost.line - 1 : innermost.end]) if innermost else self.lines[self.line - 1]

    @property
    def quoted(self) -> str:
        """Return the name the message speaks of, which it puts between back quotes."""
        return self.message.partition("`")[2].partition("`")[0]


def matters(project: Project, facts: FileFacts, item: Mapping[str, Any]) -> bool:
    """Return whether what a rule found in a source file is worth telling here."""
    said = _Said(project, facts, int(item["line"]), int(item["end"]), str(item["message"]))
    judged = _CONTEXT.get(str(item["rule"]))
    return _SAFE not in said.message and (judged is None or judged(said))


def _is_unexplained(said: _Said) -> bool:
    """Return whether no comment in the handler says why the error is passed over, other than that it should not be.

    When an object is thrown away there is nobody left to tell.
    """
    if "def __del__" in said.around:
        return False
    return not any("#" in line and not _UNDONE.search(line) for line in said.itself.split("\n"))


def _protects(said: _Said) -> bool:
    """Return whether a weak hash stands where it guards something."""
    line = said.line
    named = said.facts.python.defined if said.facts.python else ()
    owners = [f"{each.owner}.{each.name}" for each in named if each.line <= line <= each.end]
    return guards(PurePosixPath(said.facts.path).stem, said.around, owners)


def _must_not_be_guessed(said: _Said) -> bool:
    return must_not_be_guessed(said.itself, said.around)


def _is_unescaped(said: _Said) -> bool:
    """Return whether nothing in the function escapes or cleans what is then called safe."""
    return not re.search(r"\bescape\(|bleach|nh3|saniti[sz]e|clean_html|format_html", said.around)


def _runs_by_accident(said: _Said) -> bool:
    """Return whether running a text is not the file's purpose, nor how a file of settings is read with `compile`."""
    return _is_no_tool(said) and "compile(" not in said.itself


def _is_no_tool(said: _Said) -> bool:
    return not _IS_A_SHELL.search(said.facts.path.rpartition("/")[2].partition(".")[0])


def _is_no_translation(said: _Said) -> bool:
    """Return whether marks of writing direction are a trick in code, not the everyday spelling of translations."""
    return "locale" not in said.facts.path


def _changes_with_time(said: _Said) -> bool:
    return bool(_CHANGES_WITH_TIME.search(said.message))


def _hides_what_everybody_calls(said: _Said) -> bool:
    """Return whether a hidden name is one that all call, or that the same function calls."""
    line = said.lines[said.line - 1]
    if re.search(rf"=.*\.{re.escape(said.quoted)}\b", line):
        return False  # `max = self.max`: what somebody else called so
    called = re.search(rf"(?<![\w.]){re.escape(said.quoted)}\(", said.around.replace(said.itself, ""))
    return said.quoted in _EVERYBODY_CALLS or bool(called)


def _is_written_down(said: _Said) -> bool:
    """Return whether two members of an enumeration are the same value, not two objects made alike."""
    return "(" not in said.quoted


def _compares_no_columns(said: _Said) -> bool:
    """Return whether `== None` compares a value; a mapper makes IS NULL of a column's."""
    near = "\n".join(said.lines[max(0, said.line - 4) : said.end])
    return not _OF_COLUMNS.search(near)


def _loses_elements(said: _Said) -> bool:
    """Return whether a loop shortens what it goes through; adding to it is how a list of open work is done."""
    return bool(_SHRINKS.search(said.itself))


def _outlives_its_round(said: _Said) -> bool:
    return outlives_its_round(said.project.text_of(said.facts.path), said.line)


def _is_no_test_for_nan(said: _Said) -> bool:
    """Return whether a comparison with itself is no `x != x`, which asks whether a number is none."""
    return "!=" not in said.message


def _is_no_formula(said: _Said) -> bool:
    """Return whether braces stand in a plain text: in a raw one they are TeX's or a pattern's."""
    return not _RAW.search(said.itself)


def _lacks_a_comma(said: _Said) -> bool:
    """Return whether the texts that run together are single words: sentences are broken over lines on purpose."""
    lines = said.itself.split("\n")
    return len(lines) > 1 and all(_ONE_WORD.search(line.strip()) for line in lines[:-1])


def _assigns_one(said: _Said) -> bool:
    """Return whether a single variable is assigned, within something: in `a, b = a, f(b)` one of two just stays, and a
    module that says `str = str` hands a name on.
    """
    return "," not in said.itself.partition("=")[0] and said.itself[:1].isspace()


def _is_worked_out(said: _Said) -> bool:
    """Return whether a value is worked out and thrown away; a name or an attribute alone asks whether it is there."""
    return not re.fullmatch(r"\s*[\w.]+\s*(?:#.*)?", said.itself) and "bench" not in said.facts.path


def _asks_for_type(said: _Said) -> bool:
    return "type(" in said.itself


def _stops(said: _Said) -> bool:
    """Return whether a debugger is started, not only imported, in code that is none itself."""
    return said.message.startswith("Trace") and _is_no_tool(said) and "(frame" not in said.itself


def _is_no_library(said: _Said) -> bool:
    """Return whether a file is opened by a program; a library may hand it to its caller."""
    return said.project.kind != "library"


def _guards(said: _Said) -> bool:
    """Return whether an assert says who may do something; others say what the author relies on."""
    return bool(_MAY.search(said.itself))


def _is_left_over(said: _Said) -> bool:
    """Return whether a print stands in a web application that writes a log elsewhere, outside of its commands."""
    web = said.project.kind == "web application" and not speaks(said.facts.path)
    return web and sum("getLogger" in each.python.used for each in said.project.of_role("source") if each.python) > 1


def _is_no_list_of_names(said: _Said) -> bool:
    """Return whether a star import stands where no module is there to hand on names, or to add to settings."""
    return not re.search(
        r"(^|/)(__init__|settings|config|local\w*|conftest|compat|_\w+)\.py$|/settings/", said.facts.path
    )


def _is_in_the_clear(said: _Said) -> bool:
    return "FTP_TLS" not in said.itself


def _is_an_exception(said: _Said) -> bool:
    """Return whether most files of the project that read the clock know about zones."""
    naive = sum(any(str(each["rule"]).startswith("DTZ") for each in items) for items in said.project.lint.values())
    code = [each.python for each in said.project.of_role("source") if each.python]
    aware = sum(bool(_KNOWS_ZONES & set(each.used)) or any(map(_is_django_s, each.imports)) for each in code)
    return aware > naive


def _is_django_s(each: Imported) -> bool:
    """Return whether a file asks Django for the time, which knows the zone of the settings."""
    return each.module == "django.utils.timezone" or (each.module == "django.utils" and each.name == "timezone")


def _makes_pages(said: _Said) -> bool:
    """Return whether templates are for pages: what fills in mails, queries or settings must not escape."""
    return makes_pages(said.project.paths, named_folders(said.around + said.itself, "\n".join(said.lines)))


def _comes_from_elsewhere(said: _Said) -> bool:
    return comes_from_elsewhere(said.around)


def _is_not_read(said: _Said) -> bool:
    """Return whether a name in a folder that all may write to is not what is unpickled from there, told already."""
    name = said.itself.partition("=")[0].strip()
    lines, items = said.lines, said.project.lint.get(said.facts.path, ())
    return not any(item["rule"] == "S301" and name in lines[int(item["line"]) - 1] for item in items)


def _contexts() -> Iterator[tuple[str, Callable[[_Said], bool]]]:
    yield from ((rule, _is_unexplained) for rule in PASSED_OVER)
    yield from ((rule, _runs_by_accident) for rule in ("S102", "S307"))
    yield from ((rule, _is_an_exception) for rule in ("DTZ001", "DTZ003", "DTZ004", "DTZ005", "DTZ006"))
    yield from {
        "A001": _hides_what_everybody_calls,
        "B008": _changes_with_time,
        "B018": _is_worked_out,
        "B023": _outlives_its_round,
        "B909": _loses_elements,
        "E711": _compares_no_columns,
        "E721": _asks_for_type,
        "F403": _is_no_list_of_names,
        "ISC004": _lacks_a_comma,
        "PIE796": _is_written_down,
        "PLE2502": _is_no_translation,
        "PLR0124": _is_no_test_for_nan,
        "PLW0127": _assigns_one,
        "RUF009": _changes_with_time,
        "RUF027": _is_no_formula,
        "S101": _guards,
        "S108": _is_not_read,
        "S308": _is_unescaped,
        "S311": _must_not_be_guessed,
        "S314": _comes_from_elsewhere,
        "S318": _comes_from_elsewhere,
        "S321": _is_in_the_clear,
        "S324": _protects,
        "S704": _is_unescaped,
        "S701": _makes_pages,
        "SIM115": _is_no_library,
        "T100": _stops,
        "T201": _is_left_over,
    }.items()


_CONTEXT: Mapping[str, Callable[[_Said], bool]] = MappingProxyType(dict(_contexts()))
