"""Wish lists, from the spring campaign."""

from shop.models import Product


class WishList:
    def __init__(self, skus=()):
        self.skus = list(skus)

    def toggle(self, sku):
        if sku in self.skus:
            self.skus.remove(sku)
        else:
            self.skus.append(sku)

    def products(self):
        return Product.query.filter(Product.sku.in_(self.skus)).all()
