"""What models say of the rows behind a row: which attributes lead there, by a query each or loaded along."""

import ast
from dataclasses import dataclass, field

from ...syntax.names import last_name
from ...syntax.walking import every_node

_MAKES_RELATION = ("ForeignKey", "OneToOneField", "relationship", "ForeignKeyField", "relation", "ReferenceField")
_MANY_TO_MANY = "ManyToManyField"
_LOADED_ALONG = ("joined", "selectin", "subquery", "immediate", "raise", "raise_on_sql", "noload", "write_only")
_LOADERS = frozenset(
    {"joinedload", "selectinload", "subqueryload", "contains_eager", "select_related", "prefetch_related", "Prefetch"}
)


@dataclass(slots=True)
class Relations:
    """The relations of the models of a file."""

    found: set[str] = field(default_factory=set)
    """Attributes that lead to other rows."""
    along: set[str] = field(default_factory=set)
    """Those that come with the row itself."""
    loaded: set[str] = field(default_factory=set)
    """Those that some query of the file loads along with rows that are loaded along."""
    reaching: dict[str, list[str]] = field(default_factory=dict)
    """By property or method of a class with rows, the attributes of itself that it uses."""


def relations(tree: ast.Module) -> Relations:
    """Return the relations of a file's models, and what its queries load along."""
    all_of = Relations()
    for node in every_node(tree):
        if isinstance(node, ast.ClassDef):
            _of_class(node, all_of)
        elif isinstance(node, ast.Call) and last_name(node.func) in _LOADERS:
            all_of.loaded |= set(_loaded_by(node))
    return all_of


def _of_class(owner: ast.ClassDef, all_of: Relations) -> None:
    is_model = False
    for node in owner.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if not isinstance(target, ast.Name) or not isinstance(value, ast.Call):
            continue
        name = ast.unparse(value.func)
        is_model |= name.rpartition(".")[2].lower().endswith(("column", "field", "key", "relationship"))
        if name.endswith(_MAKES_RELATION):
            (all_of.along if _is_loaded_along(value) else all_of.found).add(target.id)
        if name.endswith((*_MAKES_RELATION, _MANY_TO_MANY)):
            all_of.found |= {
                str(each.value.value)
                for each in value.keywords
                if each.arg in ("backref", "related_name") and isinstance(each.value, ast.Constant)
            }
    for method in owner.body if is_model else ():
        if isinstance(method, ast.FunctionDef) and not method.name.startswith("__"):
            used = {name for each in every_node(method) if (name := _own(each))}
            if used:
                all_of.reaching.setdefault(method.name, []).extend(sorted(used))


def _own(node: ast.AST) -> str:
    """Return the attribute of itself that a node reads, or `""`."""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and isinstance(node.ctx, ast.Load):
        return node.attr if node.value.id == "self" else ""
    return ""


def _is_loaded_along(call: ast.Call) -> bool:
    lazy = next((each.value for each in call.keywords if each.arg == "lazy"), None)
    return isinstance(lazy, ast.Constant) and (lazy.value in _LOADED_ALONG or lazy.value is False)


def _loaded_by(call: ast.Call) -> list[str]:
    """Return the relations of relations: `selectinload(Sale.lots).joinedload(Lot.consignor)`, `"lots__consignor"`."""
    found: list[str] = []
    chained = isinstance(call.func, ast.Attribute) and isinstance(call.func.value, ast.Call)
    chained = chained and last_name(call.func.value.func) in _LOADERS  # type: ignore[attr-defined]
    for each in call.args:
        if isinstance(each, ast.Attribute) and chained:
            found.append(each.attr)
        elif isinstance(each, ast.Constant) and isinstance(each.value, str):
            found += each.value.split("__")[1:]
    if last_name(call.func) == "Prefetch":
        found += [
            str(each.value) for part in call.keywords for each in every_node(part) if isinstance(each, ast.Constant)
        ]
    return found
