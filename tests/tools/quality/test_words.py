"""Every finding can be told in both languages."""

from typing import get_args

import pytest
from maintainer.state.report import KINDS, SEVERITIES, Finding, Kind, Place
from maintainer.tools.quality import words
from maintainer.tools.quality.reading.ruff_rules import BUGS, SECURITY
from maintainer.tools.repository_kind import RepositoryKind


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_kind_has_a_title_a_sentence_and_an_action(kind: Kind, language: words.Language) -> None:
    finding = Finding(
        kind=kind, place=Place(path="a.py", line=3), severity="low", why="todo", confidence=1.0, symbol="f"
    )
    told = words.line(finding, language)
    assert "a.py:3" in told
    assert words.title(finding, language) in told
    assert "{" not in told + words.action(finding, language)
    if language == "zh":
        assert not words.title(finding, language).isascii()


def test_reasons_severities_and_kinds_of_repositories_have_both_languages() -> None:
    assert all(english and chinese and not chinese.isascii() for english, chinese in words.table("reason").values())
    assert set(words.table("severity")) == set(SEVERITIES)
    assert set(words.table("repository")) == set(get_args(RepositoryKind))
    assert {why for _, _, why in SECURITY.values()} <= set(words.table("reason"))


def test_every_rule_of_the_linter_is_explained_in_both_languages() -> None:
    for rule in {*BUGS, *SECURITY} - {"PLE"}:
        english, chinese = words.table("rule")[rule]
        assert english
        assert not chinese.isascii()


def test_names_in_a_sentence_are_never_read_as_a_template() -> None:
    place = Place(path="{0}.py")
    finding = Finding(
        kind="todo",
        rule="TODO",
        place=place,
        severity="low",
        why="todo",
        confidence=1.0,
        facts={"text": "{symbol} {x!r}"},
    )
    assert words.says(finding) == "TODO: {symbol} {x!r}"
