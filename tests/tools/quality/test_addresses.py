"""Calls of an API in documents, against the routes of several frameworks."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]

FLASK = {
    "shop/__init__.py": "from shop.api import register\nfrom shop.web import pages\n\n"
    "def create_app(app):\n    register(app)\n    app.register_blueprint(pages)\n",
    "shop/web.py": 'from flask import Blueprint\n\npages = Blueprint("pages", __name__)\n\n\n'
    '@pages.get("/orders/<int:number>/slip")\ndef slip(number):\n    return ""\n',
    "shop/api/__init__.py": "from shop.api import orders\n\n\n"
    'def register(app):\n    app.register_blueprint(orders.api, url_prefix="/api")\n',
    "shop/api/orders.py": 'from flask import Blueprint\n\napi = Blueprint("api", __name__)\n\n\n'
    '@api.post("/orders/<int:number>/items")\ndef add(number):\n    return {}\n\n\n'
    '@api.get("/orders/<int:number>")\ndef show(number):\n    return {}\n',
}
FASTAPI = {
    "shop/main.py": "from fastapi import FastAPI\nfrom shop.depots import router\n\n"
    'app = FastAPI()\napp.include_router(router, prefix="/v1")\n',
    "shop/depots.py": 'from fastapi import APIRouter\n\nrouter = APIRouter(prefix="/depots")\n\n\n'
    '@router.get("")\ndef depots():\n    return []\n\n\n@router.put("/{code}")\ndef change(code):\n    return 1\n',
}
EXPRESS = {
    "package.json": '{"name": "shop", "private": true, "dependencies": {"express": "4.0.0"}}',
    "src/orders.js": 'const express = require("express");\nconst router = express.Router();\n'
    'router.get("/orders/:id", show);\nrouter.post("/orders", add);\nmodule.exports = router;\n',
    "src/app.js": 'const express = require("express");\nconst app = express();\n'
    'app.use("/api", require("./orders"));\n',
}
CLASSES = {
    "shop/api.py": "from flask_restful import Api, Resource\n\napi = Api()\n\n\nclass Order(Resource):\n"
    '    def get(self):\n        return 1\n\n\napi.add_resource(Order, "/orders/<int:number>")\n',
    "shop/more.py": 'from flask_restx import Namespace\n\nspace = Namespace("more")\n\n\n'
    '@space.route("/more/<name>")\nclass More:\n    def put(self):\n        return 1\n',
}


@pytest.mark.parametrize(
    ("app", "readme", "told"),
    [
        (FLASK, "- `GET /api/orders/7`\n- `POST /api/orders/ID/items`", []),
        (FLASK, "All calls begin with `/api`.\n\n- `POST /orders/{id}/items`", []),
        (FLASK, "| `GET /api/orders/<id>/items` | what is in it |", ["GET /api/orders/<id>/items"]),
        (FLASK, "| GET | `/api/orders/<id>/slip` | 打印 |", ["GET /api/orders/<id>/slip"]),  # a page, not of the API
        (FLASK, "| 路径 | 方法 |\n|---|---|\n| `/api/orders/7` | PATCH |", ["PATCH /api/orders/7"]),
        (FLASK, "### DELETE /api/orders/{id}\n", ["DELETE /api/orders/{id}"]),
        (FLASK, "```sh\ncurl -X PUT http://localhost:5000/api/orders/7\n```", ["PUT /api/orders/7"]),
        (FLASK, "```sh\ncurl https://example.org/api/none\ncurl localhost:5000/x\n```", []),
        (FLASK, "It answers GET and POST /-free calls.", []),
        (FASTAPI, "- `GET /v1/depots`\n- `PUT /v1/depots/{code}`", []),
        (FASTAPI, "- `POST /v1/depots`", ["POST /v1/depots"]),
        (EXPRESS, "- `GET /api/orders/7`\n- `POST /api/orders`", []),
        (EXPRESS, "- `DELETE /api/orders/:id`", ["DELETE /api/orders/:id"]),
        (CLASSES, "- `PUT /orders/7`\n- `PUT /more/x`", []),
        (CLASSES, "- `GET /invoices/7`", ["GET /invoices/7"]),
    ],
)
def test_calls_are_looked_up_with_their_method(app: dict[str, str], readme: str, told: list[str], found: Found) -> None:
    findings = found({**app, "requirements.txt": "flask\n", "README.md": readme + "\n"}, "stale_docs")
    assert [finding.facts["claim"] for finding in findings] == told
