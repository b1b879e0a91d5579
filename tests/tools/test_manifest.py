"""Manifests read as data, never run."""

from pathlib import Path

import pytest
from maintainer.tools.manifest import Manifest, read_manifests

FILES = {
    "pyproject.toml": """
[project]
name = "My.App"
dependencies = ["Flask>=3", "sqlalchemy[asyncio]~=2.0"]
classifiers = ["Framework :: Flask"]
[project.scripts]
app = "my_app.cli:main"
[project.optional-dependencies]
postgres = ["psycopg"]
[dependency-groups]
dev = ["pytest", {include-group = "x"}]
""",
    "requirements.txt": "# comment\n-r other.txt\nrequests==2.31  # pinned\n\nPyYAML\ngit+https://example.org/x.git\n",
    "requirements-dev.txt": "tox\n",
    "package.json": '{"name": "web", "dependencies": {"react": "^18"}, "devDependencies": {"vite": "1"}}',
    "setup.cfg": "[metadata]\nname = old\n[options]\ninstall_requires =\n    attrs>=20\n    six\n",
    "setup.py": "from setuptools import setup\nsetup(name='s', install_requires=['click'], version=open('V').read())\n",
}


def read(files: dict[str, str]) -> Manifest:
    return read_manifests(files, files.__getitem__)


@pytest.mark.parametrize(
    ("path", "runtime", "development"),
    [
        ("pyproject.toml", ["Flask", "sqlalchemy"], ["psycopg", "pytest"]),
        ("requirements.txt", ["requests", "PyYAML", "git"], []),
        ("requirements-dev.txt", [], ["tox"]),
        ("package.json", ["react"], ["vite"]),
        ("setup.cfg", ["attrs", "six"], []),
        ("setup.py", ["click"], []),
    ],
)
def test_each_kind_of_manifest(path: str, runtime: list[str], development: list[str]) -> None:
    found = read({path: FILES[path]})
    assert [each.name for each in found.requirements if not each.development] == runtime
    assert [each.name for each in found.requirements if each.development] == development
    assert found.problems == ()


def test_requirements_know_their_line() -> None:
    lines = {each.name: each.line for each in read({"requirements.txt": FILES["requirements.txt"]}).requirements}
    assert (lines["requests"], lines["PyYAML"]) == (3, 5)
    assert read(FILES).scripts == {"app": "my_app.cli:main"}
    assert read(FILES).name == "My.App"
    assert read(FILES).classifiers == ("Framework :: Flask",)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("pyproject.toml", "[project\n"),
        ("pyproject.toml", "project = 3\n"),
        ("package.json", "[1]"),
        ("package.json", "{"),
        ("setup.py", "def ("),
    ],
)
def test_a_broken_manifest_is_a_problem_and_costs_only_itself(path: str, text: str) -> None:
    found = read({path: text, "requirements.txt": "flask\n"})
    assert [each.name for each in found.requirements] == ["flask"]
    assert found.problems[0].startswith(f"{path}: ")


def test_setup_py_is_not_run(tmp_path: Path) -> None:
    text = f"open({str(tmp_path / 'owned')!r}, 'w')\nfrom setuptools import setup\nsetup(name='x')\n"
    assert read({"setup.py": text}).name == "x"
    assert not (tmp_path / "owned").exists()
