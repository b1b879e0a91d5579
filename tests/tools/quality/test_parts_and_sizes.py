"""Layers that plain sentences name or habit shows, a module far larger than the others, packages that come along."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]
PARTS = {
    "core/__init__.py": "",
    "core/days.py": "from tickets import book\n\nprint(book)\n",
    "tickets/__init__.py": "",
    "tickets/book.py": "from collection import shelf\n\nprint(shelf)\n",
    "collection/__init__.py": "",
    "collection/shelf.py": "def f():\n    from tickets import book\n    return book\n",
    "manage.py": "import core.days\n\nprint(core)\n",
}
SENTENCES = {
    "Tickets may use the collection, the collection never uses tickets.": ["collection/shelf.py:2"],
    "| folder | what |\n|---|---|\n| `core/` | days; knows neither collection nor tickets |": ["core/days.py:1"],
    "- core: days, independent of the rest.\n- core knows nothing of tickets": ["core/days.py:1"],
    "The collection must not import tickets, core or anything else.": ["collection/shelf.py:2"],
    "core 层不能导入 tickets。": ["core/days.py:1"],
    "Visitors never use tickets.": [],
    "The collection never uses pencils, tickets sell out.": [],
    "Tickets never use the core.": [],
}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_plain_sentence_says_who_may_not_import_whom(found: Found, sentence: str) -> None:
    told = [each for each in found(PARTS | {"README.md": f"{sentence}\n"}, "layering") if each.rule == "stated"]
    assert [str(each.place) for each in told] == SENTENCES[sentence]


@pytest.mark.parametrize(("lower", "told"), [("repositories", ["src/repositories/shows.ts:1"]), ("models", [])])
def test_a_repository_of_a_script_stands_below_services(found: Found, lower: str, told: list[str]) -> None:
    files = {
        "package.json": '{"scripts": {"start": "node src/main"}}',
        f"src/{lower}/shows.ts": 'import { priceOf } from "../services/pricing";\nexport const f = priceOf;\n',
        "src/services/pricing.ts": "export function priceOf() { return 1; }\n",
        "src/services/sales.ts": f'import type {{ f }} from "../{lower}/shows";\nf();\n',
    }
    assert [str(each.place) for each in found(files, "layering")] == told


def test_the_one_route_that_asks_the_database_itself_is_told(found: Found) -> None:
    files = {"requirements.txt": "flask\n", "manage.py": "import app\n"}
    for name in "abcde":
        files[f"app/routes/{name}.py"] = "from app.store import rows\n\n\ndef f():\n    return rows.all()\n"
        files[f"app/store/{name}.py"] = 'def all(db):\n    return db.execute("SELECT a FROM b")\n'
    straight = 'from app.db import connect\n\n\ndef f():\n    return connect().execute("DELETE FROM b WHERE a")\n'
    files["app/routes/a.py"] = straight
    assert [str(each.place) for each in found(files, "layering") if each.rule == "passed over"] == ["app/routes/a.py:1"]
    files["app/routes/b.py"] = straight
    assert [each for each in found(files, "layering") if each.rule == "passed over"] == []


def test_a_module_far_longer_than_all_others_is_large(found: Found) -> None:
    files = {f"app/part_{number}.py": f"def f{number}():\n    return 1\n" * 20 for number in range(14)}
    files["app/views.py"] = "def g():\n    return 1\n\n\n" * 80
    assert [each.place.path for each in found(files, "large_file")] == ["app/views.py"]
    files["app/models.py"] = "def h():\n    return 1\n\n\n" * 50
    assert found(files, "large_file") == []


def test_what_only_comes_along_has_to_be_declared(found: Found) -> None:
    files = {"requirements.txt": "flask==3.1.0\n", "app.py": "import werkzeug\nimport itsdangerous\n\nprint(1)\n"}
    told = found(files, "undeclared_dependency")
    assert [(each.rule, each.why, each.severity) for each in told] == [("itsdangerous", "brought along", "low")]


def test_a_module_of_ours_is_no_use_of_the_package_of_its_name(found: Found) -> None:
    files = {"requirements.txt": "flask==3.1.0\nschedule==1.2.0\n", "app/__init__.py": "import flask\n"}
    files["app/main.py"] = 'from app.jobs import schedule\n\nschedule.run("schedule")\n'
    files["app/jobs/schedule.py"] = "def run(x):\n    return x\n"
    assert [each.rule for each in found(files, "unused_dependency")] == ["schedule"]


def test_a_list_that_a_program_froze_is_not_read_line_by_line(found: Found) -> None:
    frozen = "".join(f"package-{number}==1.0\n" for number in range(40))
    files = {"requirements.txt": frozen, "app/main.py": "import package_1\n"}
    assert found(files, "unused_dependency") == []
