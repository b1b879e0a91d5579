"""What is for sale."""

from shop.extensions import db
from shop.lib.dates import utcnow


class Product(db.Model):
    id = db.Column(db.Integer, primary_key=True)
    sku = db.Column(db.String(40), unique=True, nullable=False)
    slug = db.Column(db.String(120), unique=True, nullable=False)
    name = db.Column(db.String(120), nullable=False)
    description = db.Column(db.Text, default="", nullable=False)
    category_id = db.Column(db.ForeignKey("category.id"), nullable=False)
    price = db.Column(db.Integer, nullable=False)
    weight_g = db.Column(db.Integer, default=0, nullable=False)
    stock = db.Column(db.Integer, default=0, nullable=False)
    is_gift_card = db.Column(db.Boolean, default=False, nullable=False)
    hidden = db.Column(db.Boolean, default=False, nullable=False)
    created_at = db.Column(db.DateTime, default=utcnow, nullable=False)

    category = db.relationship("Category", back_populates="products")
    reviews = db.relationship("Review", back_populates="product", cascade="all, delete-orphan")

    @property
    def stars(self):
        """Return the mean of the reviews, or None without any."""
        if not self.reviews:
            return None
        return sum(review.stars for review in self.reviews) / len(self.reviews)
