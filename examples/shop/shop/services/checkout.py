"""From a cart to an order."""

import re
import secrets

from flask import current_app

from shop.errors import NotAllowed, NotFound, PaymentFailed, ShopError
from shop.extensions import db
from shop.lib.dates import utcnow
from shop.models import Address, Order, OrderLine, Product
from shop.models.order import CANCELLED, OPEN, PAID, SENT
from shop.services import coupons, inventory, mailer, payments, pricing, shipping

POSTCODES = {"DE": r"^\d{5}$", "AT": r"^\d{4}$", "NL": r"^\d{4} ?[A-Z]{2}$", "FR": r"^\d{5}$", "PL": r"^\d{2}-\d{3}$"}


def check_address(data):
    """Return the cleaned parts of an address, or raise ShopError for the first wrong one."""
    cleaned = {}
    for key in ("name", "street", "postcode", "city", "country"):
        value = str(data.get(key) or "").strip()
        if not value:
            raise ShopError(f"{key} is missing", field=key)
        if len(value) > 120:
            raise ShopError(f"{key} is too long", field=key)
        cleaned[key] = value
    cleaned["country"] = cleaned["country"].upper()
    if cleaned["country"] not in shipping.ZONES:
        raise ShopError("we do not ship there", field="country")
    pattern = POSTCODES.get(cleaned["country"])
    if pattern and not re.match(pattern, cleaned["postcode"]):
        raise ShopError("this is no postcode of that country", field="postcode")
    if not any(letter.isdigit() for letter in cleaned["street"]):
        raise ShopError("the house number is missing", field="street")
    return cleaned


def order_number(now):
    return f"{now:%y%m%d}-{secrets.token_hex(3).upper()}"


def place_order(user, cart, address_id=None, address=None, card_token=None, express=False, note="", accept_terms=True):
    """Turn a cart into an order, charge it and send the confirmation."""
    if not accept_terms:
        raise ShopError("please accept the terms", field="accept_terms")
    if not cart.lines:
        raise ShopError("the cart is empty", field="cart")
    if address_id is not None:
        chosen = db.session.get(Address, address_id)
        if chosen is None or chosen.user_id != user.id:
            raise NotFound("no such address", field="address_id")
        parts = {
            "name": chosen.name,
            "street": chosen.street,
            "postcode": chosen.postcode,
            "city": chosen.city,
            "country": chosen.country,
        }
    elif address is not None:
        parts = check_address(address)
    elif user.addresses:
        parts = check_address(vars(user.addresses[0]))
    else:
        raise ShopError("where should it go?", field="address")
    coupon = None
    if cart.coupon_code:
        goods = sum(line.product.price * line.quantity for line in cart.lines)
        try:
            coupon = coupons.usable(cart.coupon_code, goods)
        except ShopError:
            cart.coupon_code = None
    now = utcnow()
    priced = pricing.price_lines(cart.lines, user, coupon, now.date())
    goods_total = sum(line.unit_price * line.quantity for line in priced)
    discount = sum(line.discount for line in priced)
    if coupon is not None and coupon.amount:
        discount += pricing.coupon_amount(coupon, goods_total - discount)
    weight = 0
    has_glass = False
    for line in cart.lines:
        if line.product.hidden:
            raise NotFound(f"{line.product.name} is no longer for sale", field="cart")
        if not line.product.is_gift_card:
            weight += line.product.weight_g * line.quantity
            if "glass" in line.product.name.lower() or "bulb" in line.product.name.lower():
                has_glass = True
    postage = shipping.quote(weight, parts["country"], goods_total - discount, parts["postcode"], express, has_glass)
    total = goods_total - discount + postage
    if total > 200000 and not user.is_trade and not user.orders:
        raise NotAllowed("first orders above 2,000 € are placed by phone")
    if note and len(note) > 500:
        note = note[:500]
    order = Order(
        number=order_number(now),
        user=user,
        status=OPEN,
        address="\n".join([parts["name"], parts["street"], f"{parts['postcode']} {parts['city']}", parts["country"]]),
        country=parts["country"],
        coupon_code=coupon.code if coupon else None,
        goods_total=goods_total,
        discount=discount,
        shipping=postage,
        total=total,
        placed_at=now,
    )
    for line, result in zip(cart.lines, priced):
        inventory.take(line.product, line.quantity, f"order {order.number}")
        order.lines.append(
            OrderLine(
                sku=result.sku,
                name=result.name if not note else f"{result.name} ({note})",
                quantity=result.quantity,
                unit_price=result.unit_price,
                weight_g=line.product.weight_g,
            )
        )
    db.session.add(order)
    coupons.spend(coupon)
    if card_token:
        try:
            order.payment_id = payments.charge(order, card_token)
        except PaymentFailed:
            db.session.rollback()
            raise
        order.status = PAID
    elif total == 0:
        order.status = PAID
    cart.lines.clear()
    cart.coupon_code = None
    db.session.commit()
    if current_app.config.get("SEND_MAILS", True):
        mailer.order_placed(order)
    return order


def cancel(order, user):
    """Cancel an order that was not sent yet, put the pieces back and refund it."""
    if order.user_id != user.id and not user.is_staff:
        raise NotAllowed("this is not your order")
    if order.status == SENT:
        raise ShopError("the parcel is on its way")
    if order.status == CANCELLED:
        return order
    for line in order.lines:
        product = Product.query.filter_by(sku=line.sku).first()
        if product is not None:
            inventory.put_back(product, line.quantity, f"cancelled {order.number}")
    if order.status == PAID and order.payment_id:
        payments.refund(order)
    order.status = CANCELLED
    db.session.commit()
    return order
