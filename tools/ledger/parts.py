"""Parts of a project named in words: "the unit tests", 单元测试; facts about different parts do not meet."""

import re
from functools import lru_cache

from .scope import bare

_DETERMINERS = frozenset(("the", "our", "all", "your", "my"))
_HEADS = frozenset(("for", "of", "on", "to", "about", "in", "covering"))
"""Between "the rule" and "the tests": the second is the part, the first only its head."""
_WORD = re.compile(r"[a-z][a-z-]*|[^\sa-z]+")
_NOT_NAMES = frozenset(
    """is are was were has have had got get gets must should may can will do does did need needs not no never always
    only within below above from with by at as when before after and or but that which changes change runs run uses
    use on in of to for any now again here there than under over through into out up who if it they we i you go
    went""".split()  # noqa: SIM905 - a paragraph is easier to read than a column
)
_TOPIC = re.compile(
    r"^(?:关于|涉及|对于|针对|提交|我改了|请把|请让|对|在|给|把|将|从|让)?(?P<part>[\u4e00-\u9fff]{2,8}?)"
    r"(?=的|任务|时|里|上|中|：|:|，|,|请|一律|要|必须|不|改)"
)
_LONGEST, _MOST = 2, 2
"""Words of a name, and names of a text."""


@lru_cache(maxsize=4096)
def parts(text: str) -> tuple[str, ...]:
    """Return the first two parts of the project a text names in words, in lower case.

    In English what stands behind "the", but not the head of "the rule for the tests"; in Chinese the topic.
    """
    plain = bare(text)
    topic = _TOPIC.match(plain)
    if topic:
        return (topic["part"],)
    words = _WORD.findall(plain)
    found: list[str] = []
    for place, word in enumerate(words):
        if word in _DETERMINERS:
            name, after = _name(words[place + 1 :])
            head = after[:1] and after[0] in _HEADS and after[1:2] and after[1] in _DETERMINERS
            if name and not head and name not in found:
                found.append(name)
    return tuple(found[:_MOST])


def pairs(one: tuple[str, ...], two: tuple[str, ...]) -> list[tuple[str, str]]:
    """Return which parts to compare: in each pair one is the first its text names, and so is its subject."""
    return [(mine, theirs) for i, mine in enumerate(one) for j, theirs in enumerate(two) if not (i and j)]


def _name(words: list[str]) -> tuple[str, list[str]]:
    """Return the name that words begin with, and what follows it."""
    size = 0
    while size < min(_LONGEST, len(words)) and words[size][0].isalpha() and words[size] not in _NOT_NAMES:
        size += 1
    return " ".join(words[:size]), words[size:]
