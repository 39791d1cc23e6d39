"""Actions and rewards, shared by the bridges to research libraries.

Passes and exposures are picked card by card. Each bridge supplies its own function from a card to its action.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from heartsrules.base.errors import InvalidRules, Problem
from heartsrules.base.values import wrong_type
from heartsrules.cards import Card, Cards, bag_of
from heartsrules.play.engine import legal_moves
from heartsrules.play.moves import ChooseMoon, Expose, Pass, Play
from heartsrules.play.view_classes import ExposingView, PassingView, View
from heartsrules.rules import ANY_NUMBER, Moon, PassPlan, PassStep, Rules, Seat

DECLINE: Final = 52
"""The action that declines to pass, or ends an exposure."""

OTHERS_UP: Final = 53
"""The shooter's action of adding the moon to the others."""

SHOOTER_DOWN: Final = 54
"""The shooter's action of subtracting the moon from the shooter."""

ACTIONS: Final = 55
"""The number of actions: 52 cards and three others."""

EFFECTS: Final = MappingProxyType({OTHERS_UP: Moon.OTHERS_UP, SHOOTER_DOWN: Moon.SHOOTER_DOWN})
"""The effects of a shooter's actions."""


Reward: TypeAlias = Literal["points", "win"]
"""The kind of reward: for each deal's points, or for winning the match."""


def numbers_of(move: Play | Pass | Expose | ChooseMoon, number: Callable[[Card], int], size: int) -> list[int]:
    """Split a seat's move into actions.

    The cards for each recipient are in card order; an exposure picks cards in the order of their numbers, then ends.
    Passing and declining both take `size` actions, so their number does not reveal who declined.
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
    """Check that every move under a rule set has actions.

    Raises:
        InvalidRules: cards are exposed before a pass, or any number of cards can be passed through the middle.
    """
    problems: list[Problem] = []
    if ANY_NUMBER in rules.pass_cycle:
        problems.append(Problem.of("no-actions", ("pass_cycle",), "any-number"))
    if any(rules._resolved.shows_first):
        problems.append(Problem.of("no-actions", ("expose_before_pass",), "expose-before-pass"))
    if problems:
        raise InvalidRules(problems)


def pass_size(step: PassStep) -> int:
    """Return the number of cards in a pass that is not declined."""
    return sum([count for _, count in step])


def passable(rules: Rules, hand: Cards) -> Cards:
    locked = rules.unpassable.lo
    return bag_of(hand.lo & ~locked, hand.hi & ~locked)


def cards_in(picks: Sequence[Card | None]) -> list[Card]:
    """Return the cards among picks, in which None is one DECLINE."""
    return [card for card in picks if card is not None]


def check_picks(view: View, picks: Sequence[Card | None]) -> None:
    """Check the arguments of a function that encodes a view.

    Raises:
        InvalidRules: the rules have moves without actions.
        ValueError: the view's seat cannot begin a pass or an exposure with these picks.
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


def gifts_of(step: PassPlan, picked: Sequence[Card]) -> list[Cards]:
    """Group the picked cards by recipient.

    The last group can be incomplete, and later ones are omitted.
    """
    gifts: list[Cards] = []
    for _, count in step:
        if not picked:
            break
        gifts.append(Cards(picked[:count]))
        picked = picked[count:]
    return gifts


# ------------------------------------------------------------------------------------------------ rewards, by side


def margins(lost: Sequence[int]) -> list[float]:
    """Return the mean of the sides minus each side's points; the sum is 0."""
    mean = sum(lost) / len(lost)
    return [mean - points for points in lost]


def prizes(rules: Rules, winners: Container[Seat]) -> list[float]:
    """Return each side's part of a prize of 1, minus an equal stake.

    The winning sides share the prize.
    """
    won = [side[0] in winners for side in rules.sides]
    return [(1 / sum(won) if wins else 0.0) - 1 / len(won) for wins in won]
