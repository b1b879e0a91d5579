"""What a request is made of: the skeleton, the fences around content, the standing texts."""
