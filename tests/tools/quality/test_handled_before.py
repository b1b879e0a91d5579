"""Branches for what is left over where nothing can be."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]

KINDS = (
    "from enum import Enum\n\nBERTHS = ('buoy', 'quay', 'shed')\n\n\nclass Wind(Enum):\n    CALM = 0\n    GALE = 9\n"
)
USED = "\n\ndef use(boat):\n    return fee(boat, boat.kind)\n\n\nuse(BOAT)\n"


@pytest.mark.parametrize(
    ("guard", "annotation", "last", "rest", "is_told"),
    [
        (
            "if kind not in BERTHS:\n        raise ValueError(kind)",
            "",
            "== 'shed'",
            "log(boat)\n        cents = 0",
            True,
        ),
        ("if kind not in BERTHS:\n        return None", "", "in ('shed', 'yard')", "cents = boat.length", True),
        ("if kind not in ('buoy', 'quay', 'shed'):\n        raise ValueError", "", "== 'shed'", "cents = 0", True),
        ("pass", ": Literal['buoy', 'quay', 'shed']", "== 'shed'", "cents = 0", True),
        ("if kind not in BERTHS:\n        raise ValueError(kind)", "", "== 'yard'", "cents = 0", False),
        ("if kind not in OTHERS:\n        raise ValueError(kind)", "", "== 'shed'", "cents = 0", False),
        ("if kind not in BERTHS:\n        log(kind)", "", "== 'shed'", "cents = 0", False),
        ("if kind not in BERTHS:\n        raise ValueError(kind)", "", "== 'shed'", "raise AssertionError", False),
        ("if kind not in BERTHS:\n        raise ValueError\n    kind = boat.kind", "", "== 'shed'", "cents = 0", False),
        ("if kind not in BERTHS:\n        raise ValueError(kind)", "", "== 'shed' and boat", "cents = 0", False),
        ("pass", "", "== 'shed'", "cents = 0", False),
    ],
)
def test_a_branch_is_dead_where_every_value_is_handled_above(
    guard: str, annotation: str, last: str, rest: str, is_told: bool, found: Found
) -> None:
    code = (
        f"from harbour.kinds import BERTHS\n\n\ndef fee(boat, kind{annotation}):\n    {guard}\n"
        "    if kind == 'buoy' or kind == 'quay':\n        cents = boat.length * 2\n"
        f"    elif kind {last}:\n        cents = 5\n    else:\n        {rest}\n    return cents\n{USED}"
    )
    findings = found({"harbour/kinds.py": KINDS, "harbour/fees.py": code}, "dead_code")
    assert any(each.rule == "unreachable" for each in findings) is is_told


@pytest.mark.parametrize(("second", "is_told"), [("Wind.GALE", True), ("Wind.CALM", False)])
def test_an_enumeration_says_what_can_come(second: str, is_told: bool, found: Found) -> None:
    code = (
        "from harbour.kinds import Wind\n\n\ndef fee(boat, kind: Wind):\n"
        f"    if kind is Wind.CALM:\n        cents = 1\n    elif kind == {second}:\n        cents = 2\n"
        f"    else:\n        cents = boat.cents\n    return cents\n{USED}"
    )
    findings = found({"harbour/kinds.py": KINDS, "harbour/fees.py": code}, "dead_code")
    assert any(each.rule == "unreachable" for each in findings) is is_told


@pytest.mark.parametrize(
    ("use", "is_told"),
    [
        ("def page(db):\n    return Boats(db).moored(7)\n", True),
        ("def page(db):\n    boats = Boats(db)\n    return boats.moored(7)\n", True),
        ("def moored(db):\n    return Boats(db)\n\n\ndef page(db):\n    return moored(db), berths\n", True),
        ("def page(db):\n    return berths.moored(db)\n", False),
        ("def page(db, of):\n    return of.moored(db)\n", False),
        ("def page(db):\n    return [each.moored(db) for each in (berths,)]\n", False),
        ("def page(db):\n    return Boats(db).moored(7), berths.moored(db)\n", False),
    ],
)
def test_a_method_of_the_same_name_calls_no_function_of_a_module(use: str, is_told: bool, found: Found) -> None:
    files = {
        "harbour/store.py": "class Boats:\n    def moored(self, pier):\n        return self.db.all(pier)\n",
        "harbour/berths.py": "def moored(db):\n    return db.all(0)\n",
        "harbour/pages.py": f"from harbour import berths\nfrom harbour.store import Boats\n\n\n{use}\n\npage(DB)\n",
    }
    findings = found(files, "dead_code")
    assert any(str(each.place).startswith("harbour/berths.py") for each in findings) is is_told
