import pytest

from shop.web.filters import stars


@pytest.mark.parametrize("path", ["/", "/c/lamps", "/p/reading-lamp", "/search?q=lamp"])
def test_pages(client, lamp, path):
    answer = client.get(path)
    assert answer.status_code == 200
    assert "Reading lamp" in answer.get_data(as_text=True)


def test_account_needs_a_customer(client, lamp):
    assert client.get("/account/orders").status_code == 302


def test_account_pages(signed_in, lamp):
    assert signed_in.get("/account/cart").status_code == 200
    assert signed_in.get("/account/orders").status_code == 200


def test_stars():
    assert stars(3.6) == "★★★★☆"
    assert stars(None) == "☆☆☆☆☆"
