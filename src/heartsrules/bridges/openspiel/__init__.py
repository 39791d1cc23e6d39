"""A bridge to OpenSpiel's game `hearts`, for rules, histories and returns.

OpenSpiel plays one deal of the four-player game. Its history is a list of integers: the direction of the pass, drawn by
chance, then 52 cards as dealt, three cards from each player who passes, seat 0 first, and 52 cards as played. Its seats
0 to 3 (north, east, south, west) are this package's seats 0 to 3, clockwise. Written against OpenSpiel 2.0.2.

Only a game named by a text (`rules_of("hearts(jd_bonus=true)")`) needs OpenSpiel itself, from the extra `openspiel`.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import index
from types import MappingProxyType
from typing import Any, Final, Literal, NoReturn, Protocol, TypeAlias

from heartsrules import presets
from heartsrules.base.errors import InvalidRules, InvalidState, Problem
from heartsrules.base.extras import needs
from heartsrules.base.values import int_text, wrong_item, wrong_type
from heartsrules.cards import ALL_FACES, Card, Cards, Rank, Suit
from heartsrules.formats.foreign.logs import applied
from heartsrules.play.engine import apply, new_game
from heartsrules.play.moves import ChooseMoon, Deal, Expose, Move, Pass, Play
from heartsrules.play.state import GameOver, Passing, Playing, State
from heartsrules.rules import HOLD, FirstTrick, HeartsLead, OpeningCard, PassPlan, QueenBreaks, Rules, Seat, as_data

__all__ = [
    "DEFAULTS",
    "PASS_DIRECTIONS",
    "OpenSpielGame",
    "Parameters",
    "PassDirection",
    "action_of",
    "actions_of",
    "card_of",
    "history_of",
    "moves_of_history",
    "parameters_of",
    "pass_direction_of",
    "points_of",
    "replay_history",
    "returns_of",
    "rules_of",
]
__dir__ = __all__.copy

DEFAULTS: Final[Mapping[str, bool]] = MappingProxyType(
    dict(sorted([(option.name, option.default) for option in presets.ALL["openspiel"].offers if option.kind == "bool"]))
)
"""The parameters of the game, with OpenSpiel's default values."""

PassDirection: TypeAlias = Literal["none", "left", "across", "right"]
"""The direction of a pass."""

PASS_DIRECTIONS: Final[tuple[PassDirection, ...]] = ("none", "left", "across", "right")
"""The directions of a pass as a number of places to the left, indexed by the first action of a history."""

_STEPS: Final[tuple[PassPlan, ...]] = (HOLD, ((1, 3),), ((2, 3),), ((-1, 3),))
_SEATS: Final = 4
_CARDS: Final = 52
_GIFT: Final = 3
_FIRST_CARD: Final = 1
_EXACT: Final = 2**53 - 26
_UPPER_BOUND: Final = 26
"""Returns are this number minus the points, since OpenSpiel maximizes."""

# OpenSpiel numbers cards by rank first, with hearts before spades.
_SUITS: Final = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)
_CARD_OF: Final = tuple(Card.of(rank, suit) for rank in Rank for suit in _SUITS)
_ACTION_OF: Final = tuple(_CARD_OF.index(card) for card in ALL_FACES)


class OpenSpielGame(Protocol):
    """The part of `pyspiel.Game` that this module uses."""

    def get_type(self) -> Any:
        """Return the type of the game, with a `short_name`."""
        ...

    def get_parameters(self) -> dict[str, Any]:
        """Return the parameters by name."""
        ...


Parameters: TypeAlias = Mapping[str, bool] | OpenSpielGame | str
"""A game of OpenSpiel: its parameters (by default `DEFAULTS`), a `pyspiel.Game`, or a game string for
`pyspiel.load_game`, such as `hearts(jd_bonus=true)`."""


def card_of(action: int) -> Card:
    """Return the card of an action.

    The action is 4 times the rank (0 for a two) plus the suit (clubs, diamonds, hearts, spades).

    >>> card_of(0), card_of(43), card_of(51)
    (Card('2C'), Card('QS'), Card('AS'))

    Raises:
        ValueError: the action is not from 0 to 51.
    """
    if not _is_integer(action):
        wrong_type("action", "an int", action)
    number = index(action)
    if not 0 <= number < _CARDS:
        raise ValueError(f"action is {number}: a card is an action from 0 to {_CARDS - 1}")
    return _CARD_OF[number]


def action_of(card: Card) -> int:
    """Return the action of a card, 0 to 51.

    >>> action_of(Card("QS"))
    43
    """
    return _ACTION_OF[card.index]


def rules_of(parameters: Parameters, pass_direction: PassDirection | None = None) -> Rules:
    """Return the rule set of an OpenSpiel game, from `heartsrules.presets.openspiel`.

    Args:
        pass_direction: one of `PASS_DIRECTIONS`, drawn by chance in OpenSpiel, but part of the rules here. Defaults to
            `left`, or to `none` in a game with `pass_cards` false, which excludes all others.

    >>> rules_of({"jd_bonus": True}, "none").bonuses
    (Bonus(card=Card('JD'), points=10),)

    Raises:
        InvalidRules: the game is not OpenSpiel's `hearts`, has unknown parameters (all of them are listed), or has no
            such direction.
        MissingExtra: the game is a text, and the extra `openspiel` is not installed.
    """
    return presets.openspiel(**_values(parameters), pass_direction=pass_direction)


def _values(parameters: Parameters) -> dict[str, bool]:
    if isinstance(parameters, str):
        parameters = _load(parameters)
    if not isinstance(parameters, Mapping):
        if not (hasattr(parameters, "get_type") and hasattr(parameters, "get_parameters")):
            wrong_type("parameters", "a mapping, a pyspiel.Game or a str", parameters)
        name = parameters.get_type().short_name
        if name != "hearts":
            raise InvalidRules((Problem.of("other-game", ("parameters",), game=str(name)),))
        parameters = parameters.get_parameters()
    problems = tuple(_unknown(name) for name in parameters if name not in DEFAULTS)
    if problems:
        raise InvalidRules(problems)
    return {**DEFAULTS, **parameters}


def _load(text: str) -> OpenSpielGame:
    with needs("openspiel", "a game that is named by a text"):
        import pyspiel
    try:
        game: OpenSpielGame = pyspiel.load_game(text)
    except pyspiel.SpielError as error:
        reason = str(error).partition("\n")[0]
        raise InvalidRules((Problem.of("no-such-game", ("parameters",), game=text, reason=reason),)) from error
    return game


def _unknown(name: object) -> Problem:
    called = str(name)
    near = difflib.get_close_matches(called, DEFAULTS, 1)
    if near:
        return Problem.of("unknown-parameter", (called,), "near", name=called, near=near[0])
    return Problem.of("unknown-parameter", (called,), name=called, names=tuple(DEFAULTS))


def pass_direction_of(rules: Rules) -> PassDirection:
    """Return the direction of the pass in the first deal of a rule set.

    Raises:
        InvalidRules: OpenSpiel has no such pass.
    """
    step = rules.pass_plan(0)
    if step not in _STEPS:
        raise InvalidRules((Problem.of("no-such-pass", ("pass_cycle",), step=step),))
    return PASS_DIRECTIONS[_STEPS.index(step)]


def parameters_of(rules: Rules) -> dict[str, bool]:
    """Return the OpenSpiel parameters of a rule set.

    They do not include the direction of the pass; see `pass_direction_of`. `pass_cards` is true even without passing,
    where the direction is `none`: in OpenSpiel 2.0.2, chance cannot play a game without `pass_cards`.

    >>> from heartsrules import presets
    >>> parameters_of(presets.openspiel(jd_bonus=True))["jd_bonus"]
    True

    Raises:
        InvalidRules: OpenSpiel cannot play these rules. Each unsupported field is a problem.
    """
    parameters = {
        "avoid_all_tricks_bonus": rules.no_tricks_bonus > 0,
        "can_lead_any_club": rules.opening_card is OpeningCard.ANY_CLUB,
        "can_lead_hearts_instead_of_qs": rules.heart_lead_spares_queen,
        "jd_bonus": rules.bonuses != (),
        "must_break_hearts": rules.hearts_lead is HeartsLead.WHEN_BROKEN,
        "no_pts_on_first_trick": rules.first_trick is FirstTrick.NO_POINTS,
        "pass_cards": True,
        "qs_breaks_hearts": rules.queen_breaks is QueenBreaks.PLAYED,
    }
    theirs = rules_of(parameters, pass_direction_of(rules))
    problems = [
        Problem.of("not-openspiel", (name,), "option", name=name, value=as_data(getattr(rules, name)))
        for name in sorted(rules.changes().keys() | theirs.changes().keys())
        if getattr(rules, name) != getattr(theirs, name)
    ]
    if problems:
        raise InvalidRules(tuple(problems))
    return parameters


def replay_history(history: Iterable[int], parameters: Parameters) -> tuple[State, ...]:
    """Replay a game recorded by OpenSpiel.

    Args:
        history: the result of `pyspiel.State.history()`. An incomplete deal or pass at the end is ignored.

    Returns:
        The state before the deal, and the state after each of the moves of `moves_of_history`.

    Raises:
        InvalidState: an action is not a card, a card is dealt or passed twice, the game does not have the direction, or
            actions follow the end. A problem's field is the entry, such as `history[17]`.
        IllegalMove: a passed card is not in the hand, or a play breaks the rules. A note gives the index.
        InvalidRules: as for `rules_of`.
    """
    start, steps = _start(history, parameters)
    return (start, *[state for _, state in steps])


def moves_of_history(history: Iterable[int], parameters: Parameters) -> tuple[Move, ...]:
    """Return the moves of a game recorded by OpenSpiel: the deal, passes and plays.

    Arguments and errors are as in `replay_history`.
    """
    return tuple([move for move, _ in _start(history, parameters)[1]])


def _start(history: Iterable[int], parameters: Parameters) -> tuple[State, Iterator[tuple[Move, State]]]:
    actions = _ints("history", history)
    values = _values(parameters)
    directions = len(PASS_DIRECTIONS) if values["pass_cards"] else 1
    direction = actions[0] if actions else 0
    if not 0 <= direction < directions:
        _refuse("no-such-direction", 0, direction=direction, last=directions - 1)
    for place in range(_FIRST_CARD, len(actions)):
        if not 0 <= actions[place] < _CARDS:
            _refuse("no-such-card", place, action=actions[place], last=_CARDS - 1)
    start = new_game(rules_of(values, PASS_DIRECTIONS[direction]))
    return start, _steps(start, actions)


def _steps(state: State, actions: Sequence[int]) -> Iterator[tuple[Move, State]]:
    place = _FIRST_CARD
    while place < len(actions):
        if isinstance(state, GameOver):
            _refuse("after-the-end", place, count=len(actions) - place)
        size = 1 if isinstance(state, Playing) else _GIFT if isinstance(state, Passing) else _CARDS
        group = actions[place : place + size]
        seen: set[int] = set()
        for number, action in enumerate(group):
            if action in seen:
                _refuse("card-twice", place + number, card=card_of(action))
            seen.add(action)
        if len(group) < size:
            return
        move = _move(state, [_CARD_OF[action] for action in group])
        state = applied(state, move, place, "history[{}]".format)
        yield move, state
        place += size


def _move(state: State, cards: list[Card]) -> Move:
    if isinstance(state, Playing):
        return Play(state.turn, cards[0])
    if isinstance(state, Passing):
        return Pass(state.commitments.index(None), Cards(cards))
    return Deal(tuple([Cards(cards[seat::_SEATS]) for seat in range(_SEATS)]))


def actions_of(move: Move) -> tuple[int, ...]:
    """Split a move into actions.

    A deal has 52, around the table from seat 0; a pass has three, a play one. Hands and passes are in card order.

    >>> actions_of(Pass(2, Cards("QS KS AS")))
    (43, 47, 51)

    Raises:
        InvalidState: OpenSpiel has no such move: a deal that is not four hands of 13 cards, a pass that is not three
            cards to one recipient, an exposure, or a choice of the moon.
    """
    if isinstance(move, Play):
        return (action_of(move.card),)
    if isinstance(move, Pass):
        if [len(gift) for gift in move.cards] != [_GIFT]:
            _not_openspiel("cards", "pass")
        return tuple([action_of(card) for card in move.cards[0]])
    if isinstance(move, Expose):
        _not_openspiel("move", "exposure")
    if isinstance(move, ChooseMoon):
        _not_openspiel("move", "moon")
    if [len(hand) for hand in move.hands] != [_CARDS // _SEATS] * _SEATS or move.kitty:
        _not_openspiel("hands", "deal")
    return tuple([action_of(card) for round_ in zip(*move.hands, strict=True) for card in round_])


def history_of(rules: Rules, moves: Iterable[Move]) -> list[int]:
    """Convert moves to the history that OpenSpiel would record.

    Args:
        rules: rules that OpenSpiel can play, from `presets.openspiel` or `rules_of`.
        moves: the moves from the deal on, to any point. Passes can be in any order, but since OpenSpiel asks the seats
            in turn, an incomplete pass must have those of the first seats.

    Raises:
        InvalidRules: OpenSpiel cannot play these rules.
        InvalidState: a seat has passed before another that OpenSpiel asks first.
        IllegalMove: a move breaks the rules.
    """
    parameters_of(rules)
    state: State = new_game(rules)
    history = [PASS_DIRECTIONS.index(pass_direction_of(rules))]
    passed: dict[Seat, Pass] = {}
    for move in moves:
        state = apply(state, move)
        if isinstance(move, Pass):
            passed[move.seat] = move
            if len(passed) == _SEATS:
                history += _pass_actions(passed)
        else:
            history += actions_of(move)
    if len(passed) < _SEATS:
        history += _pass_actions(passed)
    return history


def _pass_actions(passed: Mapping[Seat, Pass]) -> list[int]:
    for seat in range(len(passed)):
        if seat not in passed:
            _not_openspiel("moves", "order", seat=seat, last=max(passed))
    return [action for seat in sorted(passed) for action in actions_of(passed[seat])]


def returns_of(points: Iterable[int]) -> tuple[float, ...]:
    """Convert a deal's points to OpenSpiel's returns, by seat.

    A return is 26 minus the points, so more is better. The points of a finished game are its `scores`.

    >>> returns_of((14, 4, 1, 7))
    (12.0, 22.0, 25.0, 19.0)

    Raises:
        ValueError: a seat has more than 2**53 points, the limit of exact floats.
    """
    numbers = _ints("points", points)
    for number in numbers:
        if abs(number) > _EXACT:
            raise ValueError(f"points holds {int_text(number)}: a float holds whole numbers up to 2**53")
    return tuple([float(_UPPER_BOUND - number) for number in numbers])


def points_of(returns: Iterable[float]) -> tuple[int, ...]:
    """Convert OpenSpiel's returns to the points of a deal, by seat.

    The game must be finished, since all returns are 0 until then.

    >>> points_of([12.0, 22.0, 25.0, 19.0])
    (14, 4, 1, 7)

    Raises:
        ValueError: a return is not a whole number.
    """
    numbers = tuple(returns)
    for number in numbers:
        if not _is_whole(number):
            raise ValueError(f"a return is {number}: points are whole numbers")
    return tuple([_UPPER_BOUND - int(number) for number in numbers])


def _is_whole(number: float) -> bool:
    try:
        return number == int(number)
    except (OverflowError, ValueError):  # an infinity, or not a number
        return False


def _is_integer(value: object) -> bool:
    """Return True if a value is an integer of any library, but not a bool."""
    return hasattr(value, "__index__") and not isinstance(value, bool)


def _ints(name: str, values: Iterable[int]) -> list[int]:
    found = list(values)
    for value in found:
        if not _is_integer(value):
            wrong_item(name, "ints", value)
    return [index(value) for value in found]


def _refuse(code: str, place: int, **params: Any) -> NoReturn:
    raise InvalidState((Problem.of(code, (f"history[{place}]",), place=place, **params),))


def _not_openspiel(field: str, detail: str, **params: Any) -> NoReturn:
    raise InvalidState((Problem.of("not-openspiel", (field,), detail, **params),))
