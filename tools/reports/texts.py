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
            "Hot spots: the larger, the more lines; the stronger the colour, the more its findings weigh",
            "热点图:面积为代码行数,颜色越浓,问题越重",
        ),
        "trend": ("Trend over sessions", "各会话的变化趋势"),
        "context": ("What filled the context", "上下文的构成"),
        "context_means": (
            "One bar for each turn, against the token budget of a request.",
            "每轮一条,以单次请求的 token 预算为满格。",
        ),
        "reserve": ("kept for the reply", "为回复保留"),
        "plan": ("Plan", "计划"),
        "folders": ("By folder", "按目录"),
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
        "report_of": ("Maintainer report", "维护报告"),
        "found": ("{count} findings in {files} files", "{files} 个文件中发现 {count} 个问题"),
        "found_one": ("1 finding in {files} files", "{files} 个文件中发现 1 个问题"),
        "nothing_found": ("Nothing was found in {files} files.", "{files} 个文件中没有发现问题。"),
        "since": ("Since the last session: {new} new, {fixed} fixed.", "与上次会话相比:新增 {new},已修复 {fixed}。"),
        "look_first": ("Look first at", "最先要看"),
        "plan_stands": ("The plan: {done} of {total} steps done", "计划:{done}/{total} 步完成"),
        "go_on": ("go on with", "接着做"),
        "start_with": ("next", "下一步"),
        "no_model": ("No model was called.", "没有调用模型。"),
        "called": (
            "{calls} model calls: {input} tokens in ({cached} of them cached), {output} out",
            "调用模型 {calls} 次:输入 {input} token(其中缓存 {cached}),输出 {output} token",
        ),
        "unpriced": ("the price is not known", "价格未知"),
        "doing": ("in progress", "进行中"),
        "waits": ("waits", "等待中"),
        "explore": ("explore", "浏览"),
        "analyze": ("analyze", "分析"),
        "auto": ("auto", "自动"),
        "in_prompt": ("In the last prompt, the largest first:", "最后一次提示词中的内容(从大到小):"),
        "left_out": ("Left out of it:", "未放入的内容:"),
        "contents": ("Contents", "目录"),
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


def note_word(name: str, language: Language) -> str:
    """Return the words for a type of note or a relation between notes; one that has none is shown by its name."""
    return _NOTES.get(name, name) if language == "zh" else name.replace("_", " ")


def status(name: str, language: Language) -> str:
    """Return the word for the status of a note."""
    return _STATUS.get(name, name) if language == "zh" else name.replace("_", " ")


def section_word(name: str, language: Language) -> str:
    """Return the word for a part of the context."""
    return _SECTIONS.get(name, name) if language == "zh" else name


def rule(name: str, language: Language) -> str:
    """Return in plain words why a text was left out of a prompt; numbers of the single case are left away."""
    pair = next((words for pattern, words in _RULES if pattern in name), None)
    return pair[language == "zh"] if pair else name


_NOTES: Mapping[str, str] = MappingProxyType(
    {
        "task_state": "任务",
        "conclusion": "结论",
        "blocker": "阻塞",
        "action": "行动",
        "reference": "参考",
        "general": "一般",
        "supersedes": "取代",
        "resolves": "解决",
        "depends_on": "依赖",
    }
)
_STATUS: Mapping[str, str] = MappingProxyType(
    {"open": "有效", "in_progress": "进行中", "resolved": "已解决", "superseded": "已取代", "archived": "已归档"}
)
_SECTIONS: Mapping[str, str] = MappingProxyType(
    {
        "Role & Policies": "角色与规则",
        "Task": "任务",
        "State": "状态",
        "Evidence": "证据",
        "Context": "背景",
        "Output": "输出格式",
        "tools": "工具定义",
        "exchanges": "工具调用",
        "overhead": "消息开销",
    }
)
_RULES = (
    ("no room", ("no room: others were worth more", "预算已满,其他内容更有价值")),
    ("is below", ("not relevant enough", "相关度不足")),
    ("same", ("said already by another text", "与其他内容重复")),
    ("too long", ("too long", "过长")),
    ("longer than", ("too long", "过长")),
    ("most promising", ("not among the most promising", "不在最有希望的候选之列")),
)
"""What a rule of a receipt holds, and how it is told."""


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
