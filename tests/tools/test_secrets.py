import pytest
from maintainer.tools.secrets import find, mask

SECRETS = [
    ("ghp_" + "a1B2" * 9, "github-token"),
    ("sk-proj-" + "abc123DEF456ghi789jkl", "openai-key"),
    ("sk-ant-" + "api03-abcdefgh1234567890", "anthropic-key"),
    ("AKIA" + "IOSFODNN7ABCDEFG", "aws-key"),
    ("xoxb-" + "123456789012-abcdefghij", "slack-token"),
    ("eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxMjM0NTY3ODkwIn0.dBjftJeZ4CVPmB92K27uhbUJU1p1r", "jwt"),
    ("-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----", "private-key"),
    ('password = "hunter2"', "password"),
    ('"db_password": "swordfish"', "password"),
    ("DB_PASSWORD=s3cr3t!", "password"),
    ('DB_PASS = "Hunter2!"', "password"),
    ("export PASSWORD=swordfish", "password"),
    ("<password>s3cret9</password>", "password"),
    ("the password is Sw0rdfish.", "password"),
    ("the password for `db/main.py` is hunter22, never tell it", "password"),
    ("the api key of the maps service: abcd1234efgh", "secret"),
    ("数据库密码是 Tr0ub4dor", "password"),
    ("密码：abc123", "password"),
    ("口令改为 kaimen88", "password"),
    ("令牌：9f8e7d6c5b4a", "secret"),
    ("my api_key is abcd1234efgh", "secret"),
    ('"clientSecret": "8f3kd02ms8d"', "secret"),
    ("AccountKey=abcd1234EFGH5678==;", "secret"),
    ("API_TOKEN: 550e8400-e29b-41d4-a716-446655440000", "secret"),
    ("postgres://app:p4ss@db/main", "url-password"),
    ("curl -H 'Authorization: Bearer abcdefgh12345'", "authorization"),
    ("mysql --password hunter2 --host db", "option"),
    ("curl -u admin:hunter22 https://h", "option"),
    ('os.getenv("CLINIC_TOKEN_SECRET", "9f2c1b7e44d84a0f")', "secret"),
    ('environ.get("SIGNING_KEY") or "b6d0c5e1f2a94780"', "secret"),
    ('const t = process.env.API_TOKEN || "b6d0c5e1f2a94780";', "secret"),
    ('AUTH = ("depot", "S3nd-me-2day!")', "password"),
    ('HTTPBasicAuth("depot", "S3nd-me-2day!")', "password"),
    ("machine example.org login me password hunter2", "netrc-password"),
    ('x = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYAB12CDKEYx"', "random-string"),
]


@pytest.mark.parametrize(("text", "kind"), SECRETS)
def test_a_secret_is_found_and_masked_once(text: str, kind: str) -> None:
    masked = mask(f"before\n{text}\nafter")
    assert [hit.kind for hit in find(text)] == [kind]
    assert f"[masked {kind}]" in masked
    assert masked.startswith("before\n")
    assert masked.endswith("\nafter")
    assert mask(masked) == masked


@pytest.mark.parametrize(
    "text",
    [
        "commit 550e8400e29b41d4a716446655440000deadbeef",
        'uuid = "550e8400-e29b-41d4-a716-446655440000"',
        "sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        '"integrity": "sha512-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfGhIjKlMnOpQrStUvWxYz0123456789=="',
        "github.com/x/y v1.2.3 h1:AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCdEfG=",
        "password: str",
        "pass_count = 12345678",
        "by-pass: some words",
        'os.getenv("API_TOKEN", "")',
        'get("token_type", "bearer")',
        'auth = ("user", "default")',
        "def read(self, name, pwd=None):",
        "password = getpass.getpass()",
        'token = os.environ["API_TOKEN"]',
        'password=os.getenv("X")',
        "self.password = password1.value",
        "token = next(tokens)",
        'TOKEN = re.compile(r"[a-z0-9]+")',
        "max_tokens: 4000",
        "the password is wrong",
        "The token for the build is missing",
        "the secret of success is hard work",
        "the token of step 3 is at line 1234",
        "the token is at line 1234",
        "密码长度是 8 位",
        "请输入密码: 至少 8 位",
        'password = "password"',
        'password: "${DB_PASSWORD}"',
        'SECRET_KEY = "dev"',
        "https://user:pass@example.com",
        "https://user:${PW}@h",
        'password_hash = "abc123"',
        'key = "maintainer/tools/search/HybridIndexBuilder2Engine"',
        '"password": "Passwort"',
        "",
    ],
)
def test_hashes_references_and_placeholders_are_left_alone(text: str) -> None:
    assert mask(text) == text


def test_only_the_value_is_masked_and_its_place_is_told() -> None:
    text = 'host = "db"\npassword = "hunter2"\nport = 5432'
    [hit] = find(text)
    assert text[hit.start : hit.end] == "hunter2"
    assert mask(text) == 'host = "db"\npassword = "[masked password]"\nport = 5432'


def test_several_secrets_are_all_masked() -> None:
    text = "密码：abc123，token=a1b2c3d4e5 and ghp_" + "x9Y8" * 9
    assert mask(text) == "密码：[masked password]，token=[masked secret] and [masked github-token]"


def test_a_private_key_that_was_cut_off_is_masked_to_the_end() -> None:
    assert mask("key:\n-----BEGIN PRIVATE KEY-----\nMIIEow9d8f7\nabc") == "key:\n[masked private-key]"
