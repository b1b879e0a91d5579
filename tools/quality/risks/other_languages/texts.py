"""Texts of JavaScript and TypeScript that are put together of nothing but what the program writes down itself."""

import re
from typing import TYPE_CHECKING

from ...syntax.functions import OF_SCRIPTS
from ...syntax.nodes import nodes_of, text_of

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_STEPS = 14
_PLAIN = frozenset(
    {"string", "number", "true", "false", "null", "undefined", "regex", "unary_expression", "update_expression"}
)
_INSIDE = frozenset({"parenthesized_expression", "as_expression", "satisfies_expression", "non_null_expression"})
_KEEPS = frozenset(
    {
        *("join", "trim", "toUpperCase", "toLowerCase", "slice", "concat", "filter", "flat", "repeat", "padStart"),
        *("reverse", "sort", "replace", "replaceAll", "toString", "at", "get", "find", "substring"),
    }
)
"""Methods whose answer is made of what they are called on."""
_COUNTS = re.compile(r"^(?:Number|parseInt|parseFloat|Number\.\w+|Math\.\w+|Date\.now|BigInt|Boolean)$")
_CLEANS = re.compile(r"(?:escape|quote|sanitiz|ident)\w*$|(?:^|\.)(?:escape|escapeId|format|raw|literal)$", re.I)
_CONSTANT = re.compile(r"^[A-Z][A-Z0-9_$]*$")
_IS_NUMBER = re.compile(r"^:\s*(?:readonly\s+)?(?:number|bigint|boolean|(?:[\"'][\w ]*[\"']\s*\|?\s*)+)(?:\[\])?$")
_COUNTED = frozenset({"length", "size"})


def is_written_down(node: "Node | None", steps: int = 0) -> bool:
    """Return whether a value is made of constants, numbers, and choices among them: nobody outside can change it.

    What a module imports counts as written down, as long as it is not called.
    """
    if node is None or steps > _MOST_STEPS:
        return False
    kind, more = node.type, steps + 1
    if kind in _PLAIN:
        return True
    if kind in _INSIDE:
        return is_written_down(node.named_children[0] if node.named_children else None, more)
    if kind in ("template_string", "array", "object"):
        inside = [each for each in node.named_children if each.type not in ("string_fragment", "escape_sequence")]
        return all(is_written_down(_value(each), more) for each in inside if each.type != "comment")
    if kind == "binary_expression":
        if text_of(node.child_by_field_name("operator")) in ("-", "*", "/", "%", "**", "&", "|", "<<", ">>"):
            return True  # a number, whatever it was
        return all(is_written_down(node.child_by_field_name(side), more) for side in ("left", "right"))
    if kind == "ternary_expression":
        return all(is_written_down(node.child_by_field_name(side), more) for side in ("consequence", "alternative"))
    if kind in ("identifier", "shorthand_property_identifier"):
        return _is_fixed_name(node, more)
    if kind == "member_expression":
        return _is_fixed_member(node, more)
    if kind == "subscript_expression":
        return is_written_down(node.child_by_field_name("object"), more)
    return kind == "call_expression" and _is_fixed_call(node, more)


def _value(node: "Node") -> "Node | None":
    """Return what a part of a template, a list or an object puts in."""
    if node.type in ("template_substitution", "spread_element"):
        return node.named_children[0] if node.named_children else None
    return node.child_by_field_name("value") if node.type == "pair" else node


def _is_fixed_member(node: "Node", steps: int) -> bool:
    name, holder = text_of(node.child_by_field_name("property")), node.child_by_field_name("object")
    if _CONSTANT.match(name) or name in _COUNTED:
        return True
    if holder is not None and holder.type == "this":
        return _is_fixed_field(node, name, steps)
    return is_written_down(holder, steps)


def _is_fixed_field(node: "Node", name: str, steps: int) -> bool:
    """Return whether a field of the class is set where it is declared, and nowhere else."""
    body: Node | None = node
    while body is not None and body.type != "class_body":
        body = body.parent
    for each in body.named_children if body is not None else ():
        if each.type in ("public_field_definition", "field_definition"):
            named = each.child_by_field_name("name") or each.child_by_field_name("property")
            if text_of(named) == name and f"this.{name} =" not in text_of(body):
                return is_written_down(each.child_by_field_name("value"), steps)
    return False


def _is_fixed_call(node: "Node", steps: int) -> bool:
    called, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    name = text_of(called)
    arguments = [each for each in given.named_children if each.type != "comment"] if given is not None else []
    if _COUNTS.match(name) or _CLEANS.search(name):
        return True
    if name in ("Object.keys", "Object.values", "Object.entries", "String", "Object.freeze", "Array.of"):
        return all(is_written_down(each, steps) for each in arguments)
    if name in ("Array.from", "Array"):
        makes = arguments[1:]
        return bool(makes) and all(_gives_fixed(each, steps) for each in makes)
    if called is None or called.type != "member_expression":
        return False
    holder, method = called.child_by_field_name("object"), text_of(called.child_by_field_name("property"))
    if method == "fill":
        return all(is_written_down(each, steps) for each in arguments[:1])
    if method in ("map", "flatMap"):
        return any(_gives_fixed(each, steps) for each in arguments[:1])
    return method in _KEEPS and is_written_down(holder, steps)


def _gives_fixed(function: "Node", steps: int) -> bool:
    """Return whether a function given to `map` answers with what is written down, whatever it is called for."""
    if function.type not in ("arrow_function", "function_expression"):
        return False
    body = function.child_by_field_name("body")
    if body is not None and body.type != "statement_block":
        return is_written_down(body, steps)
    answers = [each for each in nodes_of(body) if each.type == "return_statement"] if body is not None else []
    return bool(answers) and all(
        each.named_children and is_written_down(each.named_children[0], steps) for each in answers
    )


def _is_fixed_name(node: "Node", steps: int) -> bool:
    """Return whether a name holds what is written down: by its spelling, or by all that is ever put there."""
    name = text_of(node)
    if _CONSTANT.match(name):
        return True
    scope: Node | None = node.parent
    while scope is not None:
        if scope.type in OF_SCRIPTS:
            taken = _parameter(scope, name)
            if taken is not None:
                return _is_fixed_parameter(taken, scope, steps)
        if scope.type in (*OF_SCRIPTS, "program"):
            given, looped = _given(scope, name)
            if given or looped:
                return not any(each is None for each in given) and all(is_written_down(each, steps) for each in given)
        if scope.type == "program":
            return any(name in _imports(each) for each in scope.named_children if each.type == "import_statement")
        scope = scope.parent
    return False


def _imports(node: "Node") -> set[str]:
    return {text_of(each) for each in nodes_of(node) if each.type == "identifier"}


def _parameter(function: "Node", name: str) -> "Node | None":
    """Return the parameter of a function that has a name."""
    single = function.child_by_field_name("parameter")
    if single is not None:
        return single if text_of(single) == name else None
    parameters = function.child_by_field_name("parameters")
    for each in parameters.named_children if parameters is not None else ():
        shown = each.child_by_field_name("pattern") or each
        if any(text_of(part) == name for part in nodes_of(shown) if part.type.endswith(("identifier", "_pattern"))):
            return each
    return None


def _is_fixed_parameter(parameter: "Node", function: "Node", steps: int) -> bool:
    """Return whether a parameter is a number, one of a few words, or an element or the place of a list written down."""
    if _IS_NUMBER.match(text_of(parameter.child_by_field_name("type"))):
        return True
    call = function.parent.parent if function.parent is not None and function.parent.type == "arguments" else None
    called = call.child_by_field_name("function") if call is not None else None
    if called is None or called.type != "member_expression":
        return False
    if text_of(called.child_by_field_name("property")) not in ("map", "flatMap", "forEach", "filter"):
        return False
    parameters = function.child_by_field_name("parameters")
    places = [each for each in parameters.named_children if each.type != "comment"] if parameters is not None else []
    if len(places) > 1 and places[1] == parameter:
        return True
    return is_written_down(called.child_by_field_name("object"), steps)


def _given(scope: "Node", name: str) -> "tuple[list[Node | None], bool]":
    """Return all that a function, or the module, puts into a name: by `=`, `+=`, `push`, or by a loop over it."""
    found: list[Node | None] = []
    declared = False
    for each in nodes_of(scope):
        if each.type == "variable_declarator":
            shown = each.child_by_field_name("name")
            if text_of(shown) == name:
                declared = True
                value = each.child_by_field_name("value")
                found += [value] if value is not None else []
            elif shown is not None and shown.type.endswith("_pattern") and name in map(text_of, nodes_of(shown)):
                found.append(each.child_by_field_name("value"))
        elif each.type in ("assignment_expression", "augmented_assignment_expression"):
            found += [each.child_by_field_name("right")] if text_of(each.child_by_field_name("left")) == name else []
        elif each.type == "for_in_statement" and name in map(
            text_of, nodes_of(each.child_by_field_name("left") or each)
        ):
            found.append(each.child_by_field_name("right"))
        elif each.type == "call_expression" and text_of(each.child_by_field_name("function")) in (
            f"{name}.push",
            f"{name}.unshift",
        ):
            given = each.child_by_field_name("arguments")
            found += given.named_children if given is not None else []
    return found, declared
