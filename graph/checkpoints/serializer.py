"""How values become bytes: only our own state types come back as objects, and damaged bytes are noticed."""

import zlib
from inspect import isclass

from langgraph.checkpoint.serde.base import CipherProtocol
from langgraph.checkpoint.serde.encrypted import EncryptedSerializer
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer

from ...state import session
from ...state.errors import ConfigError, StoreError

KEY_BYTES = (16, 24, 32)


def state_types() -> list[tuple[str, str]]:
    """Return module and name of each class the session's state is made of: the list of what may be rebuilt."""
    package = session.__name__.rpartition(".")[0]
    classes = [value for value in vars(session).values() if isclass(value)]
    return sorted((cls.__module__, cls.__name__) for cls in classes if cls.__module__.startswith(f"{package}."))


class _Checked(CipherProtocol):
    """Puts a checksum before the bytes: a page that was torn or zeroed must not come back as a text of spaces."""

    def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
        return "crc32", zlib.crc32(plaintext).to_bytes(4, "big") + plaintext

    def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
        if ciphername == "aes":
            raise StoreError("the checkpoints are encrypted: set LANGGRAPH_AES_KEY to the key they were written with")
        if ciphername != "crc32":
            raise StoreError(f"a checkpoint is stored as {ciphername!r}, which this version cannot read: upgrade it")
        plaintext = ciphertext[4:]
        if zlib.crc32(plaintext).to_bytes(4, "big") != ciphertext[:4]:
            raise StoreError("a stored checkpoint is damaged (its checksum differs): run `maintainer doctor --repair`")
        return plaintext


class _Sealed(_Checked):
    """AES in EAX mode: nobody without the key reads the bytes or changes them unnoticed."""

    def __init__(self, key: bytes) -> None:
        self.aes = EncryptedSerializer.from_pycryptodome_aes(key=key).cipher

    def encrypt(self, plaintext: bytes) -> tuple[str, bytes]:
        return self.aes.encrypt(plaintext)

    def decrypt(self, ciphername: str, ciphertext: bytes) -> bytes:
        if ciphername != "aes":
            return super().decrypt(ciphername, ciphertext)
        try:
            return self.aes.decrypt(ciphername, ciphertext)
        except ValueError as error:  # "MAC check failed"
            raise StoreError(
                "a checkpoint does not open with this key: LANGGRAPH_AES_KEY is not the one it was written with, "
                "or the checkpoint is damaged"
            ) from error


def open_serializer(key: bytes | None = None) -> EncryptedSerializer:
    """Return the serializer of all our stores; values written in clear stay readable when a key is set later.

    Raises:
        ConfigError: The key is not 16, 24 or 32 bytes long.
        StoreError: A key is given and the package that encrypts is not installed.
    """
    plain = JsonPlusSerializer(allowed_msgpack_modules=state_types())
    if key is None:
        return EncryptedSerializer(_Checked(), plain)
    if len(key) not in KEY_BYTES:
        raise ConfigError("checkpoint_key (LANGGRAPH_AES_KEY)", f"{len(key)} bytes", "must be 16, 24 or 32 bytes long")
    try:
        return EncryptedSerializer(_Sealed(key), plain)
    except ImportError as error:
        raise StoreError("encrypted sessions need one more package: pip install 'maintainer[encryption]'") from error
