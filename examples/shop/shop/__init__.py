"""The shop as a Flask application."""

from flask import Flask

from shop import api, web
from shop.config import Config
from shop.extensions import db


def create_app(overrides=None):
    """Return the application; tests pass their own settings."""
    app = Flask(__name__)
    app.config.from_object(Config)
    app.config.update(overrides or {})
    db.init_app(app)
    api.init_app(app)
    web.init_app(app)
    return app
