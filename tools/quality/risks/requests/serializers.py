"""Serializers of REST that take every column of a model, and the views that let them write."""

import ast
import re
from collections.abc import Iterator

from ...facts.code import Risk
from ...facts.requests import Handed
from ...syntax.walking import every_node

_WRITES = re.compile(
    r"(?:(?<!ReadOnly)ModelViewSet|(?:Create|Update)ModelMixin|(?:Create|Update)APIView|UpdateDestroyAPIView)$"
)
TAKES = "data"
"""The argument by which a serializer is handed what came in."""


def open_serializers(tree: ast.Module) -> Iterator[Risk]:
    """Yield `fields = "__all__"` of serializers with no column read-only: a hole where a view writes with them."""
    for node in every_node(tree):
        if not isinstance(node, ast.ClassDef) or not any("ModelSerializer" in ast.unparse(base) for base in node.bases):
            continue
        inside = [each for meta in node.body if isinstance(meta, ast.ClassDef) for each in meta.body]
        written = {ast.unparse(each.targets[0]): each for each in inside if isinstance(each, ast.Assign)}
        fields = written.get("fields")
        every = fields is not None and ast.unparse(fields.value) in (
            "'__all__'",
            "serializers.ALL_FIELDS",
            "ALL_FIELDS",
        )
        if fields is not None and every and "read_only_fields" not in written:
            yield Risk(fields.lineno, fields.lineno, "every-column", node.name, given=node.name, parameter=TAKES)


def writing_views(tree: ast.Module) -> Iterator[Handed]:
    """Yield the serializers of views that create or change rows, as handed what came in."""
    for node in every_node(tree):
        if not isinstance(node, ast.ClassDef) or not any(_WRITES.search(ast.unparse(base)) for base in node.bases):
            continue
        written = {
            ast.unparse(each.targets[0]): ast.unparse(each.value) for each in node.body if isinstance(each, ast.Assign)
        }
        methods = written.get("http_method_names", "post")
        named = written.get("serializer_class", "")
        if re.search(r"post|put|patch", methods) and re.fullmatch(r"\w+(?:\.\w+)?", named):
            yield Handed(named, TAKES)
