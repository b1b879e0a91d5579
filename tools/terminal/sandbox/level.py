"""How well this machine can confine a program: asked once, said in every result."""

import sys
from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True, slots=True)
class Level:
    """What the kernel offers, and what a command is therefore run with."""

    landlock: int = 0
    """Version of Landlock, 0 for none: without it reading is confined by policy only."""
    seccomp: bool = False
    """Whether programs can be kept from starting others, writing and speaking to the network."""
    processes: bool = True
    """Whether programs can be started at all (not on Windows)."""

    @property
    def full(self) -> bool:
        """Return whether the kernel confines both reading and everything else."""
        return self.landlock > 0 and self.seccomp

    def __str__(self) -> str:
        """Return the level as it stands in results: `"landlock 7 + seccomp"`, `"policy only"`, ..."""
        parts = [f"landlock {self.landlock}"] * bool(self.landlock) + ["seccomp"] * self.seccomp
        if not parts:
            return "policy only" if self.processes else "built-ins only"
        return " + ".join(parts)


@cache
def best_level() -> Level:
    """Return the level of this machine."""
    if sys.platform == "win32":
        return Level(processes=False)
    if sys.platform != "linux":
        return Level()
    from . import landlock, seccomp  # they bind the C library, which is another one elsewhere

    return Level(landlock=landlock.version(), seccomp=seccomp.available())
