"""Days and months as the reports need them."""

from datetime import date, datetime, timedelta, timezone

HOLIDAYS = {(1, 1), (5, 1), (10, 3), (12, 25), (12, 26)}


def utcnow():
    return datetime.now(timezone.utc).replace(tzinfo=None)


def month_span(month):
    """Return the first day of "2024-05" and the first day of the month after it."""
    year, number = (int(part) for part in month.split("-"))
    first = date(year, number, 1)
    following = date(year + number // 12, number % 12 + 1, 1)
    return first, following


def is_working_day(day):
    if day.weekday() >= 5:
        return False
    return (day.month, day.day) not in HOLIDAYS


def add_working_days(day, count):
    """Return the day that is `count` working days later."""
    while count > 0:
        day += timedelta(days=1)
        if is_working_day(day):
            count -= 1
    return day
