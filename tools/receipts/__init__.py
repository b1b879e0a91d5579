"""Receipts of builds, stored once: what was in a prompt and why, for as long as it is kept."""

from .store import ReceiptStore, Stored

__all__ = ["ReceiptStore", "Stored"]
