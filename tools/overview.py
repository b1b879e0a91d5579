"""When a request asks for an overview, whether for nothing else, and how one is kept short."""

import re

from ..state.session import Language
from .mode_choice import MOST_CHARS
from .search import tokenize

ROWS_ALONE, ROWS_BESIDE = 6, 3
"""Rows of each list of an overview, where it is the answer and where it stands below one."""
_ROW = re.compile(r"^(?:- |\d+\. )")
_ASKS = re.compile(
    r"\b(?:buil[td]|structur\w*|architecture|organi[sz]ed|overview|layout|codebase|project|repo(?:sitory)?)\b"
    r"|\b(?:entry points?|summar\w*)\b"
    r"|架构|结构|组织|整体|概览|总览|介绍|项目|入口|仓库|目录",
    re.IGNORECASE,
)
_NO_SUBJECT = re.compile(
    r"\b(?:give|show|tell|explain|describe|new|help|understand|look|want|know|main|code|work(?:s|ing)?|please|around|short|brief"
    r"|big|whole|general|high|level|made|put|together"
    r"|starts?|begins?|runs?|tour|map|parts?|pieces?|everything|fits?|consists?|contains?)\b"
    r"|这个|整个|一下|怎么样?|如何|怎样|请|帮我|了解|看看?|我|想|有|哪些|什么|给|讲讲?|说说?|吗|呢|在|哪里?|里|和|与|是|的|样|主要|代码|大概|先|都|启动|开始|由|组成|部分|包含|从|到",
    re.IGNORECASE,
)
"""Words of a request for an overview that name no subject of their own."""


def asks_overview(request: str) -> bool:
    """Return whether a request asks how the whole is built."""
    return _ASKS.search(request[:MOST_CHARS]) is not None


def asks_nothing_else(request: str) -> bool:
    """Return whether a request for an overview names no subject besides."""
    return not tokenize(_NO_SUBJECT.sub(" ", _ASKS.sub(" ", request[:MOST_CHARS])))


def short(content: str, most: int, language: Language) -> str:
    """Return a text with every list in it cut to `most` rows, and how many were left away."""
    kept: list[str] = []
    in_list = hidden = 0
    for row in [*content.splitlines(), ""]:
        if _ROW.match(row):
            in_list += 1
            if in_list <= most:
                kept.append(row)
            else:
                hidden += 1
            continue
        if hidden:
            kept.append(f"- (另有 {hidden} 项)" if language == "zh" else f"- ({hidden} more)")
        in_list = hidden = 0
        kept.append(row)
    return "\n".join(kept).rstrip()
