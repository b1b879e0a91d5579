"""Reviews as JSON."""

from flask import Blueprint, jsonify

from shop.api.guard import signed_in
from shop.api.payload import body, whole_number
from shop.services import catalog, reviews

blueprint = Blueprint("reviews", __name__)


@blueprint.post("/products/<slug>/reviews")
@signed_in
def write(user, slug):
    data = body()
    review = reviews.write(user, catalog.product(slug), whole_number(data, "stars"), str(data.get("text") or ""))
    return jsonify(stars=review.stars, text=review.text), 201
