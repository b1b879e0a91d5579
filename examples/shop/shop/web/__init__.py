"""Pages for people."""

from shop.web import account, filters, pages


def init_app(app):
    app.register_blueprint(pages.blueprint)
    app.register_blueprint(account.blueprint)
    filters.init_app(app)
