"""The engine and the naive model in lockstep: every move is made in both, and everything is compared after it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random

from heartsrules import (
    AwaitingDeal,
    Cards,
    ChooseMoon,
    ChoosingMoon,
    Deal,
    DealingBack,
    DealScore,
    Expose,
    Exposing,
    GameOver,
    Move,
    Pass,
    Passing,
    Play,
    PlayedDeal,
    Playing,
    Rules,
    State,
    apply,
    display_score,
    legal_moves,
    new_game,
    standings,
    to_act,
)
from heartsrules.rules import Exposure, Moon
from support.naive import Model, in_order, places, shown_total
from support.naive import Move as ModelMove
from support.strategies import choose, random_table

FEW: int = 200
"""Up to so many passes are compared one by one; of more, some are drawn."""

Text = list[str]

PHASES = {
    AwaitingDeal: "deal",
    Passing: "pass",
    DealingBack: "pass",
    Exposing: "expose",
    Playing: "play",
    ChoosingMoon: "moon",
    GameOver: "over",
}


class Disagreement(AssertionError):
    """The engine and the model differ, or one of them failed; the message holds all that is needed to repeat it."""


def names(cards: Iterable[object]) -> Text:
    """Cards as the model writes them."""
    return [str(card) for card in cards]


def to_model(move: Move) -> ModelMove:
    """A move of a seat as the model writes it."""
    match move:
        case Pass(seat, gifts):
            return ("pass", seat, tuple(tuple(names(gift)) for gift in gifts))
        case Expose(seat, cards):
            return ("expose", seat, tuple(names(cards)))
        case Play(seat, card):
            return ("play", seat, str(card))
        case ChooseMoon(seat, effect):
            return ("moon", seat, effect.name)
    raise TypeError(f"{move!r} is not a move of a seat")


def make_in_model(model: Model, move: Move) -> None:
    """Make a move in the model, in place."""
    if not isinstance(move, Deal):
        model.apply(to_model(move))
    elif model.phase == "pass":
        model.deal_back([names(hand) for hand in move.hands])
    else:
        model.deal([names(hand) for hand in move.hands], names(move.kitty))


def plain(value: object) -> object:
    """A part of a state as the model writes it."""
    if isinstance(value, Cards):
        return names(value)
    if isinstance(value, tuple):
        return list(map(plain, value))
    return value.name if isinstance(value, Moon) else value


def row_of(score: DealScore) -> dict[str, object]:
    """A row of the score sheet as the model writes it."""
    return {name: plain(getattr(score, name)) for name in DealScore.__match_args__}


def _alike(part: object, model: Model, *parts: str) -> Iterator[tuple[str, object, object]]:
    """The parts that have the same name in both."""
    for name in parts:
        yield name, plain(getattr(part, name)), getattr(model, name)


def known_of(state: State, model: Model) -> Iterator[tuple[str, object, object]]:
    """Everything that both know, by name, as the model writes it."""
    yield "phase", PHASES[type(state)], model.phase
    yield "to_act", set(to_act(state)), model.to_act()
    yield from _alike(state, model, "scores", "deal_number", "dealer")
    yield "score_sheet", [row_of(score) for score in state.score_sheet], model.score_sheet
    match state:
        case Passing() | DealingBack():
            yield from _alike(state, model, "hands", "kitty")
            yield (
                "commitments",
                {move.seat: to_model(move)[2] for move in state.commitments if move is not None},
                model.committed,
            )
        case Exposing():
            yield from _alike(state, model, "hands", "kitty")
            yield (
                "exposed",
                {move.seat: to_model(move)[2] for move in state.commitments if move is not None},
                {seat: model.exposed[seat] for seat in model.decided},
            )
            if state.rules.exposure is not Exposure.TOGETHER:
                yield "lying open", plain(state.face_up), model.shown()
        case Playing():
            yield from _alike(state, model, "hands", "leader", "hearts_broken")
            yield "seat", state.turn, model.seat
            yield "trick", [(play.seat, str(play.card)) for play in state.trick], model.trick
            yield from _played_deal(state, model)
        case ChoosingMoon():
            yield from _alike(state, model, "shooter")
            for score, effect in ((state.others_up, "OTHERS_UP"), (state.shooter_down, "SHOOTER_DOWN")):
                yield effect, (list(score.points), score.sun), (model.row_with(effect), model.is_sun())
            yield from _played_deal(state.last_deal, model)
        case AwaitingDeal() | GameOver():
            winners = list(state.winners) if isinstance(state, GameOver) else []
            yield "winners", winners, model.winners
            found = [(side.place, list(side.seats)) for side in standings(state.rules, state.scores)]
            yield "places", found, places(state.rules, model.scores)
            shown = [display_score(state.rules, total) for total in state.scores]
            yield "shown totals", shown, [shown_total(state.rules, total) for total in model.scores]
            if state.last_deal is not None:
                yield from _played_deal(state.last_deal, model)


def _played_deal(played: Playing | PlayedDeal, model: Model) -> Iterator[tuple[str, object, object]]:
    tricks = [
        (trick.leader, [(play.seat, str(play.card)) for play in trick.plays], trick.winner) for trick in played.tricks
    ]
    yield "tricks", tricks, model.tricks
    yield "trick_number", played.trick_number, len(model.tricks)
    yield "tricks_won", list(played.tricks_won), model.tricks_won()
    yield from _alike(played, model, "captured", "set_aside", "kitty", "kitty_winner", "passed", "received")
    yield "exposed", plain(played.exposed), model.shown()


def report(rules: Rules, moves: Iterable[Move], *differences: str) -> str:
    """The message of a disagreement: the game as Python, and what differs."""
    played = [f"    {move!r}," for move in moves]
    return "\n".join([f"rules = {rules!r}", "moves = [", *played, "]", *differences])


class Lockstep:
    """One game, played by both."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.state: State = new_game(rules)
        self.model = Model(rules)
        self.moves: list[Move] = []
        self._rng = Random(0)
        self._compare()

    def make(self, move: Move) -> State:
        """Make a legal move in both, compare everything, and return the engine's state.

        Raises:
            Disagreement: they differ, or one of them raised an error.
        """
        self.moves.append(move)
        try:
            self.state = apply(self.state, move)
            make_in_model(self.model, move)
        except Exception as error:
            raise Disagreement(report(self.rules, self.moves, f"the last move failed: {error!r}")) from error
        self._compare()
        return self.state

    def _compare(self) -> None:
        differences = [
            f"{name}: the engine has {engine!r}, the model {model!r}"
            for name, engine, model in known_of(self.state, self.model)
            if engine != model
        ]
        if not differences:
            differences = list(self._different_moves())
        if differences:
            raise Disagreement(report(self.rules, self.moves, *differences))

    def _different_moves(self) -> Iterator[str]:
        if isinstance(self.state, Passing):
            for seat in sorted(to_act(self.state)):
                yield from self._different_passes(self.state, seat)
        elif isinstance(self.state, Exposing):
            for seat in sorted(to_act(self.state)):
                engine = [to_model(move) for move in legal_moves(self.state, seat)]
                model = [move for move in self.model.legal_moves() if move[1] == seat]
                if sorted(engine) != sorted(model):
                    yield f"exposures of seat {seat}: the engine has {engine}, the model {model}"
        elif not isinstance(self.state, (AwaitingDeal, DealingBack)):
            engine = [to_model(move) for move in legal_moves(self.state)]
            model = self.model.legal_moves()
            if engine != model:
                yield f"legal moves: the engine has {engine}, the model {model}"

    def _different_passes(self, state: Passing, seat: int) -> Iterator[str]:
        passes = legal_moves(state, seat)
        if len(passes) <= FEW:
            engine = [to_model(move)[2] for move in passes]
            model = self.model.legal_passes(seat)
            if len(engine) != len(model) or set(engine) != model:
                yield f"passes of seat {seat}: the engine has {engine}, the model {sorted(model)}"
            return
        # Too many to list: what the engine offers must be a pass, and passes made at random must be on offer.
        for index in {0, len(passes) - 1, *(self._rng.randrange(len(passes)) for _ in range(8))}:
            if not self._is_pass(seat, to_model(passes[index])[2]):
                yield f"the engine lets seat {seat} pass {passes[index]!r}"
        barred = names(self.rules.unpassable)
        for _ in range(8):
            pack = [card for card in self.model.hands[seat] if card not in barred]
            self._rng.shuffle(pack)
            gifts: list[Cards] = []
            if self.model.any_number():
                pack = pack[: self._rng.randint(0, len(pack))]
                gifts += [Cards(" ".join(pack))] if pack else []
            else:
                for _, count in self.model.pass_plan():
                    gifts.append(Cards(" ".join(pack[:count])))
                    del pack[:count]
            if Pass(seat, *tuple(gifts)) not in passes:
                yield f"the engine does not let seat {seat} pass {gifts!r}"

    def _is_pass(self, seat: int, gifts: tuple[tuple[str, ...], ...]) -> bool:
        any_number = self.model.any_number()
        if not gifts:
            return any_number or bool(self.rules.pass_optional.name != "NO")
        hand = list(self.model.hands[seat])
        barred = names(self.rules.unpassable)
        for card in [card for gift in gifts for card in gift]:
            if card not in hand or card in barred:
                return False
            hand.remove(card)
        sizes = [len(gift) for gift in gifts]
        fitting = (
            len(sizes) == 1 and sizes[0] > 0 if any_number else sizes == [count for _, count in self.model.pass_plan()]
        )
        return fitting and all(list(gift) == in_order(list(gift)) for gift in gifts)


def play_in_lockstep(rules: Rules, rng: Random, max_deals: int) -> Lockstep:
    """Play a match of aimed deals and policies in both, to its end or a limit of deals.

    Raises:
        Disagreement: at the first move after which they differ.
    """
    game = Lockstep(rules)
    table = random_table(rng, rules)
    while not isinstance(game.state, GameOver):
        if isinstance(game.state, AwaitingDeal):
            if game.state.deal_number == max_deals:
                break
            table = random_table(rng, rules)
        game.make(choose(game.state, table, rng))
    return game


__all__ = ["PHASES", "Disagreement", "Lockstep", "known_of", "make_in_model", "play_in_lockstep", "to_model"]
