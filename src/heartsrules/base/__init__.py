"""What every other room uses: errors, base classes of values, lazy imports, optional extras, signals."""
