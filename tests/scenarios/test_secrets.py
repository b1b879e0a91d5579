"""No store holds a secret in the clear, wherever it came from: request, file, answer or arguments of a tool."""

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from maintainer.graph import Maintainer
from maintainer.state.session import Reply, ToolCall
from maintainer.tools.fakes import ScriptedModel

SECRETS = {
    "request": "ghp_abcdefghijklmnopqrstuvwxyzABCDEF1234",
    "file": "s3cr3tDbPassw0rd",
    "note": "glpat-AbCdEfGhIjKlMnOpQr12",
    "memory": "Pa55w0rdInUrl",
    "answer": "sk-proj-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789abcd",
}

_COMPRESSED = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
"""How a zlib stream begins."""


def test_the_bytes_of_the_home_folder_hold_no_secret(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text(f"DB_PASSWORD={SECRETS['file']}\n")
    (tmp_path / "cart.py").write_text(f"DB_PASSWORD = '{SECRETS['file']}'\n\n\ndef cart():\n    return 1\n")
    asked = {
        "terminal": {"command": "cat .env cart.py"},
        "note": {"action": "create", "title": f"key {SECRETS['note']}", "content": SECRETS["note"]},
        "memory": {"action": "add", "content": f"postgres://admin:{SECRETS['memory']}@db/x"},
    }
    calls = [ToolCall(id="", name=name, arguments=arguments) for name, arguments in asked.items()]
    model = ScriptedModel([Reply(text="", calls=calls), f"There is a bug: {SECRETS['answer']} in cart.py:1.", "I see."])
    with Maintainer(tmp_path, model=model, embedder="none") as maintainer:
        maintainer.run(f"Is the cart sound? My token is {SECRETS['request']}", mode="explore")
        maintainer.run("And what else?", mode="explore")
    home = tmp_path / ".maintainer"
    stored = [text for file in home.rglob("*") if file.is_file() for text in held(file)]
    assert any(b"Is the cart sound?" in text for text in stored), "the search itself finds what is there"
    found = {where for where, secret in SECRETS.items() if any(secret.encode() in text for text in stored)}
    assert found == set()


def held(file: Path) -> Iterator[bytes]:
    """Yield a file's bytes, and what is compressed in the cells of a database."""
    yield file.read_bytes()
    if not file.read_bytes().startswith(b"SQLite format 3"):
        return
    with closing(sqlite3.connect(file)) as db:
        for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in db.execute(f'SELECT * FROM "{table}"'):
                for value in row:
                    if isinstance(value, bytes) and value[:2] in _COMPRESSED:
                        yield zlib.decompress(value)
