from datetime import timedelta

from shop.extensions import db
from shop.lib.dates import utcnow
from shop.models import Cart
from shop.tasks.cleanup import drop_old_carts


def test_old_carts_go(app):
    db.session.add(Cart(touched_at=utcnow() - timedelta(days=60)))
    db.session.add(Cart(touched_at=utcnow()))
    db.session.commit()
    assert drop_old_carts() == 1
    assert Cart.query.count() == 1
