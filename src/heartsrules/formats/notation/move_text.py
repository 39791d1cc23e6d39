"""Moves as text, such as `2:QS`, `0:SQKA` and `3:others-up`."""

from __future__ import annotations

from typing import Final

from heartsrules.base.errors import InvalidNotation
from heartsrules.base.values import wrong_type
from heartsrules.cards import NO_CARDS, Cards
from heartsrules.formats.notation.scan import (
    DECLINED,
    Source,
    folded,
    format_bag,
    parse_bag,
    parse_card,
    parse_effect,
    parse_int,
    tokens_of,
)
from heartsrules.play.engine import to_act, why_illegal
from heartsrules.play.moves import ChooseMoon, Deal, Expose, Move, Pass, Play
from heartsrules.play.phases import Phase
from heartsrules.play.state import State
from heartsrules.play.view_classes import View
from heartsrules.play.violations import IllegalMove
from heartsrules.rules import Seat

KEYWORDS: Final[dict[type[Move], str]] = {Play: "play", Pass: "pass", Expose: "expose", ChooseMoon: "moon"}
_KITTY: Final = "kitty"
_KINDS: Final[dict[Phase, tuple[type[Move], str]]] = {
    Phase.DEAL: (Deal, "the hands by seat, such as C23SQ, and behind kitty the cards left over"),
    Phase.DEAL_BACK: (Deal, "by seat, the cards that it is dealt back"),
    Phase.PASS: (Pass, "the cards to pass, such as QS KS AS, or no to decline"),
    Phase.EXPOSE: (Expose, "the cards to show, or - for none"),
    Phase.PLAY: (Play, "the card to play, such as QS"),
    Phase.MOON: (ChooseMoon, "what the moon does: others-up or shooter-down"),
}
"""The class of the next move in each phase, and its expected text."""


def format_move(move: Move) -> str:
    """Write a move in the notation of records.

    It is the seat, a colon, and the cards or the moon's effect; a deal is only the hands.

    >>> moves = Play(2, "QS"), Pass(0, "QS KS", "2H"), Pass(1), Expose(3, ""), ChooseMoon(3, "others-up")
    >>> [format_move(move) for move in moves]
    ['2:QS', '0:SQK/H2', '1:no', '3:-', '3:others-up']
    """
    if isinstance(move, Play):
        return f"{move.seat}:{move.card}"
    if isinstance(move, Pass):
        return f"{move.seat}:{'/'.join(map(format_bag, move.cards)) or DECLINED}"
    if isinstance(move, Expose):
        return f"{move.seat}:{format_bag(move.cards)}"
    if isinstance(move, ChooseMoon):
        return f"{move.seat}:{move.effect}"
    if not isinstance(move, Deal):
        wrong_type("move", "a move", move)
    return " ".join([*map(format_bag, move.hands), *((_KITTY, format_bag(move.kitty)) if move.kitty else ())])


def parse_move(state: State | View, text: str) -> Move:
    """Read the next move from text and check it.

    The text is either written by `format_move` or typed by a player. Seat and colon can be omitted before a play (the
    seat to act) and for a view (its own seat). Cards can be separate: `QS KS AS` or `QS, KS, AS` for `SQKA`; slashes
    separate the cards for several recipients. A keyword can precede them: `pass QS KS AS`.

    >>> from heartsrules import Rules, apply, deal, new_game, view
    >>> start = new_game(Rules())
    >>> dealt = apply(start, deal(start, seed=7))
    >>> parse_move(dealt, "3:no")
    Traceback (most recent call last):
    heartsrules.play.violations.IllegalMove: every player must pass: these rules do not let a player decline
    >>> parse_move(view(dealt, 0), "4c qc 6d")
    Pass(0, Cards('4C QC 6D'))

    Raises:
        InvalidNotation: the text is not a move of the expected kind; `position` is where it fails.
        IllegalMove: the rules refuse the move.
    """
    if not isinstance(state, (State, View)):
        wrong_type("state", "a State or a View", state)
    if not isinstance(text, str):
        wrong_type("text", "a str", text)
    kind, expected = _KINDS.get(state.phase, (None, "nothing: the game is over"))
    source = Source(text.replace(",", " "))
    spans = list(tokens_of(source))
    if kind is not None and spans and folded(source.text[slice(*spans[0])]) == KEYWORDS.get(kind):
        del spans[0]
    if kind is None or not spans:
        source.fail(0, expected)
    start, end = spans[0][0], spans[-1][1]
    if kind is Deal:
        move: Move = read_deal(source, spans)
    else:
        seats = tuple(to_act(state)) if isinstance(state, State) or state.seat is None else (state.seat,)
        move = parse_move_of(source, kind, start, end, seats[0] if len(seats) == 1 else None, expected)
        if isinstance(state, View) and not isinstance(move, Deal) and state.seat not in (None, move.seat):
            source.fail(start, f"a move of seat {state.seat}, which sees this view")
    reasons = why_illegal(state, move)
    if reasons:
        raise IllegalMove(reasons, move)
    return move


def parse_move_of(source: Source, kind: type[Move], start: int, end: int, seat: Seat | None, expected: str) -> Move:
    """Read a move by the seat in the text, or else by `seat`."""
    colon = source.text.find(":", start, end)
    if colon >= 0:
        seat = parse_int(source, start, colon, "a seat")
        start = colon + 1
    if seat is None:
        source.fail(start, f"a seat, a colon and {expected}", end=end)
    if kind is Play:
        return Play(seat, parse_card(source, start, end))
    if kind is ChooseMoon:
        return ChooseMoon(seat, parse_effect(source, start, end))
    if kind is Expose:
        return Expose(seat, _bag(source, start, end, expected))
    if folded(source.text[start:end]) == DECLINED:
        return Pass(seat)
    gifts: list[Cards] = []
    for gift in source.text[start:end].split("/"):
        gifts.append(_bag(source, start, start + len(gift), expected))
        start += len(gift) + 1
    return Pass(seat, *gifts)


def _bag(source: Source, start: int, end: int, expected: str) -> Cards:
    spans = list(tokens_of(source, start, end)) or [(start, end)]
    if len(spans) > 1:
        return Cards([parse_card(source, *span) for span in spans])
    try:
        return parse_bag(source, *spans[0])
    except InvalidNotation as error:
        if error.position == spans[0][0]:
            source.fail(error.position, expected)
        raise


def read_deal(source: Source, spans: list[tuple[int, int]]) -> Deal:
    """Read a deal from tokens, the hands by seat and a kitty after `kitty`."""
    kitty = NO_CARDS
    if len(spans) > 1 and folded(source.text[slice(*spans[-2])]) == _KITTY:
        kitty = parse_bag(source, *spans[-1])
        spans = spans[:-2]
    hands: list[Cards] = [parse_bag(source, *span) for span in spans]
    return Deal(hands, kitty)
