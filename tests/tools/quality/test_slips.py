"""Slips that run without an error: used up, waited for, cut off, left open, written down, never read."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]
APP = {"manage.py": "print(1)\n", "requirements.txt": "flask==3.1.0\n"}
FREE = "def f(boats):\n    free = (each for each in boats if each.free)\n    best = min(free)\n"
COMMAND = (
    "class Command(BaseCommand):\n    def add_arguments(self, parser):\n        parser.add_argument('--dry-run')\n\n"
    "    def handle(self, *args, **options):\n"
)
PARSES = (
    "import argparse\np = argparse.ArgumentParser()\np.add_argument('--keep')\np.add_argument('--dry-run')\n"
    "args = p.parse_args()\n"
)
CLICK = "@cli.command()\n@click.option('--force', is_flag=True)\ndef clean(force):\n"
BODY = "@router.post('/members')\ndef join(body: NewMember):\n    logger.info('new %s', {})\n    return keep(body)\n"
FORM = "class {}(forms.ModelForm):\n    class Meta:\n        model = Member\n        fields = {}\n"
HTTP = "import urllib.request, smtplib, requests\nsession = requests.Session()\n\n\ndef f(url):\n    return {}\n"
CORS = "app.add_middleware(CORSMiddleware, allow_origin_regex={}, allow_credentials=True)\n"
SHARED = "import sqlite3\n\n\ndef connect(path):\n    made = sqlite3.connect(path, check_same_thread=False)\n    {}\n"
HANDLER = (
    "import sqlite3\n@app.route('/boats')\ndef boats():\n    made = sqlite3.connect(PATH)\n"
    "    rows = made.execute(ALL)\n    {}\n"
)


def rules(findings: list[Finding]) -> set[str]:
    return {each.rule for each in findings}


@pytest.mark.parametrize(
    ("code", "rule", "expected"),
    [
        (FREE + "    return best, len(list(free))\n", "used-up", True),
        (FREE + "    for each in free:\n        print(each)\n", "used-up", True),
        (
            "def f(x):\n    g = (r for r in x)\n    for a in g:\n        for b in g:\n            a(b)\n",
            "used-up",
            False,
        ),
        (
            "def g(x):\n    yield x\n\n\ndef f(x):\n    rows = g(x)\n    a = sum(rows)\n    return a, max(rows)\n",
            "used-up",
            True,
        ),
        (
            FREE.replace("(each for each in boats if each.free)", "list(boats)") + "    return list(free)\n",
            "used-up",
            False,
        ),
        ("def f(a, b):\n    c = map(int, a)\n    if b:\n        return sum(c)\n    return max(c)\n", "used-up", False),
        ("def f(*rows):\n    rows = (g(row) for row in rows)\n    return h(*rows)\n", "used-up", False),
        ("def f(a, b):\n    c = map(int, a)\n    if b:\n        sum(c)\n    else:\n        max(c)\n", "used-up", False),
        (HTTP.format("urllib.request.urlopen(url)"), "waits-for-ever", True),
        (HTTP.format("smtplib.SMTP(url, 25)"), "waits-for-ever", True),
        (HTTP.format("session.get(url)"), "waits-for-ever", True),
        (HTTP.format("session.get(url, timeout=9)"), "waits-for-ever", False),
        (HTTP.format("urllib.request.urlopen(url, None, 9)"), "waits-for-ever", False),
        ("def f(price, part):\n    return int(price * (1 - part / 100))\n", "cut-off", True),
        ("def f(row):\n    return int(row['amount'] * 1.19)\n", "cut-off", True),
        ("def f(text_amount):\n    return int(float(text_amount) * 100)\n", "cut-off", True),
        ("def f(price):\n    return int(round(price * 1.19))\n", "cut-off", False),
        ("def f(seconds):\n    return int(seconds / 60)\n", "cut-off", False),
        (COMMAND + "        clean()\n", "option-unread", True),
        (COMMAND + "        clean(options['dry_run'])\n", "option-unread", False),
        (COMMAND + "        clean(**options)\n", "option-unread", False),
        (PARSES + "clean(args.keep)\n", "option-unread", True),
        (PARSES + "clean(args.keep, args.dry_run)\n", "option-unread", False),
        (PARSES + "clean(args)\n", "option-unread", False),
        (CLICK + "    remove_all()\n", "option-unread", True),
        (CLICK + "    remove_all(force)\n", "option-unread", False),
        (BODY.format("body.model_dump_json()"), "personal-in-log", True),
        (BODY.format("body"), "personal-in-log", True),
        (BODY.format("body.iban"), "personal-in-log", True),
        (BODY.format("body.kind"), "personal-in-log", False),
        (BODY.format("body.iban[-4:]"), "personal-in-log", False),
        (FORM.format("ProfileForm", "'__all__'"), "every-column", True),
        (FORM.format("ProfileForm", "['name']"), "every-column", False),
        (FORM.format("MemberAdminForm", "'__all__'"), "every-column", False),
        ("@app.post('/b')\ndef add():\n    row = Boat(**request.json)\n    return keep(row)\n", "set-by-user", True),
        ("@app.post('/b')\ndef add():\n    row = Boat(**BoatSchema().load(request.json))\n", "set-by-user", False),
        (CORS.format("'.*'"), "any-origin", True),
        (CORS.format("r'https://.*'"), "any-origin", True),
        (CORS.format("r'https://.*\\.boats\\.example'"), "any-origin", False),
        ("CORS(app, supports_credentials=True)\n", "any-origin", True),
        ("CORS(app, origins=ORIGINS, supports_credentials=True)\n", "any-origin", False),
        ("import os\nDEBUG = os.environ.get('BOATS_DEBUG', '1') == '1'\n", "left-open", True),
        ("DEBUG = env.bool('DEBUG', default=True)\n", "left-open", True),
        ("import os\nDEBUG = os.environ.get('BOATS_DEBUG', '') == '1'\n", "left-open", False),
        ("import os\nDEBUG = os.environ.get('BOATS_ENV', 'production') != 'production'\n", "left-open", False),
        ("SESSION_COOKIE_SECURE = env.bool('SECURE', default=False)\n", "switched-off", True),
        (SHARED.format("return made"), "connection-shared", True),
        (SHARED.format("yield made"), "connection-shared", False),
        (HANDLER.format("return list(rows)"), "opened-each-time", True),
        (HANDLER.format("made.close()"), "opened-each-time", False),
        (
            "def f(members):\n    for m in members:\n        send(m, 'Dear {m.name}, come back')\n",
            "text-without-f",
            True,
        ),
        ("def f(m):\n    send('Dear {m.name}, come back'.format(m=m))\n", "text-without-f", False),
    ],
)
def test_a_slip_is_told_and_its_right_form_is_not(code: str, rule: str, expected: bool, found: Found) -> None:
    assert (rule in rules(found(APP | {"app.py": code}, "lint", "security"))) == expected


@pytest.mark.parametrize(
    ("code", "told"), [("def f(total):\n    total = total\n    return total\n", True), ("str = str\n", False)]
)
def test_a_module_may_hand_a_name_on_that_python_has(code: str, told: bool, found: Found) -> None:
    findings = found({"main.py": "import shop.compat\n", "shop/compat.py": code}, "lint")
    assert ("PLW0127" in {each.rule for each in findings}) is told
