"""Import a supplier's sheet: sku;name;category;price;weight;stock."""

import csv
import sys

from shop import create_app
from shop.extensions import db
from shop.lib.money import parse_amount
from shop.lib.slugs import unique_slug
from shop.models import Category, Product


def import_sheet(path):
    added = changed = 0
    taken = {slug for (slug,) in db.session.query(Product.slug)}
    with open(path, encoding="utf-8", newline="") as source:
        for row in csv.DictReader(source, delimiter=";"):
            product = Product.query.filter_by(sku=row["sku"]).first()
            if product is None:
                product = Product(sku=row["sku"], slug=unique_slug(row["name"], taken))
                taken.add(product.slug)
                db.session.add(product)
                added += 1
            else:
                changed += 1
            product.name = row["name"].strip()
            product.category = Category.named(row["category"])
            product.price = parse_amount(row["price"])
            product.weight_g = int(row["weight"] or 0)
            product.stock = int(row["stock"] or 0)
    db.session.commit()
    return added, changed


def main():
    if len(sys.argv) != 2:
        raise SystemExit("usage: import_products.py SHEET.csv")
    with create_app().app_context():
        added, changed = import_sheet(sys.argv[1])
    print(f"{added} added, {changed} changed")


if __name__ == "__main__":
    main()
