"""Names that documents hand to a program and nobody has registered: tasks, jobs, recipes, sessions."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType

from ...known.project import Project
from .claims import Claim, missing

_TAKES_NAMES = re.compile(
    r"(?:^|[-_:])(?:tasks?|jobs?|cron|reports?|steps?|checks?|plugins?|hooks?|workers?)(?:$|[-_:])"
)
"""A command that starts something by its name: `run-task`, `job`."""
_NAME = re.compile(r"^[a-z][a-z0-9]*(?:[-_:][a-z0-9]+)*$")
_STANDS_FOR = frozenset(
    {"name", "names", "task", "job", "all", "help", "list", "ls", "run", "start", "stop", "status", "show", "worker"}
)
RECIPES: Mapping[str, tuple[Sequence[str], str]] = MappingProxyType(
    {
        "just": (("justfile", "Justfile", ".justfile"), r"^@?\0(?:\s[^:\n]*)?:(?!=)|^alias\s+\0\b|^import\b|^mod\b"),
        "task": (("Taskfile.yml", "Taskfile.yaml"), r"^\s+[\"']?\0[\"']?:|^includes:"),
        "invoke": (("tasks.py",), r"\b\0\b"),
        "inv": (("tasks.py",), r"\b\0\b"),
        "nox": (("noxfile.py",), r"\b\0\b"),
        "poe": (("pyproject.toml",), r"\b\0\b"),
    }
)
"""Program, where its recipes stand, and what one of them looks like there."""


def task_claims(project: Project, number: int, words: list[str]) -> Iterator[Claim]:
    """Yield a name that a command line hands to a program which starts things by their names."""
    program = words[0]
    if program in RECIPES:
        yield from _recipe(project, number, words)
    elif program == "npm" and words[1:2] == ["test"]:
        manifests = [path for path in project.paths if path.rpartition("/")[2] == "package.json"]
        if manifests and not any('"test"' in project.text_of(path) for path in manifests):
            yield missing(number, "npm test", "no such command", 0.75)
    elif program == "celery" and "call" in words[:-1]:
        name = words[words.index("call") + 1]
        if re.fullmatch(r"[a-z_]\w*(?:\.\w+)+", name) and name.rpartition(".")[2] not in project.names_in_code:
            yield missing(number, f"celery call {name}", "no such task", 0.75)
    else:
        yield from _handed(project, number, words)


def _recipe(project: Project, number: int, words: list[str]) -> Iterator[Claim]:
    program = words[0]
    if program == "nox":
        words = words[words.index("-s") :] if "-s" in words[:-1] else words[:1]
    name = words[1] if len(words) > 1 else ""
    files, shape = RECIPES[program]
    texts = [project.text_of(path) for path in files if project.exists(path)]
    if not texts or not _NAME.match(name) or (program == "poe" and "tool.poe" not in texts[0]):
        return
    spelled = "[-_]".join(map(re.escape, re.split(r"[-_]", name)))
    if not any(re.search(shape.replace(r"\0", spelled), text, re.MULTILINE) for text in texts):
        yield missing(number, f"{program} {name}", "no such task", 0.8)


def _handed(project: Project, number: int, words: list[str]) -> Iterator[Claim]:
    """Yield the word behind a command such as `run-task`, where no code or settings have it."""
    own = words[0] in project.manifest.scripts or words[0] == "flask"
    if not own and not (words[0].startswith("python") and re.search(r"\.py$|^-m$", words[1])):
        return
    for command, name in pairwise(words[1:5]):
        if _TAKES_NAMES.search(command) and is_registered(project, command):
            if _NAME.match(name) and name not in _STANDS_FOR and not is_registered(project, name):
                yield missing(number, f"{command} {name}", "no such task", 0.75)
            return


def is_registered(project: Project, name: str) -> bool:
    """Return whether code, settings or a file have a name, spelled in one of the ways of command lines."""
    plain = re.sub(r"[-:]", "_", name)
    if {plain, name} & (project.names_in_code | project.words_in_data) or f"{plain}.py" in project.base_names:
        return True
    if any(each.strip("_").endswith(plain) for each in project.definitions):
        return True
    parts = {part for part in plain.split("_") if len(part) > 2}  # what is shorter is not among the words
    for facts in project.of_role("source", "data"):
        code = facts.python or facts.tree
        if parts <= {*(code.words if code else facts.words)} and re.search(
            rf"(?<![\w-]){re.escape(name)}(?![\w-])", project.text_of(facts.path)
        ):
            return True
    return False
