"""Train a player by self-play with PPO, on one deal at a time, and measure it.

    pip install 'heartsrules[vector,pettingzoo,train]'
    python ppo.py --minutes 10 --save player.pt --curve curve.json

One network plays all seats: it sees the unpacked observation of the seat to act and chooses among the actions allowed.
A seat's gain, known after the deal, is the table's mean points minus its own. Code above `judge` needs only NumPy.
"""

# pyright: reportMissingImports=false
from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heartsrules import Rules
from heartsrules.bridges.vector import ACTIONS, HeartsVectorEnv, unpack, unpack_masks, word_layout
from heartsrules.chance import RandomStream

RULES = Rules(target=None, max_deals=1, tie="shared")
"""One deal of the usual game: three cards to the left, then thirteen tricks."""
STEPS = 4 * 3 + 52
"""The number of actions in every deal, so all tables end together."""
PAR = 26 / 4
"""A seat's average points."""

Floats = NDArray[np.float32]
Choose = Callable[[NDArray[np.int64]], tuple[NDArray[np.int64], Floats, Floats]]
"""A function from rows of words to actions, log probabilities, and the seats' expected gains."""


class Deals(NamedTuple):
    """The observations and actions of a deal at each table, as matrices with a row per step and a column per table."""

    words: NDArray[np.int64]
    actions: NDArray[np.int64]
    logs: Floats
    advantages: Floats
    returns: Floats


def collect(env: HeartsVectorEnv, choose: Choose, decay: float = 0.95) -> Deals:
    """Play one deal at every table."""
    tables, width = env.num_envs, word_layout(RULES)["totals"].stop
    words = np.empty((STEPS + 1, tables, width), np.int64)
    actions, seats = np.empty((2, STEPS, tables), np.int64)
    logs, values = np.empty((2, STEPS, tables), np.float32)
    _, infos = env.reset(out=words[0])
    for step in range(STEPS):
        seats[step] = infos["seat"]
        actions[step], logs[step], values[step] = choose(words[step])
        *_, infos = env.step(actions[step], out=words[step + 1])
    advantages = prospects(seats, values, infos["rewards"] / 13, decay)
    return Deals(words[:-1], actions, logs, advantages, advantages + values)


def prospects(seats: NDArray[np.int64], values: Floats, gained: NDArray[Any], decay: float) -> Floats:
    """Return each action's advantage over its seat's expectation (generalised advantage estimation).

    `seats` and `values` have the seat and its expectation by step and table, and `gained` the gains by table and seat.
    """
    rows = np.arange(seats.shape[1])
    following, carried = gained.copy(), np.zeros(gained.shape)
    advantages = np.empty(values.shape, np.float32)
    for step in reversed(range(len(seats))):
        seat = seats[step]
        carried[rows, seat] = following[rows, seat] - values[step] + decay * carried[rows, seat]
        following[rows, seat] = values[step]
        advantages[step] = carried[rows, seat]
    return advantages


def measure(choose: Choose, deals: int, seed: int) -> tuple[float, float]:
    """Return a player's mean points against three uniform players, from each seat, and half of the 95 % interval."""
    env, stream = HeartsVectorEnv(deals, RULES), RandomStream(seed)
    own = np.arange(deals) % 4
    words, infos = env.reset(seed=1_000_000 * seed)
    seats = infos["seat"]
    for _ in range(STEPS):
        seats, actions = infos["seat"], env.draw(stream)
        mine = np.flatnonzero(seats == own)
        if len(mine):
            actions[mine] = choose(words[mine])[0]
        words, *_, infos = env.step(actions)
    # Totals are told from the seat that played the last card.
    totals = np.stack(infos["final_obs"])[:, word_layout(RULES)["totals"]]
    points = totals[np.arange(deals), (own - seats) % 4]
    return float(points.mean()), float(1.96 * points.std(ddof=1) / np.sqrt(deals))


def judge(net: Any, words: NDArray[np.int64]) -> tuple[Any, Any]:
    """Return the distribution of the actions, and the values, for rows of words."""
    import torch

    out = net(torch.from_numpy(unpack(RULES, words)))
    legal = torch.from_numpy(unpack_masks(words[:, 0])).bool()
    return torch.distributions.Categorical(logits=out[:, :ACTIONS].masked_fill(~legal, -1e9)), out[:, ACTIONS]


def player(net: Any, *, best: bool) -> Choose:
    """Return a player that takes the network's best action, or draws one by its probability."""
    import torch

    def choose(words: NDArray[np.int64]) -> tuple[NDArray[np.int64], Floats, Floats]:
        with torch.no_grad():
            chances, values = judge(net, words)
            actions = chances.probs.argmax(dim=1) if best else chances.sample()
            return actions.numpy(), chances.log_prob(actions).numpy(), values.numpy()

    return choose


def learn(net: Any, optimiser: Any, deals: Deals, rest: float, epochs: int = 3, size: int = 2048) -> None:
    """Make good actions likelier, by at most a fifth at a time.

    `rest` is the remaining part of the training.
    """
    import torch

    flat: Any = [part.reshape(-1, *part.shape[2:]) for part in deals]
    words, actions, logs, advantages, returns = flat
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
    for _ in range(epochs):
        for some in np.array_split(np.random.permutation(len(words)), len(words) // size):
            chances, values = judge(net, words[some])
            taken, better = torch.from_numpy(actions[some]), torch.from_numpy(advantages[some])
            ratio = torch.exp(chances.log_prob(taken) - torch.from_numpy(logs[some]))
            gain = torch.min(ratio * better, ratio.clamp(0.8, 1.2) * better).mean()
            miss = (values - torch.from_numpy(returns[some])).square().mean()
            loss = 0.5 * miss - gain - 0.01 * rest * chances.entropy().mean()
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 0.5)
            optimiser.step()


def train(minutes: float, tables: int, seed: int, threads: int = 1) -> tuple[Any, list[dict[str, float]]]:
    """Train for some minutes, and return the network and its results on the way."""
    import torch
    from trained import network

    torch.set_num_threads(threads)
    torch.manual_seed(seed)
    np.random.seed(seed)
    net, env = network(), HeartsVectorEnv(tables, RULES)
    env.reset(seed=seed)
    optimiser = torch.optim.Adam(net.parameters(), lr=1e-3)
    curve: list[dict[str, float]] = []
    begun, told, deals = time.monotonic(), -1e9, 0
    while (done := (time.monotonic() - begun) / (60 * minutes)) < 1:
        for group in optimiser.param_groups:
            group["lr"] = 1e-3 * (1 - done)
        if time.monotonic() - told > 15:
            told = time.monotonic()
            curve.append(report(net, done * minutes, deals, seed=99))
        learn(net, optimiser, collect(env, player(net, best=False)), 1 - done)
        deals += tables
    return net, [*curve, report(net, minutes, deals, seed=7)]


def report(net: Any, minutes: float, deals: int, seed: int) -> dict[str, float]:
    """Measure the network against uniform players, and print the result."""
    mean, half = measure(player(net, best=True), 1000, seed)
    print(f"{minutes:5.2f} minutes, {deals:7} deals: {mean:5.2f} +- {half:.2f} points; par is {PAR}", flush=True)
    return {"minutes": minutes, "deals": deals, "points": mean, "half": half}


def main() -> None:
    """Train, save, and measure on duplicate deals."""
    import torch
    from trained import bot_of
    from trained import report as measured

    parser = argparse.ArgumentParser(description="Train a player of Hearts by self-play.")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--tables", type=int, default=256)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--threads", type=int, default=1, help="of PyTorch; more than one slows down so small a network"
    )
    parser.add_argument("--measure", type=int, default=200, help="tables of the last measurement")
    parser.add_argument("--save", type=Path, default=Path("player.pt"), help="where to write the weights")
    parser.add_argument("--curve", type=Path, help="where to write how it did on the way")
    given = parser.parse_args()
    net, curve = train(given.minutes, given.tables, given.seed, given.threads)
    torch.save(net.state_dict(), given.save)
    if given.curve:
        given.curve.write_text(json.dumps(curve, indent=1) + "\n", encoding="utf-8")
    measured(bot_of(net), given.measure)


if __name__ == "__main__":
    main()
