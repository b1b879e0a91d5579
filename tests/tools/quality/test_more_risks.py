"""Holes and bugs of Python by their shape: secrets compared, defaults kept, conditions decided, input asserted."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding
from maintainer.tools.quality.judges.bugs.risks import RISKS

Found = Callable[..., list[Finding]]
APP = {"manage.py": "print(1)\n", "requirements.txt": "flask==3.1.0\n"}


def rules(findings: list[Finding]) -> list[str]:
    return [finding.rule for finding in findings if finding.rule in (*RISKS, "S311", "S324")]


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("def f(r):\n    if r.headers.get('X-Sig', '') != pay.sign(r.body):\n        return 403\n", "compared-in-time"),
        (
            "def f(body, sent):\n    wanted = hmac.new(KEY, body, 'sha256').hexdigest()\n    return wanted == sent\n",
            "compared-in-time",
        ),
        ("def f(request):\n    return request.headers['X-Key'] == settings.API_KEY\n", "compared-in-time"),
        ("def f(given):\n    return given != current_app.config['KIOSK_KEY']\n", "compared-in-time"),
        ("def f(user, token):\n    return user.reset_token == token\n", "compared-in-time"),
        ("def f(form):\n    return session.get('csrf_token') != form['token']\n", "compared-in-time"),
        ("class A(Base):\n    at = Column(DateTime, default=datetime.utcnow())\n", "default-kept"),
        ("class A(Model):\n    at = models.DateTimeField(default=timezone.now())\n", "default-kept"),
        ("class A(Base):\n    key: Mapped[str] = mapped_column(default=str(uuid4()))\n", "default-kept"),
        ("class A(BaseModel):\n    key: str = Field(default=uuid4().hex)\n", "default-kept"),
        ("TODAY = date.today()\n\n\ndef late(due):\n    return due < TODAY\n", "default-kept"),
        ("class A(Model):\n    tags = models.JSONField(default={})\n", "default-shared"),
        ("def f(q):\n    return q.filter(Loan.returned_at is None)\n", "decided-in-python"),
        ("def f(q):\n    return q.where(not Loan.returned)\n", "decided-in-python"),
        ("def f(q, day):\n    return q.filter(Loan.due < day and Loan.kind == 'x')\n", "decided-in-python"),
        ("def f(q):\n    return q.filter(Loan.state in ('a', 'b'))\n", "decided-in-python"),
        ("def f(q):\n    return q.filter(Q(a=1) or Q(b=2))\n", "decided-in-python"),
        ("def f(rows):\n    conditions = []\n    conditions.append(Loan.at is not None)\n", "decided-in-python"),
        ("def pay(amount):\n    assert amount > 0\n    book(amount)\n", "checked-by-assert"),
        (
            "def read(text):\n    for row in text.split():\n        assert len(row) == 3, f'bad row {row}'\n",
            "checked-by-assert",
        ),
        (
            "import random\ndef send_new_pin(m):\n    pin = ''.join(random.choice('0123456789') for _ in range(6))\n"
            "    m.pin_hash = h(pin)\n",
            "S311",
        ),
        ("import random\ndef coupon():\n    return random.randint(1, 9)\n", "S311"),
        ("import random\ndef f(phone):\n    code = random.randint(1000, 9999)\n    sms.send(phone, code)\n", "S311"),
    ],
)
def test_it_is_found(code: str, rule: str, found: Found) -> None:
    assert rule in rules(found(APP | {"app.py": code}, "security", "lint"))


@pytest.mark.parametrize(
    "code",
    [
        "import hmac\ndef f(a, signature):\n    return hmac.compare_digest(sign(a), signature)\n",
        "def f(token):\n    return token == END_OF_FILE\n",
        "def f(tok, token):\n    return tok.token == token\n",
        "def f(q, token):\n    return q.filter(Person.reset_token == token)\n",
        "def f(settings):\n    if settings.API_KEY == '':\n        raise ValueError\n",
        "class A(Base):\n    at = Column(DateTime, default=datetime.utcnow)\n",
        "class A(Base):\n    at = Column(DateTime, default=func.now())\n",
        "class A(BaseModel):\n    tags: list[str] = Field(default=[])\n",
        "STARTED = time.time()\n\n\ndef up():\n    return time.time() - STARTED\n",
        "def f(q):\n    return q.filter(Loan.returned_at == None)\n".replace("== None", ".is_(None)"),
        "def f(rows):\n    return filter(lambda row: row is None, rows)\n",
        "def f(q, day):\n    return q.where(Loan.due < day if day is not None else True)\n",
        "def f(x):\n    assert x is not None\n    assert isinstance(x, int)\n    return x\n",
        "def _f(amount):\n    assert amount > 0\n",
        "import random\ndef pickup_code():\n    '''Shown, not a secret.'''\n    return random.choice('AB')\n",
        "import random\ndef display_code():\n    return random.choice('AB')\n",
        "import random\ndef pick(pins, shuffled):\n    random.shuffle(shuffled)\n    return shuffled\n",
        "import hashlib\ndef etag(session, x):\n    return hashlib.md5(str(session.get(x)).encode()).hexdigest()\n",
    ],
)
def test_it_is_left_alone(code: str, found: Found) -> None:
    assert rules(found(APP | {"app.py": code}, "security", "lint")) == []
