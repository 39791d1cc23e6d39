"""Rule sets that together have every option value missing in the presets."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from typing import Any, Final

from attrs import evolve

from heartsrules import presets
from heartsrules.base.errors import InvalidRules
from heartsrules.formats.notation import parse_rules
from heartsrules.rules import Rules

_CHOSEN: Final[Mapping[str, str]] = {
    "decline": (
        "first_dealer=3 pass_cycle=L3,A3 pass_optional=skip unpassable=QS,AS opening_card=any-club "
        "heart_lead_spares_queen=yes"
    ),
    "middle": "hand_size=12 kitty=last-trick pass_cycle=M2,L3 pass_optional=skip unpassable=QS",
    "unanimous": (
        "players=5 removed=2C,2D pass_cycle=L3,M2,hold pass_optional=unanimous first_trick=no-hearts "
        "hearts_lead=points-when-broken heart_values=0,0,0,0,1,1,1,1,1,1,2,3,4 extra_penalties=TD:10,AH:5 "
        "moon_cards=hearts-and-queen"
    ),
    "show-in-turn": (
        "exposable=TC,JD,QS,AH exposure=in-turn queen_discard_after_hearts=yes "
        "heart_values=0,0,0,0,1,1,1,1,1,1,2,3,4 bonuses=TD:5,JD:10 doubler=TC:3:20 moon=choice moon_cards=hearts "
        "sun=yes target_test=exceeded bonus_target=120"
    ),
    "rounds": (
        "players=3 removed=2D exposable=TC,JD,QS,AH exposure=rounds-in-turn opening_leader=dealer-left "
        "opening_card=non-point bonuses=JD:10 doubler=TC:2:0"
    ),
    "expose-before-pass": (
        "pass_cycle=M0,L2 unpassable=KS exposable=JD,QS exposure=rounds expose_before_pass=always "
        "exposed_card_play=wait-on-lead opening_leader=dealer-left opening_card=unrestricted "
        "heart_lead_spares_queen=yes bonuses=JD:10"
    ),
    "rounds-in-turn": "teams=2 first_dealer=2 exposable=TD,JD,QS,AH exposure=rounds-in-turn bonuses=TD:5,JD:10 sun=yes",
    "safe": (
        "players=8 decks=2 queen_breaks=discarded compulsory=safe void_last_trick=leader bonuses=JD:10 "
        "bonus_floor=total moon_needs_bonus=yes sun=yes tie=shared"
    ),
    "always": (
        "compulsory=always compulsory_cards=QS,KS extra_penalties=KS:5 no_tricks_bonus=5 "
        "no_tricks_bonus_on_moon=no moon=auto-extend bonus_target=100 exact_resets=50:0,100:50"
    ),
    "not-lead": (
        "players=3 hand_size=16 kitty=first-heart kitty_shown_to=nobody first_dealer=1 compulsory=not-lead "
        "heart_values=0,0,0,0,1,1,1,1,1,1,2,3,4 extra_penalties=KS:5"
    ),
    "first-point": (
        "players=6 decks=2 hand_size=16 kitty=first-point kitty_shown_to=everybody opening_leader=dealer-left "
        "opening_card=non-point first_trick=free moon=shooter-down sun=yes"
    ),
    "first-heart": "players=6 decks=2 hand_size=16 kitty=first-heart heart_values=pips queen_points=50",
    "last-trick": "players=5 removed=2C,2D hand_size=9 kitty=last-trick hearts_break=discarded max_deals=3",
    "last-wins": (
        "players=8 decks=2 duplicates=last-wins bonuses=JD:10 doubler=TC:2:5 target=none max_deals=2 "
        "score_display=negative"
    ),
    "first-wins": (
        "players=6 decks=2 removed=2C,2C,2D,2D,3D,2S,2S,3S teams=3 compulsory=safe duplicates=first-wins "
        "moon=shooter-down moon_scope=team sun=yes target=200"
    ),
    "to-zero": (
        "first_trick=no-scoring extra_penalties=KS:5 bonuses=JD:10 doubler=TC:3:20 moon=shooter-to-zero "
        "moon_cards=hearts-and-queen sun=yes"
    ),
    "total-floor": (
        "bonuses=JD:10 bonus_floor=deal no_tricks_bonus=5 total_floor=yes moon=both moon_factor=2 sun=yes "
        "sun_points=39 exact_resets=13:-20,90:50"
    ),
    "others-pay": (
        "teams=2 exposable=QS moon=others-pay moon_cards=hearts moon_points=20 moon_factor=3 moon_scope=team "
        "bonus_target=300"
    ),
    "wins-with-every-card": "teams=2 moon=shooter-wins moon_cards=every-card moon_points=30 target=200",
    "exact-total": (
        "teams=2 moon=auto-save moon_scope=team sun=yes sun_scope=player target_test=exact-wins "
        "target_scope=player tie=shared"
    ),
    "two-teams": (
        "teams=2 no_tricks_bonus=10 moon=auto-save moon_scope=team target_scope=player bonus_target=50 tie=shared "
        "score_display=countdown"
    ),
}
"""Rule sets by name, in the notation."""


def lacking(chosen: Mapping[str, Rules]) -> Iterator[tuple[str, Rules]]:
    """Yield (name, rule set) for every option value missing in these and the presets."""
    rule_sets = [*chosen.values(), *[preset(count) for preset in presets.ALL.values() for count in preset.players]]
    for option in Rules.OPTIONS:
        covered = {getattr(rules, option.name) for rules in rule_sets} if option.choices else set()
        for value in option.choices:
            if value not in covered:
                written = value.value if isinstance(value, enum.Enum) else str(value).lower()
                yield f"{option.name.replace('_', '-')}-{written}", next(_changed(rule_sets, option.name, value))


def _changed(rule_sets: list[Rules], name: str, value: Any) -> Iterator[Rules]:
    for rules in rule_sets:
        try:
            yield evolve(rules, **{name: value})
        except InvalidRules:
            continue


_RULES: Final = {name: parse_rules(text) for name, text in _CHOSEN.items()}

OPTIONS: Final[Mapping[str, Rules]] = {**_RULES, **dict(lacking(_RULES))}
"""The rule sets of `options.jsonl` by name, in the order of writing."""
