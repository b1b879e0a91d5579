"""Python modules that nothing imports, though the others of their folder are imported."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set

from .....state.report import Finding
from ...facts.file import FileFacts
from ...known.project import Project
from ...reading.python.kept import finds_nobody
from .findings import unused

_FOUND_BY_PLACE = re.compile(
    r"(^|/)(migrations|alembic|versions|management|commands|templatetags|plugins?|extensions|addons|scripts|bin|tools|hooks"
    r"|dags|fixtures|seeds|deploy|ci|notebooks|conf|config|settings|locale|_?vendor|stubs|typings)/"
    r"|(^|/)(__\w+__|conftest|setup|noxfile|fabfile|tasks|celery\w*|gunicorn\w*|uwsgi\w*|wsgi|asgi|manage|app|main|run|cli|server"
    r"|settings\w*|\w*config\w*|conf|version|_version|locustfile|sitecustomize|hubconf|admin|apps|models|urls|translation"
    r"|wagtail_hooks|search_indexes|dev\w*|local\w*"
    r"|prod\w*|staging)\.py$"
)
"""What frameworks, servers and people find by its place or name."""
_FINDS = frozenset(
    {
        *(
            "iter_modules",
            "walk_packages",
            "find_modules",
            "import_module",
            "__import__",
            "import_string",
            "load_module",
        ),
        *("spec_from_file_location", "autodiscover_tasks", "autodiscover_modules", "entry_points", "load_object"),
        *("glob", "rglob", "listdir", "scandir", "iterdir", "run_path", "run_module"),
    }
)
"""What imports modules that are named nowhere, or may."""
_WHEN_IMPORTED = frozenset({"receiver"})
"""Decorators that do something when the module is imported, and import no module."""


def dead_modules(project: Project) -> Iterator[Finding]:
    """Yield modules of a package that starts somewhere else and that no file imports, no test either.

    One that is named with its folder in a text, stands where modules are found by their place, or runs something when
    it is loaded, is none.
    """
    if project.kind in ("library", "data project"):
        return
    targets = {edge.target for edge in project.edges}
    lively = {path.rpartition("/")[0] for path in targets}
    found = [
        facts
        for facts in project.of_role("source")
        if facts.python
        and facts.path not in targets
        and "/" in facts.path
        and facts.path.rpartition("/")[0] in lively
        and f"{facts.path.rpartition('/')[0]}/__init__.py" in project.paths
        and not _FOUND_BY_PLACE.search(facts.path)
        and facts.python.defined
        and not _registers(facts)
    ]
    if not found:
        return
    finders = _finders(project)
    found = [each for each in found if not _is_looked_for(each.path, finders)]
    speaking = _speaking_of(project, {_name(facts) for facts in found})
    for facts in found:
        text = project.text_of(facts.path)
        if not (_runs(text) or _is_named(project, facts, speaking.get(_name(facts), ()))):
            yield _finding(project, facts)


def _registers(facts: FileFacts) -> bool:
    """Return whether something of a module is handed to a framework, which may load it: decorated, or of its class.

    A receiver of a signal is connected when its module is imported only, and imports none.
    """
    assert facts.python is not None
    foreign = {base for bases in facts.python.bases.values() for base in bases} - facts.python.bases.keys()
    handed = (set(each.by) for each in facts.python.defined if not each.owner and each.kept == "decorated")
    return any(by - _WHEN_IMPORTED for by in handed) or not all(map(finds_nobody, foreign))


def _runs(text: str) -> bool:
    """Return whether a module does something when it is loaded or started, other than to define."""
    return bool(re.search(r"^(if __name__|[\w.]+\(|with |for |while |try:|await )", text, re.MULTILINE))


def _finders(project: Project) -> Set[str]:
    """Return the folders whose modules some file may import by a name made at run time, and the words it knows."""
    found: set[str] = set()
    for facts in project.of_role("source"):
        if facts.python and _FINDS.intersection(facts.python.used):
            found.add(facts.path.rpartition("/")[0])
            found.update(facts.python.words)
    return found


def _is_looked_for(path: str, finders: Set[str]) -> bool:
    parts = path.removesuffix(".py").split("/")
    return "/".join(parts[:-1]) in finders or bool(finders & set(parts[1:]))


def _name(facts: FileFacts) -> str:
    return facts.path.removesuffix(".py").rpartition("/")[2]


def _speaking_of(project: Project, names: Set[str]) -> Mapping[str, Sequence[str]]:
    """Return the files that hold a name, by name; those too short to be kept as words may stand in any file."""
    found: dict[str, list[str]] = defaultdict(list)
    short = {name for name in names if len(name) < _SHORTEST_WORD}
    for path, facts in project.files.items():
        if facts.role in ("source", "test", "data"):
            for name in short | (names & set(facts.python.words if facts.python else facts.words)):
                found[name].append(path)
    return found


_SHORTEST_WORD = 3


def _is_named(project: Project, facts: FileFacts, speaking: Sequence[str]) -> bool:
    """Return whether a text names the module with the folder or package it is in, or its package spells it out."""
    folder, name = facts.path.rpartition("/")[0], _name(facts)
    package = project.files.get(f"{folder}/__init__.py")
    if package and package.python and name in package.python.words:
        return True
    named = re.compile(rf"\b{re.escape(folder.rpartition('/')[2])}(?:[./]|::?){re.escape(name)}\b")
    return any(named.search(project.text_of(path)) for path in speaking if path != facts.path)


def _finding(project: Project, facts: FileFacts) -> Finding:
    return unused(
        project,
        facts.path,
        (1, facts.lines),
        what="module",
        name=facts.path,
        symbol=facts.path.rpartition("/")[2].removesuffix(".py"),
        reason="nothing imports it",
        confidence=0.8,
    )
