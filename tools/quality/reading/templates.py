"""What templates of Jinja and Django do that costs or risks: queries once per round, text that is not escaped."""

import re

from ..facts.code import LoopQuery, Risk

MARKUP = (".html", ".htm", ".j2", ".jinja", ".jinja2")
"""Endings of files that may be templates of pages."""
_TAG = re.compile(r"\{%-?\s*(?P<tag>[\s\S]*?)-?%\}|\{\{-?(?P<value>[\s\S]*?)-?\}\}")
_FOR = re.compile(r"^(?:async\s+)?for\s+([\w,\s()]+?)\s+in\s+([\s\S]+)$")
_ASKS = r"\.(\w+)\.(?:count|all|first|last|exists|filter|order_by|select|latest|get)\b"
_SAFE = re.compile(r"^\s*([\w.]+(?:\[[^\]]*\])?)\s*(?:\|\s*\w+(?:\([^)]*\))?\s*)*?\|\s*(?:safe|raw)\b")
_MADE_HERE = re.compile(
    r"html|render|markup|csrf|icon|svg|json|widget|form|field|error|label|media|nonce|(?<!de)script|style|pagina|help|toolbar"
    r"|message|description_|^_|\bt\.|i18n|config|settings|plugin|hook|embed|loop|super|caller",
    re.IGNORECASE,
)
"""What the program makes itself, by its name."""
_MARKUP = re.compile(r"<[a-zA-Z/!]")
_UNESCAPED = re.compile(r"^autoescape\s+(?:off|false)$")
_SOMEBODY_WROTE = re.compile(
    r"^(?:text|bio|biography|comment|notes?|remarks?|review|answer|question|reply|description|about|title|subject|feedback"
    r"|greeting|wish(?:es)?|signature)$"
)
"""What people write, by the name alone: what a view hands over may also be made there."""
_CLEANED = re.compile(r"\|\s*(?:escape|e|bleach|sanitize|clean|striptags|tojson|markdown\w*|linebreaks\w*|urlize)\b")


def template_loops(text: str) -> list[LoopQuery]:
    """Return where a loop asks the rows that belong to the row of its round: `course.learners.count()`."""
    found: list[LoopQuery] = []
    rows: list[set[str]] = []
    for match in _TAG.finditer(text):
        inside = match["tag"] or match["value"] or ""
        around = set().union(*rows) if rows else set[str]()
        for row in sorted(around):
            for asked in re.finditer(rf"(?<![\w.]){row}{_ASKS}", inside):
                line = text.count("\n", 0, match.start()) + 1
                found.append(LoopQuery(line, asked.group(), relation=asked[1]))
            for looked in re.finditer(rf"(?<![\w.]){row}\.(\w+)(?![\w.(]|\s*\()", inside):
                line = text.count("\n", 0, match.start()) + 1
                found.append(LoopQuery(line, looked.group(), relation=looked[1], loaded=True))
        loop = _FOR.match((match["tag"] or "").strip())
        if loop:
            rows.append(set(re.findall(r"\w+", loop[1])))
        elif (match["tag"] or "").strip().startswith("endfor") and rows:
            rows.pop()
    return found


def template_risks(text: str) -> list[Risk]:
    """Return where a field of a row goes into a page as it is; what the program makes itself, by its name, may."""
    found = []
    for match in _TAG.finditer(text):
        value = match["value"] or ""
        inside = text[match.end() :].partition("endautoescape")[0]
        shown = "{{" in inside and _MARKUP.search(inside)  # a letter without any is read as plain text
        if shown and _UNESCAPED.match((match["tag"] or "").strip()):
            line = text.count("\n", 0, match.start()) + 1
            found.append(Risk(line, line, "page-from-text", "autoescape.off"))
        safe = _SAFE.match(value)
        wrote = safe and ("." in safe[1] or _SOMEBODY_WROTE.match(safe[1]))
        if safe and wrote and not _MADE_HERE.search(safe[1]) and not _CLEANED.search(value):
            line = text.count("\n", 0, match.start()) + 1
            found.append(Risk(line, line, "page-from-text", value.strip()[:60]))
    return found
