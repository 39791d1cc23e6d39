"""A position in the middle of a deal, told and believed in one call: for puzzles, tests and imports."""

from __future__ import annotations

from collections.abc import Iterable

from heartsrules.base.errors import InvalidState, Problem
from heartsrules.base.values import wrong_item, wrong_type
from heartsrules.cards import NO_CARDS, Card, Cards, Suit
from heartsrules.play.moves import Pass, Play
from heartsrules.play.phases import Phase
from heartsrules.play.sheet import DealScore
from heartsrules.play.state import Middle, Playing, Trick
from heartsrules.rules import Rules, Seat
from heartsrules.setup._check import check
from heartsrules.setup._value import Setup, item, items

__all__ = ["set_up"]


def set_up(
    rules: Rules,
    *,
    hands: Iterable[Cards],
    leader: Seat | None = None,
    trick: Iterable[Card | Play] = (),
    tricks: Iterable[Trick] | None = None,
    captured: Iterable[Cards] | None = None,
    tricks_won: Iterable[int] | None = None,
    set_aside: Cards | None = None,
    kitty: Cards | None = None,
    kitty_taker: Seat | None = None,
    hearts_broken: bool | None = None,
    scores: Iterable[int] | None = None,
    deal_number: int = 0,
    deal_scores: Iterable[DealScore] = (),
    queen_taker: Seat | None = None,
    passes: Iterable[Pass] = (),
    shown: Iterable[Cards] = (),
    suits_led: Iterable[Suit] = (),
) -> Playing:
    """Build a position in the middle of a deal, or say everything that is wrong with it.

    There are two ways. With `tricks`, the completed tricks of the deal, the whole deal is played again through the
    engine, and every other argument but `hands` may be left out; those that are given must agree. Without `tricks`,
    `captured` and `leader` are needed once a trick has been completed, and the state has no history: its `tricks`
    are empty, its `trick_number` and `tricks_won` are right, and its `whole` is false.

    Args:
        rules: the rule set.
        hands: by seat, the cards that each player still holds; the cards of the current trick have left them.
        leader: who led, or leads, to the current trick.
        trick: the cards or plays of the current trick, in order; at most one less than there are players.
        tricks: the completed tricks, in order.
        captured: by seat, the cards that each player has won, the kitty with its taker.
        tricks_won: by seat, how many tricks each player has won; by default as many as the captured cards make up
            (with two decks, a pile may hold tricks that were set aside before).
        set_aside: the cards of tricks that nobody won, waiting for the next winner; by default none.
        kitty: the cards left over after dealing; by default the cards that are nowhere else. Needed when
            `kitty_taker` is given without `tricks`.
        kitty_taker: who took the kitty.
        hearts_broken: whether hearts are broken; by default as far as the cards that were played show it.
        scores: by seat, the running totals before this deal; by default those of the last row of `deal_scores`, or 0.
        deal_number: the number of this deal, from 0; it settles the dealer and the pass step.
        deal_scores: the score sheet; empty, or a row for each deal before this one.
        queen_taker: without a score sheet, who captured the Q♠ in the deal before this one; None: nobody did, or it
            does not matter. With `OpeningLeader.QUEEN_TAKER` that seat has led to the first trick.
        passes: what each seat committed; empty if there was no passing or it is not known. Only with `tricks`, or
            before the first trick is completed.
        shown: by seat, the cards that each player showed before the first lead; empty if nobody did.
        suits_led: the suits that completed tricks were led in. Needed only without `tricks`, for shown cards.

    >>> state = set_up(
    ...     Rules(),
    ...     hands=[Cards("QS"), Cards("2H"), Cards("3H"), Cards("4H")],
    ...     leader=0,
    ...     captured=[Rules().deck - Cards("QS 2H 3H 4H"), Cards(), Cards(), Cards()],
    ... )
    >>> state.trick_number, state.hearts_broken, state.whole
    (12, True, False)

    Raises:
        InvalidState: no play could have led there; its `problems` are all that were found. Their fields are those of
            `Setup`, where the piles of a deal without its history stand in `middle`.
        TypeError: an argument has the wrong type.
    """
    item("rules", rules, Rules)
    held = items("hands", hands, Cards)
    if leader is not None:
        item("leader", leader, int)
    if kitty_taker is not None:
        item("kitty_taker", kitty_taker, int)
    if queen_taker is not None:
        item("queen_taker", queen_taker, int)
    plays = _plays(rules, leader, trick)
    history = None if tricks is None else items("tricks", tricks, Trick)
    piles = None if captured is None else items("captured", captured, Cards)
    won = None if tricks_won is None else items("tricks_won", tricks_won, int)
    aside = None if set_aside is None else item("set_aside", set_aside, Cards)
    broken = None if hearts_broken is None else item("hearts_broken", hearts_broken, bool)
    rows = items("deal_scores", deal_scores, DealScore)
    totals = None if scores is None else items("scores", scores, int)
    told_shown = items("shown", shown, Cards)
    suits = items("suits_led", suits_led, Suit)
    number = item("deal_number", deal_number, int)
    if plays and leader is not None and 0 <= leader < rules.players and plays[0].seat != leader:
        raise InvalidState((Problem.of("wrong-leader", ("leader",), "trick", leader=leader, seat=plays[0].seat),))
    middle: Middle | None = None
    if history is None and not _is_full(rules, held, plays):
        missing = tuple([name for name, told in (("captured", piles), ("leader", leader)) if told is None])
        if missing:
            raise InvalidState((Problem.of("no-history", missing, "setup", missing=missing),))
        assert piles is not None
        assert leader is not None
        middle = Middle(leader, piles, won, aside or NO_CARDS, kitty_taker, suits_led=suits)
        piles = won = aside = None
    state = check(
        Setup(
            phase=Phase.PLAY,
            rules=rules,
            deal_number=number,
            first=0 if rows or number < 0 else number,
            start=None if rows or number <= 0 else totals or (0,) * rules.players,
            queen_taker=queen_taker,
            deal_scores=rows,
            scores=totals,
            hands=held,
            kitty=kitty,
            passes=items("passes", passes, Pass),
            shown=told_shown,
            tricks=history or (),
            trick=plays,
            middle=middle,
            leader=None if middle is not None else leader,
            captured=piles,
            tricks_won=won,
            set_aside=aside,
            kitty_taker=None if middle is not None else kitty_taker,
            hearts_broken=broken,
        )
    )
    assert isinstance(state, Playing)
    if suits and middle is None and set(suits) != {each.plays[0].card.suit for each in state.tricks}:
        raise InvalidState((Problem.of("contradiction", ("suits_led",), "part", name="suits_led"),))
    return state


def _is_full(rules: Rules, hands: tuple[Cards, ...], plays: tuple[Play, ...]) -> bool:
    """Whether no trick can have been completed yet: somebody still holds, or has just played, all cards of a hand."""
    played = {play.seat for play in plays}
    return any([len(hand) + (seat in played) >= rules.cards_per_hand for seat, hand in enumerate(hands)])


def _plays(rules: Rules, leader: Seat | None, trick: object) -> tuple[Play, ...]:
    if isinstance(trick, (str, Cards)) or not isinstance(trick, Iterable):
        wrong_type("trick", "the cards or plays in the order of play", trick)
    plays: list[Play] = []
    for number, played in enumerate(trick):
        if isinstance(played, Play):
            plays.append(played)
        elif isinstance(played, Card):
            plays.append(Play(((leader or 0) + number) % rules.players, played))
        else:
            wrong_item("trick", "Card or Play", played)
    return tuple(plays)
