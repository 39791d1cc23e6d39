"""Reasons visible in a view why one move is better than another."""

from __future__ import annotations

from typing import Final

import attrs

from heartsrules.analysis._assessing import AssessedMove
from heartsrules.cards import Card, Cards, Suit
from heartsrules.play.exposing import resolved_with
from heartsrules.play.moves import ChooseMoon, Expose, Pass, Play
from heartsrules.play.scoring import card_points
from heartsrules.play.stateless import winning_seat
from heartsrules.play.tricks import led_suit
from heartsrules.rules import Rules, Seat
from heartsrules.views import PlayingView, View

_MOON: Final = 0.05
"""The smallest difference in moon chances that is a reason."""
_HIGH: Final = 3
"""The number of extra lower unseen cards that makes one lead higher than another."""


@attrs.frozen
class Reason:
    """A fact about a position in favour of the better of two moves.

    Attributes:
        code: the reason, with a sentence `review.<code>` in the messages.
        suit: the suit concerned.
        seats: the seats concerned, in rising order.
        points: the points concerned.
        percent: the moon chances in percent, after the move made and after the better one.
        cards: the cards concerned.
    """

    code: str
    suit: Suit | None = None
    seats: tuple[Seat, ...] = ()
    points: int = 0
    percent: tuple[int, int] = (0, 0)
    cards: Cards = Cards()  # noqa: RUF009 - it is immutable


def reasons_of(view: View, made: AssessedMove, better: AssessedMove) -> tuple[Reason, ...]:
    """List the reasons for the better of two moves, weightiest first, at least one."""
    reasons: list[Reason] = []
    one, other = made.move, better.move
    if isinstance(view, PlayingView) and isinstance(one, Play) and isinstance(other, Play):
        position = _Position(view)
        if not view.trick:
            reasons += position.of_lead(one.card, other.card)
        elif not position.follows(one.card):
            reasons += position.of_discard(one.card, other.card)
        else:
            reasons += position.of_following(one.card, other.card)
    elif isinstance(one, Pass) and isinstance(other, Pass):
        reasons += _of_pass(view.rules, one, other)
    elif isinstance(one, Expose) and isinstance(other, Expose):
        more = other.cards - one.cards
        reasons.append(Reason("not-shown", cards=more) if more else Reason("showed", cards=one.cards - other.cards))
    elif isinstance(one, ChooseMoon):
        reasons.append(Reason("moon-effect"))
    moons = _moons(view, made, better)
    # A moon is the weightiest reason if it accounts for half of the points.
    likelier = max(better.moon - made.moon, made.moon_against - better.moon_against)
    weighty = 2 * view.rules.moon_value * likelier >= made.points - better.points
    return tuple([*moons, *reasons] if weighty else [*reasons, *moons]) or (Reason("others"),)


def _moons(view: View, made: AssessedMove, better: AssessedMove) -> list[Reason]:
    reasons: list[Reason] = []
    if better.moon - made.moon >= _MOON:
        reasons.append(Reason("own-moon", percent=(round(100 * made.moon), round(100 * better.moon))))
    if made.moon_against - better.moon_against >= _MOON:
        percent = (round(100 * made.moon_against), round(100 * better.moon_against))
        reasons.append(Reason("other-moon", seats=_collectors(view), percent=percent))
    return reasons


def _collectors(view: View) -> tuple[Seat, ...]:
    if not isinstance(view, PlayingView):
        return ()
    penalties = view.rules.penalty_cards
    takers = tuple([seat for seat, pile in enumerate(view.captured) if pile & penalties])
    return takers if len(takers) == 1 and takers[0] != view.seat else ()


class _Position:
    """The information visible to a seat when it plays a card."""

    def __init__(self, view: PlayingView) -> None:
        assert view.seat is not None
        self.view: Final = view
        self.seat: Final = view.seat
        self.rules: Final = view.rules
        self._scored: Final = resolved_with(view.rules, view.exposed)
        seen = sum(view.captured, start=view.hand + view.set_aside + Cards([play.card for play in view.trick]))
        self.unseen: Final = view.rules.deck - seen
        """The cards in other hands or the kitty."""
        self.led: Final = led_suit(view.trick)
        self.last: Final = len(view.trick) == view.rules.players - 1
        self.points: Final = sum([self.worth(play.card) for play in view.trick])
        queen = Card("QS")
        self.queen: Final = queen if queen in self.unseen and self.worth(queen) > 0 else None
        """The queen of spades, if she costs points and is unseen."""

    def worth(self, card: Card) -> int:
        return card_points(self._scored, card.bit, 0)

    def follows(self, card: Card) -> bool:
        return bool(card.bit & self.led)

    def wins(self, card: Card) -> bool:
        return winning_seat(self.rules, [*self.view.trick, Play(self.seat, card)]) == self.seat

    def below(self, card: Card) -> int:
        """Count the unseen cards of the suit that a card beats."""
        return len([each for each in self.unseen.of_suit(card.suit) if each.rank < card.rank])

    def _over_queen(self, card: Card) -> bool:
        return self.queen is not None and card.suit is Suit.SPADES and card.rank > self.queen.rank

    def of_lead(self, made: Card, better: Card) -> list[Reason]:
        if self._over_queen(made):
            return [Reason("over-queen")]
        if made == Card("QS") and self.worth(made) > 0:
            return [Reason("led-queen")]
        void = [
            seat
            for seat, suits in enumerate(self.view.voids)
            if made.suit in suits and seat != self.seat and better.suit not in suits
        ]
        if void and self.below(made) < len(self.unseen.of_suit(made.suit)) + 1:
            return [Reason("led-void", suit=made.suit, seats=tuple(void))]
        if self.queen is not None and made.suit is not better.suit is Suit.SPADES and not self._over_queen(better):
            return [Reason("drive-out")]
        if self.worth(made) > 0 >= self.worth(better):
            return [Reason("led-points", points=self.worth(made))]
        if self.below(made) - self.below(better) >= _HIGH:
            return [Reason("led-high", suit=made.suit)]
        return [Reason("led-low")] if self.below(better) > self.below(made) else []

    def of_discard(self, made: Card, better: Card) -> list[Reason]:
        if self.worth(made) > self.worth(better):
            collectors = _collectors(self.view)
            return [Reason("fed-moon", seats=collectors)] if collectors == (self.view.winning_seat,) else []
        if self.worth(better) > self.worth(made):
            return [Reason("discard", suit=self._suit(), points=self.worth(better))]
        if self.below(better) > self.below(made):
            return [Reason("discard-high", suit=self._suit())]
        return []

    def of_following(self, made: Card, better: Card) -> list[Reason]:
        points = self.points + self.worth(made)
        if self.wins(made):
            if self.wins(better):
                return [Reason("higher-anyway")] if better.rank > made.rank else [Reason("follow-high")]
            over = [Reason("over-queen")] if self._over_queen(made) and not self.last else []
            if points > 0:
                return [*over, Reason("took-points", points=points)]
            return over or [Reason("could-duck")]
        if self.wins(better):
            if self.points + self.worth(better) < 0:
                return [Reason("missed-bonus", points=-self.points - self.worth(better))]
            return [Reason("clean-trick")] if self.last and points <= 0 else []
        if self.worth(better) > self.worth(made):
            return [Reason("could-dump", points=self.worth(better))]
        return [Reason("higher-under")] if better.rank > made.rank else [Reason("follow-high")]

    def _suit(self) -> Suit:
        return self.view.trick[0].card.suit


def _of_pass(rules: Rules, made: Pass, better: Pass) -> list[Reason]:
    given, wanted = sum(made.cards, start=Cards()), sum(better.cards, start=Cards())
    kept, lost = wanted - given, given - wanted
    if not (kept and lost):
        return []
    spades = rules._resolved.deck_lo & Cards("QS KS AS").lo if card_points(rules._resolved, Card("QS").bit, 0) else 0
    high = Cards([card for card in kept if card.bit & spades])
    if high:
        return [Reason("kept-spades", cards=high)]
    guards = Cards([card for card in lost.of_suit(Suit.SPADES) if card.rank < Card("QS").rank])
    if guards and spades:
        return [Reason("passed-guards", cards=guards)]
    return [Reason("passed", cards=kept)]
