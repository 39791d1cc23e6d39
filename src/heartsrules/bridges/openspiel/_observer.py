"""The observer of the OpenSpiel game, for views and picks as tensors and text.

Nothing here reads a hidden card: all data is from views, and from the observed seats' own picks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from heartsrules import AwaitingDeal, Card, Cards, Exposing, GameOver, Passing, Play, Rules, Seat, State, to_act
from heartsrules.bridges._actions import DECLINE, gifts_of, pass_size
from heartsrules.bridges._layout import encoder_of, layout
from heartsrules.bridges.openspiel import card_of
from heartsrules.rules import KittyShownTo, OpeningLeader
from heartsrules.views import ChoosingMoonView, DealtView, ExposingView, PlayingView, SeenDeal, view_of

_OWN: Final = ("hand", "gifts", "next_gift", "received", "showing", "kitty")
"""The parts of a vector that only the seat itself sees. The kitty is one unless all players can see it."""


class Observed(Protocol):
    """The interface of an observed state of the OpenSpiel game."""

    @property
    def position(self) -> State: ...
    @property
    def ended(self) -> tuple[AwaitingDeal | GameOver, ...]: ...
    def dealt(self, player: int) -> Cards: ...
    def picks(self, player: int, deal_number: int | None = None) -> tuple[int, ...]: ...
    def showing(self, player: int) -> Cards: ...


class HeartsObserver:
    """An observer for OpenSpiel's `make_observation`, with tensors and texts.

    The parts are as in `heartsrules.bridges.vector.layout`. Seats are counted from the player's own, or from seat 0 if
    the observer sees no private information or everyone's. In the latter case private parts have a row for each seat.
    Perfect recall adds the vectors at the ends of the deals (`past`, and `own_past` for private information), the cards
    of all tricks in the order of play (`leaders`, `plays`), and each deal's pass picks in order (`picks`), with
    declining in the last column.
    """

    def __init__(
        self, rules: Rules, deals: int, *, public: bool, private: Literal["none", "own", "all"], recall: bool
    ) -> None:
        self._rules: Final = rules
        self._public: Final = public
        self._private: Final = private
        self._recall: Final = recall
        parts = layout(rules)
        own = {name: place for name, place in parts.items() if name in _OWN}
        shared = {name: place for name, place in parts.items() if name not in own}
        if rules.kitty_size and rules.kitty_shown_to is KittyShownTo.EVERYBODY:
            shared["kitty"] = own.pop("kitty")
        shapes: dict[str, tuple[int, ...]] = {"player": (rules.players,)}
        self._shared: Final[dict[str, slice]] = shared if public else {}
        self._own: Final[dict[str, slice]] = {} if private == "none" else own
        if public:
            shapes |= {name: _shape(place) for name, place in shared.items()}
            if recall:
                tricks = deals * rules.cards_per_hand
                shapes["past"] = (deals, _size(shared))
                # OpenSpiel's playthroughs print at most three dimensions well, so the tricks of all deals share one.
                shapes |= {"leaders": (tricks, rules.players), "plays": (tricks, rules.players, 52)}
        if private != "none":
            lead = (rules.players,) if private == "all" else ()
            shapes |= {name: (*lead, *_shape(place)) for name, place in own.items()}
            if recall:
                picks = max([pass_size(step) for step in rules.pass_cycle])
                shapes["own_past"] = (*lead, deals, _size(own))
                shapes["picks"] = (*lead, deals, picks, DECLINE + 1)
        shapes = {name: shape for name, shape in shapes.items() if 0 not in shape}
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor: NDArray[np.float32] = np.zeros(sum(sizes), np.float32)
        """The whole observation."""
        self.dict: dict[str, NDArray[np.float32]] = {}
        """The parts of `tensor` by name, as reshaped views."""
        start = 0
        for (name, shape), size in zip(shapes.items(), sizes, strict=True):
            self.dict[name] = self.tensor[start : start + size].reshape(shape)
            start += size

    def set_from(self, state: Observed, player: int) -> None:
        """Write a player's observation of a state into `tensor`."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if self._public:
            viewer = player if self._private == "own" else None
            self._write(state, viewer, self._shared, False, ())
            if self._recall:
                self._write_plays(state, viewer or 0)
        for seat in self._seats(player):
            at = (seat,) if self._private == "all" else ()
            self._write(state, seat, self._own, True, at)
            if "picks" in self.dict:
                for number, picked in enumerate(self.dict["picks"][at]):
                    for place, action in enumerate(state.picks(seat, number)):
                        picked[place, DECLINE if action == DECLINE else card_of(action).index] = 1

    def string_from(self, state: Observed, player: int) -> str:
        """Return a player's observation, as a diagram and lines of private facts."""
        lines: list[str] = []
        if self._public:
            lines.append(str(view_of(state.position, None)))
            taker = state.position.score_sheet.queen_taker
            if taker is not None and self._rules.opening_leader is OpeningLeader.QUEEN_TAKER:
                lines.append(f"the queen went to player {taker}")
            if self._recall:
                lines += [line for number, deal in _deals(state, None) for line in _deal_lines(number, deal)]
        for seat in self._seats(player):
            lines += [f"seat {seat}: {line}" for line in _own_lines(state, seat, self._recall)]
        if self._private == "own" and lines:
            lines.insert(0, f"player {player}")
        return "\n".join(lines)

    def _seats(self, player: int) -> Sequence[Seat]:
        if self._private == "all":
            return range(self._rules.players)
        return [player] if self._private == "own" else []

    def _write(
        self, state: Observed, seat: Seat | None, parts: Mapping[str, slice], own: bool, at: tuple[int, ...]
    ) -> None:
        """Write parts of a seat's vector, for now and for the ends of earlier deals."""
        encoder = encoder_of(self._rules)
        vector = np.frombuffer(encoder.floats(view_of(state.position, seat), _picks(state, seat)), np.float32)
        for name, place in parts.items():
            part = self.dict[name][at]
            part[...] = vector[place].reshape(part.shape)
        if own and seat is not None:
            for card in state.dealt(seat):
                self.dict["hand"][at][card.index] += 1
        past = "own_past" if own else "past"
        if past in self.dict:
            for row, end in zip(self.dict[past][at], state.ended, strict=False):
                vector = np.frombuffer(encoder.floats(view_of(end, seat), (), True), np.float32)
                row[:] = np.concatenate([vector[place] for place in parts.values()])

    def _write_plays(self, state: Observed, viewer: Seat) -> None:
        players = self._rules.players
        for number, deal in _deals(state, None):
            if isinstance(deal, PlayingView | SeenDeal):
                for place, (leader, plays) in enumerate(_tricks(deal), number * self._rules.cards_per_hand):
                    self.dict["leaders"][place, (leader - viewer) % players] = 1
                    for play in plays:
                        self.dict["plays"][place, (play.seat - viewer) % players, play.card.index] = 1


def _size(parts: Mapping[str, slice]) -> int:
    return sum([place.stop - place.start for place in parts.values()])


def _shape(place: slice) -> tuple[int, ...]:
    size = place.stop - place.start
    return (size // 52, 52) if size % 52 == 0 and size > 52 else (size,)


def _picks(state: Observed, seat: Seat | None) -> list[Card | None]:
    position = state.position
    if seat is None or seat not in to_act(position):
        return []
    if isinstance(position, Passing):
        return [None if action == DECLINE else card_of(action) for action in state.picks(seat)]
    return list(state.showing(seat)) if isinstance(position, Exposing) else []


def _deals(state: Observed, seat: Seat | None) -> Iterator[tuple[int, ExposingView | PlayingView | SeenDeal]]:
    """Yield each deal whose pass is over with its number, as a seat sees it."""
    now = view_of(state.position, seat)
    for number, end in enumerate(state.ended):
        last = view_of(end, seat).last_deal  # type: ignore[union-attr] # a deal has ended
        if last is not None:
            yield number, last
    if isinstance(now, (ExposingView, PlayingView)):
        yield now.deal_number, now
    elif isinstance(now, ChoosingMoonView):
        yield now.deal_number, now.last_deal


def _tricks(deal: PlayingView | SeenDeal) -> Iterator[tuple[Seat, Sequence[Play]]]:
    for trick in deal.tricks:
        yield trick.leader, trick.plays
    if isinstance(deal, PlayingView):
        yield deal.leader, deal.trick


def _text(cards: Iterable[Card]) -> str:
    return " ".join([str(card) for card in cards]) or "-"


def _deal_lines(number: int, deal: ExposingView | PlayingView | SeenDeal) -> Iterator[str]:
    if deal.declined:
        yield f"deal {number} declined by {' '.join(map(str, sorted(deal.declined)))}"
    exposed = [f"{seat}: {_text(cards)}" for seat, cards in enumerate(deal.exposed) if cards]
    if exposed:
        yield f"deal {number} exposed {'; '.join(exposed)}"
    if not isinstance(deal, ExposingView):
        tricks = [f"{leader}: {_text([play.card for play in plays])}" for leader, plays in _tricks(deal)]
        yield f"deal {number} tricks {'; '.join(tricks)}"
        if deal.kitty:
            yield f"deal {number} kitty {_text(deal.kitty)}"


def _own_lines(state: Observed, seat: Seat, recall: bool) -> Iterator[str]:
    """Yield a seat's private facts about the deal, or with recall about all deals."""
    now = view_of(state.position, seat)
    hand = state.dealt(seat) or (now.hand if isinstance(now, DealtView) else ())
    if hand:
        yield f"hand {_text(hand)}"
    if state.showing(seat):
        yield f"exposes {_text(state.showing(seat))}"
    elif isinstance(now, ExposingView) and now.exposure is not None:
        yield f"exposes {_text(now.exposure.cards)}"
    deals = dict(_deals(state, seat))
    for number in range(now.deal_number + 1):
        deal = deals.get(number)
        if not recall and number < now.deal_number:
            continue
        picks = state.picks(seat, number)
        if DECLINE in picks:
            yield f"deal {number} declines {len(picks)}"
        elif picks:
            cards = [card_of(action) for action in picks]
            gifts = gifts_of(now.rules.pass_plan(number), cards)
            yield f"deal {number} passes {_text(cards) if recall else ' + '.join(map(_text, gifts))}"
        if deal is not None and deal.received:
            yield f"deal {number} received {_text(deal.received)}"
        if isinstance(deal, PlayingView | SeenDeal) and deal.kitty:
            yield f"deal {number} kitty {_text(deal.kitty)}"
