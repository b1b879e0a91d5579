"""Imports as Python resolves them, without running anything."""

import ast

import pytest
from maintainer.tools.import_graph import Edge, Import, Modules, cycles, edges, importers, read_imports

PATHS = ["src/app/__init__.py", "src/app/a.py", "src/app/sub/__init__.py", "src/app/sub/b.py", "tools/x.py", "top.py"]


def read(text: str) -> list[Import]:
    return read_imports(ast.parse(text))


def graph(files: dict[str, str]) -> list[Edge]:
    return edges({path: read(text) for path, text in files.items()}, Modules(files))


def test_imports_are_read_with_lines_levels_and_aliases() -> None:
    found = read("import a.b as c\nfrom ..d import e, f as g\n")
    assert [(each.module, each.name, each.level, each.line, each.alias) for each in found] == [
        ("a.b", "", 0, 1, "c"),
        ("d", "e", 2, 2, ""),
        ("d", "f", 2, 2, "g"),
    ]


def test_late_and_typing_imports_are_told_apart() -> None:
    text = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a\nelse:\n    import b\n"
    text += "def f():\n    import c\n"
    kinds = {each.module: (each.late, each.typing) for each in read(text)}
    assert kinds == {"typing": (False, False), "a": (False, True), "b": (False, False), "c": (True, False)}


@pytest.mark.parametrize(
    ("path", "each", "target"),
    [
        ("top.py", Import(module="app.a", line=1), "src/app/a.py"),  # the folder src is on the path
        ("top.py", Import(module="app", name="a", line=1), "src/app/a.py"),
        ("top.py", Import(module="app", name="VERSION", line=1), "src/app/__init__.py"),
        ("top.py", Import(module="app.sub.b", name="f", line=1), "src/app/sub/b.py"),
        ("top.py", Import(module="app.gone", line=1), "src/app/__init__.py"),  # the package is loaded at least
        ("top.py", Import(module="app.gone", name="x", line=1), ""),
        ("src/app/a.py", Import(module="sub", name="b", level=1, line=1), "src/app/sub/b.py"),
        ("src/app/sub/b.py", Import(module="a", name="f", level=2, line=1), "src/app/a.py"),
        ("src/app/sub/b.py", Import(module="", name="a", level=2, line=1), "src/app/a.py"),
        ("src/app/sub/__init__.py", Import(module="", name="b", level=1, line=1), "src/app/sub/b.py"),
        ("top.py", Import(module="tools.x", line=1), "tools/x.py"),  # a folder without __init__.py
        ("top.py", Import(module="json", line=1), ""),
        ("top.py", Import(module="x", level=9, line=1), ""),
    ],
)
def test_imports_lead_to_files(path: str, each: Import, target: str) -> None:
    assert Modules(PATHS).resolve(path, each) == target


def test_modules_installed_under_a_name_that_no_folder_has_are_found_by_it() -> None:
    files = {"tools/__init__.py": "", "tools/a.py": "", "test_a.py": ""}
    each = Import(module="shop.tools.a", name="f", line=1)
    assert Modules(files, prefix="shop").leads_to("test_a.py", each) == ("tools/a.py", False)
    assert Modules(files).resolve("test_a.py", each) == ""
    own = Modules({**files, "shop/__init__.py": ""}, prefix="shop")
    assert own.resolve("test_a.py", each) == "", "a folder of that name is the package"


def test_edges_name_what_is_taken_and_leave_out_oneself() -> None:
    files = {"p/__init__.py": "", "p/a.py": "from p.b import f\nfrom p import b\nimport p.a\n", "p/b.py": ""}
    assert [(edge.target, edge.name) for edge in graph(files)] == [("p/b.py", "f"), ("p/b.py", "")]
    assert importers(graph(files)) == {"p/b.py": {"p/a.py"}}


def test_cycles_are_found_whole_and_once() -> None:
    files = {
        "a.py": "import b\n",
        "b.py": "import c\n",
        "c.py": "import a, d\n",
        "d.py": "import e\n",
        "e.py": "import d\n",
        "f.py": "import a\n",
        "g.py": "def x():\n    import h\n",
        "h.py": "import g\n",
    }
    assert cycles(graph(files)) == [["a.py", "b.py", "c.py"], ["d.py", "e.py"]]


def test_a_long_chain_is_no_recursion_error() -> None:
    files = {f"m{number}.py": f"import m{number + 1}\n" for number in range(3000)} | {"m3000.py": "import m0\n"}
    assert [len(group) for group in cycles(graph(files))] == [3001]
