"""sed: no script file, nothing in place; GNU sed checks the script itself."""

from collections.abc import Callable, Sequence

from ....state.errors import CommandRefused
from .options import Program, readable, take_apart
from .programs import LISTS, WRITES

_SED = Program(
    options="""
        -E -b -e=text -l=width -n -r -s -u -z --binary --expression=text --line-length=width --null-data --posix
        --quiet --regexp-extended --separate --silent --unbuffered
    """,
    refused={"-i": WRITES, "--in-place": WRITES, "-f": LISTS, "--file": LISTS, "--follow-symlinks": WRITES},
)


def sed(words: Sequence[str], path: Callable[[str], str]) -> list[str]:
    """Return sed's arguments; sed itself refuses the commands e, r and w because of `--sandbox`."""
    parsed = take_apart("sed", _SED, words, path)
    operands = parsed.operands
    script = [] if parsed.names & {"-e", "--expression"} else operands[:1]
    if not script and not parsed.names & {"-e", "--expression"}:
        raise CommandRefused("sed: the script is missing; add it, for example '1,20p'")
    files = readable(operands[len(script) :], path)
    return ["--sandbox", *parsed.options, "--", *script, *files]
