"""The middle of a deal, told without its beginning: which positions it can be."""

from __future__ import annotations

from collections.abc import Sequence

from heartsrules import tables as T
from heartsrules.cards import Cards, all_of
from heartsrules.errors import Problem, counted, listed
from heartsrules.piles import extra_tricks, kitty_takers, shown_problems
from heartsrules.rules import Rules, Seat
from heartsrules.setup._value import DealSetup
from heartsrules.sheet import ScoreSheet
from heartsrules.state import DealStart, Middle, PlayedDeal, Playing
from heartsrules.tricks import fixed_leader, kitty_marks

__all__ = ["in_the_middle"]


def in_the_middle(
    rules: Rules,
    sheet: ScoreSheet,
    number: int,
    hands: tuple[Cards, ...],
    told: DealSetup,
    at: str,
    problems: list[Problem],
) -> list[Playing]:
    """The positions at the first play that is told: one for each way in which hearts may have been broken before.

    Args:
        rules: the rule set.
        sheet: the score sheet before this deal.
        number: the number of the deal.
        hands: by seat, the cards held before the first play that is told.
        told: the deal, with a middle; its counts and seats are right.
        at: what stands before the names of its parts in problems.
        problems: what is wrong is added here; then nothing is returned.
    """
    middle = told.middle
    assert middle is not None
    before = len(problems)
    sizes = [len(hand) for hand in hands]
    if len(set(sizes)) > 1 or max(sizes) > rules.cards_per_hand:
        problems.append(
            Problem(
                "wrong-hand-size",
                (f"{at}hands", f"{at}tricks", f"{at}trick"),
                message=f"with the cards that are played since, the hands hold {', '.join(map(str, sizes))} "
                "cards: all must "
                f"hold equally many, at most {rules.cards_per_hand}",
            )
        )
        return []
    if not sizes[0]:
        message = "no hand holds a card, and no play is told since the middle: the deal is over"
        problems.append(Problem("deal-is-over", (f"{at}hands",), message=message))
        return []
    taker = middle.kitty_taker
    elsewhere = all_of([*hands, *middle.captured, middle.set_aside])
    kitty = told.kitty
    if kitty is None and elsewhere is not None:
        kitty = rules.deck - elsewhere
    everything = elsewhere
    if kitty is not None and taker is None and elsewhere is not None:
        everything = all_of([elsewhere, kitty])
    if everything is None or kitty is None or everything != rules.deck or len(kitty) != rules.kitty_size:
        problems.append(_wrong_cards(rules, everything, kitty, at))
        return []
    if taker is not None and not kitty <= middle.captured[taker]:
        problems.append(
            Problem(
                "wrong-kitty",
                (f"{at}kitty", f"{at}middle.captured[{taker}]"),
                message="the kitty's cards must be captured by its taker",
            )
        )
        return []
    piles = [pile - kitty if seat == taker else pile for seat, pile in enumerate(middle.captured)]
    won = middle.tricks_won
    if won is None:
        won = tuple([len(pile) // rules.players for pile in piles])
    problems += _pile_problems(rules, piles, won, middle.set_aside, f"{at}middle.")
    problems += _kitty_problems(rules, taker, piles, won, f"{at}middle.")
    if any(won) and not won[middle.leader]:
        problems.append(
            Problem(
                "wrong-leader",
                (f"{at}middle.leader", f"{at}middle.captured"),
                message=f"seat {middle.leader} leads, but others have won tricks",
            )
        )
    opener = fixed_leader(rules, rules.dealer(number), sheet.queen_taker)
    if not any(won) and opener not in (None, middle.leader):
        problems.append(
            Problem(
                "wrong-leader",
                (f"{at}middle.leader",),
                message=f"seat {middle.leader} leads, but nobody has won a trick, so seat {opener} still leads",
            )
        )
    gone = all_of([*piles, middle.set_aside])
    assert gone is not None
    ways = _ways(rules, gone)
    if middle.hearts_broken is not None and middle.hearts_broken not in ways:
        problems.append(
            Problem(
                "wrong-hearts-broken",
                (f"{at}middle.hearts_broken",),
                message=f"hearts are told to be {'broken' if middle.hearts_broken else 'unbroken'}, but the "
                "cards that were "
                "played say otherwise",
            )
        )
    if len(set(middle.suits_led)) > rules.cards_per_hand - sizes[0]:
        done = counted(rules.cards_per_hand - sizes[0], "completed trick")
        message = f"{counted(len(set(middle.suits_led)), 'suit')} cannot have been led in {done}"
        problems.append(Problem("too-many-suits", (f"{at}middle.suits_led",), message=message))
    problems += shown_problems(rules, told.shown, f"{at}shown")
    problems += _misplaced_shown(told.shown, hands, kitty, at)
    if len(problems) > before:
        return []
    starts: list[Playing] = []
    for broken in ways if middle.hearts_broken is None else (middle.hearts_broken,):
        suits = tuple(sorted(set(middle.suits_led)))
        settled = Middle(middle.leader, middle.captured, won, middle.set_aside, taker, broken, suits)
        nothing = rules.tables.nothing
        start = DealStart(
            rules, sheet.totals, number, sheet, kitty, (), nothing, nothing, told.shown or nothing, settled
        )
        tricks = rules.cards_per_hand - sizes[0]
        played = PlayedDeal(start, middle.leader, (), middle.captured, won, tricks, middle.set_aside, taker)
        starts.append(Playing(played, hands, middle.leader, (), broken))
    return starts


def _misplaced_shown(shown: tuple[Cards, ...], hands: tuple[Cards, ...], kitty: Cards, at: str) -> list[Problem]:
    """Shown cards that lie where their owners cannot have put them: a card of the kitty never was in a hand."""
    problems: list[Problem] = []
    for seat, cards in enumerate(shown):
        for place, bag in [*enumerate(hands), (-1, kitty)]:
            if place != seat and cards & bag:
                whose = f"{listed(cards & bag)} from {'the kitty' if place < 0 else f'the hand of seat {place}'}"
                message = f"shown[{seat}] has {whose}: a seat shows only cards of its own hand"
                problems.append(Problem("shown-elsewhere", (f"{at}shown[{seat}]",), message=message))
    return problems


def _wrong_cards(rules: Rules, everything: Cards | None, kitty: Cards | None, at: str) -> Problem:
    fields = tuple([at + name for name in ("hands", "trick", "middle.captured", "middle.set_aside", "kitty")])
    if everything is None or kitty is None:
        message = "a card comes for the third time"
    elif everything != rules.deck:
        message = f"missing {listed(rules.deck - everything)}, too many {listed(everything - rules.deck)}"
    else:
        message = f"the kitty has {counted(len(kitty), 'card')}"
    return Problem(
        "wrong-cards",
        fields,
        message=f"all cards together must be the deck in play with a kitty of {rules.kitty_size}: {message}",
    )


def _pile_problems(rules: Rules, piles: Sequence[Cards], won: tuple[int, ...], aside: Cards, at: str) -> list[Problem]:
    """Whether the piles are made of whole tricks."""
    players = rules.players
    problems: list[Problem] = []
    for seat, pile in enumerate(piles):
        count = won[seat]
        tricks, rest = divmod(len(pile), players)
        if rest:
            problems.append(
                Problem(
                    "part-of-a-trick",
                    (f"{at}captured[{seat}]",),
                    message=f"captured[{seat}] has {counted(len(pile), 'card')} of tricks: whole tricks have "
                    f"{players} each",
                )
            )
        elif count < 0 or extra_tricks(rules, len(pile), count) is None:
            problems.append(
                Problem(
                    "wrong-tricks-won",
                    (f"{at}tricks_won[{seat}]", f"{at}captured[{seat}]"),
                    message=f"seat {seat} has the cards of {counted(tricks, 'trick')}, but did not win that many",
                )
            )
    if len(aside) % players or (aside and rules.tables.duplicates != T.CANCEL):
        problems.append(
            Problem(
                "wrong-set-aside",
                (f"{at}set_aside",),
                message=f"set_aside has {counted(len(aside), 'card')}: tricks that nobody wins have {players} "
                "each, and there "
                "are such only with two decks and duplicates CANCEL",
            )
        )
    return problems


def _kitty_problems(
    rules: Rules, taker: Seat | None, piles: Sequence[Cards], won: tuple[int, ...], at: str
) -> list[Problem]:
    """Whether the kitty has been taken if and only if it must have been."""
    tables = rules.tables
    marks = kitty_marks(tables)
    # In the middle of a deal, the last trick has not been won yet.
    takers = kitty_takers(tables, won, tables.kitty == T.KITTY_LAST_TRICK, [pile.lo & marks != 0 for pile in piles])
    if taker in takers:
        return []
    who = (
        "nobody can have it yet"
        if None in takers
        else f"it went to one of the seats {sorted([seat for seat in takers if seat is not None])}"
    )
    what = "nobody has taken the kitty" if taker is None else f"seat {taker} has taken the kitty"
    return [Problem("wrong-kitty-taker", (f"{at}kitty_taker", f"{at}captured"), message=f"{what}, but {who}")]


def _ways(rules: Rules, played: Cards) -> tuple[bool, ...]:
    """Whether hearts can be unbroken, or broken, after these cards were played; what the cards show comes first."""
    tables = rules.tables
    if played.lo & tables.break_lead & tables.break_follow & tables.break_discard:
        return (True,)
    return (False, True) if played.lo & (tables.break_lead | tables.break_discard) else (False,)
