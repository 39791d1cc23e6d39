"""Games and positions as text and as JSON: our notation and wire format, and the logs of other programs."""
