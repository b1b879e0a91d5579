"""The notes tool of the published package, on as many notes as ours: run by the Python that has the package.

PYTHON notes_published.py < {"questions": […], "notes": [[title, content, type, tags], …]}

Its own `create` writes the whole index at every note, so the notes are laid down as its files and its index, and only
then opened by it. Its limit of 1,000 notes is raised. Prints medians in milliseconds as JSON.
"""

import contextlib
import io
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any


def main() -> None:
    given = json.load(sys.stdin)
    from hello_agents.tools.builtin.note_tool import NoteTool  # type: ignore[import-not-found]

    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        lay_down(NoteTool(workspace=folder), Path(folder), given["notes"])
        started = time.perf_counter()
        tool = NoteTool(workspace=folder, max_notes=10**9)
        opened = time.perf_counter() - started
        few = given["questions"][:5]
        found = {
            "open_ms": round(opened * 1000, 2),
            "search_p50_ms": median(lambda text: tool.run({"action": "search", "query": text}), few),
            "create_p50_ms": median(
                lambda text: tool.run({"action": "create", "title": text, "content": text, "note_type": "action"}), few
            ),
            "list_p50_ms": median(lambda _: tool.run({"action": "list", "limit": 20}), few),
        }
    print(json.dumps(found))


def lay_down(tool: Any, folder: Path, notes: Iterable[tuple[str, str, str, list[str]]]) -> None:
    rows = []
    for number, (title, content, kind, tags) in enumerate(notes):
        row = {"id": f"note_20260101_000000_{number}", "title": title, "type": kind, "tags": tags}
        row["created_at"] = row["updated_at"] = "2026-01-01T00:00:00"
        (folder / f"{row['id']}.md").write_text(tool._note_to_markdown({**row, "content": content}), "utf-8")
        rows.append(row)
    tool.notes_index["notes"] = rows
    tool._save_index()


def median(act: Callable[[str], object], items: list[str]) -> float:
    times = []
    for item in items:
        started = time.perf_counter()
        act(item)
        times.append(time.perf_counter() - started)
    return round(statistics.median(times) * 1000, 2)


if __name__ == "__main__":
    main()
