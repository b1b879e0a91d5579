"""What is imported and not declared, and what is declared and not imported; nothing is looked up anywhere."""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Set

from .....state.report import Finding, Place
from ....manifest import Requirement, normal
from ...known.project import Project
from .findings import unneeded
from .known_packages import BROUGHT_BY, COMES_WITH, IMPORTED_AS, USED_BY

_NOT_IMPORTED = re.compile(
    r"^(gunicorn|uvicorn|hypercorn|waitress|uwsgi|whitenoise|wheel|setuptools.*|pip|pip-tools|build|twine|tox|nox|black|isort|"
    r"flake8.*|ruff|mypy|pyright|pylint.*|pre-commit|coverage|types-.*|.*-stubs|pytest-.*|sphinx.*|mkdocs.*|"
    r"tzdata|colorama|jupyter.*|notebook|ipykernel)$"
)
"""Packages that are started, or used by the language itself, without an import of ours."""
_FOR_TESTS = frozenset(
    {
        *(
            "factory-boy",
            "faker",
            "freezegun",
            "hypothesis",
            "mimesis",
            "mock",
            "model-bakery",
            "moto",
            "parameterized",
        ),
        *(
            "requests-mock",
            "respx",
            "responses",
            "time-machine",
            "vcrpy",
            "httpretty",
            "testfixtures",
            "testcontainers",
        ),
    }
)
"""What tests have to import to use it."""
_FOR_DEVELOPERS = re.compile(
    r"(^|[/_.-])(dev|devel|development|tests?|testing|debug|local|lint|docs?|ci|fixtures)([/_.-]|$)"
)
"""Files and manifests that speak to developers by their names."""
_BUT = " that is not only for developers"
_MANY_PINNED = 30
"""Packages of one version each from which on nobody chose them one by one."""
_SHARED = frozenset({"google", "azure", "zope", "sphinxcontrib", "backports", "mpl_toolkits"})
"""Top names that many packages share."""


def dependencies(project: Project) -> Iterator[Finding]:
    """Yield undeclared and unused packages of a repository whose Python requirements are in a manifest."""
    declared = [each for each in project.manifest.requirements if each.ecosystem == "python"]
    if not declared:
        return
    used = _imports(project, _always_loaded(project))
    if not project.manifest.problems:  # what a manifest declares but cannot be read is not undeclared
        yield from _undeclared(project, declared, used)
    yield from _unused(project, declared, used)


def _always_loaded(project: Project) -> Set[str]:
    """Return the files whose imports a fresh install runs: all, but of a library those its packages load themselves.

    The others are parts a user asks for by name, with what they need beside them: a driver, a backend, an integration.
    """
    sources = {facts.path for facts in project.of_role("source")}
    if project.kind != "library":
        return sources
    needs: dict[str, set[str]] = defaultdict(set)
    for edge in project.edges:
        if not edge.late and not edge.typing:
            needs[edge.source].add(edge.target)
    tops = {path for path in sources if path.endswith("__init__.py") and _is_top(path, sources)}
    loaded, waiting = set(tops), list(tops)
    while waiting:
        fresh = needs.get(waiting.pop(), set()) - loaded
        loaded |= fresh
        waiting += fresh
    return loaded & sources


def _is_top(path: str, sources: Set[str]) -> bool:
    folder = path.rpartition("/")[0]
    return f"{folder.rpartition('/')[0]}/__init__.py".lstrip("/") not in sources - {path}


def _imports(project: Project, loaded: Set[str]) -> dict[str, list[tuple[str, int, bool]]]:
    """Return, by top name, where it is imported: path, line, whether the product needs it."""
    found: dict[str, list[tuple[str, int, bool]]] = defaultdict(list)
    for facts in project.files.values():
        for each in facts.python.imports if facts.python else ():
            if not each.level and each.module:
                asked = each.late and project.kind == "library"  # a part that its user asked for, with what it needs
                needed = facts.path in loaded and not (each.optional or each.typing or asked)
                found[each.module.partition(".")[0]].append((facts.path, each.line, needed))
    return found


def _undeclared(
    project: Project, declared: list[Requirement], used: dict[str, list[tuple[str, int, bool]]]
) -> Iterator[Finding]:
    known = {name for each in declared for name in _import_names(each)}
    for_developers = _only_for_developers(project, declared)
    known -= for_developers
    known |= {name for each in declared for name in COMES_WITH.get(each.key, ())}
    brought = {name for each in declared for name in BROUGHT_BY.get(each.key, ())}
    ours = project.modules.tops() | {normal(project.manifest.name).replace("-", "_")}
    folders = {part for path in project.files for part in path.split("/")[:-1]}
    for top, places in sorted(used.items()):
        if top in sys.stdlib_module_names or top in ours | folders | known | _SHARED or top.startswith("_"):
            continue
        needed = [place for place in places if place[2]]
        if top in for_developers:
            needed = [place for place in needed if _stands_free(project, *place[:2])]
        if needed:
            path, line, _ = needed[0]
            why = "only_developers" if top in for_developers else "brought along" if top in brought else "undeclared"
            yield Finding(
                kind="undeclared_dependency",
                rule=top,
                place=Place(path=path, line=line),
                others=tuple(Place(path=other, line=at) for other, at, _ in needed[1:4]),
                severity="low" if why == "brought along" else "medium",
                why=why,
                confidence=0.8,
                facts={"package": top, "imports": len(needed), "but": _BUT if top in for_developers else ""},
                evidence=project.evidence(path, line),
            )


def _only_for_developers(project: Project, declared: list[Requirement]) -> Set[str]:
    """Return the imports of packages that an application asks for in developers' parts alone, where it has others."""
    if project.kind == "library":
        return frozenset()
    asked = {True: set[str](), False: set[str]()}
    for each in declared:
        folder, _, name = each.path.rpartition("/")
        unsaid = folder.rpartition("/")[2] == "requirements" and not _FOR_DEVELOPERS.search(name)
        asked[each.development and not each.extra and not unsaid] |= _import_names(each) | COMES_WITH.get(
            each.key, frozenset()
        )
    return asked[True] - asked[False] if asked[False] else frozenset()


def _stands_free(project: Project, path: str, line: int) -> bool:
    """Return whether an import of the product runs wherever it is installed: under no condition, in no tool of ours."""
    text = project.text_of(path).split("\n")[line - 1]
    packaged = f"{path.rpartition('/')[0]}/__init__.py" in project.files
    used = any(project.files[edge.source].role == "source" for edge in project.edges_to.get(path, ()))
    return (packaged or used) and not text[:1].isspace() and not _FOR_DEVELOPERS.search(path)


def _unused(
    project: Project, declared: list[Requirement], used: dict[str, list[tuple[str, int, bool]]]
) -> Iterator[Finding]:
    words = {word.lower() for facts in project.of_role("data", "source") for word in facts.words}
    strings = {word.lower() for facts in project.of_role("source") if facts.python for word in facts.python.words}
    ours = {part for path in project.files for part in path.removesuffix(".py").split("/")}
    frozen = _frozen(project)
    around = {each.key for each in declared} | {name.lower().replace("_", "-") for name in used}
    seen: set[str] = set()
    for each in declared:
        if each.path in frozen:
            continue
        asked = each.key not in _FOR_TESTS and (
            not each.extra or project.kind == "library"
        )  # an extra of an application is for the application
        if (each.development and asked) or each.key in seen or _NOT_IMPORTED.match(each.key):
            continue
        if USED_BY.get(each.key, frozenset()) & around:
            continue
        seen.add(each.key)
        names = _import_names(each)
        if names & used.keys() or {name.lower() for name in names - ours} & strings or _named_elsewhere(each, words):
            continue
        yield unneeded(project, each, each.key, 0.75)


def _frozen(project: Project) -> Set[str]:
    """Return the manifests that a program wrote: with every package that comes along, each in one version only."""
    versions: dict[str, list[bool]] = defaultdict(list)
    for each in project.manifest.requirements:
        if each.path.endswith(".txt"):
            versions[each.path].append("==" in project.text_of(each.path).split("\n")[each.line - 1])
    return {path for path, pinned in versions.items() if len(pinned) >= _MANY_PINNED and all(pinned)}


def _import_names(each: Requirement) -> set[str]:
    plain = each.key.replace("-", "_")
    return {plain, each.name.replace("-", "_"), plain.removeprefix("python_"), *IMPORTED_AS.get(each.key, ())}


def _named_elsewhere(each: Requirement, words: set[str]) -> bool:
    """Return whether a settings or deployment file other than the manifest names the package's import."""
    return False if "-" not in each.key else each.key.replace("-", "_") in words
