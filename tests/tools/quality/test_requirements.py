"""What manifests ask for that is over, repeated, in conflict or not written down; and packages of Node."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding
from maintainer.tools.quality.judges.dependencies.packages import closed, ends, numbers, over

Found = Callable[..., list[Finding]]
START = {"main.py": "print(1)\n"}


def told(findings: list[Finding]) -> list[tuple[str, str]]:
    return sorted((finding.rule, finding.symbol) for finding in findings)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"requirements.txt": "nose==1.3\nflask==3.0\n"}, [("end_of_life", "nose")]),
        ({"package.json": '{"dependencies": {"request": "^2"}}'}, [("end_of_life", "request")]),
        (
            {"go.mod": "module x.org/y\n\nrequire (\n\tgithub.com/pkg/errors v0.9.1\n\tx.org/b v1 // indirect\n)\n"},
            [("end_of_life", "github.com/pkg/errors")],
        ),
        ({"requirements.txt": "flask>=3\nFlask>=2\n"}, [("twice", "Flask")]),
        (
            {
                "requirements.txt": "flask==3.0\n",
                "pyproject.toml": '[project]\nname="x"\ndependencies=["flask==3.1"]\n',
            },
            [("conflict", "flask")],
        ),
        ({"requirements.txt": "flask\nclick\nrich>=1\n"}, [("unpinned", "flask")]),
        ({"requirements.txt": "flask\n", "uv.lock": 'name = "flask"\n'}, []),
        (
            {
                "pyproject.toml": '[project]\nname = "x"\ndependencies = ["flask>=3", "click>=8"]\n',
                "uv.lock": '[[package]]\nname = "flask"\n',
            },
            [("lock", "click")],
        ),
        ({"package.json": '{"dependencies": {"ky": "1"}}', "package-lock.json": '{"node_modules/ky": {}}'}, []),
        ({"Dockerfile": "FROM python:3.8-slim\n"}, [("end_of_life", "python 3.8")]),
        ({"Dockerfile": "FROM python:3.13-slim\n", ".nvmrc": "v14.2\n"}, [("end_of_life", "node 14")]),
        (
            {"pyproject.toml": '[project]\nname = "x"\nrequires-python = ">=3.7,<3.9"\n'},
            [("end_of_life", "python 3.8")],
        ),
        ({"pyproject.toml": '[project]\nname = "x"\nrequires-python = ">=3.8"\n'}, []),  # newer ones are welcome
    ],
)
def test_requirements_that_are_over_or_contradict_themselves(
    files: dict[str, str], expected: list[tuple[str, str]], found: Found
) -> None:
    assert told(found({**START, **files}, "outdated_dependency")) == expected


@pytest.mark.parametrize(
    ("name", "spec", "held"),
    [
        ("requirements.txt", "pyyaml==5.3.1", True),
        ("requirements.txt", "PyYAML ~= 5.3.0", True),
        ("requirements.txt", "pyyaml>=5.1,<5.4", True),
        ("requirements.txt", "pyyaml<=5.3", True),
        ("requirements.txt", "pyyaml==5.*", False),  # 5.4 is one of them
        ("requirements.txt", "pyyaml>=3", False),
        ("requirements.txt", "pyyaml!=5.3", False),
        ("requirements.txt", "pyyaml<6", False),
        ("requirements.txt", "pyyaml==6.0.2", False),
        ("requirements.txt", "urllib3<2.0.0", False),
        ("requirements-dev.txt", "pyyaml==5.3.1", False),
        ("package.json", '"lodash": "4.17.15"', True),
        ("package.json", '"axios": "^0.21.1"', True),
        ("package.json", '"lodash": "~4.16.0"', True),
        ("package.json", '"lodash": "^4.17.0"', False),
        ("package.json", '"lodash": "4.17"', False),
        ("package.json", '"lodash": "3.x || 4.x"', False),
        ("package.json", '"lodash": ">=4.17.15 <5"', False),
        ("package.json", '"lodash": "4.0.0 - 4.18.0"', False),
        ("package.json", '"lodash": "workspace:*"', False),
        ("package.json", '"lodash": "latest"', False),
    ],
)
def test_what_only_versions_with_a_known_hole_fit_is_told(name: str, spec: str, held: bool, found: Found) -> None:
    text = f'{{"dependencies": {{{spec}}}}}' if name == "package.json" else f"{spec}\n"
    assert [rule for rule, _ in told(found({**START, name: text}, "outdated_dependency"))] == ["known_hole"] * held


def test_the_table_of_packages_is_whole() -> None:
    assert all(numbers(fixed) and label.startswith("CVE-") for fixed, label in closed().values())
    assert not {(ecosystem, name) for ecosystem, name in over()} & closed().keys()
    assert {ecosystem for ecosystem, _ in over()} == {"python", "node", "go"}
    assert all(since.isdigit() and became and instead for since, became, instead in over().values())
    assert ends()["python", "3.9"].year == 2025


PROJECT = """\
[project]
name = "quay"
dependencies = ["flask>=3", {more}]

[project.optional-dependencies]
dev = ["pytest>=8", "{dev}"]
"""
QUAY = {
    "quay/__init__.py": "",
    "quay/app.py": "import flask\n\napp = flask.Flask('quay')\n",
    "manage.py": "import quay.app\n",
}


@pytest.mark.parametrize(
    ("files", "is_told"),
    [
        ({"quay/tides.py": "import httpx\n"}, True),
        ({"quay/tides.py": "if __debug__:\n    import httpx\n"}, False),
        ({"quay/testing.py": "import httpx\n"}, False),
        ({"scripts/tides.py": "import httpx\n"}, False),
        ({"tests/test_tides.py": "import httpx\n"}, False),
    ],
)
def test_the_product_needs_what_it_imports_in_its_own_part(files: dict[str, str], is_told: bool, found: Found) -> None:
    manifest = {"pyproject.toml": PROJECT.format(dev="httpx>=0.28", more="")}
    findings = found({**QUAY, **manifest, **files}, "undeclared_dependency")
    assert [each.why for each in findings] == (["only_developers"] if is_told else [])


@pytest.mark.parametrize(
    ("more", "is_told"),
    [
        ('"openpyxl"', True),
        ('"openpyxl", "pandas"', False),
        ('"bcrypt"', True),
        ('"bcrypt", "passlib"', False),
        ('"psycopg2-binary", "flask-sqlalchemy"', False),
        ('"psycopg2-binary"', True),
        ('"cryptography"', True),
        ('"gunicorn"', False),
    ],
)
def test_a_package_that_others_load_is_used_where_they_are(more: str, is_told: bool, found: Found) -> None:
    used = "import pandas, passlib, flask_sqlalchemy  # noqa\n\nprint(pandas, passlib, flask_sqlalchemy)\n"
    files = {**QUAY, "quay/rows.py": used, "pyproject.toml": PROJECT.format(dev="ruff", more=more)}
    files = files if "," in more else files | {"quay/rows.py": ""}
    assert bool(found(files, "unused_dependency")) is is_told


def test_packages_of_node_are_declared_and_used(found: Found) -> None:
    files = {
        "package.json": '{"private": true, "scripts": {"build": "tool x"},\n'
        '"dependencies": {"dayjs": "1", "idle": "1",\n'
        '"tool": "1", "react": "18", "@scope/used": "1"}}',
        "src/a.ts": 'import dayjs from "dayjs/plugin";\nimport fs from "node:fs";\nimport path from "path";\n'
        'import { x } from "@scope/used/deep";\nimport { y } from "@/own";\nimport { z } from "missing";\n',
    }
    assert [finding.rule for finding in found(files, "unused_dependency")] == ["idle"]
    assert [finding.rule for finding in found(files, "undeclared_dependency")] == ["missing"]
