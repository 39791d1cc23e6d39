"""The check of a setup that begins in the middle of a deal."""

from __future__ import annotations

from collections.abc import Sequence

from heartsrules.base.errors import Problem
from heartsrules.cards import Cards, all_of
from heartsrules.play.pile_check import extra_tricks, kitty_winners, shown_problems
from heartsrules.play.public import DealStart, PublicDeal
from heartsrules.play.sheet import ScoreSheet
from heartsrules.play.state import MidDealPosition, Playing, Secrets
from heartsrules.play.tricks import broken_before, fixed_leader
from heartsrules.rules import KittyShownTo, Rules, Seat
from heartsrules.rules import resolved as C
from heartsrules.setup._value import DealSetup


def in_the_middle(
    rules: Rules,
    sheet: ScoreSheet,
    number: int,
    hands: tuple[Cards, ...],
    told: DealSetup,
    at: str,
    problems: list[Problem],
) -> list[Playing]:
    """Return the possible positions of a `resumed_from`, for each state of the hearts.

    If it adds problems to `problems`, it returns no position. `at` is the prefix of the attributes' names in them.
    """
    middle = told.resumed_from
    assert middle is not None
    before = len(problems)
    sizes = [len(hand) for hand in hands]
    if len(set(sizes)) > 1 or max(sizes) > rules.cards_per_hand:
        where = (f"{at}hands", f"{at}tricks", f"{at}trick")
        problems.append(Problem.of("wrong-hand-size", where, "mid-deal", sizes=tuple(sizes), most=rules.cards_per_hand))
    elif not sizes[0]:
        problems.append(Problem.of("deal-is-over", (f"{at}hands",), "mid-deal"))
    kitty = None if len(problems) > before else _kitty_of(rules, hands, told, at, problems)
    if kitty is None:
        return []
    taker = middle.kitty_winner
    piles = [pile - kitty if seat == taker else pile for seat, pile in enumerate(middle.captured)]
    won = middle.tricks_won
    if won is None:
        won = tuple([len(pile) // rules.players for pile in piles])
    tricks = rules.cards_per_hand - sizes[0]
    suits = tuple(sorted(set(middle.suits_led)))
    problems += _pile_problems(rules, piles, won, middle.set_aside, f"{at}resumed_from.")
    problems += _kitty_problems(rules, taker, piles, won, f"{at}resumed_from.")
    problems += _leader_problems(
        fixed_leader(rules._resolved, rules.dealer(number), sheet.queen_taker), middle, won, at
    )
    gone = all_of([*piles, middle.set_aside])
    assert gone is not None
    possible = broken_before(rules._resolved, gone.lo)
    if middle.hearts_broken is not None and middle.hearts_broken not in possible:
        problems.append(
            Problem.of("wrong-hearts-broken", (f"{at}resumed_from.hearts_broken",), broken=middle.hearts_broken)
        )
    if len(suits) > tricks:
        problems.append(
            Problem.of("too-many-suits", (f"{at}resumed_from.suits_led",), "mid-deal", count=len(suits), tricks=tricks)
        )
    problems += shown_problems(rules, told.exposed, f"{at}exposed")
    problems += _misplaced_shown(told.exposed, hands, kitty, at)
    if len(problems) > before:
        return []
    nothing = rules._resolved.nothing
    starts: list[Playing] = []
    exposed = told.exposed or nothing
    start = DealStart(rules, sheet, (), exposed, suits if any(exposed) else ())
    seen = None if taker is None or rules.kitty_shown_to is not KittyShownTo.EVERYBODY else kitty
    for broken in possible if middle.hearts_broken is None else (middle.hearts_broken,):
        settled = MidDealPosition(middle.leader, middle.captured, won, middle.set_aside, taker, broken, suits)
        secrets = Secrets(kitty, (), nothing, nothing, settled)
        played = PublicDeal(start, middle.leader, (), tuple(piles), won, tricks, middle.set_aside, taker, seen)
        starts.append(Playing(played, secrets, hands, middle.leader, (), broken))
    return starts


def _kitty_of(
    rules: Rules, hands: tuple[Cards, ...], told: DealSetup, at: str, problems: list[Problem]
) -> Cards | None:
    middle = told.resumed_from
    assert middle is not None
    taker = middle.kitty_winner
    everything = elsewhere = all_of([*hands, *middle.captured, middle.set_aside])
    kitty = told.kitty
    if elsewhere is not None:
        if kitty is None:
            kitty = rules.deck - elsewhere
        if taker is None:
            everything = all_of([elsewhere, kitty])
    if everything is None or kitty is None or everything != rules.deck or len(kitty) != rules.kitty_size:
        problems.append(_wrong_cards(rules, everything, kitty, at))
        return None
    if taker is not None and not kitty <= middle.captured[taker]:
        problems.append(Problem.of("wrong-kitty", (f"{at}kitty", f"{at}resumed_from.captured[{taker}]")))
        return None
    return kitty


def _leader_problems(opener: Seat | None, middle: MidDealPosition, won: tuple[int, ...], at: str) -> list[Problem]:
    """Return the leader's problems. They must have won a trick or lead to the first."""
    leader = middle.leader
    if any(won) and not won[leader]:
        return [
            Problem.of(
                "wrong-leader", (f"{at}resumed_from.leader", f"{at}resumed_from.captured"), "others", seat=leader
            )
        ]
    if not any(won) and opener not in (None, leader):
        return [Problem.of("wrong-leader", (f"{at}resumed_from.leader",), "opener", seat=leader, opener=opener)]
    return []


def _misplaced_shown(exposed: tuple[Cards, ...], hands: tuple[Cards, ...], kitty: Cards, at: str) -> list[Problem]:
    problems: list[Problem] = []
    places: list[tuple[Seat | None, Cards]] = [*enumerate(hands), (None, kitty)]
    for seat, cards in enumerate(exposed):
        for place, bag in places:
            if place != seat and cards & bag:
                fields = (f"{at}exposed[{seat}]",)
                problems.append(Problem.of("exposed-elsewhere", fields, seat=seat, cards=cards & bag, holder=place))
    return problems


def _wrong_cards(rules: Rules, everything: Cards | None, kitty: Cards | None, at: str) -> Problem:
    fields = tuple(
        [at + name for name in ("hands", "trick", "resumed_from.captured", "resumed_from.set_aside", "kitty")]
    )
    if everything is None or kitty is None:
        return Problem.of("wrong-cards", fields, "third-copy", kitty_size=rules.kitty_size)
    if everything == rules.deck:
        return Problem.of("wrong-cards", fields, "kitty", kitty_size=rules.kitty_size, count=len(kitty))
    missing, extra = rules.deck - everything, everything - rules.deck
    return Problem.of(
        "wrong-cards", fields, "deck", kitty_size=rules.kitty_size, missing_cards=missing, extra_cards=extra
    )


def _pile_problems(rules: Rules, piles: Sequence[Cards], won: tuple[int, ...], aside: Cards, at: str) -> list[Problem]:
    players = rules.players
    problems: list[Problem] = []
    for seat, pile in enumerate(piles):
        count = won[seat]
        tricks, rest = divmod(len(pile), players)
        if rest:
            where = (f"{at}captured[{seat}]",)
            problems.append(
                Problem.of("part-of-a-trick", where, "mid-deal", seat=seat, count=len(pile), players=players)
            )
        elif count < 0 or extra_tricks(rules, len(pile), count) is None:
            fields = (f"{at}tricks_won[{seat}]", f"{at}captured[{seat}]")
            params = {"name": fields[0], "won": count, "seat": seat, "tricks": tricks}
            problems.append(Problem.of("wrong-tricks-won", fields, "mid-deal", **params))
    if len(aside) % players or (aside and rules._resolved.duplicates != C.CANCEL):
        problems.append(Problem.of("wrong-set-aside", (f"{at}set_aside",), count=len(aside), players=players))
    return problems


def _kitty_problems(
    rules: Rules, taker: Seat | None, piles: Sequence[Cards], won: tuple[int, ...], at: str
) -> list[Problem]:
    resolved = rules._resolved
    marks = resolved.kitty_marks
    # The last trick has not been won yet.
    takers = kitty_winners(
        resolved, won, resolved.kitty == C.KITTY_LAST_TRICK, [pile.lo & marks != 0 for pile in piles]
    )
    if taker in takers:
        return []
    seats = () if None in takers else tuple(sorted([seat for seat in takers if seat is not None]))
    fields = (f"{at}kitty_winner", f"{at}captured")
    return [Problem.of("wrong-kitty-winner", fields, "mid-deal", seat=taker, takers=seats)]
