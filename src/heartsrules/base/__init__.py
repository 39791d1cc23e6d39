"""The ground floor: errors, the base class of values, lazy imports, and the extras that some modules need."""
