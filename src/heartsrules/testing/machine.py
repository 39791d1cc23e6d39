"""A Hypothesis state machine that compares your server or client with the engine.

Subclass `TableMachine`, fill in its hooks, and let pytest collect its `TestCase`:

    class MyMachine(TableMachine):
        def start(self, rules): ... def submit(self, move): ... def seen_by(self, viewer): ...

    TestMyServer = MyMachine.TestCase

Hypothesis then searches for a sequence of legal and illegal moves after which your table and the engine disagree, and
shrinks it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from heartsrules.base.extras import needs

with needs("testing", "heartsrules.testing.machine"):
    from hypothesis import strategies as st
    from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from heartsrules.cards import Card
from heartsrules.play.engine import to_act, why_illegal
from heartsrules.play.game import Game
from heartsrules.play.moves import Deal, Move
from heartsrules.play.state import AwaitingDeal, DealingBack, Exposing, GameOver, Passing, Playing, State
from heartsrules.rules import Rules
from heartsrules.testing.laws import Viewer, attempts, dealt, reproduction, viewer_named
from heartsrules.testing.strategies import moves
from heartsrules.views import View, view_of

__all__ = ["TableMachine"]
__dir__ = __all__.copy

_MOST_AT_ONCE = 16
"""The limit on moves of one step. A deal of four players has 56 moves, and Hypothesis runs 50 steps."""


class TableMachine(RuleBasedStateMachine):
    """A state machine that plays matches on a table under test.

    The table must accept every legal move, refuse every illegal one without any change, and show every viewer the same
    as the engine. A subclass implements `start`, `submit` and `seen_by`, and can set the attributes below. The deal is
    submitted like any other move, so a server with its own shuffle needs an entry point for its tests; illegal deals
    are not tried.

    Deals are shuffled, or have long suits for early voids; they shrink to the sorted deck, and the moves to the first
    legal ones.
    """

    rule_sets: ClassVar[Sequence[Rules]] = (Rules(),)
    """The rule sets of the matches."""
    spectators: ClassVar[bool] = False
    """True to check a spectator's view too."""

    game: Game
    """The match so far in the engine."""

    def __init__(self) -> None:
        super().__init__()
        self.game = Game.start(self.rule_sets[0])

    # ----------------------------------------------------------------------------------------------------- the hooks

    def start(self, rules: Rules) -> None:
        """Start a new match at the table under test, ending any earlier one."""
        raise NotImplementedError

    def submit(self, move: Move) -> bool:
        """Submit a move to the table under test, and return True if it was accepted."""
        raise NotImplementedError

    def seen_by(self, viewer: Viewer) -> object:
        """Return the data shown to a seat, or to a spectator for None, in any form.

        `expected` must return the same.
        """
        raise NotImplementedError

    def expected(self, seen: View) -> object:
        """Return the expected result of `seen_by` for a view, by default the view itself.

        Override it to translate a view into your messages. Its only input is the view, so a table that agrees with it
        cannot leak.
        """
        return seen

    # ----------------------------------------------------------------------------------------------------- the rules

    @property
    def state(self) -> State:
        """The expected state of the table under test."""
        return self.game.state

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        """Start a match."""
        rules = data.draw(st.sampled_from(self.rule_sets), label="rules")
        self.game = Game.start(rules)
        self.start(rules)
        self._compare("the match started")

    @precondition(lambda self: isinstance(self.state, GameOver))
    @rule(data=st.data())
    def begin_again(self, data: st.DataObject) -> None:
        """Start another match at the same table."""
        self.begin(data)

    @precondition(lambda self: isinstance(self.state, AwaitingDeal))
    @rule(data=st.data())
    def deal_cards(self, data: st.DataObject) -> None:
        """Deal the cards."""
        self._make(data.draw(_deals(self.state.rules), label="deal"))

    @precondition(lambda self: isinstance(self.state, DealingBack) or bool(to_act(self.state)))
    @rule(data=st.data())
    def make_a_move(self, data: st.DataObject) -> None:
        """Make one legal move, or deal back the cards in the middle."""
        self._make(data.draw(moves(self.state), label="legal move"))

    @precondition(lambda self: isinstance(self.state, (Passing, Exposing, Playing)) and bool(to_act(self.state)))
    @rule(data=st.data(), count=st.integers(2, _MOST_AT_ONCE))
    def make_moves(self, data: st.DataObject, count: int) -> None:
        """Make several legal moves within the phase, for example until the opening lead."""
        now = type(self.state)
        for _ in range(count):
            if isinstance(self.state, now) and to_act(self.state):
                self._make(data.draw(moves(self.state), label="legal move"))

    @rule(data=st.data())
    def try_illegal_moves(self, data: st.DataObject) -> None:
        """Try illegal moves, one for each code that is possible now."""
        by_reason: dict[str, dict[Move, str]] = {}
        for move in attempts(self.state):
            reasons = why_illegal(self.state, move)
            if reasons:
                by_reason.setdefault(reasons[0].code, {})[move] = "; ".join(map(str, reasons))
        for code, refused in by_reason.items():
            move = data.draw(st.sampled_from(list(refused)), label=code)
            if self.submit(move):
                raise AssertionError(self._said(f"{move!r} was accepted, but is illegal: {refused[move]}"))
            self._compare(f"{move!r} was refused")

    # -------------------------------------------------------------------------------------------------------- checks

    def _make(self, move: Move) -> None:
        if not self.submit(move):
            raise AssertionError(self._said(f"{move!r} was refused, but is legal"))
        self.game = self.game.play(move)
        self._compare(f"{move!r} was made")

    def _compare(self, after: str) -> None:
        state = self.state
        viewers: list[Viewer] = list(range(state.rules.players))
        for viewer in [*viewers, None] if self.spectators else viewers:
            shown = self.seen_by(viewer)
            right = self.expected(view_of(state, viewer))
            if shown != right:
                who = viewer_named(viewer)
                raise AssertionError(
                    self._said(f"after {after}, {who} is shown something else\nshown: {shown!r}\nright: {right!r}")
                )

    def _said(self, message: str) -> str:
        return f"{message}\nstate: {reproduction(self.game)}"


def _deals(rules: Rules) -> st.SearchStrategy[Deal]:
    pack = list(rules.deck)
    places = st.integers(0, len(pack) - 1)
    long_suits = st.lists(st.tuples(places, places), max_size=len(pack) // 2).map(lambda pairs: _swapped(pack, pairs))
    return st.builds(dealt, st.just(rules), st.one_of(long_suits, st.permutations(pack)), places)


def _swapped(pack: Sequence[Card], pairs: Sequence[tuple[int, int]]) -> list[Card]:
    cards = list(pack)
    for one, other in pairs:
        cards[one], cards[other] = cards[other], cards[one]
    return cards
