"""How much a packet is worth: pure arithmetic that several steps share."""
