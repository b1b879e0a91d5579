"""From bytes to text that is safe to show: readable encodings read, everything that acts on a screen made visible."""

import re
from collections.abc import Iterable, Iterator, Sequence

DANGEROUS = re.compile(
    "\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
"""Control characters of both sets, a lone carriage return, direction marks, invisible letters, tag letters."""
LONGEST_PIECE = 1 << 20
CHINESE = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
TEXT_BYTES = bytes([9, 10, 13, *range(32, 127), *range(128, 256)])
MARKS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


def visible(text: str) -> str:
    """Return the text with every dangerous character shown as `\\xNN` or `\\uNNNN`."""
    return DANGEROUS.sub(_shown, text)


def _shown(match: re.Match[str]) -> str:
    number = ord(match[0])
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def to_text(chunks: list[bytes], limit: int) -> tuple[str, bool]:
    """Return output as text, at most `limit` bytes of UTF-8, and whether something was cut off.

    Lines that are no UTF-8 are read as GB18030 when that gives Chinese, as UTF-16 when the output begins with its
    mark; what remains unreadable becomes U+FFFD. The chunks are used up, so that no second copy of all is needed.
    """
    encoding = next((name for mark, name in MARKS.items() if chunks and chunks[0].startswith(mark)), None)
    if encoding:
        pieces: Iterable[str] = [_whole(chunks, encoding)]
    else:
        pieces = (_decoded(piece) for piece in _pieces(chunks))
    text, size = "", 0
    for piece in pieces:
        shown = visible(piece)
        size += len(shown) if shown.isascii() else len(shown.encode())
        if size > limit:
            keep = max(0, len(shown.encode()) - (size - limit))
            return text + shown.encode()[:keep].decode("utf-8", "ignore"), True
        text += shown  # grows in place: no copy of what is there already
    return text, False


def _whole(chunks: list[bytes], encoding: str) -> str:
    data = b"".join(chunks)
    chunks.clear()
    return data[2:].decode(encoding, "replace")


def _pieces(chunks: list[bytes]) -> Iterator[bytes]:
    """Yield whole lines, many at a time; a line too long for that in parts that break no UTF-8 character."""
    rest = b""
    chunks.reverse()
    while chunks:
        rest += chunks.pop()
        end = rest.rfind(b"\n") + 1
        if not end and len(rest) > LONGEST_PIECE:
            end = len(rest)
            while end > len(rest) - 4 and rest[end - 1] & 0xC0 == 0x80:
                end -= 1
            end -= rest[end - 1] >= 0xC0
        if end:
            yield rest[:end]
            rest = rest[end:]
    if rest:
        yield rest


def _decoded(piece: bytes) -> str:
    try:
        return piece.decode()
    except UnicodeDecodeError:
        return "".join(_line(line) for line in piece.splitlines(keepends=True))


def _line(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        pass
    try:
        text = line.decode("gb18030")
    except UnicodeDecodeError:
        return line.decode("utf-8", "replace")
    foreign = [character for character in text if not character.isascii()]
    chinese = len(CHINESE.findall(text))
    return text if chinese >= 0.9 * len(foreign) else line.decode("utf-8", "replace")


def is_binary(chunks: Sequence[bytes]) -> bool:
    """Return whether output is no text: it holds zero bytes, and a tenth of its beginning is no text either.

    File names parted by zero bytes are text in this sense, and so is UTF-16 that says so.
    """
    head = chunks[0][:4096] if chunks else b""
    if b"\0" not in head or head[:2] in MARKS:
        return False
    odd = len(head.translate(None, TEXT_BYTES)) + head.decode("utf-8", "replace").count("\ufffd")
    return odd > len(head) // 10
