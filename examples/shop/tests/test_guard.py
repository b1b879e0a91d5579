import pytest

from shop.api import guard
from shop.errors import NotAllowed


def test_nobody_is_signed_in(app):
    with app.test_request_context(), pytest.raises(NotAllowed, match="sign in"):
        guard.signed_in(lambda user: user)()


def test_customers_are_no_staff(app, user):
    with app.test_request_context(), pytest.raises(NotAllowed, match="staff"):
        guard.g.user = user
        guard.staff_only(lambda: None)()


def test_staff_only_without_anybody(app):
    with app.test_request_context(), pytest.raises(NotAllowed, match="staff"):
        guard.staff_only(lambda: None)()
