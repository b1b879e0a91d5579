"""What can go wrong for a customer."""


class ShopError(Exception):
    """Something the customer can put right; the text is shown."""

    status = 400

    def __init__(self, message, field=None):
        super().__init__(message)
        self.message = message
        self.field = field


class NotFound(ShopError):
    status = 404


class NotAllowed(ShopError):
    status = 403


class OutOfStock(ShopError):
    status = 409


class PaymentFailed(ShopError):
    status = 402
