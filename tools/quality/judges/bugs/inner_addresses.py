"""Addresses that others name and this program calls: told once, where they are kept or else where they are called."""

import re
from collections.abc import Iterator

from ...facts.code import Risk
from ...facts.file import FileFacts
from ...known.project import Project

_LOOKS = re.compile(r"^(?:ipaddress|is_private|is_global|is_loopback|getaddrinfo|gethostbyname|validators)$")
_LOOKED = "scheme"


def inner_addresses(project: Project) -> Iterator[tuple[FileFacts, Risk]]:
    """Yield them unless some file of the project looks at what an address leads to."""
    found: list[tuple[FileFacts, Risk]] = []
    for facts in project.of_role("source"):
        if facts.python is None:
            continue
        modules = {each.module for each in facts.python.imports}
        if "ipaddress" in modules or any(map(_LOOKS.match, facts.python.used)):
            return
        found += [(facts, each) for each in facts.python.risks if each.rule == "inner-address"]
    calls = [pair for pair in found if pair[1].what != _LOOKED]
    if calls and project.kind != "library":
        facts, _ = calls[0]
        yield next(((at, each) for at, each in found if at is facts and each.what == _LOOKED), calls[0])
