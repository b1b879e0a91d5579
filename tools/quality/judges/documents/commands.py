"""Command lines of documents that a reader cannot run: a script, target, command or option that is not there."""

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import pairwise
from types import MappingProxyType

from ...known.project import Project
from .claims import PATH, STANDS_FOR, Claim, is_there, missing
from .command_lines import started
from .known_options import unknown_to_django
from .programs import flask_claims, is_command, program_claims, script_claims
from .tasks import RECIPES, task_claims

_RUNNERS = frozenset({"sudo", "poetry", "uv", "pipenv", "run", "time", "env", "exec"})
_BEFORE = re.compile(r"^(?:(?:[\d*/,-]+\s+){5}|@\w+ly\s+)|(?<!\S)(?:\./)?\.?v?env/(?:bin|Scripts)/")
"""When cron runs it, and the folder of an environment that the program stands in."""
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
_SERVERS = frozenset({"uvicorn", "gunicorn", "hypercorn", "celery", "granian"})
_JUDGED = frozenset(
    {"docker", "docker-compose", "python", "python3", "py", "sh", "bash", "make", "npm", "yarn", "pnpm", "pip", "pip3"}
    | {"sync", "cp", "pytest", "flask", *_NEEDS, *_SERVERS, *RECIPES}
)
"""The programs of others that are looked at."""


def runnable(project: Project) -> Set[str]:
    """Return the programs whose commands can be judged: those of others and the repository's own."""
    folders = [path.split("/")[:-1] for path in project.files if path.endswith("/__main__.py")]
    packages = {".".join(parts[start:]) for parts in folders for start in range(len(parts))}
    return _JUDGED | packages | project.manifest.scripts.keys()


def may_run(programs: Set[str], line: str) -> bool:
    """Return whether a line may hold a command of one of some programs, without taking it apart."""
    if "python" in line or "./" in line or "bin/" in line or "Scripts/" in line:  # `python3.11`, `venv/bin/flask`
        return True
    return ";" in line or "&&" in line or "||" in line or not programs.isdisjoint(line.split())


def command_claims(project: Project, number: int, line: str, ours: bool) -> Iterator[Claim]:
    """Yield what is wrong with the commands of a line.

    Args:
        ours: Whether the document speaks of this repository, not of what its readers are going to write.
    """
    plain = line.strip().removeprefix("$ ").removeprefix("> ").partition(" #")[0]
    for command in _JOINED.split(_BEFORE.sub("", plain)):
        words = command.split()
        if words[:2] == ["docker", "compose"]:
            words = ["docker-compose", *words[2:]]
        while words and (words[0] in _RUNNERS or re.fullmatch(r"[A-Z_]+=\S*", words[0])):
            words = words[1:]
        if words:
            commands_of_readers = words[0] in project.manifest.scripts and not ours
            file_of_readers = project.kind == "library" and _STARTS_A_FILE.match(" ".join(words))
            if not commands_of_readers and not file_of_readers:
                yield from _claims(project, number, words, ours)
                yield from task_claims(project, number, words) if ours and len(words) > 1 else ()


def _claims(project: Project, number: int, words: list[str], ours: bool) -> Iterator[Claim]:
    program, first = words[0], words[1] if len(words) > 1 else ""
    if program.startswith("./") and PATH.match(program):
        if not _exists(project, program):
            yield missing(number, program, "no such script")
    elif program == "docker-compose" and (service := _unknown_service(project, words)):
        yield missing(number, f"docker compose {first} {service}", "no such service", 0.8)
    elif program in _NEEDS and "-f" not in words and not any(map(project.ends_with, _NEEDS[program])):
        yield missing(number, " ".join(words[:3]), "its settings are not there", 0.75)
    elif not first or (STANDS_FOR.search(first) and program != "flask"):
        return
    elif re.fullmatch(r"python[\d.]*|py", program):
        yield from _python(project, number, words[1:])
    elif program in ("sh", "bash") and PATH.match(first) and not _exists(project, first):
        yield missing(number, f"{program} {first}", "no such script")
    elif program == "make" and re.fullmatch(r"[\w.-]+", first) and not _is_target(project, first):
        yield missing(number, f"make {first}", "no such make target")
    elif program in ("npm", "yarn", "pnpm"):
        yield from _node(project, number, words)
    elif program in ("pip", "pip3", "sync") and any("[" in word or word == "--extra" for word in words):
        yield from _parts_asked(project, number, words, ours)
    elif program in ("pip", "pip3") and "-r" in words[:-1]:
        wanted = words[words.index("-r") + 1]
        if not project.ends_with(wanted):
            yield missing(number, f"-r {wanted}", "no such file")
    elif program == "cp" and len(words) == 3 and re.search(r"example|sample|template|dist", first):
        if not _exists(project, first):
            yield missing(number, f"cp {first}", "no such file")
    elif program == "pytest" and PATH.match(first.partition("::")[0]):
        if not _exists(project, first.partition("::")[0]):
            yield missing(number, f"pytest {first}", "no such file")
    elif program in _SERVERS and project.kind != "library":
        yield from _served(project, number, words)
    elif program == "flask" and project.kind != "library":
        yield from flask_claims(project, number, words[1:])
    elif program in project.manifest.scripts or started(project, program):
        yield from program_claims(project, number, words)


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


def _parts_asked(project: Project, number: int, words: list[str], ours: bool) -> Iterator[Claim]:
    """Yield a part that is asked for and that no manifest has: `pip install -e ".[docs]"`, `uv sync --extra docs`.

    In a folder of a library, `.` may be an example with a manifest of its own.
    """
    known, name = project.manifest.extras, re.escape(project.manifest.name)
    if known is None or not name:
        return
    line = " ".join(words)
    here = rf"\.|{name}" if ours else name
    asked = re.findall(rf"(?<![\w/])(?:{here})\[([\w, -]+)\]", line)
    asked += re.findall(r"--extra[ =]([\w-]+)", line) if words[0] in ("uv", "sync") else []
    plain = {each.lower().replace("_", "-") for each in known}
    for part in (each.strip() for group in asked for each in group.split(",")):
        if part.lower().replace("_", "-") not in plain:
            yield missing(number, f"[{part}]", "no such extra", 0.85)


def _served(project: Project, number: int, words: list[str]) -> Iterator[Claim]:
    """Yield a module that a server is told to load and that is not there, as in `uvicorn shop.main:app`."""
    named = [word.partition(":")[0] for word in words[1:] if re.fullmatch(r"[\w.]+:\w+(?:\(\))?", word)]
    named += [after.partition(":")[0] for word, after in pairwise(words) if word in ("-A", "--app") and "." in after]
    for module in named:
        if module not in project.modules and module.partition(".")[0].isidentifier():
            yield missing(number, f"{words[0]} {module}", "no such module", 0.8)


def _exists(project: Project, path: str) -> bool:
    return is_there(project, "README.md", path)


def _python(project: Project, number: int, words: list[str]) -> Iterator[Claim]:
    script, command = words[0], words[1] if len(words) > 1 else ""
    if script == "-m" and len(words) > 1:
        top = words[1].partition(".")[0]
        ours = project.exists(top) or project.exists(f"src/{top}")
        if ours and "." in words[1] and words[1] not in project.modules:
            yield missing(number, f"python -m {words[1]}", "no such script", 0.8)
        elif ours:
            path = started(project, words[1]) or project.modules.path(words[1])
            yield from script_claims(project, number, words[1], path, words[2:])
        return
    if not script.endswith(".py") or STANDS_FOR.search(script):
        return
    if not project.ends_with(script.removeprefix("./")):
        yield missing(number, f"python {script}", "no such script")
    elif script.endswith("manage.py") and re.fullmatch(r"[\w:-]+", command) and not is_command(project, command):
        yield missing(number, f"{script} {command}", "no such command")
    elif script.endswith("manage.py"):
        for option in unknown_to_django(project, command, words[2:]):
            yield missing(number, f"{command} {option}", "no such option", 0.8)
    else:
        found = script.removeprefix("./")
        path = next((each for each in project.files if each == found or each.endswith(f"/{found}")), "")
        yield from script_claims(project, number, script, path, words[1:])


def _node(project: Project, number: int, words: list[str]) -> Iterator[Claim]:
    """Yield a script that no package.json has."""
    if "run" not in words[1:-1]:
        return
    name = words[words.index("run", 1) + 1]
    manifests = [path for path in project.paths if path.rpartition("/")[2] == "package.json"]
    if manifests and not any(f'"{name}"' in project.text_of(path) for path in manifests):
        yield missing(number, f"{words[0]} run {name}", "no such command")


def _is_target(project: Project, name: str) -> bool:
    makefiles = [path for path in ("Makefile", "makefile", "GNUmakefile") if project.exists(path)]
    nested = project.ends_with("Makefile") and not makefiles
    pattern = re.compile(
        rf"^(?:\.PHONY:.*\b)?{re.escape(name)}\b[^=\n]*:|^\.PHONY:.*\b{re.escape(name)}\b", re.MULTILINE
    )
    return nested or any(pattern.search(project.text_of(path)) for path in makefiles)
