"""Fuzzing of every reader: what comes from outside may be refused, but only as documented.

`targets` says what each reader promises, `mutations` spoils inputs, `corpus` makes the inputs to begin with, `run`
replays them with mutations in either build, and `guided` lets coverage guide them (with atheris, interpreted).
"""
