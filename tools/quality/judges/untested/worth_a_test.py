"""Which functions of a file are worth a test of their own."""

import re

from ...facts.file import FileFacts
from ...facts.measures import Function

LEAST_LINES = 10
"""Lines of code inside functions; less is not worth a test of its own."""
SMALL = 6
"""Lines of functions with a single branch between them that are read, not tested."""
LEAST_SERVED = 3
"""Addresses of a file that is told though it decides nothing."""
LEAST_OF_UNWATCHED = 7
"""Lines of what runs at night, where nobody sees that it does nothing."""
LEAST_OF_GUARDS = 4
"""Lines where a file decides who may do what, or speaks to other servers: there a single wrong one is too many."""
_GLUE = re.compile(r"(^|/)(wsgi|asgi|conftest|setup|settings|config|gunicorn\.conf)\.py$")
_GUARDS = re.compile(
    r"(^|/)_?(auth\w*|webhooks?|payments?|refunds?|permissions?|security|access|guards?|tokens?|crypto|acl|policy|policies)\.\w+$"
)
_UNWATCHED = re.compile(r"(^|/)(jobs|workers|tasks|cron|crons|cronjobs|scheduled|nightly)/(?!_)[^/]+$")
_ENTRY = re.compile(r"(^|/)(manage|__main__)\.py$")
LEAST_OF_ENTRY = 3
"""Branches of a file that starts the program, besides those of `main`: less only hands on."""
_RULES_OF_FORMS = frozenset({"BaseModel", "Schema", "BaseSchema", "SQLModel", "ModelSchema"})
_PUTS_TOGETHER = re.compile(
    r"(^|/)_?(container|wiring|bootstrap|composition(_?root)?|di|injection|providers|logger|logging|loggers?|log|extensions)\.\w+$"
)
MOST_OF_WIRING = 3
"""Branches of a file that puts the parts of a program together, or writes its log; more is a rule of its own."""
MOST_OF_FORMS = 6
"""Branches of a file of forms and schemas that every call goes through; more is a rule of its own."""
_REGISTERING = frozenset(
    {"register", "init_app", "create_app", "setup", "includeme", "register_commands", "add_routes"}
)
_OTHERS = frozenset(
    {"requests", "httpx", "jwt", "hmac", "stripe", "braintree", "cryptography", "boto3", "paramiko", "ldap3"}
)


def functions_worth_a_test(facts: FileFacts) -> list[Function]:
    """Return the functions of a file that need a test, if together they are worth one."""
    if _GLUE.search(facts.path) or facts.language not in ("python", "javascript", "typescript", "go", "java", "ruby"):
        return []
    functions = [each for each in facts.functions if not each.name.rpartition(".")[2].startswith("__")]
    branching = [each for each in functions if each.complexity > 1 and not _only_registers(each)]
    lines = sum(each.lines for each in functions)
    branches = sum(each.complexity - 1 for each in branching)
    if is_entry(facts.path):
        branches -= sum(each.complexity - 1 for each in branching if each.name == "main")
        return branching if branches >= LEAST_OF_ENTRY and lines >= LEAST_LINES else []
    if branches <= MOST_OF_FORMS and branching and all(_is_of_form(facts, each) for each in branching):
        return []
    if _GUARDS.search(facts.path) or _speaks_to_others(facts):
        return functions if branching and lines >= LEAST_OF_GUARDS else []
    if _PUTS_TOGETHER.search(facts.path) and branches <= MOST_OF_WIRING:
        return []
    if _UNWATCHED.search(facts.path):
        return branching if lines >= LEAST_OF_UNWATCHED else []
    small = sum(each.lines for each in branching) < SMALL and branches < 2
    return branching if lines >= LEAST_LINES and not small else []


def handlers_worth_a_test(facts: FileFacts) -> list[Function]:
    """Return the functions of a file that answers several addresses and decides nothing itself.

    They are worth a test where those of the other files have theirs: what they hand on, and to whom, can be wrong too.
    """
    served = len(set(facts.python.served)) if facts.python else 0
    functions = [each for each in facts.functions if not each.name.rpartition(".")[2].startswith("__")]
    return functions if served >= LEAST_SERVED and not _PUTS_TOGETHER.search(facts.path) else []


def is_entry(path: str) -> bool:
    """Return whether a file starts the program by its name."""
    return bool(_ENTRY.search(path))


def _is_of_form(facts: FileFacts, function: Function) -> bool:
    """Return whether a function is a check of a form or schema."""
    if facts.python is None:
        return False
    owners = [each.owner for each in facts.python.defined if each.owner and each.line <= function.line <= each.end]
    return any(_RULES_OF_FORMS & set(facts.python.bases.get(owner, ())) for owner in owners)


def _only_registers(function: Function) -> bool:
    """Return whether a function only hands its neighbours to a framework, one after the other."""
    return function.complexity <= 2 and function.name.rpartition(".")[2] in _REGISTERING


def _speaks_to_others(facts: FileFacts) -> bool:
    """Return whether a file asks other servers or signs: what goes wrong there is seen by strangers first."""
    return facts.python is not None and any(each.module.partition(".")[0] in _OTHERS for each in facts.python.imports)
