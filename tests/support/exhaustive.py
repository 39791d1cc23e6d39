"""Small worlds, whole: every deal of a deck of eight or nine cards and every line of play, in the engine and the model.

`python -m support.exhaustive` plays them under rule sets that have, between them, every pair of values of the options,
as far as the rules let both stand together. At every state the engine and the naive model must have the same legal
moves, and a reason against every other card; after every trick and deal, the same of all that both know.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, islice
from typing import Any, Final, TypeAlias

import attrs

from heartsrules import (
    Card,
    Cards,
    Deal,
    InvalidRules,
    Move,
    Playing,
    Rules,
    State,
    apply,
    legal_moves,
    new_game,
    to_act,
    why_illegal_cards,
)
from heartsrules.rules import HOLD, Bonus, Doubler
from support.against_model import PHASES, Disagreement, known_of, make_in_model, report, to_model
from support.naive import Model

__all__ = ["LEFT_OUT", "VALUES", "WORLDS", "Count", "deals_of", "explore", "pairs_of", "pairwise"]

WORLDS: Final[Mapping[str, tuple[int, int, str, bool]]] = {
    "four players": (4, 1, "2C TC JD 2S QS 2H 3H AH", False),
    "four players, two decks": (4, 2, "2C 2C JD JD QS QS 2H 2H", False),
    "three players": (3, 1, "2C 3C TC 2D JD 2S QS 2H AH", False),
    "three players, two decks": (3, 2, "2C 2C TC TC JD QS QS 2H 2H", False),
    "three players, a kitty": (3, 1, "2C 3C TC JD 2S QS KS AH", True),
}
"""By name: the count of players, that of the decks, the cards in play, and whether some are left over."""
LEFT_OUT: Final[Mapping[str, str]] = {
    **dict.fromkeys(("players", "decks", "removed", "hand_size"), "they make the world"),
    **dict.fromkeys(("pass_cycle", "pass_optional", "unpassable"), "a pass only leads to another one of the deals"),
    **dict.fromkeys(("kitty_shown_to", "score_display"), "they change what is shown, not what is played"),
    "max_deals": "one deal is played",
}
"""The options that are the same in all rule sets, with the reason."""
VALUES: Final[Mapping[str, Sequence[Any]]] = {
    "world": tuple(WORLDS),
    "teams": (0, 2),
    "first_dealer": (0, 2),
    "exposable": ("", "QS", "AH JD"),
    "compulsory_cards": ("QS", "QS JD"),
    "heart_values": ("one", (0,) + (2,) * 12),
    "queen_points": (13, 0),
    "extra_penalties": ((), ((Card("2C"), 3),)),
    "bonuses": ((), (Bonus(Card("JD"), 10),)),
    "doubler": (None, Doubler(Card("TC"), 2, 5)),
    "no_tricks_bonus": (0, 5),
    "moon_points": (None, 20),
    "moon_factor": (1, 2),
    "sun_points": (None, 39),
    "target": (13, 100),
    "bonus_target": (None, 10),
    "exact_resets": ((), ((13, 5), (5, 0))),
    **{
        option.name: option.choices
        for option in Rules.OPTIONS
        if option.kind.name in ("CHOICE", "BOOL") and option.name not in LEFT_OUT
    },
}
"""The values that are tried of each option, and the worlds."""

_WHOLE: Final = {decks: Rules(decks=decks).deck for decks in (1, 2)}

Setting: TypeAlias = tuple[str, int]
"""An option and the number of one of its values."""
Pair: TypeAlias = frozenset[Setting]


# --------------------------------------------------------------------------------------------------- the rule sets


def made(chosen: Mapping[str, int]) -> Rules:
    """The rule set of some values, by their numbers; what is not named is the default.

    Raises:
        InvalidRules: they cannot stand together.
    """
    fields = {name: VALUES[name][number] for name, number in chosen.items()}
    players, decks, cards, left_over = WORLDS[str(fields.pop("world", "four players"))]
    if fields.get("heart_values") == "one":
        del fields["heart_values"]
    whole = _WHOLE[decks]
    size = len(cards.split()) // players
    return Rules(
        players=players,
        decks=decks,
        removed=whole - Cards(cards),
        hand_size=size if left_over else None,
        pass_cycle=(HOLD,),
        **{"target": 13, **fields},
    )


def pairs_of(chosen: Mapping[str, int]) -> set[Pair]:
    """The pairs of values in a rule set."""
    return {frozenset(pair) for pair in combinations(chosen.items(), 2)}


def _drawn(fixed: Mapping[str, int], rng: random.Random) -> dict[str, int] | None:
    """A rule set with some values and others, drawn at random, that may stand beside them; None: none was found."""
    chosen: dict[str, int] = {name: rng.randrange(len(values)) for name, values in VALUES.items()} | dict(fixed)
    for _ in range(40):
        try:
            made(chosen)
        except InvalidRules as refusal:
            # One of the options that are to blame becomes another one.
            blamed = [name for name in refusal.problems[0].fields if name in chosen and name not in fixed]
            if not blamed:
                return None
            name = rng.choice(blamed)
            chosen[name] = rng.randrange(len(VALUES[name]))
        else:
            return chosen
    return None


@cache
def pairwise(seed: str = "pairs") -> tuple[list[dict[str, int]], set[Pair]]:
    """Rule sets that have every pair of values between them, and the pairs for which none was found."""
    rng = random.Random(seed)
    settings = [(name, number) for name, values in VALUES.items() for number in range(len(values))]
    wanted = {frozenset(pair) for pair in combinations(settings, 2) if pair[0][0] != pair[1][0]}
    pool = [chosen for chosen in [_drawn({}, rng) for _ in range(300)] if chosen is not None]
    found: list[dict[str, int]] = []
    while pool:
        gains = [len(pairs_of(chosen) & wanted) for chosen in pool]
        best = gains.index(max(gains))
        # The last pairs are aimed at.
        if gains[best] < 20:
            break
        found.append(pool.pop(best))
        wanted -= pairs_of(found[-1])
    refused: set[Pair] = set()
    for pair in sorted(wanted, key=sorted):
        if pair in wanted:
            drawn = [chosen for chosen in [_drawn(dict(pair), rng) for _ in range(12)] if chosen is not None]
            if drawn:
                found.append(max(drawn, key=lambda chosen: len(pairs_of(chosen) & wanted)))
                wanted -= pairs_of(found[-1])
            else:
                refused.add(pair)
    return found, refused


# --------------------------------------------------------------------------------------------------------- the worlds


@attrs.define
class Count:
    """What was gone through."""

    deals: int = 0
    states: int = 0
    ends: int = 0
    """Finished deals that differ in their piles."""


def deals_of(rules: Rules) -> Iterator[Deal]:
    """Every deal of a rule set, equal cards being one and the same."""
    players, size = rules.players, rules.cards_per_hand

    def hands(rest: tuple[Card, ...], count: int) -> Iterator[tuple[Cards, ...]]:
        if not count:
            yield (Cards(rest),)
            return
        for hand in dict.fromkeys(combinations(rest, size)):
            left = list(rest)
            for card in hand:
                left.remove(card)
            for others in hands(tuple(left), count - 1):
                yield (Cards(hand), *others)

    for dealt in hands(tuple(rules.deck), players):
        yield Deal(dealt[:-1], dealt[-1])


def explore(rules: Rules, *, every: int = 1, model: type[Model] = Model) -> Count:
    """Play every line of every deal of a rule set in the engine and in the model.

    Args:
        rules: the rule set; no cards are passed under it.
        every: of the deals, only one in so many.
        model: the model; a copy of it may have a fault.

    Raises:
        Disagreement: they differ.
    """
    count = Count()
    for move in islice(deals_of(rules), 0, None, every):
        count.deals += 1
        state = apply(new_game(rules), move)
        own = model(rules)
        make_in_model(own, move)
        _compare(state, own, [move])
        _explore(state, own, [move], count, set())
    return count


def _explore(state: State, model: Model, moves: list[Move], count: Count, seen: set[Hashable]) -> None:
    """Go through all that can follow a state of a deal; those that were seen are left out."""
    count.states += 1
    # Who shows first makes no difference where all show together.
    seat = min(to_act(state))
    legal = legal_moves(state, seat)
    told = [to_model(move) for move in legal]
    expected = [move for move in model.legal_moves() if move[1] == seat]
    if sorted(told) != sorted(expected):
        raise Disagreement(report(state.rules, moves, f"legal moves {told} in the engine, {expected} in the model"))
    if isinstance(state, Playing):
        free = {str(card) for card, reasons in why_illegal_cards(state) if not reasons}
        if free != {card for _, _, card in expected}:
            raise Disagreement(report(state.rules, moves, f"no reason against {free}"))
    for move, own in zip(legal, told, strict=True):
        after = apply(state, move)
        other = model.branch()
        other.apply(own)
        path = [*moves, move]
        if not isinstance(after, Playing) or not after.trick:
            _compare(after, other, path)
        elif (after.turn, after.hearts_broken) != (other.seat, other.hearts_broken):
            raise Disagreement(report(state.rules, path, "whose turn it is, or whether hearts are broken"))
        key = _key(after)
        if key in seen:
            continue
        seen.add(key)
        if PHASES[type(after)] in ("play", "expose", "moon"):
            _explore(after, other, path, count, seen)
        else:
            count.ends += 1


def _key(state: State) -> Hashable:
    """All that the rest of a deal depends on, and that its score does."""
    if not isinstance(state, Playing):
        return state
    piles = (state.captured, state.tricks_won, state.set_aside, state.kitty_winner)
    return state.hands, state.turn, state.trick, state.hearts_broken, piles, state.public._waiting, state.exposed


def _compare(state: State, model: Model, moves: list[Move]) -> None:
    for name, engine, own in known_of(state, model):
        if engine != own:
            raise Disagreement(report(state.rules, moves, f"{name}: {engine!r} in the engine, {own!r} in the model"))


def main() -> int:
    """Go through the worlds, and say how many states they have. Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m support.exhaustive", description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="only one in so many deals of each world")
    parser.add_argument("--part", default="1/1", help="such as 2/3: only the second of every three rule sets")
    asked = parser.parse_args()
    part, parts = map(int, asked.part.split("/"))
    sets, refused = pairwise()
    total: dict[str, Count] = {world: Count() for world in WORLDS}
    for chosen in sets[part - 1 :: parts]:
        rules = made(chosen)
        count = explore(rules, every=asked.every)
        whole = total[list(WORLDS)[chosen["world"]]]
        whole.deals += count.deals
        whole.states += count.states
        whole.ends += count.ends
    for world, count in total.items():
        print(f"{world}: {count.deals:,} deals, {count.states:,} states, {count.ends:,} ends")
    pairs = set().union(*[pairs_of(chosen) for chosen in sets])
    print(f"{len(sets)} rule sets with {len(pairs):,} pairs of values; {len(refused)} pairs cannot stand together")
    return 0


if __name__ == "__main__":
    sys.exit(main())
