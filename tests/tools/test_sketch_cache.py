import os
from pathlib import Path

from maintainer.tools.repository_map import RepositoryMap, sketch
from maintainer.tools.sketch_cache import SketchCache


def make(repo: Path) -> Path:
    repo.mkdir()
    (repo / "app.py").write_text("import shop\n\nif __name__ == '__main__':\n    shop.run()\n")
    (repo / "shop.py").write_text("from json import dumps as d\n\n\ndef run():\n    return d({})\n")
    (repo / "README.md").write_text("A shop\n")
    return repo


def test_a_second_look_reads_nothing_again_and_sees_the_same(tmp_path: Path) -> None:
    repo = make(tmp_path / "repo")
    first = look(repo, tmp_path / "cache.sqlite")
    for name in ("app.py", "shop.py"):
        stamp = (repo / name).stat()
        (repo / name).write_bytes(b"#" * stamp.st_size)  # what is on disk is not looked at: size and time are the same
        os.utime(repo / name, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert look(repo, tmp_path / "cache.sqlite") == first
    assert [edge.target for edge in first.edges] == ["shop.py"]


def test_an_edit_is_seen(tmp_path: Path) -> None:
    repo = make(tmp_path / "repo")
    look(repo, tmp_path / "cache.sqlite")
    (repo / "app.py").write_text("print('alone')\n")
    assert look(repo, tmp_path / "cache.sqlite").edges == ()


def test_a_damaged_cache_is_made_anew(tmp_path: Path) -> None:
    repo = make(tmp_path / "repo")
    first = look(repo, None)
    (tmp_path / "cache.sqlite").write_bytes(b"no database" * 100)
    assert look(repo, tmp_path / "cache.sqlite") == first


def look(repo: Path, path: Path | None) -> RepositoryMap:
    cache = SketchCache(path)
    try:
        return sketch(repo, cache)
    finally:
        cache.close()
