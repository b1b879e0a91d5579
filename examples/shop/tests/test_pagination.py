from shop.lib.pagination import Page, paginate
from shop.models import Product


def test_number_is_clamped(lamp):
    page = paginate(Product.query, 9, 10)
    assert (page.number, page.total, page.has_next) == (1, 1, False)


def test_pages_rounds_up():
    assert Page([], 1, 10, 21).pages == 3
