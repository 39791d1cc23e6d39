"""Games with their history, replay, and records of games."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NoReturn

import attrs

from heartsrules.base.errors import InvalidState, Problem, counted
from heartsrules.base.rendering import rendered
from heartsrules.base.values import check_callback, checked_int, int_text, wrong_item, wrong_type
from heartsrules.cards import Cards
from heartsrules.chance import Bits
from heartsrules.play.dealing import chance_to_act, deal
from heartsrules.play.engine import apply, new_game
from heartsrules.play.events import Event
from heartsrules.play.exposing import rounds_to
from heartsrules.play.moves import ChooseMoon, Deal, Expose, Move, Pass, Play
from heartsrules.play.public import InMatch
from heartsrules.play.state import AwaitingDeal, DealingBack, Exposing, GameOver, Passing, PlayedDeal, Playing, State
from heartsrules.play.taking_back import hands_before, hands_before_pass, plays_of_tricks
from heartsrules.play.transitions import events_between
from heartsrules.play.view_classes import View
from heartsrules.play.view_selection import view_of
from heartsrules.play.violations import IllegalMove, Violation
from heartsrules.rules import Moon, Rules, Seat
from heartsrules.rules.arguments import ints_of

__all__ = [
    "Game",
    "Record",
    "RefusedMove",
    "Replay",
    "ScoreMismatch",
    "Verdict",
    "moves_of",
    "replay",
    "replay_strict",
    "verify",
]
__dir__ = __all__.copy


class _Log:
    """States and moves that only grow, shared by the games of one line of play."""

    __slots__ = ("lock", "moves", "states")

    def __init__(self, states: list[State], moves: list[Move]) -> None:
        self.states: Final = states
        self.moves: Final = moves
        self.lock: Final = threading.Lock()

    def extended(self, ply: int, move: Move, state: State) -> _Log:
        """Return the log with one more move after a ply.

        It is this log, or a copy if another line has continued from there.
        """
        with self.lock:
            if len(self.moves) == ply:
                # The move first: if Ctrl-C interrupts before the state is appended, the next game copies the log.
                self.moves.append(move)
                self.states.append(state)
                return self
        return _Log([*self.states[: ply + 1], state], [*self.moves[:ply], move])


class Game:
    """A game with its states and moves from a start to now, and the moves undone.

    Games are immutable. Games derived from one another share their history, and access to any ply takes constant time.
    Two games are equal if they have the same start and the same moves, whatever was undone.

    Args:
        start: the first state. `Game.start(rules)` starts before the first deal, and `Game.of(state)` before the deal
            of a state.

    >>> from heartsrules.play.dealing import deal
    >>> game = Game.start(Rules())
    >>> game = game.play(deal(game.state, seed="table 7"))
    >>> game.ply, game.at(0) is game.fork(0).state, game.back() == Game.start(Rules())
    (1, True, True)
    >>> game.back().forward().ply, game.back().undone == game.moves, game.undone
    (1, True, ())
    """

    __slots__ = ("_end", "_log", "_ply")

    _log: _Log
    _ply: int
    _end: int
    """The last ply that `forward` can reach. Later moves in the log belong to other games."""

    def __init__(self, start: State) -> None:
        if not isinstance(start, State):
            wrong_type("start", "a State", start)
        _fill(self, _Log([start], []), 0, 0)

    @staticmethod
    def start(rules: Rules) -> Game:
        """Return the game before its first deal."""
        return Game(new_game(rules))

    @staticmethod
    def of(source: State | Record) -> Game:
        """Return the game of a record, or the game that led to a state.

        A state only knows its own deal, so its game starts before that deal and has its `moves_of`.

        >>> from heartsrules.play.dealing import deal
        >>> start = new_game(Rules())
        >>> game = Game.of(apply(start, deal(start, seed="table 7")))
        >>> game.ply, game.back().state == start, Game.of(game.record()) == game
        (1, True, True)

        Raises:
            InvalidState: the state was set up without its history.
            IllegalMove: a move of the record is illegal. A note names it.
        """
        if isinstance(source, Record):
            return replay_strict(source.rules, source.moves)
        if not isinstance(source, State):
            wrong_type("source", "a State or a Record", source)
        moves = moves_of(source)
        return replay_strict(_before_the_deal(source), moves) if moves else Game(source)

    @property
    def ply(self) -> int:
        """The number of moves since the start."""
        return self._ply

    @property
    def state(self) -> State:
        """The current state."""
        return self._log.states[self._ply]

    @property
    def rules(self) -> Rules:
        """The rule set."""
        return self._log.states[0].rules

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats to act, ascending, or none if chance is to act or the match is over."""
        return self.state.to_act

    @property
    def winners(self) -> tuple[Seat, ...] | None:
        """The winners of the match, or None before its end."""
        state = self.state
        return state.winners if isinstance(state, GameOver) else None

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves since the start."""
        return tuple(self._log.moves[: self._ply])

    @property
    def states(self) -> tuple[State, ...]:
        """The states from the start to now, one more than the moves."""
        return tuple(self._log.states[: self._ply + 1])

    @property
    def undone(self) -> tuple[Move, ...]:
        """The moves undone with `back`, in the order in which `forward` makes them again."""
        return tuple(self._log.moves[self._ply : self._end])

    def play(self, move: Move) -> Game:
        """Return the game after a move.

        Raises:
            IllegalMove: the rules refuse the move.
        """
        state = apply(self.state, move)
        return _game(self._log.extended(self._ply, move, state), self._ply + 1)

    def step(self, move: Move) -> tuple[Game, tuple[Event, ...]]:
        """Return the game after a move, and the events of the move.

        >>> from heartsrules.play.dealing import deal
        >>> game, events = Game.start(Rules()).step(deal(new_game(Rules()), seed="table 7"))
        >>> game.ply, [event.code for event in events]
        (1, ['cards-dealt'])

        Returns:
            The game and the full events. `redact` them before sending them to a player.

        Raises:
            IllegalMove: the rules refuse the move.
        """
        after = self.play(move)
        return after, after.events(self._ply)

    def at(self, ply: int) -> State:
        """Return the state after that many moves.

        Raises:
            IndexError: there is no such ply.
        """
        return self._log.states[self._checked(ply)]

    def fork(self, ply: int) -> Game:
        """Return the game after that many moves, with nothing undone.

        Raises:
            IndexError: there is no such ply.
        """
        return _game(self._log, self._checked(ply))

    def dealt(self, *, seed: str | int | None = None, rng: Bits | None = None) -> Game:
        """Return the game with the cards dealt if chance is to act, otherwise this game.

        The arguments are those of `heartsrules.deal`. One seed serves a whole match.

        >>> Game.start(Rules()).dealt(seed="table 7").dealt().ply
        1
        """
        state = self.state
        if not chance_to_act(state):
            return self
        if rng is None:
            return self.play(deal(state, seed=seed))
        if seed is not None:
            raise TypeError("give either seed or rng, not both")
        return self.play(deal(state, rng=rng))

    def play_on(
        self,
        ask: Callable[[View], Move] | Sequence[Callable[[View], Move]],
        *,
        seed: str | int | None = None,
        rng: Bits | None = None,
        until: Callable[[Game], bool] | None = None,
    ) -> Game:
        """Play to the end of the match, dealing cards and asking players for moves.

        If several seats may act, it asks the lowest one first.

        Args:
            ask: a function that takes the view of the seat to act and returns its move, or one function per seat.
            seed: the seed of all deals, as in `dealt`.
            rng: the source of all deals.
            until: a function that takes the game after each move and returns True to stop.

        >>> from heartsrules.play.engine import legal_moves
        >>> over = Game.start(Rules(max_deals=1)).play_on(lambda seen: legal_moves(seen)[0], seed="table 7")
        >>> over.winners, over.ply
        ((2,), 57)

        Raises:
            IllegalMove: a move is illegal. The game is lost unless `until` has saved it.
            ValueError: a function returned a move of another seat.
        """
        players = self.rules.players
        if not callable(ask) and not isinstance(ask, Sequence):
            wrong_type("ask", "callable or a sequence of functions", ask)
        check_callback("until", until)
        asked = [ask] * players if callable(ask) else list(ask)
        if len(asked) != players:
            raise ValueError(f"ask has {len(asked)} functions: give one, or one for each of {players} seats")
        game = self
        while not isinstance(game.state, GameOver):
            if game.to_act:
                seat = game.to_act[0]
                move = asked[seat](game.view(seat))
                if getattr(move, "seat", seat) != seat:
                    raise ValueError(f"ask must return a move of seat {seat}, which it was asked for, not {move!r}")
                game = game.play(move)
            else:
                game = game.dealt(seed=seed, rng=rng)
            if until is not None and until(game):
                break
        return game

    def record(self, tags: Iterable[tuple[str, str]] = ()) -> Record:
        """Return the record of the game (see `Record.of`)."""
        return Record.of(self, tags)

    def back(self) -> Game:
        """Return the game without its last move, which `forward` makes again.

        The new game keeps all undone moves. `play`, `step` and `fork` drop them.

        Raises:
            IndexError: no move has been made.
        """
        return _game(self._log, self._checked(self._ply - 1), self._end)

    def forward(self) -> Game:
        """Return the game with the last undone move made again.

        Raises:
            IndexError: no move is undone.
        """
        if self._ply == self._end:
            raise IndexError(f"no move is undone: this game ends at ply {self._ply}")
        return _game(self._log, self._ply + 1, self._end)

    def _checked(self, ply: int, name: str = "ply") -> int:
        if not 0 <= checked_int(name, ply) <= self._ply:
            raise IndexError(f"there is no ply {int_text(ply)}: this game has 0 to {self._ply}")
        return ply

    def events(self, since: int = 0) -> tuple[Event, ...]:
        """Return the full events since a ply. `redact` them before players see them.

        Raises:
            IndexError: there is no such ply.
        """
        first = self._checked(since, "since")
        return tuple(
            [
                event
                for ply in range(first, self._ply)
                for event in events_between(self._log.states[ply], self._log.moves[ply], self._log.states[ply + 1])
            ]
        )

    def view(self, seat: Seat | None = None) -> View:
        """Return the current view of one seat, or with None a spectator's.

        Raises:
            InvalidSeat: the table has no such seat.
        """
        return view_of(self.state, seat)

    def __len__(self) -> int:
        return self._ply

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return self._log.states[0] == other._log.states[0] and self.moves == other.moves

    def __hash__(self) -> int:
        return hash((self._log.states[0], self.moves))

    def __repr__(self) -> str:
        return f"replay_strict({self._log.states[0]!r}, {self.moves!r})"

    def __str__(self) -> str:
        return str(rendered("diagram", self))

    def _repr_svg_(self) -> str:
        return str(rendered("svg", self))

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (self._log.states[0], (*self.moves, *self.undone), self._ply)

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: object) -> Game:
        return self

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise attrs.exceptions.FrozenInstanceError

    def __delattr__(self, name: str) -> NoReturn:
        raise attrs.exceptions.FrozenInstanceError


def _fill(game: Game, log: _Log, ply: int, end: int) -> None:
    object.__setattr__(game, "_log", log)
    object.__setattr__(game, "_ply", ply)
    object.__setattr__(game, "_end", end)


def _game(log: _Log, ply: int, end: int | None = None) -> Game:
    game = Game.__new__(Game)
    _fill(game, log, ply, ply if end is None else end)
    return game


def _unpickled(start: State, moves: tuple[Move, ...], ply: int) -> Game:
    return _game(replay_strict(start, moves)._log, ply, len(moves))


def moves_of(state: State) -> tuple[Move, ...]:
    """Return the moves of a state's deal, from its `Deal` on.

    A state does not contain the order in which simultaneous passes and exposures were made; they are returned in the
    order of the seats.

    >>> from heartsrules.play.dealing import deal
    >>> start = new_game(Rules())
    >>> moves_of(start), moves_of(apply(start, deal(start, seed=7))) == (deal(start, seed=7),)
    ((), True)

    Returns:
        The moves in order, or nothing before the first deal or after an unknown one.

    Raises:
        InvalidState: the beginning of the deal is unknown.
    """
    if not isinstance(state, State):
        wrong_type("state", "a State", state)
    if isinstance(state, (Passing, DealingBack)):
        made = [move for move in state.commitments if move is not None]
        return (Deal(state.hands, state.kitty), *_nobody_shows(state), *made)
    if isinstance(state, Exposing):
        return _opening_moves(state, state.hands, state.face_up, state.commitments)
    played = state if isinstance(state, Playing) else state.last_deal
    if played is None:
        return ()
    exposed = [Expose(seat, cards) for seat, cards in enumerate(played.exposed)] if state.rules.exposable else []
    plays = plays_of_tricks(played.tricks, state.trick if isinstance(state, Playing) else ())
    hands = state.hands if isinstance(state, Playing) else state.rules._resolved.nothing
    opening = _opening_moves(played, hands_before(hands, plays), played.exposed, exposed)
    return (*opening, *plays, *_moon_choice(state))


def _opening_moves(
    dealt: Exposing | Playing | PlayedDeal,
    hands: Sequence[Cards],
    exposed: tuple[Cards, ...],
    exposures: Sequence[Expose | None],
) -> tuple[Move, ...]:
    """Return the moves of a deal up to the first lead.

    Args:
        exposures: each seat's commitment, or empty if no card may be exposed.
    """
    rules = dealt.rules
    resolved = rules._resolved
    first = resolved.shows_before_pass(dealt.deal_number)
    if dealt.resumed_from is not None or (dealt.passes_unknown and not (first and None in exposures)):
        raise InvalidState((Problem.of("no-history", ("state",), "deal"),))
    moves = [move for move in exposures if move is not None]
    if exposures and resolved.shows_in_rounds:
        committed = [move is not None for move in exposures]
        moves = [Expose(*shows) for shows in rounds_to(rules, dealt.dealer, exposed, committed)]
    elif resolved.shows_in_turn:
        moves.sort(key=lambda exposure: (exposure.seat - dealt.dealer - 1) % rules.players)
    passes = dealt.passes
    back = [Deal(dealt.received)] if passes and resolved.through_middle(dealt.deal_number) else []
    before = _nobody_shows(dealt) if passes else ()
    before_pass = hands_before_pass(hands, dealt.passed, dealt.received)
    return (Deal(before_pass, dealt.kitty), *before, *passes, *back, *moves)


def _nobody_shows(state: InMatch) -> tuple[Expose, ...]:
    rules = state.rules
    if not rules._resolved.shows_before_pass(state.deal_number):
        return ()
    first = state.dealer + 1 if rules._resolved.shows_in_turn else 0
    return tuple([Expose((first + place) % rules.players, Cards()) for place in range(rules.players)])


def _moon_choice(state: State) -> tuple[ChooseMoon, ...]:
    if isinstance(state, (AwaitingDeal, GameOver)) and state.rules.moon is Moon.CHOICE:
        score = state.score_sheet[-1]
        if score.shooter is not None and score.effect is not None:
            return (ChooseMoon(score.shooter, score.effect),)
    return ()


def _before_the_deal(state: State) -> AwaitingDeal:
    begun = state if isinstance(state, (Passing, DealingBack, Exposing, Playing)) else state.last_deal
    assert begun is not None, "no move has led to it"
    return AwaitingDeal(begun.rules, begun.score_sheet, None)


@attrs.frozen
class RefusedMove:
    """The move at which a replay stopped, and the reasons.

    Attributes:
        index: the refused move's index, from 0.
        move: the move, or None for a `Deal`, whose cards are secret.
        deal: the deal's number, from 0.
        trick: the number of the trick, from 0, or None outside of play.
        violations: the reasons, in order of precedence.
    """

    index: int
    move: Move | None
    deal: int
    trick: int | None
    violations: tuple[Violation, ...]

    def __str__(self) -> str:
        # Numbers start from 0, as in a record.
        trick = "" if self.trick is None else f", Trick {self.trick}"
        what = _move_text(self.move)
        reasons = "; ".join(str(violation) for violation in self.violations)
        return f"moves[{self.index}] (Deal {self.deal}{trick}), {what}: {reasons}"


def _move_text(move: Move | None) -> str:
    if isinstance(move, Play):
        return f"seat {move.seat} plays {move.card}"
    if isinstance(move, Pass):
        return f"seat {move.seat} passes"
    if isinstance(move, Expose):
        return f"seat {move.seat} decides what it shows"
    if isinstance(move, ChooseMoon):
        return f"seat {move.seat} chooses {move.effect}"
    return "the deal"


@attrs.frozen
class Replay:
    """The result of replaying a list of moves.

    Attributes:
        game: the game up to the first illegal move.
        failure: the first illegal move, or None.
    """

    game: Game
    failure: RefusedMove | None


def replay(start: Rules | State, moves: Iterable[Move]) -> Replay:
    """Play moves in order, up to the first illegal one.

    Args:
        start: a rule set for a whole match, or the state before the moves.

    >>> result = replay(Rules(), [Play(2, Card("AH"))])
    >>> result.game.ply, str(result.failure)
    (0, 'moves[0] (Deal 0), seat 2 plays AH: the game is waiting for the deal, not for a play')
    """
    if not isinstance(start, (Rules, State)):
        wrong_type("start", "a Rules or a State", start)
    game = Game.start(start) if isinstance(start, Rules) else Game(start)
    log = _Log([game.state], [])

    def record_step(move: Move, state: State) -> None:
        log.states.append(state)
        log.moves.append(move)

    _, plies, failure = _played(game.state, moves, record_step)
    return Replay(_game(log, plies), failure)


def _played(
    state: State, moves: Iterable[Move], record_step: Callable[[Move, State], None] | None = None
) -> tuple[State, int, RefusedMove | None]:
    if isinstance(moves, str) or not isinstance(moves, Iterable):
        wrong_type("moves", "an iterable of moves", moves)
    plies = 0
    for move in moves:
        try:
            after = apply(state, move)
        except IllegalMove as error:
            # A record counts a deal that is too early, or after the end, as the next one.
            ahead = error.move is None and not chance_to_act(state)
            trick = state.trick_number if isinstance(state, Playing) and not ahead else None
            return state, plies, RefusedMove(plies, error.move, state.deal_number + ahead, trick, error.violations)
        state = after
        plies += 1
        if record_step is not None:
            record_step(move, state)
    return state, plies, None


def replay_strict(start: Rules | State, moves: Iterable[Move]) -> Game:
    """Play moves in order, all of which must be legal.

    Raises:
        IllegalMove: a move is illegal. A note gives its index, deal and trick.
    """
    result = replay(start, moves)
    failure = result.failure
    if failure is not None:
        error = IllegalMove(failure.violations, failure.move)
        error.add_note(str(failure))
        raise error
    return result.game


def _check_rules(_: object, __: object, value: Rules) -> None:
    if not isinstance(value, Rules):
        wrong_type("rules", "a Rules", value)


def _listed(name: str, expected: str, values: object) -> list[Any]:
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        wrong_type(name, expected, values)
    return list(values)


def _pairs(name: str, first: str, values: object) -> list[tuple[Any, str]]:
    expected = f"({first}, text) pairs"
    pairs: list[tuple[Any, str]] = []
    for value in _listed(name, expected, values):
        pair = tuple(_listed(f"an item of {name}", f"a pair of {first} and text", value))
        if len(pair) != 2 or not isinstance(pair[1], str):
            wrong_type(f"an item of {name}", f"a pair of {first} and text", value)
        pairs.append((pair[0], pair[1]))
    return pairs


def _as_texts(values: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    pairs = _pairs("tags", "name", values)
    for name, _ in pairs:
        if not isinstance(name, str):
            wrong_type("the name of a tag", "a str", name)
    return tuple(pairs)


def _as_comments(values: Iterable[tuple[int, str]]) -> tuple[tuple[int, str], ...]:
    pairs = _pairs("comments", "ply", values)
    for ply, _ in pairs:
        checked_int("the ply of a comment", ply)
    # Comments before the same move keep their order.
    return tuple(sorted(pairs, key=lambda comment: comment[0]))


def _as_moves(values: Iterable[Move]) -> tuple[Move, ...]:
    moves = tuple(_listed("moves", "an iterable of moves", values))
    for move in moves:
        if not isinstance(move, Move):
            wrong_item("moves", "Move", move)
    return moves


def _as_rows(values: Iterable[Iterable[int]]) -> tuple[tuple[int, ...], ...]:
    rows = _listed("points", "an iterable of rows", values)
    return tuple([ints_of("an item of points", row) for row in rows])


def _as_winners(values: Iterable[int] | None) -> tuple[int, ...] | None:
    return None if values is None else ints_of("winners", values)


@attrs.frozen(kw_only=True)
class Record:
    """A written record of a game, with rules, moves, tags and comments.

    Only types are checked; `verify` checks the content. `heartsrules.formats.notation` writes and reads records as
    text, `heartsrules.formats.wire` as JSON.

    Attributes:
        rules: the rule set.
        moves: all moves from the first deal on, including the deals. The game can be unfinished.
        tags: (name, text) pairs, in order, such as ("Event", "club night") or ("Seat0", "Ann").
        comments: (ply, text) pairs, ordered by ply. The comment precedes the move with this number, or follows the last
            move.
        points: each recorded deal's points by seat. They are checked against `DealScore.points`.
        winners: the winners in ascending order, if recorded. They are checked against the end of the game.
    """

    rules: Rules = attrs.field(validator=_check_rules)
    moves: tuple[Move, ...] = attrs.field(default=(), converter=_as_moves)
    tags: tuple[tuple[str, str], ...] = attrs.field(default=(), converter=_as_texts)
    comments: tuple[tuple[int, str], ...] = attrs.field(default=(), converter=_as_comments)
    points: tuple[tuple[int, ...], ...] = attrs.field(default=(), converter=_as_rows)
    winners: tuple[Seat, ...] | None = attrs.field(default=None, converter=_as_winners)

    @staticmethod
    def of(game: Game, tags: Iterable[tuple[str, str]] = ()) -> Record:
        """Return the record of a game with the points of its deals and the winners.

        Raises:
            InvalidState: the game started after its first deal.
        """
        if not isinstance(game, Game):
            wrong_type("game", "a Game", game)
        if game.at(0) != new_game(game.rules):
            raise InvalidState((Problem.of("no-start", ("game",), "record"),))
        state = game.state
        return Record(
            rules=game.rules,
            moves=game.moves,
            tags=tags,
            points=[row.points for row in state.score_sheet],
            winners=state.winners if isinstance(state, GameOver) else None,
        )

    def __str__(self) -> str:
        return str(rendered("diagram", self))

    def _repr_html_(self) -> str:
        return str(rendered("html", self))


@attrs.frozen
class ScoreMismatch:
    """The record's points of a deal, or its winners, are wrong.

    Attributes:
        deal: the deal's number, from 0, or None if the winners are wrong.
        claimed: the recorded points of each seat, or winners.
        actual: the actual ones, or None if that deal or the game is unfinished.
    """

    deal: int | None
    claimed: tuple[int, ...]
    actual: tuple[int, ...] | None

    def __str__(self) -> str:
        what = "the winners are" if self.deal is None else f"the points of Deal {self.deal} are"
        actual = "not decided yet" if self.actual is None else " ".join(map(str, self.actual))
        nothing = "nobody" if self.deal is None else "nothing"
        return f"{what} {actual}, but the record says {' '.join(map(str, self.claimed)) or nothing}"


@attrs.frozen
class Verdict:
    """The result of checking a record.

    Attributes:
        state: the state after the last legal move.
        plies: the number of legal moves before the first illegal one.
        failure: the first illegal move, or wrong points or winners, or None.
    """

    state: State
    plies: int
    failure: RefusedMove | ScoreMismatch | None

    @property
    def valid(self) -> bool:
        """True if nothing is wrong."""
        return self.failure is None

    @property
    def finished(self) -> bool:
        """True if the game was played to its end."""
        return isinstance(self.state, GameOver)

    def __str__(self) -> str:
        return verdict_text(self.failure, self.finished, self.plies)


def verdict_text(
    failure: RefusedMove | ScoreMismatch | None, finished: bool, plies: int, line: int | None = None
) -> str:
    """Return a verdict as one sentence, with the line of its failure if known."""
    if failure is None:
        return f"valid, {'finished' if finished else 'not finished'}, {counted(plies, 'move')}"
    return f"invalid: {failure}" if line is None else f"invalid, line {line}: {failure}"


def verify(record: Record) -> Verdict:
    """Check a record's moves, points and winners.

    The failure is the first in the course of the game: a deal with wrong points precedes a later illegal move. `replay`
    returns all states.

    >>> print(verify(Record(rules=Rules(), moves=[Play(2, "AH")])))
    invalid: moves[0] (Deal 0), seat 2 plays AH: the game is waiting for the deal, not for a play

    `heartsrules.formats.notation.line_of(text, verdict.failure)` finds the line in the text of the record.
    """
    if not isinstance(record, Record):
        wrong_type("record", "a Record", record)
    state, plies, failure = _played(new_game(record.rules), record.moves)
    return Verdict(state, plies, _mismatch(record, state, failure))


def _mismatch(record: Record, state: State, failure: RefusedMove | None) -> RefusedMove | ScoreMismatch | None:
    rows = state.score_sheet
    for number, (claimed, row) in enumerate(zip(record.points, rows, strict=False)):
        if claimed != row.points:
            return ScoreMismatch(number, claimed, row.points)
    if failure is not None:
        return failure
    if len(record.points) > len(rows):
        return ScoreMismatch(len(rows), record.points[len(rows)], None)
    if record.winners is not None:
        actual = state.winners if isinstance(state, GameOver) else None
        if record.winners != actual:
            return ScoreMismatch(None, record.winners, actual)
    return None
