"""A hundred requests, half of them Chinese, and the mode each should get."""

import pytest
from maintainer.tools.mode_choice import CLEAR, pick_mode

ENGLISH = {
    "explore": [
        "How is this codebase organized?",
        "Where is the shipping price calculated?",
        "Explain how a login works",
        "What does the PricedLine class do?",
        "Which file defines the Order model?",
        "Show me the entry points",
        "Give me an overview of the architecture",
        "Who calls place_order?",
        "What breaks if I change the coupon model?",
        "Find the code that sends mails",
        "How are sessions stored?",
        "Walk me through the checkout flow",
        "Where do we read the settings?",
        "What is the purpose of tools/search?",
        "How does the cache decide what to evict?",
        "I am new here, help me understand the project",
        "Describe the data flow from request to database",
        "Which tests cover the cart?",
        "Locate the rate limiter",
        "What happens when a payment fails?",
        "How does error handling work in the API?",
    ],
    "analyze": [
        "Analyze the code quality",
        "Find duplicated code",
        "Which functions are too complex?",
        "List all TODOs and FIXMEs",
        "Are there any security problems?",
        "Check for missing tests",
        "Review the services folder",
        "What technical debt do we have?",
        "Find dead code",
        "Is there a circular import somewhere?",
        "Where are the hot spots?",
        "Audit the dependencies",
        "What is wrong with the checkout module?",
        "Are any secrets committed?",
        "Find slow queries",
        "Why is checkout slow?",
        "What should we repair first in this shop?",
        "Which modules have no tests?",
        "Show me the worst functions",
        "Look for bugs in the parser",
        "Where are the most complex functions?",
    ],
    "plan": [
        "Plan the migration to PostgreSQL",
        "What should we do next?",
        "Make a plan to reduce technical debt",
        "Break the refactoring down into steps",
        "Prioritize the open tasks",
        "What is blocked right now?",
        "In what order should I fix these?",
        "Create a roadmap for version 2",
        "What tasks are left?",
        "Schedule the work for this sprint",
        "Plan how to fix the bugs",
        "Show the progress of the plan",
    ],
}
CHINESE = {
    "explore": [
        "这个项目是怎么组织的?",
        "运费在哪里计算?",
        "解释一下登录流程",
        "下单逻辑在哪个文件里?",
        "介绍一下整体架构",
        "入口在哪?",
        "谁调用了 place_order?",
        "如果改动优惠券模型,会影响哪些地方?",
        "邮件是如何发送的?",
        "配置是怎么加载的?",
        "帮我了解一下这个仓库",
        "Order 这个类是做什么的?",
        "缓存怎么决定淘汰哪些数据?",
        "支付失败时会发生什么?",
        "讲讲购物车模块",
        "会话数据存在哪儿?",
        "找到处理退款的代码",
        "梳理一下数据流",
        "哪些测试覆盖了购物车?",
        "带我看懂搜索功能",
    ],
    "analyze": [
        "分析一下代码质量",
        "找出重复代码",
        "哪些函数太复杂?",
        "列出所有 TODO 和 FIXME",
        "有没有安全漏洞?",
        "检查缺少测试的模块",
        "审查一下 services 目录",
        "我们有哪些技术债?",
        "有没有死代码?",
        "有循环导入吗?",
        "热点文件有哪些?",
        "代码里有没有泄露密钥?",
        "下单模块有什么问题?",
        "哪些查询太慢?",
        "结账为什么慢?",
        "哪些问题最值得先修?",
        "哪些模块没有测试?",
        "诊断一下性能瓶颈",
        "排查一下潜在的风险",
        "最复杂的函数在哪里?",
    ],
    "plan": [
        "制定迁移到 PostgreSQL 的计划",
        "下一步该做什么?",
        "把重构拆分成几个步骤",
        "给待办事项排一下优先级",
        "现在哪些任务被阻塞了?",
        "这些问题应该按什么顺序修复?",
        "规划一下第二版的路线图",
        "还剩下哪些任务?",
        "接下来怎么安排?",
        "计划的进度如何?",
    ],
}
UNCLEAR = ["hello", "thanks!", "ok", "payments", "hmm", "你好", "谢谢", "支付", "嗯", "早上好"]

TABLE = [
    *((said, mode) for table in (ENGLISH, CHINESE) for mode, requests in table.items() for said in requests),
    *((said, "unclear") for said in UNCLEAR),
]


def picked(said: str) -> str:
    choice = pick_mode(said)
    if choice.confidence < CLEAR:
        assert choice.mode == "explore", "what is unclear changes nothing"
        assert "unclear" in choice.reason
        return "unclear"
    return choice.mode


def test_at_least_95_of_100_requests_get_their_mode() -> None:
    wrong = {said: (mode, picked(said)) for said, mode in TABLE if picked(said) != mode}
    assert len(TABLE) >= 100
    assert len(wrong) <= 0.05 * len(TABLE), wrong


def test_half_of_the_table_is_chinese() -> None:
    chinese = sum(not said.isascii() for said, _ in TABLE)
    assert 0.45 <= chinese / len(TABLE) <= 0.55


@pytest.mark.parametrize(("said", "mode"), TABLE)
def test_confidence_is_a_share_and_the_reason_names_the_mode(said: str, mode: str) -> None:
    choice = pick_mode(said)
    assert 0.0 <= choice.confidence <= 1.0
    assert choice.reason.startswith(choice.mode)


def test_the_reason_quotes_the_request_in_its_language() -> None:
    assert "“duplicated”" in pick_mode("find duplicated code").reason
    assert "请求中提到" in pick_mode("找出重复代码", language="zh").reason
    assert "不够明确" in pick_mode("你好", language="zh").reason


@pytest.mark.parametrize("said", ["continue", "go on.", "next", "继续", "然后呢?", "请继续。"])
def test_going_on_stays_in_the_mode_of_the_turn_before(said: str) -> None:
    assert pick_mode(said, previous="analyze").mode == "analyze"
    assert pick_mode(said, previous="plan").mode == "plan"


def test_a_new_question_leaves_the_mode_of_the_turn_before() -> None:
    assert pick_mode("where is the cart?", previous="plan").mode == "explore"


@pytest.mark.parametrize("said", ["", " ", "\x00", "?" * 10_000, "how " * 10_000, "计划" * 10_000])
def test_odd_requests_are_no_error(said: str) -> None:
    assert pick_mode(said).mode in ("explore", "analyze", "plan")
