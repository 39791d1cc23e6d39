"""The observer of the OpenSpiel game: views, and the observer's own picks, as tensors and as text.

Nothing here reads a hidden card: all data comes from `public_view`, from `view` of the observed seats, and from the
actions by which those seats have picked cards to pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Final, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from heartsrules import AwaitingDeal, Card, Cards, GameOver, Phase, Rules, Seat, State, View, to_act
from heartsrules.bridges._actions import DECLINE, gifts_of, most_gifts, pass_size
from heartsrules.bridges._words import PHASES
from heartsrules.bridges.openspiel import action_of, card_of
from heartsrules.rules import KittyShownTo, Moon, OpeningLeader, PassOptional
from heartsrules.views import (
    AwaitingDealView,
    ChoosingMoonView,
    DealingBackView,
    ExposingView,
    GameOverView,
    PassingView,
    PlayingView,
    SeenDeal,
    view_of,
)

_CARDS: Final = 52
_BEFORE_PLAY: Final = (PassingView, DealingBackView, ExposingView)
_EFFECTS: Final = (Moon.OTHERS_UP, Moon.SHOOTER_DOWN)


def _picked(picks: Iterable[int]) -> list[Card]:
    """The cards picked by the actions of a pass."""
    return [card_of(action) for action in picks if action != DECLINE]


class Observed(Protocol):
    """The interface of a state of the OpenSpiel game for observers."""

    @property
    def position(self) -> State: ...
    @property
    def ended(self) -> tuple[AwaitingDeal | GameOver, ...]: ...
    def dealt(self, player: int) -> Cards: ...
    def picks(self, player: int, deal_number: int | None = None) -> tuple[int, ...]: ...
    def showing(self, player: int) -> Cards: ...


class _SeenState:
    """A state as seen by one seat, or (None) a spectator."""

    def __init__(self, state: Observed, seat: Seat | None) -> None:
        self._state = state
        self._seat = seat

    def _view(self, position: Any) -> View:
        return view_of(position, self._seat)

    @cached_property
    def now(self) -> View:
        """The view of the position."""
        return self._view(self._state.position)

    @cached_property
    def hand(self) -> Cards:
        """The seat's hand; during the deal, its cards so far."""
        now = self.now
        if isinstance(now, (PassingView, DealingBackView, ExposingView, PlayingView)):
            return now.hand
        return Cards() if self._seat is None else self._state.dealt(self._seat)

    @cached_property
    def deal(self) -> PlayingView | SeenDeal | None:
        """The current deal, or the last one between deals."""
        now = self.now
        if isinstance(now, PlayingView):
            return now
        return None if isinstance(now, _BEFORE_PLAY) else now.last_deal

    def start(self, played: PlayingView | SeenDeal | None) -> ExposingView | PlayingView | SeenDeal | None:
        """A deal whose pass is over; None stands for the current deal."""
        if played is not None:
            return played
        return self.now if isinstance(self.now, ExposingView) else None

    @cached_property
    def showing(self) -> Cards:
        """The cards that the seat has picked to show; empty in other phases."""
        now = self.now
        if not isinstance(now, ExposingView) or self._seat is None:
            return Cards()
        return self._state.showing(self._seat) if now.commitment is None else now.commitment.cards

    @property
    def committed(self) -> Iterable[Seat]:
        """The seats that have committed a pass or an exposure."""
        now = self.now
        if isinstance(now, DealingBackView):
            return range(now.rules.players)
        return now.committed if isinstance(now, (PassingView, ExposingView)) else ()

    @cached_property
    def past(self) -> list[PlayingView | SeenDeal | None]:
        """The finished deals and the current one; None for a deal that is still passing or showing cards."""
        deals = [self._view(end).last_deal for end in self._state.ended]  # type: ignore[union-attr]
        now = self.now
        if isinstance(now, _BEFORE_PLAY):
            return [*deals, None]
        return [*deals, self.deal] if isinstance(now, (PlayingView, ChoosingMoonView)) else deals

    def picks(self, deal_number: int) -> tuple[int, ...]:
        """The seat's actions in the pass of a deal, in order."""
        return () if self._seat is None else self._state.picks(self._seat, deal_number)

    def trick(self, deal_number: int) -> tuple[Any, ...]:
        """The plays of the current trick of a deal; empty for a finished deal."""
        now = self.now
        return now.trick if isinstance(now, PlayingView) and now.deal_number == deal_number else ()

    def tricks(self, played: PlayingView | SeenDeal) -> list[tuple[Seat, list[Any]]]:
        """The (leader, plays) pairs of the tricks of a deal, the current one included."""
        tricks = [(trick.leader, list(trick.plays)) for trick in played.tricks]
        trick = self.trick(played.deal_number)
        return [*tricks, (played.leader, list(trick))] if trick else tricks

    def dealt(self, deal_number: int, played: PlayingView | SeenDeal | None) -> Cards:
        """The hand dealt to the seat."""
        now = self.now
        current = isinstance(now, (*_BEFORE_PLAY, PlayingView)) and now.deal_number == deal_number
        hand = self.hand if current else Cards()
        if played is None:
            start = self.start(None)
            return hand if start is None else hand - start.received + start.passed
        own = [play.card for _, plays in self.tricks(played) for play in plays if play.seat == self._seat]
        return hand + Cards(own) - played.received + played.passed


class HeartsObserver:
    """An observer for OpenSpiel's `make_observation`: `tensor`, its parts by name in `dict`, and texts."""

    def __init__(
        self, rules: Rules, deals: int, *, public: bool, private: Literal["none", "own", "all"], recall: bool
    ) -> None:
        self._rules = rules
        self._public = public
        self._private = private
        self._recall = recall
        shapes: dict[str, tuple[int, ...]] = {"player": (rules.players,)}
        if public:
            shapes |= _public_shapes(rules) | (_recall_shapes(rules, deals) if recall else _table_shapes(rules))
        inner: dict[str, tuple[int, ...]] = {}
        if private != "none":
            inner = _own_recall_shapes(rules, deals) if recall else _own_shapes(rules)
            lead = (rules.players,) if private == "all" else ()
            shapes |= {name: (*lead, *shape) for name, shape in inner.items()}
        shapes = {name: shape for name, shape in shapes.items() if 0 not in shape}
        sizes = [int(np.prod(shape)) for shape in shapes.values()]
        self.tensor: NDArray[np.float32] = np.zeros(sum(sizes), np.float32)
        """The whole observation."""
        self.dict: dict[str, NDArray[np.float32]] = {}
        """The parts of `tensor` by name: reshaped views of it."""
        self._own: Final = frozenset(inner)
        start = 0
        for (name, shape), size in zip(shapes.items(), sizes, strict=True):
            self.dict[name] = self.tensor[start : start + size].reshape(shape)
            start += size

    def set_from(self, state: Observed, player: int) -> None:
        """Write a player's observation of a state into `tensor`."""
        self.tensor.fill(0)
        self.dict["player"][player] = 1
        if self._public:
            seen = _SeenState(state, None)
            self._write_public(seen)
            if self._recall:
                self._write_recall(seen)
            else:
                self._write_table(seen)
        for seat in self._seats(player):
            whole = {name: part for name, part in self.dict.items() if name in self._own}
            parts = {name: part[seat] for name, part in whole.items()} if self._private == "all" else whole
            write = self._write_own_recall if self._recall else self._write_own
            write(_SeenState(state, seat), parts)

    def string_from(self, state: Observed, player: int) -> str:
        """A player's observation of a state as lines of text."""
        lines: list[str] = []
        if self._public:
            seen = _SeenState(state, None)
            lines += _public_lines(seen)
            lines += _recall_lines(seen) if self._recall else _table_lines(seen)
        for seat in self._seats(player):
            seen = _SeenState(state, seat)
            own = _own_recall_lines(seen) if self._recall else _own_lines(seen)
            lines += [f"seat {seat}: {line}" for line in own]
        if self._private == "own" and (self._public or lines):
            lines.insert(0, f"player {player}")
        return "\n".join(lines)

    def _seats(self, player: int) -> Sequence[Seat]:
        if self._private == "all":
            return range(self._rules.players)
        return [player] if self._private == "own" else []

    def _mark(self, name: str, place: Any, times: float = 1) -> None:
        if name in self.dict:
            self.dict[name][place] = times

    # ------------------------------------------------------------------------------------------------ as tensors

    def _write_public(self, seen: _SeenState) -> None:
        now = seen.now
        unit = self._rules.penalty_total or 1
        self.dict["phase"][PHASES.index(Phase.PASS if isinstance(now, DealingBackView) else now.phase)] = 1
        self.dict["totals"][:] = [total / unit for total in now.scores]
        self.dict["dealer"][now.dealer] = 1
        if now.score_sheet.queen_taker is not None:
            self._mark("queen_taker", now.score_sheet.queen_taker)
        turn = _turn(now)
        if turn is not None:
            self.dict["turn"][turn] = 1

    def _write_table(self, seen: _SeenState) -> None:
        """Write the public part of the present."""
        now, played = seen.now, seen.deal
        self._mark("pass_step", now.deal_number % len(self._rules.pass_cycle))
        for seat in seen.committed:
            self._mark("committed", seat)
        start = None if isinstance(now, AwaitingDealView) else seen.start(played)
        if start is not None:
            for seat in start.declined:
                self._mark("declined", seat)
            for seat, cards in enumerate(start.exposed):
                if cards:
                    _count(self.dict["exposed"][seat], cards)
        if isinstance(now, PlayingView):
            self._mark("hearts_broken", 0, now.hearts_broken)
            for play in now.trick:
                self._mark("trick", (play.seat, action_of(play.card)))
            for seat, voids in enumerate(now.voids):
                for suit in voids:
                    self._mark("voids", (seat, suit.value))
        if played is not None:
            self._mark("leader", played.leader)
            for seat, won in enumerate(played.tricks_won):
                self._mark("tricks_won", seat, won / self._rules.cards_per_hand)
                _count(self.dict["captured"][seat], played.captured[seat])
            if "set_aside" in self.dict:
                _count(self.dict["set_aside"], played.set_aside)
            if played.kitty_winner is not None:
                self._mark("kitty_winner", played.kitty_winner)
            if played.kitty is not None and "kitty" in self.dict:
                _count(self.dict["kitty"], played.kitty)

    def _write_recall(self, seen: _SeenState) -> None:
        """Write the public part of the whole history."""
        now = seen.now
        for seat in seen.committed:
            self._mark("committed", seat)
        for number, played in enumerate(seen.past):
            start = seen.start(played)
            if start is not None:
                for seat in start.declined:
                    self._mark("declined", (number, seat))
                for seat, cards in enumerate(start.exposed):
                    if cards:
                        _count(self.dict["exposed"][number, seat], cards)
            if played is None:
                continue
            first = number * self._rules.cards_per_hand
            self._mark("leader", (first, played.tricks[0].leader if played.tricks else played.leader))
            for trick, (leader, plays) in enumerate(seen.tricks(played), first):
                self._mark("leader", (trick, leader))
                for play in plays:
                    self._mark("plays", (trick, play.seat, action_of(play.card)))
            if played.kitty is not None and "kitty" in self.dict:
                _count(self.dict["kitty"][number], played.kitty)
        for number, score in enumerate(now.score_sheet):
            if score.effect in _EFFECTS:
                self._mark("moon", (number, _EFFECTS.index(score.effect)))

    def _write_own(self, seen: _SeenState, parts: dict[str, NDArray[np.float32]]) -> None:
        """Write the private part of the present: the hand, the passed and the received cards."""
        now, played = seen.now, seen.deal
        _count(parts["hand"], seen.hand)
        if isinstance(now, AwaitingDealView):
            return
        picks = seen.picks(now.deal_number)
        if "own_declined" in parts:
            parts["own_declined"][0] = picks.count(DECLINE) / (pass_size(self._rules.pass_plan(now.deal_number)) or 1)
        for number, gift in enumerate(gifts_of(self._rules.pass_plan(now.deal_number), _picked(picks))):
            _count(parts["gifts"][number], gift)
        start = seen.start(played)
        if start is not None and "received" in parts:
            _count(parts["received"], start.received)
        if "showing" in parts:
            _count(parts["showing"], seen.showing)
        if played is not None and played.kitty is not None and "own_kitty" in parts:
            _count(parts["own_kitty"], played.kitty)

    def _write_own_recall(self, seen: _SeenState, parts: dict[str, NDArray[np.float32]]) -> None:
        """Write the private part of the whole history."""
        _count(parts["hand"], seen.hand)
        if "showing" in parts:
            _count(parts["showing"], seen.showing)
        for number, played in enumerate(seen.past):
            _count(parts["dealt"][number], seen.dealt(number, played))
            picks = seen.picks(number)
            if DECLINE in picks:
                parts["own_declined"][number] = len(picks) / pass_size(self._rules.pass_plan(number))
            for place, action in enumerate(picks):
                if action != DECLINE:
                    parts["picks"][number, place, action] = 1
            start = seen.start(played)
            if start is not None and "received" in parts:
                _count(parts["received"][number], start.received)
            if played is not None and played.kitty is not None and "own_kitty" in parts:
                _count(parts["own_kitty"][number], played.kitty)


def _count(part: NDArray[np.float32], cards: Iterable[Card]) -> None:
    for card in cards:
        part[action_of(card)] += 1


def _turn(now: View) -> Seat | None:
    """The seat that is to act; the seats pass and show cards in order."""
    return min(to_act(now), default=None)


def _most_picks(rules: Rules) -> int:
    return max([pass_size(step) for step in rules.pass_cycle])


def _shows_kitty(rules: Rules, shown_to: KittyShownTo) -> bool:
    return rules.kitty_size > 0 and rules.kitty_shown_to is shown_to


def _public_shapes(rules: Rules) -> dict[str, tuple[int, ...]]:
    seats = rules.players
    shapes: dict[str, tuple[int, ...]] = {"phase": (len(PHASES),), "totals": (seats,), "dealer": (seats,)}
    if rules.opening_leader is OpeningLeader.QUEEN_TAKER:
        shapes["queen_taker"] = (seats,)
    return {**shapes, "turn": (seats,)}


def _table_shapes(rules: Rules) -> dict[str, tuple[int, ...]]:
    seats, gifts = rules.players, most_gifts(rules)
    return {
        "pass_step": (len(rules.pass_cycle),),
        "committed": (seats if gifts or rules.exposable else 0,),
        "declined": (0 if rules.pass_optional is PassOptional.NO else seats,),
        "exposed": (seats, _CARDS if rules.exposable else 0),
        "hearts_broken": (1,),
        "leader": (seats,),
        "trick": (seats, _CARDS),
        "captured": (seats, _CARDS),
        "tricks_won": (seats,),
        "set_aside": (_CARDS if rules.decks == 2 else 0,),
        "kitty_winner": (seats if rules.kitty_size else 0,),
        "kitty": (_CARDS if _shows_kitty(rules, KittyShownTo.EVERYBODY) else 0,),
        "voids": (seats, 4),
    }


def _recall_shapes(rules: Rules, deals: int) -> dict[str, tuple[int, ...]]:
    seats, tricks = rules.players, rules.cards_per_hand
    return {
        "committed": (seats if most_gifts(rules) or rules.exposable else 0,),
        "declined": (deals, 0 if rules.pass_optional is PassOptional.NO else seats),
        "exposed": (deals, seats, _CARDS if rules.exposable else 0),
        # OpenSpiel's playthroughs print at most three dimensions well, so the tricks of all deals share one.
        "leader": (deals * tricks, seats),
        "plays": (deals * tricks, seats, _CARDS),
        "kitty": (deals, _CARDS if _shows_kitty(rules, KittyShownTo.EVERYBODY) else 0),
        "moon": (deals, len(_EFFECTS) if rules.moon is Moon.CHOICE else 0),
    }


def _own_shapes(rules: Rules) -> dict[str, tuple[int, ...]]:
    gifts = most_gifts(rules)
    return {
        "hand": (_CARDS,),
        "gifts": (gifts, _CARDS),
        "own_declined": (0 if rules.pass_optional is PassOptional.NO else 1,),
        "received": (_CARDS if gifts else 0,),
        "showing": (_CARDS if rules.exposable else 0,),
        "own_kitty": (_CARDS if _shows_kitty(rules, KittyShownTo.TAKER) else 0,),
    }


def _own_recall_shapes(rules: Rules, deals: int) -> dict[str, tuple[int, ...]]:
    picks = _most_picks(rules)
    return {
        "hand": (_CARDS,),
        "dealt": (deals, _CARDS),
        "picks": (deals, picks, _CARDS),
        "own_declined": (0 if rules.pass_optional is PassOptional.NO else deals,),
        "received": (deals, _CARDS if picks else 0),
        "showing": (_CARDS if rules.exposable else 0,),
        "own_kitty": (deals, _CARDS if _shows_kitty(rules, KittyShownTo.TAKER) else 0),
    }


# --------------------------------------------------------------------------------------------------------- as text


def _text(cards: Iterable[Card]) -> str:
    return " ".join([str(card) for card in cards]) or "-"


def _numbers(numbers: Iterable[int]) -> str:
    return " ".join([str(number) for number in numbers]) or "-"


def _public_lines(seen: _SeenState) -> list[str]:
    now = seen.now
    turn = _turn(now)
    acting = "" if turn is None else f", player {turn} to act"
    lines = [
        f"deal {now.deal_number}, dealer {now.dealer}, totals {_numbers(now.scores)}",
        f"phase {now.phase.value}{acting}",
    ]
    taker = now.score_sheet.queen_taker
    if now.rules.opening_leader is OpeningLeader.QUEEN_TAKER and taker is not None:
        lines.append(f"the queen went to player {taker}")
    if isinstance(now, GameOverView):
        lines.append(f"winners {_numbers(now.winners)}")
    return lines


def _table_lines(seen: _SeenState) -> list[str]:
    now, played = seen.now, seen.deal
    lines: list[str] = []
    start = None if isinstance(now, AwaitingDealView) else seen.start(played)
    if start is not None:
        if start.declined:
            lines.append(f"declined {_numbers(sorted(start.declined))}")
        lines += _shown_lines("", start)
    if isinstance(now, PlayingView):
        lines.append(f"trick {now.trick_number}: {now.leader}: {_text([play.card for play in now.trick])}")
        lines.append(f"hearts are {'broken' if now.hearts_broken else 'not broken'}")
        voids = [f"{seat}: {', '.join(sorted(map(str, suits)))}" for seat, suits in enumerate(now.voids) if suits]
        if voids:
            lines.append(f"void {'; '.join(voids)}")
    if played is not None:
        captured = [f"{seat}: {_text(cards)}" for seat, cards in enumerate(played.captured)]
        lines.append(f"captured {'; '.join(captured)}")
        lines.append(f"tricks won {_numbers(played.tricks_won)}")
        if played.set_aside:
            lines.append(f"set aside {_text(played.set_aside)}")
        if played.kitty_winner is not None:
            shown = "" if played.kitty is None else f": {_text(played.kitty)}"
            lines.append(f"kitty taken by {played.kitty_winner}{shown}")
    return lines


def _shown_lines(where: str, start: ExposingView | PlayingView | SeenDeal) -> list[str]:
    shown = [f"{seat}: {_text(cards)}" for seat, cards in enumerate(start.exposed) if cards]
    return [f"{where}shown {'; '.join(shown)}"] if shown else []


def _recall_lines(seen: _SeenState) -> list[str]:
    scores = seen.now.score_sheet
    lines: list[str] = []
    for number, played in enumerate(seen.past):
        start = seen.start(played)
        if start is not None:
            if start.declined:
                lines.append(f"deal {number} declined {_numbers(sorted(start.declined))}")
            lines += _shown_lines(f"deal {number} ", start)
        if played is None:
            continue
        tricks = [f"{leader}: {_text([play.card for play in plays])}" for leader, plays in seen.tricks(played)]
        lines.append(f"deal {number} tricks {'; '.join(tricks) or f'{played.leader}:'}")
        if played.kitty:
            lines.append(f"deal {number} kitty {_text(played.kitty)}")
        if number < len(scores):
            score = scores[number]
            effect = "" if score.effect is None else f", {score.effect} by {score.shooter}"
            lines.append(f"deal {number} points {_numbers(score.points)}{effect}")
    return lines


def _own_lines(seen: _SeenState) -> list[str]:
    now, played = seen.now, seen.deal
    lines = [f"hand {_text(seen.hand)}"] if seen.hand else []
    if isinstance(now, AwaitingDealView):
        return lines
    picks = seen.picks(now.deal_number)
    if picks:
        gifts = gifts_of(now.rules.pass_plan(now.deal_number), _picked(picks))
        lines.append(f"passes {' + '.join([_text(gift) for gift in gifts]) or 'nothing'}")
    start = seen.start(played)
    if start is not None and start.received:
        lines.append(f"received {_text(start.received)}")
    if seen.showing:
        lines.append(f"shows {_text(seen.showing)}")
    if played is not None and played.kitty and now.rules.kitty_shown_to is KittyShownTo.TAKER:
        lines.append(f"kitty {_text(played.kitty)}")
    return lines


def _own_recall_lines(seen: _SeenState) -> list[str]:
    lines: list[str] = []
    for number, played in enumerate(seen.past):
        lines.append(f"deal {number} dealt {_text(seen.dealt(number, played))}")
        picks = seen.picks(number)
        if picks:
            picked = _text([card_of(action) for action in picks if action != DECLINE])
            done, whole = len(picks), pass_size(seen.now.rules.pass_plan(number))
            nothing = "nothing" if done == whole else f"nothing, {done} of {whole} times"
            lines.append(f"deal {number} picked {nothing if DECLINE in picks else picked}")
        start = seen.start(played)
        if start is not None and start.received:
            lines.append(f"deal {number} received {_text(start.received)}")
        if played is not None and played.kitty and seen.now.rules.kitty_shown_to is KittyShownTo.TAKER:
            lines.append(f"deal {number} kitty {_text(played.kitty)}")
    if seen.showing:
        lines.append(f"shows {_text(seen.showing)}")
    if isinstance(seen.now, AwaitingDealView) and seen.hand:
        lines.append(f"deal {seen.now.deal_number} dealt so far {_text(seen.hand)}")
    return lines
