"""Language models: one protocol, any provider, with our errors, our retries and repaired tool calls."""

from .protocol import Answer, ContextTooLong, Definition, Model
from .roles import Models, open_model, open_models

__all__ = ["Answer", "ContextTooLong", "Definition", "Model", "Models", "open_model", "open_models"]
