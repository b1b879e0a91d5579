"""Calls that open a path, and what shows that somebody looked at what the path became."""

import ast
import re

FILE = re.compile(
    r"^(?:os\.(?:remove|unlink|listdir|scandir)|shutil\.\w+|io\.open|codecs\.open|open)$"
    r"|(?:^|\.)(?:send_file|FileResponse|read_text|read_bytes|write_text|write_bytes|unlink|open)$"
)
CHECKS = re.compile(
    r"resolve\(|relative_to|is_relative|basename|secure_filename|safe_join|startswith|realpath|commonpath|\.\."
)
CLEANS = re.compile(r"relative_to|secure_filename|safe_join|basename|commonpath")
"""The plainest of them, which name a path anew."""


def trusted_part(call: ast.Call, rule: str) -> ast.expr | None:
    """Return the argument that a call trusts."""
    if rule == "path-from-user" and isinstance(call.func, ast.Attribute) and not call.args:
        return call.func.value
    if rule == "path-from-user" and call.func and ast.unparse(call.func).endswith(("write_text", "write_bytes")):
        return call.func.value if isinstance(call.func, ast.Attribute) else None
    named = {"url", "location", "path", "content", "filename"}
    return call.args[0] if call.args else next((each.value for each in call.keywords if each.arg in named), None)
