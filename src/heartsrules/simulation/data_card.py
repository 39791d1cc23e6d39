"""The card of a data set of kept games, a `README.md` for the Hugging Face Hub."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from heartsrules.rules import Rules

_CONTENTS: Final = {
    "game": "the number of the game in its run",
    "deal": "the number of the deal in its game, from 0",
    "owner": "for each card, the seat that was dealt it; -1 is the kitty, -2 a card that is not dealt",
    "passes": "for each seat, the cards that it passed, transfer by transfer; empty without a pass",
    "dealt_back": "for each card, the seat that was dealt it back from the middle, or -2",
    "exposures": "the decisions to expose cards, in order",
    "leaders": "the seat that led each trick",
    "plays": "the cards in the order in which they were played",
    "points": "the points of each seat in the deal, with the moon and all bonuses",
    "shooter": "the seat that shot the moon, or null",
    "effect": "the effect of the moon, such as `others-up`, or null",
    "winners": "the winners if the game ended with this deal, or else null",
    "players": "the name of the player in each seat",
}


def data_card(rules: Rules, schema: Any, metadata: Mapping[str, str]) -> str:
    """Return the card for the tables of a run.

    `schema` is the Arrow schema of the tables, and `metadata` is the run's.
    """
    decks = "" if rules.decks == 1 else "\nThe second copies of the cards are items 52 to 103 of `owner`."
    command = f"```shell\n{metadata['command']}\n```\n\n" if metadata["command"] else ""
    columns = "\n".join([f"| `{field.name}` | {_CONTENTS[field.name]} |" for field in schema])
    return f"""---
pretty_name: {json.dumps(f"Hearts, {rules.players} players")}
license: unknown
task_categories:
- reinforcement-learning
tags:
- hearts
- card-game
- imperfect-information
- imitation-learning
configs:
- config_name: default
  data_files:
  - split: train
    path: "*.parquet"
dataset_info:
  features:
{chr(10).join(_features(schema))}
---

# Deals of Hearts

Each row is a deal, complete, played by heartsrules {metadata["version"]} (build {metadata["build"]}) with the seed
{json.dumps(metadata["seed"])}.

{command}The rules:

```json
{metadata["rules"]}
```

## Columns

Cards are numbered from 0 (2C) to 51 (AH): clubs, diamonds, spades, hearts, each from the two to the ace. Seats are
numbered from 0, clockwise.{decks}

| column | contents |
| --- | --- |
{columns}

## Splits

There is one split, `train`. Games are independent of each other, but the deals of a game are not: divide the rows by
`game`.

## Use

`heartsrules verify *.parquet` replays every game and checks all moves, points and winners. `decisions` reads the games
as observations, masks of legal actions, actions and returns:

```python
from pathlib import Path

from heartsrules.bridges.datasets import decisions

for batch in decisions(sorted(Path().glob("*.parquet"))):
    print(batch.observations.shape, batch.masks.shape, batch.actions.shape, batch.returns.shape)
```

Choose a license before you publish the data.
"""


def _features(schema: Any) -> Iterator[str]:
    for field in schema:
        yield f"  - name: {field.name}"
        yield from _kind(field.type, "    ")


def _kind(kind: Any, indent: str) -> Iterator[str]:
    import pyarrow.types as is_type

    if not (is_type.is_list(kind) or is_type.is_fixed_size_list(kind)):
        yield f"{indent}dtype: {kind}"
    elif is_type.is_struct(kind.value_type):
        yield f"{indent}list:"
        for part in kind.value_type:
            yield f"{indent}- name: {part.name}"
            yield from _kind(part.type, f"{indent}  ")
    elif is_type.is_list(kind.value_type):
        yield f"{indent}sequence:"
        yield from _kind(kind.value_type, f"{indent}  ")
    else:
        yield f"{indent}sequence: {kind.value_type}"
        if is_type.is_fixed_size_list(kind):
            yield f"{indent}length: {kind.list_size}"
