"""Dealing: shuffling a deck and handing it out, a pack in a given order, and the cut for the deal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, overload

from heartsrules.base.errors import InvalidState
from heartsrules.base.values import Unchecked, checked_int, int_text, wrong_item, wrong_type
from heartsrules.cards import ALL_FACES, Card, Cards, bag_of, cards_of, with_card
from heartsrules.chance.bits import Bits, SeededBits, secret_unless
from heartsrules.chance.shuffling import shuffled
from heartsrules.play.moves import Deal
from heartsrules.play.state import AwaitingDeal
from heartsrules.play.wrong_deals import pack_problems
from heartsrules.rules import Seat

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["cut_for_deal", "deal", "deal_cards"]


def _source(seed: Unchecked[str | int] | None, rng: Bits | None, label: str) -> Bits:
    if seed is None:
        return secret_unless(rng)
    if rng is not None:
        raise TypeError("give either seed or rng, not both")
    return SeededBits(seed, label)


def _awaiting(state: object) -> AwaitingDeal:
    if not isinstance(state, AwaitingDeal):
        wrong_type("state", "an AwaitingDeal", state)
    return state


@overload
def deal(state: AwaitingDeal, *, seed: str | int | None = None) -> Deal: ...
@overload
def deal(state: AwaitingDeal, *, rng: Bits) -> Deal: ...
def deal(state: Unchecked[AwaitingDeal], *, seed: Unchecked[str | int] | None = None, rng: Bits | None = None) -> Deal:
    """Shuffle and deal: `deal(state)` where people play, by `random.SystemRandom()`, which nobody can foresee.

    A seed is for what must come out the same again, such as an example or a test. Whoever guesses it knows every hand,
    and a player can compare thousands of seeds a second with the hand that they hold; "The shuffle" in the
    documentation shows it.

    Args:
        state: a state that awaits a deal.
        seed: the seed of the deal, a text or an int (which stands for its decimal text). The number of the deal is
            mixed in, so one seed serves a whole match. To keep it from being guessed, give it 128 random bits, as
            `secrets.token_hex(16)` does, and tell nobody before the match is over.
        rng: or a source of random bits instead, such as `random.Random(7)`.

    Returns:
        The move to apply. Neither seed nor generator is kept in it, or in any state.

    Raises:
        ValueError: `seed` holds a lone surrogate, which is not a character, or has more than 600 digits.
        TypeError: the state does not await a deal, an argument has the wrong type, or both `seed` and `rng` are given.
    """
    state = _awaiting(state)
    bits = _source(seed, rng, f"deal {state.deal_number}")
    compiled = state.rules.compiled
    return _handed_out(state, shuffled(cards_of(compiled.deck_lo, compiled.deck_hi), bits))


def deal_cards(state: Unchecked[AwaitingDeal], order: Iterable[Card]) -> Deal:
    """Deal a pack that lies in a given order: one card at a time, dealer's left first; what is left is the kitty.

    Args:
        state: a state that awaits a deal.
        order: every card of the deck in play, the card on top first.

    Raises:
        InvalidState: the cards are not those of the deck in play.
        TypeError: an argument has the wrong type.
    """
    state = _awaiting(state)
    given: object = order
    if isinstance(given, (str, Cards)) or not isinstance(given, Iterable):
        wrong_type("order", "the cards in the order of the pack", given)
    pack = list(order)
    items: Iterable[object] = pack
    for card in items:
        if not isinstance(card, Card):
            wrong_item("order", "Card", card)
    problems = pack_problems(state.rules, "order", [(f"order[{place}]", card) for place, card in enumerate(pack)])
    if problems:
        raise InvalidState(tuple(problems))
    return _handed_out(state, pack)


def _handed_out(state: AwaitingDeal, pack: list[Card]) -> Deal:
    compiled = state.rules.compiled
    players: i64 = compiled.players
    first: i64 = state.dealer + 1
    dealt = compiled.hand_size * players
    hands = [_every(pack, (seat - first) % players, dealt, players) for seat in range(players)]
    return Deal(tuple(hands), _every(pack, dealt, len(pack), 1))


def _every(pack: list[Card], start: i64, stop: i64, step: i64) -> Cards:
    """The bag of the cards of a slice of a pack."""
    lo: i64 = 0
    hi: i64 = 0
    while start < stop:
        lo, hi = with_card(lo, hi, pack[start].bit)
        start += step
    return bag_of(lo, hi)


def cut_for_deal(players: Unchecked[int], rng: Bits | None = None) -> Seat:
    """Cut for the first deal: every player cuts a card, the lowest rank deals, and equal lowest ranks cut again.

    The players cut from one pack of 52 cards, so no two cut the same card; only those who share the lowest rank cut
    again, from the whole pack.

    Args:
        players: 3 to 11.
        rng: a source of random bits, such as `random.Random(7)` or `SeededBits("seed", "cut")`; None:
            `random.SystemRandom()`, which nobody can foresee.

    Returns:
        The seat that deals first, for `Rules.first_dealer`.

    Raises:
        ValueError: there is no table of so many players.
        TypeError: an argument has the wrong type.
    """
    count = checked_int("players", players)
    if not 3 <= count <= 11:
        raise ValueError(f"players is {int_text(count)}: choose 3 to 11")
    bits = secret_unless(rng)
    cutters = list(range(count))
    while len(cutters) > 1:
        pack = shuffled(ALL_FACES, bits)
        lowest = min(pack[place].rank for place in range(len(cutters)))
        cutters = [seat for place, seat in enumerate(cutters) if pack[place].rank == lowest]
    return cutters[0]
