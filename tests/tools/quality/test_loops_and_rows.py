"""Queries in loops: loops that do not grow, one finding a loop, rows behind rows."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]

ASKS = "session.scalar(query(each))"


@pytest.mark.parametrize(
    ("code", "is_told"),
    [
        ("for each in SHELVES:", False),
        ("for name, each in SHELVES.items():", False),
        ("for number, each in enumerate(SHELVES, 1):", False),
        ("for each in Meal:", False),  # imported, an enumeration
        ("for each in meals.WEEKDAYS:", False),
        ("for each in rows[:5]:", False),
        ("for each in newest(rows).limit(3):", False),
        ("for each in Counter(rows).most_common(5):", False),
        ("for each in range(len(SHELVES)):", False),
        ("# there are at most four of them\n    for each in rows:", False),
        ("for each in rows:\n        # 一家至多三四个孩子", False),
        ("for each in rows:", True),
        ("for each in rows[5:]:", True),
        ("for each in newest(rows).limit(5000):", True),
        ("for each in ROWS:", True),  # read from a file
        ("for other in rows:\n      for each in SHELVES:", True),
        ("# only for the desk\n    for each in rows:", True),
    ],
)
def test_a_loop_over_a_few_fixed_values_does_not_grow(code: str, is_told: bool, found: Found) -> None:
    files = {
        "p/meals.py": "from enum import Enum\n\nWEEKDAYS = (1, 2, 3)\n\n\nclass Meal(Enum):\n    LUNCH = 1\n",
        "p/front.py": "from p import meals\nfrom p.meals import Meal\n\nSHELVES = {'a': 1, 'b': 2}\nROWS = load()\n\n\n"
        f"def f(session, rows):\n    {code}\n            {ASKS}\n",
    }
    assert bool(found(files, "query_in_loop")) is is_told


def test_what_one_loop_asks_is_one_finding_at_the_query_that_stands_in_it(found: Found) -> None:
    code = (
        "def name(session, key):\n    return session.scalar(key)\n\n\n"
        "def f(session, rows):\n    for row in rows:\n        name(session, row)\n        session.scalar(row)\n"
        "        for part in row.parts:\n            session.scalar(part)\n"
        "    for row in rows:\n        session.scalar(row)\n"
    )
    findings = found({"a.py": code}, "query_in_loop")
    assert [str(each.place) for each in findings] == ["a.py:8", "a.py:12"]
    assert [str(each) for each in findings[0].others] == ["a.py:7", "a.py:10"]


MODELS = """\
class Sale(Base):
    lots = relationship(back_populates="sale")
    name = mapped_column(String)


class Lot(Base):
    sale = relationship(back_populates="lots")
    consignor = relationship()
    lines = relationship(lazy="selectin")

    @property
    def consignor_name(self):
        return self.consignor.name
"""


@pytest.mark.parametrize(
    ("code", "is_told"),
    [
        ("for sale in session.scalars(select(Sale)):\n        for lot in sale.lots:\n            use(lot.title)", True),
        ("sales = session.query(Sale).all()\n    return sum(len(sale.lots) for sale in sales)", True),
        ("for lot in sale.lots:\n        write(lot.consignor.name)", True),  # rows that were reached themselves
        ("for lot in sale.lots:\n        write(lot.sale.name)", False),  # where it came from
        ("for lot in sale.lots:\n        write(lot.lines)", False),
        ("lots = session.scalars(select(Lot)).all()\n    lots.sort(key=lambda lot: lot.consignor.name)", True),
        ("return sorted(session.query(Lot), key=lambda lot: lot.consignor.name)", True),
        ("for lot in every_lot(session):\n        write(lot.consignor)", True),
        ("for lot in whole_lots(session):\n        write(lot.consignor)", False),
        ("for lot in session.query(Lot):\n        write(lot.consignor_name)", True),  # through a property
        ("query = select(Lot).options(joinedload(Lot.consignor))\n    for lot in session.scalars(query):\n"
         "        write(lot.consignor.name)", False),
        ("for lot in session.query(Lot).limit(5).all():\n        write(lot.consignor.name)", False),
        ("for lot in session.query(Lot):\n        lot.consignor = None", False),
        ("for item in session.get('cart', []):\n        write(item.consignor)", False),  # of a web request
    ],
)  # fmt: skip
def test_rows_behind_the_rows_of_a_loop_are_a_query_each(code: str, is_told: bool, found: Found) -> None:
    store = (
        "def every_lot(session):\n    return session.scalars(select(Lot)).all()\n\n\n"
        "def whole_lots(session):\n    query = select(Lot).options(joinedload(Lot.consignor))\n"
        "    return list(session.scalars(query))\n"
    )
    text = f"from p.store import every_lot, whole_lots\n\n\ndef f(session, sale):\n    {code}\n"
    findings = found({"p/models.py": MODELS, "p/store.py": store, "p/reports.py": text}, "query_in_loop")
    assert bool(findings) is is_told


def test_relations_of_relations_that_some_query_loads_are_not_told_where_only_the_owner_is_known(
    found: Found,
) -> None:
    loading = "selectinload(Sale.lots).joinedload(Lot.consignor)"
    store = f"def sale(session):\n    return session.get(Sale, 1, options=[{loading}])\n"
    code = "def f(sale):\n    for lot in sale.lots:\n        write(lot.consignor.name)\n"
    assert found({"p/models.py": MODELS, "p/store.py": store, "p/reports.py": code}, "query_in_loop") == []


def test_what_belongs_to_one_row_is_few_where_a_page_shows_it(found: Found) -> None:
    code = "def f(sale):\n    for lot in sale.lots:\n        write(lot.consignor.name)\n"
    assert found({"p/models.py": MODELS, "p/page.py": code}, "query_in_loop") == []
    assert places(found({"p/models.py": MODELS, "p/exports.py": code}, "query_in_loop")) == ["p/exports.py:3"]


def places(findings: list[Finding]) -> list[str]:
    return [str(each.place) for each in findings]
