"""A PettingZoo environment for every rule set, with action masks and fixed spaces.

In the environment of `env`, an illegal action ends the episode, as in PettingZoo's own games; with `raw_env` it is an
error. An observation depends only on the agent's `View` and picks, so a trained agent can play at any table that
provides views, with `choose`.

Actions are numbers below `ACTIONS`, the same for every rule set. A card's `index` plays it or picks it for a pass; the
others are `DECLINE`, `OTHERS_UP` and `SHOOTER_DOWN`. For a pass, the seat picks the cards for one recipient after the
other, in any order for each. To decline, it takes `DECLINE` the same number of times, so the number of actions does not
reveal who declined. To expose cards, a seat picks them in card order and ends with `DECLINE`; only `DECLINE` exposes
nothing.

Importing this module registers `heartsrules/hearts-v0` with PettingZoo, from version 1.27 on. It needs the extra
`pettingzoo`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter, index
from typing import Any, Final, TypeAlias, get_args

from heartsrules.base.extras import needs

with needs("pettingzoo", "heartsrules.bridges.pettingzoo"):
    import gymnasium
    import numpy as np
    import pettingzoo
    from numpy.typing import NDArray
    from pettingzoo import AECEnv
    from pettingzoo.utils.env import AECIterable, AECIterator
    from pettingzoo.utils.env_logger import EnvLogger

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    ChoosingMoon,
    Deal,
    DealingBack,
    Expose,
    Exposing,
    GameOver,
    IllegalMove,
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
    new_game,
    to_act,
    why_illegal,
)
from heartsrules.analysis.seat_words import Encoder, legal_actions, mask_bytes, most_gifts
from heartsrules.base.errors import in_words
from heartsrules.base.values import checked_count, wrong_type
from heartsrules.bridges._actions import (
    ACTIONS,
    DECLINE,
    EFFECTS,
    OTHERS_UP,
    SHOOTER_DOWN,
    Reward,
    cards_in,
    check_covered,
    check_picks,
    gifts_of,
    margins,
    numbers_of,
    pass_size,
    prizes,
)
from heartsrules.bridges._layout import Block, encoder_of, layout, observed, slices_of, used
from heartsrules.bridges.vector import space_of
from heartsrules.play.dealing import chance_to_act
from heartsrules.play.state import legal_faces
from heartsrules.play.violations import WrongNumberOfCards
from heartsrules.rules import PassPlan
from heartsrules.simulation.limits import MAX_DEALS_PER_GAME
from heartsrules.views import view_of

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
__dir__ = __all__.copy

Observation: TypeAlias = NDArray[np.float32]
"""An observation vector, laid out by `layout`."""

Mask: TypeAlias = NDArray[np.int8]
"""A vector of `ACTIONS` entries: 1 for each legal action, 0 for the others."""

ActionPolicy: TypeAlias = Callable[[Observation, Mask], int]
"""A function that chooses an action."""

_FACES: Final = tuple([Card.of(rank, suit) for suit in Suit for rank in Rank])
_array: Final = np.ndarray
"""A constructor of arrays over a `bytearray`. `np.frombuffer` also makes a memoryview."""
_MASK_SHAPE: Final = (ACTIONS,)
_FLOAT32: Final = np.dtype(np.float32)
_INT8: Final = np.dtype(np.int8)
_PLAYS: Final = tuple([tuple([Play(seat, card) for card in _FACES]) for seat in range(11)])


@lru_cache(maxsize=64)
def _hidden(rules: Rules) -> tuple[Block, ...]:
    players, decks, gifts = rules.players, rules.decks, most_gifts(rules)
    return used(
        [
            Block("all_hands", players * 52, 0, decks),
            Block("all_gifts", players * gifts * 52, 0, decks),
            Block("all_showing", players * 52 if rules.exposable else 0, 0, 1),
            Block("whole_kitty", 52 if rules.kitty_size else 0, 0, decks),
        ]
    )


def state_layout(rules: Rules) -> Mapping[str, slice]:
    """Return the slices of `HeartsEnv.state` by name, in order.

    The hidden parts are `all_hands` (by seat, by card), `all_gifts` (by seat, by recipient, by card), `all_showing` (by
    seat, by card, while cards are exposed) and `whole_kitty` (by card). The parts of `layout` follow, as a spectator
    sees them. Seats are counted from seat 0.

    Raises:
        InvalidRules: the rules have moves without actions; see `layout`.
    """
    return slices_of([*_hidden(rules), *observed(rules)])


def observation(view: View, picks: Sequence[Card | None] = ()) -> Observation:
    """Encode a view, and picks for a pass or an exposure, as a float32 vector laid out by `layout`.

    Args:
        view: the view of a seat, or of a spectator, who looks from seat 0 and has no hand. Between deals, the vector
            has nothing from the last one.
        picks: the cards picked so far for a pass or an exposure, in order, with None for each `DECLINE`.

    >>> start = new_game(Rules())
    >>> vector = observation(view(apply(start, deal(start, seed=7)), 2))
    >>> vector.shape, vector[layout(Rules())["hand"]].sum().item()
    ((833,), 13.0)

    Raises:
        InvalidRules: the rules have moves without actions; see `layout`.
        ValueError: the view's seat cannot begin a pass or an exposure with these picks.
    """
    check_picks(view, picks)
    numbers = encoder_of(view.rules).floats(view, picks)
    vector: Observation = _array((len(numbers) // 4,), _FLOAT32, numbers)
    return vector


def action_mask(view: View, picks: Sequence[Card | None] = ()) -> Mask:
    """Return the mask of legal actions for a view's seat, all zeros if it must wait.

    Arguments and errors are as in `observation`.

    >>> start = new_game(Rules(pass_cycle=[()]))
    >>> dealt = apply(start, deal(start, seed=7))
    >>> [action_mask(view(dealt, seat)).nonzero()[0].tolist() for seat in range(4)]
    [[], [], [0], []]
    """
    check_picks(view, picks)
    mask: Mask = _array(_MASK_SHAPE, _INT8, mask_bytes(legal_actions(view, picks)))
    return mask


def actions_for(move: Move, plan: PassPlan | None = None) -> tuple[int, ...]:
    """Split a seat's move into actions.

    A pass has the cards for each recipient in card order. An exposure has its cards in card order, then `DECLINE`.

    Args:
        plan: the deal's pass plan, `Passing.plan`. Only a pass without cards needs it.

    >>> actions_for(Play(2, Card("QS"))), actions_for(Pass(0, Cards("QS KS AS")))
    ((36,), (36, 37, 38))
    >>> actions_for(Pass(0), ((1, 3),))
    (52, 52, 52)

    Raises:
        ValueError: the pass has no cards, and no plan is given.
    """
    if isinstance(move, Deal):
        wrong_type("move", "a Pass, an Expose, a Play or a ChooseMoon", move)
    if isinstance(move, Pass) and not move.cards and not plan:
        raise ValueError("how many actions decline a pass depends on the plan of the deal: give it")
    return tuple(numbers_of(move, attrgetter("index"), pass_size(plan or ())))


def choose(view: View, policy: ActionPolicy) -> Move:
    """Choose a move with a policy, called for each card of a pass or an exposure.

    >>> start = new_game(Rules())
    >>> choose(view(apply(start, deal(start, seed=7)), 0), lambda seen, mask: int(mask.argmax()))
    Pass(0, Cards('4C QC 6D'))

    Raises:
        ValueError: it is not the view's seat's turn, or the policy chooses an illegal action.
    """
    picks: tuple[Card, ...] = ()
    while True:
        mask = action_mask(view, picks)
        if not mask.any():
            raise ValueError(f"seat {view.seat} has nothing to choose: ask only a seat that is to act")
        action = index(policy(observation(view, picks), mask))
        if not 0 <= action < ACTIONS or not mask[action]:
            raise ValueError(f"the policy chose action {action}, which is not legal")
        move = _move(view.phase, view.seat or 0, view.rules.pass_plan(view.deal_number), picks, action)
        # After the first DECLINE there is nothing left to choose.
        if move is not None:
            return move
        picks = (*picks, _FACES[action])


def _move(
    phase: Phase, seat: Seat, step: PassPlan, picks: Sequence[Card | None], action: int
) -> Pass | Expose | Play | ChooseMoon | None:
    """Return the move that an action completes, or None if it only picks a card."""
    if action in EFFECTS:
        return ChooseMoon(seat, EFFECTS[action])
    if phase is Phase.EXPOSE:
        return Expose(seat, Cards(cards_in(picks))) if action == DECLINE else None
    if action == DECLINE:
        return Pass(seat)
    if phase is not Phase.PASS:
        return Play(seat, _FACES[action])
    cards = [*cards_in(picks), _FACES[action]]
    return Pass(seat, *gifts_of(step, cards)) if len(cards) == pass_size(step) else None


class _Turns(AECIterator[str, Any, Any]):
    env: HeartsEnv

    def __next__(self) -> str:
        table = self.env
        if not table.agents or self.iters_til_term <= 0:
            raise StopIteration
        assert table._stepped, "need to call step() or reset() in a loop over `agent_iter`"
        table._stepped = False
        self.iters_til_term -= 1
        return table.agent_selection


class _Iterable(AECIterable[str, Any, Any]):
    def __iter__(self) -> _Turns:
        return _Turns(self.env, self.max_iter)


class HeartsEnv(AECEnv[str, Any, Any]):
    """An environment with agents `player_0`, `player_1` and so on, by seat.

    An episode is a match. The environment deals. To pass or expose cards, the seats commit one after the other, each
    all of its cards, from seat 0 on (or from the dealer's left if cards are exposed in turn). No seat sees another's
    picks.

    An agent's observation is `observation` of its view. `infos[agent]["action_mask"]` is its `action_mask`, all zeros
    unless it is selected.

    Rewards are zero-sum, and equal for all members of a team. With `"points"`, each deal pays the mean increase of the
    sides' totals minus the increase of the side's own. With `"win"`, the winning sides share 1 at the end of the match,
    and every side pays an equal stake: with four sides the winner gets 3/4 and the others -1/4. When an episode ends,
    `infos[agent]["episode"]` contains `r`, the sum of the agent's rewards, and `l`, the number of actions of all
    agents.

    An illegal action raises `IllegalMove` (a `ValueError`) and changes nothing; in `env` it ends the episode instead.
    Methods that need an episode raise `AssertionError` before `reset`.

    Args:
        rules: the rule set. Defaults to `Rules()`.
        max_deals: the number of deals after which an episode is truncated, 1 or more, because some rule sets can
            continue forever. For an episode of one deal, use rules with `target=None, max_deals=1`.
        mask_in_observation: True for observations that are dictionaries with `observation` and `action_mask`, as in
            PettingZoo's classic games.
        render_mode: `"human"` prints the diagram of the state after each action, `"ansi"` returns it. It shows all
            hands.

    Raises:
        InvalidRules: the rules have moves without actions; see `layout`.
        ValueError: `max_deals` is less than 1, or there is no such reward or render mode.
    """

    _game: State

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
        check_covered(rules)
        if reward not in get_args(Reward):
            raise ValueError(f"reward is {reward!r}: choose one of {', '.join(get_args(Reward))}")
        checked_count("max_deals", max_deals)
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ValueError(f"render_mode is {render_mode!r}: choose one of human, ansi")
        self.rules: Final = rules
        self.reward: Final[Reward] = reward
        self.max_deals: Final = max_deals
        self.mask_in_observation: Final = mask_in_observation
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(rules.players)]
        self.state_space = space_of([*_hidden(rules), *observed(rules)])
        self.action_spaces = {agent: gymnasium.spaces.Discrete(ACTIONS) for agent in self.possible_agents}
        self.observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self._seats: Final = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._idle: Final = np.zeros(ACTIONS, dtype=np.int8)
        self._idle.flags.writeable = False
        # Not the cached encoder, because each environment is fastest with its own.
        self._encoder: Final = Encoder(rules)
        self._shape: Final = (sum([block.size for block in observed(rules)]),)
        self._legal = 0
        self._rewarded = False
        self._wanted = 0
        self._seed: int | None = None
        self._episode = 0

    def _observation_space(self) -> gymnasium.spaces.Space[Any]:
        vector = space_of(observed(self.rules))
        if not self.mask_in_observation:
            return vector
        mask = gymnasium.spaces.Box(0, 1, (ACTIONS,), np.int8)
        return gymnasium.spaces.Dict({"observation": vector, "action_mask": mask})

    @property
    def illegal_reward(self) -> float:
        """The reward of an illegal action in `env`, minus the moon's value, or minus 1."""
        if self.reward == "win":
            return -1.0
        return -float(max(self.rules.moon_value, self.rules.sun_value) or self.rules.penalty_total or 1)

    @property
    def game(self) -> State:
        """The current state of the match. It contains all hands, so keep it from agents.

        Raises:
            AttributeError: `reset` was not called.
        """
        if self._seed is None:
            raise AttributeError("game cannot be accessed before reset")
        return self._game

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Return the space of observations, the same for all agents."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """Return the space of actions, `Discrete(ACTIONS)` under all rules."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin an episode.

        Args:
            seed: the seed of the deals, as in `deal(state, seed=seed)`. Without one, episode k (from 1) after the last
                seed uses the seed `f"{seed}/{k}"`; the first seed is 128 secret random bits. A policy that knows the
                seed can compute every hand.
            options: `"state"`: an unfinished state with the same rules to begin with. Other options are ignored, as
                PettingZoo requires.

        Raises:
            ValueError: the state in the options is finished, or has other rules.
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
        self._actions = 0
        self._stepped = True
        self.agents = self.possible_agents[:]
        self._returns = dict.fromkeys(self.agents, 0.0)
        self.infos = {agent: {"action_mask": self._idle} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._rewarded = False
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._enter(start)

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Any, Any]:
        """Iterate over the selected agents. Each loop must call `step` or `reset`.

        Raises:
            AssertionError: a loop has called neither.
        """
        if self._seed is None:
            EnvLogger.error_agent_iter_before_reset()
        return _Iterable(self, max_iter)  # type: ignore[no-untyped-call]

    def step(self, action: int | None) -> None:
        """Take the selected agent's action, or None if its episode is over.

        When no agent is left, this only writes a warning to PettingZoo's log.

        Raises:
            IllegalMove: the rules forbid the action.
            ValueError: there is no such action, it is too late (declining after picking a card), or the agent's episode
                is over.
        """
        if self._seed is None:
            EnvLogger.error_step_before_reset()
        self._stepped = True
        if not self.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            number = index(action)  # type: ignore[arg-type] # None is a TypeError here
        except TypeError:
            wrong_type("action", f"an int from 0 to {ACTIONS - 1}", action)
        if not 0 <= number < ACTIONS:
            raise ValueError(f"there is no action {number}: an action is from 0 to {ACTIONS - 1}")
        if not self._legal >> number & 1:
            self._refuse(agent, number)
            return
        game, seat = self._game, self._seats[agent]
        if isinstance(game, Playing):
            after = apply(game, _PLAYS[seat][number])
            if isinstance(after, Playing) and not self._rewarded and self.render_mode is None:
                # The fast path for most steps.
                self._actions += 1
                self._cumulative_rewards[agent] = 0.0
                self._game = after
                self._select(after.turn, ())
            else:
                self._follow(agent, after)
            return
        picks = (*self._picks, _FACES[number] if number < DECLINE else None)
        done = number == DECLINE if isinstance(game, Exposing) else len(picks) == self._wanted
        if not done and not isinstance(game, ChoosingMoon):
            self._settle(agent)
            self._select(seat, picks)
            if self.render_mode == "human":
                self.render()
            return
        step = game.plan if isinstance(game, Passing) else ()
        move = _move(game.phase, seat, step, self._picks, number)
        assert move is not None
        self._follow(agent, apply(game, move))

    def step_move(self, move: Move) -> None:
        """Make a whole move of the selected agent, such as a bot's, instead of actions.

        It counts as one action. An illegal move changes nothing.

        >>> from heartsrules.bots import heuristic
        >>> from heartsrules.chance import RandomStream
        >>> table = raw_env(Rules())
        >>> table.reset(seed=7)
        >>> table.step_move(heuristic(view(table.game, 0), RandomStream("heuristic")))
        >>> table.agent_selection
        'player_1'

        Raises:
            IllegalMove: the rules forbid the move.
            ValueError: the move is another seat's, the agent has picked cards with `step`, or the episode is over.
            TypeError: the argument is not a move.
        """
        if self._seed is None:
            EnvLogger.error_step_before_reset()
        if not isinstance(move, Move):
            wrong_type("move", "a Pass, an Expose, a Play or a ChooseMoon", move)
        if not self._legal:
            raise ValueError("the episode is over: no agent can move")
        agent = self.agent_selection
        if isinstance(move, Deal) or move.seat != self._seats[agent]:
            raise ValueError(f"it is the turn of {agent}, who cannot make this move: {in_words(move)}")
        if self._picks:
            raise ValueError(f"{agent} has begun to pick cards: go on with step")
        after = apply(self._game, move)
        self._stepped = True
        self._follow(agent, after)

    def _settle(self, agent: str) -> None:
        self._actions += 1
        if self._rewarded:
            self._clear_rewards()
            self._rewarded = False
        self._cumulative_rewards[agent] = 0.0

    def _follow(self, agent: str, after: State) -> None:
        before = self._game
        self._settle(agent)
        if isinstance(after, Playing):
            self._game = after
            self._select(after.turn, ())
        else:
            if isinstance(after, (AwaitingDeal, GameOver)):
                self._deals += 1
                self._give_rewards(before, after)
            self._enter(after)
            if self._rewarded:
                self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _refuse(self, agent: str, number: int) -> None:
        game, seat = self._game, self._seats[agent]
        step = game.plan if isinstance(game, Passing) else ()
        if number < DECLINE and isinstance(game, Passing) and None not in self._picks:
            picked = Pass(seat, *gifts_of(step, [*cards_in(self._picks), _FACES[number]]))
            # A pass that is merely incomplete does not make this pick illegal.
            against = [each for each in why_illegal(game, picked) if not isinstance(each, WrongNumberOfCards)]
            raise IllegalMove(tuple(against), picked)
        if number < DECLINE and isinstance(game, Exposing):
            apply(game, Expose(seat, Cards([*cards_in(self._picks), _FACES[number]])))
        elif number >= DECLINE or not isinstance(game, Passing):
            move = _move(game.phase, seat, step, self._picks, number)
            assert move is not None
            apply(game, move)
        if self._picks[:1] == (None,):
            raise ValueError(f"{agent} has begun to decline: it takes DECLINE as often as others pick cards")
        what = "shows, and picks them in card order" if isinstance(game, Exposing) else "passes"
        raise ValueError(f"{agent} has begun to pick the cards that it {what}")

    def _enter(self, state: State) -> None:
        self._game = state
        if isinstance(state, Playing):
            self._select(state.turn, ())
            return
        truncated = self._deals >= self.max_deals
        if chance_to_act(state) and not (isinstance(state, AwaitingDeal) and truncated):
            state = apply(state, deal(state, seed=self._deal_seed))
        self._game = state
        if isinstance(state, (AwaitingDeal, GameOver)):
            over = dict.fromkeys(self.agents, True)
            if isinstance(state, GameOver):
                self.terminations = over
            else:
                self.truncations = over
            self._end()
        else:
            self._wanted = pass_size(state.plan) if isinstance(state, Passing) else 0
            self._select(min(to_act(state)), ())

    def _end(self) -> None:
        self._picks: tuple[Card | None, ...] = ()
        self._legal = 0
        self.infos = {
            agent: {"action_mask": self._idle, "episode": {"r": self._returns[agent], "l": self._actions}}
            for agent in self.agents
        }
        self.agent_selection = self.agents[0]

    def _select(self, seat: Seat, picks: tuple[Card | None, ...]) -> None:
        agent = self.possible_agents[seat]
        self._picks = picks
        game = self._game
        # `apply` uses the same cached legal cards.
        self._legal = legal = (
            legal_faces(game) if isinstance(game, Playing) else legal_actions(view_of(game, seat), picks)
        )
        # Only two infos change, or one if the same agent continues.
        if agent != self.agent_selection:
            self.infos[self.agent_selection] = {"action_mask": self._idle}
            self.agent_selection = agent
        self.infos[agent] = {"action_mask": _array(_MASK_SHAPE, _INT8, mask_bytes(legal))}

    def _give_rewards(self, before: State, after: AwaitingDeal | GameOver) -> None:
        if self.reward == "points":
            lost = [sum([after.scores[seat] - before.scores[seat] for seat in side]) for side in self.rules.sides]
            values = margins(lost)
        elif isinstance(after, GameOver):
            values = prizes(self.rules, after.winners)
        else:
            return
        self._rewarded = True
        for agent in self.agents:
            reward = self.rewards[agent] = values[self.rules.side(self._seats[agent])]
            self._returns[agent] += reward

    def observe(self, agent: str) -> Any:
        """Return an agent's current observation, even if it is not selected."""
        if self._seed is None:
            EnvLogger.error_observe_before_reset()
        picks = self._picks if agent == self.agent_selection else ()
        numbers = self._encoder.floats(view_of(self._game, self._seats[agent]), picks)
        seen: Observation = _array(self._shape, _FLOAT32, numbers)
        if not self.mask_in_observation:
            return seen
        mask = self.infos[agent]["action_mask"] if agent in self.infos else self._idle
        return {"observation": seen, "action_mask": mask}

    def state(self) -> Observation:
        """Return the state with all hands, for centralized training.

        The vector is laid out by `state_layout`.
        """
        if self._seed is None:
            EnvLogger.error_state_before_reset()
        game, rules = self._game, self.rules
        start = {name: place.start for name, place in slices_of(_hidden(rules)).items()}
        hands: Sequence[Cards] = ()
        given: list[Sequence[Cards]] = []
        kitty = Cards()
        showing: list[Sequence[Card]] = []
        if isinstance(game, (Passing, Exposing, Playing)):
            hands, kitty = game.hands, game.kitty
        if isinstance(game, Passing):
            given = [() if commitment is None else commitment.cards for commitment in game.commitments]
            given[self._seats[self.agent_selection]] = gifts_of(game.plan, cards_in(self._picks))
        elif isinstance(game, Exposing):
            given = [commitment.cards for commitment in game.passes]
            showing = [[] if exposure is None else list(exposure.cards) for exposure in game.commitments]
            showing[self._seats[self.agent_selection]] = cards_in(self._picks)
        elif not isinstance(game, (AwaitingDeal, DealingBack)):
            played = game if isinstance(game, Playing) else game.last_deal
            given = [commitment.cards for commitment in played.passes]
            kitty = played.kitty
        counted: list[int] = []
        for seat, hand in enumerate(hands):
            counted += [start["all_hands"] + 52 * seat + card.index for card in hand]
        for seat, gifts in enumerate(given):
            for number, gift in enumerate(gifts, most_gifts(rules) * seat):
                counted += [start["all_gifts"] + 52 * number + card.index for card in gift]
        for seat, cards in enumerate(showing):
            counted += [start["all_showing"] + 52 * seat + card.index for card in cards]
        counted += [start["whole_kitty"] + card.index for card in kitty]
        size = sum([block.size for block in _hidden(rules)])
        hidden = np.bincount(counted, minlength=size).astype(np.float32)
        return np.concatenate([hidden, observation(view_of(game, None))])

    def render(self) -> str | None:
        """Return (`"ansi"`) or print (`"human"`) the diagram of the state, with all hands."""
        if self._seed is None:
            EnvLogger.error_render_before_reset()
        if self.render_mode is None:
            gymnasium.logger.warn("render() was called without a render mode: give render_mode to the environment")
            return None
        text = str(self._game)
        if self._picks:
            picked = " ".join(map(str, cards_in(self._picks))) or "no card, to decline"
            text = f"{text}\n\n{self.agent_selection} has picked {picked}"
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Do nothing: PettingZoo requires this method."""


class _EndedByIllegalActions(HeartsEnv):
    def _refuse(self, agent: str, number: int) -> None:  # noqa: ARG002 - the base class names it
        EnvLogger.warn_on_illegal_move()
        self._settle(agent)
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards[agent] = self._cumulative_rewards[agent] = self.illegal_reward
        self._returns[agent] += self.illegal_reward
        self._end()
        if self.render_mode == "human":
            self.render()


raw_env = HeartsEnv
"""Make an environment in which an illegal action is an error."""


def env(rules: Rules | None = None, **options: Any) -> HeartsEnv:
    """Make an environment in which an illegal action ends the episode.

    All agents are terminated, the agent that took the action gets `HeartsEnv.illegal_reward`, and PettingZoo's log has
    a warning. Do not add PettingZoo's usual wrappers, which make the same checks again. Arguments are as in
    `HeartsEnv`.
    """
    return _EndedByIllegalActions(rules, **options)


if hasattr(pettingzoo, "register"):
    pettingzoo.register("aec", "heartsrules/hearts-v0", "heartsrules.bridges.pettingzoo:env")
