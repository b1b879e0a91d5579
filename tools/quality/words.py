"""Findings as sentences, in English and Chinese."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from ...state.report import Finding, Kind, Severity

Language = Literal["en", "zh"]
Pair = tuple[str, str]
"""English, Chinese."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindWords:
    """How one kind of finding is spoken of; braces hold names of facts."""

    title: Pair
    says: Pair
    action: Pair


KIND_WORDS: Mapping[Kind, KindWords] = MappingProxyType(
    {
        "secret": KindWords(
            title=("Secret in the code", "代码中的密钥"),
            says=("a {what} stands in the code", "代码里写着一个密钥({what})"),
            action=(
                "Revoke it, then read it from the environment; it stays in the git history.",
                "先作废该密钥,再改为从环境变量读取;它仍留在 git 历史中。",
            ),
        ),
        "security": KindWords(
            title=("Security", "安全问题"),
            says=("{message}", "{message}"),
            action=("Remove the risk, or say in a comment why it is none.", "消除风险,或用注释说明为何无风险。"),
        ),
        "import_cycle": KindWords(
            title=("Import cycle", "循环导入"),
            says=("{members} import each other", "{members} 互相导入"),
            action=(
                "Move what both need into a module of its own, or hand it in as an argument.",
                "把双方都需要的部分移到单独的模块,或改为参数传入。",
            ),
        ),
        "layering": KindWords(
            title=("Layering breach", "违反分层"),
            says=(
                "{source} imports {target}; {with} imports go the other way",
                "{source} 导入了 {target},而相反方向有 {with} 处导入",
            ),
            action=(
                "Let the upper layer call, or hand the value down as an argument.",
                "改由上层调用,或把所需的值作为参数传下来。",
            ),
        ),
        "complex_function": KindWords(
            title=("Complex function", "函数过于复杂"),
            says=(
                "{symbol} has complexity {complexity} in {lines} lines of code",
                "{symbol} 的圈复杂度为 {complexity},共 {lines} 行代码",
            ),
            action=(
                "Write tests for what it does, then take its steps out into functions of their own.",
                "先为其行为补测试,再把各步骤拆成独立函数。",
            ),
        ),
        "duplicate_code": KindWords(
            title=("Duplicated code", "重复代码"),
            says=("{lines} lines as in {other}", "{lines} 行与 {other} 相同"),
            action=("Keep one copy and call it from both places.", "保留一份,两处都调用它。"),
        ),
        "query_in_loop": KindWords(
            title=("Query in a loop", "循环中查询"),
            says=("{call} asks the database once per round", "{call} 在每次循环中都查询数据库"),
            action=(
                "Ask once before the loop for all rows, or join.",
                "在循环前一次查出所有行,或改用连接查询。",
            ),
        ),
        "missing_tests": KindWords(
            title=("Missing tests", "缺少测试"),
            says=(
                "no test names it (functions: {functions}, branches: {branches}; {untested})",
                "没有测试提到它(函数 {functions} 个,分支 {branches} 个;{untested})",
            ),
            action=(
                "Start with a test of {first}.",
                "先为 {first} 写一个测试。",
            ),
        ),
        "hot_spot": KindWords(
            title=("Hot spot", "热点"),
            says=(
                "changed in {changes} of {commits} commits, complexity {complexity}",
                "{commits} 次提交中有 {changes} 次改动它,总复杂度 {complexity}",
            ),
            action=(
                "Simplify here first: it is where the next change will go wrong.",
                "优先简化这里:下一次改动最可能在此出错。",
            ),
        ),
        "dead_code": KindWords(
            title=("Dead code", "死代码"),
            says=("{what} {name}: {reason}", "{what} {name}:{reason}"),
            action=("Delete it; git remembers.", "删除它;git 会记得。"),
        ),
        "lint": KindWords(
            title=("Probable bug", "可能的错误"),
            says=("{message}", "{message}"),
            action=("Correct it.", "改正它。"),
        ),
        "many_parameters": KindWords(
            title=("Many parameters", "参数过多"),
            says=("{symbol} takes {parameters} parameters", "{symbol} 有 {parameters} 个参数"),
            action=(
                "Put those that travel together into one object.",
                "把总是一起出现的参数合成一个对象。",
            ),
        ),
        "large_file": KindWords(
            title=("Large file", "文件过大"),
            says=("{lines} lines with {functions} functions", "{lines} 行,{functions} 个函数"),
            action=("Split it by what its parts are about.", "按主题拆分。"),
        ),
        "stale_docs": KindWords(
            title=("Stale documentation", "文档过时"),
            says=("{claim}: {reason}", "{claim}:{reason}"),
            action=("Correct the document.", "更正文档。"),
        ),
        "undeclared_dependency": KindWords(
            title=("Undeclared dependency", "未声明的依赖"),
            says=("{package} is imported and in no manifest", "导入了 {package},但清单中没有声明"),
            action=("Add it to the manifest.", "把它加入依赖清单。"),
        ),
        "unused_dependency": KindWords(
            title=("Unused dependency", "未使用的依赖"),
            says=("{package} is declared and imported nowhere", "声明了 {package},但没有任何地方导入"),
            action=("Remove it from the manifest.", "把它从依赖清单中删除。"),
        ),
        "bus_factor": KindWords(
            title=("Known by one person", "只有一人熟悉"),
            says=(
                "only {author} changed it ({changes} commits), last seen {away_days} days before the newest commit",
                "只有 {author} 改过它({changes} 次提交),其最后一次提交在最新提交的 {away_days} 天前",
            ),
            action=("Have somebody else review or change it soon.", "尽快请另一个人评审或改动它。"),
        ),
        "syntax_error": KindWords(
            title=("Syntax error", "语法错误"),
            says=("{message}", "{message}"),
            action=("Correct it, or leave the file out by an ignore rule.", "改正它,或用忽略规则排除该文件。"),
        ),
        "todo": KindWords(
            title=("Open note in the code", "代码中的待办"),
            says=("{rule}: {text}", "{rule}:{text}"),
            action=("Do it, or make it a task and remove the comment.", "完成它,或改为任务并删除注释。"),
        ),
    }
)

REASONS: Mapping[str, Pair] = MappingProxyType(
    {
        "live_secret": ("its shape is that of a real key", "其形状是真实的密钥"),
        "likely_secret": ("it stands beside a word for keys and looks random", "它位于密钥类字样旁且像随机串"),
        "test_secret": ("it is in a test or example", "它在测试或示例中"),
        "injection": ("input of a user can become a command or query", "用户输入可能变成命令或查询"),
        "weak_protection": ("a protection is switched off or too weak", "某项保护被关闭或强度不足"),
        "security_hint": ("worth a look; often harmless", "值得一看,多半无害"),
        "cycle": (
            "modules that import each other cannot be understood, tested or loaded alone",
            "互相导入的模块无法单独理解、测试或加载",
        ),
        "layer": ("it ties a lower layer to an upper one", "它把下层绑在了上层上"),
        "complexity": ("its complexity is far above 10, the usual limit", "圈复杂度远超常用上限 10"),
        "length": ("it is long", "函数过长"),
        "parameters": ("calls are hard to read and easy to get wrong", "调用难读且容易出错"),
        "large_file": ("it is hard to find anything in it", "很难在其中找到内容"),
        "large_copy": ("a large part has to be changed twice", "大段代码需要改两次"),
        "copy": ("every change has to be made twice", "每次改动都要做两遍"),
        "query": ("its time grows with the number of rows", "耗时随行数增长"),
        "indirect_query": (
            "a called function asks the database; its time grows with the number of rows",
            "被调用的函数查询数据库,耗时随行数增长",
        ),
        "untested_complex": ("it is complex and nothing checks it", "它很复杂且没有任何检查"),
        "untested": ("nothing checks it", "没有任何检查"),
        "hot": ("often changed and complex", "既常改又复杂"),
        "unreachable": ("it can never run", "永远不会运行"),
        "unused": ("nothing refers to it", "没有任何地方引用它"),
        "only_tests": ("only tests refer to it", "只有测试引用它"),
        "bug": ("it behaves differently from what it seems to say", "行为与看上去的不同"),
        "swallowed": ("errors disappear without a trace", "错误消失得无影无踪"),
        "style": ("small", "小问题"),
        "stale_command": ("a reader who follows it fails", "照做会失败"),
        "stale_path": ("it names something that is not there", "它提到的东西不存在"),
        "undeclared": ("a fresh install fails", "全新安装会失败"),
        "optional": ("it is imported only where it is installed", "仅在已安装时导入"),
        "unneeded": ("it is installed for nothing", "白白安装"),
        "one_author": ("nobody else knows it", "没有其他人熟悉"),
        "author_away": ("the one who knows it seems to have left", "熟悉它的人似乎已离开"),
        "broken": ("it cannot run", "无法运行"),
        "todo": ("somebody meant to come back", "有人打算回来处理"),
        "old_todo": ("nobody came back for a year or more", "一年以上无人处理"),
    }
)
"""Why a finding has its severity."""

SEVERITY_WORDS: Mapping[Severity, Pair] = MappingProxyType(
    {
        "critical": ("critical", "严重"),
        "high": ("high", "高"),
        "medium": ("medium", "中"),
        "low": ("low", "低"),
        "info": ("info", "提示"),
    }
)

REPOSITORY_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "web application": "网络应用",
        "library": "程序库",
        "monorepo": "多项目仓库",
        "data project": "数据项目",
        "application": "应用程序",
    }
)
"""Kinds of repositories in Chinese."""

_FACT_WORDS: Mapping[str, str] = MappingProxyType(
    {
        "function": "函数",
        "class": "类",
        "method": "方法",
        "property": "属性",
        "code": "代码",
        "nothing refers to it": "没有任何地方引用它",
        "only tests refer to it": "只有测试引用它",
        "it stands after the end of a path": "位于返回之后,不会执行",
        "no such file": "没有这个文件",
        "no such command": "没有这个命令",
        "no such make target": "没有这个 make 目标",
        "no such script": "没有这个脚本",
    }
)
"""Words that facts hold, in Chinese; names and numbers stay as they are."""


def title(finding: Finding, language: Language = "en") -> str:
    """Return the name of a finding's kind."""
    return KIND_WORDS[finding.kind].title[language == "zh"]


def says(finding: Finding, language: Language = "en") -> str:
    """Return what was found, as one sentence without its place."""
    return _filled(KIND_WORDS[finding.kind].says[language == "zh"], finding, language)


def action(finding: Finding, language: Language = "en") -> str:
    """Return what to do about a finding."""
    return _filled(KIND_WORDS[finding.kind].action[language == "zh"], finding, language)


def reason(finding: Finding, language: Language = "en") -> str:
    """Return why a finding has its severity."""
    return REASONS[finding.why][language == "zh"]


def severity(level: Severity, language: Language = "en") -> str:
    """Return the word for a severity."""
    return SEVERITY_WORDS[level][language == "zh"]


def repository_kind(kind: str, language: Language = "en") -> str:
    """Return the word for a kind of repository."""
    return REPOSITORY_KINDS[kind] if language == "zh" else kind


def line(finding: Finding, language: Language = "en") -> str:
    """Return a finding as one line: severity, place, title, what was found."""
    parts = f"[{severity(finding.severity, language)}] {finding.place} {title(finding, language)}"
    return f"{parts}:{says(finding, language)}" if language == "zh" else f"{parts}: {says(finding, language)}"


def _filled(template: str, finding: Finding, language: Language) -> str:
    facts = {"symbol": finding.symbol, "rule": finding.rule, **finding.facts}
    plain = {name: ", ".join(value) if isinstance(value, list) else str(value) for name, value in facts.items()}
    if language == "zh":
        plain = {name: _FACT_WORDS.get(value, value) for name, value in plain.items()}
    return template.format_map(_Known(plain))


class _Known(dict[str, str]):
    """Names without a fact stay empty: a sentence with a gap is better than none."""

    def __missing__(self, key: str) -> str:
        return ""
