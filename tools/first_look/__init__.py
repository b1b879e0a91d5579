"""What each mode looks at before anything else, as packets."""

from .look import FirstLook, Look
from .looks import looks_of

__all__ = ["FirstLook", "Look", "looks_of"]
