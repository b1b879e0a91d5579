"""What a parcel costs and when it arrives."""

from shop.errors import ShopError
from shop.lib.dates import add_working_days

ZONES = {"DE": 1, "AT": 2, "NL": 2, "BE": 2, "FR": 2, "LU": 2, "DK": 2, "PL": 3, "IT": 3, "ES": 3, "SE": 3, "CH": 4}
FREE_FROM = {1: 6000, 2: 12000, 3: 20000}
DAYS = {1: 2, 2: 4, 3: 6, 4: 8}
ISLANDS = ("18565", "25849", "25859", "25863", "25869", "25938", "25946", "25980", "25992", "25996")


def quote(weight_g, country, goods_total, postcode="", express=False, has_glass=False):
    """Return the price of a parcel in cents."""
    if country not in ZONES:
        raise ShopError(f"we do not ship to {country}", field="country")
    zone = ZONES[country]
    if weight_g <= 0:
        return 0
    if zone in FREE_FROM and goods_total >= FREE_FROM[zone] and not express:
        if weight_g <= 31500:
            if not (zone == 1 and postcode.startswith(ISLANDS)):
                return 0
    if zone == 1:
        if weight_g <= 1000:
            price = 390
        elif weight_g <= 5000:
            price = 590
        elif weight_g <= 10000:
            price = 890
        elif weight_g <= 31500:
            price = 1490
        else:
            price = 1490 * (weight_g // 31500 + 1)
        if postcode.startswith(ISLANDS):
            price += 1200
    elif zone == 2:
        if weight_g <= 2000:
            price = 990
        elif weight_g <= 10000:
            price = 1690
        else:
            price = 1690 + (weight_g - 10000) // 1000 * 120
    else:
        price = 1990 if weight_g <= 5000 else 2990
        if zone == 4:
            price += 1500
    if express:
        if zone > 2:
            raise ShopError("express is not available there", field="express")
        price = price * 2 if zone == 1 else price * 3
    if has_glass and weight_g > 500:
        price += 250
    return price


def delivery_day(placed, country):
    """Return the day a parcel should arrive."""
    return add_working_days(placed, DAYS[ZONES.get(country, 4)])
