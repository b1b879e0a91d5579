"""Calls in loops that ask what one query gives, apart from those that do something to one row."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]

DESK = """\
def of_guest(conn, guest):
    return conn.execute("SELECT * FROM keys WHERE guest = ?", (guest,)).fetchall()


def hand_in(conn, guest):
    for key in of_guest(conn, guest):
        pass
    conn.execute("UPDATE keys SET guest = NULL WHERE guest = ?", (guest,))


def note(session, guest):
    session.add(Note(session.scalar(select(Key).where(Key.guest == guest))))


def settle(session, guest):
    note(session, guest)
    session.commit()
    return guest


def open_keys(conn, guest):
    return len(of_guest(conn, guest))


def open_account(conn, guest):
    if not of_guest(conn, guest):
        conn.execute("INSERT INTO accounts (guest) VALUES (?)", (guest,))
"""


@pytest.mark.parametrize(
    ("body", "is_told"),
    [
        ("for guest in guests:\n        desk.hand_in(conn, guest)", False),
        ("for guest in guests:\n        try:\n            desk.settle(session, guest)\n        except E:\n"
         "            pass", False),
        ("[desk.hand_in(conn, guest) for guest in guests]", False),
        ("await asyncio.gather(*(desk.settle(session, guest) for guest in guests))", False),
        ("for guest in guests:\n        await desk.settle(session, guest)", False),
        ("done = [desk.settle(session, guest) for guest in guests]", True),  # its answers may come at once
        ("return sum(desk.settle(session, guest) for guest in guests)", True),
        ("for guest in guests:\n        desk.note(session, guest)", True),  # written together by whoever commits
        ("for guest in guests:\n        print(desk.of_guest(conn, guest))", True),
        ("for guest in guests:\n        print(desk.open_keys(conn, guest))", True),  # asks, whatever its name
        ("for guest in guests:\n        print(desk.open_account(conn, guest))", False),
        ("for branch in branches:\n        print(desk.of_guest(conn, branch))", False),  # a house has few
        ("for branch in branches:\n        for guest in guests:\n            print(desk.of_guest(conn, guest))", True),
        ("for guest in guests:\n        # asked anew, since the one before may have taken it\n"
         "        print(desk.of_guest(conn, guest))", False),
        ("for guest in guests:\n        # 逐条查，因为前一条可能已经拿走\n"
         "        print(desk.of_guest(conn, guest))", False),
        ("for guest in guests:\n        # TODO one by one\n        print(desk.of_guest(conn, guest))", True),
    ],
)  # fmt: skip
def test_what_is_done_to_one_row_is_no_question(body: str, is_told: bool, found: Found) -> None:
    text = f"from p import desk\n\n\nasync def night(conn, session, guests, branches):\n    {body}\n"
    assert bool(found({"p/desk.py": DESK, "p/night.py": text}, "query_in_loop")) is is_told


@pytest.mark.parametrize(
    ("body", "is_told"),
    [
        ("for batch in batches:\n        conn.execute('SELECT 1', (batch.id,))", True),  # of a brewery
        ("for batch in batches:\n        conn.execute('SELECT 1', batch)", False),
        ("for tray in trays:\n        if tray.full:\n            continue\n        tray.save()", False),
        ("for tray in trays:\n        if tray.full:\n            log(tray)\n        tray.save()", True),
        ("for tray in Tray.objects.prefetch_related('loaves'):\n        print(tray.loaves.all())", False),
        ("for tray in Tray.objects.prefetch_related('loaves'):\n        print(tray.loaves.first())", True),
        ("for tray in Tray.objects.prefetch_related('owner'):\n        print(tray.loaves.all())", True),
    ],
)
def test_rows_called_like_batches_guards_and_what_came_along(body: str, is_told: bool, found: Found) -> None:
    assert bool(found({"a.py": f"def bake(conn, batches, trays):\n    {body}\n"}, "query_in_loop")) is is_told


MODELS = """\
{0}


class Tour(Base):
    guide = relationship()
    stops = relationship(back_populates="tour")
    office = relationship()


class Stop(Base):
    tour = relationship(back_populates="stops")
    place = relationship()
"""


@pytest.mark.parametrize(
    ("body", "is_told"),
    [
        ("for tour in session.scalars(select(Tour).options(selectinload(Tour.stops))):\n"
         "        use(tour.guide.name)", True),
        ("for tour in session.scalars(select(Tour).options(selectinload(Tour.stops))):\n"
         "        use(tour.stops)", False),
        ("query = select(Tour).options(joinedload(Tour.stops))\n    tours = session.scalars(query).all()\n"
         "    return [tour.guide.name for tour in tours]", True),
        ("for tour in session.scalars(select(Tour).options(*EAGER)):\n        use(tour.guide.name)", False),
        ("tour = session.scalars(select(Tour).options(selectinload(Tour.stops))).first()\n"
         "    for stop in tour.stops:\n        use(stop.tour)", False),
        ("for tour in Tour.objects.select_related('guide__town'):\n        use(tour.guide.name)", False),
        ("for tour in Tour.objects.select_related('office'):\n        use(tour.guide.name)", True),
        ("for tour in Tour.objects.select_related():\n        use(tour.guide.name)", False),
        ("for tour in Tour.objects.values_list('id'):\n        use(tour.guide)", False),
    ],
)  # fmt: skip
def test_what_a_query_does_not_load_along_is_a_query_each(body: str, is_told: bool, found: Found) -> None:
    files = {"p/models.py": MODELS.format("import x"), "p/tours.py": f"def f(session):\n    {body}\n"}
    assert bool(found(files, "query_in_loop")) is is_told


@pytest.mark.parametrize(("first", "is_told"), [("from sqlalchemy.orm import relationship", False), ("import x", True)])
def test_the_few_offices_of_a_house_stay_with_the_session_that_read_them(
    first: str, is_told: bool, found: Found
) -> None:
    text = "def f(session):\n    for tour in session.query(Tour):\n        use(tour.office.name)\n"
    assert bool(found({"p/models.py": MODELS.format(first), "p/tours.py": text}, "query_in_loop")) is is_told
