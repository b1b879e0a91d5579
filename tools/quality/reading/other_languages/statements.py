"""Statements of JavaScript, TypeScript, Java and Go: what they import, hand on, call and ask."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from ...facts.code import Imported
from ...syntax.functions import SCRIPTS
from ...syntax.nodes import nodes_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

CALLS = frozenset({"call_expression", "method_invocation"})

_STORES = re.compile(
    r"^(?:\w*(?:pool|prisma|knex|sequelize|mongoose|repository|repo|jdbctemplate|entitymanager|collection|dao)"
    r"|db|tx|conn|connection|client|em|stmt|statement|session)$",
    re.IGNORECASE,
)
"""What a query is asked of, by its name."""
_STORE_ENDS = re.compile(
    r"^(?:query\w*|find(?:One|By\w*|All|Many|First|Unique)?\w*|execute(?:Query)?|get(?:One|ById|Reference)|raw|select\w*"
    r"|Query\w*|Exec\w*|First|Find|Get|Select|count\w*|aggregate)$"
)
_MODELS = re.compile(
    r"^(?:findOne|findById|findByPk|findAll|findUnique|findFirst|findMany|countDocuments|findOneBy|findBy)$"
)
"""Methods that only an object mapper has, whatever the model is called."""
_HOLDS_STORES = re.compile(r"^(?:repositories|repos|stores|daos|\w+(?:Repository|Repo|Store|Dao))$")
_READS = re.compile(r"^(?:find|get|load|read|list|count|exists|has|by|of|latest|newest)(?:[A-Z]\w*)?$")
_REQUESTS = re.compile(r"^(?:fetch|axios(?:\.\w+)?|\$http\.\w+|ky(?:\.\w+)?|got(?:\.\w+)?)$")


def taken(call: "Node") -> list[str]:
    """Return the names taken from a required module: `const { a, b } = require("x")`; `*` for the module itself."""
    parent = call.parent
    target = parent.child_by_field_name("name") if parent is not None else None
    if target is None or target.type != "object_pattern":
        return ["*"]
    return [text_of(child.child_by_field_name("key") or child) for child in target.named_children]


def asks(called: str, node: "Node", language: str) -> str:
    """Return whom a call asks, `database` or `server`, or `""`."""
    parts = called.replace("this.", "").split(".")
    if len(parts) > 1 and _STORE_ENDS.match(parts[-1]) and any(_STORES.match(part) for part in parts[:-1]):
        return "database"
    if language not in SCRIPTS:
        return ""
    waits = node.parent is not None and node.parent.type == "await_expression"
    if waits and len(parts) > 1 and _looks_up(parts, node):
        return "database"
    if waits and len(parts) > 1 and _MODELS.match(parts[-1]):
        return "database"
    return "server" if waits and _REQUESTS.match(called) else ""


def _looks_up(parts: list[str], node: "Node") -> bool:
    """Return whether an awaited call looks a row up: `await seats.find(id)`, which is no search in a list."""
    arguments = node.child_by_field_name("arguments")
    given = [each.type for each in arguments.named_children] if arguments is not None else []
    if parts[-1] == "find":
        return bool(given) and "function" not in given[0]
    return any(_HOLDS_STORES.match(part) for part in parts[:-1]) and bool(_READS.match(parts[-1]))


def callee(node: "Node") -> str:
    """Return the called expression without arguments: `db.query`."""
    if node.type == "method_invocation":
        holder, name = node.child_by_field_name("object"), node.child_by_field_name("name")
        start = f"{callee(holder) if holder.type in CALLS else text_of(holder)}." if holder is not None else ""
        return start + (text_of(name) if name is not None else "")
    function = node.child_by_field_name("function")
    if function is None:
        return ""
    return re.sub(r"\((?:[^()]|\([^()]*\))*\)|\s", "", text_of(function))


def _script_imports(node: "Node") -> list[Imported]:
    source = node.child_by_field_name("source")
    if source is None:
        return []
    module, line = text_of(source).strip("\"'`"), node.start_point[0] + 1
    typing = text_of(node).startswith(("import type", "export type"))
    wanted = [
        text_of(each.child_by_field_name("name") or each) for each in nodes_of(node) if each.type == "import_specifier"
    ]
    clause = next((child for child in node.named_children if child.type == "import_clause"), None)
    direct = [child.type for child in clause.named_children] if clause is not None else []
    wanted += ["default"] * ("identifier" in direct) + ["*"] * ("namespace_import" in direct)
    return [Imported(module, name, 0, line, False, typing, "") for name in wanted or ["*"]]


def handed_on(node: "Node") -> list[Imported]:
    """Return the imports of `export ... from "x"`."""
    source = node.child_by_field_name("source")
    if source is None:
        return []
    module, line = text_of(source).strip("\"'`"), node.start_point[0] + 1
    names = [
        text_of(each.child_by_field_name("name") or each) for each in nodes_of(node) if each.type == "export_specifier"
    ]
    return [Imported(module, name, 0, line, False, False, "") for name in names or ["*"]]


def _java_imports(node: "Node") -> list[Imported]:
    text = text_of(node).removeprefix("import").strip().rstrip(";").strip()
    module, _, name = text.removeprefix("static ").strip().rpartition(".")
    return [Imported(module, name, 0, node.start_point[0] + 1, False, False, "")]


def _go_imports(node: "Node") -> list[Imported]:
    if node.type != "import_spec":
        return []
    path = node.child_by_field_name("path")
    module = text_of(path).strip('"`') if path is not None else ""
    return [Imported(module, "*", 0, node.start_point[0] + 1, False, False, "")]


IMPORTS: "Mapping[str, Callable[[Node], list[Imported]]]" = MappingProxyType(
    {**dict.fromkeys(SCRIPTS, _script_imports), "java": _java_imports, "go": _go_imports}
)
