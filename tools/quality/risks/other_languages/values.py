"""What JavaScript and TypeScript do to values: sort numbers as text, change what others hold, trust what was sent."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ...facts.code import Risk
from ...syntax.functions import function_around, name_of
from ...syntax.nodes import nodes_of, risk_at, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_NUMBERS = re.compile(
    r"^(?:(?:seat|row|house|page|line|room|table)?_?numbers?|prices|amounts|cents|ages|years|counts|totals|scores|distances"
    r"|durations|sizes|hours|minutes|weights|heights|lengths|values_?cents|timestamps|quantities|points|ranks)$|(?:Cents|Prices"
    r"|Amounts|Numbers|Counts|Scores|Totals|Minutes|Timestamps)$"
)
_OF_NUMBERS = re.compile(
    r"=>\s*\(?(?:Number\(|parseInt\(|parseFloat\(|\+\w|\w+\.(?:\w*(?:number|price|amount|cents|count|total|age|year|score|length)"
    r"|getTime\(\))\)?\s*\)?$)",
    re.I,
)
_TYPED = re.compile(r"^:\s*(?:readonly\s+)?(?:number\[\]|(?:Readonly)?Array<number>)$")
_IN_PLACE = frozenset({"sort", "reverse", "splice"})
_OF_DATES = re.compile(r"^set(?:UTC)?(?:FullYear|Month|Date|Hours|Minutes|Seconds|Milliseconds|Time)$")
_MEANS_TO = re.compile(
    r"^(?:sort|shuffle|reverse|set|add[A-Z]?To|update|fill|mutate|apply|push|remove|insert|merge|swap|move|trim|prune|drain)",
    re.I,
)
_SENT = r"(?:req|request|ctx\.request|event)\.body"
_LOGS = re.compile(r"^(?:console|log|logger|\w+\.log|\w+\.logger)\.(?:log|info|debug|warn|error|trace)$")
_WHOLE = re.compile(r"\b(?:req|request|ctx\.request)\.(?:body|headers|cookies)\b(?![.\[?])")
_IN_LOG = re.compile(
    r"(?<![\"'\w])(?:\w+\.)*(?:password|passwd|cardNumber|cvc|cvv|iban|ssn|birthDate|dateOfBirth|apiKey|secret)\b(?!\s*[:(])"
)
_MASKED = re.compile(r"mask|redact|hash|slice\(-|last4", re.I)
_OPENS = re.compile(
    r"^(?:new\s+(?:\w+\.)?(?:Pool|PrismaClient|MongoClient|Redis|Sequelize|DataSource|Client)|(?:\w+\.)?(?:createPool|createConnection"
    r"|(?:open|create|make|connect|new)_?(?:Db|Database|Pool|Connection|Redis|Knex)|mongoose\.connect|knex))$"
)
_CLOSES = re.compile(r"\.(?:end|close|release|quit|disconnect|\$disconnect|destroy)\(")
_SAVES = re.compile(
    r"\.(?:create|insert|insertOne|update|updateOne|findByIdAndUpdate|findOneAndUpdate|upsert|build|save|set)$"
)
_CHECKED = re.compile(r"\.parse\(|safeParse|validate|pick\(|schema|allowed|whitelist|omit\(", re.I)


def script_values(root: "Node", text: str) -> list[Risk]:
    """Return what a file risks by what it does with values."""
    found: list[Risk] = []
    for node in nodes_of(root):
        if node.type in ("call_expression", "new_expression"):
            found += [risk_at(node, rule) for rule in _call(node, text)]
    return found


def _call(node: "Node", text: str) -> Iterator[str]:
    called = node.child_by_field_name("function") or node.child_by_field_name("constructor")
    given = node.child_by_field_name("arguments")
    arguments = [each for each in given.named_children if each.type != "comment"] if given is not None else []
    name = f"new {text_of(called)}" if node.type == "new_expression" else text_of(called)
    function = function_around(node)
    near = text_of(function)
    if called is not None and called.type == "member_expression":
        yield from _method(called, arguments, function)
    if _OPENS.match(name) and function is not None and _is_handler(function) and not _CLOSES.search(near):
        yield "opened-each-time"
    told = " ".join(map(text_of, arguments))
    if name == "cors" or name.endswith(".enableCors") or (name.endswith(".register") and told.startswith("cors")):
        every = re.search(
            r"origin\s*:\s*(?:true\b|[\"']\*[\"']|\(?\w+,\s*(\w+)\)?\s*=>\s*\1\(null,\s*true\)|/\.[*+]/)", told
        )
        if every and re.search(r"credentials\s*:\s*true", told):
            yield "any-origin"
    echoes = re.search(
        r"Access-Control-Allow-Origin[\"'],\s*(?:req|request|ctx)\b[\w.]*(?:headers\b.{0,12}origin|\(.?origin)",
        told,
        re.I,
    )
    if echoes and "Access-Control-Allow-Credentials" in text and "includes(" not in near:
        yield "any-origin"
    sent = re.search(rf"^(?:\w+,\s*)?(?:\{{\s*)?\.{{0,3}}{_SENT}\b(?![.\[?])", text_of(given).strip("()")) or (
        re.search(rf"\.\.\.{_SENT}\b(?![.\[?])", told) is not None
    )
    copied = name == "Object.assign" and bool(arguments[1:]) and bool(re.fullmatch(_SENT, text_of(arguments[-1])))
    if (copied or (sent and _SAVES.search(name))) and not _CHECKED.search(near):
        yield "set-by-user"
    if _LOGS.match(name) and not _MASKED.search(told):
        if _WHOLE.search(told):
            yield "personal-in-log"
        elif _IN_LOG.search(re.sub(r"([\"'])(?:(?!\1).)*\1", "", told)):
            yield "secret-in-log"


def _method(called: "Node", arguments: "list[Node]", function: "Node | None") -> Iterator[str]:
    holder, method = called.child_by_field_name("object"), text_of(called.child_by_field_name("property"))
    if method in ("sort", "toSorted") and not arguments and holder is not None and _is_of_numbers(holder, function):
        yield "sorted-as-text"
    elif function is not None and holder is not None and holder.type == "identifier":
        changes = method in _IN_PLACE or bool(_OF_DATES.match(method))
        if changes and _is_parameter(function, text_of(holder)) and _gives_back(function):
            yield "callers-changed"


def _is_handler(function: "Node") -> bool:
    """Return whether a function answers a request: by the names of its parameters."""
    parameters = text_of(function.child_by_field_name("parameters"))
    return bool(re.match(r"\(\s*_?(?:req|request|ctx|context)\b", parameters))


def _is_of_numbers(holder: "Node", function: "Node | None") -> bool:
    if holder.type == "array":
        inside = holder.named_children
        spread = inside[0].named_children[0] if len(inside) == 1 and inside[0].type == "spread_element" else None
        return (bool(inside) and all(each.type == "number" for each in inside)) or (
            spread is not None and _is_of_numbers(spread, function)
        )
    if holder.type == "identifier":
        typed = _type_of(function, text_of(holder))
        return bool(_TYPED.match(typed)) if typed else bool(_NUMBERS.search(text_of(holder)))
    if holder.type == "member_expression":
        return bool(_NUMBERS.search(text_of(holder.child_by_field_name("property"))))
    inner = holder.child_by_field_name("function")
    if holder.type != "call_expression" or inner is None or inner.type != "member_expression":
        return False
    method = text_of(inner.child_by_field_name("property"))
    if method == "map":
        return bool(_OF_NUMBERS.search(text_of(holder.child_by_field_name("arguments")).strip("()")))
    kept = inner.child_by_field_name("object")
    return method in ("filter", "slice") and kept is not None and _is_of_numbers(kept, function)


def _type_of(function: "Node | None", name: str) -> str:
    """Return the type that a parameter or a variable of a function is given, `""` where none is."""
    for each in nodes_of(function) if function is not None else ():
        if each.type in ("required_parameter", "optional_parameter", "variable_declarator"):
            named = each.child_by_field_name("pattern") or each.child_by_field_name("name")
            if text_of(named) == name and each.child_by_field_name("type") is not None:
                return text_of(each.child_by_field_name("type"))
    return ""


def _is_parameter(function: "Node", name: str) -> bool:
    """Return whether a name is what the caller handed in, and stays so."""
    parameters = function.child_by_field_name("parameters")
    names = {
        text_of(each.child_by_field_name("pattern") or each)
        for each in (parameters.named_children if parameters is not None else ())
        if each.child_by_field_name("value") is None
    }
    again = any(
        text_of(each.child_by_field_name("left") or each.child_by_field_name("name")) == name
        for each in nodes_of(function)
        if each.type in ("assignment_expression", "variable_declarator")
    )
    return name in names and not again


def _gives_back(function: "Node") -> bool:
    """Return whether a function answers with a value, and does not say by its name that it changes what it gets."""
    name = name_of(function)
    if not name or _MEANS_TO.match(name):
        return False
    return any(
        each.type == "return_statement" and each.named_children and function_around(each) == function
        for each in nodes_of(function)
    )
