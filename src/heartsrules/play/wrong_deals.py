"""What is wrong with a deal that somebody tells."""

from __future__ import annotations

from typing import Any, Final

from heartsrules.base.errors import Problem
from heartsrules.base.values import Unchecked, wrong_type
from heartsrules.cards import ALL_FACES, Card, with_bag, with_card
from heartsrules.play.moves import Deal
from heartsrules.rules import Rules

__all__ = ["deal_faults", "deal_problems", "pack_problems"]


_NAMED: Final = 5
"""How many cards of each kind a problem names."""


def pack_problems(rules: Rules, name: str, pack: list[tuple[str, Card]], named: int = _NAMED) -> list[Problem]:
    """Why these cards, each with the place where it lies, are not the deck in play: missing, extra and foreign cards.

    `name` is the field that the problems are about; of each kind, at most `named` cards are named.
    """
    lo = hi = third = 0
    for _, card in pack:
        bit = card.bit
        third |= hi & bit
        lo, hi = with_card(lo, hi, bit)
    if not third and lo == rules.compiled.deck_lo and hi == rules.compiled.deck_hi:
        return []
    left = dict.fromkeys(ALL_FACES, 0)
    for card in rules.deck:
        left[card] += 1
    known = rules.deck
    for _, card in pack:
        left[card] -= 1
    missing = [(card, count) for card, count in left.items() if count > 0]
    extra = [(card, -count) for card, count in left.items() if count < 0 and card in known]
    foreign = [(card, -count) for card, count in left.items() if count < 0 and card not in known]
    problems: list[Problem] = []
    if missing:
        problems.append(_about_cards("missing-cards", name, missing, pack, named))
    if extra:
        problems.append(_about_cards("extra-cards", name, extra, pack, named))
    if foreign:
        problems.append(_about_cards("foreign-cards", name, foreign, pack, named))
    return problems


def _about_cards(
    code: str, name: str, cards: list[tuple[Card, int]], pack: list[tuple[str, Card]], named: int
) -> Problem:
    """The problem with some cards: the first of them, each with the first places where it lies, and how many more."""
    told: list[tuple[Any, ...]] = []
    for card, _ in cards[:named]:
        places = [place for place, other in pack if other is card]
        told.append((card, *places[:_NAMED]))
    total = sum([count for _, count in cards])
    more = total - sum([count for _, count in cards[:named]])
    return Problem.of(code, (name,), "dealt", count=total, cards=tuple(told), more=more)


def deal_problems(rules: Rules, move: Unchecked[Deal]) -> tuple[Problem, ...]:
    """Everything that forbids a deal, for whoever told it: wrong sizes, and the first cards that are missing, extra or
    foreign, each with the hands that hold it.

    Raises:
        TypeError: an argument has the wrong type.
    """
    move = _checked_deal(rules, move)
    if _is_dealt_right(rules, move):
        return ()
    places = [(f"hands[{seat}]", card) for seat, hand in enumerate(move.hands) for card in hand]
    places += [("kitty", card) for card in move.kitty]
    return (*_size_problems(rules, move), *pack_problems(rules, "hands", places))


def deal_faults(rules: Rules, move: Unchecked[Deal]) -> tuple[Problem, ...]:
    """The problems of `deal_problems`, told so that anybody may read them: sizes and counts, but no card.

    Raises:
        TypeError: an argument has the wrong type.
    """
    move = _checked_deal(rules, move)
    if _is_dealt_right(rules, move):
        return ()
    cards = [("", card) for bag in (*move.hands, move.kitty) for card in bag]
    return (*_size_problems(rules, move), *pack_problems(rules, "hands", cards, named=0))


def _checked_deal(rules: object, move: object) -> Deal:
    if not isinstance(rules, Rules):
        wrong_type("rules", "a Rules", rules)
    if not isinstance(move, Deal):
        wrong_type("move", "a Deal", move)
    return move


def _size_problems(rules: Rules, move: Deal) -> list[Problem]:
    """The hands and the kitty that do not have the sizes that the rules deal."""
    problems: list[Problem] = []
    if len(move.hands) != rules.players:
        hands = len(move.hands)
        problems.append(Problem.of("wrong-number-of-hands", ("hands",), count=hands, players=rules.players))
    for seat, hand in enumerate(move.hands):
        if len(hand) != rules.cards_per_hand:
            params = {"seat": seat, "count": len(hand), "expected": rules.cards_per_hand}
            problems.append(Problem.of("wrong-hand-size", (f"hands[{seat}]",), "dealt", **params))
    if len(move.kitty) != rules.kitty_size:
        sizes = {"count": len(move.kitty), "expected": rules.kitty_size}
        problems.append(Problem.of("wrong-kitty-size", ("kitty",), "dealt", **sizes))
    return problems


def _is_dealt_right(rules: Rules, move: Deal) -> bool:
    """Whether nothing is wrong with a deal: a quick answer from its masks alone."""
    compiled = rules.compiled
    if len(move.hands) != compiled.players or len(move.kitty) != compiled.kitty_size:
        return False
    lo, hi = move.kitty.lo, move.kitty.hi
    for hand in move.hands:
        if len(hand) != compiled.hand_size or hand.hi & lo or hand.lo & hi:
            return False
        lo, hi = with_bag(lo, hi, hand.lo, hand.hi)
    return lo == compiled.deck_lo and hi == compiled.deck_hi
