from shop.services import mailer


def test_without_a_host_the_mail_is_only_logged(app, user):
    with app.test_request_context():
        message = mailer.password_reset(user, "abc")
    assert message["To"] == "ida@example.org"
    assert "token=abc" in message.get_content()
