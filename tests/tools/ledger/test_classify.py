"""What lasts and what does not, in wordings of daily work; both languages, many subjects."""

import pytest
from maintainer.state.turns import Role
from maintainer.tools.ledger.classify import classify
from maintainer.tools.ledger.statements import statements

LASTING: list[tuple[Role, str]] = [
    ("user", "From now on every public function needs a docstring in Google style."),
    ("user", "We agreed to keep the retry count at five, since the upstream gateway drops bursts."),
    ("user", "Log levels below WARNING stay out of the production image; the disk fills up otherwise."),
    ("user", "Branch names start with the ticket number, no slashes please."),
    ("user", "Nobody but the release bot may push tags."),
    ("user", "Let's cache rendered pages for 90 seconds, the CDN contract says so."),
    ("user", "`billing/invoice.py` rounds half up, accounting signed that off."),
    ("user", "Our minimum interpreter is 3.11 as of this quarter."),
    ("user", "Treat warnings as errors in the nightly build."),
    ("user", "Translations of the error pages go through Maria before they are merged."),
    ("user", "Tests for `parser.py` must not touch the network."),
    ("user", "I decided against Redis for sessions, one more server is too much to run."),
    ("user", "The customer portal is frozen until the audit on 12 May."),
    ("user", "Speak British English in user-facing texts."),
    ("user", "We use trunk-based development, so no long-lived branches."),
    ("user", "The API answers dates in ISO 8601 with offset, mobile clients depend on it."),
    ("user", "Where it is possible, use pathlib in `store/reader.py`."),
    ("user", "On reflection gRPC is out; GraphQL takes over in `app/gateway.py`."),
    ("user", "Docstrings in the plotting code follow the NumPy style."),
    ("user", "`app/gateway.py` 弃用 gRPC，改走 GraphQL，合作方要求的。"),
    ("assistant", "The port of the debug server is 7070 now."),
    ("assistant", "`app/worker.py` got a switch `--fast`."),
    ("assistant", "`app/worker.py` 增加了开关 `--fast`。"),
    ("assistant", "I renamed `load_all` to `load_batch` in `store/reader.py`."),
    ("assistant", "Moved the fixtures from `tests/data` to `tests/fixtures`."),
    ("assistant", "`worker.py` still drops the last message when the queue closes; I could not reproduce it locally."),
    ("assistant", "The integration suite fails on Windows with a path too long, cause not found."),
    ("assistant", "Fixed: the race in `pool.py` came from a lock that was released twice."),
    ("assistant", "I set the pool size in `settings.toml` to 12."),
    ("assistant", "We settled on protobuf for `gateway/rpc.py` because the old JSON was ambiguous about nulls."),
    ("assistant", "Added the flag `--dry-run` to `cli/sync.py`."),
    ("assistant", "`export.py` needs 14 seconds for 1,000 rows, I have not found out why."),
    ("user", "所有公开接口都要写中文和英文两份说明。"),
    ("user", "以后日志一律用 UTC 时间。"),
    ("user", "`billing/invoice.py` 的金额统一用分为单位，财务要求的。"),
    ("user", "不要在主分支上直接提交。"),
    ("user", "我们决定用消息队列解耦，因为支付回调经常超时。"),
    ("user", "最低支持的版本是 3.11。"),
    ("user", "发布前必须跑完整的回归测试。"),
    ("user", "错误信息请用简体中文，不带感叹号。"),
    ("assistant", "已把 `load_all` 改名为 `load_batch`，位于 `store/reader.py`。"),
    ("assistant", "`worker.py` 关闭时会丢最后一条消息，原因还没查到。"),
    ("assistant", "`pool.py` 的竞态已经修复，起因是锁被释放了两次。"),
    ("assistant", "测试数据从 `tests/data` 移到了 `tests/fixtures`。"),
    ("assistant", "连接池大小在 `settings.toml` 里设为 12。"),
]

PASSING: list[tuple[Role, str]] = [
    ("user", "Can you find out where the session is created?"),
    ("user", "Please run the tests again."),
    ("user", "What does `load_batch` do?"),
    ("user", "Thanks, that helps a lot."),
    ("user", "Show me the callers of `load_batch`."),
    ("user", "A colleague at another company swears by Redis for this."),
    ("user", "I read a blog post that puts everything into one table."),
    ("user", "Some teams never write docstrings."),
    ("user", "If we ever had a second server, Redis would be fine."),
    ("user", "The vendor's default is five retries, just so you know; nothing to do here."),
    ("user", "Would protobuf even work for `gateway/rpc.py`?"),
    ("user", "Their `pool.py` leaks 5 MB a minute, not our problem."),
    ("user", "I heard that the next Python removes the GIL."),
    ("user", "Let me know when you are done."),
    ("user", "My neighbour's startup uses gRPC for something like `app/gateway.py`."),
    ("user", "In the book I am reading, gateways use mTLS."),
    ("user", "The intern joked that `app/gateway.py` should speak Morse code."),
    ("user", "听同事说 `app/gateway.py` 可以用 mTLS。"),
    ("assistant", "The tests of `app/worker.py` were green before and after."),
    ("assistant", "The naming in `app/worker.py` is unusual but harmless."),
    ("user", "Explain how the cache works."),
    ("user", "Good morning!"),
    ("user", "Fix the failing test in `parser.py`."),
    ("assistant", "Let me look at the callers first."),
    ("assistant", "I will read `store/reader.py` now."),
    ("assistant", "No problems found in `store/reader.py`."),
    ("assistant", "The change looks complete and all tests pass."),
    ("assistant", "Here are the results."),
    ("assistant", "Shall I go on?"),
    ("assistant", "Checking the history of the file."),
    ("user", "帮我看看会话是在哪里创建的。"),
    ("user", "`load_batch` 是做什么的？"),
    ("user", "谢谢，继续。"),
    ("user", "听说隔壁项目用 Redis 存会话。"),
    ("user", "如果哪天有第二台服务器，用 Redis 也行。"),
    ("user", "别的团队从来不写说明，跟我们没关系。"),
    ("assistant", "我先看一下调用方。"),
    ("assistant", "没有发现问题。"),
    ("assistant", "这次改动很完整，测试都通过。"),
    ("tool", "src/app.py:3: must never be called twice"),
]


@pytest.mark.parametrize(("by", "text"), LASTING)
def test_what_is_meant_to_last_is_noted(by: Role, text: str) -> None:
    assert classify(statements(text)[0], by) is not None


@pytest.mark.parametrize(("by", "text"), PASSING)
def test_questions_tasks_hearsay_and_small_talk_are_not(by: Role, text: str) -> None:
    assert [classify(statement, by) for statement in statements(text)] == [None] * len(statements(text))


@pytest.mark.parametrize(
    ("by", "text", "kind"),
    [
        ("user", "You must never touch the table BLOCK_7 in `core.py`.", "rule"),
        ("user", "提交信息不得超过 50 个字符。", "rule"),
        ("user", "We go with LMDB for `cache.py`, because the laptops are offline.", "decision"),
        ("assistant", "`cache.py` 采用 LMDB，因为笔记本离线。", "decision"),
        ("assistant", "`cache.py` hangs in teardown now and then, still unexplained.", "problem"),
        ("assistant", "`cache.py` 偶尔卡死，原因不明。", "problem"),
        ("assistant", "The hang in `cache.py` is fixed; a stale lock was behind it.", "solved"),
        ("assistant", "`cache.py` 的卡死已修复，根源是过期的锁。", "solved"),
        ("assistant", "I moved the writer from `cache.py` to `store/writer.py`.", "change"),
        ("user", "I considered Redis for `cache.py` and ruled it out.", "rejected"),
    ],
)
def test_the_kind_follows_from_the_words(by: Role, text: str, kind: str) -> None:
    verdict = classify(statements(text)[0], by)
    assert verdict is not None
    assert verdict.kind == kind
    assert verdict.resolves == (kind == "solved")


def test_words_inside_code_and_quotations_are_no_cues() -> None:
    [statement] = statements('I looked at "Never fix the leak again" and `must_not_fail`.')
    assert classify(statement, "assistant") is None


def test_a_statement_that_the_next_sentence_takes_back_is_not_noted() -> None:
    kept, dropped = "`cache.py` stores everything in Redis.", "`cache.py` stores everything in Redis. Not our project."
    assert classify(statements(kept)[0], "user") is not None
    assert classify(statements(dropped)[0], "user") is None
