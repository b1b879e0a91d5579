"""Findings to steps, and steps that tick themselves off when the work is committed."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from maintainer.state.packet import Need
from maintainer.state.report import Finding
from maintainer.tools.fakes import FixedClock
from maintainer.tools.first_look import FirstLook
from maintainer.tools.first_look.plan import PlanLook
from maintainer.tools.git import Git
from maintainer.tools.notes import NoteTool
from maintainer.tools.plan.proposal import adopt, proposals, told
from maintainer.tools.quality.engine import Quality

COMPLEX = "def f(x):\n" + "".join(f"    if x == {n}:\n        return {n}\n" for n in range(20)) + "    return x\n"
BUG = "def g(y=[]):\n    y.append(1)\n    return y\n"


def analysis(repo: Path) -> tuple[Finding, ...]:
    quality = Quality(repo, None, clock=FixedClock())
    try:
        return quality.analyze().findings
    finally:
        quality.close()


def git(repo: Path, *args: str) -> None:
    identity = ["-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run(["git", *identity, *args], cwd=repo, check=True, capture_output=True)


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    folder.mkdir()
    (folder / "a.py").write_text(COMPLEX)
    (folder / "b.py").write_text(BUG)
    (folder / "main.py").write_text("from a import f\nfrom b import g\n\nf(1)\ng()\n")
    (folder / "test_other.py").write_text("def test_nothing():\n    pass\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "first")
    return folder


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[NoteTool]:
    with NoteTool(tmp_path / "notes", clock=FixedClock()) as tool:
        yield tool


@pytest.fixture
def look(repo: Path, notes: NoteTool) -> Callable[[], FirstLook]:
    def looking() -> FirstLook:
        quality = Quality(repo, None, clock=FixedClock())
        try:
            return PlanLook(notes, quality, Git(repo), repo)(Need(text="next?"), "en")
        finally:
            quality.close()

    return looking


def test_tests_come_before_the_repair_they_protect(repo: Path) -> None:
    proposed = proposals(analysis(repo), "en")
    kinds = [each.finding.kind for each in proposed]
    assert kinds.index("missing_tests") < kinds.index("complex_function")
    repair = proposed[kinds.index("complex_function")]
    assert repair.after == (kinds.index("missing_tests"),)
    assert f"after {repair.after[0] + 1}" in told(proposed, "en")
    assert repair.finding.fingerprint in repair.acceptance


def test_proposals_are_told_in_chinese(repo: Path) -> None:
    text = told(proposals(analysis(repo), "zh"), "zh")
    assert "缺少测试" in text
    assert "之后" in text


def test_adopted_steps_are_linked_and_adopted_once(repo: Path, notes: NoteTool) -> None:
    proposed = proposals(analysis(repo), "en")
    made = adopt(notes, proposed, "en")
    assert len(made) == len(proposed)
    linked = [note for note in made if note.links.get("depends_on")]
    assert linked
    assert set(linked[0].links["depends_on"]) <= {note.id for note in made}
    assert adopt(notes, proposed, "en") == []


def test_without_a_plan_steps_are_proposed_and_nothing_is_written(
    look: Callable[[], FirstLook], notes: NoteTool
) -> None:
    shown = [packet.content for packet in look().packets]
    assert "There is no plan yet" in shown[0]
    assert "b.py:1 Probable bug" in shown[1]
    assert notes.list() == []


def test_a_step_is_ticked_off_once_its_finding_is_gone_and_committed(
    repo: Path, notes: NoteTool, look: Callable[[], FirstLook]
) -> None:
    step = next(note for note in adopt(notes, proposals(analysis(repo), "en"), "en") if "b.py" in note.title)
    assert look().stats == {}
    (repo / "b.py").write_text(BUG.replace("y=[]", "y"))
    assert look().stats == {}, "not committed yet"
    git(repo, "commit", "-q", "-a", "-m", "fix")
    done = look()
    assert done.stats == {"steps_completed": 1}
    assert "Just done: b.py:1" in done.packets[0].content
    assert str(notes.read(step.id).status) == "resolved"
    assert "The finding is gone at commit" in notes.read(step.id).content


def test_a_finding_that_moved_with_its_file_is_not_taken_for_done(
    repo: Path, notes: NoteTool, look: Callable[[], FirstLook]
) -> None:
    adopt(notes, proposals(analysis(repo), "en"), "en")
    git(repo, "mv", "b.py", "c.py")
    git(repo, "commit", "-q", "-m", "move")
    assert look().stats == {}
