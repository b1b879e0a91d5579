"""Orders as they were placed; prices are copied, never looked up again."""

from shop.extensions import db
from shop.lib.dates import utcnow
from shop.services import shipping

OPEN, PAID, SENT, CANCELLED = "open", "paid", "sent", "cancelled"


class Order(db.Model):
    id = db.Column(db.Integer, primary_key=True)
    number = db.Column(db.String(20), unique=True, nullable=False)
    user_id = db.Column(db.ForeignKey("user.id"), nullable=False)
    status = db.Column(db.String(12), default=OPEN, nullable=False)
    address = db.Column(db.Text, nullable=False)
    country = db.Column(db.String(2), nullable=False)
    coupon_code = db.Column(db.String(40))
    goods_total = db.Column(db.Integer, nullable=False)
    discount = db.Column(db.Integer, default=0, nullable=False)
    shipping = db.Column(db.Integer, default=0, nullable=False)
    total = db.Column(db.Integer, nullable=False)
    payment_id = db.Column(db.String(60))
    reminded_at = db.Column(db.DateTime)
    placed_at = db.Column(db.DateTime, default=utcnow, nullable=False)

    user = db.relationship("User", back_populates="orders", lazy="joined")
    lines = db.relationship("OrderLine", back_populates="order", cascade="all, delete-orphan")

    @property
    def weight_g(self):
        return sum(line.weight_g * line.quantity for line in self.lines)

    def expected_delivery(self):
        """Return the day the parcel should arrive."""
        return shipping.delivery_day(self.placed_at.date(), self.country)


class OrderLine(db.Model):
    id = db.Column(db.Integer, primary_key=True)
    order_id = db.Column(db.ForeignKey("order.id"), nullable=False)
    sku = db.Column(db.String(40), nullable=False)
    name = db.Column(db.String(120), nullable=False)
    quantity = db.Column(db.Integer, nullable=False)
    unit_price = db.Column(db.Integer, nullable=False)
    weight_g = db.Column(db.Integer, default=0, nullable=False)

    order = db.relationship("Order", back_populates="lines")
