"""Constants nobody reads, circles a late import closes, rows behind rows, what other languages leave behind."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]
APP = {"manage.py": "import app\n\nprint(app)\n", "requirements.txt": "flask==3.1.0\n"}


def places(findings: list[Finding]) -> list[str]:
    return sorted(str(finding.place) for finding in findings)


def test_constants_nobody_reads_are_dead(found: Found) -> None:
    code = (
        "_UNREAD = 1\n_READ = 2\nTAKEN = 3\nSPELT = 4\nLEFT = 5\n\n\ndef f():\n    return _READ\n\n\n"
        "def g(name):\n    return globals()['SPELT'] or f()\n"
    )
    files = APP | {"app.py": code, "b.py": "from app import TAKEN, g\n\nprint(TAKEN, g)\n"}
    assert places(found(files, "dead_code")) == ["app.py:1", "app.py:5"]
    library = {
        "pyproject.toml": '[project]\nname = "lib"\nclassifiers = ["Topic :: Software Development :: Libraries"]\n'
    }
    assert places(found(library | files, "dead_code")) == ["app.py:1"]  # the others are for its users


def test_a_late_import_that_closes_a_circle_of_three_is_told_once(found: Found) -> None:
    files = APP | {
        "app.py": "import parts\n\nprint(parts)\n",
        "parts.py": "import prices\n\nprint(prices)\n",
        "prices.py": "def f():\n    import app\n    return app\n",
    }
    [circle] = found(files, "import_cycle")
    assert circle.facts["members"] == ["app.py", "parts.py", "prices.py"]
    assert circle.severity == "low"


def test_a_row_behind_a_row_is_a_query_unless_it_is_loaded_along(found: Found) -> None:
    models = "class Book(Base):\n    author = relationship('Author')\n    title = Column()\n"
    code = (
        "def names(session):\n    books = session.query(Book).all()\n"
        "    return [book.author.name for book in books]\n\n\n"
        "def fine(session):\n    books = session.query(Book).options(joinedload(Book.author)).all()\n"
        "    return [book.author.name for book in books]\n\n\n"
        "def short(session):\n    for book in session.query(Book):\n        print(book.title.upper)\n"
    )
    assert places(found(APP | {"models.py": models, "app.py": code}, "query_in_loop")) == ["app.py:3"]


def test_steps_of_a_range_are_batches(found: Found) -> None:
    code = (
        "def load(session, keys):\n    for start in range(0, len(keys), 500):\n"
        "        session.execute(keys[start : start + 500])\n\n\n"
        "def slow(session, rows):\n    for row in rows:\n        session.refresh(row)\n"
    )
    assert places(found(APP | {"app.py": code}, "query_in_loop")) == ["app.py:8"]


def test_a_function_that_is_called_for_each_element_is_a_loop_in_scripts(found: Found) -> None:
    code = (
        "async function f(ids, db) {\n"
        "  return Promise.all(ids.map(async (id) => db.query('SELECT a FROM b', [id])));\n}\n"
    )
    assert places(found({"a.js": code}, "query_in_loop")) == ["a.js:2"]


def test_scripts_leave_imports_variables_and_code_behind(found: Found) -> None:
    code = (
        'import { a, b as c } from "./x";\nimport type { T } from "./t";\nconst used = a();\n'
        "const left = 1;\n// const old = a(1);\n// old.send();\n// A sentence about the code;\n\n"
        "// first.go();\n// second.go();\n"
        "export function f(x: T) {\n  return used + x;\n}\n"
    )
    findings = found({"src/a.ts": code, "src/x.ts": "export function a() {}\nexport function b() {}\n"}, "dead_code")
    told = {(finding.rule, finding.place.line) for finding in findings if finding.place.path == "src/a.ts"}
    assert {("import", 1), ("variable", 4), ("comment", 9)} <= told
    assert not {line for rule, line in told if rule == "comment"} - {9}


def test_java_imports_without_a_use_are_told(found: Found) -> None:
    code = "import java.util.List;\nimport java.util.Map;\nclass A { List<String> f() { return null; } }\n"
    findings = found({"A.java": code}, "dead_code")
    assert [(finding.rule, finding.facts["name"]) for finding in findings if finding.rule == "import"] == [
        ("import", "Map")
    ]


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ('COLUMNS = "a, b"\ndef f(db):\n    return db.execute(f"SELECT {COLUMNS} FROM t WHERE a = 1")\n', False),
        ('def f(db, day):\n    where = "a = ?"\n    if day:\n        where += " AND b = 2"\n'
         '    return db.execute(f"SELECT a FROM t WHERE {where}", [1])\n', False),
        ('def f(db, keys):\n    marks = ", ".join("?" for _ in keys)\n'
         '    return db.execute(f"DELETE FROM t WHERE a IN ({marks})", keys)\n', False),
        ('def f(db, keys):\n    marks = ["?"] * len(keys)\n'
         '    return db.execute("DELETE FROM t WHERE a IN (%s)" % ",".join(marks), keys)\n', False),
        ('def f(db, name):\n    return db.execute(f"SELECT a FROM t WHERE a = \'{name}\'")\n', True),
        ('def f(db, name):\n    where = "a = " + name\n    return db.execute(f"SELECT a FROM t WHERE {where}")', True),
    ],
)  # fmt: skip
def test_sql_made_of_constants_of_the_module_is_no_risk(code: str, told: bool, found: Found) -> None:
    assert bool(found(APP | {"app.py": code}, "security")) is told


def test_mails_need_no_escaping_and_pages_do(found: Found) -> None:
    code = "from jinja2 import Environment, FileSystemLoader\n\n"
    code += 'BOX = Environment(loader=FileSystemLoader("letters"))\nprint(BOX)\n'
    assert not found(APP | {"app.py": code, "letters/hello.txt": "Dear {{ name }}\n"}, "security")
    assert found(APP | {"app.py": code, "letters/hello.html": "Dear {{ name }}\n"}, "security")


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("def f(rows):\n    for row in rows:\n        if row:\n            rows.remove(row)\n", ["B909"]),
        (
            "def f(rows):\n    for row in rows:\n        if row:\n            rows.append(1)\n",
            [],
        ),  # a list of open work
        ("def f(guest):\n    return guest == None\n", ["E711"]),
        ("def f(q, Guest):\n    return q.filter(\n        Guest.gone == None,\n    )\n", []),
        ("def f(x):\n    assert (x, 'no x')\n", ["F631"]),
        ("import datetime\ndef f(at=datetime.datetime.now()):\n    return at\n", ["B008"]),
        ("def f(at=tuple()):\n    return at\n", []),
        ("def f(rows):\n    len = 3\n    return len\n", ["A001"]),
        ("def f(rows):\n    id = 3\n    return id\n", []),
        ("def f(a, b):\n    a == b\n", ["B015"]),
        ("def f(a, b, raises):\n    with raises(TypeError):\n        a == b\n", []),
        ("str = str\n\n\ndef f(x):\n    return str(x)\n", []),
        ("def f(row):\n    max = row.max\n    return max\n", []),
        ("import enum\nclass A(enum.Enum):\n    B = 1\n    C = 1\n", ["PIE796"]),
        ("import enum\nclass A(enum.Enum):\n    B = object()\n    C = object()\n", []),
        ("def f(x):\n    name = 'a'\n    return 'a {name} is' + x + name\n", ["RUF027"]),
        ("def f(x):\n    ValueError(x)\n", ["PLW0133"]),
        ("import time\nasync def f():\n    time.sleep(1)\n", ["ASYNC251"]),
        ("NAMES = ['ab',\n    'cd'\n    'ef']\n", ["ISC004"]),
        ("TEXTS = ['it is long',\n    'and goes '\n    'on']\n", []),
        ("def f(user):\n    assert user.is_admin\n", ["S101"]),
        ("def f(user):\n    assert user.rows\n", []),
        ("import hashlib\ndef mark(key):\n    return hashlib.md5(key).hexdigest()\n", []),
    ],
)
def test_rules_of_the_linter_are_told_where_they_matter(code: str, told: list[str], found: Found) -> None:
    assert [finding.rule for finding in found(APP | {"app.py": code}, "lint", "security")] == told


def test_a_weak_hash_matters_in_a_file_about_signing_in(found: Found) -> None:
    code = "import hashlib\ndef mark(key):\n    return hashlib.md5(key).hexdigest()\n"
    assert [finding.rule for finding in found(APP | {"web/auth.py": code}, "security")] == ["S324"]


def test_a_time_without_a_zone_is_told_where_the_others_have_one(found: Found) -> None:
    naive = "import datetime\n\nprint(datetime.datetime.now())\n"
    aware = "from datetime import datetime, timezone\n\nprint(datetime.now(timezone.utc))\n"
    files = {"a.py": naive, "b.py": aware, "c.py": aware}
    assert [finding.rule for finding in found(APP | files, "lint")] == ["DTZ005"]
    assert not found(APP | {"b.py": naive, "c.py": naive}, "lint")


def test_parts_of_an_application_are_judged_and_those_of_developers_not(found: Found) -> None:
    text = (
        '[project]\nname = "x"\ndependencies = ["flask"]\n[project.optional-dependencies]\n'
        'excel = ["xlwt"]\nfast = ["orjson"]\ndev = ["black"]\n'
    )
    code = (
        "import flask\n\ndef f():\n    if flask:\n        import xlwt\n        import toml\n        return xlwt, toml\n"
    )
    findings = found({"manage.py": code, "pyproject.toml": text}, "unused_dependency", "undeclared_dependency")
    assert sorted((finding.kind, finding.rule) for finding in findings) == [
        ("undeclared_dependency", "toml"),
        ("unused_dependency", "orjson"),
    ]


def test_frameworks_and_images_past_their_end_are_told(found: Found) -> None:
    files = {
        "requirements.txt": "django==3.2.25\n",
        "other/requirements.txt": "django>=3.2\n",
        "package.json": '{"name": "x", "dependencies": {"vue": "^2.6.14"}}',
        "compose.yaml": "services:\n  db:\n    image: postgres:11-alpine\n  new:\n    image: postgres:17\n",
    }
    findings = [each for each in found(files, "outdated_dependency") if each.why == "end_of_life"]
    assert sorted(each.symbol for each in findings) == ["django 3.2", "postgres 11", "vue 2"]


def test_what_decides_who_may_do_what_needs_a_test_however_short(found: Found) -> None:
    code = (
        "def allowed(person, wanted):\n    if wanted in person.rights:\n        return True\n    return person.chief\n"
    )
    files = APP | {
        "tests/test_a.py": "def test_a():\n    assert True\n",
        "app.py": "from web import permissions, colours\n\nprint(permissions.allowed, colours.allowed)\n",
    }
    both = {"web/permissions.py": code, "web/colours.py": code}
    assert places(found(files | both, "missing_tests")) == ["web/permissions.py:1"]


def test_functions_found_by_a_short_beginning_of_their_name_are_used(found: Found) -> None:
    code = "def do_pack():\n    return 1\n\n\ndef main(name):\n    return globals()['do_' + name]()\n"
    assert not found(APP | {"app.py": code}, "dead_code")


def test_user_and_password_on_a_command_line_may_be_quoted(found: Found) -> None:
    text = '#!/bin/sh\ncurl -u "robot:Gl0ckenspiel!7" x.example/\ncurl --user robot:Gl0ckenspiel!7 x.example/\n'
    assert places(found({"send.sh": text}, "secret")) == ["send.sh:2", "send.sh:3"]


@pytest.mark.parametrize(
    ("template", "told"),
    [
        ("{% for book in books %}{{ book.readers.count() }}{% endfor %}", "query_in_loop"),
        (
            "{% for book in books %}{% for each in book.readers.all %}{{ each }}{% endfor %}{% endfor %}",
            "query_in_loop",
        ),
        ("{% for book in books %}{{ book.names.count() }}{% endfor %}", ""),  # no relation of a model
        ("{{ book.readers.count() }}", ""),
        ("{{ book.notes|safe }}", "security"),
        ("{{ book.notes|striptags|safe }}", ""),
        ("{{ book.notes_html|safe }}", ""),
        ("{{ book.notes }}", ""),
    ],
)
def test_templates_ask_once_per_round_and_show_text_as_it_is(template: str, told: str, found: Found) -> None:
    models = "class Loan(Model):\n    book = ForeignKeyField(Book, backref='readers')\n"
    findings = found(
        APP | {"models.py": models, "templates/a.html": f"<p>\n{template}\n</p>\n"}, "query_in_loop", "security"
    )
    assert [(each.kind, str(each.place)) for each in findings] == ([(told, "templates/a.html:2")] if told else [])


def test_a_query_for_one_value_of_the_loop_or_for_each_file_is_none_per_row(found: Found) -> None:
    code = (
        "def change(session, fields):\n    for field, value in fields.items():\n        if field == 'author':\n"
        "            session.query(value)\n        else:\n            session.scalar(value)\n\n\n"
        "def take(session, path):\n    return session.execute(path.read_text())\n\n\n"
        "def run(session, folder):\n    for path in folder.glob('*.eml'):\n        take(session, path)\n"
    )
    assert places(found(APP | {"app.py": code}, "query_in_loop")) == ["app.py:6"]


def test_python_names_that_are_words_of_other_languages_are_names_to_a_copy(found: Found) -> None:
    text = (
        "def write(rows, out):\n    for row in rows:\n        spent = ''\n        if row.closed is not None:\n"
        "            spent = str((row.closed - row.opened).hours).replace('.', ',')\n"
        "        end = row.closed.strftime('%d') if row.closed else ''\n"
        "        out.writerow([row.number, row.queue.name, row.subject.replace('a', 'b'), row.level, end, spent])\n"
    )
    other = text.replace("write", "show").replace("row ", "case ").replace("row.", "case.").replace("rows", "found")
    assert found({"a.py": text, "b.py": other}, "duplicate_code")


def test_chance_in_a_waiting_time_is_no_secret_though_a_token_is_near(found: Found) -> None:
    waits = "import random, time\ndef send(token):\n    time.sleep(random.random())\n    return token\n"
    made = "import random\ndef forgotten(person):\n    text = str(random.random())\n    person.reset_token = text\n"
    assert not found(APP | {"app.py": waits}, "security")
    assert [finding.rule for finding in found(APP | {"app.py": made}, "security")] == ["S311"]


def test_text_that_was_escaped_may_be_called_safe(found: Found) -> None:
    code = "from markupsafe import Markup, escape\ndef mark(text):\n    return Markup(escape(text))\n"
    assert not found(APP | {"app.py": code}, "security")
    assert found(APP | {"app.py": code.replace("escape(text)", "text")}, "security")


def test_a_note_in_documentation_is_told_too(found: Found) -> None:
    code = 'def f():\n    """Do it.\n\n    TODO: twice when it rains.\n    Note: not a tag.\n    """\n'
    assert places(found({"a.py": code}, "todo")) == ["a.py:4"]


def test_names_of_files_that_were_sent_are_followed_into_what_keeps_them(found: Found) -> None:
    keep = (
        "import os\ndef keep(folder, name, data):\n"
        "    with open(os.path.join(folder, name), 'wb') as target:\n        target.write(data)\n"
    )
    take = (
        "from store import keep\n\n\ndef take(message):\n    found = []\n    for part in message.walk():\n"
        "        name = part.get_filename()\n        found.append((name, part))\n"
        "    for name, part in found:\n        keep('/srv', name, part)\n"
    )
    assert places(found(APP | {"store.py": keep, "app.py": take}, "security")) == ["store.py:3"]


def test_decorators_run_with_what_they_decorate(found: Found) -> None:
    guard = (
        "import functools\n\n\ndef staff(view):\n    @functools.wraps(view)\n    def inner(*args):\n"
        "        if not args:\n            raise ValueError\n        if not args[0]:\n            raise KeyError\n"
        "        return view(*args)\n\n    return inner\n"
    )
    views = "from guard import staff\n\n\n@staff\ndef list_people(x):\n    if x:\n        return 1\n    return 2\n"
    files = APP | {"guard.py": guard, "views.py": views, "app.py": "import views\n\nprint(views.list_people)\n"}
    test = {"tests/test_x.py": "from views import list_people\n\n\ndef test_people():\n    assert list_people(1)\n"}
    assert not found(files | test, "missing_tests")


def test_of_a_guard_all_functions_count_so_that_a_dead_one_hides_none(found: Found) -> None:
    code = "def sign(value):\n    return value + 'x'\n\n\n"
    code += "def unsign(text):\n    if text:\n        return text\n    return None\n"
    files = APP | {
        "web/tokens.py": code,
        "app.py": "from web.tokens import sign\n\nprint(sign('a'))\n",
        "tests/test_x.py": "def test_x():\n    assert 1\n",
    }
    assert [finding.facts["untested"] for finding in found(files, "missing_tests")] == [["sign"]]


def test_libraries_for_tests_have_to_be_imported_by_some(found: Found) -> None:
    asked = {"requirements-dev.txt": "pytest==8\nfreezegun==1\nfaker==20\n"}
    findings = found(APP | asked | {"tests/test_x.py": "import faker\n\nprint(faker)\n"}, "unused_dependency")
    assert "freezegun" in {finding.rule for finding in findings}
    assert not {"pytest", "faker"} & {finding.rule for finding in findings}


def test_a_piece_of_sql_that_is_handed_over_as_sql_is_told(found: Found) -> None:
    code = "def search(rows, text):\n    wanted = \"name LIKE '%%%s%%'\" % text\n    return rows.where(SQL(wanted))\n"
    assert places(found(APP | {"app.py": code}, "security")) == ["app.py:2"]


def test_a_name_and_password_side_by_side_are_a_secret(found: Found) -> None:
    assert found({"app.py": 'MAIL_ACCOUNT = ("robot@x.example", "Gl0ck!enspiel7")\n'}, "secret")
    assert not found({"app.py": 'MAIL_COLOURS = ("red", "green")\n'}, "secret")
