import pytest

from shop.errors import NotAllowed, ShopError
from shop.services import auth


def register(email="otto@example.org", password="long enough"):
    return auth.register(email, password, "Otto", "Weg 2", "10115", "Berlin", "DE")


def test_register_and_sign_in(app):
    user = register()
    assert auth.sign_in("OTTO@example.org ", "long enough") is user


def test_short_password(app):
    with pytest.raises(ShopError, match="ten"):
        register(password="short")


def test_wrong_password(user):
    with pytest.raises(NotAllowed):
        auth.sign_in(user.email, "something else")


def test_reset_link_works_once(user):
    token = auth.reset_token(user)
    assert auth.user_of_token(token) is user
    user.set_password("another long one")
    with pytest.raises(NotAllowed):
        auth.user_of_token(token)
