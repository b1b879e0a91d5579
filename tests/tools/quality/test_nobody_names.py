"""What nobody names, though it looks used: wrapped views, forms, filters, methods of scripts, clauses, macros."""

import ast
from collections.abc import Callable

import pytest
from maintainer.state.report import Finding
from maintainer.tools.quality.reading.python.caught import is_covered, shadowed

Found = Callable[..., list[Finding]]
APP = {"manage.py": "import app.main\n\napp.main.f()\n", "requirements.txt": "flask==3.1.0\n", "app/__init__.py": ""}


def symbols(findings: list[Finding], *rules: str) -> list[str]:
    return sorted(finding.symbol for finding in findings if not rules or finding.rule in rules)


CLAUSES = {
    "KeyError<LookupError": True,
    "LookupError<KeyError": False,
    "jwt.ExpiredSignatureError<jwt.InvalidTokenError,KeyError": True,
    "requests.ConnectionError<requests.RequestException": True,
    "requests.RequestException<OSError": True,
    "ConnectionError<requests.ConnectionError": False,
    "app.NotFound<app.AppError": True,
    "app.NotFound<Exception": True,
    "KeyboardInterrupt<Exception": False,
    "UnicodeError,TypeError<ValueError": False,
}


@pytest.mark.parametrize("clause", CLAUSES)
def test_a_clause_after_one_that_catches_more_catches_nothing(clause: str) -> None:
    bases = {"NotFound": ["AppError"], "AppError": ["Exception"]}
    assert is_covered(clause, bases, {"app"}) is CLAUSES[clause]


def test_an_error_of_another_package_is_not_our_class_of_its_name() -> None:
    bases = {"ProxyError": ["ConnectionError"], "ConnectionError": ["IOError"]}
    assert is_covered("ours.ProxyError<ours.ConnectionError", bases, {"ours"})
    assert not is_covered("urllib3.ProxyError<OSError", bases, {"ours"})


def test_errors_are_known_by_their_package_however_they_are_imported() -> None:
    code = "import requests as r\nfrom sqlalchemy.exc import SQLAlchemyError as S\n"
    code += "try:\n    f()\nexcept (S, KeyError):\n    pass\nexcept r.exceptions.Timeout:\n    pass\n"
    [clause] = shadowed(ast.parse(code))
    assert (clause.line, clause.what) == (7, "requests.Timeout<sqlalchemy.SQLAlchemyError,KeyError")


def test_what_stands_after_the_end_of_a_path_of_a_script_is_told(found: Found) -> None:
    code = "export function f(x) {\n  return g();\n  log(x);\n  function g() { return 1; }\n}\nf(1);\n"
    code += "switch (x) {\n  case 1:\n    throw new Error();\n    break;\n}\n"
    told = found({"package.json": "{}", "src/a.ts": code}, "dead_code")
    assert [(each.place.line, each.place.end) for each in told if each.rule == "unreachable"] == [(3, 3)]


def test_methods_of_scripts_that_nothing_names_are_told(found: Found) -> None:
    code = "export class Shelf extends Base {\n  idle() { return 1; }\n}\n"
    code += "export class Books {\n  constructor() {}\n  used() { return 1; }\n  idle() { return 2; }\n"
    code += "  @Get() hooked() { return 3; }\n}\n"
    files = {"package.json": '{"scripts": {"start": "node a"}}', "src/b.ts": code}
    files["src/main.ts"] = 'import { Books, Shelf } from "./b";\nnew Shelf();\nnew Books().used();\n'
    told = [each for each in found(files, "dead_code") if each.rule == "method"]
    assert [each.place.line for each in told] == [7]


def test_what_is_only_wrapped_has_to_be_named(found: Found) -> None:
    web = "from app.guard import staff\n\n\n@staff\ndef used(request):\n    return 1\n\n\n@staff\n@login_required\n"
    web += "def idle(request):\n    return 2\n\n\n@table.add\ndef registered(request):\n    return 3\n"
    guard = "from functools import wraps\n\n\ndef staff(view):\n    @wraps(view)\n    def inner(*args):\n"
    guard += "        return view(*args)\n\n    return inner\n"
    files = APP | {"app/web.py": web, "app/guard.py": guard, "app/main.py": "from app import web\n\nf = web.used\n"}
    assert symbols(found(files, "dead_code"), "function") == ["idle"]
    keeps = guard.replace("    return inner", "    KNOWN[view.__name__] = inner\n    return inner")
    assert symbols(found(files | {"app/guard.py": keeps}, "dead_code"), "function") == []


def test_forms_views_and_protocols_have_to_be_named(found: Found) -> None:
    forms = "class Used(forms.Form):\n    pass\n\n\nclass Idle(forms.ModelForm):\n    pass\n\n\n"
    forms += "class Port(Protocol):\n    def f(self): ...\n\n\nclass Row(Model):\n    pass\n"
    files = APP | {"app/forms.py": forms, "app/main.py": "from app.forms import Used\n\nf = Used\n"}
    assert symbols(found(files, "dead_code"), "class") == ["Idle", "Port"]


def test_a_filter_is_used_by_templates_only(found: Found) -> None:
    tags = (
        "@register.filter\ndef euros(x):\n    return 1\n\n\n@register.filter('star')\ndef stars(x):\n    return 2\n\n\n"
    )
    tags += "@register.simple_tag\ndef idle(x):\n    return 3\n"
    files = APP | {"app/templatetags/tags.py": tags, "app/main.py": "f = 1\n"}
    files["app/templates/a.html"] = "{{ x|euros }} {{ x|star }} idle"
    assert symbols(found(files, "dead_code"), "function") == ["idle"]


def test_properties_of_rows_below_bases_of_ours_are_idle_too(found: Found) -> None:
    rows = "class Base(DeclarativeBase):\n    pass\n\n\nclass Card(Base):\n    @property\n    def magstripe(self):\n"
    rows += "        return 1\n\n    def save(self):\n        return 2\n"
    files = APP | {"app/rows.py": rows, "app/main.py": "from app.rows import Card\n\nf = Card\n"}
    assert symbols(found(files, "dead_code"), "property", "method") == ["Card.magstripe"]


def test_what_a_table_of_modules_names_is_used(found: Found) -> None:
    table = 'from importlib import import_module\n\nJOBS = {"a": "app.jobs.remind"}\n\n\ndef f(name):\n'
    table += "    return import_module(JOBS[name]).run()\n"
    files = APP | {"app/main.py": table, "app/jobs/__init__.py": "", "app/jobs/remind.py": "def run():\n    return 1\n"}
    assert symbols(found(files, "dead_code")) == []


def test_a_receiver_of_a_module_that_nobody_imports_is_never_connected(found: Found) -> None:
    receivers = "@receiver(post_save, sender=Visit)\ndef count(sender, **kwargs):\n    return 1\n"
    files = APP | {"app/main.py": "from app import other\n\nf = other\n", "app/other.py": "x = 1\n"}
    files["app/receivers.py"] = receivers
    assert symbols(found(files, "dead_code"), "module") == ["receivers"]
    connected = files | {"app/apps.py": "def ready():\n    import app.receivers\n"}
    assert symbols(found(connected, "dead_code"), "module") == []


def test_views_of_a_database_and_macros_are_named_by_queries_and_templates(found: Found) -> None:
    files = APP | {"app/main.py": 'f = "SELECT * FROM daily"\n'}
    files["app/views.sql"] = "CREATE VIEW daily AS SELECT 1;\nCREATE VIEW weekly AS\nSELECT 2;\nDROP VIEW weekly;\n"
    files["app/templates/_m.html"] = (
        "{% macro a(x) %}{% endmacro %}\n{% macro address(x) %}\n1\n{% endmacro %}\n{% macro b() %}{% endmacro %}\n"
    )
    files["app/templates/p.html"] = "{% from '_m.html' import a %}{% import '_m.html' as m %}{{ m.b() }} address"
    told = [each for each in found(files, "dead_code") if each.rule in ("view", "macro")]
    assert sorted((each.symbol, each.place.line, each.place.end) for each in told) == [
        ("address", 2, 4),
        ("weekly", 2, 3),
    ]


def test_a_constant_of_settings_is_dead_where_its_siblings_are_read(found: Found) -> None:
    settings = "LOGIN_URL = 1\nGYM_NAME = 2\nGYM_KEY = 3\nGYM_SAUNA = 4\n"
    files = APP | {"app/settings.py": settings, "app/main.py": "f = [settings.GYM_NAME, settings.GYM_KEY]\n"}
    assert symbols(found(files, "dead_code"), "setting") == ["GYM_SAUNA"]
    files["app/main.py"] = "f = [settings.GYM_NAME]\n"
    assert symbols(found(files, "dead_code"), "setting") == []


def test_names_of_templates_may_be_put_together(found: Found) -> None:
    files = APP | {"app/main.py": 'f = lambda name: render(f"{name}-body.html"), render("a.html")\n'}
    files |= {f"app/templates/{name}": "<p>1</p>" for name in ("a.html", "alert-body.html", "alert-head.html")}
    assert symbols(found(files, "dead_code"), "page") == ["alert-head.html"]


def test_a_decorated_class_of_a_script_is_registered(found: Found) -> None:
    files = {
        "package.json": '{"scripts": {"start": "node a"}}',
        "src/main.ts": "main();\nfunction main() { return 1; }\n",
    }
    files["src/a.ts"] = "@Controller()\nexport class Users {\n  @Get() all() { return 1; }\n}\nexport class Idle {}\n"
    assert symbols(found(files, "dead_code")) == ["Idle"]
