"""Command lines of documents, word by word, against the commands that the program itself tells of."""

import keyword
import re
from collections.abc import Iterator, Mapping, Sequence

from ...facts.python import Command
from ...known.project import Project
from .claims import Claim, missing

_NAME = re.compile(r"^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$")
_PLAIN = re.compile(r"^[\w./:@=,-]+$")
"""A word that cannot be the start of something else, such as a pipe or a remark."""
_OPTION = re.compile(r"^--([a-z][\w-]+)")
_ALWAYS = frozenset({"help", "version", "install-completion", "show-completion"})
_LISTED = re.compile(r"^\s*(?:\||[-*+]\s|\d+\.\s)\s*`")
"""A row of a table or an item of a list that begins with a piece of code."""
_FEWEST = 3
"""Commands of a program from which on a list of its command lines may leave its name out."""


def line_claims(project: Project, number: int, program: str, path: str, words: Sequence[str]) -> list[Claim] | None:
    """Return what a program does not know of the words behind its name; None where others have to judge."""
    tree = project.programs.of(path) if path else {}
    if not _tells(tree):
        return None
    found = list(_walked(tree, number, program, words))
    return found if found or not any(each.held for each in tree.values()) else None


def _walked(tree: Mapping[str, Command], number: int, program: str, words: Sequence[str]) -> Iterator[Claim]:
    row, at, rest, above = tree[""], "", list(words), [tree[""]]
    while rest and row.parts:
        word = rest[0]
        if row.others or not _NAME.match(word):
            return
        if word not in row.parts:
            yield missing(number, f"{program} {at} {word}".replace("  ", " ").strip(), "no such command", 0.8)
            return
        at = f"{at} {word}".strip()
        if at not in tree:
            break  # one of the words that its argument may be, or a command that takes nothing
        row, rest = tree[at], rest[1:]
        above.append(row)
    if at and not row.others:
        yield from _behind(number, f"{program} {row.path}".strip(), row, above, rest)


def _behind(number: int, said: str, row: Command, above: Sequence[Command], rest: Sequence[str]) -> Iterator[Claim]:
    """Yield the options that a command does not know, and a word that is no argument of it."""
    known = {name.removeprefix("--").removeprefix("no-") for each in above for name in each.options}
    options = [match[1] for word in rest if (match := _OPTION.match(word))]
    for name in options if "*" not in known else ():
        plain = name.removeprefix("no-")
        if plain not in known | _ALWAYS and not any(
            each.startswith(plain) for each in known
        ):  # argparse takes beginnings
            yield missing(number, f"{said} --{name}", "no such option", 0.8)
    alone = rest and not row.parts and row.path and all(map(_PLAIN.match, rest)) and _NAME.match(rest[0])
    if alone and not any(word.startswith("-") for word in rest) and 0 <= row.takes < len(rest):
        yield missing(number, f"{said} {rest[0]}", "no such command", 0.75)


def listed_claims(project: Project, path: str, number: int, line: str, codes: Sequence[str]) -> Iterator[Claim]:
    """Yield what is wrong with command lines that leave out the program, and with options that stand beside one.

    Args:
        path: Where the only program of the repository starts.
        codes: The pieces of code of the line.
    """
    tree = project.programs.of(path) if path else {}
    for place, code in enumerate(codes if tree else ()):
        spoken = code.split()
        words = _without_program(project, spoken)
        if not words or words[0] not in tree[""].parts:
            continue
        if len(words) < len(spoken):
            beside = [each for each in codes[1:] if _OPTION.match(each) and " " not in each] if place == 0 else []
            yield from _walked(tree, number, "", [*words, *beside]) if beside else ()
        elif not keyword.iskeyword(words[0]) and (_LISTED.match(line) or any(map(_OPTION.match, words))):
            yield from _walked(tree, number, "", words)


def _without_program(project: Project, words: list[str]) -> list[str]:
    """Return a command line without what starts a program of the repository: `python -m shop`, `shop`."""
    if words[:2] in (["python", "-m"], ["python3", "-m"]):
        words = words[2:]
    return words[1:] if words and started(project, words[0]) else words


def started(project: Project, name: str) -> str:
    """Return the file in which a program starts that is called by a name; `""` where it is none of this repository.

    A package is one where its commands can be read: else it may hand all words on to whom it likes.
    """
    if name in project.manifest.scripts:
        return project.modules.path(project.manifest.scripts[name].partition(":")[0]) or ""
    inside = project.modules.path(f"{name}.__main__") if re.fullmatch(r"[\w.]+", name) else ""
    return inside if inside and _tells(project.programs.of(inside)) else ""


def _tells(tree: Mapping[str, Command]) -> bool:
    """Return whether a program tells of all its commands."""
    return bool(tree and tree[""].parts and not tree[""].others)


def only_program(project: Project) -> str:
    """Return the file in which the only program of commands starts, `""` where there are several or none."""
    paths = {started(project, name) for name in project.manifest.scripts}
    paths |= {path for path in project.files if path.endswith("/__main__.py") and path.count("/") <= 2}
    trees = {path: project.programs.of(path) for path in sorted(paths) if path}
    found = [path for path, tree in trees.items() if tree and len(tree[""].parts) >= _FEWEST]
    same = {tuple(sorted(trees[path][""].parts)) for path in found}
    return found[0] if len(same) == 1 else ""
