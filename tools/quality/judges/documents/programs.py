"""Commands and options that documents give to programs of this repository and that those do not know."""

import re
from collections.abc import Iterator

from ...known.project import Project
from .claims import STANDS_FOR, Claim, missing
from .command_lines import line_claims, started
from .known_options import unknown_options, unknown_to_command
from .tasks import is_registered

_NAME = re.compile(r"^[a-z][\w-]+$")
_HAS_COMMANDS = re.compile(r"\badd_subparsers\(|\.group\(|\bTyper\(|@\w+\.command\b")
_READ_BY = frozenset({"click", "flask", "typer"})
_FRAMEWORK_COMMANDS = frozenset(
    {
        *("run", "shell", "routes", "db", "test", "runserver", "migrate", "makemigrations", "createsuperuser", "check"),
        *("collectstatic", "startapp", "startproject", "dbshell", "flush", "loaddata", "dumpdata", "showmigrations"),
        *("makemessages", "compilemessages", "sqlmigrate", "changepassword", "clearsessions", "inspectdb", "help"),
    }
)


def option_claims(project: Project, number: int, codes: list[str]) -> Iterator[Claim]:
    """Yield options that a line gives, each as a piece of code of its own, behind a command that has none such."""
    words = codes[0].split() if codes else []
    command = next((word for word in words if word in project.commands), "")
    if not command or (len(words) > 1 and words[0] != command):
        return
    for option in unknown_to_command(project, command, [code for code in codes[1:] if code.startswith("--")]):
        yield missing(number, f"{command} {option}", "no such option", 0.75)


def flask_claims(project: Project, number: int, words: list[str]) -> Iterator[Claim]:
    """Yield what flask does not know of a command line behind its own name."""
    words = _after_options(words)
    if not words or STANDS_FOR.search(words[0]):
        return
    if words[0] not in project.commands and not _is_named(project, words[0]):
        yield missing(number, f"flask {words[0]}", "no such command", 0.75)
    elif len(words) > 1 and words[0] != "db" and _is_group(project, words[0]) and not _is_named(project, words[1]):
        yield missing(number, f"flask {words[0]} {words[1]}", "no such command", 0.75)
    for option in unknown_to_command(project, words[0], words[1:]):
        yield missing(number, f"flask {words[0]} {option}", "no such option", 0.75)


def _after_options(words: list[str]) -> list[str]:
    """Return a command line of flask without what stands before the command: `--app wsgi`, `--debug`."""
    while words and words[0].startswith("-"):
        takes = words[0] in ("--app", "-A", "--env-file", "-e")
        words = words[2 if takes else 1 :]
    return words


def program_claims(project: Project, number: int, words: list[str]) -> Iterator[Claim]:
    """Yield a command or an option that a program of this repository does not know."""
    path = started(project, words[0])
    told = line_claims(project, number, words[0], path, words[1:])
    if told is not None or words[0] not in project.manifest.scripts:
        yield from told or ()
        return
    if not _is_named(project, words[1]):
        yield missing(number, f"{words[0]} {words[1]}", "no such command", 0.75)
        return
    if len(words) > 2 and _is_group(project, words[1]) and not _is_named(project, words[2]):
        yield missing(number, f"{words[0]} {words[1]} {words[2]}", "no such command", 0.75)
        return
    for option in unknown_options(project, path, words[1:]):
        yield missing(number, f"{words[0]} {words[1]} {option}", "no such option", 0.75)


def script_claims(project: Project, number: int, program: str, path: str, words: list[str]) -> Iterator[Claim]:
    """Yield a command or options that a script does not know, where it is the script itself that reads them."""
    asked = words[0] if words else ""
    told = line_claims(project, number, program, path, words)
    if told is not None:
        yield from told
        return
    if (
        path
        and _NAME.match(asked)
        and _HAS_COMMANDS.search(project.text_of(path))
        and not is_registered(project, asked)
    ):
        yield missing(number, f"{program} {asked}", "no such command", 0.75)
        return
    for option in unknown_options(project, path, words):
        yield missing(number, f"{path} {option}", "no such option", 0.75)


def _is_group(project: Project, name: str) -> bool:
    """Return whether a command only holds others, as `AppGroup("orders")` and a function under `@click.group()` do."""
    shape = re.compile(
        rf"(?:AppGroup|Group|group|add_typer)\([^)]*[\"']{re.escape(name)}[\"']|cli_group=[\"']{re.escape(name)}[\"']"
        rf"|\.group\([^)]*\)\s*\n(?:@.*\n)*(?:async )?def {re.escape(name.replace('-', '_'))}\("
    )
    return any(
        facts.python and shape.search(project.text_of(facts.path))
        for facts in project.of_role("source")
        if facts.python and _READ_BY & {each.module.partition(".")[0] for each in facts.python.imports}
    )


def is_command(project: Project, name: str) -> bool:
    """Return whether a management command is there: named by a string, as a function, or as a file of Django's.

    A function may also be found by a name put together at run time: `f"cmd_{name}"`.
    """
    plain = name.replace("-", "_")
    if name in _FRAMEWORK_COMMANDS or any(path.endswith(f"/commands/{plain}.py") for path in project.files):
        return True
    put_together = (each + plain for facts in project.files.values() if facts.python for each in facts.python.prefixes)
    if not project.definitions.keys().isdisjoint(put_together):
        return True
    return any(f'"{name}"' in text or f"'{name}'" in text or f"def {plain}(" in text for text in project.starting_texts)


def _is_named(project: Project, name: str) -> bool:
    """Return whether some code has a command's name; what is no name may be anything."""
    return not _NAME.match(name) or name in _FRAMEWORK_COMMANDS or is_registered(project, name)
