"""What is known of packages of Python without asking: their imports, what they bring along, and who uses them."""

from collections.abc import Mapping
from types import MappingProxyType

IMPORTED_AS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "attrs": ("attr", "attrs"),
        "beautifulsoup4": ("bs4",),
        "django-rest-framework": ("rest_framework",),
        "djangorestframework": ("rest_framework",),
        "faiss-cpu": ("faiss",),
        "gitpython": ("git",),
        "importlib-metadata": ("importlib_metadata",),
        "mysqlclient": ("MySQLdb",),
        "opencv-python": ("cv2",),
        "confluent-kafka": ("confluent_kafka",),
        "discord-py": ("discord",),
        "django-cors-headers": ("corsheaders",),
        "django-environ": ("environ",),
        "django-filter": ("django_filters",),
        "djangorestframework-simplejwt": ("rest_framework_simplejwt",),
        "factory-boy": ("factory",),
        "graphql-core": ("graphql",),
        "grpcio": ("grpc",),
        "ipython": ("IPython",),
        "kafka-python": ("kafka",),
        "mysql-connector-python": ("mysql",),
        "opencv-python-headless": ("cv2",),
        "peewee": ("peewee", "playhouse"),
        "pygithub": ("github",),
        "pymongo": ("pymongo", "bson", "gridfs"),
        "pymupdf": ("fitz", "pymupdf"),
        "python-decouple": ("decouple",),
        "python-ldap": ("ldap",),
        "python-magic": ("magic",),
        "python-telegram-bot": ("telegram",),
        "ruamel-yaml": ("ruamel",),
        "pillow": ("PIL",),
        "protobuf": ("google",),
        "psycopg2-binary": ("psycopg2",),
        "pycryptodome": ("Crypto",),
        "pyjwt": ("jwt",),
        "pymysql": ("pymysql",),
        "pyopenssl": ("OpenSSL",),
        "pyserial": ("serial",),
        "pysocks": ("socks",),
        "python-dateutil": ("dateutil",),
        "python-docx": ("docx",),
        "python-dotenv": ("dotenv",),
        "python-jose": ("jose",),
        "python-multipart": ("multipart", "python_multipart"),
        "python-slugify": ("slugify",),
        "pywin32": ("win32api", "win32con", "pywintypes"),
        "pyyaml": ("yaml",),
        "pyzmq": ("zmq",),
        "scikit-image": ("skimage",),
        "scikit-learn": ("sklearn",),
        "setuptools": ("setuptools", "pkg_resources"),
        "typing-extensions": ("typing_extensions",),
    }
)
"""Packages whose import name is not their own name."""
COMES_WITH: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "django": frozenset({"asgiref"}),
        "fastapi": frozenset({"starlette", "pydantic"}),
        "flask": frozenset({"werkzeug", "jinja2", "click", "markupsafe"}),
        "flask-sqlalchemy": frozenset({"sqlalchemy"}),
        "boto3": frozenset({"botocore"}),
        "pandas": frozenset({"numpy"}),
        "requests": frozenset({"urllib3"}),
        "pytest": frozenset({"_pytest", "pluggy"}),
        "sphinx": frozenset({"docutils"}),
    }
)
"""What a framework hands its users on purpose: importing it is not worth telling."""
BROUGHT_BY: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "django": frozenset({"sqlparse"}),
        "fastapi": frozenset({"anyio", "typing_extensions"}),
        "flask": frozenset({"itsdangerous", "blinker"}),
        "flask-login": frozenset({"werkzeug"}),
        "flask-wtf": frozenset({"wtforms", "itsdangerous"}),
        "flask-migrate": frozenset({"alembic"}),
        "celery": frozenset({"kombu", "billiard", "vine", "dateutil"}),
        "pandas": frozenset({"dateutil", "pytz"}),
        "matplotlib": frozenset({"dateutil", "PIL", "numpy"}),
        "requests": frozenset({"certifi", "idna", "charset_normalizer"}),
        "httpx": frozenset({"httpcore", "anyio", "certifi", "idna"}),
        "jinja2": frozenset({"markupsafe"}),
        "alembic": frozenset({"mako"}),
    }
)
"""What a package needs for itself: it comes along, until that package does without it."""
_DATABASES = frozenset(
    {
        *("sqlalchemy", "flask-sqlalchemy", "sqlmodel", "django", "peewee", "tortoise-orm", "databases", "alembic"),
        *("dj-database-url", "django-environ", "pony", "yoyo-migrations", "ormar", "piccolo", "records", "dataset"),
        *("advanced-alchemy", "apscheduler", "celery", "procrastinate", "pandas", "airflow", "apache-airflow"),
    }
)
_SHEETS = frozenset({"pandas", "polars", "tablib", "django-import-export", "pyexcel", "geopandas", "dask", "duckdb"})
_WEB = frozenset({"fastapi", "starlette", "litestar", "flask", "django", "sanic", "aiohttp", "falcon", "quart"})
_SIGNING = frozenset(
    {
        *("pyjwt", "python-jose", "authlib", "joserfc", "jwcrypto", "josepy", "pyopenssl", "paramiko", "asyncssh"),
        *(
            "pymysql",
            "oauthlib",
            "requests-oauthlib",
            "msal",
            "webauthn",
            "django-allauth",
            "celery",
            "urllib3",
            "redis",
        ),
        *("djangorestframework-simplejwt", "flask-jwt-extended", "fastapi-users", "social-auth-core", "twisted"),
        *("python-social-auth", "snowflake-connector-python", "google-auth", "mozilla-django-oidc", "gunicorn"),
    }
)
_PASSWORDS = frozenset(
    {"django", "passlib", "pwdlib", "flask-bcrypt", "flask-security", "flask-security-too", "paramiko", "fastapi-users"}
)
USED_BY: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "openpyxl": _SHEETS,
        "xlrd": _SHEETS,
        "xlsxwriter": _SHEETS,
        "pyarrow": _SHEETS | {"datasets", "fastparquet", "streamlit", "deltalake", "pyspark"},
        "lxml": _SHEETS
        | {"beautifulsoup4", "zeep", "scrapy", "pyquery", "python-docx", "premailer", "feedgen", "signxml"},
        "html5lib": frozenset({"beautifulsoup4", "bleach", "pandas", "xhtml2pdf"}),
        "httpx": frozenset({"fastapi", "starlette", "litestar", "openai", "anthropic", "authlib"}),
        "jinja2": _WEB
        | {"sphinx", "mkdocs", "pandas", "nbconvert", "fastapi-mail", "dbt-core", "ansible", "starlette"},
        "python-multipart": _WEB,
        "email-validator": _WEB | {"pydantic", "wtforms", "flask-wtf", "marshmallow"},
        "python-dotenv": _WEB | {"pydantic-settings", "django-environ", "uvicorn", "environs", "dynaconf", "honcho"},
        "cryptography": _SIGNING,
        "argon2-cffi": _PASSWORDS,
        "bcrypt": _PASSWORDS,
        "greenlet": _DATABASES | {"gevent", "eventlet", "playwright"},
        **dict.fromkeys(
            ("mysqlclient", "pymysql", "asyncpg", "aiosqlite", "aiomysql", "psycopg", "psycopg2"), _DATABASES
        ),
        **dict.fromkeys(("psycopg2-binary", "psycopg-binary", "oracledb", "pyodbc"), _DATABASES),
    }
)
"""What other packages load by an address, a setting or the name of an engine, and by whom that is done."""
