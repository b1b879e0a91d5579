"""What the words around a place say of it: where a document is from, which folders it reads."""

import re

_FROM_ELSEWHERE = re.compile(
    r"request|upload|response|answer|reply|\.content\b|\.text\b|body|payload|download|fetch|feed|urlopen|webhook|received",
    re.I,
)
_CONSTANT = re.compile(r"\b[A-Z][A-Z0-9_]{2,}\b")


def comes_from_elsewhere(around: str) -> bool:
    """Return whether a document that a function parses may be anybody's; a file on the own disk was put there."""
    return bool(_FROM_ELSEWHERE.search(around))


def named_folders(around: str, whole: str) -> list[str]:
    """Return the folders that a function names, itself or by a constant of its module."""
    given = (re.search(rf"^{name}\b[^=\n]*=([^=].*)$", whole, re.M) for name in set(_CONSTANT.findall(around)))
    told = around + "".join(each[1] for each in given if each)
    return re.findall(r"[\"']([\w./-]+)[\"']", told)
