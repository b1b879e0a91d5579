"""Orders as JSON."""

from flask import Blueprint, jsonify, request

from shop.api.guard import signed_in
from shop.api.payload import body
from shop.errors import NotFound
from shop.lib.pagination import paginate
from shop.models import Order
from shop.services import cart as carts
from shop.services import checkout, pricing

blueprint = Blueprint("orders", __name__)


def show(order):
    return {
        "number": order.number,
        "status": order.status,
        "placed_at": order.placed_at.isoformat(),
        "goods_total": order.goods_total,
        "discount": order.discount,
        "shipping": order.shipping,
        "total": order.total,
        "vat": pricing.vat_of(order.total, order.country),
        "lines": [{"sku": line.sku, "name": line.name, "quantity": line.quantity} for line in order.lines],
    }


@blueprint.post("/orders")
@signed_in
def place(user):
    data = body()
    order = checkout.place_order(
        user,
        carts.cart_of(user),
        address_id=data.get("address_id"),
        address=data.get("address"),
        card_token=data.get("card_token"),
        express=bool(data.get("express")),
        note=str(data.get("note") or ""),
        accept_terms=bool(data.get("accept_terms", True)),
    )
    return jsonify(show(order)), 201


@blueprint.get("/orders")
@signed_in
def own_orders(user):
    query = Order.query.filter_by(user_id=user.id).order_by(Order.placed_at.desc())
    page = paginate(query, request.args.get("page", 1, type=int), 10)
    return jsonify(page.to_dict(show))


@blueprint.post("/orders/<number>/cancel")
@signed_in
def cancel(user, number):
    order = Order.query.filter_by(number=number).first()
    if order is None:
        raise NotFound("no such order")
    return jsonify(show(checkout.cancel(order, user)))
