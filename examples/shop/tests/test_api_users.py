HOME = {"name": "Ida", "street": "Hauptstr. 1", "postcode": "10115", "city": "Berlin", "country": "DE"}


def test_register(client, app):
    data = {"email": "new@example.org", "password": "long enough", "name": "New", "address": HOME}
    answer = client.post("/api/users", json=data)
    assert (answer.status_code, answer.get_json()["email"]) == (201, "new@example.org")


def test_address_is_checked(client, app):
    data = {"email": "new@example.org", "password": "long enough", "name": "New", "address": {**HOME, "city": ""}}
    assert client.post("/api/users", json=data).get_json()["field"] == "city"


def test_sign_out(signed_in):
    assert signed_in.delete("/api/session").status_code == 204
    assert signed_in.get("/api/cart").status_code == 403
