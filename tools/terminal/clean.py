"""From bytes to text that is safe to show: readable encodings read, everything that acts on a screen made visible."""

import re
from collections.abc import Iterable, Iterator, Sequence

DANGEROUS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff"
    "\U000e0000-\U000e007f]"
)
"""Control characters of both sets, direction marks, invisible letters, tag letters. A carriage return counts when no
newline follows."""
LONGEST_PIECE = 1 << 18
CHINESE = re.compile(r"[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")
TEXT_BYTES = bytes([9, 10, 13, *range(32, 127), *range(128, 256)])
MARKS = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


def visible(text: str) -> str:
    """Return the text with every dangerous character shown as `\\xNN`, `\\uNNNN` or `\\UNNNNNNNN`."""
    if not DANGEROUS.search(text):
        return text
    return "\r\n".join(part.translate(_SHOWN) for part in text.split("\r\n"))


class _Shown(dict[int, str | int]):
    """How each character is shown; a table that fills itself."""

    def __missing__(self, number: int) -> str | int:
        shown: str | int = number
        if DANGEROUS.match(chr(number)):
            form = "\\x%02x" if number < 0x100 else "\\u%04x" if number < 0x10000 else "\\U%08x"
            shown = form % number
        if len(self) < 1 << 16:
            self[number] = shown
        return shown


_SHOWN = _Shown()


def to_text(chunks: list[bytes | bytearray], limit: int) -> tuple[str, bool]:
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
            text += shown.encode()[:keep].decode("utf-8", "ignore")
            return text, True
        text += shown  # grows in place: no copy of what is there already
    return text, False


def _whole(chunks: list[bytes | bytearray], encoding: str) -> str:
    data = b"".join(chunks)
    chunks.clear()
    return data[2:].decode(encoding, "replace")


def _pieces(chunks: list[bytes | bytearray]) -> Iterator[bytes]:
    """Yield whole lines, many at a time; a line too long for that in parts that break no UTF-8 character."""
    rest = b""
    chunks.reverse()
    while chunks:
        block, start = rest + chunks.pop(), 0
        while len(block) - start > LONGEST_PIECE:
            end = block.rfind(b"\n", start, start + LONGEST_PIECE) + 1 or _border(block, start + LONGEST_PIECE)
            yield block[start:end]
            start = end
        rest = block[start:]
    if rest:
        yield rest


def _border(block: bytes, at: int) -> int:
    """Return the last place, at most three bytes before one, where a UTF-8 character and a line end are whole."""
    while at > 3 and block[at] & 0xC0 == 0x80 and block[at - 1] >= 0x80:
        at -= 1
        if block[at] >= 0xC0:
            break
    return at - 1 if block[at - 1 : at + 1] == b"\r\n" else at


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


def is_binary(chunks: Sequence[bytes | bytearray]) -> bool:
    """Return whether output is no text: it holds zero bytes, and a tenth of its beginning is no text either.

    File names parted by zero bytes are text in this sense, and so is UTF-16 that says so.
    """
    head = bytes(chunks[0][:4096]) if chunks else b""
    if b"\0" not in head or head[:2] in MARKS:
        return False
    odd = len(head.translate(None, TEXT_BYTES)) + head.decode("utf-8", "replace").count("\ufffd")
    return odd > len(head) // 10
