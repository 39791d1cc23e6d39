"""Errors, base classes of values, lazy imports, optional extras and signals."""
