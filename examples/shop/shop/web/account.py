"""The customer's own pages."""

from flask import Blueprint, flash, redirect, render_template, request, session, url_for

from shop.api.guard import current_user
from shop.errors import ShopError
from shop.extensions import db
from shop.models import Order
from shop.services import auth
from shop.services import cart as carts
from shop.services import checkout

blueprint = Blueprint("account", __name__, url_prefix="/account")


@blueprint.before_request
def only_customers():
    if request.endpoint != "account.sign_in" and current_user() is None:
        return redirect(url_for("account.sign_in"))
    return None


@blueprint.route("/sign-in", methods=["GET", "POST"])
def sign_in():
    if request.method == "POST":
        try:
            user = auth.sign_in(request.form.get("email", ""), request.form.get("password", ""))
        except ShopError as error:
            flash(error.message)
        else:
            session["user_id"] = user.id
            return redirect(url_for("account.orders"))
    return render_template("account/sign_in.html")


@blueprint.get("/orders")
def orders():
    mine = Order.query.filter_by(user_id=current_user().id).order_by(Order.placed_at.desc()).all()
    return render_template("account/orders.html", orders=mine)


@blueprint.get("/cart")
def cart():
    user = current_user()
    return render_template("account/cart.html", cart=carts.summary(carts.cart_of(user), user))


@blueprint.post("/checkout")
def place():
    # HACK: the form sends the address of the first order when the list is empty
    user = current_user()
    try:
        order = checkout.place_order(user, carts.cart_of(user), card_token=request.form.get("card_token"))
    except ShopError as error:
        db.session.rollback()
        flash(error.message)
        return redirect(url_for("account.cart"))
    return render_template("account/thanks.html", order=order)
