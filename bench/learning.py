"""The speed of the learning environments, compared with those of OpenSpiel, pgx and JaxMARL.

Every side plays at random among the legal actions; a step is one action of one seat. All sides take turns in one
process, and times are processor time. OpenSpiel's game is Hearts too. pgx and JaxMARL, which are measured where they
are installed, have no Hearts: their nearest games of tiles and cards stand beside it, Sparrow Mahjong and Hanabi.

    pip install 'heartsrules[vector,pettingzoo,openspiel]'   # and, if you like, pgx and jaxmarl
    taskset --cpu-list 0 python bench/learning.py --rounds 15
"""

from __future__ import annotations

import argparse
import random
import statistics
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

import numpy as np
import pyspiel
from measuring import measure, ratios, timed
from open_spiel.python import rl_environment
from open_spiel.python.observation import make_observation

import heartsrules
from heartsrules import presets
from heartsrules.bridges.pettingzoo import raw_env
from heartsrules.bridges.vector import HeartsVectorEnv, unpack
from heartsrules.chance import RandomStream

Play = Callable[[], int]
"""A function that plays for a while, and returns the number of steps."""


def our_tables(tables: int, steps: int, *, unpacked: bool) -> Play:
    """Run the vector environment: words written to one array, and optionally unpacked to another."""
    rules = presets.microsoft()
    env, stream = HeartsVectorEnv(tables, rules), RandomStream(1)
    words, _ = env.reset(seed=1)
    numbers = np.empty((tables, unpack(rules, words[:1]).shape[1]), np.float32)

    def play() -> int:
        for _ in range(steps):
            env.step(env.draw(stream), out=words)
            if unpacked:
                unpack(rules, words, numbers)
        return tables * steps

    return play


def our_table(steps: int) -> Play:
    """Run PettingZoo's loop on the bare environment: `last`, a random legal action, `step`."""
    table, draw = raw_env(presets.microsoft()), random.Random(1).random

    def play() -> int:
        table.reset(seed=1)
        taken = seed = 1
        while taken < steps:
            _, _, terminated, truncated, info = table.last()
            if terminated or truncated:
                seed += 1
                table.reset(seed=seed)
                continue
            legal = info["action_mask"].nonzero()[0]
            table.step(int(legal[int(draw() * len(legal))]))
            taken += 1
        return taken

    return play


def peer_environment(steps: int) -> Play:
    """Run OpenSpiel's learning environment in Python, which provides information states."""
    env, draw = rl_environment.Environment("hearts"), random.Random(1).random
    np.random.seed(1)

    def play() -> int:
        seen, taken = env.reset(), 0
        while taken < steps:
            if seen.last():
                seen = env.reset()
            player = seen.observations["current_player"]
            legal = seen.observations["legal_actions"][player]
            seen = env.step([legal[int(draw() * len(legal))]])
            taken += 1
        return taken

    return play


def peer_states(steps: int) -> Play:
    """Run OpenSpiel's states in place, in C++; the actor's information state is written to a reused array."""
    game, draw = pyspiel.load_game("hearts"), random.Random(1).random
    observer = make_observation(game, pyspiel.IIGObservationType(perfect_recall=True))

    def play() -> int:
        state, taken = game.new_initial_state(), 0
        while taken < steps:
            if state.is_terminal():
                state = game.new_initial_state()
            legal = state.legal_actions()
            chance = state.is_chance_node()
            if not chance:
                observer.set_from(state, state.current_player())
                taken += 1
            # Chance draws the direction of the pass, then card by card.
            state.apply_action(legal[int(draw() * len(legal))])
        return taken

    return play


def pgx_tables(name: str, tables: int, steps: int) -> Play:
    """Run a game of pgx, compiled by JAX, with auto-reset and the observation of the actor."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(name)
    begin, step = jax.jit(jax.vmap(env.init)), jax.vmap(auto_reset(env.step, env.init))

    def one(state: Any, key: Any) -> tuple[Any, Any]:
        key, drawn, shuffled = jax.random.split(key, 3)
        logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
        actions = jax.random.categorical(drawn, logits, axis=-1)
        return step(state, actions, jax.random.split(shuffled, tables)), key

    step_all = jax.jit(one)
    now = [begin(jax.random.split(jax.random.PRNGKey(1), tables)), jax.random.PRNGKey(2)]

    def play() -> int:
        for _ in range(steps):
            now[:] = step_all(*now)
        now[0].observation.block_until_ready()
        return tables * steps

    return play


def hanabi_tables(tables: int, steps: int) -> Play:
    """Run Hanabi of JaxMARL, compiled by JAX, with auto-reset; of two players, one acts at each step."""
    import jax
    import jax.numpy as jnp
    import jaxmarl

    env = jaxmarl.make("hanabi")

    def one(seen: Any, state: Any, key: Any) -> tuple[Any, Any, Any]:
        key, drawn, played = jax.random.split(key, 3)
        legal = jax.vmap(env.get_legal_moves)(state)
        actions = {
            agent: jax.random.categorical(jax.random.fold_in(drawn, number), jnp.log(legal[agent].astype(jnp.float32)))
            for number, agent in enumerate(env.agents)
        }
        seen, state, _, _, _ = jax.vmap(env.step)(jax.random.split(played, tables), state, actions)
        return seen, state, key

    step_all = jax.jit(one)
    now = [*jax.jit(jax.vmap(env.reset))(jax.random.split(jax.random.PRNGKey(1), tables)), jax.random.PRNGKey(2)]

    def play() -> int:
        for _ in range(steps):
            now[:] = step_all(*now)
        jax.block_until_ready(now[0])
        return tables * steps

    return play


def main() -> None:
    """Run all environments in turns, and print steps per second and ratios."""
    parser = argparse.ArgumentParser(description="The speed of the environments for programs that learn.")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--tables", type=int, default=1024, help="how many tables at once")
    parser.add_argument("--steps", type=int, default=64, help="how long each side plays in a round")
    given = parser.parse_args()
    tables, steps = given.tables, given.steps
    sides = {
        "vector, words": our_tables(tables, steps, unpacked=False),
        "vector, unpacked": our_tables(tables, steps, unpacked=True),
        "PettingZoo, raw": our_table(64 * steps),
        "OpenSpiel, rl_environment": peer_environment(5 * steps),
        "OpenSpiel, states and observer": peer_states(300 * steps),
    }
    if find_spec("pgx"):
        sides["pgx, Sparrow Mahjong"] = pgx_tables("sparrow_mahjong", tables, steps)
    if find_spec("jaxmarl"):
        sides["JaxMARL, Hanabi"] = hanabi_tables(tables, steps)
    build = "compiled" if heartsrules.COMPILED else "interpreted"
    installed = [f"{name} {version(name)}" for name in ("numpy", "open_spiel", "pgx", "jaxmarl") if find_spec(name)]
    print(f"heartsrules {heartsrules.__version__} ({build}), {', '.join(installed)}; {tables} tables")

    def work(play: Play) -> Callable[[], float]:
        return lambda: timed(play)

    times = measure({name: work(play) for name, play in sides.items()}, given.rounds)
    print("steps a second: median (10th to 90th percentile), and beside OpenSpiel's states in the same round")
    for name, values in times.items():
        speeds = [1e6 / value for value in values]
        deciles = statistics.quantiles(speeds, n=10) if len(speeds) > 1 else speeds * 9
        beside = statistics.median(ratios(times, "OpenSpiel, states and observer", name))
        middle = statistics.median(speeds)
        print(f"  {name:30} {middle:12,.0f} ({deciles[0]:,.0f} to {deciles[-1]:,.0f})   x {beside:,.1f}")


if __name__ == "__main__":
    main()
