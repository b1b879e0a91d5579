"""Nightly jobs; `manage.py nightly` runs them."""
