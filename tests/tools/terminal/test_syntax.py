"""What a line means is what bash means by it, or it is refused by name."""

import pytest
from maintainer.state.errors import CommandRefused
from maintainer.tools.terminal.syntax import LONGEST_LINE, MOST_PIPELINES, MOST_STAGES, parse


def words(line: str) -> list[list[list[str]]]:
    return [[[word.text for word in stage.words] for stage in pipeline.stages] for pipeline in parse(line)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ls -la src", [[["ls", "-la", "src"]]]),
        ("  ls\tsrc  ", [[["ls", "src"]]]),
        ("a | b|c", [[["a"], ["b"], ["c"]]]),
        ("a; b\nc", [[["a"]], [["b"]], [["c"]]]),
        ("a && b || c", [[["a"]], [["b"]], [["c"]]]),
        ("a |\n b", [[["a"], ["b"]]]),
        ("a &&\n\n b;", [[["a"]], [["b"]]]),
        ("echo 'a  b' \"c 'd'\" e\\ f", [[["echo", "a  b", "c 'd'", "e f"]]]),
        ("echo a'b'\"c\"d", [[["echo", "abcd"]]]),
        ("echo '' \"\"", [[["echo", "", ""]]]),
        (r'echo "a\"b\\c\d\$e"', [[["echo", r'a"b\c\d$e']]]),
        ("echo a\\\nb", [[["echo", "ab"]]]),
        ("echo 'a\nb'", [[["echo", "a\nb"]]]),
        ("grep 'a$' x", [[["grep", "a$", "x"]]]),
        ('grep "a$" x$', [[["grep", "a$", "x$"]]]),
        ("ls # a comment ; rm x", [[["ls"]]]),
        ("ls a#b", [[["ls", "a#b"]]]),
        ("# only\nls", [[["ls"]]]),
        ("echo 2 >/dev/null", [[["echo", "2"]]]),
        ("echo 测试 | wc", [[["echo", "测试"], ["wc"]]]),
    ],
)
def test_a_line_is_read_as_bash_reads_it(line: str, expected: list[list[list[str]]]) -> None:
    assert words(line) == expected


@pytest.mark.parametrize(
    ("line", "streams"),
    [
        ("a 2>/dev/null", ("out", "null")),
        ("a >/dev/null", ("null", "err")),
        ("a &>/dev/null", ("null", "null")),
        ("a 2>&1", ("out", "out")),
        ("a >/dev/null 2>&1", ("null", "null")),
        ("a 2>&1 >/dev/null", ("null", "out")),  # the order counts
        ("a 1>&2", ("err", "err")),
        ("a >>/dev/null", ("null", "err")),
    ],
)
def test_streams_go_where_redirections_send_them(line: str, streams: tuple[str, str]) -> None:
    stage = parse(line)[0].stages[0]
    assert (stage.out, stage.err) == streams


def test_an_input_file_is_a_word_of_its_own() -> None:
    stage = parse("wc -l < 'a b'")[0].stages[0]
    assert stage.stdin is not None
    assert stage.stdin.text == "a b"


@pytest.mark.parametrize(
    ("line", "quoted"),
    [
        ("", "empty"),
        ("ls &", "'&'"),
        ("ls & rm x", "'&'"),
        ("ls |& cat", "'|&'"),
        ("ls > new.txt", "> new.txt"),
        ("ls>new.txt", "> new.txt"),
        ("ls 2> err", "2> err"),
        ("ls >| x", ">| x"),
        ("ls &> x", "&> x"),
        ("> x", "> x"),
        ("ls 3>/dev/null", "3> /dev/null"),
        ("cat <> x", "'<>'"),
        ("cat 3< x", "'3<'"),
        ("cat << EOF\nx\nEOF", "here-documents"),
        ("cat <<< x", "here-"),
        ("cat <(ls)", "'<("),
        ("ls >(cat)", "'>("),
        ("echo $(ls)", "$(…)"),
        ("echo `ls`", "`…`"),
        ('echo "`ls`"', "`…`"),
        ("echo $HOME", "$H"),
        ("echo ${HOME}", "${"),
        ('echo "$HOME"', "$H"),
        ("echo $1 $? $$", "$1"),
        ("echo $'a'", "$'"),
        ('echo $"a"', '$"'),
        ("echo $((1+1))", "$(…)"),
        ("(ls)", "subshells"),
        ("ls()", "subshells"),
        ("{ ls; }", "'{'"),
        ("! ls", "'!'"),
        ("for i in 1; do ls; done", "'for'"),
        ("[[ -f x ]]", "'[['"),
        ("A=1 ls", "A="),
        ("PATH+=x ls", "PATH+="),
        ("a[0]=1 ls", "a[0]="),
        ("./ev*.sh", "'./ev*.sh'"),
        ("{ls,-a}", "'{ls,-a}'"),
        ("ls 'a", "not closed"),
        ('ls "a', "not closed"),
        ("ls \\", "backslash"),
        ("ls |", "missing"),
        ("| ls", "missing"),
        ("ls ;; ls", "missing"),
        ("ls &&", "missing"),
        ("ls\n&& ls", "missing"),
        ("ls\rcat x", "U+000D"),
        ("ls \x00", "U+0000"),
        ("ls \x1b[31m", "U+001B"),
        ("ls \u202ecod", "U+202E"),
        ("ls \u200bx", "U+200B"),
        ("cat 2>&3", "2>&"),
        ("cat >&-", "-"),
        ("x" * (LONGEST_LINE + 1), "longer"),
        ("; ".join(["ls"] * (MOST_PIPELINES + 1)), str(MOST_PIPELINES)),
        ("|".join(["ls"] * (MOST_STAGES + 1)), str(MOST_STAGES)),
    ],
)
def test_everything_else_is_refused_with_the_offending_part(line: str, quoted: str) -> None:
    with pytest.raises(CommandRefused) as refusal:
        parse(line)
    assert quoted in str(refusal.value)


def test_a_limit_ends_in_a_refusal_even_where_the_rest_would_be_refused_anyway() -> None:
    with pytest.raises(CommandRefused):
        parse("; ".join(["true"] * 60 + ["rm -rf x"]))
