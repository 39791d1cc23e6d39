"""The rules as functions of plain values, for applications with their own state.

Most applications need only the functions that `heartsrules` itself has, such as `legal_cards` and `score_deal`. All
functions check their arguments and report all problems at once. Cards can be texts: a hand or pile as `"QS 2C"`, a card
as `"QS"`, a trick as `["2C", "QS"]`. Arguments for the whole table have one item per seat.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import EllipsisType
from typing import TYPE_CHECKING, Any

import attrs

from heartsrules.base.errors import MAX_PROBLEMS, InvalidState, Problem
from heartsrules.base.values import Unchecked, checked_int, items_in, plain_int, wrong_type
from heartsrules.cards import NO_CARDS, SUIT_MASKS, Card, Cards, Suit, bag_of
from heartsrules.play.dealing import back_problems, deal_faults
from heartsrules.play.exposing import reasons_against_exposure, resolved_with
from heartsrules.play.legality import beaten_faces, playable, reasons_against
from heartsrules.play.moves import Deal, Play, pass_of
from heartsrules.play.passing import exchange, laid_cards, reasons_against_pass
from heartsrules.play.pile_check import (
    extra_tricks,
    pile_problems,
    shown_problems,
    structure_problems,
    trick_count_problems,
)
from heartsrules.play.public import seats_to_expose
from heartsrules.play.score_traits import traits_of
from heartsrules.play.scoring import game_winners, is_automatic, score_finished_deal, side_places, side_totals, who_shot
from heartsrules.play.sheet import DealScore
from heartsrules.play.tricks import (
    breaks_hearts,
    led_suit,
    masks_of,
    opening_leader,
    takes_kitty,
    trick_outcome,
    trick_problems,
)
from heartsrules.play.violations import BadDeal, Violation
from heartsrules.rules import MAX_DEALS, Kitty, Moon, OpeningLeader, PassStep, Rules, ScoreDisplay, Seat
from heartsrules.rules.arguments import (
    bag_from,
    bags_in,
    card_from,
    check_rules,
    gifts_in,
    hand_problems,
    hand_size_problems,
    ints_of,
    removed_problems,
    seat_problems,
    step_of,
    wrong_count,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = [
    "Standing",
    "card_breaks_hearts",
    "display_score",
    "exchange_gifts",
    "first_leader",
    "legal_cards",
    "may_expose",
    "moon_shooter",
    "score_deal",
    "standings",
    "trick_winner",
    "why_illegal_card",
    "why_illegal_deal",
    "why_illegal_exposure",
    "why_illegal_pass",
    "winners",
    "winning_seat",
    "wins_kitty",
]
__dir__ = __all__.copy


@attrs.frozen
class Standing:
    """The rank of a side.

    Attributes:
        place: the rank from 1, shared by sides with equal totals (1, 2, 2, 4).
        seats: the seats of the side.
        total: the sum of the seats' totals.
    """

    place: int
    seats: tuple[Seat, ...]
    total: int


def legal_cards(
    rules: Rules,
    hand: Unchecked[str | Iterable[Card | str]],
    *,
    trick: Iterable[Card | Play | str] = (),
    first_trick: Unchecked[bool],
    hearts_broken: Unchecked[bool],
    exposed: str | Iterable[Card | str] | None = None,
    suits_led: Iterable[Suit] | None = None,
) -> Cards:
    """Return the cards of a hand that may be played, each once.

    Args:
        hand: the hand of the player to act.
        trick: the cards or plays of the unfinished trick, in order, or nothing for a lead.
        first_trick: True in the deal's first trick.
        hearts_broken: True if hearts are broken, including by this trick.
        exposed: the player's exposed cards in this hand. Required if cards may be exposed.
        suits_led: the suits led in earlier tricks. Required if exposed cards can be restricted.

    >>> later = {"first_trick": False, "hearts_broken": False}
    >>> legal_cards(Rules(), "7S 9S 2D QH QS", trick=["6S"], **later)
    Cards('7S 9S QS')
    >>> legal_cards(Rules(), "5C QS 2H", **later)
    Cards('5C QS')

    Raises:
        InvalidState: the trick is complete, or its plays are not in clockwise order; the hand has too many cards; a
            card is not in play or has too many copies; `exposed` contains a card that may not be exposed; or a required
            argument is missing.
        TypeError: the trick is `Cards`, which have no order.
    """
    rules, bag, led, first, broken, beaten, waiting = _situation(
        rules, hand, trick, first_trick, hearts_broken, exposed, suits_led
    )
    return bag_of(playable(rules._resolved, bag.lo, led, first, broken, beaten, waiting, None), 0)


def why_illegal_card(
    rules: Rules,
    hand: Unchecked[str | Iterable[Card | str]],
    card: Unchecked[Card | str],
    *,
    trick: Iterable[Card | Play | str] = (),
    first_trick: Unchecked[bool],
    hearts_broken: Unchecked[bool],
    exposed: str | Iterable[Card | str] | None = None,
    suits_led: Iterable[Suit] | None = None,
) -> tuple[Violation, ...]:
    """Return the reasons against playing a card, in order of precedence.

    The other arguments and the errors are those of `legal_cards`.

    >>> for reason in why_illegal_card(Rules(), "5C QS 2H", "2H", first_trick=False, hearts_broken=False):
    ...     print(reason.code, "-", reason)
    hearts-not-broken - 2H may not be led: hearts are not broken
    """
    rules, bag, led, first, broken, beaten, waiting = _situation(
        rules, hand, trick, first_trick, hearts_broken, exposed, suits_led
    )
    return reasons_against(rules, bag, card_from("card", card), led, first, broken, beaten, waiting)


def why_illegal_deal(
    rules: Rules, hands: Unchecked[Iterable[str | Iterable[Card | str]]], kitty: str | Iterable[Card | str] = NO_CARDS
) -> tuple[Violation, ...]:
    """Return the reasons against a deal.

    They count cards without naming any, so that all players may see them. `heartsrules.play.dealing.deal_problems`
    names the cards.

    >>> rules = Rules(players=3, removed="2D")
    >>> hands = [rules.deck[place::3] for place in range(3)]
    >>> why_illegal_deal(rules, hands)
    ()
    >>> (reason,) = why_illegal_deal(rules, [hands[0], hands[1], hands[1]])
    >>> reason.code, [problem.code for problem in reason.problems]
    ('bad-deal', ['missing-cards', 'extra-cards'])

    Returns:
        Nothing for a legal deal, otherwise one `BadDeal` with every problem.
    """
    check_rules(rules)
    problems = deal_faults(rules, Deal(hands, kitty))
    return (BadDeal(problems),) if problems else ()


def why_illegal_pass(
    rules: Rules,
    hand: Unchecked[str | Iterable[Card | str]],
    cards: str | Iterable[str | Card | Iterable[Card | str]],
    plan: Unchecked[PassStep | str],
) -> tuple[Violation, ...]:
    """Return the reasons against a pass, in order of precedence.

    Args:
        hand: the player's hand before the pass.
        cards: the cards for the only recipient, or an item for each of several, or `()` to decline.
        plan: the step of the pass cycle: `rules.pass_plan(deal_number)`, or for example `left(3)` or `"L3"`.

    >>> from heartsrules.rules import left
    >>> hand = Cards("2C 5D QS KS AS 2H")
    >>> why_illegal_pass(Rules(), hand, "QS KS AS", left(3))
    ()
    >>> for reason in why_illegal_pass(Rules(), hand, "QS JS", "L3"):
    ...     print(reason.code, "-", reason)
    wrong-number-of-cards - the pass has 2 cards, but this deal passes 3
    not-in-hand - JS is not in the hand

    Raises:
        InvalidState: `plan` is not in the pass cycle or is a hold, or the hand has too many cards or one that is not in
            play.
    """
    check_rules(rules)
    bag = bag_from("hand", hand)
    number, problems = step_of(rules, plan)
    bags = gifts_in("cards", cards, len(rules.pass_plan(number)))
    problems += hand_problems(rules, "hand", bag)
    _refuse(problems)
    return reasons_against_pass(rules, rules.pass_plan(number), bags, bag)


def exchange_gifts(
    rules: Rules,
    hands: Iterable[str | Iterable[Card | str]],
    cards: Unchecked[Iterable[str | Iterable[str | Card | Iterable[Card | str]]]],
    plan: Unchecked[PassStep | str],
    dealt_back: Iterable[str | Iterable[Card | str]] | None = None,
) -> tuple[Cards, ...]:
    """Return the hands after the exchange.

    Args:
        hands: the hands before the pass.
        cards: each player's passed cards as in `why_illegal_pass`, empty for one who declined. `Rules.pass_optional`
            then decides where the other passes go.
        plan: the step of the pass cycle, as in `why_illegal_pass`.
        dealt_back: the cards that each seat is dealt back. Required for a pass through the middle.

    >>> from heartsrules.rules import left
    >>> rules = Rules(pass_cycle=[left(1)], removed="2C", players=3)
    >>> exchange_gifts(rules, ["QS 2H", "KS 3H", "AS 4H"], ["QS", "KS", "4H"], left(1))
    (Cards('2H 4H'), Cards('QS 3H'), Cards('KS AS'))

    Raises:
        InvalidState: the hands are not from one deal, the step is not in the pass cycle or is a hold, or a pass is
            illegal. For an illegal pass of seat 2, the first field is `cards[2]`.
    """
    check_rules(rules)
    bags = bags_in("hands", hands)
    if isinstance(cards, (str, Cards)) or not isinstance(cards, Iterable):
        wrong_type("cards", "a tuple of the cards that each seat passes", cards)
    number, problems = step_of(rules, plan)
    gifts = len(rules.pass_plan(number))
    passed = [gifts_in(f"cards[{seat}]", given, gifts) for seat, given in enumerate(cards)]
    counts = _count_problems(rules, [("hands", bags), ("cards", passed)])
    problems += counts
    problems += pile_problems(rules, "hands", bags)
    for seat, bag in enumerate(bags[: rules.players]):
        problems += hand_size_problems(rules, f"hands[{seat}]", bag)
    if not problems:
        for seat, (bag, given) in enumerate(zip(bags, passed, strict=True)):
            reasons = reasons_against_pass(rules, rules.pass_plan(number), given, bag)
            if reasons:
                fields = (f"cards[{seat}]", f"hands[{seat}]")
                problems.append(Problem.of("illegal-pass", fields, "reasons", seat=seat, reasons=reasons))
    _refuse(problems)
    commitments = tuple([pass_of(seat, given) for seat, given in enumerate(passed)])
    through_middle = rules._resolved.through_middle(number)
    back = bags_in("dealt_back", _given(problems, "dealt_back", dealt_back, (), through_middle))
    _refuse(problems)
    if through_middle:
        faults = back_problems(rules, laid_cards(rules, commitments), Deal(back))
        _refuse([attrs.evolve(fault, fields=("dealt_back",)) for fault in faults])
    elif back:
        _refuse([Problem.of("wrong-deal-back", ("dealt_back",), "no-middle")])
    given_away, received = exchange(rules, number, commitments, back)
    return tuple([bag - away + gotten for bag, away, gotten in zip(bags, given_away, received, strict=True)])


def why_illegal_exposure(
    rules: Rules,
    hand: Unchecked[str | Iterable[Card | str]],
    cards: Unchecked[str | Iterable[Card | str]],
    exposed: Unchecked[str | Iterable[Card | str]] | None = None,
) -> tuple[Violation, ...]:
    """Return the reasons against an exposure, in order of precedence.

    Args:
        hand: the player's hand after the exchange.
        cards: the cards to expose. None at all is always legal.
        exposed: the cards exposed in earlier rounds. Required with rounds.

    >>> pig = Rules(exposable="QS AH")
    >>> why_illegal_exposure(pig, "QS KS 2H", "QS")
    ()
    >>> [reason.code for reason in why_illegal_exposure(pig, "QS KS 2H", "KS AH")]
    ['not-in-hand', 'not-exposable']

    Raises:
        InvalidState: the hand has too many cards or one that is not in play, or `exposed` contains a card that may not
            be exposed or is missing.
    """
    check_rules(rules)
    bag = bag_from("hand", hand)
    showing = bag_from("cards", cards)
    problems = hand_problems(rules, "hand", bag)
    before = bag_from("exposed", _given(problems, "exposed", exposed, NO_CARDS, rules._resolved.shows_in_rounds))
    wrong = bag_of(before.lo & ~rules._resolved.exposable | before.hi, 0)
    if wrong:
        problems.append(Problem.of("not-exposable", ("exposed",), "argument", name="exposed", cards=wrong))
    _refuse(problems)
    return reasons_against_exposure(rules._resolved, showing, bag, before)


def may_expose(rules: Rules, dealer: Unchecked[int], done: Iterable[int]) -> tuple[Seat, ...]:
    """Return the seats that may expose cards now, or nothing before the first lead.

    Args:
        rules: the rule set, whose `exposable` and `exposure` decide.
        dealer: the dealer's seat, `rules.dealer(deal_number)`.
        done: the seats that have decided, in any order. In rounds, the ones that have since another seat last exposed a
            card.

    >>> from heartsrules.rules import Exposure
    >>> may_expose(Rules(exposable="QS"), 0, [2]), may_expose(Rules(exposable="QS", exposure=Exposure.IN_TURN), 0, [1])
    ((0, 1, 3), (2,))

    Raises:
        InvalidState: there is no such seat.
    """
    check_rules(rules)
    dealing = plain_int("dealer", dealer)
    seats = ints_of("done", done)
    problems = seat_problems("dealer", dealing, rules.players)
    for place, seat in enumerate(seats):
        problems += seat_problems(f"done[{place}]", seat, rules.players)
    _refuse(problems)
    if not rules._resolved.exposable:
        return ()
    return seats_to_expose(rules, dealing, [seat in seats for seat in range(rules.players)])


def first_leader(
    rules: Rules,
    hands: Iterable[str | Iterable[Card | str]],
    dealer: Unchecked[int],
    queen_taker: Unchecked[int] | EllipsisType | None = ...,
) -> Seat:
    """Return the seat that leads to a deal's first trick.

    Args:
        rules: the rule set, whose `opening_leader` decides.
        hands: the hands after the exchange, before the first play.
        dealer: the dealer's seat, `rules.dealer(deal_number)`.
        queen_taker: the seat that captured the ♠Q in the previous deal, or None. Required for
            `OpeningLeader.QUEEN_TAKER`.

    >>> deck = Rules().deck
    >>> first_leader(Rules(), [deck[place::4] for place in (3, 1, 0, 2)], dealer=0)
    2

    Raises:
        InvalidState: the hands are not from a whole deal, there is no such seat, or `queen_taker` is missing.
    """
    check_rules(rules)
    bags = bags_in("hands", hands)
    dealing = plain_int("dealer", dealer)
    problems = _count_problems(rules, [("hands", bags)])
    by_taker = rules.opening_leader is OpeningLeader.QUEEN_TAKER
    queen_taker = _given(problems, "queen_taker", queen_taker, None, by_taker, ...)
    taker = None if queen_taker is None else plain_int("queen_taker", queen_taker)
    for seat, bag in enumerate(bags[:MAX_PROBLEMS]):
        if len(bag) != rules.cards_per_hand:
            where = (f"hands[{seat}]",)
            problems.append(
                Problem.of("wrong-hand-size", where, "dealt", seat=seat, count=len(bag), expected=rules.cards_per_hand)
            )
    problems += pile_problems(rules, "hands", bags)
    problems += seat_problems("dealer", dealing, rules.players)
    if taker is not None:
        problems += seat_problems("queen_taker", taker, rules.players)
        if not rules._resolved.one_queen:
            problems.append(Problem.of("wrong-queen-taker", ("queen_taker", "rules"), "rules"))
    _refuse(problems)
    return opening_leader(rules._resolved, dealing, bags, taker)


def card_breaks_hearts(rules: Rules, card: Unchecked[Card | str], trick: Iterable[Card | Play | str] = ()) -> bool:
    """Return True if playing a card breaks hearts that are not broken yet.

    Args:
        rules: the rule set, whose `hearts_break` and `queen_breaks` decide.
        trick: the earlier cards or plays of the trick, in order, or nothing for a lead.

    >>> from heartsrules.rules import QueenBreaks
    >>> card_breaks_hearts(Rules(), "2H", "9C"), card_breaks_hearts(Rules(), "QS")
    (True, False)
    >>> card_breaks_hearts(Rules(queen_breaks=QueenBreaks.LED), "QS")
    True

    Raises:
        InvalidState: the trick is complete, its plays are not in clockwise order, or the trick with the card has too
            many copies of it.
        TypeError: the trick is `Cards`, which have no order.
    """
    check_rules(rules)
    played = card_from("card", card)
    items = cards_or_plays(trick)
    plays, problems = unfinished_trick(rules, items)
    count = 1 + sum([play.card is played for play in plays])
    copies = rules.deck.count(played)
    problems += removed_problems(rules, "card", Cards([played]))
    if count > copies > 0:
        problems.append(
            Problem.of("too-many-copies", ("card", "trick"), "card", card=played, count=count, copies=copies)
        )
    _refuse(problems)
    return breaks_hearts(rules._resolved, led_suit(plays), played.bit)


def trick_winner(rules: Rules, plays: Iterable[Play], *, last_trick: Unchecked[bool] | None = None) -> Seat | None:
    """Return the winner of a completed trick, or None if it is set aside.

    Args:
        rules: the rule set. With two decks its `duplicates` and `two_pairs_void` matter.
        plays: one play per seat, in order.
        last_trick: True for the deal's last trick. Required if its leader takes it when no card wins
            (`void_last_trick`).

    >>> cards = ["6S", "5S", "TC", "9S"]
    >>> trick_winner(Rules(), [Play(seat, card) for seat, card in enumerate(cards)])
    3

    Raises:
        InvalidState: the plays are not a completed trick under these rules, or `last_trick` is missing.
    """
    trick, problems = _plays_of(rules, plays)
    if len(trick) != rules.players:
        problems.insert(0, Problem.of("incomplete-trick", ("plays",), players=rules.players, count=len(trick)))
    resolved = rules._resolved
    last = _is_last(problems, last_trick, resolved.leader_takes_void_last_trick and resolved.deck_hi)
    _refuse(problems)
    return _winner(rules, trick, last)


def _is_last(problems: list[Problem], last_trick: object, matters: object) -> bool:
    last = _given(problems, "last_trick", last_trick, False, matters)
    if not isinstance(last, bool):
        wrong_type("last_trick", "a bool", last)
    return last


def winning_seat(rules: Rules, plays: Iterable[Play]) -> Seat | None:
    """Return the seat that would win a trick if it ended now.

    It is None before a lead and if the cards so far cancel each other. For a completed trick it is the `trick_winner`.
    For a view, use `PlayingView.winning_seat`.

    Args:
        rules: the rule set. With two decks its `duplicates` and `two_pairs_void` matter.
        plays: the plays so far, in order, from none to one per seat.

    >>> cards = ["6S", "5S", "TC"]
    >>> [winning_seat(Rules(), [Play(seat, card) for seat, card in enumerate(cards[:count])]) for count in (0, 3)]
    [None, 0]

    Raises:
        InvalidState: the plays cannot follow each other in one trick.
    """
    trick, problems = _plays_of(rules, plays)
    if len(trick) > rules.players:
        problems.insert(0, Problem.of("too-many-plays", ("plays",), players=rules.players, count=len(trick)))
    _refuse(problems)
    return _winner(rules, trick, False)


def wins_kitty(
    rules: Rules, cards: Unchecked[str | Iterable[Card | str]], *, last_trick: Unchecked[bool] | None = None
) -> bool:
    """Return True if a trick wins a kitty that no seat has won yet.

    Args:
        rules: the rule set, whose `kitty` decides.
        cards: the cards of the trick, with those set aside before it.
        last_trick: True for the deal's last trick. Required for `Kitty.LAST_TRICK`.

    >>> from heartsrules.rules import Kitty
    >>> rules = Rules(players=5, kitty=Kitty.FIRST_HEART)
    >>> wins_kitty(rules, "2C 3C 4C QS 6C"), wins_kitty(rules, "2C 3C 4C 5C 2H")
    (False, True)

    Raises:
        InvalidState: the cards are not whole tricks, or have too many copies of a card, or `last_trick` is missing.
    """
    check_rules(rules)
    bag = bag_from("cards", cards)
    problems = pile_problems(rules, "cards", [bag])
    last = _is_last(problems, last_trick, rules.kitty is Kitty.LAST_TRICK)
    if extra_tricks(rules, len(bag), 1) is None:
        problems.append(Problem.of("part-of-a-trick", ("cards",), "trick", count=len(bag), players=rules.players))
    _refuse(problems)
    return takes_kitty(rules._resolved, bag.lo, last)


def moon_shooter(
    rules: Rules,
    captured: Iterable[str | Iterable[Card | str]],
    dealer: Unchecked[int],
    *,
    exposed: Iterable[str | Iterable[Card | str]] | None = None,
) -> Seat | None:
    """Return the seat that shot the moon in a deal, or None.

    With `Moon.CHOICE` this player chooses the effect. If partners shot the moon together (`MoonScope.TEAM`), it is the
    one who counts as the shooter.

    Args:
        rules: the rule set, whose `moon_cards`, `moon_needs_bonus` and `moon_scope` decide.
        captured: each player's captured cards, including the kitty.
        dealer: the dealer's seat, `rules.dealer(deal_number)`. It decides between partners who share a moon.
        exposed: each player's exposed cards, or `()` if there were none. Required if cards may be exposed.

    >>> moon_shooter(Rules(), ["", Rules().deck, "", ""], dealer=0)
    1

    Raises:
        InvalidState: there is not one pile per seat, there are too many copies of a card, an exposed card is not
            exposable, `exposed` is missing, or there is no such dealer.
    """
    check_rules(rules)
    piles = bags_in("captured", captured)
    dealing = plain_int("dealer", dealer)
    problems: list[Problem] = []
    shown = _given(problems, "exposed", exposed, (), rules._resolved.exposable)
    exposed_cards = bags_in("exposed", shown) or rules._resolved.nothing
    problems += _count_problems(rules, [("captured", piles), ("exposed", exposed_cards)])
    problems += pile_problems(rules, "captured", piles)
    problems += seat_problems("dealer", dealing, rules.players)
    problems += shown_problems(rules, exposed_cards, "exposed")
    _refuse(problems)
    shooter = who_shot(resolved_with(rules, exposed_cards), piles, dealing)
    return None if shooter < 0 else shooter


def score_deal(
    rules: Rules,
    captured: Iterable[str | Iterable[Card | str]],
    tricks_won: Iterable[int],
    totals: Iterable[int] | None = None,
    effect: Moon | None = None,
    *,
    deal_number: Unchecked[int] | None = None,
    exposed: Iterable[str | Iterable[Card | str]] | None = None,
) -> DealScore:
    """Score a finished deal and return its row of the score sheet.

    The piles must be from a whole deal with these tricks won: one card per player for each trick, and further cards
    only from the kitty or from tricks set aside. The order of plays is not checked.

    Args:
        captured: each player's captured cards, worthless ones and the kitty included. Cards set aside at the end and a
            kitty that was not won are in no pile.
        tricks_won: the number of tricks each player won. A trick that was set aside and collected later counts for no
            one.
        totals: the running totals before this deal. Defaults to all 0. Required if the score depends on them, because
            of floors, resets or some moons.
        effect: the shooter's choice, `Moon.OTHERS_UP` or `Moon.SHOOTER_DOWN`. Required after a moon under
            `Moon.CHOICE`, and refused if it contradicts the rules or there was no moon.
        deal_number: the number of this deal, from 0 (the default). Required if partners can shoot the moon together, or
            with `max_deals` if the moon is automatic.
        exposed: each player's exposed cards, or `()` if there were none. Required if cards may be exposed.

    >>> queen, low = Cards("2S 3S AS QS"), Cards("2H 3H 4H 5H")
    >>> score_deal(Rules(), [queen, low, Cards(), Rules().deck - queen - low], (1, 1, 0, 11)).points
    (13, 4, 0, 9)

    Raises:
        InvalidState: the piles cannot be from a finished deal, `effect` does not fit, or a required argument is
            missing.
    """
    check_rules(rules)
    piles = bags_in("captured", captured)
    won = ints_of("tricks_won", tricks_won)
    problems: list[Problem] = []
    resolved = rules._resolved
    traits = traits_of(resolved)
    by_total = traits.by_total or traits.moon_by_total or rules.exact_resets
    before = ints_of("totals", _given(problems, "totals", totals, (0,) * rules.players, by_total))
    partners = resolved.moon and len(resolved.moon_sides) < rules.players
    by_number = partners or (is_automatic(resolved) and resolved.max_deals)
    number = checked_int("deal_number", _given(problems, "deal_number", deal_number, 0, by_number))
    exposed_cards = bags_in("exposed", _given(problems, "exposed", exposed, (), resolved.exposable)) or resolved.nothing
    if effect is not None and not isinstance(effect, Moon):
        wrong_type("effect", "a Moon or None", effect)
    problems += [
        wrong_count(name, len(items), rules.players)
        for name, items in (("captured", piles), ("tricks_won", won), ("totals", before), ("exposed", exposed_cards))
        if len(items) != rules.players
    ]
    if not 0 <= number < MAX_DEALS:
        problems.append(
            Problem.of("out-of-range", ("deal_number",), "deal", name="deal_number", value=number, last=MAX_DEALS - 1)
        )
    if len(won) == rules.players:
        problems += trick_count_problems(rules, won, "tricks_won")
    problems += pile_problems(rules, "captured", piles)
    problems += shown_problems(rules, exposed_cards, "exposed")
    if not problems:
        problems += structure_problems(rules, piles, won)
    if not problems:
        problems += _effect_problems(rules, piles, number, exposed_cards, effect)
    _refuse(problems)
    return score_finished_deal(resolved_with(rules, exposed_cards), piles, won, before, number, exposed_cards, effect)


def standings(rules: Rules, scores: Iterable[int]) -> tuple[Standing, ...]:
    """Return the sides by rank, the leading ones first.

    >>> for standing in standings(Rules(), (30, 12, 30, 54)):
    ...     print(standing.place, standing.seats, standing.total)
    1 (1,) 12
    2 (0,) 30
    2 (2,) 30
    4 (3,) 54

    Raises:
        InvalidState: `scores` does not have one total per seat.
    """
    check_rules(rules)
    totals = ints_of("scores", scores)
    if len(totals) != rules.players:
        raise InvalidState((wrong_count("scores", len(totals), rules.players),))
    by_side = side_totals(rules._resolved, totals)
    places = side_places(rules._resolved, totals)
    order = sorted(range(len(places)), key=lambda side: places[side])
    return tuple(Standing(places[side], rules.sides[side], by_side[side]) for side in order)


def display_score(rules: Rules, total: Unchecked[int]) -> int:
    """Return a total as `Rules.score_display` shows it.

    It is unchanged, negated, or subtracted from the target.

    >>> display_score(Rules(score_display=ScoreDisplay.COUNTDOWN), 26)
    74
    """
    check_rules(rules)
    number = checked_int("total", total)
    if rules.score_display is ScoreDisplay.NEGATIVE:
        return -number
    if rules.score_display is ScoreDisplay.COUNTDOWN and rules.target is not None:
        return rules.target - number
    return number


def winners(
    rules: Rules,
    scores: Iterable[int],
    deals_played: Unchecked[int],
    *,
    shooter: Unchecked[int] | EllipsisType | None = ...,
) -> tuple[Seat, ...] | None:
    """Return the winners if the game is over, or None if another deal follows.

    They are ascending, with all members of a winning team.

    Args:
        scores: the running totals after the last deal.
        deals_played: the number of deals played, including extra deals.
        shooter: the seat that shot the moon in the last deal, or None. Required for `Moon.SHOOTER_WINS`.

    >>> winners(Rules(), (40, 26, 60, 82), 8), winners(Rules(), (40, 26, 60, 108), 9)
    (None, (1,))

    Raises:
        InvalidState: `scores` does not have one total per seat, no game has that many deals, there is no such seat, or
            `shooter` is missing.
    """
    check_rules(rules)
    totals = ints_of("scores", scores)
    deals = checked_int("deals_played", deals_played)
    problems = _count_problems(rules, [("scores", totals)])
    if not 1 <= deals <= MAX_DEALS:
        problems.append(Problem.of("out-of-range", ("deals_played",), "deals-played", deals=deals, most=MAX_DEALS))
    shot = -1
    shooter = _given(problems, "shooter", shooter, None, rules.moon is Moon.SHOOTER_WINS, ...)
    if shooter is not None:
        shot = plain_int("shooter", shooter)
        problems += seat_problems("shooter", shot, rules.players)
    _refuse(problems)
    return game_winners(rules._resolved, totals, deals, shot)


def _situation(
    rules: Rules,
    hand: object,
    trick: object,
    first_trick: object,
    hearts_broken: object,
    exposed: object,
    suits_led: object,
) -> tuple[Rules, Cards, i64, bool, bool, i64, i64]:
    check_rules(rules)
    bag = bag_from("hand", hand)
    if not isinstance(first_trick, bool):
        wrong_type("first_trick", "a bool", first_trick)
    if not isinstance(hearts_broken, bool):
        wrong_type("hearts_broken", "a bool", hearts_broken)
    items = cards_or_plays(trick)
    resolved = rules._resolved
    plays, problems = unfinished_trick(rules, items)
    exposed = _given(problems, "exposed", exposed, (), resolved.exposable)
    exposed_mask = bag_from("exposed", exposed).lo
    waits = exposed_mask & resolved.exposable and resolved.exposed_card_play and not first_trick
    suits_led = _given(problems, "suits_led", suits_led, (), waits)
    waiting = exposed_mask
    for suit in items_in("suits_led", suits_led, Suit, "Suit"):
        waiting &= ~SUIT_MASKS[suit]
    lo, hi = masks_of(plays)
    problems += hand_problems(rules, "hand", bag)
    extra = (bag.lo | lo) & ~resolved.deck_lo | (bag.hi | hi) & ~resolved.deck_hi
    twice = (bag.lo & lo & ~resolved.deck_hi | bag.hi & lo | bag.lo & hi) & ~extra
    if twice:
        cards = bag_of(twice, 0)
        problems.append(Problem.of("too-many-copies", ("hand", "trick"), "hand-and-trick", cards=cards))
    if exposed_mask & ~resolved.exposable:
        wrong = bag_of(exposed_mask & ~resolved.exposable, 0)
        problems.append(Problem.of("not-exposable", ("exposed",), "argument", name="exposed", cards=wrong))
    _refuse(problems)
    led = led_suit(plays)
    return rules, bag, led, first_trick, hearts_broken, beaten_faces(resolved, led, lo, hi), waiting


def _given(problems: list[Problem], name: str, value: Any, default: Any, matters: object, absent: object = None) -> Any:
    """Return an argument, or its default with a problem if the rules require it."""
    if value is not absent:
        return value
    if matters:
        problems.append(Problem.of("missing-argument", (name,), name.replace("_", "-")))
    return default


def _plays_of(rules: Rules, plays: object) -> tuple[tuple[Play, ...], list[Problem]]:
    check_rules(rules)
    trick = items_in("plays", plays, Play, "Play")
    return trick, trick_problems(rules, trick)


def _winner(rules: Rules, trick: tuple[Play, ...], last_trick: bool) -> Seat | None:
    if not trick:
        return None
    _, hi = masks_of(trick)
    position = trick_outcome(rules._resolved, trick, hi, last_trick)
    return None if position < 0 else trick[position].seat


def unfinished_trick(
    rules: Rules, items: Sequence[Card | Play], name: str = "trick"
) -> tuple[tuple[Play, ...], list[Problem]]:
    """Return the plays of a trick and the problems that prevent another play.

    A card means a play of the next seat, starting with seat 0 if no item has a seat.
    """
    players = rules.players
    problems: list[Problem] = []
    if len(items) >= players:
        problems.append(Problem.at("complete-trick", name, "cards", count=len(items), most=players - 1))
    first = 0
    for place, item in enumerate(items):
        if isinstance(item, Play):
            first = item.seat - place
            break
    plays = tuple(
        [
            item if isinstance(item, Play) else Play((first + place) % players, item)
            for place, item in enumerate(items[:players])
        ]
    )
    return plays, problems + trick_problems(rules, plays, name)


def _effect_problems(
    rules: Rules, captured: Sequence[Cards], deal_number: int, exposed: tuple[Cards, ...], effect: Moon | None
) -> list[Problem]:
    shooter = who_shot(resolved_with(rules, exposed), captured, rules.dealer(deal_number))
    if shooter >= 0 and rules.moon is Moon.CHOICE:
        if effect in (Moon.OTHERS_UP, Moon.SHOOTER_DOWN):
            return []
        return [Problem.of("wrong-effect", ("effect",), "choice", seat=shooter)]
    if effect is None:
        return []
    if shooter < 0:
        return [Problem.of("wrong-effect", ("effect",), "no-moon")]
    return [Problem.of("wrong-effect", ("effect",), "no-choice", moon=rules.moon)]


def _refuse(problems: Sequence[Problem]) -> None:
    if problems:
        raise InvalidState(problems)


def cards_or_plays(trick: object) -> tuple[Any, ...]:
    """Check the items of a trick (cards, their texts or plays) and return them."""
    if isinstance(trick, str):
        trick = trick.split()
    if isinstance(trick, Iterable) and not isinstance(trick, Cards):
        trick = [Card(item) if isinstance(item, str) else item for item in trick]
    return items_in("trick", trick, (Card, Play), "Card or Play", "the cards or plays in the order of play", Cards)


def _count_problems(rules: Rules, by_seat: Iterable[tuple[str, Sequence[object]]]) -> list[Problem]:
    return [wrong_count(name, len(items), rules.players) for name, items in by_seat if len(items) != rules.players]
