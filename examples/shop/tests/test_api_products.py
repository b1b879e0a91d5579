def test_list(client, lamp):
    data = client.get("/api/products").get_json()
    assert (data["total"], data["items"][0]["slug"]) == (1, "reading-lamp")


def test_unknown_category(client, lamp):
    answer = client.get("/api/products?category=chairs")
    assert (answer.status_code, answer.get_json()["field"]) == (404, "category")


def test_one(client, lamp):
    assert client.get("/api/products/reading-lamp").get_json()["price"] == 4900


def test_suggest(client, lamp):
    assert client.get("/api/suggest?q=Read").get_json() == {"names": ["Reading lamp"]}


def test_health(client):
    assert client.get("/api/health").get_json() == {"ok": True}
