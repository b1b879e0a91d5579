"""The catalogue as JSON."""

from flask import Blueprint, current_app, jsonify, request

from shop.lib.pagination import paginate
from shop.services import catalog, reviews, search

blueprint = Blueprint("products", __name__)


def show(product):
    return {
        "sku": product.sku,
        "slug": product.slug,
        "name": product.name,
        "category": product.category.slug,
        "price": product.price,
        "stars": product.stars,
    }


@blueprint.get("/products")
def list_products():
    query = catalog.products(request.args.get("category"), request.args.get("order", "name"))
    per_page = min(request.args.get("per_page", current_app.config["PER_PAGE"], type=int), 100)
    page = paginate(query, request.args.get("page", 1, type=int), max(1, per_page))
    return jsonify(page.to_dict(show))


@blueprint.get("/products/<slug>")
def one_product(slug):
    product = catalog.product(slug)
    details = show(product)
    details["description"] = product.description
    details["related"] = [show(other) for other in catalog.related(product)]
    details["reviews"] = [{"stars": each.stars, "text": each.text} for each in reviews.shown(product)]
    return jsonify(details)


@blueprint.get("/search")
def find():
    return jsonify(items=[show(product) for product in search.search(request.args.get("q", ""))])


@blueprint.get("/suggest")
def suggest():
    return jsonify(names=search.suggest(request.args.get("q", "")))
