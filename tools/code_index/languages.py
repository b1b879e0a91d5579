"""The languages whose structure is read: a table of what a definition looks like in each grammar."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Parser


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One grammar, as node types of its tree."""

    name: str
    package: str
    entry: str = "language"
    functions: frozenset[str]
    """Definitions that are kept whole: functions and methods."""
    classes: frozenset[str]
    """Definitions whose members are definitions of their own."""
    inside: frozenset[str]
    """Nodes without a name of their own that may hold definitions."""
    wrappers: frozenset[str] = frozenset()
    """Nodes that start a definition before its first line: decorators, exports, templates."""
    values: frozenset[str] = frozenset()
    """Nodes that make the variable they are assigned to a function."""
    assignments: frozenset[str] = frozenset()
    """Statements that may assign such a value."""
    comments: frozenset[str] = frozenset({"comment"})
    imports: frozenset[str] = frozenset()
    callees: frozenset[str] = field(default_factory=frozenset)
    """Names of calls that import, for example ``require``."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_JAVASCRIPT = Language(
    name="javascript",
    package="tree_sitter_javascript",
    functions=_words("function_declaration generator_function_declaration method_definition"),
    classes=_words("class_declaration"),
    inside=_words("class_body"),
    assignments=_words("lexical_declaration variable_declaration expression_statement field_definition"),
    wrappers=_words("export_statement"),
    values=_words("arrow_function function_expression generator_function"),
    imports=_words("import_statement export_statement"),
    callees=_words("require import"),
)
_TYPESCRIPT = Language(
    name="typescript",
    package="tree_sitter_typescript",
    entry="language_typescript",
    functions=_JAVASCRIPT.functions | _words("type_alias_declaration enum_declaration interface_declaration"),
    classes=_words("class_declaration abstract_class_declaration internal_module module"),
    inside=_JAVASCRIPT.inside | _words("statement_block ambient_declaration"),
    assignments=_JAVASCRIPT.assignments | _words("public_field_definition"),
    wrappers=_JAVASCRIPT.wrappers,
    values=_JAVASCRIPT.values,
    imports=_JAVASCRIPT.imports,
    callees=_JAVASCRIPT.callees,
)
_C = Language(
    name="c",
    package="tree_sitter_c",
    functions=_words("function_definition preproc_function_def struct_specifier union_specifier enum_specifier"),
    classes=frozenset(),
    inside=_words("preproc_ifdef preproc_if preproc_else preproc_elif linkage_specification declaration_list"),
    wrappers=_words("type_definition"),
    imports=_words("preproc_include"),
)

LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {
        "python": Language(
            name="python",
            package="tree_sitter_python",
            functions=_words("function_definition"),
            classes=_words("class_definition"),
            inside=_words(
                "block if_statement elif_clause else_clause try_statement except_clause finally_clause with_statement"
            ),
            wrappers=_words("decorated_definition"),
            imports=_words("import_statement import_from_statement"),
        ),
        "javascript": _JAVASCRIPT,
        "typescript": _TYPESCRIPT,
        "tsx": Language(
            name="tsx",
            package="tree_sitter_typescript",
            entry="language_tsx",
            functions=_TYPESCRIPT.functions,
            classes=_TYPESCRIPT.classes,
            inside=_TYPESCRIPT.inside,
            assignments=_TYPESCRIPT.assignments,
            wrappers=_TYPESCRIPT.wrappers,
            values=_TYPESCRIPT.values,
            imports=_TYPESCRIPT.imports,
            callees=_TYPESCRIPT.callees,
        ),
        "java": Language(
            name="java",
            package="tree_sitter_java",
            functions=_words("method_declaration constructor_declaration annotation_type_declaration"),
            classes=_words("class_declaration interface_declaration enum_declaration record_declaration"),
            inside=_words("class_body interface_body enum_body enum_body_declarations"),
            comments=_words("line_comment block_comment"),
            imports=_words("import_declaration"),
        ),
        "go": Language(
            name="go",
            package="tree_sitter_go",
            functions=_words("function_declaration method_declaration type_spec type_alias"),
            classes=frozenset(),
            inside=_words("import_declaration import_spec_list"),
            wrappers=_words("type_declaration"),
            imports=_words("import_spec"),
        ),
        "rust": Language(
            name="rust",
            package="tree_sitter_rust",
            functions=_words("function_item struct_item enum_item union_item type_item macro_definition"),
            classes=_words("impl_item trait_item mod_item"),
            inside=_words("declaration_list"),
            comments=_words("line_comment block_comment attribute_item"),
            imports=_words("use_declaration"),
        ),
        "c": _C,
        "cpp": Language(
            name="cpp",
            package="tree_sitter_cpp",
            functions=_C.functions - _words("struct_specifier"),
            classes=_words("class_specifier struct_specifier namespace_definition"),
            inside=_C.inside | _words("field_declaration_list"),
            wrappers=_C.wrappers | _words("template_declaration"),
            imports=_C.imports,
        ),
        "ruby": Language(
            name="ruby",
            package="tree_sitter_ruby",
            functions=_words("method singleton_method"),
            classes=_words("class module"),
            inside=_words("body_statement"),
            callees=_words("require require_relative load"),
        ),
        "php": Language(
            name="php",
            package="tree_sitter_php",
            entry="language_php",
            functions=_words("function_definition method_declaration"),
            classes=_words("class_declaration interface_declaration trait_declaration enum_declaration"),
            inside=_words(
                "declaration_list enum_declaration_list namespace_definition compound_statement expression_statement"
            ),
            imports=_words(
                "namespace_use_declaration require_expression require_once_expression include_expression"
                " include_once_expression"
            ),
        ),
    }
)

_SUFFIXES = {
    "python": ".py .pyi .pyw",
    "javascript": ".js .jsx .mjs .cjs",
    "typescript": ".ts .mts .cts",
    "tsx": ".tsx",
    "java": ".java",
    "go": ".go",
    "rust": ".rs",
    "c": ".c .h",
    "cpp": ".cc .cpp .cxx .hpp .hh .hxx .inl",
    "ruby": ".rb .rake .gemspec",
    "php": ".php",
}
_BY_SUFFIX = {suffix: name for name, suffixes in _SUFFIXES.items() for suffix in suffixes.split()}


def language_of(path: str) -> str:
    """Return the name of the language of a file, a key of `LANGUAGES`, or ``""`` where its structure is not read."""
    return _BY_SUFFIX.get(PurePosixPath(path).suffix.lower(), "")


@cache
def parser_of(name: str) -> "Parser":
    """Return the parser of a language; its grammar is loaded at the first call."""
    import tree_sitter

    language = LANGUAGES[name]
    grammar = getattr(import_module(language.package), language.entry)
    return tree_sitter.Parser(tree_sitter.Language(grammar()))
