"""What the program writes down itself is never injected; what opens only somebody's own machine is no secret."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]
REPO = (
    'import { TABLES, parts } from "./parts";\nconst COLUMNS = "id, name";\nconst columns = `a.id, a.name` as const;\n'
)
SQL = REPO + "export class Boats {\n  async find(id: number, word: string, order: string) {\nBODY\n  }\n}\n"
ASKS = "    return this.db.query(`SELECT {} FROM boats WHERE id = $1`, [id]);"


def told(findings: list[Finding]) -> set[str]:
    return {each.rule for each in findings}


@pytest.mark.parametrize(
    "body",
    [
        ASKS.format("${COLUMNS}"),
        ASKS.format("${columns}"),
        ASKS.format("${TABLES.boats}"),
        ASKS.format("${parts}"),
        ASKS.format("${id}"),
        "    const by = { name: 'name', age: 'born' }[order] ?? 'name';\n" + ASKS.format("x") + " + ` ORDER BY ${by}`",
        "    const marks = [id].map((_, i) => '$' + (i + 1)).join(', ');\n" + ASKS.format("${marks}"),
        "    let where = 'true';\n    if (word) where += ' AND name = $2';\n" + ASKS.format("x, ${where}"),
        "    const parts: string[] = [];\n    parts.push(`age = $${id}`);\n" + ASKS.format("${parts.join()}"),
        ASKS.format("${word ? 'a' : 'b'}"),
        ASKS.format("${escapeId(word)}"),
    ],
)
def test_a_text_of_constants_is_no_injection(body: str, found: Found) -> None:
    assert "sql-from-text" not in told(found({"src/boats.ts": SQL.replace("BODY", body)}, "security"))


@pytest.mark.parametrize(
    "body",
    [
        ASKS.format("${word}"),
        ASKS.format("'${order}'"),
        "    const like = word.split(' ').map((each) => `name LIKE '%${each}%'`).join(' AND ');\n"
        + ASKS.format("${like}"),
        "    let where = 'true';\n    if (word) where += ` AND name = '${word}'`;\n" + ASKS.format("${where}"),
        "    const sets = Object.keys(word).map((name) => `${name} = 1`).join();\n" + ASKS.format("${sets}"),
    ],
)
def test_a_text_of_what_somebody_types_is_one(body: str, found: Found) -> None:
    assert "sql-from-text" in told(found({"src/boats.ts": SQL.replace("BODY", body)}, "security"))


def test_an_assignment_under_a_condition_is_not_in_it(found: Found) -> None:
    code = "export function f(a, b) {\n  let c = 0;\n  if (a) c = b;\n  else c = a;\n  return c;\n}\n"
    assert "set-in-condition" not in told(found({"a.js": code}, "lint"))
    assert "set-in-condition" in told(found({"a.js": code.replace("(a)", "(a = b)")}, "lint"))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (".env.example", "DATABASE_URL=postgres://boats:boats@localhost:5432/boats\n"),
        (".env.example", "API_KEY=\nMAIL_URL=smtp://localhost:1025\n"),
        (".github/workflows/ci.yml", "env:\n  SESSION_SECRET: only-for-the-tests-0000\n"),
        ("docker-compose.yml", "environment:\n  POSTGRES_USER: harbour\n  POSTGRES_PASSWORD: harbour\n"),
    ],
)
def test_what_opens_only_the_own_machine_is_no_secret(path: str, text: str, found: Found) -> None:
    assert not found({path: text}, "secret")


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("scripts/push.sh", "sshpass -p 'Br9tag-Belege31' sftp files@mail.example\n"),
        ("docs/run.md", 'Try it:\n\n    curl -H "X-Gate-Key: gk_4hB2vLq7XtW9mZ1sRk8YcE6w" https://gate.example\n'),
        (".env.example", "MAIL_PASSWORD=Hx7-pelican!92\n"),
        ("docker-compose.yml", "environment:\n  POSTGRES_PASSWORD: Wq8-tide!mark\n"),
    ],
)
def test_what_opens_more_is_one(path: str, text: str, found: Found) -> None:
    assert found({path: text}, "secret")


LOOP = "def f(table, names, keep):\n    out = {}\n    for name in names:\n        {}\n    return out\n"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("out[name] = weigh(table.where(lambda row: row['n'] == name))", False),
        ("table = table.with_column(name, lambda row: row[name])", False),
        ("keep.append(lambda row: row[name])", True),
        ("out[name] = lambda row: row[name]", True),
        ("keep = executor.submit(lambda: out[name])", True),
    ],
)
def test_a_function_called_at_once_may_use_the_variable_of_its_loop(line: str, expected: bool, found: Found) -> None:
    assert (
        "B023" in told(found({"a.py": LOOP.replace("{}", line, 2).replace(f"out = {line}", "out = {}")}, "lint"))
    ) == expected


def test_a_view_that_asks_for_a_key_may_be_called_from_elsewhere(found: Found) -> None:
    asks = "def _gate(request):\n    return hmac.compare_digest(KEY, request.headers['X-Key'])\n\n\n"
    view = "@csrf_exempt\ndef swipe(request):\n    if not _gate(request):\n        return 403\n    return 200\n"
    assert "forgery-allowed" not in told(found({"a.py": asks + view}, "security"))
    assert "forgery-allowed" in told(found({"a.py": view}, "security"))


PRIVATE = (
    "class Boats:\n    def all(self):\n        return self._select('WHERE kept')\n\n"
    "    def one(self, word):\n        return self._select({})\n\n"
    "    def _select(self, where):\n        return self.db.execute(f'SELECT * FROM boats {{where}}').fetchall()\n"
)


@pytest.mark.parametrize(("given", "expected"), [("'WHERE id = ?'", False), ("WHERE", False), ("word", True)])
def test_what_a_private_method_is_handed_decides(given: str, expected: bool, found: Found) -> None:
    assert bool({"S608", "sql-from-text"} & told(found({"a.py": PRIVATE.format(given)}, "security"))) == expected
