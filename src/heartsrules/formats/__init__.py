"""Games and positions as text and as JSON, and readers for other programs' logs."""
