"""A Gymnasium environment with one agent in one seat, and bots in the others.

Actions, observations and masks are as in `heartsrules.bridges.pettingzoo`. Importing this module registers
`heartsrules/Hearts-v0`, so `gymnasium.make("heartsrules.bridges.gymnasium:heartsrules/Hearts-v0")` makes an
environment. It needs the extra `pettingzoo`.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from operator import index
from typing import Any, ClassVar, Final, TypeAlias

from heartsrules.base.extras import needs

with needs("pettingzoo", "heartsrules.bridges.gymnasium"):
    import gymnasium

from heartsrules.base.values import wrong_type
from heartsrules.bots.interface import Bot, Preparing
from heartsrules.bots.named import bot_named
from heartsrules.bridges._actions import Reward
from heartsrules.bridges.pettingzoo import HeartsEnv, env
from heartsrules.chance import RandomStream
from heartsrules.rules import Rules, Seat
from heartsrules.simulation.limits import MAX_DEALS_PER_GAME
from heartsrules.views import view

__all__ = ["HeartsSeatEnv", "Opponents"]
__dir__ = __all__.copy

Opponents: TypeAlias = str | Bot | Sequence[str | Bot]
"""A bot for all other seats, or one for each, clockwise from the agent's left. Names are as in
`heartsrules.bots.bot_named`."""


class HeartsSeatEnv(gymnasium.Env[Any, int]):
    """A Gymnasium environment with one agent, whose opponents are bots.

    A step's reward is the seat's reward in `HeartsEnv` since the agent's last action. An illegal action ends the
    episode, with `HeartsEnv.illegal_reward`. `reward`, `max_deals`, `mask_in_observation` and `render_mode` are as in
    `HeartsEnv`.

    `info["action_mask"]` is the mask of legal actions, also for `action_space.sample`, and `info["seat"]` is the
    agent's seat.

    Args:
        rules: the rule set. Defaults to `Rules()`.
        seat: the agent's seat, or None to draw one for each episode.
        opponents: the bots. They see only the views of their seats.

    >>> from heartsrules import presets
    >>> table = HeartsSeatEnv(presets.cardstock(), opponents="uniform")
    >>> seen, info = table.reset(seed=7)
    >>> over, rewards = False, 0.0
    >>> while not over:
    ...     seen, reward, over, truncated, info = table.step(int(info["action_mask"].argmax()))
    ...     rewards += reward
    >>> rewards == (sum(table.game.scores) / 4 - table.game.scores[0])
    True

    Raises:
        InvalidRules: the rules have moves without actions, as in `HeartsEnv`.
        MissingExtra: a bot needs an extra that is not installed.
        ValueError: there is no such seat, bot, reward or render mode, `max_deals` is less than 1, or there is not one
            opponent for each other seat.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["human", "ansi"], "render_fps": 2}  # type: ignore[misc]

    def __init__(
        self,
        rules: Rules | None = None,
        *,
        seat: Seat | None = 0,
        opponents: Opponents = "heuristic",
        reward: Reward = "points",
        max_deals: int = MAX_DEALS_PER_GAME,
        mask_in_observation: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self._table: Final[HeartsEnv] = env(
            rules, reward=reward, max_deals=max_deals, mask_in_observation=mask_in_observation, render_mode=render_mode
        )
        self.rules: Final = self._table.rules
        self.render_mode = render_mode
        players = self.rules.players
        if seat is not None and not 0 <= index(seat) < players:
            raise ValueError(f"seat is {seat}: choose one from 0 to {players - 1}, or None")
        self._fixed_seat: Final = seat
        self._bots: Final = _bots_of(opponents, players - 1)
        self._seeded = False
        self.seat: Seat = seat or 0
        """The agent's seat in this episode."""
        self.observation_space = self._table.observation_space("player_0")
        self.action_space = self._table.action_space("player_0")

    @property
    def game(self) -> Any:
        """The current state of the match, with all hands.

        Raises:
            AttributeError: `reset` was not called.
        """
        return self._table.game

    def reset(
        self,
        *,
        seed: int | None = None,
        options: Mapping[str, Any] | None = None,  # noqa: ARG002 - Gymnasium has it
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode.

        Args:
            seed: the seed of the deals, the bots and a drawn seat, as in `HeartsEnv.reset`. Without one, all continue,
                and the first seed is secret.
            options: ignored.
        """
        super().reset(seed=seed)
        players = self.rules.players
        if seed is not None or not self._seeded:
            start = secrets.randbits(128) if seed is None else index(seed)
            self._streams = [RandomStream(f"{start}/bot {number}") for number in range(players)]
            self._seeded = True
        self._table.reset(seed=seed)
        if self._fixed_seat is None:
            self.seat = int(self.np_random.integers(players))
        for number, bot in enumerate(self._bots, self.seat + 1):
            if isinstance(bot, Preparing):
                bot.begin(self.rules, number % players)
        self._let_bots_play()
        seen, _, _, _, info = self._seen()
        return seen, info

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take the agent's action, and let the bots play until the agent's next turn or the end of the match.

        Raises:
            IllegalMove: a bot has chosen an illegal move.
            ValueError: there is no such action, or the episode is over.
            AssertionError: `reset` was not called.
        """
        self._table.step(action)
        self._let_bots_play()
        return self._seen()

    def _let_bots_play(self) -> None:
        table, players = self._table, self.rules.players
        agents = table.possible_agents
        mine = agents[self.seat]
        over = "episode" in table.infos[mine]
        while not over and table.agent_selection != mine:
            number = agents.index(table.agent_selection)
            bot = self._bots[(number - self.seat - 1) % players]
            table.step_move(bot(view(table.game, number), self._streams[number]))
            over = "episode" in table.infos[mine]
        if over:
            table.agent_selection = mine

    def _seen(self) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        table = self._table
        seen, reward, terminated, truncated, info = table.last()
        # PettingZoo reports both if an illegal action has ended the episode.
        truncated = truncated and not terminated
        return seen, float(reward), terminated, truncated, {"action_mask": info["action_mask"], "seat": self.seat}

    def render(self) -> Any:
        """Show the diagram of the state, as in `HeartsEnv.render`."""
        return self._table.render()


def _bots_of(opponents: Opponents, count: int) -> list[Bot]:
    if isinstance(opponents, str) or callable(opponents):
        opponents = [opponents] * count
    elif not isinstance(opponents, Iterable):
        wrong_type("opponents", "a bot, the name of one, or a sequence of them", opponents)
    chosen = list(opponents)
    if len(chosen) != count:
        raise ValueError(f"there are {len(chosen)} opponents: give one, or one for each of the {count} other seats")
    for bot in chosen:
        if not isinstance(bot, str) and not callable(bot):
            wrong_type("each of opponents", "a bot or the name of one", bot)
    return [bot_named(bot).bot if isinstance(bot, str) else bot for bot in chosen]


gymnasium.register("heartsrules/Hearts-v0", "heartsrules.bridges.gymnasium:HeartsSeatEnv")
