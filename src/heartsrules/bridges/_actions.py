"""Actions and rewards, shared by the bridges to research libraries: passes and exposures are picked card by card.

Each bridge numbers the cards in its own way, so it supplies the function from a card to its action.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from heartsrules.analysis.seat_words import pickable
from heartsrules.base.errors import InvalidRules, Problem
from heartsrules.base.values import wrong_type
from heartsrules.cards import Card, Cards, bag_of
from heartsrules.play.engine import legal_moves
from heartsrules.play.moves import ChooseMoon, Expose, Pass, Play
from heartsrules.play.view_classes import ExposingView, PassingView, View
from heartsrules.rules import ANY_NUMBER, Moon, PassOptional, PassPlan, PassStep, Rules, Seat

DECLINE: Final = 52
"""The action that declines to pass, or ends an exposure."""

OTHERS_UP: Final = 53
"""The shooter's action: add the moon to the others."""

SHOOTER_DOWN: Final = 54
"""The shooter's action: subtract the moon from the shooter."""

ACTIONS: Final = 55
"""The number of actions: 52 cards and three others."""

EFFECTS: Final = MappingProxyType({OTHERS_UP: Moon.OTHERS_UP, SHOOTER_DOWN: Moon.SHOOTER_DOWN})
"""The effects of a shooter's actions."""


Reward: TypeAlias = Literal["points", "win"]
"""The kind of reward: for the points of each deal, or for winning the match."""


def numbers_of(move: Play | Pass | Expose | ChooseMoon, number: Callable[[Card], int], size: int) -> list[int]:
    """Split a move of a seat into actions.

    A pass picks gift by gift, in card order; an exposure picks cards in the order of their numbers, then ends. A pass
    takes `size` actions, and so does declining, so that their number does not reveal who declined.
    """
    if isinstance(move, Play):
        return [number(move.card)]
    if isinstance(move, Pass):
        return [number(card) for gift in move.cards for card in gift] or [DECLINE] * size
    if isinstance(move, Expose):
        return [*sorted([number(card) for card in move.cards]), DECLINE]
    return [action for action, effect in EFFECTS.items() if effect is move.effect]


# ------------------------------------------------------------------------------------------- passes, card by card


def check_covered(rules: Rules) -> None:
    """Check that a rule set has only moves that there are actions for.

    Raises:
        InvalidRules: cards are shown before a pass, or any number of cards may be laid into the middle.
    """
    problems: list[Problem] = []
    if ANY_NUMBER in rules.pass_cycle:
        problems.append(Problem.of("no-actions", ("pass_cycle",), "any-number"))
    if any(rules._resolved.shows_first):
        problems.append(Problem.of("no-actions", ("expose_before_pass",), "expose-before-pass"))
    if problems:
        raise InvalidRules(problems)


def pass_size(step: PassStep) -> int:
    """The number of cards in a pass, unless it is declined."""
    return sum([count for _, count in step])


def passable(rules: Rules, hand: Cards) -> Cards:
    """The cards of a hand that may be passed."""
    locked = rules.unpassable.lo
    return bag_of(hand.lo & ~locked, hand.hi & ~locked)


def cards_in(picks: Sequence[Card | None]) -> list[Card]:
    """The cards among picks, in which None stands for one DECLINE."""
    return [card for card in picks if card is not None]


def check_picks(view: View, picks: Sequence[Card | None]) -> None:
    """Check the arguments of a function that encodes a view.

    Raises:
        InvalidRules: the rules have moves that there are no actions for.
        ValueError: the picks are not the beginning of a pass or an exposure that the view's seat may make.
    """
    if not isinstance(view, View):
        wrong_type("view", "a View", view)
    check_covered(view.rules)
    if not picks:
        return
    cards = cards_in(picks)
    if isinstance(view, ExposingView):
        shows = Expose(view.seat or 0, Cards(cards))
        if len(cards) < len(picks) or cards != sorted(set(cards)) or shows not in legal_moves(view):
            raise ValueError("the picks are not cards that the view's seat may show now, in card order")
        return
    if not isinstance(view, PassingView) or view.seat is None or view.commitment is not None:
        raise ValueError("there are picks, but the view's seat is not about to pass or to show cards")
    if len(picks) >= pass_size(view.plan):
        raise ValueError(f"{len(picks)} picks are a whole pass or more: commit it")
    if not cards and view.rules._resolved.may_decline:
        return
    if len(cards) < len(picks) or not Cards(cards) <= passable(view.rules, view.hand):
        raise ValueError("the picks are not among the cards that the view's seat may pass")


def picks_of(
    rules: Rules, hand: Cards, chosen: Cards, number: Callable[[Card], int], *, declined: bool = False
) -> list[int]:
    """The legal actions of a seat that is to pass, in order: the cards that it may pick next, and declining.

    After the first DECLINE, DECLINE is the only action, as many times as others pick cards.
    """
    if declined:
        return [DECLINE]
    faces = pickable(rules._resolved, hand.lo, hand.hi, chosen.lo, chosen.hi)
    actions = sorted([number(card) for card in bag_of(faces, 0)])
    if not chosen and rules.pass_optional is not PassOptional.NO:
        actions.append(DECLINE)
    return actions


def gifts_of(step: PassPlan, picked: Sequence[Card]) -> list[Cards]:
    """Group the picked cards into gifts; the last gift may be incomplete, and later ones are left out."""
    gifts: list[Cards] = []
    for _, count in step:
        if not picked:
            break
        gifts.append(Cards(picked[:count]))
        picked = picked[count:]
    return gifts


def shows_of(rules: Rules, hand: Cards, picked: Sequence[Card], number: Callable[[Card], int]) -> list[int]:
    """The legal actions of a seat that is to show cards, in order: the cards that it may pick next, and ending.

    `hand` is without what the seat has shown before.
    Cards are picked in the order of their numbers, so that each exposure has one sequence of actions.
    """
    last = max([number(card) for card in picked], default=-1)
    cards = [number(card) for card in bag_of(hand.lo & rules.exposable.lo, 0)]
    return [*sorted([action for action in cards if action > last]), DECLINE]


# ------------------------------------------------------------------------------------------------ rewards, by side


def margins(lost: Sequence[int]) -> list[float]:
    """By side, the mean of the sides less its own points; the sum is 0."""
    mean = sum(lost) / len(lost)
    return [mean - points for points in lost]


def prizes(rules: Rules, winners: Container[Seat]) -> list[float]:
    """By side, its part of a prize of 1, shared by the winning sides, less an equal stake of every side."""
    won = [side[0] in winners for side in rules.sides]
    return [(1 / sum(won) if wins else 0.0) - 1 / len(won) for wins in won]
