"""Named rule sets, each as one source publishes it.

Every preset is a function that returns a `Rules`. It takes the count of players if its source leaves a choice, and
as keyword arguments, named as the fields of `Rules`, what its source lets a table choose. Anything beyond that is a
house rule: `attrs.evolve(presets.microsoft(), target=50)`.

Where a source is silent on a field, the docstring says "not stated by the source" and what is taken instead. `ALL`
lists the presets by name; `removed` and `hand_size` look up the published tables that they draw on.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Final, Literal, NoReturn, TypeAlias, TypeVar, get_args

import attrs

from heartsrules.cards import NO_CARDS, Card, Cards
from heartsrules.errors import InvalidRules, Problem, in_words, listed
from heartsrules.rules import (
    HOLD,
    Bonus,
    BonusFloor,
    Compulsory,
    Doubler,
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
    Reckoning,
    Rules,
    TargetScope,
    TargetTest,
    Tie,
    across,
    default_pass_cycle,
    left,
    right,
)
from heartsrules.values import with_article, wrong_type

__all__ = [
    "ALL",
    "HAND_SIZES",
    "OMNIBUS",
    "REMOVAL_TABLES",
    "Preset",
    "bicycle",
    "black_maria",
    "board_game_arena",
    "cardstock",
    "cardzmania",
    "catsatcards",
    "dicegamedepot",
    "dicegamedepot_cancellation",
    "gong_zhu",
    "hand_size",
    "heartsette",
    "leekha",
    "microsoft",
    "omnibus",
    "openspiel",
    "pagat",
    "pagat_cancellation",
    "partner_hearts",
    "removed",
    "spot_hearts",
    "whisthub",
]

V = TypeVar("V")

_DiceMoon: TypeAlias = Literal[Moon.OTHERS_UP, Moon.SHOOTER_DOWN, Moon.CHOICE]
_DiceLead: TypeAlias = Literal[HeartsLead.WHEN_BROKEN, HeartsLead.ANY_TIME]
_DiceQueen: TypeAlias = Literal[QueenBreaks.LED, QueenBreaks.NEVER]
_ManiaTarget: TypeAlias = Literal[35, 50, 75, 100]
_ManiaQueen: TypeAlias = Literal[12, 13, 25, 50]
_ManiaFloor: TypeAlias = Literal[BonusFloor.NONE, BonusFloor.TOTAL]
_ManiaNoTricks: TypeAlias = Literal[0, 5, 10]
_ManiaPass: TypeAlias = Literal[PassOptional.NO, PassOptional.SKIP]
_ManiaLeader: TypeAlias = Literal[OpeningLeader.LOWEST_CLUB, OpeningLeader.DEALER_LEFT]
_ManiaOpening: TypeAlias = Literal[OpeningCard.LOWEST_CLUB, OpeningCard.UNRESTRICTED]
_ManiaKitty: TypeAlias = Literal[Kitty.NONE, Kitty.FIRST_POINT]
_ManiaCompulsory: TypeAlias = Literal[Compulsory.NO, Compulsory.ALWAYS]
_ManiaTeams: TypeAlias = Literal[0, 2, 3]
_HubTarget: TypeAlias = Literal[50, 100, 200]
_LeekhaTeams: TypeAlias = Literal[2, 0]
_LeekhaTarget: TypeAlias = Literal[51, 101, 151]
_SetteQueen: TypeAlias = Literal[13, 0]
_PigTeams: TypeAlias = Literal[0, 2]
_Direction: TypeAlias = Literal["left", "across", "right", "none"]

OMNIBUS: Final = (Bonus(Card("JD"), 10),)
"""The bonus cards of Omnibus Hearts: the J♦ takes 10 points off its taker's score."""


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
        "cardzmania": {
            3: Cards("2D"),
            4: NO_CARDS,
            5: Cards("2D 2S"),
            6: Cards("2D 2C 2S 3C"),
        },
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
        "homestead": {
            3: Cards("2D"),
            4: NO_CARDS,
            5: Cards("2D 2S"),
            6: Cards("2D 2S 2C 3H"),
            7: Cards("2D 2S 2C"),
        },
    }
)
"""The cards that published tables remove from one deck so that it deals out evenly: source, then count of players.

CardStock's files for three and five players agree with CardzMania's table, whose row for six players is not stated by
the source: Board Game Arena's is taken. Culbertson names an order, 2♣ 2♦ 3♣ 2♠, of which as many cards go as must.
The homestead table removes a heart with six players, so that 25 points are in play.
"""

HAND_SIZES: Final[Mapping[str, Mapping[int, int]]] = _tables(
    {
        "dicegamedepot": {3: 17, 4: 12, 5: 10, 6: 8, 7: 7},
        "catsatcards": {3: 16, 4: 13, 5: 10, 6: 8, 7: 7},
        "dicegamedepot_cancellation": {6: 17, 7: 14, 8: 13, 9: 11, 10: 10, 11: 9},
        "heartsette": {3: 16, 4: 12, 5: 10, 6: 8},
    }
)
"""How many cards each player is dealt where the rest is a kitty: source, then count of players.

Cancellation deals two decks, the others one; Heartsette's for three and four players lacks the 2♠. CardzMania's twelve
cards for four players are those of dicegamedepot's table.
"""


def _look_up(tables: Mapping[str, Mapping[int, V]], table: str, players: int) -> V:
    _check_type("table", table, (str,))
    _check_type("players", players, (int,))
    rows = tables.get(table)
    if rows is None:
        raise InvalidRules(
            (Problem("unknown-table", ("table",), f"there is no table {table!r}: choose {_either(tuple(tables))}"),)
        )
    if players not in rows:
        raise InvalidRules(
            (
                Problem(
                    "unsupported-players",
                    ("players",),
                    f"players is {players}, but {table} has a row for {_either(tuple(rows))}: choose one of these",
                ),
            )
        )
    return rows[players]


def removed(table: str, players: int) -> Cards:
    """The cards that a published table removes from one deck for a count of players.

    Args:
        table: a name in `REMOVAL_TABLES`.
        players: a count that the table is for; with four players none removes any.

    >>> removed("culbertson", 5)
    Cards('2C 2D')

    Raises:
        InvalidRules: there is no such table (`unknown-table`), or not for that count (`unsupported-players`).
        TypeError: an argument has the wrong type.
    """
    return _look_up(REMOVAL_TABLES, table, players)


def hand_size(table: str, players: int) -> int:
    """How many cards a published table deals to each player where the rest is a kitty.

    Args:
        table: a name in `HAND_SIZES`.
        players: a count that the table is for.

    >>> hand_size("catsatcards", 3)
    16

    Raises:
        InvalidRules: there is no such table (`unknown-table`), or not for that count (`unsupported-players`).
        TypeError: an argument has the wrong type.
    """
    return _look_up(HAND_SIZES, table, players)


def _either(items: tuple[object, ...]) -> str:
    """The items as an English list: `3, 4 or 5`."""
    texts = [_text(item) for item in items]
    return " or ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def _text(item: object) -> str:
    if isinstance(item, enum.Enum):
        return item.name
    if isinstance(item, Bonus):
        return f"{item.card} for {in_words(item.points)}"
    if isinstance(item, Cards):
        return listed(item) or "none"
    if isinstance(item, tuple) and len(item) <= 3:
        return " and ".join([_text(part) for part in item]) or "none"
    return str(item) if isinstance(item, str) else in_words(item)


def _check_type(name: str, value: object, kinds: tuple[type, ...]) -> None:
    # The exact type, because a bool is an int and would compare equal to 0 or 1.
    if type(value) not in kinds:
        expected = ["None" if kind is type(None) else with_article(kind.__name__) for kind in kinds]
        wrong_type(name, " or ".join(expected), value)


def _check(preset: str, players: int, **options: tuple[object, tuple[object, ...]]) -> None:
    """Refuse a count of players, and values of options, that the preset's source does not offer.

    Each option is given as (value, values on offer).
    """
    _check_type("players", players, (int,))
    for name, (value, offered) in options.items():
        _check_type(name, value, tuple(dict.fromkeys([type(item) for item in offered])))
    problems: list[Problem] = []
    counts = _COUNTS[preset]
    if players not in counts:
        problems.append(
            Problem(
                "unsupported-players",
                ("players",),
                f"players is {players}, but {preset} is for {_either(counts)}: choose one of these",
            )
        )
    problems += [
        Problem(
            "unsupported-option",
            (name,),
            f"{name} is {_text(value)}, but {preset} offers {_either(offered)}: choose one of these, or change the "
            "finished rule set with attrs.evolve",
        )
        for name, (value, offered) in options.items()
        if value not in offered
    ]
    if problems:
        raise InvalidRules(tuple(problems))


_COUNTS: Final[Mapping[str, tuple[int, ...]]] = MappingProxyType(
    {
        "dicegamedepot": (3, 4, 5, 6, 7),
        "dicegamedepot_cancellation": (6, 7, 8, 9, 10, 11),
        "cardzmania": (3, 4, 5, 6),
        "catsatcards": (3, 4, 5, 6, 7),
        "cardstock": (3, 4, 5),
        "whisthub": (4,),
        "microsoft": (4,),
        "pagat": (4,),
        "bicycle": (3, 4, 5),
        "openspiel": (4,),
        "board_game_arena": (3, 4, 5, 6, 7, 8),
        "black_maria": (3,),
        "spot_hearts": (4,),
        "omnibus": (3, 4, 5, 6, 7),
        "pagat_cancellation": (6, 7, 8, 9, 10),
        "partner_hearts": (4,),
        "leekha": (4,),
        "heartsette": (3, 4, 5, 6),
        "gong_zhu": (4, 5),
    }
)


def dicegamedepot(
    players: int,
    *,
    passing: bool = False,
    kitty: Kitty = Kitty.NONE,
    bonuses: tuple[Bonus, ...] = (),
    moon: _DiceMoon = Moon.OTHERS_UP,
    hearts_lead: _DiceLead = HeartsLead.WHEN_BROKEN,
    queen_breaks: _DiceQueen = QueenBreaks.LED,
    target: int = 100,
    target_test: TargetTest = TargetTest.REACHED,
) -> Rules:
    """The general game for three to seven, without passing, and its variants in any combination.

    Source: "Hearts Card Game Rules", dicegamedepot.com. Low clubs and diamonds are removed to deal out evenly, a led
    Q♠ breaks hearts, and after a tie another deal is played.

    Args:
        players: 3 to 7.
        passing: the variant Passing Cards: three cards left, right, across, hold with four players; left and right by
            turns, without a hold, with any other count.
        kitty: the variant The Kitty: nothing is removed, and the cards of `hand_size("dicegamedepot", players)` are
            dealt. The source takes `FIRST_POINT` and names the three others as alternatives.
        bonuses: `OMNIBUS` for Omnibus Hearts; shooting the moon does not need the J♦.
        moon: Shooting the Moon Options: `SHOOTER_DOWN`, or `CHOICE` by the shooter.
        hearts_lead: `ANY_TIME` for No Broken Hearts.
        queen_breaks: `NEVER` for Queen Doesn't Break.
        target: the total that ends the game, for the table to agree on; usually 100.
        target_test: the source says both that the total must be reached and that it must be exceeded.

    Not stated by the source: who may look at the kitty (its taker), who deals first (seat 0).

    >>> dicegamedepot(4, passing=True, bonuses=OMNIBUS).changes()
    {'queen_breaks': QueenBreaks.LED, 'bonuses': (Bonus(card=Card('JD'), points=10),)}

    Raises:
        InvalidRules: the source has no such count of players or value.
        TypeError: an argument has the wrong type.
    """
    _check(
        "dicegamedepot",
        players,
        passing=(passing, (False, True)),
        kitty=(kitty, tuple(Kitty)),
        bonuses=(bonuses, ((), OMNIBUS)),
        moon=(moon, get_args(_DiceMoon)),
        hearts_lead=(hearts_lead, get_args(_DiceLead)),
        queen_breaks=(queen_breaks, get_args(_DiceQueen)),
    )
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


def dicegamedepot_cancellation(
    players: int,
    *,
    bonuses: tuple[Bonus, ...] = (),
    moon: _DiceMoon = Moon.OTHERS_UP,
    hearts_lead: _DiceLead = HeartsLead.WHEN_BROKEN,
    queen_breaks: _DiceQueen = QueenBreaks.LED,
    target: int = 150,
    target_test: TargetTest = TargetTest.REACHED,
) -> Rules:
    """Cancellation Hearts with two decks, in which two pairs in one trick void it.

    Source: "Hearts Card Game Rules", section Cancellation Hearts, dicegamedepot.com. The cards left over go to the
    winner of the first trick, dealer's left leads any card that is not a penalty card, three cards are passed left and
    right by turns, and a void last trick scores for nobody.

    Args:
        players: 6 to 11.
        bonuses: `OMNIBUS` for Omnibus Hearts; each of the two J♦ counts.
        moon: Shooting the Moon Options: `SHOOTER_DOWN`, or `CHOICE` by the shooter.
        hearts_lead: `ANY_TIME` for No Broken Hearts.
        queen_breaks: `NEVER` for Queen Doesn't Break.
        target: the total that ends the game, for the table to agree on; typically 150.
        target_test: the source says both that the total must be reached and that it must be exceeded.

    Not stated by the source: the value of the moon with two decks (all 52 points), who may look at the kitty (its
    taker), who deals first (seat 0).

    >>> rules = dicegamedepot_cancellation(7)
    >>> rules.cards_per_hand, rules.kitty_size, rules.penalty_total
    (14, 6, 52)

    Raises:
        InvalidRules: the source has no such count of players or value.
        TypeError: an argument has the wrong type.
    """
    _check(
        "dicegamedepot_cancellation",
        players,
        bonuses=(bonuses, ((), OMNIBUS)),
        moon=(moon, get_args(_DiceMoon)),
        hearts_lead=(hearts_lead, get_args(_DiceLead)),
        queen_breaks=(queen_breaks, get_args(_DiceQueen)),
    )
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


def cardzmania(
    players: int,
    *,
    target: _ManiaTarget | None = None,
    max_deals: int | None = None,
    queen_points: _ManiaQueen = 13,
    bonuses: tuple[Bonus, ...] = (),
    bonus_floor: _ManiaFloor = BonusFloor.NONE,
    no_tricks_bonus: _ManiaNoTricks = 0,
    heart_values: HeartValues | tuple[int, ...] = HeartValues.ONE,
    sun: bool = False,
    pass_optional: _ManiaPass = PassOptional.NO,
    pass_cycle: Iterable[PassStep] | None = None,
    hearts_lead: HeartsLead = HeartsLead.WHEN_BROKEN,
    hearts_break: HeartsBreak = HeartsBreak.PLAYED,
    queen_breaks: QueenBreaks = QueenBreaks.NEVER,
    opening_leader: _ManiaLeader = OpeningLeader.LOWEST_CLUB,
    opening_card: _ManiaOpening = OpeningCard.LOWEST_CLUB,
    kitty: _ManiaKitty = Kitty.NONE,
    compulsory: _ManiaCompulsory = Compulsory.NO,
    teams: _ManiaTeams = 0,
    moon_scope: MoonScope = MoonScope.PLAYER,
) -> Rules:
    """The online game for three to six, each for themselves or in teams, with all its table options.

    Source: "Play Hearts Online", CardzMania. The moon adds 26 points to the others, whatever the Q♠ costs, and the game
    ends when a player reaches the target, in teams too: `target_scope` is `PLAYER` then.

    Args:
        players: 3 to 6.
        target: the total that ends the game: 50, or 35, 75, 100; 50 if neither it nor `max_deals` is given.
        max_deals: or a fixed number of deals instead; another copy of the page has "a set amount of rounds".
        queen_points: the Q♠'s points: 13 or 25; another copy of the page has 12 and 50 too.
        bonuses: 10 points for the T♦, J♦ or Q♦, such as `(Bonus(Card("TD"), 10),)`.
        bonus_floor: `TOTAL` for "Minus 10 floor".
        no_tricks_bonus: 5 or 10 points for winning no trick.
        heart_values: Hearts Penalty; the list of values is lost, so any are taken.
        sun: Shoot the Sun.
        pass_optional: `SKIP` for Optional Pass; what happens to the cards is not stated by the source.
        pass_cycle: Pass Method, any cycle; None: three cards left, right, across, hold, without the across for an odd
            count of players, for which the source states nothing.
        hearts_lead: Lead Hearts; its list of values is lost, so all are taken.
        hearts_break: belongs to Lead Hearts too; both values are taken.
        queen_breaks: belongs to Lead Hearts too; all values are taken.
        opening_leader: `DEALER_LEFT` for Turn Based Start.
        opening_card: `UNRESTRICTED` for Wide Open: "The first trick can be led with any card."
        kitty: `FIRST_POINT` for the kitty: nothing is removed, and 17, 12, 10 or 8 cards are dealt; the source states
            the 12 of four players.
        compulsory: `ALWAYS` for Must Play Queen.
        teams: 2 or 3 teams.
        moon_scope: whether a team can shoot the moon together; not stated by the source, so both are taken.

    Not stated by the source: what is removed with six players (Board Game Arena's cards), what happens on a tie (it
    is shared), the kitty's hands for other counts than four (dicegamedepot.com's).

    >>> rules = cardzmania(4, kitty=Kitty.FIRST_POINT, queen_points=25, teams=2)
    >>> rules.kitty_size, rules.moon_points, rules.sides, rules.target_scope
    (4, 26, ((0, 2), (1, 3)), TargetScope.PLAYER)

    Raises:
        InvalidRules: the source has no such count of players or value, or the options exclude each other.
        TypeError: an argument has the wrong type.
    """
    _check(
        "cardzmania",
        players,
        target=(target, (None, *get_args(_ManiaTarget))),
        queen_points=(queen_points, get_args(_ManiaQueen)),
        bonuses=(bonuses, ((), *[(Bonus(Card(text), 10),) for text in ("TD", "JD", "QD")])),
        bonus_floor=(bonus_floor, get_args(_ManiaFloor)),
        no_tricks_bonus=(no_tricks_bonus, get_args(_ManiaNoTricks)),
        pass_optional=(pass_optional, get_args(_ManiaPass)),
        opening_leader=(opening_leader, get_args(_ManiaLeader)),
        opening_card=(opening_card, get_args(_ManiaOpening)),
        kitty=(kitty, get_args(_ManiaKitty)),
        compulsory=(compulsory, get_args(_ManiaCompulsory)),
        teams=(teams, get_args(_ManiaTeams)),
    )
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
        target=50 if target is None and max_deals is None else target,
        target_scope=TargetScope.PLAYER if teams else TargetScope.SIDE,
        max_deals=max_deals,
        tie=Tie.SHARED,
    )


def _both_ends(preset: str) -> NoReturn:
    raise InvalidRules(
        (
            Problem(
                "contradicting-options",
                ("target", "max_deals"),
                f"{preset} plays to a target or a fixed number of deals: give only one of target and max_deals",
            ),
        )
    )


def catsatcards(players: int, *, target: int = 100) -> Rules:
    """The game for three to seven with a kitty, passing to the right first, with totals counted down from zero.

    Source: "Hearts", catsatcards.com (the deal, the kitty, the passing), and the rules page of playingcardstadium.com
    (the play and the reckoning). The winner of the first trick takes the kitty. The game ends when a total falls below
    the agreed value, and whoever is closest to 0 wins.

    Args:
        players: 3 to 7.
        target: how far a total may fall, as a positive number; which value is not stated by the source.

    Not stated by the source: any limit on the first lead, on the first trick or on leading hearts (there is none; the
    holder of the lowest club leads), the passing with five to seven players (as with three), what happens on a tie (it
    is shared), who may look at the kitty (its taker). The first dealer is cut for: see `cut_for_deal`.

    >>> rules = catsatcards(3)
    >>> rules.cards_per_hand, rules.kitty_size, rules.reckoning
    (16, 4, Reckoning.NEGATIVE)

    Raises:
        InvalidRules: the source has no such count of players.
        TypeError: an argument has the wrong type.
    """
    _check("catsatcards", players)
    return Rules(
        players=players,
        hand_size=hand_size("catsatcards", players),
        kitty=Kitty.FIRST_TRICK,
        pass_cycle=(right(), left(), across(4), HOLD) if players == 4 else (right(), left(), HOLD),
        opening_card=OpeningCard.ANY,
        first_trick=FirstTrick.FREE,
        hearts_lead=HeartsLead.ANY_TIME,
        target=target,
        target_test=TargetTest.EXCEEDED,
        tie=Tie.SHARED,
        reckoning=Reckoning.NEGATIVE,
    )


def cardstock(players: int = 4) -> Rules:
    """A single deal without passing, in which seat 0 leads whatever the hearts rule allows.

    Source: "Hearts", CardStock (also in the Valet collection), a description of the game for testing players. The
    moon takes 26 points off the shooter's score.

    Args:
        players: 4; CardStock's own files have 3 and 5 too.

    Not stated by the source: what happens on a tie (it is shared).

    >>> rules = cardstock()
    >>> rules.max_deals, rules.target, rules.moon
    (1, None, Moon.SHOOTER_DOWN)

    Raises:
        InvalidRules: the source has no such count of players.
        TypeError: an argument has the wrong type.
    """
    _check("cardstock", players)
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


def whisthub(*, target: _HubTarget | None = None, max_deals: int | None = None) -> Rules:
    """The four-player game to a total, or of a fixed number of deals.

    Source: "Hearts rules", Whisthub. A Q♠ breaks no hearts, and points may be played on the first trick only by those
    who hold nothing else.

    Args:
        target: the total that ends the game: 100, or 50, 200; 100 if neither argument is given.
        max_deals: or a fixed number of deals instead, as in tournaments.

    Not stated by the source: what happens on a tie (an extra deal; with a fixed number of deals it is shared).

    >>> whisthub() == Rules(), whisthub(max_deals=8).changes()
    (True, {'target': None, 'max_deals': 8, 'tie': Tie.SHARED})

    Raises:
        InvalidRules: the source has no such target, or both arguments are given.
        TypeError: an argument has the wrong type.
    """
    _check("whisthub", 4, target=(target, (None, *get_args(_HubTarget))))
    if max_deals is None:
        return Rules(target=100 if target is None else target)
    if target is not None:
        _both_ends("whisthub")
    return Rules(target=None, max_deals=max_deals, tie=Tie.SHARED)


def microsoft() -> Rules:
    """The four-player game to 100 that made the rules known everywhere; the defaults of `Rules`.

    Source: Microsoft Hearts, the program that came with Windows. Three cards are passed left, right, across, hold,
    the 2♣ opens, no points fall on the first trick, and a Q♠ breaks no hearts.

    Not stated by the source: what happens on a tie (an extra deal).

    >>> microsoft() == Rules()
    True
    """
    return Rules()


def pagat() -> Rules:
    """The four-player game to 100 in which a shooter chooses what the moon does.

    Source: "Hearts", pagat.com/reverse/hearts.html.

    Not stated by the source: what happens on a tie (an extra deal).

    >>> pagat().changes()
    {'moon': Moon.CHOICE}
    """
    return Rules(moon=Moon.CHOICE)


def bicycle(players: int) -> Rules:
    """The game of the card maker, in which a discarded Q♠ breaks hearts.

    Source: "Hearts", bicyclecards.com. The 2♦ is removed with three players, the 2♦ and 2♣ with five.

    Args:
        players: 3 to 5.

    Not stated by the source: the passing with three and five players (left, right, hold), what happens on a tie (an
    extra deal).

    >>> bicycle(5)
    Rules(players=5, removed=Cards('2C 2D'), queen_breaks=QueenBreaks.DISCARDED)

    Raises:
        InvalidRules: the source has no such count of players.
        TypeError: `players` is not an int.
    """
    _check("bicycle", players)
    return Rules(players=players, removed=removed("dicegamedepot", players), queen_breaks=QueenBreaks.DISCARDED)


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
    pass_direction: _Direction | None = None,
) -> Rules:
    """The single deal of four players that OpenSpiel plays, with its parameters and their defaults.

    Source: the game `hearts` of OpenSpiel, github.com/google-deepmind/open_spiel.

    Args:
        pass_cards: whether there is passing at all.
        no_pts_on_first_trick: whether hearts and Q♠ may not be discarded on the first trick.
        can_lead_any_club: whether the holder of the 2♣ may open with another club.
        jd_bonus: whether the J♦ takes 10 points off its taker's score; the moon does not need it.
        avoid_all_tricks_bonus: whether winning no trick takes 5 points off, unless the moon is shot.
        must_break_hearts: whether hearts must be broken before they are led.
        qs_breaks_hearts: whether the Q♠ breaks hearts, in whatever way it is played.
        can_lead_hearts_instead_of_qs: whether a leader with nothing but hearts and Q♠ may lead a heart.
        pass_direction: "left", "across", "right" or "none", which OpenSpiel draws by chance in every deal. None:
            "left", or "none" where `pass_cards` is False, which excludes all others.

    Not stated by the source: a match (one deal is all), and so what happens on a tie (it is shared). OpenSpiel's
    returns are 26 less these points.

    >>> openspiel(jd_bonus=True, pass_direction="across").bonuses
    (Bonus(card=Card('JD'), points=10),)

    Raises:
        InvalidRules: there is no such direction, or a direction is given without passing.
        TypeError: an argument has the wrong type.
    """
    switches = {
        "pass_cards": pass_cards,
        "no_pts_on_first_trick": no_pts_on_first_trick,
        "can_lead_any_club": can_lead_any_club,
        "jd_bonus": jd_bonus,
        "avoid_all_tricks_bonus": avoid_all_tricks_bonus,
        "must_break_hearts": must_break_hearts,
        "qs_breaks_hearts": qs_breaks_hearts,
        "can_lead_hearts_instead_of_qs": can_lead_hearts_instead_of_qs,
    }
    for name, value in switches.items():
        _check_type(name, value, (bool,))
    _check("openspiel", 4, pass_direction=(pass_direction, (None, *get_args(_Direction))))
    if not pass_cards and pass_direction not in (None, "none"):
        raise InvalidRules(
            (
                Problem(
                    "contradicting-options",
                    ("pass_direction", "pass_cards"),
                    f"pass_direction is {pass_direction}, but pass_cards is False: choose none, or set pass_cards",
                ),
            )
        )
    if pass_direction is None:
        pass_direction = "left" if pass_cards else "none"
    steps: dict[str, PassStep] = {"left": left(), "across": across(4), "right": right(), "none": HOLD}
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


def board_game_arena(players: int) -> Rules:
    """The online game for three to eight, shown as points that are left of 100.

    Source: "Hearts", boardgamearena.com. Three cards are passed to every other seat in turn, the nearest first, left
    before right; then, with an even count, to the one opposite; then nothing is passed.

    Args:
        players: 3 to 8.

    Not stated by the source: what happens on a tie (it is shared).

    >>> board_game_arena(6).pass_cycle
    (((1, 3),), ((-1, 3),), ((2, 3),), ((-2, 3),), ((3, 3),), ())

    Raises:
        InvalidRules: the source has no such count of players.
        TypeError: `players` is not an int.
    """
    _check("board_game_arena", players)
    by_sides = tuple(((offset, 3),) for distance in range(1, (players + 1) // 2) for offset in (distance, -distance))
    opposite = (across(players),) if players % 2 == 0 else ()
    return Rules(
        players=players,
        removed=removed("board_game_arena", players),
        pass_cycle=(*by_sides, *opposite, HOLD),
        target=100,
        tie=Tie.SHARED,
        reckoning=Reckoning.COUNTDOWN,
    )


def black_maria() -> Rules:
    """The British game for three, with K♠ and A♠ as penalty cards too.

    Source: "Black Maria", first printed in The Complete Book of Card Games by Hubert Phillips and B. C. Westall
    (1939), as told by Wikipedia. The 2♣ is removed, three cards are passed to the right in every deal, dealer's left
    opens with any card, hearts may be led and points discarded at any time, and there is no moon.

    Not stated by the source: when the game ends (at 100) and what happens on a tie (an extra deal).

    >>> rules = black_maria()
    >>> rules.penalty_total, [rules.penalty(Card(text)) for text in ("QS", "KS", "AS")]
    (43, [13, 10, 7])
    """
    return Rules(
        players=3,
        removed=Cards("2C"),
        pass_cycle=(right(),),
        opening_leader=OpeningLeader.DEALER_LEFT,
        opening_card=OpeningCard.ANY,
        first_trick=FirstTrick.FREE,
        hearts_lead=HeartsLead.ANY_TIME,
        extra_penalties=((Card("KS"), 10), (Card("AS"), 7)),
        moon=Moon.OFF,
    )


def spot_hearts() -> Rules:
    """The four-player game to 500 in which hearts count their spots, J Q K A 11 to 14, and the Q♠ 25.

    Source: the manual of gnome-hearts, ruleset Spot Hearts, jejik.com/gnome-hearts/users. The moon takes the whole 129
    points off the shooter's score, the sun 258. The manual passes left, across, right, hold; here the cards go left,
    right, across, hold, as in the usual game.

    Not stated by the source: what happens on a tie (an extra deal).

    >>> spot_hearts().penalty_total
    129
    """
    return Rules(heart_values=HeartValues.SPOT, queen_points=25, moon=Moon.SHOOTER_DOWN, sun=True, target=500)


def omnibus(players: int) -> Rules:
    """The usual game with a bonus card: the J♦ takes 10 points off its taker's score.

    Source: "Hearts", variation Omnibus Hearts, pagat.com/reverse/hearts.html. The moon does not need the J♦.

    Args:
        players: 3 to 7.

    Not stated by the source: what is removed with other counts than four (dicegamedepot.com's cards, never the J♦),
    the passing with them, what happens on a tie (an extra deal).

    >>> omnibus(4).changes()
    {'bonuses': (Bonus(card=Card('JD'), points=10),)}

    Raises:
        InvalidRules: no published table has such a count of players.
        TypeError: `players` is not an int.
    """
    _check("omnibus", players)
    return Rules(players=players, removed=removed("dicegamedepot", players), bonuses=OMNIBUS)


def pagat_cancellation(players: int) -> Rules:
    """Cancellation Hearts with two decks, without passing; pairs void a trick only as far as they cancel.

    Source: "Hearts", variation Cancellation Hearts, pagat.com/reverse/hearts.html.

    Args:
        players: 6 to 10.

    Not stated by the source: that a led Q♠ breaks hearts, and the target of 150 (both as dicegamedepot.com has them),
    the value of the moon with two decks (all 52 points), who may look at the kitty (its taker).

    >>> rules = pagat_cancellation(6)
    >>> rules.two_pairs_void, rules.pass_cycle, rules.kitty_size
    (False, ((),), 2)

    Raises:
        InvalidRules: the source has no such count of players.
        TypeError: `players` is not an int.
    """
    _check("pagat_cancellation", players)
    return attrs.evolve(dicegamedepot_cancellation(players), two_pairs_void=False, pass_cycle=(HOLD,))


def partner_hearts() -> Rules:
    """The four-player game in two partnerships, each to a common total of 200.

    Source: "Partner hearts", Wikipedia. Partners sit opposite each other and add up their points; a moon, which one
    member must shoot alone, costs the other team 52.

    Not stated by the source: what happens on a tie (an extra deal).

    >>> partner_hearts().sides
    ((0, 2), (1, 3))
    """
    return Rules(teams=2, target=200)


def leekha(*, teams: _LeekhaTeams = 2, target: _LeekhaTarget = 101) -> Rules:
    """The game of the Levant for two partnerships, with a T♦ of 10 points: who cannot follow suit must give Q♠ or T♦.

    Source: "Leekha", blog.jawaker.com/en/leekha-rules-en. Everybody counts for themselves, and when one player reaches
    the target, the team with fewer points wins. Three cards are passed to the two neighbours by turns, dealer's
    neighbour leads any card, and there is no moon. The game is played anticlockwise: its right is our left.

    Args:
        teams: 2, or 0: each alone, as other tables play it.
        target: the total of one player that ends the game: 101, or, as an app of the same name has it, 51 or 151.

    Not stated by the source: which neighbour is passed to first (its right, our left), what happens on a tie (an extra
    deal), who deals first (seat 0).

    >>> rules = leekha()
    >>> rules.penalty_total, str(rules.compulsory_cards), rules.compulsory, rules.target_scope
    (36, 'TD QS', Compulsory.DISCARD, TargetScope.PLAYER)

    Raises:
        InvalidRules: there is no such target or count of teams.
        TypeError: an argument has the wrong type.
    """
    _check("leekha", 4, teams=(teams, get_args(_LeekhaTeams)), target=(target, get_args(_LeekhaTarget)))
    return Rules(
        teams=teams,
        pass_cycle=(left(), right()),
        opening_leader=OpeningLeader.DEALER_LEFT,
        opening_card=OpeningCard.UNRESTRICTED,
        first_trick=FirstTrick.FREE,
        hearts_lead=HeartsLead.ANY_TIME,
        compulsory=Compulsory.DISCARD,
        compulsory_cards=Cards("QS TD"),
        extra_penalties=((Card("TD"), 10),),
        moon=Moon.OFF,
        target=target,
        target_scope=TargetScope.PLAYER,
    )


def heartsette(players: int, *, queen_points: _SetteQueen = 13) -> Rules:
    """Hearts with a widow, which whoever wins the first trick captures with it, and alone may look at.

    Source: "Heartsette", pokerwiner.com/games-of-playing-cards/hearts-1.html, for the cards and the lead. The 2♠ is
    removed with three and four players; dealer's left leads any card, nothing is passed, and nothing is barred. In that
    text the winner takes the widow into the hand and lays as many cards away; in this form the widow is captured.

    Args:
        players: 3 to 6.
        queen_points: 13, or 0 for the old game, in which only hearts cost points.

    Not stated by the source: when the game ends (at 100), what happens on a tie (it is shared), a moon (there is none).

    >>> rules = heartsette(4)
    >>> rules.cards_per_hand, rules.kitty_size, rules.kitty, rules.kitty_shown_to
    (12, 3, Kitty.FIRST_TRICK, KittyShownTo.TAKER)

    Raises:
        InvalidRules: the source has no such count of players, or there are no such points.
        TypeError: an argument has the wrong type.
    """
    _check("heartsette", players, queen_points=(queen_points, get_args(_SetteQueen)))
    return Rules(
        players=players,
        removed=Cards("2S") if players < 5 else NO_CARDS,
        hand_size=hand_size("heartsette", players),
        kitty=Kitty.FIRST_TRICK,
        pass_cycle=(HOLD,),
        opening_leader=OpeningLeader.DEALER_LEFT,
        opening_card=OpeningCard.UNRESTRICTED,
        first_trick=FirstTrick.FREE,
        hearts_lead=HeartsLead.ANY_TIME,
        queen_points=queen_points,
        moon=Moon.OFF,
        target=100,
        tie=Tie.SHARED,
    )


_PIG_SHOWN: Final = Cards("TC JD QS AH")
_PIG_HEARTS: Final = (0, 0, 0, 10, 10, 10, 10, 10, 10, 20, 30, 40, 50)


def gong_zhu(
    players: int,
    *,
    exposable: Cards = _PIG_SHOWN,
    teams: _PigTeams = 0,
    bonus_target: int | None = None,
) -> Rules:
    """Chase the Pig, the Chinese game: a Q♠ of 100, a J♦ that takes 100 off, a T♣ that doubles, and all may be shown.

    Source: "Gongzhu", pagat.com, as gambiter.com copies it. Before the first lead the holders of Q♠, J♦, T♣ and A♥ may
    show them: what is shown counts double, a shown A♥ doubles every heart, and a shown card waits until its suit has
    been led. Whoever took the Q♠ leads to the next deal, in the first deal the 2♠. Nothing is passed and nothing is
    barred. All hearts turn the 200 that they cost into 200 off, with the Q♠ into 300 off. The game is to 1000, and the
    points that a player may see are negative.

    Args:
        players: 4, or 5, for whom 2♣ and 2♦ are removed.
        exposable: `Cards("TC JD QS AH")`, or `Cards()` for the game in which nothing is shown.
        teams: 2, with four players: partners sit opposite each other, and their totals are added.
        bonus_target: the game ends as well when somebody is that far on the good side of 0: some tables take 1000.

    Not stated by the source: whether all show at once or in turn (at once), what partners who take all the hearts, or
    the T♣ and scoring cards, between them score (each their own pile), what happens on a tie (it is shared), who deals
    first (seat 0).

    >>> rules = gong_zhu(4)
    >>> rules.penalty_total, str(rules.exposable), rules.doubler
    (300, 'TC JD QS AH', Doubler(card=Card('TC'), factor=2, alone=50))

    Raises:
        InvalidRules: the source has no such count of players, or there are no such cards or teams; 2 teams with five
            players; `bonus_target` is out of range.
        TypeError: an argument has the wrong type.
    """
    _check(
        "gong_zhu",
        players,
        exposable=(exposable, (_PIG_SHOWN, NO_CARDS)),
        teams=(teams, get_args(_PigTeams)),
    )
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
        reckoning=Reckoning.NEGATIVE,
    )


@attrs.frozen
class Preset:
    """An entry of `ALL`: a preset and what a menu shows of it.

    >>> ALL["bicycle"].players, ALL["bicycle"].rules(3) == bicycle(3)
    ((3, 4, 5), True)
    """

    name: str
    """The name of the function."""
    make: Callable[..., Rules]
    """The function; it takes a count of players exactly if there is more than one to choose from."""
    players: tuple[int, ...]
    """The counts of players that it is for, ascending."""
    default_players: int
    """The count that is taken where none is given."""
    options: tuple[str, ...]
    """The names of its keyword arguments."""
    source: str
    """Who published these rules."""
    summary: str
    """One line that says what is special about them."""

    def rules(self, players: int | None = None, **options: Any) -> Rules:
        """Make the rule set, whether or not the function leaves a choice of players.

        Args:
            players: one of `players`; None: `default_players`.
            **options: any of `options`.

        >>> ALL["whisthub"].rules(4, target=50).target
        50
        >>> ALL["black_maria"].rules(4)
        Traceback (most recent call last):
        heartsrules.errors.InvalidRules: players is 4, but black_maria is for 3: choose one of these

        Raises:
            InvalidRules: the preset is not for that count of players, or its source has no such value of an option.
            TypeError: an argument has the wrong type, or there is no such option.
        """
        count = self.default_players if players is None else players
        if len(self.players) > 1:
            return self.make(count, **options)
        _check(self.name, count)
        return self.make(**options)


_PAGAT: Final = '"Hearts", pagat.com'


def _preset(make: Callable[..., Rules], source: str, summary: str) -> Preset:
    name, code = make.__name__, make.__code__
    players = _COUNTS[name]
    # As inspect.signature has it, which takes longer to import than all presets take.
    options = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    return Preset(
        name=name,
        make=make,
        players=players,
        default_players=4 if 4 in players else players[0],
        options=options,
        source=source,
        summary=summary,
    )


ALL: Final[Mapping[str, Preset]] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            _preset(
                dicegamedepot,
                '"Hearts Card Game Rules", dicegamedepot.com',
                "no passing; a led queen of spades breaks hearts; many variants",
            ),
            _preset(
                dicegamedepot_cancellation,
                '"Hearts Card Game Rules", dicegamedepot.com',
                "two decks; equal cards cancel each other, two pairs void a trick; to 150",
            ),
            _preset(
                cardzmania,
                '"Play Hearts Online", CardzMania',
                "to 50; individually or in teams; a long list of table options",
            ),
            _preset(
                catsatcards,
                "catsatcards.com and playingcardstadium.com",
                "a kitty for the first trick; pass right first; no limits on leads; negative totals",
            ),
            _preset(
                cardstock,
                '"Hearts", CardStock and Valet',
                "a single deal without passing; the moon takes 26 off the shooter",
            ),
            _preset(
                whisthub,
                '"Hearts rules", Whisthub',
                "the usual game to 50, 100 or 200, or a fixed number of deals",
            ),
            _preset(microsoft, "Microsoft Hearts", "the usual game to 100"),
            _preset(pagat, _PAGAT, "a shooter chooses what the moon does"),
            _preset(bicycle, '"Hearts", bicyclecards.com', "a discarded queen of spades breaks hearts"),
            _preset(
                openspiel,
                "OpenSpiel, game hearts",
                "a single deal; a queen of spades breaks hearts in any way; its eight parameters",
            ),
            _preset(
                board_game_arena,
                '"Hearts", boardgamearena.com',
                "pass to every seat in turn; totals count down from 100",
            ),
            _preset(
                black_maria,
                '"Black Maria", Phillips and Westall 1939, as told by Wikipedia',
                "three players; king and ace of spades cost 10 and 7; no moon",
            ),
            _preset(
                spot_hearts,
                "Spot Hearts of gnome-hearts",
                "hearts count their spots, the queen of spades 25; moon and sun; to 500",
            ),
            _preset(omnibus, _PAGAT, "the jack of diamonds takes 10 points off"),
            _preset(
                pagat_cancellation,
                _PAGAT,
                "two decks; equal cards cancel each other; no passing; to 150",
            ),
            _preset(partner_hearts, '"Partner hearts", Wikipedia', "two partnerships; to 200"),
            _preset(
                leekha,
                '"Leekha", jawaker.com',
                "partners; ten of diamonds costs 10; out of suit, it or the queen of spades must go; to 101",
            ),
            _preset(
                heartsette,
                '"Heartsette", pokerwiner.com',
                "a widow goes with the first trick; hearts at any time; no passing; no moon",
            ),
            _preset(
                gong_zhu,
                '"Gongzhu", pagat.com',
                "queen of spades 100, jack of diamonds 100 off, ten of clubs doubles; shown cards too; to 1000",
            ),
        )
    }
)
"""Every preset by name, in the order of their sources."""
