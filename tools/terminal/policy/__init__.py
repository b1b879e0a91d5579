"""What may run: a table for each program, and one answer to a stage of a pipeline."""

from .check import ALLOWED, Checked, Policy

__all__ = ["ALLOWED", "Checked", "Policy"]
