"""Positions in one call, for puzzles, tests and imports."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import attrs

from heartsrules.base.errors import InvalidState, Problem
from heartsrules.cards import NO_CARDS, Card, Cards, Suit
from heartsrules.play.moves import Pass, Play
from heartsrules.play.phases import Phase
from heartsrules.play.public import Trick
from heartsrules.play.sheet import DealScore
from heartsrules.play.state import MidDealPosition, Playing
from heartsrules.play.stateless import cards_or_plays
from heartsrules.rules import Rules, Seat
from heartsrules.rules.arguments import bag_from, bags_in
from heartsrules.setup._check import check
from heartsrules.setup._value import Setup, item, items

V = TypeVar("V")


def set_up(  # noqa: PLR0913
    rules: Rules,
    *,
    hands: Iterable[str | Iterable[Card | str]],
    leader: Seat | None = None,
    trick: Iterable[Card | Play | str] = (),
    tricks: Iterable[Trick] | None = None,
    captured: Iterable[str | Iterable[Card | str]] | None = None,
    tricks_won: Iterable[int] | None = None,
    set_aside: str | Iterable[Card | str] | None = None,
    kitty: str | Iterable[Card | str] | None = None,
    kitty_winner: Seat | None = None,
    hearts_broken: bool | None = None,
    scores: Iterable[int] | None = None,
    deal_number: int = 0,
    score_sheet: Iterable[DealScore] = (),
    queen_taker: Seat | None = None,
    passes: Iterable[Pass] = (),
    dealt_back: Iterable[str | Iterable[Card | str]] = (),
    exposed: Iterable[str | Iterable[Card | str]] = (),
    suits_led: Iterable[Suit] = (),
) -> Playing:
    """Set up a position in the middle of a deal.

    With `tricks`, the deal is replayed from its first lead. Only `hands` is then required, and the other arguments must
    match if given. Without, `captured` and `leader` are required once a trick is complete; the state then has no
    `tricks`, and `has_full_history` is False. Tuples have one item per seat.

    Args:
        hands: the remaining hands, without the current trick.
        leader: the leader to the current trick.
        trick: its cards or plays, in order.
        tricks: the completed tricks, in order.
        captured: the cards won, including the kitty.
        tricks_won: the number of tricks won. Defaults to the number that fits the captured cards.
        set_aside: the cards of tricks still to be won.
        kitty: the kitty. Defaults to the cards that are nowhere else. Required with `kitty_winner` but without
            `tricks`.
        kitty_winner: the seat that won the kitty.
        hearts_broken: True if hearts are broken. Defaults to what the known cards show.
        scores: the totals before this deal. Defaults to the last row of `score_sheet`, or to 0.
        deal_number: the number of this deal, from 0.
        score_sheet: the score sheet, empty or with a row for each earlier deal.
        queen_taker: the seat that captured the ♠Q in the previous deal, or None. Only without a score sheet.
        passes: each seat's pass, or empty if unknown. Only with `tricks`, or before a trick is complete.
        dealt_back: the cards that each seat was dealt back after a pass through the middle.
        exposed: the cards exposed before the first lead.
        suits_led: the suits led in completed tricks. Required without `tricks` if cards were exposed.

    >>> piles = [Rules().deck - Cards("QS 2H 3H 4H"), "", "", ""]
    >>> set_up(Rules(), hands=["QS", "2H", "3H", "4H"], leader=0, captured=piles).trick_number
    12

    Raises:
        InvalidState: no play could have led there. The fields of its `problems` are those of `Setup`.
    """
    item("rules", rules, Rules)
    told = Setup(
        phase=Phase.PLAY,
        rules=rules,
        deal_number=deal_number,
        queen_taker=queen_taker,
        score_sheet=items("score_sheet", score_sheet, DealScore),
        scores=_optional("scores", scores, int),
        hands=bags_in("hands", hands),
        kitty=None if kitty is None else bag_from("kitty", kitty),
        passes=items("passes", passes, Pass),
        dealt_back=bags_in("dealt_back", dealt_back),
        exposed=bags_in("exposed", exposed),
        tricks=_optional("tricks", tricks, Trick) or (),
        trick=_plays(rules, leader, trick),
        leader=leader,
        captured=None if captured is None else bags_in("captured", captured),
        tricks_won=_optional("tricks_won", tricks_won, int),
        set_aside=None if set_aside is None else bag_from("set_aside", set_aside),
        kitty_winner=kitty_winner,
        hearts_broken=hearts_broken,
    )
    return _checked(told, items("suits_led", suits_led, Suit), with_history=tricks is not None)


def _optional(name: str, values: object, kind: type[V]) -> tuple[V, ...] | None:
    return None if values is None else items(name, values, kind)


def _checked(told: Setup, suits: tuple[Suit, ...], *, with_history: bool) -> Playing:
    """Return the position of a setup.

    Piles without tricks go into its `resumed_from`.
    """
    leader, plays = told.leader, told.trick
    if not told.score_sheet and told.deal_number > 0:
        told = attrs.evolve(told, first=told.deal_number, start=told.scores or (0,) * told.rules.players)
    if plays and leader is not None and 0 <= leader < told.rules.players and plays[0].seat != leader:
        raise InvalidState((Problem.of("wrong-leader", ("leader",), "trick", leader=leader, seat=plays[0].seat),))
    if not with_history and not _is_full(told.rules, told.hands, plays):
        if told.captured is None or leader is None:
            missing = tuple([name for name in ("captured", "leader") if getattr(told, name) is None])
            raise InvalidState((Problem.of("no-history", missing, "setup", missing=missing),))
        aside = told.set_aside or NO_CARDS
        middle = MidDealPosition(leader, told.captured, told.tricks_won, aside, told.kitty_winner, suits_led=suits)
        told = attrs.evolve(
            told, resumed_from=middle, leader=None, captured=None, tricks_won=None, set_aside=None, kitty_winner=None
        )
    state = check(told)
    assert isinstance(state, Playing)
    if suits and told.resumed_from is None and set(suits) != {each.plays[0].card.suit for each in state.tricks}:
        raise InvalidState((Problem.of("contradiction", ("suits_led",), "part", name="suits_led"),))
    return state


def _is_full(rules: Rules, hands: tuple[Cards, ...], plays: tuple[Play, ...]) -> bool:
    played = {play.seat for play in plays}
    return any([len(hand) + (seat in played) >= rules.cards_per_hand for seat, hand in enumerate(hands)])


def _plays(rules: Rules, leader: Seat | None, trick: object) -> tuple[Play, ...]:
    if leader is not None:
        item("leader", leader, int)
    return tuple(
        [
            Play(((leader or 0) + number) % rules.players, played) if isinstance(played, Card) else played
            for number, played in enumerate(cards_or_plays(trick))
        ]
    )
