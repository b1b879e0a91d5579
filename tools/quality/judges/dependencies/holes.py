"""Requirements that hold a package below the version in which a published hole was closed; nothing is looked up.

The holes stand in packages.tsv, one for each package: the one that is known best, not the newest. A manifest that lets
newer versions in (`>=2`, `^4.17.0`) is silent: what is installed then, its lock file decides.
"""

import re
from collections.abc import Iterator

from .....state.report import Finding
from ....manifest import Requirement
from ...known.project import Project
from .findings import asked_for
from .packages import Version, closed, numbers

_CLAUSE = re.compile(r"(===?|~=|<=|<|\^|~)?\s*v?(\d+(?:\.\d+)*)(\.[*x])?")


def holes(project: Project) -> Iterator[Finding]:
    """Yield what the product asks for in versions with a known hole, and in no other."""
    for each in project.manifest.requirements:
        name = each.key if each.ecosystem == "python" else each.name
        hole = closed().get((each.ecosystem, name))
        if hole is None or each.development:
            continue
        fixed, label = hole
        newest = newest_allowed(each)
        if newest is not None and newest < numbers(fixed):
            yield asked_for(
                project,
                each,
                severity="medium",
                why="known_hole",
                confidence=0.9,
                package=f"{each.name} {each.spec}".strip(),
                reason="only versions with a known hole",
                detail=f" ({label})",
                remedy="Move to at least",
                instead=f" {fixed}",
            )


def newest_allowed(each: Requirement) -> Version | None:
    """Return a version that none a requirement lets in is above, as numbers; None where nothing bounds it.

    Of `<2.0` that is (1, inf): as good as any below 2.
    """
    return min((bound for match in _CLAUSE.finditer(_spec(each)) for bound in _bound(each, match)), default=None)


def _spec(each: Requirement) -> str:
    """Return the versions asked for, without lower bounds and exclusions; `""` where there is a choice of ranges."""
    return "" if "||" in each.spec or " - " in each.spec else re.sub(r"(?:>=?|!=)\s*v?[\w.*+-]+", "", each.spec)


def _bound(each: Requirement, match: re.Match[str]) -> Iterator[Version]:
    sign, version, star = match[1] or "", numbers(match[2]), bool(match[3])
    if sign in ("==", "===", "<=") or (not sign and each.ecosystem == "node"):
        yield (*version, _ANY) if star or (not sign and len(version) < 3) else version
    elif sign == "<":
        yield _before(version)
    elif sign == "~=" or (sign == "^" and each.ecosystem == "python"):
        yield (*version[:-1], _ANY) if sign == "~=" else (version[0], _ANY)
    elif sign == "~":
        yield (*version[:2], _ANY)
    elif sign == "^":
        leading = next((place for place, number in enumerate(version) if number), 0)
        yield (*version[: leading + 1], _ANY)


_ANY = 1 << 30


def _before(version: Version) -> Version:
    """Return a version above all that are below the given one: of 2.0.0 it is 1.any, of 2.3 it is 2.2.any."""
    last = max((place for place, number in enumerate(version) if number), default=0)
    return (*version[:last], version[last] - 1, _ANY)
