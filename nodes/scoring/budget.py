"""How much of the budget a request needs: less for an easy one, less in a loaded session, never more."""

import re
from dataclasses import replace

from ...state.errors import ConfigError
from ...state.settings import ContextConfig
from .concepts import read_question

LEAST = 0.5
"""Share of the ceiling that the easiest request gets."""
_HARD = re.compile(
    r"\b(?:why|compare|design|architecture|refactor|migrat\w*|plan|analy[sz]e|trade-?offs?|all|every|across|review)\b"
    r"|为什么|对比|比较|设计|架构|重构|迁移|规划|计划|分析|全部|所有|评审",
    re.IGNORECASE,
)
_NAMED = re.compile(r"[\w-]+(?:[./][\w-]+)+|\w+_\w+|`[^`]+`")


def difficulty(query: str) -> float:
    """Return how hard a request is, in [0, 1]: its concepts, the things it names, and words that ask for breadth."""
    concepts = len(read_question(query))
    named = len(set(_NAMED.findall(query)))
    broad = len({found.lower() for found in _HARD.findall(query)})
    return min(1.0, 0.06 * concepts + 0.1 * named + 0.25 * broad)


def adapted(config: ContextConfig, query: str, load: float = 0.0) -> ContextConfig:
    """Return the settings with as much of the ceiling as the request needs, between a quarter and all of it.

    Args:
        config: `max_tokens` stays the ceiling; unless `adaptive` is set it is returned as it is.
        query: The request.
        load: How much of the window, the rate or the money of the session is used up, in [0, 1].

    Raises:
        ConfigError: `load` is outside [0, 1].
    """
    if not 0.0 <= load <= 1.0:
        raise ConfigError("load", load, "must be a number in [0, 1]")
    if not config.adaptive:
        return config
    share = (LEAST + (1 - LEAST) * difficulty(query)) * (1 - load / 2)
    return replace(config, max_tokens=max(config.reply_reserve + 1, int(config.max_tokens * share)))
