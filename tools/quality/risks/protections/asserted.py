"""Checks of what somebody handed in by `assert`: gone with `-O`, and otherwise a crash instead of an answer."""

import ast
import re
from collections.abc import Iterator, Set

from ...facts.code import Risk
from ...syntax.walking import every_node
from ..requests.flow import flow_of
from ..requests.received import taken

_WHO_MAY = re.compile(
    r"is_admin|is_staff|is_superuser|permission|\bcan_\w+|has_role|\.role\b|owner|authori[sz]ed|authenticated", re.I
)
"""What the linter tells as a hole."""
_PROVES = re.compile(
    r"compare_digest|constant_time_compare|check_password|verify_?\w*\(|has_perm|\b_?(?:may|is_allowed|can)_\w+\(|(?<!de)sign(?:ature)?_?\w*\("
    r"|unsign|authenticate\(|\bhas_(?:pin|password)\("
)
"""What tells who somebody is, or that they may."""
_REFUSES = re.compile(
    r"\b(?:office|staff|admins?|members?|owners?|managers?|customers?|users?|crew) only\b"
    r"|\bonly (?:the |for )?(?:office|staff|admin|owner|manager)|not allowed|forbidden|permission|denied"
    r"|unauthori[sz]ed|not authori[sz]ed|sign(?:ed)? in|log(?:ged)? in|wrong (?:token|key|pin|password|signature)"
    r"|(?:bad|invalid) (?:token|key|signature|credentials)|无权|没有权限|未登录|禁止",
    re.I,
)
"""What somebody is told who may not."""
_READS = re.compile(
    r"\bcsv\.(?:Dict)?[rR]eader\(|\bDictReader\(|\bjson\.loads?\(|\.json\(\)|(?<![\w.])(?:open|input)\(|\.read(?:_text|_bytes|lines?)?\("
    r"|\benviron\b|getenv\(|sys\.(?:argv|stdin)|load_workbook\(|parse_args\(|safe_load\(|\bargs\.\w+|\boptions\["
)
"""What reads what others wrote: a sheet, an answer, an argument, a setting of the machine."""
_LOOKS_UP = re.compile(
    r"\.(?:get|first|one_or_none|scalar|scalar_one_or_none|scalars|fetchone|find|find_one|get_or_none|find_by_\w+|by_\w+"
    r"|get_by_\w+|get_\w+|find_\w+|load_\w+|lookup)$"
)
"""What gives a row, or None where there is none of that name."""
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_PLAIN_CHECKS = frozenset({"isdigit", "isalpha", "isalnum", "startswith", "endswith", "match", "fullmatch", "strip"})


def asserted(tree: ast.Module) -> Iterator[Risk]:
    """Yield the asserts that check what their function was handed."""
    for node in every_node(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            asserts = [each for each in every_node(node) if isinstance(each, ast.Assert)]
            names = _handed(node) if asserts else frozenset()
            rows = _looked_up(node, names) if asserts else frozenset()
            proofs = _proven(node) if asserts else frozenset()
            for each in asserts:
                told = each.msg is not None and not isinstance(each.msg, ast.Name)
                missing = told and _is_there(each.test, rows)
                holds = missing or _checks(each.test, names, told) or _is_of_rights(each, proofs)
                if holds and not _WHO_MAY.search(ast.unparse(each)):
                    yield Risk(each.lineno, each.end_lineno or each.lineno, "checked-by-assert", _short(each.test))


def _proven(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Set[str]:
    """Return the variables of a function that say whether somebody may."""
    return {
        target.id
        for target, value in flow_of(node).given
        if isinstance(target, ast.Name) and _PROVES.search(ast.unparse(value))
    }


def _is_of_rights(node: ast.Assert, proofs: Set[str]) -> bool:
    """Return whether an assert is what holds somebody up: by what it asks, or by what they are told."""
    test = node.test.operand if isinstance(node.test, ast.UnaryOp) else node.test
    if isinstance(test, ast.Name) and test.id in proofs:
        return True
    refuses = isinstance(node.msg, ast.Constant) and bool(_REFUSES.search(str(node.msg.value)))
    return refuses or ("compare_digest" in ast.unparse(test) or "constant_time_compare" in ast.unparse(test))


def _handed(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Set[str]:
    """Return the names of a function that hold something of its parameters, or of what it read from outside.

    What a function that is not for others is handed was checked by those that call it.
    """
    names = set() if node.name.startswith("_") else {each.arg for each in taken(node)}
    given = flow_of(node).given
    for target, value in (*given, *_opened(node)):
        if _READS.search(ast.unparse(value)):
            names |= {name.id for name in every_node(target) if isinstance(name, ast.Name)}
    for _ in range(3):
        names |= {
            name.id
            for target, value in given
            if names & {each.id for each in every_node(value) if isinstance(each, ast.Name)}
            for name in every_node(target)
            if isinstance(name, ast.Name)
        }
    return names


def _opened(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield what `with` puts where."""
    for each in every_node(node):
        if isinstance(each, ast.With | ast.AsyncWith):
            yield from (
                (item.optional_vars, item.context_expr) for item in each.items if item.optional_vars is not None
            )


def _looked_up(node: ast.FunctionDef | ast.AsyncFunctionDef, names: Set[str]) -> Set[str]:
    """Return the variables of a function that hold the row somebody named, or nothing."""
    found = set()
    for target, value in flow_of(node).given:
        call = value.value if isinstance(value, ast.Await) else value
        if isinstance(target, ast.Name) and isinstance(call, ast.Call) and _LOOKS_UP.search(ast.unparse(call.func)):
            given = [*call.args, *(each.value for each in call.keywords)]
            used = {each.id for value in given for each in every_node(value) if isinstance(each, ast.Name)}
            found |= {target.id} if used & names else set()
    return found


def _is_there(test: ast.expr, rows: Set[str]) -> bool:
    """Return whether a test asks whether a row was found."""
    if isinstance(test, ast.Compare):
        nothing = ast.unparse(test.comparators[0]) == "None" and isinstance(test.ops[0], ast.IsNot | ast.NotEq)
        return nothing and ast.unparse(test.left) in rows
    return isinstance(test, ast.Name) and test.id in rows


def _checks(test: ast.expr, names: Set[str], told: bool) -> bool:
    """Return whether a test looks at the value of what came in, not at its type or whether it is there."""
    if isinstance(test, ast.BoolOp):
        return any(_checks(each, names, told) for each in test.values)
    if isinstance(test, ast.UnaryOp):
        return _checks(test.operand, names, told)
    used = {each.id for each in every_node(test) if isinstance(each, ast.Name)}
    if not used & names:
        return False
    if isinstance(test, ast.Call):
        return told and isinstance(test.func, ast.Attribute) and test.func.attr in _PLAIN_CHECKS
    if not isinstance(test, ast.Compare) or any(isinstance(each, ast.Is | ast.IsNot) for each in test.ops):
        return False
    numbers = any(isinstance(each, ast.Constant) for each in test.comparators)
    return told or (numbers and isinstance(test.ops[0], _ORDERS) and "len(" not in ast.unparse(test))


def _short(node: ast.expr) -> str:
    return ast.unparse(node)[:60]
