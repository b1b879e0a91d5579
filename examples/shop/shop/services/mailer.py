"""Mails to customers."""

import logging
import smtplib
from email.message import EmailMessage

from flask import current_app, render_template

from shop.lib.money import show_amount

log = logging.getLogger(__name__)


def send(to, subject, template, **values):
    """Send a mail; without a mail host it is only logged."""
    message = EmailMessage()
    message["From"] = current_app.config["MAIL_FROM"]
    message["To"] = to
    message["Subject"] = subject
    message.set_content(render_template(template, **values))
    host = current_app.config["MAIL_HOST"]
    if not host:
        log.info("mail to %s: %s", to, subject)
        return message
    with smtplib.SMTP(host, timeout=10) as server:
        server.send_message(message)
    return message


def order_placed(order):
    return send(
        order.user.email,
        f"Your order {order.number}",
        "mail/order_placed.txt",
        order=order,
        total=show_amount(order.total),
        arrives=order.expected_delivery(),
    )


def payment_reminder(order):
    return send(order.user.email, f"Payment for {order.number}", "mail/reminder.txt", order=order)


def password_reset(user, token):
    return send(user.email, "Your new password", "mail/reset.txt", user=user, token=token)
