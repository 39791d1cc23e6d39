"""Random setups for the tests of whatever reads positions: true ones of every phase, and corrupted copies of them.

Everything is drawn from a `random.Random`. A spoiler changes one thing of a setup, or gives None where it finds nothing
to change; for each problem code that `check` can give there is one that aims at it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from typing import Any, Final, TypeAlias

import attrs

from heartsrules import (
    AwaitingDeal,
    Card,
    Cards,
    ChoosingMoon,
    DealingBack,
    DealScore,
    Expose,
    Exposing,
    GameOver,
    Pass,
    Phase,
    Play,
    Playing,
    Rules,
    State,
    Suit,
    Trick,
    apply,
    new_game,
)
from heartsrules.base.values import replaced
from heartsrules.play.state import MidDealPosition
from heartsrules.rules import Exposure, Kitty, Moon, QueenBreaks
from heartsrules.setup import DealSetup, Setup, check
from support.strategies import FACES, choose, match, one_in, random_rules, random_table

Spoiler: TypeAlias = Callable[[Random, Setup], Setup | None]

CODES: Final = frozenset({
    "all-exposed", "complete-trick", "contradiction", "deal-is-over", "deal-not-over", "extra-cards",
    "foreign-cards", "game-is-over", "illegal-exposure", "illegal-pass", "illegal-play", "impossible-rounds",
    "missing-cards", "missing-pass", "no-choice", "no-exposure", "no-kitty", "no-last-deal", "no-passing", "no-start",
    "no-such-seat", "not-exposable", "not-in-phase", "out-of-range", "part-of-a-trick", "passes-without-history",
    "exposed-elsewhere", "exposed-twice", "too-many-copies", "too-many-suits", "wrong-cards", "wrong-count",
    "wrong-deal-back", "wrong-hand-size", "wrong-hearts-broken", "wrong-kitty", "wrong-kitty-size",
    "wrong-kitty-winner", "wrong-leader", "wrong-moon", "wrong-order", "wrong-phase", "wrong-points",
    "wrong-queen-taker", "wrong-scores", "wrong-seat", "wrong-set-aside", "wrong-sum", "wrong-trick",
    "wrong-tricks-won",
})  # fmt: skip
"""Every code that `check` can give; test_check.py finds them in the sources."""

IN_HAND: Final = (Phase.PASS, Phase.DEAL_BACK, Phase.EXPOSE, Phase.PLAY)

# --------------------------------------------------------------------------------------------------- true setups


def some_rules(rng: Random) -> Rules:
    """A random rule set; now and then the everyday ones, whose deals are long."""
    kind = rng.randrange(14)
    if kind == 0:
        return Rules(target=rng.choice((10, 50)), moon=rng.choice(tuple(Moon)))
    if kind == 1:
        return Rules(players=5, kitty=Kitty.FIRST_POINT, queen_breaks=QueenBreaks.LED, moon=Moon.CHOICE)
    if kind == 2:
        return Rules(players=6, decks=2, hand_size=17, kitty=Kitty.FIRST_TRICK, target=30, teams=rng.choice((0, 2)))
    if kind == 3:
        exposure = rng.choice(tuple(Exposure))
        return Rules(exposable="QS AH", exposure=exposure, hand_size=12, kitty=Kitty.LAST_TRICK, target=30)
    return random_rules(rng)


def true_setups(rng: Random) -> Iterator[Setup]:
    """Setups of some states of a match, whole or without parts of its history; `check` believes all of them."""
    rules = some_rules(rng)
    states = [new_game(rules), *[after for _, _, after in match(rules, rng, 2)]]
    rare = [state for state in states if not isinstance(state, Playing)]
    often = [state for state in states if isinstance(state, Playing)]
    picked: list[State] = [rng.choice(rare), *[state for state in rare if isinstance(state, (ChoosingMoon, GameOver))]]
    for kind in (DealingBack, Exposing):
        of_kind = [state for state in states if isinstance(state, kind)]
        if of_kind:
            picked.append(rng.choice(of_kind))
    if often:
        picked += [rng.choice(often), rng.choice(often)]
        picked += played_on(rng, without_history(rng, rng.choice(often)))
    for state in picked:
        setup = Setup.of(state)
        yield setup
        yield without_claims(rng, setup)
        argued = for_set_up(setup)
        if argued is not None and one_in(rng, 2):
            yield argued
        if setup.deal_number and one_in(rng, 2):
            yield without_sheet(setup)


def without_history(rng: Random, state: Playing) -> Setup:
    """The same position from the middle of the deal on."""
    middle = MidDealPosition(
        state.leader,
        state.captured,
        rng.choice((state.tricks_won, state.tricks_won, None)) if not state.rules.decks > 1 else state.tricks_won,
        state.set_aside,
        state.kitty_winner,
        state.hearts_broken if not state.trick else None,
        tuple(sorted({*state.start.led_before, *[trick.plays[0].card.suit for trick in state.tricks]})),
    )
    setup = attrs.evolve(
        Setup.of(state), passes=(), dealt_back=(), tricks=(), resumed_from=middle, has_full_history=False
    )
    if state.trick_number or state.trick:
        return without_sheet(setup) if state.deal_number and one_in(rng, 2) else setup
    return setup


def without_sheet(setup: Setup) -> Setup:
    """The same position without the rows of the score sheet, but for that of the last deal."""
    known = 1 if setup.last_deal is not None and setup.phase is not Phase.MOON else 0
    rows = setup.score_sheet
    if len(rows) <= known:
        return setup
    at = len(rows) - known
    before = rows[at - 1]
    return attrs.evolve(
        setup,
        first=setup.first + at,
        start=before.totals,
        queen_taker=before.queen_taker,
        score_sheet=rows[at:],
        has_full_history=False,
    )


def without_claims(rng: Random, setup: Setup) -> Setup:
    """The same position without any of its claims, without those that no document makes, or without some."""
    kind = rng.randrange(3)
    if kind == 0:
        names: list[str] = list(CLAIMS)
    elif kind == 1:
        names = [*CLAIMS_OF_DEAL[1:], "others_up", "shooter_down"]
    else:
        names = [name for name in CLAIMS if not one_in(rng, 2)]
    nothing: dict[str, Any] = dict.fromkeys(names)
    if setup.last_deal is not None:
        of_deal: dict[str, Any] = dict.fromkeys(CLAIMS_OF_DEAL)
        if kind == 2 and setup.last_deal.resumed_from is None:
            of_deal["kitty"] = None
        nothing["last_deal"] = attrs.evolve(setup.last_deal, **of_deal)
    if setup.phase in IN_HAND and not setup.resumed_from and kind == 2 and one_in(rng, 2):
        nothing["kitty"] = None
    return attrs.evolve(setup, **nothing)


def for_set_up(setup: Setup) -> Setup | None:
    """The same position in the middle of a deal, as the arguments of `set_up` say it."""
    if setup.phase is not Phase.PLAY or (setup.resumed_from is not None and setup.tricks):
        return None
    nothing: dict[str, Any] = {"has_full_history": None, "turn": None, "trick_number": None}
    middle = setup.resumed_from
    if middle is not None:
        nothing |= {"captured": None, "tricks_won": None, "set_aside": None, "kitty_winner": None}
        nothing |= {"resumed_from": replaced(middle, hearts_broken=None), "leader": middle.leader}
    return attrs.evolve(setup, **nothing)


def played_on(rng: Random, setup: Setup) -> Iterator[State]:
    """Some of the states from a position on, until the first few moves of the next deal."""
    state = check(setup)
    yield state
    table = random_table(rng, state.rules)
    number = state.deal_number
    left = 3
    while left and not isinstance(state, GameOver):
        state = apply(state, choose(state, table, rng))
        left -= state.deal_number > number and not isinstance(state, AwaitingDeal)
        if not isinstance(state, Playing) or one_in(rng, 8):
            yield state


CLAIMS_OF_DEAL: Final = ("leader", "captured", "tricks_won", "trick_number", "set_aside", "kitty_winner")
CLAIMS: Final = (
    *CLAIMS_OF_DEAL, "hearts_broken", "has_full_history", "scores", "turn", "shooter", "others_up", "shooter_down",
    "winners",
)  # fmt: skip

# ------------------------------------------------------------------------------------------------------- spoilers


def deal_of(setup: Setup) -> DealSetup:
    """The deal of a setup."""
    return setup if setup.last_deal is None else setup.last_deal


def with_deal(setup: Setup, **changes: Any) -> Setup:
    """The setup with parts of its deal changed."""
    if setup.last_deal is None:
        return attrs.evolve(setup, **changes)
    return attrs.evolve(setup, last_deal=attrs.evolve(setup.last_deal, **changes))


def put(items: tuple[Any, ...], place: int, item: Any) -> tuple[Any, ...]:
    """The tuple with another item at a place."""
    return (*items[:place], item, *items[place + 1 :])


def any_place(rng: Random, items: tuple[Any, ...] | None) -> int | None:
    """A place in a tuple, if it has any."""
    return rng.randrange(len(items)) if items else None


def odd_seat(rng: Random, setup: Setup) -> int:
    """A seat, mostly one that the table does not have."""
    players = setup.rules.players
    return rng.choice((players, players, -1, 10, 11, 99, 2**40, rng.randrange(players)))


def odd_count(rng: Random, items: tuple[Any, ...]) -> tuple[Any, ...]:
    """Too few or too many items."""
    return rng.choice((items[:-1], items[1:], (*items, *items[-1:]), ()))


def other(rng: Random, card: Card) -> Card:
    return rng.choice([face for face in FACES if face is not card])


def _card_of(rng: Random, bag: Cards) -> Card | None:
    return rng.choice(list(bag)) if bag else None


def swap_cards(rng: Random, setup: Setup) -> Setup | None:
    """Two hands exchange a card."""
    if len(setup.hands) < 2:
        return None
    one, two = rng.sample(range(len(setup.hands)), 2)
    first, second = _card_of(rng, setup.hands[one]), _card_of(rng, setup.hands[two])
    if first is None or second is None:
        return None
    return _bags(setup, {one: [(first, second)], two: [(second, first)]})


def _bags(setup: Setup, changes: Mapping[int, list[tuple[Card | None, Card | None]]]) -> Setup | None:
    hands = list(setup.hands)
    for seat, swaps in changes.items():
        for out, into in swaps:
            cards = list(hands[seat])
            if out is not None:
                cards.remove(out)
            if into is not None:
                cards.append(into)
                if cards.count(into) > 2:
                    return None
            hands[seat] = Cards(cards)
    return attrs.evolve(setup, hands=tuple(hands))


def move_card(rng: Random, setup: Setup) -> Setup | None:
    """A card goes from one hand to another, is lost, becomes another one or a second copy of itself."""
    seat = any_place(rng, setup.hands)
    card = None if seat is None else _card_of(rng, setup.hands[seat])
    if seat is None or card is None:
        return None
    kind = rng.randrange(4)
    if kind == 0:
        return _bags(setup, {seat: [(card, None)], (seat + 1) % len(setup.hands): [(None, card)]})
    if kind == 1:
        return _bags(setup, {seat: [(card, None)]})
    if kind == 2:
        return _bags(setup, {seat: [(card, other(rng, card))]})
    return _bags(setup, {seat: [(None, card)]})


def third_copy(rng: Random, setup: Setup) -> Setup | None:
    """A seat has played a card twice, or once and twice holds it."""
    deal = deal_of(setup)
    place = any_place(rng, deal.tricks)
    if place is None or not deal.tricks[place].plays:
        return None
    play = rng.choice(deal.tricks[place].plays)
    if setup.hands and play.seat < len(setup.hands) and setup.hands[play.seat].count(play.card) < 2:
        hand = Cards([*[card for card in setup.hands[play.seat] if card is not play.card], play.card, play.card])
        return attrs.evolve(setup, hands=put(setup.hands, play.seat, hand))
    tricks = list(deal.tricks)
    for at in rng.sample(range(len(tricks)), min(3, len(tricks))):
        plays = tuple([Play(each.seat, play.card) if each.seat == play.seat else each for each in tricks[at].plays])
        tricks[at] = replaced(tricks[at], plays=plays)
    return with_deal(setup, tricks=tuple(tricks))


def change_kitty(rng: Random, setup: Setup) -> Setup | None:
    """Another kitty: none given, empty, larger, smaller, or with a card of the hands."""
    if setup.last_deal is None and setup.phase not in IN_HAND:
        return None
    kitty = deal_of(setup).kitty or Cards()
    kind = rng.randrange(5)
    if kind == 0:
        return with_deal(setup, kitty=None)
    if kind == 1:
        return with_deal(setup, kitty=Cards())
    if kind == 2:
        card = rng.choice(FACES)
        return with_deal(setup, kitty=kitty + Cards([card])) if kitty.count(card) < 2 else None
    out = _card_of(rng, kitty)
    if out is None:
        return None
    if kind == 3:
        return with_deal(setup, kitty=kitty - Cards([out]))
    seat = any_place(rng, setup.hands)
    into = None if seat is None else _card_of(rng, setup.hands[seat])
    if seat is None or into is None:
        return None
    changed = _bags(setup, {seat: [(into, out)]})
    return None if changed is None else with_deal(changed, kitty=kitty - Cards([out]) + Cards([into]))


def change_pass(rng: Random, setup: Setup) -> Setup | None:
    """One pass is another one: missing, declined, of other cards, other gifts, or of another seat."""
    passes = deal_of(setup).passes
    seat = any_place(rng, passes)
    if seat is None:
        return None
    kind = rng.randrange(8)
    if kind == 0:
        return with_deal(setup, passes=())
    if kind == 1:
        return with_deal(setup, passes=odd_count(rng, passes))
    if kind == 2:
        return with_deal(setup, passes=put(passes, seat, None))
    move = passes[seat]
    if move is None:
        hand = list(setup.hands[seat]) if seat < len(setup.hands) else []
        move = Pass(seat, (Cards(hand[: rng.randrange(len(hand) + 1)]),))
        return with_deal(setup, passes=put(passes, seat, move))
    if kind == 3:
        return with_deal(setup, passes=put(passes, seat, Pass(seat, ())))
    if kind == 4:
        return with_deal(setup, passes=put(passes, seat, Pass(odd_seat(rng, setup), move.cards)))
    gifts = [list(gift) for gift in move.cards]
    if not gifts or not any(gifts):
        return with_deal(setup, passes=put(passes, seat, Pass(seat, (Cards([rng.choice(FACES)]),))))
    gift = rng.choice([gift for gift in gifts if gift])
    if kind == 5:
        gift.pop()
    elif kind == 6:
        gift[0] = other(rng, gift[0])
    else:
        gifts.append([rng.choice(FACES)])
    if any(gift.count(card) > 2 for gift in gifts for card in gift):
        return None
    return with_deal(setup, passes=put(passes, seat, Pass(seat, tuple(map(Cards, gifts)))))


def missing_pass(rng: Random, setup: Setup) -> Setup | None:
    """Play has begun, but a pass is missing."""
    passes = deal_of(setup).passes
    return with_deal(setup, passes=put(passes, rng.randrange(len(passes)), None)) if len(passes) > 1 else None


def passes_swapped(rng: Random, setup: Setup) -> Setup | None:
    """Two seats have passed each other's cards."""
    passes = deal_of(setup).passes
    if len(passes) < 2:
        return None
    one, two = rng.sample(range(len(passes)), 2)
    first, second = passes[one], passes[two]
    if first is None or second is None:
        return None
    if one_in(rng, 2):
        first, second = replaced(first, seat=one), replaced(second, seat=two)
        return with_deal(setup, passes=put(put(passes, one, second), two, first))
    return with_deal(setup, passes=put(put(passes, one, Pass(one, second.cards)), two, Pass(two, first.cards)))


def change_dealt_back(rng: Random, setup: Setup) -> Setup | None:
    """What came back from the middle is another thing: left out, elsewhere, of other cards, or of too few seats."""
    back = deal_of(setup).dealt_back
    if not back:
        return with_deal(setup, dealt_back=(Cards(),) * setup.rules.players) if one_in(rng, 8) else None
    kind = rng.randrange(4)
    if kind == 0:
        return with_deal(setup, dealt_back=())
    if kind == 1:
        return with_deal(setup, dealt_back=back[1:] + back[:1])
    if kind == 2:
        return with_deal(setup, dealt_back=odd_count(rng, back))
    seat = rng.randrange(len(back))
    return with_deal(setup, dealt_back=put(back, seat, Cards([rng.choice(FACES)])))


def add_passes(rng: Random, setup: Setup) -> Setup | None:
    """Passes are given of a deal that has none, or from its middle on."""
    players = setup.rules.players
    gifts = [Cards(rng.sample(FACES, 1)) for _ in range(players)]
    return with_deal(setup, passes=tuple([Pass(seat, (gift,)) for seat, gift in enumerate(gifts)]))


def all_committed(rng: Random, setup: Setup) -> Setup | None:
    """Everybody has committed, and still the phase is that of passing."""
    del rng
    if setup.phase is not Phase.PASS or len(setup.hands) != setup.rules.players:
        return None
    step = setup.rules.pass_plan(setup.deal_number)
    passes = []
    for seat, hand in enumerate(setup.hands):
        cards = [card for card in hand if card not in setup.rules.unpassable]
        gifts = []
        for _, count in step:
            gifts.append(Cards(cards[:count]))
            del cards[:count]
        passes.append(Pass(seat, tuple(gifts)))
    return attrs.evolve(setup, passes=tuple(passes))


def not_passing_yet(rng: Random, setup: Setup) -> Setup | None:
    """A deal without passing is given as one in which it is still going on."""
    del rng
    if setup.phase is not Phase.PLAY or setup.trick or setup.tricks or setup.resumed_from:
        return None
    return Setup(
        phase=Phase.PASS, rules=setup.rules, deal_number=setup.deal_number, first=setup.first, start=setup.start,
        queen_taker=setup.queen_taker, score_sheet=setup.score_sheet, hands=setup.hands, kitty=setup.kitty,
        scores=setup.scores, has_full_history=setup.has_full_history,
    )  # fmt: skip


def any_shown(rng: Random, setup: Setup, seat: int) -> Cards:
    """Cards to show: mostly such as may be shown, of the seat's hand or not."""
    kind = rng.randrange(6)
    if kind == 0:
        return Cards([rng.choice(FACES)])
    if kind == 1:
        return Cards([rng.choice(list(setup.rules.exposable) or FACES)] * 2)
    own = setup.hands[seat] & setup.rules.exposable if kind > 3 and seat < len(setup.hands) else setup.rules.exposable
    return Cards([card for card in own if one_in(rng, 2)])


def change_exposures(rng: Random, setup: Setup) -> Setup | None:
    """While cards are shown, a seat shows others, or out of turn, or is given as another one; or cards are shown in a
    phase in which none are."""
    players = setup.rules.players
    if setup.phase is not Phase.EXPOSE and not one_in(rng, 12):
        return None
    exposures = setup.exposures or (None,) * players
    seat = rng.randrange(len(exposures))
    kind = rng.randrange(8)
    if kind == 0:
        return attrs.evolve(setup, exposures=odd_count(rng, exposures))
    if kind == 1:
        return attrs.evolve(setup, exposures=put(exposures, seat, None))
    if kind == 2:
        return attrs.evolve(setup, exposures=put(exposures, seat, Expose(odd_seat(rng, setup), Cards())))
    if kind == 3:
        return with_deal(setup, exposures=exposures)
    return attrs.evolve(setup, exposures=put(exposures, seat, Expose(seat, any_shown(rng, setup, seat))))


def all_exposed(rng: Random, setup: Setup) -> Setup | None:
    """Every seat has decided what it shows, and still the phase is that of showing."""
    if setup.phase is not Phase.EXPOSE:
        return None
    moves = [Expose(seat, any_shown(rng, setup, seat)) for seat in range(setup.rules.players)]
    return attrs.evolve(setup, exposures=tuple(moves))


def not_exposing(rng: Random, setup: Setup) -> Setup | None:
    """A deal is given as one in which cards are shown now; or rules under which none are shown are given of one."""
    if setup.phase is Phase.EXPOSE:
        try:
            return attrs.evolve(setup, rules=attrs.evolve(setup.rules, exposable=Cards()))
        except ValueError:
            return None
    if setup.phase is not Phase.PLAY or setup.trick or setup.tricks or setup.resumed_from or not one_in(rng, 3):
        return None
    return Setup(
        phase=Phase.EXPOSE, rules=setup.rules, deal_number=setup.deal_number, first=setup.first, start=setup.start,
        queen_taker=setup.queen_taker, score_sheet=setup.score_sheet, hands=setup.hands, kitty=setup.kitty,
        passes=setup.passes, dealt_back=setup.dealt_back, scores=setup.scores, has_full_history=setup.has_full_history,
    )  # fmt: skip


def change_shown(rng: Random, setup: Setup) -> Setup | None:
    """A seat has shown other cards, or cards are given as shown under rules and in phases that have none."""
    deal = deal_of(setup)
    if not setup.rules.exposable and not one_in(rng, 12):
        return None
    told = deal.exposed or (Cards(),) * setup.rules.players
    seat = rng.randrange(len(told))
    kind = rng.randrange(6)
    if kind == 0:
        return with_deal(setup, exposed=odd_count(rng, told))
    if kind == 1:
        return with_deal(setup, exposed=())
    if kind == 2:
        # Two seats have shown the same, or each other's cards.
        to = (seat + 1) % len(told)
        return with_deal(setup, exposed=put(put(told, seat, told[to]) if one_in(rng, 2) else told, to, told[seat]))
    return with_deal(setup, exposed=put(told, seat, any_shown(rng, setup, seat)))


def change_suits_led(rng: Random, setup: Setup) -> Setup | None:
    """Other suits were led before the middle."""
    middle = deal_of(setup).resumed_from
    if middle is None or not setup.rules.exposable:
        return None
    suits = tuple([suit for suit in Suit if one_in(rng, 2)])
    return with_deal(setup, resumed_from=replaced(middle, suits_led=suits))


def change_tricks(rng: Random, setup: Setup) -> Setup | None:
    """A trick is lost, added, exchanged with another one, or one thing of it is another."""
    tricks = deal_of(setup).tricks
    at = any_place(rng, tricks)
    if at is None:
        return None
    trick = tricks[at]
    place = any_place(rng, trick.plays)
    kind = rng.randrange(12)
    players = setup.rules.players
    if kind == 0:
        return with_deal(setup, tricks=tricks[:-1])
    if kind == 1:
        return with_deal(setup, tricks=tricks[1:])
    if kind == 2:
        return with_deal(setup, tricks=(*tricks, trick))
    if kind == 3 and len(tricks) > 1:
        to = rng.randrange(len(tricks))
        return with_deal(setup, tricks=put(put(tricks, at, tricks[to]), to, trick))
    if kind == 4:
        trick = replaced(trick, winner=rng.choice((None, odd_seat(rng, setup), rng.randrange(players))))
    elif kind == 5:
        trick = replaced(trick, leader=rng.choice((odd_seat(rng, setup), rng.randrange(players))))
    elif kind == 6:
        trick = replaced(trick, plays=odd_count(rng, trick.plays))
    elif kind == 7 and place is not None:
        play = trick.plays[place]
        trick = replaced(trick, plays=put(trick.plays, place, Play(odd_seat(rng, setup), play.card)))
    elif kind == 8 and place is not None:
        play = trick.plays[place]
        trick = replaced(trick, plays=put(trick.plays, place, Play(play.seat, other(rng, play.card))))
    elif kind == 9 and place is not None:
        to = rng.randrange(len(trick.plays))
        trick = replaced(trick, plays=put(put(trick.plays, place, trick.plays[to]), to, trick.plays[place]))
    elif kind == 10 and len(tricks) > 1:
        # Two plays of one seat change places.
        to = rng.randrange(len(tricks))
        seat = rng.randrange(players)
        mine = [play for play in trick.plays if play.seat == seat]
        its = [play for play in tricks[to].plays if play.seat == seat]
        if to == at or not mine or not its:
            return None
        one = replaced(trick, plays=tuple([its[0] if play.seat == seat else play for play in trick.plays]))
        two = replaced(tricks[to], plays=tuple([mine[0] if play.seat == seat else play for play in tricks[to].plays]))
        return with_deal(setup, tricks=put(put(tricks, at, one), to, two))
    else:
        trick = Trick(trick.leader, trick.plays[::-1], trick.winner)
    return with_deal(setup, tricks=put(tricks, at, trick))


def other_winner(rng: Random, setup: Setup) -> Setup | None:
    """A trick was won by another seat, or by nobody; or nobody of its players led it."""
    tricks = deal_of(setup).tricks
    at = any_place(rng, tricks)
    if at is None:
        return None
    winner = rng.choice((None, *range(setup.rules.players)))
    return with_deal(setup, tricks=put(tricks, at, replaced(tricks[at], winner=winner)))


def turned_tricks(rng: Random, setup: Setup) -> Setup | None:
    """Every seat of a trick is the next one, so that somebody plays out of turn."""
    tricks = deal_of(setup).tricks
    at = any_place(rng, tricks)
    if at is None:
        return None
    players = setup.rules.players
    trick = tricks[at]
    plays = tuple([Play((play.seat + 1) % players, play.card) for play in trick.plays])
    return with_deal(setup, tricks=put(tricks, at, replaced(trick, leader=(trick.leader + 1) % players, plays=plays)))


def change_trick(rng: Random, setup: Setup) -> Setup | None:
    """The current trick has a play less or more, or another card or seat in it."""
    if setup.phase is not Phase.PLAY:
        return None
    trick = setup.trick
    place = any_place(rng, trick)
    kind = rng.randrange(6)
    if kind == 0 and trick:
        return attrs.evolve(setup, trick=trick[:-1])
    if kind == 1:
        seat = (trick[-1].seat + 1) % setup.rules.players if trick else rng.randrange(setup.rules.players)
        return attrs.evolve(setup, trick=(*trick, Play(seat, rng.choice(FACES))))
    if place is None:
        return None
    play = trick[place]
    if kind == 2:
        return attrs.evolve(setup, trick=put(trick, place, Play(odd_seat(rng, setup), play.card)))
    if kind == 3:
        return attrs.evolve(setup, trick=put(trick, place, Play(play.seat, other(rng, play.card))))
    if kind == 4:
        return attrs.evolve(setup, trick=trick[::-1])
    return attrs.evolve(setup, trick=(*trick, *trick))


def next_play(rng: Random, setup: Setup) -> Setup | None:
    """The next seat plays any card of its hand, legal or not."""
    if setup.phase is not Phase.PLAY or len(setup.hands) != setup.rules.players or setup.turn is None:
        return None
    seat = setup.turn
    if not 0 <= seat < len(setup.hands) or not setup.hands[seat]:
        return None
    card = rng.choice(list(setup.hands[seat]))
    hands = put(setup.hands, seat, setup.hands[seat] - Cards([card]))
    claims: dict[str, Any] = dict.fromkeys(CLAIMS)
    claims |= {"has_full_history": setup.has_full_history, "scores": setup.scores, "leader": setup.leader}
    claims |= {"turn": (seat + 1) % setup.rules.players, "hearts_broken": setup.hearts_broken}
    return attrs.evolve(setup, hands=hands, trick=(*setup.trick, Play(seat, card)), **claims)


def full_trick(rng: Random, setup: Setup) -> Setup | None:
    """The current trick has as many plays as there are players, or more."""
    if setup.phase is not Phase.PLAY:
        return None
    players = setup.rules.players
    leader = setup.trick[0].seat if setup.trick else rng.randrange(players)
    cards = rng.choices(FACES, k=players + one_in(rng, 4))
    return attrs.evolve(setup, trick=tuple([Play((leader + at) % players, card) for at, card in enumerate(cards)]))


def twins_in_trick(rng: Random, setup: Setup) -> Setup | None:
    """A card comes more often in the current trick than the deck holds it."""
    if setup.phase is not Phase.PLAY or setup.rules.players < 4:
        return None
    leader = setup.trick[0].seat if setup.trick else rng.randrange(setup.rules.players)
    card = rng.choice(FACES)
    plays = [Play((leader + at) % setup.rules.players, card) for at in range(3)]
    return attrs.evolve(setup, trick=tuple(plays))


def over(rng: Random, setup: Setup) -> Setup | None:
    """A finished deal is given as one that is still played."""
    last = setup.last_deal
    if last is None or setup.phase is Phase.MOON:
        return None
    players = setup.rules.players
    rows = setup.score_sheet[:-1]
    totals = rows[-1].totals if rows else setup.start or (0,) * players
    return Setup(
        phase=Phase.PLAY, rules=setup.rules, deal_number=setup.deal_number - (setup.phase is Phase.DEAL),
        first=setup.first, start=setup.start, queen_taker=setup.queen_taker, score_sheet=rows,
        hands=(Cards(),) * players, kitty=last.kitty,
        passes=last.passes, dealt_back=last.dealt_back, tricks=last.tricks, resumed_from=last.resumed_from,
        leader=last.leader, turn=last.leader,
        has_full_history=setup.has_full_history, scores=totals, hearts_broken=rng.choice((True, False)),
    )  # fmt: skip


def last_of_trick(rng: Random, setup: Setup) -> Setup | None:
    """A deal of which one card is still to play is given as finished."""
    del rng
    if setup.phase is not Phase.PLAY:
        return None
    return Setup(
        phase=Phase.DEAL, rules=setup.rules, deal_number=setup.deal_number + 1, first=setup.first, start=setup.start,
        queen_taker=setup.queen_taker, score_sheet=setup.score_sheet, scores=setup.scores,
        has_full_history=setup.has_full_history,
        last_deal=DealSetup(
            hands=setup.hands, kitty=setup.kitty, passes=setup.passes, tricks=setup.tricks, trick=setup.trick,
            dealt_back=setup.dealt_back, resumed_from=setup.resumed_from,
        ),
    )  # fmt: skip


def part_of_deal(rng: Random, setup: Setup) -> Setup | None:
    """A deal of fewer cards a hand is given as the last one: the first tricks of it, all legal."""
    if setup.phase is not Phase.PLAY or not setup.tricks:
        return None
    told = last_of_trick(rng, setup)
    assert told is not None
    assert told.last_deal is not None
    return attrs.evolve(told, last_deal=attrs.evolve(told.last_deal, hands=(), trick=()))


def change_middle(rng: Random, setup: Setup) -> Setup | None:
    """One thing of the middle is another, or the middle is lost."""
    middle = deal_of(setup).resumed_from
    if middle is None:
        return None
    players = setup.rules.players
    kind = rng.randrange(10)
    if kind == 0:
        return with_deal(setup, resumed_from=None)
    if kind == 1:
        leader = rng.choice((odd_seat(rng, setup), rng.randrange(players), rng.randrange(players)))
        return with_deal(setup, resumed_from=replaced(middle, leader=leader))
    if kind == 2:
        won = middle.tricks_won or (0,) * players
        seat = any_place(rng, won)
        if seat is None or one_in(rng, 4):
            return with_deal(setup, resumed_from=replaced(middle, tricks_won=rng.choice((None, odd_count(rng, won)))))
        won = put(won, seat, won[seat] + rng.choice((1, -1, 2)))
        return with_deal(setup, resumed_from=replaced(middle, tricks_won=won))
    if kind == 3:
        taker = rng.choice((None, odd_seat(rng, setup), rng.randrange(players), rng.randrange(players)))
        return with_deal(setup, resumed_from=replaced(middle, kitty_winner=taker))
    if kind == 4:
        broken = rng.choice([each for each in (None, False, True) if each is not middle.hearts_broken])
        return with_deal(setup, resumed_from=replaced(middle, hearts_broken=broken))
    piles = middle.captured
    seat = any_place(rng, piles)
    if seat is None:
        return None
    card = _card_of(rng, piles[seat])
    if kind == 5:
        return with_deal(setup, resumed_from=replaced(middle, captured=odd_count(rng, piles)))
    if kind == 6:
        extra = rng.choice(FACES)
        aside = middle.set_aside
        return (
            with_deal(setup, resumed_from=replaced(middle, set_aside=aside + Cards([extra])))
            if extra not in aside
            else None
        )
    if card is None:
        return None
    less = piles[seat] - Cards([card])
    if kind == 7:
        return with_deal(setup, resumed_from=replaced(middle, captured=put(piles, seat, less)))
    to = (seat + 1) % len(piles)
    if piles[to].count(card) > 1 or to == seat:
        return None
    moved = put(put(piles, seat, less), to, piles[to] + Cards([card]))
    return with_deal(
        setup, resumed_from=replaced(middle, captured=moved, tricks_won=rng.choice((None, middle.tricks_won)))
    )


def other_count(rng: Random, setup: Setup) -> Setup | None:
    """A seat has won more tricks, or fewer, than its pile holds."""
    middle = deal_of(setup).resumed_from
    seat = None if middle is None else any_place(rng, middle.tricks_won)
    if middle is None or middle.tricks_won is None or seat is None:
        return None
    won = put(middle.tricks_won, seat, middle.tricks_won[seat] + rng.choice((1, 1, 2, -1)))
    return with_deal(setup, resumed_from=replaced(middle, tricks_won=won))


def set_aside(rng: Random, setup: Setup) -> Setup | None:
    """A whole trick of a pile lies set aside."""
    del rng
    middle = deal_of(setup).resumed_from
    players = setup.rules.players
    if middle is None or len(middle.captured) != players:
        return None
    for seat, pile in enumerate(middle.captured):
        if len(pile) >= players:
            cards = Cards(list(pile)[:players])
            if any(cards.count(card) + middle.set_aside.count(card) > 2 for card in cards):
                continue
            captured = put(middle.captured, seat, pile - cards)
            changed = replaced(middle, captured=captured, set_aside=middle.set_aside + cards, tricks_won=None)
            return with_deal(setup, resumed_from=changed)
    return None


def other_leader(rng: Random, setup: Setup) -> Setup | None:
    """A seat leads that has won nothing."""
    middle = deal_of(setup).resumed_from
    if middle is None:
        return None
    poor = [seat for seat, pile in enumerate(middle.captured) if not pile]
    return with_deal(setup, resumed_from=replaced(middle, leader=rng.choice(poor))) if poor else None


def hearts_the_other_way(rng: Random, setup: Setup) -> Setup | None:
    """The middle says the contrary of hearts."""
    del rng
    middle = deal_of(setup).resumed_from
    if middle is None:
        return None
    return with_deal(setup, resumed_from=replaced(middle, hearts_broken=not middle.hearts_broken))


def kitty_of_the_middle(rng: Random, setup: Setup) -> Setup | None:
    """The kitty of a deal without history: taken but missing, not its taker's, or with another taker."""
    deal = deal_of(setup)
    middle = deal.resumed_from
    if middle is None or not deal.kitty or not setup.rules.kitty_size:
        return None
    kind = rng.randrange(4)
    if kind == 0:
        taker = middle.kitty_winner if middle.kitty_winner is not None else rng.randrange(setup.rules.players)
        return with_deal(setup, kitty=None, resumed_from=replaced(middle, kitty_winner=taker))
    if kind == 1:
        return with_deal(setup, resumed_from=replaced(middle, kitty_winner=rng.randrange(setup.rules.players)))
    if middle.kitty_winner is None:
        seat = rng.randrange(len(middle.captured)) if middle.captured else 0
        if seat >= len(middle.captured):
            return None
        pile = middle.captured[seat]
        if any(pile.count(card) + deal.kitty.count(card) > 2 for card in deal.kitty):
            return None
        return with_deal(
            setup,
            resumed_from=replaced(middle, captured=put(middle.captured, seat, pile + deal.kitty), kitty_winner=seat),
        )
    taker = middle.kitty_winner
    if taker >= len(middle.captured):
        return None
    left = middle.captured[taker] - deal.kitty
    return with_deal(
        setup, resumed_from=replaced(middle, captured=put(middle.captured, taker, left), kitty_winner=None)
    )


def change_claim(rng: Random, setup: Setup) -> Setup | None:
    """One of the claims is another."""
    if setup.last_deal is not None and one_in(rng, 2):
        name = rng.choice(CLAIMS_OF_DEAL)
        return attrs.evolve(setup, last_deal=attrs.evolve(setup.last_deal, **_claim(rng, setup, name)))
    return attrs.evolve(setup, **_claim(rng, setup, rng.choice(CLAIMS)))


def _claim(rng: Random, setup: Setup, name: str) -> dict[str, Any]:
    old = getattr(deal_of(setup) if name in CLAIMS_OF_DEAL else setup, name)
    players = setup.rules.players
    value: Any = None
    if name in ("leader", "kitty_winner", "turn", "shooter"):
        value = rng.choice((odd_seat(rng, setup), rng.randrange(players), None))
    elif name in ("hearts_broken", "has_full_history"):
        value = not old
    elif name == "trick_number":
        value = (old or 0) + rng.choice((1, -1))
    elif name == "set_aside":
        value = Cards([rng.choice(FACES)])
    elif name == "captured":
        value = odd_count(rng, old) if old and one_in(rng, 3) else (Cards([rng.choice(FACES)]), *(old or ())[1:])
    elif name in ("others_up", "shooter_down"):
        value = None if old is None else odd_row(rng, setup, old)
    else:
        numbers = old or (0,) * players
        value = odd_count(rng, numbers) if one_in(rng, 3) else put(numbers, 0, numbers[0] + rng.choice((1, -1)))
    return {name: value}


def other_phase(rng: Random, setup: Setup) -> Setup | None:
    """The same parts with another phase."""
    return attrs.evolve(setup, phase=rng.choice([phase for phase in Phase if phase is not setup.phase]))


def other_end(rng: Random, setup: Setup) -> Setup | None:
    """A game that goes on is given as over, a moon as chosen, and the other way round."""
    last = setup.last_deal
    if last is None:
        return None
    players = setup.rules.players
    kind: dict[str, Any] = {
        "shooter": None,
        "others_up": None,
        "shooter_down": None,
        "winners": None,
        "has_full_history": None,
    }
    if setup.phase is Phase.MOON and setup.others_up is not None and setup.shooter_down is not None:
        row = rng.choice((setup.others_up, setup.shooter_down, None))
        rows = setup.score_sheet if row is None else (*setup.score_sheet, row)
        phase = rng.choice((Phase.DEAL, Phase.OVER))
        return attrs.evolve(
            setup, **(kind | {"scores": None, "phase": phase, "score_sheet": rows}),
            deal_number=setup.deal_number + (phase is Phase.DEAL), effect=rng.choice((None, *Moon)),
        )  # fmt: skip
    if setup.phase is Phase.OVER:
        if one_in(rng, 2):
            return attrs.evolve(setup, **kind, phase=Phase.DEAL, deal_number=setup.deal_number + 1)
        kind |= {"shooter": 0}
        return attrs.evolve(setup, **kind, phase=Phase.MOON, scores=None, score_sheet=setup.score_sheet[:-1])
    kind |= {"has_full_history": setup.has_full_history}
    if one_in(rng, 2):
        kind |= {"winners": tuple(range(players))[: rng.randint(1, 2)]}
        return attrs.evolve(setup, **kind, phase=Phase.OVER, deal_number=setup.deal_number - 1)
    kind |= {"shooter": rng.randrange(players)}
    return attrs.evolve(
        setup, **kind, phase=Phase.MOON, scores=None, deal_number=setup.deal_number - 1,
        score_sheet=setup.score_sheet[:-1],
    )  # fmt: skip


def lost_deal(rng: Random, setup: Setup) -> Setup | None:
    """The last deal is missing, or nothing of it is."""
    if setup.last_deal is None:
        return None
    return attrs.evolve(setup, last_deal=rng.choice((None, DealSetup(), DealSetup(kitty=Cards()))))


def cards_after_the_end(rng: Random, setup: Setup) -> Setup | None:
    """Of a deal that is over, cards are given that seats hold, or that hearts are broken now."""
    if setup.last_deal is None:
        return None
    players = setup.rules.players
    kind = rng.randrange(4)
    if kind == 0:
        return with_deal(setup, hands=put((Cards(),) * players, 0, Cards([rng.choice(FACES)])))
    if kind == 1:
        return with_deal(setup, trick=(Play(0, rng.choice(FACES)),))
    if kind == 2:
        return with_deal(setup, hands=(Cards(),) * rng.choice((players, players - 1, players + 1)))
    return with_deal(setup, hearts_broken=True)


def change_numbers(rng: Random, setup: Setup) -> Setup | None:
    """Another number of the deal, of the first row, or other totals before that."""
    kind = rng.randrange(8)
    if kind == 0:
        return attrs.evolve(setup, deal_number=rng.choice((-1, -5, 2**60, setup.deal_number + 1)))
    if kind == 1:
        return attrs.evolve(setup, deal_number=setup.deal_number - 1)
    if kind == 2:
        return attrs.evolve(setup, first=rng.choice((-1, setup.first + 1, setup.first - 1, 2**60)))
    if kind == 3:
        return attrs.evolve(setup, start=None)
    players = setup.rules.players
    start = setup.start or (0,) * players
    if kind == 4:
        return attrs.evolve(setup, start=odd_count(rng, start))
    if kind == 5:
        return attrs.evolve(setup, start=put(start, 0, start[0] + rng.choice((1, -1, 1000))))
    if kind == 6:
        # Only the row of the last deal is there, and it is before the sheet.
        return attrs.evolve(setup, first=setup.first + len(setup.score_sheet), start=setup.scores, score_sheet=())
    return attrs.evolve(setup, start=start)


def change_queen_taker(rng: Random, setup: Setup) -> Setup | None:
    """Who took the Q♠ before the sheet begins is another seat, or is given where nobody can be."""
    told = without_sheet(setup) if setup.score_sheet and one_in(rng, 2) else setup
    return attrs.evolve(told, queen_taker=rng.choice((None, odd_seat(rng, setup), rng.randrange(setup.rules.players))))


def no_start(rng: Random, setup: Setup) -> Setup | None:
    """The sheet begins later, and the totals then are missing."""
    del rng
    return attrs.evolve(without_sheet(setup), start=None) if setup.score_sheet else None


def change_effect(rng: Random, setup: Setup) -> Setup | None:
    """What the shooter of the last deal chose is given, with its row or without."""
    if setup.phase not in (Phase.DEAL, Phase.OVER):
        return None
    rows = setup.score_sheet[:-1] if one_in(rng, 2) else setup.score_sheet
    return attrs.evolve(setup, effect=rng.choice((None, *Moon)), score_sheet=rows)


def change_sheet(rng: Random, setup: Setup) -> Setup | None:
    """A row is lost or comes twice, or one thing of it is another."""
    rows = setup.score_sheet
    at = any_place(rng, rows)
    if at is None:
        return None
    kind = rng.randrange(10)
    if kind == 0:
        return attrs.evolve(setup, score_sheet=rows[:-1])
    if kind == 1:
        return attrs.evolve(setup, score_sheet=rows[1:])
    if kind == 2:
        return attrs.evolve(setup, score_sheet=(*rows, rows[at]))
    return attrs.evolve(setup, score_sheet=put(rows, at, odd_row(rng, setup, rows[at])))


def odd_row(rng: Random, setup: Setup, row: DealScore) -> DealScore:
    """A row with one thing changed."""
    players = setup.rules.players
    seat = rng.randrange(players)
    name = rng.choice((
        "points", "card_points", "tricks_won", "totals", "shooter", "effect", "sun", "moved", "queen_taker", "exposed"
    ))  # fmt: skip
    if name == "exposed":
        bags = row.exposed or (Cards(),) * players
        if not setup.rules.exposable or one_in(rng, 3):
            return replaced(row, exposed=odd_count(rng, bags))
        return replaced(row, exposed=put(bags, 0, any_shown(rng, setup, players)))
    if name == "queen_taker":
        return replaced(row, queen_taker=rng.choice((None, odd_seat(rng, setup), seat)))
    if name == "shooter":
        return replaced(row, shooter=rng.choice((None, odd_seat(rng, setup), seat)))
    if name == "effect":
        return replaced(row, effect=rng.choice((None, *Moon)))
    if name == "sun":
        return replaced(row, sun=not row.sun)
    if name == "moved":
        name = rng.choice(("card_points", "tricks_won", "points"))
        numbers = getattr(row, name)
        to = (seat + 1) % players
        if len(numbers) != players or not numbers[seat]:
            return row
        by = rng.randint(1, max(abs(numbers[seat]), 1))
        return replaced(row, **{name: put(put(numbers, seat, numbers[seat] - by), to, numbers[to] + by)})
    numbers = getattr(row, name)
    if one_in(rng, 5):
        return replaced(row, **{name: odd_count(rng, numbers)})
    if len(numbers) <= seat:
        return row
    return replaced(row, **{name: put(numbers, seat, numbers[seat] + rng.choice((1, -1, 13, -100)))})


def forged_row(rng: Random, setup: Setup) -> Setup | None:
    """Before a deal, a row that may or may not be: its numbers add up, and no more is known of it."""
    rules = Rules(moon=rng.choice((Moon.OTHERS_UP, Moon.OFF, Moon.CHOICE)))
    del setup
    won = [0, 0, 0, 0]
    for _ in range(13):
        won[rng.randrange(rng.randint(1, 4))] += 1
    cards = [0, 0, 0, 0]
    takers = [seat for seat in range(4) if won[seat]]
    taker = rng.choice(takers)
    cards[taker] += 13
    for _ in range(13):
        cards[taker if one_in(rng, 2) else rng.choice(takers)] += 1
    points = tuple(cards)
    if rng.randrange(2):
        totals = tuple([rng.randrange(50) for _ in range(4)])
    else:
        totals = (0, 0, 0, 0)
    after = tuple(map(sum, zip(totals, points, strict=True)))
    row = DealScore(points, points, None, None, False, tuple(won), after, taker)
    first = 3 if any(totals) else 0
    return Setup(
        phase=Phase.DEAL, rules=rules, deal_number=first + 1, first=first, start=totals if first else None,
        score_sheet=(row,), scores=row.totals, has_full_history=False,
    )  # fmt: skip


def forged_wrongly(rng: Random, setup: Setup) -> Setup | None:
    """Before a deal, a row of which a number or two do not add up."""
    forged = forged_row(rng, setup)
    assert forged is not None
    row = odd_row(rng, forged, forged.score_sheet[0])
    return attrs.evolve(forged, score_sheet=(row,), scores=rng.choice((forged.scores, row.totals)))


def over_before(rng: Random, setup: Setup) -> Setup | None:
    """A deal is given after totals with which the game is over."""
    if setup.rules.target is None:
        return None
    if not setup.score_sheet:
        players = setup.rules.players
        start = put((0,) * players, rng.randrange(players), setup.rules.target + 1)
        return attrs.evolve(setup, deal_number=setup.deal_number + 1, first=setup.first + 1, start=start, scores=None)
    at = rng.randrange(len(setup.score_sheet))
    row = setup.score_sheet[at]
    if not row.totals:
        return None
    row = replaced(row, totals=put(row.totals, 0, row.totals[0] + setup.rules.target))
    return attrs.evolve(setup, score_sheet=put(setup.score_sheet, at, row), scores=None)


def other_rules(rng: Random, setup: Setup) -> Setup | None:
    """One option of the rules is another."""
    options: tuple[tuple[str, tuple[Any, ...]], ...] = (
        ("target", (1, 10, 10**6)), ("moon", tuple(Moon)), ("first_dealer", (0, 1, 2)), ("sun", (True, False)),
        ("max_deals", (1, 2, None)), ("no_tricks_bonus", (0, 5)), ("first_trick", tuple(type(setup.rules.first_trick))),
        ("hearts_lead", tuple(type(setup.rules.hearts_lead))), ("queen_points", (0, 13, 20)),
        ("kitty", (Kitty.FIRST_TRICK, Kitty.FIRST_HEART, Kitty.FIRST_POINT, Kitty.LAST_TRICK)),
        ("opening_leader", tuple(type(setup.rules.opening_leader))), ("queen_breaks", tuple(QueenBreaks)),
    )  # fmt: skip
    name, values = rng.choice(options)
    change: dict[str, Any] = {name: rng.choice(values)}
    try:
        return attrs.evolve(setup, rules=attrs.evolve(setup.rules, **change))
    except ValueError:
        return None


SPOILERS: Final[tuple[Spoiler, ...]] = (
    swap_cards, move_card, third_copy, change_kitty, change_pass, missing_pass, passes_swapped, add_passes,
    change_dealt_back, change_dealt_back,
    all_committed, change_exposures, change_exposures, all_exposed, not_exposing, change_shown, change_shown,
    change_suits_led, not_passing_yet, change_tricks, change_tricks, change_tricks, turned_tricks, change_trick,
    next_play, full_trick, twins_in_trick, over, last_of_trick, part_of_deal, change_middle, change_middle,
    change_middle, set_aside, other_leader, hearts_the_other_way, kitty_of_the_middle, change_claim, change_claim,
    other_phase, other_end, lost_deal, cards_after_the_end, change_numbers, no_start, change_queen_taker, change_effect,
    change_sheet, change_sheet, forged_row, forged_wrongly, over_before, over_before, other_rules,
    kitty_of_the_middle, other_end, lost_deal, other_winner, other_winner, other_count, not_passing_yet,
    not_passing_yet,
)  # fmt: skip


def spoiled(rng: Random, setup: Setup) -> Setup:
    """The setup with one or two things changed."""
    done = 0
    wanted = 2 if one_in(rng, 4) else 1
    for _ in range(40):
        changed = rng.choice(SPOILERS)(rng, setup)
        if changed is not None and changed != setup:
            setup = changed
            done += 1
            if done == wanted:
                break
    return setup


def setups(rng: Random) -> Iterator[Setup]:
    """Endlessly many setups: one true one to three corrupted ones."""
    while True:
        for setup in true_setups(rng):
            yield setup
            for _ in range(3):
                yield spoiled(rng, setup)


__all__ = [
    "CLAIMS",
    "CLAIMS_OF_DEAL",
    "CODES",
    "IN_HAND",
    "SPOILERS",
    "for_set_up",
    "played_on",
    "put",
    "setups",
    "some_rules",
    "spoiled",
    "true_setups",
    "with_deal",
    "without_claims",
    "without_history",
    "without_sheet",
]
