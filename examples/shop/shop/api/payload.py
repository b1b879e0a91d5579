"""Reading the body of a request."""

from flask import request

from shop.errors import ShopError


def body():
    data = request.get_json(silent=True)
    if not isinstance(data, dict):
        raise ShopError("a JSON object is needed")
    return data


def whole_number(data, key, default=None):
    """Return a field as int, or raise ShopError naming it."""
    value = data.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ShopError(f"{key} must be a whole number", field=key)
    return value


def words(data, key, most=200):
    value = data.get(key)
    if not isinstance(value, str) or not value.strip():
        raise ShopError(f"{key} is missing", field=key)
    if len(value) > most:
        raise ShopError(f"{key} is too long", field=key)
    return value.strip()
