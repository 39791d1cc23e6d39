"""The legal cards of a hand and the reasons against the others.

The arguments are known to the player: their hand, the trick, whether it is the deal's first and whether hearts are
broken.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, cast, final

from heartsrules.base.values import Value
from heartsrules.cards import SUIT_MASKS, Card, Cards, Suit, bag_of, face
from heartsrules.play import violations as V
from heartsrules.play.moves import Play
from heartsrules.play.tricks import masks_of
from heartsrules.rules import OpeningCard, Rules, Seat
from heartsrules.rules import resolved as C
from heartsrules.rules.resolved import ResolvedRules

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["CardChoice"]
__dir__ = __all__.copy


def playable(
    resolved: ResolvedRules,
    hand: i64,
    led: i64,
    first_trick: bool,
    hearts_broken: bool,
    beaten: i64,
    waiting: i64,
    barred: list[tuple[type[V.Violation], int]] | None,
) -> i64:
    """Return the mask of the cards in a hand that may be played.

    Each stage removes cards from those left by the stages before. A stage that would leave nothing is waived.

    Args:
        resolved: the resolved rules.
        hand: the hand.
        led: the mask of the suit led, or 0 for a lead.
        first_trick: True in the deal's first trick.
        hearts_broken: True if hearts are broken.
        beaten: the `beaten_faces` of the trick.
        waiting: the exposed cards of suits not led in an earlier trick, whether or not the rules restrict them.
        barred: None, or a list to which each stage that removes cards adds its violation and the mask of all cards that
            it bars.
    """
    legal = hand
    if led:
        following = hand & led
        if following:
            legal = following
            if barred is not None and legal != hand:
                barred.append((V.MustFollowSuit, hand & ~following))
            if waiting and resolved.exposed_card_play != C.SHOWN_FREE:
                rest = legal & ~waiting
                if rest and rest != legal:
                    legal = rest
                    if barred is not None:
                        barred.append((V.ExposedCardRestricted, hand & led & waiting))
        else:
            if resolved.discard_waits and not hearts_broken:
                rest = legal & ~resolved.discard_waits
                if rest and rest != legal:
                    legal = rest
                    if barred is not None:
                        barred.append((V.QueenBeforeHearts, resolved.discard_waits))
            if first_trick and resolved.first_trick_bars:
                rest = legal & ~resolved.first_trick_bars
                if not rest and resolved.first_trick_bars_bonus:
                    rest = legal & resolved.bonus_faces or legal & ~C.HEARTS
                if rest and rest != legal:
                    legal = rest
                    if barred is not None:
                        bars = resolved.first_trick_bars
                        # From a hand with nothing else, only some of them are barred.
                        if rest & bars:
                            bars = bars & ~resolved.bonus_faces if rest & resolved.bonus_faces else C.HEARTS
                        barred.append((V.PointsOnFirstTrick, bars))
    elif first_trick and resolved.opening != C.OPEN_ANY:
        if resolved.opening != C.OPEN_UNRESTRICTED:
            clubs = hand & C.CLUBS
            if clubs and resolved.opening != C.OPEN_NON_POINT:
                legal = clubs if resolved.opening == C.OPEN_ANY_CLUB else clubs & -clubs
            else:
                legal = hand & ~resolved.penalty or hand
            if barred is not None and legal != hand:
                barred.append((V.OpeningCardRequired, hand & ~legal))
    elif resolved.lead_waits and not hearts_broken:
        rest = hand & ~resolved.lead_waits
        if rest and rest != hand and hand & ~C.HEARTS != resolved.lead_spared:
            legal = rest
            if barred is not None:
                barred.append((V.HeartsNotBroken, hand & resolved.lead_waits))
    if waiting and not led and resolved.exposed_card_play != C.SHOWN_FREE:
        by_hearts = not hearts_broken and not (first_trick and resolved.opening != C.OPEN_ANY)
        held = _held_on_lead(resolved, hand, legal, by_hearts, waiting)
        if legal & held:
            legal &= ~held
            if barred is not None:
                barred.append((V.ExposedCardRestricted, held))
    if legal & resolved.compulsory_faces:
        called = _due(resolved, hand, led, beaten)
        due = called & legal
        if due and due != legal:
            if barred is not None:
                barred.append((V.CardIsCompulsory, hand & ~called))
            legal = due
    return legal


FREE_TO_FOLLOW: Final[i64] = 1
FREE_OTHERWISE: Final[i64] = 2


def freedom(resolved: ResolvedRules) -> i64:
    """Return the situations in which `playable` bars no card if no exposed card waits.

    FREE_TO_FOLLOW means any card of the suit led, FREE_OTHERWISE any card for a leader or a player who is void. The
    bits are shifted by 4 in the first trick, and by 2 once hearts are broken.
    """
    flags = resolved.freedom
    if flags < 0:
        flags = _freedom_of(resolved)
        resolved.freedom = flags
    return flags


def _freedom_of(resolved: ResolvedRules) -> i64:
    """Compute `freedom`.

    If a stage bars cards of any hand, it bars them in the whole deck.
    """
    flags: i64 = 0
    deck = resolved.deck_lo
    for first in (True, False):
        for broken in (True, False):
            free: i64 = FREE_TO_FOLLOW
            if playable(resolved, deck, 0, first, broken, 0, 0, None) == deck:
                free += FREE_OTHERWISE
            for led in SUIT_MASKS:
                suit = deck & led
                rest = deck & ~led
                if suit and playable(resolved, deck, led, first, broken, suit, 0, None) != suit:
                    free &= ~FREE_TO_FOLLOW
                if rest and playable(resolved, rest, led, first, broken, 0, 0, None) != rest:
                    free &= ~FREE_OTHERWISE
            flags = flags << 2 | free
    return flags


def _held_on_lead(resolved: ResolvedRules, hand: i64, legal: i64, by_hearts: bool, waiting: i64) -> i64:
    """Return the waiting cards that may not be led because other cards may.

    `by_hearts` is True if the rule on leading hearts applies.
    """
    if resolved.exposed_card_play == C.SHOWN_WAIT_ON_LEAD:
        if not legal & ~waiting:
            return 0
        spared = resolved.lead_spared
        # Hearts that may be led only because the ♠Q is spared do not restrict her.
        if spared and by_hearts and hand & ~C.HEARTS == spared:
            waiting &= ~spared
        return hand & waiting
    held: i64 = 0
    suit: i64 = C.HEARTS
    while suit:
        if legal & suit & ~waiting:
            held |= hand & waiting & suit
        suit >>= 13
    return held


def _due(resolved: ResolvedRules, hand: i64, led: i64, beaten: i64) -> i64:
    """Return the compulsory cards that must be played if legal.

    Only SAFE uses `beaten`.
    """
    if resolved.compulsory == C.COMPULSORY_ALWAYS:
        return resolved.compulsory_faces
    if not led:
        return 0
    if resolved.compulsory == C.COMPULSORY_NOT_LEAD or not hand & led:
        return resolved.compulsory_faces
    return resolved.compulsory_faces & beaten


def beaten_faces(resolved: ResolvedRules, led: i64, lo: i64, hi: i64) -> i64:
    """Return the cards below the highest card of the suit led that can still win.

    A compulsory card among them is safe to play. The result is 0 before a lead, and if `compulsory` is not SAFE.
    """
    if resolved.compulsory != C.COMPULSORY_SAFE:
        return 0
    over = lo & led
    if resolved.duplicates == C.CANCEL:
        over &= ~hi
    # Every bit below the highest one, in a suit of thirteen.
    over |= over >> 1
    over |= over >> 2
    over |= over >> 4
    over |= over >> 8
    return (over >> 1) & led


@final
class CardChoice(Value):
    """The knowledge of a player who must play a card.

    Playouts make them for a policy. The constructor checks nothing.

    Attributes:
        seat: the player's seat.
        hand: the player's hand.
        legal: the cards that may be played, each once.
        trick: the plays of the trick so far, in order.
        trick_number: the number of the trick, from 0.
        hearts_broken: True if hearts are broken.
        captured: each seat's captured cards, without a kitty hidden from this player, or empty if unknown.
    """

    __match_args__: ClassVar = ("rules", "seat", "hand", "legal", "trick", "trick_number", "hearts_broken", "captured")
    __slots__ = __match_args__

    rules: Final[Rules]
    seat: Final[Seat]
    hand: Final[Cards]
    legal: Final[Cards]
    trick: Final[tuple[Play, ...]]
    trick_number: Final[int]
    hearts_broken: Final[bool]
    captured: Final[tuple[Cards, ...]]

    def __init__(
        self,
        rules: Rules,
        seat: Seat,
        hand: Cards,
        legal: Cards,
        trick: tuple[Play, ...],
        trick_number: int,
        hearts_broken: bool,
        captured: tuple[Cards, ...] = (),
    ) -> None:
        self.rules = rules
        self.seat = seat
        self.hand = hand
        self.legal = legal
        self.trick = trick
        self.trick_number = trick_number
        self.hearts_broken = hearts_broken
        self.captured = captured


def beaten_by(resolved: ResolvedRules, trick: tuple[Play, ...]) -> i64:
    if resolved.compulsory != C.COMPULSORY_SAFE or not trick:
        return 0
    lo, hi = masks_of(trick)
    return beaten_faces(resolved, trick[0]._suit_mask, lo, hi)


def reasons_against(
    rules: Rules, hand: Cards, card: Card, led: i64, first_trick: bool, hearts_broken: bool, beaten: i64, waiting: i64
) -> tuple[V.Violation, ...]:
    """Return the reasons against playing a card now, in order of precedence."""
    if not hand.lo & card.bit:
        return (V.NotInHand(Cards([card])),)
    return reasons_by_card(rules, hand, led, first_trick, hearts_broken, beaten, waiting, card.bit)[0][1]


def reasons_by_card(
    rules: Rules,
    hand: Cards,
    led: i64,
    first_trick: bool,
    hearts_broken: bool,
    beaten: i64,
    waiting: i64,
    asked: i64 = -1,
) -> tuple[tuple[Card, tuple[V.Violation, ...]], ...]:
    """Return the reasons against all cards of a hand, or against the asked ones."""
    lo, hi = hand.lo, hand.hi
    barred: list[tuple[type[V.Violation], int]] = []
    legal = playable(rules._resolved, lo, led, first_trick, hearts_broken, beaten, waiting, barred)
    details = [_details(rules, hand, led, stage, legal) for stage, _ in barred]
    pairs: list[tuple[Card, tuple[V.Violation, ...]]] = []
    lo &= asked
    while lo:
        bit = lo & -lo
        lo ^= bit
        card = face(bit)
        reasons: tuple[V.Violation, ...] = ()
        if not legal & bit:
            for number, (stage, mask) in enumerate(barred):
                if mask & bit:
                    reasons += _reason(cast("Any", stage), card, details[number])
        pair = (card, reasons)
        pairs.append(pair)
        if hi & bit:
            pairs.append(pair)
    return tuple(pairs)


def _details(rules: Rules, hand: Cards, led: i64, stage: type[V.Violation], legal: i64) -> tuple[object, ...]:
    if stage is V.MustFollowSuit:
        suit = Suit(SUIT_MASKS.index(led))
        return (suit, len(hand.of_suit(suit)))
    if stage is V.OpeningCardRequired:
        return (rules.opening_card if hand.lo & C.CLUBS else OpeningCard.NON_POINT,)
    if stage is V.HeartsNotBroken:
        return (rules.hearts_lead,)
    if stage is V.PointsOnFirstTrick:
        return (rules.first_trick,)
    if stage is V.CardIsCompulsory:
        return (bag_of(legal, 0), rules.compulsory)
    return ()


# Without the cache `why_illegal_cards` takes 42 % more instructions.
@lru_cache(maxsize=4096)
def _reason(stage: Any, card: Card, details: tuple[object, ...]) -> tuple[V.Violation, ...]:
    return (stage() if stage is V.QueenBeforeHearts else stage(card, *details),)
