"""Tables of cases: rows with names, and rule sets in the notation, which are short enough for a row."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from heartsrules import Cards, Rules
from heartsrules.cards import ALL_FACES
from heartsrules.formats.notation import format_rules, parse_field, parse_rules

__all__ = ["fields_of", "named", "rules_of"]


def rules_of(text: str = "", base: Rules | str = "", *, deck: str = "") -> Rules:
    """Return the rule set of some fields, such as `moon=choice teams=2`, the other fields as in another rule set.

    Args:
        text: The fields, or a preset and fields. Of two values of a field the last one counts.
        base: A rule set or its text. Defaults to the usual game.
        deck: All cards in play. Defaults to a whole deck without those that `removed` names.
    """
    words = f"{format_rules(base) if isinstance(base, Rules) else base} {text}".split()
    fields = {word.partition("=")[0]: word for word in words}
    if deck:
        rest = Cards(ALL_FACES * int(fields.get("decks", "=1").partition("=")[2])) - Cards(deck)
        fields["removed"] = f"removed={','.join(map(str, rest))}"
    return parse_rules(" ".join(fields.values()) or "default")


def fields_of(text: str, players: int = 4) -> dict[str, Any]:
    """Return the values of some fields by name, for a call that fixes them."""
    return {
        name: parse_field(name, value, players) for name, _, value in [word.partition("=") for word in text.split()]
    }


def named(columns: str, rows: Iterable[tuple[Any, ...]]) -> pytest.MarkDecorator:
    """Parametrize a test with the rows of a table, each a name and the values of the columns.

    A text in the column `rules` becomes its rule set. Texts that are missing at the end of a row are empty.
    """
    names = columns.split()
    values = []
    called = []
    for name, *row in rows:
        cells = dict(zip(names, [*row, *[""] * (len(names) - len(row))], strict=True))
        if isinstance(cells.get("rules"), str):
            cells["rules"] = rules_of(cells["rules"])
        values.append(tuple(cells.values()))
        called.append(name)
    return pytest.mark.parametrize(names, values, ids=called)
