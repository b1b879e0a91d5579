"""Whether chance or a hash guards something, by the words around it: else it names, compares, or is for show."""

import re
from collections.abc import Iterable

_GUESSED = re.compile(
    r"passw|token|secret|\botp|_otp|nonce|salt|session_?id|invit|voucher|coupon|gift_?card|api_?key"
    r"|(?:^|[^a-z])pin(?:_|\b)(?!s)|_pin\b"
    r"|(?:reset|access|verif\w*|confirm\w*|sms|login|sign_?in|auth\w*|security|two_?factor|2fa|gift|discount|promo\w*"
    r"|redeem|redemption|unlock|door|recover\w*|backup|activation|pass|one_?time|link|referral)_?(?:code|key|link)"
    r"|reset|\bcode\b[\s\S]*(?:sms|verif|two.?factor|sign.?in|log.?in|验证码|登录)"
    r"|验证码|密码|口令|优惠券|兑换码",
    re.IGNORECASE,
)
"""What must not be guessed; elsewhere chance is for tests, games and waiting times."""
_MADE = re.compile(r"join\(")
_CALLED_CODE = re.compile(
    r"def \w*(?:code|serial|licen[cs]e|ticket|(?:card|member|account)_(?:number|no)|reference|pass(?:es)?|badge)s?"
    r"(?:_\w+)?\("
    r"|^\s*(?:\w+\.)?\w*(?:code|serial|licen[cs]e|ticket|card_number)\s*(?::[^=\n]+)?=",
    re.I | re.M,
)
"""Names of what opens or pays by being known, where it is put together of single characters by chance."""
_NO_CODE = re.compile(
    r"colou?r|country|zip|postal|post_?code|status|error|lang|currency|demo|sample_|fake|example|dummy|test", re.I
)
_NO_SECRET = re.compile(
    r"(?:no|not an?|isn't an?|never an?) (?:\w+ )?(?:secret|password|security)|not secret"
    r"|不是秘密|不是密码|非机密|无需保密",
    re.I,
)
"""Somebody has said that it may be guessed."""
_IS_NAMED = re.compile(r"md5|sha_?1", re.IGNORECASE)
"""A definition named after its algorithm implements it knowingly, for what was made with it long ago."""
_PROTECTS = re.compile(
    r"passw|token|secret|signature|credential|auth|session|api_?key|(?<![a-z])pins?(?![a-z])|one_?time|\botp|_otp"
    r"|(?:access|entry|portal|log_?in|sign_?in|unlock|door|gate|invit\w*|voucher|coupon|gift\w*|redeem|redemption|reset"
    r"|recover\w*|backup|verif\w*|confirm\w*|activation|security|claim|pickup|pass|licen[cs]e|ticket|member)_?(?:code|key|link)"
    r"|验证码|密码|口令|兑换码|取件码",
    re.IGNORECASE,
)
"""What a weak hash matters for; elsewhere it names and compares."""
_NAMES = re.compile(r"etag|cache|dedup|\bshort_?id|checksum|\bslug\b|bucket|shard|color|avatar", re.I)
"""What a hash is for where it names: by the name of its function."""


def guards(place: str, itself: str, around: str, owners: Iterable[str]) -> bool:
    """Return whether a weak hash guards something, by the words around it.

    Args:
        place: The name of its file, without its ending.
        itself: The lines it stands in.
        around: The text of its function.
        owners: The definitions it is in.
    """
    around = re.sub(r"\b(?:db\.)?session\b(?!_)", "", around)  # that of a database protects nothing
    names = bool(_NAMES.search(around.partition("(")[0])) or any(map(_IS_NAMED.search, owners))
    if _looks_up(itself, around) and not _PROTECTS.search(itself):
        return False
    return not names and bool(_PROTECTS.search(f"{place}\n{around}"))


def _looks_up(itself: str, around: str) -> bool:
    """Return whether a value is only what something kept is looked up by: the key of a cache, the name of a file."""
    filled = re.findall(r"^\s*(\w+)\s*=[^=]", itself, re.MULTILINE)
    return any(
        re.search(rf"(?:cache|redis|memo|storage|seen|limiter)\w*(?:\.\w+\(|\[)\s*{name}\b", around) for name in filled
    )


def must_not_be_guessed(itself: str, around: str) -> bool:
    """Return whether chance makes what must not be guessed: by its statement, its function, and what it fills."""
    filled = re.findall(r"^\s*(\w+)\s*=[^=]", itself, re.MULTILINE)
    lines = [line for line in around.split("\n") if any(re.search(rf"\b{name}\b", line) for name in filled)]
    told = "\n".join((around.partition("(")[0], itself, *lines))
    spelt = bool(_MADE.search(around) and _CALLED_CODE.search(f"{around.partition(':')[0]}\n{itself}"))
    if spelt and not _NO_CODE.search(told) and not _NO_SECRET.search(around):
        return True
    return bool(_GUESSED.search(told)) and not _NO_SECRET.search(around)
