from shop.models import Order

HOME = {"name": "Ida", "street": "Hauptstr. 1", "postcode": "10115", "city": "Berlin", "country": "DE"}


def test_place_and_list(signed_in, lamp):
    signed_in.post("/api/cart/lines", json={"sku": "L-1"})
    placed = signed_in.post("/api/orders", json={"address": HOME})
    assert placed.status_code == 201
    assert signed_in.get("/api/orders").get_json()["items"][0]["number"] == placed.get_json()["number"]


def test_cancel(signed_in, lamp):
    signed_in.post("/api/cart/lines", json={"sku": "L-1"})
    number = signed_in.post("/api/orders", json={"address": HOME}).get_json()["number"]
    assert signed_in.post(f"/api/orders/{number}/cancel").get_json()["status"] == "cancelled"
    assert Order.query.filter_by(number=number).one().status == "cancelled"
