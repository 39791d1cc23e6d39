"""Worlds after a pass through the middle, against every way to deal, pass and deal back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import Any, Final, TypeAlias

import attrs
import pytest

from heartsrules import (
    AwaitingDeal,
    Cards,
    Deal,
    DealingBack,
    Expose,
    Exposing,
    InvalidState,
    Pass,
    Passing,
    Playing,
    Rules,
    Seat,
    State,
    apply,
    deal,
    new_game,
    to_act,
)
from heartsrules.base.values import replaced
from heartsrules.chance import SeededBits
from heartsrules.chance.words import Words
from heartsrules.rules import ExposeBeforePass, Exposure, Kitty, OpeningCard, OpeningLeader, PassOptional, middle
from heartsrules.views import ExposingView, PlayingView, view_of
from heartsrules.views.hidden_hands import HiddenHands, could_be
from heartsrules.views.worlds import consistent, sample_world
from heartsrules.views.worlds.hidden_pile import HiddenPile
from support.parts import with_parts
from support.random_play import is_playing, random_move, reached
from support.strategies import match, play_anything
from support.tables import rules_of

FREE: Final[dict[str, Any]] = {"opening_leader": OpeningLeader.DEALER_LEFT, "opening_card": OpeningCard.UNRESTRICTED}
FEW: Final = rules_of(
    "pass_cycle=M2 pass_optional=skip unpassable=QS opening_leader=dealer-left opening_card=unrestricted",
    deck="2C 3C 4C 5C 2D 3D 2S 3S QS 2H 3H 4H",
)
TWO_DECKS: Final = rules_of(
    "players=3 decks=2 hand_size=2 kitty=last-trick pass_cycle=M1 pass_optional=skip opening_leader=dealer-left "
    "opening_card=unrestricted",
    deck="2C 2C 3C 2D 2D 3S 2H",
)
ANY: Final = rules_of(
    "players=3 pass_cycle=M0 unpassable=KS opening_leader=dealer-left opening_card=unrestricted",
    deck="2C 3C 4C 2D 3D QS KS 2H 3H",
)
ONE: Final = attrs.evolve(ANY, pass_cycle=(middle(1),), unpassable="QS KS")
EXPOSING: Final = attrs.evolve(ONE, exposable="QS 2H", exposure=Exposure.IN_TURN)
TWINS: Final = rules_of(
    "players=3 decks=2 pass_cycle=M2 pass_optional=skip opening_leader=dealer-left opening_card=unrestricted",
    deck="2C 2C 3C 3C 4D 4D QS 2H 2H",
)
FOUR: Final = rules_of(
    "pass_cycle=M1 pass_optional=skip opening_leader=dealer-left opening_card=unrestricted",
    deck="2C 3C 4C 2D 3D QS 2H 3H",
)

Started: TypeAlias = Playing | Exposing
World: TypeAlias = tuple[tuple[Cards, ...], tuple[Cards, ...], tuple[Cards, ...]]
"""The hands, and for each seat the cards that it put in and the cards that it got back."""


def dealt_back(rules: Rules, counts: Sequence[int], seed: str, back: str) -> Started:
    """The state after each seat has put in its first passable cards, that many, and the pile was dealt back."""
    start = new_game(rules)
    state: State = apply(start, deal(start, seed=seed))
    for seat, count in enumerate(counts):
        assert isinstance(state, Passing)
        cards = [card for card in state.hands[seat] if card not in rules.unpassable][:count]
        state = apply(state, Pass(seat, *(Cards(cards),) if count else ()))
    assert isinstance(state, DealingBack)
    after = apply(state, deal(state, seed=back))
    assert isinstance(after, (Playing, Exposing))
    return after


def ways_to(state: Started, seat: Seat | None) -> dict[World, Fraction]:
    """The likelihood of each world, over all ways to deal, pass and deal back that lead to a seat's view.

    Equal cards are told apart; given the dealt hands, each pass of those who lay any is as likely."""
    rules = state.rules
    seen = view_of(state, seat)
    assert isinstance(seen, (PlayingView, ExposingView))
    exposed = seen.start.exposed
    declined = [move.seat for move in state.passes if not move.cards]
    pack = list(enumerate(rules.deck))
    size = rules.cards_per_hand
    counts = [len(move.cards[0]) for move in state.passes if move.cards]
    found: dict[World, Fraction] = {}

    def bag(cards: Any) -> Cards:
        return Cards([card for _, card in cards])

    def dealt(rest: list[Any], places: int) -> Iterator[list[tuple[Any, ...]]]:
        if not places:
            yield [tuple(rest)]
            return
        for hand in combinations(rest, size):
            for others in dealt([card for card in rest if card not in hand], places - 1):
                yield [hand, *others]

    layers = [one for one in range(rules.players) if one not in declined]
    own_hand = None if seat is None else state.hands[seat] - state.received[seat] + state.passed[seat]
    for *hands, _ in dealt(pack, rules.players):
        if seat is not None and bag(hands[seat]) != own_hand:
            continue
        free = [[card for card in hands[one] if card[1] not in rules.unpassable] for one in layers]
        for gifts in product(*[list(combinations(*pair)) for pair in zip(free, counts, strict=True)]):
            chance = Fraction(1)
            for cards, count in zip(free, counts, strict=True):
                chance /= len(list(combinations(cards, count)))
            if seat in layers and bag(gifts[layers.index(seat)]) != state.passed[seat]:
                continue
            pile = [card for gift in gifts for card in gift]
            for back in backs(pile, counts):
                if seat in layers and bag(back[layers.index(seat)]) != state.received[seat]:
                    continue
                after = [list(hand) for hand in hands]
                put_in, got = [Cards()] * rules.players, [Cards()] * rules.players
                for one, gift, returned in zip(layers, gifts, back, strict=True):
                    after[one] = [card for card in after[one] if card not in gift] + list(returned)
                    put_in[one], got[one] = bag(gift), bag(returned)
                lying = tuple(bag(hand) for hand in after)
                if all([cards <= hand for cards, hand in zip(exposed, lying, strict=True)]):
                    key = lying, tuple(put_in), tuple(got)
                    found[key] = found.get(key, Fraction(0)) + chance
    whole = sum(found.values())
    return {key: weight / whole for key, weight in found.items()}


def backs(pile: list[Any], counts: list[int]) -> Iterator[list[tuple[Any, ...]]]:
    if not counts:
        yield []
        return
    for first in combinations(pile, counts[0]):
        for others in backs([card for card in pile if card not in first], counts[1:]):
            yield [first, *others]


def near(state: Started, seat: Seat | None, draws: int = 1500) -> None:
    """Worlds come about as often as they should, and each could have come about."""
    likely = ways_to(state, seat)
    seen = view_of(state, seat)
    drawn: Counter[World] = Counter()
    bits = SeededBits("worlds", "middle")
    for _ in range(draws):
        world = sample_world(seen, bits)
        assert isinstance(world, (Playing, Exposing))
        if not drawn:
            assert consistent(seen, world)
        drawn[world.hands, world.passed, world.received] += 1
    assert set(drawn) <= set(likely)
    part: Callable[[World], object]
    for part in (lambda key: key[0], lambda key: key[1], lambda key: key[2]):
        found: Counter[object] = Counter()
        wanted: dict[object, float] = {}
        for key, weight in likely.items():
            wanted[part(key)] = wanted.get(part(key), 0.0) + draws * float(weight)
        for key, count in drawn.items():
            found[part(key)] += count
        chi = sum([(found[key] - count) ** 2 / count for key, count in wanted.items()])
        freedom = len(wanted) - 1
        assert chi < freedom + 5 * (2 * freedom) ** 0.5 + 5


LAID: Final[dict[str, tuple[Rules, tuple[int, ...], str, str]]] = {
    "twins, one got back": (TWO_DECKS, (1, 1, 1), "any 3", "4"),
    "twins": (TWO_DECKS, (1, 1, 1), "b", "4"),
    "twins, one declines": (TWO_DECKS, (1, 0, 1), "b", "4"),
    "two of twins, one got back": (attrs.evolve(TWO_DECKS, pass_cycle=(middle(2),)), (2, 2, 2), "any 3", "5"),
    "two of twins": (TWINS, (2, 2, 2), "any 3", "1"),
    "two of twins, one got back, one declines": (TWINS, (2, 0, 2), "b", "1"),
    "any number 1 2 1": (ANY, (1, 2, 1), "middle", "2"),
    "any number 2 2 1": (ANY, (2, 2, 1), "middle", "3"),
    "any number 3 2 1": (ANY, (3, 2, 1), "middle", "7"),
    "any number 3 1 0": (ANY, (3, 1, 0), "middle", "3"),
    "any number 2 0 3": (ANY, (2, 0, 3), "a", "2"),
    "two of three": (attrs.evolve(ANY, pass_cycle=(middle(2),)), (2, 2, 2), "b", "5"),
    "two that may not be passed": (ONE, (1, 1, 1), "middle", "1"),
    "four, one declines": (FOUR, (1, 0, 1, 1), "a", "4"),
    "about to show": (EXPOSING, (1, 1, 1), "any 3", "1"),
}
"""Rules, how many cards each seat puts in, and two seeds."""


@pytest.mark.parametrize("name", LAID)
def test_worlds_are_as_likely_as_they_should_be(name: str) -> None:
    near(dealt_back(*LAID[name]), 0, 1000)


def test_worlds_of_a_spectator_are_as_likely_as_they_should_be() -> None:
    near(dealt_back(*LAID["twins, one declines"]), None, 1000)


@pytest.mark.long
@pytest.mark.once_compiled
@pytest.mark.parametrize("name", ["twins", "any number 3 1 0", "any number 2 0 3"])
def test_more_worlds_of_a_spectator_are_as_likely_as_they_should_be(name: str) -> None:
    near(dealt_back(*LAID[name]), None, 2000)


def test_shown_cards_are_where_they_were_shown() -> None:
    state = dealt_back(*LAID["about to show"])
    assert isinstance(state, Exposing)
    while isinstance(state, Exposing):
        near(state, 0, 400)
        (turn,) = to_act(state)
        after = apply(state, Expose(turn, state.hands[turn] & state.rules.exposable))
        assert isinstance(after, (Playing, Exposing))
        state = after
    near(state, 0, 400)


@pytest.mark.parametrize(
    "name", ["two of twins", "any number 1 2 1", "any number 2 2 1", "any number 2 0 3", "four, one declines"]
)
def test_the_likeliest_hands_are_never_refused(name: str) -> None:
    """The bound of the weights is reached, so no hands are drawn in vain for want of a better one."""
    state = dealt_back(*LAID[name])
    seen = view_of(state, 0)
    assert isinstance(seen, PlayingView)
    hidden = HiddenHands(seen, False)
    pile = HiddenPile(seen)
    pile.set_bound(hidden.known, hidden.unseen)
    words = Words(SeededBits(name, "bound"))
    often = [hands for hands in {way[0] for way in ways_to(state, 0)} if pile.accepts(hands, words)]
    assert any([all([pile.accepts(hands, words) for _ in range(40)]) for hands in often])


def test_cards_put_in_use_up_room() -> None:
    seen = view_of(dealt_back(*LAID["any number 2 2 1"]), 0)
    assert isinstance(seen, PlayingView)
    pile = HiddenPile(seen)
    assert len(pile.layers) == 2
    for number in range(20):
        room = dict.fromkeys(pile.layers, 1)
        drawn = pile.spread(Cards("2C 3C"), room, Words(SeededBits(str(number), "room")))
        assert [*map(len, drawn.values()), *room.values()] == [1, 1, 0, 0]


@pytest.mark.sampled(3)
@pytest.mark.once_compiled
@pytest.mark.parametrize(
    "rules",
    [
        FEW,
        TWO_DECKS,
        Rules(pass_cycle=(middle(3),), exposable="QS", kitty=Kitty.LAST_TRICK, hand_size=12),
        Rules(pass_cycle=(middle(None),), exposable="QS AH", expose_before_pass=ExposeBeforePass.ALWAYS),
        attrs.evolve(FEW, pass_cycle=(middle(None),), pass_optional=PassOptional.NO),
    ],
)
def test_worlds_of_every_view_are_consistent(rules: Rules) -> None:
    for number in range(6):
        rng = Random(number)
        start = new_game(rules)
        state: State = apply(start, deal(start, seed=number))
        while not isinstance(state, AwaitingDeal) or not state.deal_number:
            for seen in [view_of(state, seat) for seat in (*range(rules.players), None)]:
                if number % 3 == 0 or isinstance(state, (Passing, DealingBack)) or rng.randrange(8) == 0:
                    world = sample_world(seen, rng)
                    assert consistent(seen, world)
                    assert consistent(seen, sample_world(seen, rng))
            state = apply(state, random_move(state, rng))


@pytest.mark.parametrize("decks", [1, 2])
def test_a_pass_through_the_middle_has_one_size(decks: int) -> None:
    """A view in which a seat laid, or got back, another number of cards than it committed is refused."""
    rules = Rules(decks=decks, players=4 * decks, pass_cycle=[middle(2)])
    seen = view_of(reached(new_game(rules), is_playing), 1)
    assert isinstance(seen, PlayingView)
    more = next(card for card in rules.deck.distinct() if card not in seen.passed)
    others = {
        "passed": (seen.passed + Cards([more]), seen.passed - Cards([next(iter(seen.passed))])),
        "received": (seen.received + Cards([more]), seen.received - Cards([next(iter(seen.received))])),
        "commitment": (None, Pass(1), Pass(1, seen.passed + Cards([more]))),
        "pass_counts": ((2, 3, *seen.start.pass_counts[2:]), (2, 2, 2**31, *seen.start.pass_counts[3:])),
    }
    for name, values in others.items():
        for value in values:
            wrong = with_parts(seen, **{name: value})
            with pytest.raises(InvalidState, match="no state has such a view"):
                sample_world(wrong, Random(1))


def test_a_card_that_was_put_in_is_with_somebody_who_got_any() -> None:
    state = dealt_back(*LAID["about to show"])
    seen = view_of(state, 0)
    assert isinstance(seen, ExposingView)
    (card,) = seen.passed - seen.received
    forged = replaced(seen, hand=seen.hand - Cards([next(iter(seen.hand - seen.received))]) + Cards([card]))
    with pytest.raises(InvalidState, match="no state has such a view"):
        sample_world(forged, Random(1))


def test_some_hands_agree_with_every_view() -> None:
    """Also where the first to lead may have held any of the lowest clubs, or what it put in and did not get back."""
    rules = rules_of(
        "decks=2 pass_cycle=M1 pass_optional=skip opening_card=any hearts_lead=any-time", deck="2C 2C 3C 3C 2D 2D QS 2H"
    )
    rng = Random("some hands")
    for _ in range(15):
        for _, _, state in match(rules, rng, 1, [play_anything] * 4):
            if isinstance(state, Playing):
                assert all([could_be(view_of(state, seat)) for seat in (None, *range(4))]), state  # type: ignore[arg-type]


class Counted(Random):
    """A source of random bits that counts how often it is asked."""

    asked = 0

    def getrandbits(self, k: int, /) -> int:
        self.asked += 1
        return super().getrandbits(k)


def test_cards_that_were_put_in_are_dealt_to_those_who_got_any() -> None:
    """Dealt to all alike, six cards would be where they can be about once in a hundred times."""
    rules = Rules(pass_cycle=(middle(None),), exposable="AH")
    start = new_game(rules)
    state: State = apply(start, deal(start, seed=1))
    for seat, count in enumerate((6, 3, 3, 0)):
        assert isinstance(state, Passing)
        state = apply(state, Pass(seat, *(Cards(list(state.hands[seat])[:count]),) if count else ()))
    assert isinstance(state, DealingBack)
    mine, second, third, _ = state.middle_cards
    state = apply(state, Deal((second + third, Cards(list(mine)[:3]), Cards(list(mine)[3:]), Cards())))
    assert isinstance(state, Exposing)
    bits = Counted(1)
    for _ in range(20):
        sample_world(view_of(state, 0), bits)
    assert bits.asked < 3000
