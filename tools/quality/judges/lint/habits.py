"""When rules of the linter matter that ask what the rest of the project does: times, prints, stars, open files."""

import re
from collections.abc import Mapping
from types import MappingProxyType

from ...facts.code import Imported
from ...known.paths import speaks
from .said import Check, Said

_KNOWS_ZONES = frozenset({"utc", "UTC", "ZoneInfo", "astimezone", "localtime", "make_aware"})


def _is_no_library(said: Said) -> bool:
    """Return whether a file is opened by a program; a library may hand it to its caller."""
    return said.project.kind != "library"


def _is_left_over(said: Said) -> bool:
    """Return whether a print stands in a web application that writes a log elsewhere, outside of its commands."""
    web = said.project.kind == "web application" and not speaks(said.facts.path)
    return web and sum("getLogger" in each.python.used for each in said.project.of_role("source") if each.python) > 1


def _is_no_list_of_names(said: Said) -> bool:
    """Return whether a star import stands where no module is there to hand on names, or to add to settings."""
    return not re.search(
        r"(^|/)(__init__|settings|config|local\w*|conftest|compat|_\w+)\.py$|/settings/", said.facts.path
    )


def _is_an_exception(said: Said) -> bool:
    """Return whether most files of the project that read the clock know about zones."""
    naive = sum(any(str(each["rule"]).startswith("DTZ") for each in items) for items in said.project.lint.values())
    code = [each.python for each in said.project.of_role("source") if each.python]
    aware = sum(bool(_KNOWS_ZONES & set(each.used)) or any(map(_is_django_s, each.imports)) for each in code)
    return aware > naive


def _is_django_s(each: Imported) -> bool:
    """Return whether a file asks Django for the time, which knows the zone of the settings."""
    return each.module == "django.utils.timezone" or (each.module == "django.utils" and each.name == "timezone")


HABITS: Mapping[str, Check] = MappingProxyType(
    {
        **dict.fromkeys(("DTZ001", "DTZ003", "DTZ004", "DTZ005", "DTZ006"), _is_an_exception),
        "F403": _is_no_list_of_names,
        "SIM115": _is_no_library,
        "T201": _is_left_over,
    }
)
"""Rule to what decides whether it matters."""
