"""Checks of captured piles at the end of a deal.

A pile contains one card per player for each trick that its seat won and for each trick set aside that it collected, and
the kitty if its seat won that. The order of plays is not checked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from heartsrules.base.errors import Problem
from heartsrules.cards import NO_CARDS, Cards, bag_of, either
from heartsrules.rules import Rules, Seat
from heartsrules.rules import resolved as C
from heartsrules.rules.arguments import removed_problems
from heartsrules.rules.resolved import ResolvedRules


def pile_problems(rules: Rules, name: str, piles: Iterable[Cards]) -> list[Problem]:
    left = rules.deck
    extra = removed = NO_CARDS
    for pile in piles:
        removed = either(removed, bag_of(pile.lo & ~rules._resolved.deck_lo, 0))
        extra = either(extra, (pile - left).distinct())
        left -= pile
    problems = removed_problems(rules, name, removed)
    if extra - removed:
        problems.append(Problem.at("extra-cards", name, "piles", cards=extra - removed))
    return problems


def set_aside_tricks(resolved: ResolvedRules, tricks_won: Sequence[int]) -> int:
    return int(resolved.hand_size) - sum(tricks_won)


def endings(resolved: ResolvedRules, tricks_won: Sequence[int]) -> tuple[bool, ...]:
    """Return whether tricks can be left set aside at the end, given the tricks won.

    It is empty if no deal has these numbers.
    """
    aside = set_aside_tricks(resolved, tricks_won)
    if aside < 0 or min(tricks_won) < 0:
        return ()
    if aside == 0:
        return (False,)
    if resolved.duplicates != C.CANCEL:
        return ()
    # Tricks set aside were collected by a later winner, or left at the end.
    collected = (False,) if any(tricks_won) else ()
    return collected if resolved.leader_takes_void_last_trick else (*collected, True)


def trick_count_problems(rules: Rules, tricks_won: Sequence[int], name: str) -> list[Problem]:
    resolved = rules._resolved
    if endings(resolved, tricks_won):
        return []
    tricks = rules.cards_per_hand
    wrong = [seat for seat, won in enumerate(tricks_won) if not 0 <= won <= tricks]
    if wrong:
        places = [(f"{name}[{seat}]", tricks_won[seat]) for seat in wrong]
        return [Problem.at("out-of-range", place, "tricks-won", given=given, most=tricks) for place, given in places]
    given = sum(tricks_won)
    if resolved.duplicates != C.CANCEL:
        return [Problem.at("wrong-sum", name, "all-tricks", given=given, tricks=tricks)]
    if given > tricks:
        return [Problem.at("wrong-sum", name, "too-many-tricks", given=given, tricks=tricks)]
    return [Problem.at("wrong-sum", name, "no-tricks")]


def kitty_winners(
    resolved: ResolvedRules, tricks_won: Sequence[int], left_aside: bool, marked: Sequence[bool]
) -> tuple[Seat | None, ...]:
    """Return the seats that may have won the kitty, with None for no seat.

    `left_aside` is True if tricks were left set aside at the end, `marked` for each seat that won a card that brings
    the kitty.
    """
    if resolved.kitty == C.KITTY_NONE or (resolved.kitty == C.KITTY_LAST_TRICK and left_aside):
        return (None,)
    by_card = resolved.kitty in (C.KITTY_FIRST_POINT, C.KITTY_FIRST_HEART)
    takers = [seat for seat, won in enumerate(tricks_won) if won and (marked[seat] or not by_card)]
    return tuple(takers) or (None,)


def structure_problems(rules: Rules, captured: Sequence[Cards], tricks_won: Sequence[int]) -> list[Problem]:
    """Return the problems of piles at the end of a deal with these tricks won.

    There must be one pile and one number per seat, and no more cards than in the deck.
    """
    problems = trick_count_problems(rules, tricks_won, "tricks_won")
    if problems:
        return problems
    resolved = rules._resolved
    sizes = [len(pile) for pile in captured]
    marks = resolved.kitty_marks
    marked = [pile.lo & marks != 0 for pile in captured]
    kitty = int(resolved.kitty_size)
    ways = endings(resolved, tricks_won)
    for left_aside in ways:
        for taker in kitty_winners(resolved, tricks_won, left_aside, marked):
            if _fits(rules, sizes, tricks_won, left_aside, taker):
                return []
    for seat, won in enumerate(tricks_won):
        alone = [size for size in (sizes[seat], sizes[seat] - kitty if won else -1) if size >= 0]
        if not any([extra_tricks(rules, size, won) is not None for size in alone]):
            problems.append(_wrong_pile(rules, seat, sizes[seat], won))
    if problems:
        return problems
    seats: list[Seat | None] = [None, *[seat for seat, won in enumerate(tricks_won) if won]]
    if kitty and any([_fits(rules, sizes, tricks_won, way, seat) for way in ways for seat in seats]):
        return [Problem.of("wrong-kitty-winner", ("captured",), "piles", kitty_size=kitty, kitty=rules.kitty)]
    return [
        Problem.of(
            "wrong-tricks-won",
            ("tricks_won", "captured"),
            "deal",
            tricks=rules.cards_per_hand,
            players=rules.players,
            kitty_size=kitty,
        )
    ]


def extra_tricks(rules: Rules, size: int, won: int) -> int | None:
    """Return the number of tricks set aside in a pile, or None for an impossible size."""
    extra, rest = divmod(size - rules.players * won, rules.players)
    if rest or extra < 0 or (extra and (not won or rules._resolved.duplicates != C.CANCEL)):
        return None
    return extra


def _fits(rules: Rules, sizes: list[int], tricks_won: Sequence[int], left_aside: bool, taker: Seat | None) -> bool:
    aside = set_aside_tricks(rules._resolved, tricks_won)
    for seat, size in enumerate(sizes):
        extra = extra_tricks(rules, size - rules.kitty_size if seat == taker else size, tricks_won[seat])
        if extra is None:
            return False
        aside -= extra
    return aside > 0 if left_aside else aside == 0


def _wrong_pile(rules: Rules, seat: Seat, size: int, won: int) -> Problem:
    name = f"captured[{seat}]"
    players = rules.players
    kitty = rules.kitty_size if won else 0
    whole = [count for count in (size, size - rules.kitty_size) if count >= 0 and count % players == 0]
    if not whole:
        return Problem.at("part-of-a-trick", name, "pile", count=size, players=players, kitty_size=kitty)
    return Problem.of(
        "wrong-tricks-won",
        (f"tricks_won[{seat}]", name),
        "pile",
        seat=seat,
        won=won,
        needed=players * won,
        kitty_size=kitty,
        count=size,
    )


def shown_problems(rules: Rules, exposed: Sequence[Cards], name: str) -> list[Problem]:
    problems: list[Problem] = []
    seen = 0
    for seat, bag in enumerate(exposed):
        wrong = bag_of((bag.lo & ~rules._resolved.exposable) | bag.hi, 0)
        if wrong:
            problems.append(Problem.at("not-exposable", f"{name}[{seat}]", "exposed", cards=wrong))
        twice = bag_of(bag.lo & seen & rules._resolved.exposable, 0)
        if twice:
            problems.append(Problem.at("exposed-twice", f"{name}[{seat}]", cards=twice))
        seen |= bag.lo
    return problems
