import pytest

from shop.errors import NotAllowed
from shop.services import cart as carts
from shop.services import checkout, reviews

HOME = {"name": "Ida", "street": "Hauptstr. 1", "postcode": "10115", "city": "Berlin", "country": "DE"}


def test_only_customers_who_bought_it(user, lamp):
    with pytest.raises(NotAllowed):
        reviews.write(user, lamp, 5)


def test_write(user, lamp, app):
    cart = carts.cart_of(user)
    carts.add(cart, "L-1")
    with app.test_request_context():
        checkout.place_order(user, cart, address=HOME)
    reviews.write(user, lamp, 4, " bright ")
    assert (lamp.stars, reviews.shown(lamp)[0].text) == (4, "bright")
