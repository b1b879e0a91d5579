"""One file to facts."""

import ast
import re
import warnings
from collections.abc import Iterator
from threading import Lock

from ..code_index.choice import role_of
from ..code_index.languages import language_of
from ..code_index.read import split_lines
from ..secrets import SecretHit, find
from .facts import FileFacts, Function, Secret, Todo
from .python_facts import python_facts
from .tokens import blocks

FACTS_VERSION = 6
"""Raised whenever the facts of an unchanged file would come out differently."""

_ONE_AT_A_TIME = Lock()
"""Python 3.11's parser breaks when two threads use it ("AST constructor recursion depth mismatch"), and sub-agents look
at the same time; the filter of warnings is no thread's own either."""

_TODO = re.compile(r"(?:#|//|/\*|<!--|\{#|--|;|%|^\s*\*)\s*@?(TODO|FIXME|XXX|HACK|BUG)\b[:(\s]?\s*(.*)")
_COMMENT_END = re.compile(r"\s*(?:\*/|-->|#\})\s*$")
_WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]{2,}")
_MOST_TODO = 160
_MOST_WORDS = 4_000


def read_facts(path: str, text: str) -> FileFacts:
    """Return everything the analyzers need to know of a file."""
    language = language_of(path)
    role = role_of(path, language)
    lines = split_lines(text)
    todos = list(_todos(lines)) if role != "data" or path.endswith((".html", ".j2")) else []
    secrets = [
        Secret(text.count("\n", 0, hit.start) + 1, hit.kind)
        for hit in find(text)
        if not language or _is_literal(text, hit)
    ]
    if not language:
        words = sorted(set(_WORD.findall(text)))[:_MOST_WORDS]
        return FileFacts(path, "", role, len(lines), todos=todos, secrets=secrets, words=words)
    functions = _functions(path, text)
    problem, problem_line, python = "", 0, None
    if language == "python":
        try:
            with _ONE_AT_A_TIME, warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a repository's own invalid escapes are told by ruff
                python = python_facts(text, path, ast.parse(text))
        except SyntaxError as error:
            problem, problem_line = f"syntax error: {error.msg}", error.lineno or 1
        except (ValueError, RecursionError, MemoryError) as error:
            problem, problem_line = f"cannot be parsed: {type(error).__name__}", 1
    return FileFacts(
        path,
        language,
        role,
        len(lines),
        functions=functions,
        todos=todos,
        secrets=secrets,
        blocks=blocks(text, functions, language) if role == "source" else [],
        python=python,
        problem=problem,
        problem_line=problem_line,
    )


def _is_literal(text: str, hit: SecretHit) -> bool:
    """Return whether a hit in code is a text of its own: a name beside `password` is a variable, not a password."""
    if hit.kind == "private-key":
        return True
    opening = max(text.rfind(quote, 0, hit.start) for quote in "\"'`\n")
    closing = min((end for quote in "\"'`\n" if (end := text.find(quote, hit.end)) >= 0), default=-1)
    value = text[hit.start : hit.end]
    return closing >= 0 and opening >= 0 and text[opening] == text[closing] != "\n" and not set("{}()%") & set(value)


def _todos(lines: list[str]) -> Iterator[Todo]:
    for number, line in enumerate(lines, 1):
        if match := _TODO.search(line):
            text = _COMMENT_END.sub("", match[2]).strip()
            yield Todo(number, match[1], text[:_MOST_TODO])


def _functions(path: str, text: str) -> list[Function]:
    """Return what lizard measures; it reads every language it knows without their compilers."""
    import lizard

    try:
        info = lizard.analyze_file.analyze_source_code(path, text)
    except (RecursionError, IndexError, ValueError, AttributeError):  # its readers guess, and can guess wrong
        return []
    return [
        Function(
            name=each.name,
            line=each.start_line,
            end=each.end_line,
            complexity=each.cyclomatic_complexity,
            lines=each.nloc,
            parameters=len([name for name in each.parameters if name not in ("self", "cls", "*", "/", "")]),
        )
        for each in info.function_list
        if each.name != "*global*"
    ]
