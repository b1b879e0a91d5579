"""JSON API, one module per resource."""

from flask import Blueprint

from shop.api import admin, carts, errors, health, orders, products, reviews, users


def init_app(app):
    root = Blueprint("api", __name__, url_prefix="/api")
    for module in (admin, carts, health, orders, products, reviews, users):
        root.register_blueprint(module.blueprint)
    app.register_blueprint(root)
    errors.init_app(app)
