"""The course of a game: moves, states, the rules of legality, passing, tricks and scoring, and the engine.

`engine` puts them together: it is the one place that makes a state from a state and a move. `stateless` offers the
same rules to apps that keep their own state, and `game` keeps a game with its history.
"""
