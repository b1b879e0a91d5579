"""Queries in loops where statements of SQL are written by hand, and loops that a guard or a step keeps short."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]

LISTS = "def page(db, boats):\n    return [{**boat, 'crew': crews.of_boat(db, boat['id'])} for boat in boats]\n"


@pytest.mark.parametrize(
    ("body", "is_told"),
    [
        ("return db.one('SELECT name FROM crews WHERE boat = ?', (boat,))", True),
        ("return db.rows(_OF_BOAT, (boat,))", True),
        ("return db.all(f'{_LISTED} WHERE boat = ?', (boat,))", True),
        ("return db.all(_LISTED + ' WHERE boat = ? ORDER BY name', (boat,))", True),
        ("return query_db('select * from crews where boat = ?', [boat])", True),
        ("return fetch_all(db, 'SELECT * FROM crews WHERE boat = ?', boat)", True),
        ("with closing(connect()) as c:\n        return c.execute('SELECT 1 FROM crews').fetchone()", True),
        ("return self_made.run_sql('with named as (select 1) select * from named')", True),
        ("log.info('select a boat from the list')", False),
        ("return words.one('select a boat')", False),
        ("return db.all", False),
        ("return f'{boat} WHERE it lies'", False),
        ("raise ValueError('SELECT name FROM crews')", False),
    ],
)
def test_whatever_runs_a_statement_asks_a_database(body: str, is_told: bool, found: Found) -> None:
    crews = f"_LISTED = _OF_BOAT = load()\n\n\ndef of_boat(db, boat):\n    {body}\n"
    files = {"harbour/crews.py": crews, "harbour/pages.py": f"from harbour import crews\n\n\n{LISTS}"}
    assert bool(found(files, "query_in_loop")) is is_told


@pytest.mark.parametrize(
    ("before", "loop", "is_told"),
    [
        ("if weeks < 0 or weeks > 5:\n        raise ValueError", "for each in range(weeks + 1):", False),
        ("if not 0 <= weeks <= 5:\n        return", "for each in range(weeks):", False),
        ("weeks = max(1, min(weeks, 6))", "for each in range(weeks):", False),
        ("if len(rows) > MOST:\n        raise ValueError", "for each in rows:", False),
        ("days = [weeks + n for n in range(3)]", "for each in days:", False),
        ("rows = rows[:MOST]", "for each in rows:", False),
        ("pass", "for each in range(nights):", False),
        ("if len(rows) > 500:\n        raise ValueError", "for each in rows:", True),
        ("if len(rows) > MOST:\n        log(rows)", "for each in rows:", True),
        ("if weeks > 5:\n        raise ValueError", "for each in rows:", True),
        ("days = [weeks + n for n in rows]", "for each in days:", True),
        ("pass", "for each in range(days):", True),
    ],
)
def test_a_loop_that_a_guard_or_a_step_keeps_short_does_not_grow(
    before: str, loop: str, is_told: bool, found: Found
) -> None:
    head = "MOST = 8\n\n\ndef f(session, rows, weeks, nights=3, days=90):\n"
    code = f"{head}    {before}\n    {loop}\n        session.scalar(query(each))\n"
    assert bool(found({"p/bookings.py": code}, "query_in_loop")) is is_told


STEPS = """\
def revisions():
    return sorted(FOLDER.glob("*.sql"))


def up(connection):
    for path in revisions():
        connection.execute("INSERT INTO versions VALUES (?)", (path.stem,))
"""


@pytest.mark.parametrize(
    ("path", "code", "is_told"),
    [
        ("p/store.py", STEPS, False),
        ("p/store.py", STEPS.replace("glob", "lines"), True),
        ("p/db/migrate.py", STEPS.replace("glob", "lines"), False),
        ("p/store.py", "def f(db, text):\n    for each in text.split(';'):\n        db.execute(each.strip())\n", False),
    ],
)
def test_what_sets_a_database_up_runs_once(path: str, code: str, is_told: bool, found: Found) -> None:
    assert bool(found({path: code}, "query_in_loop")) is is_told


def test_a_script_takes_its_steps_one_by_one(found: Found) -> None:
    mails = "def remind(session, boat):\n    mail(session.scalar(owner_of(boat)), boat)\n\n\n"
    run = "from p import mails\n\n\ndef f(db, boats):\n    for boat in boats:\n        mails.remind(db, boat)\n"
    assert not found({"p/mails.py": mails, "scripts/nightly.py": run}, "query_in_loop")
    assert found({"p/mails.py": mails, "p/pages.py": run}, "query_in_loop")
