"""The addresses below view sets of Django REST framework: what their bases, methods and actions answer."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from ...known.project import Project

_REGISTERED = re.compile(r"\.register\(\s*r?[\"']\^?/?([^\"'\s]*?)/?[\"']\s*,\s*([\w.]+)")
_CLASS = re.compile(r"^class (\w+)\(([^)]*)\):(.*(?:\n(?:[ \t#)].*)?)*)", re.MULTILINE)
_ROUTERS = re.compile(r"=\s*(?:\w+\.)?(\w*Router)\(")
_KNOWN_ROUTERS = frozenset({"DefaultRouter", "SimpleRouter", "NestedDefaultRouter", "NestedSimpleRouter"})
_ARGUMENTS = r"\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)"
_ACTION = re.compile(
    rf"@(?:\w+\.)?action{_ARGUMENTS}[^\n]*\n(?:[ \t]*(?:@.*|[)\]}}].*|#.*)?\n)*?[ \t]+(?:async )?def (\w+)\("
)
_MAPPED = re.compile(r"@(\w+)\.mapping\.(\w+)")
_METHODS = re.compile(r"methods\s*=\s*[\[({]([\"'\w,\s]*)[\])}]")
_PATH = re.compile(r"url_path\s*=\s*r?([\"'])(.*?)\1")
_ODD = re.compile(r"lookup_value_regex|detail_route|list_route|url_path\s*=\s*[^\s\"'r]")
"""What is not followed."""
_ALL = ("list", "create", "retrieve", "update", "partial_update", "destroy")
_GIVE: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "ModelViewSet": _ALL,
        "ReadOnlyModelViewSet": ("list", "retrieve"),
        "GenericViewSet": (),
        "ViewSet": (),
        "ListModelMixin": ("list",),
        "CreateModelMixin": ("create",),
        "RetrieveModelMixin": ("retrieve",),
        "UpdateModelMixin": ("update", "partial_update"),
        "DestroyModelMixin": ("destroy",),
    }
)
_ANSWERS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "list": ("GET", ""),
        "create": ("POST", ""),
        "retrieve": ("GET", "/{}"),
        "update": ("PUT", "/{}"),
        "partial_update": ("PATCH", "/{}"),
        "destroy": ("DELETE", "/{}"),
    }
)
_METHOD = re.compile(rf"^\s+(?:async )?def ({'|'.join(_ALL)})\(", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ViewSet:
    """A class as its file writes it."""

    bases: tuple[str, ...]
    body: str
    twice: bool = False
    """Whether another class of the repository has its name."""


def view_sets(project: Project) -> Mapping[str, ViewSet]:
    """Return the classes of the modules that import Django REST framework, by name."""
    found: dict[str, ViewSet] = {}
    for facts in project.of_role("source"):
        if facts.python and any(each.module.startswith("rest_framework") for each in facts.python.imports):
            for name, bases, body in _CLASS.findall(project.text_of(facts.path)):
                plain = tuple(each.strip().rpartition(".")[2] for each in bases.split(",") if each.strip())
                read = ViewSet(plain, body)
                found[name] = replace(read, twice=True) if name in found else read
    return found


def registered(text: str, known: Mapping[str, ViewSet]) -> Iterator[tuple[str, str]]:
    """Yield method and address of all that a module registers at its routers; `/name/*` where it cannot be told."""
    plain = {*_ROUTERS.findall(text)} <= _KNOWN_ROUTERS
    for prefix, spoken in _REGISTERED.findall(text):
        answered = _answered(spoken.rpartition(".")[2], known) if plain and prefix else None
        if answered is None:
            yield "*", f"/{prefix}/*" if prefix else "/*"
            continue
        for verb, end in answered:
            yield verb, f"/{prefix}{end}"
            yield verb, f"/{prefix}{end}.{{}}"  # with the name of a format


def _answered(name: str, known: Mapping[str, ViewSet]) -> set[tuple[str, str]] | None:
    """Return what a view set answers, by method and end of address; None where one of its bases is not known."""
    if name in _GIVE:
        return {_ANSWERS[each] for each in _GIVE[name]}
    found = known.get(name)
    if found is None or found.twice or _ODD.search(found.body) or "=" in "".join(found.bases):
        return None
    answered = {_ANSWERS[each] for each in _METHOD.findall(found.body)} | set(_actions(found.body))
    for base in found.bases:
        inherited = _answered(base, {each: known[each] for each in known if each != name})
        if inherited is None:
            return None
        answered |= inherited
    return answered


def _actions(body: str) -> Iterator[tuple[str, str]]:
    ends: dict[str, str] = {}
    for arguments, name in _ACTION.findall(body):
        path, methods = _PATH.search(arguments), _METHODS.search(arguments)
        own = path[2].strip("/^$") if path else name
        ends[name] = f"/{{}}/{own}" if re.search(r"detail\s*=\s*True", arguments) else f"/{own}"
        verbs = re.findall(r"\w+", methods[1]) if methods else ["*" if "methods" in arguments else "get"]
        yield from ((verb.upper(), ends[name]) for verb in verbs)
    yield from ((verb.upper(), ends[name]) for name, verb in _MAPPED.findall(body) if name in ends)
