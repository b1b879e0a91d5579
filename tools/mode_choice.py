"""Which mode a request asks for, by its words and its meaning: English and Chinese, with reason and confidence."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from math import exp
from types import MappingProxyType
from typing import Literal

from ..state.modes import Mode
from .mode_words import MODES, Kind, ModeName, heard, runs_of, spoken_for

CLEAR = 0.5
"""Below this confidence the request is unclear, and explore, which changes nothing, is taken."""
SURE = 0.7
"""Below this confidence the reason names the mode that comes next."""
MOST_CHARS = 1_000
"""Of a request that are read: what is wanted is said at its beginning, what is pasted below wants nothing."""
_GO_ON = re.compile(
    r"(?:please )?(?:go on|continue|more|carry on|keep going|and then|next)[.?! ]*"
    r"|请?(?:继续|接着(?:来|说)?|然后呢?|还有呢?|下去)[。.!?!? ]*"
)
_SENTENCES = {
    ("clear", "en"): "{mode}: the request speaks of {words}",
    ("clear", "zh"): "{mode}:请求中提到{words}",
    ("alike", "en"): "{mode}: the request reads like one {words}",
    ("alike", "zh"): "{mode}:从意思看,请求是{words}",
    (
        "unclear",
        "en",
    ): "explore: the request is unclear, so I look around first; say explore, analyze or plan to choose",
    ("unclear", "zh"): "explore:请求不够明确,先浏览代码;可用 explore、analyze 或 plan 指定模式",
    ("go_on", "en"): "{mode}: the request goes on with the last turn",
    ("go_on", "zh"): "{mode}:请求接着上一轮",
    ("take_up", "en"): "{mode}: the request goes on with work that was begun before",
    ("take_up", "zh"): "{mode}:请求接着之前开始的工作",
    ("rival", "en"): "; it may also ask for {words}, say so if it does",
    ("rival", "zh"): ";也可能是 {words},如果是请指明",
}
_ALIKE = {
    "explore": ("to be shown something", "想看明白某处"),
    "analyze": ("for what is wrong", "想找出问题"),
    "plan": ("for what to do", "想安排要做的事"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModeChoice:
    """The mode a request gets, and why."""

    mode: ModeName
    reason: str
    """One sentence in the request's language."""
    confidence: float
    """Chance of the mode against the likeliest alternative, in [0, 1]: 0.5 is a draw. Below `CLEAR` being unclear is
    likelier than any mode, and the reason says so."""


def pick_mode(
    request: str,
    *,
    language: Literal["en", "zh"] = "en",
    previous: Mode | None = None,
    meaning: Mapping[str, float] = MappingProxyType({}),
) -> ModeChoice:
    """Return the mode a request asks for.

    Args:
        request: What the user said.
        language: Of the reason.
        previous: The mode of the turn before; a request that only says to go on stays in it. Where there was none, it
            goes on with the plan.
        meaning: Scores of `ModeMeaning`; without them the words decide alone.
    """
    said = request[:MOST_CHARS].strip()
    if _GO_ON.fullmatch(said.lower()):
        if previous in MODES:
            return ModeChoice(mode=previous, reason=_told("go_on", language, previous), confidence=0.8)
        return ModeChoice(mode="plan", reason=_told("take_up", language, "plan"), confidence=0.6)
    runs = runs_of(said)
    scores = {kind: score + meaning.get(kind, 0.0) for kind, score in heard(runs).items()}
    best, second = sorted(MODES, key=scores.__getitem__, reverse=True)[:2]
    rival: Kind = second if scores[second] > scores["unclear"] else "unclear"
    confidence = round(1 / (1 + exp(scores[rival] - scores[best])), 2)
    if confidence < CLEAR:
        return ModeChoice(mode="explore", reason=_told("unclear", language, "explore"), confidence=confidence)
    words = ", ".join(f"“{_short(word)}”" for word in spoken_for(said, runs, best))
    alike = _ALIKE[best][language == "zh"]
    reason = _told("clear", language, best, words) if words else _told("alike", language, best, alike)
    if confidence < SURE and rival != "unclear":
        reason += _told("rival", language, best, rival)
    return ModeChoice(mode=best, reason=reason, confidence=confidence)


def _short(words: str) -> str:
    return words if len(words) <= 40 else f"{words[:39]}…"


def _told(what: str, language: str, mode: str, words: str = "") -> str:
    return _SENTENCES[what, language].format(mode=mode, words=words)
