"""Who is asking: how a handler knows it, and whether it looks at it before it gives something out."""

import ast
import re
from collections.abc import Set
from dataclasses import dataclass

from ...syntax.walking import every_node
from .received import Function

_WHO = (
    r"(?:user|customer|member|account|client|patient|parent|guardian|guest|tenant|owner|person|viewer|principal"
    r"|identity|student|learner|employee|driver|buyer|seller|subscriber|resident|reader|profile|me)"
)
ASKS_WHO = re.compile(
    rf"^(?:\w+\.)*(?:get_|load_|fetch_)?(?:current|signed_in|logged_in|authenticated|requesting|active)_{_WHO}(?:_id)?$"
    rf"|^(?:\w+\.)*(?:get_jwt_identity|get_jwt|whoami|require_{_WHO}|who_asks)$"
)
_READ = re.compile(
    rf"^(?:flask\.)?g\.(?:current_)?{_WHO}(?:_id)?$|^(?:self\.)?(?:request|req|info\.context)\.(?:user|auth|identity)$"
    rf"|^request\.(?:state|ctx|scope|session)\b.*{_WHO}|^(?:flask\.)?session(?:\.get\(|\[)['\"]\w*{_WHO}\w*['\"]"
    rf"|^(?:flask_login\.)?(?:current|signed_in|logged_in)_{_WHO}$"
)
_NAMED = re.compile(rf"^(?:current_|auth_|signed_in_|logged_in_)?{_WHO}(?:_id)?$")
_INJECTED = re.compile(r"Depends|Security|Dep\b|Current|Signed|Authenticated|LoggedIn")
_PLAIN = frozenset(
    {
        *(
            "country",
            "name",
            "email",
            "locale",
            "language",
            "lang",
            "timezone",
            "currency",
            "is_authenticated",
            "theme",
        ),
        *("is_authenticated", "is_active", "full_name", "display_name", "first_name", "last_name", "phone", "city"),
        "is_anonymous",
    }
)
"""What of somebody says nothing about what is theirs."""
_SHOWS = re.compile(r"render|template|(?:^|\.)log|audit|track|jsonify|Response|flash|print", re.I)
_FORBIDS = re.compile(
    r"is_staff|is_admin|is_superuser|\brole|permission|has_perm|PermissionDenied|Forbidden|NotAllowed|\b403\b|owner"
    r"|Unauthorized|AccessDenied|check_access|ensure_|authorize|may_|\bcan_|belongs|visible|allowed",
    re.I,
)
"""What shows that somebody is held up."""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who is asking, in one function."""

    names: Set[str]
    """Parameters and variables that are whoever asks."""
    named: bool
    """Whether the function knows at all who asks."""
    looks: bool
    """Whether what it does depends on it."""


def identity_of(node: Function, handled: bool, kinds: Set[str] = frozenset()) -> Identity:
    """Return what a function knows of who is asking; of one that is no handler, its parameters do not count.

    `kinds` are types that are who asks, as other handlers of the file show.
    """
    guarded = any(not ast.unparse(each).startswith(("app.", "router.")) for each in node.decorator_list)
    names = {each.arg for each in (*node.args.args, *node.args.kwonlyargs) if handled and _is_who(node, each, guarded)}
    every = (*node.args.args, *node.args.kwonlyargs) if handled and kinds else ()
    names |= {each.arg for each in every if each.annotation and ast.unparse(each.annotation) in kinds}
    names |= {
        each.targets[0].id
        for each in every_node(node)
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name) and tells(each.value, frozenset())
    }
    above = {id(child): parent for parent in every_node(node) for child in ast.iter_child_nodes(parent)}
    body = [each for statement in node.body for each in every_node(statement)]
    said = [each for each in body if isinstance(each, ast.expr) and tells(each, names)]
    stored = [each for each in said if isinstance(getattr(each, "ctx", None), ast.Store)]
    used = [each for each in said if each not in stored]
    text = "\n".join(map(ast.unparse, node.body))
    looks = any(_is_look(each, above) for each in used) or (handled and bool(_FORBIDS.search(text)))
    return Identity(names, bool(used or names), looks)


def _is_who(node: Function, parameter: ast.arg, guarded: bool) -> bool:
    """Return whether a parameter of a handler is who asks: injected by the framework, or by a decorator."""
    kind = ast.unparse(parameter.annotation) if parameter.annotation else ""
    defaults = ast.unparse(node.args)
    injected = _INJECTED.search(kind) or re.search(rf"\b{parameter.arg}\b[^,]*=\s*(?:Depends|Security)", defaults)
    who = bool(re.search(_WHO, f"{parameter.arg} {kind}", re.I)) and not re.search(
        r"session|db\b|settings", parameter.arg
    )
    return bool(who and injected) or (guarded and not kind and bool(_NAMED.match(parameter.arg)))


def tells(node: ast.expr, names: Set[str]) -> bool:
    """Return whether an expression is who asks."""
    if isinstance(node, ast.Name):
        return node.id in names or bool(_READ.match(node.id))
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func)
        return bool(ASKS_WHO.match(name)) or (name.endswith("session.get") and bool(_READ.match(ast.unparse(node))))
    return isinstance(node, ast.Attribute | ast.Subscript) and bool(_READ.match(ast.unparse(node)))


def _is_look(node: ast.expr, above: dict[int, ast.AST]) -> bool:
    """Return whether a mention of who asks can hold somebody up, or choose what they get."""
    parent = above.get(id(node))
    if isinstance(parent, ast.Await):
        return _is_look(parent, above)
    if isinstance(parent, ast.Attribute):
        over = above.get(id(parent))
        called = isinstance(over, ast.Call) and over.func is parent
        return bool(over.args or over.keywords) if called and isinstance(over, ast.Call) else parent.attr not in _PLAIN
    if isinstance(parent, ast.Compare):
        return not all(isinstance(each, ast.Constant) for each in parent.comparators)
    if isinstance(parent, ast.UnaryOp | ast.Assign | ast.AnnAssign | ast.Expr | ast.If | ast.BoolOp | ast.Dict):
        return False
    if isinstance(parent, ast.keyword):
        parent = above.get(id(parent))
    if isinstance(parent, ast.Call):
        return parent.func is not node and not _SHOWS.search(ast.unparse(parent.func))
    return True
