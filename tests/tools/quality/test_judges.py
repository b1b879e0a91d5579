"""Each kind of finding: what it is for, and what it must leave alone."""

import re
from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]

APP = {
    "manage.py": "import app.main\n",
    "requirements.txt": "flask\n",
    "app/__init__.py": "",
    "app/main.py": "import flask\n\nprint(flask.Flask)\n",
}
"""An application: what nobody calls is dead in it."""
LIBRARY = {"pyproject.toml": '[project]\nname = "lib"\nclassifiers = ["Topic :: Software Development :: Libraries"]\n'}


def places(findings: list[Finding]) -> list[str]:
    return sorted(str(finding.place) for finding in findings)


def branches(count: int, name: str = "f") -> str:
    body = "".join(f"    if x == {number}:\n        return {number}\n" for number in range(count))
    return f"def {name}(x):\n{body}    return None\n"


@pytest.mark.parametrize(("count", "severity"), [(10, None), (13, None), (14, "low"), (19, "medium"), (39, "high")])
def test_complexity_is_told_from_twelve_on_where_it_fills_thirty_lines(
    count: int, severity: str | None, found: Found
) -> None:
    findings = found({"a.py": branches(count)}, "complex_function")
    assert [finding.severity for finding in findings] == ([severity] if severity else [])


def test_a_row_of_guards_is_told_only_where_it_is_long(found: Found) -> None:
    guards = "".join(f"    if x == {number} or y: raise ValueError\n" for number in range(12))
    assert found({"a.py": f"def f(x, y):\n{guards}"}, "complex_function") == []
    assert len(found({"a.py": f"def f(x, y):\n{guards}{guards}"}, "complex_function")) == 1


def test_complexity_is_measured_in_other_languages(found: Found) -> None:
    body = "".join(f"  if (x == {number}) {{ return {number}; }}\n" for number in range(40))
    findings = found(
        {"a.js": f"function f(x) {{\n{body}}}\n", "b.go": f"package b\nfunc g(x int) int {{\n{body}return 0\n}}\n"}
    )
    assert {finding.symbol for finding in findings if finding.kind == "complex_function"} == {"f", "g"}


def test_deep_nesting_is_told_where_complexity_alone_is_not(found: Found) -> None:
    lines = ["for b in a:", "if b:", "for c in b:", "if c:", "if c.d:", "print(c)"]
    deep = "def f(a):\n" + "".join(f"{'    ' * depth}{line}\n" for depth, line in enumerate(lines, 1))
    flat = "def g(a):\n    if a == 1:\n        return 1\n" + "".join(
        f"    elif a == {n}:\n        return {n}\n" for n in range(2, 8)
    )
    script = (
        "function h(a) {\n for (const b of a) { if (b) { for (const c of b) { if (c) { if (c.d) { x(c); } } } } }\n}\n"
    )
    findings = found({"a.py": deep + flat, "b.js": script}, "complex_function")
    assert {(finding.symbol, finding.why) for finding in findings} == {("f", "nesting"), ("h", "nesting")}


def test_many_parameters_do_not_count_self_and_give_constructors_two_more(found: Found) -> None:
    eight, ten = (", ".join(f"p{number}" for number in range(count)) for count in (8, 10))
    text = f"class A:\n    def __init__(self, {eight}):\n        pass\n\n    def f(self, {eight}):\n        pass\n"
    text += f"\n\nclass B:\n    def __init__(self, {ten}):\n        pass\n"
    assert places(found({"a.py": text}, "many_parameters")) == ["a.py:10", "a.py:5"]
    assert not found(LIBRARY | {"a.py": text}, "many_parameters")


COPY = """\
def total_of(order, rates):
    total = 0
    for line in order.lines:
        price = line.price * line.quantity
        if line.product.taxed:
            price += price * rates.get(line.product.group, 19) // 100
        if line.discount and price > line.discount:
            price -= line.discount
        total += price
    if total > 10000:
        total -= order.bonus()
    return max(total, 0)
"""


def test_copies_are_found_whatever_their_variables_are_called(found: Found) -> None:
    renamed = COPY
    for old, new in {"total": "summe", "order": "cart", "price": "amount", "rates": "table", "line": "entry"}.items():
        renamed = re.sub(rf"(?<!\.)\b{old}\b", new, renamed)
    assert "amount = entry.price * entry.quantity" in renamed
    [finding] = found({"a.py": COPY, "deep/b.py": "\n\n# elsewhere\n" + renamed}, "duplicate_code")
    assert {finding.place.path, finding.others[0].path} == {"a.py", "deep/b.py"}


def test_what_does_something_else_is_no_copy(found: Found) -> None:
    other = (
        COPY.replace("price", "weight").replace("taxed", "fragile").replace("bonus", "wrapping").replace("max", "int")
    )
    other = other.replace("if line.discount and", "while line.discount or").replace("-=", "*=")
    assert found({"a.py": COPY, "b.py": other}, "duplicate_code") == []


def test_fields_and_keys_are_the_same_to_a_copy(found: Found) -> None:
    keyed = re.sub(r"\.(lines|price|quantity|product|taxed|group|discount)\b", r'["\1"]', COPY)
    assert 'line["price"] * line["quantity"]' in keyed
    assert len(found({"a.py": COPY, "b.py": keyed}, "duplicate_code")) == 1


def test_a_copy_with_an_edit_is_a_copy(found: Found) -> None:
    edited = COPY.replace("        if line.discount", "        log(price)\n        if line.discount")
    assert len(found({"a.py": COPY, "b.py": edited}, "duplicate_code")) == 1


def test_a_short_function_copied_whole_is_a_copy(found: Found) -> None:
    short = (
        "def money(cents):\n    sign = '-' if cents < 0 else ''\n    whole, rest = divmod(abs(cents), 100)\n"
        "    groups = []\n    while whole:\n        whole, part = divmod(whole, 1000)\n"
        "        groups.append(str(part))\n"
        "    return sign + ','.join(groups) + str(rest)\n"
    )
    assert len(found({"a.py": short, "b.py": short.replace("money", "as_text")}, "duplicate_code")) == 1


def test_a_twin_for_those_who_wait_is_no_news(found: Found) -> None:
    inner = "\n".join(f"    {line}" for line in COPY.replace("total_of(", "total_of(self, ").splitlines())
    later = inner.replace("def total_of", "async def total_of")
    assert found({"a.py": f"class Shop:\n{inner}\n\n\nclass AsyncShop:\n{later}\n"}, "duplicate_code") == []
    assert len(found({"a.py": f"class Shop:\n{inner}\n\n\nclass Other:\n{later}\n"}, "duplicate_code")) == 1


def test_three_copies_are_one_finding(found: Found) -> None:
    files = {f"{name}.py": COPY.replace("total_of", f"total_{name}") for name in ("a", "b", "c")}
    [finding] = found(files, "duplicate_code")
    assert len(finding.others) == 2


def test_tables_of_data_and_signatures_are_no_copies(found: Found) -> None:
    table = "COLUMNS = [\n" + "".join(f'    Column("c{n}", Integer, nullable=False),\n' for n in range(30)) + "]\n"
    head = "def f(" + ", ".join(f"name{n}: str = 'x'" for n in range(30)) + "):\n    return {}\n"
    assert found({"a.py": table + head.format(1), "b.py": table + head.format(2)}, "duplicate_code") == []


def test_dead_code_is_what_nothing_refers_to(found: Found) -> None:
    text = "def used():\n    pass\n\n\ndef unused():\n    return 1\n\n\n"
    text += "class Gone:\n    def method(self):\n        return 2\n"
    files = {**APP, "app/a.py": text, "app/b.py": "from app.a import used\n\nused()\n"}
    assert places(found(files, "dead_code")) == ["app/a.py:5", "app/a.py:9"]


def test_what_only_dead_code_or_itself_calls_is_dead(found: Found) -> None:
    text = "def start():\n    return helper()\n\n\ndef helper():\n    return 1\n\n\n"
    text += "def old():\n    return older()\n\n\ndef older():\n    return 2\n\n\ndef loop():\n    return loop()\n"
    files = {**APP, "app/a.py": text, "app/b.py": "from app.a import start\n\nstart()\n"}
    assert places(found(files, "dead_code")) == ["app/a.py:13", "app/a.py:17", "app/a.py:9"]


def test_a_name_used_where_the_file_is_not_in_sight_does_not_keep_it(found: Found) -> None:
    files = {
        **APP,
        "app/a.py": "def search():\n    return 1\n",
        "app/b.py": 'import re\n\nprint(re.search("a", "search the shelves"))\n',
    }
    assert places(found(files, "dead_code")) == ["app/a.py:1"]


def test_a_name_handed_on_by_a_package_is_in_sight(found: Found) -> None:
    files = {
        **APP,
        "app/inner/__init__.py": "from .a import search\n",
        "app/inner/a.py": "def search():\n    return 1\n",
        "app/b.py": "from app.inner import search\n\nsearch()\n",
    }
    assert found(files, "dead_code") == []


def test_what_a_decorator_string_template_or_script_may_call_is_not_dead(found: Found) -> None:
    files = {
        **APP,
        "app/a.py": '@app.route("/")\ndef view():\n    return 1\n\n\n'
        + "\n\n".join(
            f"def {name}():\n    return 1\n" for name in ("looked_up", "in_template", "visit_name", "started")
        ),
        "app/b.py": 'def run(thing, kind):\n    getattr(thing, "looked_up")()\n'
        '    getattr(thing, f"visit_{kind}")()\n\n\nrun(1, 2)\n',
        "app/templates/x.html": "{{ in_template() }}\n",
        "setup.cfg": "[options.entry_points]\nconsole_scripts = x = app.a:started\n",
    }
    assert found(files, "dead_code") == []


def test_the_public_names_of_a_library_are_its_product(found: Found) -> None:
    text = "def public():\n    return 1\n\n\ndef _private():\n    return 2\n"
    assert places(found({**LIBRARY, "lib/a.py": text}, "dead_code")) == ["lib/a.py:5"]


def test_classes_with_foreign_bases_may_be_found_by_them_but_errors_are_not(found: Found) -> None:
    text = "class Row(db.Model):\n    pass\n\n\nclass Own(Exception):\n    pass\n"
    assert places(found({**APP, "app/a.py": text}, "dead_code")) == ["app/a.py:5"]


def test_code_only_tests_use_is_told_as_such(found: Found) -> None:
    files = {
        **APP,
        "app/a.py": "def helper():\n    return 1\n",
        "tests/test_a.py": "from app.a import helper\n\nhelper()\n",
    }
    [finding] = found(files, "dead_code")
    assert finding.why == "only_tests"


def test_methods_of_rows_and_errors_override_little(found: Found) -> None:
    text = "class Row(models.Model):\n    def clean(self):\n        return 1\n\n"
    text += "    def forgotten(self):\n        return 2\n"
    text += "\n\nclass Base(Thing):\n    def on_start(self):\n        return 3\n"
    assert places(found({**APP, "app/a.py": text}, "dead_code")) == ["app/a.py:5"]


def test_a_method_that_no_base_of_the_product_has_overrides_nothing(found: Found) -> None:
    text = "class Plain:\n    def run(self):\n        return 1\n\n\n"
    text += "class Inner(Plain):\n    def run(self):\n        return 2\n\n"
    text += "    def left(self):\n        return 3\n\n\nInner()\n"
    assert places(found({**APP, "app/a.py": text}, "dead_code")) == ["app/a.py:10", "app/a.py:2"]


def test_imports_variables_and_code_in_comments_that_were_left_behind(found: Found) -> None:
    text = "import os\nimport sys\n\n\ndef f(x):\n    y = x\n"
    text += "    # if x:\n    #     x += 1\n    #     return x\n    return x\n\n\nf(1)\n"
    told = {(finding.rule, finding.place.line, finding.severity) for finding in found({"a.py": text}, "dead_code")}
    assert told == {
        ("import", 1, "info"),
        ("variable", 6, "info"),
        ("comment", 8, "low"),
    }  # the head alone may be prose


def test_code_in_a_comment_with_prose_is_an_example(found: Found) -> None:
    text = "def f(x):\n    # Two calls do the same here:\n    # y = g(x)\n    # y = h(x)\n    return x\n\n\nf(1)\n"
    assert [each.rule for each in found({"a.py": text}, "dead_code")] == []


def test_what_another_file_takes_from_an_import_is_handed_on(found: Found) -> None:
    files = {"a.py": "import os\nfrom json import dumps\n", "b.py": "from a import dumps\n\ndumps(1)\n"}
    assert found(files, "dead_code") == []


def test_a_lone_yield_makes_a_generator(found: Found) -> None:
    files = {"a.py": "def f():\n    raise NotImplementedError\n    yield b''\n\n\nf()\n"}
    assert found(files, "dead_code") == []


def test_what_a_library_hands_on_from_private_modules_is_public(found: Found) -> None:
    text = "class Url:\n    def copy(self):\n        return 1\n\n    def _own(self):\n        return 2\n"
    files = {**LIBRARY, "lib/__init__.py": "from ._url import Url\n", "lib/_url.py": text}
    assert places(found(files, "dead_code")) == ["lib/_url.py:5"]


def test_statements_after_a_return_are_dead(found: Found) -> None:
    files = {"a.py": "def f():\n    return 1\n    print(2)\n\n\nf()\n"}
    assert places(found(files, "dead_code")) == ["a.py:3"]


TESTED = """\
def f(x):
    if x:
        y = 1
    else:
        y = 2
    z = y + 1
    w = z + 1
    v = w + 1
    u = v + 1
    return u

"""
USED = {**APP, "app/main.py": "import app.a\n\napp.a.f(1)\n"}


@pytest.mark.parametrize(
    ("test_file", "test", "is_tested"),
    [
        ("tests/test_other.py", "from app.a import f\n\n\ndef test_f():\n    assert f(1) == 4\n", True),
        ("tests/test_a.py", "import app.main\n", True),  # the name says what it is about
        ("tests/test_other.py", "from app import a\n\n\ndef test_f():\n    assert a.f(0)\n", True),
        ("tests/test_other.py", "from app.a import unrelated\n", False),  # imported, but nothing of it is tried
        ("tests/test_other.py", "def f():\n    pass\n", False),
    ],
)
def test_a_module_is_tested_when_a_test_names_its_functions(
    test_file: str, test: str, is_tested: bool, found: Found
) -> None:
    files = {**USED, "app/a.py": TESTED + "unrelated = 1\n", test_file: test}
    assert bool(found(files, "missing_tests")) is not is_tested


def test_a_view_is_tested_when_a_test_calls_its_address(found: Found) -> None:
    view = '@blueprint.get("/orders/<int:number>")\n' + TESTED
    files = {**APP, "app/a.py": view, "tests/test_api.py": 'def test_it(client):\n    client.get("/api/orders/7")\n'}
    assert found(files, "missing_tests") == []
    files["tests/test_api.py"] = 'def test_it(client):\n    client.get("/api/carts/7")\n'
    assert places(found(files, "missing_tests")) == ["app/a.py:2"]


def test_what_is_dead_needs_no_test_but_what_stands_beside_it_does(found: Found) -> None:
    dead = TESTED.replace("def f(", "def gone(").replace("    if x:", "    if x and not x:")
    files = {**APP, "app/main.py": "import app.a\n\napp.a.f(1)\n", "app/a.py": dead + TESTED}
    [finding] = found(files, "missing_tests")
    assert (finding.facts["untested"], finding.place.line) == (["f"], 12)
    assert found({**APP, "app/a.py": dead}, "missing_tests") == []


@pytest.mark.parametrize(
    ("report", "text"),
    [
        ("coverage.xml", '<coverage><class name="a" filename="app/a.py" line-rate="{}"></class></coverage>\n'),
        ("coverage.json", '{{"files": {{"app/a.py": {{"summary": {{"percent_covered": {}}}}}}}}}\n'),
        ("coverage/lcov.info", "TN:\nSF:app/a.py\nLH:{}\nLF:1\nend_of_record\n"),
    ],
)
def test_coverage_goes_before_names(report: str, text: str, found: Found) -> None:
    files = {**USED, "app/a.py": TESTED, "tests/test_a.py": "from app.a import f\n"}
    assert places(found({**files, report: text.format(0)}, "missing_tests")) == ["app/a.py:1"]
    files["tests/test_a.py"] = "assert True\n"
    assert found({**files, report: text.format(100 if "json" in report else 1)}, "missing_tests") == []


def test_a_report_of_coverage_that_is_something_else_says_nothing(found: Found) -> None:
    files = {**USED, "app/a.py": TESTED, "coverage.json": "[1, 2", "lcov.info": "LF:x\nSF:\n", "coverage.xml": "<x/>"}
    assert places(found(files, "missing_tests")) == ["app/a.py:1"]


def test_import_cycles_are_told_once(found: Found) -> None:
    files = {
        "p/__init__.py": "",
        "p/a.py": "from p import b\n",
        "p/b.py": "from p import c\n",
        "p/c.py": "import p.a\n",
    }
    [finding] = found(files, "import_cycle")
    assert finding.facts["members"] == ["p/a.py", "p/b.py", "p/c.py"]
    assert finding.severity == "medium"


def test_a_cycle_hidden_in_a_function_weighs_less_and_one_for_types_is_none(found: Found) -> None:
    late = {"p/a.py": "import p.b\n", "p/b.py": "def f():\n    import p.a\n"}
    [finding] = found(late, "import_cycle")
    assert finding.severity == "low"
    types = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    import p.a\n"
    assert found({"p/a.py": "import p.b\n", "p/b.py": types}, "import_cycle") == []


def test_an_import_against_the_layers_is_a_breach(found: Found) -> None:
    services = {f"p/services/s{n}.py": f"from p.models import m{n % 2}\n" for n in range(5)}
    files = {**services, "p/models/m0.py": "", "p/models/m1.py": "from p.services import s0\n"}
    [finding] = found(files, "layering")
    assert str(finding.place) == "p/models/m1.py:1"


def test_shared_helpers_that_import_what_they_are_there_for_are_a_breach(found: Found) -> None:
    files = {
        **APP,
        "app/common/text.py": "from app.orders.rows import Row\nfrom app.config import NAME\n",
        "app/orders/rows.py": "Row = 1\n",
        "app/orders/views.py": "from app.common import text\n",
        "app/config.py": "NAME = 1\n",
    }
    assert places(found(files, "layering")) == ["app/common/text.py:1"]


def test_rules_that_import_their_adapters_are_a_breach(found: Found) -> None:
    files = {"p/domain/a.py": "from p.adapters import mail\n", "p/adapters/mail.py": "from p.domain import b\n"}
    assert places(found({**files, "p/domain/b.py": "B = 1\n"}, "layering")) == ["p/domain/a.py:1"]


def test_a_module_may_import_from_its_package_what_that_hands_on(found: Found) -> None:
    files = {"p/__init__.py": "X = 1\nfrom p.a import f\n", "p/a.py": "from p import X\n\n\ndef f():\n    return X\n"}
    assert found(files, "import_cycle") == []


def test_layers_are_known_by_name_in_a_flat_application_too(found: Found) -> None:
    files = {"p/models.py": "from p import views\n", "p/views.py": "from p import models\n"}
    assert places(found(files, "layering")) == ["p/models.py:1"]


LOOPS = {
    "for order in orders:\n        User.query.filter_by(id=order.user).first()": True,
    "for order in orders:\n        User.objects.get(pk=order.user)": True,
    "return [session.query(User).get(i) for i in ids]": True,
    "for row in rows:\n        cursor.execute('SELECT 1 WHERE x = ?', (row,))": True,
    "while ids:\n        db.session.execute(text, ids.pop())": True,
    "for author in orders:\n        author.books.count()": True,
    "for order in orders:\n        order.done = True\n        order.save()": True,
    "for i in ids:\n        db.query(User).filter(User.id == i).first()": True,
    "for i in ids:\n        db.get(User, i)": True,
    "for i in ids:\n        db.get(i)": False,
    "for i in ids:\n        db.users.find_one({'_id': i})": True,
    "for i in ids:\n        self._conn.execute('SELECT 1 WHERE x = ?', (i,))": True,
    "for name in ('a', 'b'):\n        cursor.execute(name, (1,))": False,  # it will not grow with the data
    "for word in rows:\n        word.text.count('a')": False,
    "for form in forms:\n        form.save(path)": False,
    "for order in Order.query.all():\n        print(order)": False,  # one query for all
    "for statement in statements:\n        cursor.execute(statement)": False,  # each has to be run
    "for batch in batches:\n        db.session.execute(insert, batch)": False,
    "for key in keys:\n        values.get(key)": False,
    "for name in names:\n        session.get(name)": False,  # of a web request
}


@pytest.mark.parametrize(("body", "is_query"), LOOPS.items())
def test_queries_in_loops(body: str, is_query: bool, found: Found) -> None:
    assert bool(found({"a.py": f"def f(orders, ids, rows):\n    {body}\n"}, "query_in_loop")) is is_query


@pytest.mark.parametrize(
    ("report", "is_told"),
    [
        ("    return [describe(key) for key in keys]\n", True),  # two calls deep
        ("    store = CustomerStore()\n    return [store.by_key(key) for key in keys]\n", True),
        ("    table = {}\n    return [table.get(key) for key in keys]\n", False),  # a word of everyday code
        ("    return [label(key) for key in keys]\n", False),
    ],
)
def test_a_query_behind_several_calls_or_a_method_is_found(report: str, is_told: bool, found: Found) -> None:
    store = (
        "class CustomerStore:\n    def by_key(self, key):\n        return self.session.execute(key)\n\n"
        "    def get(self, key):\n        return self.session.execute(key)\n\n\n"
        "def customer(key):\n    return CustomerStore().by_key(key)\n\n\n"
        "def describe(key):\n    return str(customer(key))\n\n\ndef label(key):\n    return key\n"
    )
    text = f"from p.store import CustomerStore, describe, label\n\n\ndef f(keys):\n{report}"
    assert bool(found({"p/store.py": store, "p/report.py": text}, "query_in_loop")) is is_told


def test_a_query_behind_a_call_is_found_across_files(found: Found) -> None:
    files = {
        "p/store.py": "def customer(key):\n    return Customer.query.get(key)\n\n\ndef label(key):\n    return key\n",
        "p/report.py": "from p import store as kept\n\n\ndef f(keys):\n"
        "    return [(kept.customer(key), kept.label(key)) for key in keys]\n",
    }
    [finding] = found(files, "query_in_loop")
    assert (str(finding.place), finding.why) == ("p/report.py:5", "indirect_query")


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        ("def f(x=[]):\n    x.append(1)\n", ["B006"]),
        ("try:\n    print(1)\nexcept:\n    pass\n", ["E722"]),  # told once, not by three rules
        ("import subprocess\n\nsubprocess.run(command, shell=True)\n", ["S602", "F821"]),
        ("import subprocess\n\nsubprocess.run('ls', shell=True)\n", []),
        ("import requests\n\nrequests.get('https://x', verify=False, timeout=3)\n", ["S501"]),
        ("def f(cursor, name):\n    cursor.execute(f\"SELECT a FROM t WHERE n = '{name}'\")\n", ["S608"]),
        ("def f():\n    raise ValueError('Cannot select an item from the list %s' % 1)\n", []),
        ("import os  # unused imports are style\n", []),
        ("def f(x=[]):  # noqa: B006\n    x.append(1)\n", []),
    ],
)
def test_lint_and_security_rules(code: str, rules: list[str], found: Found) -> None:
    assert sorted(finding.rule for finding in found({"a.py": code}, "lint", "security")) == sorted(rules)


def test_names_of_tables_in_sql_weigh_less_than_values(found: Found) -> None:
    value = 'def f(c, x):\n    c.execute(f"SELECT a FROM t WHERE n = {x}")\n'
    table = 'def f(c, x):\n    c.execute(f"SELECT a FROM {x} WHERE n = %s", [1])\n'
    severities = {f.place.path: f.severity for f in found({"v.py": value, "t.py": table}, "security")}
    assert severities == {"v.py": "high", "t.py": "low"}


def test_the_repositorys_own_configuration_of_the_linter_is_not_read(found: Found) -> None:
    files = {"ruff.toml": 'lint.ignore = ["B006"]\n', "a.py": "def f(x=[]):\n    x.append(1)\n"}
    assert len(found(files, "lint")) == 1


KEY = "AKIA" + "IOSFODNN7" + "EXAMPLB"


def test_secrets_are_masked_and_weigh_by_where_they_stand(found: Found) -> None:
    text = f'KEY = "{KEY}"\n'
    findings = found({"a.py": text, "tests/test_a.py": text}, "secret")
    assert {finding.place.path: finding.severity for finding in findings} == {
        "a.py": "critical",
        "tests/test_a.py": "low",
    }
    assert all(KEY not in finding.evidence for finding in findings)


def test_a_variable_beside_the_word_password_is_no_secret(found: Found) -> None:
    code = "def connect(user):\n    password = read_password(user)\n"
    code += '    return {"PASSWORD": password, "token": make(user)}\n'
    assert found({"a.py": code}, "secret") == []


def test_dependencies_are_compared_with_imports(found: Found) -> None:
    files = {
        "requirements.txt": "flask\nPyYAML>=6\npillow\ngunicorn\npsycopg2-binary\nsqlalchemy\n",
        "requirements-dev.txt": "pytest\n",
        "app.py": "import flask, sqlalchemy, yaml, numpy, werkzeug, json\n\n"
        "try:\n    import orjson\nexcept ImportError:\n    orjson = None\n",
    }
    findings = found(files, "undeclared_dependency", "unused_dependency")
    assert {(finding.kind, finding.facts["package"]) for finding in findings} == {
        ("undeclared_dependency", "numpy"),
        ("unused_dependency", "pillow"),
    }


def test_without_a_manifest_nothing_is_undeclared(found: Found) -> None:
    assert found({"app.py": "import numpy\n"}, "undeclared_dependency") == []


README = """\
# App

Run `./bin/gone.sh`. See `docs/there.md`, `docs/gone.md`, `app/main.py`, `owner/name`, `docs/X.Y.md`.
And the [guide](docs/no.md).

```sh
make test
make nothing
python manage.py migrate
python manage.py vanished
python scripts/gone.py
pip install -r requirements.txt
```

`GET /api/items/<id>` and `GET /api/ghosts`. Needs Python 3.9 or newer.
"""


def test_documents_are_compared_with_the_repository(found: Found) -> None:
    files = {
        **APP,
        "README.md": README,
        "Makefile": "test:\n\tpytest\n",
        "docs/there.md": "text\n",
        "app/api.py": '@app.get("/items/<int:id>")\ndef item(id):\n    return id\n',
        "pyproject.toml": '[project]\nname = "x"\nrequires-python = ">=3.11"\n',
        "scripts/x.py": "",
    }
    claims = {str(finding.facts["claim"]) for finding in found(files, "stale_docs")}
    assert claims == {
        "./bin/gone.sh",
        "docs/gone.md",
        "docs/no.md",
        "make nothing",
        "manage.py vanished",
        "python scripts/gone.py",
        "GET /api/ghosts",
        "Python 3.9 or newer",
    }


def test_todos_of_code_and_templates_are_told_but_not_those_of_documents(found: Found) -> None:
    files = {
        "a.py": 'x = "TODO: no comment"\n# TODO: one\n',
        "a.js": "// FIXME two\n",
        "t/a.html": "<!-- HACK: three -->\n{# XXX four #}\n",
        "notes.md": "# TODO\n- TODO: write\n",
    }
    told = {(f.place.path, f.rule, f.facts["text"]) for f in found(files, "todo")}
    assert told == {
        ("a.py", "TODO", "one"),
        ("a.js", "FIXME", "two"),
        ("t/a.html", "HACK", "three"),
        ("t/a.html", "XXX", "four"),
    }


def test_broken_source_is_told_and_broken_tests_are_not(found: Found) -> None:
    files = {"a.py": "def f(:\n", "tests/test_a.py": "def f(:\n"}
    assert places(found(files, "syntax_error")) == ["a.py:1"]


def test_odd_files_are_no_error(found: Found) -> None:
    files = {
        "empty.py": "",
        "deep.py": "(" * 3000 + ")" * 3000,
        "null.py": "x = '\\0'\n",
        "多字节.py": "# TODO: 中文\nx = '值'\n",
    }
    assert [finding.facts["text"] for finding in found(files, "todo")] == ["中文"]


NAMES = ", ".join(f"p{number}" for number in range(9))


def test_signatures_that_are_not_free_are_left_alone(found: Found) -> None:
    command = f"@cli.command()\ndef run({NAMES}):\n    pass\n"
    assert found({"a.py": command}, "many_parameters") == []
    public, private = f"def send({NAMES}):\n    pass\n", f"def _send({NAMES}):\n    pass\n"
    assert places(found({**LIBRARY, "lib/a.py": public, "lib/b.py": private}, "many_parameters")) == ["lib/b.py:1"]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("import hashlib\n\ndef etag(body):\n    return hashlib.md5(body).hexdigest()\n", False),
        ("import hashlib\n\ndef reset_token(user):\n    return hashlib.md5(user.key).hexdigest()\n", True),
        ("def load(path, names):\n    exec(compile(path.read_text(), path, 'exec'), names)\n", False),
        ("def load(text, names):\n    exec(text, names)\n", True),
        ("try:\n    print(1)\nexcept Exception:\n    # the old value is as good\n    pass\n", False),
        ("try:\n    print(1)\nexcept Exception:\n    # FIXME: nobody hears of it\n    pass\n", True),
    ],
)
def test_rules_of_the_linter_count_where_they_matter(code: str, told: bool, found: Found) -> None:
    assert bool(found({"a.py": code}, "lint", "security")) is told


def test_a_module_named_after_what_it_adapts_to_breaches_nothing(found: Found) -> None:
    upper = {f"p/admin/a{n}.py": "from p.auth import core\n" for n in range(7)} | {"p/admin/site.py": ""}
    files = {**upper, "p/auth/core.py": "", "p/auth/admin.py": "from p.admin import site\n"}
    assert found(files, "layering") == []
    files["p/auth/other.py"] = "from p.admin import site\n"
    assert places(found(files, "layering")) == ["p/auth/other.py:1"]


def test_a_private_function_is_tested_through_the_public_one_that_calls_it(found: Found) -> None:
    code = TESTED.replace("def f(", "def _f(") + "\ndef front(x):\n    return _f(x)\n"
    files = {**APP, "app/main.py": "import app.a\n\napp.a.front(1)\n", "app/a.py": code}
    files["tests/test_other.py"] = "from app.a import front\n\n\ndef test_it():\n    assert front(1) == 4\n"
    assert found(files, "missing_tests") == []


def test_after_four_of_a_kind_the_others_are_heard(found: Found) -> None:
    files = {f"m{number}.py": branches(45) for number in range(9)} | {"bug.py": "def g(x=[]):\n    x.append(1)\n"}
    kinds = [finding.kind for finding in found(files)]
    assert kinds.index("lint") in range(4, 9)
    assert kinds.count("complex_function") == 9


def test_a_password_in_a_documentation_string_is_an_example_but_a_key_is_none(found: Found) -> None:
    text = (
        '"""Open `https://ann:s3cr3tpw@host/`, or with ghp_' + "a1B2" * 9 + '."""\nURL = "https://ann:s3cr3tpw@host/"\n'
    )
    assert sorted(finding.place.line for finding in found({"a.py": text}, "secret")) == [1, 2]


@pytest.mark.parametrize(("around", "severity"), [(LIBRARY, "low"), (APP, "high")])
def test_a_library_puts_sql_together_where_its_database_layer_is(
    around: dict[str, str], severity: str, found: Found
) -> None:
    text = "def f(cursor, name):\n    cursor.execute(f\"SELECT * FROM t WHERE name = '{name}'\")\n"
    [finding] = found({**around, "lib/db/a.py": text}, "security")
    assert finding.severity == severity
