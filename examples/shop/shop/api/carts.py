"""The cart as JSON."""

from flask import Blueprint, jsonify

from shop.api.guard import signed_in
from shop.api.payload import body, whole_number, words
from shop.extensions import db
from shop.services import cart as carts

blueprint = Blueprint("carts", __name__)


def show(summary):
    lines = [
        {"sku": line.sku, "name": line.name, "quantity": line.quantity, "total": line.total, "notes": line.notes}
        for line in summary["lines"]
    ]
    return {**summary, "lines": lines}


@blueprint.get("/cart")
@signed_in
def get_cart(user):
    return jsonify(show(carts.summary(carts.cart_of(user), user)))


@blueprint.post("/cart/lines")
@signed_in
def add_line(user):
    data = body()
    cart = carts.cart_of(user)
    carts.add(cart, words(data, "sku"), whole_number(data, "quantity", 1))
    db.session.commit()
    return jsonify(show(carts.summary(cart, user))), 201


@blueprint.delete("/cart/lines/<sku>")
@signed_in
def remove_line(user, sku):
    cart = carts.cart_of(user)
    carts.remove(cart, sku)
    db.session.commit()
    return jsonify(show(carts.summary(cart, user)))


@blueprint.post("/cart/coupon")
@signed_in
def use_coupon(user):
    cart = carts.cart_of(user)
    carts.use_coupon(cart, words(body(), "code", most=40))
    db.session.commit()
    return jsonify(show(carts.summary(cart, user)))
