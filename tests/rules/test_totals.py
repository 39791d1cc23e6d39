"""How low totals can go: `bonus_target` is refused exactly where no total can reach it."""

from __future__ import annotations

from random import Random
from typing import Any

from heartsrules import Card, Cards, InvalidRules, Rules, Suit
from heartsrules.play.board import Board
from heartsrules.play.scoring import count_piles, settle
from heartsrules.rules import Bonus, BonusFloor, Doubler, Moon, MoonCards, TargetScope, TargetTest
from heartsrules.rules._totals import lowest_total
from support.rounds import rounds

QUEEN, JACK, TEN, CLUB = map(Card, ("QS", "JD", "TD", "TC"))
HEARTS = list(Rules().deck.of_suit(Suit.HEARTS))
DECK = Rules().deck
VALUES: tuple[dict[str, Any], ...] = ({}, {"queen_points": 0}, {"queen_points": 0, "heart_values": (0,) * 13})
POOL: dict[str, tuple[Any, ...]] = {
    "teams": (0, 0, 2),
    "bonuses": ((), (), (Bonus(JACK, 10),), (Bonus(JACK, 10), Bonus(TEN, 5))),
    "bonus_floor": tuple(BonusFloor),
    "doubler": (None, None, Doubler(CLUB), Doubler(CLUB, 2, 50)),
    "no_tricks_bonus": (0, 0, 0, 0, 5),
    "total_floor": (False, False, False, True),
    "moon": tuple(Moon),
    "moon_cards": tuple(MoonCards),
    "moon_points": (None, None, 1),
    "sun": (False, True),
    "sun_points": (1,),
    "target": (100, 100, None),
    "target_test": tuple(TargetTest),
    "target_scope": tuple(TargetScope),
    "max_deals": (None, 5),
    "exact_resets": (
        *((), (), ((13, -20),), ((13, 5),), ((0, -10),), ((-5, -50),), ((-5, -50), (13, -20))),
        ((1, -3), (0, -10), (-12, -30)),
    ),
}
"""Cards and values of which every total can be made up, so that the options alone decide how far totals go."""
FLOOR, CEILING = -90, 130
"""What is searched; a total that falls as far has no lower bound."""


def rule_set(rng: Random) -> Rules:
    """Options of the pool without a `bonus_target`, so that none is refused for it."""
    while True:
        try:
            drawn = {name: rng.choice(values) for name, values in POOL.items()}
            return Rules(pass_cycle=[()], **drawn, **rng.choice(VALUES))
        except InvalidRules:
            continue


def ends() -> list[tuple[tuple[Cards, ...], tuple[int, ...]]]:
    """Piles and tricks won at the end of a deal: seat 0 has taken everything, nothing, or some of what counts."""
    nothing = Cards()
    found: list[tuple[tuple[Cards, ...], tuple[int, ...]]] = []
    for seat in range(4):
        piles = [nothing] * 4
        piles[seat] = DECK
        found.append((tuple(piles), tuple([13 * (other == seat) for other in range(4)])))
    for extra in ("", "JD", "TC", "JD TC", "JD TD", "JD TD TC"):
        for hearts in (0, 1, 2, 3, 5, 8, 12, 13):
            for queen in (nothing, Cards([QUEEN])):
                own = Cards(HEARTS[:hearts]) + queen + Cards(extra)
                left = DECK - own
                one = left & Cards(HEARTS[-1:])
                # Either one player has taken all the rest that counts, or two have.
                found += [((own, left - part, part, nothing), (len(own), 9, 1, 0)) for part in (nothing, one)]
    return found


ENDS = ends()
OTHERS = ((0, 0, 0), (99, 0, 0), (0, 99, 0), (99, 99, 0), (2, 6, 8), (87, 74, 0))
"""Totals of the others, with which an automatic moon may add points or take them off."""


def lowest_reached(rules: Rules) -> int | None:
    """The lowest total that seat 0 can come to by ever more deals, or None if it falls and falls."""
    resolved = rules._resolved
    automatic = rules.moon in (Moon.AUTO_SAVE, Moon.AUTO_EXTEND)
    effects = rules.moon.effects if rules.moon is Moon.CHOICE else (None,)
    boards: dict[object, Board] = {}
    for piles, won in ENDS:
        board = Board.of(resolved, (0,) * 4, piles, won)
        count_piles(resolved, board, 0)
        seat = board.seats[0]
        counted = (*seat.facts(), seat.won > 0)
        boards.setdefault((counted, board.shooter, board.moon, board.sun, board.has_apart and seat.apart), board)
    reached, pending = {0}, [0]
    while pending:
        total = pending.pop()
        for board in boards.values():
            for others in OTHERS if automatic and board.shooter >= 0 else OTHERS[:1]:
                for seat, before in zip(board.seats, (total, *others), strict=True):
                    seat.total = before
                for effect in effects:
                    settle(resolved, board, (rules.max_deals or 1) - 1, effect)
                    after = board.seats[0].after
                    if after < FLOOR:
                        return None
                    if after <= CEILING and after not in reached:
                        reached.add(after)
                        pending.append(after)
    return min(reached)


def test_totals_go_exactly_as_low_as_the_options_say() -> None:
    """HR-bonus_target.4: of random rule sets, against all totals that ever more deals can lead to."""
    rng = Random("totals")
    lows: set[int | None] = set()
    for _ in range(rounds(150, interpreted=24)):
        rules = rule_set(rng)
        lowest = lowest_total(rules)
        exact = rules.target_test is TargetTest.EXACT_WINS
        if rules.moon is Moon.AUTO_SAVE and (rules.teams or (lowest is None and not exact)):
            continue  # it depends on the totals of the side and of the others, too
        members = 2 if rules.teams and rules.target_scope is TargetScope.SIDE else 1
        low = lowest_reached(rules)
        assert lowest == (None if low is None else low * members), rules
        lows.add(lowest)
        for test in [TargetTest.EXACT_WINS] if exact else [TargetTest.REACHED, TargetTest.EXCEEDED]:
            for target in (1, 3, 5, 6, 10, 20, 30, 40, 60, 100, 1_000_000):
                options = {**rules.changes(), "bonus_target": target, "target_test": test}
                reachable = low is None or -low * members > target - (test is not TargetTest.EXCEEDED)
                assert accepted(options) == reachable, (options, low)
    assert {None, 0} <= lows


def test_a_moon_saves_from_a_total_that_wins_by_being_the_target() -> None:
    """HR-bonus_target.4: it takes a shooter with the lowest total below 0."""
    automatic = {"moon": Moon.AUTO_SAVE, "bonus_target": 10}
    tests = [accepted({**automatic, "target_test": test}) for test in TargetTest]
    assert tests == [False, False, True]
    assert not accepted({**automatic, "target_test": TargetTest.EXACT_WINS, "target": None, "max_deals": 3})


def accepted(options: dict[str, Any]) -> bool:
    """Whether a rule set is accepted; one that is not is refused for its `bonus_target` alone."""
    try:
        Rules(**options)
    except InvalidRules as refusal:
        if refusal.problems[0].code != "unreachable-bonus-target":
            raise
        return False
    return True
