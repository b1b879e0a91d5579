"""Imports, centrality, the map, definitions and references."""

from collections.abc import Callable
from pathlib import Path

import pytest
from maintainer.tools.code_index import graph
from maintainer.tools.code_index.graph import centrality, resolve
from maintainer.tools.code_index.index import CodeIndex
from maintainer.tools.tokens import TokenCounter

Make = Callable[..., CodeIndex]


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("app/views.py", ".models", "app/models.py"),
        ("app/views.py", ".models.User", "app/models.py"),
        ("app/sub/x.py", "..models", "app/models.py"),
        ("app/views.py", "app.models", "app/models.py"),
        ("app/views.py", ".", "app/__init__.py"),
        ("other/main.py", "app.sub", "app/sub/__init__.py"),
        ("app/views.py", "os", ""),
        ("web/a.ts", "./b", "web/b.ts"),
        ("web/deep/c.ts", "../b", "web/b.ts"),
        ("web/a.ts", "react", ""),
        ("src/main/java/p/A.java", "p.q.B", "src/main/java/p/q/B.java"),
        ("cmd/main.go", "example.com/m/store/db", "store/db.go"),
        ("src/main.rs", "crate::net::http", "src/net/http.rs"),
        ("c/x.c", "util.h", "c/util.h"),
        ("lib/a.rb", "b", "lib/b.rb"),
        ("php/A.php", "Shop.Cart", "php/Shop/Cart.php"),
    ],
)
def test_imports_are_resolved_in_every_language(source: str, target: str, expected: str) -> None:
    paths = [
        *("app/views.py", "app/models.py", "app/__init__.py", "app/sub/__init__.py", "app/sub/x.py", "other/main.py"),
        *("web/a.ts", "web/b.ts", "web/deep/c.ts", "src/main/java/p/A.java", "src/main/java/p/q/B.java"),
        *("cmd/main.go", "store/db.go", "src/main.rs", "src/net/http.rs", "c/x.c", "c/util.h", "lib/a.rb", "lib/b.rb"),
        *("php/A.php", "php/Shop/Cart.php", "other/models.py"),
    ]
    assert resolve([(source, target)], paths).get(source, set()) == ({expected} if expected else set())


def test_a_file_that_central_files_import_is_central() -> None:
    ranks = centrality({"a": ["c"], "b": ["c"], "c": ["d"], "d": []}, ["a", "b", "c", "d"])
    assert sum(ranks.values()) == pytest.approx(1.0)
    assert ranks["d"] > ranks["c"] > ranks["a"] == ranks["b"]
    assert centrality({}, []) == {}


def test_tests_of_a_file_by_name_and_by_import() -> None:
    edges = {"tests/test_flow.py": {"app/cart.py"}, "tests/test_other.py": {"app/x.py"}}
    tests = ["tests/test_flow.py", "tests/test_other.py", "tests/test_cart.py", "web/cart.spec.ts"]
    assert graph.tests_of("app/cart.py", edges, tests) == [
        "tests/test_cart.py",
        "web/cart.spec.ts",
        "tests/test_flow.py",
    ]


@pytest.mark.parametrize("tokens", [0, 5, 20, 60, 1000])
def test_the_map_is_never_larger_than_asked(repo: Path, make_index: Make, counter: TokenCounter, tokens: int) -> None:
    index = make_index(repo)
    index.refresh()
    drawn = index.map(tokens, counter)
    assert drawn.tokens == counter.count(drawn.text) <= tokens


def test_the_map_shows_central_signatures_and_leaves_tests_out(
    repo: Path, make_index: Make, counter: TokenCounter
) -> None:
    index = make_index(repo)
    index.refresh()
    drawn = index.map(1000, counter)
    assert "def price_of(name)" in drawn.text
    assert "test_total" not in drawn.text
    assert (drawn.symbols, drawn.of_symbols, drawn.of_files) == (6, 6, 3)
    small = index.map(30, counter)
    assert small.text.startswith("shop/prices.py:\n  6 def price_of(name)")
    assert small.text.endswith("…")


def test_the_map_turns_to_what_is_asked(repo: Path, make_index: Make, counter: TokenCounter) -> None:
    index = make_index(repo)
    index.refresh()
    assert index.map(30, counter, focus="confirmation mail").text.startswith("shop/mail.py")


def test_definitions_by_last_or_full_name(repo: Path, make_index: Make) -> None:
    index = make_index(repo)
    index.refresh()
    assert [(s.path, s.line) for s in index.symbols("total")] == [("shop/cart.py", 15)]
    assert [s.name for s in index.symbols("Cart.add_item")] == ["Cart.add_item"]
    assert index.symbols("nothing") == []
    assert index.symbols("") != []


def test_references_are_whole_words_with_the_definition_around_them(repo: Path, make_index: Make) -> None:
    index = make_index(repo)
    index.refresh()
    assert [(r.path, r.line, r.inside) for r in index.references("price_of")] == [
        ("shop/cart.py", 2, ""),
        ("shop/cart.py", 17, "Cart"),
        ("shop/prices.py", 6, "price_of"),
    ]
    assert index.references("price_o") == []
    assert len(index.references("price_of", limit=2)) == 2
    assert index.references("") == []
