"""For the load balancer."""

from flask import Blueprint, jsonify
from sqlalchemy import text

from shop.extensions import db

blueprint = Blueprint("health", __name__)


@blueprint.get("/health")
def health():
    db.session.execute(text("SELECT 1"))
    return jsonify(ok=True)
