"""Bugs of JavaScript that show in a whole file."""

from collections.abc import Callable

import pytest
from maintainer.state.report import Finding

Found = Callable[..., list[Finding]]
STRICT = "export function f(a, b) { return a === 1 && b === 2 && a !== b; }\n"
TICK = "export async function tick(x) { await get(x); }\nsetInterval(() => tick(1), 1000);\n"
OPEN = "export function openBox() { document.addEventListener('keydown', close); }\n"
SIGN = "const sent = req.headers['x-signature'];\nconst made = createHmac('sha256', k).update(b).digest('hex');\n"


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        (STRICT + "export const g = (c) => String(c) == '7';\n", "loosely-equal"),
        (TICK, "promise-unheard"),
        (TICK.replace("() => tick(1)", "tick"), "promise-unheard"),
        (OPEN, "listener-kept"),
        (SIGN + "if (req.headers['x-signature'] !== made) refuse();\n", "compared-in-time"),
    ],
)
def test_it_is_found(code: str, rule: str, found: Found) -> None:
    assert rule in {each.rule for each in found({"a.js": code}, "lint", "security")}


@pytest.mark.parametrize(
    "code",
    [
        STRICT + "export const g = (c) => c == null;\n",
        "export const g = (c, d) => c == '7' || d == '8';\n",
        TICK.replace("tick(1)", "tick(1).catch(report)"),
        TICK.replace("{ await get(x); }", "{ try { await get(x); } catch (e) { report(e); } }"),
        OPEN.replace("close)", "close, { once: true })"),
        OPEN.replace("openBox", "start"),
        SIGN + "if (!timingSafeEqual(Buffer.from(sent), Buffer.from(made))) refuse();\n",
    ],
)
def test_it_is_left_alone(code: str, found: Found) -> None:
    rules = {"loosely-equal", "promise-unheard", "listener-kept", "compared-in-time"}
    assert not rules & {each.rule for each in found({"a.js": code}, "lint", "security")}
