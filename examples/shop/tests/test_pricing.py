from datetime import datetime

import pytest

from shop.models import CartLine, Coupon
from shop.services.pricing import coupon_amount, price_lines, vat_of


def priced(product, quantity, **options):
    return price_lines([CartLine(product=product, quantity=quantity)], **options)[0]


def test_one_piece_has_no_discount(lamp):
    assert priced(lamp, 1).total == 4900


def test_bulk_discount(lamp):
    line = priced(lamp, 5)
    assert (line.discount, line.notes) == (2450, ["bulk"])


def test_trade_customers_get_the_better_rate(lamp, user):
    user.is_trade = True
    assert priced(lamp, 1, user=user).discount == 588


def test_gift_cards_have_no_discount(lamp, user):
    lamp.is_gift_card = True
    user.is_trade = True
    assert priced(lamp, 9, user=user).discount == 0


def test_coupon_percent(lamp):
    coupon = Coupon(code="TEN", percent=10, amount=0, least_total=0)
    assert priced(lamp, 1, coupon=coupon).discount == 490


def test_expired_coupon(lamp):
    coupon = Coupon(code="OLD", percent=10, valid_until=datetime(2020, 1, 1))
    assert priced(lamp, 1, coupon=coupon, today=datetime(2024, 1, 1).date()).discount == 0


@pytest.mark.parametrize(("goods", "off"), [(500, 0), (1000, 300), (200, 0)])
def test_coupon_amount(goods, off):
    coupon = Coupon(code="THREE", amount=300, least_total=1000)
    assert coupon_amount(coupon, goods) == off


def test_vat():
    assert vat_of(12000, "AT") == 2000
