"""The rule set nearest to the defaults among those with given options, found by a best-first search."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from heartsrules.base.errors import InvalidRules, Problem
from heartsrules.cards import ALL_FACES, Card, Cards, Suit
from heartsrules.rules import (
    HOLD,
    Bonus,
    Compulsory,
    Doubler,
    Kitty,
    Moon,
    MoonCards,
    OpeningCard,
    OpeningLeader,
    Rules,
    left,
)

_Options: TypeAlias = Mapping[str, Any]

_QUEEN: Final = Card("QS")
_ATTEMPTS: Final = 1000
"""Bound of the search, in rule sets and expanded nodes together."""


def nearest_rules(fixed: _Options) -> Rules:
    """The rule set with these options and as few others changed from their defaults as the search needs.

    Raises:
        InvalidRules: none was found; the problems are those of the attempt that had the fewest.
    """
    attempts = itertools.count()
    seen: set[tuple[tuple[str, int], ...]] = {()}
    queue: list[tuple[int, int, dict[str, int], tuple[Problem, ...]]] = []
    fewest: tuple[Problem, ...] = ()
    pending: list[dict[str, int]] = [{}]
    while True:
        for places in pending:
            try:
                return Rules(**_with_alternatives(fixed, places))
            except InvalidRules as error:
                problems = error.problems
            if not fewest or len(problems) < len(fewest):
                fewest = problems
            heapq.heappush(queue, (len(problems), next(attempts), places, problems))
        if not queue or next(attempts) > _ATTEMPTS:
            raise InvalidRules(fewest)
        _, _, places, problems = heapq.heappop(queue)
        pending = []
        for changed in _neighbours(fixed, places, problems):
            key = tuple(sorted(changed.items()))
            if key not in seen:
                seen.add(key)
                pending.append(changed)


def _neighbours(fixed: _Options, places: dict[str, int], problems: Iterable[Problem]) -> Iterator[dict[str, int]]:
    """The nodes with another alternative of one free option that the problems are about."""
    about = {name for problem in problems for name in problem.fields}
    if not about.isdisjoint(("hand_size", "removed", "first_dealer")):
        about |= {"players", "decks", "removed"}
    for name in ALTERNATIVES:
        if name in about and name not in fixed:
            for place in range(len(ALTERNATIVES[name]) + 1):
                if place != places.get(name, 0):
                    yield {**{other: at for other, at in places.items() if other != name}, name: place}


def _with_alternatives(fixed: _Options, places: Mapping[str, int]) -> dict[str, Any]:
    """The options of a node: for each, the number of its alternative, 0 for the default."""
    options = dict(fixed)
    # In the order of ALTERNATIVES: makers look at the options above them.
    for name in ALTERNATIVES:
        if places.get(name):
            value = ALTERNATIVES[name][places[name] - 1]
            options[name] = value(options) if callable(value) else value
    return options


def named_cards(options: _Options) -> Cards:
    """One of each card that options name or need in play."""
    named = [*Cards(options.get("unpassable", ())), *Cards(options.get("compulsory_cards", ()))]
    named.extend(Cards(options.get("exposable", ())))
    named += [card for card, _ in options.get("extra_penalties", ())]
    named += [bonus.card for bonus in options.get("bonuses", ())]
    if options.get("doubler") is not None:
        named.append(options["doubler"].card)
    if any(options.get(name) in values for name, values in _ABOUT_QUEEN.items()):
        named.append(_QUEEN)
    if "compulsory_cards" not in options and options.get("compulsory", Compulsory.NO) is not Compulsory.NO:
        named.append(_QUEEN)
    return Cards(set(named))


_ABOUT_QUEEN: Final[Mapping[str, tuple[Any, ...]]] = {
    "opening_leader": (OpeningLeader.QUEEN_TAKER,),
    "moon_cards": (MoonCards.HEARTS_AND_QUEEN,),
}
"""The values of options that need the Q♠ in play."""


def _deck(options: _Options) -> Cards:
    return Cards(ALL_FACES * options.get("decks", 1)) - Cards(options.get("removed", ()))


def _surplus(options: _Options, first: list[Card]) -> Cards:
    """Cards to remove so that the rest deals out evenly: these, and others that are not named."""
    players = max(options.get("players", 4), 1)
    decks = min(max(options.get("decks", 1), 1), 2)
    hand = options.get("hand_size") or (52 * decks - len(first)) // players
    named = named_cards(options)
    expendable = [*first, *(card for card in _EXPENDABLE for _ in range(decks) if card not in named)]
    return Cards(expendable[: max(52 * decks - hand * players, 0)])


_EXPENDABLE: Final = tuple(
    sorted(
        (card for card in ALL_FACES if card is not _QUEEN),
        key=lambda card: (card.rank + (card.suit is Suit.HEARTS), "DCSH".index(card.suit.letter)),
    )
) + (_QUEEN,)
"""The faces in the order in which they are left out of a deck."""


def _bonuses_and_doubler(options: _Options) -> set[Card]:
    doubler = options.get("doubler")
    return {bonus.card for bonus in options.get("bonuses", ())} | ({doubler.card} if doubler is not None else set())


def _worthless(options: _Options, cards: Cards) -> list[Card]:
    """Those of these cards that count nothing yet, in card order."""
    scoring = {card for card, _ in options.get("extra_penalties", ())} | _bonuses_and_doubler(options) | {_QUEEN}
    return [card for card in cards.distinct() if card.suit is not Suit.HEARTS and card not in scoring]


def _bonuses(options: _Options, cards: Cards, most: int | None = None) -> tuple[Bonus, ...]:
    """Bonuses for the first of these cards that count nothing otherwise."""
    return tuple([Bonus(card, 10) for card in _worthless(options, cards)[:most]])


ALTERNATIVES: Final[Mapping[str, tuple[Any, ...]]] = {
    "players": (3, *range(5, 12)),
    "decks": (2,),
    "removed": (
        lambda options: _surplus(options, []),
        lambda options: _surplus(options, [_QUEEN] if options.get("decks") == 2 else []),
    ),
    "kitty": (Kitty.FIRST_TRICK,),
    "teams": (2, 3),
    "pass_cycle": ((left(1),), (HOLD,)),
    "opening_leader": (OpeningLeader.DEALER_LEFT,),
    "opening_card": (OpeningCard.ANY,),
    "heart_values": ((0,) * 13,),
    "queen_points": (0,),
    "bonuses": (
        lambda options: _bonuses(options, _deck(options), 1),
        lambda options: _bonuses(options, _deck(options), 2),
        lambda options: _bonuses(options, Cards(options.get("exposable", ()))),
    ),
    "extra_penalties": (
        lambda options: tuple(
            [(card, 1) for card in _deck(options).distinct() - Cards(_bonuses_and_doubler(options))][:1]
        ),
        lambda options: tuple([(card, 1) for card in _deck(options).of_suit(Suit.HEARTS)][-1:]),
    ),
    "exposable": (lambda options: Cards(list(_deck(options).of_suit(Suit.HEARTS))[-1:]),),
    "compulsory": (Compulsory.DISCARD,),
    "compulsory_cards": (lambda options: Cards(list(_deck(options).distinct())[:1]),),
    "no_tricks_bonus": (5,),
    "moon": (Moon.OFF, Moon.SHOOTER_DOWN),
    "max_deals": (1,),
    "doubler": (lambda options: next(map(Doubler, _worthless(options, _deck(options))), None),),
}
"""Values to take instead of a default that contradicts other options, the simplest first; or their makers."""
