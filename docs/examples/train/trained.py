"""A bot from a network that `ppo.py` or `cleanrl_ppo.py` has trained. It reads `player.pt` in the current folder.

heartsrules match trained.py:trained sampling --deals 1
"""

# pyright: reportMissingImports=false
from __future__ import annotations

from functools import cache
from typing import Any

from heartsrules import Rules
from heartsrules.bots import Bot, heuristic, uniform
from heartsrules.bridges.pettingzoo import choose
from heartsrules.bridges.vector import ACTIONS, layout
from heartsrules.simulation import tournament

RULES = Rules(target=None, max_deals=1, tie="shared")
"""One deal of the usual game: three cards to the left, then thirteen tricks."""
SIZE = layout(RULES)["deal_number"].stop


def network(width: int = 256) -> Any:
    """Return a network that maps an observation to preferences for the actions and a value."""
    from torch import nn

    hidden = [nn.Linear(SIZE, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()]
    return nn.Sequential(*hidden, nn.Linear(width, ACTIONS + 1))


def bot_of(net: Any) -> Bot:
    """Return a bot that takes the action with the network's highest preference."""
    import torch

    def policy(seen: Any, mask: Any) -> int:
        with torch.no_grad():
            preferences = net(torch.from_numpy(seen))[:ACTIONS]
        return int(preferences.masked_fill(torch.from_numpy(mask) == 0, -1e9).argmax())

    return lambda view, _: choose(view, policy)


@cache
def load(path: str) -> Bot:
    """Return a bot with the weights in a file."""
    import torch

    torch.set_num_threads(1)
    net = network()
    net.load_state_dict(torch.load(path))
    return bot_of(net)


def trained(view: Any, rng: Any) -> Any:
    """Choose a move with the network of `player.pt`."""
    return load("player.pt")(view, rng)


def report(bot: Bot, tables: int) -> None:
    """Print the points that a bot saves against known bots, with the same cards in every seat."""
    for name, field in {"uniform": uniform, "heuristic": heuristic}.items():
        saved = tournament(RULES, bot, field, tables=tables, seed="measured").margin
        print(
            f"{saved.mean:+.2f} points a deal against {name} ({saved.low:+.2f} to {saved.high:+.2f}, 95 %)", flush=True
        )
