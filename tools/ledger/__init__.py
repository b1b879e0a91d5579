"""The ledger of standing facts: read from what is said, by rules of language; superseded, resolved, rendered."""

from .keeper import LedgerKeeper
from .ledger import Change, apply, observe
from .render import Line, fact_lines, plan_lines

__all__ = ["Change", "LedgerKeeper", "Line", "apply", "fact_lines", "observe", "plan_lines"]
