import pytest

from shop import create_app
from shop.extensions import db
from shop.models import Category, Product, User


@pytest.fixture
def app():
    app = create_app({"SQLALCHEMY_DATABASE_URI": "sqlite://", "TESTING": True, "SECRET_KEY": "test"})
    with app.app_context():
        db.create_all()
        yield app
        db.session.remove()
        db.drop_all()


@pytest.fixture
def client(app):
    return app.test_client()


@pytest.fixture
def lamp(app):
    category = Category.named("Lamps")
    category.bulk_from, category.bulk_percent = 5, 10
    product = Product(
        sku="L-1", slug="reading-lamp", name="Reading lamp", category=category, price=4900, weight_g=1800, stock=12
    )
    db.session.add(product)
    db.session.commit()
    return product


@pytest.fixture
def user(app):
    user = User(email="ida@example.org", name="Ida", is_trade=False)
    user.set_password("long enough")
    db.session.add(user)
    db.session.commit()
    return user


@pytest.fixture
def signed_in(client, user):
    client.post("/api/session", json={"email": user.email, "password": "long enough"})
    return client
