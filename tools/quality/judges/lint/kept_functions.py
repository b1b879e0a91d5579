"""Functions made in a loop that outlive their round, and so find the loop's variable as the last round left it."""

import ast
import re

from ...syntax.walking import every_node

_KEEPS = re.compile(
    r"partial|submit|schedule|register|subscribe|connect|Timer|Thread|Process|call_later|call_soon|delay|defer|Task|Button"
    r"|add_|on_|set_|bind|callback|^map$|^filter$|imap|\.append$|Future|command|Action|\.then$|lazy|property|signal|hook",
    re.IGNORECASE,
)
"""Calls that keep a function for later."""


def outlives_its_round(text: str, line: int) -> bool:
    """Return whether a function that uses a variable of its loop is kept: put somewhere, or handed on for later.

    One that is an argument of a call whose answer is used has run when the call comes back.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    statements = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.If, ast.For)
    return not any(
        isinstance(given, ast.Lambda) and given.lineno <= line <= (given.end_lineno or given.lineno)
        for statement in every_node(tree)
        if isinstance(statement, statements)
        for call in every_node(_used(statement))
        if isinstance(call, ast.Call) and not _KEEPS.search(ast.unparse(call.func))
        for given in (*call.args, *(each.value for each in call.keywords))
    )


def _used(statement: ast.stmt) -> ast.expr:
    """Return the expression of a statement whose value is used."""
    used = [getattr(statement, name, None) for name in ("test", "iter", "value")]
    return next((each for each in used if isinstance(each, ast.expr)), ast.Constant(None))
