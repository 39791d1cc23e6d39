"""A PettingZoo environment for every rule set: agents that act in turn, masks of the legal actions, fixed spaces.

`env` makes the environment with PettingZoo's usual wrappers, `raw_env` the bare one. What an agent is shown is worked
out from its `View` and the cards that it has picked itself, and from nothing else; `observation`, `action_mask`
and `choose` do the same without an environment, so a trained agent can play at any table that hands out views.

Actions are numbers below `ACTIONS`, the same for every rule set: a card is its `index` in card order, to be played or
to be picked for a pass; then there are `DECLINE`, `OTHERS_UP` and `SHOOTER_DOWN`. A pass of several cards is several
actions: its seat picks them one by one, in any order within a gift, and gift after gift. Where cards may be shown, a
seat picks the cards that it shows one by one, in card order, and ends with `DECLINE`, which alone shows nothing.

This module needs the extra `pettingzoo`; nothing else of the package does.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import index
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple, TypeAlias, get_args

from heartsrules.extras import needs

with needs("pettingzoo", "heartsrules.compat.pettingzoo"):
    import gymnasium
    import numpy as np
    from numpy.typing import NDArray
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    Expose,
    Exposing,
    GameOver,
    Move,
    Pass,
    Passing,
    Phase,
    Play,
    Playing,
    Rank,
    Rules,
    Seat,
    State,
    Suit,
    View,
    apply,
    deal,
    legal_moves,
    new_game,
    public_view,
    to_act,
)
from heartsrules import view as view_of
from heartsrules.compat._actions import (
    ACTIONS,
    DECLINE,
    EFFECTS,
    OTHERS_UP,
    SHOOTER_DOWN,
    gifts_of,
    margins,
    most_gifts,
    next_gift,
    numbers_of,
    pass_size,
    passable,
    picks_of,
    prizes,
    shows_of,
)
from heartsrules.errors import in_words
from heartsrules.rules import OpeningLeader, PassOptional
from heartsrules.simulate import MAX_DEALS_PER_GAME
from heartsrules.values import checked_int, wrong_type
from heartsrules.views import (
    AwaitingDealView,
    ChoosingMoonView,
    DealStartView,
    ExposingView,
    PassingView,
    PlayedDealView,
    PlayingView,
)

__all__ = [
    "ACTIONS",
    "DECLINE",
    "OTHERS_UP",
    "SHOOTER_DOWN",
    "ActionPolicy",
    "HeartsEnv",
    "Mask",
    "Observation",
    "Reward",
    "action_mask",
    "actions_for",
    "choose",
    "env",
    "layout",
    "observation",
    "raw_env",
    "state_layout",
]

Observation: TypeAlias = NDArray[np.float32]
"""What an agent sees: a vector whose parts `layout` names."""

Mask: TypeAlias = NDArray[np.int8]
"""By action, 1 if it is legal and 0 if it is not: a vector of `ACTIONS` entries."""

ActionPolicy: TypeAlias = Callable[[Observation, Mask], int]
"""What chooses an action."""

Reward: TypeAlias = Literal["points", "win"]
"""What is rewarded: the points of each deal, or the match that is won."""

_FACES: Final = tuple([Card.of(rank, suit) for suit in Suit for rank in Rank])
_PHASES: Final = tuple(Phase)
_TOTALS_BOUND: Final = 4.0


class _Block(NamedTuple):
    name: str
    size: int
    low: float
    high: float


class _Plan(NamedTuple):
    """The blocks of a vector, where each begins, and how long the whole is."""

    blocks: tuple[_Block, ...]
    start: Mapping[str, int]
    size: int


def _plan(blocks: Iterable[_Block]) -> _Plan:
    kept = tuple([block for block in blocks if block.size])
    start: dict[str, int] = {}
    size = 0
    for block in kept:
        start[block.name] = size
        size += block.size
    return _Plan(kept, start, size)


@lru_cache(maxsize=64)
def _observed(rules: Rules) -> _Plan:
    players, decks, gifts = rules.players, rules.decks, most_gifts(rules)
    has_kitty = rules.kitty_size > 0
    return _plan(
        [
            _Block("phase", len(_PHASES), 0, 1),
            _Block("hand", 52, 0, decks),
            _Block("gifts", gifts * 52, 0, decks),
            _Block("next_gift", gifts, 0, 1),
            _Block("received", 52 if gifts else 0, 0, decks),
            _Block("pass_step", len(rules.pass_cycle), 0, 1),
            _Block("committed", players if gifts or rules.exposable else 0, 0, 1),
            _Block("declined", 0 if rules.pass_optional is PassOptional.NO else players, 0, 1),
            _Block("showing", 52 if rules.exposable else 0, 0, 1),
            _Block("shown", players * 52 if rules.exposable else 0, 0, 1),
            _Block("trick", players * 52, 0, 1),
            _Block("played", players * 52, 0, decks),
            _Block("captured", players * 52, 0, decks),
            _Block("set_aside", 52 if rules.decks == 2 else 0, 0, decks),
            _Block("kitty", 52 if has_kitty else 0, 0, decks),
            _Block("kitty_taker", players if has_kitty else 0, 0, 1),
            _Block("failed_to_follow", players * 4, 0, 1),
            _Block("hearts_broken", 1, 0, 1),
            _Block("leader", players, 0, 1),
            _Block("turn", players, 0, 1),
            _Block("dealer", players, 0, 1),
            _Block("trick_number", 1, 0, 1),
            _Block("tricks_won", players, 0, 1),
            _Block("totals", players, -_TOTALS_BOUND, _TOTALS_BOUND),
            _Block("deal_number", 0 if rules.max_deals is None else 1, 0, 1),
            _Block("queen_taker", players if rules.opening_leader is OpeningLeader.QUEEN_TAKER else 0, 0, 1),
        ]
    )


@lru_cache(maxsize=64)
def _hidden(rules: Rules) -> _Plan:
    """What a state vector holds before the observation of a spectator."""
    players, decks, gifts = rules.players, rules.decks, most_gifts(rules)
    return _plan(
        [
            _Block("all_hands", players * 52, 0, decks),
            _Block("all_gifts", players * gifts * 52, 0, decks),
            _Block("all_showing", players * 52 if rules.exposable else 0, 0, 1),
            _Block("whole_kitty", 52 if rules.kitty_size else 0, 0, decks),
        ]
    )


def _slices(blocks: Iterable[_Block]) -> Mapping[str, slice]:
    slices: dict[str, slice] = {}
    start = 0
    for block in blocks:
        slices[block.name] = slice(start, start + block.size)
        start += block.size
    return MappingProxyType(slices)


def _space(blocks: Sequence[_Block]) -> gymnasium.spaces.Box:
    sizes = [block.size for block in blocks]
    low = np.repeat(np.array([block.low for block in blocks], dtype=np.float32), sizes)
    high = np.repeat(np.array([block.high for block in blocks], dtype=np.float32), sizes)
    return gymnasium.spaces.Box(low, high, dtype=np.float32)


def layout(rules: Rules) -> Mapping[str, slice]:
    """Where the parts of an observation lie, by name, in order.

    The parts that a rule set has no use for are left out (`kitty` where nothing is left over, `gifts` where nobody
    ever passes). "By card" is 52 entries in card order, each saying how often a card is there; "by seat" goes around
    the table from the observer's own seat, so that seat 1 of an observation is its left neighbour.

    | part | entries | what it says |
    | --- | --- | --- |
    | `phase` | one of 6 | `Phase`, in its order |
    | `hand` | by card | the observer's hand; while passing as it was dealt |
    | `gifts` | by gift of a step, by card | what the observer gives: picked so far, committed, or given |
    | `next_gift` | by gift | the gift that its next pick belongs to |
    | `received` | by card | what it was given |
    | `pass_step` | one of the pass cycle | the step of this deal |
    | `committed` | by seat | who committed, while passing or showing cards |
    | `declined` | by seat | who declined to pass, after the exchange |
    | `showing` | by card | what the observer shows, while cards are shown: picked so far, or committed |
    | `shown` | by seat, by card | what everybody has seen each seat show |
    | `trick` | by seat, by card | the card played to the current trick |
    | `played` | by seat, by card | all cards played in this deal, the current trick included |
    | `captured` | by seat, by card | the cards won; the kitty's if the observer may see them |
    | `set_aside` | by card | cards of tricks that nobody won (two decks) |
    | `kitty` | by card | the kitty, if the observer may see it |
    | `kitty_taker` | by seat | who took it |
    | `failed_to_follow` | by seat, by suit | who did not follow a suit that was led |
    | `hearts_broken` | 1 | whether hearts are broken |
    | `leader`, `turn`, `dealer` | by seat | who leads or led the trick, whose turn it is, who dealt |
    | `trick_number` | 1 | the completed tricks, as a fraction of all |
    | `tricks_won` | by seat | likewise |
    | `totals` | by seat | the running totals as fractions of the target, clipped to -4 to 4 |
    | `deal_number` | 1 | the number of the deal as a fraction of `max_deals`, at most 1 |
    | `queen_taker` | by seat | who captured the Q♠ in the last deal that was scored, where that decides who leads |

    Without a target, the totals are fractions of the penalty value in play.

    >>> layout(Rules())["hand"], layout(Rules(players=5, removed="2C 2D"))["totals"]
    (slice(6, 58, None), slice(993, 998, None))

    Raises:
        TypeError: `rules` is not a `Rules`.
    """
    _check_rules(rules)
    return _slices(_observed(rules).blocks)


def state_layout(rules: Rules) -> Mapping[str, slice]:
    """Where the parts of `HeartsEnv.state` lie, by name, in order.

    First what is hidden: `all_hands` (by seat, by card), `all_gifts` (by seat, by gift, by card), `all_showing` (by
    seat, by card: while cards are shown) and `whole_kitty` (by card); then the parts of `layout`, as a spectator sees
    them. Seats are counted from seat 0.

    Raises:
        TypeError: `rules` is not a `Rules`.
    """
    _check_rules(rules)
    return _slices([*_hidden(rules).blocks, *_observed(rules).blocks])


def _check_rules(rules: object) -> None:
    if not isinstance(rules, Rules):
        wrong_type("rules", "a Rules", rules)


class _Writer:
    """An observation that is being written: seats are counted from the viewer's."""

    def __init__(self, rules: Rules, viewer: Seat) -> None:
        self.rules = rules
        self.viewer = viewer
        self.plan = _observed(rules)
        self.start = self.plan.start
        self.counted: list[int] = []
        """Each entry that counts something, once for each thing that it counts."""

    def flag(self, part: str, entry: int = 0) -> None:
        self.counted.append(self.start[part] + entry)

    def place(self, seat: Seat) -> int:
        return (seat - self.viewer) % self.rules.players

    def seats(self, part: str, seats: Iterable[Seat]) -> None:
        start = self.start[part]
        self.counted += [start + self.place(seat) for seat in seats]

    def cards(self, part: str, cards: Iterable[Card], row: int = 0) -> None:
        start = self.start[part] + 52 * row
        self.counted += [start + card.index for card in cards]

    def plays(self, part: str, plays: Iterable[Play]) -> None:
        start, viewer, players = self.start[part], self.viewer, self.rules.players
        self.counted += [start + 52 * ((play.seat - viewer) % players) + play.card.index for play in plays]

    def gifts(self, gifts: Iterable[Iterable[Card]]) -> None:
        for number, gift in enumerate(gifts):
            self.cards("gifts", gift, number)

    def passing(self, seen: PassingView, picks: Sequence[Card]) -> None:
        self.cards("hand", seen.hand)
        self.seats("committed", seen.committed)
        if seen.commitment is not None:
            self.gifts(seen.commitment.gifts)
        elif seen.seat is not None:
            self.gifts(gifts_of(seen.step, picks))
            self.flag("next_gift", next_gift(seen.step, len(picks)))

    def exposing(self, seen: ExposingView, picks: Sequence[Card]) -> None:
        self.cards("hand", seen.hand)
        self.start_of(seen.start)
        self.seats("committed", seen.committed)
        self.cards("showing", picks if seen.commitment is None else seen.commitment.cards)

    def start_of(self, start: DealStartView) -> None:
        if start.commitment is not None:
            self.gifts(start.commitment.gifts)
            self.cards("received", start.received)
        if start.declined:
            self.seats("declined", start.declined)
        for seat, cards in enumerate(start.shown):
            if cards:
                self.cards("shown", cards, self.place(seat))

    def deal(self, seen: PlayedDealView, trick: tuple[Play, ...]) -> None:
        rules = self.rules
        self.start_of(seen.start)
        self.flag("leader", self.place(seen.leader))
        for seat, pile in enumerate(seen.captured):
            self.cards("captured", pile, self.place(seat))
        if rules.decks == 2:
            self.cards("set_aside", seen.set_aside)
        if seen.kitty:
            self.cards("kitty", seen.kitty)
        if rules.kitty_size and seen.kitty_taker is not None:
            self.flag("kitty_taker", self.place(seen.kitty_taker))
        failed: set[int] = set()
        for plays in (*[completed.plays for completed in seen.tricks], trick):
            self.plays("played", plays)
            for play in plays[1:]:
                led = plays[0].card.suit
                if play.card.suit is not led:
                    failed.add(4 * self.place(play.seat) + led.value)
        for entry in failed:
            self.flag("failed_to_follow", entry)

    def written(self) -> Observation:
        return np.bincount(self.counted, minlength=self.plan.size).astype(np.float32)


def observation(view: View, picks: Sequence[Card] = ()) -> Observation:
    """What an agent sees: a function of its view, and of what it has picked of a pass or an exposure
    that is not complete yet.

    Args:
        view: a view of a seat, or of a spectator, who looks from seat 0 and has no hand. Between two deals it shows
            nothing of the last one.
        picks: the cards picked so far, in order, if the seat is about to pass or to show cards.

    Returns:
        A new vector of float32, within the bounds of the environment's space; `layout` says what it holds.

    >>> start = new_game(Rules())
    >>> vector = observation(view_of(apply(start, deal(start, seed=7)), 2))
    >>> vector.shape, vector[layout(Rules())["hand"]].sum().item()
    ((833,), 13.0)

    Raises:
        ValueError: the picks are not the beginning of a pass or an exposure that the view's seat may make.
        TypeError: `view` is not a `View`.
    """
    _check_picks(view, picks)
    rules = view.rules
    players = rules.players
    out = _Writer(rules, view.seat or 0)
    out.flag("phase", _PHASES.index(view.phase))
    out.flag("pass_step", view.deal_number % len(rules.pass_cycle))
    out.flag("dealer", out.place(view.dealer))
    played: PlayedDealView | None = None
    if isinstance(view, PlayingView):
        played = view.deal
        out.cards("hand", view.hand)
        out.plays("trick", view.trick)
        out.flag("turn", out.place(view.turn))
        if view.hearts_broken:
            out.flag("hearts_broken")
        out.deal(played, view.trick)
    elif isinstance(view, PassingView):
        out.passing(view, picks)
    elif isinstance(view, ExposingView):
        out.exposing(view, picks)
    elif not isinstance(view, AwaitingDealView):
        played = view.last_deal
        out.deal(played, ())
        if isinstance(view, ChoosingMoonView):
            out.flag("turn", out.place(view.shooter))
    vector = out.written()
    if played is not None:
        vector[out.start["trick_number"]] = played.trick_number / rules.cards_per_hand
        for seat, won in enumerate(played.tricks_won):
            vector[out.start["tricks_won"] + out.place(seat)] = won / rules.cards_per_hand
    unit = rules.target or rules.penalty_total or 1
    for seat in range(players):
        share = view.scores[seat] / unit
        vector[out.start["totals"] + out.place(seat)] = max(-_TOTALS_BOUND, min(_TOTALS_BOUND, share))
    queen_taker = view.deal_scores.queen_taker
    if rules.opening_leader is OpeningLeader.QUEEN_TAKER and queen_taker is not None:
        vector[out.start["queen_taker"] + out.place(queen_taker)] = 1
    if rules.max_deals is not None:
        vector[out.start["deal_number"]] = min(1.0, view.deal_number / rules.max_deals)
    return vector


def action_mask(view: View, picks: Sequence[Card] = ()) -> Mask:
    """Which actions the view's seat may take: a function of the same two things as `observation`.

    A mask is all zeros if the seat is not to act; if it is, at least one entry is 1.

    >>> start = new_game(Rules(pass_cycle=[()]))
    >>> dealt = apply(start, deal(start, seed=7))
    >>> [action_mask(view_of(dealt, seat)).nonzero()[0].tolist() for seat in range(4)]
    [[], [], [0], []]

    Raises:
        ValueError: the picks are not the beginning of a pass or an exposure that the view's seat may make.
        TypeError: `view` is not a `View`.
    """
    _check_picks(view, picks)
    mask = np.zeros(ACTIONS, dtype=np.int8)
    if isinstance(view, PassingView):
        if view.seat is not None and view.commitment is None:
            mask[picks_of(view.rules, view.hand, Cards(picks), _index)] = 1
    elif isinstance(view, ExposingView):
        if view.seat in to_act(view):
            mask[shows_of(view.rules, view.hand, picks, _index)] = 1
    elif isinstance(view, (PlayingView, ChoosingMoonView)):
        mask[[action for move in legal_moves(view) for action in actions_for(move)]] = 1
    return mask


def actions_for(move: Move) -> tuple[int, ...]:
    """The actions that make a move of a seat, one after the other; a pass picks the cards of a gift in card order.

    An exposure picks its cards in card order, and ends with `DECLINE`.

    >>> actions_for(Play(2, Card("QS"))), actions_for(Pass(0, [Cards("QS KS AS")])), actions_for(Pass(0, []))
    ((36,), (36, 37, 38), (52,))

    Raises:
        TypeError: the argument is not a move of a seat.
    """
    if not isinstance(move, (Pass, Expose, Play, ChooseMoon)):
        wrong_type("move", "a Pass, an Expose, a Play or a ChooseMoon", move)
    return tuple(numbers_of(move, _index))


def _index(card: Card) -> int:
    return card.index


def choose(view: View, policy: ActionPolicy) -> Move:
    """The move that a policy makes; for a pass or an exposure, it is asked for one card after the other.

    This turns a policy that was trained in the environment into a player at any table: nothing but a view is needed.

    >>> start = new_game(Rules())
    >>> choose(view_of(apply(start, deal(start, seed=7)), 0), lambda seen, mask: int(mask.argmax()))
    Pass(seat=0, gifts=(Cards('4C QC 6D'),))

    Raises:
        ValueError: the view's seat is not to act, or the policy chooses an action that the mask forbids.
        TypeError: `view` is not a `View`.
    """
    picks: tuple[Card, ...] = ()
    while True:
        mask = action_mask(view, picks)
        if not mask.any():
            raise ValueError(f"seat {view.seat} has nothing to choose: ask only a seat that is to act")
        action = index(policy(observation(view, picks), mask))
        if not 0 <= action < ACTIONS or not mask[action]:
            raise ValueError(f"the policy chose action {action}, which is not legal")
        move = _move(view, picks, action)
        if not _is_begun(view, move, action):
            return move
        picks = (*picks, _FACES[action])


def _check_picks(view: View, picks: Sequence[Card]) -> None:
    if not isinstance(view, View):
        wrong_type("view", "a View", view)
    if not picks:
        return
    if isinstance(view, ExposingView):
        own = () if view.seat not in to_act(view) else [card for card in view.hand if card in view.rules.exposable]
        if list(picks) != sorted(set(picks)) or not set(picks) <= set(own):
            raise ValueError("the picks are not cards that the view's seat may show now, in card order")
        return
    if not isinstance(view, PassingView) or view.seat is None or view.commitment is not None:
        raise ValueError("there are picks, but the view's seat is not about to pass or to show cards")
    if len(picks) >= pass_size(view.step):
        raise ValueError(f"{len(picks)} picks are a whole pass or more: commit it")
    if not Cards(picks) <= passable(view.rules, view.hand):
        raise ValueError("the picks are not among the cards that the view's seat may pass")


def _move(view: View, picks: Sequence[Card], action: int) -> Pass | Expose | Play | ChooseMoon:
    """The move of an action; a card that is picked gives the pass or the exposure as far as it has come."""
    seat = view.seat or 0
    if action in EFFECTS:
        return ChooseMoon(seat, EFFECTS[action])
    if isinstance(view, ExposingView):
        return Expose(seat, Cards(picks if action == DECLINE else (*picks, _FACES[action])))
    if action == DECLINE:
        return Pass(seat, ())
    if isinstance(view, PassingView):
        return Pass(seat, gifts_of(view.step, (*picks, _FACES[action])))
    return Play(seat, _FACES[action])


def _is_begun(view: View, move: Move, action: int) -> bool:
    """Whether a move is a pass that wants more cards, or an exposure that has not ended."""
    if isinstance(view, ExposingView):
        return action != DECLINE
    if not isinstance(view, PassingView) or not isinstance(move, Pass) or not move.gifts:
        return False
    return sum([len(gift) for gift in move.gifts]) < pass_size(view.step)


class HeartsEnv(AECEnv[str, Any, Any]):
    """The environment without wrappers. Its agents are `player_0`, `player_1` and so on, by seat.

    An episode is a match. It deals by itself; whoever is to act is selected, and while cards are passed or shown the
    seats commit one after the other, each all of its cards, seat 0 first (where cards are shown in turn, the seat at
    the dealer's left): nobody sees what another has picked. Where several deals are played, the next one is dealt at
    once when one ends.

    The observation of an agent is `observation` of its view, and `infos[agent]["action_mask"]` its `action_mask` while
    it is selected; for the other agents the mask is all zeros. PettingZoo's own tests want an array for an observation,
    and read the mask there. A program that wants the mask in the observation, as in PettingZoo's classic games,
    sets `mask_in_observation`: observations are then dictionaries with `observation` and `action_mask`.

    Rewards are zero-sum, and all members of a team are given the same. With `"points"` the end of each deal rewards a
    side with what the totals of the sides rose by on average, less what its own rose by; over a match that adds up to
    the mean total of the sides less the side's own. With `"win"` the end of the match gives 1, shared by the sides that
    have won, less an equal share of 1 for every side: 3/4 for the winner of four, -1/4 for the others.

    An action that the mask forbids raises `IllegalMove` (a `ValueError`) and changes nothing; in `env` a wrapper ends
    the episode instead, with `illegal_reward` for the agent that took it.

    Args:
        rules: the rule set; None: `Rules()`.
        reward: what is rewarded.
        max_deals: after so many deals an episode is truncated, 1 or more: some rule sets can go on for ever by chance.
            Rules that end after one deal have `target=None, max_deals=1`.
        mask_in_observation: whether observations are dictionaries that hold the mask too.
        render_mode: `"human"` prints the table after each action, `"ansi"` returns it as a text; it shows all hands.

    Raises:
        ValueError: `max_deals` is less than 1, or there is no such reward or render mode.
        TypeError: an argument has the wrong type.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - as PettingZoo declares it
        "name": "hearts_v0",
        "render_modes": ["human", "ansi"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        reward: Reward = "points",
        max_deals: int = MAX_DEALS_PER_GAME,
        mask_in_observation: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        if rules is None:
            rules = Rules()
        _check_rules(rules)
        if reward not in get_args(Reward):
            raise ValueError(f"reward is {reward!r}: choose one of {', '.join(get_args(Reward))}")
        if checked_int("max_deals", max_deals) < 1:
            raise ValueError(f"max_deals is {in_words(max_deals)}: choose 1 or more")
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode is {render_mode!r}: choose one of human, ansi")
        self.rules: Final = rules
        self.reward: Final[Reward] = reward
        self.max_deals: Final = max_deals
        self.mask_in_observation: Final = mask_in_observation
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(rules.players)]
        self.agents = []
        self.state_space = _space([*_hidden(rules).blocks, *_observed(rules).blocks])
        self.action_spaces = {agent: gymnasium.spaces.Discrete(ACTIONS) for agent in self.possible_agents}
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self._seats: Final = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._idle: Final = np.zeros(ACTIONS, dtype=np.int8)
        self._idle.flags.writeable = False
        self._seed: int | None = None
        self._episode = 0

    def _observation_space(self) -> gymnasium.spaces.Space[Any]:
        vector = _space(_observed(self.rules).blocks)
        if not self.mask_in_observation:
            return vector
        mask = gymnasium.spaces.Box(0, 1, (ACTIONS,), np.int8)
        return gymnasium.spaces.Dict({"observation": vector, "action_mask": mask})

    @property
    def illegal_reward(self) -> float:
        """What `env` gives an agent for an illegal action: the moon's value of points lost, or a match lost."""
        if self.reward == "win":
            return -1.0
        value = self.rules.moon_value or self.rules.penalty_total or 1
        return -float(value * 2 if self.rules.sun else value)

    @property
    def game(self) -> State:
        """The state that the match is in. It holds all hands: it is for whoever runs the environment."""
        return self._game

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of an agent's observations; it is the same for all agents, and fixed by the rules."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of an agent's actions: `Discrete(ACTIONS)`, whatever the rules."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin an episode.

        Args:
            seed: the deals are those of `deal(state, seed=seed)`. Without one, episode k (from 1) after the last seed
                deals with the seed `f"{seed}/{k}"`; before any seed a secret one of 128 random bits is drawn. A
                policy that knows the seed can work out every hand.
            options: `"state"` begins with that state of the same rules instead of `new_game(rules)`, in any phase but
                the end. PettingZoo wants other options to be accepted: they change nothing.

        Raises:
            ValueError: the state of the options is a finished game, or has other rules.
            TypeError: an argument has the wrong type.
        """
        start = new_game(self.rules) if options is None else options.get("state", new_game(self.rules))
        if not isinstance(start, State):
            wrong_type("the option state", "a State", start)
        if start.rules != self.rules:
            raise ValueError("the option state is a state of other rules: make the environment with them")
        if isinstance(start, GameOver):
            raise ValueError("the option state is over: give one in which there is something to do")
        if seed is not None:
            self._seed, self._episode = index(seed), 0
        elif self._seed is None:
            self._seed, self._episode = secrets.randbits(128), 0
        else:
            self._episode += 1
        self._deal_seed = f"{self._seed}/{self._episode}" if self._episode else f"{self._seed}"
        self._deals = 0
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._enter(start)

    def step(self, action: int | None) -> None:
        """Take the selected agent's action; None for an agent whose episode is over.

        Raises:
            IllegalMove: the rules forbid the action.
            ValueError: there is no such action, it comes too late (declining after a card was picked), or the agent's
                episode is over.
            TypeError: the action is not a whole number.
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = index(action)  # type: ignore[arg-type] # None is a TypeError here
        if not 0 <= number < ACTIONS:
            raise ValueError(f"there is no action {number}: an action is from 0 to {ACTIONS - 1}")
        seen = view_of(self._game, self._seats[agent])
        move = _move(seen, self._picks, number)
        if not self.infos[agent]["action_mask"][number]:
            apply(self._game, move)
            what = "shows, and picks them in card order" if isinstance(seen, ExposingView) else "passes"
            raise ValueError(f"{agent} has begun to pick the cards that it {what}")
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if _is_begun(seen, move, number):
            self._select(agent, (*self._picks, _FACES[number]))
        else:
            before = self._game
            after = apply(before, move)
            if isinstance(after, (AwaitingDeal, GameOver)):
                self._deals += 1
                self._give_rewards(before, after)
            self._enter(after)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _enter(self, state: State) -> None:
        """Take up a state, dealing if that is what it waits for, and select who is to act."""
        truncated = self._deals >= self.max_deals
        if isinstance(state, AwaitingDeal) and not truncated:
            state = apply(state, deal(state, seed=self._deal_seed))
        self._game = state
        if isinstance(state, (AwaitingDeal, GameOver)):
            over = dict.fromkeys(self.agents, True)
            if isinstance(state, GameOver):
                self.terminations = over
            else:
                self.truncations = over
            self._picks: tuple[Card, ...] = ()
            self.infos = {agent: {"action_mask": self._idle} for agent in self.agents}
            self.agent_selection = self.agents[0]
        else:
            self._select(self.possible_agents[min(to_act(state))], ())

    def _select(self, agent: str, picks: tuple[Card, ...]) -> None:
        self._picks = picks
        self.infos = {other: {"action_mask": self._idle} for other in self.agents}
        self.infos[agent] = {"action_mask": action_mask(view_of(self._game, self._seats[agent]), picks)}
        self.agent_selection = agent

    def _give_rewards(self, before: State, after: AwaitingDeal | GameOver) -> None:
        if self.reward == "points":
            lost = [sum([after.scores[seat] - before.scores[seat] for seat in side]) for side in self.rules.sides]
            values = margins(lost)
        elif isinstance(after, GameOver):
            values = prizes(self.rules, after.winners)
        else:
            return
        for agent in self.agents:
            self.rewards[agent] = values[self.rules.side(self._seats[agent])]

    def observe(self, agent: str) -> Any:
        """What an agent sees now, whether it is to act or not."""
        picks = self._picks if agent == self.agent_selection else ()
        vector = observation(view_of(self._game, self._seats[agent]), picks)
        if not self.mask_in_observation:
            return vector
        mask = self.infos[agent]["action_mask"] if agent in self.infos else self._idle
        return {"observation": vector, "action_mask": mask}

    def state(self) -> Observation:
        """The whole state, for training that looks at all hands: a vector as `state_layout` describes it."""
        game, rules = self._game, self.rules
        start = _hidden(rules).start
        hands: Sequence[Cards] = ()
        given: list[Sequence[Cards]] = []
        kitty = Cards()
        showing: list[Sequence[Card]] = []
        if isinstance(game, (Passing, Exposing, Playing)):
            hands, kitty = game.hands, game.kitty
        if isinstance(game, Passing):
            given = [() if commitment is None else commitment.gifts for commitment in game.commitments]
            given[self._seats[self.agent_selection]] = gifts_of(game.step, self._picks)
        elif isinstance(game, Exposing):
            given = [commitment.gifts for commitment in game.start.passes]
            showing = [[] if exposure is None else list(exposure.cards) for exposure in game.commitments]
            showing[self._seats[self.agent_selection]] = self._picks
        elif not isinstance(game, AwaitingDeal):
            deal_start = game.deal.start if isinstance(game, Playing) else game.last_deal.start
            given = [commitment.gifts for commitment in deal_start.passes]
            kitty = deal_start.kitty
        counted: list[int] = []
        for seat, hand in enumerate(hands):
            counted += [start["all_hands"] + 52 * seat + card.index for card in hand]
        for seat, gifts in enumerate(given):
            for number, gift in enumerate(gifts, most_gifts(rules) * seat):
                counted += [start["all_gifts"] + 52 * number + card.index for card in gift]
        for seat, cards in enumerate(showing):
            counted += [start["all_showing"] + 52 * seat + card.index for card in cards]
        counted += [start["whole_kitty"] + card.index for card in kitty]
        hidden = np.bincount(counted, minlength=_hidden(rules).size).astype(np.float32)
        return np.concatenate([hidden, observation(public_view(game))])

    def render(self) -> str | None:
        """Show the table, all hands included: as a text (`"ansi"`), or printed (`"human"`)."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() was called without a render mode: give render_mode to the environment")
            return None
        text = _drawn(self._game, self.possible_agents, self.agent_selection, self._picks)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """There is nothing to release; PettingZoo asks for this method."""


def _drawn(game: State, agents: Sequence[str], selected: str, picks: Sequence[Card]) -> str:
    """A state as lines of text: what is to be done, a line for each seat, and the trick."""
    doing = {
        Phase.PASS: f"{selected} is to pass",
        Phase.EXPOSE: f"{selected} is to show cards",
        Phase.PLAY: f"{selected} is to play",
        Phase.MOON: f"{selected} has shot the moon and is to choose",
        Phase.OVER: "the match is over",
        Phase.DEAL: "the episode is over",
    }
    lines = [f"deal {game.deal_number + (game.phase is not Phase.DEAL)}: {doing[game.phase]}"]
    for seat, agent in enumerate(agents):
        text = f"  {agent:<9} {game.scores[seat]:>4}"
        if isinstance(game, (Passing, Exposing, Playing)):
            text += f"  {game.hands[seat]}"
        if isinstance(game, Playing) and game.captured[seat]:
            text += f"  (took {game.captured[seat]})"
        if isinstance(game, Playing) and game.shown[seat]:
            text += f"  (has shown {game.shown[seat]})"
        if isinstance(game, Exposing):
            exposure = game.commitments[seat]
            if exposure is not None:
                text += f"  (shows {exposure.cards or 'nothing'})"
            elif agent == selected and picks:
                text += f"  (picks {' '.join([str(card) for card in picks])})"
        if isinstance(game, Passing):
            commitment = game.commitments[seat]
            if commitment is not None:
                gifts = ", ".join([str(gift) for gift in commitment.gifts])
                text += f"  (passes {gifts or 'nothing'})"
            elif agent == selected and picks:
                text += f"  (picks {' '.join([str(card) for card in picks])})"
        lines.append(text)
    if isinstance(game, Playing):
        plays = [f"{play.card} by {agents[play.seat]}" for play in game.trick]
        lines.append(f"  trick {game.trick_number + 1}: {', '.join(plays) or 'to be led'}")
    return "\n".join(lines)


raw_env = HeartsEnv
"""The bare environment."""


def env(rules: Rules | None = None, **options: Any) -> AECEnv[str, Any, Any]:
    """The environment with the wrappers that PettingZoo's games have.

    An illegal action ends the episode for everybody, with `HeartsEnv.illegal_reward` for who took it; a number
    that is not an action, or a call before `reset`, is an error.

    Args:
        rules: the rule set; None: `Rules()`.
        **options: those of `HeartsEnv`.
    """
    bare = HeartsEnv(rules, **options)
    wrapped: AECEnv[str, Any, Any] = wrappers.TerminateIllegalWrapper(bare, illegal_reward=bare.illegal_reward)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)
