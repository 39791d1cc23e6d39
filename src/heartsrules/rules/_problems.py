"""The checks of a rule set.

An option without effect is accepted. Each problem lists in `fields` every option on which it depends (two problems
about the end of the game depend on all options about the score). So changing one option can only add or remove problems
that name it. To keep this true, values are checked as given, even out of range; only the deal and the teams are not
checked while their numbers are wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from heartsrules.base.errors import Problem
from heartsrules.cards import FULL, Cards, Suit, bag_of, cards_of
from heartsrules.rules import resolved as T
from heartsrules.rules._choices import (
    ANY_NUMBER,
    MAX_PER_SEAT,
    BonusFloor,
    Compulsory,
    Duplicates,
    Kitty,
    MoonCards,
    OpeningLeader,
    PassOptional,
    ScoreDisplay,
    TargetScope,
    TargetTest,
)
from heartsrules.rules._fields import RuleFields
from heartsrules.rules._option import problems_with
from heartsrules.rules._totals import can_end_by_moon, can_rise, lowest_total
from heartsrules.rules.resolved import deck_of, penalty_faces, sizes_of

_VALUES: Final = ("heart_values", "queen_points", "extra_penalties")


def problems_of(rules: RuleFields) -> Iterator[Problem]:
    """Yield all problems of a rule set."""
    broken: set[str] = set()
    for option in rules.OPTIONS:
        for problem in problems_with(option, getattr(rules, option.name)):
            broken.add(option.name)
            yield problem
    if "players" not in broken and rules.players <= rules.first_dealer <= 10:
        yield Problem.of(
            "out-of-range", ("first_dealer", "players"), "dealer", value=rules.first_dealer, last=rules.players - 1
        )
    deck = None if "decks" in broken else deck_of(rules)
    sizes = sizes_of(rules) if broken.isdisjoint(("players", "decks", "hand_size")) else None
    if deck is not None:
        yield from _deck_problems(rules, deck)
    if sizes is not None:
        yield from _deal_problems(rules, *sizes)
    yield from _pass_problems(rules, deck, sizes, "players" not in broken)
    yield from _exposure_problems(rules, deck)
    yield from _play_problems(rules, deck)
    yield from _value_problems(rules, deck)
    if broken.isdisjoint(("players", "teams")) and rules.teams and rules.players % rules.teams:
        yield Problem.of("uneven-teams", ("teams", "players"), players=rules.players, teams=rules.teams)
    yield from _end_problems(rules)


def _deck_problems(rules: RuleFields, deck: Cards) -> Iterator[Problem]:
    foreign = rules.removed - bag_of(FULL, FULL if rules.decks == 2 else 0)
    if foreign:
        yield Problem.of("not-in-the-decks", ("removed", "decks"), cards=foreign, decks=rules.decks)
    queens = len(deck & bag_of(T.QUEEN, T.QUEEN))
    if rules.opening_leader is OpeningLeader.QUEEN_TAKER and queens != 1:
        yield Problem.of("not-one-queen", ("opening_leader", "removed", "decks"), queens=queens)


def _deal_problems(rules: RuleFields, hand: int, kitty: int) -> Iterator[Problem]:
    deck = deck_of(rules)
    total, players = len(deck), rules.players
    dealt = ("players", "decks")
    fields: tuple[str, ...]
    if rules.hand_size is None:
        if hand < 1:
            fields = ("removed", *dealt, "hand_size")
            yield Problem.of("too-few-cards", fields, "removed", total=total, players=players)
        elif kitty and rules.kitty is Kitty.NONE:
            fields = ("removed", "kitty", *dealt, "hand_size")
            yield Problem.of("uneven-deal", fields, total=total, players=players, over=kitty)
    elif kitty < 0:
        yield Problem.of(
            "too-few-cards",
            ("hand_size", *dealt, "removed"),
            "hand-size",
            hand=hand,
            players=players,
            needed=hand * players,
            total=total,
            most=total // players,
        )
    elif kitty and rules.kitty is Kitty.NONE:
        fields = ("hand_size", "kitty", *dealt, "removed")
        yield Problem.of("cards-left-over", fields, hand=hand, players=players, over=kitty, total=total)
    fields = ("opening_leader", "removed", "hand_size", *dealt)
    clubs, spades = len(deck.of_suit(Suit.CLUBS)), len(deck.of_suit(Suit.SPADES))
    if hand and rules.opening_leader is OpeningLeader.LOWEST_CLUB and clubs <= max(kitty, 0):
        yield Problem.of("no-club-to-open", fields, clubs=clubs)
    if hand and rules.opening_leader is OpeningLeader.QUEEN_TAKER and spades <= max(kitty, 0):
        yield Problem.of("no-spade-to-open", fields, spades=spades)


def _pass_problems(
    rules: RuleFields, deck: Cards | None, sizes: tuple[int, int] | None, players_known: bool
) -> Iterator[Problem]:
    yield from _foreign("unpassable", rules.unpassable, deck)
    if not rules.pass_cycle:
        yield Problem.of("empty-pass-cycle", ("pass_cycle",))
    for number, step in enumerate(rules.pass_cycle):
        receivers = [offset for offset, _ in step]
        if 0 in receivers and len(step) > 1:
            yield Problem.of("middle-with-gifts", ("pass_cycle",), step=number)
        if players_known and rules.players % 2 and "across" in receivers:
            yield Problem.of("no-seat-across", ("pass_cycle", "players"), step=number, players=rules.players)
        numbers = [offset for offset in receivers if offset != "across"]
        if players_known and any(offset and offset % rules.players == 0 for offset in numbers):
            yield Problem.of("gift-to-oneself", ("pass_cycle", "players"), step=number, players=rules.players)
        if len(set(receivers)) < len(receivers):
            yield Problem.of("two-gifts-to-one-seat", ("pass_cycle", "players"), step=number)
        if step != ANY_NUMBER and any(count < 1 for _, count in step):
            yield Problem.of("empty-gift", ("pass_cycle",), step=number)
        wanted = sum(count for _, count in step)
        if 0 in receivers and wanted > MAX_PER_SEAT and rules.decks == 2:
            yield Problem.of(
                "gifts-too-large", ("pass_cycle", "decks"), "middle", step=number, wanted=wanted, most=MAX_PER_SEAT
            )
        if sizes is not None:
            yield from _gift_size_problems(rules, number, wanted, sizes[0])
    if ANY_NUMBER in rules.pass_cycle:
        if rules.decks == 2:
            yield Problem.of("any-number-with-two-decks", ("pass_cycle", "decks"))
        if rules.pass_optional is PassOptional.UNANIMOUS:
            yield Problem.of("optional-with-any-number", ("pass_optional", "pass_cycle"))


def _gift_size_problems(rules: RuleFields, number: int, wanted: int, hand: int) -> Iterator[Problem]:
    dealt = ("hand_size", "players", "decks", "removed")
    if wanted > hand:
        yield Problem.of("gifts-too-large", ("pass_cycle", *dealt), "hand", step=number, wanted=wanted, hand=hand)
        return
    locked = min(hand, len(deck_of(rules) & bag_of(rules.unpassable.lo, rules.unpassable.lo)))
    if wanted > hand - locked:
        yield Problem.of(
            "gifts-too-large",
            ("pass_cycle", "unpassable", *dealt),
            "unpassable",
            step=number,
            wanted=wanted,
            hand=hand,
            locked=locked,
        )


def _exposure_problems(rules: RuleFields, deck: Cards | None) -> Iterator[Problem]:
    cards = rules.exposable
    if cards and rules.decks == 2:
        yield Problem.of("exposable-with-two-decks", ("exposable", "decks"))
    hearts = cards.of_suit(Suit.HEARTS)
    if len(hearts) > 1:
        yield Problem.of("several-hearts-exposable", ("exposable",), cards=hearts)
    yield from _foreign("exposable", cards, deck)


def _play_problems(rules: RuleFields, deck: Cards | None) -> Iterator[Problem]:
    if rules.compulsory is not Compulsory.NO:
        yield from _foreign("compulsory_cards", rules.compulsory_cards, deck, "compulsory")
    if rules.two_pairs_void and rules.decks == 2 and rules.duplicates is not Duplicates.CANCEL:
        yield Problem.of("no-pairs", ("two_pairs_void", "duplicates", "decks"))


def _value_problems(rules: RuleFields, deck: Cards | None) -> Iterator[Problem]:
    extra = Cards(dict.fromkeys([card for card, _ in rules.extra_penalties]))
    bonus = Cards(dict.fromkeys([bonus.card for bonus in rules.bonuses]))
    penalty = penalty_faces(rules, bag_of(FULL, 0))
    yield from _foreign("extra_penalties", extra, deck)
    yield from _foreign("bonuses", bonus, deck)
    for card in cards_of(bonus.lo & penalty):
        yield Problem.of("bonus-is-a-penalty", ("bonuses", *_VALUES), card=card)
    if rules.doubler is not None:
        card = rules.doubler.card
        if deck is not None and card not in deck:
            yield Problem.of("not-in-the-deck", ("doubler", "removed", "decks"), "doubler", card=card)
        if card.bit & (T.HEARTS | penalty | bonus.lo):
            kind = "heart" if card.bit & T.HEARTS else "penalty" if card.bit & penalty else "bonus"
            fields = ("doubler", "queen_points", "extra_penalties", "bonuses")
            yield Problem.of("doubler-scores", fields, card=card, kind=kind)
        if rules.bonus_floor is BonusFloor.TOTAL and bonus:
            yield Problem.of("floor-with-doubler", ("bonus_floor", "doubler", "bonuses"))
    if rules.moon_cards is MoonCards.HEARTS_AND_QUEEN and deck is not None and not deck.lo & T.QUEEN:
        yield Problem.of("no-queen", ("moon_cards", "removed", "decks"))


def _foreign(name: str, cards: Cards, deck: Cards | None, *also: str) -> Iterator[Problem]:
    foreign = cards - deck if deck is not None else None
    if foreign:
        yield Problem.of("not-in-the-deck", (name, "removed", "decks", *also), "names", name=name, cards=foreign)


def _end_problems(rules: RuleFields) -> Iterator[Problem]:
    if any(new >= exact for exact, new in rules.exact_resets):
        yield Problem.of("reset-not-lower", ("exact_resets",))
    if len({exact for exact, _ in rules.exact_resets}) < len(rules.exact_resets):
        yield Problem.of("repeated-reset", ("exact_resets",))
    of_player = rules.teams in (0, rules.players) or rules.target_scope is TargetScope.PLAYER
    exact_wins = rules.target_test is TargetTest.EXACT_WINS and of_player
    if exact_wins and any(exact == rules.target for exact, _ in rules.exact_resets):
        about = ("exact_resets", "target_test", "target", "teams", "players", "target_scope")
        yield Problem.of("reset-of-the-target", about, target=rules.target)
    reachable = False
    if rules.bonus_target is not None:
        lowest = lowest_total(rules)
        wanted = max(rules.bonus_target, 1) + (rules.target_test is TargetTest.EXCEEDED)
        reachable = lowest is None or -lowest >= wanted
        if not reachable:
            fields = ("bonus_target", "bonuses", "bonus_floor", "no_tricks_bonus", "doubler", "moon", "total_floor")
            yield Problem.of("unreachable-bonus-target", fields, lowest=lowest)
    if rules.max_deals is None and not reachable and not can_end_by_moon(rules):
        if rules.target is None:
            yield Problem.of("endless-game", ("target", "max_deals", "bonus_target"), "no-end")
        elif not can_rise(rules):
            yield Problem.of("endless-game", ("target", "max_deals", "heart_values", "queen_points"), "nothing-rises")
    if rules.score_display is ScoreDisplay.COUNTDOWN and rules.target is None:
        yield Problem.of("countdown-without-target", ("score_display", "target"))
