"""Forms and calls by which whoever sends a request may set every column of a row."""

import ast
import re
from collections.abc import Iterator

from ...facts.code import Risk
from ...syntax.walking import every_node, written
from ..requests.received import functions

_FORM = re.compile(r"(?:^|\.)(?:ModelForm|\w*ModelForm)$")
_SENT = re.compile(
    r"^(?:(?:flask\.)?request|req|self\.request)\.(?:json|data|form|POST|get_json\(.*\)|form\.to_dict\(.*\)|POST\.dict\(\)|GET|args)$"
    r"|^await request\.(?:json|form)\(\)$"
)
_CHECKS = re.compile(
    r"Schema|schema|validate|Form\(|Serializer|parse_obj|whitelist|allowed|ALLOWED|FIELDS|EDITABLE", re.I
)
_MAKES_ROWS = re.compile(
    r"(?:^|\.)(?:create|insert|values|update_or_create|get_or_create|insert_one)$|(?:filter|query|objects|where).*\.update$"
)


def every_column(tree: ast.Module) -> Iterator[Risk]:
    """Yield them with the line that opens the columns."""
    for node in every_node(tree):
        if isinstance(node, ast.ClassDef):
            yield from _of_class(node)
    for function, _ in functions(tree):
        sent = {
            ast.unparse(each.targets[0])
            for each in every_node(function)
            if isinstance(each, ast.Assign) and _SENT.match(ast.unparse(each.value).removesuffix(" or {}"))
        }
        if _CHECKS.search(written(function)):
            continue
        for call in every_node(function):
            if not isinstance(call, ast.Call):
                continue
            name = ast.unparse(call.func)
            made = bool(_MAKES_ROWS.search(name)) or bool(re.match(r"(?:models\.)?[A-Z][a-z]\w*$", name))
            spread = [ast.unparse(each.value) for each in call.keywords if each.arg is None]
            if made and any(_SENT.match(each) or each in sent for each in spread):
                yield Risk(call.lineno, call.end_lineno or call.lineno, "set-by-user", name)


def _of_class(node: ast.ClassDef) -> Iterator[Risk]:
    """Yield `fields = "__all__"` of a form; what it leaves out is named by `exclude`, and a new column forgotten."""
    bases = [ast.unparse(each) for each in node.bases]
    if not any(_FORM.search(each) for each in bases) or re.search(r"Admin|Staff|Manager|Office|Backend", node.name):
        return
    lines = [
        line for inner in node.body if isinstance(inner, ast.ClassDef) and inner.name == "Meta" for line in inner.body
    ]
    for each in lines:
        if isinstance(each, ast.Assign) and ast.unparse(each) == "fields = '__all__'":
            yield Risk(each.lineno, each.lineno, "every-column", node.name)
