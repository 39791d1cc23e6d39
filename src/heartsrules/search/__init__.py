"""Looking ahead: playouts, rollouts, an exact solver for endings, and estimates of what each move is worth.

`playout` and `rollouts` play deals to their end by a policy of `policies`; `analysis` solves endings in which all cards
are known, and assesses the moves of a seat that knows only its own. `endings` tells what is decided already.
"""
