"""Faults that the conformance suites must notice: each is one small change of the naive model.

`python -m support.faults` plants every fault in turn and lets the suite of every preset in which it can matter look for
it, and the suite of the options. What a suite does not notice must stand in `EQUIVALENT`, with the reason. Without
arguments it plants those of the engine in TypeScript too, which the suite as a whole must notice.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Final

import attrs

from heartsrules import Card, Rules
from heartsrules.rules import (
    ANY_NUMBER,
    BonusFloor,
    Compulsory,
    Duplicates,
    ExposeBeforePass,
    ExposedCardPlay,
    Exposure,
    FirstTrick,
    HeartsBreak,
    HeartsLead,
    Kitty,
    KittyShownTo,
    Moon,
    MoonCards,
    MoonScope,
    OpeningCard,
    OpeningLeader,
    PassOptional,
    QueenBreaks,
    ScoreDisplay,
    TargetScope,
    TargetTest,
    Tie,
    VoidLastTrick,
)
from heartsrules.testing.conformance import chosen, write
from support import naive, typescript_engine
from support.conforming import Case, cases_of, mistakes

__all__ = ["EQUIVALENT", "FAULTS", "SOURCE", "Fault", "hunt", "killer", "suites_of"]

SOURCE: Final = Path(naive.__file__).read_text(encoding="utf-8")
QUEEN: Final = Card("QS")


@attrs.frozen
class Fault:
    """A small change of the model."""

    name: str
    old: str
    """A text that the source of the model has once."""
    new: str
    """What stands there instead."""
    matters: Callable[[Rules], bool] = attrs.field(default=lambda _rules: True, repr=False)
    """Whether it can make a difference under these rules."""

    def planted(self) -> ModuleType:
        """The model with this fault.

        Raises:
            ValueError: the model has not just one such place.
        """
        if SOURCE.count(self.old) != 1:
            raise ValueError(f"{self.name}: the model has {SOURCE.count(self.old)} places to plant it")
        module = ModuleType(f"naive with {self.name}")
        exec(compile(SOURCE.replace(self.old, self.new), self.name, "exec"), module.__dict__)
        return module


def killer(fault: ModuleType, cases: Iterable[Case]) -> str | None:
    """The name of the first case that a model with a fault gets wrong, if there is one."""
    return next((case.name for case in cases if any(mistakes(case, fault))), None)


# ------------------------------------------------------------------------------------------ what a rule set lets matter


def _has(card: Card) -> Callable[[Rules], bool]:
    return lambda rules: card in rules.deck


def _several_deals(rules: Rules) -> bool:
    return rules.max_deals != 1


def _hearts(rules: Rules) -> list[int]:
    return [rules.penalty(card) for card in rules.deck if card.suit.letter == "H"]


def _cheap_hearts(rules: Rules) -> bool:
    return 0 in _hearts(rules)


def _is(name: str, *values: object) -> Callable[[Rules], bool]:
    return lambda rules: getattr(rules, name) in values


def _is_not(name: str, *values: object) -> Callable[[Rules], bool]:
    return lambda rules: getattr(rules, name) not in values


def _all(*conditions: Callable[[Rules], bool]) -> Callable[[Rules], bool]:
    return lambda rules: all([condition(rules) for condition in conditions])


def _any(*conditions: Callable[[Rules], bool]) -> Callable[[Rules], bool]:
    return lambda rules: any([condition(rules) for condition in conditions])


_queen: Final = _has(QUEEN)
_moon: Final = _is_not("moon", Moon.OFF)
_worth: Final = _is_not("moon", Moon.OFF, Moon.SHOOTER_TO_ZERO)
_teams: Final = _is_not("teams", 0)
_bonus: Final = _is_not("bonuses", ())
_doubler: Final = _is_not("doubler", None)
_two_decks: Final = _is("decks", 2)
_target: Final = _is_not("target", None)
_must_break: Final = _is("hearts_lead", HeartsLead.WHEN_BROKEN)
_spares: Final = _all(_must_break, _queen, _is("heart_lead_spares_queen", True))
_ban: Final = _is("first_trick", FirstTrick.NO_POINTS)
_waits: Final = _is_not("exposed_card_play", ExposedCardPlay.FREE)
_on_lead: Final = _is("exposed_card_play", ExposedCardPlay.WAIT_ON_LEAD)
_rounds: Final = _is("exposure", Exposure.ROUNDS, Exposure.ROUNDS_IN_TURN)
_shows_first: Final = _is_not("expose_before_pass", ExposeBeforePass.NEVER)
_sun_points: Final = _all(_is("sun", True), _is_not("sun_points", None))
_factor: Final = _all(_worth, _is_not("moon_factor", 1))
_many_steps: Final = _all(_several_deals, lambda rules: len(set(rules.pass_cycle)) > 1)


def _kitty(rules: Rules) -> bool:
    return rules.kitty_size > 0


def _shown(*cards: str) -> Callable[[Rules], bool]:
    return lambda rules: any([str(card) in cards or not cards for card in rules.exposable])


def _shown_heart(rules: Rules) -> bool:
    return any([card.suit.letter == "H" for card in rules.exposable])


def _cancels(rules: Rules) -> bool:
    return rules.decks == 2 and rules.duplicates is Duplicates.CANCEL


def _opens_by_points(rules: Rules) -> bool:
    by_clubs = rules.opening_card in (OpeningCard.LOWEST_CLUB, OpeningCard.ANY_CLUB)
    without = rules.opening_leader is not OpeningLeader.LOWEST_CLUB
    return rules.opening_card is OpeningCard.NON_POINT or (by_clubs and without)


def _odd_penalties(rules: Rules) -> bool:
    """Whether the penalty cards are not just the hearts."""
    return _cheap_hearts(rules) or any([card.suit.letter != "H" for card in rules.penalty_cards])


def _odd_moon(rules: Rules) -> bool:
    """Whether the penalty cards are not just the hearts and queens."""
    told = [card for card in rules.deck if card.suit.letter == "H" or card == QUEEN]
    return told != list(rules.penalty_cards)


def _lowest_club_twice(rules: Rules) -> bool:
    return rules.deck.count(next(iter(rules.deck))) == 2


def _three_sides(rules: Rules) -> bool:
    return len(rules.sides) > 2


def _not_just_the_target(rules: Rules) -> bool:
    """Whether the end is more than a side's total at the target."""
    usual = (TargetScope.SIDE, Tie.SHARED, None, None)
    exceeded = rules.target_test is TargetTest.EXCEEDED
    return exceeded or usual != (rules.target_scope, rules.tie, rules.bonus_target, rules.max_deals)


def _through_the_middle(rules: Rules) -> bool:
    return any([offset == 0 for step in rules.pass_cycle for offset, _ in step])


def _to_seats(rules: Rules) -> bool:
    return any([offset != 0 for step in rules.pass_cycle for offset, _ in step])


def _any_number(rules: Rules) -> bool:
    return any([step == ANY_NUMBER for step in rules.pass_cycle])


def _resets_chain(rules: Rules) -> bool:
    return bool({exact for exact, _ in rules.exact_resets} & {lower for _, lower in rules.exact_resets})


# ------------------------------------------------------------------------------------------------------------- faults

FAULTS: Final[Sequence[Fault]] = (
    # What cards are worth.
    Fault(
        "the queen always costs 13",
        "value += rules.queen_points",
        "value += 13",
        _all(_queen, _is_not("queen_points", 13)),
    ),
    Fault(
        "every heart costs one",
        "value += rules.heart_values[rank(card)]",
        "value += 1",
        lambda rules: set(rules.heart_values) != {1},
    ),
    Fault(
        "extra penalties are forgotten",
        "            value += points\n",
        "            value += 0\n",
        _is_not("extra_penalties", ()),
    ),
    Fault(
        "extra penalties replace what the card is worth",
        "            value += points\n",
        "            value = points\n",
        lambda rules: any([card.suit.letter == "H" or card == QUEEN for card, _ in rules.extra_penalties]),
    ),
    Fault(
        "a heart that costs nothing is not a scoring card",
        "or is_heart(card) or bonus_points(rules, card) > 0",
        "or bonus_points(rules, card) > 0",
        _all(_doubler, _cheap_hearts),
    ),
    Fault(
        "a bonus card is not a scoring card",
        "or is_heart(card) or bonus_points(rules, card) > 0",
        "or is_heart(card)",
        _all(_doubler, _bonus),
    ),
    Fault(
        "a shown heart doubles only itself",
        "return 2 if any(is_heart(other) for other in exposed) else 1",
        "return 2 if card in exposed else 1",
        _shown_heart,
    ),
    Fault(
        "a shown card counts once",
        "    return 2 if card in exposed else 1",
        "    return 1",
        lambda rules: any([card.suit.letter != "H" for card in rules.exposable]),
    ),
    # Sides.
    Fault(
        "partners sit side by side",
        "return int(seat % rules.teams)",
        "return int(seat // (rules.players // rules.teams))",
        _teams,
    ),
    Fault(
        "seats are counted from the dealer",
        "(dealer + 1 + k) % rules.players",
        "(dealer + k) % rules.players",
        _any(
            _is("opening_leader", OpeningLeader.DEALER_LEFT), _is("exposure", Exposure.IN_TURN, Exposure.ROUNDS_IN_TURN)
        ),
    ),
    # The pass.
    Fault(
        "gifts go the other way",
        "receiver = (giver + offset) % rules.players",
        "receiver = (giver - offset) % rules.players",
        lambda rules: any([2 * offset % rules.players for step in rules.pass_cycle for offset, _ in step]),
    ),
    Fault(
        "a gift goes on only once",
        "while receiver in decliners:",
        "if receiver in decliners:",
        _is("pass_optional", PassOptional.SKIP),
    ),
    Fault(
        "a gift to who declined comes back",
        "    while receiver in decliners:\n",
        "    if receiver in decliners:\n        return giver\n    while receiver in decliners:\n",
        _is("pass_optional", PassOptional.SKIP),
    ),
    Fault(
        "who declined gets cards all the same",
        "    while receiver in decliners:\n",
        "    while False:\n",
        _is("pass_optional", PassOptional.SKIP),
    ),
    Fault(
        "those who pass exchange though one declines",
        'if decliners and self.rules.pass_optional.name == "UNANIMOUS":',
        "if False:",
        _is("pass_optional", PassOptional.UNANIMOUS),
    ),
    Fault(
        "nobody may decline",
        "            choices.add(())\n",
        "            choices.discard(())\n",
        _is_not("pass_optional", PassOptional.NO),
    ),
    Fault(
        "every card may be passed",
        "passable = [card for card in self.hands[seat] if card not in barred]",
        "passable = list(self.hands[seat])",
        lambda rules: bool(rules.unpassable),
    ),
    Fault(
        "every deal has the first step",
        "self.rules.pass_cycle[self.deal_number % len(self.rules.pass_cycle)]",
        "self.rules.pass_cycle[0]",
        _many_steps,
    ),
    Fault(
        "the cycle is one step ahead",
        "self.rules.pass_cycle[self.deal_number % len(self.rules.pass_cycle)]",
        "self.rules.pass_cycle[(self.deal_number + 1) % len(self.rules.pass_cycle)]",
        _many_steps,
    ),
    Fault(
        "a pile in the middle comes back as it was laid",
        "            self.received[seat] = in_order(list(hands[seat]))\n",
        "            self.received[seat] = in_order(laid)\n",
        _through_the_middle,
    ),
    Fault(
        "those who lay cards in the middle exchange though one declines",
        "laid = [] if nobody_moves or seat in decliners else",
        "laid = [] if seat in decliners else",
        _all(_through_the_middle, _is("pass_optional", PassOptional.UNANIMOUS)),
    ),
    Fault(
        "the middle takes every card though one declines",
        'nobody_moves = decliners and self.rules.pass_optional.name == "UNANIMOUS"',
        "nobody_moves = bool(decliners)",
        _all(_through_the_middle, _any(_any_number, _is("pass_optional", PassOptional.SKIP))),
    ),
    Fault(
        "any number is one card at least",
        "            return {()} | {(gift,)",
        "            return {(gift,)",
        _any_number,
    ),
    Fault(
        "any number is three cards at most",
        "            sizes = range(1, len(passable) + 1)\n",
        "            sizes = range(1, 4)\n",
        _any_number,
    ),
    # The exposure.
    Fault(
        "at most one card is shown",
        "for size in range(len(mine) + 1)",
        "for size in range(min(2, len(mine) + 1))",
        lambda rules: len(rules.exposable) > 1,
    ),
    Fault(
        "who holds such a card must show one",
        "for size in range(len(mine) + 1)",
        "for size in range(min(1, len(mine)), len(mine) + 1)",
        _shown(),
    ),
    Fault(
        "everybody shows at once",
        'return {self.next_to_expose(waiting)} if self.rules.exposure.name.endswith("IN_TURN") else set(waiting)',
        "return set(waiting)",
        _is("exposure", Exposure.IN_TURN, Exposure.ROUNDS_IN_TURN),
    ),
    Fault(
        "everybody shows in turn",
        'return {self.next_to_expose(waiting)} if self.rules.exposure.name.endswith("IN_TURN") else set(waiting)',
        "return {self.next_to_expose(waiting)}",
        _all(_shown(), _is("exposure", Exposure.TOGETHER, Exposure.ROUNDS)),
    ),
    Fault(
        "every seat decides once", 'if cards and self.rules.exposure.name.startswith("ROUNDS"):', "if False:", _rounds
    ),
    Fault(
        "who has shown cards is asked at once again",
        "        self.decided.add(seat)\n",
        '        if not (cards and self.rules.exposure.name.startswith("ROUNDS")):\n'
        "            self.decided.add(seat)\n",
        _rounds,
    ),
    Fault(
        "a card may be shown again",
        "return [card for card in self.hands[seat] if card not in self.exposed.get(seat, ())]",
        "return list(self.hands[seat])",
        _rounds,
    ),
    Fault(
        "every round begins at the dealer's left",
        "        return (self.last_to_decide + 1) % int(self.rules.players)\n",
        "        return waiting[0]\n",
        _is("exposure", Exposure.ROUNDS_IN_TURN),
    ),
    Fault(
        "no card is shown before the pass",
        'if not self.pass_plan() or len(self.rules.exposable) == 0 or self.rules.expose_before_pass.name == "NEVER":',
        "if True:",
        _shows_first,
    ),
    Fault(
        "cards are shown first in deals that pass to seats",
        'return self.rules.expose_before_pass.name == "ALWAYS" or self.goes_through_the_middle()',
        "return True",
        _all(_is("expose_before_pass", ExposeBeforePass.MIDDLE), _to_seats),
    ),
    Fault(
        "cards are shown first only where the pass goes through the middle",
        'return self.rules.expose_before_pass.name == "ALWAYS" or self.goes_through_the_middle()',
        "return self.goes_through_the_middle()",
        _all(_is("expose_before_pass", ExposeBeforePass.ALWAYS), _to_seats),
    ),
    Fault(
        "cards are passed though some were shown",
        "if self.shows_first() and not self.committed and not self.exposed_cards():",
        "if self.shows_first() and not self.committed:",
        _shows_first,
    ),
    Fault(
        "no card is passed though none were shown",
        "if self.shows_first() and not self.committed and not self.exposed_cards():",
        "if False:",
        _shows_first,
    ),
    Fault(
        "no card is shown after a pass that follows the showing",
        "        if len(self.rules.exposable) > 0:\n",
        "        if len(self.rules.exposable) > 0 and not (self.shows_first() and self.committed):\n",
        _shows_first,
    ),
    Fault(
        "a shown card waits to the end",
        "card not in exposed or suit(card) in suits_led:",
        "card not in exposed:",
        _all(_shown(), _waits),
    ),
    Fault(
        "a shown card may lead its suit",
        "    if trick and suit(trick[0][1]) != suit(card):\n",
        "    if not trick or suit(trick[0][1]) != suit(card):\n",
        _all(_shown(), _waits),
    ),
    Fault(
        "every shown card waits",
        'rules.exposed_card_play.name == "FREE" or',
        "",
        _all(_shown(), _is("exposed_card_play", ExposedCardPlay.FREE)),
    ),
    Fault(
        "a shown card waits for its suit alone",
        'rules.exposed_card_play.name == "WAIT_ON_LEAD" and not trick',
        "False",
        _all(_shown(), _on_lead),
    ),
    Fault(
        "a shown queen waits for the hearts beside her",
        'if card == "QS" and spares_the_queen(rules, hand, first_trick, hearts_broken):',
        "if False:",
        _all(_shown("QS"), _on_lead, _spares),
    ),
    Fault(
        "a shown queen that opens waits for no hearts beside her",
        '    if first_trick and rules.opening_card.name != "ANY":\n        return False\n',
        "",
        _all(_shown("QS"), _on_lead, _spares, _is_not("opening_leader", OpeningLeader.LOWEST_CLUB)),
    ),
    Fault(
        "every shown card counts as waiting",
        "other not in exposed or suit(other) in suits_led for other in legal",
        "other not in shown for other in legal",
        _all(_on_lead, lambda rules: len({card.suit for card in rules.exposable}) > 1),
    ),
    Fault(
        "a shown card may not be discarded",
        "    if trick and suit(trick[0][1]) != suit(card):\n        return False\n",
        "",
        _all(_shown(), _waits),
    ),
    Fault(
        "a shown card waits without another of its suit",
        "    return any(suit(other) == suit(card) and other not in exposed for other in legal)",
        "    return True",
        # Whoever follows suit without another card of it plays a shown card in any case.
        _all(_shown(), _is("exposed_card_play", ExposedCardPlay.WAIT_IN_SUIT)),
    ),
    Fault(
        "the suit of the current trick counts as led",
        "[suit(plays[0][1]) for _, plays, _ in self.tricks],",
        "[suit(plays[0][1]) for _, plays, _ in self.tricks] + [suit(card) for _, card in self.trick[:1]],",
        _all(_shown(), _waits),
    ),
    Fault(
        "a suit counts as led when a card of it was thrown",
        "[suit(plays[0][1]) for _, plays, _ in self.tricks],",
        "[suit(card) for _, plays, _ in self.tricks for _, card in plays],",
        _all(_shown(), _waits),
    ),
    # The opening.
    Fault(
        "the dealer's left always leads first",
        "    kind = rules.opening_leader.name\n",
        '    kind = "DEALER_LEFT"\n',
        _is_not("opening_leader", OpeningLeader.DEALER_LEFT),
    ),
    Fault(
        "the last holder of the lowest club leads",
        "    for seat in order:\n        if lowest in hands[seat]:",
        "    for seat in order[::-1]:\n        if lowest in hands[seat]:",
        _all(_is("opening_leader", OpeningLeader.LOWEST_CLUB), _lowest_club_twice),
    ),
    Fault(
        "the lowest spade leads though somebody took the queen",
        'return lowest_holder(hands, "S", order) if queen_taker is None else queen_taker',
        'return lowest_holder(hands, "S", order)',
        _is("opening_leader", OpeningLeader.QUEEN_TAKER),
    ),
    Fault(
        "the dealer's left leads where nobody took the queen",
        'return lowest_holder(hands, "S", order) if queen_taker is None else queen_taker',
        "return order[0] if queen_taker is None else queen_taker",
        _is("opening_leader", OpeningLeader.QUEEN_TAKER),
    ),
    Fault(
        "the lowest club of a whole deck opens",
        "in_order([card for hand in hands for card in hand if suit(card) == letter])[0]",
        '"2" + letter',
        _all(
            _is("opening_leader", OpeningLeader.LOWEST_CLUB), _any(_kitty, lambda rules: Card("2C") not in rules.deck)
        ),
    ),
    Fault(
        "any club opens",
        'if kind == "LOWEST_CLUB" and clubs:',
        'if kind == "NOTHING" and clubs:',
        _is("opening_card", OpeningCard.LOWEST_CLUB),
    ),
    Fault(
        "the lowest club must open",
        'if kind == "LOWEST_CLUB" and clubs:',
        'if kind in ("LOWEST_CLUB", "ANY_CLUB") and clubs:',
        _is("opening_card", OpeningCard.ANY_CLUB),
    ),
    Fault(
        "a penalty card may open",
        "    harmless = [card for card in hand if not is_penalty(rules, card)]\n"
        "    return harmless if harmless else list(hand)\n",
        "    return list(hand)\n",
        _opens_by_points,
    ),
    Fault(
        "a hand of penalty cards may not open",
        "    harmless = [card for card in hand if not is_penalty(rules, card)]\n"
        "    return harmless if harmless else list(hand)\n",
        "    return [card for card in hand if not is_penalty(rules, card)]\n",
        _all(_opens_by_points, lambda rules: len(rules.penalty_cards) >= rules.cards_per_hand),
    ),
    Fault(
        "hearts are barred from the opening, not penalty cards",
        "    harmless = [card for card in hand if not is_penalty(rules, card)]\n"
        "    return harmless if harmless else list(hand)\n",
        "    harmless = [card for card in hand if not is_heart(card)]\n"
        "    return harmless if harmless else list(hand)\n",
        _all(_opens_by_points, _odd_penalties),
    ),
    Fault(
        "an unrestricted opening keeps the rule on hearts",
        'if kind == "UNRESTRICTED":',
        'if kind == "NOTHING":',
        _is("opening_card", OpeningCard.UNRESTRICTED),
    ),
    Fault(
        "any card opens a game that says any",
        '    if kind == "ANY":\n        return hearts_lead_stage(rules, hand, hearts_broken)\n',
        '    if kind == "ANY":\n        return list(hand)\n',
        _all(_is("opening_card", OpeningCard.ANY), _is_not("hearts_lead", HeartsLead.ANY_TIME)),
    ),
    # The lead.
    Fault(
        "hearts may be led before they are broken",
        "    others = [card for card in hand if not is_heart(card)]\n    return others if others else list(hand)",
        "    return list(hand)",
        _must_break,
    ),
    Fault(
        "hearts alone may not be led",
        "    others = [card for card in hand if not is_heart(card)]\n    return others if others else list(hand)",
        "    return [card for card in hand if not is_heart(card)]",
        _all(_must_break, _is("heart_lead_spares_queen", False)),
    ),
    Fault(
        "hearts must be broken though they need not",
        'if hearts_broken or kind == "ANY_TIME":',
        'if kind == "ANY_TIME":\n        kind = "WHEN_BROKEN"\n    if hearts_broken:',
        _is("hearts_lead", HeartsLead.ANY_TIME),
    ),
    Fault(
        "hearts may not be led after they are broken",
        'if hearts_broken or kind == "ANY_TIME":',
        'if kind == "ANY_TIME":',
        _all(
            _is_not("hearts_lead", HeartsLead.ANY_TIME),
            _any(_is_not("hearts_break", HeartsBreak.NEVER), _is_not("queen_breaks", QueenBreaks.NEVER)),
        ),
    ),
    Fault(
        "a lone queen may be spared",
        "    if rules.heart_lead_spares_queen and only_hearts_and_queen(hand):",
        "    if only_hearts_and_queen(hand):",
        _all(_must_break, _queen, _is("heart_lead_spares_queen", False)),
    ),
    Fault(
        "a lone queen must be led",
        "    if rules.heart_lead_spares_queen and only_hearts_and_queen(hand):",
        "    if False:",
        _all(_must_break, _queen, _is("heart_lead_spares_queen", True)),
    ),
    Fault(
        "only hearts wait for the breaking",
        "harmless = [card for card in hand if not is_heart(card) and not is_penalty(rules, card)]",
        "harmless = [card for card in hand if not is_heart(card)]",
        _is("hearts_lead", HeartsLead.POINTS_WHEN_BROKEN),
    ),
    Fault(
        "the queen may be led, and the hearts not",
        '        return harmless if harmless else list(hand)\n    assert kind == "WHEN_BROKEN"',
        "        return harmless or [card for card in hand if not is_heart(card)] or list(hand)\n"
        '    assert kind == "WHEN_BROKEN"',
        _is("hearts_lead", HeartsLead.POINTS_WHEN_BROKEN),
    ),
    # Following and discarding.
    Fault("nobody has to follow", "        if same_suit:\n", "        if False:\n"),
    Fault("the only card of the suit may be kept", "        if same_suit:\n", "        if len(same_suit) > 1:\n"),
    Fault(
        "points may be thrown on the first trick",
        'if first_trick and rules.first_trick.name == "NO_POINTS":',
        "if False:",
        _ban,
    ),
    Fault(
        "points may never be thrown",
        'if first_trick and rules.first_trick.name == "NO_POINTS":',
        'if rules.first_trick.name == "NO_POINTS":',
        _ban,
    ),
    Fault(
        "a hand of penalty cards is stuck on the first trick",
        "            harmless = [card for card in legal if not is_penalty(rules, card)]\n"
        "            if harmless:\n"
        "                legal = harmless\n",
        "            legal = [card for card in legal if not is_penalty(rules, card)]\n",
        _all(_ban, lambda rules: len(rules.penalty_cards) >= rules.cards_per_hand),
    ),
    Fault(
        "only hearts are barred from the first trick",
        "            harmless = [card for card in legal if not is_penalty(rules, card)]\n",
        "            harmless = [card for card in legal if not is_heart(card)]\n",
        _ban,
    ),
    Fault(
        "every heart is barred from the first trick",
        "            harmless = [card for card in legal if not is_penalty(rules, card)]\n",
        "            harmless = [card for card in legal if not is_penalty(rules, card) and not is_heart(card)]\n",
        _all(_ban, _cheap_hearts),
    ),
    Fault(
        "bonus cards are barred from the first trick",
        "            harmless = [card for card in legal if not is_penalty(rules, card)]\n",
        "            harmless = [card for card in legal if not is_penalty(rules, card) and not "
        "bonus_points(rules, card)]\n",
        _all(_ban, _bonus),
    ),
    Fault(
        "the ban holds only where clubs are led",
        'if first_trick and rules.first_trick.name == "NO_POINTS":',
        'if first_trick and rules.first_trick.name == "NO_POINTS" and suit(trick[0][1]) == "C":',
        _all(_ban, _is("opening_leader", OpeningLeader.DEALER_LEFT)),
    ),
    Fault(
        "hearts may be thrown on the first trick",
        'if first_trick and rules.first_trick.name == "NO_HEARTS":',
        "if False:",
        _is("first_trick", FirstTrick.NO_HEARTS),
    ),
    Fault(
        "hearts that cost nothing may be thrown on the first trick",
        "            no_hearts = [card for card in legal if not is_heart(card)]\n",
        "            no_hearts = [card for card in legal if not is_penalty(rules, card)]\n",
        _is("first_trick", FirstTrick.NO_HEARTS),
    ),
    Fault(
        "everything is free on the first trick, but not for the rules",
        "    if cannot_follow:\n        if rules.queen",
        "    if cannot_follow:\n"
        "        if first_trick and any(not is_penalty(rules, card) for card in legal):\n"
        "            legal = [card for card in legal if not is_penalty(rules, card)]\n"
        "        if rules.queen",
        _is("first_trick", FirstTrick.FREE),
    ),
    Fault(
        "the queen is thrown before hearts",
        "if rules.queen_discard_after_hearts and not hearts_broken:",
        "if False:",
        _is("queen_discard_after_hearts", True),
    ),
    Fault(
        "the queen is never thrown",
        "if rules.queen_discard_after_hearts and not hearts_broken:",
        "if rules.queen_discard_after_hearts:",
        _is("queen_discard_after_hearts", True),
    ),
    Fault(
        "the queen waits for hearts",
        "if rules.queen_discard_after_hearts and not hearts_broken:",
        "if not hearts_broken:",
        _all(_queen, _is("queen_discard_after_hearts", False)),
    ),
    # Compulsory cards.
    Fault("nothing is compulsory", "    if due:\n        legal = due\n", "", _is_not("compulsory", Compulsory.NO)),
    Fault(
        "a compulsory card is thrown though nothing says so",
        '    if kind == "NO":\n        return False\n',
        '    if kind == "NO":\n        kind = "DISCARD"\n',
        _all(_queen, _is("compulsory", Compulsory.NO)),
    ),
    Fault(
        "a compulsory card must follow too",
        '    if kind == "DISCARD":\n        return cannot_follow\n',
        '    if kind == "DISCARD":\n        return True\n',
        _is("compulsory", Compulsory.DISCARD),
    ),
    Fault(
        "a compulsory card is led",
        "    if not trick:\n        return False\n",
        "    if not trick:\n        return True\n",
        _is("compulsory", Compulsory.DISCARD, Compulsory.SAFE, Compulsory.NOT_LEAD),
    ),
    Fault(
        "a compulsory card is never led",
        '    if kind == "ALWAYS":\n        return True\n',
        '    if kind == "ALWAYS":\n        kind = "NOT_LEAD"\n',
        _is("compulsory", Compulsory.ALWAYS),
    ),
    Fault(
        "only the queen is compulsory",
        "    compulsory = [str(card) for card in rules.compulsory_cards]",
        '    compulsory = ["QS"]',
        lambda rules: {str(card) for card in rules.compulsory_cards} != {"QS"},
    ),
    Fault(
        "an equal card makes safe",
        "suit(played) == suit(card) and rank(played) > rank(card) and not cancelled",
        "suit(played) == suit(card) and rank(played) >= rank(card) and not cancelled",
        _all(_two_decks, _is("compulsory", Compulsory.SAFE)),
    ),
    Fault(
        "a cancelled card makes safe",
        "suit(played) == suit(card) and rank(played) > rank(card) and not cancelled",
        "suit(played) == suit(card) and rank(played) > rank(card)",
        _all(_cancels, _is("compulsory", Compulsory.SAFE)),
    ),
    Fault(
        "safe is only what is thrown",
        "return cannot_follow or (suit(card) == led and",
        "return cannot_follow or (False and",
        _is("compulsory", Compulsory.SAFE),
    ),
    # Breaking hearts.
    Fault(
        "a heart that is led does not break hearts",
        'return way == "PLAYED" or',
        'return (way == "PLAYED" and bool(trick)) or',
        _is("hearts_break", HeartsBreak.PLAYED),
    ),
    Fault(
        "any heart breaks hearts",
        '(way == "DISCARDED" and discarded)',
        'way == "DISCARDED"',
        _is("hearts_break", HeartsBreak.DISCARDED),
    ),
    Fault(
        "a heart that follows suit does not break hearts",
        '(way == "NOT_LED" and bool(trick))',
        '(way == "NOT_LED" and discarded)',
        _is("hearts_break", HeartsBreak.NOT_LED),
    ),
    Fault(
        "a heart breaks hearts though only the queen does",
        'return way == "PLAYED" or',
        'return way in ("PLAYED", "NEVER") or',
        _is("hearts_break", HeartsBreak.NEVER),
    ),
    Fault(
        "the queen breaks hearts",
        '    return bool(kind == "PLAYED")',
        "    return True",
        _all(_queen, _is("queen_breaks", QueenBreaks.NEVER)),
    ),
    Fault(
        "the queen breaks hearts only when she is thrown",
        "        return not trick\n",
        "        return discarded\n",
        _is("queen_breaks", QueenBreaks.LED),
    ),
    Fault(
        "the queen breaks hearts only when she is led",
        '    if kind == "DISCARDED":\n        return discarded\n    return bool(kind == "PLAYED")',
        '    return kind != "NEVER" and not trick',
        _is("queen_breaks", QueenBreaks.DISCARDED, QueenBreaks.PLAYED),
    ),
    Fault(
        "the queen does not break hearts",
        '    return bool(kind == "PLAYED")',
        "    return False",
        _is("queen_breaks", QueenBreaks.PLAYED),
    ),
    # The trick.
    Fault(
        "the highest card of any suit wins",
        "    if not candidates:\n        return None\n    highest",
        "    candidates = list(plays)\n    highest",
    ),
    Fault(
        "equal cards do not cancel",
        'if rules.duplicates.name == "CANCEL":\n        pairs',
        "if False:\n        pairs",
        _cancels,
    ),
    Fault(
        "equal cards cancel",
        'if rules.duplicates.name == "CANCEL":\n        pairs',
        "if True:\n        pairs",
        _all(_two_decks, _is_not("duplicates", Duplicates.CANCEL)),
    ),
    Fault(
        "the first of equal cards wins",
        "        return holders[-1]\n",
        "        return holders[0]\n",
        _all(_two_decks, _is("duplicates", Duplicates.LAST_WINS)),
    ),
    Fault(
        "the last of equal cards wins",
        "    return holders[0]\n",
        "    return holders[-1]\n",
        _all(_two_decks, _is("duplicates", Duplicates.FIRST_WINS)),
    ),
    Fault(
        "two pairs void nothing",
        "if rules.two_pairs_void and len(pairs) >= 2:",
        "if False:",
        _is("two_pairs_void", True),
    ),
    Fault(
        "two pairs void the trick",
        "if rules.two_pairs_void and len(pairs) >= 2:",
        "if len(pairs) >= 2:",
        _all(_cancels, _is("two_pairs_void", False)),
    ),
    Fault(
        "only pairs of the suit led count",
        "if rules.two_pairs_void and len(pairs) >= 2:",
        "if rules.two_pairs_void and len([card for card in pairs if suit(card) == led]) >= 2:",
        _is("two_pairs_void", True),
    ),
    Fault(
        "the leader wins a last trick that is void",
        'if winner is None and last_trick and self.rules.void_last_trick.name == "LEADER":',
        "if winner is None and last_trick:",
        _all(_cancels, _is("void_last_trick", VoidLastTrick.NOBODY)),
    ),
    Fault(
        "nobody wins a last trick that is void",
        'if winner is None and last_trick and self.rules.void_last_trick.name == "LEADER":',
        "if False:",
        _all(_cancels, _is("void_last_trick", VoidLastTrick.LEADER)),
    ),
    Fault(
        "the next player leads after a void trick",
        "self.leader = leader if winner is None else winner",
        "self.leader = (leader + 1) % self.rules.players if winner is None else winner",
        _cancels,
    ),
    Fault(
        "what is set aside is lost",
        "            won = self.set_aside + cards\n",
        "            won = list(cards)\n",
        _cancels,
    ),
    # The kitty.
    Fault(
        "the kitty goes to the first trick",
        '    if kind == "FIRST_TRICK":\n',
        '    if kind != "NONE":\n',
        _all(_kitty, _is_not("kitty", Kitty.FIRST_TRICK)),
    ),
    Fault(
        "the kitty goes to the last trick",
        '    if kind == "FIRST_TRICK":\n        return True\n',
        '    if kind == "FIRST_TRICK":\n        return last_trick\n',
        _all(_kitty, _is("kitty", Kitty.FIRST_TRICK)),
    ),
    Fault(
        "only a heart brings the kitty",
        "return any(is_penalty(rules, card) for card in won)",
        "return any(is_heart(card) for card in won)",
        _all(_kitty, _is("kitty", Kitty.FIRST_POINT)),
    ),
    Fault(
        "any penalty card brings the kitty",
        "        return any(is_heart(card) for card in won)\n",
        "        return any(is_penalty(rules, card) for card in won)\n",
        _all(_kitty, _is("kitty", Kitty.FIRST_HEART)),
    ),
    Fault(
        "the last trick brings no kitty",
        "        return last_trick\n",
        "        return False\n",
        _all(_kitty, _is("kitty", Kitty.LAST_TRICK)),
    ),
    Fault(
        "what is set aside brings no kitty",
        "takes_kitty(self.rules, won, last_trick)",
        "takes_kitty(self.rules, cards, last_trick)",
        _all(_kitty, _cancels, _is("kitty", Kitty.FIRST_POINT, Kitty.FIRST_HEART)),
    ),
    Fault("the kitty is laid away", "                won = won + self.kitty\n", "                pass\n", _kitty),
    Fault(
        "hearts in the kitty break hearts",
        "                won = won + self.kitty\n",
        "                won = won + self.kitty\n"
        "                self.hearts_broken = self.hearts_broken or any(is_heart(card) for card in self.kitty)\n",
        _all(_kitty, _is("kitty", Kitty.FIRST_TRICK, Kitty.FIRST_POINT)),
    ),
    Fault(
        "the kitty counts as a trick",
        "        return [winners.count(seat) for seat in range(self.rules.players)]\n",
        "        return [winners.count(seat) + (seat == self.kitty_winner) for seat in range(self.rules.players)]\n",
        _kitty,
    ),
    # The moon.
    Fault(
        "nobody shoots the moon",
        '    if rules.moon.name == "OFF" or not must_capture(rules):\n        return None\n',
        "    return None\n",
        _moon,
    ),
    Fault(
        "a moon goes by the points",
        "if holds_all(pooled(rules, captured, seat), must_capture(rules)):",
        "if card_points(rules, pooled(rules, captured, seat), shown) - sum(bonus_points(rules, card) "
        "for card in captured[seat]) == card_points(rules, deck(rules), shown):",
        _all(_moon, _bonus),
    ),
    Fault(
        "a moon is told by hearts and queens",
        '    if kind == "ALL":\n        wanted =',
        '    if kind == "ALL":\n        kind = "HEARTS_AND_QUEEN"\n    if kind == "ALL":\n        wanted =',
        _all(_moon, _is("moon_cards", MoonCards.ALL), _odd_moon),
    ),
    Fault(
        "a moon takes every penalty card",
        '    kind = rules.moon_cards.name\n    if kind == "ALL":\n        wanted =',
        '    kind = "ALL"\n    if kind == "ALL":\n        wanted =',
        _all(_moon, _is_not("moon_cards", MoonCards.ALL)),
    ),
    Fault(
        "a moon takes one copy of each card",
        "all(pile.count(card) >= wanted.count(card) for card in wanted)",
        "all(card in pile for card in wanted)",
        _all(_moon, _two_decks),
    ),
    Fault(
        "a moon takes the bonus cards too",
        "    if rules.moon_needs_bonus and wanted:\n",
        "    if wanted:\n",
        _all(_moon, _bonus, _is("moon_needs_bonus", False)),
    ),
    Fault(
        "a moon needs no bonus card",
        "    if rules.moon_needs_bonus and wanted:\n",
        "    if False:\n",
        _is("moon_needs_bonus", True),
    ),
    Fault(
        "partners shoot together",
        'if rules.moon_scope.name == "TEAM":',
        "if rules.teams:",
        _all(_moon, _teams, _is("moon_scope", MoonScope.PLAYER)),
    ),
    Fault(
        "partners do not shoot together",
        'if rules.moon_scope.name == "TEAM":',
        "if False:",
        _is("moon_scope", MoonScope.TEAM),
    ),
    Fault(
        "of a team, the first one shoots",
        "                if card_points(rules, captured[mate], exposed) == most:\n",
        "                if True:\n",
        _is("moon_scope", MoonScope.TEAM),
    ),
    Fault(
        "of a team, the lowest seat shoots on a tie",
        "for mate in order if mate in team_of_moon(rules, seat)]",
        "for mate in sorted(order) if mate in team_of_moon(rules, seat)]",
        _is("moon_scope", MoonScope.TEAM),
    ),
    Fault(
        "a partner pays for the moon",
        "        if others_up and side_of(rules, seat) != side_of(rules, shooter):\n",
        "        if others_up and seat != shooter:\n",
        _all(_teams, _is_not("moon", Moon.OFF, Moon.SHOOTER_DOWN, Moon.SHOOTER_TO_ZERO)),
    ),
    Fault(
        "the partners of the shooter go down too",
        "        if times_down and seat == shooter:\n",
        "        if times_down and side_of(rules, seat) == side_of(rules, shooter):\n",
        _all(_teams, _is_not("moon", Moon.OFF, Moon.OTHERS_UP, Moon.SHOOTER_TO_ZERO, Moon.SHOOTER_WINS)),
    ),
    Fault(
        "a moon does only one thing",
        '"SHOOTER_DOWN": 1, "BOTH": 1,',
        '"SHOOTER_DOWN": 1, "BOTH": 0,',
        _is("moon", Moon.BOTH),
    ),
    Fault("the others pay once", '"OTHERS_PAY": len(opponents)', '"OTHERS_PAY": 1', _is("moon", Moon.OTHERS_PAY)),
    Fault(
        "the partners of the shooter pay too",
        '"OTHERS_PAY": len(opponents)',
        '"OTHERS_PAY": rules.players - 1',
        _all(_is("moon", Moon.OTHERS_PAY), _teams),
    ),
    Fault(
        "a moon leaves the shooter's total",
        'effect == "SHOOTER_TO_ZERO" and before[shooter] + row[shooter] > 0:',
        "False:",
        _is("moon", Moon.SHOOTER_TO_ZERO),
    ),
    Fault(
        "a moon raises a total to 0",
        'effect == "SHOOTER_TO_ZERO" and before[shooter] + row[shooter] > 0:',
        'effect == "SHOOTER_TO_ZERO":',
        _is("moon", Moon.SHOOTER_TO_ZERO),
    ),
    Fault(
        "a moon to 0 looks at the total before",
        'effect == "SHOOTER_TO_ZERO" and before[shooter] + row[shooter] > 0:',
        'effect == "SHOOTER_TO_ZERO" and before[shooter] > 0:',
        _is("moon", Moon.SHOOTER_TO_ZERO),
    ),
    Fault(
        "a moon wins the game for the shooter alone",
        "return [seat for seat in range(rules.players) if side_of(rules, seat) == side_of(rules, shooter)]",
        "return [shooter]",
        _all(_is("moon", Moon.SHOOTER_WINS), _teams),
    ),
    Fault(
        "a moon does not win the game",
        '    if shooter is not None and rules.moon.name == "SHOOTER_WINS":\n',
        "    if False:\n",
        _is("moon", Moon.SHOOTER_WINS),
    ),
    Fault(
        "every penalty card is every card",
        "        wanted = deck(rules)\n",
        "        wanted = [card for card in deck(rules) if is_penalty(rules, card)]\n",
        _is("moon_cards", MoonCards.EVERY_CARD),
    ),
    Fault("a moon counts once", "    value *= int(rules.moon_factor)\n", "", _factor),
    Fault(
        "moon_points count once",
        "        value = int(rules.moon_points)\n",
        "        value = int(rules.moon_points) // int(rules.moon_factor)\n",
        _all(_factor, _is_not("moon_points", None)),
    ),
    Fault(
        "the queen counts once in a moon of hearts",
        "    value *= int(rules.moon_factor)\n",
        "    value *= int(rules.moon_factor)\n"
        "    if queens_belong_to_hearts_moon(rules, captured, shooter):\n"
        "        value -= (int(rules.moon_factor) - 1) * card_points(rules, queens(rules), exposed)\n",
        _all(_factor, _is("moon_cards", MoonCards.HEARTS)),
    ),
    Fault("a sun counts as ever", "    if sun and rules.sun_points is not None:\n", "    if False:\n", _sun_points),
    Fault(
        "sun_points count twice",
        "        return int(rules.sun_points)\n",
        "        return 2 * int(rules.sun_points)\n",
        _sun_points,
    ),
    Fault(
        "sun_points count moon_factor times",
        "        return int(rules.sun_points)\n",
        "        return int(rules.sun_points) * int(rules.moon_factor)\n",
        _all(_sun_points, _factor),
    ),
    Fault(
        "totals have no floor",
        "            if row[seat] < 0 and before[seat] + row[seat] < 0:\n",
        "            if False:\n",
        _is("total_floor", True),
    ),
    Fault(
        "the floor raises a total below 0",
        "row[seat] = -before[seat] if before[seat] > 0 else 0",
        "row[seat] = -before[seat]",
        _is("total_floor", True),
    ),
    Fault(
        "no tricks bring a total below the floor",
        "            if row[seat] < 0 and before[seat] + row[seat] < 0:\n",
        "            if row[seat] < 0 and before[seat] + row[seat] < 0 and tricks_won[seat] > 0:\n",
        _all(_is("total_floor", True), lambda rules: rules.no_tricks_bonus > 0),
    ),
    Fault(
        "a reset brings a total below the floor",
        "                    if rules.total_floor and lower < 0:\n",
        "                    if False:\n",
        _all(_is("total_floor", True), lambda rules: any([lower < 0 for _, lower in rules.exact_resets])),
    ),
    Fault(
        "bonus cards go on the first trick",
        "    harmless = [card for card in cards if not is_scoring(rules, card)]\n",
        "    harmless = [card for card in cards if not is_penalty(rules, card) and not is_heart(card)]\n",
        _all(_is("first_trick", FirstTrick.NO_SCORING), _bonus),
    ),
    Fault(
        "bonus cards go no sooner than the queen",
        "    return harmless or bonuses or no_hearts or cards\n",
        "    return harmless or no_hearts or cards\n",
        _all(_is("first_trick", FirstTrick.NO_SCORING), _bonus, _queen),
    ),
    Fault(
        "of scoring cards any goes first",
        "    return harmless or bonuses or no_hearts or cards\n",
        "    return harmless or cards\n",
        _is("first_trick", FirstTrick.NO_SCORING),
    ),
    Fault(
        "a moon is worth 26",
        "        value = card_points(rules, moon_cards, exposed)\n",
        "        value = 26\n",
        _all(_worth, lambda rules: rules.moon_points is None and rules.penalty_total != 26),
    ),
    Fault(
        "moon_points is forgotten",
        "    if rules.moon_points is None:\n",
        "    if True:\n",
        _all(_worth, lambda rules: rules.moon_points not in (None, rules.penalty_total)),
    ),
    Fault(
        "the queen comes on top of no moon of hearts",
        'return rules.moon_cards.name == "HEARTS" and holds_all(',
        "return False and holds_all(",
        _is("moon_cards", MoonCards.HEARTS),
    ),
    Fault(
        "the other penalty cards are free in a moon",
        "        points = card_points(rules, others, exposed)\n",
        "        points = 0\n",
        _all(_moon, _is_not("moon_cards", MoonCards.ALL, MoonCards.EVERY_CARD)),
    ),
    Fault(
        "the shooter goes down where the others go up",
        '    others_up = effect in ("OTHERS_UP", "BOTH", "OTHERS_PAY", "SHOOTER_WINS")\n',
        '    others_up = False\n    effect = "SHOOTER_DOWN"\n',
        _is_not("moon", Moon.OFF, Moon.SHOOTER_DOWN),
    ),
    Fault(
        "the others go up where the shooter goes down",
        "        if times_down and seat == shooter:\n            points -= times_down * value\n",
        "        if times_down and side_of(rules, seat) != side_of(rules, shooter):\n            points += value\n",
        _is_not("moon", Moon.OFF, Moon.OTHERS_UP, Moon.SHOOTER_TO_ZERO, Moon.SHOOTER_WINS),
    ),
    Fault(
        "the sun is a moon",
        "return 2 * value if sun else value",
        "return value",
        _all(_worth, _is("sun", True), _is("sun_points", None)),
    ),
    Fault(
        "every moon is a sun",
        "            self.rules.sun and self.shooter is not None and took_every_trick(",
        "            self.rules.sun and self.shooter is not None or False and took_every_trick(",
        _is("sun", True),
    ),
    Fault(
        "the sun is for one player's tricks",
        '    if rules.sun_scope.name == "PLAYER":\n',
        "    if True:\n",
        _all(_is("sun", True), _teams, _is("sun_scope", MoonScope.TEAM)),
    ),
    Fault(
        "the sun is for a team's tricks",
        '    if rules.sun_scope.name == "PLAYER":\n',
        "    if False:\n",
        _all(_is("sun", True), _teams, _is("sun_scope", MoonScope.PLAYER)),
    ),
    Fault(
        "a trick left over at the end does not hide the sun",
        "    if waiting > 0:\n",
        "    if False:\n",
        _all(_is("sun", True), _cancels, _is("void_last_trick", VoidLastTrick.NOBODY)),
    ),
    # Bonuses, the doubler, floors.
    Fault(
        "a shooter's bonus cards count nothing",
        "        row[seat] -= credit\n",
        "        row[seat] -= 0 if seat == shooter else credit\n",
        # The floor of the deal leaves no bonus to a shooter without points.
        _all(
            _moon,
            _bonus,
            _any(_is_not("bonus_floor", BonusFloor.DEAL), _is_not("moon_cards", MoonCards.ALL, MoonCards.EVERY_CARD)),
        ),
    ),
    Fault(
        "a bonus card counts once",
        "sum(bonus_points(rules, card) * times(card, exposed) for card in captured[seat])",
        "sum(bonus_points(rules, card) * times(card, exposed) for card in set(captured[seat]))",
        _all(_bonus, _two_decks),
    ),
    Fault("a bonus is added", "        row[seat] -= credit\n", "        row[seat] += credit\n", _bonus),
    Fault(
        "the floor of the total is that of the deal",
        "credit = min(credit, max(0, before[seat] + row[seat]))",
        "credit = min(credit, max(0, row[seat]))",
        _all(_is("bonus_floor", BonusFloor.TOTAL), _several_deals),
    ),
    Fault(
        "the floor looks at the totals before",
        "credit = min(credit, max(0, before[seat] + row[seat]))",
        "credit = min(credit, max(0, before[seat]))",
        _is("bonus_floor", BonusFloor.TOTAL),
    ),
    Fault(
        "a floor raises a score",
        "credit = min(credit, max(0, before[seat] + row[seat]))",
        "credit = min(credit, before[seat] + row[seat])",
        _all(_is("bonus_floor", BonusFloor.TOTAL), _several_deals),
    ),
    Fault(
        "the deal has no floor",
        "credit = min(credit, max(0, row[seat]))\n",
        "pass\n",
        _is("bonus_floor", BonusFloor.DEAL),
    ),
    Fault(
        "the doubler counts alone in any pile",
        "if any(is_scoring(rules, other) for other in captured[seat]):",
        "if False:",
        _doubler,
    ),
    Fault(
        "the doubler alone counts nothing",
        "row[seat] -= rules.doubler.alone * times(card, exposed)",
        "row[seat] -= 0",
        lambda rules: rules.doubler is not None and rules.doubler.alone > 0,
    ),
    Fault(
        "the doubler doubles",
        "row[seat] *= rules.doubler.factor * times(card, exposed)",
        "row[seat] *= 2 * times(card, exposed)",
        lambda rules: rules.doubler is not None and rules.doubler.factor != 2,
    ),
    Fault(
        "the doubler spares the bonuses",
        "                        row[seat] *= rules.doubler.factor * times(card, exposed)\n",
        "                        credit = sum(bonus_points(rules, other) * times(other, shown) for "
        "other in captured[seat])\n"
        "                        row[seat] = (row[seat] + credit) * rules.doubler.factor * "
        "times(card, exposed) - credit\n",
        _all(_doubler, _bonus),
    ),
    Fault(
        "two doublers double once",
        "            for card in captured[seat]:\n                if card == str(rules.doubler.card):",
        "            for card in set(captured[seat]):\n                if card == str(rules.doubler.card):",
        _all(_doubler, _two_decks),
    ),
    Fault(
        "a doubler spares the moon",
        "                    if any(is_scoring(rules, other) for other in captured[seat]):\n",
        "                    if shooter is not None:\n"
        "                        continue\n"
        "                    if any(is_scoring(rules, other) for other in captured[seat]):\n",
        _all(_doubler, _moon),
    ),
    Fault(
        "no tricks bring no bonus on a moon",
        "if shooter is None or rules.no_tricks_bonus_on_moon:",
        "if shooter is None:",
        lambda rules: rules.no_tricks_bonus > 0 and rules.no_tricks_bonus_on_moon and rules.moon is not Moon.OFF,
    ),
    Fault(
        "no tricks bring a bonus on a moon",
        "if shooter is None or rules.no_tricks_bonus_on_moon:",
        "if True:",
        lambda rules: rules.no_tricks_bonus > 0 and not rules.no_tricks_bonus_on_moon,
    ),
    Fault(
        "no tricks bring no bonus",
        "                row[seat] -= rules.no_tricks_bonus\n",
        "                row[seat] -= 0\n",
        lambda rules: rules.no_tricks_bonus > 0,
    ),
    # Totals and the end.
    Fault(
        "resets lead on",
        "        after.append(total)\n",
        "        after.append(dict(rules.exact_resets).get(total, total) if points != 0 else total)\n",
        _resets_chain,
    ),
    Fault(
        "an exact total is reset though nothing was added",
        "        if points != 0:\n",
        "        if True:\n",
        _is_not("exact_resets", ()),
    ),
    Fault(
        "totals are never reset",
        "                    total = lower\n",
        "                    pass\n",
        _is_not("exact_resets", ()),
    ),
    Fault(
        "totals past it are reset too",
        "                if old + points == exact:\n",
        "                if old + points >= exact:\n",
        _is_not("exact_resets", ()),
    ),
    Fault(
        "the target must be exceeded",
        'reached = rules.target_test.name in ("REACHED", "EXACT_WINS")',
        'reached = rules.target_test.name == "EXACT_WINS"',
        _all(_target, _several_deals, _is("target_test", TargetTest.REACHED)),
    ),
    Fault(
        "the target may be reached",
        'reached = rules.target_test.name in ("REACHED", "EXACT_WINS")',
        "reached = True",
        _all(_target, _several_deals, _is("target_test", TargetTest.EXCEEDED)),
    ),
    Fault(
        "a target is one point away",
        "total > rules.target or (reached and",
        "total >= rules.target - 1 or (reached and",
        _all(_target, _several_deals),
    ),
    Fault(
        "players reach the target",
        'if rules.target_scope.name == "PLAYER"',
        "if True",
        _all(_teams, _target, _is("target_scope", TargetScope.SIDE)),
    ),
    Fault(
        "sides reach the target",
        'if rules.target_scope.name == "PLAYER"',
        "if False",
        _all(_teams, _target, _is("target_scope", TargetScope.PLAYER)),
    ),
    Fault(
        "nothing below 0 ends the game",
        "if rules.bonus_target is not None and (",
        "if False and (",
        _is_not("bonus_target", None),
    ),
    Fault(
        "what is below 0 must exceed",
        "below > rules.bonus_target or (reached and below == rules.bonus_target)",
        "below > rules.bonus_target",
        _all(_is_not("bonus_target", None), _is("target_test", TargetTest.REACHED)),
    ),
    Fault(
        "one deal more is played",
        "deals_played >= rules.max_deals",
        "deals_played > rules.max_deals",
        _is_not("max_deals", None),
    ),
    Fault(
        "one deal less is played",
        "deals_played >= rules.max_deals",
        "deals_played >= rules.max_deals - 1",
        lambda rules: rules.max_deals is not None and rules.max_deals > 1,
    ),
    Fault(
        "the game goes on after an extra deal",
        "deals_played >= rules.max_deals",
        "deals_played == rules.max_deals",
        _all(_is_not("max_deals", None), _is("tie", Tie.EXTRA_DEAL)),
    ),
    Fault(
        "a tie ends the game",
        'if len(best_sides) > 1 and rules.tie.name == "EXTRA_DEAL":',
        "if False:",
        _is("tie", Tie.EXTRA_DEAL),
    ),
    Fault(
        "a tie goes on",
        'if len(best_sides) > 1 and rules.tie.name == "EXTRA_DEAL":',
        "if len(best_sides) > 1:",
        _is("tie", Tie.SHARED),
    ),
    Fault(
        "any tie goes on",
        'if len(best_sides) > 1 and rules.tie.name == "EXTRA_DEAL":',
        'if len(set(sums.values())) < len(sums) and rules.tie.name == "EXTRA_DEAL":',
        _all(_is("tie", Tie.EXTRA_DEAL), _three_sides),
    ),
    Fault(
        "one of the lowest wins",
        "if side_of(rules, seat) in best_sides]\n\n\ndef hit",
        "if side_of(rules, seat) == best_sides[0]]\n\n\ndef hit",
        _is("tie", Tie.SHARED),
    ),
    Fault(
        "the lowest player wins without a partner",
        "if side_of(rules, seat) in best_sides]\n\n\ndef hit",
        "if side_of(rules, seat) in best_sides and totals[seat] == min(totals)]\n\n\ndef hit",
        _teams,
    ),
    Fault(
        "the highest total wins",
        "if running[side] == min(running.values())]",
        "if running[side] == max(running.values())]",
    ),
    Fault(
        "exactly the target is a total like any other",
        '    if rules.target_test.name != "EXACT_WINS" or rules.target is None:\n',
        "    if True:\n",
        _all(_target, _several_deals, _is("target_test", TargetTest.EXACT_WINS)),
    ),
    Fault(
        "exactly the target always wins",
        '    if rules.target_test.name != "EXACT_WINS" or rules.target is None:\n',
        "    if rules.target is None:\n",
        _all(_target, _several_deals, _is_not("target_test", TargetTest.EXACT_WINS)),
    ),
    Fault(
        "a moon is saved only where it must be",
        'return "OTHERS_UP" if winners is None or shooter in winners else "SHOOTER_DOWN"',
        'return "OTHERS_UP"',
        _is("moon", Moon.AUTO_SAVE),
    ),
    Fault(
        "a moon is saved on a tie too",
        "winners is None or shooter in winners else",
        "winners is None or {side_of(rules, seat) for seat in winners} == {side_of(rules, shooter)} else",
        _all(_is("moon", Moon.AUTO_SAVE), _is("tie", Tie.SHARED)),
    ),
    Fault(
        "a moon is saved though the game goes on",
        'return "OTHERS_UP" if winners is None or shooter in winners else "SHOOTER_DOWN"',
        'return "OTHERS_UP" if side_of(rules, shooter) in leading_sides(rules, after) else "SHOOTER_DOWN"',
        _is("moon", Moon.AUTO_SAVE),
    ),
    Fault(
        "a moon never extends the game",
        '        return "OTHERS_UP" if winners is None else "SHOOTER_DOWN"\n',
        '        return "OTHERS_UP"\n',
        _is("moon", Moon.AUTO_EXTEND),
    ),
    Fault(
        "the last deal goes on counting",
        '            self.phase = "over"\n',
        '            self.phase = "over"\n            self.deal_number += 1\n',
    ),
    Fault(
        "the winner deals",
        "self.dealer = dealer_of(self.rules, self.deal_number)\n        else",
        "self.dealer = self.scores.index(min(self.scores))\n        else",
        _several_deals,
    ),
    Fault(
        "seat 0 deals first",
        "return int((rules.first_dealer + deal_number) % rules.players)",
        "return int(deal_number % rules.players)",
        _is_not("first_dealer", 0),
    ),
    Fault(
        "the queen is taken by who has most cards",
        '        if "QS" in captured[seat]:\n',
        "        if len(captured[seat]) == max(map(len, captured)):\n",
        lambda rules: rules.deck.count(QUEEN) == 1,
    ),
    Fault(
        "an automatic moon looks at the target alone",
        "    winners = winners_of_game(rules, after, deals_played)\n",
        "    best = leading_sides(rules, after) if max(side_totals(rules, after).values()) >= rules.target else []\n"
        "    winners = [seat for seat in range(rules.players) if side_of(rules, seat) in best] or None\n",
        _all(_is("moon", Moon.AUTO_SAVE, Moon.AUTO_EXTEND), _not_just_the_target),
    ),
    # What is shown of it.
    Fault(
        "totals are shown as they are",
        "    kind = rules.score_display.name\n",
        '    kind = "PENALTY"\n',
        _is_not("score_display", ScoreDisplay.PENALTY),
    ),
    Fault(
        "equal totals have places one after the other",
        "1 + sum(rank < ranks[side] for rank in ranks.values()),",
        "1 + order.index(side),",
    ),
    Fault(
        "places leave none out",
        "1 + sum(rank < ranks[side] for rank in ranks.values()),",
        "1 + sorted(set(ranks.values())).index(ranks[side]),",
        _three_sides,
    ),
    Fault(
        "everybody sees the kitty",
        'return kind == "EVERYBODY" or (kind == "TAKER" and seat == taker)',
        "return True",
        _all(_kitty, _is_not("kitty_shown_to", KittyShownTo.EVERYBODY)),
    ),
    Fault(
        "nobody sees the kitty",
        'return kind == "EVERYBODY" or (kind == "TAKER" and seat == taker)',
        "return False",
        _all(_kitty, _is_not("kitty_shown_to", KittyShownTo.NOBODY)),
    ),
    Fault(
        "only the taker sees the kitty",
        'return kind == "EVERYBODY" or (kind == "TAKER" and seat == taker)',
        "return seat == taker",
        _all(_kitty, _is("kitty_shown_to", KittyShownTo.EVERYBODY, KittyShownTo.NOBODY)),
    ),
)


EQUIVALENT: Final[Mapping[tuple[str, str], str]] = {
    (
        "a lone queen may be spared",
        "options-always",
    ): "who leads with the Q♠ in hand must lead her, as she is compulsory",
    ("exactly the target always wins", "options-always"): "a total of just 100 falls to 50",
    **{
        ("an automatic moon looks at the target alone", f"goldsmith-{players}"): "a total of just 100 falls to 50, so"
        " whoever reaches the target has exceeded it"
        for players in (4, 5, 6, 7)
    },
}
"""The faults that make no difference under a rule set, by their name and its id, with the reason."""


def hunt(
    suites: Mapping[str, Sequence[Case]], faults: Iterable[Fault] = FAULTS
) -> Iterator[tuple[Fault, str, str | None]]:
    """Each fault with each rule set in which it can matter: the name of the case that notices it, or None.

    Args:
        suites: by the id of a rule set, its cases.
        faults: what to plant, one at a time.
    """
    for fault in faults:
        module: ModuleType | None = None
        for rules_id, cases in suites.items():
            if fault.matters(cases[0].rules):
                module = module or fault.planted()
                yield fault, rules_id, killer(module, cases)


def suites_of(paths: Iterable[Path]) -> dict[str, list[Case]]:
    """The cases of the files of a suite by the id of their rule set, the positions first: they are the quickest."""
    found: dict[str, list[Case]] = {}
    for path in paths:
        for case in cases_of(path):
            found.setdefault(case.name.partition("/")[0], []).append(case)
    for cases in found.values():
        cases.sort(key=lambda case: "/position/" not in case.name)
    return found


def main() -> int:
    """Plant every fault, and print those that no suite notices. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m support.faults", description=__doc__)
    parser.add_argument(
        "names", metavar="PRESET", nargs="*", help="only these suites; none: all, and that of the options"
    )
    parser.add_argument("--fault", metavar="TEXT", default="", help="only faults with this text in their name")
    asked = parser.parse_args()
    faults = [fault for fault in FAULTS if asked.fault in fault.name]
    whole = not asked.names and not asked.fault
    with tempfile.TemporaryDirectory() as folder:
        suite = Path(folder, "suite")
        written = write(suite, **chosen(asked.names, None if whole else 0, None))
        code = _hunt_all(suites_of([path for path in written if path.name != "random.jsonl"]), faults)
        return max(code, _typescript(suite, Path(folder, "engine"))) if whole else code


def _hunt_all(suites: Mapping[str, Sequence[Case]], faults: Sequence[Fault]) -> int:
    missed: list[str] = []
    tried: Counter[str] = Counter()
    equivalent = 0
    for fault, rules_id, case in hunt(suites, faults):
        tried[fault.name] += 1
        reason = EQUIVALENT.get((fault.name, rules_id))
        equivalent += reason is not None
        if case is None and reason is None:
            missed.append(f"not noticed: {fault.name}: {rules_id}")
        if case is not None and reason is not None:
            missed.append(f"said to make no difference, but noticed: {fault.name}: {case}")
        if case is not None and tried[fault.name] == 1:
            print(f"{fault.name}: {case}")
    missed += [f"matters nowhere: {fault.name}" for fault in faults if not tried[fault.name]]
    print(*missed, sep="\n", end="\n" if missed else "")
    print(
        f"{len(faults)} faults, planted {tried.total()} times: {len(missed)} problems, "
        f"{equivalent} times without a difference"
    )
    return 1 if missed else 0


def _typescript(suite: Path, folder: Path) -> int:
    """Plant the faults of the engine in TypeScript, if there is a Node.js to run it."""
    folder.mkdir()
    try:
        engine = typescript_engine.built(folder)
    except typescript_engine.Missing as error:
        print(f"the engine in TypeScript is left out: {error}")
        return 0
    # A file after the other until one notices: the options first, which are the quickest.
    files = [suite / "options.jsonl", suite / "random.jsonl", suite]
    left = list(typescript_engine.FAULTS)
    for file in files:
        found = typescript_engine.hunt(engine, [file], left)
        print(*[f"{name}: {line}" for name, line in found.items() if line is not None], sep="\n")
        left = [fault for fault in left if found[fault.name] is None]
    print(*[f"not noticed: {fault.name}" for fault in left], sep="\n", end="\n" if left else "")
    print(f"{len(typescript_engine.FAULTS)} faults of the engine in TypeScript, {len(left)} not noticed")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
