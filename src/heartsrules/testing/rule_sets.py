"""Random rule sets from any source of random bits, without Hypothesis.

Equal bits give equal rule sets in every version of Python; the conformance suite uses them.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar

import attrs

from heartsrules.base.errors import InvalidRules
from heartsrules.cards import ALL_FACES, Card, Cards, Suit
from heartsrules.chance import Bits, SeededBits, below, shuffled
from heartsrules.rules import (
    HOLD,
    Bonus,
    BonusFloor,
    Compulsory,
    Doubler,
    ExposeBeforePass,
    ExposedCardPlay,
    Exposure,
    HeartValues,
    Kind,
    Kitty,
    Moon,
    MoonCards,
    OpeningLeader,
    PassOptional,
    PassStep,
    Rules,
    Tie,
    left,
    middle,
    scatter,
)

__all__ = ["random_rules"]
__dir__ = __all__.copy

T = TypeVar("T")

_QUEEN: Final = Card("QS")


def random_rules(bits: Bits, **fixed: Any) -> Rules:
    """Draw a valid rule set with any value of any option.

    Most decks are small, so that deals are short. A match with `max_deals` ends.

    Args:
        bits: a source of random bits, such as `random.Random` or `SeededBits("seed", "rules")`.
        fixed: options of the rule set, such as `moon=Moon.CHOICE`; those that contradict drawn ones can be dropped. Of
            the options about dealing and passing, give only `players` and `decks`: the others are drawn to fit each
            other.

    Raises:
        InvalidRules: no rule set has these options together, such as `teams=2` with `players=5`.
        ValueError: `removed`, `hand_size`, `pass_cycle` or `unpassable` is fixed.

    >>> from heartsrules.chance import SeededBits
    >>> random_rules(SeededBits("seed")) == random_rules(SeededBits("seed"))
    True
    """
    _check_fixed(fixed)
    players = fixed.get("players", _one_of(bits, (4, 3, 4, 3, 4, 5, 6, 4, 6, 5, 7, 8, 9, 10, 11)))
    two_decks = below(bits, 10) < (4 if players < 6 else 6) and fixed.keys().isdisjoint(_SHOWING)
    decks = fixed.get("decks", 2 if two_decks else 1)
    most = 52 * decks // players
    hand = most if _one_in(bits, 12) else min(most, _one_of(bits, (3, 2, 4, 3, 2, 4, 5, 3, 1, 6, 8)))
    kitty = min(52 * decks - players * hand, _one_of(bits, (0, 0, 0, 1, 2, 3, 4, 6)))
    deck = _random_deck(bits, decks, players * hand + kitty)
    options: dict[str, Any] = {
        "players": players,
        "decks": decks,
        "removed": Cards(ALL_FACES * decks) - deck,
        "first_dealer": below(bits, players),
    }
    if kitty >= players or _one_in(bits, 3):
        options["hand_size"] = hand
    if kitty or _one_in(bits, 4):
        options["kitty"] = _one_of(bits, [kind for kind in Kitty if kind is not Kitty.NONE or not kitty])
    options["teams"] = _one_of(bits, [0, 0, 0, *[teams for teams in (2, 3) if players % teams == 0]])
    to_middle = fixed.get("expose_before_pass", ExposeBeforePass.NEVER) is not ExposeBeforePass.NEVER
    options |= _random_passing(bits, players, decks, hand, deck, to_middle)
    options |= _random_end(bits)
    options |= _random_compulsory(bits, deck, fixed)
    options |= _random_points(bits, deck)
    for option in Rules.OPTIONS:
        if option.name not in options and option.name not in _APART and _one_in(bits, 2):
            options[option.name] = _one_of(bits, option.samples) if option.samples else _DRAWN[option.kind](bits, deck)
    leader = options.get("opening_leader", OpeningLeader.LOWEST_CLUB)
    if leader is OpeningLeader.LOWEST_CLUB and len(deck.of_suit(Suit.CLUBS)) <= kitty:
        options["opening_leader"] = _one_of(bits, (OpeningLeader.DEALER_LEFT, OpeningLeader.QUEEN_TAKER))
    if decks == 1:
        options |= _random_exposure(bits, deck, options | fixed, not _SHOWING.isdisjoint(fixed))
    rules = repaired(options | fixed)
    if rules.max_deals and "tie" not in fixed and not _drifts_apart(rules):
        rules = attrs.evolve(rules, tie=Tie.SHARED)
    return rules


def _drifts_apart(rules: Rules) -> bool:
    """Return True if several cards cost points and nothing evens the totals out."""
    costly = [card for card in rules.deck.distinct() if rules.penalty(card) > 0]
    gains = rules.bonuses or rules.no_tricks_bonus
    evens = rules.total_floor or rules.exact_resets or rules.bonus_floor is not BonusFloor.NONE
    return len(costly) >= 4 + rules.kitty_size and rules.moon in (Moon.OFF, Moon.OTHERS_UP) and not (gains and evens)


def _check_fixed(fixed: Mapping[str, Any]) -> None:
    for name in ("removed", "hand_size", "pass_cycle", "unpassable"):
        if name in fixed:
            raise ValueError(
                f"{name} cannot be fixed: what is dealt and passed is drawn to fit; give only players and decks"
            )
    try:
        Rules(**fixed)
    except InvalidRules as error:
        # Constraints with other options are open: those are drawn to fit.
        problems = [problem for problem in error.problems if fixed.keys() >= set(problem.fields)]
        if problems:
            raise InvalidRules(problems) from None


def _one_in(bits: Bits, count: int) -> bool:
    """Return True once in `count` times, shrinking to False."""
    return below(bits, count) == count - 1


def _one_of(bits: Bits, items: Sequence[T]) -> T:
    return items[below(bits, len(items))]


def _some(bits: Bits, items: Iterable[T], count: int) -> list[T]:
    left = list(items)
    return [left.pop(below(bits, len(left))) for _ in range(count)]


def _random_deck(bits: Bits, decks: int, size: int) -> Cards:
    """Draw the cards in play, mostly all, pairs, cards in rules, or few suits."""
    profile = below(bits, 4)
    # Its own source, so that a shuffle is a single choice for Hypothesis.
    bits = SeededBits(str(below(bits, 2**32)), "deck")
    pack = shuffled(ALL_FACES * decks, bits)
    if profile == 1:
        order = {card: place for place, card in enumerate(dict.fromkeys(pack))}
        pack.sort(key=lambda card: order[card])
    elif profile == 2:
        wanted = {_QUEEN, Card("KS"), Card("2C"), *[card for card in ALL_FACES if card.suit is Suit.HEARTS]}
        pack.sort(key=lambda card: card not in wanted or (card is not _QUEEN and _one_in(bits, 2)))
    elif profile == 3:
        suits = set(_some(bits, Suit, 2))
        pack.sort(key=lambda card: card.suit not in suits and card is not _QUEEN)
    return Cards(pack[:size])


def _random_passing(bits: Bits, players: int, decks: int, hand: int, deck: Cards, to_middle: bool) -> dict[str, Any]:
    unpassable = _some_cards(bits, deck) if _one_in(bits, 4) else Cards()
    room = hand - min(hand, sum([deck.count(card) for card in unpassable]))
    steps = [_random_step(bits, players, room) for _ in range(1 + below(bits, 3))]
    pass_optional = _one_of(bits, (PassOptional.NO, PassOptional.NO, PassOptional.SKIP, PassOptional.UNANIMOUS))
    if decks == 1 and 0 < room < 9 and _one_in(bits, 8):
        steps[-1] = middle(None)
        if pass_optional is PassOptional.UNANIMOUS:
            pass_optional = PassOptional.NO
    elif to_middle and room:
        steps[-1] = middle(1)
    return {"pass_cycle": tuple(steps), "unpassable": unpassable, "pass_optional": pass_optional}


def _random_step(bits: Bits, players: int, room: int) -> PassStep:
    kind = below(bits, 5)
    if not room or kind == 0:
        return HOLD
    if kind == 4 and room >= 2:
        if room >= players - 1 and _one_in(bits, 2):
            return scatter(players=players)
        offsets = _some(bits, range(1, players), min(2, room))
        return tuple([(offset, 1 if room < 4 else 1 + below(bits, 2)) for offset in offsets])
    if kind == 3 and _one_in(bits, 2):
        return middle(1 + below(bits, min(3, room)))
    # Offsets wrap around the table.
    offset = _one_of(bits, [offset for offset in range(-players, 2 * players) if offset % players])
    return ((offset, 1 + below(bits, min(3, room))),)


def _random_end(bits: Bits) -> dict[str, Any]:
    target = _one_of(bits, (100, None, 1, 5, 10, 20, 40, 60))
    return {"target": target, "max_deals": 1 + below(bits, 3) if target is None or _one_in(bits, 2) else None}


def _some_cards(bits: Bits, deck: Cards) -> Cards:
    faces = list(deck.distinct())
    return Cards(_some(bits, faces, 1 + below(bits, min(3, len(faces)))))


def _some_values(bits: Bits, _: Cards) -> HeartValues | tuple[int, ...]:
    kind = below(bits, len(HeartValues) + 2)
    if kind < len(HeartValues):
        return list(HeartValues)[kind]
    if kind == len(HeartValues):
        return tuple([below(bits, 4) for _ in range(13)])
    return tuple([int(_one_in(bits, 4)) for _ in range(13)])


def _random_compulsory(bits: Bits, deck: Cards, fixed: Mapping[str, Any]) -> dict[str, Any]:
    compulsory = fixed.get("compulsory") or _one_of(bits, (Compulsory.NO, Compulsory.NO, *Compulsory))
    if compulsory is Compulsory.NO and not _one_in(bits, 8):
        return {"compulsory": compulsory}
    cards = _some_cards(bits, deck)
    if _QUEEN in deck and not _one_in(bits, 3):
        cards = Cards([_QUEEN]) if _one_in(bits, 2) else (cards + Cards([_QUEEN])).distinct()
    return {"compulsory": compulsory, "compulsory_cards": cards}


def _random_points(bits: Bits, deck: Cards) -> dict[str, Any]:
    """Draw the cards that score besides the hearts and the ♠Q, each in only one way.

    A heart becomes a bonus card only if it has no points.
    """
    others = Cards([card for card in deck.distinct() if card.suit is not Suit.HEARTS and card is not _QUEEN])
    costly = deck.distinct() - others
    options: dict[str, Any] = {}
    if others and _one_in(bits, 3):
        (card,) = _some(bits, others, 1)
        others -= Cards([card])
        options["doubler"] = Doubler(card, 2 + below(bits, 2), _one_of(bits, (0, 1, 7, 50)))
    if others and _one_in(bits, 2):
        cards = _some_cards(bits, others)
        hearts = deck.distinct().of_suit(Suit.HEARTS)
        if hearts and _one_in(bits, 8):
            cards += Cards(_some(bits, hearts, 1))
            costly -= hearts
            options["heart_values"] = (0,) * 13
        others -= cards
        options["bonuses"] = tuple([Bonus(card, _one_of(bits, (1, 5, 10, 30))) for card in cards])
    if others + costly and _one_in(bits, 4):
        cards = _some_cards(bits, others + costly)
        options["extra_penalties"] = tuple([(card, _one_of(bits, (1, 7, 10))) for card in cards])
    return options


def _random_exposure(bits: Bits, deck: Cards, options: Mapping[str, Any], wanted: bool) -> dict[str, Any]:
    scoring = _scoring_cards(options)
    if options.get("queen_points", 1):
        scoring.add(_QUEEN)
    # Any card can be exposable, but scoring cards are typical.
    any_card = _one_in(bits, 6)
    faces = [card for card in deck if (any_card or card in scoring) and card.suit is not Suit.HEARTS]
    hearts = [card for card in deck if card.suit is Suit.HEARTS]
    together = options.get("doubler") or options.get("bonuses") or options.get("moon_cards") is MoonCards.HEARTS
    if not (faces or hearts) or not (wanted or (not _one_in(bits, 3) if together else _one_in(bits, 4))):
        return {}
    count = min(len(faces), below(bits, 5))
    cards = _some(bits, faces, count)
    if hearts and (not cards or _one_in(bits, 2)):
        cards += _some(bits, hearts, 1)
    drawn: dict[str, Any] = {
        "exposable": Cards(cards or faces[:1]),
        "exposure": _one_of(bits, list(Exposure)),
        "exposed_card_play": _one_of(bits, list(ExposedCardPlay)),
    }
    steps = [step for step in options.get("pass_cycle", ()) if step]
    if steps and _one_in(bits, 2):
        middles = [step for step in steps if len(step) == 1 and not step[0][0]]
        drawn["expose_before_pass"] = _one_of(
            bits, (ExposeBeforePass.ALWAYS, *([ExposeBeforePass.MIDDLE] if middles else []))
        )
    return drawn


def _scoring_cards(options: Mapping[str, Any]) -> set[Card]:
    cards = {card for card, _ in options.get("extra_penalties", ())}
    cards |= {bonus.card for bonus in options.get("bonuses", ())}
    return cards if options.get("doubler") is None else cards | {options["doubler"].card}


def _some_resets(bits: Bits, _: Cards) -> tuple[tuple[int, int], ...]:
    exacts = _some(bits, range(15), 1 + below(bits, 6))
    return tuple([(exact, exact - _one_of(bits, (1, 2, 5, exact + 1))) for exact in exacts])


_DRAWN: Final[Mapping[Kind, Callable[[Bits, Cards], Any]]] = {
    Kind.HEART_VALUES: _some_values,
    Kind.TOTALS: _some_resets,
}
"""Draws of an option without samples for a deck, by its kind."""

_SHOWING: Final = frozenset(["exposable", "exposure", "expose_before_pass"])
"""The options that need one deck, and exposable cards."""

DECK_OPTIONS: Final = frozenset(["players", "decks", "removed", "hand_size", "kitty"])
"""The options about the number of cards dealt, which must fit each other."""

_APART: Final = DECK_OPTIONS | {"compulsory_cards", "extra_penalties", "bonuses", "doubler", "exposable"}
"""The options that are drawn with others, or not at all."""

_CURES: Final[Mapping[tuple[str, str], Mapping[str, Any]]] = {
    ("endless-game", "target"): {"max_deals": 2},
    # For small decks with the default passes.
    ("gifts-too-large", "pass_cycle"): {"pass_cycle": (left(1),)},
    # The others, except QUEEN_TAKER, are for fixed options: drawn ones fit the deck.
    ("uneven-deal", "removed"): {"kitty": Kitty.LAST_TRICK},
    ("no-club-to-open", "opening_leader"): {"opening_leader": OpeningLeader.DEALER_LEFT},
    ("no-spade-to-open", "opening_leader"): {"opening_leader": OpeningLeader.DEALER_LEFT},
    ("not-one-queen", "opening_leader"): {"opening_leader": OpeningLeader.DEALER_LEFT},
    ("not-in-the-deck", "compulsory_cards"): {"compulsory": Compulsory.NO},
}
"""Options that cure a problem, by its code and first field, where omitting that field might not."""


def repaired(options: dict[str, Any], kept: Collection[str] = ()) -> Rules:
    """Replace the few options that contradict others by cures or defaults.

    Raises:
        InvalidRules: the options `kept` contradict each other, or no change helps.
    """
    for _ in range(len(options)):
        try:
            return Rules(**options)
        except InvalidRules as error:
            for problem in error.problems:
                cure = _CURES.get((problem.code, problem.fields[0]))
                if cure and cure.keys().isdisjoint(kept):
                    options |= cure
                    continue
                changeable = [name for name in problem.fields if name not in kept]
                if not changeable:
                    raise
                free = [name for name in changeable if name not in DECK_OPTIONS]
                options.pop((free or changeable)[0], None)
    return Rules(**options)


# ------------------------------------------------------------------------------------------------- the nearest rule set

_MOST_CHANGES: Final = 4
"""The limit of the search for the nearest rule set."""


def nearest_rules(fixed: Mapping[str, Any]) -> Rules:
    """Return the rule set with these options and as few other changes as possible.

    Raises:
        InvalidRules: none was found; the problems are those without changes.
    """
    for changes in range(_MOST_CHANGES):
        with contextlib.suppress(InvalidRules):
            return _completed(fixed, changes)
    return _completed(fixed, _MOST_CHANGES)


def _completed(options: Mapping[str, Any], changes: int) -> Rules:
    try:
        return Rules(**options)
    except InvalidRules as error:
        free = [name for name in error.problems[0].fields if name not in options] if changes else []
        for name in free:
            for value in SIMPLE_VALUES.get(name, ()):
                with contextlib.suppress(InvalidRules):
                    return _completed({**options, name: value(options) if callable(value) else value}, changes - 1)
        raise


def _named_cards(options: Mapping[str, Any]) -> Cards:
    named = [*Cards(options.get("unpassable", ())), *Cards(options.get("compulsory_cards", ()))]
    named += [*Cards(options.get("exposable", ())), *_scoring_cards(options)]
    if any(options.get(name) in values for name, values in _ABOUT_QUEEN.items()):
        named.append(_QUEEN)
    if "compulsory_cards" not in options and options.get("compulsory", Compulsory.NO) is not Compulsory.NO:
        named.append(_QUEEN)
    return Cards(set(named))


_ABOUT_QUEEN: Final[Mapping[str, tuple[Any, ...]]] = {
    "opening_leader": (OpeningLeader.QUEEN_TAKER,),
    "moon_cards": (MoonCards.HEARTS_AND_QUEEN,),
}


def _deck(options: Mapping[str, Any]) -> Cards:
    return Cards(ALL_FACES * options.get("decks", 1)) - Cards(options.get("removed", ()))


def _surplus(options: Mapping[str, Any], first: list[Card]) -> Cards:
    players = max(options.get("players", 4), 1)
    decks = min(max(options.get("decks", 1), 1), 2)
    hand = options.get("hand_size") or (52 * decks - len(first)) // players
    named = _named_cards(options)
    expendable = [*first, *(card for card in _EXPENDABLE for _ in range(decks) if card not in named)]
    return Cards(expendable[: max(52 * decks - hand * players, 0)])


_EXPENDABLE: Final = tuple(
    sorted(
        (card for card in ALL_FACES if card is not _QUEEN),
        key=lambda card: (card.rank + (card.suit is Suit.HEARTS), "DCSH".index(card.suit.letter)),
    )
) + (_QUEEN,)
"""The order in which cards are left out of a deck."""


def _worthless(options: Mapping[str, Any]) -> list[Card]:
    scoring = _scoring_cards(options) | {_QUEEN}
    return [card for card in _deck(options).distinct() if card.suit is not Suit.HEARTS and card not in scoring]


def _bonuses(options: Mapping[str, Any], most: int) -> tuple[Bonus, ...]:
    return tuple([Bonus(card, 10) for card in _worthless(options)[:most]])


SIMPLE_VALUES: Final[Mapping[str, tuple[Any, ...]]] = {
    "players": (3, *range(5, 12)),
    "decks": (2,),
    "removed": (
        lambda options: _surplus(options, []),
        lambda options: _surplus(options, [_QUEEN] if options.get("decks") == 2 else []),
    ),
    "kitty": (Kitty.FIRST_TRICK,),
    "pass_cycle": ((left(1),), (HOLD,)),
    "opening_leader": (OpeningLeader.DEALER_LEFT,),
    "heart_values": ((0,) * 13,),
    "queen_points": (0,),
    "bonuses": (lambda options: _bonuses(options, 1), lambda options: _bonuses(options, 2)),
    "compulsory": (Compulsory.DISCARD,),
    "compulsory_cards": (lambda options: Cards(list(_deck(options).distinct())[:1]),),
    "no_tricks_bonus": (5,),
    "moon": (Moon.OFF, Moon.SHOOTER_DOWN),
    "max_deals": (1,),
    "doubler": (lambda options: next(map(Doubler, _worthless(options)), None),),
}
"""Replacements for a default that contradicts other options, the simplest first, or their makers."""
