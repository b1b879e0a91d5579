"""The model's own tools: a small set without overlap, each with a strict schema."""
