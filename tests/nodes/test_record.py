"""What a turn leaves behind when a part of it can no longer be read."""

from datetime import UTC, datetime
from pathlib import Path

from maintainer.nodes.record import as_turn
from maintainer.state.session import Exchange, SessionState, ToolCall
from maintainer.tools.archive import Archive


def test_a_damaged_full_result_is_kept_as_far_as_it_was_seen_and_says_so(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    full = archive.put("line one\nline two")
    call = ToolCall(id="c", name="terminal", arguments={"command": "cat a"})
    exchanges = [Exchange(call=call, result="line one", handle=handle) for handle in (full, "0" * 16)]
    state = SessionState(request="look", session="s", turn_id="t", exchanges=exchanges)
    whole, cut = (each.text for each in as_turn(state, archive, datetime(2026, 1, 5, tzinfo=UTC)).said[1:3])
    archive.close()
    assert whole == "line one\nline two"
    assert cut.startswith("line one\n[the full text can no longer be read: ")
