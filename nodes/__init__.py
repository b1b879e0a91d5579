"""What is done: one step per module, state in, update out."""
