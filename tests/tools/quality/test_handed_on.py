"""Text of a request that goes through several functions before somebody trusts it."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]

API = """\
from flask import request
from . import service

@app.get("/titles")
def titles():
    return service.find(request.args.get("q", ""), sort=request.args.get("sort", "name"))
"""
SERVICE = """\
from .store import TitleStore

def find(words, *, sort="name"):
    return TitleStore(session).search(words, sort)
"""
STORE = """\
from sqlalchemy import select, text

class TitleStore:
    def search(self, words, sort):
        {check}
        return session.scalars(select(Title).order_by(text({key})))
"""


def told(findings: list[Finding], rule: str) -> list[str]:
    return [str(each.place) for each in findings if each.rule == rule]


@pytest.mark.parametrize("key", ["f'title.{sort}'", "'title.' + sort", "'title.%s' % sort", "sort"])
def test_a_sort_key_is_followed_through_the_layers(key: str, found: Found) -> None:
    store = STORE.format(check="pass", key=key)
    files = {"shop/__init__.py": "", "shop/api.py": API, "shop/service.py": SERVICE, "shop/store.py": store}
    assert told(found(files, "security"), "sql-from-text") == ["shop/store.py:6"]


@pytest.mark.parametrize(
    ("check", "key"),
    [
        ("if sort not in ('name', 'year'): raise ValueError(sort)", "f'title.{sort}'"),
        ("column = COLUMNS.get(sort, 'name')", "f'title.{column}'"),
        ("column = COLUMNS[sort]", "f'title.{column}'"),
        ("pass", "'title.name'"),
    ],
)
def test_a_sort_key_that_is_looked_up_first_is_no_risk(check: str, key: str, found: Found) -> None:
    store = STORE.format(check=check, key=key)
    files = {"shop/__init__.py": "", "shop/api.py": API, "shop/service.py": SERVICE, "shop/store.py": store}
    assert told(found(files, "security"), "sql-from-text") == []


def test_a_parameter_that_no_handler_fills_is_no_risk(found: Found) -> None:
    store = STORE.format(check="pass", key="f'title.{sort}'")
    api = API.replace('request.args.get("sort", "name")', '"name"')
    files = {"shop/__init__.py": "", "shop/api.py": api, "shop/service.py": SERVICE, "shop/store.py": store}
    assert told(found(files, "security"), "sql-from-text") == []


def test_a_path_begins_where_it_is_made(found: Found) -> None:
    api = """\
@router.get("/{name:path}")
async def label(name: str, settings: SettingsDep) -> FileResponse:
    path = settings.label_dir / name
    if not path.is_file():
        raise NotFound(name)
    return FileResponse(path)
"""
    assert told(found({"api.py": api}, "security"), "path-from-user") == ["api.py:3"]


def test_a_choice_of_the_framework_is_a_check(found: Found) -> None:
    api = """\
from sqlalchemy import text

@router.get("/titles")
async def titles(sort: str = Query("name", pattern="^(name|year)$")):
    return await session.scalars(select(Title).order_by(text(f"title.{sort}")))
"""
    assert told(found({"api.py": api}, "security"), "sql-from-text") == []
