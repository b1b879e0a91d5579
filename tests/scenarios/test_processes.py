"""Several processes on one home: each writes its own session, and nobody's turn is lost."""

import json
import os
import subprocess
import sys
from pathlib import Path

from maintainer.graph import Maintainer

SCRIPT = """
import sys
from maintainer.graph import Maintainer
repo, session = sys.argv[1:]
with Maintainer(repo, embedder="none") as maintainer:
    for question in ("Where is the cart?", "What does it import?"):
        maintainer.run(question, mode="explore", session=session)
"""


def test_four_processes_write_four_sessions_of_one_home(tmp_path: Path) -> None:
    (tmp_path / "cart.py").write_text("import json\n\n\ndef cart():\n    return json.dumps({})\n")
    names = [f"session {number}" for number in range(4)]
    running = [
        subprocess.Popen(
            [sys.executable, "-c", SCRIPT, tmp_path, name],
            env={**os.environ, "LANGGRAPH_STRICT_MSGPACK": "true"},
            stderr=subprocess.PIPE,
            text=True,
        )
        for name in names
    ]
    errors = [process.communicate(timeout=240)[1] for process in running]
    assert [process.returncode for process in running] == [0] * 4, errors
    with Maintainer(tmp_path, embedder="none") as maintainer:
        records = {record.name: (record.turns, record.status) for record in maintainer.sessions()}
    assert records == dict.fromkeys(names, (2, "finished"))


def test_a_session_in_use_is_refused_with_who_and_since_when(tmp_path: Path) -> None:
    (tmp_path / "cart.py").write_text("def cart():\n    return {}\n")
    with Maintainer(tmp_path, embedder="none") as maintainer:
        turn = maintainer.stream("Where is the cart?", mode="explore", session="busy")
        next(turn)
        command = [sys.executable, "-m", "maintainer.graph", "explore", "me too", "--session", "busy", "--json"]
        environ = {**os.environ, "MAINTAINER_EMBEDDER": "none"}
        other = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, timeout=120)
        *_, last = turn
    assert other.returncode == 75, other
    assert str(os.getpid()) in other.stderr
    assert json.dumps(last.answer.status if last.answer else "") == '"finished"'
