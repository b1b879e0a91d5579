"""One step as people read it before they start."""

from ...state.session import Language
from ..quality import words
from .assistant import StepView


def told(view: StepView, named: str, language: Language) -> str:
    """Return a step as text: why, what is still found with its lines, when it is done, how to check that.

    Args:
        view: The step.
        named: How the user calls it, for the commands that follow.
        language: Of the text.
    """
    zh, step = language == "zh", view.step
    state = {"open": "待办", "in_progress": "进行中", "resolved": "已完成"}.get(str(step.status), str(step.status))
    facts = [step.id, state if zh else str(step.status).replace("_", " "), *([step.estimate] if step.estimate else [])]
    parts = [f"{step.title}\n{' · '.join(facts)}", view.note.content]
    if view.waits_for:
        rows = "\n".join(f"- {each.title} ({each.id})" for each in view.waits_for)
        parts.append(f"{'先要完成:' if zh else 'Waits for:'}\n{rows}")
    if step.acceptance:
        parts.append(f"{'完成标准:' if zh else 'Done when: '}{step.acceptance}")
    for finding in view.left:
        lines = "\n".join(f"    {line}" for line in finding.evidence.splitlines())
        parts.append(
            f"{'仍存在:' if zh else 'Still found: '}{words.line(finding, language)}" + (f"\n{lines}" if lines else "")
        )
    if step.findings and not view.left:
        parts.append("其问题已不再出现。" if zh else "Its finding is not found any more.")
    parts.append(_next(view, named, zh))
    return "\n\n".join(parts)


def _next(view: StepView, named: str, zh: bool) -> str:
    check = f"maintainer steps verify {named} --tests passed"
    if view.step.done:
        return (
            f"重新打开:maintainer steps reopen {named} --reason …"
            if zh
            else (f"Open it again: maintainer steps reopen {named} --reason ...")
        )
    return f"改完并运行测试后:{check}" if zh else f"After the change, when you have run the tests: {check}"
