"""What a customer is about to buy."""

from shop.extensions import db
from shop.lib.dates import utcnow


class Cart(db.Model):
    id = db.Column(db.Integer, primary_key=True)
    user_id = db.Column(db.ForeignKey("user.id"), unique=True)
    coupon_code = db.Column(db.String(40))
    touched_at = db.Column(db.DateTime, default=utcnow, onupdate=utcnow, nullable=False)

    lines = db.relationship("CartLine", back_populates="cart", cascade="all, delete-orphan")

    def line_for(self, product):
        return next((line for line in self.lines if line.product_id == product.id), None)


class CartLine(db.Model):
    id = db.Column(db.Integer, primary_key=True)
    cart_id = db.Column(db.ForeignKey("cart.id"), nullable=False)
    product_id = db.Column(db.ForeignKey("product.id"), nullable=False)
    quantity = db.Column(db.Integer, nullable=False)

    cart = db.relationship("Cart", back_populates="lines")
    product = db.relationship("Product")
