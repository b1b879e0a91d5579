import pytest
from maintainer.tools.manifest import read_manifests

SETUP = """
from setuptools import setup
requires = ["idna>=2.5,<4", "certifi"]
setup(name="thing", install_requires={value})
"""


@pytest.mark.parametrize("value", ['["idna>=2.5", "certifi"]', "requires"])
def test_setup_py_is_read_from_literals_and_their_names(value: str) -> None:
    found = read_manifests(["setup.py"], lambda _: SETUP.format(value=value))
    assert [each.name for each in found.requirements] == ["idna", "certifi"]
    assert found.problems == ()


def test_a_computed_setup_py_is_a_problem_and_never_run() -> None:
    found = read_manifests(["setup.py"], lambda _: SETUP.format(value="open('needs.txt').read().split()"))
    assert found.requirements == ()
    assert "computed" in found.problems[0]


def test_broken_manifests_are_problems_beside_those_that_can_be_read() -> None:
    texts = {"pyproject.toml": "[project\n", "requirements.txt": "flask>=3\n", "setup.py": "def broken(:\n"}
    found = read_manifests(texts, texts.__getitem__)
    assert [each.name for each in found.requirements] == ["flask"]
    assert len(found.problems) == 2
