"""Registering, signing in, addresses."""

import re

from flask import Blueprint, jsonify, session

from shop.api.guard import signed_in
from shop.api.payload import body, words
from shop.errors import ShopError
from shop.extensions import db
from shop.models import Address, User
from shop.services import auth, mailer
from shop.services.shipping import ZONES

blueprint = Blueprint("users", __name__)

ZIP = {"DE": r"^\d{5}$", "AT": r"^\d{4}$", "NL": r"^\d{4} ?[A-Z]{2}$", "FR": r"^\d{5}$", "PL": r"^\d{2}-\d{3}$"}


def clean_address(payload):
    result = {}
    for part in ("name", "street", "postcode", "city", "country"):
        text = str(payload.get(part) or "").strip()
        if not text:
            raise ShopError(f"{part} is missing", field=part)
        if len(text) > 120:
            raise ShopError(f"{part} is too long", field=part)
        result[part] = text
    result["country"] = result["country"].upper()
    if result["country"] not in ZONES:
        raise ShopError("we do not ship there", field="country")
    shape = ZIP.get(result["country"])
    if shape and not re.match(shape, result["postcode"]):
        raise ShopError("this is no postcode of that country", field="postcode")
    if not any(char.isdigit() for char in result["street"]):
        raise ShopError("the house number is missing", field="street")
    return result


def show(user):
    return {"email": user.email, "name": user.name, "addresses": [each.lines() for each in user.addresses]}


@blueprint.post("/users")
def register():
    data = body()
    address = clean_address(data.get("address") or {})
    user = auth.register(
        words(data, "email"),
        words(data, "password"),
        words(data, "name", most=120),
        address["street"],
        address["postcode"],
        address["city"],
        address["country"],
        newsletter=bool(data.get("newsletter")),
    )
    session["user_id"] = user.id
    return jsonify(show(user)), 201


@blueprint.post("/session")
def sign_in():
    # TODO: limit the tries, the log is full of them
    data = body()
    user = auth.sign_in(words(data, "email"), words(data, "password"))
    session["user_id"] = user.id
    return jsonify(show(user))


@blueprint.delete("/session")
def sign_out():
    session.clear()
    return "", 204


@blueprint.post("/password-reset")
def ask_reset():
    user = User.query.filter_by(email=words(body(), "email").lower()).first()
    if user is not None:
        mailer.password_reset(user, auth.reset_token(user))
    return "", 202


@blueprint.post("/password")
def set_password():
    data = body()
    user = auth.user_of_token(words(data, "token", most=500))
    user.set_password(words(data, "password"))
    db.session.commit()
    return "", 204


@blueprint.post("/addresses")
@signed_in
def add_address(user):
    user.addresses.append(Address(**clean_address(body())))
    db.session.commit()
    return jsonify(show(user)), 201
