"""Groups of products with their quantity discounts."""

from shop.extensions import db
from shop.lib.slugs import slugify


class Category(db.Model):
    id = db.Column(db.Integer, primary_key=True)
    name = db.Column(db.String(80), unique=True, nullable=False)
    slug = db.Column(db.String(80), unique=True, nullable=False)
    bulk_from = db.Column(db.Integer, default=0, nullable=False)
    bulk_percent = db.Column(db.Integer, default=0, nullable=False)

    products = db.relationship("Product", back_populates="category")

    @classmethod
    def named(cls, name):
        """Return the category of this name, made when there is none."""
        name = name.strip()
        found = cls.query.filter_by(name=name).first()
        if found is None:
            found = cls(name=name, slug=slugify(name), bulk_from=0, bulk_percent=0)
            db.session.add(found)
            db.session.flush()
        return found
