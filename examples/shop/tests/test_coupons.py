from datetime import datetime

import pytest

from shop.errors import ShopError
from shop.extensions import db
from shop.models import Coupon
from shop.services import coupons


@pytest.fixture
def coupon(app):
    coupon = Coupon(code="SPRING", percent=10, amount=0, least_total=2000, uses_left=1)
    db.session.add(coupon)
    db.session.commit()
    return coupon


def test_usable(coupon):
    assert coupons.usable(" spring ", 2500) is coupon


def test_too_small(coupon):
    with pytest.raises(ShopError, match="too small"):
        coupons.usable("SPRING", 100)


def test_expired(coupon):
    coupon.valid_until = datetime(2020, 1, 1)
    with pytest.raises(ShopError, match="expired"):
        coupons.usable("SPRING", 2500)


def test_used_up(coupon):
    coupons.spend(coupon)
    with pytest.raises(ShopError, match="used up"):
        coupons.usable("SPRING", 2500)


def test_batch(app):
    made = coupons.make_batch(3, 15, prefix="MAI-")
    assert len({coupon.code for coupon in made}) == 3
