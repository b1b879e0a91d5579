"""Coupons: one per order, never on gift cards."""

import secrets
import string

from shop.errors import ShopError
from shop.extensions import db
from shop.lib.dates import utcnow
from shop.models import Coupon

ALPHABET = string.ascii_uppercase.replace("O", "") + "23456789"


def find(code):
    if not code:
        return None
    return Coupon.query.filter_by(code=code.strip().upper()).first()


def usable(code, goods_total):
    """Return the coupon, or raise ShopError with the reason."""
    coupon = find(code)
    if coupon is None:
        raise ShopError("we do not know this coupon", field="coupon")
    if coupon.valid_until is not None and coupon.valid_until < utcnow():
        raise ShopError("this coupon has expired", field="coupon")
    if coupon.uses_left is not None and coupon.uses_left <= 0:
        raise ShopError("this coupon was used up", field="coupon")
    if goods_total < coupon.least_total:
        raise ShopError("the order is too small for this coupon", field="coupon")
    return coupon


def spend(coupon):
    if coupon is not None and coupon.uses_left is not None:
        coupon.uses_left -= 1


def make_batch(count, percent, prefix=""):
    """Return `count` new codes for a mailing."""
    made = []
    while len(made) < count:
        code = prefix + "".join(secrets.choice(ALPHABET) for _ in range(8))
        if find(code) is None:
            coupon = Coupon(code=code, percent=percent, amount=0, least_total=0, uses_left=1)
            db.session.add(coupon)
            made.append(coupon)
    db.session.commit()
    return made
