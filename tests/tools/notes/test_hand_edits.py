from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from maintainer.state import NoteSource, NoteStatus, NoteType
from maintainer.state.notes import Note
from maintainer.tools.notes import NoteTool, front_matter
from maintainer.tools.notes.markdown import parse, render, rewrite

THEN = datetime(2026, 1, 5, 9, tzinfo=UTC)


def note_of(data: bytes) -> Note:
    return parse(data, stem="plan", modified=THEN).note


def problems_of(data: bytes) -> str:
    return "; ".join(parse(data, stem="plan", modified=THEN).problems)


def test_a_new_file_is_readable_and_diffs_line_by_line() -> None:
    note = Note(
        id="note_1",
        title="订单: 为什么超时?",
        content="连接池耗尽\n\n- 见 app.py",
        type=NoteType.BLOCKER,
        tags=("v1.0", "数据库", "a,b", "yes", "1.10", "C#"),
        created_at=THEN,
        updated_at=THEN,
        links={"depends_on": ["note_2"], "resolves": []},
        sources=(NoteSource(path="app/a b.py", lines="12-40", sha256="12e456", commit=""),),
        extra={"owner": "李雷", "priority": 3, "done": False, "share": 0.5, "more": {"a": [1, None]}},
    )
    assert render(note).decode() == (
        "---\n"
        "id: note_1\n"
        'title: "订单: 为什么超时?"\n'
        "type: blocker\n"
        'tags: [v1.0, 数据库, "a,b", "yes", "1.10", C#]\n'
        "status: open\n"
        "version: 1\n"
        "created_at: 2026-01-05T09:00:00.000Z\n"
        "updated_at: 2026-01-05T09:00:00.000Z\n"
        "links: {depends_on: [note_2]}\n"
        "sources:\n"
        '  - {path: app/a b.py, lines: 12-40, sha256: "12e456"}\n'
        "owner: 李雷\n"
        "priority: 3\n"
        "done: false\n"
        "share: 0.5\n"
        "more: {a: [1, null]}\n"
        "---\n"
        "\n"
        "连接池耗尽\n\n- 见 app.py\n"
    )


@pytest.mark.parametrize(
    ("data", "title", "content"),
    [
        (b"just words\nof mine\n", "just words", "just words\nof mine"),
        ("# 计划\n\n先拆分\n".encode(), "计划", "# 计划\n\n先拆分"),
        (b"", "plan", ""),
        (b"---\ntitle: A\n---\nbody\n", "A", "body"),
        (b"---\ntitle: A\n---\n\nbody", "A", "body"),
        (b"---\ntitle: A\n---\n\n\n  body\n\n\n", "A", "\n  body\n\n"),
        (b"\n\n---\ntitle: A\n---\nbody", "A", "body"),
        (b"\xef\xbb\xbf---\ntitle: A\n---\nbody", "A", "body"),
        (b"\xef\xbb\xbfwords", "words", "words"),
        (b"---\r\ntitle: A\r\n---\r\n\r\none\r\ntwo\r\n", "A", "one\ntwo"),
        (b"---\ntitle: A\n---\nbody\n---\nmore: x\n---\n", "A", "body\n---\nmore: x\n---"),
        (b"---\ntitle: A\n...\nbody", "A", "body"),
        (b"---   \ntitle: A\n---\t\nbody", "A", "body"),
        (b"---\nno front matter, a rule\n---\n", "---", "---\nno front matter, a rule\n---"),
        (b"---\n---\nbody", "body", "body"),
        (b"---\ntitle:\n---\n# Head\n", "Head", "# Head"),
        (b"---\ntitle: Fix: the bug\n---\nbody", "Fix: the bug", "body"),
        (b"---\ntitle: >-\n  folded\n  title\n---\nbody", "folded title", "body"),
        (b"---\ntitle: 'it''s'\n---\nbody", "it's", "body"),
        (b"---\ntitle: 2026\n---\nbody", "2026", "body"),
        (b"---\ntitle: yes\n---\nbody", "yes", "body"),
        (b"---\ntitle: A\nbody: no closing line", "A", "body: no closing line"),
        (b"---\ntitle: A\n\nno closing line", "A", "no closing line"),
    ],
)
def test_what_people_write_is_read_as_meant(data: bytes, title: str, content: str) -> None:
    note = note_of(data)
    assert (note.title, note.content) == (title, content)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("tags: [ui, 数据库]", ("ui", "数据库")),
        ("tags:\n  - ui\n  - 数据库", ("ui", "数据库")),
        ("tags:\n- ui\n- 数据库", ("ui", "数据库")),
        ("tags: ui, 数据库", ("ui", "数据库")),
        ("tags: ui，数据库", ("ui", "数据库")),
        ("tags: ui", ("ui",)),
        ("tags: [1.10, 2026-01-05, no, ui, ui, ' ']", ("1.10", "2026-01-05", "no", "ui")),
        ("tags:", ()),
        ("tags: ~", ()),
        ("tags: []", ()),
    ],
)
def test_tags_in_any_form(line: str, expected: tuple[str, ...]) -> None:
    data = f"---\n{line}\n---\nbody".encode()
    assert note_of(data).tags == expected
    assert problems_of(data) == ""


@pytest.mark.parametrize(
    "written",
    [
        "2026-01-05T09:00:00Z",
        "2026-01-05 09:00",
        "2026-01-05T10:00:00+01:00",
        "2026/1/5 9:00",
        "2026年1月5日 9:00",
        '"20260105T090000"',
    ],
)
def test_times_in_any_form(written: str) -> None:
    assert note_of(f"---\ncreated_at: {written}\n---\n".encode()).created_at == THEN


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"---\ntype: bug\n---\n", "type is 'bug': must be one of task_state"),
        (b"---\nstatus: done\n---\n", "status is 'done'"),
        (b"---\ncreated_at: soon\n---\n", "created_at is 'soon'"),
        (b"---\nversion: new\n---\n", "version is 'new'"),
        (b"---\ntitle: [a]\n---\n", "title is ['a']: must be text"),
        (b"---\ntags: {a: b}\n---\n", "tags is"),
        (b"---\nlinks: x\n---\n", "links is"),
        (b"---\nlinks: {resolves: [[a]], blocks: [b]}\n---\n", "links is 'blocks'"),
        (b"---\nsources: [{lines: 3}]\n---\n", "sources holds"),
        (b"---\nid: ../../etc/passwd\n---\n", "id is '../../etc/passwd'"),
        (b"---\ntitle: a\ntitle: b\n---\n", "title stands there twice"),
        (b"---\ntitle: 'open\n---\n", "not valid YAML"),
        (b"---\na: &a [x, x]\nb: [*a, *a]\n---\n", "aliases are not supported"),
        (b"---\na: !!python/object/apply:os.system [ls]\n---\n", "could not determine a constructor"),
        (b"---\ntitle: a\n\nbody", "not closed"),
        (b"---\ntitle: a\n---\nb\xffd", "1 byte is not UTF-8"),
        (b"---\n<<<<<<< HEAD\ntitle: a\n=======\ntitle: b\n>>>>>>> other\n---\n", "a merge conflict is not resolved"),
        (b"---\na: " + b"[" * 10_000 + b"\n---\n", "not valid YAML"),
    ],
)
def test_what_is_broken_is_reported_and_the_rest_is_read(data: bytes, words: str) -> None:
    assert words in problems_of(data)
    note = note_of(data)
    assert note.title
    assert note.id == "plan"


def test_a_bad_byte_is_shown_as_such_and_survives_an_update(tool: NoteTool, folder: Path) -> None:
    note = tool.create("t", "c")
    path = folder / f"{note.id}.md"
    path.write_bytes(path.read_bytes() + b"caf\xe9 \xff\n")
    assert tool.read(note.id).content == "c\ncaf\ufffd \ufffd"
    tool.update(note.id, title="new")
    assert path.read_bytes().endswith(b"caf\xe9 \xff\n")


MESSY = b"""\xef\xbb\xbf---\r
# written by hand\r
id: plan\r
title:   'Old'    # a comment\r
"my key": {a: 1,  b: [x,y]}\r
tags:\r
    - ui\r
    - 1.10\r
when: 2026-01-05\r
# about the end\r
---\r
\r
\r
  body  \r
last line without end"""


def test_an_update_keeps_every_byte_it_does_not_change(folder: Path, open_tool: Callable[[], NoteTool]) -> None:
    folder.mkdir()
    (folder / "plan.md").write_bytes(MESSY)
    tool = open_tool()
    assert tool.read("plan").extra == {"my key": {"a": 1, "b": ["x", "y"]}, "when": "2026-01-05"}
    tool.update("plan", title="New: it", tags=["ui", "db"])
    changed = (folder / "plan.md").read_bytes()
    assert changed == (
        MESSY.replace(b"title:   'Old'    # a comment\r\n", b'title: "New: it"\r\n')
        .replace(b"tags:\r\n    - ui\r\n    - 1.10\r\n", b"tags: [ui, db]\r\n")
        .replace(b"# about the end\r\n", b"# about the end\r\nversion: 2\r\nupdated_at: 2026-01-05T09:00:00.000Z\r\n")
    )
    tool.update("plan", content="new\nbody")
    assert (folder / "plan.md").read_bytes().endswith(b"---\r\n\r\nnew\r\nbody\r\n")


def test_words_alone_get_front_matter_above_them_when_they_are_updated(
    folder: Path, open_tool: Callable[[], NoteTool]
) -> None:
    folder.mkdir()
    (folder / "重构计划.md").write_text("先拆分\n再测试\n", "utf-8")
    tool = open_tool()
    assert tool.read("重构计划").title == "先拆分"
    tool.update("重构计划", status="in_progress")
    text = (folder / "重构计划.md").read_text("utf-8")
    assert text.startswith(
        "---\nid: 重构计划\ntitle: 先拆分\ntype: general\ntags: []\nstatus: in_progress\nversion: 2\n"
    )
    assert text.endswith("---\n\n先拆分\n再测试\n")
    assert tool.read("重构计划").status is NoteStatus.IN_PROGRESS


def test_unknown_keys_survive_and_may_be_changed(tool: NoteTool) -> None:
    note = tool.create("t", "c", extra={"owner": "Li", "effort": 3})
    assert tool.update(note.id, title="u").extra == {"owner": "Li", "effort": 3}
    assert tool.update(note.id, extra={"owner": "Wu"}).extra == {"owner": "Wu"}
    assert tool.read(note.id).extra == {"owner": "Wu"}


ODD = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@settings(max_examples=150, deadline=None)
@given(title=ODD, tags=st.lists(ODD, max_size=3), content=ODD, key=ODD, value=ODD | st.integers() | st.booleans())
@example("-", ["?", "a: b"], "---\n", "null", "yes")
def test_whatever_is_written_is_read_back(
    title: str, tags: list[str], content: str, key: str, value: str | int | bool
) -> None:
    title = " ".join(title.split()) or "t"
    words = tuple(dict.fromkeys(" ".join(tag.split()) for tag in tags if tag.strip()))
    extra: dict[str, object] = (
        {} if key in parse(b"", stem="x", modified=THEN).note.__dict__ or key == "" else {key: value}
    )
    if isinstance(value, int) and abs(value) >= 10**18:
        extra = {}
    note = Note(id="n", title=title, content=content, tags=words, created_at=THEN, updated_at=THEN, extra=extra)
    data = render(note)
    read = parse(data, stem="n", modified=THEN)
    assert read.note == note
    assert rewrite(data, note, ["title", "tags", "content", *extra]) == data


@settings(max_examples=150, deadline=None)
@given(
    st.binary(max_size=60)
    | st.text("-\n :#[]{}'\"ab,\r&*!|>", max_size=40).map(lambda text: f"---\n{text}\n---\n".encode())
)
def test_any_bytes_are_a_note_and_keep_what_is_not_changed(data: bytes) -> None:
    parsed = parse(data, stem="n", modified=THEN)
    parsed.note.content.encode()
    if data.startswith(b"---\n") and front_matter.read(data.decode("utf-8", "replace")).written:
        assert rewrite(data, parsed.note, []) == data


LINE = st.tuples(
    st.sampled_from(["title", "tags", "a_1", "true", "no"]),
    st.text("ab1 .,:[]-_#/()T\u8ba2\u662f\uff0c\u3002\uff1a'\"~?&*!|>%@+\n\r\tZ0", max_size=10)
    | st.text("a \"\\'订,:#\t\u00a0\ufeff[]{}", max_size=6).map(lambda text: f'"{text}"')
    | st.sampled_from(
        ["true", "null", "1", "01", "1.5", "2026-01-05T09:00:00.000Z", "[a, b]", "[a,b]", "[1, a]", "yes", "a true"]
    ),
).map(lambda pair: f"{pair[0]}: {pair[1]}\n")


@settings(max_examples=300, deadline=None)
@given(st.lists(LINE, min_size=1, max_size=3).map("".join))
def test_the_quick_way_to_read_plain_lines_reads_what_yaml_reads(block: str) -> None:
    quick = front_matter._read_simple(block)
    if quick is not None:
        assert quick == front_matter._read_mapping(block)
