"""Who wins a trick."""

from __future__ import annotations

from collections.abc import Iterable

from heartsrules import tables as T
from heartsrules.cards import SUIT_MASKS
from heartsrules.errors import InvalidState, Problem
from heartsrules.moves import Play
from heartsrules.rules import Rules, Seat
from heartsrules.tables import Tables

__all__ = ["breaks_hearts", "masks_of", "trick_winner", "winning_position"]


def breaks_hearts(tables: Tables, trick: tuple[Play, ...], play: Play) -> bool:
    """Whether a play to the trick as it stands breaks hearts that are not broken yet."""
    if not trick:
        return play.bit & tables.break_lead != 0
    if play.suit == trick[0].suit:
        return play.bit & tables.break_follow != 0
    return play.bit & tables.break_discard != 0


def masks_of(plays: tuple[Play, ...]) -> tuple[int, int]:
    """The cards of a trick as two masks: the faces present, and those present twice."""
    lo = hi = 0
    for play in plays:
        bit = play.bit
        hi |= lo & bit
        lo |= bit
    return lo, hi


def winning_position(tables: Tables, plays: tuple[Play, ...], lo: int, hi: int) -> int:
    """The place in the order of play of the card that wins, or -1: nobody wins. `lo` and `hi` are its `masks_of`."""
    if hi and tables.duplicates == T.CANCEL:
        if tables.two_pairs_void and hi & (hi - 1):
            return -1
        lo &= ~hi
    candidates = lo & SUIT_MASKS[plays[0].suit]
    last = tables.duplicates == T.LAST_WINS
    best = 0
    position = winner = -1
    for play in plays:
        position += 1
        bit = play.bit
        if bit & candidates and (bit > best or (last and bit == best)):
            best = bit
            winner = position
    return winner


def trick_winner(rules: Rules, plays: Iterable[Play]) -> Seat | None:
    """Who wins a completed trick, for apps that keep their own state.

    Args:
        rules: the rule set; with two decks its `duplicates` and `two_pairs_void` matter.
        plays: one play of each seat, in the order of play.

    Returns:
        The winner's seat, or None: nobody wins, and the trick is set aside. (Who takes the *last* trick of a deal
        when nobody wins it is for `void_last_trick` to say.)

    >>> from heartsrules.cards import Card
    >>> cards = ["6S", "5S", "TC", "9S"]
    >>> trick_winner(Rules(), [Play(seat, Card(text)) for seat, text in enumerate(cards)])
    3

    Raises:
        InvalidState: the plays are no completed trick under these rules; every problem is listed.
        TypeError: an argument has the wrong type.
    """
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be a Rules, not {type(rules).__name__}")
    if isinstance(plays, str) or not isinstance(plays, Iterable):
        raise TypeError(f"plays must be an iterable of Play, not {type(plays).__name__}")
    trick = tuple(plays)
    for play in trick:
        if not isinstance(play, Play):
            raise TypeError(f"plays must hold only Play, not {type(play).__name__}")
    problems = trick_problems(rules, trick)
    if len(trick) != rules.players:
        problems.insert(
            0,
            Problem(
                "incomplete-trick",
                ("plays",),
                f"a completed trick has {rules.players} plays, not {len(trick)}: give one of each seat",
            ),
        )
    if problems:
        raise InvalidState(tuple(problems))
    lo, hi = masks_of(trick)
    position = winning_position(rules._tables, trick, lo, hi)
    return None if position < 0 else trick[position].seat


def trick_problems(rules: Rules, plays: tuple[Play, ...], name: str = "plays") -> list[Problem]:
    """What forbids that these plays were made one after the other in one trick."""
    problems: list[Problem] = []
    players = rules.players
    for number, play in enumerate(plays):
        if not 0 <= play.seat < players:
            problems.append(
                Problem(
                    "no-such-seat", (name,), f"{name}[{number}] is of seat {play.seat}: seats are 0 to {players - 1}"
                )
            )
        elif number and play.seat != (plays[0].seat + number) % players:
            problems.append(
                Problem(
                    "wrong-order",
                    (name,),
                    f"{name}[{number}] is of seat {play.seat}: seats play clockwise, one card each",
                )
            )
    deck = rules.deck
    for play in dict.fromkeys(plays):
        count = sum(1 for other in plays if other.card is play.card)
        if count > deck.count(play.card):
            problem = Problem(
                "too-many-copies",
                (name,),
                f"{name} has {play.card} {count} times, but {deck.count(play.card)} are in play",
            )
            if problem not in problems:
                problems.append(problem)
    return problems
