import pytest
from hypothesis import given
from hypothesis import strategies as st
from maintainer.tools.code_index.chunks import CUT_AT, MAX_LINES, Chunk, cut_code, cut_text
from maintainer.tools.code_index.parse import Definition, parse


def cut(source: str) -> list[tuple[int, int, str, str]]:
    lines = source.split("\n")
    definitions = parse(source.encode(), "python").definitions
    return [(chunk.start, chunk.end, chunk.kind, chunk.name) for chunk in cut_code(lines, definitions)]


def test_functions_small_classes_and_the_rest_of_the_module() -> None:
    source = "import a\n\n\n@d\ndef f():\n    return 1\n\n\nX = 1\n\n\nclass A:\n    def g(self):\n        pass\n"
    assert cut(source) == [
        (1, 1, "module", ""),
        (4, 6, "function", "f"),
        (9, 9, "module", ""),
        (12, 14, "class", "A"),
    ]


def test_a_large_class_gives_its_head_and_its_members() -> None:
    members = "".join(f"    def m{i}(self):\n        return {i}\n\n" for i in range(12))
    pieces = cut(f'class A:\n    """Doc."""\n    x = 1\n\n{members}')
    assert pieces[0] == (1, 3, "head", "A")
    assert pieces[1] == (5, 6, "function", "A.m0")
    assert len(pieces) == 13


def test_a_long_function_is_cut() -> None:
    source = "def f():\n" + "    x = 1\n" * 200
    assert [(start, end) for start, end, *_ in cut(source.rstrip())] == [(1, 80), (81, 160), (161, 201)]


@given(st.lists(st.sampled_from(["def f():", "  x = 1", "class A:", "", "  def g(self): pass", "y = 2"]), max_size=300))
def test_every_line_that_is_not_blank_stands_in_exactly_one_piece(lines: list[str]) -> None:
    definitions = parse("\n".join(lines).encode(), "python").definitions
    covered = [line for chunk in cut_code(lines, definitions) for line in range(chunk.start, chunk.end + 1)]
    assert len(covered) == len(set(covered))
    assert {number for number, line in enumerate(lines, 1) if line.strip()} <= set(covered)
    assert all(chunk.end - chunk.start < MAX_LINES + CUT_AT for chunk in cut_code(lines, definitions))


def test_text_is_cut_at_headings_and_blank_lines() -> None:
    lines = ["# One", "", "text", "", "# Two", "", *["more"] * 50, "", "end"]
    assert [(chunk.start, chunk.end) for chunk in cut_text(lines)] == [(1, 3), (5, 56), (58, 58)]


@pytest.mark.parametrize("lines", [[], [""], ["", "  ", ""]])
def test_nothing_gives_no_pieces(lines: list[str]) -> None:
    assert cut_text(lines) == []
    assert cut_code(lines, ()) == []


def test_definitions_that_overlap_are_cut_once() -> None:
    one = Definition("f", "function", 1, 1, 5, 5, "")
    other = Definition("g", "function", 3, 3, 8, 8, "")
    assert cut_code(["x"] * 8, [one, other]) == [Chunk(1, 5, "function", "f"), Chunk(6, 8, "function", "g")]
