"""Worlds: always consistent, as likely as they should be, and checked by an enumeration that shares no code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import combinations, product
from math import factorial, sqrt
from random import Random
from typing import Any, Final, TypeAlias, TypeGuard

import attrs
import pytest

from heartsrules import (
    COMPILED,
    AwaitingDeal,
    Card,
    Cards,
    ChoosingMoon,
    Deal,
    DealingBack,
    Expose,
    Exposing,
    GameOver,
    InvalidState,
    Move,
    Pass,
    Passing,
    Play,
    Playing,
    Rules,
    ScoreSheet,
    Seat,
    State,
    Suit,
    apply,
    deal,
    is_legal,
    legal_cards,
    legal_moves,
    new_game,
    presets,
    public_view,
    view,
)
from heartsrules.base.values import Value, replaced
from heartsrules.chance import RandomStream, SeededBits
from heartsrules.rules import Compulsory, FirstTrick, HeartsLead, OpeningCard, OpeningLeader, PassOptional
from heartsrules.setup import set_up
from heartsrules.views import PassingView, PlayingView, View
from heartsrules.views import view_of as seen_by
from heartsrules.views.worlds import consistent, sample_world
from heartsrules.views.worlds.hidden_cards import PlayingWorlds
from support.parts import with_parts
from support.random_play import play_cards, reached
from support.rounds import SEED, rounds
from support.strategies import QUEEN, match, one_in, play_anything, random_rules
from support.tables import named, rules_of

ROUNDS: Final = rounds(4000)
"""How many worlds the test of consistency draws."""


def in_play(state: State) -> TypeGuard[Playing]:
    return isinstance(state, Playing)


# ------------------------------------------------------------------------------------------------------ consistency


def kinds(state: State, seat: Seat | None) -> Iterator[str]:
    """What is remarkable about drawing a world of this state."""
    rules = state.rules
    yield type(state).__name__
    yield f"{rules.decks} decks"
    if seat is None:
        yield "spectator"
    if isinstance(state, Passing) and any(state.commitments):
        yield "others have committed"
    if isinstance(state, Exposing) and any(state.commitments):
        yield f"others have shown cards or none, {rules.exposure}"
    if not isinstance(state, Playing):
        return
    start = state.start
    for owner, bag in enumerate(start.exposed):
        if owner != seat and bag:
            yield "shown cards are held" if bag & state.hands[owner] else "shown cards were played"
            if state.passes:
                yield "shown cards after passing"
    if rules.kitty_size:
        yield "kitty not seen" if state.kitty_winner is None else "kitty taken"
    if state.passes:
        yield "passed"
        if not all(commitment.cards for commitment in state.passes):
            yield f"declined, {rules.pass_optional}"
        if len(rules.pass_plan(state.deal_number)) > 1:
            yield "several gifts"
        if rules.unpassable:
            yield "unpassable"
    if any(state.trick_number and suits for suits in view(state, seat or 0).voids):  # type: ignore[union-attr]
        yield "voids"
    opening = state.tricks[0].plays[0] if state.tricks else None
    if opening is not None:
        if rules.opening_leader is OpeningLeader.LOWEST_CLUB:
            yield f"opened by the lowest club, {rules.opening_card}"
        if opening.card.suit is not Suit.CLUBS and rules.opening_card is not OpeningCard.ANY:
            yield "opened without a club"
        if rules.penalty(opening.card) and rules.opening_card is OpeningCard.NON_POINT:
            yield "opened with a penalty card"
    if rules.compulsory is not Compulsory.NO:
        yield "compulsory cards"
    if opening is not None and rules.opening_leader is OpeningLeader.QUEEN_TAKER:
        yield f"opened by the {'lowest spade' if state.score_sheet.queen_taker is None else 'taker of the queen'}"
    if rules.hearts_lead is HeartsLead.POINTS_WHEN_BROKEN:
        yield "penalty cards wait"
    if rules.first_trick is FirstTrick.NO_HEARTS:
        yield "no hearts on the first trick"


EXPECTED: Final = (
    "AwaitingDeal", "Passing", "Exposing", "Playing", "GameOver", "1 decks", "2 decks", "spectator",
    "others have committed", "others have shown cards or none, together", "others have shown cards or none, in-turn",
    "others have shown cards or none, rounds", "others have shown cards or none, rounds-in-turn",
    "shown cards are held", "shown cards were played", "shown cards after passing", "kitty not seen", "kitty taken",
    "passed", "declined, skip", "declined, unanimous", "several gifts", "unpassable", "voids",
    "opened by the lowest club, lowest-club", "opened by the lowest club, any-club",
    "opened by the lowest club, non-point", "opened by the lowest club, any", "opened without a club",
    "opened with a penalty card", "compulsory cards", "opened by the lowest spade", "opened by the taker of the queen",
    "penalty cards wait", "no hearts on the first trick",
)  # fmt: skip


@pytest.mark.long
def test_worlds_of_random_rule_sets_are_consistent() -> None:
    # The games do not depend on how many numbers the worlds take.
    rng, drawing = Random(f"worlds {SEED}"), Random(f"drawing {SEED}")
    reached: Counter[str] = Counter()
    drawn = 0
    while drawn < ROUNDS:
        rules = random_rules(rng)
        for _, _, state in match(rules, rng, 2):
            if not one_in(rng, 4):
                continue
            seat = rng.choice((None, *range(rules.players)))
            seen = seen_by(state, seat)
            assert consistent(seen, state), (seat, state)
            for _ in range(2):
                world = sample_world(seen, drawing)
                assert type(world) is type(state)
                assert consistent(seen, world), (seat, state, world)
                drawn += 1
            reached.update(kinds(state, seat))
    assert {kind for kind in EXPECTED if reached[kind] < ROUNDS // 3000} == set()


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", presets.ALL)
def test_worlds_of_presets_are_consistent(name: str) -> None:
    rng = Random(name)
    preset = presets.ALL[name]
    for players in {preset.players[0], preset.players[-1]}:
        rules = preset(players)
        for _, _, state in match(rules, rng, 1):
            if one_in(rng, 3):
                seen = seen_by(state, rng.choice((None, *range(players))))
                assert consistent(seen, sample_world(seen, rng)), (seen, state)


@pytest.mark.long
@pytest.mark.once_compiled
@pytest.mark.untraced
def test_a_moon_that_is_to_be_chosen_and_was_chosen() -> None:
    rules = rules_of("players=3 moon=choice pass_cycle=L1,hold", deck="2C 3C 4C 2H 3H 4H")
    rng = Random(3)
    seen: Counter[type[State]] = Counter()
    for _ in range(400):
        chosen = False
        for before, _, state in match(rules, rng, 2):
            chosen = chosen or isinstance(state, ChoosingMoon)
            if isinstance(state, ChoosingMoon) or isinstance(before, ChoosingMoon):
                for seat in (None, 0, 1, 2):
                    world = sample_world(seen_by(state, seat), rng)
                    assert type(world) is type(state)
                    assert consistent(seen_by(state, seat), world)
                seen[type(state)] += 1
                if isinstance(state, AwaitingDeal):
                    sheet = state.score_sheet
                    forged = replaced(
                        state, score_sheet=sheet.head(len(sheet) - 1).with_row(replaced(sheet[-1], effect=None))
                    )
                    assert not consistent(public_view(forged), forged)
    assert seen[ChoosingMoon] > 10
    assert seen[AwaitingDeal] > 10


# --------------------------------------------------------------------------------------- the pipeline, card by card


@pytest.mark.long
@pytest.mark.once_compiled
def test_every_reason_against_a_card_is_a_single_other_card() -> None:
    """What the sampling rests on: a card may be played from a hand if and only if it could be from each pair of it."""
    rng = Random(4)
    legal = barred = showing = 0
    for _ in range(3000):
        rules = random_rules(rng)
        faces = list(rules.deck.distinct())
        hand = rng.sample(faces, min(len(faces), rng.randint(2, 6)))
        if one_in(rng, 2):
            hand = [card for card in hand if card.suit is Suit.HEARTS] + [QUEEN] * (QUEEN in faces)
        hand = hand[: rules.cards_per_hand]
        others = [card for card in faces if card not in hand]
        situation: dict[str, Any] = {
            "trick": rng.sample(others, min(len(others), rng.randrange(3))),
            "first_trick": one_in(rng, 2),
            "hearts_broken": one_in(rng, 3),
            "exposed": [card for card in rules.exposable if card in hand and not one_in(rng, 4)],
            "suits_led": [suit for suit in Suit if one_in(rng, 3)],
        }
        showing += bool(situation["exposed"])
        for card in hand:
            whole = card in legal_cards(rules, Cards(hand), **situation)
            if one_is_compulsory_and_shown(rules, situation):
                continue
            pairs = [
                card
                in legal_cards(
                    rules, Cards({card, other}), **{**situation, "exposed": shown_of(situation, card, other)}
                )
                for other in hand
            ]
            assert whole == all(pairs), (rules, hand, card, situation)
            legal += whole
            barred += not whole
    assert legal > 1000
    assert barred > 1000
    assert showing > 60


def one_is_compulsory_and_shown(rules: Rules, situation: dict[str, Any]) -> bool:
    """Whether the leader has shown a card that it must play: it may lead another suit if the card is held back, on
    account of two cards together."""
    always = rules.compulsory is Compulsory.ALWAYS and not situation["trick"]
    return always and any(card in rules.compulsory_cards for card in situation["exposed"])


def shown_of(situation: dict[str, Any], *hand: Card) -> list[Card]:
    """The shown cards of a hand that is a part of another."""
    return [card for card in situation["exposed"] if card in hand]


def test_who_led_another_suit_than_that_of_a_shown_compulsory_card_held_a_card_beside_it() -> None:
    """Seat 1 has shown the Q♠, which it must play if it may, and leads a diamond: so the Q♠ is held back."""
    rules = rules_of(
        "players=3 pass_cycle=hold opening_leader=dealer-left opening_card=unrestricted compulsory=always exposable=QS",
        deck="2C 3C 4D 5D QS 3S 4S 2H 3H",
    )
    state = apply(new_game(rules), Deal((Cards("2C 5D 2H"), Cards("QS 3S 4D"), Cards("3C 3H 4S"))))
    for seat, text in enumerate(("", "QS", "")):
        state = apply(state, Expose(seat, Cards(text)))
    state = apply(state, Play(1, Card("4D")))
    rng = Random(1)
    for viewer in (0, 1, 2, None):
        seen = seen_by(state, viewer)
        assert all(consistent(seen, sample_world(seen, rng)) for _ in range(20))


# -------------------------------------------------------------------------------------------------- the distribution

World: TypeAlias = State


def enumerated(start: State, moves: Sequence[Move], state: State, seat: Seat | None) -> list[World]:
    """Every state with the same view for that seat, by trying all deals and all passes and playing the same cards."""
    seen = seen_by(state, seat)
    first = moves[0]
    assert isinstance(first, Deal)
    committing = [move for move in moves if isinstance(move, Pass)]
    showing = [move for move in moves if isinstance(move, Expose)]
    after = [move for move in moves[1:] if not isinstance(move, (Pass, Expose))]
    found: dict[World, None] = {}
    for dealt in legal_moves(start):
        assert isinstance(dealt, Deal)
        if seat is not None and dealt.hands[seat] != first.hands[seat]:
            continue
        begun = apply(start, dealt)
        choices = [[move] if move.seat == seat else list(legal_moves(begun, move.seat)) for move in committing]
        for passes in product(*choices):
            settled = played_on(begun, passes)
            if settled is None:
                continue
            # What others show may be anything: the view tells what of it is known.
            exposures = [
                [move] if move.seat == seat else subsets(move.seat, settled.hands[move.seat] & start.rules.exposable)  # type: ignore[union-attr]
                for move in showing
            ]
            for exposed in product(*exposures):
                world = played_on(settled, (*exposed, *after))
                if world is not None and seen_by(world, seat) == seen:
                    found[world] = None
    return list(found)


def subsets(seat: Seat, cards: Cards) -> list[Expose]:
    """Every way in which a seat may show these cards."""
    return [Expose(seat, Cards(chosen)) for size in range(len(cards) + 1) for chosen in combinations(cards, size)]


def played_on(state: State, moves: Sequence[Move]) -> State | None:
    """The state after these moves; None: one of them is not legal."""
    for move in moves:
        if not is_legal(state, move):
            return None
        state = apply(state, move)
    return state


def hands_of(world: World) -> tuple[Cards, ...]:
    """Where the cards lay when play began, or lie while passing; the kitty last."""
    if isinstance(world, (Passing, DealingBack, Exposing)):
        return (*world.hands, world.kitty)
    played = world if isinstance(world, Playing) else world.last_deal
    assert played is not None
    plays = [play for trick in played.tricks for play in trick.plays]
    hands = [Cards()] * world.rules.players
    if isinstance(world, Playing):
        plays += world.trick
        hands = list(world.hands)
    for play in plays:
        hands[play.seat] += Cards([play.card])
    return (*hands, played.kitty)


def pinned(state: State, seat: Seat | None, card: Card) -> int:
    """How many copies of a card the seat knows the place of, or an own hand holds."""
    places = [0] * (state.rules.players + 1)
    hands = hands_of(state)
    if isinstance(state, Playing):
        plays = [*[play for trick in state.tricks for play in trick.plays], *state.trick]
        for at in range(state.rules.players):
            places[at] = sum(play == Play(at, card) for play in plays)
        passes = state.passes
        if seat is not None and passes and all(commitment.cards for commitment in passes):
            for gift, (offset, _) in zip(passes[seat].cards, state.rules.pass_plan(state.deal_number), strict=True):
                to = (seat + offset) % state.rules.players
                places[to] = max(places[to], gift.count(card))
        kitty = seen_by(state, seat).kitty  # type: ignore[union-attr]
        places[-1] = 0 if kitty is None else kitty.count(card)
    if seat is not None:
        places[seat] = hands[seat].count(card)
    return sum(places)


def weights(state: State, seat: Seat | None, worlds: Sequence[World]) -> list[float]:
    """How likely each world should be: hands by the ways in which the unseen cards lie so, passes evenly in them."""
    free = [card for card in state.rules.deck.distinct() if state.rules.deck.count(card) == 2]
    free = [card for card in free if not pinned(state, seat, card)]
    alike = Counter(hands_of(world) for world in worlds)
    raw = [
        2.0 ** sum(max(hand.count(card) for hand in hands_of(world)) == 1 for card in free) / alike[hands_of(world)]
        for world in worlds
    ]
    return [weight / sum(raw) for weight in raw]


def excess(counts: Counter[Any], worlds: Sequence[Any], shares: Sequence[float]) -> float:
    """Pearson's chi-square as a standard normal variable (Wilson and Hilferty); 0 with only one world."""
    total = sum(counts.values())
    freedom = len(worlds) - 1
    if not freedom:
        return 0.0
    chi = sum(
        (counts[world] - total * share) ** 2 / (total * share) for world, share in zip(worlds, shares, strict=True)
    )
    return float(((chi / freedom) ** (1 / 3) - 1 + 2 / (9 * freedom)) / sqrt(2 / (9 * freedom)))


FAR: Final = 5.0
"""A right sampler exceeds this once in three million tests."""


def sampled(state: State, seat: Seat | None, count: int, rng: Random) -> Counter[World]:
    seen = seen_by(state, seat)
    return Counter([sample_world(seen, rng) for _ in range(count)])


SIX: Final = "2C 3C 4D QS 2H 3H"
SEVEN: Final = "2C 3C 4D QS KS 2H 3H"
HOLD_ALWAYS: Final = [()]

# name, the cards of three players, rules
TINY: Final = {
    name: rules_of(f"players=3 {text}", deck=deck)
    for name, deck, text in [
        ("no passing", "2C 3C 4D 5D 4S 5S QS 2H 3H", "pass_cycle=hold"),
        ("any opening, clubs in the kitty", "2C 3C 5C 4D QS KS 2H 3H",
         "kitty=last-trick pass_cycle=hold opening_card=any"),
        ("club opening, kitty shown to all", SEVEN,
         "kitty=first-trick kitty_shown_to=everybody pass_cycle=hold opening_card=any-club"),
        ("queen compulsory and breaking", SEVEN,
         ("kitty=first-point pass_cycle=hold opening_leader=dealer-left opening_card=non-point queen_breaks=played "
          "compulsory=always")),
        ("the lowest spade opens", "2C 4D 2S 3S QS KS 2H",
         "kitty=first-trick pass_cycle=hold opening_leader=queen-taker opening_card=unrestricted"),
        ("penalty cards wait", SIX,
         ("pass_cycle=hold opening_leader=dealer-left opening_card=any first_trick=no-hearts "
          "hearts_lead=points-when-broken hearts_break=discarded")),
        ("two compulsory cards", SEVEN, "kitty=first-point pass_cycle=hold compulsory=safe compulsory_cards=4D,QS"),
        ("shown together", SEVEN, "kitty=first-trick pass_cycle=hold exposable=QS,2H"),
        ("shown in turn", SEVEN, "kitty=last-trick pass_cycle=hold exposable=QS,3H exposure=in-turn opening_card=any"),
        ("shown together, passing", SIX, "pass_cycle=L1 exposable=QS,2H"),
        ("shown in turn, declining", SIX, "pass_cycle=L1 pass_optional=skip exposable=QS exposure=in-turn"),
        ("shown in rounds", SEVEN,
         ("kitty=last-trick pass_cycle=hold exposable=QS,3H exposure=rounds exposed_card_play=wait-on-lead "
          "opening_card=any")),
        ("shown in rounds, in turn", SIX, "pass_cycle=L1 exposable=QS,2H exposure=rounds-in-turn"),
        ("shown cards held back", "4D 5D 3S 4S QS KS 2H 3H AH",
         ("pass_cycle=hold exposable=QS,KS,AH opening_leader=dealer-left opening_card=unrestricted first_trick=free "
          "hearts_lead=any-time extra_penalties=KS:5")),
        ("passing left", SIX, "pass_cycle=L1"),
        ("passing with a kitty", SEVEN, "kitty=first-trick pass_cycle=R1"),
        ("unpassable", SIX, "pass_cycle=L1 unpassable=QS"),
        ("scatter", SIX, "pass_cycle=L1+R1"),
        ("skip", SIX, "pass_cycle=L1 pass_optional=skip"),
        ("unanimous", SIX, "pass_cycle=L1 pass_optional=unanimous"),
        ("twins, lowest club", "2C 2C 3C 4D 4D QS QS", "decks=2 kitty=last-trick pass_cycle=hold"),
        ("twins, any opening", "2C 2C 3C 3C 4D 4D QS 2H 2H", "decks=2 pass_cycle=hold opening_card=any"),
        ("twins, passing", "2C 2C 4D 4D QS QS", "decks=2 pass_cycle=L1 moon=off"),
    ]
}  # fmt: skip


def history(rules: Rules, rng: Random) -> Iterator[tuple[State, list[Move], State]]:
    """A deal, state by state, with the moves since it was to be dealt."""
    start = new_game(rules)
    moves: list[Move] = []
    for _, move, state in match(rules, rng, 1, [play_anything] * rules.players):
        moves.append(move)
        yield start, list(moves), state


@pytest.mark.long
@pytest.mark.parametrize("name", TINY)
@pytest.mark.once_compiled
def test_every_world_is_as_likely_as_it_should_be(name: str) -> None:
    rules = TINY[name]
    rng = Random(name)
    several = 0
    games = rounds(1)
    for _ in range(games):
        for start, moves, state in history(rules, rng):
            if isinstance(state, ChoosingMoon):
                break
            seat = rng.choice((None, 0, 1, 2))
            worlds = enumerated(start, moves, state, seat)
            assert state in worlds
            if len(worlds) > 600:
                continue
            counts = sampled(state, seat, min(4000, 30 * len(worlds)), rng)
            assert set(counts) <= set(worlds)
            assert excess(counts, worlds, weights(state, seat, worlds)) < FAR, (seat, state)
            several += len(worlds) > 1
    assert several >= games


@pytest.mark.long
def test_a_wrong_distribution_is_found() -> None:
    """The test above tells deals of physical cards from deals of faces."""
    rules = TINY["twins, lowest club"]
    rng = Random(7)
    start, moves, state = next(history(rules, rng))
    worlds = enumerated(start, moves, state, 0)
    counts = sampled(state, 0, 4000, rng)
    shares = weights(state, 0, worlds)
    assert len(set(shares)) > 1
    assert excess(counts, worlds, shares) < FAR
    assert excess(counts, worlds, [1 / len(worlds)] * len(worlds)) > FAR


AIMED: Final = {
    name: rules_of(text)
    for name, text in {
        "voids and passes": "",
        "declined": "pass_optional=skip",
        "several gifts": "players=5 removed=2C,2D pass_cycle=L2+R1",
        "shown cards": "gong_zhu players=4",
        "shown cards and a kitty": "players=3 hand_size=16 kitty=last-trick pass_cycle=hold exposable=QS,AH",
        "a kitty that nobody sees": "hand_size=12 kitty=first-trick kitty_shown_to=nobody",
        "compulsory cards": "leekha",
        "penalty cards wait": "opening_card=any hearts_lead=points-when-broken",
        "the lowest spade opens": "players=3 hand_size=16 kitty=last-trick pass_cycle=hold opening_leader=queen-taker",
    }.items()
}
"""Of one deck, each with something of its own to know of the hidden hands."""


def shared_out(cards: list[Card], sizes: Sequence[int]) -> Iterator[tuple[Cards, ...]]:
    """Every way to deal different cards to places of these sizes."""
    if not sizes:
        yield ()
        return
    for chosen in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in chosen]
        for others in shared_out(rest, sizes[1:]):
            yield (Cards(chosen), *others)


def tried(state: Playing, seat: Seat | None) -> list[tuple[Cards, ...]]:
    """Every way in which the cards may have lain after the exchange, the kitty last, by dealing all that is hidden in
    every way and playing the same cards again, without passes. What the seat passed lies where it went."""
    rules = changed(state.rules, pass_cycle=HOLD_ALWAYS, pass_optional=PassOptional.NO, unpassable=())
    seen = seen_by(state, seat)
    assert isinstance(seen, PlayingView)
    whole = hands_of(state)
    places = [at for at in range(rules.players) if at != seat] + [rules.players] * (seen.kitty is None)
    hidden = [*state.hands, state.kitty]
    gone = [hand - left for hand, left in zip(whole[:-1], state.hands, strict=True)] + [Cards()]
    mine = [(card, at) for card in (seen.passed if seat is not None else ()) for at in places if card in whole[at]]
    moves = [Expose(at, cards) for at, cards in enumerate(state.exposed)] if rules.exposable else []
    moves = [*moves[state.dealer + 1 :], *moves[: state.dealer + 1]]
    plays = [*[play for trick in state.tricks for play in trick.plays], *state.trick]
    found = []
    for lying in shared_out([card for at in places for card in hidden[at]], [len(hidden[at]) for at in places]):
        cards = list(whole)
        for at, bag in zip(places, lying, strict=True):
            cards[at] = gone[at] + bag
        if all([card in cards[at] for card, at in mine]):
            begun = AwaitingDeal(rules, ScoreSheet((0,) * rules.players, state.deal_number), None)
            if played_on(begun, [Deal(tuple(cards[:-1]), cards[-1]), *moves, *plays]) is not None:
                found.append(tuple(cards))
    return found


def few_ways(state: State, seat: Seat | None, most: int) -> TypeGuard[Playing]:
    """Whether there are several ways to deal what is hidden, and not too many."""
    if not isinstance(state, Playing):
        return False
    seen = seen_by(state, seat)
    assert isinstance(seen, PlayingView)
    sizes = [len(hand) for at, hand in enumerate(state.hands) if at != seat]
    sizes += [state.rules.kitty_size] * (seen.kitty is None)
    ways = factorial(sum(sizes))
    for size in sizes:
        ways //= factorial(size)
    return 1 < ways <= most


def check_against_all_ways(name: str, games: int, most: int) -> None:
    rules, rng = AIMED[name], Random(f"aimed {name}")
    positions = several = 0
    while positions < games:
        for _, _, state in match(rules, rng, 1, [play_anything] * rules.players):
            seat = rng.choice((None, *range(rules.players)))
            if one_in(rng, 2) and few_ways(state, seat, most):
                positions += 1
                ways = tried(state, seat)
                worlds = PlayingWorlds(seen_by(state, seat))  # type: ignore[arg-type]
                assert worlds.sampler.count == len(ways), (seat, state)
                drawn = Counter([hands_of(worlds.draw(rng)) for _ in range(12 * len(ways))])
                assert set(drawn) <= set(ways)
                assert excess(drawn, ways, [1 / len(ways)] * len(ways)) < FAR, (seat, state)
                several += len(ways) > 1
    assert several >= games // 2


@pytest.mark.long
@pytest.mark.parametrize("name", AIMED)
def test_all_ways_are_found_where_all_can_be_tried(name: str) -> None:
    check_against_all_ways(name, 4, 100)


@pytest.mark.long
@pytest.mark.parametrize("name", AIMED)
@pytest.mark.once_compiled
def test_all_ways_are_found_in_many_positions(name: str) -> None:
    check_against_all_ways(name, rounds(14), 1000)


def dealt_and_refused(state: Playing, seat: Seat, accepted: int, rng: Random) -> list[tuple[Cards, ...]]:
    """Hands after dealing the unseen cards at random until nobody has a suit that it did not follow."""
    seen = view(state, seat)
    assert isinstance(seen, PlayingView)
    sizes = [0 if at == seat else size for at, size in enumerate(seen.hand_sizes)]
    ends = [sum(sizes[: at + 1]) for at in range(len(sizes))]
    void = [[suit in suits for suit in Suit] for suits in seen.voids]
    owners = [at for at, size in enumerate(sizes) for _ in range(size)]
    pack = [card for at, hand in enumerate(state.hands) if at != seat for card in hand]
    found: list[tuple[Cards, ...]] = []
    while len(found) < accepted:
        rng.shuffle(pack)
        if not any(void[at][card.suit] for at, card in zip(owners, pack, strict=True)):
            found.append(tuple(Cards(pack[end - size : end]) for end, size in zip(ends, sizes, strict=True)))
    return found


@pytest.mark.long
@pytest.mark.once_compiled
@pytest.mark.untraced
def test_cards_lie_as_often_in_each_hand_as_when_dealt_and_refused() -> None:
    """With whole hands, where there are too many worlds to list; only following suit tells something here."""
    rules = rules_of(
        "pass_cycle=hold opening_leader=dealer-left opening_card=any hearts_lead=any-time first_trick=free"
    )
    rng = Random(2)
    compared = 0
    while compared < 3:
        for _, _, state in match(rules, rng, 1, [play_anything] * 4, "random"):
            if not isinstance(state, Playing) or state.trick:
                continue
            seen = view(state, 0)
            assert isinstance(seen, PlayingView)
            if sum(map(len, seen.voids[1:])) == 2:
                compared += 1
                count = 1500
                refused = dealt_and_refused(state, 0, count, rng)
                drawn = [world.hands for world in (sample_world(seen, rng) for _ in range(count)) if in_play(world)]
                for seat, card in product((1, 2, 3), [card for hand in state.hands[1:] for card in hand]):
                    one, other = (sum(card in hands[seat] for hands in way) / count for way in (refused, drawn))
                    mean = (one + other) / 2
                    assert abs(one - other) <= FAR * sqrt(2 * mean * (1 - mean) / count), (seat, card)
                break


# ---------------------------------------------------------------------------------------------------- what is known


@pytest.fixture(scope="module")
def middle() -> Playing:
    """The four-player game after some tricks, when others than seat 0 have shown two voids."""
    for seed in range(100):
        rng = Random(seed)
        for _, _, state in match(Rules(), rng, 1, [play_anything] * 4, "random"):
            if isinstance(state, Playing) and not state.trick:
                seen = view(state, 0)
                assert isinstance(seen, PlayingView)
                if state.trick_number < 8 and sum(map(len, seen.voids[1:])) == 2:
                    return state
    pytest.fail("no such deal")


def test_worlds_differ_in_all_that_is_hidden(middle: Playing) -> None:
    seen = view(middle, 0)
    assert isinstance(seen, PlayingView)
    void = [(seat, suit) for seat, suits in enumerate(seen.voids) if seat for suit in suits]
    assert void
    rng = Random(11)
    worlds = [sample_world(seen, rng) for _ in range(300)]
    assert len(set(worlds)) > 295
    lying: dict[Card, set[Seat]] = {}
    for world in worlds:
        assert isinstance(world, Playing)
        assert world.hands[0] == seen.hand
        assert world.passes[0] == middle.passes[0]
        for seat, suit in void:
            assert not world.hands[seat].of_suit(suit)
        for seat in (1, 2, 3):
            for card in world.hands[seat]:
                lying.setdefault(card, set()).add(seat)
    own = middle.passed[0]
    assert set(lying) == {card for hand in middle.hands[1:] for card in hand}
    for card, seats in lying.items():
        possible = {1, 2, 3} - {seat for seat, suit in void if suit is card.suit}
        assert seats == ({1} if card in own else possible)


def test_equal_bits_give_equal_worlds(middle: Playing) -> None:
    seen = view(middle, 2)
    first = sample_world(seen, Random(5))
    for seat in (0, 1, 3, None):
        for other in (middle, new_game(Rules()), new_game(presets.pagat())):
            sample_world(seen_by(other, seat), Random(1))
    assert sample_world(seen, Random(5)) == first
    assert sample_world(seen, Random(6)) != first


PINNED: Final = {
    "voids and passes": "20f9bc173d1a4829",
    "declined": "9a55d28f0470c1f3",
    "several gifts": "84b1a8c1a54a9589",
    "shown cards": "ea98b358af43b08c",
    "shown cards and a kitty": "f9878bc50b00ec50",
    "a kitty that nobody sees": "b0484c724aeac254",
    "compulsory cards": "507f82ef05b8f009",
    "penalty cards wait": "530989fb2640b140",
    "the lowest spade opens": "01387896f42264c0",
    "twins, lowest club": "211b69b6c2e7c277",
    "twins, passing": "4ea2d603e85d2a07",
    "shown in turn, declining": "c0cf6a0475070ddb",
    "scatter": "42b5d818c23edab7",
}
"""For each rule set, a digest of worlds of one deal. Whoever changes the draw on purpose puts new ones here."""


def hidden_parts(world: World) -> str:
    """What is drawn of a world: the hands, the kitty, and what was passed and shown."""
    if isinstance(world, (Passing, Exposing)):
        return repr((hands_of(world), world.commitments, world.passes if isinstance(world, Exposing) else ()))
    if isinstance(world, DealingBack):
        return repr((hands_of(world), world.commitments))
    played = world if isinstance(world, Playing) else world.last_deal
    return repr((hands_of(world), played.passes) if played else ())


@pytest.mark.parametrize("name", PINNED)
def test_the_same_worlds_are_drawn_everywhere(name: str) -> None:
    rules = (AIMED | TINY)[name]
    rng = Random(f"pinned {name}")
    drawn = []
    for number, (_, _, state) in enumerate(match(rules, rng, 1, [play_anything] * rules.players)):
        seen = seen_by(state, (None, *range(rules.players))[number % (rules.players + 1)])
        bits = SeededBits(number, "world") if number % 2 else RandomStream(number)
        drawn += [hidden_parts(sample_world(seen, bits)) for _ in range(1 + number % 2)]
    assert sha256("\n".join(drawn).encode()).hexdigest()[:16] == PINNED[name]


def test_what_is_said_is_worked_out_once_for_equal_views(middle: Playing, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[PlayingView] = []

    def counted(seen: PlayingView) -> PlayingWorlds:
        made.append(seen)
        return PlayingWorlds(seen)

    monkeypatch.setattr("heartsrules.views.worlds.PlayingWorlds", counted)
    state: State = middle
    for _ in range(3):
        for seat in (0, 1, 2, 3, None):
            sample_world(seen_by(state, seat), Random(1))
    assert len(made) == 5
    first = made[0]
    for _ in range(8):
        state = apply(state, legal_moves(state)[0])
        sample_world(view(state, 0), Random(1))
    assert len(made) == 13
    # It has been forgotten.
    sample_world(first, Random(1))
    assert len(made) == 14


def test_before_the_first_deal_there_is_one_world() -> None:
    start = new_game(Rules())
    assert sample_world(view(start, 0), Random(1)) == start


def test_passes_that_are_not_known_stay_unknown() -> None:
    rules = TINY["passing left"]
    hands = [Cards("2C QS"), Cards("3C 2H"), Cards("4D 3H")]
    state = set_up(rules, hands=hands)
    assert state.passes == ()
    for seat in (0, 1, 2):
        world = sample_world(view(state, seat), Random(seat))
        assert isinstance(world, Playing)
        assert world.passes == ()
        assert consistent(view(state, seat), world)
    # A spectator is not told how many cards each seat committed, and so knows that the passes are unknown.
    world = sample_world(public_view(state), Random(1))
    assert isinstance(world, Playing)
    assert world.passes == ()
    assert consistent(public_view(state), state)
    assert consistent(public_view(state), world)


# ---------------------------------------------------------------------------------------------------- refused worlds


def exchanged(hands: Sequence[Cards], swap: str) -> tuple[Cards, ...]:
    """Hands after two seats have swapped cards: seat, other seat, card, other card."""
    one, other, mine, theirs = seats_and_cards(swap)
    swapped = list(hands)
    assert mine in hands[one]
    assert theirs in hands[other]
    swapped[one] = hands[one] - Cards([mine]) + Cards([theirs])
    swapped[other] = hands[other] - Cards([theirs]) + Cards([mine])
    return tuple(swapped)


def seats_and_cards(swap: str) -> tuple[Seat, Seat, Card, Card]:
    one, other, mine, theirs = swap.split()
    return int(one), int(other), Card(mine), Card(theirs)


def played_out(rules: Rules, hands: Sequence[str], plays: str, kitty: str = "") -> Playing:
    """A deal without passing, as far as these cards are played."""
    state: State = play_cards(apply(new_game(rules), Deal(tuple(map(Cards, hands)), Cards(kitty))), plays)
    assert isinstance(state, Playing)
    return state


TWELVE: Final = "2C 3C 4C 4D 5D 6D QS 2H 3H 4H 5H 6H"


# name, rules, hands, plays, cards that two seats swap for a world that is refused, and for one that is not
SWAPS = [
    ("did not follow suit", "", "2C 4D QS 2H|5D 6D 3H 4H|3C 4C 5H 6H", "2C 5D 3C", "1 2 3H 4C", "1 2 3H 5H"),
    ("led a heart, hearts unbroken", "", "2C 4D 5D 6D|3C QS 3H 4H|4C 2H 5H 6H", "2C 3C 4C 5H", "2 0 6H 6D",
     "2 1 6H 4H"),
    ("led a heart beside the queen", "", "2C 4D 5D 6D|3C QS 3H 4H|4C 2H 5H 6H", "2C 3C 4C 5H", "2 1 6H QS",
     "2 1 2H 3H"),
    ("led a heart, where the queen is spared", "heart_lead_spares_queen=yes", "2C 4D 5D 6D|3C QS 3H 4H|4C 2H 5H 6H",
     "2C 3C 4C 5H", "2 0 6H 6D", "2 1 6H QS"),
    ("discarded points on the first trick", "", "2C 4D 5D 6D|2H 3H 4H QS|3C 4C 5H 6H", "2C 2H 3C", "0 1 6D QS",
     "1 2 3H 6H"),
    ("led first, for the lowest club", "opening_card=any", "2C 4D 5D 6D|3C 3H 4H QS|2H 4C 5H 6H", "4D 3C 4C",
     "0 1 2C QS", "1 2 4H 5H"),
    ("opened with the lowest club", "opening_leader=dealer-left", "2C 4D 6D 3H|3C 5D QS 2H|4C 4H 5H 6H", "3C",
     "0 1 2C QS", "0 1 6D QS"),
    ("opened without a club", "opening_leader=dealer-left opening_card=any-club", "2C 3C 4D 3H|5D 6D QS 2H|4C 4H 5H 6H",
     "5D", "0 1 3C QS", "0 1 3H 2H"),
    ("opened with points", "opening_leader=dealer-left opening_card=non-point", "2C 3C 4D 3H|4H 5H QS 2H|4C 5D 6D 6H",
     "4H", "0 1 3C QS", "0 1 3H QS"),
    ("did not play the queen", "first_trick=free compulsory=discard", "2C 4D 5D 6D|2H 3H 4H 5H|3C 4C QS 6H", "2C 2H 3C",
     "1 2 3H QS", "1 2 3H 6H"),
    ("did not play another compulsory card", "first_trick=free compulsory=discard compulsory_cards=6D,QS",
     "2C 4D 5D 6D|2H 3H 4H 5H|3C 4C QS 6H", "2C 2H 3C", "0 1 6D 3H", "0 1 5D 3H"),
    ("led a penalty card unbroken", "opening_leader=dealer-left opening_card=any hearts_lead=points-when-broken",
     "2C 3C 4D 3H|QS 2H 4H 5H|4C 5D 6D 6H", "QS", "0 1 3C 2H", "0 1 3H 2H"),
    ("discarded a heart on the first trick", "first_trick=no-hearts", "2C 4D 5D 3H|2H 4H 5H 6H|3C 4C QS 6D", "2C 2H",
     "1 2 4H QS", "0 1 3H 4H"),
]  # fmt: skip


@named("text hands plays wrong right", SWAPS)
def test_a_world_in_which_a_play_was_illegal_is_refused(
    text: str, hands: str, plays: str, wrong: str, right: str
) -> None:
    """And it is never drawn, while another one that looks much like it is."""
    rules = rules_of(f"players=3 pass_cycle=hold {text}", deck=TWELVE)
    state = played_out(rules, hands.split("|"), plays)
    public = public_view(state)
    refused = with_parts(state, hands=exchanged(state.hands, wrong))
    other = with_parts(state, hands=exchanged(state.hands, right))
    assert public_view(refused) == public_view(other) == public
    assert consistent(public, state)
    assert consistent(public, other)
    assert not consistent(public, refused)
    rng = Random(plays)
    drawn = [world for world in (sample_world(public, rng) for _ in range(1000)) if isinstance(world, Playing)]

    def swapped(world: Playing, swap: str) -> bool:
        one, other, given, taken = seats_and_cards(swap)
        return taken in world.hands[one] and given in world.hands[other]

    assert not any(swapped(world, wrong) for world in drawn)
    assert any(swapped(world, right) for world in drawn)


PASSED: Final = rules_of("players=3 pass_cycle=L1 unpassable=QS", deck=TWELVE)


@pytest.fixture(scope="module")
def passed() -> Playing:
    """A deal with an exchange: 2♥ to seat 1, 3♥ to seat 2, 4♥ to seat 0."""
    state: State = apply(new_game(PASSED), Deal((Cards("2C 4D QS 2H"), Cards("5D 6D 3H 5H"), Cards("3C 4C 4H 6H"))))
    for seat, card in enumerate(("2H", "3H", "4H")):
        state = apply(state, Pass(seat, Cards(card)))
    assert isinstance(state, Playing)
    return state


def with_passes(state: Playing, *gifts: str, moved: Sequence[str] | None = None) -> Playing:
    """The state after the passes of these cards; `moved` is what it says to have been passed, if not the same."""
    cards = [Cards(gift) for gift in moved or gifts]
    return with_parts(
        state,
        passes=tuple([Pass(seat, Cards(gift)) for seat, gift in enumerate(gifts)]),
        pass_counts=tuple([len(Cards(gift)) for gift in gifts]),
        passed=tuple(cards),
        received=(cards[-1], *cards[:-1]),
    )


def test_a_world_in_which_a_pass_was_impossible_is_refused(passed: Playing) -> None:
    public = public_view(passed)
    assert with_passes(passed, "2H", "3H", "4H") == passed
    assert consistent(public, with_passes(passed, "5D", "6H", "4D"))
    refused = {
        "a card that the receiver does not hold": with_passes(passed, "2H", "3H", "5D"),
        "a card that may not be passed": with_passes(passed, "2H", "3H", "QS"),
        "two cards for one": with_passes(passed, "2H 5D", "3H 6H", "4H 4D"),
        "a record that differs from the passes": with_passes(passed, "2H", "3H", "4H", moved=("5D", "3H", "4H")),
        "a pass that is missing": with_parts(passed, passes=passed.passes[:2]),
        "cards passed by nobody": with_parts(passed, passes=()),
        "a record for too few seats": with_parts(passed, passed=passed.passed[:2]),
    }
    # Everybody knows how many cards each seat committed.
    told = {"two cards for one"}
    for reason, state in refused.items():
        assert (public_view(state) == public) == (reason not in told), reason
        assert not consistent(public, state), reason
    assert not consistent(view(passed, 0), with_passes(passed, "5D", "6H", "4D"))


def test_drawn_passes_leave_the_unpassable_cards_where_they_were(passed: Playing) -> None:
    rng = Random(8)
    given = set()
    for _ in range(300):
        world = sample_world(public_view(passed), rng)
        assert isinstance(world, Playing)
        given |= {card for gift in world.passed for card in gift}
    assert given == set(PASSED.deck) - {QUEEN}


def test_a_world_of_another_position_is_refused(passed: Playing) -> None:
    start = new_game(PASSED)
    dealt = apply(start, deal(start, seed=1))
    assert isinstance(dealt, Passing)
    committed = apply(dealt, legal_moves(dealt, 1)[0])
    seen = view(passed, 0)
    for other in (start, dealt, committed, apply(passed, legal_moves(passed)[0])):
        assert not consistent(seen, other)
        assert consistent(view(other, 0), other)
        assert not consistent(view(other, 0), passed)
    assert not consistent(seen, new_game(Rules()))
    assert not consistent(view(passed, 1), with_parts(passed, score_sheet=ScoreSheet((1, 0, 0))))
    assert not consistent(seen, with_parts(passed, hands=exchanged(passed.hands, "0 1 4D 5D")))


def changed(value: Any, **fields: Any) -> Any:
    """A value with other fields, whatever it is and whatever they are."""
    return replaced(value, **fields) if isinstance(value, Value) else attrs.evolve(value, **fields)


def forgeries(passed: Playing) -> Iterator[State]:
    """States that no play leads to."""
    start = new_game(PASSED)
    dealt = apply(start, deal(start, seed=1))
    assert isinstance(dealt, Passing)
    hands = passed.hands
    yield changed(dealt, hands=(dealt.hands[0], *dealt.hands[:2]))
    yield changed(dealt, hands=(dealt.hands[0] - Cards(list(dealt.hands[0])[:1]), *dealt.hands[1:]))
    yield changed(dealt, rules=changed(PASSED, pass_cycle=HOLD_ALWAYS))
    yield changed(dealt, commitments=tuple([legal_moves(dealt, seat)[0] for seat in range(3)]))
    yield with_parts(passed, hands=(hands[0], hands[0], hands[2]))
    yield with_parts(passed, leader=1)
    yield Playing(passed.public, passed.secrets, hands, 2, (), False)
    yield Playing(passed.public, passed.secrets, hands, 0, (Play(0, Card("4D")),), False)
    yield Playing(passed.public, passed.secrets, (Cards("4D QS"), *hands[1:]), 1, (Play(0, Card("2C")),), False)
    yield Playing(passed.public, passed.secrets, hands, 0, (Play(9, Card("2C")),), False)
    yield Playing(passed.public, passed.secrets, hands, 0, (Play(0, Card("2S")),), False)
    yield Playing(passed.public, passed.secrets, hands, 0, (Play(0, Card("2C")),) * 3, False)


def test_a_state_that_no_play_leads_to_is_refused_even_for_its_own_views(passed: Playing) -> None:
    for state in forgeries(passed):
        for seat in (None, 0, 1, 2):
            assert not consistent(seen_by(state, seat), state), (seat, state)


def forged_views(passed: Playing) -> Iterator[tuple[str, View]]:
    """Views that no state has, as somebody might send them."""
    start = new_game(PASSED)
    dealt = apply(start, deal(start, seed=1))
    passing = view(dealt, 0)
    assert isinstance(passing, PassingView)
    first = Cards(list(passing.hand)[:1])
    yield "a hand that is too small", changed(passing, hand=passing.hand - first)
    yield "a card that is not in play", changed(passing, hand=passing.hand - first + Cards("2S"))
    yield "a spectator with a hand", changed(public_view(dealt), hand=passing.hand)
    yield "all have committed", changed(passing, commitment=legal_moves(dealt, 0)[0], committed=frozenset({0, 1, 2}))
    yield "committed by a seat that there is not", changed(passing, committed=frozenset({9}))
    yield "a pass, but not committed", changed(passing, commitment=legal_moves(dealt, 0)[0])

    seen = view(passed, 0)
    assert isinstance(seen, PlayingView)

    def settled(**fields: Any) -> Any:
        return with_parts(seen, **fields)

    yield "a card that somebody else received", changed(seen, hand=Cards("2C 2H QS 4H"))
    yield "a hand of three", changed(seen, hand=Cards("2C 4D QS"))
    yield "a card twice", changed(seen, hand=Cards("2C 4D 4D QS"))
    yield "an illegal opening", changed(seen, hand=Cards("2C QS 4H"), trick=(Play(0, Card("4D")),), turn=1)
    yield "a play of a seat that there is not", changed(seen, trick=(Play(9, Card("3C")),))
    yield "a play of all one's cards", changed(seen, trick=tuple([Play(1, card) for card in seen.rules.deck]))
    yield "hearts broken by nobody", changed(seen, hearts_broken=True)
    yield "somebody else's turn", changed(seen, turn=1)
    yield "another leader than the lowest club's", with_parts(seen, leader=1, turn=1)
    yield "a kitty taken by nobody", with_parts(seen, kitty_winner=7)
    yield "nothing received", settled(received=Cards())
    yield "no gifts", settled(commitment=Pass(0))
    yield "declined, though it may not be", settled(pass_counts=(3, 0, 3, 3))
    yield (
        "a pass of cards that another plays",
        changed(seen, hand=Cards("QS 4D 4H"), trick=(Play(0, Card("2C")), Play(1, Card("5D")), Play(2, Card("2H")))),
    )
    yield (
        "a suit not followed beside a card of it that was passed",
        changed(
            settled(commitment=Pass(0, Cards("3C")), passed=Cards("3C")),
            hand=Cards("QS 4D 4H"),
            trick=(Play(0, Card("2C")), Play(1, Card("5D"))),
            turn=2,
        ),
    )


def test_a_view_that_no_state_has_is_refused(passed: Playing) -> None:
    for reason, seen in forged_views(passed):
        with pytest.raises(InvalidState) as caught:
            pytest.fail(f"{reason}: {sample_world(seen, Random(1))}")
        assert [problem.code for problem in caught.value.problems] == ["impossible-view"], reason


def test_a_kitty_is_filled_in_where_it_was_not_shown() -> None:
    rules = rules_of("players=3 kitty=first-trick pass_cycle=hold target=none max_deals=1", deck=SEVEN)
    state = played_out(rules, ("2C 4D", "QS 2H", "3C KS"), "2C QS 3C", "3H")
    assert state.kitty_winner == 2
    taker = view(state, 2)
    drawn = {sample_world(taker, Random(seed)) for seed in range(100)}
    assert {world.kitty for world in drawn if isinstance(world, Playing)} == {Cards("3H")}
    hidden = public_view(state)
    kitties = set()
    for seed in range(100):
        world = sample_world(hidden, Random(seed))
        assert isinstance(world, Playing)
        assert world.kitty <= world.captured[2]
        kitties.add(world.kitty)
    assert Cards("3H") in kitties
    assert len(kitties) > 2
    over = state
    ended: State = reached(over, lambda state: isinstance(state, GameOver))
    # What was played shows what was left over.
    assert sample_world(public_view(ended), Random(1)) == ended


# -------------------------------------------------------------------------------------------------- wrong arguments


def test_a_position_without_its_history_is_refused() -> None:
    state = set_up(
        Rules(),
        hands=[Cards("QS"), Cards("2H"), Cards("3H"), Cards("4H")],
        leader=0,
        captured=[Rules().deck - Cards("QS 2H 3H 4H"), Cards(), Cards(), Cards()],
    )
    seen = view(state, 0)
    ended: State = reached(state, lambda state: not isinstance(state, Playing))
    attempts: tuple[Callable[[], object], ...] = (
        lambda: sample_world(seen, Random(1)),
        lambda: consistent(seen, state),
        lambda: sample_world(view(ended, 0), Random(1)),
        lambda: consistent(view(ended, 0), ended),
    )
    for attempt in attempts:
        with pytest.raises(InvalidState) as caught:
            attempt()
        assert [problem.code for problem in caught.value.problems] == ["no-history"]


def test_states_and_views_that_are_not_made_of_the_right_parts_are_not_consistent() -> None:
    passing = apply(new_game(Rules()), deal(new_game(Rules()), seed=7))
    assert isinstance(passing, Passing)
    seen = view(passing, 3)
    no_tuples = () if COMPILED else (3, None)  # compiled, such a state cannot be made
    wrong: Any = (*no_tuples, (), passing.hands[:2], (3, 3, 3, 3))
    for hands in wrong:
        assert not consistent(seen, replaced(passing, hands=hands))
    state = apply(new_game(Rules(pass_cycle=[()])), deal(new_game(Rules(pass_cycle=[()])), seed=7))
    assert isinstance(state, Playing)
    seated = view(state, 0)
    assert isinstance(seated, PlayingView)
    for seat in (9, -1, 10**30):
        assert not consistent(with_parts(seated, seat=seat), state)
