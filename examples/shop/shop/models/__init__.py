"""All tables."""

from shop.models.address import Address
from shop.models.cart import Cart, CartLine
from shop.models.category import Category
from shop.models.coupon import Coupon
from shop.models.order import Order, OrderLine
from shop.models.product import Product
from shop.models.review import Review
from shop.models.stock import StockMove
from shop.models.user import User

__all__ = [
    "Address",
    "Cart",
    "CartLine",
    "Category",
    "Coupon",
    "Order",
    "OrderLine",
    "Product",
    "Review",
    "StockMove",
    "User",
]
