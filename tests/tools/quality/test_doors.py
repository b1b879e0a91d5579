"""Handlers and routers that let everybody in, beside those that do not."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]


def told(findings: list[Finding]) -> list[tuple[str, int]]:
    return [(each.place.path, each.place.line) for each in findings if each.rule == "guard-missing"]


ROUTER = (
    "from fastapi import APIRouter, Depends\nrouter = APIRouter(prefix='/{0}'{1})\n\n\n"
    "@router.{2}('/{0}')\ndef {0}s(db):\n    return db.all()\n"
)
GUARD = ", dependencies=[Depends(staff)]"


@pytest.mark.parametrize(
    ("name", "guard", "expected"),
    [("berth", "", True), ("berth", GUARD, False), ("login", "", False), ("health", "", False)],
)
def test_the_one_router_without_the_guard_of_the_others(name: str, guard: str, expected: bool, found: Found) -> None:
    files = {f"api/{each}.py": ROUTER.format(each, GUARD, "get") for each in ("boat", "crew", "fee")}
    assert bool(told(found(files | {f"api/{name}.py": ROUTER.format(name, guard, "post")}))) == expected


HANDLER = "@app.{}('/{}')\n{}def {}(number):\n    return save(number)\n\n\n"
ASKS = "@login_required\n"


@pytest.mark.parametrize(
    ("verb", "name", "guard", "expected"),
    [
        ("post", "sink", "", True),
        ("post", "sink", ASKS, False),
        ("get", "boat", "", False),
        ("post", "webhook", "", False),
    ],
)
def test_the_one_handler_without_the_guard_of_the_others(
    verb: str, name: str, guard: str, expected: bool, found: Found
) -> None:
    others = "".join(HANDLER.format("post", each, ASKS, each) for each in ("paint", "tow", "launch"))
    assert bool(told(found({"app.py": others + HANDLER.format(verb, name, guard, name)}))) == expected


SCRIPT = "router.{}('/{}', {}handle(async (req, res) => {{ res.json(await keep(req.params.id)); }}));\n"


@pytest.mark.parametrize(
    ("verb", "guard", "whole", "expected"),
    [
        ("patch", "", "", True),
        ("patch", "requireRole('crew'), ", "", False),
        ("patch", "", "router.use(requireRole('crew'));\n", False),
    ],
)
def test_the_one_route_of_express(verb: str, guard: str, whole: str, expected: bool, found: Found) -> None:
    others = "".join(SCRIPT.format("get", each, "requireRole('crew'), ") for each in ("a", "b"))
    code = "const router = Router();\n" + whole + others + SCRIPT.format(verb, "c", guard)
    assert bool(told(found({"routes/boats.js": code}))) == expected


VIEWS = "".join(
    f"class {each}View(StaffMixin, View):\n    def get(self, request):\n        return page()\n\n\n" for each in "ABC"
)


@pytest.mark.parametrize(
    ("name", "body", "expected"),
    [
        ("export_crew", "rows = Crew.objects.all()", True),
        ("mine", "rows = Crew.objects.all()", False),
        ("export_crew", "rows = Crew.objects.filter(user=request.user)", False),
    ],
)
def test_for_the_office_and_open_to_whoever_signed_in(name: str, body: str, expected: bool, found: Found) -> None:
    view = f"@login_required\ndef {name}(request):\n    {body}\n    return csv(rows)\n"
    assert bool(told(found({"views.py": VIEWS + view}))) == expected


@pytest.mark.parametrize(
    ("code", "rule", "expected"),
    [
        ("export function f(a: number[]) { a = [...a]; return a.sort(); }", "sorted-as-text", True),
        ("export const f = (rows) => rows.map((row) => row.price).sort();", "sorted-as-text", True),
        ("export const f = (rows) => rows.map((row) => row.price).sort((a, b) => a - b);", "sorted-as-text", False),
        ("export function f(names: string[]) { return [...names].sort(); }", "sorted-as-text", False),
        ("export function later(d: Date) { d.setMonth(d.getMonth() + 1); return d; }", "callers-changed", True),
        (
            "export function later(d: Date) { const e = new Date(d); e.setMonth(2); return e; }",
            "callers-changed",
            False,
        ),
        ("export function top(rows) { rows.sort((a, b) => a.n - b.n); return rows[0]; }", "callers-changed", True),
        ("export function sortRows(rows) { rows.sort((a, b) => a.n - b.n); return rows; }", "callers-changed", False),
        ("r.get('/a', async (req, res) => { res.json(await new Pool().query(ALL)); });", "opened-each-time", True),
        (
            "const pool = new Pool();\nr.get('/a', async (req, res) => { res.json(await pool.query(ALL)); });",
            "opened-each-time",
            False,
        ),
        ("app.use(cors({ origin: true, credentials: true }));", "any-origin", True),
        ("app.use(cors({ origin: ORIGINS, credentials: true }));", "any-origin", False),
        ("r.put('/a', (req, res) => { Object.assign(row, req.body); row.save(); });", "set-by-user", True),
        ("r.put('/a', (req, res) => { Object.assign(row, Row.parse(req.body)); });", "set-by-user", False),
        ("r.put('/a', (req, res) => { logger.info('put', req.body); });", "personal-in-log", True),
        ("r.put('/a', (req, res) => { logger.info('put', req.body.kind); });", "personal-in-log", False),
    ],
)
def test_values_of_scripts(code: str, rule: str, expected: bool, found: Found) -> None:
    assert (rule in {each.rule for each in found({"src/a.ts": code + "\n"})}) == expected


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("LookupError", "KeyError", True),
        ("Exception", "(ValueError, TypeError)", True),
        ("jwt.InvalidTokenError", "jwt.ExpiredSignatureError", True),
        ("BoatError", "Sunk", True),
        ("KeyError", "LookupError", False),
        ("OSError", "ValueError", False),
    ],
)
def test_a_handler_after_a_broader_one_never_runs(first: str, second: str, expected: bool, found: Found) -> None:
    code = (
        "class BoatError(Exception):\n    pass\n\n\nclass Sunk(BoatError):\n    pass\n\n\ndef f(x):\n    try:\n"
        f"        return x()\n    except {first}:\n        return 1\n    except {second}:\n        return 2\n"
    )
    assert ("unreachable" in {each.rule for each in found({"a.py": code}, "dead_code")}) == expected
