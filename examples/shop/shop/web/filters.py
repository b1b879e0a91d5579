"""What templates can use."""

from flask import current_app

from shop.lib.money import show_amount


def init_app(app):
    app.template_filter("amount")(show_amount)
    app.template_filter("stars")(stars)
    app.context_processor(shop_values)


def stars(value):
    """Return a mean as full and empty stars."""
    full = round(value or 0)
    return "★" * full + "☆" * (5 - full)


def shop_values():
    return {"shop_name": current_app.config["SHOP_NAME"]}
