import pytest

from shop.errors import NotFound, OutOfStock
from shop.services import cart as carts


def test_add_and_remove(user, lamp):
    cart = carts.cart_of(user)
    carts.add(cart, "L-1", 2)
    assert carts.goods_total(cart) == 9800
    carts.remove(cart, "L-1")
    assert carts.summary(cart, user)["lines"] == []


def test_no_more_than_there_is(user, lamp):
    with pytest.raises(OutOfStock):
        carts.add(carts.cart_of(user), "L-1", 13)


def test_unknown_product(user):
    with pytest.raises(NotFound):
        carts.add(carts.cart_of(user), "X-9")
