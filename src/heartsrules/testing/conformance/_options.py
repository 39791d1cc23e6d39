"""Rule sets that together have every option value that no preset has."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any, Final

from attrs import evolve

from heartsrules import presets
from heartsrules.base.errors import InvalidRules
from heartsrules.cards import Card
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
    KittyShownTo,
    Moon,
    MoonCards,
    MoonScope,
    OpeningCard,
    OpeningLeader,
    PassOptional,
    QueenBreaks,
    Rules,
    ScoreDisplay,
    TargetScope,
    TargetTest,
    Tie,
    VoidLastTrick,
    across,
    left,
    middle,
)

_CHEAP: Final = (0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 3, 4)
"""Heart values of which some are 0."""

_CHOSEN: Final[Mapping[str, Rules]] = {
    "decline": Rules(
        pass_cycle=(left(3), across(4)),
        pass_optional=PassOptional.SKIP,
        unpassable="QS AS",
        opening_card=OpeningCard.ANY_CLUB,
        heart_lead_spares_queen=True,
        first_dealer=3,
    ),
    "middle": Rules(
        pass_cycle=(middle(2), left(3)),
        pass_optional=PassOptional.SKIP,
        unpassable="QS",
        kitty=Kitty.LAST_TRICK,
        hand_size=12,
    ),
    "unanimous": Rules(
        players=5,
        removed="2D 2C",
        pass_cycle=(left(3), middle(2), HOLD),
        pass_optional=PassOptional.UNANIMOUS,
        hearts_lead=HeartsLead.POINTS_WHEN_BROKEN,
        first_trick=FirstTrick.NO_HEARTS,
        heart_values=_CHEAP,
        extra_penalties=[(Card("TD"), 10), (Card("AH"), 5)],
        moon_cards=MoonCards.HEARTS_AND_QUEEN,
    ),
    "show-in-turn": Rules(
        exposable="QS JD TC AH",
        exposure=Exposure.IN_TURN,
        bonuses=[Bonus(Card("JD"), 10), Bonus(Card("TD"), 5)],
        doubler=Doubler(Card("TC"), factor=3, alone=20),
        queen_discard_after_hearts=True,
        heart_values=_CHEAP,
        moon=Moon.CHOICE,
        moon_cards=MoonCards.HEARTS,
        sun=True,
        bonus_target=120,
        target_test=TargetTest.EXCEEDED,
    ),
    "rounds": Rules(
        players=3,
        removed="2D",
        exposable="QS JD TC AH",
        exposure=Exposure.ROUNDS_IN_TURN,
        opening_leader=OpeningLeader.DEALER_LEFT,
        opening_card=OpeningCard.NON_POINT,
        bonuses=[Bonus(Card("JD"), 10)],
        doubler=Doubler(Card("TC")),
    ),
    "expose-before-pass": Rules(
        pass_cycle=(middle(None), left(2)),
        exposable="QS JD",
        exposure=Exposure.ROUNDS,
        expose_before_pass=ExposeBeforePass.ALWAYS,
        exposed_card_play=ExposedCardPlay.WAIT_ON_LEAD,
        opening_leader=OpeningLeader.DEALER_LEFT,
        opening_card=OpeningCard.UNRESTRICTED,
        heart_lead_spares_queen=True,
        bonuses=[Bonus(Card("JD"), 10)],
        unpassable="KS",
    ),
    "rounds-in-turn": Rules(
        exposable="QS JD TD AH",
        exposure=Exposure.ROUNDS_IN_TURN,
        bonuses=[Bonus(Card("JD"), 10), Bonus(Card("TD"), 5)],
        teams=2,
        sun=True,
        first_dealer=2,
    ),
    "safe": Rules(
        players=8,
        decks=2,
        compulsory=Compulsory.SAFE,
        queen_breaks=QueenBreaks.DISCARDED,
        void_last_trick=VoidLastTrick.LEADER,
        bonuses=[Bonus(Card("JD"), 10)],
        bonus_floor=BonusFloor.TOTAL,
        moon_needs_bonus=True,
        sun=True,
        tie=Tie.SHARED,
    ),
    "always": Rules(
        compulsory=Compulsory.ALWAYS,
        compulsory_cards="QS KS",
        extra_penalties=[(Card("KS"), 5)],
        no_tricks_bonus=5,
        no_tricks_bonus_on_moon=False,
        moon=Moon.AUTO_EXTEND,
        exact_resets=[(100, 50), (50, 0)],
        bonus_target=100,
    ),
    "not-lead": Rules(
        players=3,
        hand_size=16,
        kitty=Kitty.FIRST_HEART,
        kitty_shown_to=KittyShownTo.NOBODY,
        compulsory=Compulsory.NOT_LEAD,
        heart_values=_CHEAP,
        extra_penalties=[(Card("KS"), 5)],
        first_dealer=1,
    ),
    "first-point": Rules(
        players=6,
        decks=2,
        hand_size=16,
        kitty=Kitty.FIRST_POINT,
        kitty_shown_to=KittyShownTo.EVERYBODY,
        opening_leader=OpeningLeader.DEALER_LEFT,
        opening_card=OpeningCard.NON_POINT,
        first_trick=FirstTrick.FREE,
        sun=True,
        moon=Moon.SHOOTER_DOWN,
    ),
    "first-heart": Rules(
        players=6, decks=2, hand_size=16, kitty=Kitty.FIRST_HEART, heart_values=HeartValues.PIPS, queen_points=50
    ),
    "last-trick": Rules(
        players=5, hand_size=9, removed="2C 2D", kitty=Kitty.LAST_TRICK, hearts_break=HeartsBreak.DISCARDED, max_deals=3
    ),
    "last-wins": Rules(
        players=8,
        decks=2,
        duplicates=Duplicates.LAST_WINS,
        bonuses=[Bonus(Card("JD"), 10)],
        doubler=Doubler(Card("TC"), factor=2, alone=5),
        score_display=ScoreDisplay.NEGATIVE,
        max_deals=2,
        target=None,
    ),
    "first-wins": Rules(
        players=6,
        decks=2,
        removed="2C 2C 2D 2D 2S 2S 3D 3S",
        duplicates=Duplicates.FIRST_WINS,
        compulsory=Compulsory.SAFE,
        teams=3,
        moon_scope=MoonScope.TEAM,
        moon=Moon.SHOOTER_DOWN,
        sun=True,
        target=200,
    ),
    "to-zero": Rules(
        first_trick=FirstTrick.NO_SCORING,
        extra_penalties=[(Card("KS"), 5)],
        bonuses=[Bonus(Card("JD"), 10)],
        doubler=Doubler(Card("TC"), factor=3, alone=20),
        moon=Moon.SHOOTER_TO_ZERO,
        moon_cards=MoonCards.HEARTS_AND_QUEEN,
        sun=True,
    ),
    "total-floor": Rules(
        bonuses=[Bonus(Card("JD"), 10)],
        bonus_floor=BonusFloor.DEAL,
        no_tricks_bonus=5,
        moon=Moon.BOTH,
        moon_factor=2,
        sun=True,
        sun_points=39,
        total_floor=True,
        exact_resets=[(90, 50), (13, -20)],
    ),
    "others-pay": Rules(
        exposable="QS",
        teams=2,
        moon=Moon.OTHERS_PAY,
        moon_scope=MoonScope.TEAM,
        moon_cards=MoonCards.HEARTS,
        moon_points=20,
        moon_factor=3,
        bonus_target=300,
    ),
    "wins-with-every-card": Rules(
        teams=2, moon=Moon.SHOOTER_WINS, moon_cards=MoonCards.EVERY_CARD, moon_points=30, target=200
    ),
    "exact-total": Rules(
        teams=2,
        moon=Moon.AUTO_SAVE,
        moon_scope=MoonScope.TEAM,
        sun=True,
        sun_scope=MoonScope.PLAYER,
        target_test=TargetTest.EXACT_WINS,
        target_scope=TargetScope.PLAYER,
        tie=Tie.SHARED,
    ),
    "two-teams": Rules(
        teams=2,
        moon_scope=MoonScope.TEAM,
        moon=Moon.AUTO_SAVE,
        target_scope=TargetScope.PLAYER,
        no_tricks_bonus=10,
        bonus_target=50,
        tie=Tie.SHARED,
        score_display=ScoreDisplay.COUNTDOWN,
    ),
}


def lacking(chosen: Mapping[str, Rules]) -> Iterator[tuple[str, Rules]]:
    """Yield (name, rule set) for every option value that neither these nor the presets have."""
    rule_sets = [
        *chosen.values(),
        *[preset.rules(count) for preset in presets.ALL.values() for count in preset.players],
    ]
    for option in Rules.OPTIONS:
        covered = {getattr(rules, option.name) for rules in rule_sets} if option.choices else set()
        for value in option.choices:
            if value not in covered:
                written = value.value if isinstance(value, enum.Enum) else str(value).lower()
                yield f"{option.name.replace('_', '-')}-{written}", next(_changed(rule_sets, option.name, value))


def _changed(rule_sets: list[Rules], name: str, value: Any) -> Iterator[Rules]:
    """Yield the rule sets with an option changed, if they are valid."""
    for rules in rule_sets:
        try:
            yield evolve(rules, **{name: value})
        except InvalidRules:
            continue


OPTIONS: Final[Mapping[str, Rules]] = dict(chain(_CHOSEN.items(), lacking(_CHOSEN)))
"""The rule sets of `options.jsonl` by name, in the order of writing."""
