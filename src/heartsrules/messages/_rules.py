"""The selection of a rule set's sentences and arguments from the catalogues."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, Literal, TypeAlias

import attrs

from heartsrules.base.errors import printable
from heartsrules.cards import Card, Suit
from heartsrules.rules import (
    ANY_NUMBER,
    HOLD,
    Compulsory,
    Duplicates,
    HeartsBreak,
    HeartsLead,
    HeartValues,
    Moon,
    MoonCards,
    MoonScope,
    PassOptional,
    PassStep,
    Rules,
    TargetScope,
)

Sentence: TypeAlias = tuple[str, dict[str, Any]]
"""A sentence's key, without the prefix `rules.`, and its arguments."""


@attrs.frozen
class Filled:
    """An argument that is already rendered text, of any length."""

    text: str

    def __str__(self) -> str:
        return self.text


Say: TypeAlias = Callable[..., Filled]
"""A function that renders a pattern, such as `say("gift", count=3, ...)`."""

_QUEEN: Final = Card("QS")
_NAMED_HEARTS: Final = {**{each.values: each.value for each in HeartValues}, (0,) * 13: "none"}


def sentences(rules: Rules, say: Say, names: Sequence[str] | None = None) -> Iterator[Sentence]:
    """Yield the sentences of a rule set, in the order of play.

    Options without effect under these rules are left out.

    Args:
        rules: the rule set.
        say: the renderer of a sentence's repeated parts, such as the transfers of a pass.
        names: each player's name. Defaults to the numbers of the seats, from 1.
    """
    yield from _dealt(rules, names)
    yield from _passed(rules, say)
    yield from _played(rules)
    yield from _scored(rules, say)
    yield from _ended(rules, say)


def _teams(rules: Rules) -> int:
    return rules.teams if rules.teams < rules.players else 0


def _dealt(rules: Rules, names: Sequence[str] | None) -> Iterator[Sentence]:
    called = range(1, rules.players + 1) if names is None else [printable(name) for name in names]
    named = "" if names is None else "-named"
    yield (
        "players",
        {"players": rules.players, "decks": rules.decks, "removed": rules.removed, "hand": rules.cards_per_hand},
    )
    if _teams(rules):
        members = " / ".join([", ".join([str(called[seat]) for seat in side]) for side in rules.sides])
        yield f"teams{named}", {"teams": rules.teams, "members": Filled(members)}
    yield f"first-dealer{named}", {"first_dealer": Filled(str(called[rules.first_dealer]))}
    if rules.kitty_size:
        kitty = {"kitty_size": rules.kitty_size, "kitty": rules.kitty, "kitty_shown_to": rules.kitty_shown_to}
        yield "kitty", kitty


def _passed(rules: Rules, say: Say) -> Iterator[Sentence]:
    if not any(rules.pass_cycle):
        yield "no-pass", {}
    else:
        steps = _together([_step(step, say) for step in rules.pass_cycle], "; ")
        yield "pass", {"steps": steps, "steps_count": len(rules.pass_cycle)}
        through = [rules._resolved.through_middle(number) for number, step in enumerate(rules.pass_cycle) if step]
        if any(through):
            yield "middle", {}
        declines = any([step and step != ANY_NUMBER for step in rules.pass_cycle])
        if declines and rules.pass_optional is not PassOptional.NO:
            yield "pass-optional", {"pass_optional": rules.pass_optional, "only_middle": all(through)}
        if rules.unpassable:
            yield "unpassable", {"unpassable": rules.unpassable}
    if rules.exposable:
        yield (
            "exposure",
            {"exposable": rules.exposable, "exposure": rules.exposure, "exposed_card_play": rules.exposed_card_play},
        )
        if any(rules._resolved.shows_first):
            yield "expose-before-pass", {"expose_before_pass": rules.expose_before_pass}


def _together(parts: Iterable[Filled], between: str = ", ") -> Filled:
    return Filled(between.join([part.text for part in parts]))


def _step(step: PassStep, say: Say) -> Filled:
    if step == HOLD:
        return say("hold")
    return _together([_gift(offset, count, say) for offset, count in step])


def _gift(offset: int | Literal["across"], count: int, say: Say) -> Filled:
    if offset == "across":
        return say("gift", count=count, where=offset, distance=0)
    where = {0: "middle", 1: "left", -1: "right"}.get(offset, "far_left" if offset > 0 else "far_right")
    return say("gift", count=count, where=where, distance=abs(offset))


def _played(rules: Rules) -> Iterator[Sentence]:
    yield "opening-leader", {"opening_leader": rules.opening_leader}
    yield "opening-card", {"opening_card": rules.opening_card}
    yield "trick", {}
    yield "first-trick", {"first_trick": rules.first_trick}
    yield "hearts-lead", {"hearts_lead": rules.hearts_lead}
    queen = _QUEEN in rules.deck
    if rules.hearts_lead is not HeartsLead.ANY_TIME or (queen and rules.queen_discard_after_hearts):
        queen_breaks = rules.queen_breaks if queen else None
        if rules.hearts_break is HeartsBreak.NEVER:
            yield "queen-breaks", {"queen_breaks": queen_breaks}
        else:
            yield "hearts-break", {"hearts_break": rules.hearts_break, "queen_breaks": queen_breaks}
    waits = rules.hearts_lead is HeartsLead.POINTS_WHEN_BROKEN and rules.penalty(_QUEEN) > 0
    if rules.hearts_lead is not HeartsLead.ANY_TIME and queen and not waits:
        yield "heart-lead-spares-queen", {"spares": rules.heart_lead_spares_queen}
    if queen and rules.queen_discard_after_hearts:
        yield "queen-discard-after-hearts", {}
    if rules.compulsory is not Compulsory.NO and rules.compulsory_cards:
        yield "compulsory", {"compulsory": rules.compulsory, "compulsory_cards": rules.compulsory_cards}
    if rules.decks == 2:
        yield "duplicates", {"duplicates": rules.duplicates}
        if rules.two_pairs_void:
            yield "two-pairs-void", {}
        if rules.duplicates is Duplicates.CANCEL or rules.two_pairs_void:
            yield "void-last-trick", {"void_last_trick": rules.void_last_trick}


def _scored(rules: Rules, say: Say) -> Iterator[Sentence]:
    if rules.deck.of_suit(Suit.HEARTS):
        named = _NAMED_HEARTS.get(rules.heart_values, "others")
        yield "heart-values", {"named": named, "values": ", ".join(map(str, rules.heart_values))}
    if _QUEEN in rules.deck:
        yield "queen-points", {"queen_points": rules.queen_points}
    if rules.extra_penalties:
        yield "extra-penalties", {"cards": _with_points(rules.extra_penalties, say)}
    if rules.bonuses:
        yield "bonuses", {"cards": _with_points([(each.card, each.points) for each in rules.bonuses], say)}
        yield "bonus-floor", {"bonus_floor": rules.bonus_floor}
    if rules.doubler is not None:
        doubler = rules.doubler
        yield "doubler", {"card": doubler.card, "factor": doubler.factor, "alone": doubler.alone}
    if rules.no_tricks_bonus:
        on_moon = rules.no_tricks_bonus_on_moon or not rules._resolved.moon
        yield "no-tricks-bonus", {"no_tricks_bonus": rules.no_tricks_bonus, "on_moon": on_moon}
    if rules.total_floor:
        yield "total-floor", {}
    if not rules._resolved.moon:
        yield "no-moon", {}
    else:
        yield from _moon(rules)


def _moon(rules: Rules) -> Iterator[Sentence]:
    every_card = rules.moon_cards is MoonCards.EVERY_CARD
    needs_bonus = rules.moon_needs_bonus and len(rules.bonuses) > 0 and not every_card
    needs = {"moon_cards": rules.moon_cards, "needs_bonus": needs_bonus}
    moon_scope = rules.moon_scope if _teams(rules) else MoonScope.PLAYER
    sun_scope = rules.sun_scope if _teams(rules) else MoonScope.TEAM
    yield "moon-cards", {"moon_scope": moon_scope, **needs}
    no_value = rules.moon is Moon.SHOOTER_TO_ZERO
    queen = rules._resolved.moon_queens_value if rules.moon_cards is MoonCards.HEARTS and not no_value else 0
    # A side with every card has taken every trick, but in a team not necessarily with one player.
    always_sun = every_card and not (moon_scope is MoonScope.TEAM and sun_scope is MoonScope.PLAYER)
    value = rules.sun_value if always_sun else rules.moon_value - queen
    yield "moon", {"moon": rules.moon, "value": value, "queen": queen}
    if rules.sun_value != rules.moon_value and not always_sun and not no_value:
        yield "sun", {"sun_value": rules.sun_value, "sun_scope": sun_scope}


def _with_points(pairs: Iterable[tuple[Card, int]], say: Say) -> Filled:
    return _together([say("card-points", card=card, points=points) for card, points in pairs])


def _ended(rules: Rules, say: Say) -> Iterator[Sentence]:
    teams = _teams(rules)
    scope = rules.target_scope if teams else TargetScope.SIDE
    tested = {"teams": teams, "target_scope": scope, "target_test": rules.target_test}
    if rules.target is not None:
        yield "target", {"target": rules.target, **tested}
    if rules.bonus_target is not None:
        yield "bonus-target", {"bonus_target": rules.bonus_target, **tested}
    if rules.max_deals is not None:
        yield "max-deals", {"max_deals": rules.max_deals}
    if rules.exact_resets:
        totals = [say("reset", total=total, lower=lower) for total, lower in rules.exact_resets]
        yield "exact-resets", {"totals": _together(totals)}
    yield "tie", {"tie": rules.tie}
    yield "score_display", {"score_display": rules.score_display}
