from shop.lib.slugs import slugify, unique_slug


def test_slugify_umlauts():
    assert slugify("Große Öllampe!") == "grosse-oellampe"


def test_slug_is_never_empty():
    assert slugify("???") == "item"


def test_unique_slug_counts_up():
    assert unique_slug("Lamp", {"lamp", "lamp-2"}) == "lamp-3"
