"""The one function that believes a setup: it plays everything again by the engine, and compares what was told."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, Final, NoReturn

import attrs

from heartsrules.cards import Cards, bag_of, with_card
from heartsrules.chance import deal_problems
from heartsrules.engine import apply, begin_exposure, begin_play, new_game, why_illegal
from heartsrules.errors import MAX_PROBLEMS, InvalidState, Problem, counted
from heartsrules.moves import ChooseMoon, Deal, Expose, Pass, Play
from heartsrules.passing import exchange
from heartsrules.phases import Phase
from heartsrules.rows import row_problems
from heartsrules.rules import MAX_DEALS, Moon, Rules, Seat
from heartsrules.scoring import game_winners, wrong_count
from heartsrules.setup._middle import in_the_middle
from heartsrules.setup._value import DealSetup, Setup
from heartsrules.sheet import DealScore, ScoreSheet
from heartsrules.state import (
    AwaitingDeal,
    ChoosingMoon,
    DealStart,
    Exposing,
    GameOver,
    Passing,
    PlayedDeal,
    Playing,
    State,
    Trick,
)
from heartsrules.tricks import trick_problems
from heartsrules.values import shown, wrong_type
from heartsrules.violations import IllegalMove, Violation

__all__ = ["check"]

_DEAL_POINTS: Final = 9_000_000_000
"""More than a deal can add to a total, or an exact reset take from it."""

_OF_PHASE: Final = {
    Phase.DEAL: ("last_deal", "effect"),
    Phase.PASS: ("hands", "kitty", "passes"),
    Phase.EXPOSE: ("hands", "kitty", "passes", "exposures"),
    Phase.PLAY: (
        "hands", "kitty", "passes", "shown", "tricks", "trick", "middle", "leader", "captured", "tricks_won",
        "trick_number", "set_aside", "kitty_taker", "hearts_broken", "turn",
    ),
    Phase.MOON: ("last_deal", "shooter", "others_up", "shooter_down"),
    Phase.OVER: ("last_deal", "effect", "winners"),
}  # fmt: skip
"""What is told in each phase, besides the match and its score sheet."""
_TOLD_SOMEWHERE: Final = tuple(dict.fromkeys([name for names in _OF_PHASE.values() for name in names]))
_DEFAULTS: Final = {field.name: field.default for field in attrs.fields(Setup)}
_CLAIMS: Final = ("leader", "captured", "tricks_won", "trick_number", "set_aside", "kitty_taker")
_BY_SEAT: Final = ("captured", "tricks_won", "scores", "start")
_SEATS: Final = ("turn", "leader", "kitty_taker", "shooter", "queen_taker")


def check(setup: Setup) -> State:
    """Believe a setup: the state that it tells, or everything that is wrong with it.

    The deal is played again from its first lead, or from its middle where nothing older is told, and every pass and
    every play must have been legal. Each row of the score sheet must be the result of some way to share out the deck:
    see `heartsrules.rows`. Whether a position told without its history can be reached by legal play from some deal is
    not asked; its piles must be whole tricks, and the kitty must be where the rules say.

    Args:
        setup: what was told.

    Returns:
        The state. `check(Setup.of(state)) == state` for every state that the engine or this function has made.

    Raises:
        InvalidState: the rules cannot lead there. Its `problems` are all that were found, 100 at most; their `fields`
            are places in the setup, such as `passes[3]`, `last_deal.tricks[0].plays[2]` or `deal_scores[1].totals`.
        TypeError: `setup` is not a `Setup`.
    """
    if not isinstance(setup, Setup):
        wrong_type("setup", "a Setup", setup)
    return _Check(setup).state()


class _Check:
    """The check of one setup. The methods that find problems add to its list; `stop` refuses what it holds."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.rules = setup.rules
        self.problems: list[Problem] = []

    def add(self, code: str, fields: str | tuple[str, ...], message: str) -> None:
        """Note a problem."""
        self.note(Problem(code, (fields,) if isinstance(fields, str) else fields, message=message))

    def note(self, problem: Problem) -> None:
        """Note a problem."""
        self.problems.append(problem)

    def stop(self) -> None:
        """Refuse the setup if anything is wrong with it so far."""
        if self.problems:
            raise self._refusal()

    def fail(self, code: str, fields: str | tuple[str, ...], message: str) -> NoReturn:
        """Refuse the setup."""
        self.add(code, fields, message)
        raise self._refusal()

    def _refusal(self) -> InvalidState:
        return InvalidState(tuple(dict.fromkeys(self.problems)))

    def state(self) -> State:
        """The state, or `InvalidState`."""
        setup = self.setup
        self.problems += _shape_problems(setup)
        self.stop()
        state = self._of_phase(self._sheet())
        self._compare(state, ("whole", "scores", "turn", "hearts_broken", "shooter", "others_up", "shooter_down",
                              "winners"))  # fmt: skip
        self.stop()
        return state

    # ------------------------------------------------------------------------------------------ the score sheet

    def _sheet(self) -> ScoreSheet:
        """The score sheet before the deal that is told, every row of which can be."""
        setup, rules = self.setup, self.rules
        last = setup.last_deal is not None and setup.phase is not Phase.MOON
        deals = setup.deal_number + (setup.phase is Phase.OVER)
        before = deals - last
        missing = before - setup.first - len(setup.deal_scores)
        nothing = (0,) * rules.players
        start = nothing if setup.start is None else setup.start
        if before < 0:
            self.fail("out-of-range", ("deal_number", "last_deal"), "before deal 0 no deal was played: leave it out")
        # The row of the last deal may be there or not, but a sheet cannot begin after it.
        if not (missing == 0 or (last and missing == -1 and setup.deal_scores)):
            if not setup.deal_scores and setup.start is None and setup.first == 0 and setup.scores is None:
                message = f"{counted(deals, 'deal')} came before: give their rows in deal_scores, or first and start"
            else:
                message = (
                    f"deal_scores has {counted(len(setup.deal_scores), 'row')} from deal {shown(setup.first)} on, but "
                    f"{counted(before, 'deal')} came before this one: give a row for each deal from first on"
                )
            self.fail("wrong-count", ("deal_scores", "deal_number"), message)
        if setup.first and setup.start is None:
            self.fail(
                "no-start",
                ("start", "first"),
                f"deal_scores begins at deal {shown(setup.first)}: give start, the totals then",
            )
        if not setup.first and start != nothing:
            self.fail("wrong-scores", ("start", "first"), "all totals are 0 before deal 0: leave start out")
        if setup.first:
            self._goes_on(start, setup.first, "start")
        if setup.queen_taker is not None:
            self._queen_taker_before()
        totals = start
        for number, row in enumerate(setup.deal_scores):
            where = f"deal_scores[{number}]"
            deal = setup.first + number
            if deal < before or not last:
                self.problems += _row_problems(rules, row, totals, deal, where)
                if len(row.totals) != rules.players:
                    break
                if deal + 1 < deals or setup.phase is not Phase.OVER:
                    self._goes_on(row.totals, deal + 1, f"{where}.totals")
            totals = row.totals
            if len(self.problems) > MAX_PROBLEMS or any([problem.code == "row-too-hard" for problem in self.problems]):
                # A second row that is as hard would cost as much again.
                break
        self.stop()
        rows = setup.deal_scores[: before - setup.first]
        return ScoreSheet(start, setup.first, rows, setup.queen_taker)

    def _queen_taker_before(self) -> None:
        """Note what is wrong if a taker of the Q♠ is told where there cannot have been one."""
        if not self.setup.first:
            self.add(
                "wrong-queen-taker",
                ("queen_taker", "first"),
                "queen_taker is of the deal before deal_scores begins, but it begins with deal 0: leave it out",
            )
        if not self.rules.tables.one_queen:
            self.add(
                "wrong-queen-taker",
                ("queen_taker", "rules"),
                "queen_taker is told only where exactly one QS is in play: leave it out",
            )

    def _goes_on(self, totals: tuple[int, ...], deals: int, where: str) -> None:
        if game_winners(self.rules.tables, totals, deals) is not None:
            self.add(
                "game-is-over",
                where,
                f"with these totals after {counted(deals, 'deal')} the game is over: no deal follows",
            )

    # --------------------------------------------------------------------------------------------- the phases

    def _of_phase(self, sheet: ScoreSheet) -> State:
        setup, rules = self.setup, self.rules
        if setup.phase is Phase.PASS:
            return self._passing(sheet)
        if setup.phase is Phase.EXPOSE:
            return self._exposing(sheet)
        if setup.phase is Phase.PLAY:
            state = self._played(setup, setup.deal_number, sheet, "")
            if not isinstance(state, Playing):
                self.fail("deal-is-over", "hands", "the deal is over: tell it in last_deal")
            return state
        last = setup.last_deal
        if last is None:
            if setup.phase is not Phase.DEAL:
                self.fail("no-last-deal", "last_deal", "tell the deal that has just been played")
            if setup.effect is not None:
                self.fail("no-last-deal", ("last_deal", "effect"), "effect is of the last deal: tell that deal too")
            if not setup.deal_number:
                return new_game(rules)
            return AwaitingDeal(rules, sheet.totals, setup.deal_number, sheet, None)
        number = setup.deal_number - (setup.phase is Phase.DEAL)
        end = self._played(last, number, sheet, "last_deal.")
        # Every card of its hands was played.
        assert not isinstance(end, (Playing, Passing, Exposing))
        if setup.phase is Phase.MOON:
            if not isinstance(end, ChoosingMoon):
                self.fail("no-choice", ("phase", "last_deal"), "nobody shot a moon that leaves a choice")
            return end
        return self._after(end, sheet)

    def _passing(self, sheet: ScoreSheet) -> Passing:
        setup, rules = self.setup, self.rules
        if not rules.step(setup.deal_number):
            self.fail("no-passing", "phase", f"deal {shown(setup.deal_number)} has no passing")
        state = self._dealt(setup, sheet, setup.hands, setup.deal_number, "")
        assert isinstance(state, Passing)
        if None not in (setup.passes or (None,)):
            self.fail("all-committed", "passes", "every seat has committed: the cards have moved, the phase is play")
        return self._committed(state, setup.passes, "")

    def _exposing(self, sheet: ScoreSheet) -> Exposing:
        setup, rules = self.setup, self.rules
        if not rules.exposable:
            message = "no card may be shown under these rules, so there is no phase expose: tell the deal in phase play"
            self.fail("no-exposure", "phase", message)
        state = self._settled(setup, setup.hands, setup.deal_number, sheet, "")
        assert isinstance(state, Exposing)
        if None not in (setup.exposures or (None,)):
            message = "every seat has decided what it shows, so the phase is play: tell in shown what was shown"
            self.fail("all-exposed", "exposures", message)
        return self._shown(state, setup.exposures, "exposures")

    def _shown(self, state: Exposing, exposures: Iterable[Expose | None], at: str) -> Exposing:
        """The state with what was shown, each of which must have been legal when its turn came."""
        told = list(exposures)
        players = self.rules.players
        now = state
        for place in range(players if told else 0):
            seat = (state.dealer + 1 + place) % players
            move = told[seat]
            if move is None:
                continue
            reasons = why_illegal(now, move)
            if reasons:
                where = (f"{at}[{seat}]",)
                self.note(Problem.of("illegal-exposure", where, seat=seat, cards=move.cards, reasons=reasons))
            commitments = (*now.commitments[:seat], move, *now.commitments[seat + 1 :])
            now = Exposing(now.start, now.hands, commitments)
        self.stop()
        return now

    def _after(self, end: State, sheet: ScoreSheet) -> State:
        """The state after a deal, and after its shooter's choice."""
        setup = self.setup
        told = setup.deal_scores[len(sheet)] if len(setup.deal_scores) > len(sheet) else None
        effect = setup.effect if told is None else told.effect
        row = f"deal_scores[{len(sheet)}]"
        if isinstance(end, ChoosingMoon):
            at = "effect" if told is None else f"{row}.effect"
            if effect not in (Moon.OTHERS_UP, Moon.SHOOTER_DOWN):
                self.fail(
                    "wrong-moon",
                    at,
                    f"seat {end.shooter} shot the moon: say whether it chose others-up or shooter-down",
                )
            end = apply(end, ChooseMoon(end.shooter, effect))
        actual = end.deal_scores[-1]
        if told is not None:
            self._compare_row(told, actual, row)
        if setup.effect is not None and setup.effect is not actual.effect:
            was = actual.effect or "none: there was no moon"
            self.add("contradiction", "effect", f"the effect of the last deal's moon was {was}")
        over = setup.phase is Phase.OVER
        if isinstance(end, GameOver) is not over:
            self.add("wrong-phase", "phase", f"after this deal {'the game goes on' if over else 'the game is over'}")
            self.stop()
        return end

    # ------------------------------------------------------------------------------------------- playing it again

    def _dealt(
        self, told: DealSetup, sheet: ScoreSheet, hands: tuple[Cards, ...], number: int, at: str
    ) -> Passing | Exposing | Playing:
        """The state after the deal of these hands."""
        move = self._deal_of(told, hands, at)
        state = apply(AwaitingDeal(self.rules, sheet.totals, number, sheet, None), move)
        assert isinstance(state, (Passing, Exposing, Playing))
        return state

    def _deal_of(self, told: DealSetup, hands: tuple[Cards, ...], at: str) -> Deal:
        """The deal of these hands and the kitty; refused if they are not a deal of the deck."""
        move = Deal(hands, _rest(self.rules, hands) if told.kitty is None else told.kitty)
        for problem in deal_problems(self.rules, move):
            fields = tuple([at + (name if name == "kitty" or told.hands else "tricks") for name in problem.fields])
            self.problems.append(attrs.evolve(problem, fields=fields))
        self.stop()
        return move

    def _committed(self, state: Passing, passes: Iterable[Pass | None], at: str) -> Passing:
        """The state with the passes that were committed, each of which must have been legal."""
        for seat, move in enumerate(passes):
            reasons = () if move is None else why_illegal(state, move)
            if reasons:
                self._illegal_pass(seat, reasons, at)
        self.stop()
        return state.replace(commitments=tuple(passes)) if passes else state

    def _illegal_pass(self, seat: Seat, reasons: tuple[Violation, ...], at: str) -> None:
        self.note(Problem.of("illegal-pass", (f"{at}passes[{seat}]",), "reasons", seat=seat, reasons=reasons))

    def _played(self, told: DealSetup, number: int, sheet: ScoreSheet, at: str) -> State:
        """What the plays of a deal lead to."""
        hands = self._hands_before(told, at)
        if told.middle is not None:
            return self._from_the_middle(told, hands, number, sheet, at)
        state = self._play_on(told, self._first_lead(told, hands, number, sheet, at), at)
        self._compare_deal(told, state, at)
        return state

    def _hands_before(self, told: DealSetup, at: str) -> tuple[Cards, ...]:
        """The hands before the first play that is told."""
        hands = [(hand.lo, hand.hi) for hand in told.hands] or [(0, 0)] * self.rules.players
        for plays in (*[trick.plays for trick in told.tricks], told.trick):
            for play in plays:
                lo, hi = hands[play.seat]
                if hi & play.bit:
                    self.fail(
                        "extra-cards",
                        at + ("hands" if told.hands else "tricks"),
                        f"seat {play.seat} holds or has played {play.card} for the third time: no deck does",
                    )
                hands[play.seat] = with_card(lo, hi, play.bit)
        return tuple([bag_of(lo, hi) for lo, hi in hands])

    def _first_lead(
        self, told: DealSetup, hands: tuple[Cards, ...], number: int, sheet: ScoreSheet, at: str
    ) -> Playing:
        """The position at the first lead of a deal; `hands` are those after the exchange."""
        state = self._settled(told, hands, number, sheet, at)
        if isinstance(state, Exposing):
            shown = told.shown or self.rules.tables.nothing
            moves = [Expose(seat, cards) for seat, cards in enumerate(shown)]
            return begin_play(self._shown(state, moves, f"{at}shown"))
        assert isinstance(state, Playing)
        return state

    def _settled(self, told: DealSetup, hands: tuple[Cards, ...], number: int, sheet: ScoreSheet, at: str) -> State:
        """The state after the exchange: cards may be shown, or the first trick is to be led."""
        rules = self.rules
        step = rules.step(number)
        if told.passes and not step:
            self.fail("no-passing", f"{at}passes", f"deal {shown(number)} has no passing: give no passes")
        if not step:
            state: State = self._dealt(told, sheet, hands, number, at)
        else:
            kitty = self._deal_of(told, hands, at).kitty
            if not told.passes:
                # What was passed is not known: the deal begins with the first lead.
                nothing = rules.tables.nothing
                start = DealStart(rules, sheet.totals, number, sheet, kitty, (), nothing, nothing, nothing)
                return begin_exposure(start, hands)
            state = self._exchanged(told, hands, kitty, number, sheet, at)
        return state

    def _exchanged(
        self, told: DealSetup, hands: tuple[Cards, ...], kitty: Cards, number: int, sheet: ScoreSheet, at: str
    ) -> State:
        """The state after the passes; every pass must have been legal from the hand that was dealt."""
        rules = self.rules
        passes = tuple([move for move in told.passes if move is not None])
        if len(passes) < rules.players:
            missing = told.passes.index(None)
            message = "the passed cards have moved, so every seat has committed a pass: tell each, or leave passes out"
            self.fail("missing-pass", f"{at}passes[{missing}]", message)
        # A hand of the whole deck could pass any cards of it, but not more or fewer of them.
        anything = (rules.deck,) * rules.players
        passing = Passing(rules, sheet.totals, number, sheet, anything, kitty, (None,) * rules.players)
        self._committed(passing, passes, at)
        dealt: list[Cards] = []
        wrong: dict[Seat, str] = {}
        try:
            passed, received = exchange(rules, number, passes)
        except ValueError:
            self.fail(
                "extra-cards", f"{at}passes", "a seat receives a card for the third time: no deck has it so often"
            )
        for seat, hand in enumerate(hands):
            got, gave = received[seat], passed[seat]
            kept = hand - got
            if not got <= hand:
                wrong[seat] = "elsewhere"
            elif kept.lo & gave.hi or kept.hi & gave.lo:
                wrong[seat] = "third-copy"
            else:
                dealt.append(kept + gave)
        for seat, detail in wrong.items():
            self.note(Problem.of("illegal-pass", (f"{at}passes[{seat}]",), detail, seat=seat))
        self.stop()
        state: State = passing.replace(hands=tuple(dealt))
        for seat, move in enumerate(passes):
            try:
                state = apply(state, move)
            except IllegalMove as error:
                self._illegal_pass(seat, error.violations, at)
        self.stop()
        return state

    def _from_the_middle(
        self, told: DealSetup, hands: tuple[Cards, ...], number: int, sheet: ScoreSheet, at: str
    ) -> State:
        """What the plays lead to from the middle on, in the first way to have broken hearts before that agrees."""
        assert told.middle is not None
        starts = in_the_middle(self.rules, sheet, number, hands, told, at, self.problems)
        self.stop()
        found: list[InvalidState] = []
        for start in starts:
            attempt = _Check(self.setup)
            try:
                state = attempt._play_on(told, start, at)
                attempt._compare_deal(told, state, at)
                if isinstance(state, Playing):
                    attempt._compare(state, ("hearts_broken",))
                attempt.stop()
            except InvalidState as error:
                found.append(error)
            else:
                return state
        raise min(found, key=lambda error: len(error.problems))

    def _play_on(self, told: DealSetup, start: Playing, at: str) -> State:
        """The state after the plays that are told."""
        state: State = start
        for number, trick in enumerate(told.tricks):
            for place, play in enumerate(trick.plays):
                try:
                    state = apply(state, play)
                except IllegalMove as error:
                    self._illegal(play, error, f"{at}tricks[{number}].plays[{place}]")
        for place, play in enumerate(told.trick):
            try:
                state = apply(state, play)
            except IllegalMove as error:
                self._illegal(play, error, f"{at}trick[{place}]")
        return state

    def _illegal(self, play: Play, error: IllegalMove, where: str) -> NoReturn:
        told = {"seat": play.seat, "card": play.card, "reasons": error.violations}
        self.note(Problem.of("illegal-play", (where,), **told))
        raise self._refusal()

    # ------------------------------------------------------------------------------------------- what was claimed

    def _compare_deal(self, told: DealSetup, state: State, at: str) -> None:
        """Compare what is claimed of a deal with what its plays lead to."""
        played = _played_deal(state)
        for number, (given, trick) in enumerate(zip(told.tricks, played.tricks)):  # noqa: B905
            where = f"{at}tricks[{number}]"
            if given.leader != trick.leader:
                self.add("wrong-trick", f"{where}.leader", f"the trick was led by seat {trick.leader}")
            if given.winner != trick.winner:
                self.add("wrong-trick", f"{where}.winner", f"the trick was won by {_seat(trick.winner)}")
        for name in _CLAIMS:
            self._compare_one(getattr(told, name), getattr(played, name), at + name)

    def _compare(self, state: State, names: Iterable[str]) -> None:
        for name in names:
            told = getattr(self.setup, name)
            if told is None:
                continue
            actual = getattr(state, name)
            if isinstance(told, DealScore):
                self._compare_row(told, actual, name)
            else:
                self._compare_one(told, actual, name)

    def _compare_row(self, told: DealScore, actual: DealScore, where: str) -> None:
        for name in DealScore.__match_args__:
            one, other = getattr(told, name), getattr(actual, name)
            if one != other:
                self.add("contradiction", f"{where}.{name}", f"{where}.{name} is not the result of the deal")

    def _compare_one(self, told: Any, actual: Any, where: str) -> None:
        if told is None or told == actual:
            return
        if isinstance(told, tuple) and len(told) == len(actual):
            for place, one in enumerate(told):
                if one != actual[place]:
                    self.add("contradiction", f"{where}[{place}]", f"{where}[{place}] is not what the rest leads to")
        else:
            self.add("contradiction", where, f"{where} is not what the rest leads to: correct it or leave it out")


def _seat(winner: Seat | None) -> str:
    return "nobody" if winner is None else f"seat {winner}"


def _played_deal(state: State) -> PlayedDeal:
    """The deal that was played."""
    if isinstance(state, Playing):
        return state.deal
    assert not isinstance(state, (Passing, Exposing))
    assert state.last_deal is not None
    return state.last_deal


def _rest(rules: Rules, hands: Iterable[Cards]) -> Cards:
    """The cards of the deck that are in no hand."""
    rest = rules.deck
    for hand in hands:
        rest -= hand
    return rest


@lru_cache(maxsize=4096)
def _row_problems(
    rules: Rules, row: DealScore, before: tuple[int, ...], deal_number: int, where: str
) -> tuple[Problem, ...]:
    """Kept for the rows looked at last: a server reads the same sheet again with every move."""
    return tuple(row_problems(rules, row, before, deal_number, where))


# -------------------------------------------------------------------------------------------------------- shapes


def _shape_problems(setup: Setup) -> Iterator[Problem]:
    """What is wrong with the parts of a setup one by one: what its phase does not have, counts, and seats."""
    own = _OF_PHASE[setup.phase]
    for name in _TOLD_SOMEWHERE:
        if name not in own and getattr(setup, name) != _DEFAULTS[name]:
            yield Problem(
                "not-in-phase",
                (name, "phase"),
                message=f"{name} is not told in phase {setup.phase.value}: leave it out",
            )
    last = MAX_DEALS - (setup.phase is not Phase.DEAL)
    for name in ("deal_number", "first"):
        number = getattr(setup, name)
        if not 0 <= number <= last:
            yield Problem(
                "out-of-range", (name,), message=f"{name} is {shown(number)}, but it must be from 0 to {last}"
            )
    most = _DEAL_POINTS * max(min(setup.first, MAX_DEALS), 1)
    for place, total in enumerate(setup.start or ()):
        if abs(total) > most:
            message = (
                f"start[{place}] is {shown(total)}, but after that many deals it is at most {most} on either side of 0"
            )
            yield Problem("out-of-range", (f"start[{place}]",), message=message)
    yield from _deal_shape(setup, setup.rules, "", setup.phase in (Phase.PASS, Phase.EXPOSE, Phase.PLAY))
    if setup.last_deal is not None:
        yield from _deal_shape(setup.last_deal, setup.rules, "last_deal.", False)
    for place, seat in enumerate(setup.winners or ()):
        yield from _seat_problems(seat, setup.rules, f"winners[{place}]")


def _deal_shape(told: DealSetup, rules: Rules, at: str, in_hand: bool) -> Iterator[Problem]:
    players = rules.players
    for name in _BY_SEAT:
        items = getattr(told, name, None)
        if items is not None and len(items) != players:
            yield wrong_count(at + name, len(items), players)
    if in_hand and len(told.hands) != players:
        yield wrong_count(f"{at}hands", len(told.hands), players)
    elif not in_hand and any(told.hands):
        yield Problem("deal-not-over", (f"{at}hands",), message="a seat still holds cards, so the deal is not over")
    elif told.hands and len(told.hands) != players:
        yield wrong_count(f"{at}hands", len(told.hands), players)
    if at and told.hearts_broken is not None:
        yield Problem(
            "not-in-phase",
            (f"{at}hearts_broken", "phase"),
            message="hearts_broken is told only of a deal in play: leave it out",
        )
    if told.passes and len(told.passes) != players:
        yield wrong_count(f"{at}passes", len(told.passes), players)
    else:
        for seat, move in enumerate(told.passes):
            if move is not None and move.seat != seat:
                yield Problem(
                    "wrong-seat", (f"{at}passes[{seat}]",), message=f"passes[{seat}] must be the pass of seat {seat}"
                )
    if told.shown and not rules.exposable:
        yield Problem("no-exposure", (f"{at}shown",), message="no card may be shown under these rules: leave shown out")
    elif told.shown and len(told.shown) != players:
        yield wrong_count(f"{at}shown", len(told.shown), players)
    if at and told.exposures:
        message = "exposures are told only while cards are shown: tell in shown what was shown"
        yield Problem("not-in-phase", (f"{at}exposures", "phase"), message=message)
    elif told.exposures and len(told.exposures) != players:
        yield wrong_count(f"{at}exposures", len(told.exposures), players)
    else:
        for seat, exposure in enumerate(told.exposures):
            if exposure is not None and exposure.seat != seat:
                message = f"exposures[{seat}] must be the exposure of seat {seat}"
                yield Problem("wrong-seat", (f"{at}exposures[{seat}]",), message=message)
    for name in _SEATS:
        claimed = getattr(told, name, None)
        if claimed is not None:
            yield from _seat_problems(claimed, rules, at + name)
    for number, trick in enumerate(told.tricks):
        yield from _trick_shape(trick, rules, f"{at}tricks[{number}]")
    if told.trick:
        if not in_hand:
            yield Problem("deal-not-over", (f"{at}trick",), message="a trick is not completed, so the deal is not over")
        for problem in trick_problems(rules, told.trick, "trick"):
            yield attrs.evolve(problem, fields=(f"{at}trick",))
        if len(told.trick) >= players:
            yield Problem(
                "complete-trick",
                (f"{at}trick",),
                message=f"trick has {len(told.trick)} plays, but at most {players - 1} fit before the last",
            )
    if told.middle is not None:
        yield from _middle_shape(told, rules, at)


def _trick_shape(trick: Trick, rules: Rules, at: str) -> Iterator[Problem]:
    if len(trick.plays) != rules.players:
        yield Problem(
            "wrong-count",
            (f"{at}.plays",),
            message=f"a completed trick has {rules.players} plays, not {len(trick.plays)}",
        )
    yield from _seat_problems(trick.leader, rules, f"{at}.leader")
    if trick.winner is not None:
        yield from _seat_problems(trick.winner, rules, f"{at}.winner")
    for place, play in enumerate(trick.plays[: rules.players]):
        yield from _seat_problems(play.seat, rules, f"{at}.plays[{place}]")


def _middle_shape(told: DealSetup, rules: Rules, at: str) -> Iterator[Problem]:
    middle = told.middle
    assert middle is not None
    for name in ("captured", "tricks_won"):
        items = getattr(middle, name)
        if items is not None and len(items) != rules.players:
            yield wrong_count(f"{at}middle.{name}", len(items), rules.players)
    for name in ("leader", "kitty_taker"):
        seat = getattr(middle, name)
        if seat is not None:
            yield from _seat_problems(seat, rules, f"{at}middle.{name}")
    if told.passes:
        yield Problem(
            "passes-without-history",
            (f"{at}passes", f"{at}middle"),
            message="passes can be checked only against the whole deal: give all its tricks, or leave the passes out",
        )
    if middle.kitty_taker is not None and told.kitty is None and rules.kitty_size:
        yield Problem(
            "no-kitty",
            (f"{at}kitty", f"{at}middle.kitty_taker"),
            message="the kitty was taken: say with kitty what it was",
        )


def _seat_problems(seat: Seat, rules: Rules, at: str) -> Iterator[Problem]:
    if not 0 <= seat < rules.players:
        yield Problem(
            "no-such-seat", (at,), message=f"{at} is {shown(seat)}, but the seats are 0 to {rules.players - 1}"
        )
