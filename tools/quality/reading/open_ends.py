"""What was left open in statements: tests that are switched off, and what is offered and refuses to work yet."""

import re
from collections.abc import Iterator

_SPOKEN_YET = re.compile(
    r"\byet\b|comes? (?:with|in) v?\d|coming (?:soon|with)|to be (?:done|written|implemented)|planned for|\bTODO\b"
    r"|in a later version|work in progress|(?:尚未|还没有?|暂未)(?:实现|完成|支持|做)|敬请期待|待实现",
    re.IGNORECASE,
)
_REFUSES = re.compile(
    r"\b(?:raise (?:NotImplementedError|SystemExit|click\.\w+|typer\.\w+)|raise \w*(?:NotImplemented|Unavailable)\w*"
    r"|throw new (?:\w*Error|\w*Exception)|panic|todo!|unimplemented!|sys\.exit)"
    r"\s*\(\s*f?([\"'`])(.*?)\1"
)
"""A statement that ends with a message instead of doing its work."""
_SWITCHED_OFF = re.compile(
    r"@(?:unittest\.|pytest\.mark\.)?(?:skip|xfail|expectedFailure)\((?:reason\s*=\s*)?f?([\"'])(.*?)\1"
    r"|@(?:Ignore|Disabled)\((\")(.*?)\"|\bt\.Skip\((\")(.*?)\"|^\s*(?:pytest\.)?skip\((?:reason\s*=\s*)?([\"'])(.*?)\7\s*\)"
)
"""A test that never runs, with its reason."""
_OF_SCRIPTS = re.compile(r"^\s*(?:x(?:it|test|describe)|(?:it|test|describe)\.(?:skip|todo|fixme))\(\s*([\"'`])(.*?)\1")
_TO_BE_MENDED = re.compile(
    r"\b(?:fails?|failing|flaky|broken|breaks|bug|wrong|until|later|look(?:s|ed)? (?:into|at)|investigat\w+"
    r"|fix(?:ed|me)?|todo|somebody|someone|temporar\w+|for now|re-?enable|unstable|sometimes|yet"
    r"|rewrite|adapt|update|unclear|why)\b|#\d+"
    r"|以后|之后|待|暂时|先跳过|失败|不稳定|有问题|修复|修好|再看|排查",
    re.IGNORECASE,
)
"""A reason that asks for somebody; without a network or a database a test may be skipped for good."""
_WITHOUT = re.compile(
    r"^(?:needs?|requires?|only (?:on|with|for)|no |not (?:on|supported|available)|slow\b|manual)", re.I
)


def open_ends(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield line and text of each test that waits for somebody, and of each refusal to do what is not there yet."""
    for number, line in enumerate(lines, 1):
        if len(line) > 400 or line.lstrip().startswith(("#", "//", "*")):
            continue
        refused, off = _REFUSES.search(line), _SWITCHED_OFF.search(line)
        if refused:
            if _SPOKEN_YET.search(refused[2]) and not _in_text(line, refused.start()):
                yield number, refused[2]
        elif off and not _in_text(line, off.start()):
            reason = next(each for each in (off[2], off[4], off[6], off[8]) if each is not None)
            if _TO_BE_MENDED.search(reason) and not _WITHOUT.search(reason):
                yield number, reason
        elif script := _OF_SCRIPTS.search(line):
            yield number, script[2]


def _in_text(line: str, place: int) -> bool:
    """Return whether a text was opened before a place of a line: code that somebody writes into a file."""
    return any(quote in line[:place] for quote in "\"'`")
