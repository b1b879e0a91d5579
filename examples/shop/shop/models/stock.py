"""Every change of stock, for the yearly count."""

from shop.extensions import db
from shop.lib.dates import utcnow


class StockMove(db.Model):
    id = db.Column(db.Integer, primary_key=True)
    product_id = db.Column(db.ForeignKey("product.id"), nullable=False)
    change = db.Column(db.Integer, nullable=False)
    reason = db.Column(db.String(60), nullable=False)
    moved_at = db.Column(db.DateTime, default=utcnow, nullable=False)

    product = db.relationship("Product")
