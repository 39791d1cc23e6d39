"""Deals and matches between bots."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import Final, TypeAlias

from heartsrules.base.errors import in_words
from heartsrules.base.values import checked_count, type_phrase
from heartsrules.bots.interface import Bot, Preparing
from heartsrules.chance import Bits, RandomStream
from heartsrules.chance.bits import checked_bits, seed_text
from heartsrules.play.dealing import deal
from heartsrules.play.engine import apply, new_game, to_act
from heartsrules.play.moves import Deal, Move
from heartsrules.play.state import AwaitingDeal, ChoosingMoon, DealingBack, DealtState, GameOver, Playing, State
from heartsrules.rules import Rules
from heartsrules.simulation.limits import MAX_DEALS_PER_GAME
from heartsrules.views import view

_InDeal: TypeAlias = DealtState | ChoosingMoon

Watch: TypeAlias = Callable[[State, Move], object]
"""A function called with each state and the move about to be made."""


def play_deal(
    state: DealtState | ChoosingMoon,
    bots: Sequence[Bot],
    rngs: Sequence[Bits],
    *,
    watch: Watch | None = None,
    seed: str | int | None = None,
) -> AwaitingDeal | GameOver:
    """Let bots play to the end of a deal, each with only its view and its random bits.

    Args:
        state: a state after the cards are dealt.
        bots: a bot for each seat.
        rngs: a source of random bits for each seat.
        watch: a function called with each state and the bot's move in it.
        seed: the seed for dealing back a pile. Defaults to a secret seed.

    Raises:
        IllegalMove: a bot has chosen an illegal move.
        ValueError: a bot has made another seat's move, or there is not one bot and one `rng` for each seat.
        TypeError: an argument has the wrong type, or a bot has not returned a move.
    """
    for rng in rngs:
        checked_bits(rng, "each of rngs")
    players = state.rules.players
    if len(bots) != players or len(rngs) != players:
        raise ValueError(f"{players} players need {players} bots and rngs, not {len(bots)} and {len(rngs)}")
    if seed is not None:
        seed_text(seed)
    now: State = state
    while isinstance(now, _InDeal):
        if isinstance(now, DealingBack):
            now = apply(now, deal(now, seed=seed))
            continue
        seat = now.turn if isinstance(now, Playing) else min(to_act(now))
        move = bots[seat](view(now, seat), rngs[seat])
        if not isinstance(move, Move):
            raise TypeError(f"the bot of seat {seat} must return a move, not {type_phrase(move)}")
        if isinstance(move, Deal) or move.seat != seat:
            raise ValueError(f"the bot of seat {seat} may not make this move: {in_words(move)}")
        if watch is not None:
            watch(now, move)
        now = apply(now, move)
    return now


def play_match(
    rules: Rules,
    bots: Sequence[Bot],
    *,
    seed: str | int | None = None,
    deals: int | None = None,
    after_deal: Callable[[AwaitingDeal | GameOver], object] | None = None,
) -> AwaitingDeal | GameOver:
    """Let bots play a match from the first deal.

    The cards and each bot's random bits depend only on `seed`. Their seeds are derived separately, so a stream reveals
    nothing about the cards. A bot that guesses the seed knows every card: use a known seed only with bots you trust.

    >>> from heartsrules import presets
    >>> from heartsrules.bots import heuristic, uniform
    >>> play_match(presets.cardstock(), [heuristic, uniform, uniform, uniform], seed=7).winners
    (0,)

    Args:
        rules: the rule set.
        bots: a bot for each seat.
        seed: a text, or an int for its decimal text. Defaults to 128 secret random bits.
        deals: the limit on deals. Defaults to `MAX_DEALS_PER_GAME`.
        after_deal: a function called with the state after each deal; `last_deal` is the deal played.

    Returns:
        The end of the match, or an `AwaitingDeal` at the limit.

    Raises:
        IllegalMove, TypeError: as in `play_deal`.
        ValueError: a bot has made another seat's move, there is not one bot for each seat, `deals` is too low, or
            `seed` contains a lone surrogate or more than 600 digits.
    """
    limit = MAX_DEALS_PER_GAME if deals is None else deals
    checked_count("deals", limit)
    seated = Seated(rules, bots, own_seed(seed))
    state = new_game(rules)
    assert isinstance(state, (AwaitingDeal, GameOver))
    for _ in range(limit):
        if isinstance(state, GameOver):
            break
        state = seated.play(state)
        if after_deal is not None:
            after_deal(state)
    return state


class Seated:
    """A match's bots and their random streams.

    The constructor calls `begin` for bots that prepare.
    """

    def __init__(self, rules: Rules, bots: Sequence[Bot], seed: str) -> None:
        self._bots: Final = bots
        self._cards: Final = derived_seed(seed, "cards")
        self._rngs: Final = [RandomStream(derived_seed(seed, f"bot {seat}")) for seat in range(rules.players)]
        for seat, bot in enumerate(bots):
            if isinstance(bot, Preparing):
                bot.begin(rules, seat)

    def play(self, start: AwaitingDeal, watch: Watch | None = None) -> AwaitingDeal | GameOver:
        """Deal and play the next deal."""
        dealt = apply(start, deal(start, seed=self._cards))
        assert isinstance(dealt, DealtState)
        return play_deal(dealt, self._bots, self._rngs, watch=watch, seed=self._cards)


def own_seed(seed: object) -> str:
    """Return the text of a seed, or for None of a new secret one."""
    return secrets.token_hex(16) if seed is None else seed_text(seed)


def derived_seed(seed: str, purpose: str) -> str:
    """Derive a seed for one purpose.

    It reveals neither the original seed nor those for other purposes.
    """
    return sha256(f"heartsrules 1\nmatch {purpose}\n{seed}".encode()).hexdigest()
