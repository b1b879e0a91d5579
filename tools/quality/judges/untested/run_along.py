"""Files that run when something beside them is tested: what stands around views, behind a facade, behind a signal."""

import re
from collections.abc import Callable, Set
from pathlib import PurePosixPath

from ...facts.file import FileFacts
from ...facts.measures import Function
from ...known.project import Project

MOST_BRANCHES = 3
"""Of a small file that tested functions call: more is a rule of its own."""
MOST_LINES = 16
_WEB = frozenset(
    {"fastapi", "flask", "starlette", "django", "rest_framework", "aiohttp", "pydantic", "litestar", "falcon"}
)
_WEB_SCRIPTS = frozenset({"express", "koa", "fastify", "hono", "next/server", "@nestjs/common", "hapi", "@hapi/hapi"})
_TAKES_CALLS = re.compile(
    r"\b(?:RequestHandler|NextFunction|ErrorRequestHandler|FastifyRequest|Context)\b|\bNext\b"
    r"|\b(?:req|request)\b[^\n]*\b(?:res|response|reply|next)\b"
)
_ROUTES = re.compile(r"\b(?:Router|express|fastify|new\s+Hono)\s*\(|@(?:Get|Post|Put|Patch|Delete)\(")
_AROUND = frozenset(
    {
        *(
            "request",
            "g",
            "session",
            "Request",
            "HttpRequest",
            "HTTPConnection",
            "WebSocket",
            "Depends",
            "Header",
            "Cookie",
        ),
        *("Query", "Body", "Security", "BaseModel", "RootModel", "field_validator", "model_validator", "HTTPBearer"),
        *("ModelForm", "Form", "forms", "serializers", "permissions", "BasePermission", "UserPassesTestMixin"),
        *("Serializer", "ModelSerializer", "BaseAuthentication", "TokenAuthentication", "SimpleRateThrottle"),
        *("BaseThrottle", "UserRateThrottle", "AnonRateThrottle", "BaseFilterBackend", "BasePagination"),
        *("PageNumberPagination", "CursorPagination", "LimitOffsetPagination", "BaseRenderer", "JSONRenderer"),
    }
)
"""What is imported to stand between a call and a view."""
_OF_VIEWS = re.compile(
    r"^rest_framework\.(?:views|viewsets|generics|mixins|decorators|response)|^django\.(?:views|shortcuts|http)\b"
    r"|^rest_framework$|^ninja\b"
)
"""What files import that hold Django's views, whose addresses stand elsewhere."""
_SETTINGS = re.compile(r"(^|/)(settings|config|conf)(/\w+)*\.py$|(^|/)\w*(settings|config)\w*\.py$")
_RECEIVES = re.compile(r"@(?:receiver|event\.listens_for|listens_for|\w+\.connect)\((?P<what>[^\n]*)\)")
_SENDER = re.compile(r"sender\s*=\s*[\"']?(?:\w+\.)*(\w+)|listens_for\(\s*(\w+)")

Tested = Callable[[FileFacts], bool]


def runs_along(project: Project, facts: FileFacts, judged: list[Function], is_tested: Tested) -> bool:
    """Return whether a file without tests of its own runs in tests of others.

    Args:
        is_tested: Says whether a file is named by tests, or an address it serves is called by them.
    """
    users = [
        project.files[each]
        for each in sorted({edge.source for edge in project.edges_to.get(facts.path, ())})
        if project.files[each].role == "source"
    ]
    return (
        _is_around_views(project, facts, users, is_tested)
        or _is_behind_facade(project, facts, users)
        or _is_loaded_by_name(project, facts)
        or _is_behind_signal(project, facts, judged)
        or _is_step_of_tested(project, facts, judged, users)
    )


def _is_around_views(project: Project, facts: FileFacts, users: list[FileFacts], is_tested: Tested) -> bool:
    """Return whether views that tests call use a file that only stands around views: guards, forms, error answers."""
    if facts.python:
        web = {each.name for each in facts.python.imports if each.module.partition(".")[0] in _WEB}
        if facts.python.routes or not web & _AROUND:
            return False
        return any(_holds_views(each) and is_tested(each) for each in users) or _is_named_in_settings(
            project, facts, is_tested
        )
    if facts.tree is None or not any(each.module in _WEB_SCRIPTS for each in facts.tree.imports):
        return False
    text = project.text_of(facts.path)
    if _ROUTES.search(text) or not _TAKES_CALLS.search(text):
        return False
    return any(is_tested(each) or each.path in project.importing_tests for each in users)


def _holds_views(facts: FileFacts) -> bool:
    code = facts.python
    return code is not None and bool(code.routes or any(_OF_VIEWS.search(each.module) for each in code.imports))


def _is_named_in_settings(project: Project, facts: FileFacts, is_tested: Tested) -> bool:
    """Return whether settings name a class of a file, so that it runs with every call, and tests call some view."""
    module = facts.path.removesuffix(".py").replace("/", ".")
    spelt = [f"{module}.{name}" for name in (facts.python.bases if facts.python else ())]
    naming = (
        each.path
        for each in project.of_role("source")
        if each.python and _SETTINGS.search(each.path) and PurePosixPath(facts.path).stem in each.python.words
    )
    if not any(name in project.text_of(path) for path in naming for name in spelt):
        return False
    return any(_holds_views(each) and is_tested(each) for each in project.of_role("source"))


def _is_behind_facade(project: Project, facts: FileFacts, users: list[FileFacts]) -> bool:
    """Return whether a test uses a facade by which it reaches the class of a file: `work.orders.get(1)`."""
    if facts.python is None:
        return False
    stem = PurePosixPath(facts.path).stem
    classes = {each.owner for each in facts.python.defined if each.what == "method"}
    methods = {each.name for each in facts.python.defined if each.what == "method" and not each.name.startswith("_")}
    holders = {
        edge.source for edge in project.edges_to.get(facts.path, ()) if edge.name in classes or not edge.name
    } & {each.path for each in users}
    for holder in sorted(holders & project.importing_tests.keys()):
        held = re.search(rf"\bself\.(\w*{re.escape(stem)}\w*)\s*[:=]", project.text_of(holder))
        for test in project.importing_tests[holder] if held else ():
            code = project.files[test].python
            if code and held and held[1] in code.used and methods & set(code.used):
                return True
    return False


def _is_loaded_by_name(project: Project, facts: FileFacts) -> bool:
    """Return whether a file is a plugin that other code loads by its path, and a test speaks of it by its name."""
    stem = PurePosixPath(facts.path).stem
    if facts.python is None or stem not in project.words_in_tests:
        return False
    parts = facts.path.removesuffix(".py").split("/")
    spelt = re.compile(rf"[\"'](?:[\w.]+\.)?{re.escape('.'.join(parts[-2:]))}(?:[:.]\w+)?[\"']")
    return any(
        each.python and stem in each.python.words and spelt.search(project.text_of(each.path))
        for each in project.of_role("source")
    )


def _is_behind_signal(project: Project, facts: FileFacts, judged: list[Function]) -> bool:
    """Return whether all functions with branches hear of rows that tests make."""
    lines = project.text_of(facts.path).split("\n")
    for each in judged:
        above = "\n".join(lines[max(0, each.line - 4) : each.line])
        heard = _RECEIVES.search(above)
        sender = _SENDER.search(above) if heard else None
        if sender is None or not {sender[1] or sender[2]} & project.names_in_tests:
            return False
    return bool(judged)


def _is_step_of_tested(project: Project, facts: FileFacts, judged: list[Function], users: list[FileFacts]) -> bool:
    """Return whether each function of a small file is a step of one that tests call by its name."""
    small = (
        sum(each.complexity - 1 for each in judged) <= MOST_BRANCHES
        and sum(each.lines for each in judged) <= MOST_LINES
    )
    if facts.python is None or not small:
        return False
    stem, names = PurePosixPath(facts.path).stem, {each.name.rpartition(".")[2] for each in judged}
    reached: set[str] = set()
    for user in users:
        named, put = _named_in_tests(project, user), _replaced_in_tests(project, user)
        for function, callees in user.python.called.items() if user.python else ():
            if function in named:
                reached |= {each.rpartition(".")[2] for each in callees if each in names or each.startswith(f"{stem}.")}
        reached -= put
    return names <= reached


def _replaced_in_tests(project: Project, facts: FileFacts) -> Set[str]:
    """Return what tests put something else in the place of that import a file."""
    tests = (project.files[each].python for each in project.importing_tests.get(facts.path, ()))
    return frozenset(name for code in tests if code for name in code.replaced)


def _named_in_tests(project: Project, facts: FileFacts) -> Set[str]:
    """Return the names that tests use which import a file."""
    tests = (project.files[each].python for each in project.importing_tests.get(facts.path, ()))
    return frozenset(name for code in tests if code for name in code.used)
