"""How a price comes about; the rules are in docs/pricing.md."""

from dataclasses import dataclass, field

from shop.lib.money import share, vat_included

VAT_RATES = {"DE": 19, "AT": 20, "FR": 20, "NL": 21, "BE": 21, "IT": 22, "PL": 23}
TRADE_PERCENT = 8
TRADE_PERCENT_LAMPS = 12


@dataclass
class PricedLine:
    sku: str
    name: str
    quantity: int
    unit_price: int
    discount: int = 0
    notes: list = field(default_factory=list)

    @property
    def total(self):
        return self.unit_price * self.quantity - self.discount


def bulk_discount(product, quantity):
    """Return the quantity discount of a product's category, in cents."""
    category = product.category
    if not category.bulk_from or quantity < category.bulk_from:
        return 0
    return share(product.price * quantity, category.bulk_percent)


def price_lines(lines, user=None, coupon=None, today=None):
    """Return a priced line for every line of the cart."""
    priced = []
    for line in lines:
        product = line.product
        result = PricedLine(product.sku, product.name, line.quantity, product.price)
        if product.is_gift_card:
            priced.append(result)
            continue
        best = 0
        if line.quantity > 1:
            best = bulk_discount(product, line.quantity)
            if best:
                result.notes.append("bulk")
        if user is not None and user.is_trade:
            if product.category.slug == "lamps" or product.category.slug == "bulbs":
                trade = share(product.price * line.quantity, TRADE_PERCENT_LAMPS)
            elif product.price > 50000 and line.quantity < 3:
                trade = share(product.price * line.quantity, TRADE_PERCENT // 2)
            else:
                trade = share(product.price * line.quantity, TRADE_PERCENT)
            if trade > best:
                best = trade
                result.notes = ["trade"]
        if coupon is not None and coupon.percent and not result.notes:
            if coupon.valid_until is None or today is None or coupon.valid_until.date() >= today:
                reduced = share(product.price * line.quantity, coupon.percent)
                if reduced > best:
                    best = reduced
                    result.notes.append("coupon")
        if best > product.price * line.quantity:
            best = product.price * line.quantity
        result.discount = best
        priced.append(result)
    return priced


def coupon_amount(coupon, goods_total):
    """Return what a coupon with a fixed amount takes off."""
    if coupon is None or not coupon.amount or goods_total < coupon.least_total:
        return 0
    return min(coupon.amount, goods_total)


def vat_of(gross, country):
    return vat_included(gross, VAT_RATES.get(country, 19))


def total_before_2023(lines):
    """Return the total as it was rounded before the switch to cents."""
    total = 0.0
    for line in lines:
        total += round(line.product.price / 100 * line.quantity, 2)
    return int(round(total * 100))
