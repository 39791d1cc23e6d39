"""Spoiling inputs: byte by byte, word by word, and as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

_NUMBERS: Final = (
    -1, 0, 1, 2, 3, 4, 7, 10, 11, 13, 26, 52, 100, 127, 255, 2**31, 2**32 - 1, 2**53 - 1, 2**53, -(2**53), 2**63,
    -(2**63), 2**64, 10**9, 10**9 + 1, 10**20, 10**400, 1.5, 1e308,
)  # fmt: skip
_WORDS: Final = (
    "", "QS", "2C", "AH", "10H", "QS QS", "QS QS QS", "-", "others-up", "shooter-down", "playing", "passing", "deal",
    "\ud800", "\x00", "♠", "é" * 40, "x" * 3000, "null", "none", "2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC",
)  # fmt: skip
_BITS: Final = (
    *(b":", b";", b",", b"/", b"{", b"}", b"[", b"]", b'"', b" ", b"\n", b"-", b"0", b"9" * 30, b"9" * 700, b"\xff"),
    *(b"=", b"\\", b"*", b"\r", b"\x00", b"10", b"-1", b"kitty", b"hands ", b"captured", b"start", b"sheet", b"no"),
    *(b"Hearts/1", b"\nHearts/1\n", b"Rules:", b"Deal 0:", b"Trick 0:", b"Pass:", b"Points 0:", b"Result:"),
    *(b"hearts/1; ", b"phase over", b"deal 1", b"; trick 2:", b"players=11", b"teams=2", b"decks=2"),
    *[letter.encode() for letter in "\u2660\ufeff\u2028\u0663\xb2"],
)
_MANY: Final = 300
SEPARATOR: Final = b"\n\n"
"""Between the documents of an input that has several."""


def mutated(data: bytes, rng: Random, corpus: Sequence[bytes]) -> bytes:
    """An input that differs from one in one to four ways."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        data = _once(data, rng, corpus)
    return data[:200_000]


def _once(data: bytes, rng: Random, corpus: Sequence[bytes]) -> bytes:
    if rng.random() < 0.6:
        changed = _as_json(data, rng, corpus)
        if changed is not None:
            return changed
    way = rng.randrange(8)
    at = rng.randrange(len(data) + 1)
    end = min(len(data), at + rng.choice((1, 1, 2, 4, 16, 64)))
    if way == 0:
        return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
    if way == 1:
        return data[:at] + rng.choice(_BITS) + data[at:]
    if way == 2:
        return data[:at] + data[end:]
    if way == 3:
        return data[:end] + data[at:end] * rng.choice((1, 2, 20)) + data[end:]
    if way == 4:
        other = rng.choice(corpus)
        start = rng.randrange(len(other) + 1)
        return data[:at] + other[start : start + rng.choice((4, 16, 64, 10_000))] + data[end:]
    if way == 5:
        return data[:at] + rng.choice(_BITS) + data[end:]
    return _word_swapped(data, rng) if way == 6 else _reworded(data, rng)


def _reworded(data: bytes, rng: Random) -> bytes:
    """An input of the same shape that says something else: two cards, ranks or digits exchanged, or another digit."""
    kind = rng.choice((rb"\b[2-9TJQKA][CDSH]\b", rb"[2-9TJQKA]", rb"[0-9]"))
    found = [match.span() for match in re.finditer(kind, data)]
    if len(found) < 2:
        return data
    (start, end), (other, last) = sorted(rng.sample(found, 2))
    if end - start == 1 and rng.randrange(2):
        return data[:start] + str(rng.randrange(4)).encode() + data[end:]
    return data[:start] + data[other:last] + data[end:other] + data[start:end] + data[last:]


def _word_swapped(data: bytes, rng: Random) -> bytes:
    words = data.split(b" ")
    one, other = rng.randrange(len(words)), rng.randrange(len(words))
    words[one], words[other] = words[other], words[one]
    return b" ".join(words)


def spoiled_leaves(data: bytes, rng: Random, corpus: Sequence[bytes]) -> Iterator[bytes]:
    """The documents of an input again and again, each time with the next of their parts spoiled."""
    for number, part in enumerate(data.split(SEPARATOR)):
        for place in range(len(_places(json.loads(part)))):
            yield _changed(data, number, place, rng, corpus)


def _as_json(data: bytes, rng: Random, corpus: Sequence[bytes]) -> bytes | None:
    """The documents of an input with a part of one changed; None if they are not JSON."""
    number = rng.randrange(data.count(SEPARATOR) + 1)
    try:
        places = _places(json.loads(data.split(SEPARATOR)[number]))
        return _changed(data, number, rng.randrange(len(places)), rng, corpus) if places else None
    except (ValueError, RecursionError):
        return None


def _changed(data: bytes, number: int, place: int, rng: Random, corpus: Sequence[bytes]) -> bytes:
    parts = data.split(SEPARATOR)
    tree = json.loads(parts[number])
    _change(tree, *_places(tree)[place], rng, corpus)
    parts[number] = json.dumps(tree, separators=(",", ":")).encode("utf-8", "surrogatepass")
    return SEPARATOR.join(parts)


def _places(tree: Any) -> list[tuple[Any, Any]]:
    """Every place of a tree, as the object or the array that holds it and its key."""
    found: list[tuple[Any, Any]] = []
    waiting = [tree]
    while waiting and len(found) < 4 * _MANY:
        value = waiting.pop()
        keys: Any = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
        for key in keys:
            found.append((value, key))
            waiting.append(value[key])
    return found


def _change(tree: Any, holder: Any, key: Any, rng: Random, corpus: Sequence[bytes]) -> None:
    value = holder[key]
    way = rng.randrange(8)
    if way == 0:
        del holder[key]
    elif way == 1 and isinstance(holder, list):
        holder.insert(rng.randrange(len(holder) + 1), value)
    elif way == 2 and isinstance(holder, dict):
        holder[rng.choice([*holder, "unknown", "turn", "winners", "x" * 300])] = value
    elif way == 3:
        other, place = rng.choice(_places(tree))
        holder[key], other[place] = other[place], value
    elif way == 4:
        try:
            other, place = rng.choice(_places(json.loads(rng.choice(corpus))) or [(holder, key)])
            holder[key] = other[place]
        except (ValueError, RecursionError):
            holder[key] = None
    elif isinstance(value, str) and way < 7:
        holder[key] = _spoiled_text(value, rng)
    elif isinstance(value, int) and way < 7:
        holder[key] = rng.choice((value + 1, value - 1, -value, rng.choice(_NUMBERS), str(value)))
    else:
        holder[key] = rng.choice((None, True, False, [], {}, [value], rng.choice(_NUMBERS), rng.choice(_WORDS)))


def _spoiled_text(text: str, rng: Random) -> str:
    """A text with a word dropped, doubled, moved or added, or another one in its place."""
    words = text.split(" ")
    at = rng.randrange(len(words))
    way = rng.randrange(6)
    if way == 0:
        del words[at]
    elif way == 1:
        words.append(words[at])
    elif way in (2, 3):
        words[at : at + 3 - way] = [rng.choice("23456789TJQKA") + rng.choice("CDSH")]
    elif way == 4:
        words.reverse()
    else:
        return rng.choice(_WORDS)
    return " ".join(words)
