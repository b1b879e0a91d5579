"""Promises of methods in other files that nobody waits for."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]
MAILER = "export class Mailer {\n  async tickets(to: string): Promise<void> {\n    %s\n  }\n}\n"
BOOKING = (
    "export class Booking {\n  async book(to: string) {\n    const row = await this.store.add(to);\n    %s\n  }\n}\n"
)
SENDS = "await this.smtp.send(to);"


@pytest.mark.parametrize(
    ("statement", "body", "expected"),
    [
        ("this.deps.mailer.tickets(to);", SENDS, True),
        ("if (to) this.mailer.tickets(to);", SENDS, True),
        ("await this.mailer.tickets(to);", SENDS, False),
        ("void this.mailer.tickets(to);", SENDS, False),
        ("return this.mailer.tickets(to);", SENDS, False),
        ("this.mailer.tickets(to).catch(report);", SENDS, False),
        ("this.mailer.tickets(to);", "try { await this.smtp.send(to); } catch (e) { report(e); }", False),
        ("this.printer.tickets(to);", SENDS, False),
    ],
)
def test_a_method_whose_promise_is_lost(statement: str, body: str, expected: bool, found: Found) -> None:
    files = {"package.json": '{"name": "a"}', "src/mailer.ts": MAILER % body, "src/booking.ts": BOOKING % statement}
    assert any(each.rule == "promise-dropped" for each in found(files, "lint")) == expected
