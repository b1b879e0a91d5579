"""The answer where no model writes one: what was found, where, and what to do next. It claims nothing of its own."""

import re
import shlex
from collections.abc import Iterable, Sequence

from ..state.packet import ContextPacket
from ..state.session import Failure, Language, SessionState
from .files import in_one_line
from .focus import names_something
from .overview import ROWS_ALONE, ROWS_BESIDE, asks_nothing_else, asks_overview, short
from .rag.answers import TAIL

MOST_PLACES, MOST_FINDINGS, MOST_NOTES = 8, 12, 5
MOST_CONCLUDED = 5
"""Findings a note keeps, the worst: an analysis tells them all at any time, and a note of all answers every search."""
_PARTS_BESIDE = 3
"""Parts of an overview that stand below other things."""
_LINE = 160
_CODE_TYPES = frozenset({"code", "rag", "rag_result", "retrieval", "document"})
_TEXTS = {
    "en": {
        "places": "Best matches for the request:",
        "findings": "What to look at first:",
        "more": "… and {count} more; `maintainer report` lists all.",
        "notes": "Notes on it:",
        "stale": "its code has changed",
        "nothing": "Nothing in this repository matches the request. Try the words the code itself uses.",
        "missed": "Not looked at: {what}.",
        "next": "Next:",
        "open": "open {place}",
        "central": "open {path}: most files import it",
        "impact": 'ask "what breaks if I change {path}?"',
        "fix": "{action} ({place})",
        "keep": "keep them as steps of the plan: `{command}`",
        "start": "start with step {number}: `maintainer steps show {number}`",
        "plan": 'look for work: `maintainer analyze "what should be fixed first?"`',
        "none": "No model wrote this; it only lists what was found. To have it explained, name a model: "
        "`--model openai:NAME` (`maintainer doctor` tells what is missing).",
        "why": "No model wrote this ({why}); it only lists what was found.",
    },
    "zh": {
        "places": "与请求最相关的位置:",
        "findings": "最值得先看的问题:",
        "more": "……另有 {count} 项,见 `maintainer report`。",
        "notes": "相关笔记:",
        "stale": "所述代码已变",
        "nothing": "仓库中没有与请求相符的内容。请换用代码里出现的词再试。",
        "missed": "未能查看:{what}。",
        "next": "下一步:",
        "open": "打开 {place}",
        "central": "打开 {path}:导入它的文件最多",
        "impact": "询问“改动 {path} 会影响什么?”",
        "fix": "{action}({place})",
        "keep": "记为计划中的步骤:`{command}`",
        "start": "从第 {number} 步开始:`maintainer steps show {number}`",
        "plan": '先找出要做的事:`maintainer analyze "先修复什么?"`',
        "none": "以上不是模型写的,只列出了查到的内容。若要解释说明,请指定模型:`--model openai:名称`"
        "(`maintainer doctor` 会说明还缺什么)。",
        "why": "以上不是模型写的({why}),只列出了查到的内容。",
    },
}


def write_evidence_answer(state: SessionState, *, why: str) -> str:
    """Return an answer made of what the turn has collected, in the language of the request.

    Every place stands as `path:line`. The last line says that no model wrote it: and `why`, or, where that is empty,
    how to name one.
    """
    words = _TEXTS[state.language]
    packets = _distinct([*state.first_look, *(state.selected or state.candidates)])
    parts = [state.mode_reason] if state.mode_reason else []
    parts += _BODY[state.active_mode](state, packets, words)
    if len(parts) == bool(state.mode_reason):
        parts.append(words["nothing"])
    if state.failures:
        missed = dict.fromkeys(tell_failure(each, state.language) for each in state.failures)
        parts.append(words["missed"].format(what=(";" if state.language == "zh" else "; ").join(missed)))
    parts.append(words["why"].format(why=why) if why else words["none"])
    return "\n\n".join(parts)


def concluded(state: SessionState) -> str:
    """Return what a turn without a model has established, `""` for nothing: findings, and what a change would break.

    Places that match a request are where to look, not what was found out there; a plan has notes of its own.
    """
    told = [packet for packet in state.first_look if packet.metadata.get("what") in ("summary", "finding", "impact")]
    facts = [packet for packet in told if packet.metadata["what"] != "summary"]
    if not facts:
        return ""
    rows = [str(packet.metadata.get("title") or packet.content) for packet in facts[:MOST_CONCLUDED]]
    return "\n".join([*(packet.content for packet in told if packet not in facts), *rows])


_SOURCES = {
    "gather:notes": ("notes", "笔记"),
    "gather:anchors": ("the session's plans", "会话中的计划"),
    "gather:ledger": ("facts of earlier turns", "此前确定的事项"),
    "gather:memory": ("memory", "记忆"),
    "gather:recall": ("earlier turns", "此前的对话"),
    "gather:rag": ("the code index", "代码索引"),
    "gather:phase": ("reports of finished phases", "已结束阶段的报告"),
}
_BEHIND = "the index is still being brought up to date"
_REASONS = [
    (re.compile(r"no answer within (\S+) s"), r"\1 秒内没有答复"),
    (re.compile(f"{_BEHIND}: some files may be missing"), "索引还在更新,可能缺少一些文件"),
    (re.compile(f"{_BEHIND}: the newest changes may be missing"), "索引还在更新,可能缺少最新的改动"),
]
"""The reasons that are met most, in Chinese."""


def tell_failure(failure: Failure, language: Language) -> str:
    """Return what was not looked at, and why, in words of the user."""
    zh = language == "zh"
    where = _SOURCES[failure.where][zh] if failure.where in _SOURCES else failure.where
    reason = failure.reason
    for said, chinese in _REASONS if zh else ():
        reason = said.sub(chinese, reason)
    return f"{where}({reason[:_LINE]})" if zh else f"{where} ({reason[:_LINE]})"


Words = dict[str, str]


def _explore(state: SessionState, packets: Sequence[ContextPacket], words: Words) -> list[str]:
    """Return the best matches first and a short overview below; a request for an overview alone gets that first."""
    look = [packet for packet in packets if packet.type == "first_look"]
    impact = [packet.content for packet in look if packet.metadata.get("what") == "impact"]
    overview = [packet for packet in look if packet.metadata.get("what") != "impact"]
    wanted = asks_overview(state.request)
    hits, places = _hits(packets), _places(packets, words)
    asked = str(hits[0].metadata.get("path")) if hits else ""
    if hits and not (wanted and asks_nothing_else(state.request)):
        below = overview[:_PARTS_BESIDE] if wanted else overview[:1]
        body = [*impact, *places, *(short(each.content, ROWS_BESIDE, state.language) for each in below)]
        steps = [words["open"].format(place=_place(hit)) for hit in hits[:2]]
    else:
        told = [short(each.content, ROWS_ALONE, state.language) for each in overview]
        body = [*impact, *(told or places)]  # nothing in the code is a match for "how is this built"
        if not (hits or impact or wanted or asks_nothing_else(state.request) or _was_not_searched(state)):
            body.insert(0, words["nothing"])
        steps = [words["open"].format(place=place) for place in _named_places(each.content for each in overview)[:2]]
        central = next((str(each.metadata["central"]) for each in overview if each.metadata.get("central")), "")
        steps += [words["central"].format(path=central)] if central else []
        asked = central or asked
    steps += [words["impact"].format(path=asked)] if asked else []
    return [*body, *_notes(packets, words), *_next(steps, words)]


def _was_not_searched(state: SessionState) -> bool:
    return any(failure.where == "gather:rag" for failure in state.failures)


def _named_places(texts: Iterable[str]) -> list[str]:
    """Return the `path:line` that stand at the start of list items, in order."""
    return [match for text in texts for match in re.findall(r"^- (\S+:\d+)", text, re.MULTILINE)]


def _analyze(state: SessionState, packets: Sequence[ContextPacket], words: Words) -> list[str]:
    summary = [packet.content for packet in packets if packet.metadata.get("what") == "summary"]
    findings = [packet for packet in packets if packet.metadata.get("what") == "finding"]
    body = list(summary)
    if findings:
        rows = [f"{number}. {packet.metadata['title']}" for number, packet in enumerate(findings[:MOST_FINDINGS], 1)]
        total = state.stats.get("issues_found", len(findings))
        more = [words["more"].format(count=total - len(rows))] if total > len(rows) else []
        body.append("\n".join([words["findings"], *rows, *more]))
    steps = [
        words["fix"].format(action=_bare(packet.metadata["action"]), place=_place(packet)) for packet in findings[:3]
    ]
    if findings:
        about = shlex.quote(str(findings[0].metadata.get("path") or ""))
        spoken = " --language zh" if state.language == "zh" else ""
        steps.append(words["keep"].format(command=f"maintainer check --to-plan --about {about}{spoken}"))
    return [*body, *_notes(packets, words), *_next(steps, words)]


def _plan(state: SessionState, packets: Sequence[ContextPacket], words: Words) -> list[str]:
    plan = [packet for packet in packets if packet.type == "plan"]
    ready = next((packet.metadata["ready"] for packet in plan if packet.metadata.get("ready")), None)
    steps = [words["start"].format(number=ready)] if ready else []
    steps += [words["keep"].format(command=packet.metadata["keep"]) for packet in plan if packet.metadata.get("keep")]
    named = names_something(state.request) or any("--about" in str(packet.metadata.get("keep")) for packet in plan)
    places = _places(packets, words) if named else []  # of "what next?" nothing in the code is a match
    return [
        *(packet.content for packet in plan),
        *places,
        *_notes(packets, words),
        *_next(steps or [words["plan"]], words),
    ]


_BODY = {"explore": _explore, "analyze": _analyze, "plan": _plan, "auto": _explore}


def _hits(packets: Iterable[ContextPacket]) -> list[ContextPacket]:
    """Return the packets that show code or documents, best first as they came, without the weak tail."""
    found = [packet for packet in packets if packet.type in _CODE_TYPES and packet.metadata.get("path")]
    least = TAIL * max((packet.relevance_score or 0.0 for packet in found), default=0.0)
    return [packet for packet in found if packet.relevance_score is None or packet.relevance_score >= least]


def _places(packets: Sequence[ContextPacket], words: Words) -> list[str]:
    rows = []
    for hit in _hits(packets)[:MOST_PLACES]:
        symbols = hit.metadata.get("symbols")
        named = f" {', '.join(map(str, symbols[:3]))}" if isinstance(symbols, list) and symbols else ""
        rows.append(f"- {_place(hit)}{named}\n    {_first_line(_without_place(hit))}")
    return ["\n".join([words["places"], *rows])] if rows else []


def _notes(packets: Sequence[ContextPacket], words: Words) -> list[str]:
    rows = []
    for packet in [packet for packet in packets if packet.type == "note"][:MOST_NOTES]:
        title = str(packet.metadata.get("title") or _first_line(packet.content))
        old = f"{words['stale']}; " if packet.metadata.get("state") == "stale" else ""
        rows.append(f"- {title} ({old}{packet.metadata.get('note_id') or 'note'})")
    return ["\n".join([words["notes"], *rows])] if rows else []


def _next(steps: Sequence[str], words: Words) -> list[str]:
    return ["\n".join([words["next"], *(f"- {step}" for step in steps)])] if steps else []


def _place(packet: ContextPacket) -> str:
    """Return `path:line`, or `path:first-last` of the first lines a packet shows."""
    lines = str(packet.metadata.get("lines") or "").partition(",")[0]
    first, _, last = lines.partition("-")
    path = in_one_line(str(packet.metadata.get("path") or ""))
    if not first.strip().isdigit():
        return path
    return f"{path}:{first}" if last in ("", first) else f"{path}:{first}-{last}"


def _first_line(content: str) -> str:
    """Return the first line that says something, cut to a readable length."""
    line = next((row.strip() for row in content.splitlines() if re.search(r"\w", row)), "")
    return line if len(line) <= _LINE else f"{line[: _LINE - 1]}…"


def _without_place(packet: ContextPacket) -> str:
    """Return a passage without the line that only names where it is from."""
    first, _, rest = packet.content.partition("\n")
    return rest if first.startswith(in_one_line(str(packet.metadata["path"]))) else packet.content


def _bare(text: object) -> str:
    return str(text).rstrip(".。")


def _distinct(packets: Iterable[ContextPacket]) -> list[ContextPacket]:
    """Return packets in their order, each content once, where it stands first."""
    first: dict[str, ContextPacket] = {}
    for packet in packets:
        first.setdefault(packet.content, packet)
    return list(first.values())
