"""What rule sets are refused: options out of their bounds, and combinations that cannot be played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from heartsrules import tables as T
from heartsrules.cards import FULL, NO_CARDS, SUIT_MASKS, Cards, Suit, bag_of
from heartsrules.errors import Problem, in_words, listed
from heartsrules.rules._choices import (
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
)
from heartsrules.rules._compile import deck_of, penalty_faces, sizes_of
from heartsrules.rules._option import problems_with

if TYPE_CHECKING:
    from heartsrules.rules._rules import Rules


def _range_problems(rules: Rules) -> Iterator[Problem]:
    """What is wrong with single options; while anything is, the combinations cannot all be judged."""
    for option in rules.OPTIONS:
        yield from problems_with(option, getattr(rules, option.name))
    if 3 <= rules.players <= 11 and rules.players <= rules.first_dealer <= 10:
        dealer = f"first_dealer is {rules.first_dealer}: choose a seat from 0 to {rules.players - 1}"
        yield Problem("out-of-range", ("first_dealer", "players"), dealer)


def problems_of(rules: Rules) -> Iterator[Problem]:
    """Everything that forbids the rule set, in the order of the fields of `Rules`."""
    ranges = tuple(_range_problems(rules))
    yield from ranges
    broken = {problem.fields[0] for problem in ranges}
    if broken.isdisjoint(("players", "decks")):
        yield from _deck_problems(rules)
        if broken.isdisjoint(("hand_size", "pass_cycle")):
            yield from _pass_problems(rules)
    yield from _option_problems(rules, broken)


def _deck_problems(rules: Rules) -> Iterator[Problem]:
    full = bag_of(FULL, FULL if rules.decks == 2 else 0)
    foreign = rules.removed - full
    if foreign:
        yield Problem(
            "not-in-the-decks",
            ("removed", "decks"),
            f"removed names {listed(foreign)} more often than there is in {_decks(rules)}: remove only cards that are "
            "there",
        )
    total = len(deck_of(rules))
    hand, kitty = sizes_of(rules)
    if rules.hand_size is None:
        if hand < 1:
            yield Problem(
                "too-few-cards",
                ("removed", "players"),
                f"{total} cards are not enough for {rules.players} players: remove fewer cards",
            )
        elif kitty and rules.kitty is Kitty.NONE:
            yield Problem(
                "uneven-deal",
                ("removed", "kitty", "players", "decks"),
                f"{total} cards do not divide evenly among {rules.players} players: remove {kitty} "
                f"{'card' if kitty == 1 else 'cards'} with removed, or choose who collects them with kitty",
            )
    elif rules.hand_size >= 1:
        if kitty < 0:
            yield Problem(
                "too-few-cards",
                ("hand_size", "players", "decks", "removed"),
                f"hands of {in_words(hand)} for {rules.players} players need {in_words(hand * rules.players)} cards, "
                f"but {total} are in play: choose a hand_size of at most {total // rules.players}",
            )
        elif kitty and rules.kitty is Kitty.NONE:
            yield Problem(
                "cards-left-over",
                ("hand_size", "kitty", "players", "decks"),
                f"hands of {hand} for {rules.players} players leave {kitty} of {total} cards over: choose who collects "
                "them with kitty, remove them with removed, or give hand_size None",
            )
    clubs = len(deck_of(rules) & bag_of(SUIT_MASKS[0], SUIT_MASKS[0]))
    if hand >= 1 and clubs <= max(kitty, 0):
        fault = f"all {clubs} clubs in play may lie in the kitty" if clubs else "no club is in play"
        for name in ("opening_leader", "opening_card"):
            if getattr(rules, name).name == "LOWEST_CLUB":
                yield Problem(
                    "no-club-to-open",
                    (name, "removed", "kitty", "hand_size"),
                    f"{name} is LOWEST_CLUB, but {fault}: choose another {name} or keep more clubs in play",
                )

    if rules.opening_leader is OpeningLeader.QUEEN_TAKER:
        yield from _queen_taker_problems(rules, max(kitty, 0))


def _queen_taker_problems(rules: Rules, kitty: int) -> Iterator[Problem]:
    deck = deck_of(rules)
    spades = len(deck & bag_of(SUIT_MASKS[2], SUIT_MASKS[2]))
    if spades <= kitty:
        fault = f"all {spades} spades in play may lie in the kitty" if spades else "no spade is in play"
        yield Problem(
            "no-spade-to-open",
            ("opening_leader", "removed", "kitty", "hand_size"),
            f"opening_leader is QUEEN_TAKER, but {fault}, and in the first deal the lowest spade leads: choose another "
            "opening_leader or keep more spades in play",
        )
    queens = len(deck & bag_of(T.QUEEN, T.QUEEN))
    if queens != 1:
        yield Problem(
            "not-one-queen",
            ("opening_leader", "removed", "decks"),
            f"opening_leader is QUEEN_TAKER, but the deck has {'two QS' if queens else 'no QS'}: choose another "
            "opening_leader or a deck with one QS",
        )


def _decks(rules: Rules) -> str:
    return "one deck" if rules.decks == 1 else "two decks"


def _pass_problems(rules: Rules) -> Iterator[Problem]:
    deck = deck_of(rules)
    foreign = rules.unpassable - deck
    if foreign:
        yield Problem(
            "not-in-the-deck",
            ("unpassable", "removed"),
            f"unpassable names {listed(foreign)}, which is not in play: name only cards in play",
        )
    if not rules.pass_cycle:
        yield Problem(
            "empty-pass-cycle",
            ("pass_cycle",),
            "pass_cycle is empty: give at least one step; a cycle without passing is (HOLD,)",
        )
    hand, _ = sizes_of(rules)
    locked = min(hand, len(deck & bag_of(rules.unpassable.lo, rules.unpassable.lo)))
    for number, step in enumerate(rules.pass_cycle):
        where = f"step {number} of pass_cycle"
        receivers = [offset for offset, _ in step]
        if 0 in receivers:
            yield Problem(
                "gift-to-oneself",
                ("pass_cycle", "players"),
                f"{where} gives cards to the giver: use an offset that is not a multiple of {rules.players}",
            )
        if len(set(receivers)) < len(receivers):
            yield Problem(
                "two-gifts-to-one-seat",
                ("pass_cycle", "players"),
                f"{where} gives twice to the same seat: make one gift of them",
            )
        if any(count < 1 for _, count in step):
            yield Problem(
                "empty-gift", ("pass_cycle",), f"{where} has a gift of no cards: give at least 1, or leave it out"
            )
        wanted = sum(count for _, count in step)
        if wanted > hand:
            yield Problem(
                "gifts-too-large",
                ("pass_cycle", "hand_size"),
                f"{where} passes {in_words(wanted)} cards, but a hand holds {in_words(hand)}: pass fewer",
            )
        elif wanted > hand - locked:
            yield Problem(
                "gifts-too-large",
                ("pass_cycle", "unpassable", "hand_size"),
                f"{where} passes {in_words(wanted)} cards, but a hand of {in_words(hand)} may hold {locked} that may "
                "not be passed: pass fewer or make fewer cards unpassable",
            )
    if rules.pass_optional is not PassOptional.NO:
        if rules.pass_cycle and not any(rules.pass_cycle):
            yield Problem(
                "nothing-to-decline",
                ("pass_optional", "pass_cycle"),
                "pass_optional needs a pass_cycle that is not only holds: add a step or choose NO",
            )
        if any(len(step) > 1 for step in rules.pass_cycle):
            yield Problem(
                "optional-with-several-gifts",
                ("pass_optional", "pass_cycle"),
                "pass_optional needs steps of a single gift: take the steps of several gifts out or choose NO",
            )


def _option_problems(rules: Rules, broken: set[str]) -> Iterator[Problem]:
    deck = deck_of(rules) if rules.decks in (1, 2) else NO_CARDS
    deck_known = rules.decks in (1, 2)
    if deck_known and not deck.lo & T.QUEEN:
        for name, default in (
            ("queen_breaks", QueenBreaks.NEVER),
            ("queen_discard_after_hearts", False),
        ):
            if getattr(rules, name) != default:
                yield Problem(
                    "no-queen",
                    (name, "removed"),
                    f"{name} needs the QS, which is not in play: leave {name} at its default or keep the QS",
                )
    yield from _compulsory_problems(rules, deck if deck_known else None)
    if rules.two_pairs_void and (rules.decks == 1 or rules.duplicates is not Duplicates.CANCEL):
        yield Problem(
            "no-pairs",
            ("two_pairs_void", "decks", "duplicates"),
            "two_pairs_void needs two decks and duplicates CANCEL: change these or switch it off",
        )
    foreign = list(dict.fromkeys([card for card, _ in rules.extra_penalties if card not in deck]))
    if deck_known and foreign:
        yield Problem(
            "not-in-the-deck",
            ("extra_penalties", "removed"),
            f"extra_penalties names {listed(foreign)}, which is not in play: name only cards in play",
        )
    values_known = deck_known and broken.isdisjoint(("heart_values", "queen_points", "extra_penalties"))
    penalty = penalty_faces(rules, deck) if values_known else 0
    yield from _bonus_problems(rules, deck if deck_known else None, penalty)
    if values_known and not penalty:
        if rules.moon is not Moon.OFF:
            yield Problem(
                "no-penalty-cards",
                ("moon", "heart_values", "queen_points"),
                "no card in play has a penalty value, so nobody could shoot the moon: choose moon OFF or give some "
                "card a value",
            )
        if rules.target is not None and rules.max_deals is None:
            yield Problem(
                "endless-game",
                ("target", "max_deals", "heart_values", "queen_points"),
                "no card in play has a penalty value, so no total would ever reach the target: give max_deals or give "
                "some card a value",
            )
    yield from _exposure_problems(rules, deck if values_known else None, penalty)
    yield from _moon_problems(rules, deck if values_known else None, penalty)
    if rules.moon_scope is MoonScope.TEAM and rules.teams == 0:
        yield Problem(
            "no-teams", ("moon_scope", "teams"), "moon_scope TEAM needs teams: choose 2 or 3 teams, or scope PLAYER"
        )
    if rules.teams in (2, 3) and "players" not in broken:
        if rules.players == rules.teams:
            yield Problem(
                "teams-of-one",
                ("teams", "players"),
                f"{rules.teams} teams of {rules.players} players are not teams: choose 0",
            )
        elif rules.players % rules.teams:
            yield Problem(
                "uneven-teams",
                ("teams", "players"),
                f"{rules.players} players do not divide into {rules.teams} teams: choose another count of either",
            )
    if rules.target is None and rules.max_deals is None:
        yield Problem(
            "endless-game", ("target", "max_deals"), "neither target nor max_deals is given: give at least one"
        )
    if any(new >= exact for exact, new in rules.exact_resets):
        yield Problem(
            "reset-not-lower",
            ("exact_resets",),
            "exact_resets must lower the total: each new total must be less than the exact one",
        )
    if len({exact for exact, _ in rules.exact_resets}) < len(rules.exact_resets):
        yield Problem("repeated-reset", ("exact_resets",), "exact_resets names a total twice: name it once")
    if rules.exact_resets and rules.teams:
        yield Problem(
            "resets-with-teams",
            ("exact_resets", "teams"),
            "exact_resets cannot be combined with teams: leave out either",
        )
    if rules.bonus_target is not None and not _can_go_below_zero(rules):
        yield Problem(
            "unreachable-bonus-target",
            ("bonus_target", "bonuses", "no_tricks_bonus", "doubler", "moon"),
            "bonus_target is never reached, because nothing takes a total below 0: leave it out, or give bonuses, a "
            "no_tricks_bonus, a doubler with alone, or a moon that may lower the shooter's score",
        )
    if rules.reckoning is Reckoning.COUNTDOWN and rules.target is None:
        yield Problem(
            "countdown-without-target",
            ("reckoning", "target"),
            "reckoning COUNTDOWN counts down from the target: give one or choose another reckoning",
        )


def _compulsory_problems(rules: Rules, deck: Cards | None) -> Iterator[Problem]:
    cards = rules.compulsory_cards
    if not cards:
        yield Problem(
            "no-compulsory-cards",
            ("compulsory_cards",),
            "compulsory_cards is empty: name at least one card, and choose compulsory NO if no card must be played",
        )
    if rules.compulsory is Compulsory.NO:
        if cards and cards != bag_of(T.QUEEN, 0):
            yield Problem(
                "nothing-compulsory",
                ("compulsory_cards", "compulsory"),
                "compulsory_cards names cards, but compulsory is NO: say with compulsory when they must be played, or "
                "leave compulsory_cards out",
            )
    elif deck is not None and cards - deck:
        yield Problem(
            "not-in-the-deck",
            ("compulsory_cards", "removed"),
            f"compulsory_cards names {listed(cards - deck)}, which is not in play: name only cards in play",
        )


def _bonus_problems(rules: Rules, deck: Cards | None, penalty: int) -> Iterator[Problem]:
    """What is wrong with the bonus cards and the doubler; `deck` is None and `penalty` 0 where they are not known."""
    if not rules.bonuses:
        if rules.bonus_floor is not BonusFloor.NONE:
            yield Problem(
                "no-bonus",
                ("bonus_floor", "bonuses"),
                "bonus_floor needs a bonus card: give one with bonuses or choose NONE",
            )
        if rules.moon_needs_bonus:
            yield Problem(
                "no-bonus",
                ("moon_needs_bonus", "bonuses"),
                "moon_needs_bonus needs a bonus card: give one with bonuses or switch it off",
            )
    cards = list(dict.fromkeys([bonus.card for bonus in rules.bonuses]))
    foreign = [] if deck is None else [card for card in cards if card not in deck]
    if foreign:
        yield Problem(
            "not-in-the-deck",
            ("bonuses", "removed"),
            f"bonuses names {listed(foreign)}, which is not in play: name only cards in play",
        )
    for card in cards:
        if card.bit & penalty:
            yield Problem(
                "bonus-is-a-penalty",
                ("bonuses", "heart_values", "queen_points", "extra_penalties"),
                f"the bonus card {card} is a penalty card: choose a card that is worth no points",
            )
        elif card.bit & T.HEARTS:
            yield Problem(
                "bonus-is-a-heart", ("bonuses",), f"the bonus card {card} is a heart: choose a card of another suit"
            )
    doubler = rules.doubler
    if doubler is None:
        return
    card = doubler.card
    if deck is not None and card not in deck:
        yield Problem(
            "not-in-the-deck",
            ("doubler", "removed"),
            f"the doubler {card} is not in play: choose another card or do not remove it",
        )
    if card.bit & (penalty | T.HEARTS) or card in cards:
        kind = "a heart" if card.bit & T.HEARTS else "a penalty card" if card.bit & penalty else "a bonus card"
        yield Problem(
            "doubler-scores",
            ("doubler", "heart_values", "queen_points", "extra_penalties", "bonuses"),
            f"the doubler {card} is {kind}: choose a card that has no points of its own",
        )
    if rules.bonus_floor is not BonusFloor.NONE:
        yield Problem(
            "floor-with-doubler",
            ("bonus_floor", "doubler"),
            "bonus_floor cannot be combined with a doubler: leave out either",
        )


def _exposure_problems(rules: Rules, deck: Cards | None, penalty: int) -> Iterator[Problem]:
    """What is wrong with the cards that may be shown; `deck` is None and `penalty` 0 where they are not known."""
    cards = rules.exposable
    if not cards:
        if rules.exposure is not Exposure.TOGETHER:
            yield Problem(
                "nothing-exposable",
                ("exposure", "exposable"),
                "exposure says how cards are shown, but no card may be: name some with exposable or leave exposure out",
            )
        return
    if rules.decks == 2:
        yield Problem(
            "exposable-with-two-decks",
            ("exposable", "decks"),
            "exposable needs one deck, in which every card is there once: play with one deck or leave exposable out",
        )
    if len(cards.of_suit(Suit.HEARTS)) > 1:
        hearts = listed(cards.of_suit(Suit.HEARTS))
        yield Problem(
            "several-hearts-exposable",
            ("exposable",),
            f"exposable names {hearts}, but a shown heart doubles every heart: name only one of them",
        )
    if deck is None:
        return
    foreign = cards - deck
    if foreign:
        yield Problem(
            "not-in-the-deck",
            ("exposable", "removed"),
            f"exposable names {listed(foreign)}, which is not in play: name only cards in play",
        )
    doubler = 0 if rules.doubler is None else rules.doubler.card.bit
    scoring = penalty | T.HEARTS | doubler | sum([bonus.card.bit for bonus in rules.bonuses])
    others = bag_of(cards.lo & deck.lo & ~scoring, 0)
    if others:
        yield Problem(
            "exposable-without-score",
            ("exposable", "heart_values", "queen_points", "extra_penalties", "bonuses", "doubler"),
            f"exposable names {listed(others)}, which counts nothing that could be doubled: name only penalty cards, "
            "hearts, bonus cards and the doubler",
        )


def _moon_problems(rules: Rules, deck: Cards | None, penalty: int) -> Iterator[Problem]:
    """What is wrong with the moon's cards; `deck` is None and `penalty` 0 where they are not known."""
    if rules.moon is Moon.OFF:
        if rules.sun:
            yield Problem(
                "sun-without-moon", ("sun", "moon"), "sun needs a moon that it doubles: choose a moon or switch it off"
            )
        if rules.moon_cards is not MoonCards.ALL:
            yield Problem(
                "moon-cards-without-moon",
                ("moon_cards", "moon"),
                "moon_cards says which cards make a moon, but moon is OFF: choose a moon, or moon_cards ALL",
            )
    elif deck is not None:
        if rules.moon_cards is MoonCards.HEARTS and penalty and not penalty & T.HEARTS:
            yield Problem(
                "no-penalty-hearts",
                ("moon_cards", "heart_values"),
                "moon_cards is HEARTS, but no heart in play has a penalty value: give some heart a value or choose "
                "other moon_cards",
            )
        if rules.moon_cards is MoonCards.HEARTS_AND_QUEEN and not deck.lo & T.QUEEN:
            yield Problem(
                "no-queen",
                ("moon_cards", "removed"),
                "moon_cards HEARTS_AND_QUEEN needs the QS, which is not in play: choose other moon_cards or keep the "
                "QS",
            )


def _can_go_below_zero(rules: Rules) -> bool:
    return (
        bool(rules.bonuses)
        or rules.no_tricks_bonus > 0
        or (rules.doubler is not None and rules.doubler.alone > 0)
        or rules.moon not in (Moon.OFF, Moon.OTHERS_UP)
    )
