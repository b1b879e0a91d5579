"""What goes into a log and should not: whole requests, and what is nobody else's business."""

import ast
import re
from collections.abc import Iterator, Set

from ...facts.code import Risk
from ...syntax.names import Function, last_name
from ...syntax.walking import every_node
from ..requests.received import functions, is_handler

_LOGS = re.compile(r"(?:^|\.)_?log(?:ger|ging)?\.(?:debug|info|warning|error|exception|critical|log)$|^print$", re.I)
_WHOLE = re.compile(
    r"\b(?:request|req)\.(?:json|form|POST|data|body|get_json\(.*?\)|get_data\(.*?\)|values|headers|cookies|META)\b(?![.\[]\w|\.get|\[)"
)
"""All of what somebody sent."""
_DUMPS = re.compile(r"^(?P<of>\w+)\.(?:model_dump|model_dump_json|dict|json|to_dict|as_dict)\(\)$")
_SENT = re.compile(r"^(?:body|payload|data|form|new_\w+|changes|command|request_body|registration|signup|application)$")
_PERSONAL = re.compile(
    r"(?:^|_)(?:iban|bic|account_(?:number|no)|card_(?:number|no)|pan|cvc|ssn|social_security\w*|passport\w*|tax_id"
    r"|national_id|id_card\w*|birth_?(?:day|date)|born(?:_on)?|date_of_birth|dob|diagnosis|allerg(?:y|ies)|salary"
    r"|medical\w*|health_\w+)$"
)
_BY_HAND = re.compile(r"mask|redact|hash|last4|\[-\d:?\]|\[:\d\]|anonym", re.I)


def logged(tree: ast.Module) -> Iterator[Risk]:
    """Yield lines of a log with what people entrusted to the program."""
    for node, owner in functions(tree):
        handled = is_handler(node, owner)
        bodies = _bodies(node) if handled else frozenset()
        for call in every_node(node):
            if not isinstance(call, ast.Call) or not (name := _log_name(call)):
                continue
            if name == "print" and not handled:
                continue
            values = [part for each in (*call.args, *(kw.value for kw in call.keywords)) for part in _parts(each)]
            told = next((each for each in values if _is_told(each, bodies)), None)
            if told is not None:
                yield Risk(call.lineno, call.end_lineno or call.lineno, "personal-in-log", ast.unparse(told)[:60])


def _log_name(call: ast.Call) -> str:
    name = ast.unparse(call.func)
    return name if _LOGS.search(name) else ""


def _bodies(node: Function) -> Set[str]:
    """Return the parameters of a handler that are the whole of what was sent, by their names or their types."""
    every = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    return {each.arg for each in every if _SENT.match(each.arg)}


def _parts(value: ast.expr) -> Iterator[ast.expr]:
    """Yield what is written: a value itself, what fills in a text, the entries of a dict, what is turned into text."""
    if isinstance(value, ast.JoinedStr):
        for each in value.values:
            if isinstance(each, ast.FormattedValue):
                yield from _parts(each.value)
    elif isinstance(value, ast.BinOp):
        yield from _parts(value.left)
        yield from _parts(value.right)
    elif isinstance(value, ast.Tuple | ast.List):
        for each in value.elts:
            yield from _parts(each)
    elif isinstance(value, ast.Dict):
        for each in value.values:
            yield from _parts(each)
    elif isinstance(value, ast.Call) and ast.unparse(value.func) in (
        "str",
        "repr",
        "dict",
        "json.dumps",
        "dumps",
        "vars",
    ):
        for each in value.args:
            yield from _parts(each)
    else:
        yield value


def _is_told(value: ast.expr, bodies: Set[str]) -> bool:
    text = ast.unparse(value)
    if _BY_HAND.search(text) or isinstance(value, ast.Constant):
        return False
    if _WHOLE.fullmatch(text) or text in bodies:
        return True
    dumped = _DUMPS.match(text)
    if dumped:
        return dumped["of"] in bodies or bool(_SENT.match(dumped["of"]))
    key = value.slice.value if isinstance(value, ast.Subscript) and isinstance(value.slice, ast.Constant) else ""
    return bool(_PERSONAL.search((last_name(value) or str(key)).lower()))
