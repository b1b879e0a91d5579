"""What a repository's manifests say: name, what it needs, what it starts, what it publishes."""

import ast
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import Any, Literal

NAMES = frozenset({"pyproject.toml", "setup.cfg", "setup.py", "package.json", "go.mod", "Cargo.toml", "pom.xml"})
Ecosystem = Literal["python", "node", "go"]
_ECOSYSTEMS: Mapping[str, Ecosystem] = MappingProxyType({"package.json": "node", "go.mod": "go"})
_REQUIREMENT = re.compile(r"^\s*([A-Za-z0-9][A-Za-z0-9._-]*)(?:\s*\[[^\]]*\])?\s*\(?([^;#()@]*)")
_GO_LINE = re.compile(r"^\s*(?:require\s+)?([\w.-]+\.[a-z]+/\S+)\s+(v\S+)(?!.*// indirect)")
_REQUIREMENTS_FILE = re.compile(
    r"(^|/)(requirements[^/]*|constraints[^/]*)\.(txt|in)$|(^|/)requirements/[^/]+\.(txt|in)$"
)
_DEVELOPMENT = re.compile(r"dev|test|doc|lint|ci|type|build|constraint", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Requirement:
    """A package a manifest asks for."""

    name: str
    """As written, without version and extras."""
    path: str
    line: int
    development: bool
    """For tests, documents or checks: nothing of the product imports it."""
    spec: str = ""
    """The versions it asks for, as written, for example `>=2,<3`; `""` for any."""
    extra: str = ""
    """The part of the product that needs it, for those who ask for it; `""` for none, and for developers' parts."""

    @property
    def ecosystem(self) -> Ecosystem:
        """Return whose package it is."""
        return _ECOSYSTEMS.get(PurePosixPath(self.path).name, "python")

    @property
    def key(self) -> str:
        """Return the name as package indexes compare it."""
        return normal(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """All manifests of a repository together."""

    name: str = ""
    requirements: tuple[Requirement, ...] = ()
    scripts: Mapping[str, str] = field(default_factory=dict)
    """Command to what it starts, `package.module:function`."""
    classifiers: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    """The manifests that were read."""
    problems: tuple[str, ...] = ()
    extras: tuple[str, ...] | None = None
    """The parts that can be asked for beside the product, None where nobody says."""
    private: bool = False
    """It says that it is not for publishing, or how it is started."""


def normal(name: str) -> str:
    """Return a package name in lower case with single hyphens (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()


def is_manifest(path: str) -> bool:
    """Return whether a file says what the repository needs."""
    return PurePosixPath(path).name in NAMES or bool(_REQUIREMENTS_FILE.search(path))


def read_manifests(paths: Iterable[str], text_of: Callable[[str], str]) -> Manifest:
    """Return what the manifests among `paths` say; one that cannot be read is a problem, not an error.

    Args:
        paths: Files of the repository; others than manifests are passed over.
        text_of: Returns a file's text.
    """
    name = ""
    classifiers: tuple[str, ...] = ()
    scripts: dict[str, str] = {}
    requirements: list[Requirement] = []
    read, problems = [], []
    private, unsaid = False, False
    extras: tuple[str, ...] | None = None
    # The outermost first, and of those the one that names a Python project.
    for path in sorted(filter(is_manifest, paths), key=lambda each: (each.count("/"), "pyproject" not in each, each)):
        reader = _READERS.get(PurePosixPath(path).name, _requirements_txt if _REQUIREMENTS_FILE.search(path) else None)
        if reader is None:
            read.append(path)
            continue
        try:
            found = reader(path, text_of(path))
        except (
            ValueError,
            TypeError,
            AttributeError,
            SyntaxError,
            RecursionError,
        ) as error:  # broken syntax, or a field of another type
            problems.append(f"{path}: {error}")
            continue
        read.append(path)
        name = name or found.name
        classifiers = classifiers or found.classifiers
        scripts.update(found.scripts)
        requirements += found.requirements
        private = private or found.private
        if found.extras is not None:
            extras = (*(extras or ()), *found.extras)
        unsaid = unsaid or PurePosixPath(path).name in ("setup.py", "setup.cfg")
    return Manifest(
        name=name,
        requirements=tuple(requirements),
        scripts=scripts,
        classifiers=classifiers,
        paths=tuple(read),
        problems=tuple(problems),
        private=private,
        extras=None if unsaid else extras,
    )


def _requirements_txt(path: str, text: str) -> Manifest:
    development = bool(_DEVELOPMENT.search(PurePosixPath(path).stem)) or "/requirements/" in f"/{path}"
    rows = (
        (number, line) for number, line in enumerate(text.splitlines(), 1) if not line.lstrip().startswith(("#", "-"))
    )
    matches = ((number, _REQUIREMENT.match(line)) for number, line in rows)
    found = (
        Requirement(name=match[1], path=path, line=number, development=development, spec=match[2].strip())
        for number, match in matches
        if match
    )
    return Manifest(requirements=tuple(found))


def _pyproject(path: str, text: str) -> Manifest:
    data = tomllib.loads(text)
    project: dict[str, Any] = data.get("project", {})
    poetry: dict[str, Any] = data.get("tool", {}).get("poetry", {})
    wanted = [(str(spec), False) for spec in project.get("dependencies", [])]
    wanted += [
        (_of_poetry(name, asked), False) for name, asked in poetry.get("dependencies", {}).items() if name != "python"
    ]
    extras: dict[str, Any] = project.get("optional-dependencies", {})
    for specs in extras.values():
        wanted += [(str(spec), True) for spec in specs]  # an extra is asked for by those who need it
    for specs in data.get("dependency-groups", {}).values():
        wanted += [(spec, True) for spec in specs if isinstance(spec, str)]
    for group in poetry.get("group", {}).values():
        wanted += [(_of_poetry(name, asked), True) for name, asked in group.get("dependencies", {}).items()]
    requirements = tuple(
        Requirement(
            name=match[1],
            path=path,
            line=_line_of(text, match[1]),
            development=development,
            spec=match[2].strip(),
            extra=_extra_of(spec, extras),
        )
        for spec, development in wanted
        if (match := _REQUIREMENT.match(spec))
    )
    scripts = {**project.get("scripts", {}), **project.get("gui-scripts", {}), **poetry.get("scripts", {})}
    name = str(project.get("name") or poetry.get("name") or "")
    return Manifest(
        name=name,
        requirements=requirements,
        scripts={command: str(target) for command, target in scripts.items()},
        classifiers=tuple(map(str, project.get("classifiers", ()))),
        extras=(*extras, *poetry.get("extras", {}))
        if "optional-dependencies" not in project.get("dynamic", ())
        else None,
    )


def _extra_of(spec: str, extras: Mapping[str, Any]) -> str:
    """Return the part of the product that asks for a package, `""` where only developers do."""
    names = (name for name, specs in extras.items() if spec in map(str, specs) and not _DEVELOPMENT.search(name))
    return next((name for name in names if name not in ("all", "full", "complete")), "")


def _package_json(path: str, text: str) -> Manifest:
    data = json.loads(text)
    requirements = tuple(
        Requirement(name=name, path=path, line=_line_of(text, name), development=key != "dependencies", spec=str(asked))
        for key in ("dependencies", "devDependencies", "peerDependencies")
        for name, asked in (data.get(key) or {}).items()
    )
    starts = isinstance(data.get("scripts"), dict) and "start" in data["scripts"]
    private = bool(data.get("private") or data.get("bin") or starts)
    return Manifest(name=str(data.get("name") or ""), requirements=requirements, private=private)


def _of_poetry(name: str, asked: Any) -> str:
    """Return a requirement of poetry as one text; `*` is any version."""
    version = asked.get("version", "") if isinstance(asked, dict) else asked
    return f"{name} {version}" if isinstance(version, str) and version != "*" else name


def _go_mod(path: str, text: str) -> Manifest:
    """Return what a go.mod asks for itself; what others need is marked as indirect."""
    matches = ((number, _GO_LINE.match(line)) for number, line in enumerate(text.splitlines(), 1))
    found = (
        Requirement(name=match[1], path=path, line=number, development=False, spec=match[2])
        for number, match in matches
        if match
    )
    return Manifest(requirements=tuple(found))


def _setup_py(path: str, text: str) -> Manifest:
    """Return what the call of `setup` says in plain literals and names of literals; the file is read, never run."""
    tree = ast.parse(text)
    named = _literals(tree)
    found: dict[str, Any] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).endswith("setup"):
            for keyword in node.keywords:
                if isinstance(keyword.value, ast.Name) and keyword.value.id in named:
                    found[keyword.arg or ""] = named[keyword.value.id]
                with suppress(ValueError):
                    found[keyword.arg or ""] = ast.literal_eval(keyword.value)
            if any(keyword.arg == "install_requires" for keyword in node.keywords) and "install_requires" not in found:
                raise ValueError("install_requires is computed: what is declared cannot be read without running it")
    requirements = tuple(
        Requirement(name=match[1], path=path, line=_line_of(text, match[1]), development=False)
        for spec in found.get("install_requires", ())
        if (match := _REQUIREMENT.match(str(spec)))
    )
    classifiers = tuple(map(str, found.get("classifiers", ())))
    return Manifest(name=str(found.get("name", "")), requirements=requirements, classifiers=classifiers)


def _literals(tree: ast.Module) -> dict[str, Any]:
    """Return the names a module gives to plain values at its top level."""
    found: dict[str, Any] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            with suppress(ValueError):
                found[node.targets[0].id] = ast.literal_eval(node.value)
    return found


def _setup_cfg(path: str, text: str) -> Manifest:
    name = re.search(r"^name\s*=\s*(\S+)", text, re.MULTILINE)
    block = re.search(r"^install_requires\s*=((?:\s*\n[ \t]+\S.*)+)", text, re.MULTILINE)
    specs = block[1].split("\n") if block else []
    requirements = tuple(
        Requirement(name=match[1], path=path, line=_line_of(text, spec.strip()), development=False)
        for spec in specs
        if (match := _REQUIREMENT.match(spec))
    )
    classifiers = tuple(re.findall(r"^\s+(\w[\w /-]* :: .+)$", text, re.MULTILINE))
    return Manifest(name=name[1] if name else "", requirements=requirements, classifiers=classifiers)


def _line_of(text: str, word: str) -> int:
    """Return the first line that has the word as a whole, 1 where none has."""
    pattern = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])")
    return next((number for number, line in enumerate(text.splitlines(), 1) if pattern.search(line)), 1)


_READERS: Mapping[str, Callable[[str, str], Manifest]] = MappingProxyType(
    {
        "pyproject.toml": _pyproject,
        "package.json": _package_json,
        "setup.cfg": _setup_cfg,
        "setup.py": _setup_py,
        "go.mod": _go_mod,
    }
)
