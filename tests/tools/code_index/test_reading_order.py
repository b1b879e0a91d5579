from maintainer.tools.code_index.keeper import reading_order
from maintainer.tools.code_index.question import understand


def test_what_the_question_names_is_read_first_and_sources_before_the_rest() -> None:
    paths = ["apps/registry.py", "docs/urls.txt", "tests/test_urls.py", "urls/resolvers.py", "zebra.py"]
    wanted = understand("Where is the URL resolver?").words()
    assert sorted(paths, key=lambda path: reading_order(path, wanted)) == [
        "urls/resolvers.py",
        "docs/urls.txt",
        "tests/test_urls.py",
        "apps/registry.py",
        "zebra.py",
    ]


def test_without_a_question_sources_come_first() -> None:
    assert sorted(["README.md", "b.py", "a.py"], key=lambda path: reading_order(path, {})) == [
        "a.py",
        "b.py",
        "README.md",
    ]
