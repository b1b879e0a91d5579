"""Protections left out: certificates, hashes of what lets people in, open doors, rights by assert, equal fractions."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]
APP = {"manage.py": "print(1)\n", "requirements.txt": "flask==3.1.0\n"}
HASH = "import hashlib\ndef {name}(number, {given}):\n    return hashlib.md5({given}.encode()).hexdigest()\n"
CACHED = (
    "import hashlib\ndef sign_in(name, pin):\n    key = 'tries-' + hashlib.md5(name.encode()).hexdigest()\n"
    "    return cache.get(key, 0) < 5 and fits(name, pin)\n"
)


@pytest.mark.parametrize(
    ("code", "rule", "expected"),
    [
        ("def f(http):\n    return http.put('x', verify=False, timeout=3)\n", "certificates-unchecked", True),
        ("import httpx\nhttp = httpx.AsyncClient(verify=False)\n", "S501", True),
        ("import requests\nCALL = {'timeout': 5, 'verify': False}\n", "certificates-unchecked", True),
        ("def f(es):\n    return Elasticsearch(es, verify_certs=False)\n", "certificates-unchecked", True),
        ("def f(s, u, verify=False):\n    return s.get(u, verify=verify, timeout=3)\n", "certificates-unchecked", True),
        ("def f(http):\n    return http.put('x', verify=CA_FILE, timeout=3)\n", "certificates-unchecked", False),
        ("def f(form):\n    return form.check(verify=False)\n", "certificates-unchecked", False),
        (HASH.format(name="hash_pin", given="pin"), "S324", True),
        (HASH.format(name="access_code", given="born"), "S324", True),
        (HASH.format(name="picture_name", given="born"), "S324", False),
        (CACHED, "S324", False),
        ("def f(amount: float, bill):\n    return amount == bill.net_cents / 100\n", "equal-to-fraction", True),
        ("def f(amount: float, price):\n    return amount == price\n", "equal-to-fraction", True),
        ("def f(price: float, old_price):\n    return price != old_price\n", "equal-to-fraction", False),
        ("def f(amount: int, price):\n    return amount == price\n", "equal-to-fraction", False),
        ("def f(amount, price):\n    return amount == round(price / 100, 2)\n", "equal-to-fraction", False),
        ("def f(width, count):\n    return width == count / 2\n", "equal-to-fraction", False),
        (
            "def office(key):\n    known = hmac.compare_digest(key, KEY)\n    assert known, 'no'\n",
            "checked-by-assert",
            True,
        ),
        ("def may(who):\n    assert who in TRUSTED, 'staff only'\n", "checked-by-assert", True),
        (
            "def load(path):\n    for row in csv.DictReader(open(path)):\n        assert int(row['n']) > 0, 'none'\n",
            "checked-by-assert",
            True,
        ),
        ("def _sum(rows):\n    assert rows > 0, 'rows'\n", "checked-by-assert", False),
        ("def run():\n    made = build()\n    assert made.size > 0, 'size'\n", "checked-by-assert", False),
    ],
)
def test_protections_of_python(code: str, rule: str, expected: bool, found: Found) -> None:
    assert (rule in {each.rule for each in found(APP | {"app.py": code}, "security", "lint")}) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("box.innerHTML = code ? `no <b>${code}</b>` : 'again';", True),
        ("box.innerHTML = ok ? '<b>yes</b>' : 'no';", False),
    ],
)
def test_pages_of_choices(line: str, expected: bool, found: Found) -> None:
    code = f"export function fail(box, code, ok) {{ {line} }}\n"
    assert ("page-from-text" in {each.rule for each in found({"static/a.js": code})}) == expected


PHOTO = (
    "@router.get('/photos/{{name:path}}')\ndef photo(name: str):\n    kind = {}\n"
    "    return FileResponse(ROOT + name, kind)\n"
)


@pytest.mark.parametrize(
    ("choice", "expected"),
    [("'png' if name.endswith('.png') else 'jpg'", True), ("(name := name if name in KNOWN else 'none')", False)],
)
def test_a_choice_checks_what_it_chooses(choice: str, expected: bool, found: Found) -> None:
    findings = found(APP | {"app.py": PHOTO.format(choice)}, "security")
    assert ("path-from-user" in {each.rule for each in findings}) == expected


ORDERS = """\
@pages.get("")
@member_only
def mine(member):
    return jsonify(of(member))


@pages.post("")
@member_only
def place(member):
    return jsonify(make(member, body()))


@pages.post("/<number>/cancel")
def cancel(number):
    return jsonify(stop(number, current_member()))


@pages.get("/<{part}>")
{guard}def one({part}):
    return jsonify(show(find({part})))
"""


@pytest.mark.parametrize(
    ("part", "guard", "expected"), [("number", "", True), ("token", "", False), ("number", "@member_only\n", False)]
)
def test_one_row_for_everybody_beside_those_for_members(part: str, guard: str, expected: bool, found: Found) -> None:
    findings = found(APP | {"shop/orders.py": ORDERS.format(part=part, guard=guard)}, "security")
    assert ("guard-missing" in {each.rule for each in findings}) == expected


def test_a_row_that_is_got_is_no_look_at_who_asks(found: Found) -> None:
    asking = "".join(
        f"@bp.post('/{each}')\n@require('sales')\ndef {each}():\n    return save()\n\n\n" for each in "abc"
    )
    pay = (
        "@bp.post('/bills/<int:bill_id>/pay')\ndef pay(bill_id: int):\n    return save(db.session.get(Bill, bill_id))\n"
    )
    findings = found(APP | {"shop/sales.py": asking + pay}, "security")
    assert [each.symbol for each in findings if each.rule == "guard-missing"] == ["pay"]
