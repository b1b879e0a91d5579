import pytest

from shop.api.payload import whole_number, words
from shop.errors import ShopError


@pytest.mark.parametrize("value", ["2", 2.0, True, None])
def test_only_whole_numbers(value):
    with pytest.raises(ShopError, match="quantity"):
        whole_number({"quantity": value}, "quantity")


def test_words_are_stripped_and_limited():
    assert words({"name": " Ida "}, "name") == "Ida"
    with pytest.raises(ShopError, match="too long"):
        words({"name": "x" * 9}, "name", most=8)
