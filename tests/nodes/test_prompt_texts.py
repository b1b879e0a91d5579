"""The standing texts: short, in both languages, and without what would break a shared prefix."""

import re
from importlib.resources import files

import pytest
from maintainer.tools.tokens import open_counter

TEXTS = {
    path.name: path.read_text("utf-8")
    for path in files("maintainer.nodes.prompts").iterdir()
    if path.name.endswith(".md")
}
ENGLISH = sorted(name for name in TEXTS if not name.endswith(".zh.md"))
STANDING = ["role.md", "maintainer.md"]
MOST_TOKENS = 260
"""Of one text: what a model must know for a section, and nothing besides."""


@pytest.mark.parametrize("name", ENGLISH)
def test_every_text_is_short_and_has_its_chinese_twin(name: str) -> None:
    twin = name.replace(".md", ".zh.md")
    counter = open_counter()
    for each in (name, twin):
        assert 0 < counter.count(TEXTS[each]) <= MOST_TOKENS, each
    assert re.search(r"[一-鿿]", TEXTS[twin])
    assert not re.search(r"[一-鿿]", TEXTS[name])


@pytest.mark.parametrize("name", STANDING + [each.replace(".md", ".zh.md") for each in STANDING])
def test_nothing_in_the_prefix_changes_from_call_to_call(name: str) -> None:
    assert not re.search(r"\{\w*\}|\b(explore|analyze|plan mode)\b|\d{4}-\d{2}-\d{2}", TEXTS[name])


def test_every_text_is_used() -> None:
    source = "\n".join(
        path.read_text("utf-8")
        for folder in ("maintainer.nodes", "maintainer.nodes.prompts", "maintainer.graph", "maintainer.state")
        for path in files(folder).iterdir()
        if path.name.endswith(".py")
    )
    unused = [name for name in ENGLISH if f'"{name.removesuffix(".md")}"' not in source]
    assert unused == []


def test_no_rule_is_said_twice() -> None:
    for language in (".md", ".zh.md"):
        lines = [
            line.strip("-* ").casefold()
            for name, text in TEXTS.items()
            if name.endswith(language) and (language == ".zh.md") == name.endswith(".zh.md")
            for line in text.splitlines()
            if len(line) > 20
        ]
        assert len(lines) == len(set(lines))
