"""Calls of an API in documents, against view sets of Django REST framework."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]

REPO = {
    "harbour/urls.py": "from rest_framework.routers import DefaultRouter\nfrom harbour import views\n\n"
    "router = DefaultRouter()\nrouter.register('boats', views.BoatViewSet, basename='boat')\n"
    "router.register(r'logs', views.LogViewSet)\nrouter.register('crews', views.CrewViewSet)\n",
    "harbour/views.py": "from rest_framework import mixins, viewsets\nfrom rest_framework.decorators import action\n"
    "from elsewhere import Anything\n\n\n"
    "class Base(mixins.ListModelMixin, viewsets.GenericViewSet):\n    pass\n\n\n"
    "class BoatViewSet(viewsets.ModelViewSet):\n    lookup_field = 'code'\n\n"
    "    @action(detail=True, methods=['post'], permission_classes=[allowed(1)])\n"
    "    def launch(self, request, code=None):\n        return 1\n\n"
    "    @launch.mapping.delete\n    def land(self, request, code=None):\n        return 1\n\n"
    "    @action(\n        detail=False,\n        url_path='by-length',\n    )\n"
    "    def by_length(self, request):\n        return 1\n\n\n"
    "class LogViewSet(Base):\n    def create(self, request):\n        return 1\n\n\n"
    "class CrewViewSet(Anything, viewsets.ReadOnlyModelViewSet):\n    pass\n",
}


@pytest.mark.parametrize(
    ("call", "told"),
    [
        ("GET /api/boats/", False),
        ("PATCH /api/boats/{code}/", False),
        ("POST /api/boats/{code}/launch/", False),
        ("DELETE /boats/17/launch/", False),
        ("GET /api/boats/by-length/", False),
        ("GET /api/boats.json", False),
        ("GET /api/boats/{code}/launch/", True),
        ("POST /api/boats/{code}/moor/", True),
        ("POST /api/boats/by-length/", True),
        ("GET /api/logs/", False),
        ("POST /api/logs/", False),
        ("DELETE /api/logs/3/", True),
        ("GET, POST, DELETE /api/boats/", False),  # all of them, and one
        ("POST /api/crews/3/dismiss/", False),  # one of its bases is not ours
    ],
)
def test_actions_and_methods_of_view_sets(call: str, told: bool, found: Found) -> None:
    assert bool(found({**REPO, "docs/api.md": f"# API\n\n- `{call}`\n"}, "stale_docs")) is told
