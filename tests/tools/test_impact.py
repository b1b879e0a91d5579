"""What breaks if something changes: every way a name can be reached by."""

import ast

import pytest
from maintainer.tools.impact import Imports, Use, impact_by_text
from maintainer.tools.import_graph import Edge, Modules, edges, read_imports
from maintainer.tools.python_names import defined, definitions

CORE = """\
def price(x):
    return _round(x)


def _round(x):
    return x


class Cart:
    def total(self):
        return price(1)
"""


def imports(files: dict[str, str]) -> Imports:
    """Return the imports of files; those under tests/ are tests."""
    found = edges({path: read_imports(ast.parse(text)) for path, text in files.items()}, Modules(files))
    own: list[Edge] = [edge for edge in found if not edge.source.startswith("tests/")]
    return Imports(own, [edge for edge in found if edge.source.startswith("tests/")], files.__getitem__)


WAYS = {
    "the name": "from p.core import price\n\nprice(2)\n",
    "the name by another": "from p.core import price as cost\n\ncost(2)\n",
    "the module": "from p import core\n\ncore.price(2)\n",
    "the module by another name": "from p import core as c\n\nc.price(2)\n",
    "a dotted module": "import p.core\n\np.core.price(2)\n",
    "a dotted module by another name": "import p.core as c\n\nc.price(2)\n",
    "the package that re-exports it": "from p import price\n\nprice(2)\n",
    "the package that re-exports it by another name": "from p import dear\n\ndear(2)\n",
    "an attribute of the package": "import p\n\np.price(2)\n",
    "an attribute of the package by another name": "import p as q\n\nq.dear(2)\n",
    "everything": "from p.core import *\n\nprice(2)\n",
    "everything of a package that takes everything": "from p.all import *\n\nprice(2)\n",
    "a package that takes everything": "from p.all import price\n\nprice(2)\n",
}
PACKAGE = {
    "p/__init__.py": "from .core import price\nfrom .core import price as dear\n",
    "p/all/__init__.py": "from ..core import *\n",
    "p/core.py": CORE,
}


@pytest.mark.parametrize("way", WAYS)
def test_a_use_is_found_whichever_way_the_name_is_reached(way: str) -> None:
    found = imports({**PACKAGE, "user.py": WAYS[way]})
    use = Use(path="user.py", line=3, name="price")
    assert use in found.impact("p/core.py").uses
    assert use in found.impact("p/core.py", "price").uses
    assert "user.py" not in found.impact("p/core.py", "Cart").users


@pytest.mark.parametrize("way", WAYS)
def test_a_test_is_found_the_same_ways(way: str) -> None:
    found = imports({**PACKAGE, "tests/test_x.py": WAYS[way]}).impact("p/core.py", "price")
    assert Use(path="tests/test_x.py", line=3, name="price") in found.tests
    assert found.far_tests == ()


def test_a_name_that_is_re_exported_twice_is_followed_to_its_end() -> None:
    files = {**PACKAGE, "q/__init__.py": "from p import dear as low\n", "user.py": "import q\n\nq.low(1)\n"}
    assert Use(path="user.py", line=3, name="price") in imports(files).impact("p/core.py").uses


def test_another_name_of_the_package_is_no_use() -> None:
    files = {**PACKAGE, "p/other.py": "def price(x): ...\n", "user.py": "from p.other import price\n\nprice(1)\n"}
    assert "user.py" not in imports(files).impact("p/core.py").users


def test_a_function_named_like_its_module_is_the_function() -> None:
    files = {
        "p/__init__.py": "",
        "p/quote.py": "def quote(): ...\n",
        "user.py": "from .p.quote import quote\n\nquote()\n",
    }
    assert imports(files).impact("p/quote.py", "quote").uses == (Use(path="user.py", line=3, name="quote"),)


def test_an_import_that_takes_nothing_is_told_by_its_own_line() -> None:
    files = {"a.py": "", "b.py": "x = 1\nimport a\n", "c.py": "from a import f\n"}
    assert imports(files).impact("a.py").uses == (Use(path="b.py", line=2), Use(path="c.py", line=1, name="f"))


def test_what_depends_on_the_users_is_told_nearest_first_and_so_are_tests_that_only_reach_it() -> None:
    files = {
        "a.py": "def f(): ...\n",
        "b.py": "from a import f\n\nf()\n",
        "z.py": "import b\n",
        "c.py": "import z\n",
        "tests/test_far.py": "import c\n",
        "tests/test_other.py": "import d\n",
        "d.py": "",
    }
    found = imports(files).impact("a.py", "f")
    assert (found.users, found.further) == (("b.py",), ("z.py", "c.py"))
    assert (found.tests, found.far_tests) == ((), ("tests/test_far.py",))


def test_a_name_used_in_its_own_file_is_a_use() -> None:
    found = imports(PACKAGE).impact("p/core.py", "_round")
    assert found.uses == (Use(path="p/core.py", line=2, name="_round"),)


def test_a_method_is_looked_for_by_its_name_where_its_file_is_reached() -> None:
    files = {
        **PACKAGE,
        "user.py": "from p.core import Cart\n\nCart().total()\n",
        "far.py": "import user\n\ndef show(cart):\n    return cart.total()\n",
        "stranger.py": "def total(x):\n    return x.total()\n",
    }
    found = imports(files).impact("p/core.py", "total")
    assert found.uses == (Use(path="far.py", line=4, name="total"), Use(path="user.py", line=3, name="total"))


def test_circles_and_files_with_errors_are_no_error() -> None:
    files = {"a/__init__.py": "from .b import x\n", "a/b.py": "from . import x\n", "c.py": "from a import x\n\nx\n"}
    assert imports(files).impact("a/b.py", "x").path == "a/b.py"
    broken = Imports([Edge(source="b.py", target="a.py", line=1, late=False, local="a")], [], lambda _: "def (")
    assert broken.impact("a.py").uses == (Use(path="b.py", line=1),)


def test_definitions_are_found_and_names_at_the_top_level_are_known() -> None:
    assert definitions("total", ["a.py", "b.js"], lambda _: CORE) == ["a.py"]
    assert definitions("totals", ["a.py"], lambda _: CORE) == []
    assert defined(ast.parse(CORE + "A, b = 1, 2\nC: int = 3\nD = 4\n")) >= {"price", "_round", "Cart", "C", "D"}


def test_in_other_languages_lines_that_import_its_name_are_found_and_that_is_marked() -> None:
    files = {
        "web/cart.ts": "export const total = 1\n",
        "web/page.ts": "import { total } from './cart'\n// the cart\n",
        "web/shop.tsx": "const cart = require('../web/cart.ts')\n",
        "web/cart-item.ts": "import x from './cart-item-base'\n",
        "web/index.ts": "",
        "app.ts": "import all from './web'\n",
        "main.go": 'import "cart"\n',
    }
    found = impact_by_text("web/cart.ts", files, files.__getitem__)
    assert found.uses == (Use(path="web/page.ts", line=1), Use(path="web/shop.tsx", line=1))
    assert found.by_text
    assert impact_by_text("web/index.ts", files, files.__getitem__).users == ("app.ts", "web/shop.tsx")
