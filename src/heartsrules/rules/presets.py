"""Named rule sets, each as one source publishes it.

A preset is a function that returns a `Rules`. It takes the number of players if its source offers several, and the
source's options as keyword arguments, named like the fields of `Rules`. It raises `InvalidRules` for a number of
players or a value that its source does not offer, and for options that exclude each other, such as a target and a
number of deals. Any other change is a house rule: `attrs.evolve(presets.microsoft(), target=50)`.

If a source is silent on a field, the docstring lists it as "not stated by the source", with the value used instead in
brackets. `ALL` lists the presets by name. "Presets" in the documentation describes each game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from functools import cache, wraps
from types import MappingProxyType
from typing import Any, Final, Literal, NoReturn, ParamSpec, TypeVar, get_args, get_origin, get_type_hints

import attrs

from heartsrules.base.errors import InvalidRules, Problem
from heartsrules.base.values import with_article, wrong_type
from heartsrules.cards import NO_CARDS, Card, Cards
from heartsrules.rules import (
    HOLD,
    Bonus,
    BonusFloor,
    Compulsory,
    Doubler,
    Duplicates,
    ExposeBeforePass,
    ExposedCardPlay,
    Exposure,
    FirstTrick,
    HeartsBreak,
    HeartsLead,
    HeartValues,
    Kitty,
    Moon,
    MoonCards,
    MoonScope,
    OpeningCard,
    OpeningLeader,
    PassOptional,
    PassStep,
    QueenBreaks,
    Rules,
    ScoreDisplay,
    TargetScope,
    TargetTest,
    Tie,
    across,
    as_data,
    default_pass_cycle,
    left,
    middle,
    right,
)

__all__ = [
    "ALL",
    "HAND_SIZES",
    "OMNIBUS",
    "REMOVAL_TABLES",
    "Preset",
    "PresetOption",
    "bicycle",
    "black_jack",
    "black_maria",
    "board_game_arena",
    "cardstock",
    "cardzmania",
    "catsatcards",
    "charged_hearts",
    "dicegamedepot",
    "dicegamedepot_cancellation",
    "four_queens",
    "gnome_hearts",
    "goldsmith",
    "gong_zhu",
    "gonzo",
    "greek_hearts",
    "hand_size",
    "heartsette",
    "leekha",
    "microsoft",
    "omnibus",
    "openspiel",
    "pagat",
    "pagat_cancellation",
    "partner_hearts",
    "plain_hearts",
    "polignac",
    "removed",
    "spot_hearts",
    "trend_hearts",
    "trickster",
    "whisthub",
    "world_of_card_games",
]
__dir__ = __all__.copy

P = ParamSpec("P")
V = TypeVar("V")


OMNIBUS: Final = (Bonus(Card("JD"), 10),)
"""The bonus card of Omnibus Hearts, a ♦J that subtracts 10 points."""
_FIFTIES: Final = tuple([(total, total - 50) for total in range(50, 501, 50)])
"""The resets of multiples of 50 in a game to 200."""


_NOTHING_BARRED: Final[Mapping[str, Any]] = {
    "opening_leader": OpeningLeader.DEALER_LEFT,
    "opening_card": OpeningCard.UNRESTRICTED,
    "first_trick": FirstTrick.FREE,
    "hearts_lead": HeartsLead.ANY_TIME,
}
"""Options with which the dealer's left opens with any card, and no play is restricted."""


_CLUBS: Final = Cards("2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC")
_DIAMONDS: Final = Cards("2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD AD")
_HEARTS: Final = Cards("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH")
_BELOW_SEVEN: Final = Cards("2C 3C 4C 5C 6C 2D 3D 4D 5D 6D 2H 3H 4H 5H 6H 2S 3S 4S 5S 6S")
_NOT_OF_THIRTY: Final = _BELOW_SEVEN + Cards("7C 7S")


def _tables(rows: dict[str, dict[int, V]]) -> Mapping[str, Mapping[int, V]]:
    return MappingProxyType({name: MappingProxyType(row) for name, row in rows.items()})


REMOVAL_TABLES: Final[Mapping[str, Mapping[int, Cards]]] = _tables(
    {
        "dicegamedepot": {
            3: Cards("2D"),
            4: NO_CARDS,
            5: Cards("2D 2C"),
            6: Cards("2D 3D 3C 4C"),
            7: Cards("2D 3D 3C"),
        },
        "cardzmania": {3: Cards("2D"), 4: NO_CARDS, 5: Cards("2D 2S"), 6: Cards("2D 2C 2S 3C")},
        "board_game_arena": {
            3: Cards("2D"),
            4: NO_CARDS,
            5: Cards("2D 2C"),
            6: Cards("2D 2C 2S 3C"),
            7: Cards("2D 2C 2S"),
            8: Cards("2D 2C 2S 3C"),
        },
        "culbertson": {
            3: Cards("2C"),
            4: NO_CARDS,
            5: Cards("2C 2D"),
            6: Cards("2C 2D 3C 2S"),
            7: Cards("2C 2D 3C"),
            8: Cards("2C 2D 3C 2S"),
        },
        "homestead": {3: Cards("2D"), 4: NO_CARDS, 5: Cards("2D 2S"), 6: Cards("2D 2S 2C 3H"), 7: Cards("2D 2S 2C")},
        "foster": {3: Cards("2S"), 4: NO_CARDS, 5: Cards("2C 2S"), 6: Cards("2C 2D 2H 2S")},
        "t_games": {3: Cards("2C"), 4: NO_CARDS, 5: Cards("2C 2D"), 6: Cards("2C 2D 3C 3D")},
        "piquet": {3: _NOT_OF_THIRTY, 4: _BELOW_SEVEN, 5: _NOT_OF_THIRTY, 6: _NOT_OF_THIRTY},
        "goldsmith": {4: NO_CARDS, 5: _CLUBS + _DIAMONDS + _HEARTS, 6: _CLUBS + _DIAMONDS, 7: _CLUBS},
    }
)
"""The cards that published tables remove to make the deal even, as `REMOVAL_TABLES[source][players]`.

CardStock's files for three and five players agree with CardzMania's table. Its row for six players is not stated by the
source: it is Board Game Arena's. Culbertson removes the necessary number of cards in the order ♣2 ♦2 ♣3 ♠2. Homestead's
and Foster's tables remove a heart with six players, so that one point fewer is in play. The piquet table leaves the 32
cards from the sevens up, or 30 without the black sevens. All tables are for one deck, except Goldsmith's for five, six
and seven players: two decks, one of them without whole suits, so that each player has thirteen cards."""

HAND_SIZES: Final[Mapping[str, Mapping[int, int]]] = _tables(
    {
        "dicegamedepot": {3: 17, 4: 12, 5: 10, 6: 8, 7: 7},
        "catsatcards": {3: 16, 4: 13, 5: 10, 6: 8, 7: 7},
        "dicegamedepot_cancellation": {6: 17, 7: 14, 8: 13, 9: 11, 10: 10, 11: 9},
        "heartsette": {3: 16, 4: 12, 5: 10, 6: 8},
    }
)
"""The number of cards dealt to each player if the rest is a kitty, as `HAND_SIZES[source][players]`.

Cancellation uses two decks, the others one. Heartsette for three and four players removes the ♠2. CardzMania's twelve
cards for four players agree with dicegamedepot's table."""


def _look_up(tables: Mapping[str, Mapping[int, V]], table: str, players: int) -> V:
    _check_type("table", table, (str,))
    _check_type("players", players, (int,))
    rows = tables.get(table)
    if rows is None:
        raise InvalidRules((Problem.of("unknown-table", ("table",), table=table, tables=tuple(tables)),))
    if players not in rows:
        params = {"players": players, "table": table, "counts": tuple(rows)}
        raise InvalidRules((Problem.of("unsupported-players", ("players",), "table", **params),))
    return rows[players]


def removed(table: str, players: int) -> Cards:
    """Return the cards that a published table removes.

    Args:
        table: a name in `REMOVAL_TABLES`.
        players: a number of players in that table. For four, only the piquet table removes cards.

    >>> removed("culbertson", 5)
    Cards('2C 2D')

    Raises:
        InvalidRules: the table (`unknown-table`) or its row (`unsupported-players`) does not exist.
    """
    return _look_up(REMOVAL_TABLES, table, players)


def hand_size(table: str, players: int) -> int:
    """Return the number of cards per player in a published table with a kitty.

    Args:
        table: a name in `HAND_SIZES`.
        players: a number of players in that table.

    >>> hand_size("catsatcards", 3)
    16

    Raises:
        InvalidRules: the table (`unknown-table`) or its row (`unsupported-players`) does not exist.
    """
    return _look_up(HAND_SIZES, table, players)


def _check_type(name: str, value: object, kinds: tuple[type, ...]) -> None:
    # The exact type, because a bool is an int too, and equal to 0 or 1.
    if type(value) not in kinds:
        expected = ["None" if kind is type(None) else with_article(kind.__name__) for kind in kinds]
        wrong_type(name, " or ".join(expected), value)


@attrs.frozen
class PresetOption:
    """A keyword argument of a preset.

    Attributes:
        name: the name of the option.
        kind: the type of its values: one of `choices`, an int, or another type as in `Rules`.
        choices: all values of a bool or a choice, otherwise empty.
        optional: True if None is possible.
        default: the default value.
    """

    name: str
    kind: Literal["bool", "choice", "int", "other"]
    choices: tuple[Any, ...]
    optional: bool
    default: Any


@attrs.frozen
class Preset:
    """A preset with its description for a menu.

    >>> ALL["bicycle"].players, ALL["bicycle"](3) == bicycle(3)
    ((3, 4, 5), True)

    Attributes:
        name: the name of the function.
        make: the function. It takes a number of players only if `players` has several.
        players: the possible numbers of players, ascending.
        default_players: the default number of players.
        options: the names of the function's keyword arguments.
        source: the publication of the rules.
        summary: one line about the differences from other rules.
    """

    name: str
    make: Callable[..., Rules]
    players: tuple[int, ...]
    default_players: int
    options: tuple[str, ...]
    source: str
    summary: str
    _offered: Callable[[], Mapping[str, tuple[object, ...]]] = attrs.field(eq=False, repr=False, alias="offered")

    @property
    def offers(self) -> tuple[PresetOption, ...]:
        """The options with their types, possible values and defaults.

        >>> ALL["whisthub"].offers[0]
        PresetOption(name='target', kind='choice', choices=(None, 50, 100, 200), optional=True, default=None)
        """
        function: Any = self.make
        hints, offered = get_type_hints(function), self._offered()
        found: list[PresetOption] = []
        for name in self.options:
            hint = hints[name]
            choices = offered.get(name) or (tuple(hint) if isinstance(hint, type) and issubclass(hint, Enum) else ())
            number = "int" if int in (hint, *get_args(hint)) else "other"
            kind: Any = "bool" if hint is bool else "choice" if choices else number
            optional = type(None) in get_args(hint)
            found.append(PresetOption(name, kind, choices, optional, function.__wrapped__.__kwdefaults__[name]))
        return tuple(found)

    def __call__(self, players: int | None = None, **options: Any) -> Rules:
        """Make the rule set, even if the function does not take a number of players.

        Args:
            players: one of `players`. Defaults to `default_players`.
            **options: any of `options`.

        >>> ALL["whisthub"](4, target=50).target
        50
        >>> ALL["leekha"](3)
        Traceback (most recent call last):
        heartsrules.base.errors.InvalidRules: players is 3, but leekha is for 4: choose one of these

        Raises:
            InvalidRules: the source does not offer this number of players or this value of an option.
            TypeError: there is no such option.
        """
        count = self.default_players if players is None else players
        if len(self.players) > 1:
            return self.make(count, **options)
        _check(self, count, {}, {})
        return self.make(**options)


def _check(
    preset: Preset, players: object, options: Mapping[str, object], offered: Mapping[str, tuple[object, ...]]
) -> None:
    _check_type("players", players, (int,))
    given = {name: (options[name], values) for name, values in offered.items() if name in options}
    for name, (value, values) in given.items():
        _check_type(name, value, tuple(dict.fromkeys([type(item) for item in values])))
    problems: list[Problem] = []
    if players not in preset.players:
        params = {"players": players, "preset": preset.name, "counts": preset.players}
        problems.append(Problem.of("unsupported-players", ("players",), "preset", **params))
    problems += [
        Problem.of(
            "unsupported-option", (name,), name=name, value=as_data(value), preset=preset.name, offered=as_data(values)
        )
        for name, (value, values) in given.items()
        if value not in values
    ]
    if problems:
        raise InvalidRules(tuple(problems))


_PRESETS: Final[dict[str, Preset]] = {}


def _preset(
    players: tuple[int, ...], source: str, summary: str, **offered: tuple[object, ...]
) -> Callable[[Callable[P, Rules]], Callable[P, Rules]]:
    """Make a decorator that adds a preset to `ALL` and checks its arguments.

    `offered` has the values of each option whose type does not list them.
    """

    def enter(make: Callable[P, Rules]) -> Callable[P, Rules]:
        function: Any = make
        code = function.__code__

        @cache
        def values() -> Mapping[str, tuple[object, ...]]:
            found = {name: offered.get(name) or _values_of(hint) for name, hint in get_type_hints(make).items()}
            return {name: each for name, each in found.items() if each}

        @wraps(make)
        def checked(*args: P.args, **options: P.kwargs) -> Rules:
            count = args[0] if args else options.get("players", preset.default_players)
            _check(preset, count if code.co_argcount else players[0], options, values())
            return make(*args, **options)

        preset = _PRESETS[code.co_name] = Preset(
            name=code.co_name,
            make=checked,
            players=players,
            default_players=(function.__defaults__ or players)[0],
            # Like inspect.signature, whose import takes longer than making all presets.
            options=code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount],
            source=source,
            summary=summary,
            offered=values,
        )
        return checked

    return enter


def _values_of(hint: Any) -> tuple[object, ...]:
    if hint is bool:
        return (False, True)
    if get_origin(hint) is Literal:
        return get_args(hint)
    values = [value for part in get_args(hint) if get_origin(part) is Literal for value in get_args(part)]
    return (None, *values) if values else ()


_PAGAT: Final = '"Hearts", pagat.com'


@_preset(
    (3, 4, 5, 6, 7),
    '"Hearts Card Game Rules", dicegamedepot.com',
    "no passing; a led queen of spades breaks hearts; many variants",
    kitty=tuple(Kitty),
    bonuses=((), OMNIBUS),
)
def dicegamedepot(
    players: int = 4,
    *,
    passing: bool = False,
    kitty: Kitty = Kitty.NONE,
    bonuses: tuple[Bonus, ...] = (),
    moon: Literal[Moon.OTHERS_UP, Moon.SHOOTER_DOWN, Moon.CHOICE] = Moon.OTHERS_UP,
    hearts_lead: Literal[HeartsLead.WHEN_BROKEN, HeartsLead.ANY_TIME] = HeartsLead.WHEN_BROKEN,
    queen_breaks: Literal[QueenBreaks.LED, QueenBreaks.NEVER] = QueenBreaks.LED,
    target: int = 100,
    target_test: TargetTest = TargetTest.REACHED,
) -> Rules:
    """Make the general game for three to seven, with any of its variants.

    Source: "Hearts Card Game Rules", dicegamedepot.com. Low clubs and diamonds are removed, a led ♠Q breaks hearts, and
    a tie leads to another deal.

    Args:
        passing: the variant Passing Cards: three cards left, right, across, hold with four players, otherwise
            alternately left and right.
        kitty: the variant The Kitty: nothing is removed, and each player is dealt `hand_size("dicegamedepot", players)`
            cards. The source prefers `FIRST_POINT`.
        bonuses: `OMNIBUS` for Omnibus Hearts. The moon does not need the ♦J.
        moon: `SHOOTER_DOWN`, or `CHOICE` by the shooter, for Shooting the Moon Options.
        hearts_lead: `ANY_TIME` for No Broken Hearts.
        queen_breaks: `NEVER` for Queen Doesn't Break.
        target: any total; usually 100.
        target_test: the source says both.

    Not stated by the source: the players who may look at the kitty (its winner), the first dealer (seat 0).

    >>> dicegamedepot(4, passing=True, bonuses=OMNIBUS).changes()
    {'queen_breaks': QueenBreaks.LED, 'bonuses': (Bonus(card=Card('JD'), points=10),)}
    """
    if not passing:
        cycle: tuple[PassStep, ...] = (HOLD,)
    elif players == 4:
        cycle = default_pass_cycle(4)
    else:
        cycle = (left(), right())
    with_kitty = kitty is not Kitty.NONE
    return Rules(
        players=players,
        removed=NO_CARDS if with_kitty else removed("dicegamedepot", players),
        hand_size=hand_size("dicegamedepot", players) if with_kitty else None,
        kitty=kitty,
        pass_cycle=cycle,
        hearts_lead=hearts_lead,
        queen_breaks=queen_breaks,
        bonuses=bonuses,
        moon=moon,
        target=target,
        target_test=target_test,
    )


@_preset(
    (6, 7, 8, 9, 10, 11),
    '"Hearts Card Game Rules", dicegamedepot.com',
    "two decks; equal cards cancel each other, two pairs void a trick; to 150",
    bonuses=((), OMNIBUS),
)
def dicegamedepot_cancellation(
    players: int = 6,
    *,
    bonuses: tuple[Bonus, ...] = (),
    moon: Literal[Moon.OTHERS_UP, Moon.SHOOTER_DOWN, Moon.CHOICE] = Moon.OTHERS_UP,
    hearts_lead: Literal[HeartsLead.WHEN_BROKEN, HeartsLead.ANY_TIME] = HeartsLead.WHEN_BROKEN,
    queen_breaks: Literal[QueenBreaks.LED, QueenBreaks.NEVER] = QueenBreaks.LED,
    target: int = 150,
    target_test: TargetTest = TargetTest.REACHED,
) -> Rules:
    """Make Cancellation Hearts with two decks, in which two pairs void a trick.

    Source: "Hearts Card Game Rules", section Cancellation Hearts, dicegamedepot.com. The dealer's left leads any card
    but a penalty card, and a void last trick scores for no player.

    Args:
        players: 6 to 11.
        bonuses: `OMNIBUS` for Omnibus Hearts. Each of the two ♦J counts.
        moon: `SHOOTER_DOWN`, or `CHOICE` by the shooter, for Shooting the Moon Options.
        hearts_lead: `ANY_TIME` for No Broken Hearts.
        queen_breaks: `NEVER` for Queen Doesn't Break.
        target: any total; typically 150.
        target_test: the source says both.

    Not stated by the source: the moon's value with two decks (all 52 points), the players who may look at the kitty
    (its winner), the first dealer (seat 0).

    >>> rules = dicegamedepot_cancellation(7)
    >>> rules.cards_per_hand, rules.kitty_size, rules.penalty_total
    (14, 6, 52)
    """
    return Rules(
        players=players,
        decks=2,
        kitty=Kitty.FIRST_TRICK,
        pass_cycle=(left(), right()),
        opening_leader=OpeningLeader.DEALER_LEFT,
        opening_card=OpeningCard.NON_POINT,
        hearts_lead=hearts_lead,
        queen_breaks=queen_breaks,
        two_pairs_void=True,
        bonuses=bonuses,
        moon=moon,
        target=target,
        target_test=target_test,
    )


@_preset(
    (3, 4, 5, 6),
    '"Play Hearts Online", CardzMania',
    "to 50; individually or in teams; a long list of table options",
    bonuses=((), *[(Bonus(Card(text), 10),) for text in ("TD", "JD", "QD")]),
)
def cardzmania(  # noqa: PLR0913
    players: int = 4,
    *,
    target: Literal[35, 50, 75, 100] | None = None,
    max_deals: int | None = None,
    queen_points: Literal[12, 13, 25, 50] = 13,
    bonuses: tuple[Bonus, ...] = (),
    bonus_floor: Literal[BonusFloor.NONE, BonusFloor.TOTAL] = BonusFloor.NONE,
    no_tricks_bonus: Literal[0, 5, 10] = 0,
    heart_values: HeartValues | tuple[int, ...] = HeartValues.ONE,
    sun: bool = False,
    pass_optional: Literal[PassOptional.NO, PassOptional.SKIP] = PassOptional.NO,
    pass_cycle: Iterable[PassStep] | None = None,
    hearts_lead: HeartsLead = HeartsLead.WHEN_BROKEN,
    hearts_break: HeartsBreak = HeartsBreak.PLAYED,
    queen_breaks: QueenBreaks = QueenBreaks.NEVER,
    opening_leader: Literal[OpeningLeader.LOWEST_CLUB, OpeningLeader.DEALER_LEFT] = OpeningLeader.LOWEST_CLUB,
    opening_card: Literal[OpeningCard.LOWEST_CLUB, OpeningCard.UNRESTRICTED] = OpeningCard.LOWEST_CLUB,
    kitty: Literal[Kitty.NONE, Kitty.FIRST_POINT] = Kitty.NONE,
    compulsory: Literal[Compulsory.NO, Compulsory.ALWAYS] = Compulsory.NO,
    teams: Literal[0, 2, 3] = 0,
    moon_scope: MoonScope = MoonScope.PLAYER,
) -> Rules:
    """Make the online game for three to six, with or without teams.

    Source: "Play Hearts Online", CardzMania, with all its table options. The moon adds 26 points to the others,
    whatever the ♠Q costs. In teams too the game ends when a player reaches the target.

    Args:
        target: the total that ends the game: 35, 50, 75 or 100. Defaults to 50, or None with `max_deals`.
        max_deals: a fixed number of deals instead of a target, as in another copy of the page.
        queen_points: the ♠Q's points: 13 or 25; another copy of the page also has 12 and 50.
        bonuses: 10 points for the ♦10, ♦J or ♦Q, such as `(Bonus(Card("TD"), 10),)`.
        bonus_floor: `TOTAL` for "Minus 10 floor".
        no_tricks_bonus: 5 or 10 points for winning no trick.
        heart_values: Hearts Penalty. Its list of values is lost, so all are accepted.
        sun: Shoot the Sun.
        pass_optional: `SKIP` for Optional Pass. The path of the cards is not stated by the source.
        pass_cycle: Pass Method, any cycle. Defaults to three cards left, right, across, hold; with an odd number of
            players, not stated by the source, without across.
        hearts_lead: Lead Hearts. Its list of values is lost, so all are accepted.
        hearts_break: also part of Lead Hearts.
        queen_breaks: also part of Lead Hearts.
        opening_leader: `DEALER_LEFT` for Turn Based Start.
        opening_card: `UNRESTRICTED` for Wide Open.
        kitty: `FIRST_POINT`: nothing is removed, and three to six players are dealt 17, 12, 10 or 8 cards each.
        compulsory: `ALWAYS` for Must Play Queen.
        teams: 2 or 3 teams.
        moon_scope: `TEAM` if a team can shoot the moon and the sun together. The source does not mention teams here.

    Not stated by the source: the cards removed with six players (Board Game Arena's), ties (shared), the hand sizes
    with a kitty for other numbers of players than four (dicegamedepot.com's).

    >>> rules = cardzmania(4, kitty=Kitty.FIRST_POINT, queen_points=25, teams=2)
    >>> rules.kitty_size, rules.moon_points, rules.sides, rules.target_scope
    (4, 26, ((0, 2), (1, 3)), TargetScope.PLAYER)
    """
    if target is not None and max_deals is not None:
        _both_ends("cardzmania")
    with_kitty = kitty is not Kitty.NONE
    return Rules(
        players=players,
        removed=NO_CARDS if with_kitty else removed("cardzmania", players),
        hand_size=hand_size("dicegamedepot", players) if with_kitty else None,
        kitty=kitty,
        teams=teams,
        pass_cycle=default_pass_cycle(players) if pass_cycle is None else pass_cycle,
        pass_optional=pass_optional,
        opening_leader=opening_leader,
        opening_card=opening_card,
        hearts_lead=hearts_lead,
        hearts_break=hearts_break,
        queen_breaks=queen_breaks,
        compulsory=compulsory,
        heart_values=heart_values,
        queen_points=queen_points,
        bonuses=bonuses,
        bonus_floor=bonus_floor,
        no_tricks_bonus=no_tricks_bonus,
        moon_points=26,
        moon_scope=moon_scope,
        sun=sun,
        sun_scope=moon_scope if sun and teams else MoonScope.TEAM,
        target=50 if target is None and max_deals is None else target,
        target_scope=TargetScope.PLAYER if teams else TargetScope.SIDE,
        max_deals=max_deals,
        tie=Tie.SHARED,
    )


def _both_ends(preset: str) -> NoReturn:
    raise InvalidRules((Problem.of("contradicting-options", ("target", "max_deals"), "ends", preset=preset),))


@_preset(
    (3, 4, 5, 6, 7),
    "catsatcards.com and playingcardstadium.com",
    "a kitty for the first trick; pass right first; no limits on leads; negative totals",
)
def catsatcards(players: int = 4, *, target: int = 100) -> Rules:
    """Make the game for three to seven with a kitty and totals that go down from zero.

    Source: "Hearts", catsatcards.com (the deal, the kitty, the passing, which starts to the right), and the rules page
    of playingcardstadium.com (the play and the scores). The winner of the first trick takes the kitty.

    Args:
        target: the lowest total that does not end the game, as a positive number. The source states no value.

    Not stated by the source: limits on the first trick and on leads (none; the lowest club's holder leads), the passing
    with five to seven players (as with three), ties (shared), the players who may look at the kitty (its winner).
    Players cut for the first deal: see `cut_for_deal`.

    >>> rules = catsatcards(3)
    >>> rules.cards_per_hand, rules.kitty_size, rules.score_display
    (16, 4, ScoreDisplay.NEGATIVE)
    """
    return Rules(
        players=players,
        hand_size=hand_size("catsatcards", players),
        kitty=Kitty.FIRST_TRICK,
        pass_cycle=(right(), left(), across(), HOLD) if players == 4 else (right(), left(), HOLD),
        opening_card=OpeningCard.ANY,
        first_trick=FirstTrick.FREE,
        hearts_lead=HeartsLead.ANY_TIME,
        target=target,
        target_test=TargetTest.EXCEEDED,
        tie=Tie.SHARED,
        score_display=ScoreDisplay.NEGATIVE,
    )


@_preset((3, 4, 5), '"Hearts", CardStock and Valet', "one deal without passing; the moon subtracts 26 from the shooter")
def cardstock(players: int = 4) -> Rules:
    """Make a single deal without passing, in which seat 0 opens.

    Source: "Hearts", CardStock (also in the Valet collection), a description for testing bots. Seat 0 may lead any card
    that the hearts rule allows, and the moon subtracts 26 points from the shooter.

    Args:
        players: 4. CardStock's own files have 3 and 5 too.

    Not stated by the source: ties (shared).

    >>> rules = cardstock()
    >>> rules.max_deals, rules.target, rules.moon
    (1, None, Moon.SHOOTER_DOWN)
    """
    return Rules(
        players=players,
        removed=removed("cardzmania", players),
        first_dealer=players - 1,
        pass_cycle=(HOLD,),
        opening_leader=OpeningLeader.DEALER_LEFT,
        opening_card=OpeningCard.ANY,
        first_trick=FirstTrick.FREE,
        moon=Moon.SHOOTER_DOWN,
        target=None,
        max_deals=1,
        tie=Tie.SHARED,
    )


@_preset((4,), '"Hearts rules", Whisthub', "the usual game to 50, 100 or 200, or a fixed number of deals")
def whisthub(*, target: Literal[50, 100, 200] | None = None, max_deals: int | None = None) -> Rules:
    """Make the four-player game to an agreed total or of a fixed number of deals.

    Source: "Hearts rules", Whisthub. The ♠Q does not break hearts. Points may be played to the first trick only from a
    hand with nothing else.

    Args:
        target: the total that ends the game: 50, 100 or 200. Defaults to 100, or None with `max_deals`.
        max_deals: a fixed number of deals instead of a target, as in tournaments.

    Not stated by the source: ties (an extra deal, or shared with a fixed number of deals).

    >>> whisthub() == Rules(), whisthub(max_deals=8).changes()
    (True, {'target': None, 'max_deals': 8, 'tie': Tie.SHARED})
    """
    if max_deals is None:
        return Rules(target=100 if target is None else target)
    if target is not None:
        _both_ends("whisthub")
    return Rules(target=None, max_deals=max_deals, tie=Tie.SHARED)


@_preset((4,), "Microsoft Hearts", "the usual game to 100")
def microsoft() -> Rules:
    """Make the well-known four-player game to 100, the defaults of `Rules`.

    Source: Microsoft Hearts, the program of Windows. Three cards are passed left, right, across, hold, the ♣2 opens, no
    points may be played to the first trick, and the ♠Q does not break hearts.

    Not stated by the source: ties (an extra deal).

    >>> microsoft() == Rules()
    True
    """
    return Rules()


@_preset((4,), _PAGAT, "a shooter chooses what the moon does")
def pagat() -> Rules:
    """Make the four-player game to 100 in which the shooter chooses the moon's effect.

    Source: "Hearts", pagat.com/reverse/hearts.html.

    Not stated by the source: ties (an extra deal).

    >>> pagat().changes()
    {'moon': Moon.CHOICE}
    """
    return Rules(moon=Moon.CHOICE)


@_preset((3, 4, 5), '"Hearts", bicyclecards.com', "a discarded queen of spades breaks hearts")
def bicycle(players: int = 4) -> Rules:
    """Make the card maker's game, in which a discarded ♠Q breaks hearts.

    Source: "Hearts", bicyclecards.com. The ♦2 is removed with three players, the ♦2 and ♣2 with five.

    Args:
        players: 3 to 5.

    Not stated by the source: the passing with three and five players (left, right, hold), ties (an extra deal).

    >>> bicycle(5)
    Rules(players=5, removed=Cards('2C 2D'), queen_breaks=QueenBreaks.DISCARDED)
    """
    return Rules(players=players, removed=removed("dicegamedepot", players), queen_breaks=QueenBreaks.DISCARDED)


@_preset(
    (4,), "OpenSpiel, game hearts", "a single deal; a queen of spades breaks hearts in any way; its eight parameters"
)
def openspiel(
    *,
    pass_cards: bool = True,
    no_pts_on_first_trick: bool = True,
    can_lead_any_club: bool = False,
    jd_bonus: bool = False,
    avoid_all_tricks_bonus: bool = False,
    must_break_hearts: bool = True,
    qs_breaks_hearts: bool = True,
    can_lead_hearts_instead_of_qs: bool = False,
    pass_direction: Literal["left", "across", "right", "none"] | None = None,
) -> Rules:
    """Make OpenSpiel's single deal for four, with its parameters and defaults.

    Source: the game `hearts` of OpenSpiel, github.com/google-deepmind/open_spiel.

    Args:
        pass_cards: True if there is passing.
        no_pts_on_first_trick: True if hearts and ♠Q may not be discarded on the first trick.
        can_lead_any_club: True if the holder of the ♣2 may open with another club.
        jd_bonus: True if the ♦J subtracts 10 points. The moon does not need it.
        avoid_all_tricks_bonus: True if winning no trick subtracts 5 points, unless the moon is shot.
        must_break_hearts: True if hearts must be broken before they are led.
        qs_breaks_hearts: True if the ♠Q, however played, breaks hearts.
        can_lead_hearts_instead_of_qs: True if a leader with only hearts and ♠Q may lead a heart.
        pass_direction: "left", "across", "right" or "none"; OpenSpiel draws it in every deal. Defaults to "left", or to
            "none" without `pass_cards`, which allows no other.

    Not stated by the source: ties (shared). OpenSpiel's returns are 26 minus these points.

    >>> openspiel(jd_bonus=True, pass_direction="across").bonuses
    (Bonus(card=Card('JD'), points=10),)
    """
    if not pass_cards and pass_direction not in (None, "none"):
        fields = ("pass_direction", "pass_cards")
        raise InvalidRules((Problem.of("contradicting-options", fields, "passing", pass_direction=pass_direction),))
    if pass_direction is None:
        pass_direction = "left" if pass_cards else "none"
    steps: dict[str, PassStep] = {"left": left(), "across": across(), "right": right(), "none": HOLD}
    return Rules(
        pass_cycle=(steps[pass_direction],),
        opening_card=OpeningCard.ANY_CLUB if can_lead_any_club else OpeningCard.LOWEST_CLUB,
        first_trick=FirstTrick.NO_POINTS if no_pts_on_first_trick else FirstTrick.FREE,
        hearts_lead=HeartsLead.WHEN_BROKEN if must_break_hearts else HeartsLead.ANY_TIME,
        queen_breaks=QueenBreaks.PLAYED if qs_breaks_hearts else QueenBreaks.NEVER,
        heart_lead_spares_queen=can_lead_hearts_instead_of_qs,
        bonuses=OMNIBUS if jd_bonus else (),
        no_tricks_bonus=5 if avoid_all_tricks_bonus else 0,
        no_tricks_bonus_on_moon=False,
        target=None,
        max_deals=1,
        tie=Tie.SHARED,
    )


@_preset((3, 4, 5, 6, 7, 8), '"Hearts", boardgamearena.com', "pass to every seat in turn; totals count down from 100")
def board_game_arena(players: int = 4) -> Rules:
    """Make the online game for three to eight whose totals count down from 100.

    Source: "Hearts", boardgamearena.com. Three cards are passed to each other seat in turn, the nearest first, left
    before right, followed by a hold.

    Not stated by the source: ties (shared).

    >>> board_game_arena(6).pass_cycle
    (((1, 3),), ((-1, 3),), ((2, 3),), ((-2, 3),), (('across', 3),), ())
    """
    by_sides = tuple(((offset, 3),) for distance in range(1, (players + 1) // 2) for offset in (distance, -distance))
    opposite = (across(),) if players % 2 == 0 else ()
    return Rules(
        players=players,
        removed=removed("board_game_arena", players),
        pass_cycle=(*by_sides, *opposite, HOLD),
        target=100,
        tie=Tie.SHARED,
        score_display=ScoreDisplay.COUNTDOWN,
    )


@_preset(
    (3, 4),
    '"Black Maria", Phillips and Westall 1939, according to Wikipedia',
    "three or four players; king and ace of spades cost 10 and 7; no moon",
)
def black_maria(players: int = 3) -> Rules:
    """Make the British game for three, with ♠K and ♠A as further penalty cards.

    Source: "Black Maria", first printed in The Complete Book of Card Games by Hubert Phillips and B. C. Westall (1939),
    according to Wikipedia. The ♣2 is removed with three players; gamerules.com and Wikipedia also allow four. Three
    cards are passed to the right in every deal, the dealer's left opens with any card, no play is restricted, and there
    is no moon.

    Args:
        players: 3 or 4.

    Not stated by the source: the end of the game (at 100, as on gamerules.com), ties (an extra deal).

    >>> rules = black_maria()
    >>> rules.penalty_total, [rules.penalty(Card(text)) for text in ("QS", "KS", "AS")]
    (43, [13, 10, 7])
    """
    return Rules(
        players=players,
        removed=removed("culbertson", players),
        pass_cycle=(right(),),
        opening_leader=OpeningLeader.DEALER_LEFT,
        opening_card=OpeningCard.ANY,
        first_trick=FirstTrick.FREE,
        hearts_lead=HeartsLead.ANY_TIME,
        extra_penalties=((Card("KS"), 10), (Card("AS"), 7)),
        moon=Moon.OFF,
    )


@_preset((4,), "Spot Hearts of gnome-hearts", "hearts count their spots, the queen of spades 25; moon and sun; to 500")
def spot_hearts() -> Rules:
    """Make the four-player game to 500 with spot values for hearts and 25 for the ♠Q.

    Source: the manual of gnome-hearts, ruleset Spot Hearts, jejik.com/gnome-hearts/users. The moon subtracts 129 points
    from the shooter, the sun 258. The manual passes left, across, right, hold; this preset left, right, across, hold.

    Not stated by the source: ties (an extra deal).

    >>> spot_hearts().penalty_total
    129
    """
    return Rules(heart_values=HeartValues.SPOT, queen_points=25, moon=Moon.SHOOTER_DOWN, sun=True, target=500)


@_preset((3, 4, 5, 6, 7), _PAGAT, "the jack of diamonds subtracts 10 points")
def omnibus(players: int = 4) -> Rules:
    """Make the usual game with a ♦J that subtracts 10 points.

    Source: "Hearts", variation Omnibus Hearts, pagat.com/reverse/hearts.html. The moon does not need the ♦J.

    Args:
        players: 3 to 7.

    Not stated by the source: with other numbers of players than four the cards removed (dicegamedepot.com's, never the
    ♦J) and the passing; ties (an extra deal).

    >>> omnibus(4).changes()
    {'bonuses': (Bonus(card=Card('JD'), points=10),)}
    """
    return Rules(players=players, removed=removed("dicegamedepot", players), bonuses=OMNIBUS)


@_preset((6, 7, 8, 9, 10), _PAGAT, "two decks; equal cards cancel each other; no passing; to 150")
def pagat_cancellation(players: int = 6) -> Rules:
    """Make Cancellation Hearts with two decks and without passing.

    Source: "Hearts", variation Cancellation Hearts, pagat.com/reverse/hearts.html. Another card can still win a trick
    with two pairs.

    Args:
        players: 6 to 10.

    Not stated by the source: that a led ♠Q breaks hearts, and the target of 150 (both as on dicegamedepot.com), the
    moon's value with two decks (all 52 points), the players who may look at the kitty (its winner).

    >>> rules = pagat_cancellation(6)
    >>> rules.two_pairs_void, rules.pass_cycle, rules.kitty_size
    (False, ((),), 2)
    """
    return attrs.evolve(dicegamedepot_cancellation(players), two_pairs_void=False, pass_cycle=(HOLD,))


@_preset((4,), '"Partner hearts", Wikipedia', "two partnerships; to 200")
def partner_hearts() -> Rules:
    """Make the four-player game of two partnerships, each to a common total of 200.

    Source: "Partner hearts", Wikipedia. Partners sit opposite each other. A moon, shot by one player, costs the other
    team 52.

    Not stated by the source: ties (an extra deal).

    >>> partner_hearts().sides
    ((0, 2), (1, 3))
    """
    return Rules(teams=2, target=200)


@_preset(
    (4,),
    '"Leekha", jawaker.com',
    "partners; ten of diamonds costs 10; a void player must discard it or the queen of spades; to 101",
)
def leekha(*, teams: Literal[2, 0] = 2, target: Literal[51, 101, 151] = 101) -> Rules:
    """Make the Levantine partnership game with forced discards of ♠Q and ♦10.

    Source: "Leekha", blog.jawaker.com/en/leekha-rules-en. A player who is void in the suit led must discard the ♠Q or
    ♦10 (10 points). Players score separately, and when one of them reaches the target, the team with fewer points wins.
    Three cards are passed to the two neighbours alternately, and there is no moon. The game is played anticlockwise:
    its right is our left.

    Args:
        teams: 2, or 0 for a game without partners.
        target: the total of one player that ends the game: 101, 51 or 151.

    Not stated by the source: the first neighbour to pass to (its right, our left), ties (an extra deal), the first
    dealer (seat 0).

    >>> rules = leekha()
    >>> rules.penalty_total, str(rules.compulsory_cards), rules.compulsory, rules.target_scope
    (36, 'TD QS', Compulsory.DISCARD, TargetScope.PLAYER)
    """
    return Rules(
        teams=teams,
        pass_cycle=(left(), right()),
        **_NOTHING_BARRED,
        compulsory=Compulsory.DISCARD,
        compulsory_cards=Cards("QS TD"),
        extra_penalties=((Card("TD"), 10),),
        moon=Moon.OFF,
        target=target,
        target_scope=TargetScope.PLAYER,
    )


@_preset(
    (3, 4, 5, 6),
    '"Heartsette", pokerwiner.com',
    "a widow goes with the first trick; hearts at any time; no passing; no moon",
)
def heartsette(players: int = 4, *, queen_points: Literal[13, 0] = 13) -> Rules:
    """Make Hearts with a widow that only the winner of the first trick sees.

    Source: "Heartsette", pokerwiner.com/games-of-playing-cards/hearts-1.html, for the cards and the lead. The ♠2 is
    removed with three and four players, nothing is passed, and no play is restricted. In the source the winner takes
    the widow into the hand and puts the same number of cards away; here the winner captures it.

    Args:
        players: 3 to 6.
        queen_points: 13, or 0 for the old game, in which only hearts cost points.

    Not stated by the source: the end of the game (at 100), ties (shared), a moon (there is none).

    >>> rules = heartsette(4)
    >>> rules.cards_per_hand, rules.kitty_size, rules.kitty, rules.kitty_shown_to
    (12, 3, Kitty.FIRST_TRICK, KittyShownTo.TAKER)
    """
    return Rules(
        players=players,
        removed=Cards("2S") if players < 5 else NO_CARDS,
        hand_size=hand_size("heartsette", players),
        kitty=Kitty.FIRST_TRICK,
        pass_cycle=(HOLD,),
        **_NOTHING_BARRED,
        queen_points=queen_points,
        moon=Moon.OFF,
        target=100,
        tie=Tie.SHARED,
    )


_PIG_SHOWN: Final = Cards("TC JD QS AH")
_PIG_HEARTS: Final = (0, 0, 0, 10, 10, 10, 10, 10, 10, 20, 30, 40, 50)


@_preset(
    (4, 5),
    '"Gongzhu", pagat.com',
    "queen of spades 100, jack of diamonds 100 off, ten of clubs doubles; shown cards too; to 1000",
    exposable=(_PIG_SHOWN, NO_CARDS),
)
def gong_zhu(
    players: int = 4, *, exposable: Cards = _PIG_SHOWN, teams: Literal[0, 2] = 0, bonus_target: int | None = None
) -> Rules:
    """Make Chase the Pig, the Chinese game with exposed cards.

    Source: "Gongzhu", pagat.com, as copied by gambiter.com. The ♠Q costs 100, the ♦J subtracts 100 and the ♣10 doubles
    its taker's score. Before the first lead the holders of ♠Q, ♦J, ♣10 and ♥A may expose them: an exposed card counts
    double, an exposed ♥A doubles every heart, and an exposed card may not be played before its suit has been led. The
    player who took the ♠Q leads to the next deal, the ♠2 to the first. Nothing is passed. All hearts together subtract
    200, with the ♠Q 300. The game is to 1000, and points are shown as negative.

    Args:
        players: 4, or 5 with the ♣2 and ♦2 removed.
        exposable: `Cards("TC JD QS AH")`, or `Cards()` for the game without exposing.
        teams: 2, with four players, for partners with a common total.
        bonus_target: the total on the good side of 0 that also ends the game; some tables use 1000.

    Not stated by the source: whether all expose at once or in turn (at once), the score of partners who take all the
    hearts, or the ♣10 and scoring cards, between them (each their own pile), ties (shared), the first dealer (seat 0).

    >>> rules = gong_zhu(4)
    >>> rules.penalty_total, str(rules.exposable), rules.doubler
    (300, 'TC JD QS AH', Doubler(card=Card('TC'), factor=2, alone=50))
    """
    return Rules(
        players=players,
        removed=Cards("2C 2D") if players == 5 else NO_CARDS,
        teams=teams,
        pass_cycle=(HOLD,),
        exposable=exposable,
        opening_leader=OpeningLeader.QUEEN_TAKER,
        opening_card=OpeningCard.UNRESTRICTED,
        first_trick=FirstTrick.FREE,
        hearts_lead=HeartsLead.ANY_TIME,
        heart_values=_PIG_HEARTS,
        queen_points=100,
        bonuses=(Bonus(Card("JD"), 100),),
        doubler=Doubler(Card("TC"), 2, 50),
        moon=Moon.SHOOTER_DOWN,
        moon_cards=MoonCards.HEARTS,
        target=1000,
        bonus_target=bonus_target,
        tie=Tie.SHARED,
        score_display=ScoreDisplay.NEGATIVE,
    )


@_preset(
    (3, 4, 5, 6),
    '"Polignac", pokerwiner.com and Wikipedia',
    "32 cards; only jacks cost points: the jack of spades 2, the others 1",
)
def polignac(players: int = 4, *, target: Literal[10, 20] | None = None, max_deals: int | None = None) -> Rules:
    """Make the French ancestor of Hearts, with 32 cards and points for jacks only.

    Source: "Polignac", pokerwiner.com, for four players and a fixed number of deals; "Polignac", Wikipedia, for other
    numbers of players and for the totals that end the game. The ♠J costs 2 points, the other jacks 1. Nothing is passed
    and no play is restricted. The black sevens are removed unless there are four players.

    Args:
        players: 3 to 6.
        target: the total that ends the game: 10 or 20.
        max_deals: a fixed number of deals instead of a target. Defaults to the number of players without a target.
            pokerwiner.com has a multiple of four, for four.

    Left out: Wikipedia's ranking of king, queen and jack above the ace, and its bid to win every trick (capot).

    Not stated by the source: ties (shared).

    >>> rules = polignac(4)
    >>> rules.penalty_total, str(rules.penalty_cards), rules.cards_per_hand
    (5, 'JC JD JS JH', 8)
    """
    if target is not None and max_deals is not None:
        _both_ends("polignac")
    return Rules(
        players=players,
        removed=removed("piquet", players),
        pass_cycle=(HOLD,),
        **_NOTHING_BARRED,
        heart_values=_one_heart("JH", 1),
        queen_points=0,
        extra_penalties=((Card("JC"), 1), (Card("JD"), 1), (Card("JS"), 2)),
        moon=Moon.OFF,
        target=target,
        max_deals=players if target is None and max_deals is None else max_deals,
        tie=Tie.SHARED,
    )


def _one_heart(face: str, points: int) -> tuple[int, ...]:
    return tuple([points if card == Card(face) else 0 for card in _HEARTS])


@_preset(
    (3, 4, 5, 6),
    '"Black Lady", Wikipedia, after R. F. Foster',
    "hearts and the jack of spades, which costs 10; pass left; no moon; single deals",
)
def black_jack(players: int = 4, *, max_deals: int = 1) -> Rules:
    """Make the forerunner of the black lady, with a ♠J that costs 10 points.

    Source: "Black Lady", Wikipedia, on Black Jack, a form of Discard Hearts in R. F. Foster's Hoyle of 1909. Three
    cards are passed to the left in every deal, and the ♠Q costs nothing. The rest is as in `plain_hearts` and Foster's
    other games of Hearts.

    Args:
        players: 3 to 6.
        max_deals: the number of deals, each a game in the source.

    Left out: settling in counters.

    Not stated by the source: ties (shared).

    >>> rules = black_jack(4)
    >>> rules.penalty_total, rules.penalty(Card("JS")), rules.penalty(Card("QS"))
    (23, 10, 0)
    """
    return attrs.evolve(
        plain_hearts(players, max_deals=max_deals), pass_cycle=(left(),), extra_penalties=((Card("JS"), 10),)
    )


@_preset(
    (3, 4, 5, 6),
    '"Four Bad Queens", BestFreeNewGames.com',
    "32 cards; only queens cost points: the queen of spades 2, the others 1",
)
def four_queens(players: int = 4, *, max_deals: int | None = None) -> Rules:
    """Make a short game with 32 cards and points for queens only.

    Source: "Four Bad Queens", in "7 Trick Avoidance Games" by Howard Fosdick, BestFreeNewGames.com. The ♠Q costs 2
    points, the other queens 1. Three cards are passed right, left, across, hold with four players, right, left, hold
    with three; two cards with five and six. No play is restricted. The black sevens are removed unless there are four
    players.

    Args:
        players: 3 to 6.
        max_deals: the number of deals. Defaults to the number of players.

    Not stated by the source, as far as we could read it: the direction of play (anticlockwise, because the dealer's
    right opens: its right is our left), the end of the game (after each player has dealt once), the passing with five
    and six after the second deal (the usual cycle), a moon (there is none), ties (shared).

    >>> rules = four_queens(4)
    >>> rules.penalty_total, str(rules.penalty_cards), rules.cards_per_hand
    (5, 'QC QD QS QH', 8)
    """
    cards = 3 if players < 5 else 2
    opposite = (across(cards),) if players % 2 == 0 else ()
    return Rules(
        players=players,
        removed=removed("piquet", players),
        pass_cycle=(left(cards), right(cards), *opposite, HOLD),
        **_NOTHING_BARRED,
        heart_values=_one_heart("QH", 1),
        queen_points=2,
        extra_penalties=((Card("QC"), 1), (Card("QD"), 1)),
        moon=Moon.OFF,
        target=None,
        max_deals=players if max_deals is None else max_deals,
        tie=Tie.SHARED,
    )


@_preset(
    (3, 4, 5, 6),
    "R. F. Foster, Complete Hoyle",
    "the old game: only hearts cost points; no passing; no moon; single deals",
    heart_values=(HeartValues.ONE, HeartValues.SPOT, HeartValues.FACE),
)
def plain_hearts(players: int = 4, *, heart_values: HeartValues = HeartValues.ONE, max_deals: int = 1) -> Rules:
    """Make the old game of the 1880s, in which only hearts cost points.

    Source: "Hearts", R. F. Foster, Complete Hoyle. The dealer's left opens with any card, nothing is passed, no play is
    restricted, and there is no moon. The ♠2 is removed with three players, both black deuces with five, and all four
    with six, so that twelve hearts are in play.

    Args:
        players: 3 to 6.
        heart_values: `SPOT` for Foster's Spot Hearts, `FACE` for the Double or Eagle Game (1887, according to
            Wikipedia).
        max_deals: the number of deals, each a game in the source.

    Left out: settling in counters, and a sweepstake for the players without a heart. By Howell's method each player
    receives a counter for each heart in play, minus the number of players for each of their own hearts.

    Not stated by the source: ties (shared).

    >>> rules = plain_hearts(4)
    >>> rules.penalty_total, rules.penalty(Card("QS")), plain_hearts(6).penalty_total
    (13, 0, 12)
    """
    return Rules(
        players=players,
        removed=removed("foster", players),
        pass_cycle=(HOLD,),
        **_NOTHING_BARRED,
        heart_values=heart_values,
        queen_points=0,
        moon=Moon.OFF,
        target=None,
        max_deals=max_deals,
        tie=Tie.SHARED,
    )


@_preset(
    (4, 5, 6, 7),
    '"My Favorite Rules for Hearts", jeff-goldsmith.com',
    "thirteen cards each, of up to two decks; exactly 100 becomes 50; the moon spares a losing shooter",
)
def goldsmith(players: int = 4) -> Rules:
    """Make the usual game with two mercies, at exactly 100 and for a losing shooter.

    Source: Jeff Goldsmith, "My Favorite Rules for Hearts", jeff-goldsmith.com/games/hearts.html, 1997. A total of
    exactly 100 becomes 50, and a moon that would lose the game is subtracted from the shooter instead. The game ends
    when a total exceeds 100, and ties are possible. With more than four players, suits of a second deck are added:
    spades with five, hearts and spades with six, all but clubs with seven.

    Args:
        players: 4 to 7.

    Left out: a player at 99 who takes 25 falls back to 98; here the game ends at 124.

    Not stated by the source: the winner among equal cards (the last played, as on Wikipedia), the moon's value with
    more players (all points in play), the passing with five and seven (left, right, hold).

    >>> for count in (4, 5, 6, 7):
    ...     rules = goldsmith(count)
    ...     print(count, rules.decks, len(rules.deck), rules.cards_per_hand, rules.penalty_total)
    4 1 52 13 26
    5 2 65 13 39
    6 2 78 13 52
    7 2 91 13 52
    """
    return Rules(
        players=players,
        decks=1 if players == 4 else 2,
        removed=removed("goldsmith", players),
        duplicates=Duplicates.CANCEL if players == 4 else Duplicates.LAST_WINS,
        moon=Moon.AUTO_SAVE,
        target_test=TargetTest.EXCEEDED,
        exact_resets=((100, 50),),
        tie=Tie.SHARED,
    )


@_preset(
    (3, 4, 5, 6),
    "t_games, option gonzo",
    "court hearts cost 2 to 5; the jack of diamonds subtracts 10, no trick 5; each pass goes farther left",
)
def gonzo(players: int = 4) -> Rules:
    """Make a program's wildest game, with costly court hearts, bonuses and far passes.

    Source: the option gonzo of Craig O'Brien's Hearts in t_games, github.com/ichabod801/t_games,
    card_games/hearts_game.py. ♥J ♥Q ♥K ♥A cost 2 to 5. The ♦J subtracts up to 10 points from the deal, but not below 0,
    and winning no trick subtracts 5; no total falls below 0. Three cards, or two with five and six players, are passed
    to each seat to the left in turn, followed by a hold. Points may be discarded on the first trick.

    Args:
        players: 3 to 6. Low clubs and diamonds are removed, as with the program's choice "ditch".

    Not stated by the source: a single value of the moon. The program adds 46 to the others, the 36 points in play and
    the 10 of the ♦J, but its text has 26 (46).

    >>> rules = gonzo(4)
    >>> rules.penalty_total, rules.moon_points, rules.pass_cycle
    (36, 46, (((1, 3),), (('across', 3),), ((-1, 3),), ()))
    """
    cards = 3 if players < 5 else 2
    return Rules(
        players=players,
        removed=removed("t_games", players),
        pass_cycle=(*[((offset, cards),) for offset in range(1, players)], HOLD),
        first_trick=FirstTrick.FREE,
        heart_values=HeartValues.FACE,
        bonuses=OMNIBUS,
        bonus_floor=BonusFloor.DEAL,
        no_tricks_bonus=5,
        moon_points=46,
        total_floor=True,
        tie=Tie.SHARED,
    )


@_preset(
    (4,),
    "the manual of gnome-hearts",
    "the moon subtracts 26, the sun 52; a played queen of spades breaks hearts",
    bonuses=((), OMNIBUS, (Bonus(Card("TD"), 10),)),
)
def gnome_hearts(
    *,
    hearts_lead: Literal[HeartsLead.WHEN_BROKEN, HeartsLead.ANY_TIME] = HeartsLead.WHEN_BROKEN,
    queen_breaks: Literal[QueenBreaks.PLAYED, QueenBreaks.NEVER] = QueenBreaks.PLAYED,
    first_trick: Literal[FirstTrick.NO_POINTS, FirstTrick.FREE] = FirstTrick.NO_POINTS,
    bonuses: tuple[Bonus, ...] = (),
) -> Rules:
    """Make the desktop game for four to 100 in which the moon lowers the shooter.

    Source: the manual of gnome-hearts by Sander Marechal, jejik.com/gnome-hearts/users, and the program's default
    settings. The moon subtracts 26 points, the sun 52. Three cards are passed left, across, right, hold. Only a
    discarded heart or the ♠Q breaks hearts.

    Args:
        hearts_lead: `ANY_TIME` if hearts do not have to be broken.
        queen_breaks: `NEVER` if the ♠Q does not break hearts.
        first_trick: `FREE` if point cards may be played to the first trick.
        bonuses: `OMNIBUS` for the ruleset Omnibus, or 10 points for the ♦10 for Omnibus Alternative. The moon needs
            neither.

    Left out: the program may let its user open every deal instead of the holder of the ♣2.

    Not stated by the source: ties (an extra deal).

    >>> rules = gnome_hearts(bonuses=OMNIBUS)
    >>> rules.pass_cycle, rules.moon, rules.sun
    ((((1, 3),), (('across', 3),), ((-1, 3),), ()), Moon.SHOOTER_DOWN, True)
    """
    return Rules(
        pass_cycle=(left(), across(), right(), HOLD),
        hearts_lead=hearts_lead,
        hearts_break=HeartsBreak.DISCARDED,
        queen_breaks=queen_breaks,
        first_trick=first_trick,
        bonuses=bonuses,
        moon=Moon.SHOOTER_DOWN,
        sun=True,
    )


@_preset(
    (4,),
    '"Greek Hearts", pokerwiner.com',
    "pass right; no limits on leads; a moon collects from all others; single deals",
)
def greek_hearts(*, max_deals: int = 1) -> Rules:
    """Make the unrestricted game for four in which every opponent pays the shooter 26 points.

    Source: "Greek Hearts", pokerwiner.com/games-of-playing-cards/hearts-1.html. Three cards are passed to the right in
    every deal. As in that site's Hearts the dealer's left opens, and no play is restricted.

    Args:
        max_deals: the number of deals, each a game in the source.

    Not stated by the source: ties (shared).

    >>> rules = greek_hearts()
    >>> rules.pass_cycle, rules.moon, rules.moon_value
    ((((-1, 3),),), Moon.OTHERS_PAY, 26)
    """
    return Rules(
        pass_cycle=(right(),), **_NOTHING_BARRED, moon=Moon.OTHERS_PAY, target=None, max_deals=max_deals, tie=Tie.SHARED
    )


@_preset((4,), "turbo-hearts", "four deals; exposed cards double; jack of diamonds minus 10, ten of clubs doubles")
def charged_hearts(*, exposure: Exposure = Exposure.ROUNDS) -> Rules:
    """Make Hearts of four deals in which charged (exposed) cards count double.

    Source: turbo-hearts, github.com/tjwilson90/turbo-hearts, api/src. ♠Q, ♦J, ♣10 and ♥A may be charged; a charged ♥A
    doubles all hearts. The ♦J subtracts 10, the ♣10 doubles its taker's score, or multiplies it by four if charged, and
    the moon subtracts the value of its cards. A charged card may not follow to the first trick of its suit while its
    holder has another card of the suit, and before its suit has been led it may not be led while its holder has any
    other card that may be led. On the first trick neither points nor the ♦J may be discarded; from a hand with nothing
    else the ♦J must go first, then the ♠Q. In the fourth deal players may charge before the pass. If none does, each
    puts any number of cards into the middle, to be dealt back at random, and may then charge.

    Args:
        exposure: `ROUNDS`, in which all others may charge again after each charge, or `ROUNDS_IN_TURN` for the
            program's bridge rules, in which they charge one after the other.

    Left out: a nine of the suit led, which makes a trick go round again; the program's chain rules, in which the last
    to charge may charge again too, and its blind rules, which hide the charged cards before the first lead.

    Not stated by the source: ties (shared).

    >>> rules = charged_hearts()
    >>> str(rules.exposable), rules.doubler, rules.max_deals
    ('TC JD QS AH', Doubler(card=Card('TC'), factor=2, alone=0), 4)
    """
    return Rules(
        pass_cycle=(left(), right(), across(), middle(None)),
        exposable=_PIG_SHOWN,
        exposure=exposure,
        expose_before_pass=ExposeBeforePass.MIDDLE,
        first_trick=FirstTrick.NO_SCORING,
        exposed_card_play=ExposedCardPlay.WAIT_ON_LEAD,
        bonuses=OMNIBUS,
        doubler=Doubler(Card("TC")),
        moon=Moon.SHOOTER_DOWN,
        target=None,
        max_deals=4,
        tie=Tie.SHARED,
    )


@_preset(
    (4,),
    "Trend Hearts, a programming contest",
    "four deals; an exposed ace of hearts doubles hearts, ten of clubs doubles; the moon subtracts 104",
)
def trend_hearts() -> Rules:
    """Make the game of a programming contest, with four deals and a moon of 104.

    Source: Trend Hearts, as `TrendHeartsEnv` emulates its server. An ♥A may be exposed; it then doubles all hearts and
    may be played like any other card. The ♣10 doubles its taker's score, and the moon subtracts four times its value
    from the shooter. Scores are shown as negative points.

    Left out: a hand of nothing but penalty cards may not play the ♠Q to the first trick; here it may.

    Not stated by the source: whether a heart may be discarded before hearts are broken (it may; the emulator is
    inconsistent), ties (shared).

    >>> rules = trend_hearts()
    >>> str(rules.exposable), rules.doubler, rules.moon_value
    ('AH', Doubler(card=Card('TC'), factor=2, alone=0), 104)
    """
    return Rules(
        exposable=Cards("AH"),
        exposed_card_play=ExposedCardPlay.FREE,
        doubler=Doubler(Card("TC")),
        moon=Moon.SHOOTER_DOWN,
        moon_factor=4,
        target=None,
        max_deals=4,
        tie=Tie.SHARED,
        score_display=ScoreDisplay.NEGATIVE,
    )


@_preset(
    (4,),
    "Trickster Cards",
    "to 50 up to 200; a losing moon subtracts 26; totals of 50, 100 ... can lose 50",
    bonuses=((), OMNIBUS, (Bonus(Card("JD"), 5),)),
    exact_resets=((), _FIFTIES, _FIFTIES[1:]),
)
def trickster(
    *,
    target: Literal[50, 75, 100, 125, 150, 175, 200] | None = None,
    max_deals: int | None = None,
    queen_points: Literal[13, 0] = 13,
    bonuses: tuple[Bonus, ...] = (),
    moon: Literal[Moon.AUTO_SAVE, Moon.OTHERS_UP, Moon.SHOOTER_DOWN] = Moon.AUTO_SAVE,
    teams: Literal[0, 2] = 0,
    moon_scope: MoonScope = MoonScope.PLAYER,
    first_trick: Literal[FirstTrick.NO_POINTS, FirstTrick.FREE] = FirstTrick.NO_POINTS,
    queen_discard_after_hearts: bool = False,
    exact_resets: tuple[tuple[int, int], ...] = (),
) -> Rules:
    """Make the online game for four in which a losing moon lowers the shooter instead.

    Source: Trickster Cards, the page of options of its Hearts, trickstercards.com, as stored in 2026, and the program
    of its bots, github.com/TricksterCards/TricksterBots. The moon is worth 26.

    Args:
        target: a multiple of 25 from 50 to 200. Defaults to 100, or None with `max_deals`.
        max_deals: a fixed number of deals instead of a target.
        queen_points: 0 if the ♠Q is worth nothing.
        bonuses: `OMNIBUS` if the ♦J subtracts 10 points, or 5 points for it.
        moon: `OTHERS_UP` or `SHOOTER_DOWN` if the moon always adds or always subtracts.
        teams: 2 for partners.
        moon_scope: `TEAM` if partners shoot the moon together.
        first_trick: `FREE` if points may be played to the first trick.
        queen_discard_after_hearts: True if the ♠Q may be discarded only once hearts are broken.
        exact_resets: 50 points off each multiple of 50 up to 500, `((50, 0), (100, 50), ...)`, or without 50 itself,
            `((100, 50), (150, 100), ...)`. Not with partners.

    Left out: 3, 5 and 6 players, for whom the stored page does not list the cards removed.

    Not stated by the source (our copy): the order of the passes (left, right, across, hold, the bots'
    first), the opening leader (the holder of the lowest club), whether a ♠Q breaks hearts (it does not).

    >>> trickster().changes()
    {'moon': Moon.AUTO_SAVE, 'moon_points': 26, 'tie': Tie.SHARED}
    """
    if max_deals is not None and target is not None:
        _both_ends("trickster")
    return Rules(
        teams=teams,
        first_trick=first_trick,
        queen_discard_after_hearts=queen_discard_after_hearts,
        queen_points=queen_points,
        bonuses=bonuses,
        moon=moon,
        moon_points=26,
        moon_scope=moon_scope,
        target=(target or 100) if max_deals is None else None,
        max_deals=max_deals,
        exact_resets=exact_resets,
        tie=Tie.SHARED,
    )


@_preset((4,), "worldofcardgames.com", "the usual game to 100, in which the sun is worth 39", bonuses=((), OMNIBUS))
def world_of_card_games(
    *,
    first_trick: Literal[FirstTrick.NO_POINTS, FirstTrick.FREE] = FirstTrick.NO_POINTS,
    bonuses: tuple[Bonus, ...] = (),
    moon: Literal[Moon.OTHERS_UP, Moon.SHOOTER_DOWN] = Moon.OTHERS_UP,
) -> Rules:
    """Make the online game for four to 100 in which every trick is worth 39.

    Source: World of Card Games, worldofcardgames.com, as of 2026. Three cards are passed left, right, across, hold, the
    ♣2 opens, and no points may be played to the first trick unless the table allows it. The moon is worth 26, the sun
    39.

    Args:
        first_trick: `FREE` for a table that allows hearts on the first turn.
        bonuses: `OMNIBUS` if the ♦J subtracts 10 points.
        moon: `SHOOTER_DOWN` if the moon subtracts its points from the shooter.

    Not stated by the source (our copy): the choice of the moon's effect (by the table, beforehand), whether
    a ♠Q breaks hearts (it does not), ties (an extra deal).

    >>> world_of_card_games().changes()
    {'sun': True, 'sun_points': 39}
    """
    return Rules(first_trick=first_trick, bonuses=bonuses, moon=moon, sun=True, sun_points=39)


ALL: Final[Mapping[str, Preset]] = MappingProxyType(_PRESETS)
"""Every preset by name, grouped by source."""
