"""Playouts against stepping through the engine, the words that they draw from, and the masks that they work on."""

from __future__ import annotations

import hashlib
import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Any, Final

import attrs
import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChooseMoon,
    ChoosingMoon,
    Expose,
    Exposing,
    GameOver,
    IllegalMove,
    Move,
    Pass,
    Passing,
    Play,
    Playing,
    Rules,
    State,
    Suit,
    apply,
    deal,
    legal_cards,
    legal_moves,
    new_game,
    presets,
    to_act,
    view,
    why_illegal,
)
from heartsrules.analysis.playout import playout
from heartsrules.analysis.policies import Policy, Watchful
from heartsrules.bots import heuristic
from heartsrules.cards import ALL_FACES, FULL, SUIT_MASKS, bag_of, cards_of, face, popcount
from heartsrules.chance import RandomStream, below, shuffled
from heartsrules.chance.stream import Place
from heartsrules.play.dealing import chance_to_act
from heartsrules.play.legality import CardChoice, playable
from heartsrules.play.moves import plays_of
from heartsrules.play.violations import (
    MustFollowSuit,
    NoSuchEffect,
    NotExposable,
    NotInHand,
    NotTheShooter,
    NotYourTurn,
    WrongNumberOfCards,
)
from heartsrules.rules import (
    HOLD,
    Bonus,
    Compulsory,
    Doubler,
    Duplicates,
    ExposedCardPlay,
    Exposure,
    FirstTrick,
    HeartsBreak,
    HeartsLead,
    Kitty,
    KittyShownTo,
    Moon,
    MoonCards,
    OpeningCard,
    OpeningLeader,
    Option,
    PassOptional,
    Tie,
    VoidLastTrick,
)
from heartsrules.rules.presets import gong_zhu
from heartsrules.setup import set_up
from heartsrules.testing.rule_sets import random_rules
from heartsrules.views import PlayingView
from support.builds import wrong_type
from support.rarities import situations
from support.rounds import laws
from support.strategies import FACES, any_rules, rules_sets, states_of
from support.variations import variations

WORD: Final = 2**32

Chooser = Callable[[int, RandomStream], int]
"""The index of what is chosen among so many."""


# ---------------------------------------------------------------------------------------------------------- stepping


def uniform(count: int, stream: RandomStream) -> int:
    return stream.below(count)


def first(_count: int, _draws: RandomStream) -> int:
    return 0


def last(count: int, _draws: RandomStream) -> int:
    return count - 1


def mixed(count: int, stream: RandomStream) -> int:
    """Draws more, and chooses otherwise, than the uniform policy."""
    return count - 1 - stream.below(count) if stream.below(3) else 0


def steps(
    state: State, stream: RandomStream, deals: int | None, choose: Chooser = uniform
) -> Iterator[tuple[State, Move]]:
    """Each state and the move made in it, as the documentation of `playout` spells it."""
    ended = 0
    while not isinstance(state, GameOver) and ended != deals:
        move: Move
        if chance_to_act(state):
            move = deal(state, rng=stream)
        else:
            moves = legal_moves(state, min(to_act(state)))
            move = moves[choose(len(moves), stream)]
        yield state, move
        state = apply(state, move)
        ended += isinstance(state, (AwaitingDeal, GameOver))


def end_of(state: State, path: Sequence[tuple[State, Move]]) -> State:
    return apply(*path[-1]) if path else state


class Watching(Policy):
    """Chooses by index, and keeps what it was shown."""

    def __init__(self, choose: Chooser) -> None:
        self.choose = choose
        self.turns: list[CardChoice] = []
        self.passes: list[Sequence[Pass]] = []
        self.exposures: list[Sequence[Expose]] = []
        self.moons: list[tuple[ChoosingMoon, tuple[ChooseMoon, ...]]] = []

    def choose_card(self, choice: CardChoice, stream: RandomStream) -> Card:
        self.turns.append(choice)
        cards = list(choice.legal)
        return cards[self.choose(len(cards), stream)]

    def choose_pass(self, passes: Sequence[Pass], stream: RandomStream) -> Pass:
        self.passes.append(passes)
        return passes[self.choose(len(passes), stream)]

    def choose_exposure(self, exposures: Sequence[Expose], stream: RandomStream) -> Expose:
        self.exposures.append(exposures)
        return exposures[self.choose(len(exposures), stream)]

    def choose_moon(self, state: ChoosingMoon, choices: tuple[ChooseMoon, ...], stream: RandomStream) -> ChooseMoon:
        self.moons.append((state, choices))
        return choices[self.choose(len(choices), stream)]


def shown_to_the_mover(state: Playing) -> CardChoice:
    hand = state.hands[state.turn]
    legal = legal_cards(
        state.rules,
        hand,
        trick=state.trick,
        first_trick=state.trick_number == 0,
        hearts_broken=state.hearts_broken,
        exposed=hand & state.exposed[state.turn],
        suits_led=(*state.start.led_before, *[trick.plays[0].card.suit for trick in state.tricks]),
    )
    seen = view(state, state.turn)
    assert isinstance(seen, PlayingView)
    return CardChoice(
        *(seen.rules, seen.turn, seen.hand, legal, seen.trick, seen.trick_number, seen.hearts_broken), seen.captured
    )


def assert_equals_stepping(
    state: State, seed: int, deals: int | None, choose: Chooser | None = None
) -> list[tuple[State, Move]]:
    """The path that was stepped along, after a playout from the same state has led to its end."""
    shown = repr(state)
    stream, others = RandomStream(seed), RandomStream(seed)
    policy = None if choose is None else Watching(choose)
    end = playout(state, stream, deals=deals, policy=policy)
    path = list(steps(state, others, deals, choose or uniform))
    expected = end_of(state, path)
    assert end == expected
    assert repr(end) == repr(expected)
    assert hash(end) == hash(expected)
    assert repr(stream) == repr(others)
    assert stream.word() == others.word()
    assert repr(state) == shown
    if policy is not None:
        assert policy.turns == [shown_to_the_mover(one) for one, _ in path if isinstance(one, Playing)]
        passing = [(one, move) for one, move in path if isinstance(one, Passing)]
        assert policy.passes == [legal_moves(one, min(to_act(one))) for one, _ in passing]
        showing = [one for one, _ in path if isinstance(one, Exposing)]
        first = [one.to_act[0] for one in showing]
        assert policy.exposures == [legal_moves(one, seat) for one, seat in zip(showing, first, strict=True)]
        choosing = [one for one, _ in path if isinstance(one, ChoosingMoon)]
        assert [choices for _, choices in policy.moons] == [legal_moves(one) for one in choosing]
        assert [one for one, _ in policy.moons] == choosing
    return path


@pytest.mark.long
@laws(200)
@given(states_of(rules=any_rules()), st.integers(0, 2**32), st.sampled_from((1, 1, 2)))
def test_a_playout_equals_stepping(state: State, seed: int, deals: int) -> None:
    event(type(state).__name__)
    if isinstance(state, Playing):
        event("mid-trick" if state.trick else "on lead")
    assert_equals_stepping(state, seed, deals)


@pytest.mark.long
@laws(125)
@given(
    states_of(rules=rules_sets(max_deals=3, tie=Tie.SHARED)),
    st.integers(0, 2**32),
    st.sampled_from((None, uniform, first, mixed)),
)
def test_a_playout_to_the_end_of_the_match_equals_stepping(state: State, seed: int, choose: Chooser | None) -> None:
    assert_equals_stepping(state, seed, None, choose)
    assert isinstance(playout(state, RandomStream(seed), deals=None), GameOver)


@pytest.mark.long
@laws(200)
@given(
    states_of(rules=any_rules()), st.integers(0, 2**32), st.sampled_from((1, 2)),
    st.sampled_from((first, last, mixed, uniform)),
)  # fmt: skip
def test_a_policy_is_shown_what_its_seat_may_see(state: State, seed: int, deals: int, choose: Chooser) -> None:
    assert_equals_stepping(state, seed, deals, choose)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("shown_to", KittyShownTo)
def test_a_policy_sees_a_kitty_only_if_its_seat_may(shown_to: KittyShownTo) -> None:
    rng = Random(f"kitty {shown_to}")
    sees_all: set[bool] = set()
    drawn = [random_rules(rng, kitty_shown_to=shown_to) for _ in range(80)]
    for seed, rules in enumerate([rules for rules in drawn if rules.kitty_size]):
        for state, _ in assert_equals_stepping(new_game(rules), seed, 1, uniform):
            if isinstance(state, Playing) and state.kitty_winner is not None:
                sees_all.add(shown_to_the_mover(state).captured == state.captured)
                if not state.trick:
                    assert_equals_stepping(state, seed, 1, uniform)
    expected = {KittyShownTo.TAKER: {True, False}, KittyShownTo.NOBODY: {False}, KittyShownTo.EVERYBODY: {True}}
    assert sees_all == expected[shown_to]


@pytest.mark.long
@laws(125)
@given(states_of(Playing, rules=any_rules()), st.integers(0, 2**32), st.sampled_from((None, last)))
def test_a_playout_goes_on_from_a_position_without_history(state: State, seed: int, choose: Chooser | None) -> None:
    assume(isinstance(state, Playing) and state.trick_number > 0)
    assert isinstance(state, Playing)
    names = (
        *("hands", "leader", "trick", "captured", "tricks_won", "set_aside", "kitty", "kitty_winner"),
        *("hearts_broken", "scores", "deal_number", "score_sheet"),
    )
    shown: dict[str, Any] = {name: getattr(state, name) for name in names}
    bare = set_up(state.rules, **shown)
    assert bare.tricks == ()
    assert_equals_stepping(bare, seed, 1, choose)


@pytest.mark.long
@laws(125)
@given(states_of(Passing, rules=any_rules()), st.integers(0, 2**32), st.data())
def test_a_playout_goes_on_after_any_seats_have_passed(state: State, seed: int, data: st.DataObject) -> None:
    assume(isinstance(state, Passing))
    stream = RandomStream(seed)
    waiting = data.draw(st.permutations(sorted(to_act(state))))
    for seat in waiting[: data.draw(st.integers(0, max(0, len(waiting) - 1)))]:
        moves = legal_moves(state, seat)
        state = apply(state, moves[stream.below(len(moves))])
    assert isinstance(state, Passing)
    assert_equals_stepping(state, seed, 1, data.draw(st.sampled_from((None, first, last))))


@pytest.mark.parametrize(
    "rules",
    [
        Rules(),
        Rules(players=3, removed="2D"),
        Rules(players=8, decks=2),
        Rules(players=5, kitty=Kitty.FIRST_POINT),
        gong_zhu(4),
    ],
)
@pytest.mark.parametrize("choose", [None, uniform, first, last, mixed])
def test_whole_decks(rules: Rules, choose: Chooser | None) -> None:
    assert_equals_stepping(new_game(rules), 11, 2, choose)


@pytest.mark.once_compiled
@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "option", [option for option in Rules.OPTIONS if option.samples], ids=lambda option: option.name
)
def test_whole_decks_with_every_value_of_an_option(option: Option) -> None:
    """Where `freedom` is wrong about a rule, whole decks show it: of small ones the rule seldom bars anything."""
    others = variations([option])
    assert others
    for rules in others:
        for seed in range(4):
            assert_equals_stepping(new_game(rules), seed, 1)


def test_the_policy_of_the_package_is_the_uniform_one() -> None:
    for seed in range(10):
        one, other = RandomStream(seed), RandomStream(seed)
        start = new_game(Rules(moon=Moon.CHOICE))
        assert playout(start, one, deals=2, policy=Policy()) == playout(start, other, deals=2)
        assert one.word() == other.word()


# -------------------------------------------------------------------------------------------------------- rare things


def of_cards(text: str, decks: int, **fields: Any) -> Rules:
    """Rules with only the given cards in play."""
    return Rules(decks=decks, removed=Cards(FACES * decks) - Cards(text), **fields)


PAIRS: Final = "2C 2C 3C 3C 4C 4C KS KS QS QS 2H 2H"
KITTIES: Final = "2C 3C 4C 5C 6C 2D 3D QS KS 2H 3H 4H 5H 6H 7H"
FREE: Final[dict[str, Any]] = {
    "opening_leader": OpeningLeader.DEALER_LEFT, "opening_card": OpeningCard.ANY, "max_deals": 2, "tie": Tie.SHARED,
}  # fmt: skip

OF_THE_TAKER: Final[dict[str, Any]] = {
    "opening_leader": OpeningLeader.QUEEN_TAKER, "opening_card": OpeningCard.UNRESTRICTED, "max_deals": 3,
    "moon": Moon.OFF,
}  # fmt: skip

RARE: Final[dict[str, tuple[Rules, tuple[str, ...]]]] = {
    "cancelled, for the leader": (
        of_cards(PAIRS, 2, players=4, duplicates=Duplicates.CANCEL, void_last_trick=VoidLastTrick.LEADER,
                 pass_cycle=(HOLD,), **FREE),
        ("void by cancellation", "the first trick is void", "a trick set aside is collected",
         "the last trick is void, for its leader"),
    ),
    "two pairs": (
        of_cards("2C 2C 3C 3C 4C 4C QS QS KS 2H", 2, players=5, duplicates=Duplicates.CANCEL, two_pairs_void=True,
                 pass_cycle=(HOLD,), **FREE),
        ("void by two pairs", "a trick set aside is collected"),
    ),
    "cancelled, for nobody": (
        of_cards(PAIRS, 2, players=4, duplicates=Duplicates.CANCEL, void_last_trick=VoidLastTrick.NOBODY,
                 pass_cycle=(HOLD,), **FREE),
        ("void by cancellation", "the last trick is void, for nobody"),
    ),
    "the last of equal cards": (
        of_cards(PAIRS, 2, players=4, duplicates=Duplicates.LAST_WINS, pass_cycle=(((1, 1),), HOLD), **FREE),
        (f"equal highest cards, {Duplicates.LAST_WINS}",),
    ),
    "the first of equal cards": (
        of_cards(PAIRS, 2, players=4, duplicates=Duplicates.FIRST_WINS, pass_cycle=(((1, 1),), HOLD), **FREE),
        (f"equal highest cards, {Duplicates.FIRST_WINS}",),
    ),
    "shown together": (
        of_cards("2S 3S QS KS 2C 3C 2H 3H 4H", 1, players=3, exposable="QS 3H", pass_cycle=(((1, 1),), HOLD), **FREE),
        ("cards may be shown, together", "a shown card is held back, leading", "a shown card is held back, following",
         "a shown card is discarded on another suit", "a shown card is alone in its suit, leading"),
    ),
    "shown in turn": (
        of_cards("2S 3S QS KS 2C 3C 2H 3H 4H", 1, players=3, exposable="QS 3H", exposure=Exposure.IN_TURN,
                 pass_cycle=(HOLD,), **FREE),
        ("cards may be shown, in-turn", "a shown card is held back, leading"),
    ),
    "shown in rounds": (
        of_cards("2S 3S QS KS 2C 3C 2H 3H 4H", 1, players=3, exposable="QS 3H", exposure=Exposure.ROUNDS,
                 exposed_card_play=ExposedCardPlay.WAIT_ON_LEAD, pass_cycle=(HOLD,), **FREE),
        ("cards may be shown, rounds", "more cards are shown, rounds"),
    ),
    "shown in rounds, in turn": (
        of_cards("2S 3S QS KS 2C 3C 2H 3H 4H", 1, players=3, exposable="QS 3H", exposure=Exposure.ROUNDS_IN_TURN,
                 exposed_card_play=ExposedCardPlay.FREE, pass_cycle=(HOLD,), **FREE),
        ("cards may be shown, rounds-in-turn", "more cards are shown, rounds-in-turn"),
    ),
    "moons": (
        of_cards("2C 3C 4C 5C 6C 2D 3D QS KS", 1, players=3, moon=Moon.CHOICE, pass_cycle=(HOLD,), **FREE),
        (f"the shooter chooses {Moon.OTHERS_UP}", f"the shooter chooses {Moon.SHOOTER_DOWN}"),
    ),
    "declined passes": (
        of_cards(KITTIES, 1, players=3, pass_cycle=(((1, 1),),), pass_optional=PassOptional.SKIP, **FREE),
        ("skip: a decliner is left out",),
    ),
    "a safe queen": (
        of_cards("2S JS QS KS AS 2C 2H 3H", 1, players=4, compulsory=Compulsory.SAFE,
                 pass_cycle=(HOLD,), **FREE),
        (f"a compulsory card, {Compulsory.SAFE}", "a compulsory card, safe, under two higher cards"),
    ),
    "compulsory cards": (
        of_cards("2S 3S JS JS QS QS KS KS 2C 2D 3H 4H", 2, players=4, compulsory=Compulsory.SAFE,
                 compulsory_cards="KS JS 2D", pass_cycle=(HOLD,), **FREE),
        ("a compulsory card, safe, but what is higher is cancelled", "a compulsory card, safe, but another is not",
         "two compulsory cards to choose from"),
    ),
    "the queen taker": (
        of_cards("2S 3S 4S QS KS AS 2C 2H 3H 4H", 1, players=3, hand_size=3, kitty=Kitty.FIRST_HEART,
                 pass_cycle=(HOLD,), **(FREE | OF_THE_TAKER)),
        ("the queen taker leads", "the lowest spade lies in the kitty", "a heart opens"),
    ),
    "nobody took the queen": (
        of_cards("2S 3S 4S QS KS AS 2C 3C 4D 5D", 1, players=3, hand_size=3, kitty=Kitty.FIRST_HEART,
                 pass_cycle=(HOLD,), **(FREE | OF_THE_TAKER)),
        ("the lowest spade leads, nobody took the queen",),
    ),
    "penalty cards and hearts that wait": (
        of_cards("2C 3C 4C 2H 3H 4H QS 2S 3S KD AD 2D", 1, players=4, hearts_lead=HeartsLead.POINTS_WHEN_BROKEN,
                 hearts_break=HeartsBreak.DISCARDED, first_trick=FirstTrick.NO_HEARTS, pass_cycle=(HOLD,), **FREE),
        ("a penalty card waits on lead", "only hearts and penalty cards on lead, unbroken",
         "a heart followed before hearts are broken, which only a discard breaks",
         "points on the first trick, no-hearts"),
    ),
    "a doubler, bonus cards and a moon of hearts": (
        of_cards("2C 3C 4C 5C 2H 3H QS JD TD KS AS 4S", 1, players=3, doubler=Doubler(Card("3C"), 2, 5),
                 bonuses=(Bonus(Card("JD"), 10), Bonus(Card("TD"), 3)), moon=Moon.OTHERS_UP,
                 moon_cards=MoonCards.HEARTS, extra_penalties=((Card("KS"), 4),), pass_cycle=(HOLD,), **FREE),
        ("a doubler alone", "a doubler multiplies", "a doubler multiplies under somebody else's moon",
         "moon of hearts, with the queen", "moon of hearts, without the queen",
         "moon beside penalty cards of others that are not part of it", "different bonus cards in one pile"),
    ),
    **{
        f"a kitty, {kind}": (
            of_cards(KITTIES, 1, players=4, hand_size=3, kitty=kind, pass_cycle=(HOLD,), **FREE),
            (f"the kitty is taken, {kind}",),
        )
        for kind in Kitty
        if kind is not Kitty.NONE
    },
    "a kitty of hearts": (
        of_cards("2C 3C 4C 5C 6C 2D 3D 4D 5D QS 2H", 1, players=4, hand_size=2, kitty=Kitty.FIRST_HEART,
                 pass_cycle=(HOLD,), **FREE),
        (f"the kitty is not taken, {Kitty.FIRST_HEART}",),
    ),
}  # fmt: skip


@pytest.mark.sampled(4)
@pytest.mark.once_compiled
@pytest.mark.parametrize("name", RARE)
@pytest.mark.parametrize("choose", [None, uniform], ids=["no policy", "policy"])
def test_rare_situations_arise_in_playouts(name: str, choose: Chooser | None) -> None:
    rules, wanted = RARE[name]
    met: Counter[str] = Counter()
    aside = 0
    for seed in range(60):
        path = assert_equals_stepping(new_game(rules), seed, None, choose)
        for state, move in path:
            following = apply(state, move)
            met.update(situations(state, move, following))
            if isinstance(following, (AwaitingDeal, GameOver)) and following.last_deal is not None:
                aside += bool(following.last_deal.set_aside)
    assert {situation: met[situation] for situation in wanted if met[situation] < 3} == {}
    if name == "cancelled, for nobody":
        assert aside >= 3


@pytest.mark.once_compiled
@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", RARE)
def test_a_playout_starts_from_any_state_of_a_match(name: str) -> None:
    rules, _ = RARE[name]
    phases: set[type[State]] = set()
    path = list(steps(new_game(rules), RandomStream("path"), None))
    for number, (state, _) in enumerate([*path, (end_of(new_game(rules), path), path[-1][1])]):
        phases.add(type(state))
        for deals in (1, 2, None):
            assert_equals_stepping(state, number, deals)
            assert_equals_stepping(state, number, deals, mixed)
    assert {AwaitingDeal, Playing, GameOver} <= phases
    assert (ChoosingMoon in phases) == (name == "moons")
    assert (Passing in phases) == any(rules.pass_cycle)
    assert (Exposing in phases) == bool(rules.exposable)


# ---------------------------------------------------------------------------------------------------------- arguments


def finished(rules: Rules) -> GameOver:
    end = playout(new_game(rules), RandomStream(1), deals=None)
    assert isinstance(end, GameOver)
    return end


def first_of(phase: type[State], rules: Rules) -> State:
    for seed in range(200):
        for state, _ in steps(new_game(rules), RandomStream(seed), 1):
            if isinstance(state, phase):
                return state
    raise AssertionError(phase)


@pytest.mark.parametrize("deals", [1, 7, None])
def test_a_game_that_is_over_comes_back_itself(deals: int | None) -> None:
    end = finished(Rules(max_deals=1, tie=Tie.SHARED))
    stream = RandomStream(3)
    assert playout(end, stream, deals=deals) is end
    assert repr(stream) == repr(RandomStream(3))


def test_the_match_may_end_before_the_deals_do() -> None:
    start = new_game(Rules(max_deals=2, tie=Tie.SHARED))
    assert isinstance(playout(start, RandomStream(5), deals=50), GameOver)
    assert playout(start, RandomStream(5), deals=50) == playout(start, RandomStream(5), deals=None)


@pytest.mark.parametrize("deals", [0, -1])
def test_too_few_deals(deals: int) -> None:
    with pytest.raises(ValueError, match=f"deals is {deals}: choose 1 or more"):
        playout(new_game(Rules()), RandomStream(1), deals=deals)


def test_another_source_gives_64_bits_for_a_stream() -> None:
    start = new_game(Rules())
    for seed in range(10):
        source, same = Random(seed), Random(seed)
        assert playout(start, source) == playout(start, RandomStream.from_bits(same.getrandbits(64)))
        assert source.getrandbits(64) == same.getrandbits(64)


# ------------------------------------------------------------------------------------------------------ wrong policies


ASKED: Final = {Playing: "card", Passing: "pass", Exposing: "exposure", ChoosingMoon: "moon"}


def answering(state: State, answer: object) -> Policy:
    """A policy that gives one and the same answer to what is asked first after a state, and else chooses at random."""
    policy: Policy = type("Answering", (Policy,), {f"choose_{ASKED[type(state)]}": lambda *_: answer})()
    return policy


def refused(state: State, answer: Any) -> IllegalMove:
    """The error, after which the state must be what it was."""
    before, shown = pickle.loads(pickle.dumps(state)), repr(state)
    with pytest.raises(IllegalMove) as caught:
        playout(state, RandomStream(1), policy=answering(state, answer))
    assert state == before
    assert repr(state) == shown
    assert caught.value.violations
    return caught.value


@pytest.mark.long
@laws(125)
@given(states_of(Playing, rules=any_rules()), st.data())
def test_an_illegal_card_is_refused_with_the_reasons_of_the_engine(state: State, data: st.DataObject) -> None:
    assume(isinstance(state, Playing))
    assert isinstance(state, Playing)
    plays = [Play(state.turn, card) for card in ALL_FACES]
    wrong = [play for play in plays if why_illegal(state, play)]
    # The rarer reasons are those against cards that are held.
    held = [play for play in wrong if play.card in state.hands[state.turn]]
    play = data.draw(st.sampled_from(held or wrong))
    error = refused(state, play.card)
    assert error.violations == why_illegal(state, play)
    assert error.move == play
    event(error.violations[0].code)


def a_playing_state() -> Playing:
    hands = [Cards("2C 3C 4H"), Cards("5C 6H 7S"), Cards("8C 9C 9H"), Cards("TC TH TS")]
    rules = of_cards(" ".join(str(hand) for hand in hands), 1, players=4, pass_cycle=(HOLD,))
    return set_up(rules, hands=[hands[0] - Cards("2C"), *hands[1:]], leader=0, trick=[Card("2C")])


def test_the_reasons_against_a_card() -> None:
    state = a_playing_state()
    assert refused(state, Card("7S")).violations == (MustFollowSuit(Card("7S"), Suit.CLUBS, 1),)
    assert refused(state, Card("TH")).violations == (NotInHand(Cards("TH")),)


@pytest.mark.parametrize("answer", ["5C", 3, None, Play(1, Card("5C"))])
def test_a_policy_must_choose_a_card(answer: object) -> None:
    state = a_playing_state()
    before = repr(state)
    with pytest.raises(TypeError, match=r"a policy must choose a Card, not (a|None)"):
        playout(state, RandomStream(1), policy=answering(state, answer))
    assert repr(state) == before


@pytest.mark.parametrize("gifts", ["", "2C", "three foreign"])
def test_an_illegal_pass_is_refused(gifts: str) -> None:
    state = first_of(Passing, Rules())
    assert isinstance(state, Passing)
    foreign = Cards(list(Rules().deck - state.hands[0])[:3])
    bags = {"": (), "2C": (Cards(list(state.hands[0])[:1]),), "three foreign": (foreign,)}[gifts]
    error = refused(state, Pass(0, *bags))
    assert error.violations == why_illegal(state, Pass(0, *bags))
    assert error.move == Pass(0, *bags)
    if gifts == "2C":
        assert isinstance(error.violations[0], WrongNumberOfCards)


def test_a_pass_of_another_seat_is_refused() -> None:
    state = first_of(Passing, Rules())
    theirs = legal_moves(state, 2)[0]
    assert isinstance(theirs, Pass)
    assert refused(state, theirs).violations == (NotYourTurn(2, 0),)
    assert refused(apply(state, theirs), theirs).violations == (NotYourTurn(2, 0),)
    # Seat 0 may choose its own pass, but no other seat may choose it once more.
    own = legal_moves(state, 0)[0]
    assert isinstance(own, Pass)
    assert refused(state, Pass(2, *own.cards)).violations == (NotYourTurn(2, 0),)
    error = refused(state, own)
    assert error.violations == (NotYourTurn(0, 1),)
    assert error.move == own


@pytest.mark.parametrize("answer", ["pass", None, Card("2C"), Play(0, Card("2C"))])
@pytest.mark.parametrize(
    ("phase", "name", "wanted"),
    [
        (Passing, "shown together", "a Pass"),
        (Exposing, "shown together", "an Expose"),
        (ChoosingMoon, "moons", "a ChooseMoon"),
    ],
)
def test_a_policy_must_choose_what_it_is_asked_for(phase: type[State], name: str, wanted: str, answer: object) -> None:
    state = first_of(phase, RARE[name][0])
    before = repr(state)
    with wrong_type(rf"a policy must choose {wanted}, not (a|None)"):
        playout(state, RandomStream(1), policy=answering(state, answer))
    assert repr(state) == before


@pytest.mark.parametrize("name", ["shown together", "shown in turn", "shown in rounds", "shown in rounds, in turn"])
def test_an_illegal_exposure_is_refused_with_the_reasons_against_it(name: str) -> None:
    class Showing(Policy):
        def choose_exposure(self, exposures: Sequence[Expose], stream: RandomStream) -> Expose:  # noqa: ARG002
            seat = exposures[0].seat
            return wrong if seat == wrong.seat else exposures[0]

    state = first_of(Exposing, RARE[name][0])
    assert isinstance(state, Exposing)
    for seat, hand in enumerate(state.hands):
        # Whoever is asked before it has shown nothing.
        for cards in (hand - Cards("QS 3H"), state.rules.deck - hand):
            wrong = Expose(seat, cards)
            with pytest.raises(IllegalMove) as caught:
                playout(state, RandomStream(1), policy=Showing())
            assert {type(reason) for reason in caught.value.violations} <= {NotInHand, NotExposable}
            assert caught.value.move == wrong
    first = state.to_act[0]
    wrong = Expose((first + 1) % 3, Cards())
    with pytest.raises(IllegalMove) as caught:
        playout(state, RandomStream(1), policy=answering(state, wrong))
    assert caught.value.violations == (NotYourTurn(wrong.seat, first),)


def test_an_effect_that_is_no_choice_is_refused() -> None:
    state = first_of(ChoosingMoon, RARE["moons"][0])
    assert isinstance(state, ChoosingMoon)
    error = refused(state, ChooseMoon(state.shooter, Moon.OFF))
    assert [type(reason) for reason in error.violations] == [NoSuchEffect]
    other = ChooseMoon((state.shooter + 1) % 3, Moon.OTHERS_UP)
    assert [type(reason) for reason in refused(state, other).violations] == [NotTheShooter]


def test_an_error_of_a_policy_passes_through() -> None:
    class Broken(Policy):
        def choose_card(self, choice: CardChoice, stream: RandomStream) -> Card:  # noqa: ARG002
            raise LookupError(f"seat {choice.seat} is lost")

    with pytest.raises(LookupError, match="is lost"):
        playout(new_game(Rules()), RandomStream(1), policy=Broken())


# --------------------------------------------------------------------------------------------------------------- draws


def sfc32(a: int, b: int, c: int, counter: int) -> Iterator[int]:
    """The words of sfc32, as PractRand describes it."""
    while True:
        word = (a + b + counter) % WORD
        counter = (counter + 1) % WORD
        a = b ^ (b // 2**9)
        b = (c + c * 2**3) % WORD
        c = ((c * 2**21) % WORD + c // 2**11 + word) % WORD
        yield word


def published(low: int, high: int) -> Iterator[int]:
    """The words of a words that starts from two words and leaves out twelve."""
    words = sfc32(0, low, high, 1)
    for _ in range(12):
        next(words)
    return words


def crafted(high: int, low: int, counter: int = 1, b: int = 0x9E3779B9) -> RandomStream:
    """A words whose next two words are given."""
    c = (low - (counter + 1) - (b ^ (b >> 9))) * pow(9, -1, WORD) % WORD
    return RandomStream(0, words=((high - b - counter) % WORD, b, c, counter))


class Given:
    """A source whose bits are those of a words of 32-bit words, two at a time."""

    def __init__(self, words: Iterable[int]) -> None:
        self.words = iter(words)

    def getrandbits(self, k: int, /) -> int:
        high = next(self.words)
        return (high << 32 | next(self.words)) >> (64 - k)


def words_of(stream: RandomStream) -> tuple[int, int, int, int]:
    _, (_, words) = stream.__reduce__()
    chosen: tuple[int, int, int, int] = words
    return chosen


@pytest.mark.parametrize("seed", ["table 7", "", "ü♥", 7, -3, 10**40, "7"])
def test_the_words_are_those_of_the_published_generator(seed: str | int) -> None:
    digest = hashlib.sha256(f"heartsrules 1\ndraws\n{seed}".encode()).digest()
    words = published(int.from_bytes(digest[4:8], "big"), int.from_bytes(digest[:4], "big"))
    stream = RandomStream(seed)
    for _ in range(2000):
        assert stream.word() == next(words)


@pytest.mark.parametrize("bits", [0, 1, 2**31, 2**32 - 1, 2**32, 2**63, 2**63 - 1, 2**64 - 1, 0x0123456789ABCDEF])
def test_a_stream_of_64_bits(bits: int) -> None:
    stream, words = RandomStream.from_bits(bits), published(bits % WORD, bits // WORD)
    assert [stream.word() for _ in range(2000)] == [next(words) for _ in range(2000)]


@given(st.tuples(*[st.integers(0, WORD - 1)] * 4))
def test_any_words_go_on_as_published(words: tuple[int, int, int, int]) -> None:
    stream, published_words = RandomStream(0, words), sfc32(*words)
    assert [stream.word() for _ in range(50)] == [next(published_words) for _ in range(50)]


def test_pinned_draws() -> None:
    stream = RandomStream("table 7")
    assert repr(stream) == "RandomStream(0, words=(2090096628, 2296773315, 235562230, 13))"
    assert [stream.word() for _ in range(4)] == [91902660, 117380338, 1149196031, 2553297646]
    assert RandomStream("table 7").getrandbits(64) == 0x57A52C406FF14F2
    assert RandomStream("table 7").below(10**6) == 787698
    other = RandomStream.from_bits(0x0123456789ABCDEF)
    assert [other.word() for _ in range(4)] == [2222009751, 4121156040, 1557176981, 903895892]
    assert repr(RandomStream(7)) == repr(RandomStream("7"))


@pytest.mark.parametrize("bound", [1, 2, 3, 5, 6, 13, 52, 4095, 4096])
@pytest.mark.parametrize("word", [0, 1, 2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1])
def test_pick_takes_the_upper_half(bound: int, word: int) -> None:
    expected = word * bound // WORD
    assert crafted(word, 0).pick(bound) == crafted(word, 0).below(bound) == expected
    assert 0 <= expected < bound


@pytest.mark.parametrize("bound", [2, 3, 6, 52, 104, 4095, 4096, 4097, 2**31 - 1, 2**31])
def test_fair_is_below_over_64_bits(bound: int) -> None:
    for seed in range(50):
        stream = RandomStream(seed)
        source = Given(sfc32(*words_of(stream)))
        for _ in range(10):
            assert stream.fair(bound) == below(source, bound)


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 7, 52, 101, 4097, 65535, 65537, 2**31 - 1, 2**31])
def test_fair_refuses_what_below_refuses(bound: int) -> None:
    excess = 2**64 % bound
    refusals = 0
    for low in {0, 1, WORD - 1, WORD - excess - 1, WORD - excess, WORD - excess + 1} - {WORD, WORD + 1}:
        for high in (WORD - 1, WORD - 2, 0):
            stream = crafted(high, low % WORD)
            source = Given(sfc32(*words_of(stream)))
            first_bits = high << 32 | low % WORD
            assert stream.copy().getrandbits(64) == first_bits
            assert stream.fair(bound) == below(source, bound)
            # The streams stand at the same place: two words further on, or more where the first two were refused.
            assert stream.word() == next(source.words)
            refusals += first_bits >= 2**64 - excess
    assert (refusals > 0) == (excess > 0)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 32, 51, 52, 64])
def test_places_are_shuffled_as_cards_are(count: int) -> None:
    excess = 2**64 % max(count, 1)
    words = [0, 1, WORD - excess - 1, (WORD - excess) % WORD, WORD - 2, WORD - 1]
    streams = [crafted(high, low) for high in words for low in words] + [RandomStream(seed) for seed in range(300)]
    places = [Place(number, number) for number in range(count)]
    for stream in streams:
        again = stream.copy()
        stream._shuffle_places(places)
        assert [place.shuffled for place in places] == shuffled(range(count), again)
        assert repr(stream) == repr(again)


@pytest.mark.parametrize("bound", [4097, 10**6, 2**32, 2**63, 2**64 - 1, 2**64])
def test_below_takes_64_bits_for_high_bounds(bound: int) -> None:
    stream = RandomStream("high")
    source = Given(sfc32(*words_of(stream)))
    numbers = [stream.below(bound) for _ in range(200)]
    assert numbers == [below(source, bound) for _ in range(200)]
    assert all(0 <= number < bound for number in numbers)
    assert crafted(WORD - 1, WORD - 1).below(2**64) == 2**64 - 1


# The 99.9 % points of chi-square with 5 and 51 degrees of freedom.
@pytest.mark.parametrize(("bound", "limit"), [(6, 20.52), (52, 87.97)])
@pytest.mark.parametrize("method", ["below", "fair", "pick"])
def test_the_numbers_are_equally_frequent(bound: int, limit: float, method: str) -> None:
    stream = RandomStream("frequencies")
    number = getattr(stream, method)
    count = 400 * bound
    met = Counter(number(bound) for _ in range(count))
    assert set(met) == set(range(bound))
    assert sum((met[one] - 400) ** 2 / 400 for one in range(bound)) < limit


def test_a_bound_of_one_draws_nothing() -> None:
    stream = RandomStream(4)
    assert [stream.below(1), stream.pick(1)] == [0, 0]
    assert repr(stream) == repr(RandomStream(4))


@pytest.mark.parametrize("bound", [0, -1, 2**64 + 1, -(2**70)])
def test_bounds_out_of_range(bound: int) -> None:
    with pytest.raises(ValueError, match=r"bound must be from 1 to 2\*\*64"):
        RandomStream(1).below(bound)


@pytest.mark.parametrize("k", range(1, 65))
def test_bits_are_the_first_of_two_words(k: int) -> None:
    stream = RandomStream("bits")
    source = Given(sfc32(*words_of(stream)))
    for _ in range(20):
        bits = stream.getrandbits(k)
        assert 0 <= bits < 2**k
        assert bits == source.getrandbits(k)
    assert crafted(WORD - 1, WORD - 1).getrandbits(k) == 2**k - 1


@pytest.mark.parametrize("seed", [True, None, 1.5, b"table 7"])
def test_wrong_seeds(seed: Any) -> None:
    with wrong_type("seed must be a str or an int"):
        RandomStream(seed)


@pytest.mark.parametrize("words", [(-1, 0, 0, 0), (0, 0, 2**32, 0), (0, 0, 0, 2**70)])
def test_words_out_of_range(words: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match=r"words must be from 0 to 2\*\*32 - 1"):
        RandomStream(0, words=words)


@pytest.mark.parametrize("words", [(), (1, 2, 3), (1, 2, 3, 4, 5)])
def test_words_of_another_number(words: Any) -> None:
    with wrong_type("words must be four ints"):
        RandomStream(0, words=words)


@pytest.mark.parametrize("bits", [-1, 2**64])
def test_bits_of_a_stream_out_of_range(bits: int) -> None:
    with pytest.raises(ValueError, match=r"bits must be from 0 to 2\*\*64 - 1"):
        RandomStream.from_bits(bits)


# --------------------------------------------------------------------------------------------------------------- masks


def names(mask: int) -> list[str]:
    """The cards of a mask, from its binary digits."""
    digits = f"{mask:052b}"[::-1]
    return ["23456789TJQKA"[at % 13] + "CDSH"[at // 13] for at in range(52) if digits[at] == "1"]


def random_masks(count: int) -> list[int]:
    """Masks with few, half and most of the bits."""
    rng = Random(52)
    masks: list[int] = [0, FULL, *SUIT_MASKS]
    while len(masks) < count:
        one, two, three = (rng.getrandbits(52) for _ in range(3))
        masks += [one, one & two & three, one | two | three]
    return masks


@pytest.mark.parametrize("at", range(52))
def test_every_bit_is_its_card(at: int) -> None:
    bit = 1 << at
    card = Card(names(bit)[0])
    assert (card.bit, card.index, ALL_FACES[at]) == (bit, at, card)
    assert face(bit) is card
    assert popcount(bit) == 1
    assert popcount(FULL & ~bit) == 51
    assert popcount(bit - 1) == at
    assert cards_of(bit) == [card]
    assert cards_of(bit, bit) == [card, card]
    assert [str(one) for one in cards_of(FULL ^ bit)] == names(FULL ^ bit)
    assert len(cards_of(FULL, FULL ^ bit)) == 103


def test_bags_agree_with_counters() -> None:
    masks = random_masks(240)
    bags = [(lo | hi, hi) for lo, hi in zip(masks, reversed(masks), strict=True)]
    for (lo, hi), (other_lo, other_hi) in zip(bags, bags[1:] + bags[:1], strict=True):
        one, other = bag_of(lo, hi), bag_of(other_lo, other_hi)
        counts, others = Counter(names(lo) + names(hi)), Counter(names(other_lo) + names(other_hi))

        def tally(bag: Cards) -> Counter[str]:
            return Counter(str(card) for card in bag)

        assert (tally(one), len(one)) == (counts, counts.total())
        assert Cards([Card(name) for name in counts.elements()]) == one
        assert tally(one - other) == counts - others
        assert tally(one & other) == counts & others
        assert (one <= other) == (counts <= others)
        assert (one & other) <= other
        assert list(one) == sorted(one)
        if max((counts + others).values(), default=0) <= 2:
            assert tally(one + other) == counts + others
        half = bag_of(lo & ~other_lo, 0)
        assert tally(half + bag_of(lo, 0)) == tally(half) + Counter(names(lo))
        for suit in Suit:
            assert tally(one.of_suit(suit)) == Counter({n: c for n, c in counts.items() if n[1] == suit.letter})


@pytest.mark.parametrize("seat", range(11))
def test_the_plays_of_a_mask(seat: int) -> None:
    masks = [1 << at for at in range(52)] + random_masks(120)
    for mask in masks:
        plays = plays_of(seat, mask)
        assert [str(play.card) for play in plays] == names(mask)
        assert all(play is Play(seat, play.card) for play in plays)
        assert sum(play.bit for play in plays) == mask
        assert all(play.seat == seat for play in plays)
        assert popcount(mask) == mask.bit_count() == len(plays)


@pytest.mark.parametrize("suit", list(Suit))
@pytest.mark.parametrize("broken", [False, True])
def test_the_suit_led_is_followed(suit: Suit, broken: bool) -> None:
    tables = Rules()._resolved
    for hand in [*(1 << at for at in range(52)), *(FULL ^ (1 << at) for at in range(52)), *random_masks(300)]:
        held = names(hand)
        following = [name for name in held if name[1] == suit.letter]
        legal = playable(tables, hand, SUIT_MASKS[suit], False, broken, 0, 0, None)
        assert names(legal) == (following or held)


@pytest.mark.parametrize("suit", list(Suit))
def test_points_wait_on_the_first_trick(suit: Suit) -> None:
    tables = Rules()._resolved
    for hand in [*(1 << at for at in range(52)), *random_masks(300)]:
        held = names(hand)
        following = [name for name in held if name[1] == suit.letter]
        harmless = [name for name in held if name[1] != "H" and name != "QS"]
        legal = playable(tables, hand, SUIT_MASKS[suit], True, False, 0, 0, None)
        assert names(legal) == (following or harmless or held)


@pytest.mark.parametrize("broken", [False, True])
def test_hearts_wait_on_lead(broken: bool) -> None:
    tables = Rules()._resolved
    for hand in [*(1 << at for at in range(52)), *random_masks(300)]:
        held = names(hand)
        others = [name for name in held if name[1] != "H"]
        assert names(playable(tables, hand, 0, False, broken, 0, 0, None)) == (held if broken else others or held)


@pytest.mark.parametrize("suit", list(Suit))
@pytest.mark.parametrize("beaten", ["", "QS", "2S 3S 4S 5S 6S 7S 8S 9S TS JS QS", "2S 3S 4S"])
def test_a_queen_that_is_safe_must_be_played(suit: Suit, beaten: str) -> None:
    tables = attrs.evolve(Rules(), compulsory=Compulsory.SAFE)._resolved
    lower = Cards(beaten).lo
    high = "QS" in beaten
    queens = 0
    for hand in random_masks(300) + [mask & ~SUIT_MASKS[suit] for mask in random_masks(300)]:
        held = names(hand)
        expected = [name for name in held if name[1] == suit.letter] or held
        if "QS" in expected and (suit is not Suit.SPADES or high):
            expected = ["QS"]
            queens += 1
        assert names(playable(tables, hand, SUIT_MASKS[suit], False, True, lower, 0, None)) == expected
    assert queens > 50 or (suit is Suit.SPADES and not high)


def test_watchful_players_show_what_the_heuristic_player_shows() -> None:
    rules = presets.gong_zhu(4)
    shown = 0
    for number in range(40):
        state = apply(new_game(rules), deal(new_game(rules), seed=number))
        if isinstance(state, Exposing):
            after = playout(state, RandomStream(1), policy=Watchful())
            assert after.last_deal is not None
            choices = [heuristic(view(state, seat), RandomStream(1)) for seat in range(4) if seat in to_act(state)]
            moved = {seat: move.cards for seat, move in enumerate(state.commitments) if move is not None}
            moved |= {move.seat: move.cards for move in choices if isinstance(move, Expose)}
            assert after.last_deal.start.exposed == tuple([moved[seat] for seat in range(4)])
            shown += sum([bool(cards) for cards in moved.values()])
    assert shown > 20
