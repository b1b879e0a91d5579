"""What git knows of a repository, read in a way that a hostile repository cannot turn into running its programs."""

from .output import BlamedLine, Change, ChangeKind, Commit, names_today
from .repository import Git

__all__ = ["BlamedLine", "Change", "ChangeKind", "Commit", "Git", "names_today"]
