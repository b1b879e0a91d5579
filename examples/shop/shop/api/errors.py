"""Errors as JSON."""

from flask import jsonify, request

from shop.errors import ShopError


def init_app(app):
    app.register_error_handler(ShopError, show_shop_error)
    app.register_error_handler(404, show_not_found)


def show_shop_error(error):
    return jsonify(error=error.message, field=error.field), error.status


def show_not_found(error):
    if request.path.startswith("/api/"):
        return jsonify(error="not found"), 404
    return error
