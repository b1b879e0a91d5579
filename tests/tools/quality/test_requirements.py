"""What manifests ask for that is over, repeated, in conflict or not written down; and packages of Node."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding
from maintainer.tools.quality.judges.outdated import ends, over

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
                "pyproject.toml": '[project]\nname="x"\ndependencies=["flask==2.0"]\n',
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


def test_the_table_of_packages_is_whole() -> None:
    assert {ecosystem for ecosystem, _ in over()} == {"python", "node", "go"}
    assert all(since.isdigit() and became and instead for since, became, instead in over().values())
    assert ends()["python", "3.9"].year == 2025


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
