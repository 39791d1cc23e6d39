"""Random rule sets: one generator, for `random_rules` and for the Hypothesis strategy `rules`.

`draw_rules` asks a function for each choice. With random bits equal bits give equal rule sets, whatever the version of
Python; the conformance suite is drawn with them. If the function always answers 0, the result is `Rules()`, so
Hypothesis shrinks towards it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Any, Final, TypeAlias, TypeVar

from heartsrules.base.errors import InvalidRules, Problem
from heartsrules.cards import ALL_FACES, Card, Cards, Suit
from heartsrules.chance import Bits, SeededBits, below, shuffled
from heartsrules.rules import (
    HOLD,
    Bonus,
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
    PassPlan,
    Rules,
    Tie,
    left,
    middle,
    scatter,
)

__all__ = ["draw_rules", "random_rules"]

T = TypeVar("T")

Choose: TypeAlias = Callable[[int], int]
"""Chooses a number from 0 to one less than the given one."""
_Options: TypeAlias = Mapping[str, Any]

_QUEEN: Final = Card("QS")


def random_rules(bits: Bits, **fixed: Any) -> Rules:
    """Return a valid rule set with anything in any option. Most decks are small, so that deals are short.

    A rule set drawn with `max_deals` shares ties where totals could stay equal for ever.

    Args:
        bits: A source of random bits, such as `random.Random` or `SeededBits("seed", "rules")`.
        fixed: Options that the rule set must have, such as `moon=Moon.CHOICE`.

    Raises:
        InvalidRules: No rule set with these options was found, as with `teams=2` and `players=5`.

    >>> from heartsrules.chance import SeededBits
    >>> random_rules(SeededBits("seed")) == random_rules(SeededBits("seed"))
    True
    """
    return draw_rules(partial(below, bits), fixed)


def draw_rules(choose: Choose, fixed: _Options) -> Rules:
    """Return a rule set with the fixed options; everything else is chosen.

    Raises:
        InvalidRules: No such rule set was found.
    """
    # An iterator could be read only once.
    fixed = {name: tuple(value) if isinstance(value, Iterator) else value for name, value in fixed.items()}
    if fixed:
        _check_settled(fixed)
    players = _one_of(choose, _PLAYERS)
    two_decks = _one_in(choose, 10, 4 if players < 6 else 6) and fixed.keys().isdisjoint(_SHOWING)
    pairs = [(players, 1 + two_decks), *product(dict.fromkeys(_PLAYERS), (1, 2))]
    tables = dict.fromkeys([(fixed.get("players", players), fixed.get("decks", decks)) for players, decks in pairs])
    problems: tuple[Problem, ...] = ()
    for chooser in (choose, lambda _: 0):
        for players, decks in tables:
            table = {"players": players, "decks": decks, **fixed}
            try:
                if problems:
                    _check_settled(table)
                return _at_table(chooser, table)
            except InvalidRules as error:
                problems = min(problems or error.problems, error.problems, key=len)
    raise InvalidRules(problems)


def _check_settled(fixed: _Options) -> None:
    """Refuse options with a problem that no other option can end."""
    try:
        Rules(**fixed)
    except InvalidRules as error:
        settled = [problem for problem in error.problems if fixed.keys() >= set(problem.fields)]
        if settled:
            raise InvalidRules(settled) from None


def _at_table(choose: Choose, fixed: _Options) -> Rules:
    """A rule set for fixed numbers of players and decks."""
    players, decks = fixed["players"], fixed["decks"]
    deck, hand, options = _random_deal(choose, players, decks, fixed)
    options["first_dealer"] = choose(players)
    options["teams"] = _one_of(choose, [0, 0, 0, *[teams for teams in (2, 3) if players % teams == 0]])
    options |= _random_passing(choose, players, decks, hand, deck, fixed)
    options |= _random_end(choose)
    options |= _random_compulsory(choose, deck, fixed)
    options |= _random_points(choose, deck)
    for option in Rules.OPTIONS:
        name = option.name
        if name not in options and name not in fixed and name not in _APART and _one_in(choose, 2):
            options[name] = _one_of(choose, option.samples) if option.samples else _DRAWN[option.kind](choose, deck)
    kitty = len(deck) - players * hand
    if options.get("opening_leader", OpeningLeader.LOWEST_CLUB) is OpeningLeader.LOWEST_CLUB and (
        len(deck.of_suit(Suit.CLUBS)) <= kitty
    ):
        options["opening_leader"] = _one_of(choose, (OpeningLeader.DEALER_LEFT, OpeningLeader.QUEEN_TAKER))
    if options.get("opening_leader") is OpeningLeader.QUEEN_TAKER and (
        deck.count(_QUEEN) != 1 or len(deck.of_suit(Suit.SPADES)) <= kitty
    ):
        options["opening_leader"] = OpeningLeader.DEALER_LEFT
    # Drawn for two decks as well: the number of choices must not grow when Hypothesis tries a simpler number of decks.
    exposure = _random_exposure(choose, deck, {**options, **fixed}, not _SHOWING.isdisjoint(fixed))
    options |= {**(exposure if decks == 1 else {}), **fixed}
    if "tie" not in fixed and options.get("max_deals") and not _drifts_apart(options, deck, kitty):
        options["tie"] = Tie.SHARED
    return _repaired(options, fixed)


def _drifts_apart(options: _Options, deck: Cards, kitty: int) -> bool:
    """Return True if the totals soon differ in random play: cards cost points, and nothing takes these back."""
    return (
        not any(options.get(name) for name in _TAKING_BACK)
        and options.get("moon", Moon.OFF) in (Moon.OFF, Moon.OTHERS_UP, Moon.SHOOTER_WINS)
        and not isinstance(options.get("heart_values"), tuple)
        and len(deck.of_suit(Suit.HEARTS)) >= 2 + kitty
    )


def _one_in(choose: Choose, count: int, times: int = 1) -> bool:
    """Return True once, or several times, in that many."""
    return choose(count) >= count - times


def _one_of(choose: Choose, items: Sequence[T]) -> T:
    return items[choose(len(items))]


def _some(choose: Choose, items: Iterable[T], count: int) -> list[T]:
    """So many of the items, none of them twice."""
    left = list(items)
    return [left.pop(choose(len(left))) for _ in range(count)]


def _random_deal(choose: Choose, players: int, decks: int, fixed: _Options) -> tuple[Cards, int, dict[str, Any]]:
    """The deck, the cards in each hand, and the options about them."""
    pack = Cards(ALL_FACES * decks) - Cards(fixed.get("removed", ()))
    leader = fixed.get("opening_leader")
    if leader is OpeningLeader.QUEEN_TAKER and "removed" not in fixed:
        pack = pack - Cards([_QUEEN] * (decks - 1))
    most = len(pack) // players
    hand = _one_of(choose, (most, 3, 2, 4, 3, 2, 4, 5, 3, 1, 6, 8))
    kitty = _one_of(choose, (0, 0, 0, 1, 2, 3, 4, 6)) if fixed.get("kitty") is not Kitty.NONE else 0
    named = _named_cards(fixed)
    if leader in _LED:
        named = Cards({*named, *[card for card in ALL_FACES if card.suit is _LED[leader]][: 1 + kitty]})
    passed = [sum([count for _, count in step]) for step in fixed.get("pass_cycle", ())]
    locked = decks * len(Cards(fixed.get("unpassable", ())))
    hand = min(most, max(hand, -(-len(named) // players), max(passed, default=0) + locked if passed else 0))
    hand = fixed.get("hand_size") or (most if "removed" in fixed else hand)
    rest = len(pack) - players * hand
    kitty = rest if "removed" in fixed else min(rest, kitty)
    if fixed.get("hand_size", 1) is None:
        kitty = min(kitty, players - 1)
    deck = pack if "removed" in fixed else _random_deck(choose, pack, players * hand + kitty, named)
    options: dict[str, Any] = {"removed": Cards(ALL_FACES * decks) - deck}
    if kitty >= players or _one_in(choose, 3):
        options["hand_size"] = hand
    if kitty or _one_in(choose, 4):
        options["kitty"] = _one_of(choose, [kind for kind in Kitty if kind is not Kitty.NONE or not kitty])
    return deck, hand, options


def _random_deck(choose: Choose, whole: Cards, size: int, named: Cards) -> Cards:
    """The cards in play: the named ones, and the highest, any, mostly pairs, mostly the cards that rules are about, or
    few suits."""
    if size == len(whole):
        return whole
    profile = choose(5)
    pack = sorted(whole - named, key=lambda card: (-card.rank, card.suit in (Suit.CLUBS, Suit.DIAMONDS)))
    # A source of its own, so that a shuffle is one choice for Hypothesis and not a hundred.
    bits = SeededBits(str(choose(2**32) if profile else 0), "deck")
    if profile:
        pack = shuffled(pack, bits)
    if profile == 2:
        order = {card: place for place, card in enumerate(dict.fromkeys(pack))}
        pack.sort(key=lambda card: order[card])
    elif profile == 3:
        wanted = {_QUEEN, Card("KS"), Card("2C"), *[card for card in ALL_FACES if card.suit is Suit.HEARTS]}
        pack.sort(key=lambda card: card not in wanted or (card is not _QUEEN and below(bits, 2) > 0))
    elif profile == 4:
        suits = set(_some(partial(below, bits), Suit, 2))
        pack.sort(key=lambda card: card.suit not in suits and card is not _QUEEN)
    return Cards([*named, *pack][:size])


def _named_cards(fixed: _Options) -> Cards:
    """One of each card that fixed options name or need in play."""
    named = [*Cards(fixed.get("unpassable", ())), *Cards(fixed.get("exposable", ()))]
    if fixed.get("compulsory") is not Compulsory.NO:
        named.extend(Cards(fixed.get("compulsory_cards", ())))
    named += [card for card, _ in fixed.get("extra_penalties", ())]
    named += [bonus.card for bonus in fixed.get("bonuses", ())]
    if fixed.get("doubler") is not None:
        named.append(fixed["doubler"].card)
    if fixed.get("opening_leader") is OpeningLeader.QUEEN_TAKER or (
        fixed.get("moon_cards") is MoonCards.HEARTS_AND_QUEEN
    ):
        named.append(_QUEEN)
    return Cards(set(named))


def _random_passing(
    choose: Choose, players: int, decks: int, hand: int, deck: Cards, fixed: _Options
) -> dict[str, Any]:
    """The options about the pass, which fit the hands."""
    unpassable = Cards(fixed.get("unpassable", _some_cards(choose, deck) if _one_in(choose, 4) else ()))
    room = hand - min(hand, sum([deck.count(card) for card in unpassable]))
    optional = _one_of(choose, (PassOptional.NO, PassOptional.NO, PassOptional.SKIP, PassOptional.UNANIMOUS))
    options: dict[str, Any] = {"unpassable": unpassable, "pass_optional": optional}
    to_middle = fixed.get("expose_before_pass", ExposeBeforePass.NEVER) is not ExposeBeforePass.NEVER and room > 0
    if room >= 3 and not to_middle and choose(6) == 0:
        return options
    steps = [_random_step(choose, players, room) for _ in range(1 + choose(3))]
    if _one_in(choose, 8) and decks == 1 and 0 < room < 9:
        steps[-1] = middle(None)
        if optional is PassOptional.UNANIMOUS:
            options["pass_optional"] = PassOptional.NO
    elif to_middle:
        steps[-1] = middle(1)
    options["pass_cycle"] = tuple(steps)
    return options


def _random_step(choose: Choose, players: int, room: int) -> PassPlan:
    kind = choose(5)
    if not room or kind == 0:
        return HOLD
    if kind == 4 and room >= 2:
        if room >= players - 1 and _one_in(choose, 2):
            return scatter(players)
        offsets = _some(choose, range(1, players), min(2, room))
        return tuple([(offset, 1 if room < 4 else 1 + choose(2)) for offset in offsets])
    if kind == 3 and _one_in(choose, 2):
        return middle(1 + choose(min(3, room)))
    # An offset beyond the table is a spelling of one within it.
    offset = _one_of(choose, [offset for offset in range(-players, 2 * players) if offset % players])
    return ((offset, 1 + choose(min(3, room))),)


def _random_end(choose: Choose) -> dict[str, Any]:
    target = _one_of(choose, (100, None, 1, 5, 10, 20, 40, 60))
    return {"target": target, "max_deals": 1 + choose(3) if target is None or _one_in(choose, 2) else None}


def _some_cards(choose: Choose, deck: Cards) -> Cards:
    faces = list(deck.distinct())
    return Cards(_some(choose, faces, 1 + choose(min(3, len(faces)))))


def _some_values(choose: Choose, _: Cards) -> HeartValues | tuple[int, ...]:
    kind = choose(len(HeartValues) + 2)
    if kind < len(HeartValues):
        return list(HeartValues)[kind]
    if kind == len(HeartValues):
        return tuple([choose(4) for _ in range(13)])
    return tuple([int(_one_in(choose, 4)) for _ in range(13)])


def _random_compulsory(choose: Choose, deck: Cards, fixed: _Options) -> dict[str, Any]:
    compulsory = fixed.get("compulsory") or _one_of(choose, (Compulsory.NO, Compulsory.NO, *Compulsory))
    if compulsory is Compulsory.NO and not _one_in(choose, 8):
        return {"compulsory": compulsory}
    cards = _some_cards(choose, deck)
    if _QUEEN in deck and not _one_in(choose, 3):
        cards = (cards + Cards([_QUEEN])).distinct() if _one_in(choose, 2) else Cards([_QUEEN])
    return {"compulsory": compulsory, "compulsory_cards": cards}


def _random_points(choose: Choose, deck: Cards) -> dict[str, Any]:
    """The cards that score besides the hearts and the Q♠; a card is only one of them, so that none contradict.

    A heart becomes a bonus card only where it is worth nothing."""
    others = Cards([card for card in deck.distinct() if card.suit is not Suit.HEARTS and card is not _QUEEN])
    costly = deck.distinct() - others
    options: dict[str, Any] = {}
    if others and _one_in(choose, 3):
        (card,) = _some(choose, others, 1)
        others -= Cards([card])
        options["doubler"] = Doubler(card, 2 + choose(2), _one_of(choose, (0, 1, 7, 50)))
    if others and _one_in(choose, 2):
        cards = _some_cards(choose, others)
        hearts = deck.distinct().of_suit(Suit.HEARTS)
        if hearts and _one_in(choose, 8):
            cards += Cards(_some(choose, hearts, 1))
            costly -= hearts
            options["heart_values"] = (0,) * 13
        others -= cards
        options["bonuses"] = tuple([Bonus(card, _one_of(choose, (1, 5, 10, 30))) for card in cards])
    if others + costly and _one_in(choose, 4):
        cards = _some_cards(choose, others + costly)
        options["extra_penalties"] = tuple([(card, _one_of(choose, (1, 7, 10))) for card in cards])
    return options


def _random_exposure(choose: Choose, deck: Cards, options: _Options, wanted: bool) -> dict[str, Any]:
    """The cards of a deck that may be shown; often none if not `wanted`. The options say which of them score."""
    doubler, bonuses = options.get("doubler"), options.get("bonuses", ())
    scoring = {card for card, _ in options.get("extra_penalties", ())} | {bonus.card for bonus in bonuses}
    if doubler:
        scoring.add(doubler.card)
    if options.get("queen_points", 1):
        scoring.add(_QUEEN)
    # Any card may be shown, but mostly those are that score.
    any_card = _one_in(choose, 6)
    faces = [card for card in deck if (any_card or card in scoring) and card.suit is not Suit.HEARTS]
    hearts = [card for card in deck if card.suit is Suit.HEARTS]
    together = doubler or bonuses or options.get("moon_cards") is MoonCards.HEARTS
    if not (faces or hearts) or not (wanted or (_one_in(choose, 3, 2) if together else _one_in(choose, 4))):
        return {}
    count = min(len(faces), choose(5))
    cards = _some(choose, faces, count)
    if hearts and (not cards or _one_in(choose, 2)):
        cards += _some(choose, hearts, 1)
    return {
        "exposable": Cards(cards or faces[:1]),
        "exposure": _one_of(choose, list(Exposure)),
        "exposed_card_play": _one_of(
            choose, sorted(ExposedCardPlay, key=lambda kind: kind is not ExposedCardPlay.WAIT_IN_SUIT)
        ),
    }


def _some_resets(choose: Choose, _: Cards) -> tuple[tuple[int, int], ...]:
    exacts = _some(choose, range(15), 1 + choose(6))
    return tuple([(exact, exact - _one_of(choose, (1, 2, 5, exact + 1))) for exact in exacts])


_DRAWN: Final[Mapping[Kind, Callable[[Choose, Cards], Any]]] = {
    Kind.HEART_VALUES: _some_values,
    Kind.TOTALS: _some_resets,
}
"""How an option without samples is drawn for a deck, by its kind."""

_PLAYERS: Final = (4, 3, 4, 3, 4, 5, 6, 4, 6, 5, 7, 8, 9, 10, 11)

_SHOWING: Final = frozenset(["exposable", "exposure", "expose_before_pass"])
"""The options that need one deck, and cards that may be shown."""

_LED: Final = {OpeningLeader.LOWEST_CLUB: Suit.CLUBS, OpeningLeader.QUEEN_TAKER: Suit.SPADES}
"""The suit that is led first by the leaders who need one."""

_TAKING_BACK: Final = ("bonuses", "doubler", "no_tricks_bonus", "total_floor", "exact_resets")
"""The options that can bring totals back to the same number in every deal."""

_DECK_OPTIONS: Final = frozenset(["players", "decks", "removed", "hand_size", "kitty"])
"""The options that say who is dealt what; they fit only each other."""

_APART: Final = _DECK_OPTIONS | {
    *("pass_cycle", "compulsory_cards", "extra_penalties", "bonuses", "doubler", "exposable")
}
"""The options that are drawn together with others, or not at all."""

_CURES: Final[Mapping[str, tuple[_Options, ...]]] = {
    "endless-game": (
        {"max_deals": 2, "tie": Tie.SHARED},
        {"max_deals": 2},
        {"target": 100},
        {"moon": Moon.SHOOTER_WINS},
    ),
    "gifts-too-large": ({"pass_cycle": (left(1),)}, {"pass_cycle": (HOLD,)}),
    "uneven-deal": ({"kitty": Kitty.LAST_TRICK},),
    "cards-left-over": ({"kitty": Kitty.LAST_TRICK},),
    "not-in-the-deck": ({"compulsory": Compulsory.NO},),
    "bonus-is-a-penalty": ({"queen_points": 0}, {"heart_values": (0,) * 13}),
    "doubler-scores": ({"queen_points": 0},),
    "unreachable-bonus-target": ({"total_floor": False}, {"no_tricks_bonus": 5}, {"moon": Moon.SHOOTER_DOWN}),
    "reset-of-the-target": ({"target": 77},),
}
"""By the code of a problem, the options that can end it where leaving its first field out does not."""


def _repaired(options: dict[str, Any], kept: Collection[str]) -> Rules:
    """Build a rule set from these options; a few that contradict others get their defaults, or a cure.

    Raises:
        InvalidRules: Those `kept` contradict each other, or no change was found that helps.
    """
    for _ in range(2 * len(options)):
        try:
            return Rules(**options)
        except InvalidRules as error:
            changed: set[str] = set()
            stuck = [
                problem
                for problem in error.problems
                if changed.isdisjoint(problem.fields) and not _mended(problem, options, kept, changed)
            ]
            if stuck:
                raise InvalidRules(stuck) from None
    return Rules(**options)


def _mended(problem: Problem, options: dict[str, Any], kept: Collection[str], changed: set[str]) -> bool:
    """Change options that can end a problem, and add their names to `changed`."""
    free = [name for name in problem.fields if name in options and name not in kept and name not in _DECK_OPTIONS]
    cures = [
        cure
        for cure in _CURES.get(problem.code, ())
        if cure.keys().isdisjoint(kept) and any(options.get(name) != value for name, value in cure.items())
    ]
    if free and (free[0] == problem.fields[0] or not cures):
        del options[free[0]]
        changed.add(free[0])
    elif cures:
        options |= cures[0]
        changed |= cures[0].keys()
    return bool(free or cures)
