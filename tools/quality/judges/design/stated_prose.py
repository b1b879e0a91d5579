"""Imports that plain sentences of a document bar: "the shop never uses billing", "core knows neither web nor jobs"."""

import re
from collections.abc import Callable, Iterator
from itertools import takewhile

from .stated_layers import Barred

_NAME = r"[`*]*([A-Za-z_][\w./-]*)[`*]*"
_VERB = r"(?:imports?|knows?(?: of| about)?|depends? (?:up)?on|uses?|calls?|touch(?:es)?)"
_NEVER = re.compile(
    rf"(?:^|\bthe |\band |\bbut |\bas )(?:the |an? )?{_NAME}(?: layer| package| apps?| modules?| folder| code)?,? "
    r"(?:must never|must not|may not|may never|never|does not|do not|doesn't|don't|should not|should never|cannot) "
    rf"(?:\w+ly )?{_VERB} (?P<whom>.+)$",
    re.IGNORECASE,
)
_AS_WELL = re.compile(
    rf"^(?:the |all |our )?{_NAME} (?:[\w`,]+ ){{1,8}}(?:and|but|or) (?:also |must |may |should |they |it )?"
    rf"(?:never|not|neither) {_VERB} (?P<whom>.+)$",
    re.IGNORECASE,
)
"""What else a sentence says of the part it begins with: "routers hold no rules and never import tables"."""
_NOTHING_IN = re.compile(
    r"^(?:nothing|nobody|none|no (?:module|file|code|part|function|class)) (?:in|of|from|below|inside) (?:the )?"
    rf"{_NAME}(?: layer| package| app| folder)? (?:may |must |can |ever |should )*"
    r"(?:imports?|reads?|knows?(?: of| about)?|uses?|touch(?:es)?|calls?|depends? on|needs?) (?P<whom>.+)$",
    re.IGNORECASE,
)
_NONE = re.compile(
    rf"^(?:it |and |but |which |they )?(?:{_VERB} (?:neither (?P<either>.+)|nothing (?:from|of|about|in) (?P<none>.+))"
    rf"|(?:never|must not|may not|does not|do not) {_VERB} (?P<no>.+)"
    r"|(?:is |are )?independent of (?P<of>.+))$",
    re.IGNORECASE,
)
"""What is said of the part that the line begins with."""
_SUBJECT = re.compile(
    rf"^\s*(?:\||[-*+]|\d+[.)]|#+)?\s*{_NAME}/?[`*]*\s*(?:\||[:—–-]|\s(?=knows|imports|depends|never|is\b|must))"
)
_CHINESE = re.compile(
    r"`?([A-Za-z_][\w./-]*)`?\s*(?:层|包|模块|应用)?\s*(?:绝不|不得|不能|不可以?|禁止|从不|不应该?|不)\s*"
    r"(?:导入|依赖|引用|使用|调用|知道)\s*(?P<whom>`?[A-Za-z_][\w./-]*`?(?:\s*(?:[、,和或]|以及)\s*`?[A-Za-z_][\w./-]*`?)*)"
)
_WORDS = re.compile(r"[A-Za-z_][\w./-]*")
_BETWEEN = frozenset({"the", "a", "an", "and", "or", "nor", "any", "of", "from", "in", "anything", "directly", "layer"})
_CLAUSES = re.compile(r"[.;|()](?:\s+|$)|\s[—–-]\s|:\s")


def of_prose(path: str, text: str, part: Callable[[str], str]) -> Iterator[Barred]:
    """Yield what the sentences of a document bar, where all they name are parts of the product.

    Args:
        part: Returns the folder or module that a name means, `""` for none.
    """
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        around = line if line.lstrip().startswith("|") else " ".join(lines[number - 1 : number + 1])
        first = _SUBJECT.match(line)
        subject = part(first[1].strip("/").lower()) if first else ""
        for chinese in _CHINESE.finditer(around):
            if chinese.start() < len(line):
                yield from _barred(path, number, part(chinese[1]), chinese["whom"], part)
        place = 0
        for clause in _CLAUSES.split(around):
            start, place = place, place + len(clause) + 1
            if start > len(line):
                break
            said = clause[first.end() if first and not start else 0 :].strip(" *`|")
            plain = clause.strip(" *|")
            if match := _NEVER.search(plain.strip("`")) or _AS_WELL.match(plain) or _NOTHING_IN.match(plain):
                yield from _barred(path, number, part(match[1].strip("/").lower()), match["whom"], part)
            elif subject and (found := _NONE.match(said)):
                whom = next(each for each in found.groups() if each)
                yield from _barred(path, number, subject, whom, part)


def _barred(path: str, line: int, source: str, whom: str, part: Callable[[str], str]) -> Iterator[Barred]:
    targets = [part(name.strip("./")) for name in _known(whom, part)]
    for target in targets if source else ():
        if target != source and not target.startswith(f"{source}/") and not source.startswith(f"{target}/"):
            yield Barred(source, target, path, line)


def _known(whom: str, part: Callable[[str], str]) -> list[str]:
    """Return the names up to the first that is no part, and after a comma only what is parts altogether."""
    found: list[str] = []
    for place, piece in enumerate(re.split(r"[,、]", whom)):
        names = [each.strip("./").lower() for each in _WORDS.findall(piece)]
        names = [each for each in names if each not in _BETWEEN]
        known = list(takewhile(part, names))
        if place and known != names:
            break
        found += known
        if known != names:
            break
    return found
