"""What changed since the last session stands at the top of the next one."""

import subprocess
from pathlib import Path

import pytest
from maintainer.graph import Maintainer
from maintainer.state.situation import Since, Situation, changes, drift_packets
from maintainer.tools.fakes import FixedClock, ScriptedModel
from maintainer.tools.last_seen import LastSeen
from maintainer.tools.notes import NoteTool
from maintainer.tools.notes.sources import Sources

SOURCE = "def pick(items=[]):\n    items.append(1)\n    return items\n\n\nprint(pick())\n"


def commit(repo: Path, message: str, author: str = "Ann") -> None:
    told = ("-c", f"user.name={author}", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", repo, "add", "-A"], check=True, capture_output=True)
    subprocess.run(["git", "-C", repo, *told, "commit", "-qm", message], check=True, capture_output=True)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True, capture_output=True)
    (folder / "pick.py").write_text(SOURCE, "utf-8")
    (folder / "old_name.py").write_text("A = 1\n" * 20, "utf-8")
    commit(folder, "first")
    return folder


def context_of(repo: Path, session: str, request: str = "how is this built?") -> str:
    model = ScriptedModel(["It is small."])
    with Maintainer(repo, model=model, embedder="none") as maintainer:
        maintainer.run(request, mode="explore", session=session)
    return model.prompts[0].user


def test_a_new_session_opens_with_what_others_did(repo: Path) -> None:
    with Maintainer(repo, embedder="none") as maintainer:
        maintainer.run("what are the worst problems?", mode="analyze", session="one")
    sources = [Sources(repo).bind("pick.py")]
    with NoteTool(repo / ".maintainer" / "notes", clock=FixedClock()) as notes:
        note = notes.create("The default is shared", "All calls share it.", "conclusion", sources=sources)
    context_of(repo, "two")  # sees the note as fresh
    (repo / "pick.py").write_text(SOURCE.replace("items=[]", "items"), "utf-8")
    (repo / "old_name.py").rename(repo / "new_name.py")
    (repo / "fresh.py").write_text("def later(items={}):\n    items[1] = 2\n    return items\n\n\nlater()\n", "utf-8")
    commit(repo, "Tidy: the default\n\nbecause", author="Bob")
    told = context_of(repo, "three")
    assert 'Bob: "Tidy: the default"' in told
    assert "Moved or renamed: old_name.py -> new_name.py" in told
    assert "fresh.py" in told
    assert "Findings that are gone: [medium] pick.py:1" in told
    assert "New findings: 1" in told
    assert f"Notes about code that has changed since: {note.id}" in told
    again = context_of(repo, "four")
    assert "HEAD moved" not in again, "said once: nothing has happened since session three"


def test_a_new_session_opens_with_edits_that_are_not_committed_and_says_them_once(repo: Path) -> None:
    (repo / "early.py").write_text("A = 1\n", "utf-8")
    assert "not committed" not in context_of(repo, "one"), "nobody knows since when"
    (repo / "pick.py").write_text(SOURCE.replace("items=[]", "items"), "utf-8")
    (repo / "made.py").write_text("A = 1\n", "utf-8")
    (repo / "old_name.py").unlink()
    told = context_of(repo, "two")
    assert "Changed and not committed: made.py, old_name.py, pick.py" in told
    assert "HEAD moved" not in told
    assert "not committed" not in context_of(repo, "three"), "said once"
    (repo / "pick.py").write_text(SOURCE, "utf-8")
    commit(repo, "as it was, and the rest")
    assert "not committed" not in context_of(repo, "four"), "what is committed is told as commits"


def test_a_file_that_was_only_written_anew_is_no_edit(repo: Path) -> None:
    context_of(repo, "one")
    (repo / "pick.py").write_bytes(SOURCE.replace("\n", "\r\n").encode())  # the line ends of another system
    (repo / "old_name.py").write_text("A = 1\n" * 20, "utf-8")
    assert "not committed" not in context_of(repo, "two")


def test_a_first_session_and_a_history_that_was_made_anew_open_quietly(repo: Path) -> None:
    assert "HEAD moved" not in context_of(repo, "one")
    subprocess.run(["rm", "-rf", repo / ".git"], check=True)
    subprocess.run(["git", "init", "-q", "-b", "main", repo], check=True, capture_output=True)
    commit(repo, "anew")
    told = context_of(repo, "two")
    assert "HEAD moved" in told
    assert "Commits" not in told


def test_what_a_session_saw_is_told_to_others_only_and_survives_damage(tmp_path: Path) -> None:
    seen = LastSeen(tmp_path)
    assert seen.by_another("a") is None
    seen.keep("a", Situation(head="1", branch="main", model="m"))
    assert seen.by_another("a") is None
    seen.keep("b", Situation(head="2", branch="main"))
    assert seen.by_another("b") == Situation(head="1", branch="main")
    assert seen.by_another("c") == Situation(head="2", branch="main")
    (tmp_path / "seen.json").write_text("{", "utf-8")
    assert seen.by_another("c") is None


def test_drift_is_told_in_chinese_and_counts_what_it_does_not_name() -> None:
    since = Since(
        commits=[f"c{number}" for number in range(7)], renamed=["a -> b"], changed=["b"], fixed=["[中] b:1"], appeared=2
    )
    drifts = changes(Situation(head="1" * 40), Situation(head="2" * 40))
    [packet] = drift_packets(drifts, since=since, language="zh")
    assert packet.content.splitlines()[1:] == [
        "7 次提交:c0;c1;c2;c3;c4 (+2)",
        "移动或重命名:a -> b",
        "改变的文件:b",
        "以下发现已不存在:[中] b:1",
        "新增发现:2",
    ]
