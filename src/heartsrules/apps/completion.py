"""Shell completion of preset names and settings."""

from __future__ import annotations

from collections.abc import Iterator

from heartsrules.formats.notation.fields import format_field
from heartsrules.rules import Kind, Rules, presets

__all__ = ["presets_that_begin", "settings_that_begin"]
__dir__ = __all__.copy


def presets_that_begin(incomplete: str) -> list[str]:
    """Complete the name of a preset."""
    return [name for name in presets.ALL if name.startswith(incomplete.lower())]


def settings_that_begin(incomplete: str) -> list[str]:
    """Complete a field name for `--set`, and its value if values have names."""
    return [text for text in _settings() if text.startswith(incomplete.lower())]


def _settings() -> Iterator[str]:
    for option in Rules.OPTIONS:
        yield f"{option.name}="
        if option.kind in (Kind.BOOL, Kind.CHOICE):
            yield from [f"{option.name}={format_field(option.name, value, 4)}" for value in option.choices]
