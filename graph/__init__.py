"""In what order: wiring, edges, sessions and the ways in."""
