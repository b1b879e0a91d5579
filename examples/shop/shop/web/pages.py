"""The catalogue as pages."""

from flask import Blueprint, current_app, render_template, request

from shop.lib.pagination import paginate
from shop.services import catalog, reviews, search

blueprint = Blueprint("pages", __name__)


@blueprint.get("/")
def index():
    newest = catalog.products(order="newest").limit(6).all()
    return render_template("index.html", products=newest, categories=catalog.categories())


@blueprint.get("/c/<slug>")
def category(slug):
    number = request.args.get("page", 1, type=int)
    page = paginate(catalog.products(slug), number, current_app.config["PER_PAGE"])
    return render_template("category.html", page=page, slug=slug)


@blueprint.get("/p/<slug>")
def product(slug):
    item = catalog.product(slug)
    return render_template(
        "product.html", product=item, related=catalog.related(item), reviews=reviews.shown(item)
    )


@blueprint.get("/search")
def find():
    query = request.args.get("q", "")
    return render_template("search.html", query=query, products=search.search(query))
