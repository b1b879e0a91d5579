"""What a model sees of a result: never a flood, never twice the same, always a way to the rest."""

from pathlib import Path

from maintainer.tools import TerminalTool
from maintainer.tools.archive import Archive
from maintainer.tools.tokens import open_counter


def fill(repo: Path) -> None:
    (repo / "app.log").write_text("".join(f"{n:05d} INFO request served\n" for n in range(3000)) + "99999 ERROR end\n")


def test_a_short_result_is_shown_whole(terminal: TerminalTool) -> None:
    view = terminal.view(terminal.run("cat README.md"), turn=1)
    assert (view.text, view.handle) == ("# Shop\n\nTODO: describe", "")


def test_a_long_result_keeps_head_and_tail_and_a_handle_to_the_rest(repo: Path, tmp_path: Path) -> None:
    fill(repo)
    with TerminalTool(repo, max_tokens=300, archive=Archive(tmp_path / "archive")) as terminal:
        view = terminal.view(terminal.run("cat app.log"), turn=1)
        assert view.text.startswith("00000 INFO")
        assert view.text.endswith("99999 ERROR end")
        assert "3001 lines in all" in view.text
        assert open_counter().count(view.text) == view.tokens <= 300
        assert terminal.run(f"show {view.handle} | grep -c INFO").stdout == "3000\n"
        assert terminal.run(f"show {view.handle} | grep -n 02222").stdout == "2223:02222 INFO request served\n"
    with TerminalTool(repo, archive=Archive(tmp_path / "archive")) as later:  # another process, another day
        assert later.run(f"show {view.handle} | wc -l").stdout == "3001\n"


def test_a_handle_nobody_gave_out_is_said(terminal: TerminalTool) -> None:
    result = terminal.run("show 0123456789abcdef | wc -l")
    assert (result.stdout, "nothing is kept" in result.stderr) == ("0\n", True)
    assert terminal.run("show ../../etc/passwd").exit_code == 1


def test_the_same_again_is_said_in_a_line(repo: Path) -> None:
    fill(repo)
    with TerminalTool(repo, max_tokens=300) as terminal:
        first = terminal.view(terminal.run("cat app.log"), turn=3)
        again = terminal.view(terminal.run("cat app.log"), turn=5)
        assert (first.unchanged_since, again.unchanged_since) == (None, 3)
        assert "unchanged since turn 3" in again.text
        assert terminal.run(f"show {again.handle} | wc -l").stdout == "3001\n"
        assert terminal.view(terminal.run("cat app.log | head -300"), turn=5).unchanged_since is None
        (repo / "app.log").write_text("new\n" * 3000)
        changed = terminal.view(terminal.run("cat app.log"), turn=6)
        assert changed.unchanged_since is None
        terminal.forget_views()
        assert terminal.view(terminal.run("cat app.log"), turn=7).unchanged_since is None


def test_a_line_of_megabytes_is_shown_in_part(repo: Path) -> None:
    (repo / "min.js").write_text("x=1;" * 48_750)  # 195,000 characters
    with TerminalTool(repo, max_tokens=1500) as terminal:
        view = terminal.view(terminal.run("cat min.js"), turn=1)
        assert view.tokens <= 1500
        assert "193000 characters" in view.text
        assert len(terminal.run(f"show {view.handle}").stdout) >= 195_000


def test_binary_is_named_not_shown(repo: Path) -> None:
    (repo / "image").write_bytes(bytes(range(256)) * 40)
    with TerminalTool(repo) as terminal:
        view = terminal.view(terminal.run("cat image"), turn=1)
    assert "binary output, 10240 bytes" in view.text


def test_refusals_and_silence_have_words(terminal: TerminalTool) -> None:
    assert "refused" in terminal.view(terminal.run("rm x"), turn=1).text
    assert terminal.view(terminal.run("true"), turn=1).text == "[no output]"


def test_no_view_is_longer_than_its_limit_whatever_is_shown(repo: Path) -> None:
    texts = {
        "base64": "QUJD" * 40_000,
        "chinese": "待办部署" * 20_000,
        "json": '{"a":[1,2,3]},' * 9_000,
        "nl": "\n" * 90_000,
    }
    with TerminalTool(repo, max_tokens=200) as terminal:
        for name, content in texts.items():
            (repo / name).write_text(content, "utf-8")
            view = terminal.view(terminal.run(f"cat {name}"), turn=1)
            assert open_counter().count(view.text) <= 200, name
