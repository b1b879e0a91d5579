"""Findings to steps, and steps that tick themselves off when the work is committed."""

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from maintainer.state.packet import Need
from maintainer.state.report import Finding
from maintainer.state.session import Language
from maintainer.tools.fakes import FixedClock
from maintainer.tools.first_look import FirstLook
from maintainer.tools.first_look.plan import PlanLook
from maintainer.tools.git import Git
from maintainer.tools.notes import NoteTool
from maintainer.tools.plan.proposal import adopt, planned_in, proposals, told
from maintainer.tools.quality.engine import Quality

Look = Callable[..., FirstLook]


def analysis(repo: Path) -> tuple[Finding, ...]:
    quality = Quality(repo, None, clock=FixedClock())
    try:
        return quality.analyze().findings
    finally:
        quality.close()


@pytest.fixture
def look(repo: Path, notes: NoteTool) -> Look:
    def looking(request: str = "next?", language: Language = "en") -> FirstLook:
        quality = Quality(repo, None, clock=FixedClock())
        try:
            return PlanLook(notes, quality, Git(repo), repo)(Need(text=request), language)
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


def test_what_is_planned_leaves_room_for_the_next_and_is_still_waited_for(repo: Path, notes: NoteTool) -> None:
    found = analysis(repo)
    first = adopt(notes, proposals(found[-1:], "en"), "en")
    assert len(first) == 1
    rest = [each for _ in range(9) for each in adopt(notes, proposals(found, "en", 2, planned_in(notes)), "en")]
    fingerprints = [str(note.extra["findings"]) for note in [*first, *rest]]
    assert len(fingerprints) == len(set(fingerprints)) == len({each.fingerprint for each in found})
    tests = next(note for note in [*first, *rest] if "Missing tests" in note.title and "a.py" in note.title)
    repair = next(note for note in [*first, *rest] if "Complex function" in note.title)
    assert repair.links == {"depends_on": [tests.id]}


def test_a_finding_whose_step_was_superseded_may_get_a_new_one(repo: Path, notes: NoteTool) -> None:
    proposed = proposals(analysis(repo), "en")
    old = adopt(notes, proposed, "en")
    for note in old:
        notes.update(note.id, status="superseded")
    assert {note.id for note in adopt(notes, proposed, "en")}.isdisjoint(note.id for note in old)


def test_without_a_plan_steps_are_proposed_and_nothing_is_written(look: Look, notes: NoteTool) -> None:
    plan, proposal = look().packets
    assert "There is no plan yet" in plan.content
    assert proposal.content.startswith("Steps the findings ask for:")
    assert "b.py:1 Probable bug" in proposal.content
    assert proposal.metadata["keep"] == "maintainer check --to-plan"
    assert notes.list() == []


@pytest.mark.parametrize(
    ("request_", "language", "head"),
    [("Split a.py", "en", "Steps for what you ask about:"), ("拆分 a.py", "zh", "针对请求建议的步骤:")],
)
def test_what_the_request_names_is_proposed_and_nothing_else(
    request_: str, language: Language, head: str, look: Look
) -> None:
    proposal = look(request_, language).packets[1]
    assert proposal.content.startswith(head)
    assert "a.py:1" in proposal.content
    assert "b.py" not in proposal.content
    spoken = " --language zh" if language == "zh" else ""
    assert proposal.metadata["keep"] == f"maintainer check --to-plan --about '{request_}'{spoken}"


def test_where_nothing_is_found_on_what_is_named_that_is_said(look: Look) -> None:
    assert look("split src/cart.py").packets[1].content.startswith("Nothing was found on what you ask about")


def test_a_plan_under_way_is_added_to_only_by_what_the_request_names(look: Look, notes: NoteTool) -> None:
    notes.create("Write the guide", "text", "action")
    assert len(look("what next?").packets) == 1
    assert "b.py:1" in look("fix b.py").packets[1].content


def test_the_command_that_keeps_steps_is_one_word_for_the_shell(look: Look) -> None:
    keep = str(look("split a.py; rm -rf 'x'").packets[1].metadata["keep"])
    assert shlex.split(keep) == ["maintainer", "check", "--to-plan", "--about", "split a.py; rm -rf 'x'"]


def test_a_step_is_ticked_off_once_its_finding_is_gone_and_committed(
    repo: Path, notes: NoteTool, look: Look, git: Callable[..., None], fix: Callable[[], None]
) -> None:
    step = next(note for note in adopt(notes, proposals(analysis(repo), "en"), "en") if "b.py" in note.title)
    assert look().stats == {}
    fix()
    assert look().stats == {}, "not committed yet"
    git("commit", "-q", "-a", "-m", "fix")
    done = look()
    assert done.stats == {"steps_completed": 1}
    assert "Just done: b.py:1" in done.packets[0].content
    assert str(notes.read(step.id).status) == "resolved"
    assert "The finding is gone at commit" in notes.read(step.id).content


def test_a_step_that_ticked_itself_off_is_opened_again_when_its_finding_is_back(
    repo: Path, notes: NoteTool, look: Look, git: Callable[..., None], fix: Callable[[], None]
) -> None:
    step = next(note for note in adopt(notes, proposals(analysis(repo), "en"), "en") if "b.py" in note.title)
    fix()
    git("commit", "-q", "-a", "-m", "fix")
    look()
    git("revert", "--no-edit", "HEAD")
    back = look()
    assert back.stats == {"steps_reopened": 1}
    assert "Found again, open again: b.py:1" in back.packets[0].content
    assert str(notes.read(step.id).status) == "open"
    assert "completed" not in notes.read(step.id).tags


def test_what_people_closed_stays_closed_whatever_is_found(repo: Path, notes: NoteTool, look: Look) -> None:
    step = next(note for note in adopt(notes, proposals(analysis(repo), "en"), "en") if "b.py" in note.title)
    notes.resolve(step.id, "We live with it.")
    assert look().stats == {}
    assert str(notes.read(step.id).status) == "resolved"


def test_a_finding_that_moved_with_its_file_is_not_taken_for_done(
    repo: Path, notes: NoteTool, look: Look, git: Callable[..., None]
) -> None:
    adopt(notes, proposals(analysis(repo), "en"), "en")
    git("mv", "b.py", "c.py")
    git("commit", "-q", "-m", "move")
    assert look().stats == {}
