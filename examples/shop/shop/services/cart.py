"""The cart of a customer."""

from shop.errors import NotFound, OutOfStock, ShopError
from shop.extensions import db
from shop.models import Cart, CartLine, Product
from shop.services import coupons, inventory, pricing

MOST_PIECES = 99


def cart_of(user):
    """Return the customer's cart, made when there is none."""
    cart = Cart.query.filter_by(user_id=user.id).first()
    if cart is None:
        cart = Cart(user_id=user.id)
        db.session.add(cart)
        db.session.flush()
    return cart


def add(cart, sku, quantity=1):
    """Put pieces of a product into a cart and return the line."""
    if not 1 <= quantity <= MOST_PIECES:
        raise ShopError(f"between 1 and {MOST_PIECES}", field="quantity")
    product = Product.query.filter_by(sku=sku, hidden=False).first()
    if product is None:
        raise NotFound("no such product", field="sku")
    line = cart.line_for(product)
    wanted = quantity + (line.quantity if line else 0)
    if not inventory.available(product, wanted):
        raise OutOfStock(f"only {product.stock} left of {product.name}", field="quantity")
    if line is None:
        line = CartLine(product=product, product_id=product.id, quantity=0)
        cart.lines.append(line)
    line.quantity = min(wanted, MOST_PIECES)
    return line


def remove(cart, sku):
    for line in list(cart.lines):
        if line.product.sku == sku:
            cart.lines.remove(line)
            return
    raise NotFound("not in the cart", field="sku")


def use_coupon(cart, code):
    coupon = coupons.usable(code, goods_total(cart))
    cart.coupon_code = coupon.code
    return coupon


def goods_total(cart):
    return sum(line.product.price * line.quantity for line in cart.lines)


def summary(cart, user):
    """Return the cart as the pages and the API show it."""
    coupon = coupons.find(cart.coupon_code)
    lines = pricing.price_lines(cart.lines, user, coupon)
    goods = sum(line.total for line in lines)
    return {"lines": lines, "goods_total": goods, "coupon": cart.coupon_code, "pieces": len(cart.lines)}
