"""The solver: endings with open cards, against plain max^n over the states, and what it must not need."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final, cast

import pytest

from heartsrules import (
    COMPILED,
    Card,
    Cards,
    ChooseMoon,
    ChoosingMoon,
    Play,
    Playing,
    Rules,
    State,
    Suit,
    apply,
    deal,
    legal_moves,
    new_game,
    presets,
)
from heartsrules.analysis import Solution, TooManyPositions, _solving, solve
from heartsrules.cards import ALL_FACES
from heartsrules.formats.notation import parse_position
from heartsrules.rules import (
    Bonus,
    BonusFloor,
    Duplicates,
    FirstTrick,
    HeartsLead,
    Kitty,
    Moon,
    MoonCards,
    OpeningCard,
    OpeningLeader,
    Tie,
)
from heartsrules.setup import set_up
from support.benches import bench
from support.rounds import SEED, rounds
from support.strategies import match, random_rules

pytestmark = pytest.mark.once_compiled

FEW: Final = 300
MANY: Final = 600


def side_of(rules: Rules, seat: int) -> tuple[int, ...]:
    return rules.sides[rules.side(seat)]


def plainly(state: State, against: tuple[int, ...] = ()) -> tuple[int, ...]:
    """The points of the deal by seat: every state is looked at, and the first of the best moves is taken."""
    if not isinstance(state, Playing | ChoosingMoon):
        return state.score_sheet[-1].points
    best: tuple[int, tuple[int, ...]] | None = None
    for move in legal_moves(state):
        points = plainly(apply(state, move), against)
        assert isinstance(move, Play | ChooseMoon)
        own = side_of(state.rules, move.seat)
        if against and own != against:
            worth = -sum(points[seat] for seat in against)
        else:
            worth = sum(points[seat] for seat in own)
        if best is None or worth < best[0]:
            best = worth, points
    assert best is not None
    return best[1]


def solved_plainly(state: Playing | ChoosingMoon, paranoid: bool) -> list[tuple[int, ...]]:
    moves = legal_moves(state)
    seat = state.shooter if isinstance(state, ChoosingMoon) else state.turn
    against = side_of(state.rules, seat) if paranoid else ()
    return [plainly(apply(state, move), against) for move in moves]


def endings(rng: Random) -> Iterator[Playing | ChoosingMoon]:
    """For ever, endings of aimed deals of random rule sets: three tricks of up to four players, else two, or less."""
    while True:
        rules = random_rules(rng)
        tricks = rng.choice((2, 3)) if rules.players <= 4 else 2
        cards = rules.players * tricks - rng.choice((0, rng.randrange(rules.players)))
        found = False
        for before, _, state in match(rules, rng, 2):
            if isinstance(state, ChoosingMoon):
                yield state
            elif isinstance(state, Playing):
                # One of each deal: the others follow from it.
                if not found and sum(map(len, state.hands)) <= cards:
                    found = True
                    yield state
            elif isinstance(before, Playing | ChoosingMoon):
                found = False


def reached(state: Playing | ChoosingMoon, points: list[tuple[int, ...]]) -> Iterator[str]:
    rules = state.rules
    if isinstance(state, ChoosingMoon):
        yield "a shooter chooses"
        return
    played = state
    if state.trick:
        yield "a trick has begun"
    if rules.decks == 2:
        yield "two decks"
        if rules.duplicates is Duplicates.CANCEL and played.trick_number + 2 <= rules.cards_per_hand:
            yield "two decks, tricks that nobody may win"
    if played.set_aside:
        yield "cards are set aside"
    if rules.teams:
        yield "teams"
    if rules.kitty is not Kitty.NONE and played.kitty_winner is None and played.kitty:
        yield "the kitty waits"
    if rules.no_tricks_bonus and not all(played.tricks_won):
        yield "a seat has not won a trick"
    if rules.doubler is not None:
        yield "a doubler"
    if rules.bonuses and rules.bonus_floor is not BonusFloor.NONE:
        yield "a floor"
    if any(state.face_up):
        yield "shown cards"
    holders = [seat for seat, pile in enumerate(played.captured) if pile & rules.penalty_cards]
    if rules.moon is not Moon.OFF and len(holders) == 1:
        yield "one pile has all the points so far"
    if len(set(points)) > 1:
        yield "the moves differ"
    if min(map(min, points)) < 0:
        yield "less than nothing"


LEAST: Final = {
    "a shooter chooses": 1,
    "a trick has begun": 60,
    "two decks": 20,
    "two decks, tricks that nobody may win": 1,
    "cards are set aside": 1,
    "teams": 8,
    "the kitty waits": 3,
    "a seat has not won a trick": 8,
    "a doubler": 10,
    "a floor": 15,
    "shown cards": 2,
    "one pile has all the points so far": 10,
    "the moves differ": 40,
    "less than nothing": 20,
}
"""In 200 endings, about a third of what is usual."""


def agree(rounds: int, seed: str) -> Counter[str]:
    rng = Random(seed)
    seen: Counter[str] = Counter()
    source = endings(rng)
    for _ in range(rounds):
        state = next(source)
        for paranoid in (False, True):
            points = solved_plainly(state, paranoid)
            solution = solve(state, paranoid=paranoid)
            assert solution.moves == tuple(legal_moves(state))
            assert list(solution.points) == points, (paranoid, state)
            worth = [sum(each[seat] for seat in side_of(state.rules, solution.best.seat)) for each in points]
            assert solution.chosen == worth.index(min(worth))
        seen.update(reached(state, points))
    return seen


def test_endings_of_random_rule_sets_agree_with_plain_search() -> None:
    number = rounds(FEW)
    seen = agree(number, f"{SEED}, the last tricks of deals")
    missing = {name: seen[name] for name, least in LEAST.items() if seen[name] < least * number // 200}
    assert not missing


@pytest.mark.long
def test_more_endings_agree_with_plain_search() -> None:
    agree(rounds(MANY), f"{SEED}, more")


@pytest.mark.parametrize(
    "name", ["gong_zhu", "leekha", "omnibus", "partner_hearts", "spot_hearts", "pagat_cancellation"]
)
def test_longer_endings_of_presets_agree_with_plain_search(name: str) -> None:
    """Three tricks of four players, two of six."""
    rng = Random(f"{SEED} {name}")
    rules = presets.ALL[name]()
    for _ in range(2):
        tricks = 3 if rules.players < 6 and COMPILED else 2
        state: Any = next(
            after
            for _, _, after in match(rules, rng, 1)
            if isinstance(after, Playing) and after.trick_number == rules.cards_per_hand - tricks and not after.trick
        )
        assert list(solve(state).points) == solved_plainly(state, False)


FREELY: Final[dict[str, Any]] = {
    "pass_cycle": ((),),
    "opening_leader": OpeningLeader.DEALER_LEFT,
    "opening_card": OpeningCard.UNRESTRICTED,
    "first_trick": FirstTrick.FREE,
    "hearts_lead": HeartsLead.ANY_TIME,
    "target": None,
    "max_deals": 1,
}
JACK: Final = Card("JD")
SUITS: Final = {suit.letter: list(Rules().deck.of_suit(suit) - Cards("QS JD")) for suit in Suit}


def after(state: Any, move: Any) -> Any:
    return apply(state, move)


def dealt(rules: Rules, rng: Random) -> Any:
    start = new_game(rules)
    return apply(start, deal(start, rng=rng))


def queen_beside_a_moon_of_hearts(rng: Random) -> Any:
    """Hearts make the moon, and the Q♠ counts with it if who shot has her too: she may lie in any pile before."""
    hearts = rng.choice((1, 2, 2, 3))
    spades = rng.choice((3, 4, 5))
    cards = rng.sample(SUITS["H"], hearts) + rng.sample(SUITS["S"], spades) + [Card("QS")]
    cards += rng.sample(SUITS["C"] + SUITS["D"], 12 - len(cards))
    moon = rng.choice((Moon.OTHERS_UP, Moon.SHOOTER_DOWN, Moon.CHOICE))
    removed = Rules().deck - Cards(cards)
    state = dealt(Rules(players=3, removed=removed, moon_cards=MoonCards.HEARTS, moon=moon, **FREELY), rng)
    for _ in range(2):
        state = after(state, rng.choice(legal_moves(state)))
    return state


def bonus_in_the_kitty(rng: Random) -> Any:
    """In the last tricks the kitty waits, and the bonus card is in it: who takes nothing of the trick may yet gain."""
    rules = presets.dicegamedepot(4, kitty=Kitty.LAST_TRICK, bonuses=(Bonus(JACK, 10),))
    state = dealt(rules, rng)
    while JACK not in state.kitty:
        state = dealt(rules, rng)
    while len(state.hands[state.turn]) > 2 or state.trick:
        state = after(state, rng.choice(legal_moves(state)))
    return state


def bonus_set_aside(rng: Random) -> Any:
    """Two bonus cards cancel each other, and the next winner takes them."""
    cards = [JACK, *rng.sample(SUITS["H"], 3), *rng.sample(SUITS["D"], 2)] * 2
    removed = Cards(ALL_FACES * 2) - Cards(cards)
    rules = Rules(players=3, decks=2, removed=removed, bonuses=(Bonus(JACK, 10),), moon=Moon.OFF, **FREELY)
    while True:
        state = dealt(rules, rng)
        for _ in range(3):
            moves = legal_moves(state)
            twins = [move for move in moves if any(move.card is play.card for play in state.trick)]
            state = after(state, rng.choice(twins or moves))
        if JACK in state.set_aside:
            return state


@pytest.mark.parametrize(
    ("ending", "count"), [(queen_beside_a_moon_of_hearts, 50), (bonus_in_the_kitty, 15), (bonus_set_aside, 15)]
)
def test_rare_endings_agree_with_plain_search(ending: Callable[[Random], Any], count: int) -> None:
    """What lies beside the hands, and a card that counts in two ways: endings of random rules hardly have either."""
    rng = Random(f"{SEED} {ending.__name__}")
    for _ in range(rounds(count)):
        state = ending(rng)
        assert list(solve(state).points) == solved_plainly(state, False), state


def test_lines_that_part_the_queen_and_the_hearts_are_not_mixed_up() -> None:
    """Hearts alone make the moon: in some lines the shooter has the Q♠ too, in others she lies in another pile."""
    state = parse_position(
        "hearts/1; rules players=3 removed=3C,4C,5C,6C,7C,8C,9C,TC,JC,QC,KC,AC,2D,4D,5D,6D,8D,9D,TD,JD,QD,KD,AD,2S,4S,"
        "7S,AS,2H,4H,5H,6H,7H,9H,TH,QH,KH,AH kitty=last-trick pass_cycle=hold opening_leader=dealer-left "
        "hearts_lead=any-time moon_cards=hearts target=50 max_deals=1; phase play; deal 0; hands S6H3J D7SQKH8 "
        "C2S389; tricks 1:5STSJS:0; trick 0:3D"
    )
    assert isinstance(state, Playing)
    assert by_card(solve(state)) == {"7D": (2, 14, 0)}


def small(hands: str) -> Playing:
    """A deal of the cards of these hands alone, seat 0 on lead."""
    bags = [Cards(text) for text in hands.split("/")]
    deck = Rules().deck
    for bag in bags:
        deck -= bag
    rules = Rules(
        players=len(bags),
        removed=deck,
        first_dealer=len(bags) - 1,
        opening_leader=OpeningLeader.DEALER_LEFT,
        opening_card=OpeningCard.UNRESTRICTED,
        first_trick=FirstTrick.FREE,
        pass_cycle=((),),
        moon=Moon.OFF,
        target=None,
        max_deals=1,
        tie=Tie.SHARED,
    )
    return set_up(rules, hands=bags)


def by_card(solution: Solution) -> dict[str, tuple[int, ...]]:
    return {
        str(move.card): points
        for move, points in zip(solution.moves, solution.points, strict=True)
        if isinstance(move, Play)
    }


THREE: Final = "3S QS/2D KS/AD 4S"
"""After 3S, K♠ wins and 2D brings A♦ the Q♠; the Q♠ herself goes to K♠."""


def test_an_ending_worked_out_by_hand() -> None:
    solution = solve(small(THREE))
    assert by_card(solution) == {"3S": (0, 0, 13), "QS": (0, 13, 0)}
    # Both bring seat 0 nothing: the first is chosen.
    assert (solution.best, solution.value) == (Play(0, Card("3S")), (0, 0, 13))


def test_the_others_may_play_against_the_mover() -> None:
    """Seat 1 takes nothing whenever it throws the Q♠: on 6H, so that it hurts most, or first of two equal cards 2S."""
    state = small("5D 6H/2S QS/6D 2H")
    assert by_card(solve(state)) == {"5D": (15, 0, 0), "6H": (2, 0, 13)}
    assert by_card(solve(state, paranoid=True)) == {"5D": (15, 0, 0), "6H": (15, 0, 0)}


def test_a_shooter_chooses_for_the_fewest_points() -> None:
    rng = Random("moons")
    rules = Rules(moon=Moon.CHOICE)
    state: Any = next(
        after
        for _ in range(200)
        for _, _, after in match(rules, rng, 2, aim="strong")
        if isinstance(after, ChoosingMoon)
    )
    solution = solve(state)
    assert solution.points == (state.others_up.points, state.shooter_down.points)
    assert solution.best == ChooseMoon(state.shooter, Moon.SHOOTER_DOWN)
    assert solution.value[state.shooter] < 0


def test_every_ending_of_a_deal_leads_on_to_the_value_of_its_best_move() -> None:
    """What is best now is still worth the same when it was played."""
    rng = Random("best play")
    start = new_game(presets.cardstock())
    for _ in range(5):
        state: State = apply(start, deal(start, rng=rng))
        while isinstance(state, Playing) and state.trick_number < 7:
            state = apply(state, rng.choice(legal_moves(state)))
        value: tuple[int, ...] = ()
        while isinstance(state, Playing):
            solution = solve(state)
            assert value in ((), solution.value)
            value = solution.value
            state = apply(state, solution.best)
        assert state.score_sheet[-1].points == value


def test_equal_positions_are_looked_at_once() -> None:
    """By counting: the last six tricks of ten deals."""
    rng = Random("positions")
    start = new_game(Rules(pass_cycle=((),)))
    positions = []
    for _ in range(10):
        state: Any = apply(start, deal(start, rng=rng))
        while state.trick_number < 7:
            state = apply(state, rng.choice(legal_moves(state)))
        positions.append(solve(state).positions)
    assert sum(positions) < 40_000
    assert max(positions) < 15_000


def test_the_benchmark_tells_how_long_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    bench("solve").main(["--deals", "2", "--tricks", "3", "4"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[2:]] == ["3", "4"]
    assert [line.split()[-1] for line in lines[2:]] == ["0", "0"]


def test_it_gives_up_when_there_are_too_many() -> None:
    start = new_game(presets.cardstock())
    state: Any = apply(start, deal(start, seed=1))
    while state.trick_number < 8:
        state = apply(state, legal_moves(state)[0])
    needed = solve(state).positions
    assert solve(state, most_positions=needed).positions == needed
    with pytest.raises(
        TooManyPositions, match=f"more than {needed - 1:,} positions: solve it later in the deal"
    ) as caught:
        solve(state, most_positions=needed - 1)
    error = caught.value
    assert (error.code, error.most) == ("too-many-positions", needed - 1)
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.most, str(again)) == (TooManyPositions, error.most, str(error))


def test_ctrl_c_ends_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled, nothing else gives it a turn."""

    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(_solving, "pause", interrupted)
    start = new_game(Rules(pass_cycle=((),)))
    with pytest.raises(KeyboardInterrupt):
        solve(cast("Playing", apply(start, deal(start, seed=1))))


def test_what_is_not_an_ending_is_refused() -> None:
    start = new_game(Rules())
    playing = small(THREE)
    anything: Any = solve
    for state in (start, apply(start, deal(start, seed=1)), None, "QS"):
        with pytest.raises(TypeError, match=r"^state must be a Playing or a ChoosingMoon, not (a|None)"):
            anything(state)
    with pytest.raises(TypeError, match="paranoid must be a bool, not an int"):
        anything(playing, paranoid=1)
    for wrong in (True, 1.5, None):
        with pytest.raises(TypeError, match="most_positions must be an int"):
            anything(playing, most_positions=wrong)
    with pytest.raises(ValueError, match="most_positions is 0: choose 1 or more"):
        solve(playing, most_positions=0)


def test_a_solution_is_a_value() -> None:
    solution = solve(small(THREE))
    again = solve(small(THREE))
    assert solution == again
    assert hash(solution) == hash(again)
    assert pickle.loads(pickle.dumps(solution)) == solution
    names = {"Solution": Solution, "Play": Play, "Card": Card}
    assert eval(repr(solution), names) == solution
