"""Braces, `~` and globs stand for what bash makes of them, inside the workspace only."""

import os
from pathlib import Path

import pytest
from maintainer.state.errors import CommandRefused
from maintainer.tools.terminal.expand import Expander
from maintainer.tools.terminal.syntax import parse
from maintainer.tools.terminal.workspace import Workspace


def expand(repo: Path, text: str, cwd: str = "") -> list[str]:
    expander = Expander(Workspace(repo), str(repo / cwd))
    return [argument for word in parse(f"x {text}")[0].stages[0].words[1:] for argument in expander.arguments(word)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*.md", ["README.md"]),
        ("src/*.py", ["src/app.py", "src/util.py"]),
        ("*/", ["docs/", "my docs/", "src/", "中文/"]),
        ("d*/*.md", ["docs/guide.md"]),
        ("src/[au]pp.py", ["src/app.py"]),
        ("src/[!a]*.py", ["src/util.py"]),
        ("src/a??.p?", ["src/app.py"]),
        ("src/[[:alpha:]]pp.py", ["src/app.py"]),
        ("nothing*", ["nothing*"]),
        ("'*.md'", ["*.md"]),
        ("\\*.md", ["*.md"]),
        ("'src'/*.py", ["src/app.py", "src/util.py"]),
        ("src/../*.md", ["src/../README.md"]),
        ("[.][.]/*", ["[.][.]/*"]),
        ("{a,b}c", ["ac", "bc"]),
        ("{a,{b,c}}", ["a", "b", "c"]),
        ("x{1,2}{3,4}", ["x13", "x14", "x23", "x24"]),
        ("{a}", ["{a}"]),
        ("{}", ["{}"]),
        ("a{b", ["a{b"]),
        ("'{a,b}'", ["{a,b}"]),
        ("HEAD@{1}", ["HEAD@{1}"]),
        ("*.{md,csv}", ["README.md", "data.csv"]),
        ("中*/*", ["中文/说明.md"]),
        ("a~b '~'", ["a~b", "~"]),
    ],
)
def test_a_word_stands_for_what_bash_makes_of_it(repo: Path, text: str, expected: list[str]) -> None:
    assert expand(repo, text) == expected


def test_hidden_names_need_a_dot_in_the_pattern(repo: Path) -> None:
    (repo / ".hidden").touch()
    assert ".hidden" not in expand(repo, "*")
    assert expand(repo, ".h*") == [".hidden"]
    assert ".." not in expand(repo, ".*")


def test_home_is_the_workspace(repo: Path) -> None:
    assert expand(repo, "~ ~/src", "src") == [str(repo), f"{repo}/src"]


def test_a_file_can_not_become_an_option(repo: Path) -> None:
    (repo / "-rf").touch()
    assert expand(repo, "*rf") == ["./-rf"]


@pytest.mark.parametrize("target", ["../outside/secret.txt", "../outside", "/etc/passwd", "/proc/self/environ"])
def test_names_that_lead_outside_are_passed_over(repo: Path, target: str) -> None:
    (repo / "zlink").symlink_to(target)
    workspace = Workspace(repo)
    expander = Expander(workspace, str(repo))
    words = parse("x z*")[0].stages[0].words
    assert expander.arguments(words[1]) == ["z*"]
    assert expander.passed_over == ["zlink"]
    assert expand(repo, "zlink/*") == ["zlink/*"]


def test_names_that_are_no_files_are_passed_over(repo: Path) -> None:
    os.mkfifo(repo / "zpipe")
    assert expand(repo, "z*") == ["z*"]


def test_outside_is_not_even_listed(repo: Path) -> None:
    assert expand(repo, "../* ../outside/* /*") == ["../*", "../outside/*", "/*"]


@pytest.mark.parametrize(
    "text",
    [
        "{1..9999999}",
        "{a..z}",
        "a{1..3..2}",
        "{a,b}" * 7,
        "{a," * 12 + "b" + "}" * 12,
        "~root/x",
        "{,}",
        "{a,b",
        "1{},}",
    ],
)
def test_what_stands_for_too_much_or_for_nothing_plain_is_refused(repo: Path, text: str) -> None:
    with pytest.raises(CommandRefused):
        expand(repo, text)


def test_matching_takes_no_longer_for_a_hostile_pattern(repo: Path) -> None:
    (repo / ("a" * 200)).touch()
    pattern = "*a" * 60 + "b"
    assert expand(repo, pattern) == [pattern]


def test_a_glob_has_a_largest_result(repo: Path) -> None:
    (repo / "many").mkdir()
    for number in range(4200):
        (repo / "many" / f"f{number}").touch()
    with pytest.raises(CommandRefused, match="4096"):
        expand(repo, "many/*")
