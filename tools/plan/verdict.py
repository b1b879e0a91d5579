"""What a check of one step says: is its finding gone, did the tests pass. Pure: facts in, verdict and texts out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ...state.report import Finding, Report
from ...state.session import Language
from ..quality import words
from .steps import Step

Outcome = Literal["done", "open", "unproven"]
_TAIL_LINES, _TAIL_CHARS = 12, 1_500
"""Of what the tests printed, its end; that is where runners sum up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TestRun:
    """What somebody saw the tests do."""

    __test__ = False  # no test of pytest's, for all its name

    passed: bool
    command: str = ""
    """What was run; `""` where only the outcome was told."""
    output: str = ""
    """The end of what it printed, or what the user says of it."""
    here: bool = False
    """Run by us, after a yes; otherwise the user has run them and tells."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """One step, checked."""

    step: Step
    left: tuple[Finding, ...] = ()
    """Findings of the step that are still there."""
    hidden: tuple[str, ...] = ()
    """Fingerprints of those that are still there and suppressed."""
    gone: tuple[str, ...] = ()
    """Fingerprints of those that are not."""
    moved: tuple[str, ...] = ()
    """Files of the step that were renamed: what looks gone may only have moved along."""
    tests: TestRun | None = None
    """None where nobody ran them."""
    uncommitted: tuple[str, ...] = ()
    """Files of the step that are not as in the commit."""
    head: str = ""

    @property
    def outcome(self) -> Outcome:
        """Return `done` where all is proven, `open` where something speaks against it, else `unproven`."""
        if self.left or self.hidden or (self.tests is not None and not self.tests.passed):
            return "open"
        return "unproven" if self.moved or self.tests is None else "done"


def judge(
    step: Step,
    report: Report,
    tests: TestRun | None,
    *,
    renames: Mapping[str, str],
    uncommitted: Sequence[str],
    head: str,
) -> Verdict:
    """Return the verdict on a step after an analysis of now; a suppressed finding counts as there."""
    found = {finding.fingerprint: finding for finding in report.findings}
    return Verdict(
        step=step,
        left=tuple(found[each] for each in step.findings if each in found),
        hidden=tuple(each for each in step.findings if each in report.hidden),
        gone=tuple(each for each in step.findings if each not in found and each not in report.hidden),
        moved=tuple(path for path in step.paths if path in renames),
        tests=tests,
        uncommitted=tuple(uncommitted),
        head=head,
    )


def tail(output: str) -> str:
    """Return the end of what a command printed."""
    return "\n".join(output.strip().splitlines()[-_TAIL_LINES:])[-_TAIL_CHARS:]


def told(verdict: Verdict, language: Language) -> str:
    """Return the evidence as a list, one line a fact, and what is still to do."""
    zh = language == "zh"
    rows = [
        (f"仍存在:{words.line(one, language)}" if zh else f"still there: {words.line(one)}") for one in verdict.left
    ]
    rows += [f"仍存在,已被屏蔽:{each}" if zh else f"still there, suppressed: finding {each}" for each in verdict.hidden]
    rows += [f"已消失:{each}" if zh else f"gone: finding {each}" for each in verdict.gone]
    for path in verdict.moved:
        rows.append(
            f"{path} 已改名,问题可能随之移动" if zh else f"{path} was renamed: its finding may have moved along"
        )
    rows.append(_tests(verdict.tests, zh))
    commit = verdict.head[:10]
    if verdict.uncommitted:
        paths = ", ".join(verdict.uncommitted)
        rows.append(f"尚未提交:{paths}" if zh else f"not committed yet: {paths}")
    elif commit:
        rows.append(f"提交 {commit}" if zh else f"at commit {commit}")
    text = "\n".join(f"- {row}" for row in rows)
    if verdict.tests is not None and verdict.tests.output:
        text += "\n\n" + "\n".join(f"    {line}" for line in tail(verdict.tests.output).splitlines())
    return text


def headline(verdict: Verdict, language: Language) -> str:
    """Return the verdict as one line that can be the title of a note."""
    said = {
        "done": ("Done", "已完成"),
        "open": ("Not done", "未完成"),
        "unproven": ("Not proven", "尚未证实"),
    }[verdict.outcome]
    return f"{said[1]}:{verdict.step.title}" if language == "zh" else f"{said[0]}: {verdict.step.title}"


def _tests(tests: TestRun | None, zh: bool) -> str:
    if tests is None:
        return "测试:没有人运行" if zh else "tests: nobody ran them"
    command = f" `{tests.command}`" if tests.command else ""
    if zh:
        by = "经同意后在此运行" if tests.here else "由用户运行"
        return f"测试{command}{'通过' if tests.passed else '未通过'}({by})"
    by = "run here after a yes" if tests.here else "run by the user"
    return f"tests{command} {'passed' if tests.passed else 'failed'} ({by})"
