"""The terminal: commands that only read, without a shell, confined by the kernel."""

from .result import CommandResult, Progress, Proposal
from .tool import TerminalTool

__all__ = ["CommandResult", "Progress", "Proposal", "TerminalTool"]
