"""Views of Django REST framework: whom their permissions let in, and those that give everybody every row."""

import ast
import re
from collections.abc import Iterator, Mapping

from ...facts.requests import View
from ...syntax.walking import every_node

_VIEW = re.compile(r"(?:View|ViewSet|Mixin)$")
_GIVES_ONE = re.compile(
    r"(?:^|\.)(?:(?:ReadOnly)?ModelViewSet|Retrieve\w*APIView|UpdateAPIView|DestroyAPIView|(?:Retrieve|Update|Destroy)ModelMixin)$"
)
_ONLY_READS = re.compile(r"(?:^|\.)(?:ReadOnlyModelViewSet|RetrieveAPIView|RetrieveModelMixin)$")
_SIGNED = re.compile(
    r"^[\[(]?(?:\w+\.)?Is(?!\w*(?:ReadOnly|Own|Object|Self|Author|Mine|Party|Participant|Admin|Staff|Super|Manager|Office"
    r"|Operator|Internal))[A-Z]\w*,?[)\]]?$"
)
"""One class that asks who somebody is, and no more."""
_PICKS = frozenset({"get_queryset", "filter_queryset", "get_object", "get_permissions", "check_object_permissions"})
"""Methods by which a view chooses the rows of whoever asks."""
_ROWS = re.compile(r"^([A-Z]\w*)\.objects\b(?!.*request)", re.S)


def signed_in(permissions: str) -> bool:
    """Return whether permissions let in whoever is signed in, without a look at the row."""
    return bool(_SIGNED.match(permissions))


def permissions(tree: ast.Module) -> Mapping[int, str]:
    """Return, by the identity of a method of a view, the permissions it is under: its own, or those of its class."""
    found = {}
    for node in every_node(tree):
        if isinstance(node, ast.ClassDef) and _is_view(node):
            of_all = _assigned(node, "permission_classes")
            for each in node.body:
                if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
                    found[id(each)] = _of_action(each) or of_all
    return found


def whole_views(tree: ast.Module) -> Iterator[View]:
    """Yield views that give any row of a class to whoever is signed in: nothing in them chooses."""
    for node in every_node(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        bases = [ast.unparse(each) for each in node.bases]
        methods = {each.name for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}
        rows = _ROWS.match(_assigned(node, "queryset"))
        gives = any(map(_GIVES_ONE.search, bases)) and not methods & _PICKS and not _assigned(node, "filter_backends")
        own = all(re.search(r"(?:^|\.)(?:\w*APIView|\w*ViewSet|\w*Mixin)$", each) for each in bases)
        if gives and own and rows and signed_in(_assigned(node, "permission_classes")):
            verb = "get" if any(map(_ONLY_READS.search, bases)) else "put"
            yield View(node.lineno, node.end_lineno or node.lineno, node.name, verb, [rows[1]], whole=True)


def _is_view(node: ast.ClassDef) -> bool:
    return any(_VIEW.search(ast.unparse(each)) for each in node.bases)


def _assigned(node: ast.ClassDef, name: str) -> str:
    """Return what a class sets a name to, `""` where it does not."""
    for each in node.body:
        if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) == name:
            return ast.unparse(each.value)
    return ""


def _of_action(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    for each in node.decorator_list:
        for word in each.keywords if isinstance(each, ast.Call) else ():
            if word.arg == "permission_classes":
                return ast.unparse(word.value)
    return ""
