"""Readers for the logs of other programs."""
