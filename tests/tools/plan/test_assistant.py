"""The refactoring assistant: a step with its evidence, a verdict that has to be proven, a note of what came out."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from maintainer.state.errors import CommandRefused
from maintainer.state.session import Language
from maintainer.tools.fakes import FixedClock
from maintainer.tools.notes import NoteTool
from maintainer.tools.plan.assistant import RefactoringAssistant, open_assistant
from maintainer.tools.plan.proposal import adopt, proposals
from maintainer.tools.plan.verdict import TestRun
from maintainer.tools.plan.view import told

PASSED, FAILED = TestRun(passed=True, output="3 passed"), TestRun(passed=False, output="1 failed: test_g")


@pytest.fixture
def assistant(repo: Path, git: Callable[..., None], notes: NoteTool, tmp_path: Path) -> Iterator[RefactoringAssistant]:
    """An assistant whose plan has one step for each finding."""
    git("status")
    with open_assistant(repo, tmp_path / "home", clock=FixedClock()) as opened:
        adopt(notes, proposals(opened.analyze().findings, "en"), "en")
        yield opened


@pytest.fixture
def bug(assistant: RefactoringAssistant) -> str:
    """The id of the step for the probable bug."""
    return next(step.id for step in assistant.book.plan().steps if "b.py" in step.paths)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["Done when: ", "Still found: ", "After the change"]),
        ("zh", ["完成标准:", "仍存在:", "改完并运行测试后"]),
    ],
)
def test_a_step_is_shown_with_its_check_and_the_lines_it_is_about(
    language: Language, words: list[str], assistant: RefactoringAssistant, bug: str
) -> None:
    text = told(assistant.show(bug), "1", language)
    assert "def g(y=[]):" in text
    assert all(word in text for word in [*words, "maintainer steps verify 1 --tests passed"])


def test_what_a_step_waits_for_is_named(assistant: RefactoringAssistant) -> None:
    repair = next(step for step in assistant.book.plan().steps if step.depends_on)
    assert "Waits for:\n- a.py:1 Missing tests" in told(assistant.show(repair.id), "2", "en")


def test_a_step_is_ticked_off_when_its_finding_is_gone_and_the_tests_pass(
    assistant: RefactoringAssistant, notes: NoteTool, bug: str, fix: Callable[[], None]
) -> None:
    fix()
    verdict = assistant.verify(bug, PASSED)
    assert (verdict.outcome, verdict.uncommitted) == ("done", ("b.py",))
    record = notes.read(assistant.record(verdict).id)
    assert record.title.startswith("Done: b.py:1")
    assert record.links == {"resolves": [bug]}
    for fact in ("gone: finding", "tests passed (run by the user)", "not committed yet: b.py", "    3 passed"):
        assert fact in record.content
    assert assistant.book.step(bug).done
    assert record.id in notes.read(bug).content


@pytest.mark.parametrize(
    ("fixed", "tests", "outcome", "says"),
    [
        (False, PASSED, "open", "still there: [medium] b.py:1"),
        (True, FAILED, "open", "tests failed (run by the user)"),
        (True, None, "unproven", "tests: nobody ran them"),
        (False, None, "open", "still there"),
    ],
)
def test_a_step_stays_open_until_everything_is_proven(
    fixed: bool,
    tests: TestRun | None,
    outcome: str,
    says: str,
    assistant: RefactoringAssistant,
    bug: str,
    fix: Callable[[], None],
) -> None:
    if fixed:
        fix()
    verdict = assistant.verify(bug, tests)
    assert verdict.outcome == outcome
    assert says in assistant.record(verdict).content
    assert not assistant.book.step(bug).done


def test_a_step_that_was_done_is_opened_again_when_its_check_fails(
    assistant: RefactoringAssistant, notes: NoteTool, bug: str, fix: Callable[[], None]
) -> None:
    fix()
    first = assistant.record(assistant.verify(bug, PASSED))
    second = assistant.record(assistant.verify(bug, FAILED))
    assert not assistant.book.step(bug).done
    assert first.id == second.id, "one note a step: the outcome before is its earlier version"
    assert notes.read(second.id).title.startswith("Not done: ")
    assert notes.version(second.id, 1).title.startswith("Done: ")


def test_a_renamed_file_proves_nothing(assistant: RefactoringAssistant, bug: str, git: Callable[..., None]) -> None:
    git("mv", "b.py", "c.py")
    git("commit", "-q", "-m", "move")
    verdict = assistant.verify(bug, PASSED)
    assert verdict.outcome == "unproven"
    assert "b.py was renamed" in assistant.record(verdict).content


def test_a_suppressed_finding_is_not_gone(assistant: RefactoringAssistant, tmp_path: Path, bug: str) -> None:
    [print_] = assistant.book.step(bug).findings
    (tmp_path / "home" / "suppressions.yaml").write_text(f"- fingerprint: {print_}\n  reason: known\n")
    verdict = assistant.verify(bug, PASSED)
    assert verdict.gone == ()
    assert verdict.outcome == "open"
    assert f"still there, suppressed: finding {print_}" in assistant.record(verdict).content


def test_the_outcome_is_told_in_chinese(assistant: RefactoringAssistant, bug: str, fix: Callable[[], None]) -> None:
    fix()
    record = assistant.record(assistant.verify(bug, PASSED), "zh")
    assert record.title.startswith("已完成:b.py:1")
    assert "测试通过(由用户运行)" in record.content


def test_secrets_that_tests_print_are_not_kept(assistant: RefactoringAssistant, bug: str) -> None:
    key = "AKIA" + "QWERTYUIOPASDFGH"
    leaky = TestRun(passed=False, output=f"E   aws_access_key_id = {key}")
    assert key not in assistant.record(assistant.verify(bug, leaky)).content


def test_nothing_runs_without_a_yes(assistant: RefactoringAssistant, repo: Path) -> None:
    asked: list[tuple[str, str]] = []
    command = 'python3 -c \'open("ran", "w").close()\''
    with pytest.raises(CommandRefused, match="nobody agreed"):
        assistant.run_tests(command, lambda *shown: bool(asked.append(shown)))
    assert [shown for shown, _ in asked] == [command]
    assert "outside the sandbox" in asked[0][1]
    assert not (repo / "ran").exists()


def test_with_a_yes_the_tests_run_and_their_end_is_kept(
    assistant: RefactoringAssistant, bug: str, tmp_path: Path, fix: Callable[[], None]
) -> None:
    fix()
    good = assistant.run_tests("python3 -c 'print(7 * 6)'", lambda *_: True)
    bad = assistant.run_tests("python3 -c 'raise SystemExit(3)'", lambda *_: True)
    assert (good.passed, good.output, bad.passed) == (True, "42", False)
    assert "(run here after a yes)" in assistant.record(assistant.verify(bug, good)).content
    assert (tmp_path / "home" / "audit.jsonl").read_text().count('"verdict": "approved"') == 2
