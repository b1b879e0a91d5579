"""Claims that something was done: they need evidence of this turn, because a model says "done" easily."""

import re
from collections.abc import Sequence

from ..state.session import Citation, Exchange, Language

_CHANGED = re.compile(
    r"\ball (?:the )?tests? (?:now )?pass|\btests? (?:now )?(?:pass(?:es|ed)?|are green|succeed(?:ed)?)\b"
    r"|\b(?:build|ci) (?:now )?(?:passes|passed|is green|succeed(?:s|ed))\b"
    r"|\b(?:I|we)(?: have|'ve)? (?:just |now )?(?:fixed|implemented|deployed|removed|added|refactored|changed)\b"
    r"|(?:我|我们)已经?(?:修复|修好|实现|部署|删除|添加|重构|修改)了?"
    r"|测试(?:都|均|全部|已经?)*通过|构建(?:已经?)?(?:成功|通过)",
    re.IGNORECASE,
)
"""Nothing but a command's own output, or a file, can show these: looking at code changes nothing."""
_LOOKED = re.compile(
    r"\b(?:I|we)(?: have|'ve)? (?:just |now )?(?:ran|run|executed|verified|tested|checked)\b"
    r"|(?:我|我们)已经?(?:运行|执行|验证|测试|检查)了?",
    re.IGNORECASE,
)
"""Any tool that gave an answer in this turn shows these."""
_HEDGED = re.compile(
    r"\b(?:if|when|once|until|should|would|will|must|make sure|not|never)\b|n't\b"
    r"|如果|应该|需要|确保|没有|尚未|未能|当",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^!?。!?\n]+?(?:[!?。!?]|\.(?=\s)|(?=\n)|$)")
_QUOTED = re.compile(r"`([^`\n]{2,200})`")
_MARKS = {
    "en": "Said to be done, but nothing in this turn shows it:",
    "zh": "以下说法在本轮中没有证据:",
}


def unproven(text: str, exchanges: Sequence[Exchange], citations: Sequence[Citation]) -> list[str]:
    """Return the sentences that claim something done without evidence.

    Evidence stands in the sentence itself: a citation that holds, or a command in backticks that ended well in this
    turn. For "I checked" any tool that gave an answer in this turn is enough.
    """
    good = [f"{each.path}:{each.line}" for each in citations if each.valid]
    answered = [each for each in exchanges if not each.failed]
    commands = [str(each.call.arguments.get("command", "")) for each in answered]
    doubtful = []
    for match in _SENTENCE.finditer(text):
        sentence = match[0].strip()
        if _HEDGED.search(sentence) or any(place in sentence for place in good):
            continue
        if any(quoted in command for quoted in _QUOTED.findall(sentence) for command in commands):
            continue
        if _CHANGED.search(sentence) or (_LOOKED.search(sentence) and not answered):
            doubtful.append(sentence)
    return doubtful


def with_doubts(text: str, claims: Sequence[str], language: Language) -> str:
    """Return the answer with its unproven claims named at its end; unchanged where there is none."""
    if not claims:
        return text
    return "\n".join([text.rstrip(), "", f"> {_MARKS[language]}", *(f"> - {claim[:200]}" for claim in claims)])
