"""What the path of a file says of it: product or example, whom it speaks to, whether it is the database's own."""

import re

from ...code_index.choice import role_of

SPEAKS = re.compile(
    r"(^|/)(cli|manage|__main__|scripts?|commands?|tools?|bin|management|tasks|migrations|seed\w*)(/|\.py$)|(^|/)\w*(?:cli|script)\.py$"
)
"""Files that talk to whoever started them."""
_RUNS_BY_ITSELF = re.compile(r"(^|/)(jobs?|workers?|cron|batch|schedul\w*)(/|\.py$)")
"""Files whose output the system mails or keeps."""
NEAR_DATABASE = re.compile(r"(^|/)(scripts|db|database|backends?|drivers?|migrations)/")
"""Scripts that run once, and the layer that is the database's own: there a query a round weighs less."""


def is_product(path: str) -> bool:
    """Return whether a file of any kind stands in a folder of the product, not of tests or examples."""
    return role_of(f"{path.rpartition('/')[0]}/x.py".lstrip("/"), "python") == "source"


def is_example(path: str) -> bool:
    """Return whether a file shows which variables of the environment can be set: `.env.example`."""
    return "env" in path and bool(
        re.search(r"(^|/)\.?[\w.-]*env[\w.-]*\.?(example|sample|template|dist|tpl)$|(^|/)(example|sample)\.env$", path)
    )


def speaks(path: str) -> bool:
    """Return whether a print in a file is read: by whoever started it, or in the output of a job."""
    return bool(SPEAKS.search(path) or _RUNS_BY_ITSELF.search(path))
