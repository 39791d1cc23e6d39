"""Kinds of faces: of two neighbours of one kind in a hand it makes no difference which is played first.

An option that treats a face apart and is not among the masks in `rules/resolved.py` fails here, whatever the option is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Any, Final

import pytest

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChoosingMoon,
    GameOver,
    Play,
    Playing,
    Rules,
    State,
    apply,
    legal_moves,
)
from heartsrules.rules import Bonus, BonusFloor, Compulsory, Doubler, HeartValues, OpeningCard, QueenBreaks
from heartsrules.rules.resolved import face_kinds
from heartsrules.testing.rule_sets import random_rules
from support.rounds import SEED, rounds
from support.strategies import match

DEALS: Final = rounds(6, interpreted=2)
"""How many rule sets there are with each value of an option."""
MASKS: Final = (
    *("compulsory_faces", "discard_waits", "lead_spared", "bonus_faces", "doubler", "penalty", "first_trick_bars"),
    *("lead_waits", "kitty_marks", "scoring", "break_lead", "break_follow", "break_discard"),
    *("moon_apart", "moon_queens", "moon_lo", "moon_hi"),
)
"""The attributes of the resolved rules by which faces are sorted into kinds."""
PAIRS: Final = 3
"""How many pairs of cards are exchanged in each deal."""


def exchangeable(state: Playing, kinds: Sequence[int]) -> list[tuple[Card, Card]]:
    """The pairs of cards in one hand that are of one kind, with no other card between them that is not taken yet."""
    if not (state.trick or state.trick_number) and state.rules.opening_card is OpeningCard.LOWEST_CLUB:
        return []
    exposed_mask = state.start.exposed_mask
    held = Counter([card for hand in state.hands for card in hand])
    held.update([play.card for play in state.trick])
    present = sum([card.bit for card in held])
    return [
        (low, high)
        for hand in state.hands
        for low, high in combinations(hand, 2)
        if held[low] == held[high] == 1
        and kinds[low.bit % 53] == kinds[high.bit % 53]
        and not (low.bit | high.bit) & exposed_mask
        and not present & (high.bit - 1) & -(2 * low.bit)
    ]


def difference(state: Playing, low: Card, high: Card, rng: Random) -> str:
    """Play a deal to its end twice, with two cards exchanged in all plays: the first difference, or an empty text."""
    other_of = {low: high, high: low}
    first: State = state
    second: State = state
    while isinstance(first, Playing) and isinstance(second, Playing) and first.deal_number == state.deal_number:
        moves = [move for move in legal_moves(first) if isinstance(move, Play)]
        exchanged = {move: Play(move.seat, other_of.get(move.card, move.card)) for move in moves}
        if set(exchanged.values()) != set(legal_moves(second)):
            return "legal cards"
        # One of the two, if it may be played, in half of the cases.
        either = [move for move in moves if move.card in other_of]
        move = rng.choice(either if either and rng.random() < 0.5 else moves)
        first, second = apply(first, move), apply(second, exchanged[move])
        if isinstance(first, Playing) and isinstance(second, Playing):
            if first.turn != second.turn or first.tricks_won != second.tricks_won:
                return "winners"
            if first.hearts_broken != second.hearts_broken:
                return "hearts broken"
            if first.kitty_winner != second.kitty_winner:
                return "kitty"
    return "" if type(first) is type(second) and points(first) == points(second) else "points"


def points(state: State) -> object:
    """What a deal that has just ended has brought."""
    if isinstance(state, ChoosingMoon):
        return state.shooter, state.others_up.points, state.shooter_down.points
    assert isinstance(state, (AwaitingDeal, GameOver))
    row = state.score_sheet[-1]
    return row.points, row.shooter, row.tricks_won


def differences(fixed: Mapping[str, Any], without: Sequence[str] = ()) -> Iterator[tuple[Rules, str]]:
    """Rule sets in which every value of every option comes, and for each pair of cards what exchanging them changed.

    Args:
        fixed: options of every rule set, in place of the values that are tried.
        without: masks of the resolved rules that are forgotten when faces are sorted into kinds.
    """
    for number, chosen in enumerate(VALUES * DEALS):
        rng = Random(f"{SEED} {number}")
        needed = NEEDS.get(next(iter(chosen), ""), {})
        rules = random_rules(rng, **{**needed, **chosen, **fixed})
        kinds = kinds_without(rules, without) if without else rules._resolved.kinds
        positions = [state for state, _, _ in match(rules, rng, max_deals=1) if isinstance(state, Playing)]
        found = [(state, pair) for state in positions for pair in exchangeable(state, kinds)]
        for state, (low, high) in rng.sample(found, min(PAIRS, len(found))):
            yield rules, difference(state, low, high, rng)


def kinds_without(rules: Rules, without: Sequence[str]) -> list[int]:
    """The kinds of faces, with some masks of the declaration left out."""
    resolved = rules._resolved
    valued = [each.faces for each in (*resolved.worth, *resolved.bonuses)]
    assert face_kinds([*[getattr(resolved, name) for name in MASKS], *valued]) == resolved.kinds
    return face_kinds([*[getattr(resolved, name) for name in MASKS if name not in without], *valued])


DRAWN: Final = ("first_dealer", "hand_size")
"""Options of numbers whose values have to fit the others."""
VALUES: Final = [
    {option.name: value} if option.samples and option.name not in DRAWN else {}
    for option in Rules.OPTIONS
    for value in option.samples or (option.default,)
]
"""For each value of each option a choice of options; none where a value is made of cards or numbers, and drawn."""
NEEDS: Final[dict[str, dict[str, Any]]] = {"teams": {"players": 6}, "moon_scope": {"players": 4, "teams": 2}}
"""The options without which one cannot be."""


@pytest.mark.once_compiled
def test_neighbours_of_one_kind_can_be_exchanged_under_every_value_of_every_option() -> None:
    count = 0
    for rules, changed in differences({}):
        assert not changed, f"{changed} (HEARTSRULES_SEED={SEED!r}): {rules}"
        count += 1
    assert count > len(VALUES) * DEALS


QUEEN_PLAIN: Final[dict[str, Any]] = {"queen_points": 0, "compulsory": Compulsory.NO, "decks": 1}


@pytest.mark.parametrize(
    ("options", "without"),
    [
        ({"compulsory": Compulsory.ALWAYS, "compulsory_cards": "7C 9D TD JS KS"}, ["compulsory_faces"]),
        ({**QUEEN_PLAIN, "queen_discard_after_hearts": True}, ["discard_waits"]),
        ({**QUEEN_PLAIN, "queen_breaks": QueenBreaks.PLAYED}, ["break_lead", "break_follow", "break_discard"]),
        ({"doubler": Doubler(Card("9D"), 3, 10), "bonus_floor": BonusFloor.NONE}, ["doubler"]),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_face_that_an_option_names_and_the_declaration_forgets_is_noticed(
    options: dict[str, Any], without: list[str]
) -> None:
    """Each option stands for a new one, whose masks are left out; no more deals are played than above."""
    assert any(changed for _, changed in differences(options, without))


def kinds_in(rules: Rules, cards: str) -> int:
    """How many kinds these cards are of."""
    return len({rules._resolved.kinds[card.bit % 53] for card in Cards(cards)})


def test_kinds_split_a_suit_where_a_rule_does() -> None:
    rules = Rules()
    assert [kinds_in(rules, cards) for cards in ("2C 7C AC", "JS KS", "JS QS", "2H AH", "2C 2D")] == [1, 1, 2, 1, 2]
    assert rules._resolved.named_faces == Card("QS").bit
    assert kinds_in(Rules(queen_points=0), "JS QS KS") == 1
    assert kinds_in(Rules(heart_values=HeartValues.SPOT), "2H 3H AH") == 3
    assert kinds_in(Rules(bonuses=[Bonus(Card("JD"), 10)]), "TD JD QD") == 2
