"""PPO in the style of CleanRL, one file with PyTorch: one network plays every seat of many tables, one deal at a time.

pip install 'heartsrules[vector,pettingzoo,train]' && python cleanrl_ppo.py
"""

# pyright: reportMissingImports=false, reportPossiblyUnboundVariable=false
from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical
from trained import RULES, SIZE, bot_of, network, report

from heartsrules.bridges.vector import ACTIONS, HeartsVectorEnv

STEPS = 4 * 3 + 52  # the actions of a deal, so that all tables end together

parser = argparse.ArgumentParser()
parser.add_argument("--updates", type=int, default=200)
parser.add_argument("--num-envs", type=int, default=128)
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--measure", type=int, default=200)
parser.add_argument("--save", default="player.pt")
args = parser.parse_args()


def act(net: Any, obs: Any, mask: Any, action: Any = None) -> tuple[Any, Any, Any, Any]:
    """Return an action, its log probability, the entropy of the distribution, and the value."""
    out = net(obs)
    chances = Categorical(logits=out[:, :ACTIONS].masked_fill(~mask, -1e8))
    action = chances.sample() if action is None else action
    return action, chances.log_prob(action), chances.entropy(), out[:, ACTIONS]


torch.set_num_threads(1)  # more slow down so small a network
torch.manual_seed(args.seed)
envs, agent, tables = HeartsVectorEnv(args.num_envs, RULES, observe="floats"), network(), np.arange(args.num_envs)
optimizer = torch.optim.Adam(agent.parameters(), lr=5e-4, eps=1e-5)
# The environment writes to these buffers, and PyTorch reads the same memory.
obs = np.zeros((STEPS + 1, args.num_envs, SIZE), np.float32)
masks = np.zeros((STEPS + 1, args.num_envs, ACTIONS), bool)
seats = np.zeros((STEPS + 1, args.num_envs), np.int64)
buffers = [{"observations": obs[t], "action_mask": masks[t], "seat": seats[t]} for t in range(STEPS + 1)]
actions, logprobs, values = [torch.zeros((STEPS, args.num_envs)) for _ in range(3)]
envs.reset(seed=args.seed)

for update in range(args.updates):
    envs.reset(out=buffers[0])
    for t in range(STEPS):
        with torch.no_grad():
            actions[t], logprobs[t], _, values[t] = act(agent, torch.from_numpy(obs[t]), torch.from_numpy(masks[t]))
        *_, infos = envs.step(actions[t].numpy().astype(np.int64), out=buffers[t + 1])
    # All rewards come at the end. The next step of an action is the next one of its own seat.
    following, carried = torch.from_numpy(infos["rewards"] / 13).float(), torch.zeros((args.num_envs, 4))
    advantages = torch.zeros_like(values)
    for t in reversed(range(STEPS)):
        own = (tables, seats[t])
        advantages[t] = carried[own] = following[own] - values[t] + 0.95 * carried[own]
        following[own] = values[t]
    flat = [each.flatten(0, 1) for each in (torch.from_numpy(obs[:-1]), torch.from_numpy(masks[:-1]), actions)]
    old, gains, returns = logprobs.flatten(), advantages.flatten(), (advantages + values).flatten()
    for batch in torch.randperm(len(old)).repeat(4).split(2048):
        _, new, entropy, value = act(agent, *[each[batch] for each in flat])
        ratio, gain = (new - old[batch]).exp(), (gains[batch] - gains.mean()) / (gains.std() + 1e-8)
        better = torch.min(gain * ratio, gain * ratio.clamp(0.8, 1.2)).mean()
        loss = 0.5 * (value - returns[batch]).square().mean() - better - 0.01 * entropy.mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
        optimizer.step()
    print(f"update {update}: loss of values {(gains**2).mean():.3f}, entropy {entropy.mean():.3f}", flush=True)
torch.save(agent.state_dict(), args.save)
report(bot_of(agent), args.measure)
