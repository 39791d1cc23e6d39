"""Calls of the functions for apps that are refused: a sample of each problem that they alone have."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    Deal,
    InvalidState,
    Passing,
    Play,
    Rules,
    apply,
    new_game,
    pass_options,
    score_deal,
    trick_winner,
    view,
    winning_seat,
)
from heartsrules.analysis.endings import take_the_rest
from heartsrules.play.sheet import DealScore
from heartsrules.play.stateless import card_breaks_hearts, why_illegal_pass, winners, wins_kitty
from heartsrules.rules import HOLD, Duplicates, Kitty, Moon, VoidLastTrick, left
from heartsrules.setup import set_up
from heartsrules.setup.row_check import row_problems
from heartsrules.views import PassingView

__all__ = ["CALLS", "judged"]

_PLAIN: Final = Rules()
_ALL: Final = _PLAIN.deck
_FOUR: Final = Cards("2C 3C 4C 5C")
_FIVE: Final = _FOUR + Cards("6C")
_EIGHT: Final = _FIVE + Cards("7C 8C 9C")
_QUEEN: Final = Cards("2S 3S 4S QS")
_HANDS: Final = [Cards(list(_ALL)[seat::4]) for seat in range(4)]
_NOTHING: Final = Cards()
_CHOICE: Final = Rules(moon=Moon.CHOICE)
_SWEPT: Final = [_ALL, _NOTHING, _NOTHING, _NOTHING]
_UP: Final = Moon.OTHERS_UP
_KITTY: Final = Rules(hand_size=12, kitty=Kitty.FIRST_TRICK)
_CANCEL: Final = Rules(players=8, decks=2, duplicates=Duplicates.CANCEL, void_last_trick=VoidLastTrick.LEADER)
_CANCEL_KITTY: Final = Rules(
    players=5, decks=2, kitty=Kitty.FIRST_TRICK, duplicates=Duplicates.CANCEL, void_last_trick=VoidLastTrick.LEADER
)


def judged(rules: Rules, row: DealScore, before: tuple[int, ...]) -> None:
    """Refuse the first row of a score sheet if anything is wrong with it."""
    problems = row_problems(rules, row, before, 0, "score_sheet[0]")
    if problems:
        raise InvalidState(problems)


def _chosen(*gifts: str) -> None:
    """What can be added to these gifts of a pass."""
    rules = Rules(unpassable="2C")
    start = new_game(rules)
    assert isinstance(start, AwaitingDeal)
    passing = apply(start, Deal(tuple(_HANDS), _NOTHING))
    assert isinstance(passing, Passing)
    seen = view(passing, 0)
    assert isinstance(seen, PassingView)
    pass_options(seen, map(Cards, gifts))


def _plays(cards: str) -> list[Play]:
    return [Play(seat % 4, Card(card)) for seat, card in enumerate(cards.split())]


CALLS: Final[tuple[tuple[str, Callable[[], object]], ...]] = (
    ("claim", partial(take_the_rest, new_game(_PLAIN))),
    ("pass", partial(_chosen, "6C TC AC 3D", "2H")),
    ("pass", partial(_chosen, "3C")),
    ("pass", partial(_chosen, "3C 4C")),
    ("pass", partial(_chosen, "2C")),
    ("score", partial(score_deal, _PLAIN, [_ALL, Cards("2C"), _NOTHING, _NOTHING], (13, 0, 0, 0))),
    ("score", partial(score_deal, _PLAIN, [_ALL, Cards("2C 3C 4C 5C 6C 7C"), _NOTHING, _NOTHING], (13, 0, 0, 0))),
    ("score", partial(score_deal, _PLAIN, _SWEPT, (14, -1, 0, 0))),
    ("score", partial(score_deal, _PLAIN, _SWEPT, (12, 0, 0, 0))),
    ("score", partial(score_deal, _CANCEL, [_NOTHING] * 8, (13, 1, 0, 0, 0, 0, 0, 0))),
    ("score", partial(score_deal, _CANCEL, [_NOTHING] * 8, (0,) * 8)),
    ("score", partial(score_deal, _KITTY, [_ALL - _FOUR, _NOTHING, _NOTHING, _NOTHING], (12, 0, 0, 0))),
    ("score", partial(score_deal, _CANCEL, [_EIGHT, _EIGHT, *[_NOTHING] * 6], (1, 1, 0, 0, 0, 0, 0, 0))),
    ("score", partial(score_deal, _CANCEL_KITTY, [_FIVE, _FIVE, _NOTHING, _NOTHING, _NOTHING], (1, 1, 0, 0, 0))),
    ("score", partial(score_deal, _PLAIN, [_ALL - _FIVE, _FIVE, _NOTHING, _NOTHING], (12, 1, 0, 0))),
    ("score", partial(score_deal, _KITTY, [_ALL - _FIVE, Cards("2C"), _NOTHING, _NOTHING], (11, 1, 0, 0))),
    ("score", partial(score_deal, _PLAIN, [_NOTHING] * 4, (13, 0, 0, 0))),
    ("score", partial(score_deal, _KITTY, [_NOTHING] * 4, (12, 0, 0, 0))),
    ("score", partial(score_deal, _PLAIN, _SWEPT, (13, 0, 0, 0), deal_number=10**30)),
    ("score", partial(score_deal, _CHOICE, _SWEPT, (13, 0, 0, 0))),
    ("score", partial(score_deal, _PLAIN, _SWEPT, (13, 0, 0, 0), effect=Moon.CHOICE)),
    ("score", partial(score_deal, _PLAIN, [_ALL - _QUEEN, _QUEEN, _NOTHING, _NOTHING], (12, 1, 0, 0), effect=_UP)),
    ("row", partial(judged, _PLAIN, DealScore((), (), None, None, False, (), (), None), (0, 0, 0))),
    ("setup", partial(set_up, _PLAIN, hands=_HANDS, leader=0, trick=[Play(1, Card("2C"))])),
    ("setup", partial(set_up, _PLAIN, hands=[_NOTHING] * 4)),
    ("setup", partial(set_up, _PLAIN, hands=[_NOTHING] * 4, leader=0)),
    ("pass", partial(why_illegal_pass, _PLAIN, _HANDS[0], [], left(2))),
    ("pass", partial(why_illegal_pass, _PLAIN, _HANDS[0], [], HOLD)),
    ("hearts", partial(card_breaks_hearts, _PLAIN, Card("2C"), [Card("2C"), Card("3C")])),
    ("hearts", partial(card_breaks_hearts, _PLAIN, Card("2H"), [Card("2C"), Card("3C"), Card("4C"), Card("5C")])),
    ("kitty", partial(wins_kitty, _PLAIN, Cards("2C"))),
    ("kitty", partial(wins_kitty, _PLAIN, Cards("2C 3C 4C 5C 6C"))),
    ("end", partial(winners, _PLAIN, (0, 0, 0, 0), 10**40)),
    ("trick", partial(trick_winner, _PLAIN, _plays("2C 3C 4C"))),
    ("trick", partial(trick_winner, _PLAIN, _plays("2C 3C 4C 2C"))),
    ("trick", partial(winning_seat, _PLAIN, _plays("2C 3C 4C 5C 6C"))),
)
"""What each is about, and the call."""
