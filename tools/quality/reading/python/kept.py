"""Why a Python definition counts as used though nobody names it: what registers it, calls it, or only declares it."""

import ast
import re

from ...syntax.names import Definition
from ...syntax.walking import every_node

_OPTIONS = frozenset({"Meta", "Config", "Media", "Params", "Arguments", "Options", "Inner"})
"""Classes inside classes that the library of the outer one reads."""
_ROWS = frozenset(
    {
        *(
            "Model",
            "Base",
            "BaseModel",
            "DeclarativeBase",
            "SQLModel",
            "Document",
            "MappedAsDataclass",
        ),
        *("QuerySet", "Manager", "Form", "ModelForm", "FlaskForm", "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"),
        *("TextChoices", "IntegerChoices", "Protocol", "NamedTuple", "TypedDict", "ABC", "Generic", "AbstractUser"),
    }
)
"""Bases of rows, records, queries and forms, of which it is known what they call."""
_ERRORS = ("Error", "Exception", "Warning")
_HOOKS = re.compile(
    r"clean|validate|save|delete|get_|natural_key|from_|refresh|check|model_|to_|dict|json|copy|_|with_tr"
)
"""How the methods begin that such a base calls, or calls on behalf of a form, an admin page or a serializer."""
_WITH_MORE = frozenset({"QuerySet", "Manager", "Form", "ModelForm", "FlaskForm", "AbstractUser", "Model"})
_MORE_HOOKS = re.compile(
    r"create|update|add_|full_|is_(?:valid|active|staff|authenticated|multipart)|has_|as_|bulk|using|populate|process"
    r"|media|hidden|visible|order|email_|username|filter|all$|validate"
)
"""What else Django and its like call, or are asked for on behalf of others."""
_ONLY_CHANGES = frozenset(
    {
        *("staticmethod", "classmethod", "property", "cached_property", "lru_cache", "cache", "dataclass", "wraps"),
        *(
            "contextmanager",
            "asynccontextmanager",
            "total_ordering",
            "final",
            "override",
            "atomic",
            "retry",
            "on_exception",
        ),
        *("login_required", "permission_required", "user_passes_test", "staff_member_required", "superuser_required"),
        *("require_POST", "require_GET", "require_safe", "require_http_methods", "csrf_exempt", "csrf_protect"),
        *("ensure_csrf_cookie", "never_cache", "cache_page", "cache_control", "vary_on_headers", "vary_on_cookie"),
        *("xframe_options_exempt", "xframe_options_sameorigin", "xframe_options_deny", "sensitive_post_parameters"),
        *("sensitive_variables", "gzip_page", "non_atomic_requests", "method_decorator", "deprecated", "typechecked"),
        *(
            "jwt_required",
            "roles_required",
            "roles_accepted",
            "fresh_login_required",
            "cached",
            "memoize",
            "runtime_checkable",
        ),
        *("unique", "frozen", "define", "validate_call", "no_type_check", "sync_to_async", "async_to_sync"),
    }
)
"""Decorators of the language and of libraries that hand the function to nobody."""
_FINDS_NOBODY = frozenset(
    {
        *("Form", "ModelForm", "BaseForm", "FlaskForm", "View", "TemplateView", "ListView", "DetailView", "CreateView"),
        *("UpdateView", "DeleteView", "FormView", "RedirectView", "MethodView", "APIView", "GenericAPIView", "ViewSet"),
        *(
            "ModelViewSet",
            "ReadOnlyModelViewSet",
            "GenericViewSet",
            "Serializer",
            "ModelSerializer",
            "RootModel",
            "BaseModel",
            "Schema",
        ),
        *("Protocol", "TypedDict", "NamedTuple", "Enum", "IntEnum", "StrEnum", "Flag", "IntFlag", "TextChoices", "ABC"),
        *("IntegerChoices", "QuerySet", "Thread", "dict", "list", "str", "int", "float", "tuple", "set", "UserDict"),
        *(
            "LoginRequiredMixin",
            "PermissionRequiredMixin",
            "UserPassesTestMixin",
            "HTMLParser",
            "NodeVisitor",
            "Resource",
        ),
        *("TypeDecorator", "BasePermission", "FilterSet", "JSONEncoder", "ContextDecorator", "AbstractContextManager"),
    }
)
"""Bases from elsewhere that do not find what is made of them: somebody has to name it."""
_FOR_TEMPLATES = re.compile(
    r"^(?:register|\w*library)\.(?:filter|simple_tag|inclusion_tag|simple_block_tag)$"
    r"|(?:^|\.)(?:app_)?template_(?:filter|test|global)$|^(?:env|environment|jinja_env|templates\.env)\.filter$"
)
_TASKS = re.compile(r"(?:\w+\.)?(?:shared_task|actor)|(?:\w+\.)?(?:app|current_app|\w*celery\w*|huey|broker)\.task")
"""Decorators of queues: the function waits until somebody names it, in a call or in a schedule."""
_STORES = frozenset({"append", "add", "insert", "setdefault", "update", "register", "connect", "subscribe", "setattr"})

_BY_TRADE = re.compile(
    r"item_\w+|handle_[A-Z]+|to_python|to_url|authenticate|get_user|db_for_read|db_for_write|allow_relation|allow_migrate"
    r"|process_(?:request|response|view|exception|template_response)|process_bind_param|process_result_value|emit|aclose"
)
"""Methods that frameworks call on objects that need no base: converters, routers, feeds, backends, middleware."""

TASK = "@task"


def why_kept(node: Definition, owner: Definition | None, what: str) -> str:
    """Return why a definition counts as used though nobody names it, or `""`.

    A decorator may register it; a method of a class with foreign bases may be called by the base; a double underscore
    is Python's own; a body of `...` or `raise NotImplementedError` is a promise, not code.
    """
    if what != "property" and any(map(_registers, node.decorator_list)):
        of_templates = owner is None and any(_FOR_TEMPLATES.search(_name(each)) for each in node.decorator_list)
        return "of templates" if of_templates else "decorated"
    if node.name.startswith("__") and node.name.endswith("__"):
        return "special"
    if isinstance(owner, ast.ClassDef) and what == "method" and _BY_TRADE.fullmatch(node.name):
        return "special"
    if isinstance(node, ast.ClassDef):
        return "declared" if owner is not None and node.name in _OPTIONS else ""
    if isinstance(owner, ast.ClassDef) and may_override(node.name, bases(owner)):
        return "may override"
    if isinstance(owner, ast.FunctionDef | ast.AsyncFunctionDef):
        return "inner"
    return "abstract" if _only_promises(node) else ""


def may_override(name: str, above: list[str]) -> bool:
    """Return whether one of some bases may call a method; of models and errors it is known what they call."""
    called = _HOOKS.match(name) or (_WITH_MORE.intersection(above) and _MORE_HOOKS.match(name))
    return not all(base in _ROWS or base.endswith(_ERRORS) for base in above) or bool(above and called)


def finds_nobody(base: str) -> bool:
    """Return whether a base from elsewhere leaves it to others to name the classes made of it; errors are raised."""
    return base in _FINDS_NOBODY or base.endswith(_ERRORS)


def decorators(node: Definition) -> list[str]:
    """Return the names of the decorators that may be ours, or by which templates know the function.

    One that is called on an object, `@app.route`, is nobody's plain wrapper: `""` stands for it, and `TASK` for one of
    a queue that gives the function no other name.
    """
    found = []
    for each in node.decorator_list:
        if _FOR_TEMPLATES.search(_name(each)):
            names = [*each.args, *(keyword.value for keyword in each.keywords)] if isinstance(each, ast.Call) else []
            texts = [name.value for name in names if isinstance(name, ast.Constant)]
            return [text for text in texts if isinstance(text, str)] or [node.name]
        if _is_of_queue(each):
            found.append(TASK)
        elif _registers(each):
            found.append(_name(each) if "." not in _name(each) else "")
    return found


def wrapping(tree: ast.Module) -> list[str]:
    """Return the functions of a module that put something around another and keep it nowhere: plain decorators."""
    return [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef)
        and any(_name(each).rpartition(".")[2] == "wraps" for inner in every_node(node) for each in _decorating(inner))
        and not any(map(_stores, every_node(node)))
    ]


def bases(node: ast.ClassDef) -> list[str]:
    """Return the last parts of the names of a class's bases."""
    names = (ast.unparse(base.value if isinstance(base, ast.Subscript) else base) for base in node.bases)
    return [last for name in names if (last := name.rpartition(".")[2]) not in ("object", "Generic")]


def _decorating(node: ast.AST) -> list[ast.expr]:
    return node.decorator_list if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else []


def _stores(node: ast.AST) -> bool:
    """Return whether something is put where others find it."""
    if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store):
        return not (isinstance(node, ast.Attribute) and ast.unparse(node.value) in ("g", "self", "request"))
    return isinstance(node, ast.Call) and _name(node).rpartition(".")[2] in _STORES


def _name(decorator: ast.expr) -> str:
    return ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)


def _registers(decorator: ast.expr) -> bool:
    """Return whether a decorator may hand the function to somebody; those of the language only change it."""
    return _name(decorator).rpartition(".")[2] not in _ONLY_CHANGES


def _is_of_queue(decorator: ast.expr) -> bool:
    named = isinstance(decorator, ast.Call) and (
        bool(decorator.args) or any(each.arg in ("name", "actor_name", None) for each in decorator.keywords)
    )
    return not named and _TASKS.fullmatch(_name(decorator)) is not None


def _only_promises(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    body = [each for each in node.body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))]
    if not body:
        return True
    return len(body) == 1 and (
        isinstance(body[0], ast.Pass) or (isinstance(body[0], ast.Raise) and "NotImplemented" in ast.unparse(body[0]))
    )
