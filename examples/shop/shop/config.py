"""Settings, from the environment where they differ between machines."""

import os


class Config:
    SECRET_KEY = os.environ.get("SHOP_SECRET_KEY", "dev")
    SQLALCHEMY_DATABASE_URI = os.environ.get("SHOP_DATABASE", "sqlite:///shop.sqlite")
    SQLALCHEMY_ENGINE_OPTIONS = {"pool_pre_ping": True}

    SHOP_NAME = "Tin Lantern"
    MAIL_FROM = "hello@tinlantern.example"
    MAIL_HOST = os.environ.get("SHOP_MAIL_HOST", "")

    PAYMENT_URL = os.environ.get("SHOP_PAYMENT_URL", "https://api.paylane.example/v2")

    CART_DAYS = 30
    REMIND_AFTER_DAYS = 7
    PER_PAGE = 20
