"""The layout of observation vectors, which is the same for every environment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from types import MappingProxyType
from typing import NamedTuple

from heartsrules.analysis import seat_words
from heartsrules.analysis.seat_words import PHASES, TOTALS_BOUND, Encoder, most_gifts
from heartsrules.bridges._actions import check_covered
from heartsrules.rules import OpeningLeader, PassOptional, Rules


class Block(NamedTuple):
    """A part of a vector, with the bounds of its entries."""

    name: str
    size: int
    low: float
    high: float


@lru_cache(maxsize=64)
def observed(rules: Rules) -> tuple[Block, ...]:
    """Return the blocks of an observation.

    Raises:
        InvalidRules: the rules have moves without actions.
    """
    check_covered(rules)
    players, decks, gifts = rules.players, rules.decks, most_gifts(rules)
    has_kitty = rules.kitty_size > 0
    return used(
        [
            Block("phase", len(PHASES), 0, 1),
            Block("hand", 52, 0, decks),
            Block("gifts", gifts * 52, 0, decks),
            Block("next_gift", gifts, 0, 1),
            Block("received", 52 if gifts else 0, 0, decks),
            Block("pass_step", len(rules.pass_cycle), 0, 1),
            Block("committed", players if gifts or rules.exposable else 0, 0, 1),
            Block("declined", 0 if rules.pass_optional is PassOptional.NO else players, 0, 1),
            Block("showing", 52 if rules.exposable else 0, 0, 1),
            Block("exposed", players * 52 if rules.exposable else 0, 0, 1),
            Block("trick", players * 52, 0, 1),
            Block("played", players * 52, 0, decks),
            Block("captured", players * 52, 0, decks),
            Block("set_aside", 52 if rules.decks == 2 else 0, 0, decks),
            Block("kitty", 52 if has_kitty else 0, 0, decks),
            Block("kitty_winner", players if has_kitty else 0, 0, 1),
            Block("failed_to_follow", players * 4, 0, 1),
            Block("hearts_broken", 1, 0, 1),
            Block("leader", players, 0, 1),
            Block("turn", players, 0, 1),
            Block("dealer", players, 0, 1),
            Block("trick_number", 1, 0, 1),
            Block("tricks_won", players, 0, 1),
            Block("totals", players, -TOTALS_BOUND, TOTALS_BOUND),
            Block("deal_number", 0 if rules.max_deals is None else 1, 0, 1),
            Block("queen_taker", players if rules.opening_leader is OpeningLeader.QUEEN_TAKER else 0, 0, 1),
        ]
    )


def used(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Return the blocks that are not empty."""
    return tuple([block for block in blocks if block.size])


def slices_of(blocks: Sequence[Block]) -> Mapping[str, slice]:
    ends = accumulate([block.size for block in blocks])
    return MappingProxyType({block.name: slice(end - block.size, end) for block, end in zip(blocks, ends, strict=True)})


def layout(rules: Rules) -> Mapping[str, slice]:
    """Return the slices of an observation vector by name, in order.

    Parts that a rule set does not use are omitted. "By card" is 52 entries in card order, each the number of copies;
    "by seat" starts with the observer and continues clockwise.

    | part | entries | meaning |
    | --- | --- | --- |
    | `phase` | one of 6 | `Phase` without `DEAL_BACK`, in its order |
    | `hand` | by card | the observer's hand; while passing, as dealt |
    | `gifts` | by recipient, by card | the observer's pass: picked so far, committed, or passed |
    | `next_gift` | by recipient | the recipient of the next pick |
    | `received` | by card | the cards passed to the observer |
    | `pass_step` | one of the pass cycle | the plan of this deal |
    | `committed` | by seat | 1 if it committed, while passing or exposing cards |
    | `declined` | by seat | 1 if it declined to pass, after the exchange |
    | `showing` | by card | the observer's exposure: picked so far, or committed |
    | `exposed` | by seat, by card | the cards exposed to all players |
    | `trick` | by seat, by card | the card played to the current trick |
    | `played` | by seat, by card | all cards played in this deal, including the current trick |
    | `captured` | by seat, by card | the cards won, including a kitty visible to the observer |
    | `set_aside` | by card | cards of tricks that no seat won (two decks) |
    | `kitty` | by card | the kitty, if visible to the observer |
    | `kitty_winner` | by seat | the winner of the kitty |
    | `failed_to_follow` | by seat, by suit | the suits that a seat did not follow |
    | `hearts_broken` | 1 | 1 if hearts are broken |
    | `leader`, `turn`, `dealer` | by seat | the trick's leader, the seat to act, the dealer |
    | `trick_number` | 1 | the completed tricks, as a fraction of all |
    | `tricks_won` | by seat | the tricks won, as a fraction of all |
    | `totals` | by seat | the totals as fractions of the target, clipped to -4 to 4 |
    | `deal_number` | 1 | the deal number as a fraction of `max_deals`, at most 1 |
    | `queen_taker` | by seat | the captor of the ♠Q in the last scored deal, if that decides who leads |

    Without a target, the totals are fractions of the penalty value in play.

    >>> layout(Rules())["hand"], layout(Rules(players=5, removed="2C 2D"))["totals"]
    (slice(6, 58, None), slice(993, 998, None))

    Raises:
        InvalidRules: cards are exposed before a pass, or any number of cards can be passed through the middle: there
            are no actions for that.
    """
    return slices_of(observed(rules))


@lru_cache(maxsize=64)
def encoder_of(rules: Rules) -> Encoder:
    """Return the encoder of views under a rule set.

    Raises:
        InvalidRules: the rules have moves without actions.
    """
    check_covered(rules)
    return seat_words.encoder_of(rules)
