"""What the handlers beside one do: which roles they ask for, and whom they give who is asking."""

import ast
from collections.abc import Set
from dataclasses import replace

from ...facts.requests import View
from ...syntax.walking import every_node
from .identity import Identity, tells
from .received import Function, functions


def by_role(tree: ast.Module) -> Set[str]:
    """Return the decorators that are given roles at some handlers: without any they let in whoever is signed in."""
    return {
        ast.unparse(each.func)
        for node, _ in functions(tree)
        for each in node.decorator_list
        if isinstance(each, ast.Call)
        and each.args
        and isinstance(each.func, ast.Name)
        and all(isinstance(word, ast.Constant) and isinstance(word.value, str) for word in each.args)
    }


def asked_by_who(node: Function, identity: Identity) -> Set[str]:
    """Return the modules and objects whose functions a handler gives who is asking, to look for what is theirs.

    Where the row was looked up before, by the same module, who asks is only written down.
    """
    return {
        call.func.value.id
        for call in every_node(node)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and identity.looks
        and any(tells(part, identity.names) for part in _given(call))
        and not any(_is_of(part, call.func.value.id) for part in _given(call))
    }


def _is_of(part: ast.expr, holder: str) -> bool:
    return isinstance(part, ast.Call) and ast.unparse(part.func).startswith(f"{holder}.")


def _given(call: ast.Call) -> list[ast.expr]:
    values = [*call.args, *(each.value for each in call.keywords)]
    return [part for each in values for part in every_node(each) if isinstance(part, ast.expr)]


def with_beside(view: View, asked: Set[str]) -> View:
    """Return a view with whom it gives its id, if they are among those that others give who is asking."""
    return replace(view, beside=min({each.partition(".")[0] for each in view.loaders} & asked, default=""))
