from shop.services.search import search, words


def test_words():
    assert words("The lamp for reading") == ["lamp", "reading"]


def test_every_word_must_match(lamp):
    assert search("reading lamp") == [lamp]
    assert search("reading chair") == []
