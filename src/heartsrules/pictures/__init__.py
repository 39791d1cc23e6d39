"""Pictures of cards, tables and score sheets: diagrams in text, SVG, and what a notebook shows."""
