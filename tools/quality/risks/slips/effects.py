"""Effects in the wrong order: noted as done before the answer that decides it is looked at."""

import ast
import re
from collections.abc import Iterator, Sequence

from ...facts.code import Risk
from ...syntax.walking import every_node

_ASKS = re.compile(
    r"^(?:await )?(?:self\.)?_?(?:requests|httpx|aiohttp|urllib3|http|session|client|gateway|provider|psp|bank|stripe"
    r"|paypal|braintree|adyen|api|\w*(?:client|gateway|provider))\.(?:\w+\.)*"
    r"(?:get|post|put|patch|delete|request|send|charge|refund|capture|pay|transfer|create|cancel|submit|void)$",
    re.I,
)
"""Calls of another server."""
_STATE = re.compile(
    r"\.(?:\w*state|\w*status|\w*(?:paid|refunded|sent|done|delivered|confirmed|settled|captured)(?:_at)?)$"
)
_DONE = re.compile(
    r"paid|refunded|sent|done|completed?|captured|delivered|cancelled|canceled|settled|confirmed|success|shipped"
    r"|synced|processed|charged|True|now\(|utcnow\(",
    re.I,
)


def effects(tree: ast.Module) -> Iterator[Risk]:
    """Yield where a row is noted as done although nobody has looked at the answer yet."""
    for node in every_node(tree):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield from _noted_early(block)


def _noted_early(block: Sequence[ast.stmt]) -> Iterator[Risk]:
    """Yield the statements between a request and the first look at its answer that note it as done."""
    for place, statement in enumerate(block):
        answer = _asked(statement)
        if not answer:
            continue
        rest = block[place + 1 :]
        if not any(_mentions(each, answer) for each in rest):
            continue
        for each in rest:
            if _mentions(each, answer):
                break
            if _notes(each):
                yield Risk(each.lineno, each.end_lineno or each.lineno, "done-before-known", ast.unparse(each)[:60])
                break


def _asked(statement: ast.stmt) -> str:
    """Return the name of the answer, where a statement asks another server."""
    if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Name):
        return ""
    value = statement.value.value if isinstance(statement.value, ast.Await) else statement.value
    asks = isinstance(value, ast.Call) and _ASKS.match(ast.unparse(value.func)) and not _is_of_database(value)
    return statement.targets[0].id if asks else ""


def _is_of_database(call: ast.Call) -> bool:
    """Return whether `session.get(Loan, 1)` asks for a row."""
    first = call.args[0] if call.args else None
    return isinstance(first, ast.Name) and first.id[:1].isupper() and not first.id.isupper()


def _mentions(node: ast.AST, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in every_node(node))


def _notes(statement: ast.stmt) -> bool:
    """Return whether a statement notes in a row that something is done."""
    return (
        isinstance(statement, ast.Assign)
        and isinstance(statement.targets[0], ast.Attribute)
        and bool(_STATE.search(ast.unparse(statement.targets[0])))
        and bool(_DONE.search(ast.unparse(statement.value)))
    )
