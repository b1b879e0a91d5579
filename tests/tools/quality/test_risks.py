"""Bugs and holes told by the shape of the code: each kind found once, and left alone where it is none."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding
from maintainer.tools.quality import words
from maintainer.tools.quality.judges.bugs.risks import RISKS

Found = Callable[..., list[Finding]]
APP = {"manage.py": "print(1)\n", "requirements.txt": "flask==3.1.0\n"}


def rules(findings: list[Finding]) -> list[str]:
    return [finding.rule for finding in findings if finding.rule in RISKS]


def test_every_risk_is_explained_in_both_languages() -> None:
    for rule, (_, _, _, why) in RISKS.items():
        english, chinese = words.table("rule")[rule]
        assert english
        assert not chinese.isascii()
        assert why in words.table("reason")


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        (
            "import jwt\ndef who(raw):\n    return jwt.decode(raw, options={'verify_signature': False})\n",
            "token-unverified",
        ),
        ("import ssl\nbox = ssl.create_default_context()\nbox.verify_mode = ssl.CERT_NONE\n", "certificates-unchecked"),
        ("import requests\nclient = requests.Session()\nclient.verify = False\n", "certificates-unchecked"),
        ("def f(log, api_key):\n    log.info('key %s', api_key)\n", "secret-in-log"),
        (
            "import hmac\ndef ok(body, signature):\n    return hmac.new(b'', body).hexdigest() == signature\n",
            "compared-in-time",
        ),
        (
            "import hashlib\ndef keep(password):\n    return hashlib.sha256(password.encode()).hexdigest()\n",
            "fast-hash",
        ),
        ("def sign_in(person, password):\n    return person.password == password\n", "password-in-the-clear"),
        ("def f(answer):\n    answer.set_cookie('session', 'x')\n", "open-cookie"),
        ("def f(add, app):\n    add.CORSMiddleware(app, allow_origins=['*'], allow_credentials=True)\n", "any-origin"),
        ("@csrf_exempt\ndef transfer(request):\n    pass\n", "forgery-allowed"),
        ("from Crypto.Cipher import AES\ndef f(key):\n    return AES.new(key, AES.MODE_ECB)\n", "patterns-shown"),
        ("SESSION_COOKIE_SECURE = False\n", "switched-off"),
        ("ALLOWED_HOSTS = ['*']\n", "left-open"),
        ("def f(log, name):\n    log.warning('no {name} here')\n", "text-without-f"),
        ("class Cart:\n    lines = []\n\n    def put(self, line):\n        self.lines.append(line)\n", "shared-by-all"),
        ("def f(x):\n    try:\n        return int(x)\n    except Exception:\n        return 0\n", "error-unheard"),
        ("def f(sql, name):\n    sql += f\" AND name = '{name}'\"\n    return sql\n", "sql-from-text"),
        ("import re\nPATTERN = re.compile(r'^(\\w+)+$')\n", "endless-pattern"),
        ("def f(a):\n    if a == 1:\n        return 1\n    elif a == 1:\n        return 2\n", "asked-again"),
        ("def f(a):\n    if a:\n        print(1)\n    else:\n        print(1)\n", "branches-alike"),
        ("def f(a, b):\n    return a * b == 0.1\n", "equal-to-fraction"),
        ("import os\nDEBUG_SQL = bool(os.environ.get('DEBUG_SQL'))\n", "text-is-true"),
        ("class A:\n    def hello():\n        return 1\n", "without-self"),
        ("async def send(x):\n    return x\n\n\nasync def run():\n    send(1)\n", "never-awaited"),
    ],
)
def test_it_is_found(code: str, rule: str, found: Found) -> None:
    assert rule in rules(found(APP | {"app.py": code}, "security", "lint"))


@pytest.mark.parametrize(
    "code",
    [
        "import jwt\ndef who(raw, key):\n    return jwt.decode(raw, key, algorithms=['HS256'])\n",
        "def f(log, token_count):\n    log.info('tokens %s', token_count)\n",
        "def sign_up(form):\n    return form.password == form.password_again\n",
        "import hashlib\ndef name_of(body):\n    return hashlib.sha256(body).hexdigest()\n",
        "@csrf_exempt\ndef payment_webhook(request):\n    pass\n",
        "def f(log, name):\n    log.warning('a {word} that is no variable')\n",
        "class Cart:\n    lines = []\n\n    def __init__(self):\n        self.lines = []\n\n"
        "    def put(self, line):\n        self.lines.append(line)\n",
        "def f(x, log):\n    try:\n        return int(x)\n    except Exception:\n"
        "        log.exception('no number')\n        return 0\n",
        "def f(sql, name):\n    sql += ' AND name = ?'\n    return sql, [name]\n",
        "def f(a):\n    if a.pop():\n        return 1\n    elif a.pop():\n        return 2\n",
        "def f(a):\n    return a == 0.5\n",
        "import os\nNAME = bool(os.environ.get('NAME'))\n",
        "class A:\n    @staticmethod\n    def hello():\n        return 1\n",
        "async def send(x):\n    return x\n\n\nasync def run():\n    await send(1)\n",
    ],
)
def test_it_is_left_alone(code: str, found: Found) -> None:
    assert rules(found(APP | {"app.py": code}, "security", "lint")) == []


HANDLERS = """\
from flask import redirect, request, Markup
import requests
from . import scans

@app.get("/out")
def out():
    return redirect(request.args["to"])

@app.get("/scan/<name>")
def scan(name):
    return scans.show(name)

@app.post("/hook")
def hook():
    return requests.get(request.form.get("url"), timeout=3).text

@app.post("/send")
def send():
    sent = request.files["scan"]
    sent.save("/srv/" + sent.filename)

@app.post("/person")
def person():
    for key, value in request.json.items():
        setattr(me, key, value)
"""
SCANS = """\
from pathlib import Path

def show(name):
    return (Path("/srv/scans") / name).read_bytes()

def local(name):
    return (Path("/srv/scans") / name).read_bytes()
"""


def test_what_a_request_brings_is_followed_to_where_it_is_trusted(found: Found) -> None:
    findings = found(APP | {"web/__init__.py": "", "web/views.py": HANDLERS, "web/scans.py": SCANS}, "security")
    told = {(finding.rule, str(finding.place)) for finding in findings if finding.rule in RISKS}
    assert told == {
        ("open-redirect", "web/views.py:7"),
        ("request-forgery", "web/views.py:15"),
        ("path-from-user", "web/views.py:20"),
        ("set-by-user", "web/views.py:25"),
        ("path-from-user", "web/scans.py:4"),  # a handler hands it the name; nobody hands `local` one
    }


def test_what_is_checked_or_converted_first_is_no_risk(found: Found) -> None:
    code = """\
from flask import redirect, request, url_for

@app.get("/out")
def out():
    to = request.args.get("to", "/")
    if not to.startswith("/"):
        to = "/"
    return redirect(to)

@app.get("/page")
def page():
    return redirect(url_for("show", number=int(request.args["number"])))

@app.get("/topic/<number>")
def topic(number):
    row = rows.find(number)
    return redirect(row.address)

@app.get("/here/<name>")
def here(name):
    return redirect(f"/people/{name}")
"""
    assert rules(found(APP | {"views.py": code}, "security")) == []


@pytest.mark.parametrize(
    ("path", "code", "rule"),
    [
        ("a.js", "function f(x) { box.innerHTML = `<b>${x.name}</b>`; }", "page-from-text"),
        ("a.js", 'const cp = require("child_process"); function f(x) { cp.exec(`zip ${x}`); }', "shell-from-text"),
        ("a.ts", "async function f(db, x) { return db.query(`SELECT a FROM b WHERE c = '${x}'`); }", "sql-from-text"),
        ("a.ts", "const agent = new Agent({ rejectUnauthorized: false }); export { agent };", "certificates-unchecked"),
        ("a.js", "function resetToken() { return Math.random().toString(36); }", "guessable"),
        ("a.js", "function f(x) { try { x(); } catch (e) {} }", "error-unheard"),
        ("a.js", "function f(rows) { rows.forEach(async (row) => { await row.save(); }); }", "lost-promise"),
        ("a.js", "function f(a, b) { if (a = b) { return 1; } return 2; }", "set-in-condition"),
        ("a.js", "function f(a) { return a === NaN; }", "equal-to-nan"),
        ("a.js", "app.get('/x', (req, res) => { res.redirect(req.query.to); });", "open-redirect"),
        ("a.js", "function f() { debugger; }", "debugger-left"),
        ("a.go", 'package a\nfunc f(x string) { exec.Command("sh", "-c", "ls "+x).Run() }', "shell-from-text"),
        (
            "a.go",
            "package a\nfunc f() { c := &tls.Config{InsecureSkipVerify: true}; use(c) }",
            "certificates-unchecked",
        ),
        ("a.go", "package a\nfunc f(xs []X) { for _, x := range xs { defer x.Close() } }", "deferred-in-loop"),
        ("A.java", 'class A { boolean f(String a) { return a == "x"; } }', "compared-as-objects"),
        (
            "A.java",
            'class A { void f(S s, String n) { s.executeQuery("SELECT a FROM b WHERE c=" + n); } }',
            "sql-from-text",
        ),
    ],
)
def test_other_languages_have_risks_of_their_own(path: str, code: str, rule: str, found: Found) -> None:
    assert rule in rules(found({path: code + "\n"}, "security", "lint"))


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("a.js", "function f(x) { box.innerHTML = '<b>fixed</b>'; }"),
        ("a.js", "function f(x) { const found = /a/.exec(`b ${x}`); return found; }"),
        ("a.ts", "async function f(db, x) { return db.query('SELECT a FROM b WHERE c = $1', [x]); }"),
        ("a.js", "function f(x) { try { x(); } catch (e) { /* it may be gone already */ } }"),
        ("a.js", "function f(a) { let m; while ((m = a.next())) { use(m); } }"),
        ("a.js", "function shuffle() { return Math.random(); }"),
        ("A.java", "class A { boolean f(int a) { return a == 3; } }"),
    ],
)
def test_what_only_looks_like_a_risk_elsewhere_is_left_alone(path: str, code: str, found: Found) -> None:
    assert rules(found({path: code + "\n"}, "security", "lint")) == []
