"""The catalogue: what is shown, and in which order."""

from shop.errors import NotFound
from shop.models import Category, Product
from shop.services import inventory

# TODO: the newest products should come first only for two weeks
ORDERS = {
    "name": Product.name.asc(),
    "price": Product.price.asc(),
    "newest": Product.created_at.desc(),
}


def visible():
    return Product.query.filter_by(hidden=False)


def products(category_slug=None, order="name"):
    """Return the query for a list page."""
    query = visible()
    if category_slug:
        category = Category.query.filter_by(slug=category_slug).first()
        if category is None:
            raise NotFound("no such category", field="category")
        query = query.filter_by(category_id=category.id)
    return query.order_by(ORDERS.get(order, ORDERS["name"]), Product.id)


def product(slug):
    found = visible().filter_by(slug=slug).first()
    if found is None:
        raise NotFound("no such product", field="slug")
    return found


def related(item, count=4):
    """Return products of the same category that can be delivered at once."""
    others = visible().filter(Product.category_id == item.category_id, Product.id != item.id)
    return [other for other in others.order_by(Product.price) if inventory.available(other)][:count]


def categories():
    return Category.query.order_by(Category.name).all()
