"""Which cards may be played: one pipeline that yields the legal cards and the reasons against the others.

It knows nothing but what the mover knows: the own hand, the trick, whether it is the first of the deal and whether
hearts are broken. States, views and apps that keep their own state all come here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Final, final

from heartsrules import tables as T
from heartsrules import violations as V
from heartsrules.cards import SUIT_MASKS, Card, Cards, Suit, bag_of, popcount
from heartsrules.moves import Play
from heartsrules.rules import OpeningCard, Rules, Seat, switch
from heartsrules.tables import Tables
from heartsrules.values import Unchecked, Value, wrong_item, wrong_type

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["CardChoice", "legal_cards", "playable", "reasons_against", "why_illegal_card"]

_SPARES_QUEEN: Final[i64] = switch("heart_lead_spares_queen")
_QUEEN_WAITS: Final[i64] = switch("queen_discard_after_hearts")


def playable(
    tables: Tables,
    hand: i64,
    led: i64,
    first_trick: bool,
    hearts_broken: bool,
    high_spade: bool,
    barred: list[tuple[type[V.Violation], int]] | None,
) -> i64:
    """The faces of a hand that may be played, as a mask.

    `led` has the faces of the suit led; 0 means that the hand is to lead. `high_spade` says whether the trick has a
    K♠ or A♠. Each stage that bars cards of what the stages before it left is noted in `barred`, if that is a list, as
    (violation, mask of all faces that the stage bars by itself). A stage that would leave nothing is waived, not noted.
    """
    legal = hand
    if led:
        following = hand & led
        if following:
            legal = following
            if barred is not None and legal != hand:
                barred.append((V.MustFollowSuit, hand & ~following))
        else:
            if tables.switches & _QUEEN_WAITS and not hearts_broken:
                rest = legal & ~T.QUEEN
                if rest and rest != legal:
                    legal = rest
                    if barred is not None:
                        barred.append((V.QueenBeforeHearts, T.QUEEN))
            if first_trick and tables.first_trick_bans_points:
                rest = legal & ~tables.penalty
                if rest and rest != legal:
                    legal = rest
                    if barred is not None:
                        barred.append((V.PointsOnFirstTrick, hand & tables.penalty))
    elif first_trick and tables.opening != T.OPEN_ANY:
        clubs = hand & T.CLUBS
        if clubs and tables.opening != T.OPEN_NON_POINT:
            legal = clubs if tables.opening == T.OPEN_ANY_CLUB else clubs & -clubs
        else:
            legal = hand & ~tables.penalty or hand
        if barred is not None and legal != hand:
            barred.append((V.OpeningCardRequired, hand & ~legal))
    elif tables.hearts_wait and not hearts_broken:
        rest = hand & ~T.HEARTS
        if rest and rest != hand and not (rest == T.QUEEN and tables.switches & _SPARES_QUEEN):
            legal = rest
            if barred is not None:
                barred.append((V.HeartsNotBroken, hand & T.HEARTS))
    if (
        tables.compulsory != T.COMPULSORY_NO
        and legal & T.QUEEN
        and legal != T.QUEEN
        and _queen_is_due(tables.compulsory, led, high_spade)
    ):
        if barred is not None:
            barred.append((V.QueenIsCompulsory, hand & ~T.QUEEN))
        legal = T.QUEEN
    return legal


@final
class CardChoice(Value):
    """What a player who is to play knows of the trick and holds: all that legality depends on, and what is legal.

    A playout makes them for a policy; the constructor checks nothing.
    """

    __match_args__: ClassVar = ("rules", "seat", "hand", "legal", "trick", "trick_number", "hearts_broken")
    __slots__ = __match_args__

    rules: Final[Rules]
    seat: Final[Seat]
    """Whose turn it is."""
    hand: Final[Cards]
    """The cards that this seat holds."""
    legal: Final[Cards]
    """Those that may be played, every face once."""
    trick: Final[tuple[Play, ...]]
    """The plays of the trick so far, in order; empty when the seat is to lead."""
    trick_number: Final[int]
    """The number of the trick, from 0."""
    hearts_broken: Final[bool]
    """Whether hearts are broken."""

    def __init__(
        self,
        rules: Rules,
        seat: Seat,
        hand: Cards,
        legal: Cards,
        trick: tuple[Play, ...],
        trick_number: int,
        hearts_broken: bool,
    ) -> None:
        self.rules = rules
        self.seat = seat
        self.hand = hand
        self.legal = legal
        self.trick = trick
        self.trick_number = trick_number
        self.hearts_broken = hearts_broken


def _queen_is_due(compulsory: i64, led: i64, high_spade: bool) -> bool:
    """Whether a Q♠ that may be played must be; a legal queen not of the suit led means that nobody can follow."""
    if compulsory == T.COMPULSORY_ALWAYS:
        return True
    if not led:
        return False
    if compulsory == T.COMPULSORY_NOT_LEAD or led != T.SPADES:
        return True
    return compulsory == T.COMPULSORY_SAFE and high_spade


def reasons_against(
    rules: Rules,
    hand: Cards,
    card: Card,
    led: i64,
    first_trick: bool,
    hearts_broken: bool,
    high_spade: bool,
) -> tuple[V.Violation, ...]:
    """Why a card may not be played now, in order of precedence; `()` if it may."""
    if not hand.lo & card.bit:
        return (V.NotInHand(Cards([card])),)
    tables = rules.tables
    if playable(tables, hand.lo, led, first_trick, hearts_broken, high_spade, None) & card.bit:
        return ()
    barred: list[tuple[type[V.Violation], int]] = []
    playable(tables, hand.lo, led, first_trick, hearts_broken, high_spade, barred)
    reasons: tuple[V.Violation, ...] = ()
    for stage, mask in barred:
        if mask & card.bit:
            reasons += _reason(rules, hand, card, led, stage)
    return reasons


# Reasons are values, and there are few different ones: each is made once, in a tuple of its own.
_REASONS: Final[dict[type[V.Violation], dict[int, tuple[V.Violation, ...]]]] = {}
"""By class, and by a number of the card and of all else that the reason tells."""


def _reason(rules: Rules, hand: Cards, card: Card, led: i64, stage: type[V.Violation]) -> tuple[V.Violation, ...]:
    detail: i64 = 0
    if stage is V.MustFollowSuit:
        # How many cards, and below the lowest of the suit led there are 13 for each suit before it.
        detail = (popcount(hand.lo & led) + popcount(hand.hi & led)) * 64 + popcount((led & -led) - 1)
    elif stage is V.OpeningCardRequired:
        detail = rules.tables.opening if hand.lo & T.CLUBS else T.OPEN_NON_POINT
    elif stage is V.QueenIsCompulsory:
        detail = rules.tables.compulsory
    key = int(detail) * 64 + card.index
    kept = _REASONS.get(stage)
    if kept is None:
        kept = _REASONS[stage] = {}
    reason = kept.get(key)
    if reason is None:
        reason = (_violation(rules, hand, card, led, stage),)
        kept[key] = reason
    return reason


def _violation(rules: Rules, hand: Cards, card: Card, led: i64, stage: type[V.Violation]) -> V.Violation:
    if stage is V.MustFollowSuit:
        suit = Suit(SUIT_MASKS.index(led))
        return V.MustFollowSuit(card, suit, len(hand.of_suit(suit)))
    if stage is V.OpeningCardRequired:
        required = rules.opening_card if hand.lo & T.CLUBS else OpeningCard.NON_POINT
        return V.OpeningCardRequired(card, required)
    if stage is V.QueenBeforeHearts:
        return V.QueenBeforeHearts()
    if stage is V.QueenIsCompulsory:
        return V.QueenIsCompulsory(card, rules.queen_compulsory)
    # The others are about the card alone.
    about: Any = stage
    reason: V.Violation = about(card)
    return reason


def _situation(
    rules: object, hand: object, trick: object, first_trick: object, hearts_broken: object
) -> tuple[Cards, i64, bool, bool, bool]:
    """The hand, the faces of the suit led, the two flags, and whether the trick has a high spade, from what an app
    gives."""
    if not isinstance(rules, Rules):
        wrong_type("rules", "a Rules", rules)
    if not isinstance(hand, Cards):
        wrong_type("hand", "a Cards", hand)
    if not isinstance(first_trick, bool):
        wrong_type("first_trick", "a bool", first_trick)
    if not isinstance(hearts_broken, bool):
        wrong_type("hearts_broken", "a bool", hearts_broken)
    if isinstance(trick, (str, Cards)) or not isinstance(trick, Iterable):
        wrong_type("trick", "the cards or plays in the order of play", trick)
    led: i64 = 0
    high_spade = False
    for item in trick:
        card = item.card if isinstance(item, Play) else item
        if not isinstance(card, Card):
            wrong_item("trick", "Card or Play", card)
        if not led:
            led = SUIT_MASKS[card.index // 13]
        if card.bit & T.HIGH_SPADES:
            high_spade = True
    return hand, led, first_trick, hearts_broken, high_spade


def legal_cards(
    rules: Rules,
    hand: Cards | Unchecked,
    *,
    trick: Iterable[Card | Play] = (),
    first_trick: bool | Unchecked = False,
    hearts_broken: bool | Unchecked = False,
) -> Cards:
    """The faces of a hand that may be played, for apps that keep their own state.

    Args:
        rules: the rule set.
        hand: the hand of the player whose turn it is.
        trick: the cards or plays of the trick so far, in order; empty when leading.
        first_trick: whether this is the first trick of the deal.
        hearts_broken: whether hearts are broken, cards of this trick included.

    Returns:
        Every legal face once; empty only for an empty hand.

    >>> legal_cards(Rules(), Cards("7S 9S 2D QH QS"), trick=[Card("6S")])
    Cards('7S 9S QS')
    >>> legal_cards(Rules(), Cards("5C QS 2H"))
    Cards('5C QS')

    Raises:
        TypeError: an argument has the wrong type; a bag is refused as a trick, because it has no order.
    """
    bag, led, first, broken, high_spade = _situation(rules, hand, trick, first_trick, hearts_broken)
    return bag_of(playable(rules.tables, bag.lo, led, first, broken, high_spade, None), 0)


def why_illegal_card(
    rules: Rules,
    hand: Cards | Unchecked,
    card: Card | Unchecked,
    *,
    trick: Iterable[Card | Play] = (),
    first_trick: bool | Unchecked = False,
    hearts_broken: bool | Unchecked = False,
) -> tuple[V.Violation, ...]:
    """Why a card of a hand may not be played, for apps that keep their own state; `()` if it may.

    The arguments are those of `legal_cards`, and the card. The reasons come in order of precedence.

    >>> for reason in why_illegal_card(Rules(), Cards("5C QS 2H"), Card("2H")):
    ...     print(reason.code, "-", reason)
    hearts-not-broken - 2H may not be led: hearts are not broken

    Raises:
        TypeError: an argument has the wrong type.
    """
    bag, led, first, broken, high_spade = _situation(rules, hand, trick, first_trick, hearts_broken)
    if not isinstance(card, Card):
        wrong_type("card", "a Card", card)
    return reasons_against(rules, bag, card, led, first, broken, high_spade)
