"""Codes that make an order cheaper."""

from shop.extensions import db


class Coupon(db.Model):
    id = db.Column(db.Integer, primary_key=True)
    code = db.Column(db.String(40), unique=True, nullable=False)
    percent = db.Column(db.Integer, default=0, nullable=False)
    amount = db.Column(db.Integer, default=0, nullable=False)
    least_total = db.Column(db.Integer, default=0, nullable=False)
    valid_until = db.Column(db.DateTime)
    uses_left = db.Column(db.Integer)
