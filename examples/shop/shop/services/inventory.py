"""Stock: what is there, what is promised."""

from shop.errors import OutOfStock
from shop.extensions import db
from shop.models import Cart, CartLine, Product, StockMove
from shop.services import catalog

LOW = 5


def available(product, quantity=1):
    return product.is_gift_card or product.stock >= quantity


def take(product, quantity, reason):
    """Take pieces out of stock, or raise OutOfStock."""
    if product.is_gift_card:
        return
    if product.stock < quantity:
        raise OutOfStock(f"only {product.stock} left of {product.name}", field="quantity")
    product.stock -= quantity
    db.session.add(StockMove(product=product, change=-quantity, reason=reason))


def put_back(product, quantity, reason):
    if product.is_gift_card:
        return
    product.stock += quantity
    db.session.add(StockMove(product=product, change=quantity, reason=reason))


def low_stock():
    """Return visible products that should be ordered from the supplier."""
    return catalog.visible().filter(Product.stock <= LOW, Product.is_gift_card.is_(False)).all()


def in_carts(product):
    """Return how many pieces lie in carts."""
    lines = db.session.query(CartLine).join(Cart).filter(CartLine.product_id == product.id)
    return sum(line.quantity for line in lines)
