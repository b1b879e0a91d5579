"""Packages that are over, versions that have ended, holes that were closed: packages.tsv as tables.

The table is our own and has its date: it knows few packages, and is sure of those.
"""

from collections.abc import Mapping
from datetime import date
from functools import cache
from importlib.resources import files
from types import MappingProxyType

Version = tuple[int, ...]


@cache
def over() -> Mapping[tuple[str, str], tuple[str, str, str]]:
    """Return, by ecosystem and package, since when it is over, what became of it, and what to use."""
    rows = [row for row in _rows() if row[0] not in ("end", "hole")]
    return MappingProxyType({(row[0], row[1]): (row[2], row[3], row[4]) for row in rows})


@cache
def ends() -> Mapping[tuple[str, str], date]:
    """Return, by language and version, the last day of its security corrections."""
    return MappingProxyType({(row[1], row[2]): date.fromisoformat(row[3]) for row in _rows() if row[0] == "end"})


@cache
def closed() -> Mapping[tuple[str, str], tuple[str, str]]:
    """Return, by ecosystem and package, the first version without a published hole, and the hole's name."""
    return MappingProxyType({(row[1], row[2]): (row[3], row[4]) for row in _rows() if row[0] == "hole"})


@cache
def _rows() -> tuple[tuple[str, ...], ...]:
    text = (files("maintainer.tools.quality.judges.dependencies") / "packages.tsv").read_text("utf-8")
    return tuple(tuple(line.split("\t")) for line in text.splitlines() if line and not line.startswith("#"))


def numbers(version: str) -> Version:
    """Return the numbers of a version, `2.10.1` as (2, 10, 1)."""
    return tuple(int(part) for part in version.split(".") if part.isdigit())
