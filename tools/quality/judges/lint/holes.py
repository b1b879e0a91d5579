"""When the linter's rules of security matter: what guards, what runs text, what comes from elsewhere."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath
from types import MappingProxyType

from .guarded import guards, must_not_be_guessed
from .said import Check, Said
from .surroundings import comes_from_elsewhere, named_folders
from .template_folders import makes_pages

_MAY = re.compile(
    r"is_admin|is_staff|is_superuser|permission|\bcan_\w+|has_role|\.role\b|owner|authori[sz]ed|authenticated", re.I
)
_IS_A_SHELL = re.compile(r"shell|console|repl\b|interpret|interactive|debugger|sandbox|\br?[ip]?db\b", re.IGNORECASE)
"""What runs text, or stops for its user, because that is its purpose: by the name of its file."""


def _protects(said: Said) -> bool:
    """Return whether a weak hash stands where it guards something."""
    line = said.line
    named = said.facts.python.defined if said.facts.python else ()
    owners = [f"{each.owner}.{each.name}" for each in named if each.line <= line <= each.end]
    return guards(PurePosixPath(said.facts.path).stem, said.itself, said.around, owners)


def _must_not_be_guessed(said: Said) -> bool:
    return must_not_be_guessed(said.itself, said.around)


def _is_unescaped(said: Said) -> bool:
    """Return whether nothing in the function escapes or cleans what is then called safe."""
    return not re.search(r"\bescape\(|bleach|nh3|saniti[sz]e|clean_html|format_html", said.around)


def _runs_by_accident(said: Said) -> bool:
    """Return whether running a text is not the file's purpose, nor how a file of settings is read with `compile`."""
    return _is_no_tool(said) and "compile(" not in said.itself


def _is_no_tool(said: Said) -> bool:
    return not _IS_A_SHELL.search(said.facts.path.rpartition("/")[2].partition(".")[0])


def _is_no_translation(said: Said) -> bool:
    """Return whether marks of writing direction are a trick in code, not the everyday spelling of translations."""
    return "locale" not in said.facts.path


def _stops(said: Said) -> bool:
    """Return whether a debugger is started, not only imported, in code that is none itself."""
    return said.message.startswith("Trace") and _is_no_tool(said) and "(frame" not in said.itself


def _guards(said: Said) -> bool:
    """Return whether an assert says who may do something; others say what the author relies on."""
    return bool(_MAY.search(said.itself))


def _is_in_the_clear(said: Said) -> bool:
    return "FTP_TLS" not in said.itself


def _makes_pages(said: Said) -> bool:
    """Return whether templates are for pages: what fills in mails, queries or settings must not escape."""
    return makes_pages(said.project.paths, named_folders(said.around + said.itself, "\n".join(said.lines)))


def _comes_from_elsewhere(said: Said) -> bool:
    return comes_from_elsewhere(said.around)


def _is_not_read(said: Said) -> bool:
    """Return whether a name in a folder that all may write to is not what is unpickled from there, told already."""
    name = said.itself.partition("=")[0].strip()
    lines, items = said.lines, said.project.lint.get(said.facts.path, ())
    return not any(item["rule"] == "S301" and name in lines[int(item["line"]) - 1] for item in items)


HOLES: Mapping[str, Check] = MappingProxyType(
    {
        "PLE2502": _is_no_translation,
        "S101": _guards,
        "S102": _runs_by_accident,
        "S108": _is_not_read,
        "S307": _runs_by_accident,
        "S308": _is_unescaped,
        "S311": _must_not_be_guessed,
        "S314": _comes_from_elsewhere,
        "S318": _comes_from_elsewhere,
        "S321": _is_in_the_clear,
        "S324": _protects,
        "S701": _makes_pages,
        "S704": _is_unescaped,
        "T100": _stops,
    }
)
"""Rule to what decides whether it matters."""
