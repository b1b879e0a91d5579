"""Nobody's examples: lines, words, options and awk programs made up by the machine.

The normal suite tries a few of each; `make security` tries thousands.
"""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from maintainer.state.errors import CommandRefused
from maintainer.tools.terminal import TerminalTool
from maintainer.tools.terminal.expand import Expander
from maintainer.tools.terminal.policy.awk import check_awk
from maintainer.tools.terminal.policy.options import table
from maintainer.tools.terminal.policy.programs import PROGRAMS
from maintainer.tools.terminal.sandbox.level import best_level
from maintainer.tools.terminal.syntax import parse
from maintainer.tools.terminal.workspace import Workspace

RELAXED = settings(deadline=None, suppress_health_check=list(HealthCheck), database=None)
FEW, MANY = settings(RELAXED, max_examples=60), settings(RELAXED, max_examples=3000)

SHELL = st.text(st.sampled_from("ab.-/*?[]!^{},'\"\\ $`();|&<>#~=1\n\t中"), max_size=24)
LINES = SHELL | st.text(max_size=40) | st.lists(SHELL, max_size=6).map(" ".join)
WORDS = st.text(st.sampled_from("ab.-*?[]!^{},'\"\\ ~=1中"), max_size=14)
BASH = {"PATH": "/nonexistent", "LC_ALL": "C.UTF-8", "HOME": "/nonexistent"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("words")
    for name in ("a", "b", "ab", "a.b", "-a", "1", "中", "aa/b", "aa/a1", "a-", ".a", "b b", "[a]", "{a,b}"):
        (root / name).parent.mkdir(exist_ok=True)
        if not (root / name).exists():
            (root / name).touch()
    return root


def no_line_breaks_the_parser(line: str) -> None:
    with contextlib.suppress(CommandRefused):
        for pipeline in parse(line):
            assert pipeline.stages
            assert all(stage.words for stage in pipeline.stages)


def an_accepted_line_means_what_bash_means(folder: Path, text: str) -> None:
    try:
        pipelines = parse(f"p {text}")
        if len(pipelines) != 1 or len(pipelines[0].stages) != 1 or pipelines[0].stages[0].stdin:
            return
        expander = Expander(Workspace(folder), str(folder))
        ours = [each for word in pipelines[0].stages[0].words[1:] for each in expander.arguments(word)]
    except CommandRefused:
        return
    script = f"p() {{ printf '%s\\0' \"$@\"; }}\np {text}"
    run = subprocess.run(
        ["/bin/bash", "--norc", "--noprofile", "-c", script],
        cwd=folder,
        env=BASH | {"HOME": str(folder)},
        capture_output=True,
    )
    theirs = run.stdout.decode("utf-8", "replace").split("\0")[:-1]
    if not ours:
        theirs = theirs if theirs != [""] else []  # printf prints its format once for no argument
    assert [without_dash(each) for each in ours] == [without_dash(each) for each in theirs], text


def without_dash(word: str) -> str:
    """Return a word as it was before it was kept from looking like an option."""
    return word[2:] if word.startswith("./-") else word


@FEW
@given(LINES)
def test_a_few_lines_do_not_break_the_parser(line: str) -> None:
    no_line_breaks_the_parser(line)


@pytest.mark.security
@MANY
@given(LINES)
def test_no_line_breaks_the_parser(line: str) -> None:
    no_line_breaks_the_parser(line)


@FEW
@given(text=st.lists(WORDS, max_size=3).map(" ".join))
def test_a_few_accepted_lines_mean_what_bash_means(folder: Path, text: str) -> None:
    an_accepted_line_means_what_bash_means(folder, text)


@pytest.mark.security
@MANY
@given(text=st.lists(WORDS, max_size=3).map(" ".join))
def test_every_accepted_line_means_what_bash_means(folder: Path, text: str) -> None:
    an_accepted_line_means_what_bash_means(folder, text)


WORDS_OF_AWK = """
    print printf $1 x 1 2 / /a/ /[/]/ > >> | "new" "x" ( ) [1] { } ; # \\ ++ -- = , ~ ! ? : && || BEGIN END system
    system("touch_new") getline a[1] close("x") if else while(0) in return " ' function f(a) f(1) - + * % ^ < @
    ENVIRON length
"""
PIECES = st.sampled_from([each.replace("_", " ") for each in WORDS_OF_AWK.split()] + ["/ ", "\n", "# /\n", "\\\n"])
PROGRAM = st.lists(PIECES, min_size=1, max_size=14)
SCRIPTS = PROGRAM.map("".join) | PROGRAM.map(" ".join)


def an_accepted_awk_program_writes_and_starts_nothing(script: str, place: Path) -> None:
    """Without any sandbox: the check alone has to hold."""
    try:
        check_awk(f"BEGIN{{{script}}}")
        check_awk(script)
    except CommandRefused:
        return
    for program in (script, f"BEGIN{{{script}}}"):
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(
                ["awk", "--", program, "in"], cwd=place, capture_output=True, stdin=subprocess.DEVNULL, timeout=2
            )
        assert sorted(os.listdir(place)) == ["in"], program


@pytest.fixture(scope="module")
def awk_place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("awk")
    (place / "in").write_text("new x 1\na/b\n")
    return place


@FEW
@given(script=SCRIPTS)
def test_a_few_accepted_awk_programs_write_nothing(script: str, awk_place: Path) -> None:
    an_accepted_awk_program_writes_and_starts_nothing(script, awk_place)


@pytest.mark.security
@MANY
@given(script=SCRIPTS)
def test_no_accepted_awk_program_writes_or_starts_anything(script: str, awk_place: Path) -> None:
    an_accepted_awk_program_writes_and_starts_nothing(script, awk_place)


OPTIONS = sorted({name for program in PROGRAMS.values() for name in table(program.options)})
BAD = ["-o", "-i", "-f", "-F", "-exec", "-L", "--output=new", "--pre=id", "-delete", "-T", "-m", "-X", "-C", "--follow"]
OPERANDS = [
    "README.md",
    "../outside/secret.txt",
    "link",
    "folder",
    "pipe",
    ".",
    "..",
    "-",
    "--",
    "*",
    "x",
    "new",
    "1",
    "''",
]
NAMES = sorted([*PROGRAMS, "find", "git", "sed", "awk"])
VERBS = [
    "",
    "log",
    "diff",
    "show",
    "status",
    "grep",
    "branch",
    "tag",
    "stash",
    "config",
    "ls-files",
    "blame",
    "cat-file",
]
COMMANDS = st.tuples(
    st.sampled_from(NAMES),
    st.sampled_from(VERBS),
    st.lists(st.sampled_from(OPTIONS) | st.sampled_from(BAD) | st.sampled_from(OPERANDS), max_size=5),
)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, template: Path) -> Path:
    root = tmp_path_factory.mktemp("world")
    shutil.copytree(template, root / "shop", symlinks=True)
    (root / "outside").mkdir()
    (root / "outside" / "secret.txt").write_text("sesame-4711\n")
    (root / "shop" / "link").symlink_to("../outside/secret.txt")
    (root / "shop" / "folder").symlink_to("../outside")
    os.mkfifo(root / "shop" / "pipe")
    return root


def picture(root: Path) -> list[tuple[str, int, int, int]]:
    found = [(path, path.lstat()) for path in sorted(root.rglob("*"))]
    return [(str(path), at.st_mode, at.st_size, at.st_mtime_ns) for path, at in found]


def a_made_up_command_does_no_harm(world: Path, command: tuple[str, str, Sequence[str]]) -> None:
    name, verb, words = command
    line = " ".join([name, *([verb] if name == "git" else []), *words])
    before = picture(world)
    with TerminalTool(world / "shop", timeout=3, max_output_size=1 << 16) as terminal:
        result = terminal.run(line)
    assert "sesame-4711" not in result.output, line
    assert picture(world) == before, line
    assert result.refused or result.exit_code not in (122, 123), result.output


needs_kernel = pytest.mark.skipif(not best_level().full, reason="this kernel has no Landlock or no seccomp")


@needs_kernel
@settings(RELAXED, max_examples=25)
@given(command=COMMANDS)
def test_a_few_made_up_commands_do_no_harm(world: Path, command: tuple[str, str, Sequence[str]]) -> None:
    a_made_up_command_does_no_harm(world, command)


@needs_kernel
@pytest.mark.security
@settings(RELAXED, max_examples=1500)
@given(command=COMMANDS)
def test_no_made_up_command_does_harm(world: Path, command: tuple[str, str, Sequence[str]]) -> None:
    a_made_up_command_does_no_harm(world, command)
