"""Command lines of documents that a reader cannot run: a script, target, command or option that is not there."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from ..project import Project
from .claims import Claim, is_there
from .known_options import unknown_options, unknown_to_command

_PATH = re.compile(r"^\.?[\w.-]+(?:/[\w.-]+)+/?$")
_RUNNERS = frozenset({"sudo", "poetry", "uv", "pipenv", "run", "time", "env", "exec"})
_JOINED = re.compile(r"\s*(?:&&|\|\||;)\s*")
_STARTS_A_FILE = re.compile(r"(?:python[\d.]*|py|pytest)\s+[\w-]+\.py\b")
_NEEDS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "alembic": ("alembic.ini", "pyproject.toml"),
        "docker-compose": ("docker-compose.yml", "docker-compose.yaml", "compose.yml", "compose.yaml"),
        "nox": ("noxfile.py",),
        "pre-commit": (".pre-commit-config.yaml",),
        "tox": ("tox.ini", "tox.toml", "setup.cfg", "pyproject.toml"),
    }
)
"""Programs that cannot work without one of these files."""
_STANDS_FOR = re.compile(r"[<>{}*$\[\]]|\.\.\.")
_SERVERS = frozenset({"uvicorn", "gunicorn", "hypercorn", "celery", "granian"})
_FRAMEWORK_COMMANDS = frozenset(
    {
        *("run", "shell", "routes", "db", "test", "runserver", "migrate", "makemigrations", "createsuperuser", "check"),
        *("collectstatic", "startapp", "startproject", "dbshell", "flush", "loaddata", "dumpdata", "showmigrations"),
        *("makemessages", "compilemessages", "sqlmigrate", "changepassword", "clearsessions", "inspectdb", "help"),
    }
)


def command_claims(project: Project, number: int, line: str, ours: bool) -> Iterator[Claim]:
    """Yield what is wrong with the commands of a line.

    Args:
        ours: Whether the document speaks of this repository, not of what its readers are going to write.
    """
    plain = line.strip().removeprefix("$ ").removeprefix("> ").partition(" #")[0]
    for command in _JOINED.split(plain):
        words = command.split()
        if words[:2] == ["docker", "compose"]:
            words = ["docker-compose", *words[2:]]
        while words and (words[0] in _RUNNERS or re.fullmatch(r"[A-Z_]+=\S*", words[0])):
            words = words[1:]
        if words:
            commands_of_readers = words[0] in project.manifest.scripts and not ours
            file_of_readers = project.kind == "library" and _STARTS_A_FILE.match(" ".join(words))
            if not commands_of_readers and not file_of_readers:
                yield from _claims(project, number, words)


def _claims(project: Project, number: int, words: list[str]) -> Iterator[Claim]:
    program, first = words[0], words[1] if len(words) > 1 else ""
    if program.startswith("./") and _PATH.match(program):
        if not _exists(project, program):
            yield _missing(number, program, "no such script")
    elif program == "docker-compose" and (service := _unknown_service(project, words)):
        yield _missing(number, f"docker compose {first} {service}", "no such service", 0.8)
    elif program in _NEEDS and "-f" not in words and not any(map(project.ends_with, _NEEDS[program])):
        yield _missing(number, " ".join(words[:3]), "its settings are not there", 0.75)
    elif not first or (_STANDS_FOR.search(first) and program != "flask"):
        return
    elif re.fullmatch(r"python[\d.]*|py", program):
        yield from _python(project, number, words[1:])
    elif program in ("sh", "bash") and _PATH.match(first) and not _exists(project, first):
        yield _missing(number, f"{program} {first}", "no such script")
    elif program == "make" and re.fullmatch(r"[\w.-]+", first) and not _is_target(project, first):
        yield _missing(number, f"make {first}", "no such make target")
    elif program in ("npm", "yarn", "pnpm"):
        yield from _node(project, number, words)
    elif program in ("pip", "pip3", "sync") and any("[" in word or word == "--extra" for word in words):
        yield from _parts_asked(project, number, words)
    elif program in ("pip", "pip3") and "-r" in words[:-1]:
        wanted = words[words.index("-r") + 1]
        if not project.ends_with(wanted):
            yield _missing(number, f"-r {wanted}", "no such file")
    elif program == "cp" and len(words) == 3 and re.search(r"example|sample|template|dist", first):
        if not _exists(project, first):
            yield _missing(number, f"cp {first}", "no such file")
    elif program == "pytest" and _PATH.match(first.partition("::")[0]):
        if not _exists(project, first.partition("::")[0]):
            yield _missing(number, f"pytest {first}", "no such file")
    elif program in _SERVERS and project.kind != "library":
        yield from _served(project, number, words)
    elif program == "flask" and project.kind != "library":
        yield from _of_flask(project, number, _after_options(words[1:]))
    elif program in project.manifest.scripts:
        yield from _command_of_ours(project, number, words)


def _after_options(words: list[str]) -> list[str]:
    """Return a command line of flask without what stands before the command: `--app wsgi`, `--debug`."""
    while words and words[0].startswith("-"):
        takes = words[0] in ("--app", "-A", "--env-file", "-e")
        words = words[2 if takes else 1 :]
    return words


def _of_flask(project: Project, number: int, words: list[str]) -> Iterator[Claim]:
    if not words or _STANDS_FOR.search(words[0]):
        return
    if words[0] not in project.commands and not _is_named(project, words[0]):
        yield _missing(number, f"flask {words[0]}", "no such command", 0.75)
    for option in unknown_to_command(project, words[0], words[1:]):
        yield _missing(number, f"flask {words[0]} {option}", "no such option", 0.75)


def option_claims(project: Project, number: int, codes: list[str]) -> Iterator[Claim]:
    """Yield options that a line gives, each as a piece of code of its own, behind a command that has none such."""
    words = codes[0].split() if codes else []
    command = next((word for word in words if word in project.commands), "")
    if not command or (len(words) > 1 and words[0] != command):
        return
    for option in unknown_to_command(project, command, [code for code in codes[1:] if code.startswith("--")]):
        yield _missing(number, f"{command} {option}", "no such option", 0.75)


def _command_of_ours(project: Project, number: int, words: list[str]) -> Iterator[Claim]:
    """Yield a command or an option that a program of this repository does not know."""
    module = project.manifest.scripts[words[0]].partition(":")[0]
    if not _is_named(project, words[1]):
        yield _missing(number, f"{words[0]} {words[1]}", "no such command", 0.75)
        return
    for option in unknown_options(project, project.modules.path(module), words[1:]):
        yield _missing(number, f"{words[0]} {words[1]} {option}", "no such option", 0.75)


def _unknown_service(project: Project, words: list[str]) -> str:
    """Return the service a command of compose names where no compose file has it, else `""`."""
    files = [path for path in project.paths if re.search(r"(^|/)(docker-)?compose[\w.-]*\.ya?ml$", path)]
    named = [word for word in words[2:] if not word.startswith("-")]
    if (
        len(words) < 3
        or words[1] not in ("run", "exec", "logs", "restart", "up", "build")
        or not (files and named)
        or "-f" in words
    ):
        return ""
    service = named[0]
    known = any(
        re.search(rf"^\s+[\"']?{re.escape(service)}[\"']?:\s*$", project.text_of(path), re.MULTILINE) for path in files
    )
    return "" if known or not re.fullmatch(r"[a-z][\w-]*", service) else service


def _parts_asked(project: Project, number: int, words: list[str]) -> Iterator[Claim]:
    """Yield a part that is asked for and that no manifest has: `pip install -e ".[docs]"`, `uv sync --extra docs`."""
    known, name = project.manifest.extras, re.escape(project.manifest.name)
    if known is None or not name:
        return
    line = " ".join(words)
    asked = re.findall(rf"(?<![\w/])(?:\.|{name})\[([\w, -]+)\]", line)
    asked += re.findall(r"--extra[ =]([\w-]+)", line) if words[0] in ("uv", "sync") else []
    plain = {each.lower().replace("_", "-") for each in known}
    for part in (each.strip() for group in asked for each in group.split(",")):
        if part.lower().replace("_", "-") not in plain:
            yield _missing(number, f"[{part}]", "no such extra", 0.85)


def _served(project: Project, number: int, words: list[str]) -> Iterator[Claim]:
    """Yield a module that a server is told to load and that is not there, as in `uvicorn shop.main:app`."""
    named = [word.partition(":")[0] for word in words[1:] if re.fullmatch(r"[\w.]+:\w+(?:\(\))?", word)]
    named += [after.partition(":")[0] for word, after in pairwise(words) if word in ("-A", "--app") and "." in after]
    for module in named:
        if module not in project.modules and module.partition(".")[0].isidentifier():
            yield _missing(number, f"{words[0]} {module}", "no such module", 0.8)


def _missing(number: int, text: str, reason: str, confidence: float = 0.85) -> Claim:
    return Claim(number, text, reason, "stale_command", confidence)


def _exists(project: Project, path: str) -> bool:
    return is_there(project, "README.md", path)


def _python(project: Project, number: int, words: list[str]) -> Iterator[Claim]:
    script, command = words[0], words[1] if len(words) > 1 else ""
    if script == "-m" and len(words) > 1:
        top = words[1].partition(".")[0]
        ours = project.exists(top) or project.exists(f"src/{top}")
        if ours and "." in words[1] and words[1] not in project.modules:
            yield _missing(number, f"python -m {words[1]}", "no such script", 0.8)
        elif ours:
            yield from _options(project, number, project.modules.path(words[1]), words[2:])
        return
    if not script.endswith(".py") or _STANDS_FOR.search(script):
        return
    if not project.ends_with(script.removeprefix("./")):
        yield _missing(number, f"python {script}", "no such script")
    elif script.endswith("manage.py") and re.fullmatch(r"[\w:-]+", command) and not _is_command(project, command):
        yield _missing(number, f"{script} {command}", "no such command")
    elif not script.endswith("manage.py"):  # its options are those of its commands
        found = script.removeprefix("./")
        path = next((each for each in project.files if each == found or each.endswith(f"/{found}")), "")
        yield from _options(project, number, path, words[1:])


def _options(project: Project, number: int, path: str, words: list[str]) -> Iterator[Claim]:
    """Yield options that a script does not know, where it is the script itself that reads them."""
    for option in unknown_options(project, path, words):
        yield _missing(number, f"{path} {option}", "no such option", 0.75)


def _node(project: Project, number: int, words: list[str]) -> Iterator[Claim]:
    """Yield a script that no package.json has."""
    if "run" not in words[1:-1]:
        return
    name = words[words.index("run", 1) + 1]
    manifests = [path for path in project.paths if path.rpartition("/")[2] == "package.json"]
    if manifests and not any(f'"{name}"' in project.text_of(path) for path in manifests):
        yield _missing(number, f"{words[0]} run {name}", "no such command")


def _is_command(project: Project, name: str) -> bool:
    """Return whether a management command is there: named by a string, as a function, or as a file of Django's."""
    plain = name.replace("-", "_")
    if name in _FRAMEWORK_COMMANDS or any(path.endswith(f"/commands/{plain}.py") for path in project.files):
        return True
    return any(f'"{name}"' in text or f"'{name}'" in text or f"def {plain}(" in text for text in project.starting_texts)


def _is_named(project: Project, name: str) -> bool:
    """Return whether some Python file has a function or a word of a command's name; what is no name may be anything."""
    if not re.fullmatch(r"[a-z][\w-]+", name):
        return True
    plain = name.replace("-", "_")
    names = {plain, *plain.split("_")} if "-" in name else {plain}
    for facts in project.of_role("source"):
        if facts.python and (
            any(each.name.strip("_").endswith(plain) for each in facts.python.defined)
            or names <= {*facts.python.words, *facts.python.used}
        ):
            return True
    return name in _FRAMEWORK_COMMANDS


def _is_target(project: Project, name: str) -> bool:
    makefiles = [path for path in ("Makefile", "makefile", "GNUmakefile") if project.exists(path)]
    nested = project.ends_with("Makefile") and not makefiles
    pattern = re.compile(
        rf"^(?:\.PHONY:.*\b)?{re.escape(name)}\b[^=\n]*:|^\.PHONY:.*\b{re.escape(name)}\b", re.MULTILINE
    )
    return nested or any(pattern.search(project.text_of(path)) for path in makefiles)
