"""Matches between bots, repeated with seats exchanged, and confidence intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from itertools import combinations, permutations
from math import factorial, prod, sqrt
from typing import Any, Final, Literal, TypeAlias, get_args, overload

import attrs

from heartsrules.base.errors import in_words, suggestion
from heartsrules.base.values import checked_count, wrong_type
from heartsrules.bots.interface import Bot
from heartsrules.play.state import GameOver
from heartsrules.play.stateless import standings
from heartsrules.rules import Rules
from heartsrules.simulation.executors import Chunked, Job
from heartsrules.simulation.kept_games import KeptGame, Recorder
from heartsrules.simulation.limits import KeepAs
from heartsrules.simulation.matches import derived_seed, own_seed, play_match
from heartsrules.simulation.parts import Checkpoint, Resumable, RunIdentity, Setting, Tables, qualified_names
from heartsrules.simulation.ratings import Rating, bradley_terry, student

MAX_SEATINGS: Final = 120
"""Limit on the seatings of a line-up at each table, enough for five different players."""

Seatings: TypeAlias = Literal["all", "rotations"]
"""The seatings of a line-up: all, or only those in which every player moves by the same number of seats."""


@attrs.frozen
class Estimate:
    """A mean and its 95 % confidence interval, `mean` ± `error`.

    Attributes:
        mean: the estimate.
        error: half the width of the 95 % confidence interval.
    """

    mean: float
    error: float

    @staticmethod
    def of(values: Iterable[float]) -> Estimate:
        """Return the mean of at least two independent values, with Student's t interval.

        >>> estimate = Estimate.of([0, 1, 1, 0])
        >>> estimate.mean, round(estimate.error, 2)
        (0.5, 0.92)

        Raises:
            ValueError: there are fewer than two values.
        """
        sample = list(values)
        count = len(sample)
        if count < 2:
            raise ValueError(f"a confidence interval needs at least 2 values, not {count}")
        mean = sum(sample) / count
        variance = sum([(value - mean) ** 2 for value in sample]) / (count - 1)
        return Estimate(mean, student(count - 1) * sqrt(variance / count))

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
    """A bot's results against others.

    Tuples have one value per table, the mean over the bot's seats. Only tables are independent of each other.

    Attributes:
        won: the fraction of games in which its side had the lowest total, counting ties as wins.
        shares: the same, with ties shared. The average of equal players is 1 / sides.
        margins: the points per game saved compared with the other sides' mean. The average of equal players is 0.
        unfinished: the number of games stopped early.
    """

    won: tuple[float, ...]
    shares: tuple[float, ...]
    margins: tuple[float, ...]
    unfinished: int

    @property
    def wins(self) -> Estimate:
        """The fraction of games won, counting ties as wins."""
        return Estimate.of(self.won)

    @property
    def share(self) -> Estimate:
        """The fraction of games won, with ties shared."""
        return Estimate.of(self.shares)

    @property
    def margin(self) -> Estimate:
        """The points saved per game."""
        return Estimate.of(self.margins)

    def against(self, other: Comparison) -> Comparison:
        """Return the differences from another bot that played the same tables.

        Raises:
            ValueError: the numbers of tables differ.
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


# ------------------------------------------------------------------------------------------------------- the tables


@attrs.frozen
class _Job(Job):
    rules: Rules
    seatings: tuple[tuple[Bot, ...], ...]
    seed: str
    deals: int | None
    form: KeepAs | None

    def play_table(self, number: int) -> tuple[Tables, list[KeptGame]]:
        """Play the same cards with every seating, and record the games if requested."""
        seed = derived_seed(self.seed, f"table {number}")
        scores, records, unfinished = [], [], 0
        for place, bots in enumerate(self.seatings):
            recorder = Recorder(self.rules, self.form) if self.form else None
            after = None if recorder is None else recorder.add
            end = play_match(self.rules, bots, seed=seed, deals=self.deals, after_deal=after)
            scores.append(end.scores)
            unfinished += self.deals is None and not isinstance(end, GameOver)
            if recorder is not None:
                records.append(recorder.kept(number * len(self.seatings) + place))
        return Tables({number: tuple(scores)}, unfinished), records


def _play(job: _Job) -> tuple[Tables, list[KeptGame]]:
    found, records = Tables(), []
    for number in job.numbers:
        table, games = job.play_table(number)
        found += table
        records += games
    return found, records


def _play_tables(
    rules: Rules,
    players: Mapping[str, Bot],
    seatings: Sequence[Sequence[str]],
    *,
    tables: int,
    seed: str | int | None,
    deals: int | None,
    executor: Executor | Chunked | Resumable | None,
    progress: Callable[[int], object] | None,
) -> Tables:
    files = Resumable.of(executor)
    labels = dict(zip(players, files.names if len(players) == len(files.names) else players, strict=True))
    names = [tuple([labels[name] for name in each]) for each in seatings]
    checked_count("tables", tables)
    if deals is not None:
        checked_count("deals", deals)
    own = own_seed(seed)
    seated = tuple([tuple([players[name] for name in names]) for names in seatings])
    settings: dict[str, Setting] = {"deals": deals, "seatings": qualified_names(sum(seated, ()))}
    identity = RunIdentity(work="match", rules=rules, seed=own, whole=range(tables), settings=settings)
    job = _Job(identity.whole, rules, seated, own, deals, files.form)
    with Checkpoint(files, identity, Tables(), lambda game: names[game % len(names)]) as checkpoint:
        return checkpoint.work(_play, job, Chunked.of(files.executor, chunk_alone=1), "tables", progress)


def _exchanged(rules: Rules) -> tuple[tuple[str, ...], ...]:
    """Return the seatings of a bot that plays for each side in turn, against a field."""
    return tuple(
        [tuple(["bot" if seat in members else "field" for seat in range(rules.players)]) for members in rules.sides]
    )


def comparison_of(rules: Rules, tables: Tables) -> Comparison:
    """Return the first bot's results in a `tournament` of two."""
    return results_of(rules, _exchanged(rules), tables).of("bot")


def results_of(rules: Rules, seatings: tuple[tuple[str, ...], ...], tables: Tables) -> Results:
    """Return a line-up's results at tables played with these seatings."""
    return Results(rules, seatings, tuple([games for _, games in sorted(tables.games.items())]), tables.unfinished)


@attrs.frozen
class _Outcome:
    total: tuple[int, ...]
    saved: tuple[int, ...]
    """The points saved compared with each other side, summed."""
    won: tuple[int, ...]
    share: tuple[float, ...]
    """The share of first place, divided equally among those who tie."""

    @staticmethod
    def of(rules: Rules, scores: Sequence[int]) -> _Outcome:
        ranking = standings(rules, scores)
        whole = sum([standing.total for standing in ranking])
        best = sum([1 for standing in ranking if standing.place == 1])
        by_seat = {seat: standing for standing in ranking for seat in standing.seats}
        order = [by_seat[seat] for seat in range(rules.players)]
        sides = len(ranking)
        return _Outcome(
            tuple([each.total for each in order]),
            tuple([whole - each.total * sides for each in order]),
            tuple([int(each.place == 1) for each in order]),
            tuple([1 / best if each.place == 1 else 0.0 for each in order]),
        )


def _mean_at(values: Sequence[Sequence[float]], places: Sequence[Sequence[int]]) -> float:
    count = sum([len(seats) for seats in places])
    return sum([game[seat] for game, seats in zip(values, places, strict=True) for seat in seats]) / count


# ----------------------------------------------------------------------------------------------------------- line-ups


@attrs.frozen
class Duel:
    """A comparison of two players of a line-up.

    Tuples have one value per table. Ties count half. Equal players average 0 in `differences` and 0.5 in the others.

    Attributes:
        differences: the points saved per game with the same cards in the same seat.
        matchpoints: the fraction of comparisons with fewer points, given the same cards and seat.
        ahead: the fraction of games in which its side came out ahead of the other's.
    """

    differences: tuple[float, ...]
    matchpoints: tuple[float, ...]
    ahead: tuple[float, ...]

    @property
    def difference(self) -> Estimate:
        """The points saved with the same cards."""
        return Estimate.of(self.differences)

    @property
    def matchpoint(self) -> Estimate:
        """The fraction of comparisons with fewer points, given the same cards."""
        return Estimate.of(self.matchpoints)

    @property
    def lead(self) -> Estimate:
        """The fraction of games in which it came out ahead."""
        return Estimate.of(self.ahead)


def _outcomes_of(results: Results) -> tuple[tuple[_Outcome, ...], ...]:
    return tuple([tuple([_Outcome.of(results.rules, scores) for scores in table]) for table in results.tables])


@attrs.frozen
class Results:
    """The results of a line-up.

    Attributes:
        rules: the rule set.
        seatings: the seatings played at each table, as names by seat.
        tables: the totals by seat, for each game of each table.
        unfinished: the number of games stopped early.
    """

    rules: Rules
    seatings: tuple[tuple[str, ...], ...]
    tables: tuple[tuple[tuple[int, ...], ...], ...]
    unfinished: int
    _outcomes: tuple[tuple[_Outcome, ...], ...] = attrs.field(
        init=False, repr=False, eq=False, default=attrs.Factory(_outcomes_of, takes_self=True)
    )

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names, in the order of the line-up."""
        return tuple(dict.fromkeys(self.seatings[0]))

    def _places(self, player: str) -> list[list[int]]:
        if player not in self.seatings[0]:
            raise ValueError(f"there is no player {in_words(player)}: {suggestion(str(player), self.players)}")
        return [[seat for seat, name in enumerate(names) if name == player] for names in self.seatings]

    def of(self, player: str) -> Comparison:
        """Compare a player with all others, including its own equals.

        Raises:
            ValueError: the line-up does not have this name.
        """
        places = self._places(player)
        others = len(self.rules.sides) - 1
        return Comparison(
            tuple([_mean_at([game.won for game in table], places) for table in self._outcomes]),
            tuple([_mean_at([game.share for game in table], places) for table in self._outcomes]),
            tuple([_mean_at([game.saved for game in table], places) / others for table in self._outcomes]),
            self.unfinished,
        )

    def points(self, player: str) -> tuple[float, ...]:
        """Return a player's mean total at each table (with teams, its side's).

        Raises:
            ValueError: the line-up does not have this name.
        """
        places = self._places(player)
        return tuple([_mean_at([game.total for game in table], places) for table in self._outcomes])

    def matchpoints(self, player: str) -> tuple[float, ...]:
        """Return the fraction of comparisons at each table with fewer points than others.

        It is the mean over all other players, as in `Duel.matchpoints`.

        Raises:
            ValueError: the line-up does not have this name.
        """
        duels = [self.duel(player, other).matchpoints for other in self.players if other != player]
        return tuple([sum(values) / len(values) for values in zip(*duels, strict=True)])

    def duel(self, player: str, other: str) -> Duel:
        """Compare a player with another one.

        Raises:
            ValueError: the line-up does not have one of the names, or both are the same.
        """
        if player == other:
            raise ValueError(f"{in_words(player)} cannot be compared with itself: name two players")
        ours, theirs = self._places(player), self._places(other)
        found = [self._duel_at(table, ours, theirs) for table in self._outcomes]
        return Duel(*[tuple([each[place] for each in found]) for place in range(3)])

    def _duel_at(
        self, table: Sequence[_Outcome], ours: list[list[int]], theirs: list[list[int]]
    ) -> tuple[float, float, float]:
        differences = []
        better: list[float] = []
        for seat in range(self.rules.players):
            own = [game.total[seat] for game, seats in zip(table, ours, strict=True) if seat in seats]
            others = [game.total[seat] for game, seats in zip(table, theirs, strict=True) if seat in seats]
            differences.append(sum(others) / len(others) - sum(own) / len(own))
            better += [_ahead(total, compared) for total in own for compared in others]
        side = self.rules.side
        ahead = [
            _ahead(game.total[seat], game.total[opponent])
            for game, own_seats, other_seats in zip(table, ours, theirs, strict=True)
            for seat in own_seats
            for opponent in other_seats
            if side(seat) != side(opponent)
        ]
        return sum(differences) / len(differences), sum(better) / len(better), sum(ahead) / len(ahead)

    def ratings(self) -> dict[str, Rating]:
        """Return the players' ratings by name, from `bradley_terry` on who came out ahead."""
        players = self.players
        duels = {(one, other): self.duel(one, other).ahead for one in players for other in players if one != other}
        tables = [
            [[0.5 if one == other else duels[one, other][number] for other in players] for one in players]
            for number in range(len(self.tables))
        ]
        return dict(zip(players, bradley_terry(tables), strict=False))


def _ahead(total: int, other: int) -> float:
    return float(total < other) + 0.5 * (total == other)


def seatings_of(line_up: Sequence[str], seatings: Seatings = "all") -> tuple[tuple[str, ...], ...]:
    """Return the different ways to seat a line-up, in a fixed order, itself first.

    >>> seatings_of(["A", "B", "B"])
    (('A', 'B', 'B'), ('B', 'A', 'B'), ('B', 'B', 'A'))
    >>> len(seatings_of("AABB")), len(seatings_of("AABB", "rotations")), len(seatings_of("ABCD"))
    (6, 4, 24)

    Args:
        line_up: a name for each seat.
        seatings: `"all"`, or `"rotations"` for those in which every player moves by the same number of seats.

    Raises:
        ValueError: there are more than `MAX_SEATINGS`, or `seatings` is neither.
    """
    names = tuple(line_up)
    if seatings not in get_args(Seatings):
        raise ValueError(f"seatings is {in_words(seatings)}: choose from {', '.join(get_args(Seatings))}")
    if seatings == "rotations":
        turned = [names[len(names) - place :] + names[: len(names) - place] for place in range(len(names))]
        return tuple(dict.fromkeys(turned))
    count = factorial(len(names)) // prod([factorial(copies) for copies in Counter(names).values()])
    if count > MAX_SEATINGS:
        raise ValueError(
            f"this line-up has {count:,} seatings, and at most {MAX_SEATINGS} are played: choose seatings='rotations'"
        )
    order = list(dict.fromkeys(names))
    return tuple(_arranged(Counter(names), order))


def seatings_at(rules: Rules, line_up: Sequence[str], seatings: Seatings) -> tuple[tuple[str, ...], ...]:
    """Return the ways to seat a line-up in which every two players can be compared.

    Raises:
        ValueError: as in `seatings_of`, or two players are partners in every seating.
    """
    seated = seatings_of(line_up, seatings)
    _check_opponents(rules, seated)
    return seated


def _check_opponents(rules: Rules, seated: Sequence[tuple[str, ...]]) -> None:
    seats = list(permutations(range(rules.players), 2))
    met = {(names[one], names[two]) for names in seated for one, two in seats if rules.side(one) != rules.side(two)}
    for one, other in combinations(dict.fromkeys(seated[0]), 2):
        if (one, other) not in met:
            raise ValueError(
                f"{in_words(one)} and {in_words(other)} are partners in every seating, so they cannot be compared: "
                "choose seatings='all' or another line-up"
            )


def _arranged(left: Counter[str], order: Sequence[str]) -> Iterator[tuple[str, ...]]:
    if not left.total():
        yield ()
    for name in order:
        if left[name]:
            left[name] -= 1
            for rest in _arranged(left, order):
                yield (name, *rest)
            left[name] += 1


# -------------------------------------------------------------------------------------------------------- tournaments


@overload
def tournament(
    rules: Rules,
    bot: Bot,
    field: Bot,
    *,
    tables: int,
    seed: str | int | None = None,
    deals: int | None = None,
    executor: Executor | Chunked | Resumable | None = None,
    progress: Callable[[int], object] | None = None,
) -> Comparison: ...
@overload
def tournament(
    rules: Rules,
    players: Mapping[str, Bot],
    line_up: Sequence[str] | Sequence[tuple[str, ...]],
    /,
    *,
    tables: int,
    seed: str | int | None = None,
    deals: int | None = None,
    executor: Executor | Chunked | Resumable | None = None,
    progress: Callable[[int], object] | None = None,
) -> Results: ...
def tournament(
    rules: Rules,
    bot: Bot | Mapping[str, Bot],
    field: Bot | Sequence[str] | Sequence[tuple[str, ...]],
    *,
    tables: int,
    seed: str | int | None = None,
    deals: int | None = None,
    executor: Executor | Chunked | Resumable | None = None,
    progress: Callable[[int], object] | None = None,
) -> Comparison | Results:
    """Let bots play at many tables, with the seats exchanged at each.

    `tournament(rules, bot, field, ...)` lets one bot play against copies of another one. Each table is played once for
    every seat with the same cards, so that neither seats nor good hands favor a bot. With teams, it is played for every
    side, and the bot plays all members. Two bots compared with the same field, tables and seed play the same cards in
    the same seats.

    `tournament(rules, players, line_up, ...)` seats a line-up, such as two against two, in every way around the table,
    with the same cards each time. For fewer seatings, pass `seatings_of(line_up, "rotations")` as the line-up.

    As in `play_match`, use a known seed only with bots that you trust. To repeat the same tables, draw a seed with
    `secrets.token_hex(16)` and reveal it only after the last comparison. A bot with a memory can still recognise a
    table's cards in another seat. Where that matters, play each match once, with `play_match` and no seed.

    >>> from heartsrules import presets
    >>> from heartsrules.bots import heuristic, uniform
    >>> result = tournament(presets.cardstock(), heuristic, uniform, tables=20, seed=1)
    >>> result.margin.low > 0
    True
    >>> players = {"good": heuristic, "any": uniform}
    >>> results = tournament(presets.cardstock(), players, ["good", "good", "any", "any"], tables=20, seed=1)
    >>> len(results.seatings), results.duel("good", "any").difference.low > 0
    (6, True)

    Args:
        rules: the rule set.
        bot: the bot to measure; for a line-up, bots by name.
        field: the bot in all other seats; for a line-up, a name for each seat, of at least two players, or the seatings
            to play.
        tables: the number of tables, at least 1; at least 2 for a confidence interval, better 30.
        seed: a text, or an int for its decimal text. Defaults to a secret seed.
        deals: the number of deals in a game. Defaults to a whole match of at most `MAX_DEALS_PER_GAME` deals.
        executor: as in `simulate`.
        progress: a function called after each chunk with the number of tables played.

    Raises:
        IllegalMove, TypeError: as in `play_deal`.
        ProgramError: a bot that is a program has failed.
        WorkFailed: workers died or could not be reached at every attempt for some tables.
        ValueError: a bot has made another seat's move; `tables` or `deals` is too low; the line-up does not have one
            name for each seat, has an unknown name, only one player, two players who are partners in every seating, or
            too many seatings; or `seed` contains a lone surrogate or more than 600 digits.
    """
    play: dict[str, Any] = {"tables": tables, "seed": seed, "deals": deals, "executor": executor, "progress": progress}
    if isinstance(bot, Mapping):
        return _line_up(rules, bot, field, play)
    if not callable(bot):
        wrong_type("bot", "a bot", bot)
    if not callable(field):
        wrong_type("field", "a bot", field)
    players: dict[str, Any] = {"bot": bot, "field": field}
    return comparison_of(rules, _play_tables(rules, players, _exchanged(rules), **play))


def _line_up(rules: Rules, players: Mapping[str, Bot], line_up: Any, play: Mapping[str, Any]) -> Results:
    for name, player in players.items():
        if not isinstance(name, str) or not callable(player):
            raise TypeError("bot must hold bots by name")
    are_seatings = isinstance(line_up, Sequence) and any([isinstance(item, tuple) for item in line_up])
    given: list[tuple[str, ...]] = list(line_up) if are_seatings else [tuple(line_up)]
    for names in given:
        for name in names:
            if name not in players:
                raise ValueError(f"there is no player {in_words(name)}: {suggestion(name, players)}")
        if len(names) != rules.players:
            raise ValueError(f"{rules.players} players need a line-up of {rules.players} names, not {len(names)}")
        if len(set(names)) < 2:
            raise ValueError("a line-up needs at least two players: name another one")
        if sorted(names) != sorted(given[0]):
            raise ValueError("the seatings of a line-up must have the same players")
    seated = tuple(given) if are_seatings else seatings_of(given[0])
    _check_opponents(rules, seated)
    return results_of(rules, seated, _play_tables(rules, players, seated, **play))
