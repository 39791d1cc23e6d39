"""A game for OpenSpiel that plays every rule set, `python_heartsrules`.

Importing this module registers it. Load it with `pyspiel.load_game("python_heartsrules(preset=bicycle,players=5)")`.
The parameters are:

| parameter | type | default | meaning |
| --- | --- | --- | --- |
| `preset` | text | `board_game_arena` | the name of a preset, or `default` for `Rules()` |
| `players` | int | -1 | the number of players; -1 for the preset's own |
| `deals` | int | 1 | the limit on deals, 1 to 1000 |
| `utility` | text | `points` | the kind of returns: `points`, `margin` or `win` |
| any other field of `Rules` | int or text | -1, or nothing | its value; by default the preset's |

Numbers are ints, with 0 for None (`target=0`). Other fields are texts for `heartsrules.formats.notation.parse_field`,
with blanks instead of commas: `sun=yes`, `removed=2C 2D`, `pass_cycle=L3 R3 hold`, `bonuses=JD:10`.

Actions are numbers below `ACTIONS`, the same for every rule set. A card, to be dealt, picked or played, has its number
in OpenSpiel's own game `hearts` (`card_of`, `action_of`); the others are `DECLINE`, `OTHERS_UP` and `SHOOTER_DOWN`.
Chance deals card by card, dealer's left first, and a player sees its own cards at once; the rest is the kitty. The
seats pass and expose cards one after the other, as in `heartsrules.bridges.pettingzoo`, but exposed cards are in the
order of their numbers.

This module needs the extra `openspiel`, but its package does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, TypeAlias

import attrs

from heartsrules.base.extras import needs

with needs("openspiel", "heartsrules.bridges.openspiel.game"):
    import numpy as np
    import pyspiel
    from numpy.typing import NDArray

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    Deal,
    DealingBack,
    Expose,
    Exposing,
    GameOver,
    IllegalMove,
    Move,
    Pass,
    Passing,
    Play,
    Playing,
    Rules,
    State,
    View,
    apply,
    deal_cards,
    legal_moves,
    new_game,
    standings,
    to_act,
    view,
    why_illegal,
)
from heartsrules.analysis.playout import playout
from heartsrules.analysis.point_bounds import point_bounds
from heartsrules.analysis.seat_words import DECLINE_BIT, legal_actions
from heartsrules.base.values import checked_int
from heartsrules.bridges._actions import (
    ACTIONS,
    DECLINE,
    EFFECTS,
    OTHERS_UP,
    SHOOTER_DOWN,
    check_covered,
    gifts_of,
    margins,
    numbers_of,
    pass_size,
    prizes,
)
from heartsrules.bridges.openspiel import action_of, card_of
from heartsrules.bridges.openspiel._observer import HeartsObserver
from heartsrules.cards import bag_of
from heartsrules.chance import Bits, RandomStream, below, shuffled
from heartsrules.chance.bits import checked_bits
from heartsrules.formats.notation import format_field, format_position, parse_rules
from heartsrules.play.dealing import chance_to_act
from heartsrules.play.exposing import resolved_with
from heartsrules.play.game import moves_of
from heartsrules.rules import Kind, Moon, Tie
from heartsrules.views.worlds import sample_world

__all__ = [
    "ACTIONS",
    "DECLINE",
    "OTHERS_UP",
    "SHOOTER_DOWN",
    "SHORT_NAME",
    "UTILITIES",
    "HeartsGame",
    "HeartsState",
    "PlayoutEvaluator",
    "game_string",
    "resampler",
]
__dir__ = __all__.copy

SHORT_NAME: Final = "python_heartsrules"
"""The name of the game in OpenSpiel."""

UTILITIES: Final = ("points", "margin", "win")
"""The kinds of returns, described in `HeartsState.returns`."""

Resampler: TypeAlias = Callable[[Any, int], "HeartsState"]
"""A function for `ISMCTSBot.set_resampler`, from a state and a player to a state in the same information set."""

_CHANCE: Final[int] = pyspiel.PlayerId.CHANCE
_TERMINAL: Final[int] = pyspiel.PlayerId.TERMINAL
_CARDS: Final = 52
_MAX_DEALS: Final = 1000
_HIGH_TOTAL: Final = 10**12
"""A total that no deal reduces to 0."""
_AS_PRESET: Final = -1
_NO_NUMBER: Final = 0
_DEFAULT_PRESET: Final = "board_game_arena"
_WORDS: Final = {DECLINE: "decline", OTHERS_UP: "others up", SHOOTER_DOWN: "shooter down"}

_FIELDS: Final = tuple([option.name for option in Rules.OPTIONS])
_NUMBERS: Final = frozenset([option.name for option in Rules.OPTIONS if option.kind is Kind.INT])
_OPTIONAL: Final = frozenset([option.name for option in Rules.OPTIONS if option.name in _NUMBERS and option.optional])

_DEFAULTS: Final[dict[str, int | str]] = {
    "preset": _DEFAULT_PRESET,
    "deals": 1,
    "utility": UTILITIES[0],
    **{name: _AS_PRESET if name in _NUMBERS else "" for name in _FIELDS},
}


def _game_type(utility: Any) -> Any:
    return pyspiel.GameType(
        short_name=SHORT_NAME,
        long_name="Hearts, by heartsrules",
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=11,
        min_num_players=3,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=True,
        default_loadable=True,
        parameter_specification=_DEFAULTS,
    )


_GENERAL_SUM: Final = _game_type(pyspiel.GameType.Utility.GENERAL_SUM)
_ZERO_SUM: Final = _game_type(pyspiel.GameType.Utility.ZERO_SUM)


def game_string(rules: Rules, *, deals: int = 1, utility: str = "points") -> str:
    """Return the game string of a rule set, for `pyspiel.load_game`.

    >>> game_string(Rules(players=5, removed="2D 2C", target=None, max_deals=4), deals=4, utility="win")
    'python_heartsrules(deals=4,max_deals=4,players=5,preset=default,removed=2C 2D,target=0,utility=win)'

    Raises:
        ValueError: `deals` is not from 1 to 1000, or `utility` is not in `UTILITIES`.
    """
    _check_bounds(deals, utility)
    values: dict[str, object] = {"preset": "default", "deals": deals, "utility": utility}
    for name, value in rules.changes().items():
        if name in _NUMBERS:
            values[name] = _NO_NUMBER if value is None else value
        else:
            values[name] = format_field(name, value, rules.players).replace(",", " ")
    given = ",".join(f"{name}={value}" for name, value in sorted(values.items()) if value != _DEFAULTS[name])
    return f"{SHORT_NAME}({given})"


def _check_bounds(deals: object, utility: object) -> None:
    if not 1 <= checked_int("deals", deals) <= _MAX_DEALS:
        raise ValueError(f"deals is {deals}: choose 1 to {_MAX_DEALS}")
    if utility not in UTILITIES:
        raise ValueError(f"utility is {utility!r}: choose from {', '.join(UTILITIES)}")


def _rules_of(values: Mapping[str, int | str]) -> Rules:
    words = [str(values.get("preset", _DEFAULT_PRESET))]
    for name in _FIELDS:
        value = values.get(name, _DEFAULTS[name])
        if name in _OPTIONAL and value == _NO_NUMBER:
            value = "none"
        if value != _DEFAULTS[name]:
            words.append(f"{name}={','.join(str(value).replace(',', ' ').split())}")
    return parse_rules(" ".join(words))


def _length(rules: Rules, deals: int) -> int:
    plays = rules.cards_per_hand * rules.players + (rules.moon is Moon.CHOICE)
    if rules.exposable:
        # Every seat ends its exposure, in rounds once more for each card, and all exposable cards may be exposed.
        rounds = 1 + len(rules.exposable) * rules._resolved.shows_in_rounds
        plays += rules.players * rounds + len(rules.exposable)
    cycle = [rules.players * sum(count for _, count in step) for step in rules.pass_cycle]
    return deals * plays + sum(cycle[number % len(cycle)] for number in range(deals))


def _bounds(rules: Rules, deals: int, utility: str) -> tuple[float, float]:
    sides = rules.sides
    if utility == "win":
        return -1 / len(sides), 1 - 1 / len(sides)
    # A high total is never at a floor. A moon that resets a total to 0 subtracts only points from other deals.
    totals = [0 if rules.moon is Moon.SHOOTER_TO_ZERO else _HIGH_TOTAL] * rules.players
    resolved = resolved_with(rules, (rules.exposable,))
    least, most = point_bounds(resolved, sides[0], totals, cards=True, moon=True)
    most = max(most, 1) * deals
    least *= deals
    least += len(sides[0]) * min([0, *[total for _, total in rules.exact_resets]])
    if utility == "points":
        return -float(most), -float(least)
    margin = (most - least) * (len(sides) - 1) / len(sides)
    return -margin, margin


def _given(params: Mapping[str, Any]) -> dict[str, Any]:
    given = {name: " ".join(v.replace(",", " ").split()) if isinstance(v, str) else v for name, v in params.items()}
    return {name: value for name, value in given.items() if value != _DEFAULTS.get(name)}


@attrs.frozen
class _Settings:
    rules: Rules
    deals: int
    utility: str
    most_deals: int
    length: int
    bounds: tuple[float, float]

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> _Settings:
        rules = _rules_of(given)
        check_covered(rules)
        deals = given.get("deals", _DEFAULTS["deals"])
        utility = given.get("utility", _DEFAULTS["utility"])
        _check_bounds(deals, utility)
        most = deals
        if rules.max_deals is not None and rules.tie is Tie.SHARED:
            most = min(deals, rules.max_deals)
        return cls(rules, deals, utility, most, _length(rules, most), _bounds(rules, most, utility))


class HeartsGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """The game of one rule set, made by `pyspiel.load_game`.

    Raises:
        InvalidNotation: the parameters are no rule set, or one that cannot be played.
        InvalidRules: cards are exposed before a pass, or any number of cards can be passed through the middle.
        ValueError: `deals` or `utility` is out of range.
    """

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = _given(params or {})
        settings = self._settings = _Settings.of(given)
        info = pyspiel.GameInfo(
            num_distinct_actions=ACTIONS,
            max_chance_outcomes=_CARDS,
            num_players=settings.rules.players,
            min_utility=settings.bounds[0],
            max_utility=settings.bounds[1],
            utility_sum=None if settings.utility == "points" else 0.0,
            max_game_length=settings.length,
        )
        super().__init__(_GENERAL_SUM if settings.utility == "points" else _ZERO_SUM, info, given)

    @cached_property
    def _settings(self) -> _Settings:
        # An unpickled game has only the parameters that OpenSpiel stores in C++.
        return _Settings.of(_given(self.get_parameters()))

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self._settings.rules

    @property
    def deals(self) -> int:
        """The limit on deals."""
        return self._settings.deals

    @property
    def utility(self) -> str:
        """The kind of returns, one of `UTILITIES`."""
        return self._settings.utility

    def new_initial_state(self) -> HeartsState:
        """Return the state before the first card is dealt."""
        return HeartsState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return the largest number of cards dealt, including cards dealt back."""
        rules, deals = self.rules, self._settings.most_deals
        laid = [
            rules.players * pass_size(step) * rules._resolved.through_middle(number)
            for number, step in enumerate(rules.pass_cycle)
        ]
        piles = sum([laid[number % len(laid)] for number in range(deals)])
        return deals * rules.cards_per_hand * rules.players + piles

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> HeartsObserver:
        """Make an observer.

        Args:
            iig_obs_type: the type of observations; every combination is supported. Defaults to public and private
                information without perfect recall.
            params: must be empty.

        Raises:
            ValueError: there are `params`.
        """
        if not isinstance(iig_obs_type, pyspiel.IIGObservationType):
            # Without a type, OpenSpiel passes the parameters in its place.
            params = params or iig_obs_type
            iig_obs_type = pyspiel.IIGObservationType(perfect_recall=False)
        if params:
            raise ValueError(f"the observations of {SHORT_NAME} take no parameters, but there are {dict(params)}")
        private = iig_obs_type.private_info
        kinds = pyspiel.PrivateInfoType
        return HeartsObserver(
            self.rules,
            self._settings.most_deals,
            public=iig_obs_type.public_info,
            private="all" if private == kinds.ALL_PLAYERS else "own" if private == kinds.SINGLE_PLAYER else "none",
            recall=iig_obs_type.perfect_recall,
        )


class HeartsState(pyspiel.State):  # type: ignore[misc]  # OpenSpiel has no types
    """A state of the game (a position, and the unfinished deal, pass or exposure)."""

    def __init__(self, game: HeartsGame) -> None:
        super().__init__(game)
        self._deals = game.deals
        self._utility = game.utility
        self._position: State = new_game(game.rules)
        self._dealt: tuple[Card, ...] = ()
        self._picks: tuple[int, ...] = ()
        self._passed: tuple[tuple[tuple[int, ...], ...], ...] = ()
        self._ended: tuple[AwaitingDeal | GameOver, ...] = ()
        self._player: int = _CHANCE

    @property
    def position(self) -> State:
        """The position after the last complete move."""
        return self._position

    @property
    def ended(self) -> tuple[AwaitingDeal | GameOver, ...]:
        """The position at the end of each finished deal."""
        return self._ended

    def view(self, player: int) -> View:
        """Return a player's view."""
        return view(self._position, player)

    @property
    def unfinished(self) -> bool:
        """True if a deal, pass or exposure has begun and is not complete."""
        return bool(self._dealt or self._picks)

    def dealt(self, player: int) -> Cards:
        """Return a player's cards in an unfinished deal.

        Cards from the middle are picked up only when all are dealt back.
        """
        rules = self._position.rules
        if not isinstance(self._position, AwaitingDeal):
            return Cards()
        first = rules.dealer(self._position.deal_number) + 1
        return Cards(self._dealt[(player - first) % rules.players :: rules.players])

    def picks(self, player: int, deal_number: int | None = None) -> tuple[int, ...]:
        """Return a player's pass actions, complete or not, by default in the current deal.

        Only the player may see them before the exchange, and their order at any time.
        """
        number = self._position.deal_number if deal_number is None else deal_number
        if number < len(self._passed) and player < len(self._passed[number]):
            return self._passed[number][player]
        if not isinstance(self._position, Passing) or number != self._position.deal_number or player != self._player:
            return ()
        return self._picks

    def showing(self, player: int) -> Cards:
        """Return a player's picks in an unfinished exposure.

        Only the player may see them.
        """
        own = isinstance(self._position, Exposing) and player == self._player
        return Cards([card_of(action) for action in self._picks] if own else [])

    # -------------------------------------------------------------------------------------- the interface of OpenSpiel

    def current_player(self) -> int:
        """Return the player to act: a seat, chance, or the terminal player."""
        return self._player

    def is_terminal(self) -> bool:
        """Return True if the game is over, or has reached the limit on deals."""
        return self._player == _TERMINAL

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the cards that can be dealt next, with their probabilities."""
        left = _pack(self._position) - Cards(self._dealt)
        return sorted([(action_of(card), left.count(card) / len(left)) for card in left.distinct()])

    def _legal_actions(self, player: int) -> list[int]:
        position = self._position
        if isinstance(position, Playing):
            return sorted([action_of(move.card) for move in legal_moves(position) if isinstance(move, Play)])
        if isinstance(position, Exposing):
            own = (position.hands[player] & position.rules.exposable) - position.start.exposed[player]
            last = max(self._picks, default=-1)
            return [*sorted([action for action in map(action_of, own) if action > last]), DECLINE]
        picks = [None if action == DECLINE else card_of(action) for action in self._picks]
        legal = legal_actions(self.view(player), picks)
        cards = sorted([action_of(card) for card in bag_of(legal & (DECLINE_BIT - 1), 0)])
        return [*cards, *[action for action in _WORDS if legal >> action & 1]]

    def _apply_action(self, action: int) -> None:
        position = self._position
        if chance_to_act(position):
            self._deal_card(position, card_of(action))
        elif isinstance(position, Passing):
            self._pick(position, action)
        elif isinstance(position, Exposing):
            self._show(action)
        elif action in EFFECTS:
            self._move(ChooseMoon(self._player, EFFECTS[action]))
        else:
            self._move(Play(self._player, card_of(action)))

    def _action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002 - OpenSpiel gives it
        return _WORDS.get(action) or str(card_of(action))

    def returns(self) -> list[float]:
        """Return the players' returns at the end, and zeros before it.

        `points` is minus the side's total. `margin` is the mean total of the sides minus the side's own. With `win`,
        the winning sides share a prize of 1, and every side pays an equal stake: with four sides the winner gets 3/4
        and the others -1/4. Members of a team have equal returns. At the limit on deals, the sides with the lowest
        total win. `margin` and `win` sum to 0 over the sides.
        """
        if not self.is_terminal():
            return [0.0] * self._position.rules.players
        return _returns(self._position, self._utility)

    def __str__(self) -> str:
        """Return a line of notation, and the unfinished deal, pass or exposure."""
        lines = [format_position(self._position)]
        if self._dealt:
            lines.append(f"dealt: {' '.join(map(str, self._dealt))}")
        if self._picks:
            lines.append(f"picked: {' '.join([self._action_to_string(self._player, a) for a in self._picks])}")
        if self.is_terminal() and not isinstance(self._position, GameOver):
            lines.append(f"the last of {self._deals} deals has been played")
        return "\n".join(lines)

    def resample_from_infostate(self, player_id: int, rng: Callable[[], float] | Bits) -> HeartsState:
        """Sample another state in a player's information set with `sample_world`.

        Hidden cards of earlier deals, and another player's picks in an unfinished pass, are sampled too. Cards are
        dealt, and other players' passes are picked, in card order. C++ code cannot call this.

        Args:
            rng: a function for numbers from 0 to less than 1, or random bits, such as `random.Random` or
                `RandomStream`.

        Raises:
            TooManyWorlds: the player's view has too many worlds to count.
        """
        bits = _bits(rng)
        state: HeartsState = self.get_game().new_initial_state()
        for number, end in enumerate(self._ended):
            world = sample_world(view(end, player_id), bits)
            state._replay(moves_of(world), player_id, self.picks(player_id, number))
        if self.is_terminal():
            return state
        if isinstance(self._position, AwaitingDeal):
            state._deal_as(self._dealt, player_id, bits)
            return state
        world = sample_world(self.view(player_id), bits)
        state._replay(moves_of(world), player_id, self.picks(player_id))
        if chance_to_act(self._position):
            for _ in self._dealt:
                state.apply_action(_any_action(state, bits))
        elif self._picks and self._player == player_id:
            for action in self._picks:
                state.apply_action(action)
        elif isinstance(self._position, Passing):
            # For an exposure this would reveal the number of picks, so another player's exposure starts over.
            for _ in self._picks:
                state.apply_action(_any_action(state, bits))
        return state

    # ---------------------------------------------------------------------------------------------------- moves

    def actions_for(self, move: Move) -> list[int]:
        """Split a move into actions.

        A deal is card by card around the table, and a pass recipient by recipient, both in card order; an exposure is
        in the order of the cards' numbers. Declining takes as many actions as a pass, all `DECLINE`.

        Raises:
            IllegalMove: the rules refuse the move.
            ValueError: the game is over for OpenSpiel; a deal, a pass or an exposure has begun; or another seat must
                pass or expose cards first.
        """
        position = self._position
        reasons = why_illegal(position, move)
        if reasons:
            raise IllegalMove(reasons, move)
        if self.is_terminal():
            raise ValueError("the game has ended")
        if self.unfinished:
            raise ValueError("a deal, a pass or an exposure has begun: complete it first")
        if not isinstance(move, Deal) and move.seat != self._player:
            raise ValueError(f"seat {move.seat} must wait: OpenSpiel asks player {self._player} first")
        return _actions_of(position, move)

    def _deal_card(self, position: AwaitingDeal | DealingBack, card: Card) -> None:
        pack = _pack(position)
        dealt = (*self._dealt, card)
        if len(dealt) < len(pack) - (position.rules.kitty_size if isinstance(position, AwaitingDeal) else 0):
            self._dealt = dealt
            return
        self._move(deal_cards(position, [*dealt, *(pack - Cards(dealt))]))

    def _pick(self, position: Passing, action: int) -> None:
        picks = (*self._picks, action)
        if action == DECLINE:
            declining = Pass(self._player)
            reasons = why_illegal(position, declining)
            if reasons:
                raise IllegalMove(reasons, declining)
        if DECLINE in picks and set(picks) != {DECLINE}:
            raise ValueError(f"player {self._player} may not both decline and pick cards")
        if len(picks) < pass_size(position.plan):
            # Declining takes as many actions as a pass, or their number would reveal it before the exchange.
            self._picks = picks
            return
        gifts = [] if action == DECLINE else gifts_of(position.plan, [card_of(pick) for pick in picks])
        self._move(Pass(self._player, *gifts))
        # Deals without passing have an entry too, so that entries are indexed by the number of the deal.
        before = (*self._passed, *[()] * (position.deal_number + 1 - len(self._passed)))
        self._passed = (*before[:-1], (*before[-1], picks))

    def _show(self, action: int) -> None:
        if action == DECLINE:
            self._move(Expose(self._player, Cards([card_of(pick) for pick in self._picks])))
        else:
            self._picks = (*self._picks, action)

    def _move(self, move: Move) -> None:
        position = apply(self._position, move)
        if chance_to_act(position) and not _pack(position):
            # No player has passed a card to the middle.
            position = apply(position, deal_cards(position, ()))
        self._position = position
        self._dealt = ()
        self._picks = ()
        if isinstance(position, (AwaitingDeal, GameOver)):
            self._ended = (*self._ended, position)
            over = isinstance(position, GameOver) or len(self._ended) == self._deals
            self._player = _TERMINAL if over else _CHANCE
        else:
            self._player = min(to_act(position), default=_CHANCE)

    def _deal_as(self, dealt: Sequence[Card], player: int, bits: Bits) -> None:
        """Deal these cards to a player, and random ones in their place to the others."""
        rules = self._position.rules
        place = (player - rules.dealer(self._position.deal_number) - 1) % rules.players
        pack = shuffled(list(rules.deck - Cards(dealt[place :: rules.players])), bits)
        for number, card in enumerate(dealt):
            self.apply_action(action_of(card if number % rules.players == place else pack.pop()))

    def _replay(self, moves: Iterable[Move], player: int, own: Sequence[int]) -> None:
        for move in moves:
            mine = isinstance(move, Pass) and move.seat == player
            for action in own if mine else _actions_of(self._position, move):
                self.apply_action(action)


def _pack(position: State) -> Cards:
    """Return the cards that chance deals (the deck, or the pile in the middle)."""
    return sum(position.middle_cards, Cards()) if isinstance(position, DealingBack) else position.rules.deck


def _any_action(state: HeartsState, bits: Bits) -> int:
    position = state.position
    if chance_to_act(position):
        left = list(_pack(position) - Cards(state._dealt))
        return action_of(left[below(bits, len(left))])
    actions: list[int] = state.legal_actions()
    return actions[below(bits, len(actions))]


def _returns(position: State, utility: str) -> list[float]:
    rules = position.rules
    totals = [sum([position.scores[seat] for seat in side]) for side in rules.sides]
    if utility == "points":
        values = [float(-total) for total in totals]
    elif utility == "margin":
        values = margins(totals)
    else:
        winners = {seat for row in standings(rules, position.scores) if row.place == 1 for seat in row.seats}
        if isinstance(position, GameOver):
            winners = set(position.winners)
        values = prizes(rules, winners)
    return [values[rules.side(seat)] for seat in range(rules.players)]


def _actions_of(position: State, move: Move) -> list[int]:
    if not isinstance(move, Deal):
        return numbers_of(move, action_of, pass_size(position.plan) if isinstance(position, Passing) else 0)
    players = position.rules.players
    first = position.rules.dealer(position.deal_number) + 1
    hands = [move.hands[(first + place) % players] for place in range(players)]
    if isinstance(position, DealingBack):
        hands = [hand for hand in hands if hand]
    return [action_of(card) for around in zip(*hands, strict=True) for card in around]


class _Uniform:
    """An adapter from OpenSpiel's uniform numbers in [0, 1) to random bits."""

    def __init__(self, numbers: Callable[[], float]) -> None:
        self._numbers = numbers

    def getrandbits(self, k: int, /) -> int:
        bits = 0
        for _ in range(-(-k // 32)):
            bits = bits << 32 | int(self._numbers() * 2**32)
        return bits >> (-k % 32)


def _bits(rng: Any) -> Bits:
    bits: Bits = rng if hasattr(rng, "getrandbits") else _Uniform(rng)
    return bits


def resampler(rng: Bits) -> Resampler:
    """Make a resampler for OpenSpiel's ISMCTS bot from one source of random bits.

    Without it, the bot seeds a generator for each world with the time of day.
    """
    checked_bits(rng)
    return lambda state, player: state.resample_from_infostate(player, rng)


class PlayoutEvaluator:
    """A `playout` evaluator for OpenSpiel's MCTS and ISMCTS bots.

    Like `RandomRolloutEvaluator`, it plays on at random, with a uniform prior over the legal actions, but draws whole
    passes.

    Args:
        rng: a stream or another source of random bits.
    """

    def __init__(self, rng: RandomStream | Bits) -> None:
        self._draws: Final = checked_bits(rng)

    def evaluate(self, state: HeartsState) -> NDArray[np.float64]:
        """Play on at random from a state, and return the returns by player."""
        if state.unfinished:
            state = state.clone()
            while state.unfinished:
                state.apply_action(_any_action(state, self._draws))
        position = state.position
        left = state.get_game().deals - len(state.ended)
        if left:
            position = playout(position, self._draws, deals=left)
        return np.array(_returns(position, state.get_game().utility))

    def prior(self, state: HeartsState) -> list[tuple[int, float]]:
        """Return the legal actions of a state, with their probabilities."""
        if state.is_chance_node():
            return state.chance_outcomes()
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]


pyspiel.register_game(_GENERAL_SUM, HeartsGame)
