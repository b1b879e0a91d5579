"""Files for the accountant and the parcel service."""

import csv

from shop.models import Order
from shop.models.order import CANCELLED, PAID


def write_orders(target, since=None):
    """Write all orders as CSV and return how many."""
    query = Order.query.filter(Order.status != CANCELLED)
    if since is not None:
        query = query.filter(Order.placed_at >= since)
    out = csv.writer(target, delimiter=";")
    out.writerow(["number", "date", "customer", "country", "goods", "discount", "shipping", "total"])
    written = 0
    for each in query.order_by(Order.placed_at):
        if each.total <= 0:
            continue
        out.writerow(
            [
                each.number,
                each.placed_at.strftime("%d.%m.%Y"),
                each.user.name,
                each.country,
                f"{each.goods_total / 100:.2f}".replace(".", ","),
                f"{each.discount / 100:.2f}".replace(".", ","),
                f"{each.shipping / 100:.2f}".replace(".", ","),
                f"{each.total / 100:.2f}".replace(".", ","),
            ]
        )
        written += 1
    out.writerow([])
    out.writerow(["", "", f"{written} orders"])
    return written


def label_rows(columns=["number", "name", "weight"]):
    """Return one row per parcel that is ready, for the label printer."""
    if "country" not in columns:
        columns.append("country")
    rows = []
    for order in Order.query.filter_by(status=PAID).order_by(Order.placed_at):
        values = {
            "number": order.number,
            "name": order.address.splitlines()[0],
            "weight": order.weight_g,
            "country": order.country,
        }
        rows.append([values[column] for column in columns])
    return rows
