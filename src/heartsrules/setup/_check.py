"""The check of a setup, by replaying it and comparing all its attributes."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final, NoReturn

import attrs

from heartsrules.base.errors import MAX_PROBLEMS, InvalidState, Problem, is_plain
from heartsrules.base.values import replaced, wrong_type
from heartsrules.cards import NO_CARDS, Cards, all_of
from heartsrules.play.dealing import back_problems, deal_problems
from heartsrules.play.engine import apply, begin_deal, begin_exposure, begin_play, new_game, why_illegal
from heartsrules.play.exposing import reasons_against_exposure, rounds_to
from heartsrules.play.moves import ChooseMoon, Deal, Expose, Pass, Play
from heartsrules.play.passing import exchange
from heartsrules.play.phases import DEAL, DEAL_BACK, EXPOSE, MOON, OVER, PASS, PLAY, Phase
from heartsrules.play.public import DealStart, Trick, with_exposed
from heartsrules.play.scoring import game_winners, row_winners
from heartsrules.play.sheet import DealScore, ScoreSheet, first_sheet
from heartsrules.play.state import (
    AwaitingDeal,
    ChoosingMoon,
    DealtState,
    Exposing,
    GameOver,
    Passing,
    PlayedDeal,
    Playing,
    Secrets,
    State,
)
from heartsrules.play.taking_back import ThirdCopy, hands_before, plays_of_tricks
from heartsrules.play.tricks import trick_problems
from heartsrules.play.violations import IllegalMove, Violation
from heartsrules.rules import MAX_DEALS, Moon, Rules, Seat
from heartsrules.rules.arguments import seat_problems, wrong_count
from heartsrules.setup._middle import in_the_middle
from heartsrules.setup._value import DealSetup, Setup
from heartsrules.setup.replay import replayed
from heartsrules.setup.row_check import row_problems

_DEAL_POINTS: Final = 9_000_000_000
"""A bound on the change of a total in one deal."""

_OF_PHASE: Final = {
    Phase.DEAL: ("last_deal", "effect"),
    Phase.PASS: ("hands", "kitty", "passes"),
    Phase.DEAL_BACK: ("hands", "kitty", "passes"),
    Phase.EXPOSE: ("hands", "kitty", "passes", "dealt_back", "exposures", "exposed"),
    Phase.PLAY: (
        "hands", "kitty", "passes", "dealt_back", "exposed", "tricks", "trick", "resumed_from", "leader", "captured",
        "tricks_won", "trick_number", "set_aside", "kitty_winner", "hearts_broken", "turn",
    ),
    Phase.MOON: ("last_deal", "shooter", "others_up", "shooter_down"),
    Phase.OVER: ("last_deal", "effect", "winners"),
}  # fmt: skip
"""The attributes of a setup for each phase, besides the match and its score sheet."""
_OF_SOME_PHASE: Final = tuple(dict.fromkeys([name for names in _OF_PHASE.values() for name in names]))
_DEFAULTS: Final[dict[str, object]] = {field.name: field.default for field in attrs.fields(Setup)}
_NOT_OF_PHASE: Final = {
    phase: tuple([(name, _DEFAULTS[name]) for name in _OF_SOME_PHASE if name not in names])
    for phase, names in _OF_PHASE.items()
}
_NOT_OF_PLAY: Final = _NOT_OF_PHASE[PLAY]
"""The same for play, without the slow hash of an enum member."""
_CLAIMS: Final = ("leader", "captured", "tricks_won", "trick_number", "set_aside", "kitty_winner")
_BY_SEAT: Final = ("captured", "tricks_won", "scores", "start")
_SEATS: Final = ("turn", "leader", "kitty_winner", "shooter", "queen_taker")
_COMPARED: Final = (
    "has_full_history", "scores", "turn", "hearts_broken", "shooter", "others_up", "shooter_down", "winners",
)  # fmt: skip


def check(setup: Setup) -> State:
    """Return the state of a setup, or raise all its problems.

    The deal is replayed from its first lead, or from `resumed_from`, and every pass and play must be legal. The rows of
    the score sheet must meet the conditions of `heartsrules.setup.row_check`. For a `resumed_from`, piles must be whole
    tricks and the kitty where the rules require, but it does not check that legal play could have reached that point.

    Returns:
        The state. `check(Setup.of(state)) == state` for every state from the engine or from this function.

    Raises:
        InvalidState: the rules cannot lead there. It lists at most 100 `problems`. Their `fields` are positions in the
            setup, such as `passes[3]`, `last_deal.tricks[0].plays[2]` or `score_sheet[1].totals`.
    """
    if not isinstance(setup, Setup):
        wrong_type("setup", "a Setup", setup)
    return _Check(setup).state()


class _Check:
    """The check of one setup. Its methods collect problems, and `stop` raises them."""

    def __init__(self, setup: Setup) -> None:
        self.setup = setup
        self.rules = setup.rules
        self.problems: list[Problem] = []

    def note(self, problem: Problem) -> None:
        self.problems.append(problem)

    def stop(self) -> None:
        if self.problems:
            raise self._refusal()

    def fail(self, problem: Problem) -> NoReturn:
        self.note(problem)
        raise self._refusal()

    def _refusal(self) -> InvalidState:
        return InvalidState(tuple(dict.fromkeys(self.problems)))

    def state(self) -> State:
        self.problems += _shape_problems(self.setup)
        self.stop()
        state = self._of_phase(self._sheet())
        self._compare(state, _COMPARED)
        self.stop()
        return state

    # ------------------------------------------------------------------------------------------ the score sheet

    def _sheet(self) -> ScoreSheet:
        setup, rules = self.setup, self.rules
        # A dictionary is read faster than the attributes of `attrs` classes: here and below, by 4 % of a judgement.
        parts = vars(setup)
        phase, first, told = parts["phase"], parts["first"], parts["score_sheet"]
        first_deal = phase is PLAY and not (parts["deal_number"] or first or told)
        if first_deal and parts["start"] is None and parts["queen_taker"] is None:
            return first_sheet(rules.players)
        last = setup.last_deal is not None and phase is not MOON
        deals = setup.deal_number + (phase is OVER)
        before = deals - last
        missing = before - first - len(told)
        nothing = (0,) * rules.players
        given = setup.start
        start = nothing if given is None else given
        if before < 0:
            self.fail(Problem.of("out-of-range", ("deal_number", "last_deal"), "last-deal"))
        # The row of the last deal is optional, but a sheet cannot begin after it.
        if not (missing == 0 or (last and missing == -1 and told)):
            fields = ("score_sheet", "deal_number")
            if not told and given is None and first == 0 and setup.scores is None:
                self.fail(Problem.of("wrong-count", fields, "no-rows", deals=deals))
            rows_told = len(told)
            self.fail(Problem.of("wrong-count", fields, "rows", rows=rows_told, first=first, deals=before))
        if first and given is None:
            self.fail(Problem.of("no-start", ("start", "first"), "sheet", first=first))
        if not first and start != nothing:
            self.fail(Problem.of("wrong-scores", ("start", "first"), "start"))
        if first:
            self.problems += _over_problems(game_winners(rules._resolved, start, first), first, "start")
        if setup.queen_taker is not None:
            self._queen_taker_before()
        rows = told[: before - first]
        ends = deals if phase is OVER else 0
        self.problems += _sheet_problems(rules, first, start, rows, ends)
        self.stop()
        return ScoreSheet(start, first, rows, setup.queen_taker)

    def _queen_taker_before(self) -> None:
        if not self.setup.first:
            self.note(Problem.of("wrong-queen-taker", ("queen_taker", "first"), "first-deal"))
        if not self.rules._resolved.one_queen:
            self.note(Problem.of("wrong-queen-taker", ("queen_taker", "rules"), "rules"))

    # --------------------------------------------------------------------------------------------- the phases

    def _of_phase(self, sheet: ScoreSheet) -> State:
        setup, rules = self.setup, self.rules
        phase = setup.phase
        if phase is PASS or phase is DEAL_BACK:
            return self._passing(sheet)
        if phase is EXPOSE:
            return self._exposing(sheet)
        if phase is PLAY:
            state = self._played(setup, setup.deal_number, sheet, "")
            if not isinstance(state, Playing):
                self.fail(Problem.of("deal-is-over", ("hands",), "hands"))
            return state
        last = setup.last_deal
        if last is None:
            if setup.phase is not DEAL:
                self.fail(Problem.of("no-last-deal", ("last_deal",), "deal"))
            if setup.effect is not None:
                self.fail(Problem.of("no-last-deal", ("last_deal", "effect"), "effect"))
            if not setup.deal_number:
                return new_game(rules)
            return AwaitingDeal(rules, sheet, None)
        number = setup.deal_number - (setup.phase is DEAL)
        end = self._played(last, number, sheet, "last_deal.")
        # All its cards were played.
        assert not isinstance(end, DealtState)
        if setup.phase is MOON:
            if not isinstance(end, ChoosingMoon):
                self.fail(Problem.of("no-choice", ("phase", "last_deal")))
            return end
        return self._after(end, sheet)

    def _passing(self, sheet: ScoreSheet) -> State:
        setup, rules = self.setup, self.rules
        if not rules.pass_plan(setup.deal_number):
            self.fail(Problem.of("no-passing", ("phase",), "phase", deal=setup.deal_number))
        dealt = self._deal_of(setup, setup.hands, "")
        nobody = (None,) * rules.players
        state = self._passed(Passing(rules, sheet, dealt.hands, dealt.kitty, nobody), setup.passes, "")
        if state.phase is not setup.phase:
            self.fail(Problem.of("wrong-phase", ("phase", "passes"), "passes", given=setup.phase, phase=state.phase))
        return state

    def _exposing(self, sheet: ScoreSheet) -> Exposing:
        setup, rules = self.setup, self.rules
        if not rules.exposable:
            self.fail(Problem.of("no-exposure", ("phase",), "phase"))
        state = self._settled(setup, setup.hands, setup.deal_number, sheet, "")
        assert isinstance(state, Exposing)
        if None not in (setup.exposures or (None,)):
            self.fail(Problem.of("all-exposed", ("exposures",)))
        if rules._resolved.shows_in_rounds:
            return self._in_rounds(state)
        return self._shown(state, setup.exposures, "exposures")

    def _in_rounds(self, state: Exposing) -> Exposing:
        setup, rules = self.setup, self.rules
        exposed = setup.exposed or rules._resolved.nothing
        exposures = setup.exposures or state.commitments
        for seat, cards in enumerate(exposed):
            reasons = reasons_against_exposure(rules._resolved, cards, state.hands[seat], NO_CARDS)
            if reasons:
                where = (f"exposed[{seat}]",)
                self.note(Problem.of("illegal-exposure", where, seat=seat, cards=cards, reasons=reasons))
        self.stop()
        told = Exposing(with_exposed(state.start, exposed), state.secrets, state.hands, exposures)
        now: State = state
        for move in rounds_to(rules, state.dealer, exposed, [one is not None for one in exposures]):
            now = apply(now, Expose(*move))
        if now != told:
            self.fail(Problem.of("impossible-rounds", ("exposures", "exposed")))
        return told

    def _shown(self, state: Exposing, exposures: Iterable[Expose | None], at: str) -> Exposing:
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
            now = Exposing(now.start, now.secrets, now.hands, commitments)
        self.stop()
        return now

    def _after(self, end: State, sheet: ScoreSheet) -> State:
        setup = self.setup
        told = setup.score_sheet[len(sheet)] if len(setup.score_sheet) > len(sheet) else None
        effect = setup.effect if told is None else told.effect
        row = f"score_sheet[{len(sheet)}]"
        if isinstance(end, ChoosingMoon):
            at = "effect" if told is None else f"{row}.effect"
            if effect not in (Moon.OTHERS_UP, Moon.SHOOTER_DOWN):
                self.fail(Problem.of("wrong-moon", (at,), "not-chosen", seat=end.shooter))
            end = apply(end, ChooseMoon(end.shooter, effect))
        actual = end.score_sheet[-1]
        if told is not None:
            self._compare_row(told, actual, row)
        if setup.effect is not None:
            self._compare_one(setup.effect, actual.effect, "effect")
        ended = isinstance(end, GameOver)
        if ended is not (setup.phase is OVER):
            self.fail(Problem.of("wrong-phase", ("phase",), "deal", given=setup.phase, ended=ended))
        return end

    # ------------------------------------------------------------------------------------------- the replay

    def _dealt(
        self, told: DealSetup, sheet: ScoreSheet, hands: tuple[Cards, ...], at: str
    ) -> Passing | Exposing | Playing:
        move = self._deal_of(told, hands, at)
        return begin_deal(AwaitingDeal(self.rules, sheet, None), move)

    def _deal_of(self, told: DealSetup, hands: tuple[Cards, ...], at: str) -> Deal:
        move = Deal(hands, _rest(self.rules, hands) if told.kitty is None else told.kitty)
        for problem in deal_problems(self.rules, move):
            fields = tuple([at + (name if name == "kitty" or told.hands else "tricks") for name in problem.fields])
            self.problems.append(attrs.evolve(problem, fields=fields))
        self.stop()
        return move

    def _passed(self, state: State, passes: Iterable[Pass | None], at: str) -> State:
        for seat, move in enumerate(passes):
            if move is not None:
                try:
                    state = apply(state, move)
                except IllegalMove as error:
                    self._illegal_pass(seat, error.violations, at)
        self.stop()
        return state

    def _illegal_pass(self, seat: Seat, reasons: tuple[Violation, ...], at: str) -> None:
        self.note(Problem.of("illegal-pass", (f"{at}passes[{seat}]",), "reasons", seat=seat, reasons=reasons))

    def _played(self, told: DealSetup, number: int, sheet: ScoreSheet, at: str) -> State:
        hands = self._hands_before(told, at)
        if told.resumed_from is not None:
            return self._from_the_middle(told, hands, number, sheet, at)
        state = self._play_on(told, self._first_lead(told, hands, number, sheet, at), at)
        self._compare_deal(told, state, at)
        return state

    def _hands_before(self, told: DealSetup, at: str) -> tuple[Cards, ...]:
        hands: tuple[Cards, ...] = told.hands
        try:
            return hands_before(hands or self.rules._resolved.nothing, plays_of_tricks(told.tricks, told.trick))
        except ThirdCopy as error:
            play = error.play
            where = (at + ("hands" if hands else "tricks"),)
            params = {"seat": play.seat, "card": play.card, "decks": self.rules.decks}
            self.fail(Problem.of("extra-cards", where, "third-play", **params))

    def _first_lead(
        self, told: DealSetup, hands: tuple[Cards, ...], number: int, sheet: ScoreSheet, at: str
    ) -> Playing:
        state = self._settled(told, hands, number, sheet, at)
        if isinstance(state, Exposing):
            exposed = told.exposed or self.rules._resolved.nothing
            moves = [Expose(seat, cards) for seat, cards in enumerate(exposed)]
            return begin_play(self._shown(state, moves, f"{at}exposed"))
        assert isinstance(state, Playing)
        return state

    def _settled(self, told: DealSetup, hands: tuple[Cards, ...], number: int, sheet: ScoreSheet, at: str) -> State:
        rules = self.rules
        step = rules._resolved.sizes_of(number)
        if told.passes and not step:
            self.fail(Problem.of("no-passing", (f"{at}passes",), "passes", deal=number))
        if not step:
            state: State = self._dealt(told, sheet, hands, at)
        else:
            kitty = self._deal_of(told, hands, at).kitty
            if not told.passes:
                # The passes are unknown: the deal begins with the first lead.
                nothing = rules._resolved.nothing
                secrets = Secrets(kitty, (), nothing, nothing)
                return begin_exposure(DealStart(rules, sheet, (), nothing), secrets, hands)
            state = self._exchanged(told, hands, kitty, number, sheet, at)
        return state

    def _exchanged(
        self, told: DealSetup, hands: tuple[Cards, ...], kitty: Cards, number: int, sheet: ScoreSheet, at: str
    ) -> State:
        rules = self.rules
        passes = tuple([move for move in told.passes if move is not None])
        if len(passes) < rules.players:
            missing = told.passes.index(None)
            self.fail(Problem.of("missing-pass", (f"{at}passes[{missing}]",), seat=missing))
        # The counts are checked first, on hands of the whole deck.
        through = rules._resolved.through_middle(number)
        if through and not told.dealt_back:
            self.fail(Problem.of("wrong-deal-back", (f"{at}dealt_back",), "missing"))
        if told.dealt_back and not through:
            self.fail(Problem.of("wrong-deal-back", (f"{at}dealt_back",), "no-middle"))
        anything = (rules.deck,) * rules.players
        passing = Passing(rules, sheet, anything, kitty, (None,) * rules.players)
        for seat, move in enumerate(passes):
            reasons = why_illegal(passing, move)
            if reasons:
                self._illegal_pass(seat, reasons, at)
        self.stop()
        dealt: list[Cards] = []
        try:
            passed, received = exchange(rules, number, passes, told.dealt_back)
        except ValueError:
            self.fail(Problem.of("extra-cards", (f"{at}passes",), "third-gift"))
        if through:
            self._check_dealt_back(told, passed, at)
        for seat, hand in enumerate(hands):
            got, gave = received[seat], passed[seat]
            kept = hand - got
            where = (f"{at}passes[{seat}]",)
            if not got <= hand:
                at_back = (f"{at}dealt_back[{seat}]",)
                self.note(Problem.of("illegal-pass", at_back if through else where, "elsewhere", seat=seat))
            elif kept.lo & gave.hi or kept.hi & gave.lo:
                self.note(Problem.of("illegal-pass", where, "third-copy", seat=seat))
            else:
                dealt.append(kept + gave)
        self.stop()
        state = self._passed(replaced(passing, hands=tuple(dealt)), passes, at)
        return apply(state, Deal(told.dealt_back)) if through else state

    def _check_dealt_back(self, told: DealSetup, laid: tuple[Cards, ...], at: str) -> None:
        if all_of(laid) is None:
            self.fail(Problem.of("extra-cards", (f"{at}passes",), "third-gift"))
        for problem in back_problems(self.rules, laid, Deal(told.dealt_back)):
            fields = tuple([at + name.replace("hands", "dealt_back") for name in problem.fields])
            self.problems.append(attrs.evolve(problem, fields=fields))
        self.stop()

    def _from_the_middle(
        self, told: DealSetup, hands: tuple[Cards, ...], number: int, sheet: ScoreSheet, at: str
    ) -> State:
        """Return the state after the plays from `resumed_from`.

        It uses the first value of `hearts_broken` that matches.
        """
        assert told.resumed_from is not None
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
        plays = plays_of_tricks(told.tricks, told.trick)
        if not plays:
            return start
        state, made = replayed(start, plays)
        players: int = self.rules._resolved.players
        number, place = divmod(made, players)
        if number < len(told.tricks):
            self._illegal(state, told.tricks[number].plays[place], f"{at}tricks[{number}].plays[{place}]")
        place = made - players * len(told.tricks)
        if place < len(told.trick):
            self._illegal(state, told.trick[place], f"{at}trick[{place}]")
        return state

    def _illegal(self, state: State, play: Play, where: str) -> NoReturn:
        reasons = why_illegal(state, play)
        self.fail(Problem.of("illegal-play", (where,), seat=play.seat, card=play.card, reasons=reasons))

    # ------------------------------------------------------------------------------------------- the claims

    def _compare_deal(self, told: DealSetup, state: State, at: str) -> None:
        played = _played_deal(state)
        for number, trick in enumerate(played.tricks):
            given = told.tricks[number]
            if given.leader != trick.leader:
                where = f"{at}tricks[{number}].leader"
                self.note(Problem.at("wrong-trick", where, "leader", given=given.leader, seat=trick.leader))
            if given.winner != trick.winner:
                where = f"{at}tricks[{number}].winner"
                self.note(Problem.at("wrong-trick", where, "winner", given=given.winner, seat=trick.winner))
        claims = vars(told)
        for name in _CLAIMS:
            claim = claims[name]
            if claim is not None:
                self._compare_one(claim, getattr(played, name), at + name)

    def _compare(self, state: State, names: tuple[str, ...]) -> None:
        claims = vars(self.setup)
        for name in names:
            told = claims[name]
            if told is None:
                continue
            actual = getattr(state, name)
            if isinstance(told, DealScore):
                self._compare_row(told, actual, name)
            else:
                self._compare_one(told, actual, name)

    def _compare_row(self, told: DealScore, actual: DealScore, where: str) -> None:
        for name in DealScore.__match_args__:
            given, expected = getattr(told, name), getattr(actual, name)
            if given == expected:
                continue
            place = f"{where}.{name}"
            if is_plain(given) and is_plain(expected):
                values = {"given": given, "expected": expected}
                self.note(Problem.of("contradiction", (place,), "row-value", name=place, **values))
            else:
                self.note(Problem.of("contradiction", (place,), "row", name=place))

    def _compare_one(self, told: Any, actual: Any, where: str) -> None:
        if told == actual:
            return
        if isinstance(told, tuple) and len(told) == len(actual):
            for number, one in enumerate(told):
                if one == actual[number]:
                    continue
                place = f"{where}[{number}]"
                if is_plain(one):
                    values = {"given": one, "expected": actual[number]}
                    self.note(Problem.of("contradiction", (place,), "item-value", name=place, **values))
                else:
                    self.note(Problem.of("contradiction", (place,), "item", name=place))
        elif is_plain(told) and is_plain(actual):
            values = {"given": told, "expected": actual}
            self.note(Problem.of("contradiction", (where,), "part-value", name=where, **values))
        else:
            self.note(Problem.of("contradiction", (where,), "part", name=where))


def _played_deal(state: State) -> Playing | PlayedDeal:
    if isinstance(state, Playing):
        return state
    assert not isinstance(state, DealtState)
    assert state.last_deal is not None
    return state.last_deal


def _rest(rules: Rules, hands: Iterable[Cards]) -> Cards:
    rest = rules.deck
    for hand in hands:
        rest -= hand
    return rest


# A sheet is checked again with each move: a document with 100 rows is read in 0.3 ms, without this in 2 (compiled).
@lru_cache(maxsize=8)
def _sheet_problems(
    rules: Rules, first: int, start: tuple[int, ...], rows: tuple[DealScore, ...], ends: int
) -> tuple[Problem, ...]:
    problems: list[Problem] = []
    totals = start
    for number, row in enumerate(rows):
        where = f"score_sheet[{number}]"
        deal = first + number
        problems += row_problems(rules, row, totals, deal, where)
        if len(row.totals) != rules.players or len(problems) > MAX_PROBLEMS:
            break
        if deal + 1 != ends:
            problems += _over_problems(row_winners(rules._resolved, row, deal + 1), deal + 1, f"{where}.totals")
        totals = row.totals
    return tuple(problems)


def _over_problems(winners: tuple[Seat, ...] | None, deals: int, where: str) -> list[Problem]:
    return [] if winners is None else [Problem.of("game-is-over", (where,), deals=deals)]


# -------------------------------------------------------------------------------------------------------- shapes


def _shape_problems(setup: Setup) -> list[Problem]:
    problems: list[Problem] = []
    parts = vars(setup)
    rules: Rules = parts["rules"]
    phase: Phase = parts["phase"]
    if phase is EXPOSE and setup.exposed and not rules._resolved.shows_in_rounds:
        problems.append(Problem.of("not-in-phase", ("exposed", "phase"), "part", name="exposed", phase=phase))
    for name, default in _NOT_OF_PLAY if phase is PLAY else _NOT_OF_PHASE[phase]:
        told = parts[name]
        if told is not default and told != default:
            problems.append(Problem.of("not-in-phase", (name, "phase"), "part", name=name, phase=phase))
    last = MAX_DEALS - (phase is not DEAL)
    for name in ("deal_number", "first"):
        number: int = parts[name]
        if not 0 <= number <= last:
            problems.append(Problem.of("out-of-range", (name,), "deal", name=name, value=number, last=last))
    start: tuple[int, ...] | None = parts["start"]
    if start:
        most = _DEAL_POINTS * max(min(setup.first, MAX_DEALS), 1)
        for place, total in enumerate(start):
            if abs(total) > most:
                where = (f"start[{place}]",)
                problems.append(Problem.of("out-of-range", where, "start", place=place, total=total, most=most))
    problems += _deal_shape(setup, rules, "", phase is PLAY or phase in (PASS, DEAL_BACK, EXPOSE))
    if parts["last_deal"] is not None:
        problems += _deal_shape(parts["last_deal"], rules, "last_deal.", False)
    winners: tuple[Seat, ...] | None = parts["winners"]
    if winners:
        for place, seat in enumerate(winners):
            problems += seat_problems(f"winners[{place}]", seat, rules.players)
    return problems


def _deal_shape(told: DealSetup, rules: Rules, at: str, in_hand: bool) -> list[Problem]:
    players: int = rules._resolved.players
    problems: list[Problem] = []
    parts = vars(told)
    for name in _BY_SEAT:
        items = parts.get(name)
        if items is not None and len(items) != players:
            problems.append(wrong_count(at + name, len(items), players))
    hands: tuple[Cards, ...] = parts["hands"]
    if in_hand and len(hands) != players:
        problems.append(wrong_count(f"{at}hands", len(hands), players))
    elif not in_hand and any(hands):
        problems.append(Problem.of("deal-not-over", (f"{at}hands",), "hands"))
    elif hands and len(hands) != players:
        problems.append(wrong_count(f"{at}hands", len(hands), players))
    if at and parts["hearts_broken"] is not None:
        problems.append(Problem.of("not-in-phase", (f"{at}hearts_broken", "phase"), "hearts-broken"))
    passes: tuple[Pass | None, ...] = parts["passes"]
    if passes and len(passes) != players:
        problems.append(wrong_count(f"{at}passes", len(passes), players))
    else:
        for seat, move in enumerate(passes):
            if move is not None and move.seat != seat:
                problems.append(Problem.of("wrong-seat", (f"{at}passes[{seat}]",), "pass", seat=seat))
    dealt_back: tuple[Cards, ...] = parts["dealt_back"]
    if dealt_back and len(dealt_back) != players:
        problems.append(wrong_count(f"{at}dealt_back", len(dealt_back), players))
    elif dealt_back and not passes:
        problems.append(Problem.of("wrong-deal-back", (f"{at}dealt_back", f"{at}passes"), "no-passes"))
    exposed: tuple[Cards, ...] = parts["exposed"]
    if exposed and not rules._resolved.exposable:
        problems.append(Problem.of("no-exposure", (f"{at}exposed",), "exposed"))
    elif exposed and len(exposed) != players:
        problems.append(wrong_count(f"{at}exposed", len(exposed), players))
    exposures: tuple[Expose | None, ...] = parts["exposures"]
    if at and exposures:
        problems.append(Problem.of("not-in-phase", (f"{at}exposures", "phase"), "exposures"))
    elif exposures and len(exposures) != players:
        problems.append(wrong_count(f"{at}exposures", len(exposures), players))
    else:
        for seat, exposure in enumerate(exposures):
            if exposure is not None and exposure.seat != seat:
                problems.append(Problem.of("wrong-seat", (f"{at}exposures[{seat}]",), "exposure", seat=seat))
    for name in _SEATS:
        claimed = parts.get(name)
        if claimed is not None and not 0 <= claimed < players:
            problems += seat_problems(at + name, claimed, players)
    tricks: tuple[Trick, ...] = parts["tricks"]
    for number, completed in enumerate(tricks):
        if not _is_shaped(completed, players):
            problems += _trick_shape(completed, players, f"{at}tricks[{number}]")
    trick: tuple[Play, ...] = parts["trick"]
    if trick:
        if not in_hand:
            problems.append(Problem.of("deal-not-over", (f"{at}trick",), "trick"))
        for problem in trick_problems(rules, trick, "trick"):
            problems.append(attrs.evolve(problem, fields=(f"{at}trick",)))
        if len(trick) >= players:
            where = (f"{at}trick",)
            problems.append(Problem.of("complete-trick", where, "plays", count=len(trick), most=players - 1))
    if parts["resumed_from"] is not None:
        problems += _middle_shape(told, rules, at)
    return problems


def _is_shaped(trick: Trick, players: int) -> bool:
    winner = trick.winner
    if len(trick.plays) != players or not 0 <= trick.leader < players:
        return False
    if winner is not None and not 0 <= winner < players:
        return False
    return all(0 <= play.seat < players for play in trick.plays)


def _trick_shape(trick: Trick, players: int, at: str) -> list[Problem]:
    problems: list[Problem] = []
    if len(trick.plays) != players:
        count = len(trick.plays)
        problems.append(Problem.of("wrong-count", (f"{at}.plays",), "trick", players=players, count=count))
    problems += seat_problems(f"{at}.leader", trick.leader, players)
    if trick.winner is not None:
        problems += seat_problems(f"{at}.winner", trick.winner, players)
    for place, play in enumerate(trick.plays[:players]):
        problems += seat_problems(f"{at}.plays[{place}]", play.seat, players)
    return problems


def _middle_shape(told: DealSetup, rules: Rules, at: str) -> list[Problem]:
    middle = told.resumed_from
    assert middle is not None
    problems: list[Problem] = []
    for name in ("captured", "tricks_won"):
        items = getattr(middle, name)
        if items is not None and len(items) != rules.players:
            problems.append(wrong_count(f"{at}resumed_from.{name}", len(items), rules.players))
    for name in ("leader", "kitty_winner"):
        seat = getattr(middle, name)
        if seat is not None:
            problems += seat_problems(f"{at}resumed_from.{name}", seat, rules.players)
    if told.passes:
        problems.append(Problem.of("passes-without-history", (f"{at}passes", f"{at}resumed_from")))
    if middle.kitty_winner is not None and told.kitty is None and rules.kitty_size:
        problems.append(Problem.of("no-kitty", (f"{at}kitty", f"{at}resumed_from.kitty_winner")))
    return problems
