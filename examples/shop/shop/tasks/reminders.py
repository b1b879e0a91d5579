"""Remind customers who have not paid yet."""

from datetime import timedelta

from flask import current_app

from shop.extensions import db
from shop.lib.dates import utcnow
from shop.models import Order
from shop.models.order import OPEN
from shop.services import mailer


def unpaid():
    """Return open orders that are old enough and were not reminded yet."""
    limit = utcnow() - timedelta(days=current_app.config["REMIND_AFTER_DAYS"])
    return Order.query.filter(Order.status == OPEN, Order.placed_at < limit, Order.reminded_at.is_(None)).all()


def remind_unpaid():
    # TODO: stop after the second reminder and hand the order to Petra
    sent = 0
    for order in unpaid():
        mailer.payment_reminder(order)
        order.reminded_at = utcnow()
        sent += 1
    db.session.commit()
    return sent
