import pytest

from shop.errors import NotFound
from shop.extensions import db
from shop.models import Product
from shop.services import catalog, inventory


def test_hidden_products_are_not_found(lamp):
    lamp.hidden = True
    with pytest.raises(NotFound):
        catalog.product("reading-lamp")


def test_related_can_be_delivered(lamp):
    other = Product(sku="L-2", slug="desk-lamp", name="Desk lamp", category=lamp.category, price=100, stock=0)
    db.session.add(other)
    assert catalog.related(lamp) == []
    other.stock = 3
    assert catalog.related(lamp) == [other]


def test_low_stock(lamp):
    inventory.take(lamp, 8, "test")
    assert inventory.low_stock() == [lamp]
    inventory.put_back(lamp, 8, "test")
    assert inventory.low_stock() == []
