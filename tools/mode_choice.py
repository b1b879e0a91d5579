"""Which mode a request asks for, by its words and its meaning: English and Chinese, with reason and confidence."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Literal, cast

from ..state.modes import Mode

Choice = Literal["explore", "analyze", "plan"]

CLEAR = 0.55
"""Below this confidence the choice is called unclear, and explore, which changes nothing, is taken."""
MOST_CHARS = 1_000
"""Of a request that are read: what is wanted is said at its beginning, what is pasted below wants nothing."""
_ENOUGH = 1.5
"""Weight of one cue that is clear by itself."""
_WORDS_SHARE = 0.3
"""What the words count beside the meaning: a request that means one mode is not turned by a word."""
_GO_ON = re.compile(
    r"(?:please )?(?:go on|continue|more|carry on|keep going|and then|next)[.?! ]*"
    r"|请?(?:继续|接着(?:来|说)?|然后呢?|还有呢?|下去)[。.!?!? ]*"
)
_QUESTION = re.compile(
    r"^(?:(?:ok|hi|so|and|but|in|at|on|from|by|to)\b,? )?(?:what|which|who|whose|whom|where|when|why|how)(?:'s|'re)?\b"
    r"(?! are you| do you do| is it going| about)"
    r"|^(?:is|are|does|do|did|can|could|has|have|will|would|any|was|were)\b(?! you\b).{8,}\?$"
    r"|^(?:please |can you |could you )?(?:name|list|count|remind me|look|open|read|print|get|give|compare)\b.{6,}"
    r"|什么|哪[个些里儿种类]?|谁|为何|怎么|怎样|如何|几个|多少"
    r"|(?:有没有|能不能|可不可以|是不是|是否|会不会|能否).{3,}|.{5,}(?:吗|么|呢)[??]*$"
)
"""A question that no cue speaks of asks to be shown something."""
_SENTENCES = {
    ("clear", "en"): "{mode}: the request speaks of “{words}”",
    ("clear", "zh"): "{mode}:请求中提到“{words}”",
    ("alike", "en"): "{mode}: the request reads like one {words}",
    ("alike", "zh"): "{mode}:从意思看,请求是{words}",
    (
        "unclear",
        "en",
    ): "explore: the request is unclear, so I look around first; say explore, analyze or plan to choose",
    ("unclear", "zh"): "explore:请求不够明确,先浏览代码;可用 explore、analyze 或 plan 指定模式",
    ("go_on", "en"): "{mode}: the request goes on with the last turn",
    ("go_on", "zh"): "{mode}:请求接着上一轮",
}


_ALIKE = {
    "explore": ("to be shown something", "想看明白某处"),
    "analyze": ("for what is wrong", "想找出问题"),
    "plan": ("for what to do", "想安排要做的事"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ModeChoice:
    """The mode a request gets, and why."""

    mode: Choice
    reason: str
    """One sentence in the request's language."""
    confidence: float
    """In [0, 1]; below `CLEAR` the request is unclear and the reason says so."""


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
        previous: The mode of the turn before; a request that only says to go on stays in it.
        meaning: Scores of `ModeMeaning`; without them the words decide alone.
    """
    said = request[:MOST_CHARS].strip().lower()
    if previous in ("explore", "analyze", "plan") and _GO_ON.fullmatch(said):
        return ModeChoice(mode=previous, reason=_told("go_on", language, previous), confidence=0.8)
    weights, words = _heard(said)
    if meaning:
        best, confidence = _meant(weights, meaning)
    else:
        if not any(weights.values()) and (asked := _QUESTION.search(said)):
            weights["explore"] = 1.0
            words["explore"].append((asked.start(), asked.group().strip()))
        best, second = sorted(weights, key=lambda mode: -weights[mode])[:2]
        confidence = _confidence(weights[best], weights[second])
    if confidence < CLEAR:
        return ModeChoice(mode="explore", reason=_told("unclear", language, "explore"), confidence=confidence)
    if not words[best]:
        reason = _told("alike", language, best, _ALIKE[best][language == "zh"])
    else:
        named = ", ".join(_without_parts([word for _, word in sorted(words[best])]))
        reason = _told("clear", language, best, named)
    return ModeChoice(mode=best, reason=reason, confidence=confidence)


def _heard(said: str) -> tuple[dict[Choice, float], dict[Choice, list[tuple[int, str]]]]:
    """Return what the words of a lower-case request weigh for each mode, and those words with their places."""
    weights: dict[Choice, float] = {"explore": 0.0, "analyze": 0.0, "plan": 0.0}
    words: dict[Choice, list[tuple[int, str]]] = defaultdict(list)
    for cue in _cues():
        if match := cue.pattern.search(said):
            weights[cue.mode] += cue.weight
            words[cue.mode].append((match.start(), match.group().strip()))
    return weights, words


def _meant(weights: Mapping[Choice, float], meaning: Mapping[str, float]) -> tuple[Choice, float]:
    """Return the mode that meaning and words speak for together, and how clear that is, in [0, 1]."""
    total, most = sum(weights.values()), max(weights.values())
    heard = min(1.0, most / _ENOUGH) / total if total else 0.0
    scores: dict[Choice, float] = {
        mode: meaning[mode] + _WORDS_SHARE * heard * weight for mode, weight in weights.items()
    }
    best = max(scores, key=scores.__getitem__)
    others = [meaning["unclear"], *(score for mode, score in scores.items() if mode != best)]
    return best, round(min(1.0, max(0.0, 0.5 + scores[best] - max(others))), 2)


@dataclass(frozen=True, slots=True)
class _Cue:
    mode: Choice
    weight: float
    pattern: re.Pattern[str]


@cache
def _cues() -> tuple[_Cue, ...]:
    """Return the rows of mode_cues.tsv."""
    text = (files("maintainer.tools") / "mode_cues.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return tuple(_Cue(cast(Choice, mode), float(weight), re.compile(pattern)) for mode, weight, pattern in rows)


def _confidence(best: float, second: float) -> float:
    """Return how clear a choice is, in [0, 1]: the share of the best, less where little was said at all."""
    return round(best / (best + second) * min(1.0, best / _ENOUGH), 2) if best else 0.0


def _without_parts(words: Sequence[str]) -> list[str]:
    """Return words in order, each once, without those that are part of a longer one; at most three."""
    whole = [word for word in dict.fromkeys(words) if not any(word != other and word in other for other in words)]
    return [word if len(word) <= 40 else f"{word[:39]}…" for word in whole[:3]]


def _told(what: str, language: str, mode: str, words: str = "") -> str:
    return _SENTENCES[what, language].format(mode=mode, words=words)
