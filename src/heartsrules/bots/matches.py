"""Bots against each other: deals and matches, played again with the seats exchanged, and how sure the result is."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from hashlib import sha256
from math import sqrt
from typing import Final, TypeAlias

import attrs

from heartsrules.bots.interface import Bot
from heartsrules.chance import Bits, RandomStream, deal
from heartsrules.chance.bits import checked_bits, seed_text
from heartsrules.engine import apply, new_game, to_act
from heartsrules.errors import in_words
from heartsrules.moves import ChooseMoon, Deal, Expose, Move, Pass, Play
from heartsrules.rules import Rules
from heartsrules.scoring import standings
from heartsrules.state import AwaitingDeal, ChoosingMoon, Exposing, GameOver, Passing, Playing, State
from heartsrules.values import kind_of, wrong_item, wrong_type
from heartsrules.views import view

__all__ = ["MAX_DEALS", "Comparison", "Estimate", "Seated", "check_bots", "play_deal", "play_match", "tournament"]

MAX_DEALS: Final = 1000
"""How many deals a match may take unless the caller says otherwise; matches to 100 take about ten."""


Watch: TypeAlias = Callable[[State, Move], object]
"""Is called with each state and the move that is about to be made in it."""


def play_deal(
    state: Passing | Exposing | Playing | ChoosingMoon,
    bots: Sequence[Bot],
    rngs: Sequence[Bits],
    *,
    watch: Watch | None = None,
) -> AwaitingDeal | GameOver:
    """Let bots play to the end of a deal; each is given nothing but its view and its own random bits.

    Args:
        state: a state in which the cards have been dealt.
        bots: a bot for each seat.
        rngs: a source of random bits for each seat.
        watch: called with each state and the move that a bot makes in it.

    Raises:
        IllegalMove: a bot has chosen an illegal move.
        ValueError: a bot has made a move of another seat, or there is not one bot and one `rng` for each seat.
        TypeError: an argument has the wrong type, or a bot has returned something that is not a move.
    """
    if not isinstance(state, (Passing, Exposing, Playing, ChoosingMoon)):
        wrong_type("state", "a Passing, Exposing, Playing or ChoosingMoon", state)
    check_bots(bots)
    if isinstance(rngs, str) or not isinstance(rngs, Sequence):
        wrong_type("rngs", "a sequence of sources of random bits", rngs)
    for rng in rngs:
        checked_bits(rng, "each of rngs")
    players = state.rules.players
    if len(bots) != players or len(rngs) != players:
        raise ValueError(f"{players} players need {players} bots and rngs, not {len(bots)} and {len(rngs)}")
    now: State = state
    while isinstance(now, (Passing, Exposing, Playing, ChoosingMoon)):
        seat = now.turn if isinstance(now, Playing) else min(to_act(now))
        move = bots[seat](view(now, seat), rngs[seat])
        if not isinstance(move, (Deal, Pass, Expose, Play, ChooseMoon)):
            raise TypeError(f"the bot of seat {seat} must return a move, not {kind_of(move)}")
        if isinstance(move, Deal) or move.seat != seat:
            raise ValueError(f"the bot of seat {seat} may not make this move: {in_words(move)}")
        if watch is not None:
            watch(now, move)
        now = apply(now, move)
    return now


def play_match(
    rules: Rules, bots: Sequence[Bot], *, seed: str | int | None = None, deals: int | None = None
) -> AwaitingDeal | GameOver:
    """Let bots play a match from the first deal.

    The cards come from `seed` alone, whoever plays, and so does a stream of random bits for the bot of each seat. They
    are derived for one purpose each, so that a stream tells nothing of the cards; "The shuffle" in the documentation
    says how. A bot that knows the seed, or guesses it, knows every card nevertheless: a seed that others know is for
    bots that you trust. Without a seed a secret one is drawn, of 128 random bits, and told to nobody.

    >>> from heartsrules import presets
    >>> from heartsrules.bots import heuristic, uniform
    >>> play_match(presets.cardstock(), [heuristic, uniform, uniform, uniform], seed=7).winners
    (0,)

    Args:
        rules: the rule set.
        bots: a bot for each seat.
        seed: a text, or an int, which stands for its decimal text; None: a secret one, another each time.
        deals: after how many deals to stop; None: at the end of the match, but after `MAX_DEALS` deals at the latest,
            because some rule sets can go on for ever.

    Returns:
        The end of the match; or an `AwaitingDeal`, if it was stopped before.

    Raises:
        IllegalMove: a bot has chosen an illegal move.
        ValueError: a bot has made a move of another seat, there is not one bot for each seat, `deals` is too low, or
            `seed` holds a lone surrogate or has more than 600 digits.
        TypeError: an argument has the wrong type, or a bot has returned something that is not a move.
    """
    if not isinstance(rules, Rules):
        wrong_type("rules", "a Rules", rules)
    check_bots(bots)
    limit = MAX_DEALS if deals is None else deals
    _check_count("deals", limit, 1)
    seated = Seated(rules, bots, _own_seed(seed))
    state: AwaitingDeal | GameOver = new_game(rules)
    for _ in range(limit):
        if isinstance(state, GameOver):
            break
        state = seated.play(state)
    return state


class Seated:
    """The bots of one match, with the streams of random bits that its seed gives them."""

    def __init__(self, rules: Rules, bots: Sequence[Bot], seed: str) -> None:
        self._bots: Final = bots
        self._cards: Final = _derived(seed, "cards")
        self._rngs: Final = [RandomStream(_derived(seed, f"bot {seat}")) for seat in range(rules.players)]

    def play(self, start: AwaitingDeal, watch: Watch | None = None) -> AwaitingDeal | GameOver:
        """Deal the next deal, and have it played to its end."""
        dealt = apply(start, deal(start, seed=self._cards))
        assert isinstance(dealt, (Passing, Exposing, Playing))
        return play_deal(dealt, self._bots, self._rngs, watch=watch)


def _own_seed(seed: object) -> str:
    """The text of a seed; without one, that of a secret one."""
    if seed is None:
        return secrets.token_hex(16)
    return seed_text(seed)


def _derived(seed: str, purpose: str) -> str:
    """A seed for one purpose. It gives away neither the seed itself nor the seeds for other purposes."""
    return sha256(f"heartsrules 1\nmatch {purpose}\n{seed}".encode()).hexdigest()


def _check_count(name: str, number: object, least: int) -> None:
    if not isinstance(number, int) or isinstance(number, bool):
        wrong_type(name, "an int", number)
    if number < least:
        raise ValueError(f"{name} is {in_words(number)}: choose {least} or more")


def check_bots(bots: object) -> None:
    """Check that it is a sequence of bots.

    Raises:
        TypeError: it is not.
    """
    if isinstance(bots, str) or not isinstance(bots, Sequence):
        wrong_type("bots", "a sequence of bots", bots)
    for bot in bots:
        if not callable(bot):
            wrong_item("bots", "callables", bot)


# ----------------------------------------------------------------------------------------------------------- comparing


@attrs.frozen
class Estimate:
    """A mean, and how far it is likely to be from the true one."""

    mean: float
    error: float
    """Half the width of the 95 % confidence interval."""

    @staticmethod
    def of(values: Iterable[float]) -> Estimate:
        """The mean of independent values, at least two, and 1.96 times its standard error.

        >>> estimate = Estimate.of([0, 1, 1, 0])
        >>> estimate.mean, round(estimate.error, 3)
        (0.5, 0.566)

        Raises:
            ValueError: there are fewer than two values.
        """
        sample = list(values)
        count = len(sample)
        if count < 2:
            raise ValueError(f"a confidence interval needs at least 2 values, not {count}")
        mean = sum(sample) / count
        variance = sum([(value - mean) ** 2 for value in sample]) / (count - 1)
        return Estimate(mean, 1.96 * sqrt(variance / count))

    @property
    def low(self) -> float:
        """The lower end of the interval."""
        return self.mean - self.error

    @property
    def high(self) -> float:
        """The upper end of the interval."""
        return self.mean + self.error


@attrs.frozen
class Comparison:
    """How one bot did against others. Each tuple has one value for each table, the mean over the seats it played in:
    the deals of one table are the same cards, so only tables are independent of each other."""

    won: tuple[float, ...]
    """How often its side had the lowest total, ties counted as wins."""
    shares: tuple[float, ...]
    """The same, with ties shared among those who tie: equal players have 1 / sides on average."""
    margins: tuple[float, ...]
    """How many points fewer a game its side had than the other sides on average: equal players have 0 on average."""
    unfinished: int
    """How many games were stopped before the end of the match."""

    @property
    def wins(self) -> Estimate:
        """How often it wins, ties counted as wins."""
        return Estimate.of(self.won)

    @property
    def share(self) -> Estimate:
        """How often it wins, ties shared."""
        return Estimate.of(self.shares)

    @property
    def margin(self) -> Estimate:
        """How many points it saves a game."""
        return Estimate.of(self.margins)

    def against(self, other: Comparison) -> Comparison:
        """The differences to another bot that played the same tables: what cards and opponents do to both cancels.

        Raises:
            ValueError: the other comparison has more tables, or fewer.
        """
        return Comparison(
            _minus(self.won, other.won),
            _minus(self.shares, other.shares),
            _minus(self.margins, other.margins),
            self.unfinished - other.unfinished,
        )


def _minus(one: tuple[float, ...], other: tuple[float, ...]) -> tuple[float, ...]:
    if len(one) != len(other):
        raise ValueError(f"{len(one)} tables cannot be compared with {len(other)}: play the same ones")
    return tuple([ours - theirs for ours, theirs in zip(one, other, strict=True)])


@attrs.frozen
class _Table:
    rules: Rules
    bot: Bot
    field: Bot
    seed: str
    deals: int | None

    def play(self) -> tuple[float, float, float, int]:
        """The mean of wins, shares and margins over the sides that the bot can play for, and the unfinished games."""
        sides = self.rules.sides
        wins = shares = 0.0
        margins = 0
        unfinished = 0
        for members in sides:
            bots = [self.bot if seat in members else self.field for seat in range(self.rules.players)]
            end = play_match(self.rules, bots, seed=self.seed, deals=self.deals)
            unfinished += self.deals is None and not isinstance(end, GameOver)
            ranking = standings(self.rules, end.scores)
            best = [standing.seats for standing in ranking if standing.place == 1]
            if members in best:
                wins += 1
                shares += 1 / len(best)
            own = next(standing.total for standing in ranking if standing.seats == members)
            margins += sum([standing.total for standing in ranking]) - own * len(sides)
        return wins / len(sides), shares / len(sides), margins / len(sides) / (len(sides) - 1), unfinished


def _play_table(table: _Table) -> tuple[float, float, float, int]:
    return table.play()


def tournament(
    rules: Rules,
    bot: Bot,
    field: Bot,
    *,
    tables: int,
    seed: str | int | None = None,
    deals: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int], object] | None = None,
) -> Comparison:
    """Let one bot play against copies of another one, at many tables, from every seat of each.

    Each table has a seed of its own that is derived from `seed`, and is played once for every seat (with teams, every
    side, of which the bot plays all members), with the same cards each time, so that no seat and no good hand favours
    anybody. Two bots that are compared with the same field, tables and seed play the same cards in the same seats.

    As in `play_match`, a seed that others know is for bots that you trust, and without one a secret seed is drawn. To
    play the same tables again, draw one yourself by `secrets.token_hex(16)`, and tell nobody before the last
    comparison. A bot that remembers what it saw can still recognise the cards of a table when it is played again from
    another seat: where that matters, play each match once, by `play_match` without a seed.

    >>> from heartsrules import presets
    >>> from heartsrules.bots import heuristic, uniform
    >>> result = tournament(presets.cardstock(), heuristic, uniform, tables=20, seed=1)
    >>> result.margin.low > 0
    True

    Args:
        rules: the rule set.
        bot: who is compared.
        field: who sits in all other seats.
        tables: how many tables, at least 1; for a confidence interval at least 2, better 30.
        seed: a text, or an int, which stands for its decimal text; None: a secret one.
        deals: how many deals a game has; None: a whole match, of at most `MAX_DEALS` deals.
        executor: any `concurrent.futures.Executor`; the bots must then be picklable if it needs that. The result is
            the same. None: this thread.
        progress: called after each table with how many have been played.

    Raises:
        IllegalMove: a bot has chosen an illegal move.
        ValueError: a bot has made a move of another seat, `tables` or `deals` is too low, or `seed` holds a lone
            surrogate or has more than 600 digits.
        TypeError: an argument has the wrong type, or a bot has returned something that is not a move.
    """
    if not isinstance(rules, Rules):
        wrong_type("rules", "a Rules", rules)
    for name, player in (("bot", bot), ("field", field)):
        if not callable(player):
            wrong_type(name, "a bot", player)
    if executor is not None and not isinstance(executor, Executor):
        wrong_type("executor", "a concurrent.futures.Executor", executor)
    if progress is not None and not callable(progress):
        wrong_type("progress", "callable", progress)
    _check_count("tables", tables, 1)
    if deals is not None:
        _check_count("deals", deals, 1)
    own = _own_seed(seed)
    jobs = [_Table(rules, bot, field, _derived(own, f"table {number}"), deals) for number in range(tables)]
    results = []
    for result in map(_play_table, jobs) if executor is None else executor.map(_play_table, jobs):
        results.append(result)
        if progress is not None:
            progress(len(results))
    return Comparison(
        tuple([won for won, _, _, _ in results]),
        tuple([share for _, share, _, _ in results]),
        tuple([margin for _, _, margin, _ in results]),
        sum([unfinished for _, _, _, unfinished in results]),
    )
