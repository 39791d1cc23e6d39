"""Early ends: what is decided and who may claim, against every continuation of small endings in every layout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import comb
from random import Random
from typing import Any, Final

import attrs
import pytest

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChoosingMoon,
    Deal,
    GameOver,
    HeartsError,
    InvalidState,
    Move,
    Pass,
    Play,
    Playing,
    Rules,
    State,
    Suit,
    apply,
    deal,
    legal_moves,
    new_game,
    public_view,
    view,
)
from heartsrules.analysis.endings import can_claim, decided, is_settled, play_out, take_the_rest
from heartsrules.cards import ALL_FACES
from heartsrules.rules import (
    HOLD,
    Duplicates,
    ExposeBeforePass,
    FirstTrick,
    HeartsLead,
    Moon,
    MoonScope,
    OpeningCard,
    OpeningLeader,
    PassOptional,
    Tie,
    left,
)
from support.rounds import rounds
from support.strategies import QUEEN, collect_points, match, play_lowest, random_rules, some

pytestmark = pytest.mark.once_compiled

ROUNDS: Final = max(40, rounds(40))
"""How many deals of random rule sets are looked at."""
MOST_LAYOUTS: Final = 90
"""Positions that could be more are left out."""
HEARTS: Final = [card for card in ALL_FACES if card.suit is Suit.HEARTS]
HARMLESS: Final = [card for card in ALL_FACES if card.suit is not Suit.HEARTS and card is not QUEEN]


def late_positions(rng: Random, rules: Rules) -> Iterator[tuple[Playing, list[Move]]]:
    """The positions of a deal without passing in which somebody leads, and the moves that led there."""
    moves: list[Move] = []
    without_pass: dict[str, Any] = {
        "pass_cycle": (HOLD,),
        "pass_optional": PassOptional.NO,
        "unpassable": (),
        "expose_before_pass": ExposeBeforePass.NEVER,
    }
    for state, move, _ in match(attrs.evolve(rules, **without_pass), rng, max_deals=1):
        if isinstance(state, Playing) and not state.trick:
            yield state, moves[:]
        moves.append(move)


# ------------------------------------------------------------------------------------------------- every continuation


def outcomes(state: State, seen: dict[object, frozenset[tuple[int, ...]]]) -> frozenset[tuple[int, ...]]:
    """The points of every continuation of a deal."""
    if isinstance(state, AwaitingDeal | GameOver):
        return frozenset([state.score_sheet[-1].points])
    key: object = state
    if isinstance(state, Playing) and not state.exposed:
        # Of the tricks that have been played, only the cards in the piles matter.
        key = state.hands, state.trick, state.turn, state.captured, state.tricks_won, state.hearts_broken
    if key not in seen:
        seen[key] = frozenset().union(*[outcomes(apply(state, move), seen) for move in legal_moves(state)])
    return seen[key]


def test_what_is_decided_is_what_every_continuation_gives() -> None:
    rng = Random("what is decided")
    found: Counter[str] = Counter()
    while found["deals"] < ROUNDS:
        rules = random_rules(rng)
        if rules.players > 6:
            continue
        found["deals"] += 1
        for state, _ in late_positions(rng, rules):
            left = max(map(len, state.hands))
            if left > (3 if rules.players < 5 else 2):
                continue
            points = outcomes(state, {})
            answer = decided(state)
            assert answer == (next(iter(points)) if len(points) == 1 else None), (state, points)
            found[f"{left} cards, {'decided' if answer else 'open'}"] += 1
            found["tricks still open"] += answer is not None and left > 1
    assert found["3 cards, decided"] >= 3, found
    assert found["3 cards, open"] >= 3, found
    assert found["tricks still open"] >= 20, found


def test_what_is_settled_for_a_view_is_decided_and_played_out_with_these_points() -> None:
    rng = Random("settled")
    found: Counter[str] = Counter()
    for _ in range(ROUNDS):
        rules = random_rules(rng)
        for state, _ in late_positions(rng, rules):
            views = [public_view(state), *(view(state, seat) for seat in range(rules.players))]
            settled = [is_settled(seen) for seen in views]
            if not any(settled):
                continue
            points = decided(state)
            assert points is not None
            now: State = state
            for play in play_out(state):
                now = apply(now, play)
            if not isinstance(now, ChoosingMoon):
                assert now.score_sheet[-1].points == points
            found["for everybody" if all(settled) else "for whoever took a kitty unseen"] += 1
    assert found["for everybody"], found
    assert not is_settled(view(new_game(Rules()), 0))
    assert play_out(new_game(Rules())) == ()


@pytest.mark.long
def test_a_sun_that_a_team_may_still_lose_is_not_decided() -> None:
    rng = Random("the sun of a team")
    found: Counter[str] = Counter()
    for _ in range(4 * ROUNDS):
        players = rng.choice((4, 4, 6))
        hand = 4 if players == 4 else 3
        hearts = rng.choice((1, 2))
        pack = some(rng, HEARTS, hearts) + some(rng, HARMLESS, players * hand - hearts)
        rules = Rules(
            players=players,
            removed=Cards(ALL_FACES) - Cards(pack),
            pass_cycle=(HOLD,),
            opening_leader=OpeningLeader.DEALER_LEFT,
            opening_card=OpeningCard.UNRESTRICTED,
            teams=2,
            sun=True,
            moon=rng.choice([moon for moon in Moon if Moon.SHOOTER_DOWN in moon.effects or moon is Moon.OTHERS_UP]),
            moon_scope=rng.choice(list(MoonScope)),
            sun_scope=rng.choice(list(MoonScope)),
        )
        side = rng.choice(rules.sides)
        table = [collect_points if seat in side else play_lowest for seat in range(players)]
        for state, _, _ in match(rules, rng, 1, table, "strong team"):
            if not isinstance(state, Playing) or state.trick or max(map(len, state.hands)) > (3 if players < 5 else 2):
                continue
            points = outcomes(state, {})
            answer = decided(state)
            assert answer == (next(iter(points)) if len(points) == 1 else None), (state, points)
            winners = [seat for seat, won in enumerate(state.tricks_won) if won]
            if len(winners) > 1 and len({seat % 2 for seat in winners}) == 1 and rules.sun_scope is MoonScope.TEAM:
                found["a team with every trick"] += 1
                found["which may lose the sun"] += len(points) > 1
    assert found["a team with every trick"] >= 8, found
    assert found["which may lose the sun"] >= 4, found


# ------------------------------------------------------------------------------------------------------ every layout


def dealt(state: Playing, moves: Sequence[Move]) -> tuple[list[Cards], Cards]:
    """The hands as they were dealt, and the kitty."""
    (start,) = [move for move in moves if isinstance(move, Deal)]
    return list(start.hands), state.kitty


def layouts(state: Playing, moves: Sequence[Move], seat: int) -> list[Playing] | None:
    """Every position that looks the same to a seat, found by dealing the cards that it has not seen in every way and
    playing the same moves; None: there are too many ways."""
    seen = view(state, seat)
    hands, kitty = dealt(state, moves)
    gone = [
        Cards([play.card for play in moves if isinstance(play, Play) and play.seat == at]) for at in range(len(hands))
    ]
    others = [at for at in range(len(hands)) if at != seat]
    rooms = [len(state.hands[at]) for at in others] + [len(kitty)]
    unseen = sum([state.hands[at] for at in others], start=kitty)
    ways, left = 1, len(unseen)
    for room in rooms:
        ways *= comb(left, room)
        left -= room
    if ways > MOST_LAYOUTS:
        return None
    found = []
    for parts in set(divisions(tuple(unseen), rooms)):
        pack = [*hands]
        for at, part in zip(others, parts, strict=False):
            pack[at] = gone[at] + Cards(part)
        world: State = new_game(state.rules)
        try:
            for move in moves:
                world = apply(world, Deal(pack, Cards(parts[-1])) if isinstance(move, Deal) else move)
        except HeartsError:
            continue
        if isinstance(world, Playing) and view(world, seat) == seen:
            found.append(world)
    assert state in found
    return found


def divisions(cards: Sequence[Card], sizes: Sequence[int]) -> Iterator[tuple[tuple[Card, ...], ...]]:
    """The ways to divide cards into parts of these sizes."""
    if not sizes:
        yield ()
        return
    for places in combinations(range(len(cards)), sizes[0]):
        part = tuple([cards[place] for place in places])
        rest = [card for place, card in enumerate(cards) if place not in places]
        for parts in divisions(rest, sizes[1:]):
            yield (part, *parts)


def wins_all(worlds: Sequence[Playing], seat: int) -> bool:
    """Whether a seat that sees the same in all these positions can win every trick, however the others play."""
    if worlds[0].turn == seat:
        cards = [move.card for move in legal_moves(worlds[0]) if isinstance(move, Play)]
        return any(goes_on([apply(world, Play(seat, card)) for world in worlds], worlds[0], seat) for card in cards)
    turn = worlds[0].turn
    by_card: dict[object, list[State]] = {}
    for world in worlds:
        for move in legal_moves(world):
            by_card.setdefault(move, []).append(apply(world, move))
    assert all(world.turn == turn for world in worlds)
    return all(goes_on(following, worlds[0], seat) for following in by_card.values())


def goes_on(states: Sequence[State], before: Playing, seat: int) -> bool:
    first = states[0]
    if len(before.trick) == before.rules.players - 1:
        tricks = first.tricks if isinstance(first, Playing) else first.last_deal.tricks  # type: ignore[union-attr]
        if tricks[-1].winner != seat:
            return False
    if not isinstance(first, Playing) or first.deal_number != before.deal_number:
        return True
    return wins_all([state for state in states if isinstance(state, Playing)], seat)


@pytest.mark.long
def test_who_can_claim_wins_every_trick_in_every_layout() -> None:
    rng = Random("claims")
    found: Counter[str] = Counter()
    while found["deals"] < 5 * ROUNDS:
        rules = random_rules(rng)
        if rules.players > 5:
            continue
        found["deals"] += 1
        for state, moves in late_positions(rng, rules):
            seat = state.turn
            worlds = layouts(state, moves, seat)
            if worlds is None:
                continue
            truth = wins_all(worlds, seat)
            answer = can_claim(view(state, seat))
            assert truth or not answer, state
            left = len(state.hands[seat])
            found[f"{min(left, 3)} cards, {answer}"] += 1
            found["missed"] += truth and not answer
            found["claims"] += answer
            for other in range(rules.players):
                assert other == seat or not can_claim(view(state, other))
            assert not can_claim(public_view(state))
    assert found["claims"] >= 50, found
    assert found["3 cards, True"] >= 3, found
    assert found["3 cards, False"] >= 3, found
    # It may say no although it could, but seldom: where a rule forces the others to throw the winning card away.
    assert found["missed"] <= found["claims"] / 20, found


def pairs(bag: Cards) -> int:
    return len(bag) - len(bag.distinct())


def test_who_can_claim_loses_no_trick_to_two_pairs_of_which_one_card_was_passed() -> None:
    rng = Random("two pairs after a pass")
    found: Counter[str] = Counter()
    for _ in range(15 * ROUNDS):
        players = rng.choice((5, 6))
        faces = some(rng, ALL_FACES, players + rng.randrange(3))
        rules = Rules(
            players=players,
            decks=2,
            removed=Cards(ALL_FACES * 2) - Cards(some(rng, faces * 2, 2 * players)),
            pass_cycle=(left(1),),
            opening_leader=OpeningLeader.DEALER_LEFT,
            opening_card=OpeningCard.UNRESTRICTED,
            hearts_lead=HeartsLead.ANY_TIME,
            first_trick=FirstTrick.FREE,
            two_pairs_void=True,
            moon=Moon.OFF,
            target=None,
            max_deals=1,
            tie=Tie.SHARED,
        )
        for state, _, _ in match(rules, rng, max_deals=1):
            if not isinstance(state, Playing) or state.trick:
                continue
            seat = state.turn
            answer = can_claim(view(state, seat))
            assert wins_all([state], seat) or not answer, state
            found["claims"] += answer
            ((passed,),) = [commitment.cards for commitment in state.passes if commitment.seat == seat]
            others = sum(state.hands, start=Cards()) - state.hands[seat]
            known = passed & state.hands[(seat + 1) % players]
            found["two pairs, one partly known"] += pairs(others) > 1 >= pairs(others - known)
    assert found["claims"] >= 100, found
    assert found["two pairs, one partly known"] >= 50, found


# ------------------------------------------------------------------------------------------------------------- by hand


def late(*hands: str, leader: int = 0, **options: Any) -> Playing:
    """A deal of these hands, with no card beside them in the deck; nothing bars a card but following suit."""
    plain: dict[str, Any] = {
        "players": len(hands),
        "removed": Cards(ALL_FACES * options.get("decks", 1)) - Cards(" ".join(hands)),
        "first_dealer": (leader - 1) % len(hands),
        "pass_cycle": (HOLD,),
        "opening_leader": OpeningLeader.DEALER_LEFT,
        "opening_card": OpeningCard.UNRESTRICTED,
        "hearts_lead": HeartsLead.ANY_TIME,
        "first_trick": FirstTrick.FREE,
        "moon": Moon.OFF,
        "target": None,
        "max_deals": 1,
        "tie": Tie.SHARED,
    }
    rules = Rules(**plain | options)
    state = apply(new_game(rules), Deal([Cards(hand) for hand in hands]))
    assert isinstance(state, Playing)
    return state


def played(state: State, *cards: str) -> State:
    """What these cards lead to, each played by the seat whose turn it is."""
    for card in cards:
        assert isinstance(state, Playing)
        state = apply(state, Play(state.turn, Card(card)))
    return state


@pytest.mark.parametrize(
    ("hands", "claims"),
    [
        (["AS KS", "2S 3S", "4S 5S"], True),
        (["AS QS", "2S KS", "4S 5S"], False),  # one hand may hold K and another spade
        (["AS QS", "2D KS", "4D 5D"], True),  # K is alone wherever it lies
        (["AS QS JS", "2D KS TS", "4D 5D 6D"], False),
        (["AS 2H", "3D 4D", "5D 6D"], True),  # nobody has another heart
        (["AS 2H", "3D 4H", "5D 6D"], False),
        (["2C", "3D", "4D"], True),
        (["2C", "3C", "4D"], False),
        (["AC KC AD KD", "2C 3C 2D 3D", "4C 5C 4D 5D"], True),
        (["AC KC AD JD", "2C 3C 2D QD", "4C 5C 4D 5D"], False),
    ],
)
def test_who_is_sure_of_every_trick(hands: list[str], claims: bool) -> None:
    state = late(*hands)
    assert can_claim(view(state, 0)) is claims
    if claims:
        plays = take_the_rest(state)
        assert len(plays) == sum(len(Cards(hand)) for hand in hands)
        now: State = state
        for play in plays:
            now = apply(now, play)
        assert isinstance(now, GameOver)
        assert now.last_deal.tricks_won[0] == len(state.hands[0])
    else:
        with pytest.raises(InvalidState, match="no seat can claim the rest") as refused:
            take_the_rest(state)
        assert [problem.code for problem in refused.value.problems] == ["cannot-claim"]


def test_a_claim_is_played_out_with_the_winners_first_and_the_lowest_of_the_others() -> None:
    state = late("AS KS 2H", "2S 3S KD", "4S 5D 6D")
    plays = take_the_rest(state)
    assert [str(play.card) for play in plays] == ["KS", "2S", "4S", "AS", "3S", "5D", "2H", "KD", "6D"]


def test_a_seat_that_has_played_to_the_trick_or_is_not_on_lead_claims_nothing() -> None:
    state = played(late("AS KS", "2S 3S", "4S 5S"), "AS")
    for seat in range(3):
        assert not can_claim(view(state, seat))
    assert not can_claim(view(new_game(Rules()), 0))
    with pytest.raises(InvalidState):
        take_the_rest(new_game(Rules()))


def test_a_player_who_has_shown_a_void_cannot_beat_what_is_led() -> None:
    state = late("AD AS QS 2C", "3D 4D 5D 6D", "7D KS 3C 4C")
    assert not can_claim(view(state, 0)), "either of the others may hold the king and another spade"
    after = played(state, "AD", "3D", "7D", "AS", "4D", "KS")
    assert can_claim(view(after, 0)) is False, "the 2C may be beaten"
    without = played(late("AD AS QS", "3D 4D 5D", "7D 3C 4C"), "AD", "3D", "7D", "AS", "4D", "3C")
    assert can_claim(view(without, 0)), "neither of the others has a spade"


def test_what_was_passed_is_known() -> None:
    state = apply(
        new_game(attrs.evolve(late("AS QS", "3S 2D", "KS 3D").rules, pass_cycle=(left(1),), hand_size=None)),
        Deal([Cards("KS QS"), Cards("3S 2D"), Cards("AS 3D")]),
    )
    for seat, card in enumerate(("KS", "2D", "AS")):
        state = apply(state, Pass(seat, Cards(card)))
    assert isinstance(state, Playing)
    assert state.hands == (Cards("AS QS"), Cards("KS 3S"), Cards("2D 3D"))
    assert not can_claim(view(state, 0)), "the seat to the left has the king that it was passed, and perhaps the 3"


@pytest.mark.parametrize(
    ("duplicates", "claims"), [(Duplicates.FIRST_WINS, True), (Duplicates.LAST_WINS, False), (Duplicates.CANCEL, False)]
)
def test_an_equal_card_beats_or_cancels_as_the_rules_say(duplicates: Duplicates, claims: bool) -> None:
    state = late("AS", "AS", "2D", decks=2, duplicates=duplicates)
    assert can_claim(view(state, 0)) is claims


def test_two_pairs_among_the_others_may_void_a_trick() -> None:
    hands = ["AS", "2D", "2D", "3D", "3D"]
    for voids in (False, True):
        assert can_claim(view(late(*hands, decks=2, two_pairs_void=voids), 0)) is not voids


def test_a_heart_that_may_not_be_led_yet_is_led_last() -> None:
    state = late("AS AH", "2S 2H", "3S 3H", hearts_lead=HeartsLead.WHEN_BROKEN)
    assert can_claim(view(state, 0))
    assert [str(play.card) for play in take_the_rest(state)][:1] == ["AS"]
    # The ace of hearts must wait for the other suit, of which the lead is not sure to win.
    assert not can_claim(view(late("QS AH", "KS 2H", "3S 3H", hearts_lead=HeartsLead.WHEN_BROKEN), 0))


def test_nothing_is_decided_between_two_deals_or_at_the_start_of_one() -> None:
    start = new_game(Rules())
    assert decided(start) is None
    assert decided(apply(start, deal(start, seed=1))) is None


def test_the_shooters_choice_is_among_what_is_still_to_come() -> None:
    hands = ["AH KH", "2C 3C", "4C 5C"]
    assert decided(late(*hands)) == (2, 0, 0)
    state: State = late(*hands, moon=Moon.CHOICE)
    assert decided(state) is None
    for play in take_the_rest(state):
        state = apply(state, play)
    assert isinstance(state, ChoosingMoon)
    assert decided(state) is None
    same = ChoosingMoon(state.last_deal, state.shooter, state.others_up, state.others_up)
    assert decided(same) == (0, 2, 2)


def test_a_search_that_would_be_too_long_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    state = late("AC 4H", "3C 5H", "4C 2C")
    assert decided(state) is not None
    monkeypatch.setattr("heartsrules.analysis.endings.MOST_NODES", 1)
    assert decided(state) is None


@pytest.mark.parametrize("function", [decided, can_claim, is_settled, play_out, take_the_rest])
def test_anything_else_is_refused(function: Callable[[object], object]) -> None:
    with pytest.raises(TypeError, match=r"must be a (State|View), not a str"):
        function("state")
