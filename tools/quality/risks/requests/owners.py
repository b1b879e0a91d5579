"""Whose a row is, and which handlers give out or change a row without a look at who is asking."""

import ast
import re
from collections.abc import Iterator, Set

from ...facts.requests import Model, View
from ...syntax.names import last_two_names
from ...syntax.walking import every_node
from .beside import asked_by_who, by_role, with_beside
from .identity import ASKS_WHO, Identity, identity_of
from .received import Function, functions, is_handler
from .viewsets import permissions, signed_in, whole_views
from .whose import asked_by, kinds_that_ask

_REFERS = re.compile(r"(?:^|\.)(?:ForeignKey|OneToOneField|ForeignKeyField|ReferenceField)$")
_RELATED = re.compile(r"(?:^|\.)(?:relationship|ManyToManyField)$")
_SIGNS_IN = re.compile(
    r"^(?:hashed_)?(?:password|passwd|pin|passphrase|api_?key|key|secret|credential)s?(?:_?(?:hash|digest|hashed))?$"
)
_SIGN_IN_BASES = frozenset({"UserMixin", "AbstractUser", "AbstractBaseUser", "SQLAlchemyBaseUserTable"})
_SIGNED = re.compile(
    r"(?:log(?:ged)?_?in|sign(?:ed)?_?in|auth(?:enticated|orized)?|jwt|token|user|member|customer|account|parent|client"
    r"|guest|patient|tenant|owner|session|identity|student|learner|driver|buyer|seller|subscriber)s?_?(?:required|only)?"
    r"(?:\(.*\))?$|^(?:login|auth|jwt|token|session)_|^require[sd]?_(?:login|auth|user|member|customer|account|session|sign)",
    re.I,
)
"""Decorators that let in whoever is signed in."""
_OTHERS = re.compile(
    r"(?:^|\.)(?:wraps|limit|exempt|cached?|cache_page|doc|response|marshal_with|validate|use_kwargs|use_args|expect"
    r"|csrf_protect|csrf_exempt|never_cache|require_\w*(?:GET|POST|http_methods|safe)|require_http_methods|api_view"
    r"|transaction\.atomic|atomic|inject|output|input|swag_from|extend_schema|errorhandler|staticmethod|timed|logged)$"
)
"""Decorators that have nothing to do with who is asking."""
STAFF = re.compile(r"staff|admin|superuser|office|operator|manager|role|permission|kiosk|internal|desk", re.I)
_CAPITAL = re.compile(r"\b([A-Z][a-z]\w*)\b")
_CAPABILITY = re.compile(r"token|secret|signature|hash|nonce|(?:^|_)key$")
_VERBS = ("get", "post", "put", "patch", "delete")
_LOADS = re.compile(
    r"(?:^|\.)(?:a?get|get_or_404|one_or_404|first_or_404|a?get_object_or_404|filter|filter_by|where|get_by_id|find"
    r"|get_or_none|get_one|delete|update|scalar|scalars|execute|exec|one_or_none)$"
)
_IS_ID = re.compile(r"(?:^|_)(?:id|pk|uuid|number|no|code|ref|reference|slug|key|barcode)$")
_SENT = re.compile(r"\brequest\.(?:args|form|values|json|GET|POST|query_params|get_json|data)\b")


def models(tree: ast.Module) -> list[Model]:
    """Return the classes with rows that refer to others, or with which somebody signs in."""
    found = []
    for node in every_node(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        refers: set[str] = set()
        fields: set[str] = set()
        signs_in = bool(_SIGN_IN_BASES & {ast.unparse(each).rpartition(".")[2] for each in node.bases})
        table = ""
        for each in node.body:
            target = each.targets[0] if isinstance(each, ast.Assign) else getattr(each, "target", None)
            value = getattr(each, "value", None)
            if not isinstance(target, ast.Name):
                continue
            signs_in = signs_in or bool(_SIGNS_IN.match(target.id))
            if target.id == "__tablename__" and isinstance(value, ast.Constant):
                table = str(value.value)
            if not target.id.endswith("_by"):  # who wrote it down, not whose it is
                to = set(_targets(value))
                refers |= to
                fields |= {target.id.removesuffix("_id")} if to else set()
        if refers or signs_in:
            found.append(Model(node.name, table, sorted(refers), signs_in, sorted(fields)))
    return found


def _targets(value: ast.expr | None) -> Iterator[str]:
    """Yield the table or class that a field refers to."""
    for call in every_node(value) if value is not None else ():
        if not isinstance(call, ast.Call):
            continue
        name = ast.unparse(call.func)
        between = name.endswith("Field") or any(each.arg == "secondary" for each in call.keywords)
        related = between and _RELATED.search(name)
        first = call.args[0] if call.args else None
        if (_REFERS.search(name) or related) and first is not None:
            text = str(first.value) if isinstance(first, ast.Constant) else ast.unparse(first)
            parts = text.split(".")
            yield parts[-2] if len(parts) > 1 and not parts[-1][:1].isupper() else parts[-1]
        yield from (
            str(each.value.value).split(".")[-2]
            for each in call.keywords
            if each.arg == "foreign_key" and isinstance(each.value, ast.Constant) and "." in str(each.value.value)
        )


def views(tree: ast.Module) -> tuple[list[View], dict[str, list[str]], list[str], list[str]]:
    """Return handlers that hold nobody up, what loads rows by an id, what looks at who asks, and by which fields.

    The handlers are those that somebody signed in may call, that load a row by what the request names, and that do not
    look at who that somebody is. Functions that load are given with the classes of their rows.
    """
    found: list[View] = list(whole_views(tree))
    loading: dict[str, list[str]] = {}
    minding: set[str] = set()
    staff = any(
        STAFF.search(ast.unparse(node.value))
        for node in tree.body
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Call)
        and re.search(r"Router|Blueprint", ast.unparse(node.value.func))
    )
    roles, asked, allowed = by_role(tree), set[str](), permissions(tree)
    every = [(node, owner, is_handler(node, owner)) for node, owner in functions(tree)]
    kinds = {kind for node, _, handled in every if handled for kind in kinds_that_ask(node)}
    fields: set[str] = set()
    for node, owner, handled in every:
        identity = identity_of(node, handled, kinds)
        fields |= set(asked_by(node, handled, identity))
        if handled:
            asked |= asked_by_who(node, identity)
            view = None if staff or identity.looks else _view(node, owner, identity, roles, allowed.get(id(node), ""))
            if view:
                found.append(view)
        elif identity.named:
            minding.add(node.name)
        else:
            ids = {each.arg for each in node.args.args if _IS_ID.search(each.arg)}
            rows = sorted({name for name, _ in _loads(node, ids) if name}) if len(ids) == 1 else []
            if rows:
                loading[node.name] = rows
    return [with_beside(each, asked) for each in found], loading, sorted(minding), sorted(fields)


def _view(node: Function, owner: str, identity: Identity, roles: Set[str], allowed: str) -> View | None:
    """Return a handler that whoever is signed in may call and that loads by an id of the request."""
    signed = bool(identity.named) or "LoginRequired" in owner or signed_in(allowed)
    if allowed and not signed_in(allowed):
        return None
    verb, path = "", ""
    for each in node.decorator_list:
        name = ast.unparse(each.func if isinstance(each, ast.Call) else each)
        last = name.rpartition(".")[2]
        if isinstance(each, ast.Call) and each.args and last in (*_VERBS, "route", "api_route"):
            path = str(each.args[0].value) if isinstance(each.args[0], ast.Constant) else ""
            verb = last
            methods = [ast.unparse(word.value) for word in each.keywords if word.arg == "methods"]
            verb = methods[0] if methods else "get" if last == "route" else verb
            if any(word.arg == "dependencies" for word in each.keywords):
                return None
        elif last == "action" and isinstance(each, ast.Call):
            verb = next((ast.unparse(word.value) for word in each.keywords if word.arg == "methods"), "get")
        elif STAFF.search(ast.unparse(each).removeprefix("permission_classes")):
            return None
        elif last == "permission_classes" and isinstance(each, ast.Call) and each.args:
            if not signed_in(ast.unparse(each.args[0])):
                return None
            signed = True
        elif (
            _SIGNED.search(ast.unparse(each).rpartition(".")[2])
            or _SIGNED.search(last)
            or (isinstance(each, ast.Call) and name in roles and not each.args and not each.keywords)
        ):
            signed = True
        elif not _OTHERS.search(name):
            return None  # it may look at whose the row is
    ids = {
        each.arg for each in node.args.args if not path or re.search(rf"[<{{:]{each.arg}\b|\b{each.arg}[>}}:]", path)
    }
    ids -= {"self", "cls", "request", *identity.names}
    ids = {each for each in ids if not _CAPABILITY.search(each)} | _sent(node)
    loads = list(_loads(node, ids)) if signed and ids else []
    if not loads:
        return None
    verb = verb or (node.name if node.name in _VERBS else "get")
    return View(
        node.decorator_list[0].lineno if node.decorator_list else node.lineno,
        node.end_lineno or node.lineno,
        node.name,
        verb.lower(),
        sorted({name for name, _ in loads if name}),
        sorted({callee for _, callee in loads if callee}),
        sorted(_called(node)),
    )


def _called(node: Function) -> set[str]:
    """Return whom a handler calls, other than to ask who is signed in."""
    found = {last_two_names(call.func) for part in node.body for call in every_node(part) if isinstance(call, ast.Call)}
    return {each for each in found if each and not ASKS_WHO.match(each)}


def _sent(node: Function) -> set[str]:
    """Return the variables that hold an id the request sent."""
    return {
        each.targets[0].id
        for each in every_node(node)
        if isinstance(each, ast.Assign)
        and isinstance(each.targets[0], ast.Name)
        and _IS_ID.search(each.targets[0].id)
        and _SENT.search(ast.unparse(each.value))
    }


def _loads(node: Function, ids: Set[str]) -> Iterator[tuple[str, str]]:
    """Yield the class of a row that is loaded by an id, or else the function that is given the id."""
    inside: set[int] = set()
    for call in every_node(node) if ids else ():
        if not isinstance(call, ast.Call) or id(call) in inside:
            continue
        given = [*call.args, *(each.value for each in call.keywords)]
        if not any(isinstance(each, ast.Name) and each.id in ids for value in given for each in every_node(value)):
            continue
        name = ast.unparse(call.func)
        if _LOADS.search(name):
            capital = [each for each in _CAPITAL.findall(ast.unparse(call)) if each not in ("True", "None", "False")]
            if capital and not _is_made(call.func):
                inside |= {id(each) for each in every_node(call)}
                yield capital[0], ""
                continue
        callee = last_two_names(call.func)
        plain = [each for value in given for each in (value, *(value.args if isinstance(value, ast.Call) else ()))]
        if callee and any(isinstance(each, ast.Name) and each.id in ids for each in plain):
            yield "", callee


def _is_made(node: ast.expr) -> bool:
    """Return whether a method is that of an object made for the call: `Loans(session).get`."""
    holder = node.value if isinstance(node, ast.Attribute) else None
    return isinstance(holder, ast.Call) and isinstance(holder.func, ast.Name) and holder.func.id[:1].isupper()
