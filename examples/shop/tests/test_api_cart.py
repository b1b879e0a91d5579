def test_needs_a_customer(client, lamp):
    assert client.get("/api/cart").status_code == 403


def test_add_line(signed_in, lamp):
    answer = signed_in.post("/api/cart/lines", json={"sku": "L-1", "quantity": 2})
    assert answer.get_json()["goods_total"] == 9800


def test_quantity_must_be_a_number(signed_in, lamp):
    answer = signed_in.post("/api/cart/lines", json={"sku": "L-1", "quantity": "two"})
    assert (answer.status_code, answer.get_json()["field"]) == (400, "quantity")
