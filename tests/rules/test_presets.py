"""The presets: what their sources state, field by field; what they refuse; and that whole matches of them end."""

from __future__ import annotations

import inspect
import random
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import attrs
import pytest

from heartsrules import presets
from heartsrules.base.errors import InvalidRules
from heartsrules.cards import Card, Cards
from heartsrules.formats.notation import parse_field, parse_rules
from heartsrules.play.engine import apply, new_game
from heartsrules.play.state import ChoosingMoon, DealingBack, Exposing, GameOver, Passing, PlayedDeal, Playing, State
from heartsrules.rules import (
    Bonus,
    BonusFloor,
    Compulsory,
    Exposure,
    FirstTrick,
    HeartsBreak,
    HeartsLead,
    HeartValues,
    Kitty,
    Moon,
    MoonScope,
    OpeningCard,
    OpeningLeader,
    PassOptional,
    QueenBreaks,
    Rules,
    TargetScope,
    Tie,
    scatter,
)
from support.random_play import random_move

ROOT = Path(__file__).resolve().parents[2]

L1, R1 = ((1, 3),), ((-1, 3),)
L2, R2 = ((2, 3),), ((-2, 3),)
L3, R3 = ((3, 3),), ((-3, 3),)
ACROSS = (("across", 3),)
NOTHING = ()

SEATINGS = [(name, players) for name, preset in presets.ALL.items() for players in preset.players]

OPTIONS = {option.name for option in Rules.OPTIONS}


def _stated() -> Iterator[tuple[str, str, int, dict[str, Any]]]:
    """The lines of presets.txt: the rule set as a text, the preset, the count of players, and its arguments."""
    for line in (ROOT / "tests" / "data" / "presets.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            asked, _, rules = line.partition(" | ")
            name, players, *words = asked.split()
            options: dict[str, Any] = {}
            for word in words:
                option, _, text = word.partition("=")
                said = {"yes": True, "no": False}.get(text, text)
                options[option] = parse_field(option, text, int(players)) if option in OPTIONS else said
            yield rules, name, int(players), options


STATED = list(_stated())

# Where the default cycle for a count of players is what the source states, the row above does not show it.
CYCLES: list[tuple[str, int, dict[str, Any], tuple[Any, ...]]] = [
    ("dicegamedepot", 4, {"passing": True}, (L1, R1, ACROSS, NOTHING)),
    ("cardzmania", 3, {}, (L1, R1, NOTHING)),
    ("cardzmania", 4, {}, (L1, R1, ACROSS, NOTHING)),
    ("cardzmania", 5, {}, (L1, R1, NOTHING)),
    ("cardzmania", 6, {}, (L1, R1, ACROSS, NOTHING)),
    ("catsatcards", 3, {}, (R1, L1, NOTHING)),
    ("catsatcards", 6, {}, (R1, L1, NOTHING)),
    ("whisthub", 4, {}, (L1, R1, ACROSS, NOTHING)),
    ("microsoft", 4, {}, (L1, R1, ACROSS, NOTHING)),
    ("board_game_arena", 3, {}, (L1, R1, NOTHING)),
    ("board_game_arena", 4, {}, (L1, R1, ACROSS, NOTHING)),
    ("four_queens", 3, {}, (L1, R1, NOTHING)),
    ("four_queens", 4, {}, (L1, R1, ACROSS, NOTHING)),
    ("goldsmith", 4, {}, (L1, R1, ACROSS, NOTHING)),
    ("goldsmith", 6, {}, (L1, R1, ACROSS, NOTHING)),
    ("gonzo", 3, {}, (L1, R1, NOTHING)),
    ("charged_hearts", 4, {}, (L1, R1, ACROSS, ((0, 0),))),
    ("trend_hearts", 4, {}, (L1, R1, ACROSS, NOTHING)),
    ("world_of_card_games", 4, {}, (L1, R1, ACROSS, NOTHING)),
]

# Cards in a hand and in the kitty, as the published tables and plain division have them.
SIZES: list[tuple[str, int, dict[str, Any], tuple[int, int]]] = [
    *[("dicegamedepot", players, {}, (size, 0)) for players, size in ((3, 17), (4, 13), (5, 10), (6, 8), (7, 7))],
    *[
        ("dicegamedepot", players, {"kitty": Kitty.FIRST_POINT}, sizes)
        for players, sizes in ((3, (17, 1)), (4, (12, 4)), (5, (10, 2)), (6, (8, 4)), (7, (7, 3)))
    ],
    *[
        ("dicegamedepot_cancellation", players, {}, sizes)
        for players, sizes in ((6, (17, 2)), (7, (14, 6)), (8, (13, 0)), (9, (11, 5)), (10, (10, 4)), (11, (9, 5)))
    ],
    *[
        ("catsatcards", players, {}, sizes)
        for players, sizes in ((3, (16, 4)), (4, (13, 0)), (5, (10, 2)), (6, (8, 4)), (7, (7, 3)))
    ],
    *[("board_game_arena", players, {}, (size, 0)) for players, size in ((5, 10), (6, 8), (7, 7), (8, 6))],
    ("black_maria", 3, {}, (17, 0)),
    ("black_maria", 4, {}, (13, 0)),
    *[("heartsette", players, {}, sizes) for players, sizes in ((3, (16, 3)), (4, (12, 3)), (5, (10, 2)), (6, (8, 4)))],
    *[("polignac", players, {}, (size, 0)) for players, size in ((3, 10), (4, 8), (5, 6), (6, 5))],
    *[("four_queens", players, {}, (size, 0)) for players, size in ((3, 10), (4, 8), (5, 6), (6, 5))],
    *[("plain_hearts", players, {}, (size, 0)) for players, size in ((3, 17), (4, 13), (5, 10), (6, 8))],
    *[("goldsmith", players, {}, (13, 0)) for players in (4, 5, 6, 7)],
]


def _id(value: object) -> str:
    return str(value) if isinstance(value, (str, int)) else ""


@pytest.mark.parametrize(("rules", "name", "players", "options"), STATED, ids=_id)
def test_fields(rules: str, name: str, players: int, options: dict[str, Any]) -> None:
    assert presets.ALL[name](players, **options) == parse_rules(rules)


def test_the_lines_cover_every_preset_count_and_option() -> None:
    assert {(name, players) for _, name, players, _ in STATED} == set(SEATINGS)
    tried = {(name, option) for _, name, _, options in STATED for option in options}
    assert tried == {(name, option) for name, preset in presets.ALL.items() for option in preset.options}


@pytest.mark.parametrize(("name", "players", "options", "cycle"), CYCLES, ids=_id)
def test_pass_cycles(name: str, players: int, options: dict[str, Any], cycle: tuple[Any, ...]) -> None:
    assert presets.ALL[name](players, **options).pass_cycle == cycle


@pytest.mark.parametrize(("name", "players", "options", "sizes"), SIZES, ids=_id)
def test_sizes(name: str, players: int, options: dict[str, Any], sizes: tuple[int, int]) -> None:
    rules = presets.ALL[name](players, **options)
    assert (rules.cards_per_hand, rules.kitty_size) == sizes


@pytest.mark.parametrize(
    ("name", "total"),
    [
        ("microsoft", 26),
        ("spot_hearts", 129),
        ("black_maria", 43),
        ("dicegamedepot_cancellation", 52),
        ("leekha", 36),
        ("gong_zhu", 300),
        ("polignac", 5),
        ("black_jack", 23),
        ("four_queens", 5),
        ("plain_hearts", 13),
        ("goldsmith", 26),
        ("gonzo", 36),
        ("greek_hearts", 26),
        ("charged_hearts", 26),
        ("trend_hearts", 26),
        ("trickster", 26),
        ("world_of_card_games", 26),
    ],
)
def test_penalty_totals(name: str, total: int) -> None:
    assert presets.ALL[name]().penalty_total == total


# ---------------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize("name", list(presets.ALL))
def test_other_counts_of_players_are_refused(name: str) -> None:
    preset = presets.ALL[name]
    for players in set(range(13)) - set(preset.players):
        with pytest.raises(InvalidRules) as caught:
            preset(players)
        (problem,) = caught.value.problems
        assert (problem.code, problem.fields) == ("unsupported-players", ("players",))
        assert f"players is {players}, but {name} is for " in problem.message
        assert all(str(count) in problem.message for count in preset.players)


UNSUPPORTED: list[tuple[str, int, str, object]] = [
    ("dicegamedepot", 4, "bonuses", (Bonus(Card("TD"), 10),)),
    ("dicegamedepot", 4, "bonuses", (Bonus(Card("JD"), 11),)),
    ("dicegamedepot", 4, "moon", Moon.OFF),
    ("dicegamedepot", 4, "moon", Moon.AUTO_SAVE),
    ("dicegamedepot", 4, "queen_breaks", QueenBreaks.PLAYED),
    ("dicegamedepot", 4, "hearts_lead", HeartsLead.POINTS_WHEN_BROKEN),
    ("dicegamedepot_cancellation", 6, "bonuses", (Bonus(Card("QD"), 10),)),
    ("dicegamedepot_cancellation", 6, "moon", Moon.AUTO_EXTEND),
    ("dicegamedepot_cancellation", 6, "queen_breaks", QueenBreaks.DISCARDED),
    ("dicegamedepot_cancellation", 6, "hearts_lead", HeartsLead.POINTS_WHEN_BROKEN),
    ("cardzmania", 4, "target", 60),
    ("cardzmania", 4, "queen_points", 26),
    ("cardzmania", 4, "bonuses", (Bonus(Card("KD"), 10),)),
    ("cardzmania", 4, "bonuses", (Bonus(Card("TD"), 10), Bonus(Card("JD"), 10))),
    ("cardzmania", 4, "bonuses", tuple(Bonus(Card(text), 10) for text in ("TD", "JD", "QD", "KD"))),
    ("cardzmania", 4, "bonus_floor", BonusFloor.DEAL),
    ("cardzmania", 4, "no_tricks_bonus", 1),
    ("cardzmania", 4, "pass_optional", PassOptional.UNANIMOUS),
    ("cardzmania", 4, "opening_leader", OpeningLeader.QUEEN_TAKER),
    ("cardzmania", 4, "opening_card", OpeningCard.ANY),
    ("cardzmania", 4, "kitty", Kitty.LAST_TRICK),
    ("cardzmania", 4, "compulsory", Compulsory.SAFE),
    ("cardzmania", 4, "teams", 4),
    ("whisthub", 4, "target", 150),
    ("openspiel", 4, "pass_direction", "up"),
    ("leekha", 4, "teams", 3),
    ("leekha", 4, "target", 100),
    ("heartsette", 4, "queen_points", 25),
    ("gong_zhu", 4, "exposable", Cards("QS JD TC")),
    ("gong_zhu", 4, "exposable", Cards("QS JD TC AH AH")),
    ("gong_zhu", 4, "teams", 3),
    ("polignac", 4, "target", 15),
    ("plain_hearts", 4, "heart_values", HeartValues.PIPS),
    ("gnome_hearts", 4, "hearts_lead", HeartsLead.POINTS_WHEN_BROKEN),
    ("gnome_hearts", 4, "queen_breaks", QueenBreaks.LED),
    ("gnome_hearts", 4, "first_trick", FirstTrick.NO_HEARTS),
    ("gnome_hearts", 4, "bonuses", (Bonus(Card("QD"), 10),)),
    ("trickster", 4, "target", 60),
    ("trickster", 4, "queen_points", 25),
    ("trickster", 4, "bonuses", (Bonus(Card("TD"), 10),)),
    ("trickster", 4, "moon", Moon.CHOICE),
    ("trickster", 4, "teams", 3),
    ("trickster", 4, "first_trick", FirstTrick.NO_HEARTS),
    ("trickster", 4, "exact_resets", ((100, 50),)),
    ("world_of_card_games", 4, "first_trick", FirstTrick.NO_HEARTS),
    ("world_of_card_games", 4, "bonuses", (Bonus(Card("TD"), 10),)),
    ("world_of_card_games", 4, "moon", Moon.CHOICE),
]


@pytest.mark.parametrize(("name", "players", "option", "value"), UNSUPPORTED, ids=_id)
def test_values_that_the_source_does_not_offer_are_refused(name: str, players: int, option: str, value: object) -> None:
    with pytest.raises(InvalidRules) as caught:
        presets.ALL[name](players, **{option: value})
    (problem,) = caught.value.problems
    assert (problem.code, problem.fields) == ("unsupported-option", (option,))
    assert problem.message.startswith(f"{option} is ")
    assert f", but {name} offers " in problem.message


def test_a_refusal_lists_all_that_is_wrong_and_what_is_offered() -> None:
    with pytest.raises(InvalidRules) as caught:
        presets.ALL["cardzmania"](7, target=60, kitty=Kitty.FIRST_HEART, bonuses=(Bonus(Card("KD"), 3),))
    way_out = "choose one of these, or change the finished rule set with attrs.evolve"
    assert [problem.message for problem in caught.value.problems] == [
        "players is 7, but cardzmania is for 3, 4, 5 or 6: choose one of these",
        f"target is 60, but cardzmania offers None, 35, 50, 75 or 100: {way_out}",
        f"bonuses is KD:3, but cardzmania offers none, TD:10, JD:10 or QD:10: {way_out}",
        f"kitty is first-heart, but cardzmania offers none or first-point: {way_out}",
    ]
    with pytest.raises(InvalidRules) as caught:
        presets.ALL["gong_zhu"](4, exposable=Cards("QS JD"))
    assert str(caught.value) == f"exposable is JD QS, but gong_zhu offers TC JD QS AH or none: {way_out}"


CONTRADICTIONS: list[tuple[str, int, dict[str, Any], str, tuple[str, ...]]] = [
    ("whisthub", 4, {"target": 100, "max_deals": 8}, "contradicting-options", ("target", "max_deals")),
    ("cardzmania", 4, {"target": 50, "max_deals": 8}, "contradicting-options", ("target", "max_deals")),
    ("trickster", 4, {"target": 50, "max_deals": 8}, "contradicting-options", ("target", "max_deals")),
    (
        "openspiel",
        4,
        {"pass_cards": False, "pass_direction": "left"},
        "contradicting-options",
        ("pass_direction", "pass_cards"),
    ),
    # What each option allows by itself is still for Rules to judge.
    ("cardzmania", 5, {"teams": 2}, "uneven-teams", ("teams", "players")),
    ("gong_zhu", 5, {"teams": 2}, "uneven-teams", ("teams", "players")),
    ("gong_zhu", 4, {"bonus_target": 0}, "out-of-range", ("bonus_target",)),
    ("dicegamedepot", 4, {"target": 0}, "out-of-range", ("target",)),
    ("catsatcards", 4, {"target": -100}, "out-of-range", ("target",)),
    ("whisthub", 4, {"max_deals": 0}, "out-of-range", ("max_deals",)),
    ("polignac", 4, {"target": 10, "max_deals": 4}, "contradicting-options", ("target", "max_deals")),
    *[
        (name, 4, {"max_deals": 0}, "out-of-range", ("max_deals",))
        for name in ("polignac", "black_jack", "four_queens", "plain_hearts", "greek_hearts")
    ],
]


@pytest.mark.parametrize(("name", "players", "options", "code", "fields"), CONTRADICTIONS, ids=_id)
def test_options_that_exclude_each_other_are_refused(
    name: str, players: int, options: dict[str, Any], code: str, fields: tuple[str, ...]
) -> None:
    with pytest.raises(InvalidRules) as caught:
        presets.ALL[name](players, **options)
    assert [(problem.code, problem.fields) for problem in caught.value.problems] == [(code, fields)]


WRONG_TYPES: list[tuple[str, object, dict[str, Any], str]] = [
    ("dicegamedepot", 4, {"bonuses": Bonus(Card("JD"), 10)}, "bonuses must be a tuple, not a Bonus"),
    ("dicegamedepot", 4, {"bonuses": None}, "bonuses must be a tuple, not None"),
    ("cardzmania", 4, {"pass_cycle": 3}, "pass_cycle must be an iterable of steps such as"),
    ("openspiel", 4, {"pass_direction": 1}, "pass_direction must be None or a str, not an int"),
    ("microsoft", 4, {"target": 50}, "unexpected keyword argument 'target'"),
    ("gong_zhu", 4, {"exposable": "QS JD TC AH"}, "exposable must be a Cards, not a str"),
    ("gong_zhu", 4, {"exposable": None}, "exposable must be a Cards, not None"),
    ("plain_hearts", 4, {"heart_values": "spot"}, "heart_values must be a HeartValues, not a str"),
    ("trickster", 4, {"exact_resets": None}, "exact_resets must be a tuple, not None"),
]


@pytest.mark.parametrize(("name", "players", "options", "message"), WRONG_TYPES, ids=_id)
def test_wrong_types_are_type_errors(name: str, players: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        presets.ALL[name](players, **options)


# ------------------------------------------------------------------------------------------------------------- tables


_BELOW_SEVEN = Cards([Card(rank + suit) for rank in "23456" for suit in "CDHS"])
_NOT_OF_THIRTY = _BELOW_SEVEN + Cards("7C 7S")
_CLUBS, _DIAMONDS, _HEARTS = [Cards([Card(rank + suit) for rank in "23456789TJQKA"]) for suit in "CDH"]

REMOVED: dict[str, dict[int, Cards]] = {
    **{
        table: {4: Cards(), **{count: Cards(text) for count, text in row.items()}}
        for table, row in {
            "dicegamedepot": {3: "2D", 5: "2D 2C", 6: "2D 3D 3C 4C", 7: "2D 3D 3C"},
            "cardzmania": {3: "2D", 5: "2D 2S", 6: "2D 2C 2S 3C"},
            "board_game_arena": {3: "2D", 5: "2D 2C", 6: "2D 2C 2S 3C", 7: "2D 2C 2S", 8: "2D 2C 2S 3C"},
            "culbertson": {3: "2C", 5: "2C 2D", 6: "2C 2D 3C 2S", 7: "2C 2D 3C", 8: "2C 2D 3C 2S"},
            "homestead": {3: "2D", 5: "2D 2S", 6: "2D 2S 2C 3H", 7: "2D 2S 2C"},
            "foster": {3: "2S", 5: "2S 2C", 6: "2S 2C 2D 2H"},
            "t_games": {3: "2C", 5: "2C 2D", 6: "2C 2D 3C 3D"},
        }.items()
    },
    "piquet": {3: _NOT_OF_THIRTY, 4: _BELOW_SEVEN, 5: _NOT_OF_THIRTY, 6: _NOT_OF_THIRTY},
    "goldsmith": {4: Cards(), 5: _CLUBS + _DIAMONDS + _HEARTS, 6: _CLUBS + _DIAMONDS, 7: _CLUBS},
}


def _without(table: str, players: int) -> Rules:
    """A rule set without the cards of a table, of the decks that the table is for."""
    decks = 2 if table == "goldsmith" and players > 4 else 1
    return Rules(players=players, decks=decks, removed=presets.removed(table, players))


def test_removal_tables() -> None:
    assert {table: dict(rows) for table, rows in presets.REMOVAL_TABLES.items()} == REMOVED
    sizes = {table: [_without(table, players).cards_per_hand for players in rows] for table, rows in REMOVED.items()}
    assert sizes.pop("piquet") == [10, 8, 6, 5]
    assert sizes.pop("goldsmith") == [13, 13, 13, 13]
    assert sizes == {table: [52 // players for players in REMOVED[table]] for table in sizes}


def test_two_tables_for_whole_decks_remove_a_heart() -> None:
    totals = {
        (table, players): _without(table, players).penalty_total
        for table in REMOVED.keys() - {"piquet", "goldsmith"}
        for players in REMOVED[table]
    }
    assert {key: total for key, total in totals.items() if total != 26} == {("homestead", 6): 25, ("foster", 6): 25}


@pytest.mark.parametrize(
    ("table", "row"),
    [
        ("dicegamedepot", {3: 17, 4: 12, 5: 10, 6: 8, 7: 7}),
        ("catsatcards", {3: 16, 4: 13, 5: 10, 6: 8, 7: 7}),
        ("dicegamedepot_cancellation", {6: 17, 7: 14, 8: 13, 9: 11, 10: 10, 11: 9}),
        ("heartsette", {3: 16, 4: 12, 5: 10, 6: 8}),
    ],
)
def test_hand_sizes(table: str, row: dict[int, int]) -> None:
    assert dict(presets.HAND_SIZES[table]) == row
    assert {players: presets.hand_size(table, players) for players in row} == row


@pytest.mark.parametrize(
    ("look_up", "tables"), [(presets.removed, presets.REMOVAL_TABLES), (presets.hand_size, presets.HAND_SIZES)]
)
def test_unknown_tables_and_counts_are_refused(
    look_up: Callable[..., object], tables: Mapping[str, Mapping[int, object]]
) -> None:
    with pytest.raises(InvalidRules, match="there is no table 'hoyle': choose") as caught:
        look_up("hoyle", 4)
    (problem,) = caught.value.problems
    assert (problem.code, problem.fields) == ("unknown-table", ("table",))
    assert all(name in problem.message for name in tables)
    with pytest.raises(InvalidRules, match="players is 2, but dicegamedepot has") as caught:
        look_up("dicegamedepot", 2)
    (problem,) = caught.value.problems
    assert (problem.code, problem.fields) == ("unsupported-players", ("players",))
    assert problem.message.endswith("has a row for 3, 4, 5, 6 or 7: choose one of these")


# ---------------------------------------------------------------------------------------------------- the list of all


def test_all_lists_every_preset_with_the_arguments_of_its_function() -> None:
    helpers = {"removed", "hand_size", "Preset", "PresetOption"}
    functions = {name for name in presets.__all__ if callable(getattr(presets, name))} - helpers
    assert set(presets.ALL) == functions
    for name, preset in presets.ALL.items():
        parameters = inspect.signature(preset.make).parameters
        keyword_only = [key for key, one in parameters.items() if one.kind is inspect.Parameter.KEYWORD_ONLY]
        assert preset.name == name
        assert preset.make is getattr(presets, name)
        assert preset.options == tuple(keyword_only)
        assert set(parameters) - set(keyword_only) == ({"players"} if len(preset.players) > 1 else set())
        assert preset.players == tuple(sorted(preset.players))
        assert preset.default_players in preset.players
        assert preset() == preset(preset.default_players)
        assert [each.name for each in preset.offers] == keyword_only
        for each in preset.offers:
            assert each.default == parameters[each.name].default
            assert each.optional == (None in (*each.choices, each.default))
            assert bool(each.choices) == (each.kind in ("bool", "choice"))
            assert each.default in each.choices or not each.choices
    assert {name: preset.default_players for name, preset in presets.ALL.items() if preset.default_players != 4} == {
        "dicegamedepot_cancellation": 6,
        "pagat_cancellation": 6,
        "black_maria": 3,
    }
    assert presets.black_maria() == presets.black_maria(3)


def test_options_are_named_as_the_fields() -> None:
    # OpenSpiel's parameters have OpenSpiel's names; passing stands for the cycles of that variant.
    fields = {field.name for field in attrs.fields(Rules) if field.init}
    strangers = {
        (name, option)
        for name, preset in presets.ALL.items()
        if name != "openspiel"
        for option in preset.options
        if option not in fields
    }
    assert strangers == {("dicegamedepot", "passing")}


def test_every_literal_of_a_signature_is_accepted() -> None:
    tried = 0
    for preset in presets.ALL.values():
        for option, hint in get_type_hints(preset.make).items():
            for part in (hint, *get_args(hint)):
                if get_origin(part) is Literal:
                    for value in get_args(part):
                        extra: dict[str, Any] = {"bonuses": presets.OMNIBUS} if option == "bonus_floor" else {}
                        count = 6 if option == "teams" and 6 in preset.players else preset.default_players
                        rules = preset(count, **{option: value}, **extra)
                        tried += 1
                        if option != "pass_direction":
                            assert getattr(rules, option) == value
    assert tried == 84


def test_all_cannot_be_changed() -> None:
    preset = presets.ALL["pagat"]
    for mapping in (presets.ALL, presets.REMOVAL_TABLES, presets.REMOVAL_TABLES["homestead"], presets.HAND_SIZES):
        with pytest.raises(TypeError):
            mapping["pagat"] = preset  # type: ignore[index]
    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        preset.name = "other"  # type: ignore[misc]


SOURCES = {
    "dicegamedepot": "dicegamedepot.com",
    "dicegamedepot_cancellation": "dicegamedepot.com",
    "cardzmania": "CardzMania",
    "catsatcards": "catsatcards.com",
    "cardstock": "CardStock",
    "whisthub": "Whisthub",
    "microsoft": "Microsoft Hearts",
    "pagat": "pagat.com",
    "bicycle": "bicyclecards.com",
    "openspiel": "OpenSpiel",
    "board_game_arena": "boardgamearena.com",
    "black_maria": "Black Maria",
    "spot_hearts": "gnome-hearts",
    "omnibus": "pagat.com",
    "pagat_cancellation": "pagat.com",
    "partner_hearts": "Wikipedia",
    "leekha": "jawaker.com",
    "heartsette": "pokerwiner.com",
    "gong_zhu": "pagat.com",
    "polignac": "pokerwiner.com",
    "black_jack": "Wikipedia",
    "four_queens": "BestFreeNewGames.com",
    "plain_hearts": "Foster",
    "goldsmith": "jeff-goldsmith.com",
    "gonzo": "t_games",
    "gnome_hearts": "gnome-hearts",
    "greek_hearts": "pokerwiner.com",
    "charged_hearts": "turbo-hearts",
    "trend_hearts": "Trend Hearts",
    "trickster": "Trickster Cards",
    "world_of_card_games": "worldofcardgames.com",
}


def test_every_preset_has_its_source_here_its_section_and_its_count() -> None:
    names = list(presets.ALL)
    assert list(SOURCES) == names
    page = (ROOT / "docs" / "reference" / "presets.md").read_text(encoding="utf-8")
    assert [name for name in re.findall(r"^## (\w+)$", page, re.MULTILINE) if name in names] == names
    # A word, as in a sentence; after thirty-two, write it here.
    said = {29: "twenty-nine", 30: "thirty", 31: "thirty-one", 32: "thirty-two"}[len(names)]
    for file in ("README.md", "CHANGELOG.md"):
        assert f"{said} p" in (ROOT / file).read_text(encoding="utf-8").lower(), (file, said)


def test_the_page_lists_presets_by_the_number_of_players() -> None:
    """Under headings that a search for "three players" finds."""
    page = (ROOT / "docs" / "reference" / "presets.md").read_text(encoding="utf-8")
    listed = re.findall(r"^### For (\w+) players\n\n(.*?)\n\n", page, re.MULTILINE | re.DOTALL)
    assert [word for word, _ in listed] == ["three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"]
    for players, (_, names) in enumerate(listed, 3):
        taking = [name for name, preset in presets.ALL.items() if players in preset.players]
        assert re.findall(r"\[(\w+)\]\(#(\w+)\)", names) == [(name, name) for name in taking]


@pytest.mark.parametrize(("name", "source"), SOURCES.items())
def test_every_preset_names_its_source(name: str, source: str) -> None:
    preset = presets.ALL[name]
    docstring = inspect.getdoc(preset.make) or ""
    (sentence,) = [part for part in docstring.split("\n\n") if part.startswith("Source: ")]
    assert source in sentence
    assert source in preset.source
    assert "not stated by the source" in docstring.lower()
    assert preset.summary
    assert len(preset.summary) <= 100


# ------------------------------------------------------------------------------------------------------ whole matches

# With the points taken off the shooter, a match can last; none of these has come near the limit.
MOST_DEALS = 200

_FIFTIES = tuple((total, total - 50) for total in range(50, 501, 50))

MATCHES: list[tuple[str, int, dict[str, Any]]] = [
    *[(name, players, {}) for name, players in SEATINGS],
    (
        "dicegamedepot",
        7,
        {"passing": True, "kitty": Kitty.FIRST_HEART, "bonuses": presets.OMNIBUS, "moon": Moon.CHOICE},
    ),
    ("dicegamedepot", 3, {"kitty": Kitty.LAST_TRICK, "hearts_lead": HeartsLead.ANY_TIME}),
    ("dicegamedepot_cancellation", 11, {"bonuses": presets.OMNIBUS, "moon": Moon.SHOOTER_DOWN}),
    (
        "cardzmania",
        6,
        {
            "teams": 3,
            "kitty": Kitty.FIRST_POINT,
            "sun": True,
            "pass_optional": PassOptional.SKIP,
            "compulsory": Compulsory.ALWAYS,
            "bonuses": (Bonus(Card("TD"), 10),),
            "bonus_floor": BonusFloor.TOTAL,
            "no_tricks_bonus": 5,
            "heart_values": HeartValues.PIPS,
            "opening_leader": OpeningLeader.DEALER_LEFT,
        },
    ),
    (
        "cardzmania",
        4,
        {"pass_cycle": [scatter(players=4)], "opening_card": OpeningCard.UNRESTRICTED, "queen_points": 25},
    ),
    ("cardzmania", 4, {"teams": 2, "moon_scope": MoonScope.TEAM, "hearts_break": HeartsBreak.DISCARDED}),
    ("cardzmania", 3, {"max_deals": 3, "hearts_lead": HeartsLead.POINTS_WHEN_BROKEN}),
    ("whisthub", 4, {"max_deals": 3}),
    ("leekha", 4, {"teams": 0, "target": 51}),
    ("heartsette", 6, {"queen_points": 0}),
    ("gong_zhu", 4, {"exposable": Cards(), "bonus_target": 1000}),
    ("gong_zhu", 4, {"teams": 2}),
    ("polignac", 5, {"target": 20}),
    ("plain_hearts", 6, {"max_deals": 6, "heart_values": HeartValues.SPOT}),
    ("gnome_hearts", 4, {"bonuses": presets.OMNIBUS, "hearts_lead": HeartsLead.ANY_TIME}),
    ("greek_hearts", 4, {"max_deals": 8}),
    ("trickster", 4, {"bonuses": presets.OMNIBUS, "exact_resets": _FIFTIES}),
    ("trickster", 4, {"teams": 2, "moon_scope": MoonScope.TEAM}),
    ("world_of_card_games", 4, {"bonuses": presets.OMNIBUS, "moon": Moon.SHOOTER_DOWN}),
    ("charged_hearts", 4, {"exposure": Exposure.ROUNDS_IN_TURN}),
    ("openspiel", 4, {"jd_bonus": True, "avoid_all_tricks_bonus": True, "pass_direction": "across"}),
]


def _total(bags: tuple[Cards, ...]) -> Cards:
    return sum(bags, Cards())


def _cards_of(state: State) -> Cards | None:
    """All cards, wherever they are; None between two deals, when they are in nobody's hands."""
    if isinstance(state, (Passing, DealingBack, Exposing)):
        return _total(state.hands) + state.kitty
    if isinstance(state, Playing):
        on_the_table = Cards([play.card for play in state.trick])
        kitty = state.kitty if state.kitty_winner is None else Cards()
        return _total(state.hands) + on_the_table + _total(state.captured) + state.set_aside + kitty
    if isinstance(state, ChoosingMoon):
        return _cards_after(state.last_deal)
    return None if state.last_deal is None else _cards_after(state.last_deal)


def _cards_after(played: PlayedDeal) -> Cards:
    kitty = played.kitty if played.kitty_winner is None else Cards()
    return _total(played.captured) + played.set_aside + kitty


def _added_up(rules: Rules, rows: list[tuple[int, ...]]) -> tuple[int, ...]:
    """The totals that rows of points add up to; a total that a row changes may fall back."""
    resets = dict(rules.exact_resets)
    totals = [0] * rules.players
    for points in rows:
        for seat, more in enumerate(points):
            total = totals[seat] + more
            totals[seat] = resets.get(total, total) if more else total
    return tuple(totals)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(("name", "players", "options"), MATCHES, ids=_id)
def test_whole_matches_end(name: str, players: int, options: dict[str, Any]) -> None:
    rules = presets.ALL[name](players, **options)
    rng = random.Random(f"{name} {players}")
    state: State = new_game(rules)
    while not isinstance(state, GameOver):
        assert state.deal_number < MOST_DEALS
        state = apply(state, random_move(state, rng))
        assert _cards_of(state) == rules.deck
    assert len(state.score_sheet) == state.deal_number + 1
    assert _added_up(rules, [row.points for row in state.score_sheet]) == state.scores
    sides = [sum(state.scores[seat] for seat in side) for side in rules.sides]
    assert {rules.side(seat) for seat in state.winners} == {
        side for side, total in enumerate(sides) if total == min(sides)
    }
    if rules.max_deals is not None:
        assert len(state.score_sheet) == rules.max_deals
    elif rules.target is not None:
        totals = sides if rules.target_scope is TargetScope.SIDE else state.scores
        below = rules.bonus_target is not None and min(totals) <= -rules.bonus_target
        assert below or max(totals) >= rules.target
    if rules.tie is Tie.EXTRA_DEAL:
        assert len({rules.side(seat) for seat in state.winners}) == 1
