"""Amounts are integers, in cents."""

import re

_AMOUNT = re.compile(r"^\s*(-?)(\d{1,7})(?:[.,](\d{1,2}))?\s*(?:€|EUR)?\s*$")


def parse_amount(text):
    """Return cents for "12,50", "12.5" or "12 €"."""
    match = _AMOUNT.match(text)
    if match is None:
        raise ValueError(f"not an amount: {text!r}")
    sign, euros, cents = match.groups()
    value = int(euros) * 100 + int((cents or "0").ljust(2, "0"))
    return -value if sign else value


def show_amount(cents):
    """Return "12.50 €"."""
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02d} €"


def share(cents, percent):
    """Return `percent` per cent of an amount, rounded half up as on our invoices."""
    return (cents * percent + 50) // 100


def vat_included(gross, rate):
    """Return the VAT contained in a gross amount; the rate is in per cent."""
    return gross - (gross * 100 + (100 + rate) // 2) // (100 + rate)
