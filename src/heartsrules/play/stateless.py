"""The rules as functions of plain values, for apps that keep their own state: from the pass to the winners.

The functions that most apps need are in `heartsrules` itself: `legal_cards`, `why_illegal_card`, `trick_winner`,
`score_deal`, `standings` and `display_score`. All of them check their arguments, and then call the engine's functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import evolve

from heartsrules.base.errors import MAX_PROBLEMS, InvalidState, Problem
from heartsrules.base.values import Unchecked, checked_int, wrong_item, wrong_type
from heartsrules.cards import NO_CARDS, Card, Cards, bag_of
from heartsrules.play.dealing import back_problems
from heartsrules.play.exposing import reasons_against_exposure, resolved_with
from heartsrules.play.moves import Deal, Pass, Play
from heartsrules.play.passing import exchange, laid_cards, reasons_against_pass
from heartsrules.play.pile_check import extra_tricks, pile_problems, shown_problems
from heartsrules.play.scoring import game_winners, who_shot
from heartsrules.play.state import seats_to_expose
from heartsrules.play.tricks import breaks_hearts, led_suit, opening_leader, takes_kitty, unfinished_trick
from heartsrules.play.violations import Violation
from heartsrules.rules import MAX_DEALS, PassPlan, Rules, Seat
from heartsrules.rules.arguments import (
    bags_in,
    check_rules,
    hand_problems,
    hand_size_problems,
    ints_of,
    removed_problems,
    seat_problems,
    wrong_count,
)

__all__ = [
    "card_breaks_hearts",
    "exchange_gifts",
    "first_leader",
    "may_expose",
    "moon_shooter",
    "why_illegal_exposure",
    "why_illegal_pass",
    "winners",
    "wins_kitty",
]


def why_illegal_pass(
    rules: Rules, hand: Unchecked[Cards], cards: Iterable[Cards], plan: Unchecked[PassPlan]
) -> tuple[Violation, ...]:
    """The reasons why a pass is illegal, in order of precedence; `()` if it is legal.

    Args:
        rules: the rule set.
        hand: the player's hand before the pass.
        cards: a bag of cards for each gift of the step; empty if the player declines.
        plan: the step of the pass cycle in this deal: `rules.pass_plan(deal_number)`.

    >>> from heartsrules.rules import left
    >>> hand = Cards("2C 5D QS KS AS 2H")
    >>> why_illegal_pass(Rules(), hand, [Cards("QS KS AS")], left(3))
    ()
    >>> for reason in why_illegal_pass(Rules(), hand, [Cards("QS JS")], left(3)):
    ...     print(reason.code, "-", reason)
    wrong-number-of-cards - you passed 2 cards; this deal passes 3
    not-in-hand - JS is not in the hand

    Raises:
        InvalidState: `plan` is not in the pass cycle of these rules or is a hold, or the hand has more cards than are
            dealt, or a card that is not in play, or not so often. Every problem is listed.
    """
    check_rules(rules)
    bag = _bag("hand", hand)
    bags = bags_in("cards", cards)
    number, problems = _plan_of(rules, plan)
    problems += hand_problems(rules, "hand", bag)
    _refuse(problems)
    return reasons_against_pass(rules, rules.pass_plan(number), bags, bag)


def exchange_gifts(
    rules: Rules,
    hands: Iterable[Cards],
    cards: Iterable[Iterable[Cards]],
    plan: Unchecked[PassPlan],
    dealt_back: Iterable[Cards] = (),
) -> tuple[Cards, ...]:
    """The hands after the exchange.

    Args:
        rules: the rule set.
        hands: by seat, the hands before the pass.
        cards: by seat, the gifts of each player as in `why_illegal_pass`; empty for a player who declined.
        plan: the step of the pass cycle in this deal: `rules.pass_plan(deal_number)`.
        dealt_back: if that goes through the middle, by seat the cards that it is dealt back of the pile.

    Returns:
        By seat, the new hands. If a player declined, `Rules.pass_optional` decides where the gifts of the others go.

    >>> from heartsrules.rules import left
    >>> rules = Rules(pass_cycle=[left(1)], removed="2C", players=3)
    >>> hands = [Cards("QS 2H"), Cards("KS 3H"), Cards("AS 4H")]
    >>> exchange_gifts(rules, hands, [[Cards("QS")], [Cards("KS")], [Cards("4H")]], left(1))
    (Cards('2H 4H'), Cards('QS 3H'), Cards('KS AS'))

    Raises:
        InvalidState: the hands are not hands of one deal, the step is not in the pass cycle or is a hold, or a pass is
            illegal. All problems that can be found together are listed; the first field of an illegal pass of seat 2
            is `cards[2]`.
    """
    check_rules(rules)
    bags = bags_in("hands", hands)
    if isinstance(cards, (str, Cards)) or not isinstance(cards, Iterable):
        wrong_type("cards", "a tuple of the cards that each seat passes", cards)
    passed = [bags_in(f"cards[{seat}]", given) for seat, given in enumerate(cards)]
    number, problems = _plan_of(rules, plan)
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
    commitments = tuple([Pass(seat, given) for seat, given in enumerate(passed)])
    back = bags_in("dealt_back", dealt_back)
    if rules.resolved.through_middle(number):
        faults = back_problems(rules, laid_cards(rules, commitments), Deal(back))
        _refuse([evolve(fault, fields=("dealt_back",)) for fault in faults])
    elif back:
        _refuse([Problem.of("wrong-deal-back", ("dealt_back",), "no-middle")])
    given_away, received = exchange(rules, number, commitments, back)
    return tuple([bag - away + gotten for bag, away, gotten in zip(bags, given_away, received, strict=True)])


def why_illegal_exposure(
    rules: Rules, hand: Unchecked[Cards], cards: Unchecked[Cards], exposed: Unchecked[Cards] = NO_CARDS
) -> tuple[Violation, ...]:
    """The reasons why an exposure is illegal, in order of precedence; `()` if they are legal.

    Args:
        rules: the rule set; its `exposable` names the cards that may be shown.
        hand: the player's hand after the exchange.
        cards: the cards to show; to show none is always legal.
        exposed: what the player has shown in earlier rounds.

    >>> pig = Rules(exposable="QS AH")
    >>> why_illegal_exposure(pig, Cards("QS KS 2H"), Cards("QS"))
    ()
    >>> [reason.code for reason in why_illegal_exposure(pig, Cards("QS KS 2H"), Cards("KS AH"))]
    ['not-in-hand', 'not-exposable']

    Raises:
        InvalidState: the hand has more cards than are dealt, or a card that is not in play, or not so often, or
            `exposed` has a card that may not be exposed. Every problem is listed.
    """
    check_rules(rules)
    bag = _bag("hand", hand)
    showing = _bag("cards", cards)
    before = _bag("exposed", exposed)
    problems = hand_problems(rules, "hand", bag)
    wrong = bag_of(before.lo & ~rules.resolved.exposable | before.hi, 0)
    if wrong:
        problems.append(Problem.of("not-exposable", ("exposed",), "argument", name="exposed", cards=wrong))
    _refuse(problems)
    return reasons_against_exposure(rules.resolved, showing, bag, before)


def may_expose(rules: Rules, dealer: Unchecked[int], done: Iterable[int]) -> tuple[Seat, ...]:
    """The seats that may show cards now; `()` if the first lead is next.

    Args:
        rules: the rule set; its `exposable` and `exposure` decide.
        dealer: the dealer's seat: `rules.dealer(deal_number)`.
        done: the seats that have decided, whether they showed cards or none, in any order; in rounds, those that have
            since another showed cards.

    >>> from heartsrules.rules import Exposure
    >>> may_expose(Rules(exposable="QS"), 0, [2]), may_expose(Rules(exposable="QS", exposure=Exposure.IN_TURN), 0, [1])
    ((0, 1, 3), (2,))

    Raises:
        InvalidState: there is no such seat. Every problem is listed.
    """
    check_rules(rules)
    dealing = checked_int("dealer", dealer)
    seats = ints_of("done", done)
    problems = seat_problems("dealer", dealing, rules.players)
    for place, seat in enumerate(seats):
        problems += seat_problems(f"done[{place}]", seat, rules.players)
    _refuse(problems)
    if not rules.resolved.exposable:
        return ()
    return seats_to_expose(rules, dealing, [seat in seats for seat in range(rules.players)])


def first_leader(
    rules: Rules, hands: Iterable[Cards], dealer: Unchecked[int], queen_taker: Unchecked[int] | None = None
) -> Seat:
    """The seat that leads to the first trick of a deal.

    Args:
        rules: the rule set; its `opening_leader` decides.
        hands: by seat, the hands after the exchange, before any card is played.
        dealer: the dealer's seat: `rules.dealer(deal_number)`.
        queen_taker: the seat that captured the Q♠ in the previous deal, as in the row of `score_deal`; None if nobody
            did, or in the first deal. Only `OpeningLeader.QUEEN_TAKER` uses it.

    >>> deck = list(Rules().deck)
    >>> first_leader(Rules(), [Cards(deck[place::4]) for place in (3, 1, 0, 2)], dealer=0)
    2

    Raises:
        InvalidState: the hands are not those of a whole deal, or there is no such seat. Every problem is listed.
    """
    check_rules(rules)
    bags = bags_in("hands", hands)
    dealing = checked_int("dealer", dealer)
    taker = None if queen_taker is None else checked_int("queen_taker", queen_taker)
    problems = _count_problems(rules, [("hands", bags)])
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
        if not rules.resolved.one_queen:
            problems.append(Problem.of("wrong-queen-taker", ("queen_taker", "rules"), "rules"))
    _refuse(problems)
    return opening_leader(rules.resolved, dealing, bags, taker)


def card_breaks_hearts(rules: Rules, card: Unchecked[Card], trick: Iterable[Card | Play] = ()) -> bool:
    """Whether playing a card breaks hearts, if they are not broken yet.

    Args:
        rules: the rule set; its `hearts_break` and `queen_breaks` decide.
        card: the card that is played.
        trick: the earlier cards or plays of the trick, in order; empty if the card is led.

    >>> from heartsrules.rules import QueenBreaks
    >>> card_breaks_hearts(Rules(), Card("2H"), [Card("9C")]), card_breaks_hearts(Rules(), Card("QS"))
    (True, False)
    >>> card_breaks_hearts(Rules(queen_breaks=QueenBreaks.LED), Card("QS"))
    True

    Raises:
        InvalidState: the trick is complete, its plays do not go round clockwise, or the trick with the card has more
            copies of it than are in play. Every problem is listed.
        TypeError: an argument has the wrong type; a bag is refused as a trick, because it has no order.
    """
    check_rules(rules)
    if not isinstance(card, Card):
        wrong_type("card", "a Card", card)
    items = _items_of(trick)
    plays, problems = unfinished_trick(rules, items)
    count = 1 + sum([play.card is card for play in plays])
    copies = rules.deck.count(card)
    problems += removed_problems(rules, "card", Cards([card]))
    if count > copies > 0:
        problems.append(Problem.of("too-many-copies", ("card", "trick"), "card", card=card, count=count, copies=copies))
    _refuse(problems)
    return breaks_hearts(rules.resolved, led_suit(plays), card.bit)


def wins_kitty(rules: Rules, cards: Unchecked[Cards], *, last_trick: Unchecked[bool] = False) -> bool:
    """Whether the winner of a trick takes the kitty too, if nobody has taken it yet.

    Args:
        rules: the rule set; its `kitty` decides.
        cards: the cards of the trick, with those that were set aside before it.
        last_trick: whether the trick is the last one of the deal.

    >>> from heartsrules.rules import Kitty
    >>> rules = Rules(players=5, kitty=Kitty.FIRST_HEART)
    >>> wins_kitty(rules, Cards("2C 3C 4C QS 6C")), wins_kitty(rules, Cards("2C 3C 4C 5C 2H"))
    (False, True)

    Raises:
        InvalidState: the cards are not whole tricks, or have more copies of a card than are in play. Every problem is
            listed.
    """
    check_rules(rules)
    bag = _bag("cards", cards)
    if not isinstance(last_trick, bool):
        wrong_type("last_trick", "a bool", last_trick)
    problems = pile_problems(rules, "cards", [bag])
    if extra_tricks(rules, len(bag), 1) is None:
        problems.append(Problem.of("part-of-a-trick", ("cards",), "trick", count=len(bag), players=rules.players))
    _refuse(problems)
    return takes_kitty(rules.resolved, bag.lo, last_trick)


def moon_shooter(
    rules: Rules, captured: Iterable[Cards], dealer: Unchecked[int], *, exposed: Iterable[Cards] = ()
) -> Seat | None:
    """The seat that shot the moon in a deal, or None. With `Moon.CHOICE` this player chooses the effect.

    Args:
        rules: the rule set; its `moon_cards`, `moon_needs_bonus` and `moon_scope` decide.
        captured: by seat, all cards that each player has won, with the kitty if that player took it.
        dealer: the dealer's seat: `rules.dealer(deal_number)`; it decides between partners who share a moon.
        exposed: by seat, the cards that each player showed; empty if nobody showed any.

    Returns:
        The seat; if partners shot the moon together (`MoonScope.TEAM`), the one who counts as the shooter.

    >>> moon_shooter(Rules(), [Cards(), Rules().deck, Cards(), Cards()], dealer=0)
    1

    Raises:
        InvalidState: `captured` has not one pile for each seat, there are more copies of a card than are in play, a
            shown card is not exposable, or there is no such dealer. Every problem is listed.
    """
    check_rules(rules)
    piles = bags_in("captured", captured)
    dealing = checked_int("dealer", dealer)
    exposed_cards = bags_in("exposed", exposed) or rules.resolved.nothing
    problems = _count_problems(rules, [("captured", piles), ("exposed", exposed_cards)])
    problems += pile_problems(rules, "captured", piles)
    problems += seat_problems("dealer", dealing, rules.players)
    problems += shown_problems(rules, exposed_cards, "exposed")
    _refuse(problems)
    shooter = who_shot(resolved_with(rules, exposed_cards), piles, dealing)
    return None if shooter < 0 else shooter


def winners(
    rules: Rules,
    scores: Iterable[int],
    deals_played: Unchecked[int],
    *,
    shooter: Unchecked[int] | None = None,
) -> tuple[Seat, ...] | None:
    """The winners if the game is over; None if another deal follows.

    Args:
        rules: the rule set.
        scores: by seat, the running totals after the last deal.
        deals_played: the number of deals played, with extra deals. The game can end only after a whole deal.
        shooter: the seat that shot the moon in the last deal, which ends the game under `Moon.SHOOTER_WINS`; None:
            nobody.

    Returns:
        The seats that have won, in order; with teams, all members.

    >>> winners(Rules(), (40, 26, 60, 82), 8), winners(Rules(), (40, 26, 60, 108), 9)
    (None, (1,))

    Raises:
        InvalidState: `scores` has not one total for each seat, no game has had so many deals, or there is no such seat.
            Every problem is listed.
    """
    check_rules(rules)
    totals = ints_of("scores", scores)
    deals = checked_int("deals_played", deals_played)
    problems = _count_problems(rules, [("scores", totals)])
    if not 1 <= deals <= MAX_DEALS:
        problems.append(Problem.of("out-of-range", ("deals_played",), "deals-played", deals=deals, most=MAX_DEALS))
    shot = -1
    if shooter is not None:
        shot = checked_int("shooter", shooter)
        problems += seat_problems("shooter", shot, rules.players)
    _refuse(problems)
    return game_winners(rules.resolved, totals, deals, shot)


def _refuse(problems: Sequence[Problem]) -> None:
    if problems:
        raise InvalidState(problems)


def _bag(name: str, value: object) -> Cards:
    if not isinstance(value, Cards):
        wrong_type(name, "a Cards", value)
    return value


def _items_of(trick: object) -> list[Card | Play]:
    if isinstance(trick, (str, Cards)) or not isinstance(trick, Iterable):
        wrong_type("trick", "the cards or plays in the order of play", trick)
    items = list(trick)
    for item in items:
        if not isinstance(item, (Card, Play)):
            wrong_item("trick", "Card or Play", item)
    return items


def _count_problems(rules: Rules, by_seat: Iterable[tuple[str, Sequence[object]]]) -> list[Problem]:
    """The problems of collections that do not have one item for each seat."""
    return [wrong_count(name, len(items), rules.players) for name, items in by_seat if len(items) != rules.players]


def _plan_of(rules: Rules, plan: object) -> tuple[int, list[Problem]]:
    """The index of a step in the pass cycle, and its problems."""
    if not isinstance(plan, tuple):
        wrong_type("plan", "a tuple of pairs (offset, count)", plan)
    for gift in plan:
        if not isinstance(gift, tuple) or len(gift) != 2:
            wrong_item("plan", "pairs (offset, count)", gift)
        for number in gift:
            checked_int("a number of plan", number)
    for number, of_cycle in enumerate(rules.pass_cycle):
        if plan and _spelled(rules, of_cycle) == _spelled(rules, plan):
            return number, []
    if plan:
        return 0, [Problem.of("wrong-plan", ("plan",), "unknown")]
    return 0, [Problem.of("wrong-plan", ("plan",), "hold")]


def _spelled(rules: Rules, plan: PassPlan) -> list[tuple[int, bool, int]]:
    """A step in one spelling of its offsets; only 0 itself is the middle."""
    return [(offset % rules.players, not offset, count) for offset, count in plan]
