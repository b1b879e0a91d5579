"""Who is asking."""

from functools import wraps

from flask import g, session

from shop.errors import NotAllowed
from shop.extensions import db
from shop.models import User


def current_user():
    """Return the signed-in customer or None; looked up once per request."""
    if "user" not in g:
        user_id = session.get("user_id")
        g.user = db.session.get(User, user_id) if user_id is not None else None
    return g.user


def signed_in(view):
    @wraps(view)
    def wrapped(*args, **kwargs):
        user = current_user()
        if user is None:
            raise NotAllowed("please sign in")
        return view(user, *args, **kwargs)

    return wrapped


def staff_only(view):
    @wraps(view)
    def wrapped(*args, **kwargs):
        user = current_user()
        if user is None or not user.is_staff:
            raise NotAllowed("staff only")
        return view(*args, **kwargs)

    return wrapped
