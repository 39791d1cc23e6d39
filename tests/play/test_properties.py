"""Laws that hold in every game: over random rule sets and over the presets, in matches that aim at the rare rules."""

from __future__ import annotations

import copy
import pickle
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, permutations
from random import Random
from typing import Any, Final

import attrs
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    ChoosingMoon,
    Deal,
    DealScore,
    Expose,
    Exposing,
    GameOver,
    IllegalMove,
    Move,
    Pass,
    Passing,
    Play,
    PlayedDeal,
    Playing,
    Rules,
    State,
    Suit,
    Violation,
    apply,
    is_legal,
    legal_cards,
    legal_moves,
    new_game,
    score_deal,
    standings,
    to_act,
    trick_winner,
    why_illegal,
    why_illegal_card,
)
from heartsrules.base.values import Value, replaced
from heartsrules.play.dealing import chance_to_act
from heartsrules.play.violations import PRECEDENCE, CardIsCompulsory, QueenBeforeHearts, WrongNumberOfCards
from heartsrules.rules import (
    ANY_NUMBER,
    BonusFloor,
    Choice,
    Compulsory,
    Exposure,
    FirstTrick,
    Moon,
    MoonCards,
    MoonScope,
    PassOptional,
)
from heartsrules.setup import Setup, check, set_up
from heartsrules.testing import names
from heartsrules.testing.laws import check_conservation
from support.naive import choose_gifts
from support.rarities import situations
from support.rounds import laws
from support.strategies import (
    FACES,
    PRESETS,
    QUEEN,
    Match,
    any_rules,
    deals,
    generators,
    match,
    matches,
    random_exposure,
    random_pass,
    random_rules,
    rules_sets,
    states_of,
)
from support.tables import rules_of

pytestmark = pytest.mark.long

STATES: Final = (AwaitingDeal, Passing, Exposing, Playing, ChoosingMoon, GameOver)


def showing_rules() -> st.SearchStrategy[Rules]:
    """Random rule sets in which cards may be shown, as far as what is drawn allows it."""
    return st.one_of(
        rules_sets(exposure=Exposure.TOGETHER),
        rules_sets(exposure=Exposure.IN_TURN),
        rules_sets(exposure=Exposure.ROUNDS),
        rules_sets(exposure=Exposure.ROUNDS_IN_TURN),
        st.sampled_from([rules for rules in PRESETS if rules.exposable]),
    )


def last_deal(state: State) -> PlayedDeal | None:
    """The deal that has come to its end with this state."""
    return state.last_deal if isinstance(state, (AwaitingDeal, ChoosingMoon, GameOver)) else None


def finished_deals(played: Match) -> Iterator[tuple[PlayedDeal, tuple[int, ...], DealScore]]:
    """Each finished deal, the totals before it, and its row of the score sheet."""
    for before, after in pairwise(played.states):
        ended = last_deal(after)
        if ended is not None and len(after.score_sheet) > len(before.score_sheet):
            yield ended, before.scores, after.score_sheet[-1]


def play_card(state: Playing, face: Card) -> Play:
    return Play(state.turn, face)


# ----------------------------------------------------------------------------------------------- the ended of a game


@laws(75)
@given(matches(any_rules()))
def test_no_card_is_lost_or_made(played: Match) -> None:
    for step in zip(played.states, played.moves, played.states[1:], strict=False):
        for situation in situations(*step):
            event(situation)
    assert check_conservation(played.states) == len(played.states)
    for ended, _, _ in finished_deals(played):
        assert sum(ended.tricks_won) == sum(trick.winner is not None for trick in ended.tricks)


@laws(75)
@given(matches(any_rules()))
def test_there_is_a_move_until_the_end_and_none_after_it(played: Match) -> None:
    for state in played.states:
        seats = to_act(state)
        assert bool(legal_moves(state)) == (not isinstance(state, GameOver))
        assert bool(seats) == (not chance_to_act(state) and not isinstance(state, GameOver))
        for seat in range(played.rules.players):
            assert bool(legal_moves(state, seat)) == (seat in seats)
        assert state.dealer == played.rules.dealer(state.deal_number)
        assert len(state.score_sheet) == state.deal_number + isinstance(state, GameOver)


@laws(50)
@given(matches(any_rules()))
def test_a_finished_deal_is_worth_what_scoring_by_itself_says(played: Match) -> None:
    for ended, before, row in finished_deals(played):
        effect = row.effect if played.rules.moon is Moon.CHOICE else None
        number = ended.deal_number
        scored = score_deal(
            played.rules, ended.captured, ended.tricks_won, before, effect, deal_number=number, exposed=ended.exposed
        )
        assert scored == row
        assert row.exposed == (ended.exposed if played.rules.exposable else ())


@laws(50)
@given(matches(any_rules()))
def test_the_points_of_a_deal_add_up(played: Match) -> None:
    rules = played.rules
    for ended, before, row in finished_deals(played):
        left_over = [*ended.set_aside, *(ended.kitty if ended.kitty_winner is None else ())]
        worth = worths(rules, ended)
        assert sum(row.card_points) + sum(worth[card] for card in left_over) == sum(worth[card] for card in rules.deck)
        if all(worth[card] == rules.penalty(card) for card in worth):
            assert sum(worth[card] for card in rules.deck) == rules.penalty_total
        else:
            event("shown penalty cards")
        points = list(row.card_points)
        if row.shooter is not None:
            moon_cards, value = moon_of(rules, ended, row)
            side = rules.sides[rules.side(row.shooter)]
            points = [sum(worth[card] for card in pile if card not in moon_cards) for pile in ended.captured]
            for seat in range(rules.players):
                if row.effect is Moon.OTHERS_UP and seat not in side:
                    points[seat] += value
                elif row.effect is Moon.SHOOTER_DOWN and seat == row.shooter:
                    points[seat] -= value
            event(f"moon: {row.effect}")
            event(f"moon cards: {rules.moon_cards}")
        # What is left out here has cases of its own.
        bounded = row.effect in (None, Moon.OTHERS_UP, Moon.SHOOTER_DOWN) and not rules.total_floor
        for seat, pile in enumerate(ended.captured if bounded else ()):
            highest = points[seat]
            lowest = highest - sum(
                bonus.points * pile.count(bonus.card) * times(bonus.card, ended) for bonus in rules.bonuses
            )
            doublers = pile.count(rules.doubler.card) if rules.doubler is not None else 0
            if rules.doubler is not None and doublers:
                assert rules.bonus_floor is BonusFloor.NONE
                event("a doubler")
                strength = times(rules.doubler.card, ended)
                if scores(rules, pile):
                    highest = lowest = lowest * (rules.doubler.factor * strength) ** doublers
                else:
                    highest = lowest = lowest - rules.doubler.alone * strength * doublers
            lowest -= rules.no_tricks_bonus
            assert lowest <= row.points[seat] <= highest
            if lowest == highest:
                assert row.points[seat] == highest
        resets = {exact: max(lower, 0) if rules.total_floor else lower for exact, lower in rules.exact_resets}
        for then, added, now in zip(before, row.points, row.totals, strict=True):
            assert now == then + added or (added and now == resets[then + added])


def times(card: Card, ended: PlayedDeal) -> int:
    """How often a card counts: twice if it was shown, or if it is a heart and one was."""
    everything = [other for cards in ended.exposed for other in cards]
    doubled = card in everything or (card.suit is Suit.HEARTS and any(other.suit is card.suit for other in everything))
    return 2 if doubled else 1


def worths(rules: Rules, ended: PlayedDeal) -> dict[Card, int]:
    """The penalty value of each card in play, the shown ones doubled."""
    return {card: rules.penalty(card) * times(card, ended) for card in rules.deck}


def moon_of(rules: Rules, ended: PlayedDeal, row: DealScore) -> tuple[Cards, int]:
    """The faces of the cards that made a moon, and its value."""
    assert row.shooter is not None
    queens = rules.deck & Cards("QS QS")
    team = rules.sides[rules.side(row.shooter)] if rules.moon_scope is MoonScope.TEAM else (row.shooter,)
    with_queens = queens <= Cards(card for seat in team for card in ended.captured[seat])
    if rules.moon_cards is MoonCards.ALL:
        cards = rules.penalty_cards
    elif rules.moon_cards is MoonCards.EVERY_CARD:
        cards = rules.deck
    else:
        cards = Cards(card for card in rules.deck if card.suit is Suit.HEARTS)
        if with_queens:
            cards += queens
    worth = worths(rules, ended)
    value = sum(worth[card] for card in cards)
    if rules.moon_points is not None:
        value = rules.moon_points
        if rules.moon_cards is MoonCards.HEARTS and with_queens:
            value += sum(worth[card] for card in queens)
    value *= rules.moon_factor
    if row.sun:
        value = 2 * value if rules.sun_points is None else rules.sun_points
    return cards.distinct(), value


def scores(rules: Rules, pile: Cards) -> bool:
    """Whether a pile holds a scoring card, so that the doubler beside it multiplies."""
    bonuses = {bonus.card for bonus in rules.bonuses}
    return any(card.suit is Suit.HEARTS or rules.penalty(card) or card in bonuses for card in pile)


@laws(50)
@given(matches(any_rules()))
def test_a_trick_goes_to_whom_trick_winner_names(played: Match) -> None:
    rules = played.rules
    for ended, _, _ in finished_deals(played):
        for number, trick in enumerate(ended.tricks):
            winner = trick_winner(rules, trick.plays, last_trick=number + 1 == len(ended.tricks))
            assert trick.winner == winner
            assert [play.seat for play in trick.plays] == [
                (trick.leader + place) % rules.players for place in range(rules.players)
            ]


@laws(50)
@given(matches(any_rules(), max_deals=3))
def test_the_winners_are_the_first_of_the_standings(played: Match) -> None:
    state = played.states[-1]
    assume(isinstance(state, GameOver))
    assert isinstance(state, GameOver)
    first = [standing for standing in standings(played.rules, state.scores) if standing.place == 1]
    assert state.winners == tuple(sorted(seat for standing in first for seat in standing.seats))


@laws(40)
@given(matches(any_rules(), max_deals=2), st.integers(1, 10))
def test_rotating_the_seats_rotates_the_game(played: Match, by: int) -> None:
    players = played.rules.players
    shift = by % players

    def turned(items: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(items[(seat - shift) % players] for seat in range(players))

    def moved(seat: int | None) -> int | None:
        return None if seat is None else (seat + shift) % players

    def turned_move(move: Move) -> Move:
        match move:
            case Deal(hands, kitty):
                return Deal(turned(hands), kitty)
            case Pass(seat, gifts):
                return Pass((seat + shift) % players, *gifts)
            case Expose(seat, cards):
                return Expose((seat + shift) % players, cards)
            case Play(seat, card):
                return Play((seat + shift) % players, card)
            case ChooseMoon(seat, effect):
                return ChooseMoon((seat + shift) % players, effect)

    rules = attrs.evolve(played.rules, first_dealer=(played.rules.first_dealer + shift) % players)
    state: State = new_game(rules)
    for original, move in zip(played.states, [*played.moves, None], strict=True):
        assert to_act(state) == {moved(seat) for seat in to_act(original)}
        assert state.scores == turned(original.scores)
        assert state.dealer == moved(original.dealer)
        if isinstance(original, Playing) and isinstance(state, Playing):
            assert set(legal_moves(state)) == {turned_move(legal) for legal in legal_moves(original)}
            assert state.captured == turned(original.captured)
            assert state.exposed == turned(original.exposed)
            assert state.kitty_winner == moved(original.kitty_winner)
        if isinstance(original, GameOver) and isinstance(state, GameOver):
            assert set(state.winners) == {moved(seat) for seat in original.winners}
        for row, turned_row in zip(original.score_sheet, state.score_sheet, strict=True):
            assert turned_row.points == turned(row.points)
            assert turned_row.exposed == (turned(row.exposed) if row.exposed else ())
            assert turned_row.shooter == moved(row.shooter)
            assert turned_row.sun == row.sun
        if move is not None:
            state = apply(state, turned_move(move))


@laws(50)
@given(states_of(Passing, rules=any_rules()), generators())
def test_passes_commute(state: State, rng: Random) -> None:
    assume(isinstance(state, Passing))
    assert isinstance(state, Passing)
    event(f"pass_optional {state.rules.pass_optional}, {len(state.plan)} gifts")
    passes: dict[int, Move] = {}
    later: State = state
    # What is laid into the middle is dealt back once all have passed.
    while isinstance(later, Passing) and to_act(later):
        move = random_pass(later, rng)
        assert isinstance(move, Pass)
        passes[move.seat] = move
        later = apply(later, move)
    for _ in range(3):
        order = list(passes)
        rng.shuffle(order)
        other: State = state
        for seat in order:
            assert isinstance(other, Passing)
            assert is_legal(other, passes[seat])
            assert seat in to_act(other)
            other = apply(other, passes[seat])
        assert other == later


@laws(50)
@given(states_of(Exposing, rules=showing_rules()), generators())
def test_exposures_commute_where_they_are_made_together(state: State, rng: Random) -> None:
    assume(isinstance(state, Exposing) and state.rules.exposure in (Exposure.TOGETHER, Exposure.IN_TURN))
    assert isinstance(state, Exposing)
    event(f"{state.rules.exposure}, {sum(each is not None for each in state.commitments)} seats have moved")
    moves: dict[int, Move] = {}
    later: State = state
    while isinstance(later, Exposing):
        move = random_exposure(later, rng)
        assert isinstance(move, Expose)
        moves[move.seat] = move
        later = apply(later, move)
    in_turn = range(state.dealer + 1, state.dealer + 1 + state.rules.players)
    if state.rules.exposure is Exposure.IN_TURN:
        assert list(moves) == [seat % state.rules.players for seat in in_turn if seat % state.rules.players in moves]
    for _ in range(3):
        order = list(moves)
        rng.shuffle(order)
        other: State = state
        for seat in order:
            assert isinstance(other, Exposing)
            if state.rules.exposure is Exposure.IN_TURN and seat != other.to_act[0]:
                assert not is_legal(other, moves[seat])
                break
            assert is_legal(other, moves[seat])
            assert seat in to_act(other)
            other = apply(other, moves[seat])
        else:
            assert other == later


@laws(50)
@given(matches(showing_rules()))
def test_a_shown_card_stays_with_its_owner_until_it_is_played(played: Match) -> None:
    """And it is shown by who held it after the exchange, before the first lead; nothing that was in the kitty is."""
    for before, after in pairwise(played.states):
        if isinstance(after, Exposing):
            if isinstance(before, Exposing):
                assert after.hands == before.hands
            assert not any(after.start.exposed) or played.rules._resolved.shows_in_rounds
        if not isinstance(after, Playing):
            continue
        gone = {
            play.card: play.seat for trick in [*after.tricks, None] for play in (trick.plays if trick else after.trick)
        }
        for seat, cards in enumerate(after.exposed):
            assert cards <= played.rules.exposable
            for card in cards:
                assert card in after.hands[seat] or gone[card] == seat
                assert card not in after.kitty
        if isinstance(before, Exposing):
            last = played.moves[played.states.index(after) - 1]
            assert isinstance(last, Expose)
            committed = [each.cards for each in before.commitments if each is not None]
            own = before.start.exposed[last.seat]
            assert sum(map(len, after.exposed)) == sum(map(len, [*committed, own, last.cards]))
        elif isinstance(before, Playing):
            assert after.exposed == before.exposed


# ------------------------------------------------------------------------------------------------- what is accepted


def random_gifts(rng: Random, state: State, seat: int) -> tuple[Cards, ...]:
    """Gifts that are nearly right: of the seat's hand or of anything, of about the sizes that are wanted."""
    step = state.rules.pass_plan(state.deal_number) or ((1, 3),)
    hands = state.hands if isinstance(state, (Passing, Playing)) else ()
    pack = list(hands[seat]) if hands and 0 <= seat < len(hands) and rng.randrange(3) else list(state.rules.deck)
    rng.shuffle(pack)
    sizes = [count + rng.choice((0, 0, 0, 0, 0, 0, 1, -1)) for _, count in step]
    sizes += [1] * (not rng.randrange(6))
    gifts = []
    for size in sizes:
        gifts.append(Cards(pack[:size]))
        if rng.randrange(4):
            del pack[:size]
    return tuple(gifts)


def random_exposures(rng: Random, state: State, seat: int) -> Iterator[Expose]:
    """Cards that a seat might show: all that may be shown of what it holds, of the deck, and others."""
    yield Expose(seat, Cards())
    hands = state.hands if isinstance(state, (Passing, Exposing, Playing)) else ()
    hand = hands[seat] if 0 <= seat < len(hands) else Cards()
    mine = hand & state.rules.exposable
    for size in range(1, len(mine) + 1):
        for cards in combinations(mine, size):
            yield Expose(seat, Cards(cards))
    if isinstance(state, Exposing):
        for pool in (state.rules.exposable, state.rules.exposable + hand.distinct() - mine):
            for card in pool:
                yield Expose(seat, mine - Cards([card]) if card in mine and rng.randrange(2) else Cards([card, *mine]))
            yield Expose(seat, pool)


def candidates(state: State, rng: Random) -> Iterator[Move]:
    """Moves of every kind, by every seat and by seats that are not there, right and wrong."""
    rules = state.rules
    seats = range(-1, rules.players + 1)
    for seat in seats:
        yield from (Play(seat, card) for card in FACES)
        yield from (ChooseMoon(seat, effect) for effect in Moon)
        yield Pass(seat)
        yield from random_exposures(rng, state, seat)
        yield from (Pass(seat, *random_gifts(rng, state, seat)) for _ in range(12 if isinstance(state, Passing) else 2))
    pack = list(rules.deck)
    rng.shuffle(pack)
    size, players = rules.cards_per_hand, rules.players
    hands = [Cards(pack[seat * size : (seat + 1) * size]) for seat in range(players)]
    kitty = Cards(pack[size * players :])
    yield Deal(hands, kitty)
    yield Deal(hands[1:], kitty)
    yield Deal([*hands[:-1], hands[-1] + hands[0] - hands[-1]], kitty)
    yield Deal([Cards(pack[1:size]), *hands[1:]], kitty)
    yield Deal([*hands[1:], kitty], hands[0])
    foreign = [face for face in FACES if face not in rules.deck]
    if foreign:
        yield Deal([hands[0] - Cards(pack[:1]) + Cards(foreign[:1]), *hands[1:]], kitty)


@laws(100)
@given(states_of(Playing, rules=any_rules()), generators())
def test_exactly_the_legal_moves_are_accepted_and_every_refusal_says_why(state: State, rng: Random) -> None:
    check_acceptance(state, rng)


@laws(40)
@given(states_of(AwaitingDeal, ChoosingMoon, GameOver, Passing, Exposing, rules=any_rules()), generators())
def test_exactly_the_legal_moves_are_accepted_in_the_other_phases(state: State, rng: Random) -> None:
    check_acceptance(state, rng)


@laws(40)
@given(states_of(Exposing, rules=showing_rules()), generators())
def test_exactly_the_exposable_cards_of_a_hand_may_be_shown(state: State, rng: Random) -> None:
    check_acceptance(state, rng)


def check_acceptance(state: State, rng: Random) -> None:
    event(type(state).__name__)
    legal = legal_moves(state)
    before = repr(state)
    accepted = set()
    for move in candidates(state, rng):
        reasons = why_illegal(state, move)
        assert is_legal(state, move) == (reasons == ())
        assert (move in legal) == (reasons == ())
        if reasons:
            event(reasons[0].code)
            check_reasons(reasons)
            with pytest.raises(IllegalMove) as caught:
                apply(state, move)
            check_refusal(caught.value, move, reasons)
        else:
            accepted.add(move)
            apply(state, move)
    assert repr(state) == before
    if isinstance(state, (Exposing, Playing, ChoosingMoon, GameOver)):
        assert len(legal) == len(set(legal))
        assert accepted == set(legal)
        assert {move for seat in to_act(state) for move in legal_moves(state, seat)} == accepted


def check_reasons(reasons: tuple[Violation, ...]) -> None:
    order = [PRECEDENCE.index(type(reason)) for reason in reasons]
    assert order == sorted(order)
    # Each gift of a pass may hold a wrong number of cards; every other reason is given at most once.
    codes = [reason.code for reason in reasons if not isinstance(reason, WrongNumberOfCards)]
    assert len(codes) == len(set(codes))
    assert len(reasons) == len(set(reasons))


def test_the_reasons_against_a_card_are_in_order_in_every_position() -> None:
    """By a seeded loop: the positions in which two rules bar a card at once are too rare for a few examples."""
    seen: Counter[tuple[str, ...]] = Counter()
    for number in range(2000):
        rng = Random(f"reasons {number}")
        # The Q♠ must be worth nothing to be due where a heart is barred from the first trick.
        worthless = {"queen_points": 0, "compulsory": Compulsory.DISCARD, "first_trick": FirstTrick.NO_POINTS}
        for state, _, _ in match(random_rules(rng, **(worthless if number % 5 == 0 else {})), rng, max_deals=2):
            if isinstance(state, Playing):
                for card in state.hands[state.turn].distinct():
                    reasons = why_illegal(state, Play(state.turn, card))
                    check_reasons(reasons)
                    seen[tuple(reason.code for reason in reasons)] += 1
    assert seen["queen-before-hearts", "points-on-first-trick"] > 20
    assert seen["points-on-first-trick", "card-compulsory"] > 20
    assert seen["hearts-not-broken", "card-compulsory"] > 20
    assert seen["must-follow-suit", "card-compulsory"] > 20


def test_a_pass_is_legal_exactly_if_the_hand_holds_its_cards_all_together() -> None:
    """By a seeded loop too: several gifts that share a card which the hand holds once."""
    judged: Counter[tuple[bool, bool]] = Counter()
    for number in range(400):
        rng = Random(f"gifts {number}")
        for state, _, _ in match(random_rules(rng), rng, max_deals=3):
            if not isinstance(state, Passing) or state.plan == ANY_NUMBER:
                continue
            for seat in to_act(state):
                for move in [Pass(seat, *random_gifts(rng, state, seat)) for _ in range(4)]:
                    given = Counter(card for gift in move.cards for card in gift)
                    legal = (
                        [len(gift) for gift in move.cards] == [count for _, count in state.plan]
                        and given <= Counter(state.hands[seat])
                        and not any(card in state.rules.unpassable for card in given)
                    )
                    assert is_legal(state, move) == legal
                    assert (move in legal_moves(state)) == legal
                    judged[legal, len(state.plan) > 1] += 1
    assert len(judged) == 4
    assert min(judged.values()) > 200


def attribute_names(kind: type) -> tuple[str, ...]:
    """What a class names its attributes, in either build."""
    return (*getattr(kind, "__slots__", ()), *getattr(kind, "__mypyc_attrs__", ()))


def reachable(value: object, seen: dict[int, object]) -> dict[int, object]:
    """Everything that can be reached from a value by attributes and items, by its id; its traceback aside."""
    if id(value) in seen or value is None or isinstance(value, (str, int, bool, type)):
        return seen
    seen[id(value)] = value
    inner: list[object] = []
    if isinstance(value, (tuple, list, set, frozenset)):
        inner += value
    elif isinstance(value, dict):
        inner += [*value, *value.values()]
    elif not isinstance(value, (Card, Cards, Choice)):
        inner += getattr(value, "__dict__", {}).values()
        inner += [getattr(value, name, None) for kind in type(value).__mro__ for name in attribute_names(kind)]
        if isinstance(value, BaseException):
            inner += [value.args, value.__cause__, value.__context__]
    for item in inner:
        reachable(item, seen)
    return seen


CARD_NAME: Final = re.compile(r"(?<![A-Za-z0-9])(?:[2-9TJQKA]|10)[CDSH♣♦♠♥](?![A-Za-z0-9])")


def cards_of_move(move: Move) -> set[Card]:
    match move:
        case Play(_, card):
            return {card}
        case Pass(_, gifts):
            return {card for gift in gifts for card in gift}
        case Expose(_, cards):
            return set(cards)
        case _:
            return set()


def check_refusal(error: IllegalMove, move: Move, reasons: tuple[Violation, ...]) -> None:
    """The error carries the reasons and the move, and nothing that the mover did not say itself, but for the compulsory
    cards of its hand."""
    assert error.violations == reasons
    assert error.move == (None if isinstance(move, Deal) else move)
    values = reachable(error, {}).values()
    assert not any(isinstance(value, (*STATES, PlayedDeal, Deal, Rules)) for value in values)
    if isinstance(move, Deal):
        assert not any(isinstance(value, Cards) for value in values)
        return
    named = {card for value in values if isinstance(value, Cards) for card in value}
    named |= {value for value in values if isinstance(value, Card)}
    due = {card for reason in reasons if isinstance(reason, CardIsCompulsory) for card in reason.required}
    assert named <= cards_of_move(move) | due
    known = {str(card) for card in named}
    if any(isinstance(reason, QueenBeforeHearts) for reason in reasons):
        known.add(str(QUEEN))
    for text in (str(error), repr(error), repr(error.violations)):
        assert set(CARD_NAME.findall(text)) <= known


@laws(75)
@given(states_of(Playing, rules=any_rules()))
def test_legality_by_itself_agrees_with_the_engine(state: State) -> None:
    assume(isinstance(state, Playing))
    assert isinstance(state, Playing)
    hand = state.hands[state.turn]
    first = state.trick_number == 0
    broken = state.hearts_broken
    exposed = state.exposed[state.turn] & hand
    led = {each.plays[0].card.suit for each in state.tricks}
    told: dict[str, Any] = {"first_trick": first, "hearts_broken": broken, "exposed": exposed, "suits_led": led}
    for trick in (state.trick, [play.card for play in state.trick]):
        cards = legal_cards(state.rules, hand, trick=trick, **told)
        assert list(legal_moves(state)) == [play_card(state, card) for card in cards]
        for face in FACES:
            reasons = why_illegal_card(state.rules, hand, face, trick=trick, **told)
            assert reasons == why_illegal(state, play_card(state, face))


def redealt(rng: Random, hands: tuple[Cards, ...], kitty: Cards, seat: int) -> tuple[list[Cards], Cards]:
    """The cards that a seat does not see, dealt anew to the other hands and the kitty, each of its size."""
    pack = [card for other, hand in enumerate(hands) if other != seat for card in hand] + list(kitty)
    rng.shuffle(pack)
    anew = []
    for other, hand in enumerate(hands):
        anew.append(hand if other == seat else Cards(pack[: len(hand)]))
        if other != seat:
            del pack[: len(hand)]
    return anew, Cards(pack)


@laws(75)
@given(states_of(Playing, Passing, Exposing, rules=any_rules()), generators())
def test_legality_depends_on_nothing_that_the_mover_does_not_see(state: State, rng: Random) -> None:
    if isinstance(state, Playing):
        seat = state.turn
        kitty = state.kitty if state.kitty_winner is None else Cards()
        hands, _ = redealt(rng, state.hands, kitty, seat)
        other: State = Playing(state.public, state.secrets, tuple(hands), seat, state.trick, state.hearts_broken)
        moves: list[Move] = [Play(seat, face) for face in FACES]
    elif isinstance(state, Passing):
        seat = rng.choice(sorted(to_act(state)))
        hands, kitty = redealt(rng, state.hands, state.kitty, seat)
        other = replaced(state, hands=tuple(hands), kitty=kitty)
        moves = [Pass(seat, *random_gifts(rng, state, seat)) for _ in range(50)]
    elif isinstance(state, Exposing):
        seat = rng.choice(sorted(to_act(state)))
        hands, _ = redealt(rng, state.hands, Cards(), seat)
        other = replaced(state, hands=tuple(hands))
        moves = [*random_exposures(rng, state, seat)]
    else:
        assume(False)
        raise AssertionError
    assert to_act(other) == to_act(state)
    assert legal_moves(other, seat) == legal_moves(state, seat)
    for move in moves:
        assert why_illegal(other, move) == why_illegal(state, move)


@laws(75)
@given(states_of(Playing, rules=any_rules()))
def test_a_position_can_be_set_up_from_what_its_state_shows(state: State) -> None:
    assume(isinstance(state, Playing))
    assert isinstance(state, Playing)
    exposed: dict[str, Any] = {
        name: getattr(state, name)
        for name in (
            *("hands", "leader", "trick", "captured", "tricks_won", "set_aside", "kitty", "kitty_winner"),
            *("hearts_broken", "scores", "deal_number", "score_sheet"),
        )
    }
    assert check(Setup.of(state)) == state
    if any(state.exposed):
        # A call of set_up knows nothing of shown cards.
        return
    if state.passes and state.rules._resolved.through_middle(state.deal_number):
        exposed["dealt_back"] = state.received
    assert set_up(state.rules, **exposed, tricks=state.tricks, passes=state.passes) == state
    exposed.pop("dealt_back", None)
    if state.trick_number:
        bare = set_up(state.rules, **exposed)
        assert {name: getattr(bare, name) for name in exposed} == exposed
        assert (bare.turn, bare.trick_number, bare.tricks) == (state.turn, state.trick_number, ())
        assert legal_moves(bare) == legal_moves(state)


# ------------------------------------------------------------------------------------------------------------ values


@laws(50)
@given(matches(any_rules(), max_deals=1))
def test_nothing_changes_the_state_it_is_given(played: Match) -> None:
    state: State = new_game(played.rules)
    for number, move in enumerate(played.moves):
        apart = pickle.loads(pickle.dumps(state))
        exposed = repr(state)
        legal_moves(state)
        why_illegal(state, Play(0, QUEEN))
        following = apply(state, move)
        assert state == apart
        assert repr(state) == exposed
        assert following == played.states[number + 1]
        state = following


NAMES: Final = names()


def check_value(value: Any) -> None:
    """Equality, hash, repr, pickle and copies of one value."""
    twins = [eval(repr(value), dict(NAMES)), pickle.loads(pickle.dumps(value)), copy.copy(value), copy.deepcopy(value)]
    for twin in twins:
        assert type(twin) is type(value)
        assert twin == value
        assert hash(twin) == hash(value)
        assert repr(twin) == repr(value)


@laws(75)
@given(states_of(rules=any_rules()))
def test_states_are_values(state: State) -> None:
    check_value(state)
    check_value(state.rules)
    assert state != object()
    assert state != new_game(Rules(target=99))


@laws(30)
@given(matches(max_deals=1))
def test_moves_and_rows_and_tricks_are_values(played: Match) -> None:
    for move in played.moves:
        check_value(move)
    for ended, _, row in finished_deals(played):
        check_value(row)
        check_value(ended)
        for trick in ended.tricks:
            check_value(trick)


@laws(50)
@given(states_of(rules=any_rules()), generators())
def test_refusals_are_values(state: State, rng: Random) -> None:
    for move in list(candidates(state, rng))[:: rng.randint(5, 20)]:
        reasons = why_illegal(state, move)
        if reasons:
            for reason in reasons:
                assert pickle.loads(pickle.dumps(reason)) == reason
                assert copy.deepcopy(reason) == reason
                assert str(reason)
            error = IllegalMove(reasons, move)
            twin = pickle.loads(pickle.dumps(error))
            assert (twin.violations, twin.move, str(twin)) == (error.violations, error.move, str(error))


@laws(30)
@given(matches())
def test_equal_paths_lead_to_equal_states_and_different_states_differ(played: Match) -> None:
    assert len(set(played.states)) == len(played.states)


def public_parts(value: object) -> Iterator[str]:
    cls: Any = type(value)
    if attrs.has(cls):
        yield from (field.name for field in attrs.fields(cls))
    for kind in cls.__mro__:
        yield from attribute_names(kind)


@laws(40)
@given(states_of(rules=any_rules()), generators())
def test_no_public_value_can_be_changed(state: State, rng: Random) -> None:
    moves = list(candidates(state, rng))
    values = reachable((state, rng.sample(moves, 20)), {})
    for move in rng.sample(moves, 20):
        reachable(why_illegal(state, move), values)
    kinds = set()
    for value in values.values():
        if not (isinstance(value, Value) or attrs.has(type(value))):
            continue
        kinds.add(type(value))
        parts = [name for name in public_parts(value) if not name.startswith("__")]
        for name in [*parts, "novel"]:
            with pytest.raises((AttributeError, TypeError)):
                setattr(value, name, None)
            with pytest.raises((AttributeError, TypeError)):
                delattr(value, name)
    assert {type(state), Rules, Cards, Card, Play} <= kinds


# ---------------------------------------------------------------------------------------------------- lazy sequences


def pass_key(move: Pass) -> tuple[object, ...]:
    """The documented order: seat by seat, gift by gift in the order of the sorted cards, declining last."""
    return (move.seat, not move.cards, [[card.index for card in gift] for gift in move.cards])


def all_passes(state: Passing, seat: int) -> list[Pass]:
    """Every pass of a seat, by brute force."""
    cards = [str(card) for card in state.hands[seat] if card not in state.rules.unpassable]
    found = [
        Pass(seat, *tuple(Cards(" ".join(gift)) for gift in gifts))
        for gifts in choose_gifts(cards, [count for _, count in state.plan])
    ]
    if state.rules.pass_optional is not PassOptional.NO:
        found.append(Pass(seat))
    return sorted(found, key=pass_key)


@laws(75)
@given(states_of(Passing), generators())
def test_few_passes_are_listed_as_documented(state: State, rng: Random) -> None:
    assume(isinstance(state, Passing))
    assert isinstance(state, Passing)
    assume(state.plan != ANY_NUMBER)
    for part in to_act(state):
        passes: Sequence[Move] = legal_moves(state, part)
        if len(passes) <= 1000:
            assert list(passes) == all_passes(state, part)
    passes = legal_moves(state)
    assume(len(passes) <= 3000)
    event(f"{len(state.plan)} gifts, {state.rules.decks} decks")
    listed = [move for move in passes if isinstance(move, Pass)]
    count = len(listed)
    assert len(passes) == count
    assert [passes[index] for index in range(count)] == listed
    assert [passes[index - count] for index in range(count)] == listed
    for index in (count, -count - 1, 10**30):
        with pytest.raises(IndexError):
            passes[index]
    for _ in range(5):
        start, stop = (rng.choice([None, *range(-count - 2, count + 2)]) for _ in range(2))
        cut = slice(start, stop, rng.choice([None, 2, -1, -3]))
        assert list(passes[cut]) == listed[cut]
    assert list(reversed(passes)) == listed[::-1]
    assert all(move in passes for move in listed)
    chosen = rng.choice(listed)
    assert listed[passes.index(chosen)] == chosen
    assert passes.count(chosen) == 1
    for stranger in (Pass(state.rules.players, *listed[0].cards), Play(0, QUEEN), None, "pass"):
        assert stranger not in passes
    assert passes == legal_moves(pickle.loads(pickle.dumps(state)))
    assert hash(passes) == hash(legal_moves(state))
    assert passes != listed
    later = apply(state, chosen)
    assert passes != legal_moves(later)
    assert str(count) in repr(passes)


@laws(50)
@given(states_of(Passing, rules=any_rules()), generators())
def test_many_passes_are_unranked_in_the_documented_order(state: State, rng: Random) -> None:
    assume(isinstance(state, Passing))
    passes = legal_moves(state)
    count = len(passes)
    places = sorted({rng.randrange(count) for _ in range(60)} | {0, count - 1})
    moves = [passes[place] for place in places]
    keys = []
    for move in moves:
        assert isinstance(move, Pass)
        assert move in passes
        assert is_legal(state, move)
        keys.append(pass_key(move))
    assert all(one < other for one, other in pairwise(keys))


@laws(50)
@given(st.data())
def test_deals_are_a_lazy_sequence(data: st.DataObject) -> None:
    rules = data.draw(any_rules())
    state = new_game(rules)
    possible = legal_moves(state)
    assert possible
    move = data.draw(deals(rules))
    assert move in possible
    assert is_legal(state, move)
    assert None not in possible
    for count in (0, -1, slice(2)):
        with pytest.raises(OverflowError):
            possible[count]
    with pytest.raises(OverflowError):
        len(possible)
    with pytest.raises(OverflowError):
        reversed(possible)
    first = [one for one, _ in zip(possible, range(6), strict=False)]
    assert all(is_legal(state, one) for one in first)
    keys = [[[card.index for card in hand] for hand in one.hands] for one in first if isinstance(one, Deal)]
    assert all(one < other for one, other in pairwise(keys))
    assert possible == legal_moves(new_game(rules))
    assert hash(possible) == hash(legal_moves(new_game(rules)))
    assert possible != legal_moves(new_game(attrs.evolve(rules, no_tricks_bonus=99)))


@pytest.mark.parametrize(
    ("decks", "deck"), [(1, "2C 3C 4C 5C 6C QS"), (1, "2C 3C 4C 5C 6C 7C QS"), (2, "2C 2C 3C 4C QS QS 2H")]
)
def test_few_deals_are_listed_by_brute_force(decks: int, deck: str) -> None:
    rules = rules_of(
        f"players=3 decks={decks} hand_size=2 kitty=last-trick opening_leader=dealer-left opening_card=any "
        "pass_cycle=hold",
        deck=deck,
    )
    listed = [
        [[str(card) for card in bag] for bag in (*move.hands, move.kitty)]
        for move in legal_moves(new_game(rules))
        if isinstance(move, Deal)
    ]
    pack = [card.index for card in rules.deck]
    every = {
        (tuple(sorted(order[:2])), tuple(sorted(order[2:4])), tuple(sorted(order[4:6])), tuple(sorted(order[6:])))
        for order in permutations(pack)
    }
    assert listed == [[[str(FACES[index]) for index in bag] for bag in bags] for bags in sorted(every)]
