"""What belongs to a repository and what does not."""

import os
import subprocess
from pathlib import Path

import pytest
from maintainer.tools.tree import walk


def make(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("x\n")


def found(root: Path) -> list[str]:
    return [file.path for file in walk(root).files]


def test_lists_files_in_order_with_sizes(tmp_path: Path) -> None:
    make(tmp_path, "b.py", "a/c.py", "a b/文件.md")
    tree = walk(tmp_path)
    assert [(file.path, file.size, file.suffix) for file in tree.files] == [
        ("a b/文件.md", 2, ".md"),
        ("a/c.py", 2, ".py"),
        ("b.py", 2, ".py"),
    ]
    assert (tree.complete, tree.unreadable) == (True, [])


def test_leaves_out_what_belongs_to_tools(tmp_path: Path) -> None:
    make(tmp_path, "a.py", ".git/HEAD", ".maintainer/notes/n.md", "node_modules/x.js", "web/node_modules/y.js")
    make(tmp_path, ".venv/a.py", "env39/pyvenv.cfg", "env39/lib/a.py", "__pycache__/a.pyc")
    assert found(tmp_path) == ["a.py"]


@pytest.mark.parametrize(
    ("rules", "kept"),
    [
        ({".gitignore": "*.log\nbuild/\n"}, ["a.py", "sub/build.py"]),
        ({".gitignore": "*.log\n!keep.log\n/build\n"}, ["a.py", "keep.log", "sub/build.py", "sub/build/x"]),
        (
            {".gitignore": "*.log\n", "sub/.gitignore": "!z.log\n"},
            ["a.py", "build/x", "sub/build.py", "sub/build/x", "sub/z.log"],
        ),
        ({"sub/.gitignore": "/build/\n"}, ["a.py", "build/x", "keep.log", "sub/build.py", "sub/z.log"]),
        ({".gitignore": "[z-a]\n!\n*.log\n"}, ["a.py", "build/x", "sub/build.py", "sub/build/x"]),
    ],
)
def test_ignore_rules_are_gits(rules: dict[str, str], kept: list[str], tmp_path: Path) -> None:
    make(tmp_path, "a.py", "build/x", "keep.log", "sub/build/x", "sub/build.py", "sub/z.log")
    for path, text in rules.items():
        (tmp_path / path).write_text(text)
    assert [path for path in found(tmp_path) if not path.endswith(".gitignore")] == kept


def test_links_and_special_files_are_not_followed(tmp_path: Path) -> None:
    make(tmp_path, "repo/a.py", "outside/secret.py")
    (tmp_path / "repo" / "loop").symlink_to(tmp_path / "repo")
    (tmp_path / "repo" / "out").symlink_to(tmp_path / "outside")
    (tmp_path / "repo" / "link.py").symlink_to(tmp_path / "outside" / "secret.py")
    os.mkfifo(tmp_path / "repo" / "pipe")
    assert found(tmp_path / "repo") == ["a.py"]


def test_odd_names_survive(tmp_path: Path) -> None:
    names = ["new\nline.py", os.fsdecode(b"latin-\xe9.py"), "-rf", "spaced name"]
    make(tmp_path, *names)
    assert sorted(found(tmp_path)) == sorted(names)


def test_a_very_deep_folder_is_no_error(tmp_path: Path) -> None:
    here = os.open(tmp_path, os.O_RDONLY)
    try:
        for _ in range(1200):  # deeper than Python's recursion limit
            os.mkdir("d", dir_fd=here)
            deeper = os.open("d", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = deeper
        os.close(os.open("a.py", os.O_CREAT | os.O_WRONLY, dir_fd=here))
        os.close(here)
        assert found(tmp_path) == ["d/" * 1200 + "a.py"]
    finally:
        subprocess.run(["rm", "-rf", str(tmp_path / "d")], check=True)  # pytest's own clean-up recurses in Python


def test_stops_at_a_limit_and_says_so(tmp_path: Path) -> None:
    make(tmp_path, *(f"{number}.py" for number in range(5)))
    tree = walk(tmp_path, most_files=3)
    assert (len(tree.files), tree.complete) == (3, False)


def test_rules_that_are_a_pipe_or_a_device_do_not_hold_the_walk_up(tmp_path: Path) -> None:
    make(tmp_path, "a.py", "b/c.py")
    os.mkfifo(tmp_path / ".gitignore")
    (tmp_path / "b" / ".gitignore").symlink_to("/dev/zero")
    assert {"a.py", "b/c.py"} <= {*found(tmp_path)}
