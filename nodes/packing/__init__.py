"""What fits: pure arithmetic that several steps share."""
