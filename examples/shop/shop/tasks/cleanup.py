"""Throw away what nobody comes back for."""

from datetime import timedelta

from flask import current_app

from shop.extensions import db
from shop.lib.dates import utcnow
from shop.models import Cart


def drop_old_carts():
    """Delete carts that were not touched for a while and return how many."""
    limit = utcnow() - timedelta(days=current_app.config["CART_DAYS"])
    old = Cart.query.filter(Cart.touched_at < limit).all()
    for cart in old:
        db.session.delete(cart)
    db.session.commit()
    return len(old)
