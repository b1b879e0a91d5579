"""The sketch of a repository: what kind it is, where it starts, how it is layered."""

from pathlib import Path

import pytest
from maintainer.tools.repository_map import sketch

SHOP = Path(__file__).parents[2] / "examples" / "shop"


def write(repo: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        (repo / path).parent.mkdir(parents=True, exist_ok=True)
        (repo / path).write_text(text, "utf-8")
    return repo


def test_the_shop_is_sketched_as_it_is_built() -> None:
    found = sketch(SHOP)
    assert found.kind == "web application"
    assert [entry.path for entry in found.entry_points][:2] == ["manage.py", "wsgi.py"]
    order = {name: level for level, names in enumerate(found.layers) for name in names}
    assert order["shop/web"] < order["shop/services"] < order["shop/models"] < order["shop/lib"]
    assert found.biggest[0] == ("shop/services/checkout.py", 153)
    assert found.most_imported[0][0] == "shop/extensions.py"
    assert {file.path for file in found.guides} == {"AGENTS.md", "README.md"}
    assert found.flow("manage.py")[0] == "manage.py"
    assert len(found.flow("manage.py")) > 2


KINDS = {
    "library": {"pyproject.toml": '[project]\nname = "x"\n', "x/__init__.py": ""},
    "application": {"pyproject.toml": '[project]\nname = "x"\n[project.scripts]\nx = "x:main"\n', "x/__init__.py": ""},
    "web application": {"requirements.txt": "fastapi\n", "app.py": "app = FastAPI()\n"},
    "monorepo": {"one/pyproject.toml": "[project]\nname='a'\n", "two/package.json": "{}", "one/a.py": ""},
    "data project": {f"{name}.ipynb": "{}" for name in "abc"},
}


@pytest.mark.parametrize(("kind", "files"), KINDS.items())
def test_the_kind_of_a_repository_is_told_with_its_reason(kind: str, files: dict[str, str], tmp_path: Path) -> None:
    found = sketch(write(tmp_path, files))
    assert found.kind == kind
    assert found.why_kind


def test_examples_and_tests_do_not_make_a_repository_what_they_are(tmp_path: Path) -> None:
    files = {
        **KINDS["library"],
        "examples/web/pyproject.toml": '[project]\nname = "y"\ndependencies = ["flask"]\n',
        "examples/web/app.py": "app = Flask(__name__)\n",
        "tests/requirements.txt": "django\n",
    }
    assert sketch(write(tmp_path, files)).kind == "library"


def test_a_breach_does_not_turn_the_layers_over(tmp_path: Path) -> None:
    files = {f"p/upper/u{n}.py": f"from p.lower import l{n}\n" for n in range(5)}
    files |= {f"p/lower/l{n}.py": "" for n in range(5)} | {"p/lower/bad.py": "from p.upper import u1\n"}
    assert sketch(write(tmp_path, files)).layers == (("p/upper",), ("p/lower",))


def test_odd_repositories_are_no_error(tmp_path: Path) -> None:
    empty = sketch(tmp_path)
    assert (empty.files, empty.layers, empty.entry_points) == (0, (), ())
    files = {"a.py": "def (", "b.py": "\x00", "c.py": "import c\n", "目录/文件.py": "import a\n"}
    assert sketch(write(tmp_path, files)).sources == 4


def test_a_file_that_says_nothing_readable_is_counted(tmp_path: Path) -> None:
    (tmp_path / "x.py").write_bytes(b"\x00\x01" * 5000)
    assert any("binary or unreadable" in note for note in sketch(tmp_path).notes)
