"""What comes from a request and where it goes unchecked: an address, a path, a page, another server.

The flow is followed inside one function: from the parameters of a handler and from `request.args` and its like,
through assignments, to calls that trust what they get. What is converted, cleaned or looked at in a condition counts
as checked.
"""

import ast
import re
from collections.abc import Iterator, Mapping, Set
from types import MappingProxyType

from ..facts import Risk

Function = ast.FunctionDef | ast.AsyncFunctionDef
_VERBS = frozenset(
    {
        *("get", "post", "put", "patch", "delete", "route", "api_route", "websocket", "head", "view", "expose", "page"),
        *("api_view", "action", "view_config", "require_http_methods", "require_GET", "require_POST"),
    }
)
_OF_VIEWS = frozenset({"get", "post", "put", "patch", "delete"})
_VIEW = re.compile(r"View|Resource|Handler|Endpoint|ViewSet")
_REQUESTED = re.compile(
    r"\b(?:request|req|self\.request)\.(?:args|form|values|GET|POST|query_params|path_params|json|data|files|headers"
    r"|cookies|query|match_info|rel_url|FILES|COOKIES|params|query_string|get_json|matchdict)\b"
)
_MAY_RECEIVE = re.compile(
    r"\breq(?:uest)?\b|filename\b|namelist|getnames"
    r"|@[\w.]+\.(?:get|post|put|patch|delete|route|api_route|websocket|view|expose|page|action)\b"
)
"""Without any of these words a module has nothing that came in."""
_STEPS = 3
_SENT_NAMES = frozenset({"filename", "get_filename", "namelist", "getnames"})
_KEEPS_TEXT = re.compile(
    r"(?:^|\.)(?:str|bytes|Path|PurePath|PosixPath|join|joinpath|format|strip|lstrip|rstrip|lower|upper|title|replace|decode"
    r"|encode|removeprefix|removesuffix|unquote\w*|get|getlist|pop|fspath|abspath|expanduser|normpath|splitlines|split)$"
)
"""Calls whose answer is still the text that came in; others look something up, convert, clean or check."""
_PLAIN = re.compile(r"^(?:str|bytes|Optional\[str\]|str \| None|None \| str|Annotated\[\s*(?:str|Optional\[str\]).*)$")
_ADDRESS = re.compile(r"(?:^|\.)(?:redirect|RedirectResponse|HttpResponseRedirect\w*|HTTPFound|HTTPSeeOther)$")
_FILE = re.compile(
    r"^(?:os\.(?:remove|unlink|listdir|scandir)|shutil\.\w+|io\.open|codecs\.open|open)$"
    r"|(?:^|\.)(?:send_file|FileResponse|read_text|read_bytes|write_text|write_bytes|unlink|open)$"
)
_PAGE = re.compile(r"(?:^|\.)(?:HTMLResponse|Markup|mark_safe|render_template_string|HttpResponse|make_response)$")
_SERVER = re.compile(
    r"^(?:requests|httpx|session|client|http|urllib\.request|aiohttp|self\.(?:http|client|session))\.(?:get|post|put|head|urlopen|request|stream)$|^urlopen$"
)
_SINKS: Mapping[str, re.Pattern[str]] = MappingProxyType(
    {"open-redirect": _ADDRESS, "path-from-user": _FILE, "page-from-user": _PAGE, "request-forgery": _SERVER}
)
_SAVES = re.compile(r"(?:^|\.)(?:save|open|write_bytes|copyfileobj|move|FileResponse|send_file)$")
_CHECKS = re.compile(
    r"resolve\(|relative_to|is_relative|basename|secure_filename|safe_join|startswith|realpath|commonpath|\.\."
)
_IS_A_NAME = re.compile(r"(?:^|_)(?:name|file|filename|path|document|attachment|key|slug|folder|directory)s?$")


def from_outside(tree: ast.Module, text: str) -> tuple[list[Risk], list[str]]:
    """Return where what came in is trusted, and the calls that hand it on, as they are written: `documents.load`.

    A function that makes a path of a name it is given has itself in `given`: it is a hole only where somebody hands it
    what came in.
    """
    risks: list[Risk] = []
    handed: set[str] = set()
    receives = bool(_MAY_RECEIVE.search(text))
    for node, owner in _functions(tree):
        handled = receives and _is_handler(node, owner)
        if receives:
            tainted = _spread(node, _parameters(node) if handled else set())
            risks += _trusting(node, tainted)
            handed |= _handing_on(node, tainted)
        if not handled:
            risks += _paths_of_names(node)
    return risks, sorted(name for name in handed if len(name) <= 80)


def _handing_on(node: Function, tainted: Set[str]) -> set[str]:
    calls = (each for each in ast.walk(node) if isinstance(each, ast.Call))
    return {ast.unparse(call.func) for call in calls if any(_is_tainted(each, tainted) for each in _arguments(call))}


def _functions(tree: ast.Module) -> Iterator[tuple[Function, str]]:
    """Yield every function with the bases of the class around it."""
    waiting: list[tuple[ast.AST, str]] = [(tree, "")]
    while waiting:
        node, owner = waiting.pop()
        for child in ast.iter_child_nodes(node):
            if isinstance(child, Function):
                yield child, owner
            inner = " ".join(map(ast.unparse, child.bases)) if isinstance(child, ast.ClassDef) else owner
            waiting.append((child, inner))


def _is_handler(node: Function, owner: str) -> bool:
    called = [each.func if isinstance(each, ast.Call) else each for each in node.decorator_list]
    routed = any(
        ast.unparse(each).rpartition(".")[2] in _VERBS and isinstance(each, ast.Attribute | ast.Name) for each in called
    )
    first = node.args.args[0].arg if node.args.args else ""
    return routed or first == "request" or (node.name in _OF_VIEWS and bool(_VIEW.search(owner)))


def _parameters(node: Function) -> set[str]:
    """Return the parameters of a handler that hold text of the request; a converter or a type makes others of them."""
    every = [*node.args.args, *node.args.kwonlyargs]
    plain = [each for each in every if each.arg not in ("self", "cls", "request", "req", "session", "db", "info")]
    annotated = any(each.annotation for each in plain)
    return {
        each.arg
        for each in plain
        if (_PLAIN.match(ast.unparse(each.annotation)) if each.annotation else not annotated)
        and "Depends" not in (ast.unparse(each.annotation) if each.annotation else "")
    }


def _spread(node: Function, tainted: set[str]) -> set[str]:
    """Return the names that hold something of what came in, without those a condition looks at."""
    found = set(tainted)
    given = [pair for each in ast.walk(node) for pair in _given(each)]
    for _ in range(_STEPS):
        before = len(found)
        for target, value in given:
            if _is_tainted(value, found):
                found |= {name.id for name in ast.walk(target) if isinstance(name, ast.Name)}
        if len(found) == before:
            break
    if not found:
        return found
    checked = {
        name.id
        for each in ast.walk(node)
        if isinstance(each, ast.If | ast.IfExp | ast.Assert | ast.While)
        for part in ast.walk(each.test)
        if isinstance(part, ast.Call | ast.Compare) and not _asks_for_none(part)
        for name in ast.walk(part)
        if isinstance(name, ast.Name)
    }
    return found - checked


def _given(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield what a statement puts where: by `=`, by a loop, by `rows.append(row)`."""
    if isinstance(node, ast.Assign):
        yield from ((target, node.value) for target in node.targets)
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        yield node.target, node.value
    elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
        yield node.target, node.iter
    elif (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append" and node.args
    ):
        yield node.func.value, node.args[0]


def _asks_for_none(node: ast.AST) -> bool:
    """Return whether a condition only asks whether there is something, which is no check of what it is."""
    if isinstance(node, ast.Compare):
        return all(isinstance(each, ast.Constant) and each.value in (None, "") for each in node.comparators)
    return isinstance(node, ast.Call) and ast.unparse(node.func).endswith((".exists", ".is_file", ".get"))


def _is_tainted(node: ast.expr, tainted: Set[str]) -> bool:
    """Return whether a value holds text of the request: a name, a piece of a text, or `request.args[...]` itself."""
    if isinstance(node, ast.Call):
        if not _KEEPS_TEXT.search(ast.unparse(node.func)):
            return _is_requested(node.func)
        holder = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        return any(_is_tainted(each, tainted) for each in (*_arguments(node), *holder))
    if isinstance(node, ast.Name):
        return node.id in tainted
    if isinstance(node, ast.Attribute | ast.Subscript):
        inside = isinstance(node, ast.Subscript) and _is_tainted(node.value, tainted)
        return inside or _is_requested(node)
    if isinstance(node, ast.Await):
        return _is_tainted(node.value, tainted)
    parts = (ast.BinOp, ast.BoolOp, ast.JoinedStr, ast.FormattedValue, ast.IfExp, ast.Tuple, ast.List)
    return isinstance(node, parts) and any(
        _is_tainted(each, tainted) for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr)
    )


def _is_requested(node: ast.expr) -> bool:
    """Return whether an expression is a part of a request, or the name a sender gave a file."""
    named = isinstance(node, ast.Attribute) and node.attr in _SENT_NAMES and ast.unparse(node.value) != "self"
    return named or bool(_REQUESTED.match(ast.unparse(node)))


def _arguments(call: ast.Call) -> list[ast.expr]:
    return [*call.args, *(each.value for each in call.keywords)]


def _trusting(node: Function, tainted: Set[str]) -> Iterator[Risk]:
    """Yield the calls of a function that trust what came in."""
    for call in ast.walk(node):
        if not isinstance(call, ast.Call):
            continue
        name = ast.unparse(call.func)
        if _SAVES.search(name) and _keeps_its_name(call, node):
            yield Risk(call.lineno, call.end_lineno or call.lineno, "path-from-user", name)
        if name == "setattr" and len(call.args) == 3 and _comes_in(call.args[1], node, tainted):
            yield Risk(call.lineno, call.end_lineno or call.lineno, "set-by-user", name)
        for rule, pattern in _SINKS.items():
            trusted = _trusted(call, rule) if pattern.search(name) else None
            if trusted is not None and _is_tainted(trusted, tainted) and _is_told(rule, trusted):
                yield Risk(call.lineno, call.end_lineno or call.lineno, rule, name)


def _keeps_its_name(call: ast.Call, function: Function) -> bool:
    """Return whether a file that was sent is kept under the name its sender gave it."""
    if _CHECKS.search(ast.unparse(function)):
        return False
    values = [*call.args, *([call.func.value] if isinstance(call.func, ast.Attribute) else [])]
    names = {each.id for value in values for each in ast.walk(value) if isinstance(each, ast.Name)}
    given = {
        target.id: each.value
        for each in ast.walk(function)
        if isinstance(each, ast.Assign)
        for target in each.targets
        if isinstance(target, ast.Name) and target.id in names
    }
    joined = [*values, *given.values()]
    return any(
        isinstance(part, ast.Attribute) and part.attr == "filename"
        for value in joined
        if isinstance(value, ast.BinOp | ast.Call | ast.JoinedStr)
        for part in ast.walk(value)
    )


def _comes_in(name: ast.expr, function: Function, tainted: Set[str]) -> bool:
    """Return whether a loop goes through the fields that came in, and none of its conditions looks at their names."""
    loops = [each for each in ast.walk(function) if isinstance(each, ast.For) and _is_requested_in(each.iter, tainted)]
    return any(ast.unparse(name) in map(ast.unparse, ast.walk(each.target)) for each in loops) and not any(
        ast.unparse(name) in map(ast.unparse, ast.walk(each.test))
        for each in ast.walk(function)
        if isinstance(each, ast.If)
    )


def _is_requested_in(node: ast.expr, tainted: Set[str]) -> bool:
    return any(isinstance(each, ast.expr) and _is_tainted(each, tainted) for each in ast.walk(node))


def _trusted(call: ast.Call, rule: str) -> ast.expr | None:
    """Return the argument that a call trusts."""
    if rule == "path-from-user" and isinstance(call.func, ast.Attribute) and not call.args:
        return call.func.value
    if rule == "path-from-user" and call.func and ast.unparse(call.func).endswith(("write_text", "write_bytes")):
        return call.func.value if isinstance(call.func, ast.Attribute) else None
    named = {"url", "location", "path", "content", "filename"}
    return call.args[0] if call.args else next((each.value for each in call.keywords if each.arg in named), None)


def _is_told(rule: str, trusted: ast.expr) -> bool:
    """Return whether the place of what came in matters: a fixed beginning names the site or the server already."""
    if rule in ("open-redirect", "request-forgery"):
        first = trusted.values[0] if isinstance(trusted, ast.JoinedStr) and trusted.values else trusted
        first = first.left if isinstance(first, ast.BinOp) else first
        return not isinstance(first, ast.Constant) or not str(first.value).strip("/")
    return True


def _paths_of_names(node: Function) -> Iterator[Risk]:
    """Yield where a function opens a path it made of a parameter, and nothing in it looks at what the path became."""
    names = {each.arg for each in (*node.args.args, *node.args.kwonlyargs) if _IS_A_NAME.search(each.arg)}
    text = ast.unparse(node)
    if not names or _CHECKS.search(text):
        return
    made = _made_of(node, names)
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and _FILE.search(ast.unparse(call.func)):
            trusted = _trusted(call, "path-from-user")
            if trusted is not None and (
                _is_joined(trusted, names) or (isinstance(trusted, ast.Name) and trusted.id in made)
            ):
                first = made.get(trusted.id, call.lineno) if isinstance(trusted, ast.Name) else call.lineno
                yield Risk(first, call.end_lineno or call.lineno, "path-from-user", ast.unparse(call.func), node.name)
                return


def _made_of(node: Function, names: Set[str]) -> dict[str, int]:
    """Return the variables that hold a folder joined with one of the names, and the lines where."""
    return {
        each.targets[0].id: each.lineno
        for each in ast.walk(node)
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name) and _is_joined(each.value, names)
    }


def _is_joined(value: ast.expr, names: Set[str]) -> bool:
    """Return whether a path is a folder and one of the names: `folder / name`, `join(folder, name)`, an f-string."""
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Div | ast.Add):
        return any(isinstance(each, ast.Name) and each.id in names for each in ast.walk(value.right))
    if isinstance(value, ast.Call) and ast.unparse(value.func).endswith(("join", "Path", "joinpath")):
        rest = value.args if ast.unparse(value.func).endswith("joinpath") else value.args[1:]
        return any(isinstance(each, ast.Name) and each.id in names for each in rest)
    if isinstance(value, ast.JoinedStr):
        filled = [each.value for each in value.values if isinstance(each, ast.FormattedValue)]
        return len(value.values) > 1 and any(isinstance(each, ast.Name) and each.id in names for each in filled)
    return False
