"""Position keys: equal ones mean the same rest of the deal, whatever led there, and what is the same has equal ones."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import attrs
import pytest
from hypothesis import given

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChoosingMoon,
    Exposing,
    GameOver,
    Passing,
    Playing,
    Rules,
    State,
    apply,
    deal,
    legal_moves,
    new_game,
    position_key,
    presets,
    view,
)
from heartsrules.base.values import replaced
from heartsrules.play.sheet import ScoreSheet
from heartsrules.rules import HOLD, Bonus, BonusFloor, Doubler, HeartsLead, Kitty, Moon, OpeningLeader
from heartsrules.rules.presets import ALL
from heartsrules.setup import Setup, check
from support.random_play import reached
from support.rounds import SEED, laws, rounds
from support.strategies import Match, choose, match, matches, random_rules, random_table

pytestmark = pytest.mark.once_compiled

ROUNDS: Final = rounds(100)

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "search-a-deal.md"

FEW: Final = 600
"""All that can follow a state is looked at if it is no more than so many states."""


def end_of(state: State) -> tuple[int, ...]:
    """The points of the deal that has just ended."""
    assert isinstance(state, (AwaitingDeal, GameOver))
    return state.score_sheet[-1].points


def key_in_deal(state: State) -> Hashable:
    """The key; after the deal its points, since what follows it may differ."""
    return end_of(state) if isinstance(state, (AwaitingDeal, GameOver)) else position_key(state)


# ----------------------------------------------------------------------------------- everything that can follow


class TooLargeError(Exception):
    """More can follow a state than is looked at."""


@attrs.define
class Tree:
    """All that can follow a state until the end of its deal, every order of moves on its own."""

    most: int
    nodes: int = 0
    known: dict[Hashable, tuple[Any, Any]] = attrs.field(factory=dict)
    """By key, the legal moves and the keys that follow them."""
    classes: dict[Any, int] = attrs.field(factory=dict)
    """A number for each way in which a deal can go on: the moves, and how it goes on after each."""
    of_key: dict[Hashable, int] = attrs.field(factory=dict)

    def grow(self, state: State) -> int:
        """The number of how the deal can go on from here."""
        self.nodes += 1
        if self.nodes > self.most:
            raise TooLargeError
        if isinstance(state, (AwaitingDeal, GameOver)):
            return self.number(end_of(state))
        key = position_key(state)
        moves = tuple(legal_moves(state))
        following = [apply(state, move) for move in moves]
        law = (moves, tuple([key_in_deal(after) for after in following]))
        assert self.known.setdefault(key, law) == law
        way = self.number((moves, tuple([self.grow(after) for after in following])))
        assert self.of_key.setdefault(key, way) == way
        return way

    def number(self, way: Any) -> int:
        return self.classes.setdefault(way, len(self.classes))


def endgames(rules: Rules, rng: Random, most: int) -> Iterator[Tree]:
    """Of each deal of a match, all that can follow the earliest lead for which that is little enough."""
    leads: list[Playing] = []
    for state, _, following in match(rules, rng, max_deals=2):
        if isinstance(state, Playing) and not state.trick:
            leads.append(state)
        if isinstance(following, (AwaitingDeal, GameOver)):
            whole = None
            for lead in reversed(leads):
                tree = Tree(most)
                try:
                    tree.grow(lead)
                except TooLargeError:
                    break
                whole = tree
            if whole is not None:
                yield whole
            leads = []


def test_equal_keys_mean_the_same_rest_of_the_deal_and_mostly_the_other_way_round() -> None:
    rng = Random(SEED)
    nodes = keys = ways = 0
    for _ in range(60):
        for tree in endgames(random_rules(rng), rng, FEW):
            nodes += tree.nodes
            keys += len(tree.known)
            ways += len(set(tree.of_key.values()))
    assert nodes > 1.1 * keys > 3000
    assert ways <= keys < 1.4 * ways, "some states go on alike and have different keys, but few"


@pytest.mark.long
@pytest.mark.parametrize("part", range(2))
def test_equal_keys_mean_the_same_rest_over_many_rule_sets(part: int) -> None:
    for number in range(part, ROUNDS, 2):
        rng = Random(f"{SEED} {number}")
        try:
            list(endgames(random_rules(rng), rng, 5 * FEW))
        except AssertionError as error:
            error.add_note(f"HEARTSRULES_SEED={SEED!r}, round {number}")
            raise


# ------------------------------------------------------------------------------------- states with another history


def _bag_swap(one: Cards, other: Cards, give: Card, take: Card) -> tuple[Cards, Cards]:
    return one - Cards([give]) + Cards([take]), other - Cards([take]) + Cards([give])


def other_scores(state: Playing, rng: Random) -> Playing:
    scores = tuple([rng.randrange(-20, 120) for _ in state.scores])
    return with_sheet(state, ScoreSheet(scores, state.deal_number, (), state.score_sheet.queen_taker))


def other_deal(state: Playing, rng: Random) -> Playing:
    number = state.deal_number + rng.randrange(1, 12)
    return with_sheet(state, ScoreSheet(state.scores, number, (), state.score_sheet.queen_taker))


def other_sheet(state: Playing, rng: Random) -> Playing:
    taker = rng.randrange(state.rules.players)
    changed = with_sheet(state, ScoreSheet(state.scores, state.deal_number, (), taker))
    return replaced(changed, secrets=replaced(changed.secrets, passes=(), resumed_from=None))


def other_tricks(state: Playing, rng: Random) -> Playing:
    tricks = list(state.tricks)
    rng.shuffle(tricks)
    return replaced(state, public=replaced(state.public, tricks=tuple(tricks)))


def other_piles(state: Playing, rng: Random) -> Playing:
    """Two captured cards change places."""
    piles = list(state.public.captured)
    full = [seat for seat, pile in enumerate(piles) if pile]
    if len(full) < 2:
        return state
    one, other = rng.sample(full, 2)
    give, take = rng.choice(list(piles[one])), rng.choice(list(piles[other]))
    if take is give or piles[one].count(take) == 2 or piles[other].count(give) == 2:
        return state
    piles[one], piles[other] = _bag_swap(piles[one], piles[other], give, take)
    return replaced(state, public=replaced(state.public, captured=tuple(piles)))


def other_winner(state: Playing, rng: Random) -> Playing:
    """A trick was won by somebody else."""
    won = list(state.tricks_won)
    winners = [seat for seat, count in enumerate(won) if count]
    if not winners:
        return state
    won[rng.choice(winners)] -= 1
    won[rng.randrange(len(won))] += 1
    return replaced(state, public=replaced(state.public, tricks_won=tuple(won)))


def broken_or_not(state: Playing, _: Random) -> Playing:
    return replaced(state, hearts_broken=not state.hearts_broken)


def other_shown(state: Playing, rng: Random) -> Playing:
    exposed = [Cards()] * state.rules.players
    for card in state.rules.exposable:
        if rng.randrange(2):
            seat = rng.randrange(len(exposed))
            exposed[seat] += Cards([card])
    return in_start(state, exposed=tuple(exposed))


def other_rest(state: Playing, rng: Random) -> Playing:
    """A card of the kitty that nobody has taken yet, or one that is set aside, changes places with a captured one."""
    rules = state.rules
    seat = rng.randrange(rules.players)
    pile = state.public.captured[seat]
    aside = rng.randrange(2) == 0
    rest = state.set_aside if aside else state.kitty
    if not pile or not rest or (not aside and state.kitty_winner is not None):
        return state
    give, take = rng.choice(list(pile)), rng.choice(list(rest))
    marks = rules._resolved.kitty_marks
    if give is take or (give.bit & marks != 0) != (take.bit & marks != 0):
        return state  # a captured card of the kind would have brought the kitty
    if pile.count(take) == 2 or rest.count(give) == 2:
        return state
    pile, rest = _bag_swap(pile, rest, give, take)
    captured = state.public.captured
    piles = (*captured[:seat], pile, *captured[seat + 1 :])
    changed = replaced(state, public=replaced(state.public, captured=piles))
    if aside:
        return replaced(changed, public=replaced(changed.public, set_aside=rest))
    return with_kitty(changed, rest)


def with_sheet(state: Playing, sheet: ScoreSheet) -> Playing:
    return in_start(state, score_sheet=sheet)


def with_kitty(state: Playing, kitty: Cards) -> Playing:
    return replaced(state, secrets=replaced(state.secrets, kitty=kitty))


def in_start(state: Playing, **changes: Any) -> Playing:
    return replaced(state, public=replaced(state.public, start=replaced(state.start, **changes)))


CHANGES: Final[dict[str, Callable[[Playing, Random], Playing]]] = {
    change.__name__: change
    for change in (
        other_scores,
        other_deal,
        other_sheet,
        other_tricks,
        other_piles,
        other_winner,
        broken_or_not,
        other_shown,
        other_rest,
    )
}


def play_both(one: State, other: State, rng: Random) -> None:
    """Play the same moves in both until the deal ends: the law of equal keys, all the way."""
    table = random_table(rng, one.rules)
    while not isinstance(one, (AwaitingDeal, GameOver)):
        assert position_key(one) == position_key(other)
        assert legal_moves(one) == legal_moves(other)
        move = choose(one, table, rng)
        one, other = apply(one, move), apply(other, move)
    assert end_of(one) == end_of(other)


def changed_pairs(rules: Rules, rng: Random, seen: Counter[str]) -> None:
    """States of a match with another history each: where the keys are equal, so is the rest of the deal."""
    for state, _, _ in match(rules, rng, max_deals=2):
        if not isinstance(state, Playing) or rng.randrange(4):
            continue
        names = rng.sample(sorted(CHANGES), rng.choice((1, 1, 1, 2, 3)))
        other = state
        for name in names:
            other = CHANGES[name](other, rng)
        if other == state:
            continue
        if position_key(other) == position_key(state):
            seen["equal"] += 1
            seen.update([f"{name} equal" for name in names])
            for _ in range(2):
                play_both(state, other, rng)
        else:
            seen.update([f"{name} different" for name in names[: len(names) == 1]])


@pytest.mark.long
def test_another_history_with_an_equal_key_makes_no_difference() -> None:
    rng = Random("keys")
    seen: Counter[str] = Counter()
    for _ in range(250):
        changed_pairs(random_rules(rng), rng, seen)
    assert seen["equal"] > 500
    # Every change makes a difference under some rules and none under others, but for the order of the tricks.
    assert [name for name in CHANGES if not seen[f"{name} equal"]] == []
    history = {"other_sheet", "other_tricks"}
    assert [name for name in CHANGES if not seen[f"{name} different"] and name not in history] == []


@pytest.mark.long
def test_another_history_makes_no_difference_over_many_rule_sets() -> None:
    seen: Counter[str] = Counter()
    for number in range(ROUNDS):
        rng = Random(f"{SEED} history {number}")
        try:
            changed_pairs(random_rules(rng), rng, seen)
        except AssertionError as error:
            error.add_note(f"HEARTSRULES_SEED={SEED!r}, round {number}")
            raise


@pytest.mark.long
def test_before_the_first_lead_too() -> None:
    """The same cards in another match: another deal with the same step, other totals, another taker of the queen."""
    rng = Random(SEED)
    seen: Counter[tuple[str, bool]] = Counter()
    for _ in range(400):
        rules = random_rules(rng)
        number = rng.randrange(3)
        starts = [AwaitingDeal(rules, ScoreSheet((0,) * rules.players, number), None)]
        later = number + rng.choice((0, 1, rules.players)) * len(rules.pass_cycle)
        scores = starts[0].scores if rng.randrange(2) else tuple([rng.randrange(90) for _ in starts[0].scores])
        taker = rng.choice((None, rng.randrange(rules.players)))
        starts.append(AwaitingDeal(rules, ScoreSheet(scores, later, (), taker), None))
        table = random_table(rng, rules)
        states: list[State] = list(starts)
        equal = position_key(states[0]) == position_key(states[1])
        seen["deal", equal] += 1
        if not equal:
            continue
        move = choose(states[0], table, rng)
        states = [apply(state, move) for state in states]
        seen[type(states[0]).__name__, equal] += 1
        play_both(states[0], states[1], rng)
    assert min([seen[phase, True] for phase in ("deal", "Passing", "Exposing", "Playing")]) > 5
    assert seen["deal", False] > 50


def test_what_the_next_deal_depends_on() -> None:
    """Step, dealer and taker of the queen are in the key as far as the rules ask for them."""

    def key(rules: Rules, number: int = 0, scores: Sequence[int] = (0, 0, 0, 0), taker: int | None = None) -> Hashable:
        return position_key(AwaitingDeal(rules, ScoreSheet(tuple(scores), number, (), taker), None))

    assert key(Rules()) == key(Rules(), 4) == key(Rules(), 4, (9, 9, 9, 9), 2)
    assert key(Rules()) != key(Rules(), 1)
    left = Rules(opening_leader=OpeningLeader.DEALER_LEFT, pass_cycle=[HOLD])
    assert key(left) == key(left, 4) != key(left, 1)
    queen = Rules(opening_leader=OpeningLeader.QUEEN_TAKER, pass_cycle=[HOLD])
    assert key(queen, 1, taker=2) == key(queen, 2, taker=2) != key(queen, 2, taker=3)
    floor = Rules(bonuses=[Bonus(Card("JD"), 10)], bonus_floor=BonusFloor.TOTAL, pass_cycle=[HOLD])
    assert key(floor, 1) == key(floor, 2) != key(floor, 2, (9, 9, 9, 9))
    saved = Rules(moon=Moon.AUTO_SAVE, max_deals=5, pass_cycle=[HOLD])
    assert key(saved, 1) == key(saved, 3) != key(saved, 4)
    assert key(saved, 1) != key(saved, 1, (9, 9, 9, 9))


# --------------------------------------------------------------------------------------------------- the key itself


@laws(60)
@given(matches())
def test_a_key_is_a_value_and_belongs_to_the_state(played: Match) -> None:
    for state in (played.states[0], *played.states[1::7], played.states[-1]):
        key = position_key(state)
        again = check(Setup.of(state))
        assert position_key(again) == key
        assert hash(position_key(again)) == hash(key)
        assert pickle.loads(pickle.dumps(key)) == key
        assert len({key, position_key(state)}) == 1


def test_phases_and_rules_have_keys_of_their_own() -> None:
    rng = Random(SEED)
    kinds: dict[type[State], Hashable] = {}
    rules = Rules(exposable="QS", moon=Moon.CHOICE, max_deals=30, target=None)
    for state, _, following in match(rules, rng, max_deals=30):
        kinds[type(state)] = position_key(state)
        kinds[type(following)] = position_key(following)
    assert kinds.keys() == {AwaitingDeal, Passing, Exposing, Playing, ChoosingMoon, GameOver}
    assert len(set(kinds.values())) == len(kinds)
    start = new_game(Rules(pass_cycle=[HOLD]))
    dealt = deal(start, seed=7)
    keys = {
        position_key(apply(new_game(rules), dealt))
        for rules in (Rules(pass_cycle=[HOLD]), Rules(pass_cycle=[HOLD], target=50))
    }
    assert len(keys) == 2


def test_a_moon_that_is_lost_makes_no_difference_any_more() -> None:
    rules = Rules(moon=Moon.AUTO_EXTEND, pass_cycle=[HOLD])
    start = apply(new_game(rules), deal(new_game(rules), seed=7))
    assert isinstance(start, Playing)
    richer = other_scores(start, Random(1))
    assert position_key(start) != position_key(richer)
    piles = (Cards("2H 3H 4H 5H"), Cards("6H 7H 8H 9H"), Cards(), Cards())
    alone = (Cards(), *piles[:1], Cards(), Cards())
    for captured, equal in ((piles, True), (alone, False)):
        both = [replaced(state, public=replaced(state.public, captured=captured)) for state in (start, richer)]
        assert (position_key(both[0]) == position_key(both[1])) is equal


def test_broken_hearts_make_a_difference_only_to_cards_that_wait_for_it() -> None:
    hands = (Cards("2C QS"), Cards("3C KS"), Cards("4C AS"), Cards("5C 2S"))
    for rules, held, equal in (
        (Rules(), "QS", True),
        (Rules(), "2H", False),
        (Rules(queen_discard_after_hearts=True), "QS", False),
        (Rules(hearts_lead=HeartsLead.ANY_TIME), "2H", True),
        (Rules(hearts_lead=HeartsLead.POINTS_WHEN_BROKEN), "QS", False),
    ):
        start = apply(new_game(attrs.evolve(rules, pass_cycle=[HOLD])), deal(new_game(rules), seed=7))
        assert isinstance(start, Playing)
        state = replaced(start, hands=(Cards(["2C", held][0]) + Cards(held), *hands[1:]))
        keys = [position_key(replaced(state, hearts_broken=broken)) for broken in (False, True)]
        assert (keys[0] == keys[1]) is equal, rules


def test_who_captured_which_card_makes_a_difference_only_as_it_counts() -> None:
    def key(rules: Rules, *piles: str) -> Hashable:
        start = apply(new_game(rules), deal(new_game(rules), seed=7))
        assert isinstance(start, Playing)
        captured = tuple([Cards(pile) for pile in piles])
        return position_key(replaced(start, public=replaced(start.public, captured=captured)))

    plain = Rules(pass_cycle=[HOLD])
    one = ("2H 3H 9C TC", "QS 4H 2C 3C", "", "")
    assert key(plain, *one) == key(plain, "4H 3H 9C 2C", "QS 2H TC 3C", "", "")
    assert key(plain, *one) != key(plain, "2H 9C 2C 3C", "QS 4H 3H TC", "", "")
    jack = Rules(pass_cycle=[HOLD], bonuses=[Bonus(Card("JD"), 10)], doubler=Doubler(Card("TC")))
    assert key(jack, "JD 2C", "3C 4C", "", "") != key(jack, "3C 2C", "JD 4C", "", "")
    assert key(jack, "TC 2C", "3C 4C", "", "") != key(jack, "3C 2C", "TC 4C", "", "")
    assert key(jack, "TC 2C", "3C 4C", "", "") == key(jack, "TC 4C", "3C 2C", "", "")
    tricks = Rules(pass_cycle=[HOLD], no_tricks_bonus=5)
    assert key(tricks, *one) == key(tricks, "4H 3H 9C 2C", "QS 2H TC 3C", "", "")


def test_the_kitty_counts_before_and_after_it_is_taken() -> None:
    rules = Rules(hand_size=12, kitty=Kitty.LAST_TRICK, pass_cycle=[HOLD])
    start = apply(new_game(rules), deal(new_game(rules), seed=7))
    assert isinstance(start, Playing)
    kitties = [start.kitty, Cards("2C 3C 4C 5C"), Cards("2C 3C 4C 6C"), Cards("2C 3C 4C 2H")]
    keys = [position_key(with_kitty(start, kitty)) for kitty in kitties]
    assert keys[1] == keys[2] != keys[3]
    taken = replaced(start, public=replaced(start.public, kitty_winner=1))
    keys = [position_key(with_kitty(taken, kitty)) for kitty in kitties]
    assert keys[1] == keys[2] != keys[3], "its cards count in the pile of its winner"


def test_a_view_has_no_key() -> None:
    wrong: Any
    for wrong in (view(new_game(Rules()), 0), None, 3, Rules()):
        with pytest.raises(TypeError, match="state must be a State, not"):
            position_key(wrong)


# --------------------------------------------------------------------------------------------------------- searching


def search(state: State, key_of: Callable[[State], Hashable], counts: Counter[str]) -> None:
    """Visit all that can follow in a deal, but what a table knows already."""
    table: set[Hashable] = set()

    def visit(state: State) -> None:
        counts["nodes"] += 1
        if isinstance(state, (AwaitingDeal, GameOver)):
            return
        key = key_of(state)
        if key in table:
            counts["hits"] += 1
            return
        table.add(key)
        for move in legal_moves(state):
            visit(apply(state, move))

    visit(state)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", [0, 2])
def test_the_page_tells_what_a_search_looks_at(seed: int) -> None:
    rules = Rules(pass_cycle=[HOLD])
    state = apply(new_game(rules), deal(new_game(rules), seed=seed))
    state = reached(state, lambda state: not state.trick and len(state.hands[0]) <= 4, Random(seed))
    whole, keyed = Counter[str](), Counter[str]()
    search(state, lambda state: state, whole)
    search(state, position_key, keyed)
    row = f"| {seed} | {whole['nodes']:,} | {whole['hits']} | {keyed['nodes']:,} | {keyed['hits']:,} |"
    assert row in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "name", ["microsoft", "gong_zhu", pytest.param("dicegamedepot_cancellation", marks=pytest.mark.long)]
)
def test_a_search_finds_positions_again_by_their_keys_alone(name: str) -> None:
    rules = getattr(presets, name)(**({} if name == "microsoft" else {"players": ALL[name].players[0]}))
    rng = Random(SEED)
    deal_of = [state for state, _, _ in match(rules, rng, max_deals=1) if isinstance(state, Playing)]
    state = [state for state in deal_of if not state.trick][-3]
    whole, keyed = Counter[str](), Counter[str]()
    search(state, lambda state: state, whole)
    search(state, position_key, keyed)
    assert whole["hits"] == 0
    assert keyed["hits"] > keyed["nodes"] // 10
    assert keyed["nodes"] < whole["nodes"] // 2
