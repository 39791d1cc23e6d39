"""Positions and records of games as text.

A *position* is one line, to be pasted into a bug report and read back to an equal state. A *record* tells a game:
tags, lines for deals, passes, exposures and tricks, comments, points and winners; a file can hold any number of them.
Both are written in one canonical way and read with some leniency; the page "Notation" of the documentation is their
grammar.

Reading is a matter of syntax alone for a record: its moves may be illegal, and `heartsrules.play.game.verify` judges
them. A position is played again by the engine, so that an impossible one is refused.
"""

from typing import TYPE_CHECKING

from heartsrules.base.lazy import lazy

if TYPE_CHECKING:
    from heartsrules.formats.notation.evaluation import Evaluation, format_evaluation, parse_evaluation
    from heartsrules.formats.notation.fields import format_field, format_rules, parse_field, parse_rules
    from heartsrules.formats.notation.position import format_position, parse_position, parse_setup
    from heartsrules.formats.notation.record import (
        MAX_GAME,
        MAX_TOKENS,
        format_record,
        format_records,
        parse_record,
        parse_records,
        scan_records,
    )
    from heartsrules.formats.notation.scan import MAX_LINE
    from heartsrules.formats.notation.variation import Variation, format_variation, parse_variation
else:
    __getattr__, __dir__ = lazy(
        globals(),
        {
            "evaluation": ("Evaluation", "format_evaluation", "parse_evaluation"),
            "fields": ("format_field", "format_rules", "parse_field", "parse_rules"),
            "position": ("format_position", "parse_position", "parse_setup"),
            "record": (
                "MAX_GAME",
                "MAX_TOKENS",
                "format_record",
                "format_records",
                "parse_record",
                "parse_records",
                "scan_records",
            ),
            "scan": ("MAX_LINE",),
            "variation": ("Variation", "format_variation", "parse_variation"),
        },
    )

__all__ = [
    "MAX_GAME",
    "MAX_LINE",
    "MAX_TOKENS",
    "Evaluation",
    "Variation",
    "format_evaluation",
    "format_field",
    "format_position",
    "format_record",
    "format_records",
    "format_rules",
    "format_variation",
    "parse_evaluation",
    "parse_field",
    "parse_position",
    "parse_record",
    "parse_records",
    "parse_rules",
    "parse_setup",
    "parse_variation",
    "scan_records",
]
