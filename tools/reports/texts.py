"""The fixed words of reports, English and Chinese."""

from collections.abc import Mapping
from types import MappingProxyType

from ...state.session import Language

_TEXTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "title": ("Maintainer report", "维护报告"),
        "repository": ("Repository", "仓库"),
        "session": ("Session", "会话"),
        "made": ("Made", "生成时间"),
        "commit": ("Commit", "提交"),
        "statistics": ("Statistics", "统计"),
        "usage": ("Tokens and cost", "Token 与费用"),
        "findings": ("Findings", "发现的问题"),
        "by_severity": ("By severity", "按严重程度"),
        "by_folder": ("By folder", "按目录"),
        "new": ("new", "新增"),
        "fixed": ("fixed since", "已修复"),
        "suppressed": ("left out by suppressions.yaml", "按 suppressions.yaml 略去"),
        "map": (
            "Hot-spot map: folders by lines, darker where findings weigh more",
            "热点图:面积为代码行数,颜色越深问题越重",
        ),
        "trend": ("Trend over sessions", "各会话的变化趋势"),
        "context": ("What filled the context, turn by turn", "各轮上下文的构成"),
        "plan": ("Plan", "计划"),
        "notes": ("Notes", "笔记"),
        "timeline": ("Session timeline", "会话时间线"),
        "problems": ("Not looked at", "未能查看"),
        "none": ("none", "无"),
        "where": ("Where", "位置"),
        "what": ("What", "问题"),
        "why": ("Why it matters", "为何重要"),
        "do": ("What to do", "建议"),
        "severity": ("Severity", "严重程度"),
        "confidence": ("sure", "把握"),
        "turn": ("Turn", "轮次"),
        "mode": ("Mode", "模式"),
        "request": ("Request", "请求"),
        "answer": ("Answer", "回答"),
        "receipt": ("Receipt", "凭据"),
        "tokens": ("tokens", "token"),
        "of": ("of", "/"),
        "ready": ("can start now", "现在可以开始"),
        "after": ("after", "依赖"),
        "done": ("done", "完成"),
        "files": ("files", "文件"),
        "lines": ("lines of code", "行代码"),
        "analyzed": ("Analyzed", "分析范围"),
        "no_analysis": ("Nothing was analyzed.", "没有进行分析。"),
        "cost": ("cost", "费用"),
        "more": ("more", "更多"),
    }
)


def text(key: str, language: Language) -> str:
    """Return the words for a key.

    Raises:
        KeyError: There is no such key.
    """
    return _TEXTS[key][language == "zh"]


def statistic(name: str, language: Language) -> str:
    """Return the words for a statistic; one that has none is shown by its name."""
    return _STATISTICS.get(name, name) if language == "zh" else name.replace("_", " ")


_STATISTICS: Mapping[str, str] = MappingProxyType(
    {
        "cached_tokens": "缓存 token",
        "commands_executed": "执行的命令",
        "delegations": "子任务",
        "input_tokens": "输入 token",
        "issues_found": "发现的问题",
        "model_calls": "模型调用",
        "notes_created": "新建笔记",
        "notes_updated": "更新笔记",
        "output_tokens": "输出 token",
        "turns": "轮次",
    }
)
