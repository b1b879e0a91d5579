import pytest

from shop.errors import ShopError
from shop.models import Address
from shop.services import cart as carts
from shop.services import checkout

HOME = {"name": "Ida", "street": "Hauptstr. 1", "postcode": "10115", "city": "Berlin", "country": "de"}


@pytest.fixture
def full_cart(user, lamp):
    cart = carts.cart_of(user)
    carts.add(cart, "L-1", 2)
    return cart


def test_order_from_an_address(user, lamp, full_cart, app):
    with app.test_request_context():
        order = checkout.place_order(user, full_cart, address=HOME)
    assert (order.goods_total, order.shipping, order.total) == (9800, 0, 9800)
    assert lamp.stock == 10
    assert full_cart.lines == []


def test_saved_address(user, full_cart, app):
    user.addresses.append(Address(**{**HOME, "country": "AT", "postcode": "1010"}))
    with app.test_request_context():
        order = checkout.place_order(user, full_cart)
    assert order.country == "AT"


def test_terms(user, full_cart):
    with pytest.raises(ShopError, match="terms"):
        checkout.place_order(user, full_cart, address=HOME, accept_terms=False)


@pytest.mark.parametrize(
    ("change", "field"),
    [({"city": ""}, "city"), ({"postcode": "1"}, "postcode"), ({"street": "Hauptstr."}, "street"), ({"country": "US"}, "country")],
)
def test_wrong_addresses(change, field):
    with pytest.raises(ShopError) as caught:
        checkout.check_address({**HOME, **change})
    assert caught.value.field == field


def test_cancel_puts_back(user, lamp, full_cart, app):
    with app.test_request_context():
        order = checkout.place_order(user, full_cart, address=HOME)
    assert checkout.cancel(order, user).status == "cancelled"
    assert lamp.stock == 12
