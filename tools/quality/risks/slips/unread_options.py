"""Options of a command that are accepted and never looked at: a dry run that does it for real."""

import ast
import re
from collections.abc import Iterator

from ...facts.code import Risk
from ...syntax.walking import every_node
from ..requests.received import Function

_HOLDERS = re.compile(r"^(?:args|options|opts|ns|namespace|parsed|known|arguments|cli_args|params|kwargs)$")
_NO_VALUE = frozenset({"help", "version"})
_READS_ITSELF = frozenset({"callback", "expose_value", "is_eager"})
_OPTION = re.compile(r"(?:^|\.)(?:option|argument)$")


def unread_options(tree: ast.Module) -> Iterator[Risk]:
    """Yield them: of argparse and Django's commands by the word, of click by the parameter."""
    yield from _of_parsers(tree)
    for node in every_node(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _of_click(node)


def _of_parsers(tree: ast.Module) -> Iterator[Risk]:
    options = [
        (each, name)
        for each in every_node(tree)
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute) and each.func.attr == "add_argument"
        if (name := _destination(each))
    ]
    if not options or _hands_on(tree):
        return
    known = {each.attr for each in every_node(tree) if isinstance(each, ast.Attribute)}
    known |= {each.id for each in every_node(tree) if isinstance(each, ast.Name)}
    known |= {each.arg for each in every_node(tree) if isinstance(each, ast.arg)}
    known |= {
        str(each.value) for each in every_node(tree) if isinstance(each, ast.Constant) and isinstance(each.value, str)
    }
    reads = any(name in known for _, name in options) or any(
        isinstance(each, ast.FunctionDef) and each.name == "handle" for each in every_node(tree)
    )
    for call, name in options if reads else ():  # else somebody else reads them all
        if name not in known - _own_words(call):
            yield Risk(call.lineno, call.end_lineno or call.lineno, "option-unread", name)


def _own_words(call: ast.Call) -> set[str]:
    return {str(each.value) for each in call.args if isinstance(each, ast.Constant)}


def _destination(call: ast.Call) -> str:
    """Return the name under which an option is read; `""` for one that acts by itself."""
    keywords = {each.arg: each.value for each in call.keywords}
    action = keywords.get("action")
    own = action is not None and not (
        isinstance(action, ast.Constant) and str(action.value).startswith(("store", "app", "count"))
    )
    words = [each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    long = next((each for each in words if each.startswith("--")), "")
    if (
        own
        or not long
        or long.removeprefix("--") in _NO_VALUE
        or ("help" in keywords and "SUPPRESS" in ast.unparse(keywords["help"]))
    ):
        return ""
    named = keywords.get("dest")
    return str(named.value) if isinstance(named, ast.Constant) else long.removeprefix("--").replace("-", "_")


def _hands_on(tree: ast.Module) -> bool:
    """Return whether what was parsed goes on as a whole, to somebody who may read any of it."""
    for node in every_node(tree):
        if isinstance(node, ast.Call):
            own = ast.unparse(node.func).startswith("super()")
            given = [*node.args, *(each.value for each in node.keywords)]
            whole = any(isinstance(each, ast.Name) and _HOLDERS.match(each.id) for each in given)
            spread = any(
                isinstance(each, ast.Starred)
                and isinstance(each.value, ast.Name)
                and _HOLDERS.match(each.value.id)
                and each.value.id != "args"
                for each in node.args
            )
            if (whole or spread) and not own:
                return True
        elif isinstance(node, ast.Return | ast.Yield) and node.value is not None:
            parsed = isinstance(node.value, ast.Call) and ast.unparse(node.value.func).endswith("parse_args")
            if parsed or (isinstance(node.value, ast.Name) and _HOLDERS.match(node.value.id)):
                return True
    reads = ("parse_args", "parse_known_args")
    parses = any(isinstance(each, ast.Attribute) and each.attr in reads for each in every_node(tree))
    handles = any(isinstance(each, ast.FunctionDef) and each.name == "handle" for each in every_node(tree))
    return not (parses or handles)


def _of_click(node: Function) -> Iterator[Risk]:
    calls = [each for each in node.decorator_list if isinstance(each, ast.Call)]
    if not any(ast.unparse(each.func).rpartition(".")[2] == "command" for each in calls):
        return
    parameters = {each.arg for each in (*node.args.args, *node.args.kwonlyargs)}
    body = {each.id for part in node.body for each in every_node(part) if isinstance(each, ast.Name)}
    if "locals" in body or len(node.body) < 1 or _is_stub(node):
        return
    for call in calls:
        if not _OPTION.search(ast.unparse(call.func)) or {each.arg for each in call.keywords} & _READS_ITSELF:
            continue
        words = [each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        plain = [each for each in words if not each.startswith("-")]
        long = [each.partition("/")[0].lstrip("-").replace("-", "_") for each in words if each.startswith("--")]
        name = next(iter([*plain, *long]), "").lower()
        if name in parameters - body:
            yield Risk(call.lineno, call.end_lineno or call.lineno, "option-unread", name)


def _is_stub(node: Function) -> bool:
    plain = (ast.Pass, ast.Expr, ast.Raise)
    return all(isinstance(each, plain) and not isinstance(getattr(each, "value", None), ast.Call) for each in node.body)
