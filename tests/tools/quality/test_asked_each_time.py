"""Queries behind columns, properties and held queries; and what is asked once, or made one by one on purpose."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]

MODELS = """\
class Boat(models.Model):
    name = models.CharField(max_length=40)

    @property
    def free_berths(self):
        return 9 - self.booking_set.filter(left=None).count()

    @property
    def total(self):
        return sum(line.cents for line in self.lines.all())
"""
ADMIN = """\
@admin.register(Boat)
class BoatAdmin(admin.ModelAdmin):
    list_display = ["name", "trips"]

    def trips(self, boat):
        return boat.trip_set.count()
"""
LOADED = ADMIN + "\n    def get_queryset(self, request):\n        return super().get_queryset(request)\n"


@pytest.mark.parametrize(
    ("files", "is_told"),
    [
        ({"p/admin.py": ADMIN}, True),
        ({"p/admin.py": ADMIN.replace('"trips"', '"berth"')}, False),
        ({"p/admin.py": LOADED}, False),
        (
            {
                "p/models.py": MODELS,
                "p/views.py": "def page():\n    boats = Boat.objects.select_related('owner')\n"
                "    return [boat.free_berths for boat in boats]\n",
            },
            True,
        ),
        (
            {
                "p/models.py": MODELS,
                "p/views.py": "def page():\n    boats = Boat.objects.prefetch_related('lines')\n"
                "    return [boat.total for boat in boats]\n",
            },
            False,
        ),
        (
            {
                "p/models.py": MODELS,
                "p/templates/boats.html": "{% for boat in boats %}\n{{ boat.free_berths }}\n{% endfor %}\n",
            },
            True,
        ),
        (
            {
                "p/views.py": "def use(first):\n    trips = Trip.objects.filter(day__gte=first)\n    rows = []\n"
                "    for kind in Kind.objects.all():\n        rows.append((kind, trips.filter(kind=kind).count()))\n"
                "    return rows\n"
            },
            True,
        ),
    ],
)
def test_rows_that_are_asked_for_behind_a_look(files: dict[str, str], is_told: bool, found: Found) -> None:
    assert bool(found(files, "query_in_loop")) is is_told


STORE = """\
def place_order(session, row):
    session.execute(insert(Order))


def latest_of(session, row):
    return session.execute(select(Order)).first()
"""


@pytest.mark.parametrize(
    ("body", "is_told"),
    [
        ("    for row in rows:\n        store.place_order(session, row)\n", False),  # made one by one, on purpose
        ("    for row in rows:\n        print(store.latest_of(session, row))\n", True),
        (
            "    for row in rows:\n        if row.fits:\n            return session.execute(select(Order)).first()\n",
            False,  # once, whatever the number of rounds
        ),
        ("    for row in rows:\n        if row.old:\n            row.save()\n", False),  # only some rows
        ("    for row in rows:\n        row.save()\n", True),
        ("    for row, known in rows:\n        known = known.copy()\n        print(known.get(row))\n", False),
        (
            "    files = sorted(Path('sql').glob('*.sql'))\n    for path in files[3:]:\n"
            "        session.execute(path.read_text())\n",
            False,
        ),
    ],
)
def test_what_runs_once_or_is_made_on_purpose(body: str, is_told: bool, found: Found) -> None:
    files = {
        "p/store.py": STORE,
        "p/work.py": f"from pathlib import Path\nfrom p import store\n\n\ndef work(session, rows):\n{body}",
    }
    assert bool(found(files, "query_in_loop")) is is_told


@pytest.mark.parametrize(
    ("text", "is_told"),
    [
        ("for (const hold of held) {\n  list.push(await this.deps.seats.find(hold.seatId));\n}\n", True),
        ("for (const hold of held) {\n  list.push(hold.seats.find((seat) => seat.free));\n}\n", False),
        ("// two or three evenings\nfor (const day of days) {\n  await repositories.shows.find(day.id);\n}\n", False),
        ("await Promise.all(rows.map(async (row) => {\n  return await repos.people.find(row.owner);\n}));\n", True),
    ],
)
def test_scripts_look_up_rows(text: str, is_told: bool, found: Found) -> None:
    assert (
        bool(found({"src/seats.js": f"export async function run(held, rows, days) {{\n{text}}}\n"}, "query_in_loop"))
        is is_told
    )


STORAGE = """\
def {add}(connection, owner, cents):
    if cents <= 0:
        raise ValueError("more than nothing is needed")
    {left} = {of}(connection, owner)
    if {left} + cents > 500_000:
        raise ValueError("too much is open")
    cursor = connection.execute("INSERT INTO {table} (owner, cents) VALUES (?, ?)", (owner, cents))
    return cursor.lastrowid or 0


def {of}(connection, owner):
    row = connection.execute("SELECT sum(cents) FROM {table} WHERE owner = ?", (owner,)).fetchone()
    return row[0]
"""
PARSER = """\
def register(commands):
    {0} = commands.add_parser("{0}")
    {0}.add_argument("number")
    {0}.add_argument("month", type=month)
    {0}.add_argument("--cents", type=int, default=4)
    {0}.set_defaults(func={0}_all)
    other = commands.add_parser("more")
    other.add_argument("number")
    other.add_argument("--day", type=day, default=None)
    other.set_defaults(func={0}_some)
"""


def test_a_store_for_another_table_is_a_copy_and_a_list_of_options_is_none(found: Found) -> None:
    loans = STORAGE.format(add="plan", left="left", of="left_of", table="loans")
    fines = STORAGE.format(add="book", left="owed", of="owed_by", table="fines")
    assert found({"p/loans.py": loans, "p/fines.py": fines}, "duplicate_code")
    options = {"q/loans.py": PARSER.format("loans"), "q/fines.py": PARSER.format("fines")}
    assert not [each for each in found(options, "duplicate_code") if each.place.path.startswith("q/")]
