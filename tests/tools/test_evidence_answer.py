"""The answer without a model: useful, honest, in the language of the request."""

from dataclasses import replace

import pytest
from maintainer.state.modes import Mode
from maintainer.state.packet import ContextPacket
from maintainer.state.session import Failure, Language, SessionState
from maintainer.tools.evidence_answer import write_evidence_answer

MAP = ContextPacket(content="shop: web application", metadata={"type": "first_look", "what": "map"})
ENTRY = ContextPacket(
    content="Entry points:\n- manage.py:47 (start)", metadata={"type": "first_look", "what": "entry_points"}
)
HIT = ContextPacket(
    content="shop/shipping.py:12-50\ndef quote(weight_g):\n    ...",
    metadata={"type": "code", "path": "shop/shipping.py", "lines": "12-50,61-70", "symbols": ["quote"]},
)
NOTE = ContextPacket(
    content="[Note: Islands cost more]\nSince 2023.",
    metadata={"type": "note", "note_type": "conclusion", "note_id": "note_20260105_090000_ab"},
)
FINDING = ContextPacket(
    content="[high] shop/checkout.py:43 Complex function",
    metadata={
        "type": "quality",
        "what": "finding",
        "path": "shop/checkout.py",
        "lines": "43-134",
        "title": "[high] shop/checkout.py:43 Complex function: place_order has complexity 32",
        "action": "Write tests first.",
    },
)
PLAN = ContextPacket(content="Plan: 0 of 1 steps done\n1. [ ] Fix it", metadata={"type": "plan", "ready": 1})


def answer(
    mode: Mode, *packets: ContextPacket, request: str = "where?", language: Language = "en", **state: object
) -> str:
    filled = SessionState.model_validate(
        {"request": request, "active_mode": mode, "language": language, "candidates": list(packets), **state}
    )
    return write_evidence_answer(filled, why="")


def test_where_is_it_is_answered_by_places_first() -> None:
    text = answer("explore", MAP, HIT, request="Where is the shipping price calculated?")
    assert text.index("shop/shipping.py:12-50 quote") < text.index("web application")
    assert "def quote(weight_g):" in text
    assert 'ask "what breaks if I change shop/shipping.py?"' in text


def test_weak_matches_beside_a_good_one_are_not_told() -> None:
    def match(path: str, score: float | None) -> ContextPacket:
        return replace(HIT, content=path, relevance_score=score, metadata={**HIT.metadata, "path": path})

    text = answer(
        "explore", match("good.py", 0.9), match("fair.py", 0.45), match("weak.py", 0.44), match("any.py", None)
    )
    assert all(path in text for path in ("good.py", "fair.py", "any.py"))
    assert "weak.py" not in text


def test_how_is_it_built_is_answered_by_the_map_alone() -> None:
    text = answer("explore", MAP, ENTRY, HIT, request="How is this built?")
    assert text.startswith("shop: web application")
    assert "- open manage.py:47" in text
    assert "shop/shipping.py:12-50" not in text, "nothing in the code is a match for it"
    assert "shop/shipping.py:12-50" in answer("explore", HIT, request="How is this built?"), "but better than nothing"


LONG = ContextPacket(
    content="Main folders:\n" + "\n".join(f"- f{number}/: 3 files" for number in range(10)),
    metadata={"type": "first_look", "what": "structure"},
)
KEYS = ContextPacket(
    content="Most imported files:\n- db.py: by 27 files",
    metadata={"type": "first_look", "what": "key_files", "central": "db.py"},
)


@pytest.mark.parametrize(
    "request_",
    ["Where is the price calculated, and how is the project structured?", "项目的结构是怎样的?运费在哪里计算?"],
)
def test_a_question_with_a_subject_gets_its_matches_first_and_a_short_overview(request_: str) -> None:
    text = answer("explore", MAP, ENTRY, LONG, KEYS, HIT, request=request_)
    assert text.index("shop/shipping.py:12-50") < text.index("web application") < text.index("Main folders")
    assert "- f2/: 3 files\n- (7 more)" in text
    assert "Most imported" not in text


def test_an_overview_has_short_lists_and_says_how_much_they_leave_out() -> None:
    text = answer("explore", MAP, ENTRY, LONG, KEYS, HIT, request="How is this built?")
    assert "- f5/: 3 files\n- (4 more)" in text
    assert "- open db.py: most files import it" in text
    assert 'ask "what breaks if I change db.py?"' in text
    assert len(text.splitlines()) < 40


def test_findings_come_with_places_and_what_to_do() -> None:
    text = answer("analyze", FINDING, request="problems?", stats={"issues_found": 9})
    assert "1. [high] shop/checkout.py:43" in text
    assert "and 8 more" in text
    assert "- Write tests first (shop/checkout.py:43-134)" in text


def test_findings_stay_in_their_order_whatever_the_context_chose() -> None:
    second = replace(FINDING, content="[low] a.py:1", metadata={**FINDING.metadata, "title": "[low] a.py:1 A todo"})
    text = answer("analyze", first_look=[FINDING, second], selected=[second, FINDING], request="哪些问题最值得先修?")
    assert text.index("1. [high] shop/checkout.py:43") < text.index("2. [low] a.py:1")


def test_what_was_not_looked_at_is_said_in_the_words_and_the_language_of_the_user() -> None:
    late = [Failure(where="gather:ledger", reason="no answer within 3 s")]
    assert "未能查看:此前确定的事项(3 秒内没有答复)。" in answer("explore", HIT, language="zh", failures=late)
    assert "facts of earlier turns (no answer within 3 s)" in answer("explore", HIT, failures=late)
    reason = "the index is still being brought up to date: some files may be missing"
    behind = [Failure(where="gather:rag", reason=reason)]
    assert "索引还在更新,可能缺少一些文件" in answer("explore", HIT, language="zh", failures=behind)


def test_a_plan_names_the_step_to_start_with() -> None:
    assert "- start with step 1: `maintainer steps show 1`" in answer("plan", PLAN, request="next?")


def test_proposed_steps_come_with_the_command_that_keeps_them() -> None:
    keep = "maintainer check --to-plan --about 'split it'"
    proposal = ContextPacket(content="Steps:\n1. Fix it", metadata={"type": "plan", "ready": 0, "keep": keep})
    assert f"- keep them as steps of the plan: `{keep}`" in answer("plan", proposal, request="split it")
    assert f"- 记为计划中的步骤:`{keep}`" in answer("plan", proposal, request="拆分", language="zh")


def test_findings_name_the_command_that_makes_steps_of_them() -> None:
    command = "maintainer check --to-plan --about shop/checkout.py"
    assert f"`{command}`" in answer("analyze", FINDING, request="problems?")
    assert f"`{command} --language zh`" in answer("analyze", FINDING, request="有什么问题?", language="zh")


def test_notes_are_named_with_their_id() -> None:
    assert "Islands cost more] (note_20260105_090000_ab)" in answer("explore", HIT, NOTE)


def test_a_note_is_named_by_its_title_and_one_whose_code_changed_says_so() -> None:
    cut = replace(NOTE, content="... since 2023", metadata={**NOTE.metadata, "title": "Islands", "state": "stale"})
    assert "- Islands (its code has changed; note_20260105_090000_ab)" in answer("explore", HIT, cut)
    assert "- Islands (所述代码已变; note_20260105_090000_ab)" in answer("explore", HIT, cut, language="zh")


def test_what_next_is_not_looked_for_in_the_code() -> None:
    assert "shop/shipping.py" not in answer("plan", PLAN, HIT, request="what next?")
    assert "shop/shipping.py:12-50" in answer("plan", PLAN, HIT, request="split shop/shipping.py")


@pytest.mark.parametrize("mode", ["explore", "analyze", "plan"])
def test_the_last_line_says_that_no_model_wrote_it(mode: Mode) -> None:
    assert answer(mode, MAP, FINDING, PLAN).splitlines()[-1].startswith("No model wrote this")
    assert answer(mode, MAP, FINDING, PLAN, language="zh").splitlines()[-1].startswith("以上不是模型写的")


def test_the_reason_why_no_model_wrote_it_is_said() -> None:
    text = write_evidence_answer(SessionState(request="x", candidates=[HIT]), why="openai:x is unreachable")
    assert "(openai:x is unreachable)" in text.splitlines()[-1]


def test_nothing_found_is_said_and_not_made_up() -> None:
    text = answer("explore", request="quantum teleportation")
    assert "Nothing in this repository matches" in text
    assert ":" not in text.split("\n\n")[0]


@pytest.mark.parametrize(
    ("request_", "language", "said"),
    [
        ("how do I bake bread", "en", "Nothing in this repository matches the request."),
        ("怎么烤面包", "zh", "仓库中没有与请求相符的内容。"),
    ],
)
def test_an_overview_in_place_of_matches_says_that_nothing_matches(
    request_: str, language: Language, said: str
) -> None:
    text = answer("explore", MAP, ENTRY, request=request_, language=language)
    assert text.startswith(said)
    assert "manage.py:47" in text, "where to start, all the same"
    assert said not in answer("explore", MAP, HIT, request=request_, language=language)
    assert said not in answer("explore", MAP, request="How is this built?", language=language)
    late = [Failure(where="gather:rag", reason="no answer within 3 s")]
    assert said not in answer("explore", MAP, request=request_, language=language, failures=late)


def test_what_could_not_be_looked_at_is_said() -> None:
    text = answer("explore", HIT, failures=[Failure(where="gather:rag", reason="no answer within 3 s")])
    assert "Not looked at: the code index (no answer within 3 s)" in text


def test_the_same_content_is_told_once() -> None:
    assert answer("explore", HIT, HIT).count("shop/shipping.py:12-50 quote") == 1


def test_the_choice_of_auto_is_told_first() -> None:
    text = answer("explore", HIT, mode_reason="explore: the request speaks of “where”")
    assert text.startswith("explore: the request speaks of")
