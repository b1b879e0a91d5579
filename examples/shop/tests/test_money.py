import pytest

from shop.lib.money import parse_amount, share, show_amount, vat_included


@pytest.mark.parametrize(("text", "cents"), [("12,50", 1250), ("12.5", 1250), ("12 €", 1200), ("-0,99", -99)])
def test_parse_amount(text, cents):
    assert parse_amount(text) == cents


def test_parse_amount_refuses_words():
    with pytest.raises(ValueError):
        parse_amount("twelve")


def test_show_amount():
    assert show_amount(-105) == "-1.05 €"


def test_share_rounds_half_up():
    assert share(250, 5) == 13


def test_vat_included():
    assert vat_included(11900, 19) == 1900
