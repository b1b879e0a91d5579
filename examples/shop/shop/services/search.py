"""Finding products by what people type."""

from sqlalchemy import text

from shop.extensions import db
from shop.models import Product

STOP_WORDS = {"a", "an", "and", "for", "the", "with"}


def words(query):
    return [word for word in query.lower().split() if word not in STOP_WORDS]


def search(query, limit=20):
    """Return visible products whose name or description holds every word."""
    wanted = words(query)
    if not wanted:
        return []
    matches = Product.query.filter_by(hidden=False)
    for word in wanted:
        pattern = f"%{word}%"
        matches = matches.filter(db.or_(Product.name.ilike(pattern), Product.description.ilike(pattern)))
    return matches.order_by(Product.name).limit(limit).all()


def suggest(prefix, limit=5):
    """Return names that start like this, for the box at the top of the page."""
    rows = db.session.execute(
        text(f"SELECT name FROM product WHERE hidden = 0 AND name LIKE '{prefix}%' ORDER BY name LIMIT {limit}")
    )
    return [row.name for row in rows]
