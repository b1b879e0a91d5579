"""The YAML block on top of a note: read forgivingly, written readably, edited key by key.

People write these lines by hand, so a block that is no valid YAML is read one key at a time, and what cannot be read
is reported and left alone. Only plain data comes out: no tag of YAML can make an object.
"""

import json
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import yaml

_BASE: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # C where the wheel has it: ten times faster


class _Loader(_BASE):  # type: ignore[misc]
    """Safe YAML without surprises: `no` is a word, `2026-01-05` is text, `1:30` is not ninety."""

    yaml_implicit_resolvers: dict[str, Any] = {}  # noqa: RUF012 - PyYAML's own class attribute


for _tag, _pattern, _first in (
    ("null", r"~|null|", ["~", "n", ""]),
    ("bool", r"true|false", list("tf")),
    ("int", r"[-+]?(?:0|[1-9][0-9]{0,17})", list("-+0123456789")),
    ("float", r"[-+]?(?:0|[1-9][0-9]*)\.[0-9]+", list("-+0123456789")),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(rf"(?:{_pattern})\Z"), _first)

_KEY = re.compile(
    r"""(?P<key>"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|[^\s#:"'\-\[\]{}<>=|&*!%@`?,][^:\n]*?)[ \t]*:(?=[ \t\r\n]|\Z)"""
)
_NOT_PLAIN = re.compile(
    r"\A[^\w(/.\u00a1-\U0010ffff]|[,\[\]{}:?\x00-\x1f\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]|\s#|\s\Z"
)
_NOT_TEXT = re.compile(
    r"(?i:true|false|yes|no|on|off|y|n|null|)|[-+]?\.?[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|0[xob][0-9a-fA-F_]+"
    r"|[-+]?\.(?i:inf|nan)|[0-9]{4}-[0-9]{1,2}-[0-9].*|\.\.\..*"
)
_WIDE = r"\u3001\u3002\uff0c\uff1a\uff1b\uff01\uff1f\uff08\uff09\u300a-\u300d\u2018-\u201d\u2026\u2014"
"""Chinese marks of writing, as a class of characters: they mean nothing to YAML."""
_INNER = rf"[\w./()+@{_WIDE}-]"
_WORD = rf"(?!(?i:true|false|null)\b)[A-Za-z\u4e00-\u9fff_](?:{_INNER}| (?={_INNER}))*"
_QUOTED = r'"(?P<quoted>[^"\\\x00-\x1f\x7f-\xa0\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]*)"'
_TIME = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z"
_SIMPLE = re.compile(
    rf"(?P<key>[A-Za-z_]\w*): (?:(?P<word>{_WORD}|(?P<number>[1-9][0-9]{{0,9}})|{_TIME})"
    rf"|{_QUOTED}|\[(?P<items>(?:{_WORD}(?:, {_WORD})*)?)\])"
)
"""A line whose value is plain words, a whole number, a time, a text in quotes, or a list of plain words."""
_ESCAPED = re.compile("[\x7f-\xa0\u2028\u2029\ufeff\ufffe\uffff]")


@dataclass(frozen=True)
class Values:
    """What a block says."""

    written: dict[str, Any] = field(default_factory=dict)
    """Every scalar as it stands there: `1.10` is `"1.10"`, an empty value or `null` is `""`."""
    data: dict[str, Any] = field(default_factory=dict)
    """The same as plain data: None, bool, int, float, str, list, dict."""
    problems: tuple[str, ...] = ()


def read(block: str) -> Values:
    """Return the values of a block; where YAML cannot read it whole, each key is read by itself."""
    if (simple := _read_simple(block)) is not None:
        return simple
    try:
        return _read_mapping(block)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        problem = f"the front matter is not valid YAML ({_reason(error)}); read key by key"
    written: dict[str, Any] = {}
    data: dict[str, Any] = {}
    for key, text in blocks(block):
        if not key:
            continue
        try:
            one = _read_mapping(text)
        except (yaml.YAMLError, RecursionError, ValueError):
            raw = text.partition(":")[2].strip()
            one = Values({key: raw}, {key: raw})
        written |= one.written
        data |= one.data
    return Values(written, data, (problem,))


def blocks(block: str) -> Iterator[tuple[str, str]]:
    """Yield the block cut into (key, its lines), in order; lines before the first key come under `""`."""
    key, lines = "", ""
    for line in _lines(block):
        if match := _KEY.match(line):
            if lines:
                yield key, lines
            key, lines = _unquoted(match["key"]), line
        else:
            lines += line
    if lines:
        yield key, lines


def edit(block: str, values: Mapping[str, object], newline: str = "\n") -> str:
    """Return the block with the given keys set, or removed where the value is None; all other bytes are kept."""
    waiting = {key: value for key, value in values.items() if value is not None}
    edited = []
    for key, text in blocks(block):
        if key not in values:
            edited.append(text)
            continue
        if key in waiting:
            edited.append(write({key: waiting.pop(key)}, newline))
        edited.append(_comments_after(text))
    if edited and edited[-1] and not edited[-1].endswith("\n"):
        edited.append(newline)
    return "".join([*edited, write(waiting, newline)])


def write(values: Mapping[str, object], newline: str = "\n") -> str:
    """Return the values as YAML, one key a line; a list of mappings gets one line for each."""
    lines = []
    for key, value in values.items():
        if isinstance(value, list | tuple) and value and all(isinstance(item, Mapping) for item in value):
            lines.append(f"{_scalar(key)}:")
            lines += [f"  - {_flow(item)}" for item in value]
        else:
            lines.append(f"{_scalar(key)}: {_flow(value)}")
    return "".join(line + newline for line in lines)


def _read_simple(block: str) -> Values | None:
    """Return the values of a block of plain words, as we write most of them, or None where YAML has to look: 6 times
    faster, and the same (a test compares them).
    """
    written: dict[str, Any] = {}
    data: dict[str, Any] = {}
    for line in block.split("\n"):
        match = _SIMPLE.fullmatch(line)
        if not match or match["key"] in written:
            if line:
                return None
            continue
        key = match["key"]
        if match["items"] is not None:
            written[key] = data[key] = match["items"].split(", ") if match["items"] else []
        elif match["quoted"] is not None:
            written[key] = data[key] = match["quoted"]
        else:
            written[key] = data[key] = match["word"]
            if match["number"]:
                data[key] = int(match["number"])
    return Values(written, data)


def _read_mapping(block: str) -> Values:
    if ("&" in block or "*" in block) and any(isinstance(token, yaml.AliasToken) for token in yaml.scan(block)):
        raise ValueError("aliases are not supported")  # a few lines of them can grow to gigabytes
    loader = _Loader(block)
    try:
        node = loader.get_single_node()
        if node is None:
            return Values()
        if not isinstance(node, yaml.MappingNode):
            raise ValueError("no `key: value` lines")
        written: dict[str, Any] = {}
        data: dict[str, Any] = {}
        problems = []
        for key_node, value_node in node.value:
            key = str(_as_written(key_node))
            if key in written:
                problems.append(f"{key} stands there twice; the last one counts")
            written[key] = _as_written(value_node)
            try:
                data[key] = loader.construct_object(value_node, deep=True)
            except (yaml.YAMLError, TypeError) as error:
                problems.append(f"{key} is read as text ({_reason(error)})")
                data[key] = written[key]
        return Values(written, data, tuple(problems))
    finally:
        loader.dispose()


def _lines(text: str) -> list[str]:
    """Return the lines with their ends; unlike `str.splitlines` only newlines end one."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _unquoted(key: str) -> str:
    if key.startswith("'"):
        return key[1:-1].replace("''", "'")
    if key.startswith('"'):
        with suppress(ValueError):  # an escape only YAML knows
            return str(json.loads(key, strict=False))
    return key


def _as_written(node: Any) -> Any:
    if isinstance(node, yaml.SequenceNode):
        return [_as_written(item) for item in node.value]
    if isinstance(node, yaml.MappingNode):
        return {str(_as_written(key)): _as_written(value) for key, value in node.value}
    return "" if node.tag == "tag:yaml.org,2002:null" else node.value


def _reason(error: BaseException) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error) or type(error).__name__
    return f"line {mark.line + 2}: {problem}" if mark else problem


def _comments_after(text: str) -> str:
    """Return the comment and blank lines at the end of a key's lines: they belong to the next key."""
    lines = _lines(text)
    start = len(lines)
    while start > 1 and (not lines[start - 1].strip() or lines[start - 1].startswith("#")):
        start -= 1
    return "".join(lines[start:])


def _flow(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_scalar(str(key))}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_flow(item) for item in value) + "]"
    return _scalar(value)


def _scalar(value: object) -> str:
    if value is None or isinstance(value, bool | int | float):
        return json.dumps(value)
    if isinstance(value, datetime):
        return iso(value)
    text = str(value)
    if not _NOT_PLAIN.search(text) and not _NOT_TEXT.fullmatch(text):
        return text
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", json.dumps(text, ensure_ascii=False))


def iso(moment: datetime) -> str:
    """Return a time as ISO 8601 in UTC, to the millisecond: ``2026-01-05T09:00:00.000Z``."""
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
