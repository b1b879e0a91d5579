"""Walks over a flattened tree see what `ast.walk` sees."""

import ast
from pathlib import Path

import pytest
from maintainer.tools.quality.syntax import walking
from maintainer.tools.quality.syntax.walking import every_node, flatten, written


@pytest.mark.parametrize("source", ["", "x = 1", Path(walking.__file__).read_text("utf-8"), "(" * 80 + "1" + ")" * 80])
def test_a_flattened_tree_has_the_same_nodes_below_each_node(source: str) -> None:
    tree = ast.parse(source)
    flatten(tree)
    for node in ast.walk(tree):
        if not isinstance(node, ast.expr_context):
            below = {id(each) for each in ast.walk(node) if not isinstance(each, ast.expr_context)}
            assert {id(each) for each in every_node(node)} == below
            assert every_node(node)[0] is node


def test_a_tree_that_was_not_flattened_is_walked_all_the_same() -> None:
    tree = ast.parse("f(x)")
    assert [type(each) for each in every_node(tree)] == [type(each) for each in ast.walk(tree)]


def test_a_deep_tree_is_flattened_without_recursion() -> None:
    tree: ast.expr = ast.Constant(1)
    for _ in range(20_000):
        tree = ast.UnaryOp(ast.USub(), tree)
    flatten(tree)
    assert len(every_node(tree)) == 40_001


def test_the_text_of_a_node_is_made_once() -> None:
    node = ast.parse("f( x )").body[0]
    assert written(node) == "f(x)"
    assert written(node) is written(node)
