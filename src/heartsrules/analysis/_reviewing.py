"""Review games by separating each decision's cost from luck."""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from math import sqrt
from operator import attrgetter
from typing import Any, Final

import attrs

from heartsrules.analysis._assessing import (
    BATCH_COSTS,
    COSTS,
    AssessedMove,
    Difference,
    assessed_move,
    candidates,
    corrected_value,
    cost_of,
    difference,
)
from heartsrules.analysis._hints import decimal, move_name, reason_text
from heartsrules.analysis._prospects import prospects
from heartsrules.analysis._reasons import Reason, reasons_of
from heartsrules.analysis.calibration import Correction
from heartsrules.analysis.hand_forecasts import HandForecast, average_points, hand_forecast, standard_error, stream_for
from heartsrules.analysis.policies import BatchPolicy, Policy, Watchful
from heartsrules.analysis.trials import Played, Trials, judging
from heartsrules.base.errors import InvalidSeat, TooManyWorlds
from heartsrules.base.rendering import rendered
from heartsrules.base.values import checked_count, plain_int
from heartsrules.chance import RandomStream
from heartsrules.messages import catalogue, phrase
from heartsrules.play.engine import legal_moves
from heartsrules.play.game import Game
from heartsrules.play.moves import ChooseMoon, Deal, Expose, Move, Pass, Play
from heartsrules.play.state import AwaitingDeal, GameOver, Passing, Playing, State
from heartsrules.play.view_selection import view_of
from heartsrules.rules import Seat
from heartsrules.views import View

BOUNDS: Final = {"points": (2.0, 4.7), "win": (0.020, 0.081)}
"""The minimum costs of a mistake and a blunder, in points and in chance to win.

They are the median and the ninth decile of the sure errors of heuristic bots in matches of the usual game, measured by
`python bench/review_proof.py bounds`.
"""
WORLDS: Final = 140
"""The default number of worlds, the same for every program that reviews."""
_ROUNDS: Final = 4
"""The rounds of the search for the best move.

After each but the last, the worse half of the moves is dropped.
"""
_AT_RANDOM: Final = 8
"""The most legal moves averaged to evaluate a random move."""
_DRAWN: Final = 4
"""The number of moves sampled for this average if there are more."""
_WIDTH: Final = 1.96
"""Half the width of a 95 % interval, in standard errors."""
_TURNS: Final = 5
"""The number of turning points per seat."""


class Quality(enum.StrEnum):
    """The quality class of a move, based on its cost and the certainty of the cost.

    A cost is sure if its 95 % interval is above 0. It is compared with the typical sure errors of heuristic bots, in
    points and in chance to win. The worse of both counts, so errors still matter in a match that is already lost.
    """

    BEST = "best"
    """The best move, or one with the same result in every world."""
    FINE = "fine"
    """Not surely worse than the best move."""
    INACCURACY = "inaccuracy"
    """Surely worse, at a lower cost than half of the typical errors."""
    MISTAKE = "mistake"
    """Surely worse, at a higher cost than half of the typical errors."""
    BLUNDER = "blunder"
    """Surely worse, at a higher cost than nine out of ten typical errors."""


RIGHT: Final = (Quality.BEST, Quality.FINE)
"""The qualities of moves that are not errors."""


class Scale(enum.StrEnum):
    """The figure that determines a move's quality, and that is shown with it."""

    POINTS = "points"
    """The points of the deal."""
    WIN = "win"
    """The chance to win the match."""


class Cause(enum.StrEnum):
    """The cause of a change in the chance to win."""

    CARDS = "cards"
    """The deal, with a hand better or worse than average."""
    PASS = "pass"
    """The pass, with the cards received."""
    OWN = "own"
    """A decision of the seat."""
    TABLE = "table"
    """The other seats' moves and the distribution of the unseen cards."""


@attrs.frozen(kw_only=True)
class ComparedMove:
    """A possible move compared with the best one, using only the seat's view.

    Attributes:
        move: the compared move.
        best: the best move, and the moves with the same result in every world.
        quality: its quality class.
        scale: the scale of `quality` and `shown_cost`.
        cost_points: the cost in points, negative if the move saves points.
        cost_win: the cost in chance to win the match.
        cost: the cost in value, which determines the ranking.
        reasons: reasons for the best move, weightiest first, if `move` is surely worse.
    """

    move: Move
    best: tuple[Move, ...]
    quality: Quality
    scale: Scale
    cost_points: Difference
    cost_win: Difference
    cost: Difference
    reasons: tuple[Reason, ...]

    @property
    def shown_cost(self) -> Difference:
        """The cost on the scale of the quality. It is sure if and only if the move is an error."""
        return self.cost_points if self.scale is Scale.POINTS else self.cost_win


@attrs.frozen(kw_only=True)
class Decision(ComparedMove):
    """A move made in a game, compared with the best one.

    Attributes:
        ply: the move's index in `Game.moves`.
        deal: the deal number, from 0.
        trick: the trick number, from 0, or None outside of play.
        seat: the seat that made it.
        points: the expected points of the seat's side in the deal after the best move.
        win: the chance that the side wins the match after the best move.
        at_random: the cost in value of a random legal move.
        beside_average: the cost in points relative to the playout policy, the average player.
        beside_error: the standard error of `beside_average`.
        moves: the moves tried, best and made first, and then by falling `value`.
    """

    ply: int
    deal: int
    trick: int | None
    seat: Seat
    points: float
    win: float
    at_random: float
    beside_average: float
    beside_error: float
    moves: tuple[AssessedMove, ...]


@attrs.frozen
class DealReview:
    """The points of a seat's side in a deal, decomposed into four parts that add up.

    Attributes:
        deal: the deal number, from 0.
        seat: the seat under review.
        points: the points scored.
        average: the average points of a deal.
        cards: luck, the additional points expected from the dealt hand.
        play: skill, the cost of the seat's decisions relative to an average player's.
        others: the remainder, due to the other seats' moves and the unseen cards.
        cards_margin: half the 95 % interval of `cards`.
        play_margin: half the 95 % interval of `play`.
    """

    deal: int
    seat: Seat
    points: int
    average: float
    cards: float
    play: float
    others: float
    cards_margin: float
    play_margin: float


@attrs.frozen
class TurningPoint:
    """A large change in a side's chance to win the match.

    Attributes:
        ply: the number of the move before the change.
        deal: the deal number, from 0.
        trick: the trick number, from 0, or None outside of play.
        seat: the seat whose side gains or loses.
        before: the chance to win before the change.
        after: the chance to win after the change.
        cause: the cause of the change.
    """

    ply: int
    deal: int
    trick: int | None
    seat: Seat
    before: float
    after: float
    cause: Cause


@attrs.frozen
class Review:
    """A review of the decisions of one seat or all seats in a game.

    Attributes:
        game: the game.
        seats: the seats under review.
        decisions: the moves at which a seat had a choice, in order.
        deals: luck and skill in each finished deal, for each seat.
        curve: triples of ply, seat and chance to win the match, in order. The chance is the seat's estimate before that
            move.
        turning_points: the largest changes of the chances to win, at most five per seat, in order.
    """

    game: Game
    seats: tuple[Seat, ...]
    decisions: tuple[Decision, ...]
    deals: tuple[DealReview, ...]
    curve: tuple[tuple[int, Seat, float], ...]
    turning_points: tuple[TurningPoint, ...]

    @classmethod
    def put_together(
        cls,
        game: Game,
        seats: tuple[Seat, ...],
        decisions: Sequence[Decision],
        hands: Mapping[tuple[int, Seat], HandForecast],
        average: float,
    ) -> Review:
        """Build a review from its parts.

        Args:
            hands: the forecasts of the dealt hands, by the deal's ply and the seat.
            average: the average points of a deal.
        """
        own = {(each.ply, each.seat): each for each in decisions}
        curve: list[tuple[int, Seat, float]] = []
        for ply, seat in product(range(game.ply), seats):
            state, decision = game.at(ply), own.get((ply, seat))
            if isinstance(state, AwaitingDeal) and (ply, seat) in hands:
                curve += [(ply, seat, prospects(state, seat)), (ply + 1, seat, hands[ply, seat].win)]
            elif decision is not None:
                curve += [(ply, seat, decision.win), (ply + 1, seat, decision.win - decision.cost_win.mean)]
        if isinstance(game.state, (AwaitingDeal, GameOver)) and game.moves:
            curve += [(game.ply, seat, prospects(game.state, seat)) for seat in seats]
        curve.sort(key=lambda point: point[0])
        deals = tuple(_deals(game, hands, decisions, average))
        turns = _turning_points(game, seats, curve, own)
        return cls(game, seats, tuple(decisions), deals, tuple(curve), turns)

    def accuracy(self, seat: int) -> float | None:
        """Return the share of a seat's decisions that were best or fine, weighted by what was at stake.

        The stake of a decision is the cost of a random move. The result is None if no choice mattered.

        Raises:
            InvalidSeat: the seat is not under review.
        """
        number = plain_int("seat", seat)
        if number not in self.seats:
            raise InvalidSeat(number, self.game.rules.players)
        own = [(each.quality in RIGHT, max(0.0, each.at_random)) for each in self.decisions if each.seat == number]
        stake = sum([stake for _, stake in own])
        return sum([stake for right, stake in own if right]) / stake if stake > 0 else None

    def count(self, seat: int) -> dict[Quality, int]:
        """Count a seat's decisions of each quality."""
        number = plain_int("seat", seat)
        own = [each.quality for each in self.decisions if each.seat == number]
        return {quality: own.count(quality) for quality in Quality}

    def data(self, language: str = "en", names: Sequence[str] | None = None) -> dict[str, Any]:
        """Return the review as plain JSON data with sentences.

        Moves are as in JSON documents. Sentences call players by `names`, one for each seat, or by seat number.

        Raises:
            UnknownLanguage: there is no catalogue for the language.
        """
        catalogue(language)
        return {
            "seats": list(self.seats),
            "accuracy": {str(seat): self.accuracy(seat) for seat in self.seats},
            "decisions": [_decision_data(each, language, names) for each in self.decisions],
            "deals": [attrs.asdict(each) for each in self.deals],
            "curve": [list(point) for point in self.curve],
            "turning_points": [attrs.asdict(each) for each in self.turning_points],
        }

    def _repr_html_(self) -> str:
        return str(rendered("html", self))


def review(
    game: Game,
    seat: int | None = None,
    *,
    worlds: int = WORLDS,
    seed: str = "review",
    policy: Policy | BatchPolicy | None = Watchful(),  # noqa: B008 - it is immutable
    progress: Callable[[int, int], None] | None = None,
) -> Review:
    """Compare every decision of a seat, or of all seats, with the best alternative.

    Half of the worlds select the best move and the other half estimate the costs. Only cards that the seat could see
    matter. Decisions are left out if their view has too many worlds to count.

    Args:
        game: a game, finished or not.
        seat: the seat under review. Defaults to all seats.
        worlds: the number of worlds for each cost (2 or more).
        seed: equal games and seeds give equal reviews. A seat's review is part of the review of all seats, and a
            decision's review does not depend on the moves before the deal's start or after the decision.
        policy: the policy of all players in the playouts, as for `assess`. It is also the average player in
            `Decision.beside_average`.
        progress: a function called after each move with the numbers of moves done and in all. An exception that it
            raises ends the review.

    >>> from heartsrules import presets
    >>> game = Game.start(presets.cardstock())
    >>> game = game.play(deal(game.state, seed=7))
    >>> while len(game.moves) < 30:
    ...     game = game.play(legal_moves(game.state)[-1])
    >>> found = review(game, 0, worlds=40)
    >>> for each in found.decisions[:3]:
    ...     print(each.trick, each.quality, each.move.card, each.best[0].card)
    0 mistake AS JC
    1 fine KS 3C
    2 fine 8H 8C

    Raises:
        InvalidSeat: the table has no such seat.
        ValueError: `worlds` is too low.
        InvalidState: the game starts from a position that was set up without its history.
    """
    count = checked_count("worlds", worlds)
    if count < 2:
        raise ValueError("worlds is 1: choose 2 or more, or no cost has an interval")
    rules = game.rules
    seats = tuple(range(rules.players))
    if seat is not None:
        number = plain_int("seat", seat)
        if not 0 <= number < rules.players:
            raise InvalidSeat(number, rules.players)
        seats = (number,)
    decisions: list[Decision] = []
    hands: dict[tuple[int, Seat], HandForecast] = {}
    for ply, move in enumerate(game.moves):
        state = game.at(ply)
        if isinstance(state, AwaitingDeal):
            for each in seats:
                hands[ply, each] = hand_forecast(
                    view_of(game.at(ply + 1), each), stream_for(state, each, seed), count, policy
                )
        elif not isinstance(move, Deal) and move.seat in seats:
            found = review_move(ply, state, move, stream_for(state, move.seat, seed), count, policy)
            if found is not None:
                decisions.append(found)
        if progress is not None:
            progress(ply + 1, game.ply)
    average = average_points(rules, policy=policy) if hands else 0.0
    return Review.put_together(game, seats, decisions, hands, average)


def review_move(
    ply: int,
    state: State,
    move: Move,
    stream: RandomStream,
    worlds: int,
    policy: Policy | BatchPolicy | None = Watchful(),  # noqa: B008 - it is immutable
) -> Decision | None:
    """Review one move.

    Return None if it was the only move or there are too many worlds to count.
    """
    assert not isinstance(move, Deal)
    view = view_of(state, move.seat)
    legal = legal_moves(view)
    if len(legal) == 1:
        return None
    policy, correction, moons = judging(view, policy)
    try:
        tried = candidates(view, None, policy, stream, worlds)
        if move not in tried:
            tried.append(move)
        equal = _best(Trials(view, tried, stream, policy), correction, worlds)
    except TooManyWorlds:
        return None
    best = move if move in equal else equal[0]
    at_random = list(legal) if len(legal) <= _AT_RANDOM else [legal[stream.below(len(legal))] for _ in range(_DRAWN)]
    compared = list(dict.fromkeys([best, move, *at_random]))
    trials = Trials(view, [*compared, None], stream, policy, keeps=True)
    played, assessed = _tried(trials, worlds, correction, moons)
    equal = [best, *[each for each in compared if each in equal and each != best and played[each] == played[best]]]
    beside, deviations = difference(played[move], trials.tried[-1].played, correction, attrgetter("points"))
    random_cost = assessed[best].value - sum([assessed[each].value for each in at_random]) / len(at_random)
    prior = BATCH_COSTS if isinstance(policy, BatchPolicy) else COSTS
    compared_move = _compared(view, assessed[move], assessed[best], equal, played, correction, prior)
    return Decision(
        **attrs.asdict(compared_move, recurse=False),
        ply=ply,
        deal=state.deal_number,
        trick=state.trick_number if isinstance(state, Playing) else None,
        seat=move.seat,
        points=assessed[best].points,
        win=assessed[best].win,
        at_random=random_cost,
        beside_average=beside,
        beside_error=standard_error(deviations),
        moves=tuple(sorted(assessed.values(), key=lambda each: each.value, reverse=True)),
    )


def choices_of(
    view: View,
    stream: RandomStream,
    worlds: int,
    also: Iterable[Move] = (),
    policy: Policy | BatchPolicy | None = Watchful(),  # noqa: B008 - it is immutable
) -> tuple[ComparedMove, ...]:
    """Compare all moves of a view with the best, which comes first.

    For a pass, only the most plausible passes and those in `also` are compared.
    """
    tried = list(dict.fromkeys([*candidates(view, None, policy, stream, worlds), *also]))
    policy, correction, moons = judging(view, policy)
    best = _best(Trials(view, tried, stream, policy), correction, worlds)[0]
    played, assessed = _tried(Trials(view, tried, stream, policy, keeps=True), worlds, correction, moons)
    equal = [best, *[each for each in tried if each != best and played[each] == played[best]]]
    prior = BATCH_COSTS if isinstance(policy, BatchPolicy) else COSTS
    choices = [_compared(view, each, assessed[best], equal, played, correction, prior) for each in assessed.values()]
    return tuple(sorted(choices, key=lambda each: (each.move not in equal, each.cost.mean)))


def _tried(
    trials: Trials, worlds: int, correction: Correction, moons: Sequence[tuple[int, int]]
) -> tuple[dict[Move, Sequence[Played]], dict[Move, AssessedMove]]:
    trials.go_on(worlds, range(len(trials.moves)))
    tried = {move: sums for move, sums in zip(trials.moves, trials.tried, strict=True) if move is not None}
    assessed = {move: assessed_move(move, sums, correction, moons) for move, sums in tried.items()}
    return {move: sums.played for move, sums in tried.items()}, assessed


def _compared(
    view: View,
    made: AssessedMove,
    best: AssessedMove,
    equal: Sequence[Move],
    played: Mapping[Move, Sequence[Played]],
    correction: Correction,
    prior: tuple[float, float],
) -> ComparedMove:
    cost, points, win = cost_of(played[made.move], played[best.move], correction, prior)
    quality, scale = quality_of(cost, points, win) if made.move not in equal else (Quality.BEST, Scale.POINTS)
    return ComparedMove(
        move=made.move,
        best=tuple(equal),
        quality=quality,
        scale=scale,
        cost_points=points,
        cost_win=win,
        cost=cost,
        reasons=() if quality in RIGHT else reasons_of(view, made, best),
    )


def _best(trials: Trials, correction: Correction, worlds: int) -> list[Move]:
    """Find the best move and its equals by successive halving over this many worlds."""
    places = list(range(len(trials.moves)))
    done = 0
    values: dict[int, float] = {}
    for number in range(1, _ROUNDS + 1):
        until = max(1, worlds * number // _ROUNDS)
        trials.go_on(until - done, places)
        done = until
        values = {place: corrected_value(trials.tried[place], correction) for place in places}
        places.sort(key=values.__getitem__, reverse=True)
        if number < _ROUNDS:
            del places[max(2, (len(places) + 1) // 2) :]
    top = values[places[0]]
    moves = [trials.moves[place] for place in places if values[place] == top]
    return [move for move in moves if move is not None]


def quality_of(value: Difference, points: Difference, win: Difference) -> tuple[Quality, Scale]:
    """Classify a move that is not among the best, on the scale on which it is worst."""
    sure = {scale: cost for scale, cost in ((Scale.POINTS, points), (Scale.WIN, win)) if cost.low > 0}
    # Moves are ranked by value, so a sure cost on one scale can be made up for on the other.
    if not sure or (value.low <= 0 and len(sure) == 1):
        return Quality.FINE, Scale.WIN if Scale.POINTS in sure else Scale.POINTS
    passed = {scale: sum([cost.mean >= bound for bound in BOUNDS[scale]]) for scale, cost in sure.items()}
    worst = max(passed, key=passed.__getitem__)
    return (Quality.INACCURACY, Quality.MISTAKE, Quality.BLUNDER)[passed[worst]], worst


def _deals(
    game: Game, hands: Mapping[tuple[int, Seat], HandForecast], decisions: Iterable[Decision], average: float
) -> Iterator[DealReview]:
    state, rules = game.state, game.rules
    sheet = state.score_sheet
    first = state.deal_number + isinstance(state, GameOver) - len(sheet)
    for (ply, seat), hand in hands.items():
        number = game.at(ply).deal_number
        if number - first < len(sheet):
            side = rules.sides[rules.side(seat)]
            own = [each for each in decisions if each.deal == number and each.seat in side]
            came = sum([sheet[number - first].points[mate] for mate in side])
            play = sum([each.beside_average for each in own])
            cards = hand.points - average
            margins = hand.points_error, sqrt(sum([each.beside_error**2 for each in own]))
            yield DealReview(
                number,
                seat,
                came,
                average,
                cards,
                play,
                came - average - cards - play,
                *[_WIDTH * each for each in margins],
            )


def _turning_points(
    game: Game,
    seats: Iterable[Seat],
    curve: Sequence[tuple[int, Seat, float]],
    own: Mapping[tuple[int, Seat], Decision],
) -> tuple[TurningPoint, ...]:
    turns: list[TurningPoint] = []
    for seat in seats:
        points = [(ply, chance) for ply, each, chance in curve if each == seat]
        found: list[TurningPoint] = []
        for (ply, before), (until, after) in pairwise(points):
            decided = own.get((ply, seat)) if until == ply + 1 else None
            state, later = game.at(ply), game.at(until)
            # Until all have passed, a seat sees nothing of the others' moves.
            hidden = isinstance(state, Passing) and isinstance(later, Passing) and decided is None
            if hidden or (decided is not None and decided.quality in RIGHT):
                continue
            others = {Passing: Cause.PASS, AwaitingDeal: Cause.CARDS}.get(type(state), Cause.TABLE)
            cause = Cause.OWN if decided else others
            trick = state.trick_number if isinstance(state, Playing) else None
            found.append(TurningPoint(ply, state.deal_number, trick, seat, before, after, cause))
        found.sort(key=lambda turn: -abs(turn.after - turn.before))
        turns += [turn for turn in found[:_TURNS] if turn.after != turn.before]
    return tuple(sorted(turns, key=lambda turn: (turn.ply, turn.seat)))


def explain(decision: ComparedMove, language: str = "en", names: Sequence[str] | None = None) -> str:
    """Explain a compared move and its cost in a sentence without a full stop.

    Args:
        language: one of `heartsrules.messages.languages()`.
        names: the players' names, one for each seat. Defaults to their seat numbers.

    Raises:
        UnknownLanguage: there is no catalogue for the language.
    """
    catalogue(language)
    moves = {"move": move_name(decision.move, language), "best": move_name(decision.best[0], language)}
    if decision.quality in RIGHT:
        return phrase(f"review.{decision.quality}", language, **moves)
    cost, win = decision.shown_cost, 100 * decision.cost_win.mean
    scaled = [decimal(each if decision.scale is Scale.POINTS else 100 * each, language) for each in cost]
    told = dict(zip(("cost", "low", "high"), scaled, strict=True)) | {"percent": max(0, round(win))}
    better = phrase(f"review.{decision.scale}", language, **moves, **told)
    return f"{reason_text(decision.reasons[0], decision.move, decision.best[0], language, names)}; {better}"


def _decision_data(decision: Decision, language: str, names: Sequence[str] | None) -> dict[str, Any]:
    return {
        "ply": decision.ply,
        "deal": decision.deal,
        "trick": decision.trick,
        "seat": decision.seat,
        "best": [move_data(move) for move in decision.best],
        "points": decision.points,
        "win": decision.win,
        "at_random": decision.at_random,
        "moves": [{"move": move_data(each.move), "points": each.points, "win": each.win} for each in decision.moves],
    } | compared_data(decision, language, names)


def compared_data(move: ComparedMove, language: str, names: Sequence[str] | None = None) -> dict[str, Any]:
    figures = {"points": move.cost_points, "win": move.cost_win, "value": move.cost}
    return {
        "move": move_data(move.move),
        "quality": move.quality.value,
        "scale": move.scale.value,
        "cost": {name: {"mean": each.mean, "interval": [each.low, each.high]} for name, each in figures.items()},
        "reasons": [reason.code for reason in move.reasons],
        "sentence": explain(move, language, names),
    }


def move_data(move: Move) -> dict[str, Any]:
    if isinstance(move, Play):
        return {"move": "play", "seat": move.seat, "card": str(move.card)}
    if isinstance(move, Pass):
        return {"move": "pass", "seat": move.seat, "cards": list(map(str, move.cards))}
    if isinstance(move, Expose):
        return {"move": "expose", "seat": move.seat, "cards": str(move.cards)}
    assert isinstance(move, ChooseMoon)
    return {"move": "choose-moon", "seat": move.seat, "effect": move.effect.name.lower().replace("_", "-")}
