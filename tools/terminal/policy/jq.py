"""jq: a table of options, and a filter that loads no other files."""

import re
from collections.abc import Callable, Sequence

from ....state.errors import CommandRefused
from .options import command_line
from .programs import PROGRAMS

LOADS = re.compile(r'(?<![.\w"$])(import|include)\b(?=\s*["#])')


def jq(words: Sequence[str], path: Callable[[str], str]) -> list[str]:
    """Return jq's arguments.

    Raises:
        CommandRefused: An option is not allowed, a path is outside, or the filter loads a file.
    """
    found = next((match for match in map(LOADS.search, words) if match), None)
    if found:
        raise CommandRefused(f"jq: '{found[1]}' reads other files; not allowed: name the files as operands")
    return command_line("jq", PROGRAMS["jq"], words, path)
