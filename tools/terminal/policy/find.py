"""find: start directories, then an expression of known tests only."""

import re
from collections.abc import Callable, Sequence

from ....state.errors import CommandRefused
from .options import names

ALONE = names(
    "( ) ! , -a -and -o -or -not -print -print0 -ls -prune -quit -depth -d -daystart -empty -mount -xdev -nouser"
    " -nogroup -noleaf -true -false -readable -writable -executable -warn -nowarn -ignore_readdir_race"
    " -noignore_readdir_race"
)
WITH_NUMBER = names("-amin -atime -cmin -ctime -mmin -mtime -gid -uid -inum -links -maxdepth -mindepth -used -size")
WITH_TEXT = names(
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -lname -ilname -perm -user -group"
    " -fstype -type"
)
WITH_PATH = names("-newer -anewer -cnewer -samefile")
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?[bcwkMG]?")
REFUSED = {
    "runs another program": names("-exec -execdir -ok -okdir"),
    "deletes files": names("-delete"),
    "writes a file": names("-fprint -fprint0 -fprintf -fls"),
    "reads file names from a file": names("-files0-from"),
    "follows links out of the workspace": names("-L -H -follow"),
}
INSTEAD = {"-exec": "pipe the names into another command, or name the files", "-delete": "the terminal is read-only"}


def find(words: Sequence[str], path: Callable[[str], str]) -> list[str]:
    """Return find's arguments, all of them checked.

    Raises:
        CommandRefused: A test or action is unknown or not allowed, or a path is outside.
    """
    rest = list(words)
    starts: list[str] = []
    while rest and rest[0] == "-P":
        rest.pop(0)
    while rest and not rest[0].startswith("-") and rest[0] not in ("(", ")", "!", ","):
        starts.append(path(rest.pop(0)))
    expression: list[str] = []
    while rest:
        word = rest.pop(0)
        expression.append(word)
        if word in ALONE:
            continue
        _refuse(word)
        if not rest:
            raise CommandRefused(f"find: {word} needs a value; add one")
        expression.append(_value(word, rest.pop(0), path))
    return ["-P", *starts, *expression]


def _refuse(word: str) -> None:
    for reason, refused in REFUSED.items():
        if word in refused:
            raise CommandRefused(f"find {word}: {reason}; not allowed: {INSTEAD.get(word, 'leave it out')}")
    known = word in WITH_NUMBER | WITH_TEXT | WITH_PATH or word in ("-printf", "-xtype") or _newer(word)
    if not known:
        raise CommandRefused(f"find: {word!r} is not an allowed test; leave it out")


def _newer(word: str) -> bool:
    return re.fullmatch(r"-newer[aBcm][aBcmt]", word) is not None


def _value(word: str, value: str, path: Callable[[str], str]) -> str:
    if word in WITH_NUMBER and not NUMBER.fullmatch(value):
        raise CommandRefused(f"find: {word} {value[:40]!r} is no number; give one such as 3, +3 or -3")
    if word in WITH_PATH or (_newer(word) and not word.endswith("t")):
        return path(value)
    if word == "-xtype" and value != "l":
        raise CommandRefused(f"find: -xtype {value[:20]} follows links out of the workspace; use -type {value[:20]}")
    if word == "-printf" and re.search(r"%[-+ #0-9.]*Y", value):
        raise CommandRefused("find: -printf %Y follows links out of the workspace; use %y")
    return value
