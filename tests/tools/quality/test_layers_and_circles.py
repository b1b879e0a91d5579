"""Layers by the names of folders, single imports against them, and late imports that are decisions."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]
APP = {"manage.py": "import app\n\nprint(app)\n", "requirements.txt": "flask==3.1.0\n"}


def places(findings: list[Finding]) -> list[str]:
    return sorted(str(finding.place) for finding in findings)


def test_a_single_helper_that_imports_a_model_is_a_breach_where_the_others_import_none(found: Found) -> None:
    files = APP | {
        "app/lib/codes.py": "from app.models.copy import Copy\n\nprint(Copy)\n",
        "app/lib/dates.py": "DAY = 1\n",
        "app/lib/texts.py": "TEXT = 1\n",
        "app/models/copy.py": "Copy = 1\n",
    }
    assert places(found(files, "layering")) == ["app/lib/codes.py:1"]
    ours = {"app/lib/dates.py": "import app.models.copy\n", "app/lib/texts.py": "import app.models.copy\n"}
    assert found(files | ours, "layering") == []  # helpers for models, then


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("app/services/claims.py", "app/api/schemas/claims.py"),
        ("app/services/claims.py", "app/web/forms.py"),
        ("app/repositories/claims.py", "app/services/prices.py"),
        ("app/models/claim.py", "app/repositories/claims.py"),
        ("app/models/claim.py", "app/tasks/mails.py"),
    ],
)
def test_layers_below_do_not_import_those_above(found: Found, source: str, target: str) -> None:
    def importing(path: str) -> str:
        return f"import {path.removesuffix('.py').replace('/', '.')}\n"

    upper, lower = target.rpartition("/")[0], source.rpartition("/")[0]
    files = APP | {source: importing(target), target: "", f"{lower}/rows.py": ""}
    files[f"{upper}/lists.py"] = importing(f"{lower}/rows.py")
    assert places(found(files, "layering")) == [f"{source}:1"]


def test_rows_of_jobs_are_rows_and_run_none(found: Found) -> None:
    files = APP | {
        "app/services/booking.py": "from app.repositories import jobs\n\nprint(jobs)\n",
        "app/repositories/jobs.py": "from app.models import job\n\nprint(job)\n",
        "app/models/job.py": "Job = 1\n",
        "app/jobs/nightly.py": "import app.services.booking\n",
    }
    assert found(files, "layering") == []


LATE = {
    "import app.models  # noqa: F401": False,
    "import app.models  # the tables register themselves on import": False,
    "# The command runs without a database, and models open one.\n    import app.models": False,
    "# 只有这个命令需要数据库连接\n    import app.models": False,
    "import app.models  # avoid circular import": True,
    "import app.models  # 避免循环导入": True,
    "import app.models": True,
}


@pytest.mark.parametrize("line", LATE)
def test_a_late_import_with_its_reason_closes_no_circle(found: Found, line: str) -> None:
    files = APP | {
        "app/db.py": f"def create():\n    {line}\n    return app\n",
        "app/models.py": "from app import db\n\nprint(db)\n",
    }
    assert bool(found(files, "import_cycle")) == LATE[line]


def test_an_unused_import_is_told_though_others_import_its_file_whole(found: Found) -> None:
    files = APP | {
        "scripts/merge.py": "import os\nimport sys\n\nsys.path.insert(0, '.')\n\nimport app\n\nprint(app)\n",
        "scripts/all.py": "import scripts.merge\n\nprint(scripts)\n",
        "app.py": "",
    }
    assert "scripts/merge.py:1" in places(found(files, "dead_code"))
