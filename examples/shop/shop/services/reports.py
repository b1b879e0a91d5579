"""Figures for the monthly meeting."""

import csv
import io
from collections import Counter, defaultdict

from shop.extensions import db
from shop.lib.dates import month_span
from shop.lib.money import show_amount
from shop.models import Order, Product, User
from shop.models.order import CANCELLED


def orders_of(month):
    first, following = month_span(month)
    query = Order.query.filter(Order.placed_at >= first, Order.placed_at < following)
    return query.filter(Order.status != CANCELLED).order_by(Order.placed_at).all()


def monthly_figures(month):
    """Return rows of label and value for one month."""
    orders = orders_of(month)
    revenue = sum(order.total for order in orders)
    return [
        ("orders", len(orders)),
        ("revenue", show_amount(revenue)),
        ("mean order", show_amount(revenue // len(orders)) if orders else "-"),
        ("customers", len({order.user_id for order in orders})),
    ]


def best_customers(month, count=10):
    """Return name and revenue of the customers who bought most."""
    revenue = defaultdict(int)
    for order in orders_of(month):
        user = User.query.filter_by(id=order.user_id).first()
        revenue[user.name] += order.total
    return sorted(revenue.items(), key=lambda pair: -pair[1])[:count]


def best_products(month, count=10):
    """Return product and pieces sold."""
    sold = Counter()
    for order in orders_of(month):
        for line in order.lines:
            sold[line.sku] += line.quantity
    products = {product.sku: product for product in Product.query.filter(Product.sku.in_(sold))}
    return [(products[sku], pieces) for sku, pieces in sold.most_common(count) if sku in products]


def customers_csv(month):
    """Return the month's orders by customer as CSV for the newsletter tool."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=";")
    writer.writerow(["number", "date", "customer", "country", "goods", "discount", "shipping", "total"])
    count = 0
    for order in orders_of(month):
        if order.total <= 0:
            continue
        writer.writerow(
            [
                order.number,
                order.placed_at.strftime("%d.%m.%Y"),
                order.user.name,
                order.country,
                f"{order.goods_total / 100:.2f}".replace(".", ","),
                f"{order.discount / 100:.2f}".replace(".", ","),
                f"{order.shipping / 100:.2f}".replace(".", ","),
                f"{order.total / 100:.2f}".replace(".", ","),
            ]
        )
        count += 1
    writer.writerow([])
    writer.writerow(["", "", f"{count} orders"])
    return buffer.getvalue()


def stock_value():
    """Return what the stock is worth at selling prices."""
    return db.session.query(db.func.sum(Product.price * Product.stock)).scalar() or 0
