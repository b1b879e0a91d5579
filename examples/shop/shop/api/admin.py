"""For staff: figures, stock, coupons."""

from flask import Blueprint, Response, jsonify, request

from shop.api.guard import staff_only
from shop.api.payload import body, whole_number
from shop.lib.money import show_amount
from shop.services import coupons, exports, inventory, reports

blueprint = Blueprint("admin", __name__, url_prefix="/admin")


@blueprint.get("/figures/<month>")
@staff_only
def figures(month):
    best = [{"name": name, "revenue": show_amount(cents)} for name, cents in reports.best_customers(month)]
    sold = [{"sku": product.sku, "pieces": pieces} for product, pieces in reports.best_products(month)]
    return jsonify(figures=dict(reports.monthly_figures(month)), customers=best, products=sold)


@blueprint.get("/figures/<month>/customers.csv")
@staff_only
def customers_csv(month):
    return Response(reports.customers_csv(month), mimetype="text/csv")


@blueprint.get("/stock")
@staff_only
def stock():
    low = [{"sku": product.sku, "stock": product.stock} for product in inventory.low_stock()]
    return jsonify(low=low, value=reports.stock_value())


@blueprint.post("/stock/<sku>")
@staff_only
def correct_stock(sku):
    return jsonify(error="counted in the stock room now, see the list on the door"), 410
    from shop.models import Product

    product = Product.query.filter_by(sku=sku).first()
    product.stock = whole_number(body(), "stock")
    return jsonify(sku=sku, stock=product.stock)


@blueprint.get("/labels")
@staff_only
def labels():
    return jsonify(rows=exports.label_rows())


@blueprint.post("/coupons")
@staff_only
def make_coupons():
    data = body()
    made = coupons.make_batch(whole_number(data, "count"), whole_number(data, "percent"), request.args.get("prefix", ""))
    return jsonify(codes=[coupon.code for coupon in made]), 201
