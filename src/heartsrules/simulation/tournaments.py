"""Bots against each other: deals and matches, played again with the seats exchanged, and how sure the result is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from itertools import combinations, permutations
from math import factorial, prod, sqrt
from typing import Any, Final, Literal, TypeAlias, TypeGuard, get_args, overload

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
"""How many seatings of a line-up are played at each table at most: those of five different players."""

Seatings: TypeAlias = Literal["all", "rotations"]
"""How a line-up is seated: every way round the table, or only those in which all move on by some seats."""


@attrs.frozen
class Estimate:
    """A mean and its 95 % confidence interval, which is `mean` ± `error`."""

    mean: float
    error: float
    """Half the width of the 95 % confidence interval."""

    @staticmethod
    def of(values: Iterable[float]) -> Estimate:
        """The mean of independent values, at least two, and the half width of its interval by Student's t.

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


# ------------------------------------------------------------------------------------------------------- the tables


@attrs.frozen
class _Job(Job):
    """Tables for a worker: the same cards with every seating of each."""

    rules: Rules
    seatings: tuple[tuple[Bot, ...], ...]
    seed: str
    deals: int | None
    form: KeepAs | None

    def play_table(self, number: int) -> tuple[Tables, list[KeptGame]]:
        """Play the same cards with every seating; the games are recorded if that is asked for."""
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
    """The seatings of a bot that plays in turn for every side, against a field."""
    return tuple(
        [tuple(["bot" if seat in members else "field" for seat in range(rules.players)]) for members in rules.sides]
    )


def comparison_of(rules: Rules, tables: Tables) -> Comparison:
    """How the first bot of a `tournament` of two did at these tables."""
    return results_of(rules, _exchanged(rules), tables).of("bot")


def results_of(rules: Rules, seatings: tuple[tuple[str, ...], ...], tables: Tables) -> Results:
    """How a line-up did at these tables, which were played with these seatings."""
    return Results(rules, seatings, tuple([games for _, games in sorted(tables.games.items())]), tables.unfinished)


@attrs.frozen
class _Outcome:
    """What a game was for each seat: what it was for the side of it."""

    total: tuple[int, ...]
    saved: tuple[int, ...]
    """How many points fewer it had than each of the other sides, added up."""
    won: tuple[int, ...]
    share: tuple[float, ...]
    """Of the first place, 1 divided by those who share it."""

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
    """The mean of the values of some seats of each game."""
    count = sum([len(seats) for seats in places])
    return sum([game[seat] for game, seats in zip(values, places, strict=True) for seat in seats]) / count


# ----------------------------------------------------------------------------------------------------------- line-ups


@attrs.frozen
class Duel:
    """How one player of a line-up did beside another one. Each tuple has one value for each table."""

    differences: tuple[float, ...]
    """How many points fewer a game it had with the same cards in the same seat: equal players have 0 on average."""
    matchpoints: tuple[float, ...]
    """How often it had fewer points with the same cards in the same seat, ties as half: equal players have 0.5."""
    ahead: tuple[float, ...]
    """How often its side came out ahead of the other's in the same game, ties as half: equal players have 0.5."""

    @property
    def difference(self) -> Estimate:
        """How many points fewer it had with the same cards."""
        return Estimate.of(self.differences)

    @property
    def matchpoint(self) -> Estimate:
        """How often it had fewer points with the same cards."""
        return Estimate.of(self.matchpoints)

    @property
    def lead(self) -> Estimate:
        """How often it came out ahead in the same game."""
        return Estimate.of(self.ahead)


def _outcomes_of(results: Results) -> tuple[tuple[_Outcome, ...], ...]:
    return tuple([tuple([_Outcome.of(results.rules, scores) for scores in table]) for table in results.tables])


@attrs.frozen
class Results:
    """How the players of a line-up did."""

    rules: Rules
    seatings: tuple[tuple[str, ...], ...]
    """The seatings that were played at each table: names by seat."""
    tables: tuple[tuple[tuple[int, ...], ...], ...]
    """Of each table, of each of its games, the totals by seat."""
    unfinished: int
    """How many games were stopped before the end of the match."""
    _outcomes: tuple[tuple[_Outcome, ...], ...] = attrs.field(
        init=False, repr=False, eq=False, default=attrs.Factory(_outcomes_of, takes_self=True)
    )

    @property
    def players(self) -> tuple[str, ...]:
        """The names of the players, in the order of the line-up."""
        return tuple(dict.fromkeys(self.seatings[0]))

    def _places(self, player: str) -> list[list[int]]:
        """The seats of a player in the games of a table."""
        if player not in self.seatings[0]:
            raise ValueError(f"there is no player {in_words(player)}: {suggestion(str(player), self.players)}")
        return [[seat for seat, name in enumerate(names) if name == player] for names in self.seatings]

    def of(self, player: str) -> Comparison:
        """How often a player won, and how many points it saved: against all others, its own equals too.

        Raises:
            ValueError: nobody in the line-up has this name.
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
        """At each table, the mean total of a player, with teams that of its side.

        Raises:
            ValueError: nobody in the line-up has this name.
        """
        places = self._places(player)
        return tuple([_mean_at([game.total for game in table], places) for table in self._outcomes])

    def matchpoints(self, player: str) -> tuple[float, ...]:
        """At each table, how often a player had fewer points than others with the same cards in the same seat, ties as
        half, the mean over all other players.

        Raises:
            ValueError: nobody in the line-up has this name.
        """
        duels = [self.duel(player, other).matchpoints for other in self.players if other != player]
        return tuple([sum(values) / len(values) for values in zip(*duels, strict=True)])

    def duel(self, player: str, other: str) -> Duel:
        """How a player did beside another one.

        Raises:
            ValueError: nobody in the line-up has one of these names, or both are the same.
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
        """The ratings of the players by name, from who came out ahead of whom: see `bradley_terry`."""
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
    """The different ways to seat a line-up, in a fixed order, the line-up itself first.

    >>> seatings_of(["A", "B", "B"])
    (('A', 'B', 'B'), ('B', 'A', 'B'), ('B', 'B', 'A'))
    >>> len(seatings_of("AABB")), len(seatings_of("AABB", "rotations")), len(seatings_of("ABCD"))
    (6, 4, 24)

    Args:
        line_up: a name for each seat.
        seatings: `"all"`: every one; `"rotations"`: those in which everybody moves on by the same number of seats.

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


def _are_seatings(line_up: object) -> TypeGuard[Sequence[tuple[str, ...]]]:
    return isinstance(line_up, Sequence) and any([isinstance(item, tuple) for item in line_up])


def seatings_at(rules: Rules, line_up: Sequence[str], seatings: Seatings) -> tuple[tuple[str, ...], ...]:
    """The ways to seat a line-up that has a name for each seat, where every two players can be compared.

    Raises:
        ValueError: as `seatings_of`, or two players are partners in every seating.
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

    `tournament(rules, bot, field, ...)` lets one bot play against copies of another one, from every seat. Each table
    has a seed of its own that is derived from `seed`, and is played once for every seat (with teams, every side, of
    which the bot plays all members), with the same cards each time, so that no seat and no good hand favours anybody.
    Two bots that are compared with the same field, tables and seed play the same cards in the same seats.

    `tournament(rules, players, line_up, ...)` seats a line-up, such as two against two, in every way round the table,
    with the same cards each time. The players are bots by name, and the line-up has a name for each seat. In its place,
    `seatings_of(line_up, "rotations")` has fewer seatings.

    As in `play_match`, a seed that others know is for bots that you trust, and without one a secret seed is drawn. To
    play the same tables again, draw one yourself by `secrets.token_hex(16)`, and tell nobody before the last
    comparison. A bot that remembers what it saw can still recognise the cards of a table when it is played again from
    another seat: where that matters, play each match once, by `play_match` without a seed.

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
        bot: who is compared; or, for a line-up, bots by name.
        field: who sits in all other seats; or, for a line-up, a name for each seat, of at least two players, or the
            seatings to play.
        tables: how many tables, at least 1; for a confidence interval at least 2, better 30.
        seed: a text, or an int, which stands for its decimal text; None: a secret one.
        deals: how many deals a game has; None: a whole match, of at most `MAX_DEALS_PER_GAME` deals.
        executor: any `concurrent.futures.Executor`, or a `Chunked` one; the bots must then be picklable if it needs
            that. The result is the same. None: this thread. A `heartsrules.simulation.parts.Resumable` plays a part of
            the tables, and keeps it in a file, from which it goes on after it was stopped; the result is that of the
            part.
        progress: called after each chunk of tables with how many have been played.

    Raises:
        IllegalMove: a bot has chosen an illegal move.
        ProgramError: a bot that is a program has failed.
        WorkFailed: for some tables the workers died, or could not be reached, at every attempt.
        ValueError: a bot has made a move of another seat, `tables` or `deals` is too low, the line-up has not one name
            for each seat, a name of nobody, only one player, two players who are partners in every seating, or too many
            seatings, or `seed` holds a lone surrogate or has more than 600 digits.
        TypeError: an argument has the wrong type, or a bot has returned something that is not a move.
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
    given: list[tuple[str, ...]] = list(line_up) if _are_seatings(line_up) else [tuple(line_up)]
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
    seated = tuple(given) if _are_seatings(line_up) else seatings_of(given[0])
    _check_opponents(rules, seated)
    return results_of(rules, seated, _play_tables(rules, players, seated, **play))
