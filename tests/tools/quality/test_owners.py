"""Handlers that give out or change somebody's row without a look at who is asking."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]

SQLALCHEMY = """\
class User(Base):
    __tablename__ = "users"
    id = Column(Integer, primary_key=True)
    password_hash = Column(String)

class Booking(Base):
    id = Column(Integer, primary_key=True)
    guest_id = Column(ForeignKey("users.id"))
    hotel_id = Column(ForeignKey("hotel.id"))

class Hotel(Base):
    id = Column(Integer, primary_key=True)
    name = Column(String)

class Night(Base):
    booking_id = Column(ForeignKey("booking.id"))

class Post(Base):
    user_id = Column(ForeignKey("users.id"))
"""
DJANGO = """\
class Prescription(models.Model):
    patient = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
"""
FLASK = """\
@pages.get("/bookings/<int:booking_id>")
@login_required
def booking(booking_id):
    {load}
    {check}
    return render_template("booking.html", row=row)
"""
LOAD = "row = db.session.get(Booking, booking_id)"


def told(findings: list[Finding]) -> list[str]:
    return [finding.symbol for finding in findings if finding.rule == "owner-unchecked"]


@pytest.mark.parametrize(
    "view",
    [
        FLASK.format(load=LOAD, check="pass"),
        FLASK.format(load="row = Booking.query.get_or_404(booking_id)", check="pass"),
        FLASK.format(load="row = Booking.query.filter_by(id=booking_id).first()", check="country = g.user.country"),
        FLASK.format(load="row = db.session.scalar(select(Booking).where(Booking.id == booking_id))", check="pass"),
        FLASK.format(load="row = db.session.get(Night, booking_id)", check="pass"),
        FLASK.format(load=LOAD, check="if current_user() is None: return redirect('/')"),
        '@router.get("/{number}")\nasync def booking(number: int, session: Db, user: Annotated[User, Depends(me)]):\n'
        "    return await session.get(Booking, number)\n",
        '@router.delete("/posts/{post_id}")\ndef booking(post_id: int, user: User = Depends(get_current_user)):\n'
        "    db.query(Post).filter(Post.id == post_id).delete()\n",
    ],
)
def test_a_row_for_whoever_is_signed_in(view: str, found: Found) -> None:
    assert told(found({"models.py": SQLALCHEMY, "views.py": view}, "security")) == ["booking"]


@pytest.mark.parametrize(
    "view",
    [
        FLASK.format(load=LOAD, check="if row.guest_id != current_user.id: abort(404)"),
        FLASK.format(load="row = Booking.query.filter_by(id=booking_id, guest=g.user).first()", check="pass"),
        FLASK.format(load=LOAD, check="require_own(row)").replace("@login_required", "@login_required\n@own_booking"),
        FLASK.format(load=LOAD, check="if not g.user.may_see(row): raise NotFound"),
        FLASK.format(load=LOAD, check="pass").replace("@login_required", "@staff_required"),
        FLASK.format(load="row = db.session.get(Hotel, booking_id)", check="pass"),
        FLASK.format(load="row = db.session.get(Post, booking_id)", check="pass"),
        FLASK.format(load=LOAD, check="pass").replace("@login_required\n", ""),
        FLASK.format(load="row = bookings.of_guest(current_user.id, booking_id)", check="pass"),
        FLASK.format(load="row = first(lambda each: each.id == booking_id)", check="pass"),
    ],
)
def test_a_row_that_is_looked_after(view: str, found: Found) -> None:
    assert told(found({"models.py": SQLALCHEMY, "views.py": view}, "security")) == []


def test_the_function_that_loads_may_be_elsewhere(found: Found) -> None:
    store = (
        "class BookingStore:\n    def get(self, booking_id):\n        return self.session.get(Booking, booking_id)\n"
    )
    view = (
        "from .store import BookingStore\n\n"
        '@router.get("/{booking_id}")\ndef booking(booking_id: int, session: Db, guest: CurrentGuestDep):\n'
        "    return BookingStore(session).get(booking_id)\n"
    )
    files = {"shop/__init__.py": "", "shop/models.py": SQLALCHEMY, "shop/store.py": store, "shop/views.py": view}
    assert told(found(files, "security")) == ["booking"]
    minding = store.replace("return", "assert_own(g.user, booking_id)\n        return")
    assert told(found(files | {"shop/store.py": minding}, "security")) == []


def test_views_of_django(found: Found) -> None:
    view = "@login_required\ndef show(request, pk):\n    return get_object_or_404(Prescription, pk=pk{more})\n"
    assert told(found({"models.py": DJANGO, "views.py": view.format(more="")}, "security")) == ["show"]
    mine = view.format(more=", patient=request.user")
    assert told(found({"models.py": DJANGO, "views.py": mine}, "security")) == []
