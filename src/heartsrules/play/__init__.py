"""The course of a game, with moves, states, legality, scoring and the engine."""
