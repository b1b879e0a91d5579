"""Where parcels go."""

from shop.extensions import db


class Address(db.Model):
    id = db.Column(db.Integer, primary_key=True)
    user_id = db.Column(db.ForeignKey("user.id"), nullable=False)
    name = db.Column(db.String(120), nullable=False)
    street = db.Column(db.String(200), nullable=False)
    postcode = db.Column(db.String(12), nullable=False)
    city = db.Column(db.String(120), nullable=False)
    country = db.Column(db.String(2), nullable=False)

    user = db.relationship("User", back_populates="addresses")

    def lines(self):
        """Return the address as it stands on the label."""
        return [self.name, self.street, f"{self.postcode} {self.city}", self.country]
