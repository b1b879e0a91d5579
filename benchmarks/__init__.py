"""Measurements, seeded and printed as JSON; never imported by the product, never timed in the tests."""
