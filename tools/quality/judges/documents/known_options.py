"""Options of command lines that the program they are given to does not know."""

import re
from collections.abc import Iterator

from ...known.project import Project
from ...reading.command_lines.options import FOR_ALL

_READS_OPTIONS = re.compile(r"\b(?:argparse|click|typer|optparse|sys\.argv|fire|docopt)\b")
_PLAIN_COMMAND = re.compile(r"\bclass Command\((?:\w+\.)?BaseCommand\):")
_ADDED = re.compile(r"[\"']--([\w-]+)[\"']")
_OF_DJANGO = frozenset(
    {
        "settings",
        "pythonpath",
        "traceback",
        "no-color",
        "force-color",
        "verbosity",
        "skip-checks",
        "no-input",
        "noinput",
    }
)
_ALWAYS = frozenset({"help", "version"})


def unknown_options(project: Project, path: str, words: list[str]) -> Iterator[str]:
    """Yield the options of a command line that its program does not know.

    Where the program's commands are written down one by one, the option has to be one of the command that is given;
    else it has to stand anywhere in the program or in what it imports.
    """
    text = project.text_of(path) if path else ""
    wanted = [match[1].removeprefix("no-") for word in words if (match := re.match(r"--([a-z][\w-]+)", word))]
    if not wanted:
        return
    texts = [each for each in (text, *_imported(project, path)) if _READS_OPTIONS.search(each)]
    if not texts:
        return
    facts = project.files.get(path)
    known = facts.python.options if facts and facts.python else {}
    command = next((word for word in words if word in known), FOR_ALL)
    for name in wanted:
        told = command != FOR_ALL and name not in {*known[command], *known[FOR_ALL]}
        spelled = re.compile(rf"(?<!\w){'[-_]'.join(map(re.escape, name.split('-')))}(?!\w)")
        anywhere = any(map(spelled.search, texts))
        if name not in _ALWAYS and (told or not anywhere):
            yield f"--{name}"


def _imported(project: Project, path: str) -> list[str]:
    targets = {edge.target for edge in project.edges if edge.source == path}
    return [project.text_of(target) for target in sorted(targets)]


def unknown_to_command(project: Project, command: str, words: list[str]) -> Iterator[str]:
    """Yield the options that a command of this repository does not know, whichever program it belongs to."""
    known = project.commands.get(command)
    for word in words if known is not None else ():
        match = re.match(r"--([a-z][\w-]+)", word)
        name = match[1].removeprefix("no-") if match else ""
        if name and known is not None and name not in known | project.commands[FOR_ALL] | _ALWAYS:
            yield f"--{name}"


def unknown_to_django(project: Project, command: str, words: list[str]) -> Iterator[str]:
    """Yield the options that a management command of this repository does not add, in its own file."""
    ending = f"/management/commands/{command.replace('-', '_')}.py"
    found = [project.text_of(path) for path in project.files if f"/{path}".endswith(ending)]
    if len(found) != 1 or not _PLAIN_COMMAND.search(found[0]):
        return
    added = {each.replace("_", "-") for each in _ADDED.findall(found[0])}
    for word in words:
        match = re.match(r"--([a-z][\w-]+)", word)
        if match and match[1].replace("_", "-") not in added | _ALWAYS | _OF_DJANGO:
            yield f"--{match[1]}"
