"""PPO with RLlib: one network plays every seat of a table, one deal at a time.

pip install 'heartsrules[pettingzoo,train]' 'ray[rllib]' && python rllib_ppo.py
"""

# pyright: reportMissingImports=false
from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium.spaces import Box, Dict
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.multi_agent_env import MultiAgentEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from trained import RULES, report

from heartsrules.bridges.pettingzoo import choose, raw_env
from heartsrules.bridges.vector import ACTIONS


class Deal(MultiAgentEnv):  # type: ignore[misc]
    """A deal. The seat to act gets an observation, with its mask where RLlib's module expects it."""

    def __init__(self, config: Any = None) -> None:  # noqa: ARG002
        super().__init__()
        self.table = raw_env(RULES)
        agents: Any = list(self.table.possible_agents)
        self.agents = self.possible_agents = agents
        mask = Box(0, 1, (ACTIONS,), np.float32)
        space = Dict({"observations": self.table.observation_space(agents[0]), "action_mask": mask})
        self.observation_spaces = dict.fromkeys(agents, space)
        self.action_spaces = {agent: self.table.action_space(agent) for agent in agents}

    def seen(self, *agents: str) -> dict[str, Any]:
        masks = {agent: self.table.infos[agent]["action_mask"].astype(np.float32) for agent in agents}
        return {agent: {"observations": self.table.observe(agent), "action_mask": masks[agent]} for agent in agents}

    def reset(self, *, seed: int | None = None, options: Any = None) -> tuple[Any, Any]:  # noqa: ARG002
        self.table.reset(seed=seed)
        return self.seen(self.table.agent_selection), {}

    def step(self, action_dict: Any) -> tuple[Any, Any, Any, Any, Any]:
        self.table.step(action_dict[self.table.agent_selection])
        over = any(self.table.terminations.values())
        agents: Any = self.possible_agents if over else [self.table.agent_selection]
        rewards = {agent: self.table.rewards[agent] / 13 for agent in agents}
        return self.seen(*agents), rewards, {"__all__": over}, {"__all__": False}, {}


parser = argparse.ArgumentParser(description="Train a player of Hearts with RLlib's PPO, save it and measure it.")
parser.add_argument("--iterations", type=int, default=100)
parser.add_argument("--batch", type=int, default=8192)
parser.add_argument("--measure", type=int, default=200, help="tables of the measurement")
args = parser.parse_args()
torch.set_num_threads(1)  # more slow down so small a network
spec = RLModuleSpec(ActionMaskingTorchRLModule, model_config=DefaultModelConfig(fcnet_hiddens=[256, 256]))
# RLlib would check the environment with random actions, which the rules refuse.
config = PPOConfig().environment(Deal, disable_env_checking=True).env_runners(num_env_runners=0)
config = config.multi_agent(policies={"player"}, policy_mapping_fn=lambda *_, **__: "player")
config = config.rl_module(rl_module_spec=spec).training(lr=5e-4, gamma=1.0, lambda_=0.95, num_epochs=4)
config = config.training(train_batch_size_per_learner=args.batch, minibatch_size=min(512, args.batch))
algorithm = config.build_algo()
for number in range(args.iterations):
    found = algorithm.train()["learners"]["player"]
    print(f"{number}: loss of values {found['vf_loss']:.3f}, entropy {found['entropy']:.3f}", flush=True)
algorithm.save_to_path(Path("player.rllib").resolve())


def policy(seen: Any, mask: Any) -> int:
    batch = {"observations": torch.from_numpy(seen[None]), "action_mask": torch.from_numpy(mask[None]).float()}
    return int(algorithm.get_module("player").forward_inference({"obs": batch})["action_dist_inputs"].argmax())


report(lambda view, _: choose(view, policy), args.measure)
