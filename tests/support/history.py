"""Positions of which the completed tricks are not known."""

from __future__ import annotations

from heartsrules import Playing
from heartsrules.setup import set_up


def forgotten(state: Playing) -> Playing:
    """The same position, set up without its history."""
    return set_up(
        state.rules,
        hands=state.hands,
        leader=state.leader,
        trick=state.trick,
        captured=state.captured,
        tricks_won=state.tricks_won,
        set_aside=state.set_aside,
        kitty=state.kitty,
        kitty_winner=state.kitty_winner,
        hearts_broken=state.hearts_broken,
        scores=state.scores,
        deal_number=state.deal_number,
        queen_taker=state.score_sheet.queen_taker,
        exposed=state.exposed if any(state.exposed) else (),
        suits_led={trick.plays[0].card.suit for trick in state.tricks} | set(state.start.led_before),
    )
