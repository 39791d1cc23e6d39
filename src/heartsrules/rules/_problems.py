"""The checks of a rule set: options out of their bounds, and combinations that cannot be played."""

from __future__ import annotations

from collections.abc import Iterator

from heartsrules.base.errors import Problem
from heartsrules.cards import FULL, NO_CARDS, SUIT_MASKS, Cards, Suit, bag_of
from heartsrules.rules import compiled as T
from heartsrules.rules._choices import (
    ANY_NUMBER,
    MAX_LAID,
    BonusFloor,
    Compulsory,
    Duplicates,
    Exposure,
    Kitty,
    Moon,
    MoonCards,
    MoonScope,
    OpeningLeader,
    PassOptional,
    QueenBreaks,
    Reckoning,
    ShowFirst,
)
from heartsrules.rules._compile import deck_of, penalty_faces, shows_before, sizes_of
from heartsrules.rules._fields import RuleFields
from heartsrules.rules._option import problems_with


def _range_problems(rules: RuleFields) -> Iterator[Problem]:
    """The problems of single options; while there are any, not all combinations can be judged."""
    for option in rules.OPTIONS:
        yield from problems_with(option, getattr(rules, option.name))
    if 3 <= rules.players <= 11 and rules.players <= rules.first_dealer <= 10:
        yield Problem.of(
            "out-of-range", ("first_dealer", "players"), "dealer", value=rules.first_dealer, last=rules.players - 1
        )


def problems_of(rules: RuleFields) -> Iterator[Problem]:
    """All problems of a rule set, in the order of the fields of `Rules`."""
    ranges = tuple(_range_problems(rules))
    yield from ranges
    broken = {problem.fields[0] for problem in ranges}
    if broken.isdisjoint(("players", "decks")):
        yield from _deck_problems(rules)
        if broken.isdisjoint(("hand_size", "pass_cycle")):
            yield from _pass_problems(rules)
    yield from _option_problems(rules, broken)


def _deck_problems(rules: RuleFields) -> Iterator[Problem]:
    full = bag_of(FULL, FULL if rules.decks == 2 else 0)
    foreign = rules.removed - full
    if foreign:
        yield Problem.of("not-in-the-decks", ("removed", "decks"), cards=foreign, decks=rules.decks)
    total = len(deck_of(rules))
    hand, kitty = sizes_of(rules)
    if rules.hand_size is None:
        if hand < 1:
            yield Problem.of("too-few-cards", ("removed", "players"), "removed", total=total, players=rules.players)
        elif kitty and rules.kitty is Kitty.NONE:
            yield Problem.of(
                "uneven-deal", ("removed", "kitty", "players", "decks"), total=total, players=rules.players, over=kitty
            )
    elif rules.hand_size >= 1:
        if kitty < 0:
            yield Problem.of(
                "too-few-cards",
                ("hand_size", "players", "decks", "removed"),
                "hand-size",
                hand=hand,
                players=rules.players,
                needed=hand * rules.players,
                total=total,
                most=total // rules.players,
            )
        elif kitty and rules.kitty is Kitty.NONE:
            yield Problem.of(
                "cards-left-over",
                ("hand_size", "kitty", "players", "decks"),
                hand=hand,
                players=rules.players,
                over=kitty,
                total=total,
            )
    clubs = len(deck_of(rules) & bag_of(SUIT_MASKS[0], SUIT_MASKS[0]))
    if hand >= 1 and clubs <= max(kitty, 0):
        for name in ("opening_leader", "opening_card"):
            if getattr(rules, name).name == "LOWEST_CLUB":
                yield Problem.of("no-club-to-open", (name, "removed", "kitty", "hand_size"), name=name, clubs=clubs)

    if hand >= 1 and rules.opening_leader is OpeningLeader.QUEEN_TAKER:
        yield from _queen_taker_problems(rules, max(kitty, 0))


def _queen_taker_problems(rules: RuleFields, kitty: int) -> Iterator[Problem]:
    deck = deck_of(rules)
    spades = len(deck & bag_of(SUIT_MASKS[2], SUIT_MASKS[2]))
    if spades <= kitty:
        yield Problem.of("no-spade-to-open", ("opening_leader", "removed", "kitty", "hand_size"), spades=spades)
    queens = len(deck & bag_of(T.QUEEN, T.QUEEN))
    if queens != 1:
        yield Problem.of("not-one-queen", ("opening_leader", "removed", "decks"), queens=queens)


def _pass_problems(rules: RuleFields) -> Iterator[Problem]:
    deck = deck_of(rules)
    foreign = rules.unpassable - deck
    if foreign:
        yield Problem.of("not-in-the-deck", ("unpassable", "removed"), "names", name="unpassable", cards=foreign)
    if not rules.pass_cycle:
        yield Problem.of("empty-pass-cycle", ("pass_cycle",))
    hand, _ = sizes_of(rules)
    locked = min(hand, len(deck & bag_of(rules.unpassable.lo, rules.unpassable.lo)))
    for number, step in enumerate(rules.pass_cycle):
        receivers = [offset for offset, _ in step]
        if 0 in receivers and len(step) > 1:
            yield Problem.of("middle-with-gifts", ("pass_cycle",), step=number)
        if any(offset and offset % rules.players == 0 for offset in receivers):
            yield Problem.of("gift-to-oneself", ("pass_cycle", "players"), step=number, players=rules.players)
        if len(set(receivers)) < len(receivers):
            yield Problem.of("two-gifts-to-one-seat", ("pass_cycle", "players"), step=number)
        if step != ANY_NUMBER and any(count < 1 for _, count in step):
            yield Problem.of("empty-gift", ("pass_cycle",), step=number)
        wanted = sum(count for _, count in step)
        if 0 in receivers and wanted > MAX_LAID and rules.decks == 2:
            yield Problem.of(
                "gifts-too-large", ("pass_cycle", "decks"), "middle", step=number, wanted=wanted, most=MAX_LAID
            )
        if wanted > hand:
            yield Problem.of(
                "gifts-too-large", ("pass_cycle", "hand_size"), "hand", step=number, wanted=wanted, hand=hand
            )
        elif wanted > hand - locked:
            yield Problem.of(
                "gifts-too-large",
                ("pass_cycle", "unpassable", "hand_size"),
                "unpassable",
                step=number,
                wanted=wanted,
                hand=hand,
                locked=locked,
            )
    if ANY_NUMBER in rules.pass_cycle:
        if rules.decks == 2:
            yield Problem.of("any-number-with-two-decks", ("pass_cycle", "decks"))
        if rules.pass_optional is not PassOptional.NO:
            yield Problem.of("optional-with-any-number", ("pass_optional", "pass_cycle"))
    if rules.show_first is not ShowFirst.NEVER and not any(shows_before(rules, step) for step in rules.pass_cycle):
        yield Problem.of("no-pass-to-show-before", ("show_first", "pass_cycle"), show_first=rules.show_first)
    if rules.pass_optional is not PassOptional.NO:
        if rules.pass_cycle and not any(rules.pass_cycle):
            yield Problem.of("nothing-to-decline", ("pass_optional", "pass_cycle"))
        if any(len(step) > 1 for step in rules.pass_cycle):
            yield Problem.of("optional-with-several-gifts", ("pass_optional", "pass_cycle"))


def _option_problems(rules: RuleFields, broken: set[str]) -> Iterator[Problem]:
    deck = deck_of(rules) if rules.decks in (1, 2) else NO_CARDS
    deck_known = rules.decks in (1, 2)
    if deck_known and not deck.lo & T.QUEEN:
        for name, default in (
            ("queen_breaks", QueenBreaks.NEVER),
            ("queen_discard_after_hearts", False),
        ):
            if getattr(rules, name) != default:
                yield Problem.of("no-queen", (name, "removed"), "option", name=name)
    yield from _compulsory_problems(rules, deck if deck_known else None)
    if rules.two_pairs_void and (rules.decks == 1 or rules.duplicates is not Duplicates.CANCEL):
        yield Problem.of("no-pairs", ("two_pairs_void", "decks", "duplicates"))
    foreign = list(dict.fromkeys([card for card, _ in rules.extra_penalties if card not in deck]))
    if deck_known and foreign:
        yield Problem.of(
            "not-in-the-deck", ("extra_penalties", "removed"), "names", name="extra_penalties", cards=Cards(foreign)
        )
    values_known = deck_known and broken.isdisjoint(("heart_values", "queen_points", "extra_penalties"))
    penalty = penalty_faces(rules, deck) if values_known else 0
    yield from _bonus_problems(rules, deck if deck_known else None, penalty)
    if values_known and not penalty:
        if rules.moon is not Moon.OFF:
            yield Problem.of("no-penalty-cards", ("moon", "heart_values", "queen_points"))
        if rules.target is not None and rules.max_deals is None:
            yield Problem.of(
                "endless-game", ("target", "max_deals", "heart_values", "queen_points"), "no-penalty-cards"
            )
    yield from _exposure_problems(rules, deck if values_known else None, penalty)
    yield from _moon_problems(rules, deck if values_known else None, penalty)
    if rules.moon_scope is MoonScope.TEAM and rules.teams == 0:
        yield Problem.of("no-teams", ("moon_scope", "teams"))
    if rules.teams in (2, 3) and "players" not in broken:
        if rules.players == rules.teams:
            yield Problem.of("teams-of-one", ("teams", "players"), teams=rules.teams, players=rules.players)
        elif rules.players % rules.teams:
            yield Problem.of("uneven-teams", ("teams", "players"), players=rules.players, teams=rules.teams)
    if rules.target is None and rules.max_deals is None:
        yield Problem.of("endless-game", ("target", "max_deals"), "no-end")
    if any(new >= exact for exact, new in rules.exact_resets):
        yield Problem.of("reset-not-lower", ("exact_resets",))
    if len({exact for exact, _ in rules.exact_resets}) < len(rules.exact_resets):
        yield Problem.of("repeated-reset", ("exact_resets",))
    if rules.exact_resets and rules.teams:
        yield Problem.of("resets-with-teams", ("exact_resets", "teams"))
    if rules.bonus_target is not None and not _can_go_below_zero(rules):
        fields = ("bonus_target", "bonuses", "no_tricks_bonus", "doubler", "moon", "total_floor")
        yield Problem.of("unreachable-bonus-target", fields)
    if rules.reckoning is Reckoning.COUNTDOWN and rules.target is None:
        yield Problem.of("countdown-without-target", ("reckoning", "target"))


def _compulsory_problems(rules: RuleFields, deck: Cards | None) -> Iterator[Problem]:
    cards = rules.compulsory_cards
    if not cards:
        yield Problem.of("no-compulsory-cards", ("compulsory_cards",))
    if rules.compulsory is Compulsory.NO:
        if cards and cards != bag_of(T.QUEEN, 0):
            yield Problem.of("nothing-compulsory", ("compulsory_cards", "compulsory"))
    elif deck is not None and cards - deck:
        yield Problem.of(
            "not-in-the-deck", ("compulsory_cards", "removed"), "names", name="compulsory_cards", cards=cards - deck
        )


def _bonus_problems(rules: RuleFields, deck: Cards | None, penalty: int) -> Iterator[Problem]:
    """The problems of the bonus cards and the doubler; `deck` is None and `penalty` 0 where they are not known."""
    if not rules.bonuses:
        if rules.bonus_floor is not BonusFloor.NONE:
            yield Problem.of("no-bonus", ("bonus_floor", "bonuses"), "floor")
        if rules.moon_needs_bonus:
            yield Problem.of("no-bonus", ("moon_needs_bonus", "bonuses"), "moon")
    cards = list(dict.fromkeys([bonus.card for bonus in rules.bonuses]))
    foreign = [] if deck is None else [card for card in cards if card not in deck]
    if foreign:
        yield Problem.of("not-in-the-deck", ("bonuses", "removed"), "names", name="bonuses", cards=Cards(foreign))
    for card in cards:
        if card.bit & penalty:
            yield Problem.of(
                "bonus-is-a-penalty", ("bonuses", "heart_values", "queen_points", "extra_penalties"), card=card
            )
        elif card.bit & T.HEARTS:
            yield Problem.of("bonus-is-a-heart", ("bonuses",), card=card)
    doubler = rules.doubler
    if doubler is None:
        return
    card = doubler.card
    if deck is not None and card not in deck:
        yield Problem.of("not-in-the-deck", ("doubler", "removed"), "doubler", card=card)
    if card.bit & (penalty | T.HEARTS) or card in cards:
        kind = "heart" if card.bit & T.HEARTS else "penalty" if card.bit & penalty else "bonus"
        yield Problem.of(
            "doubler-scores",
            ("doubler", "heart_values", "queen_points", "extra_penalties", "bonuses"),
            card=card,
            kind=kind,
        )
    if rules.bonus_floor is not BonusFloor.NONE:
        yield Problem.of("floor-with-doubler", ("bonus_floor", "doubler"))


def _exposure_problems(rules: RuleFields, deck: Cards | None, penalty: int) -> Iterator[Problem]:
    """The problems of the cards that may be shown; `deck` is None and `penalty` 0 where they are not known."""
    cards = rules.exposable
    if not cards:
        for name, default in (("exposure", Exposure.TOGETHER), ("show_first", ShowFirst.NEVER)):
            if getattr(rules, name) is not default:
                yield Problem.of("nothing-exposable", (name, "exposable"), name=name)
        return
    if rules.decks == 2:
        yield Problem.of("exposable-with-two-decks", ("exposable", "decks"))
    if len(cards.of_suit(Suit.HEARTS)) > 1:
        hearts = cards.of_suit(Suit.HEARTS)
        yield Problem.of("several-hearts-exposable", ("exposable",), cards=hearts)
    if deck is None:
        return
    foreign = cards - deck
    if foreign:
        yield Problem.of("not-in-the-deck", ("exposable", "removed"), "names", name="exposable", cards=foreign)
    doubler = 0 if rules.doubler is None else rules.doubler.card.bit
    scoring = penalty | T.HEARTS | doubler | sum([bonus.card.bit for bonus in rules.bonuses])
    others = bag_of(cards.lo & deck.lo & ~scoring, 0)
    if others:
        yield Problem.of(
            "exposable-without-score",
            ("exposable", "heart_values", "queen_points", "extra_penalties", "bonuses", "doubler"),
            cards=others,
        )


def _moon_problems(rules: RuleFields, deck: Cards | None, penalty: int) -> Iterator[Problem]:
    """The problems of the moon's cards; `deck` is None and `penalty` 0 where they are not known."""
    if rules.moon is Moon.OFF:
        if rules.sun:
            yield Problem.of("sun-without-moon", ("sun", "moon"))
        if rules.moon_cards is not MoonCards.ALL:
            yield Problem.of("moon-cards-without-moon", ("moon_cards", "moon"))
    elif deck is not None:
        if rules.moon_cards is MoonCards.HEARTS and penalty and not penalty & T.HEARTS:
            yield Problem.of("no-penalty-hearts", ("moon_cards", "heart_values"))
        if rules.moon_cards is MoonCards.HEARTS_AND_QUEEN and not deck.lo & T.QUEEN:
            yield Problem.of("no-queen", ("moon_cards", "removed"), "moon-cards")


def _can_go_below_zero(rules: RuleFields) -> bool:
    if rules.total_floor:
        return False
    return (
        bool(rules.bonuses)
        or rules.no_tricks_bonus > 0
        or (rules.doubler is not None and rules.doubler.alone > 0)
        or rules.moon not in (Moon.OFF, Moon.OTHERS_UP, Moon.SHOOTER_TO_ZERO, Moon.SHOOTER_WINS)
    )
