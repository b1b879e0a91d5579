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
    ("user", "Paging in `core/pager.py` is cursor based on purpose: offsets broke under load."),
    ("user", "Files of the crawler carry an SPDX header."),
    ("user", "40 lines per function in the crawler, no more."),
    ("user", "No print statements in the crawler, ever."),
    ("user", "Tests for the crawler run with a fixed random seed."),
    ("user", "Open: `core/feed.py` loses 7 entries."),
    ("user", "爬虫的变量名写全称，别缩写。"),
    ("user", "测试爬虫时要固定随机种子，否则我不收。"),
    ("assistant", "I went for cursor paging in `core/pager.py` because offsets broke under load."),
    ("assistant", "As decided, `core/pager.py` pages by cursor."),
    ("assistant", "There is an off-by-one in `core/feed.py` that I leave for another day."),
    ("assistant", "`core/feed.py` answers 500 for empty catalogues; ticket opened."),
    ("assistant", "`core/feed.py` was folded into `core/ingest.py`."),
    ("assistant", "The smoke tests went from attrs 24.1 to attrs 25.1."),
    ("assistant", "I had to give the crawler port 8282, because port 7070 was taken."),
    ("assistant", "`core/feed.py` 会漏掉 7 条记录，没能定位。"),
    ("assistant", "`core/feed.py` 并入 `core/ingest.py`。"),
    ("assistant", "我把爬虫锁定在 attrs 22.1。"),
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
    ("user", "Other crawlers use print statements."),
    ("user", "I wonder how `core/feed.py` pages."),
    ("user", "In the old system we paged by offsets and nobody complained."),
    ("user", "I am not asking for it, but cursors would be nice."),
    ("user", "Same for `core/pager.py`, please."),
    ("user", "I am in a meeting until three."),
    ("user", "有篇文章吹捧游标分页，我不太信。"),
    ("user", "会上有人提到游标分页。"),
    ("user", "`core/pager.py` 也看一下。"),
    ("assistant", "`core/pager.py` is called from 12 places."),
    ("assistant", "`next_page` returns a tuple."),
    ("assistant", "The tests of `core/pager.py` cover the corner cases of `next_page`."),
    ("assistant", "The short suite took 35 seconds and is green."),
    ("assistant", "I would leave `next_page` alone, it reads fine."),
    ("assistant", "`core/pager.py` 读完了，结构清楚。"),
    ("assistant", "`next_page` 返回一个元组。"),
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
        ("user", "`core/ids.py` 从今天起用 ULID 作标识，三个港口仍只有卫星链路。", "decision"),
        ("assistant", "`core/feed.py` deals with a dead peer by a fixed pause, because we are two.", "fact"),
        ("assistant", "`core/feed.py` 不丢记录了，问题出在提前返回，补丁已合。", "solved"),
        ("assistant", "Something is wrong with `core/feed.py`: its times are 9 hours off.", "problem"),
        ("assistant", "`core/feed.py` gives times that are 7 hours off; to be looked into.", "problem"),
        ("assistant", "`core/feed.py` was too long: its tail has been extracted to `core/tail.py`.", "change"),
        ("user", "The answer for `core/feed.py` is a plain blocking loop, because two people read it.", "decision"),
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
