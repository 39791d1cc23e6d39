"""Pictures of cards, tables and score sheets in text, SVG and notebooks."""
