"""Bridges to other programs. Each is a module of its own, and needs the extra of its name."""
