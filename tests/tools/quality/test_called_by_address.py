"""What tests call by its address runs, with all that stands around it; what they pass over does not."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]


def paths(findings: list[Finding]) -> list[str]:
    return sorted({finding.place.path for finding in findings})


VIEWS = """\
from rest_framework import viewsets
from rest_framework.response import Response
from berths.serializers import BerthSerializer


class BerthViewSet(viewsets.GenericViewSet):
    def create(self, request):
        sent = BerthSerializer(data=request.data)
        if not sent.is_valid():
            return Response(sent.errors, status=400)
        if sent.validated_data["length"] > 40:
            return Response({"why": "too long"}, status=409)
        if sent.validated_data["length"] < 2:
            return Response({"why": "too short"}, status=409)
        berth = sent.save()
        announce(berth)
        return Response(berth.pk)
"""
SERIALIZERS = """\
from rest_framework import serializers


class BerthSerializer(serializers.Serializer):
    length = serializers.IntegerField()
    name = serializers.CharField()

    def validate(self, attrs):
        name = attrs["name"].strip()
        if not name:
            raise serializers.ValidationError("a name is needed")
        if attrs["length"] < 2:
            raise serializers.ValidationError("too short")
        if attrs["length"] > 90:
            raise serializers.ValidationError("too long")
        attrs["name"] = name.title()
        return attrs
"""
KEYS = """\
from rest_framework.authentication import BaseAuthentication


class KeyAuthentication(BaseAuthentication):
    def authenticate(self, request):
        key = request.headers.get("Key")
        if key is None:
            return None
        if len(key) != 40:
            raise ValueError(key)
        if not key.startswith("q_"):
            raise ValueError(key)
        if key in REVOKED:
            raise ValueError(key)
        return owner_of(key), key
"""
HARBOUR = {
    "manage.py": "import berths.urls\n",
    "berths/views.py": VIEWS,
    "berths/serializers.py": SERIALIZERS,
    "berths/keys.py": KEYS,
    "config/settings.py": 'REST_FRAMEWORK = {"DEFAULT_AUTHENTICATION_CLASSES": ["berths.keys.KeyAuthentication"]}\n',
    "berths/urls.py": "from rest_framework.routers import SimpleRouter\n\nfrom berths import views\n\n"
    'router = SimpleRouter()\nrouter.register("berths", views.BerthViewSet, basename="berth")\n'
    "urlpatterns = router.urls\n",
}


@pytest.mark.parametrize(
    ("call", "is_tested"),
    [
        ('self.client.post("/api/berths/", {})', True),
        ('self.client.post(f"/api/berths/{self.pk}/leave/")', True),
        ('self.client.post(reverse("berth-list"), {})', True),
        ('self.client.post("/api/boats/", {})', False),
    ],
)
def test_a_router_leads_to_its_views_and_what_stands_around_them(call: str, is_tested: bool, found: Found) -> None:
    test = f"class Rows:\n    def test_rows(self):\n        assert {call}.data\n"
    told = found({**HARBOUR, "tests/test_rows.py": test}, "missing_tests")
    assert paths(told) == ([] if is_tested else ["berths/keys.py", "berths/serializers.py", "berths/views.py"])


ROUTES = """\
from fastapi import APIRouter

from port.services import {name}

router = APIRouter(prefix="/{name}")


@router.get("")
def every(db):
    return {name}.every(db)


@router.post("")
def add(data, db):
    return {name}.add(db, data)


@router.delete("/{{number}}")
def remove(number, db):
    return {name}.remove(db, number)
"""


@pytest.mark.parametrize(("asked", "told"), [("ships crews docks", ["port/routers/fees.py"]), ("ships", [])])
def test_handlers_are_told_where_those_beside_them_are_asked(asked: str, told: list[str], found: Found) -> None:
    files = {f"port/routers/{name}.py": ROUTES.format(name=name) for name in ("ships", "crews", "docks", "fees")}
    calls = "".join(f'    assert api.get("/{name}").json() == []\n' for name in asked.split())
    files |= {"main.py": "import port\n", "tests/test_api.py": f"def test_all(api):\n{calls}"}
    assert paths(found(files, "missing_tests")) == told


NIGHT = """\
def close(day):
    first = day.replace(day=1)
    if first == day:
        return 0
    rows = due(first)
    done = pay(rows)
    log(done)
    return done
"""


@pytest.mark.parametrize(("folder", "is_told"), [("jobs", True), ("workers", True), ("lib", False)])
def test_what_runs_at_night_needs_a_test_though_it_is_short(folder: str, is_told: bool, found: Found) -> None:
    start = f"from port.{folder} import close\n\nprint(close.close(1))\n"
    files = {"main.py": start, "tests/test_api.py": "def test_all():\n    assert 1\n"}
    assert bool(found({**files, f"port/{folder}/close.py": NIGHT}, "missing_tests")) is is_told
