"""Text on its way into a page or a query, and exceptions that nobody raises."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]
APP = {"manage.py": "print(1)\n", "requirements.txt": "flask==3.1.0\n"}
ROWS = "export function draw(list, boats) {{ list.innerHTML = boats.map((boat) => `<li>{}</li>`).join(''); }}"
SEARCH = (
    "from flask import request\nfrom sqlalchemy import text\n\n\n"
    "@app.get('/boats')\ndef boats():\n    return find(db, request.args.get('q', ''))\n\n\n"
    "def find(db, word):\n{}    where = f\"name LIKE '{{word}}%'\"\n"
    "    return db.scalars(select(Boat).where(text(where)))\n"
)
CHANGE = (
    "_COLUMNS = ('name', 'berth')\n\n\ndef change(db, key, values):\n{}"
    "    sets = ', '.join(f'{{column}} = ?' for column in values)\n"
    "    db.execute(f'UPDATE boats SET {{sets}} WHERE id = ?', (*values.values(), key))\n"
)


def rules(findings: list[Finding]) -> set[str]:
    return {finding.rule for finding in findings}


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (ROWS.format("${boat.name}"), True),
        (ROWS.format("${boat.name.trim()}"), True),
        (ROWS.format("${boat.name || 'nameless'}"), True),
        (ROWS.format("${escapeHtml(boat.name)} ${boat.owner}"), True),
        (ROWS.format("${escapeHtml(boat.name)} ${boat.length}"), False),
        (ROWS.format("${esc(boat.name)}"), False),
        (ROWS.format("${boat.id}"), False),
        ("function f(box, boats) { let html = ''; for (const b of boats) { html += `<li>${b.name}</li>`; }"
         " box.innerHTML = html; }", True),
        ("function row(b) { return `<li>${b.name}</li>`; }\n"
         "function f(box, all) { box.innerHTML = all.map(row).join(''); }",
         True),
        ("function f(box, b) { box.innerHTML += `<li>${b.name}</li>`; }", True),
        ("function f(box) { box.innerHTML = decodeURIComponent(location.hash.slice(1)); }", True),
        ("function f(box) { box.textContent = location.hash.slice(1); }", False),
        ("function f(b) { $('#boats').append(`<li>${b.name}</li>`); }", True),
        ("function f(b) { rows.append(`plain ${b.name}`); }", False),
        ("function f(options) { $('#boats').append('<a>' + options.addText + '</a>'); }", False),
        ("function f(box, b) { box.innerHTML = [1, 2].map((n) => `<i>${n}</i>`).join(''); }", False),
        ("function f(box, all) { box.innerHTML = all.map((b) => html`<li>${b.name}</li>`).join(''); }", False),
    ],
)  # fmt: skip
def test_what_somebody_wrote_goes_into_a_page(code: str, told: bool, found: Found) -> None:
    assert ("page-from-text" in rules(found(APP | {"static/boats.js": code}, "security"))) is told


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("", True),
        ("    if len(word) < 3:\n        return []\n", True),
        ("    if word.isdigit():\n        return by_number(db, int(word))\n", True),
        ("    if word not in KNOWN:\n        return []\n", False),
        ("    if not word.isalnum():\n        raise ValueError(word)\n", False),
    ],
)
def test_how_long_a_word_is_does_not_make_it_safe(lines: str, told: bool, found: Found) -> None:
    assert ("sql-from-text" in rules(found(APP | {"app.py": SEARCH.format(lines)}, "security"))) is told


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ("", True),
        ("    unknown = set(values) - set(_COLUMNS)\n    if unknown:\n        raise KeyError(unknown)\n", False),
        ("    if not set(values) <= set(_COLUMNS):\n        raise KeyError(values)\n", False),
        ("    if set(values).difference(_COLUMNS):\n        raise KeyError(values)\n", False),
        ("    if any(each not in _COLUMNS for each in values):\n        raise KeyError(values)\n", False),
        ("    for each in values:\n        if each not in _COLUMNS:\n            raise KeyError(each)\n", False),
        ("    if values in _COLUMNS:\n        return\n", True),
        ("    if not values:\n        raise KeyError(values)\n", True),
    ],
)
def test_names_that_were_looked_up_may_stand_in_a_query(lines: str, told: bool, found: Found) -> None:
    assert ("S608" in rules(found(APP | {"app.py": CHANGE.format(lines)}, "security"))) is told


def test_a_path_is_told_where_it_is_made(found: Found) -> None:
    code = (
        "import os\nfrom flask import send_file\n\n\n@app.get('/charts/<path:name>')\ndef chart(name):\n"
        "    path = os.path.join(CHARTS, name)\n    if not os.path.exists(path):\n        return '', 404\n"
        "    return send_file(os.path.abspath(path))\n"
    )
    assert [each.place.line for each in found(APP | {"app.py": code}, "security")] == [7]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("TooLate('the harbour is closed')", True),
        ("errors.TooLate('the harbour is closed')", True),
        ("raise TooLate('the harbour is closed')", False),
        ("HarbourError('closed')", True),
        ("Boat('Anna')", False),
        ("Notice('closed')", False),
    ],
)
def test_an_exception_that_is_only_made(line: str, told: bool, found: Found) -> None:
    errors = "class HarbourError(Exception):\n    pass\n\n\nclass TooLate(HarbourError):\n    pass\n"
    code = (
        "from harbour import errors\nfrom harbour.errors import HarbourError, TooLate\n\n\nclass Boat:\n    pass\n\n\n"
        f"def moor(hour):\n    if hour > 20:\n        {line}\n    return HarbourError, TooLate, errors\n"
    )
    files = {"harbour/__init__.py": "", "harbour/errors.py": errors, "harbour/moor.py": code}
    assert ("never-raised" in rules(found(APP | files, "lint"))) is told
