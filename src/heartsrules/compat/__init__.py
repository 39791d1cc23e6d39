"""Bridges to other programs. Each is a module of its own, and importing one asks for nothing but this package."""
