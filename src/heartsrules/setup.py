"""Positions in the middle of a deal, checked before anybody can use them: for puzzles, tests and imports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NoReturn, TypeVar

import attrs

from heartsrules import tables as T
from heartsrules.cards import NO_CARDS, Card, Cards
from heartsrules.chance import deal_problems
from heartsrules.engine import apply, opening_leader, why_illegal
from heartsrules.errors import InvalidState, Problem
from heartsrules.moves import Deal, Pass, Play
from heartsrules.passing import exchange
from heartsrules.rules import Duplicates, PassOptional, QueenBreaks, Rules, Seat
from heartsrules.scoring import game_winners, new_totals, wrong_count
from heartsrules.state import Background, Course, DealScore, Playing, State, Trick
from heartsrules.tricks import trick_problems

__all__ = ["set_up"]


def set_up(
    rules: Rules,
    *,
    hands: Iterable[Cards],
    leader: Seat | None = None,
    trick: Iterable[Card | Play] = (),
    tricks: Iterable[Trick] | None = None,
    captured: Iterable[Cards] | None = None,
    tricks_won: Iterable[int] | None = None,
    set_aside: Cards | None = None,
    kitty: Cards | None = None,
    kitty_taker: Seat | None = None,
    hearts_broken: bool | None = None,
    scores: Iterable[int] | None = None,
    deal_number: int = 0,
    deal_scores: Iterable[DealScore] = (),
    passes: Iterable[Pass] = (),
) -> Playing:
    """Build a position in the middle of a deal, or say everything that is wrong with it.

    There are two ways. With `tricks`, the completed tricks of the deal, the whole deal is played again through the
    engine, and every other argument but `hands` may be left out; those that are given must agree. Without `tricks`,
    `captured` and `leader` are needed once a trick has been completed, and the state has no history: its `tricks`
    are empty, its `trick_number` and `tricks_won` are right.

    Args:
        rules: the rule set.
        hands: by seat, the cards that each player still holds; the cards of the current trick have left them.
        leader: who led, or leads, to the current trick.
        trick: the cards or plays of the current trick, in order; at most one less than there are players.
        tricks: the completed tricks, in order.
        captured: by seat, the cards that each player has won, the kitty with its taker.
        tricks_won: by seat, how many tricks each player has won; by default as many as the captured cards make up
            (with two decks, a pile may hold tricks that were set aside before).
        set_aside: the cards of tricks that nobody won, waiting for the next winner; by default none.
        kitty: the cards left over after dealing; by default the cards that are nowhere else. Needed when
            `kitty_taker` is given without `tricks`.
        kitty_taker: who has taken the kitty.
        hearts_broken: whether hearts are broken; by default as far as the cards that were played show it.
        scores: by seat, the running totals before this deal; by default those of the last row of `deal_scores`, or 0.
        deal_number: the number of this deal, from 0; it settles the dealer and the pass step.
        deal_scores: the score sheet; empty, or a row for each deal before this one.
        passes: what each seat committed; empty if there was no passing or it is not known. Only with `tricks`, or
            before the first trick is completed.

    >>> state = set_up(
    ...     Rules(),
    ...     hands=[Cards("QS"), Cards("2H"), Cards("3H"), Cards("4H")],
    ...     leader=0,
    ...     captured=[Rules().deck - Cards("QS 2H 3H 4H"), Cards(), Cards(), Cards()],
    ... )
    >>> state.trick_number, state.hearts_broken
    (12, True)

    Raises:
        InvalidState: no play could have led there; its `problems` are all that were found.
        TypeError: an argument has the wrong type.
    """
    if not isinstance(rules, Rules):
        _wrong_type("rules", "a Rules", rules)
    position = _Position(
        rules=rules,
        hands=_items("hands", hands, Cards),
        leader=None if leader is None else _item("leader", leader, int),
        plays=_plays(rules, leader, trick),
        captured=None if captured is None else _items("captured", captured, Cards),
        tricks_won=None if tricks_won is None else _items("tricks_won", tricks_won, int),
        set_aside=None if set_aside is None else _item("set_aside", set_aside, Cards),
        kitty=None if kitty is None else _item("kitty", kitty, Cards),
        kitty_taker=None if kitty_taker is None else _item("kitty_taker", kitty_taker, int),
        hearts_broken=None if hearts_broken is None else _item("hearts_broken", hearts_broken, bool),
        scores=None if scores is None else _items("scores", scores, int),
        deal_number=_item("deal_number", deal_number, int),
        deal_scores=_items("deal_scores", deal_scores, DealScore),
        passes=_items("passes", passes, Pass),
    )
    history = None if tricks is None else _items("tricks", tricks, Trick)
    _refuse([*_shape_problems(position), *_game_problems(position)])
    if history is None and len(position.started_with) == rules.cards_per_hand:
        history = ()
    if history is not None:
        return _replayed(position, history)
    return _assembled(position)


V = TypeVar("V")


@attrs.frozen
class _Position:
    """The arguments of `set_up`, of the right types; whether they fit each other is what this module checks."""

    rules: Rules
    hands: tuple[Cards, ...]
    leader: Seat | None
    plays: tuple[Play, ...]
    captured: tuple[Cards, ...] | None
    tricks_won: tuple[int, ...] | None
    set_aside: Cards | None
    kitty: Cards | None
    kitty_taker: Seat | None
    hearts_broken: bool | None
    scores: tuple[int, ...] | None
    deal_number: int
    deal_scores: tuple[DealScore, ...]
    passes: tuple[Pass, ...]

    @property
    def totals(self) -> tuple[int, ...]:
        """The running totals before this deal."""
        if self.scores is not None:
            return self.scores
        return self.deal_scores[-1].totals if self.deal_scores else (0,) * self.rules.players

    @property
    def started_with(self) -> Cards:
        """What the leader of the current trick held before it."""
        seat = self.leader or 0
        return _with_played(self.hands[seat], seat, self.plays)

    def background(self, kitty: Cards, passed: tuple[Cards, ...], received: tuple[Cards, ...]) -> Background:
        return Background(
            self.rules, self.totals, self.deal_number, self.deal_scores, kitty, self.passes, passed, received
        )


def _wrong_type(name: str, expected: str, value: object) -> NoReturn:
    raise TypeError(f"{name} must be {expected}, not {type(value).__name__}")


def _item(name: str, value: object, kind: type[V]) -> V:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        _wrong_type(name, f"{'an' if kind is int else 'a'} {kind.__name__}", value)
    return value


def _items(name: str, values: object, kind: type[V]) -> tuple[V, ...]:
    if isinstance(values, (str, Cards)) or not isinstance(values, Iterable):
        _wrong_type(name, f"an iterable of {kind.__name__}", values)
    return tuple([_item(f"an item of {name}", value, kind) for value in values])


def _plays(rules: Rules, leader: Seat | None, trick: object) -> tuple[Play, ...]:
    if isinstance(trick, (str, Cards)) or not isinstance(trick, Iterable):
        _wrong_type("trick", "the cards or plays in the order of play", trick)
    plays: list[Play] = []
    for number, item in enumerate(trick):
        if isinstance(item, Play):
            plays.append(item)
        elif isinstance(item, Card):
            plays.append(Play(((leader or 0) + number) % rules.players, item))
        else:
            _wrong_type("an item of trick", "a Card or a Play", item)
    return tuple(plays)


def _refuse(problems: Sequence[Problem]) -> None:
    if problems:
        _fail(*problems)


def _fail(*problems: Problem) -> NoReturn:
    raise InvalidState(problems)


def _shape_problems(position: _Position) -> list[Problem]:
    """What is wrong with the arguments one by one: counts, seats, and the sizes of the hands."""
    rules = position.rules
    players = rules.players
    problems = [
        wrong_count(name, len(items), players)
        for name, items in (
            ("hands", position.hands),
            ("captured", position.captured),
            ("tricks_won", position.tricks_won),
            ("scores", position.scores),
        )
        if items is not None and len(items) != players
    ]
    for name, seat in (("leader", position.leader), ("kitty_taker", position.kitty_taker)):
        if seat is not None and not 0 <= seat < players:
            problems.append(Problem("no-such-seat", (name,), f"{name} is {seat}: seats are 0 to {players - 1}"))
    problems += trick_problems(rules, position.plays, "trick")
    if len(position.plays) >= players:
        problems.append(
            Problem("complete-trick", ("trick",), f"trick has {len(position.plays)} plays: at most {players - 1} fit")
        )
    if problems:
        return problems
    plays = position.plays
    if plays and position.leader is not None and plays[0].seat != position.leader:
        problems.append(
            Problem(
                "wrong-leader",
                ("leader", "trick"),
                f"leader is {position.leader}, but the trick was led by seat {plays[0].seat}",
            )
        )
    played = {play.seat for play in plays}
    sizes = [len(hand) + (seat in played) for seat, hand in enumerate(position.hands)]
    if len(set(sizes)) > 1 or max(sizes) > rules.cards_per_hand:
        problems.append(
            Problem(
                "wrong-hand-size",
                ("hands", "trick"),
                f"with their cards of the current trick the hands hold {', '.join(map(str, sizes))} cards: all must "
                f"hold equally many, at most {rules.cards_per_hand}",
            )
        )
    elif sizes[0] == 0:
        problems.append(
            Problem("deal-is-over", ("hands",), "no hand holds a card: the deal is over; score it with score_deal")
        )
    return problems


def _game_problems(position: _Position) -> list[Problem]:
    """What is wrong with the score sheet and the totals before this deal."""
    rules = position.rules
    sheet = position.deal_scores
    if position.deal_number < 0:
        return [Problem("out-of-range", ("deal_number",), "deal_number counts from 0")]
    if sheet and len(sheet) != position.deal_number:
        return [
            Problem(
                "wrong-count",
                ("deal_scores", "deal_number"),
                f"deal_scores has {len(sheet)} rows before deal {position.deal_number}: one for each, or none",
            )
        ]
    if any(len(row.totals) != rules.players or len(row.points) != rules.players for row in sheet):
        return [Problem("wrong-count", ("deal_scores",), f"every row of deal_scores must be for {rules.players} seats")]
    wrong = _sheet_problem(rules, sheet)
    if wrong is not None:
        return [wrong]
    if sheet and position.totals != sheet[-1].totals:
        return [
            Problem(
                "wrong-scores",
                ("scores", "deal_scores"),
                "scores differ from the totals of the last row of deal_scores: leave them out or make them equal",
            )
        ]
    if position.deal_number == 0 and any(position.totals):
        return [
            Problem(
                "wrong-scores", ("scores", "deal_number"), "all scores are 0 before deal 0: give the deal's deal_number"
            )
        ]
    if (
        position.deal_number
        and len(position.totals) == rules.players
        and game_winners(rules._tables, position.totals, position.deal_number) is not None
    ):
        return [
            Problem(
                "game-is-over",
                ("scores", "deal_number"),
                f"with these scores after {position.deal_number} deals the game is over: no deal follows",
            )
        ]
    return []


def _sheet_problem(rules: Rules, sheet: tuple[DealScore, ...]) -> Problem | None:
    """The first row of a score sheet that does not follow from those before it."""
    totals = (0,) * rules.players
    for number, row in enumerate(sheet):
        where = f"deal_scores[{number}]"
        if number and game_winners(rules._tables, totals, number) is not None:
            return Problem("game-is-over", (where,), f"{where} comes after the end: the game was over before it")
        totals = new_totals(rules._tables, totals, row.points)
        if row.totals != totals:
            return Problem(
                "wrong-scores",
                (where,),
                f"the totals of {where} must be {' '.join(map(str, totals))}, as the points of the rows up to it say",
            )
    return None


def _sum(name: str, bags: Iterable[Cards]) -> Cards:
    total = NO_CARDS
    for bag in bags:
        try:
            total += bag
        except ValueError:
            _fail(Problem("extra-cards", (name,), f"{name} holds a card for the third time: no deck does"))
    return total


def _with_played(hand: Cards, seat: Seat, plays: Iterable[Play]) -> Cards:
    """A hand with the cards that have left it."""
    return _sum("hands", [hand, *[Cards([play.card]) for play in plays if play.seat == seat]])


def _replayed(position: _Position, history: tuple[Trick, ...]) -> Playing:
    """Play the deal again from the first lead; what was given besides must agree with what comes out."""
    rules = position.rules
    plays = [play for trick in history for play in trick.plays] + list(position.plays)
    strangers = [play for play in plays if not 0 <= play.seat < rules.players]
    if strangers:
        _refuse(
            [
                Problem(
                    "no-such-seat",
                    ("tricks",),
                    f"tricks has a play of seat {strangers[0].seat}: seats are 0 to {rules.players - 1}",
                )
            ]
        )
    hands = tuple([_with_played(hand, seat, plays) for seat, hand in enumerate(position.hands)])
    kitty = position.kitty
    if kitty is None:
        kitty = rules.deck - _sum("hands", hands)
    _refuse(deal_problems(rules, Deal(hands, kitty)))
    passed, received = _checked_passes(position, hands)
    background = position.background(kitty, passed, received)
    leader = opening_leader(rules, background.dealer, hands)
    nothing = (NO_CARDS,) * rules.players
    course = Course(background, leader, (), nothing, (0,) * rules.players, 0, NO_CARDS, None)
    state: State = Playing(course, hands, leader, (), False)
    for play in plays:
        reasons = why_illegal(state, play)
        if reasons:
            number = state.trick_number if isinstance(state, Playing) else rules.cards_per_hand
            where = f"tricks[{number}]" if number < len(history) else "trick"
            _refuse(
                [
                    Problem(
                        "illegal-play",
                        (where,),
                        f"{where}: seat {play.seat} could not play {play.card}: {'; '.join(map(str, reasons))}",
                    )
                ]
            )
        state = apply(state, play)
    if not isinstance(state, Playing):
        _fail(Problem("deal-is-over", ("tricks",), "the last trick is completed: the deal is over"))
    _refuse(_disagreements(position, history, state))
    return state


def _checked_passes(position: _Position, hands: tuple[Cards, ...]) -> tuple[tuple[Cards, ...], tuple[Cards, ...]]:
    """What was passed and received, if it is given: every pass must have been legal from the hand that was dealt."""
    rules = position.rules
    nothing = (NO_CARDS,) * rules.players
    if not position.passes:
        return nothing, nothing
    step = rules.step(position.deal_number)
    if not step:
        _refuse([Problem("no-passing", ("passes",), f"deal {position.deal_number} has no passing: give no passes")])
    if [commitment.seat for commitment in position.passes] != list(range(rules.players)):
        _refuse([Problem("wrong-count", ("passes",), "passes must be one of each seat, in the order of the seats")])
    sizes = tuple([count for _, count in step])
    optional = rules.pass_optional is not PassOptional.NO
    wrong = [
        commitment.seat
        for commitment in position.passes
        if tuple(map(len, commitment.gifts)) != sizes and not (optional and not commitment.gifts)
    ]
    if not wrong:
        passed, received = exchange(rules, position.deal_number, position.passes)
        locked = rules.unpassable
        for seat, hand in enumerate(hands):
            dealt = hand - received[seat] + passed[seat] if received[seat] <= hand else NO_CARDS
            gifts = _sum("passes", position.passes[seat].gifts)
            if len(dealt) != rules.cards_per_hand or not gifts <= dealt or gifts & locked:
                wrong.append(seat)
        if not wrong:
            return passed, received
    _fail(
        *[
            Problem("illegal-pass", (f"passes[{seat}]",), f"seat {seat} could not pass so from the hand it was dealt")
            for seat in wrong
        ]
    )


def _disagreements(position: _Position, history: tuple[Trick, ...], state: Playing) -> list[Problem]:
    """Where the arguments say something else than the deal that was played again."""
    problems = [
        Problem(
            "wrong-trick",
            (f"tricks[{number}]",),
            f"tricks[{number}] was led by seat {trick.leader} and won by {_seat(trick.winner)}, not led by seat "
            f"{given.leader} and won by {_seat(given.winner)}",
        )
        for number, (given, trick) in enumerate(zip(history, state.tricks, strict=False))
        if given != trick
    ]
    for name in ("leader", "captured", "tricks_won", "set_aside", "kitty_taker", "hearts_broken"):
        given = getattr(position, name)
        if given is not None and given != getattr(state, name):
            problems.append(
                Problem("contradiction", (name, "tricks"), f"{name} is not what the tricks lead to: leave it out")
            )
    return problems


def _seat(winner: Seat | None) -> str:
    return "nobody" if winner is None else f"seat {winner}"


def _assembled(position: _Position) -> Playing:
    """Build the position from the piles; there is no history to check them against."""
    rules = position.rules
    players = rules.players
    problems: list[Problem] = []
    if position.passes:
        problems.append(
            Problem(
                "passes-without-history",
                ("passes", "tricks"),
                "passes can be checked only against the whole deal: give tricks too, or leave them out",
            )
        )
    if position.captured is None:
        problems.append(
            Problem("no-history", ("captured", "tricks"), "some tricks are completed: give captured, or tricks")
        )
    if position.leader is None:
        problems.append(
            Problem("no-history", ("leader", "tricks"), "some tricks are completed: give leader, or tricks")
        )
    if position.kitty_taker is not None and position.kitty is None and rules.kitty_size:
        problems.append(Problem("no-kitty", ("kitty", "kitty_taker"), "the kitty is taken: say with kitty what it was"))
    _refuse(problems)
    captured = position.captured or ()
    leader = position.leader or 0
    aside = position.set_aside or NO_CARDS
    hands = [_with_played(hand, seat, position.plays) for seat, hand in enumerate(position.hands)]
    elsewhere = _sum("captured", [*hands, *captured, aside])
    taken = position.kitty_taker is not None
    kitty = position.kitty
    if kitty is None:
        kitty = rules.deck - elsewhere
    everything = elsewhere if taken else _sum("kitty", [elsewhere, kitty])
    if everything != rules.deck or len(kitty) != rules.kitty_size:
        missing, extra = rules.deck - everything, everything - rules.deck
        problem = Problem(
            "wrong-cards",
            ("hands", "trick", "captured", "set_aside", "kitty"),
            "all cards together must be the deck in play with a kitty of "
            f"{rules.kitty_size}: missing {str(missing) or 'none'}, too many {str(extra) or 'none'}, kitty of "
            f"{len(kitty)}",
        )
        _fail(problem)
    won = position.tricks_won
    number = rules.cards_per_hand - len(hands[leader])
    if taken and position.kitty_taker is not None and not kitty <= captured[position.kitty_taker]:
        _refuse([Problem("wrong-kitty", ("kitty", "captured"), "the kitty's cards must be captured by its taker")])
    piles = [pile - kitty if taken and seat == position.kitty_taker else pile for seat, pile in enumerate(captured)]
    if won is None:
        won = tuple([len(pile) // players for pile in piles])
    problems += _pile_problems(position, piles, won, aside)
    problems += _kitty_problems(position, piles, won)
    if any(won) and not won[leader]:
        problems.append(
            Problem("wrong-leader", ("leader", "captured"), f"seat {leader} leads, but others have won tricks")
        )
    _refuse(problems)
    background = position.background(kitty, *((NO_CARDS,) * players,) * 2)
    course = Course(background, leader, (), captured, won, number, aside, position.kitty_taker)
    return _with_plays(position, course, tuple(hands), _sum("captured", [*piles, aside]))


def _pile_problems(position: _Position, piles: Sequence[Cards], won: tuple[int, ...], aside: Cards) -> list[Problem]:
    """Whether the piles are made of whole tricks."""
    rules = position.rules
    players = rules.players
    may_be_void = rules.decks == 2 and rules.duplicates is Duplicates.CANCEL
    problems: list[Problem] = []
    for seat, (pile, count) in enumerate(zip(piles, won, strict=True)):
        tricks, rest = divmod(len(pile), players)
        lowest = min(tricks, 1) if may_be_void else tricks
        if rest:
            problems.append(
                Problem(
                    "part-of-a-trick",
                    (f"captured[{seat}]",),
                    f"captured[{seat}] has {len(pile)} cards of tricks: whole tricks have {players} each",
                )
            )
        elif not lowest <= count <= tricks:
            problems.append(
                Problem(
                    "wrong-tricks-won",
                    (f"tricks_won[{seat}]", f"captured[{seat}]"),
                    f"seat {seat} has the cards of {tricks} tricks, but tricks_won says {count}",
                )
            )
    if len(aside) % players or (aside and not may_be_void):
        problems.append(
            Problem(
                "wrong-set-aside",
                ("set_aside",),
                f"set_aside has {len(aside)} cards: tricks that nobody wins have {players} each, and there are such "
                "only with two decks and duplicates CANCEL",
            )
        )
    return problems


def _kitty_problems(position: _Position, piles: Sequence[Cards], won: tuple[int, ...]) -> list[Problem]:
    """Whether the kitty has been taken if and only if it must have been."""
    tables = position.rules._tables
    taker = position.kitty_taker
    winners: set[Seat] = set()
    for seat, pile in enumerate(piles):
        if (
            (tables.kitty == T.KITTY_FIRST_TRICK and won[seat])
            or (tables.kitty == T.KITTY_FIRST_POINT and pile.lo & tables.penalty)
            or (tables.kitty == T.KITTY_FIRST_HEART and pile.lo & T.HEARTS)
        ):
            winners.add(seat)
    if (taker is None and not winners) or taker in winners:
        return []
    who = "nobody can have it yet" if not winners else f"it went to one of the seats {sorted(winners)}"
    return [Problem("wrong-kitty-taker", ("kitty_taker", "captured"), f"kitty_taker is {taker}, but {who}")]


def _with_plays(position: _Position, course: Course, hands: tuple[Cards, ...], played: Cards) -> Playing:
    """Play the cards of the current trick, under every way that hearts may or may not have been broken before it."""
    rules = position.rules
    broken = bool(played.lo & T.HEARTS) or (rules.queen_breaks is QueenBreaks.PLAYED and bool(played.lo & T.QUEEN))
    ways = [broken]
    if not broken and rules.queen_breaks is not QueenBreaks.NEVER and played.lo & T.QUEEN:
        ways.append(True)
    problems: list[Problem] = []
    for way in ways:
        state: State = Playing(course, hands, course.leader, (), way)
        for play in position.plays:
            reasons = why_illegal(state, play)
            if reasons:
                problems.append(
                    Problem(
                        "illegal-play",
                        ("trick",),
                        f"trick: seat {play.seat} could not play {play.card}: {'; '.join(map(str, reasons))}",
                    )
                )
                break
            state = apply(state, play)
        else:
            if isinstance(state, Playing) and position.hearts_broken in (None, state.hearts_broken):
                return state
            problems.append(
                Problem(
                    "wrong-hearts-broken",
                    ("hearts_broken",),
                    f"hearts_broken is {position.hearts_broken}, but the cards that were played say otherwise",
                )
            )
    _fail(*dict.fromkeys(problems))
