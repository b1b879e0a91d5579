"""Definitions of JavaScript, TypeScript, Java and Go that nobody names: only what an outsider cannot need is told.

What a file exports counts as used when any other file, page or configuration names it; what it keeps to itself, when
its own file does (in Go, its package). Methods are left to their callers, but Java's private ones are not.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from functools import cached_property, partial

from .....state.report import Finding
from ...facts.code import Defined
from ...facts.file import FileFacts
from ...facts.tree import TreeFacts
from ...known.project import Project
from .findings import unused
from .reach import unreached

_ALWAYS = frozenset({"", "exported"})
"""Reasons of `Defined.kept` that do not keep by themselves."""
_CALLED_BY_FRAMEWORKS = frozenset(
    {
        *("getServerSideProps", "getStaticProps", "getStaticPaths", "generateStaticParams", "generateMetadata"),
        *("loader", "action", "meta", "links", "headers", "handler", "middleware", "config", "setup", "teardown"),
        *("GET", "POST", "PUT", "PATCH", "DELETE", "activate", "deactivate", "register"),
    }
)
_SETTINGS = re.compile(r"(\.config|rc|\.setup|\.stories|\.d)\.[cm]?[jt]sx?$")


def dead_elsewhere(project: Project) -> Iterator[Finding]:
    """Yield unused functions, classes and types of files read by tree-sitter."""
    names = _Names(project)
    for facts in project.of_role("source"):
        if facts.tree is None or _SETTINGS.search(facts.path):
            continue
        tree = facts.tree
        dead = unreached(tree.defined, tree.inner, partial(names.keeps, facts))
        for each in tree.defined:
            if each.name in dead:
                yield _finding(project, facts, each, only_tests=each.name in names.in_tests)
        for each in tree.methods:
            if each.owner not in dead and names.is_idle(each):
                yield _finding(project, facts, each, only_tests=each.name in names.in_tests)


class _Names:
    """Who names what."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def keeps(self, facts: FileFacts, each: Defined) -> bool:
        """Return whether a definition is used from outside of its file, or needs no user."""
        if each.kept not in _ALWAYS or each.name in _CALLED_BY_FRAMEWORKS:
            return True
        assert facts.tree is not None
        if facts.language == "java" and not each.kept:
            return each.name in facts.tree.used
        if facts.language == "go" and not each.kept:
            return bool(self._users.get(each.name, set()) & self._package(facts.path))
        if each.kept and not self._starts.get(_family(facts.language)):
            return True  # nothing here starts: what is exported is the product
        seen_by_all = bool(each.kept) or not _is_module(facts.tree)
        return seen_by_all and (bool(self._users.get(each.name, set()) - {facts.path}) or each.name in self._texts)

    def is_idle(self, each: Defined) -> bool:
        """Return whether nothing names a method; where nothing starts, they are for whoever imports the class."""
        named = each.name in self._users or each.name in self._texts or each.name in _CALLED_BY_FRAMEWORKS
        return bool(self._starts.get("script")) and not named

    @cached_property
    def in_tests(self) -> Set[str]:
        """Return the names that tests use."""
        return {
            name
            for facts in self._project.of_role("test")
            if facts.tree
            for name in (*facts.tree.used, *(each.name for each in facts.tree.imports))
        }

    @cached_property
    def _starts(self) -> Mapping[str, bool]:
        """Return, by family of languages, whether the repository starts something in it, or is only imported."""
        started = {"script": self._project.kind != "library"}
        for facts in self._project.files.values():
            if facts.tree and any(each.kept == "started" and each.name != "init" for each in facts.tree.defined):
                started[facts.language] = True
        return started

    def _package(self, path: str) -> Set[str]:
        folder = path.rpartition("/")[0]
        return {other for other in self._project.files if other.rpartition("/")[0] == folder} - {path}

    @cached_property
    def _users(self) -> Mapping[str, set[str]]:
        """Return, by name, the files other than tests that use, import or hand it on."""
        found: dict[str, set[str]] = defaultdict(set)
        for facts in self._project.files.values():
            if facts.tree and facts.role != "test":
                for name in (*facts.tree.used, *(each.name for each in facts.tree.imports)):
                    found[name].add(facts.path)
        return found

    @cached_property
    def _texts(self) -> Set[str]:
        """Return the words of strings, pages and configuration files."""
        found: set[str] = set()
        for facts in self._project.files.values():
            if facts.tree and facts.role != "test":
                found.update(facts.tree.words)
            elif not facts.language or facts.generated:
                found.update(facts.words if facts.role == "data" or facts.path.endswith((".html", ".htm")) else ())
        return found


def _family(language: str) -> str:
    return language if language in ("java", "go") else "script"


def _is_module(tree: TreeFacts) -> bool:
    """Return whether a script imports or exports: the functions of one that does neither are seen by all pages."""
    return bool(tree.imports) or any(each.kept == "exported" or each.kept == "default" for each in tree.defined)


def _finding(project: Project, facts: FileFacts, each: Defined, *, only_tests: bool) -> Finding:
    return unused(
        project,
        facts.path,
        (each.line, each.end),
        what=each.what,
        name=each.name,
        reason="only tests refer to it" if only_tests else "nothing refers to it",
        only_tests=only_tests,
        confidence=0.65 if only_tests else 0.75,
    )
