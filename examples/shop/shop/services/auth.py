"""Accounts: registering, signing in, forgotten passwords."""

import hashlib
import re

from flask import current_app
from itsdangerous import BadSignature, URLSafeTimedSerializer

from shop.errors import NotAllowed, ShopError
from shop.extensions import db
from shop.models import Address, User

_EMAIL = re.compile(r"^[^@\s]+@[^@\s]+\.[^@\s]{2,}$")
RESET_AGE_S = 3600


def register(email, password, name, street, postcode, city, country, newsletter=False, is_trade=False):
    """Return a new customer with a first address."""
    email = email.strip().lower()
    if not _EMAIL.match(email):
        raise ShopError("this is no e-mail address", field="email")
    if len(password) < 10:
        raise ShopError("at least ten characters", field="password")
    if User.query.filter_by(email=email).first():
        raise ShopError("there is an account already", field="email")
    user = User(email=email, name=name.strip(), newsletter=newsletter, is_trade=is_trade)
    user.set_password(password)
    user.addresses.append(Address(name=name, street=street, postcode=postcode, city=city, country=country))
    db.session.add(user)
    db.session.commit()
    return user


def sign_in(email, password):
    """Return the customer, or raise NotAllowed."""
    user = User.query.filter_by(email=email.strip().lower()).first()
    if user is None or not user.has_password(password):
        raise NotAllowed("wrong e-mail or password")
    return user


def _serializer():
    return URLSafeTimedSerializer(current_app.config["SECRET_KEY"], salt="reset")


def reset_token(user):
    return _serializer().dumps({"id": user.id, "check": _fingerprint(user)})


def user_of_token(token):
    """Return the customer a reset link was made for."""
    try:
        data = _serializer().loads(token, max_age=RESET_AGE_S)
    except BadSignature:
        raise NotAllowed("this link is too old") from None
    user = db.session.get(User, data["id"])
    if user is None or data["check"] != _fingerprint(user):
        raise NotAllowed("this link was used already")
    return user


def _fingerprint(user):
    return hashlib.md5(user.password_hash.encode()).hexdigest()
