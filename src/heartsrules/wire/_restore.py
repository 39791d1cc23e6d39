"""States and views of documents. A state is never taken over: it is played again, and the document must agree.

The deal is rebuilt from its cards and its plays by the engine; what comes out is the state, and everything else that
the document says of it is compared with it. Only a position that was set up without its history has nothing to be
played from its start; there, the position at the first trick that is known is set up and checked by `set_up`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import attrs

from heartsrules.cards import NO_CARDS, Card, Cards, bag_of
from heartsrules.chance import deal_problems
from heartsrules.engine import apply, new_game, opening_leader, why_illegal
from heartsrules.errors import InvalidState, Problem
from heartsrules.moves import ChooseMoon, Deal, Pass, Play
from heartsrules.passing import exchange
from heartsrules.rules import Duplicates, Moon, Rules, Seat
from heartsrules.scoring import game_winners, pile_problems
from heartsrules.setup import set_up
from heartsrules.state import (
    AwaitingDeal,
    Background,
    ChoosingMoon,
    Course,
    DealScore,
    GameOver,
    Passing,
    Playing,
    State,
    Trick,
)
from heartsrules.views import (
    AwaitingDealView,
    BackgroundView,
    ChoosingMoonView,
    CourseView,
    GameOverView,
    PassingView,
    PlayerView,
    PlayingView,
)
from heartsrules.violations import IllegalMove
from heartsrules.wire import _types as W
from heartsrules.wire._convert import (
    Refused,
    place_of,
    placed,
    plays_from,
    rules_of,
    score_of,
    shape_problems,
    tricks_of,
)


def state_of(wire: W.AnyState, under: str = "") -> State:
    """The state of a document, checked.

    Raises:
        Refused: the rules cannot lead to it.
    """
    rules = rules_of(wire.rules, f"{under}/rules")
    _refuse(shape_problems(wire, rules.players, under))
    sheet = tuple([score_of(row) for row in wire.deal_scores])
    if isinstance(wire, W.PlayingDocument):
        _check_totals(rules, wire.scores, sheet, wire.deal_number, under)
        return _playing(wire, rules, sheet, under)
    if isinstance(wire, W.PassingDocument):
        _check_totals(rules, wire.scores, sheet, wire.deal_number, under)
        return _passing(wire, rules, sheet, under)
    if isinstance(wire, W.ChoosingMoonDocument):
        return _choosing(wire, rules, sheet, under)
    if wire.last_deal is None:
        return _fresh(wire, rules, under)
    return _after(wire, wire.last_deal, rules, sheet, under)


def _refuse(problems: Iterable[Problem]) -> None:
    found = tuple(problems)
    if found:
        raise Refused(*found)


def _differing(given: Any, right: Any, names: Iterable[str], under: str) -> Iterator[Problem]:
    """Where a document says something else of a state than what comes out."""
    for name in names:
        told, actual = getattr(given, name), getattr(right, name)
        if told == actual:
            continue
        at = place_of(name, under)
        if isinstance(told, tuple) and isinstance(actual, tuple) and len(told) == len(actual):
            for place, (one, other) in enumerate(zip(told, actual, strict=True)):
                if one != other:
                    yield _contradiction(f"{at}/{place}")
        else:
            yield _contradiction(at)


def _contradiction(at: str) -> Problem:
    return Problem("contradiction", (at,), "this is not what the rest of the document leads to")


# -------------------------------------------------------------------------------------------------- the score sheet


def _check_totals(
    rules: Rules, totals: Sequence[int], sheet: Sequence[DealScore], deals: int, under: str, scores: str = "/scores"
) -> None:
    """Check the totals before a deal, and the score sheet that led to them."""
    _refuse(_total_problems(rules, tuple(totals), sheet, deals, under, f"{under}{scores}"))


def _total_problems(
    rules: Rules, totals: tuple[int, ...], sheet: Sequence[DealScore], deals: int, under: str, scores: str
) -> Iterator[Problem]:
    first = deals - len(sheet)
    if first < 0:
        yield Problem(
            "wrong-count",
            (f"{under}/deal_scores", f"{under}/deal_number"),
            f"{len(sheet)} rows for {deals} finished deals: give at most one for each",
        )
        return
    if totals != (sheet[-1].totals if sheet else totals if deals else (0,) * rules.players):
        yield Problem("wrong-scores", (scores, f"{under}/deal_scores"), "these are not the totals of the last deal")
    resets = dict(rules.exact_resets)
    before = None if first else (0,) * rules.players
    for number, row in enumerate(sheet):
        at = f"{under}/deal_scores/{number}"
        if before is not None:
            right = tuple(
                [
                    resets.get(total + points, total + points) if points else total
                    for total, points in zip(before, row.points, strict=True)
                ]
            )
            if row.totals != right:
                yield Problem("wrong-scores", (f"{at}/totals",), "the totals are not those before with the points")
        yield from _row_problems(rules, row, at)
        if number < len(sheet) - 1 and game_winners(rules._tables, row.totals, first + number + 1) is not None:
            yield Problem("game-is-over", (f"{at}/totals",), "with these totals the game was over: no deal followed")
        before = row.totals
    if deals and game_winners(rules._tables, totals, deals) is not None:
        yield Problem("game-is-over", (scores,), f"with these totals after {deals} deals the game is over")


def _row_problems(rules: Rules, row: DealScore, at: str) -> Iterator[Problem]:
    """What is wrong with a row of the score sheet by itself."""
    all_is_won = rules.kitty_size == 0 and (rules.decks == 1 or rules.duplicates is not Duplicates.CANCEL)
    if _wrong_sum(row.tricks_won, rules.cards_per_hand, all_is_won):
        yield Problem("wrong-sum", (f"{at}/tricks_won",), f"a deal has {rules.cards_per_hand} tricks")
    if _wrong_sum(row.card_points, rules.penalty_total, all_is_won) or any(
        points and not won for points, won in zip(row.card_points, row.tricks_won, strict=True)
    ):
        yield Problem(
            "wrong-sum", (f"{at}/card_points",), f"a deal has {rules.penalty_total} penalty points, all in tricks"
        )
    shot = row.shooter is not None
    fixed = rules.moon in (Moon.OTHERS_UP, Moon.SHOOTER_DOWN)
    if shot != (row.effect is not None) or (shot and (rules.moon is Moon.OFF or (fixed and row.effect != rules.moon))):
        yield Problem(
            "wrong-moon", (f"{at}/effect", f"{at}/shooter"), "a moon has a shooter and an effect of these rules"
        )
    if row.sun and not (shot and rules.sun):
        yield Problem("wrong-moon", (f"{at}/sun",), "the sun is a moon, under rules that know it")
    if row.shooter is not None:
        side = rules.sides[rules.side(row.shooter)]
        if sum([row.card_points[seat] for seat in side]) != rules.penalty_total:
            yield Problem("wrong-moon", (f"{at}/card_points",), "the shooter's side has all penalty cards of a moon")
    for seat, points in enumerate(row.points):
        most = _points_without_bonus_card(rules, row, seat)
        least = most if rules.bonus is None else most - rules.decks * rules.bonus.points
        if not least <= points <= most:
            yield Problem("wrong-points", (f"{at}/points/{seat}",), "these are not the points of the rest of the row")


def _wrong_sum(parts: Sequence[int], whole: int, exact: bool) -> bool:
    total = sum(parts)
    return total > whole or (exact and total != whole)


def _points_without_bonus_card(rules: Rules, row: DealScore, seat: Seat) -> int:
    """A seat's points but for the bonus card, of which a row does not tell who took it."""
    points = row.card_points[seat]
    if row.shooter is not None:
        value = (rules.moon_points or rules.penalty_total) * (2 if row.sun else 1)
        if row.effect is Moon.SHOOTER_DOWN:
            points = -value if seat == row.shooter else 0
        else:
            points = 0 if rules.side(seat) == rules.side(row.shooter) else value
        if not rules.no_tricks_bonus_on_moon:
            return points
    return points - (0 if row.tricks_won[seat] else rules.no_tricks_bonus)


# ------------------------------------------------------------------------------------------------------ the phases


def _fresh(wire: W.AwaitingDealDocument | W.GameOverDocument, rules: Rules, under: str) -> AwaitingDeal:
    state = new_game(rules)
    if wire.deal_number:
        raise Refused(Problem("no-last-deal", (f"{under}/last_deal",), "deals were played: give the last one"))
    _refuse(_differing(wire, state, ("scores", "deal_scores"), under))
    return state


def _passing(wire: W.PassingDocument, rules: Rules, sheet: tuple[DealScore, ...], under: str) -> Passing:
    _check_deal(rules, wire.hands, wire.kitty, under)
    if not rules.step(wire.deal_number):
        raise Refused(Problem("no-passing", (f"{under}/phase",), f"deal {wire.deal_number} has no passing"))
    state = _undecided(rules, wire.scores, wire.deal_number, sheet, wire.hands, wire.kitty)
    if None not in wire.commitments:
        raise Refused(
            Problem("all-committed", (f"{under}/commitments",), "every seat has committed: the cards have moved")
        )
    moves = [None if gifts is None else Pass(seat, gifts) for seat, gifts in enumerate(wire.commitments)]
    _refuse(_pass_problems(state, moves, f"{under}/commitments"))
    return state.replace(commitments=tuple(moves))


def _undecided(
    rules: Rules,
    scores: tuple[int, ...],
    number: int,
    sheet: tuple[DealScore, ...],
    hands: tuple[Cards, ...],
    kitty: Cards,
) -> Passing:
    return Passing(rules, scores, number, sheet, hands, kitty, (None,) * rules.players)


def _pass_problems(state: Passing, moves: Iterable[Pass | None], at: str) -> Iterator[Problem]:
    for seat, move in enumerate(moves):
        reasons = () if move is None else why_illegal(state, move)
        if reasons:
            yield Problem("illegal-pass", (f"{at}/{seat}",), "; ".join(map(str, reasons)))


def _check_deal(rules: Rules, hands: tuple[Cards, ...], kitty: Cards, under: str, extra: str = "/hands") -> None:
    """Check that the hands and the kitty are a deal of the deck; a glance at the masks is enough for those that are."""
    size = rules.cards_per_hand
    lo, hi = kitty.lo, kitty.hi
    third = False
    for hand in hands:
        third |= bool(hand.lo & hi or hand.hi & lo) or len(hand) != size
        hi |= hand.hi | hand.lo & lo
        lo |= hand.lo
    deck = rules.deck
    if third or lo != deck.lo or hi != deck.hi:
        found = deal_problems(rules, Deal(hands, kitty))
        raise Refused(*[attrs.evolve(each, fields=_places(each.fields, under, extra)) for each in found])


def _places(fields: Iterable[str], under: str, extra: str) -> tuple[str, ...]:
    """The places of the fields of a deal; the hands of a finished deal are nowhere but in its tricks."""
    return tuple(
        [place_of(field, under) if field == "kitty" or extra == "/hands" else under + extra for field in fields]
    )


@attrs.frozen
class _Told:
    """A deal in play, or finished, as a document tells it: what it is rebuilt from."""

    wire: Any
    """Where the rest is found that must agree: a `PlayingDocument` or a `FinishedDealWire`."""
    under: str
    rules: Rules
    scores: tuple[int, ...]
    number: int
    sheet: tuple[DealScore, ...]
    hands: tuple[Cards, ...]
    trick: tuple[Play, ...]
    tricks: tuple[Trick, ...]
    cards: str
    """The key under which the cards of the hands are found."""


_COURSE = ("leader", "captured", "tricks_won", "trick_number", "set_aside", "kitty_taker")


def _playing(wire: W.PlayingDocument, rules: Rules, sheet: tuple[DealScore, ...], under: str) -> Playing:
    players = rules.players
    told = _Told(
        wire,
        under,
        rules,
        wire.scores,
        wire.deal_number,
        sheet,
        wire.hands,
        plays_from(wire.leader, wire.trick, players),
        tricks_of(wire.tricks, players),
        "/hands",
    )
    problems: list[Problem] = []
    for state in _played(told):
        if not isinstance(state, Playing):
            raise Refused(
                Problem("deal-is-over", (f"{under}/tricks",), "the last trick is completed: the deal is over")
            )
        problems = _course_problems(told, state.course)
        problems += _differing(wire, state, ("hands", "seat", "hearts_broken"), under)
        if not problems:
            return state
    raise Refused(*problems)


def _course_problems(told: _Told, course: Course) -> list[Problem]:
    problems = list(_differing(told.wire, course, _COURSE, told.under))
    for place, (given, trick) in enumerate(zip(told.tricks, course.tricks, strict=True)):
        problems += _differing(given, trick, ("leader", "winner"), f"{told.under}/tricks/{place}")
    return problems


def _finished(
    last: W.FinishedDealWire, rules: Rules, number: int, sheet: tuple[DealScore, ...], under: str
) -> Iterator[tuple[State, list[Problem]]]:
    """What follows the last play of a finished deal, in the ways that it may have been played, and what of the course
    disagrees."""
    at = f"{under}/last_deal"
    _refuse(_total_problems(rules, last.scores, sheet, number, under, f"{at}/scores"))
    if not last.tricks:
        raise Refused(Problem("no-tricks", (f"{at}/tricks",), "a finished deal has tricks: give those that are known"))
    told = _Told(
        last,
        at,
        rules,
        last.scores,
        number,
        sheet,
        (NO_CARDS,) * rules.players,
        (),
        tricks_of(last.tricks, rules.players),
        "/tricks",
    )
    for state in _played(told):
        # The hands are empty: every card of the deal has been played.
        assert not isinstance(state, (Playing, Passing))
        assert state.last_deal is not None
        yield state, _course_problems(told, state.last_deal)


def _choosing(wire: W.ChoosingMoonDocument, rules: Rules, sheet: tuple[DealScore, ...], under: str) -> ChoosingMoon:
    problems: list[Problem] = []
    given = _Choice(wire.scores, wire.shooter, score_of(wire.others_up), score_of(wire.shooter_down))
    for state, found in _finished(wire.last_deal, rules, wire.deal_number, sheet, under):
        problems = found
        if not isinstance(state, ChoosingMoon):
            problems.append(Problem("no-choice", (f"{under}/phase",), "nobody shot a moon that leaves a choice"))
            continue
        problems += _differing(given, state, ("scores", "shooter", "others_up", "shooter_down"), under)
        if not problems:
            return state
    raise Refused(*problems)


@attrs.frozen
class _Choice:
    scores: tuple[int, ...]
    shooter: Seat
    others_up: DealScore
    shooter_down: DealScore


def _after(
    wire: W.AwaitingDealDocument | W.GameOverDocument,
    last: W.FinishedDealWire,
    rules: Rules,
    sheet: tuple[DealScore, ...],
    under: str,
) -> AwaitingDeal | GameOver:
    """The state after a deal: its score is made again, and with it whether the game goes on."""
    over = isinstance(wire, W.GameOverDocument)
    number = wire.deal_number if over else wire.deal_number - 1
    if not sheet or number < 0:
        raise Refused(
            Problem(
                "wrong-count",
                (f"{under}/deal_scores", f"{under}/deal_number"),
                "a deal was played: the score sheet and the number of deals must say so",
            )
        )
    problems: list[Problem] = []
    for state, found in _finished(last, rules, number, sheet[:-1], under):
        problems = found
        row = f"{under}/deal_scores/{len(sheet) - 1}"
        if isinstance(state, ChoosingMoon):
            effect = sheet[-1].effect
            if effect is None:
                problems.append(Problem("wrong-moon", (f"{row}/effect",), "the shooter chose what the moon did"))
                continue
            following = apply(state, ChooseMoon(state.shooter, effect))
        else:
            following = state
        if not isinstance(following, GameOver if over else AwaitingDeal):
            what = "the game goes on" if over else "the game is over"
            problems.append(Problem("wrong-phase", (f"{under}/phase",), f"after this deal {what}"))
        problems += _differing(sheet[-1], following.deal_scores[-1], _ROW, row)
        names = ("scores", "winners") if over and isinstance(following, GameOver) else ("scores",)
        problems += _differing(wire, following, names, under)
        if not problems and isinstance(following, (AwaitingDeal, GameOver)):
            return following
    raise Refused(*problems)


_ROW = DealScore.FIELDS

# -------------------------------------------------------------------------------------------------- playing it again


def _played(told: _Told) -> Iterator[State]:
    """What the plays of a deal lead to: one state if it is known from its start, otherwise one for each way that the
    part that is not known may have gone."""
    if told.wire.trick_number == len(told.tricks):
        yield _play_on(told, _first_lead(told))
        return
    refused: Refused | None = None
    for start in _starts(told):
        try:
            state = _play_on(told, start())
        except Refused as error:
            refused = refused or error
        else:
            refused = Refused()
            yield state
    if refused is not None and refused.problems:
        raise refused


def _play_on(told: _Told, start: Playing) -> State:
    state: State = start
    for number, trick in enumerate(told.tricks):
        for place, play in enumerate(trick.plays):
            try:
                state = apply(state, play)
            except IllegalMove as error:
                raise _illegal(error, f"{told.under}/tricks/{number}/cards/{place}") from None
    for place, play in enumerate(told.trick):
        try:
            state = apply(state, play)
        except IllegalMove as error:
            raise _illegal(error, f"{told.under}/trick/{place}") from None
    return state


def _illegal(error: IllegalMove, at: str) -> Refused:
    return Refused(Problem("illegal-play", (at,), str(error)))


def _before_plays(told: _Told) -> tuple[Cards, ...]:
    """The hands before the first play that is known."""
    hands = list(told.hands)
    for plays in (*[trick.plays for trick in told.tricks], told.trick):
        for play in plays:
            hand = hands[play.seat]
            if hand.hi & play.bit:
                raise Refused(
                    Problem("extra-cards", (told.under + told.cards,), f"{play.card} comes for the third time")
                )
            hands[play.seat] = bag_of(hand.lo | play.bit, hand.hi | hand.lo & play.bit)
    return tuple(hands)


def _first_lead(told: _Told) -> Playing:
    """The position before the first play of the deal."""
    rules = told.rules
    hands = _before_plays(told)
    kitty: Cards = told.wire.kitty
    _check_deal(rules, hands, kitty, told.under, told.cards)
    passed = received = nothing = (NO_CARDS,) * rules.players
    passes = tuple([Pass(seat, gifts) for seat, gifts in enumerate(told.wire.passes)])
    if passes:
        passed, received = _exchanged(told, hands, passes)
    background = Background(rules, told.scores, told.number, told.sheet, kitty, passes, passed, received)
    leader = opening_leader(rules, background.dealer, hands)
    course = Course(background, leader, (), nothing, (0,) * rules.players, 0, NO_CARDS, None)
    return Playing(course, hands, leader, (), False)


def _exchanged(
    told: _Told, hands: tuple[Cards, ...], passes: tuple[Pass, ...]
) -> tuple[tuple[Cards, ...], tuple[Cards, ...]]:
    """What was passed and received. Every pass must have been legal from the hand that was dealt."""
    rules = told.rules
    at = f"{told.under}/passes"
    step = rules.step(told.number)
    if not step:
        raise Refused(Problem("no-passing", (at,), f"deal {told.number} has no passing"))
    probe = _undecided(rules, told.scores, told.number, told.sheet, (rules.deck,) * rules.players, NO_CARDS)
    _refuse(_pass_problems(probe, passes, at))
    try:
        passed, received = exchange(rules, told.number, passes)
        dealt = tuple([hand - got + gave for hand, got, gave in zip(hands, received, passed, strict=True)])
    except ValueError:
        raise Refused(Problem("extra-cards", (at,), "a card is passed for the third time")) from None
    _refuse(
        Problem("illegal-pass", (f"{at}/{seat}",), "the cards that were passed are not where they went")
        for seat, (hand, got) in enumerate(zip(hands, received, strict=True))
        if not got <= hand
    )
    _refuse(_pass_problems(probe.replace(hands=dealt), passes, at))
    return passed, received


# ---------------------------------------------------------------------------------------- without the whole history


def _starts(told: _Told) -> Iterator[Any]:
    """Makers of the positions before the first known play: with hearts broken or not, with the kitty taken or not."""
    rules, wire = told.rules, told.wire
    hands = _before_plays(told)
    leader = told.tricks[0].leader if told.tricks else wire.leader
    won = list(wire.tricks_won)
    captured: list[Cards] = list(wire.captured)
    aside: Cards = wire.set_aside
    taker: Seat | None = wire.kitty_taker
    if taker is not None:
        captured[taker] -= wire.kitty
    winners = [trick.winner for trick in told.tricks if trick.winner is not None]
    for trick in told.tricks:
        if trick.winner is not None:
            won[trick.winner] -= 1
    known = _collected(told.tricks)
    for seat, cards in known.items():
        if seat is None:
            aside -= cards
        else:
            captured[seat] -= cards
    if winners and won[winners[0]] == 0:
        # Who had won nothing before can only have collected what was set aside.
        captured[winners[0]], aside = NO_CARDS, captured[winners[0]]
    elif winners:
        aside = NO_CARDS

    def start(broken: bool, took: Seat | None) -> Playing:
        piles = list(captured)
        try:
            if took is not None:
                piles[took] += wire.kitty
            state = set_up(
                rules,
                hands=hands,
                leader=leader,
                captured=piles,
                tricks_won=won,
                set_aside=aside,
                kitty=wire.kitty,
                kitty_taker=took,
                hearts_broken=broken,
                scores=told.scores,
                deal_number=told.number,
                passes=[Pass(seat, gifts) for seat, gifts in enumerate(wire.passes)],
            )
        except InvalidState as error:
            raise Refused(*placed(error.problems, told.under)) from None
        course = state.course
        background = course.background.replace(deal_scores=told.sheet)
        course = Course(
            background,
            course.leader,
            course.tricks,
            course.captured,
            course.tricks_won,
            course.trick_number,
            course.set_aside,
            course.kitty_taker,
        )
        return Playing(course, state.hands, state.seat, state.trick, state.hearts_broken)

    for took in dict.fromkeys((taker, None)):
        for broken in (True, False):
            yield lambda broken=broken, took=took: start(broken, took)


def _collected(tricks: Iterable[Trick]) -> dict[Seat | None, Cards]:
    """Who has the cards of the tricks that are known; None: they are set aside."""
    piles: dict[Seat | None, list[Any]] = {None: []}
    for trick in tricks:
        piles[None] += [play.card for play in trick.plays]
        if trick.winner is not None:
            piles.setdefault(trick.winner, []).extend(piles[None])
            piles[None] = []
    try:
        return {seat: Cards(pile) for seat, pile in piles.items()}
    except ValueError:
        return {}


# ----------------------------------------------------------------------------------------------------------- views


def view_of(wire: W.AnyView) -> PlayerView:
    """The view of a document. Its counts, its seats and its cards must be those of the rules.

    Raises:
        Refused: they are not.
    """
    rules = rules_of(wire.rules, "/rules")
    _refuse(shape_problems(wire, rules.players))
    seat, number = wire.seat, wire.deal_number
    sheet = tuple([score_of(row) for row in wire.deal_scores])
    start = (rules, seat, wire.scores, number, sheet)
    if isinstance(wire, W.PlayingViewDocument):
        trick = plays_from(wire.leader, wire.trick, rules.players)
        left = rules.cards_per_hand - wire.trick_number - (seat in {play.seat for play in trick})
        _check_seen(rules, seat, wire, wire.hand, left, wire.trick, "")
        course = _course_view(wire, wire.scores, rules, seat, number, sheet)
        return PlayingView(course, wire.hand, wire.turn, trick, wire.hearts_broken)
    if isinstance(wire, W.PassingViewDocument):
        _refuse(_seen_problems(rules, seat, wire.hand, rules.cards_per_hand, [wire.hand], ""))
        return PassingView(*start, wire.hand, _own(wire.commitment, seat), frozenset(wire.committed))
    last = wire.last_deal
    if last is None:
        return AwaitingDealView(*start, None)
    _check_seen(rules, seat, last, NO_CARDS, 0, (), "/last_deal")
    if isinstance(wire, W.ChoosingMoonViewDocument):
        course = _course_view(last, last.scores, rules, seat, number, sheet)
        return ChoosingMoonView(course, wire.shooter, score_of(wire.others_up), score_of(wire.shooter_down))
    if isinstance(wire, W.GameOverViewDocument):
        return GameOverView(*start, _course_view(last, last.scores, rules, seat, number, sheet[:-1]), wire.winners)
    return AwaitingDealView(*start, _course_view(last, last.scores, rules, seat, number - 1, sheet[:-1]))


def _own(gifts: tuple[Cards, ...] | None, seat: Seat | None) -> Pass | None:
    return None if gifts is None or seat is None else Pass(seat, gifts)


def _course_view(
    wire: W.PlayingViewDocument | W.CourseViewWire,
    scores: tuple[int, ...],
    rules: Rules,
    seat: Seat | None,
    number: int,
    sheet: tuple[DealScore, ...],
) -> CourseView:
    return CourseView(
        background=BackgroundView(
            rules=rules,
            seat=seat,
            scores=scores,
            deal_number=number,
            deal_scores=sheet,
            commitment=_own(wire.commitment, seat),
            passed=wire.passed,
            received=wire.received,
            declined=frozenset(wire.declined),
        ),
        leader=wire.leader,
        tricks=tricks_of(wire.tricks, rules.players),
        captured=wire.captured,
        tricks_won=wire.tricks_won,
        trick_number=wire.trick_number,
        set_aside=wire.set_aside,
        kitty_taker=wire.kitty_taker,
        kitty=wire.kitty,
    )


def _check_seen(
    rules: Rules,
    seat: Seat | None,
    wire: W.PlayingViewDocument | W.CourseViewWire,
    hand: Cards,
    size: int,
    trick: tuple[Card, ...],
    under: str,
) -> None:
    try:
        bags = [hand, Cards(trick), wire.set_aside, *wire.captured]
    except ValueError:
        raise Refused(Problem("extra-cards", (f"{under}/trick",), "a card comes for the third time")) from None
    _refuse(_seen_problems(rules, seat, hand, size, bags, under))


def _seen_problems(
    rules: Rules, seat: Seat | None, hand: Cards, size: int, bags: Iterable[Cards], under: str
) -> Iterator[Problem]:
    """What is wrong with the cards that a view shows: the size of the hand, and cards that are not in play."""
    expected = 0 if seat is None else size
    if len(hand) != expected:
        yield Problem("wrong-hand-size", (f"{under}/hand",), f"the hand has {len(hand)} cards, not {expected}")
    for problem in pile_problems(rules, "cards", bags):
        yield attrs.evolve(problem, fields=(under,))
