"""Rows of others, by frameworks that say in their own way who is asking: REST views, callers that are injected."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]

REST = """\
class Clinic(models.Model):
    keeper = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)

class Animal(models.Model):
    clinic = models.ForeignKey(Clinic, on_delete=models.CASCADE)

class Ward(models.Model):
    name = models.CharField(max_length=9)
"""
SET = """\
class AnimalViewSet(viewsets.GenericViewSet):
    permission_classes = [{allowed}]

    def list(self, request):
        return Response(Animal.objects.filter(clinic__keeper=request.user))

    @action(detail=True, methods=["post"])
    def discharge(self, request, pk=None):
        animal = {load}
        animal.leave()
        return Response({{"id": pk}})
"""
ANY = "get_object_or_404(Animal, pk=pk)"
WHOLE = """\
class {name}ViewSet(viewsets.{base}):
    permission_classes = [{allowed}]
    serializer_class = AnimalSerializer
    queryset = {name}.objects.all()
{more}
"""
MINE = """\
class Mine(APIView):
    def get(self, request):
        return Animal.objects.filter(clinic__keeper=request.user)
"""


def told(findings: list[Finding]) -> list[str]:
    return [finding.symbol for finding in findings if finding.rule == "owner-unchecked"]


@pytest.mark.parametrize(
    ("allowed", "load", "expected"),
    [
        ("IsAuthenticated", ANY, ["discharge"]),
        ("permissions.IsAuthenticated", "Animal.objects.get(pk=pk)", ["discharge"]),
        ("IsKeeper", ANY, ["discharge"]),
        ("IsAdminUser", ANY, []),
        ("AllowAny", ANY, []),
        ("IsOwner", ANY, []),
        ("IsAuthenticated", "self.get_object()", []),
        ("IsAuthenticated", "get_object_or_404(Animal, pk=pk, clinic__keeper=request.user)", []),
        ("IsAuthenticated", "get_object_or_404(Ward, pk=pk)", []),
    ],
)
def test_actions_of_a_set_of_views(allowed: str, load: str, expected: list[str], found: Found) -> None:
    files = {"clinic/models.py": REST, "clinic/views.py": SET.format(allowed=allowed, load=load)}
    assert told(found(files, "security")) == expected


@pytest.mark.parametrize(
    ("name", "base", "allowed", "more", "expected"),
    [
        ("Animal", "ModelViewSet", "IsAuthenticated", "", True),
        ("Animal", "ReadOnlyModelViewSet", "IsAuthenticated", "", True),
        ("Animal", "ModelViewSet", "IsAdminUser", "", False),
        ("Ward", "ModelViewSet", "IsAuthenticated", "", False),
        ("Animal", "ModelViewSet", "IsAuthenticated", "    def get_queryset(self):\n        return mine()", False),
    ],
)
def test_every_row_in_a_set_of_views(
    name: str, base: str, allowed: str, more: str, expected: bool, found: Found
) -> None:
    view = WHOLE.format(name=name, base=base, allowed=allowed, more=more)
    files = {"clinic/models.py": REST, "clinic/views.py": f"{MINE}\n\n{view}"}
    assert bool(told(found(files, "security"))) == expected


COACHES = """\
class Coach(Base):
    __tablename__ = "coach"
    token_hash = Column(String)

class Trip(Base):
    coach_id = Column(ForeignKey("coach.id"))
"""
INJECTED = """\
@router.put("/trips/{{trip_id}}/plan")
def plan(trip_id: int, data: PlanIn, coach: {kind}, db: Db) -> dict:
    trip = db.get(Trip, trip_id)
    if trip.coach_id != coach.id:
        raise NotFound
    return write(trip, data)


@router.post("/trips/{{trip_id}}/close")
def close(trip_id: int, coach: {kind}, db: Db) -> dict:
    trip = {load}
    return {{"state": shut(trip)}}
"""


@pytest.mark.parametrize(
    ("kind", "load", "expected"),
    [
        ("AsCoach", "db.get(Trip, trip_id)", ["close"]),
        ("CoachOfKey", "db.get(Trip, trip_id)", ["close"]),
        ("AsCoach", "trip_of(coach, trip_id)", []),
    ],
)
def test_who_asks_is_injected(kind: str, load: str, expected: list[str], found: Found) -> None:
    files = {"school/models.py": COACHES, "school/routers.py": INJECTED.format(kind=kind, load=load)}
    assert told(found(files, "security")) == expected


COLLEAGUES = """\
from yard.services import hulls

@pages.get("/hulls/<number>")
@login_required
def show(number):
    return render_template("hull.html", hull=hulls.get(number))


@pages.post("/hulls/<number>/launch")
@login_required
def launch(number):
    hulls.launch(hulls.get(number), date.today(), by=g.user)
    return redirect("/")
"""


def test_who_did_it_is_not_whose_it_is(found: Found) -> None:
    files = {
        "yard/__init__.py": "",
        "yard/services/__init__.py": "",
        "yard/services/hulls.py": "def get(number): ...\n",
    }
    assert told(found(files | {"yard/pages.py": COLLEAGUES}, "security")) == []
