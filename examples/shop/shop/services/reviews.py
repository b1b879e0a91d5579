"""Reviews by customers who bought the product."""

from shop.errors import NotAllowed, ShopError
from shop.extensions import db
from shop.models import Order, OrderLine, Review
from shop.models.order import CANCELLED


def has_bought(user, product):
    orders = db.session.query(OrderLine).join(Order)
    mine = orders.filter(Order.user_id == user.id, Order.status != CANCELLED)
    return mine.filter(OrderLine.sku == product.sku).first() is not None


def write(user, product, stars, text=""):
    """Return the customer's review of a product, new or changed."""
    if not 1 <= stars <= 5:
        raise ShopError("between one and five stars", field="stars")
    if not has_bought(user, product):
        raise NotAllowed("only customers who bought it can review it")
    review = Review.query.filter_by(user_id=user.id, product_id=product.id).first()
    if review is None:
        review = Review(user_id=user.id, product_id=product.id)
        db.session.add(review)
    review.stars = stars
    review.text = text.strip()
    db.session.commit()
    return review


def shown(product):
    return [review for review in product.reviews if not review.hidden]
