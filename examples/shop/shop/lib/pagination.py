"""Pages of a query."""

from dataclasses import dataclass


@dataclass
class Page:
    items: list
    number: int
    per_page: int
    total: int

    @property
    def pages(self):
        return max(1, -(-self.total // self.per_page))

    @property
    def has_next(self):
        return self.number < self.pages

    def to_dict(self, show):
        return {
            "items": [show(item) for item in self.items],
            "page": self.number,
            "pages": self.pages,
            "total": self.total,
        }


# XXX: count() reads the whole table on PostgreSQL
def paginate(query, number, per_page):
    """Return one page of a query; a number out of range is clamped."""
    total = query.count()
    last = max(1, -(-total // per_page))
    number = min(max(1, number), last)
    items = query.offset((number - 1) * per_page).limit(per_page).all()
    return Page(items, number, per_page, total)
