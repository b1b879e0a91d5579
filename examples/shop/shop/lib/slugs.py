"""Names as parts of an address."""

import re
import unicodedata

_REPLACED = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"}


def slugify(text):
    lowered = text.strip().lower()
    for letter, letters in _REPLACED.items():
        lowered = lowered.replace(letter, letters)
    plain = unicodedata.normalize("NFKD", lowered).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-") or "item"


def unique_slug(text, taken):
    """Return a slug that is not in `taken`."""
    slug = slugify(text)
    if slug not in taken:
        return slug
    number = 2
    while f"{slug}-{number}" in taken:
        number += 1
    return f"{slug}-{number}"
