"""Deals and policies that aim at the rare rules, and matches of random rule sets.

Everything is drawn from a `random.Random`, so that a seeded loop and a Hypothesis test use one and the same code:
the strategies at the end hand a generator to it whose choices Hypothesis makes and shrinks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, TypeAlias, TypeVar

import attrs
from hypothesis import strategies as st

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    Deal,
    DealingBack,
    Exposing,
    GameOver,
    Move,
    Passing,
    Play,
    Playing,
    Rank,
    Rules,
    Seat,
    State,
    Suit,
    apply,
    deal,
    legal_moves,
    new_game,
    to_act,
    why_illegal,
)
from heartsrules.rules import ANY_NUMBER, Bonus, Doubler, ExposeBeforePass, PassOptional, Tie, left
from heartsrules.rules.presets import ALL
from heartsrules.testing.rule_sets import random_rules as random_rules

T = TypeVar("T")

FACES: Final = tuple(Card.of(rank, suit) for suit in Suit for rank in Rank)
QUEEN: Final = Card("QS")


def one_in(rng: Random, count: int) -> bool:
    """True once in so many times; shrinks to False."""
    return rng.randrange(count) == count - 1


def some(rng: Random, items: Iterable[T], count: int) -> list[T]:
    """So many of the items; unlike `Random.sample`, it never makes Hypothesis throw an example away."""
    left = list(items)
    return [left.pop(rng.randrange(len(left))) for _ in range(count)]


# ----------------------------------------------------------------------------------------------------------- deals

KITTY: Final = -1
"""In place of a seat, the kitty."""

Key: TypeAlias = Callable[[Card], int]
Draft: TypeAlias = list[tuple[int, Key]]
"""Who chooses cards before the rest is dealt at random: each takes the cards of the least key until it is full."""


def _penalties(rules: Rules) -> Key:
    return lambda card: rules.penalty(card) == 0


def _queen_and_hearts(card: Card) -> int:
    return 0 if card is QUEEN else 1 if card.suit is Suit.HEARTS else 2


def _not(suit: Suit) -> Key:
    return lambda card: card.suit is suit


def _only(suit: Suit) -> Key:
    return lambda card: card.suit is not suit


def _strong(card: Card) -> int:
    return -int(card.rank)


def _weak(card: Card) -> int:
    return int(card.rank)


def _anybody(rules: Rules, rng: Random) -> Seat:
    return rng.randrange(rules.players)


def _two_mates(rules: Rules, rng: Random) -> Draft:
    sides = [seats for seats in rules.sides if len(seats) > 1] or [tuple(range(rules.players))]
    one, other = some(rng, rng.choice(sides), 2)
    return [(one, _strong), (other, _strong)]


AIMS: Final[Mapping[str, Callable[[Rules, Random], Draft]]] = {
    "random": lambda _rules, _rng: [],
    "only penalty cards": lambda rules, rng: [(_anybody(rules, rng), _penalties(rules))],
    "queen and hearts": lambda rules, rng: [(_anybody(rules, rng), _queen_and_hearts)],
    "only hearts": lambda rules, rng: [(_anybody(rules, rng), _only(Suit.HEARTS))],
    "hearts to the leader": lambda rules, _rng: [((rules.first_dealer + 1) % rules.players, _only(Suit.HEARTS))],
    "queen and hearts to the leader": lambda rules, _rng: [
        ((rules.first_dealer + 1) % rules.players, _queen_and_hearts)
    ],
    "void in clubs": lambda rules, rng: [(_anybody(rules, rng), _not(Suit.CLUBS))],
    "one suit": lambda rules, rng: [(_anybody(rules, rng), _only(rng.choice(list(Suit))))],
    "strong": lambda rules, rng: [(_anybody(rules, rng), _strong)],
    "strong and weak": lambda rules, rng: [(_anybody(rules, rng), _strong), (_anybody(rules, rng), _weak)],
    "strong team": _two_mates,
    "clubs in the kitty": lambda _rules, _rng: [(KITTY, lambda card: (card.suit is not Suit.CLUBS) * 20 + card.rank)],
    "penalty cards in the kitty": lambda rules, _rng: [(KITTY, _penalties(rules))],
    "hearts in the kitty": lambda _rules, _rng: [(KITTY, _only(Suit.HEARTS))],
    "harmless kitty": lambda rules, _rng: [(KITTY, lambda card: rules.penalty(card))],
}
TWINS: Final = "twins to neighbours"
ALL_AIMS: Final = (*AIMS, TWINS)


def aimed_deal(rules: Rules, rng: Random, aim: str) -> Deal:
    """A valid deal that aims at what a name of `ALL_AIMS` says, as far as the deck has the cards for it."""
    pack = list(rules.deck)
    rng.shuffle(pack)
    players = rules.players
    if aim == TWINS:
        dealt = sorted(pack[rules.kitty_size :])
        return Deal(tuple(Cards(dealt[seat::players]) for seat in range(players)), Cards(pack[: rules.kitty_size]))
    piles: dict[int, list[Card]] = {receiver: [] for receiver in range(KITTY, players)}
    for receiver, key in AIMS[aim](rules, rng):
        free = _size(rules, receiver) - len(piles[receiver])
        pack.sort(key=key)
        piles[receiver] += pack[:free]
        del pack[:free]
    rng.shuffle(pack)
    for receiver, pile in piles.items():
        free = _size(rules, receiver) - len(pile)
        pile += pack[:free]
        del pack[:free]
    return Deal(tuple(Cards(piles[seat]) for seat in range(players)), Cards(piles[KITTY]))


def _size(rules: Rules, receiver: int) -> int:
    return rules.kitty_size if receiver == KITTY else rules.cards_per_hand


# -------------------------------------------------------------------------------------------------------- policies

Chooser: TypeAlias = Callable[[Playing, Sequence[Play], Random], Play]
"""Picks one of the legal plays of the seat whose turn it is."""


def _points(state: Playing, play: Play) -> int:
    return state.rules.penalty(play.card)


def _winning_rank(state: Playing) -> int:
    return max(play.card.rank for play in state.trick if play.card.suit == state.trick[0].card.suit)


def play_anything(_state: Playing, legal: Sequence[Play], rng: Random) -> Play:
    return rng.choice(legal)


def play_lowest(_state: Playing, legal: Sequence[Play], _rng: Random) -> Play:
    return min(legal, key=lambda play: play.card.rank)


def play_highest(_state: Playing, legal: Sequence[Play], _rng: Random) -> Play:
    return max(legal, key=lambda play: play.card.rank)


def avoid_points(state: Playing, legal: Sequence[Play], _rng: Random) -> Play:
    """Lead low, stay below the winning card, discard what costs most."""
    if not state.trick:
        return min(legal, key=lambda play: play.card.rank)
    if legal[0].card.suit != state.trick[0].card.suit:
        return max(legal, key=lambda play: (_points(state, play), play.card.rank))
    below = [play for play in legal if play.card.rank < _winning_rank(state)]
    return max(below or legal[:1], key=lambda play: play.card.rank)


def collect_points(state: Playing, legal: Sequence[Play], _rng: Random) -> Play:
    """Hunt the moon: win what can be won, and keep the penalty cards when discarding."""
    if not state.trick or legal[0].card.suit == state.trick[0].card.suit:
        return max(legal, key=lambda play: play.card.rank)
    return min(legal, key=lambda play: (_points(state, play), play.card.rank))


def dump_queen(_state: Playing, legal: Sequence[Play], rng: Random) -> Play:
    return next((play for play in legal if play.card is QUEEN), rng.choice(legal))


def pair_up(state: Playing, legal: Sequence[Play], rng: Random) -> Play:
    """Cancel a card of the trick where possible; else lead or follow with a card that can still be cancelled."""
    cards = {play.card for play in state.trick}
    twins = [play for play in legal if play.card in cards]
    return rng.choice(twins or legal)


CHOOSERS: Final[Mapping[str, Chooser]] = {
    "anything": play_anything,
    "lowest": play_lowest,
    "highest": play_highest,
    "avoid": avoid_points,
    "collect": collect_points,
    "queen": dump_queen,
    "pair": pair_up,
}


def random_table(rng: Random, rules: Rules) -> tuple[Chooser, ...]:
    """A random policy for each seat: all alike, one against the others, one team against the others, or mixed."""
    kind = rng.randrange(4)
    every = list(CHOOSERS.values())
    table: list[Chooser] = [rng.choice(every)] * rules.players
    if kind == 1:
        table = [play_lowest] * rules.players
        table[rng.randrange(rules.players)] = collect_points
    elif kind == 2:
        side = rng.choice(rules.sides)
        table = [collect_points if seat in side else play_lowest for seat in range(rules.players)]
    elif kind == 3:
        table = [rng.choice(every) for _ in range(rules.players)]
    return tuple(table)


def random_pass(state: Passing, rng: Random) -> Move:
    seat = rng.choice(sorted(to_act(state)))
    passes = legal_moves(state, seat)
    if state.rules.pass_optional is not PassOptional.NO and one_in(rng, 3):
        return passes[-1]
    return passes[rng.randrange(len(passes))]


def random_exposure(state: Exposing, rng: Random) -> Move:
    """What one of the seats may show: all of it, nothing, or anything."""
    seat = rng.choice(sorted(to_act(state)))
    choices = legal_moves(state, seat)
    return choices[rng.choice((-1, 0, rng.randrange(len(choices))))]


def choose(state: State, table: Sequence[Chooser], rng: Random, aim: str | None = None) -> Move:
    """A legal move of any state but `GameOver`: an aimed deal (of any aim by default), a random pass or exposure, a
    play by the policy of the seat, a random effect of a moon."""
    if isinstance(state, AwaitingDeal):
        return aimed_deal(state.rules, rng, aim or rng.choice(ALL_AIMS))
    if isinstance(state, Passing):
        return random_pass(state, rng)
    if isinstance(state, DealingBack):
        return deal(state, rng=rng)
    if isinstance(state, Exposing):
        return random_exposure(state, rng)
    if isinstance(state, Playing):
        legal = [move for move in legal_moves(state) if isinstance(move, Play)]
        return table[state.turn](state, legal, rng)
    return rng.choice(legal_moves(state))


def match(
    rules: Rules, rng: Random, max_deals: int = 3, table: Sequence[Chooser] | None = None, aim: str | None = None
) -> Iterator[tuple[State, Move, State]]:
    """A match by the policies of a table, move by move as (state, move, next state), to its end or a limit of deals.

    Without a table, the policies are drawn anew for every deal.
    """
    state: State = new_game(rules)
    policies = table or random_table(rng, rules)
    while not (isinstance(state, GameOver) or (isinstance(state, AwaitingDeal) and state.deal_number == max_deals)):
        if isinstance(state, AwaitingDeal) and table is None:
            policies = random_table(rng, rules)
        move = choose(state, policies, rng, aim)
        following = apply(state, move)
        yield state, move, following
        state = following


# ------------------------------------------------------------------------------------------------------ Hypothesis


def covered(rules: Rules) -> Rules:
    """A rule set as it is, but for what the bridges have no actions for."""
    cycle = [left(1) if step == ANY_NUMBER else step for step in rules.pass_cycle]
    return attrs.evolve(rules, pass_cycle=cycle, expose_before_pass=ExposeBeforePass.NEVER)


def rules_sets(**fixed: Any) -> st.SearchStrategy[Rules]:
    """Random valid rule sets; they shrink towards few players, small decks and the defaults.

    Fields can be fixed as in `random_rules`.
    """
    return st.builds(
        random_rules, st.randoms(use_true_random=False), **{name: st.just(value) for name, value in fixed.items()}
    )


TABLES: Final = {
    f"{preset.name}-{players}": covered(preset(players)) for preset in ALL.values() for players in preset.players
}
"""Every preset for every count of players, as the bridges play it."""
SHOWING: Final = Rules(
    exposable="QS JD TC AH",
    pass_cycle=[()],
    bonuses=[Bonus(Card("JD"), 10)],
    doubler=Doubler(Card("TC"), 2, 5),
    target=None,
    max_deals=1,
    tie=Tie.SHARED,
)
"""Four cards may be shown in the only deal, before the play."""
PRESETS: Final = tuple([preset(players) for preset in ALL.values() for players in preset.players])


def any_rules() -> st.SearchStrategy[Rules]:
    """Random rule sets, and one time in five a preset."""
    random = rules_sets()
    return st.one_of(random, random, random, random, st.sampled_from(PRESETS))


def deals(rules: Rules) -> st.SearchStrategy[Deal]:
    """Random and aimed deals of a rule set."""
    return st.builds(aimed_deal, st.just(rules), st.randoms(use_true_random=True), st.sampled_from(ALL_AIMS))


def generators() -> st.SearchStrategy[Random]:
    """Generators for what is played; they are seeded, so that long matches do not use up Hypothesis' choices."""
    return st.randoms(use_true_random=True)


@attrs.frozen
class Match:
    """A match as it was played."""

    rules: Rules
    states: tuple[State, ...] = attrs.field(repr=False)
    moves: tuple[Move, ...]
    """`moves[k]` leads from `states[k]` to `states[k + 1]`."""


@st.composite
def matches(draw: st.DrawFn, rules: st.SearchStrategy[Rules] | None = None, max_deals: int = 2) -> Match:
    """Matches of random rule sets, or of given ones, played by aimed deals and policies."""
    chosen = draw(rules_sets() if rules is None else rules)
    states: list[State] = [new_game(chosen)]
    moves: list[Move] = []
    for _, move, following in match(chosen, draw(generators()), max_deals):
        states.append(following)
        moves.append(move)
    return Match(chosen, tuple(states), tuple(moves))


def _kind(state: State) -> tuple[str, ...]:
    """What may be rare about a state: its phase, the count of gifts, the reasons against cards of the mover's hand."""
    if isinstance(state, Passing):
        return ("Passing", str(len(state.plan)))
    if isinstance(state, Exposing):
        return ("Exposing", str(state.rules.exposure), str(any(state.commitments)))
    if not isinstance(state, Playing):
        return (type(state).__name__,)
    seat = state.turn
    reasons = [reason for card in state.hands[seat].distinct() for reason in why_illegal(state, Play(seat, card))]
    return ("Playing", *sorted({reason.code for reason in reasons}))


@st.composite
def states_of(draw: st.DrawFn, *phases: type[State], rules: st.SearchStrategy[Rules] | None = None) -> State:
    """A state of a random match, the rare kinds as often as the frequent ones; of the given phases, if it has any."""
    played = draw(matches(rules))
    kinds: dict[tuple[str, ...], list[State]] = {}
    for state in [state for state in played.states if isinstance(state, phases)] or played.states:
        kinds.setdefault(_kind(state), []).append(state)
    return draw(st.sampled_from(kinds[draw(st.sampled_from(sorted(kinds)))]))
