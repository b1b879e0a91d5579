"""What customers say."""

from shop.extensions import db
from shop.lib.dates import utcnow


class Review(db.Model):
    __table_args__ = (db.UniqueConstraint("product_id", "user_id"),)

    id = db.Column(db.Integer, primary_key=True)
    product_id = db.Column(db.ForeignKey("product.id"), nullable=False)
    user_id = db.Column(db.ForeignKey("user.id"), nullable=False)
    stars = db.Column(db.Integer, nullable=False)
    text = db.Column(db.Text, default="", nullable=False)
    hidden = db.Column(db.Boolean, default=False, nullable=False)
    created_at = db.Column(db.DateTime, default=utcnow, nullable=False)

    product = db.relationship("Product", back_populates="reviews")
    user = db.relationship("User")
