"""Python definitions nobody refers to.

A function or class counts as used when a file that can see it uses its name, when a string, a template or a
configuration file holds it, or when something of its own file that is used itself needs it. Methods go by their name
alone. In a library the public names are its product and never dead.
"""

from collections import defaultdict
from collections.abc import Iterator, Set
from functools import cached_property, partial

from .....state.report import Finding, Severity
from ...facts.code import Defined
from ...facts.file import FileFacts
from ...known.project import Project
from ...reading.python.kept import TASK, finds_nobody, may_override
from .findings import unused
from .reach import Sight, meant_otherwise, unreached

_STARTED_BY_NAME = frozenset(
    {"main", "create_app", "make_app", "application", "app", "handler", "lambda_handler", "cli"}
)
_TEMPLATES = (".html", ".htm", ".j2", ".jinja", ".jinja2", ".xml", ".mako", ".txt")
_SCHEDULED_ELSEWHERE = frozenset(
    {"django_celery_beat", "DatabaseScheduler", "redbeat", "RedBeatScheduler", "send_task"}
)
"""What runs tasks by names that stand in a database or are made up at run time."""
_FINDS = frozenset({"import_module", "__import__", "import_string", "load_object", "run_module", "find_spec"})


def dead_code(project: Project) -> Iterator[Finding]:
    """Yield unused functions, classes, methods and properties of Python files."""
    names = _Names(project)
    for facts in project.of_role("source"):
        if facts.python is None:
            continue
        outer = [each for each in facts.python.defined if not each.owner]
        dead = unreached(outer, facts.python.inner, partial(names.keeps, facts))
        for each in facts.python.defined:
            if each.name in dead if not each.owner else names.is_idle(facts, each) and each.owner not in dead:
                yield _finding(project, facts, each, only_tests=names.in_tests(facts, each))


class _Names:
    """Who uses which name, and what is used without being named."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._sight = Sight(project.edges)
        self._seen: dict[str, Set[str]] = {}
        self._bases = _local_classes(project)
        self._made = tuple({each for facts in project.files.values() if facts.python for each in facts.python.prefixes})
        self._wrapping = {each for facts in project.files.values() if facts.python for each in facts.python.wrapping}
        self._otherwise = meant_otherwise(facts for facts in project.files.values() if facts.role != "test")
        self._public_is_api = project.kind in ("library", "data project")

    def keeps(self, facts: FileFacts, each: Defined) -> bool:
        """Return whether an outermost definition is used from outside of its file, or needs no user."""
        if self._needs_no_user(facts, each) or (each.name in self._texts and each.kept != "of templates"):
            return True
        users = self._users.get(each.name, set())
        if each.what == "function":
            users = users - (self._otherwise.get(each.name, set()) - {facts.path})
        return bool(users) and not users.isdisjoint(self._seeing(facts.path))

    def is_idle(self, facts: FileFacts, each: Defined) -> bool:
        """Return whether nothing uses the name of a method or of an inner definition."""
        return not (self._needs_no_user(facts, each) or each.name in self._texts or each.name in self._users)

    def in_tests(self, facts: FileFacts, each: Defined) -> bool:
        """Return whether a test uses the name."""
        users = self._test_users.get(each.name, set())
        return bool(users if each.owner else users & self._seeing(facts.path))

    def _needs_no_user(self, facts: FileFacts, each: Defined) -> bool:
        return (
            (bool(each.kept) and not self._overrides_nothing(each) and not self._is_asked_for(facts, each))
            or each.name.startswith(self._made)
            or each.name in _STARTED_BY_NAME
            or (self._public_is_api and (_is_public(each, facts.path) or self._is_handed_on(facts, each)))
            or (each.what == "class" and _found_by_base(each.name, self._bases, frozenset()))
        )

    def _is_asked_for(self, facts: FileFacts, each: Defined) -> bool:
        """Return whether somebody has to name what is decorated: it is only wrapped, or no template names it."""
        if each.by == [TASK]:
            return self._tasks_are_named
        if each.kept == "decorated":
            return bool(each.by) and self._wrapping.issuperset(each.by)
        return each.kept == "of templates" and self._is_quiet(facts, each)

    @cached_property
    def _tasks_are_named(self) -> bool:
        """Return whether tasks of queues are called or scheduled by name here: no table of a database holds when."""
        sources = [facts.python for facts in self._project.of_role("source") if facts.python]
        if any(_SCHEDULED_ELSEWHERE.intersection((*code.words, *code.used)) for code in sources):
            return False
        tasks = {each.name for code in sources for each in code.defined if each.by == [TASK]}
        return any(name in self._users or name in self._texts for name in tasks)

    def _is_quiet(self, facts: FileFacts, each: Defined) -> bool:
        """Return whether no template names a filter or tag, and no other file spells it."""
        names = {each.name, *each.by}
        others = (other for other in self._project.files.values() if other.path != facts.path)
        return not any(
            names.intersection((*other.python.words, *other.python.used) if other.python else other.words)
            for other in others
            if other.role != "doc" or other.path.endswith(_TEMPLATES)
        )

    def _is_handed_on(self, facts: FileFacts, each: Defined) -> bool:
        """Return whether a package offers a definition, or the class it is in, though its module is private."""
        outermost = each.owner or each.name
        exported = facts.python is not None and any(
            other.name == outermost and other.kept == "exported" for other in facts.python.defined
        )
        offered = bool({(facts.path, outermost), (facts.path, "*")} & self._offered)
        return (exported or offered) and not each.name.startswith("_")

    @cached_property
    def _offered(self) -> Set[tuple[str, str]]:
        """Return the names that packages import from their modules, with the modules' paths."""
        return {(edge.target, edge.name) for edge in self._project.edges if edge.source.endswith("__init__.py")}

    def _overrides_nothing(self, each: Defined) -> bool:
        """Return whether a method has only bases of the product above it, and none of them has it."""
        return each.kept == "may override" and not self._is_above(each.owner, each.name, frozenset())

    def _is_above(self, owner: str, name: str, seen: Set[str]) -> bool:
        """Return whether a base has a method, or is not known."""
        return any(
            (base not in self._bases and may_override(name, [base]))
            or name in self._methods.get(base, ())
            or (base not in seen and self._is_above(base, name, seen | {base}))
            for base in self._bases.get(owner, ())
        )

    @cached_property
    def _methods(self) -> dict[str, set[str]]:
        """Return, by class, the names it defines."""
        found: dict[str, set[str]] = defaultdict(set)
        for facts in self._project.files.values():
            for each in facts.python.defined if facts.python else ():
                found[each.owner].add(each.name)
        return found

    def _seeing(self, path: str) -> Set[str]:
        """Return the files that can mean what a file defines: by their imports, or by the file's name in one."""
        if path not in self._seen:
            stem = path.removesuffix("/__init__.py").removesuffix(".py").rpartition("/")[2]
            looked_for = {each for each in self._finders if stem in self._finders[each]}
            self._seen[path] = self._sight.of(path) | self._by_last_part.get(stem, set()) | looked_for
        return self._seen[path]

    @cached_property
    def _finders(self) -> dict[str, Set[str]]:
        """Return the files that import by a name made at run time, with the words they know."""
        return {
            facts.path: frozenset(facts.python.words)
            for facts in self._project.of_role("source")
            if facts.python and _FINDS.intersection(facts.python.used)
        }

    @cached_property
    def _by_last_part(self) -> dict[str, set[str]]:
        """Return, by the last part of what is imported, the files that import it: some paths are made at run time."""
        found: dict[str, set[str]] = defaultdict(set)
        for path, facts in self._project.files.items():
            for each in facts.python.imports if facts.python else ():
                found[each.module.rpartition(".")[2]].add(path)
                found[each.name].add(path)
        return found

    @cached_property
    def _users(self) -> dict[str, set[str]]:
        """Return, by name, the files other than tests that use it."""
        return _users_of(facts for facts in self._project.files.values() if facts.role != "test")

    @cached_property
    def _test_users(self) -> dict[str, set[str]]:
        return _users_of(self._project.of_role("test"))

    @cached_property
    def _texts(self) -> Set[str]:
        """Return the words of strings, templates and configuration files by which a name may be looked up."""
        found: set[str] = set()
        for facts in self._project.files.values():
            if facts.role == "test":
                continue
            if facts.python:
                found.update(facts.python.words)
            elif facts.role == "data" or facts.path.endswith(_TEMPLATES):
                found.update(facts.words)
        return found


def _users_of(files: "Iterator[FileFacts]") -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for facts in files:
        if facts.python:
            for name in facts.python.used:
                found[name].add(facts.path)
    return found


def _is_public(each: Defined, path: str) -> bool:
    private_module = any(part.startswith("_") and not part.startswith("__") for part in path.split("/"))
    return not each.name.startswith("_") and not private_module


def _local_classes(project: Project) -> dict[str, list[str]]:
    """Return the bases of every class of the product, by name."""
    return {
        name: bases for facts in project.of_role("source") if facts.python for name, bases in facts.python.bases.items()
    }


def _found_by_base(name: str, local: dict[str, list[str]], seen: frozenset[str]) -> bool:
    """Return whether a class has a base from elsewhere, which may find it: a model, a command, a plugin.

    Errors are raised by name only, so theirs do not count.
    """
    if name in seen:
        return False
    return any(
        _found_by_base(base, local, seen | {name}) if base in local else not finds_nobody(base)
        for base in local.get(name, ())
    )


def _finding(project: Project, facts: FileFacts, each: Defined, *, only_tests: bool) -> Finding:
    weak = each.what in ("method", "property")
    level: Severity = "low" if each.end - each.line + 1 >= 5 or not weak else "info"
    return unused(
        project,
        facts.path,
        (each.line, each.end),
        what=each.what,
        name=f"{each.owner}.{each.name}" if each.owner else each.name,
        reason="only tests refer to it" if only_tests else "nothing refers to it",
        only_tests=only_tests,
        severity=level,
        confidence=0.6 if weak else 0.7 if only_tests else 0.85,
    )
