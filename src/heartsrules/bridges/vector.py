"""A Gymnasium vector environment of many tables, observed in 64-bit words.

`HeartsVectorEnv` plays many matches in one compiled loop. At each table the seat to act is the agent, so one network
can play every seat.

An observation is a row of 64-bit words. `unpack` converts rows to the vectors of `heartsrules.bridges.pettingzoo`, so
an agent trained here can play there. Actions have the same numbers as there.

Importing this module registers `heartsrules/HeartsSelfPlay-v0` for `gymnasium.make_vec`. It needs the extra `vector`.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import index
from types import MappingProxyType
from typing import Any, ClassVar, Final, Literal, TypeAlias, get_args

from heartsrules.base.extras import needs

with needs("vector", "heartsrules.bridges.vector"):
    import gymnasium
    import numpy as np
    from gymnasium.vector import AutoresetMode, VectorEnv
    from numpy.typing import NDArray

from heartsrules import Card, View
from heartsrules.analysis.seat_words import NUMBERS, SOURCES, TOTALS_BOUND, unit_of
from heartsrules.base.values import checked_count, type_phrase, wrong_type
from heartsrules.bridges._actions import ACTIONS, DECLINE, OTHERS_UP, SHOOTER_DOWN, Reward, check_picks
from heartsrules.bridges._batch import Batch
from heartsrules.bridges._layout import Block, encoder_of, layout, observed
from heartsrules.chance import RandomStream
from heartsrules.rules import Rules
from heartsrules.simulation.limits import MAX_DEALS_PER_GAME

__all__ = [
    "ACTIONS",
    "DECLINE",
    "OTHERS_UP",
    "SHOOTER_DOWN",
    "Array",
    "HeartsVectorEnv",
    "Observe",
    "Out",
    "Reward",
    "layout",
    "unpack",
    "unpack_masks",
    "word_layout",
    "words_of",
]
__dir__ = __all__.copy

Array: TypeAlias = Any
"""A NumPy array, an array of another library with the array API standard, or a PyTorch tensor."""
Observe: TypeAlias = Literal["words", "floats"]
"""The kind of observations: rows of words, or rows of floats from `unpack`."""
Out: TypeAlias = NDArray[Any] | Mapping[str, NDArray[Any]]
"""The caller's buffers: an array for observations, or arrays by name. See `HeartsVectorEnv`."""


def space_of(blocks: Sequence[Block]) -> gymnasium.spaces.Box:
    sizes = [block.size for block in blocks]
    low = np.repeat(np.array([block.low for block in blocks], dtype=np.float32), sizes)
    high = np.repeat(np.array([block.high for block in blocks], dtype=np.float32), sizes)
    return gymnasium.spaces.Box(low, high, dtype=np.float32)


def word_layout(rules: Rules) -> Mapping[str, slice]:
    """Return the slices of a row of words by name, in order.

    In a mask of cards, bit i is the card with `index` i. With two decks, each mask is followed by one named
    `..._twice`, for cards with two copies, which are in both masks. Parts that a rule set does not use are omitted. "By
    seat" starts with the observer and continues clockwise.

    | part | words | meaning |
    | --- | --- | --- |
    | `legal` | 1 | the observer's legal actions, a bit for each |
    | `deal` | 1 | the phase, and the numbers of the trick and the deal (below) |
    | `set_aside`, `hand` | 1 | cards, as in `layout` |
    | `gifts` | by recipient | cards, as in `layout` |
    | `next_gift` | 1 | bit g: the next pick is for recipient g |
    | `received`, `showing`, `kitty` | 1 | cards, as in `layout` |
    | `about` | by seat | facts about a seat (below) |
    | `exposed`, `trick`, `played`, `captured` | by seat | cards, as in `layout` |
    | `totals` | by seat | the running totals, signed |

    | bits of `deal` | meaning |
    | --- | --- |
    | 0 to 5 | the phase: one of the six, in the order of `Phase` without `DEAL_BACK` |
    | 6 | hearts are broken |
    | 8 to 15 | the number of completed tricks |
    | 16 to 31 | the index of the deal's plan in the pass cycle |
    | 32 and up | the deal number, from 0 |

    | bits of `about` | meaning for the seat |
    | --- | --- |
    | 0 | it has committed, while passing or exposing cards |
    | 1 | it declined to pass, after the exchange |
    | 2 | it won the kitty |
    | 3 | it leads or led the trick |
    | 4 | it must play, or choose the moon's effect |
    | 5 | it is the dealer |
    | 6 | it captured the ♠Q in the last scored deal, if that decides who leads |
    | 8 to 11 | it did not follow clubs, diamonds, spades, hearts |
    | 16 to 21 | the number of tricks it won |

    >>> word_layout(Rules())["hand"], word_layout(Rules())["totals"]
    (slice(2, 3, None), slice(22, 26, None))

    Raises:
        InvalidRules: the rules have moves without actions; see `layout`.
    """
    return MappingProxyType(encoder_of(rules).at.places)


def words_of(view: View, picks: Sequence[Card | None] = ()) -> NDArray[np.int64]:
    """Encode a view, and picks for a pass or an exposure, as a row of `word_layout`.

    An agent trained on words can thus play at any table that provides views. Arguments and errors are as in
    `heartsrules.bridges.pettingzoo.observation`.

    >>> start = new_game(Rules())
    >>> row = words_of(view(apply(start, deal(start, seed=7)), 2))
    >>> unpack(Rules(), row[None])[0, layout(Rules())["hand"]].sum().item()
    13.0
    """
    check_picks(view, picks)
    return np.array(encoder_of(view.rules).words(view, picks), np.int64)


def unpack_masks(legal: Array) -> Array:
    """Convert the words `legal` of a batch to masks with 1 for each legal action.

    >>> unpack_masks(np.array([0b1011]))[0, :6]
    array([1, 1, 0, 1, 0, 0], dtype=int8)

    Args:
        legal: an array of int64 from any library, with a word for each row.

    Returns:
        An int8 matrix of shape (rows, `ACTIONS`), in the same library and on the same device.

    Raises:
        TypeError: the words are not an array of int64.
    """
    xp = _library_of("legal", legal)
    return xp.asarray(_bits_of(xp, legal, ACTIONS), dtype=xp.int8)


def _library_of(name: str, words: Array) -> Any:
    if isinstance(words, np.ndarray):
        xp: Any = np
    elif hasattr(words, "__array_namespace__"):
        xp = words.__array_namespace__()
    else:
        # PyTorch has all functions used here, but not `__array_namespace__`.
        xp = sys.modules.get("torch")
        if xp is None or not isinstance(words, xp.Tensor):
            wrong_type(name, "an array of int64", words)
    if words.dtype != xp.int64:
        raise TypeError(f"{name} must be an array of int64, not {_kind_of(words)}")
    return xp


def _bits_of(xp: Any, words: Array, count: int) -> Array:
    if xp is np:
        octets = np.ascontiguousarray(words, dtype="<i8")[..., None].view(np.uint8)
        return np.unpackbits(octets, axis=-1, count=count, bitorder="little")
    return words[..., None] >> xp.arange(count, dtype=xp.int64, device=words.device) & 1


def unpack(rules: Rules, words: Array, out: NDArray[Any] | None = None) -> Array:
    """Convert rows of words to rows of floats laid out by `layout`, a network's input.

    >>> env = HeartsVectorEnv(3)
    >>> words, _ = env.reset(seed=7)
    >>> words.shape, unpack(env.rules, words).shape
    ((3, 26), (3, 833))

    Args:
        rules: the rule set.
        words: an array of int64 from any library, of shape (rows, words of `word_layout`).
        out: with NumPy, the matrix to write to, of shape (rows, entries of `layout`) and any float type. Defaults to a
            new float32 one.

    Returns:
        The matrix written to, or a new one in the same library and on the same device.

    Raises:
        TypeError: the words are not an array of int64, or `out` is not an array of floats.
        ValueError: a shape is wrong.
    """
    at = encoder_of(rules).at.places
    xp = _library_of("words", words)
    if words.ndim != 2 or words.shape[1] != at["totals"].stop:
        raise ValueError(f"words have the shape {tuple(words.shape)}: give rows of {at['totals'].stop} words")
    shape = (words.shape[0], sum([block.size for block in observed(rules)]))
    if out is not None:
        if xp is not np:
            raise TypeError("out is only for words in an array of NumPy: leave it out")
        if not isinstance(out, np.ndarray) or out.dtype.kind != "f":
            raise TypeError(f"out must be an array of floats or None, not {_kind_of(out)}")
        if out.shape != shape:
            raise ValueError(f"out has the shape {out.shape}: give one of {shape}")
    parts = _parts_of(xp, rules, at, words)
    if xp is np:
        # Writing in place saves a copy of each part.
        out = np.empty(shape, np.float32) if out is None else out
        for place, part in zip(layout(rules).values(), parts, strict=True):
            out[:, place].reshape(part.shape, copy=False)[...] = part
        return out
    return xp.concat([xp.asarray(xp.reshape(part, (shape[0], -1)), dtype=xp.float32) for part in parts], axis=1)


def _kind_of(value: Any) -> str:
    if hasattr(value, "dtype") and hasattr(value, "shape"):
        return f"an array of {str(value.dtype).removeprefix('torch.')} and of the shape {tuple(value.shape)}"
    return type_phrase(value)


def _parts_of(xp: Any, rules: Rules, at: Mapping[str, slice], words: Array) -> Iterator[Array]:
    """Yield the parts of the observations in the order of `layout`.

    Only functions of the array API standard are used.
    """
    bits = _bits_of(xp, words, 64)
    for name, place in layout(rules).items():
        if name in SOURCES:
            word, first, each = SOURCES[name]
            yield bits[:, at[word], first : first + (each or place.stop - place.start)]
        elif name in NUMBERS:
            yield _numbers(xp, rules, name, at, words)
        else:
            cards = bits[:, at[name], :52]
            twice = at.get(f"{name}_twice")
            yield cards if twice is None else cards + bits[:, twice, :52]


def _numbers(xp: Any, rules: Rules, name: str, at: Mapping[str, slice], words: Array) -> Array:
    word, first, each = NUMBERS[name]
    numbers = words[:, at[word]] >> first
    if each:
        numbers = numbers & 2**each - 1
    if name == "pass_step":
        return numbers == xp.arange(len(rules.pass_cycle), dtype=xp.int64, device=words.device)
    # Some processors have no float64. Below 2**24 the result is the same: float32 holds the integers exactly.
    floats = xp.asarray(numbers, dtype=xp.float64 if xp is np else xp.float32)
    if name == "totals":
        return xp.clip(floats / unit_of(rules), -TOTALS_BOUND, TOTALS_BOUND)
    if name == "deal_number":
        return xp.clip(floats / (rules.max_deals or 1), None, 1)
    return floats / rules.cards_per_hand


_SET_UP: Final = ("_batch", "_first", "_places", "_rewards", "_rows", "_seen_by", "_table_words")

_LOGGED: Final = 256
"""The number of logged steps below which none is dropped, even if no deal needs it."""

_BUFFERS: Final = MappingProxyType(
    {
        "observations": "",
        "seat": "iu",
        "action_mask": "biu",
        "rewards": "f",
        "seat_rewards": "f",
        "terminations": "b",
        "truncations": "b",
    }
)
"""The kinds of numbers in each buffer of `out`."""
_KINDS: Final = MappingProxyType({"": "int64", "b": "bools", "f": "floats", "iu": "ints", "biu": "ints or bools"})


class HeartsVectorEnv(VectorEnv[NDArray[Any], NDArray[np.int64], NDArray[np.int64]]):
    """A Gymnasium `VectorEnv` of many matches, whose agents are the seats to act.

    An episode is a match. Passing, exposing cards and the order of the seats are as in
    `heartsrules.bridges.pettingzoo.HeartsEnv`. When an episode ends, its table begins the next one in the same step
    (`AutoresetMode.SAME_STEP`).

    The `infos` of `reset` and `step` contain

    - `seat`: the seat to act, which is the observer, by table,
    - `action_mask`: the masks from `unpack_masks`, by table and action, if observations are floats or `out` has a
      buffer for them; column 0 of words is the same,
    - `rewards` (only in `step`): the rewards of all seats, by table and seat, as in `HeartsEnv`,
    - `final_obs` and `_final_obs`: the final observations of the seats that acted last, and True for each table with an
      ended episode,
    - `episode` and `_episode`, if an episode has ended: the sums of its rewards by table and seat in `episode["r"]`,
      and the number of its steps by table in `episode["l"]`, 0 for other tables; `_episode` equals `_final_obs`.

    Do not use wrappers that carry data from one step to the next, such as Gymnasium's `RecordEpisodeStatistics`,
    `NormalizeReward` or `NormalizeObservation`: the next step is another seat's.

    With `out`, `reset` and `step` write to the caller's buffers and return these, instead of new arrays. `out` is an
    array for the observations, or a mapping with some of these, of which `reset` writes the first three:

    | name | shape | numbers | meaning |
    | --- | --- | --- | --- |
    | `observations` | as `observation_space` | int64; floats | the observations |
    | `seat` | (tables) | ints | `infos["seat"]` |
    | `action_mask` | (tables, `ACTIONS`) | ints or bools | `infos["action_mask"]` |
    | `rewards` | (tables) | floats | the reward of the seat that acted |
    | `seat_rewards` | (tables, players) | floats | `infos["rewards"]` |
    | `terminations` | (tables) | bools | True if the match is over |
    | `truncations` | (tables) | bools | True if the episode was truncated |

    An environment can be pickled and deep-copied, also during episodes, and continues with the same deals.

    Args:
        num_envs: the number of tables.
        rules: the rule set. Defaults to `Rules()`.
        max_deals: the number of deals after which an episode is truncated, 1 or more.

    Raises:
        InvalidRules: the rules have moves without actions; see `layout`.
        ValueError: a number is less than 1, or there is no such reward or kind of observations.

    >>> env = HeartsVectorEnv(1000)
    >>> seen, infos = env.reset(seed=7)
    >>> seen, rewards, terminations, truncations, infos = env.step(env.draw())
    >>> seen.shape, rewards.shape, infos["rewards"].shape
    ((1000, 26), (1000,), (1000, 4))
    """

    metadata: ClassVar[dict[str, Any]] = {"autoreset_mode": AutoresetMode.SAME_STEP}  # type: ignore[misc]

    def __init__(
        self,
        num_envs: int,
        rules: Rules | None = None,
        *,
        observe: Observe = "words",
        reward: Reward = "points",
        max_deals: int = MAX_DEALS_PER_GAME,
    ) -> None:
        if rules is None:
            rules = Rules()
        for name, number in (("num_envs", num_envs), ("max_deals", max_deals)):
            checked_count(name, number)
        for name, value, choices in (("observe", observe, get_args(Observe)), ("reward", reward, get_args(Reward))):
            if value not in choices:
                raise ValueError(f"{name} is {value!r}: choose one of {', '.join(choices)}")
        self.num_envs = num_envs
        self.rules: Final = rules
        self.observe: Final[Observe] = observe
        self.reward: Final[Reward] = reward
        self.max_deals: Final = max_deals
        width = encoder_of(rules).at.places["totals"].stop
        if observe == "words":
            limits = np.iinfo(np.int64)
            self.single_observation_space = gymnasium.spaces.Box(limits.min, limits.max, (width,), np.int64)
        else:
            self.single_observation_space = space_of(observed(rules))
        self.single_action_space = gymnasium.spaces.Discrete(ACTIONS)
        self.observation_space = gymnasium.vector.utils.batch_space(self.single_observation_space, num_envs)
        self.action_space = gymnasium.vector.utils.batch_space(self.single_action_space, num_envs)
        self._draws: Final = RandomStream(secrets.randbits(64))
        self._begun = False
        self._returns = np.zeros((num_envs, rules.players))
        self._steps = 0
        self._first_steps = np.zeros(num_envs, np.int64)
        # The actions of all tables by step, from the start of the oldest current deal. Unpickling repeats them.
        self._log: list[NDArray[np.int8]] = []
        self._log_start = 0
        self._set_up_tables()

    def _set_up_tables(self) -> None:
        rules, count = self.rules, self.num_envs
        at = encoder_of(rules).at
        # The words of every table with its hidden cards, written by the compiled part.
        self._table_words = np.zeros((count, at.size), np.int64)
        self._rewards = np.zeros((count, rules.players))
        self._batch = Batch(
            at,
            [row.data.cast("B").cast("q") for row in self._table_words],
            [row.data for row in self._rewards],
            self.reward == "points",
            self.max_deals,
        )
        self._seen_by = np.array([at.seen_by(seat) for seat in range(rules.players)], np.intp)
        self._first = (np.arange(count) * at.size)[:, None]
        self._places = np.empty((count, self._seen_by.shape[1]), np.intp)
        self._rows = np.arange(count)

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in vars(self).items() if name not in _SET_UP}
        return {**kept, "_saved": self._batch.saved() if self._begun else []}

    def __setstate__(self, state: dict[str, Any]) -> None:
        kept = dict(state)
        saved = kept.pop("_saved")
        self.__dict__.update(kept)
        self._set_up_tables()
        if saved:
            first = self._log_start
            columns = np.array(self._log, np.int8).reshape(-1, self.num_envs).T
            actions = [column[table[-1] - first :].tolist() for column, table in zip(columns, saved, strict=True)]
            self._batch.resume(saved, actions, first + len(self._log))

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | NDArray[np.integer[Any]] | None = None,
        options: Mapping[str, Any] | None = None,
        out: Out | None = None,
    ) -> tuple[NDArray[Any], dict[str, Any]]:
        """Begin an episode at every table.

        Args:
            seed: table i deals from `RandomStream(seed + i)`; or a seed for each table, also as an array. With None, a
                table continues its stream, which begins with a secret seed. A policy that knows the seed can compute
                every hand.
            options: `"reset_mask"`: True for each table to reset.

        Raises:
            ValueError: the number of seeds or of mask entries is not the number of tables; or a buffer is not writable,
                or has a wrong name, shape or type of numbers. Nothing has changed.
        """
        buffers = self._buffers(out)
        count = self.num_envs
        if seed is None:
            seeds: list[int | None] = [None] * count
        elif isinstance(seed, Sequence) or (isinstance(seed, np.ndarray) and seed.ndim):
            seeds = [None if one is None else index(one) for one in seed]
        else:
            seeds = [index(seed) + number for number in range(count)]
        if len(seeds) != count:
            raise ValueError(f"there are {len(seeds)} seeds: give one for each of the {count} tables")
        wanted = np.asarray((options or {}).get("reset_mask", np.ones(count, bool)))
        if wanted.shape != (count,):
            raise ValueError(f"the reset mask has the shape {wanted.shape}: give an entry for each of {count} tables")
        if not self._begun and not wanted.all():
            raise ValueError("the first reset begins every table: leave the reset mask out")
        for number in np.flatnonzero(wanted).tolist():
            chosen = seeds[number]
            if chosen is None and not self._begun:
                chosen = secrets.randbits(128)
            self._begin(number, None if chosen is None else RandomStream(chosen))
        self._begun = True
        return self._seen(buffers), self._infos(buffers)

    def step(  # type: ignore[override] # Gymnasium has no `out`
        self, actions: NDArray[np.int64] | Sequence[int], *, out: Out | None = None
    ) -> tuple[NDArray[Any], NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Take an action at every table.

        Returns:
            The observations of the seats to act next; by table the reward of the seat that acted, True if the match is
                over, and True if the episode was truncated; and `infos`.

        Raises:
            ValueError: an action is not legal; there is not one action for each table; `out` is wrong, as in `reset`;
                or `reset` was not called. Nothing has changed.
        """
        if not self._begun:
            raise ValueError("call reset before step")
        buffers = self._buffers(out)
        if isinstance(actions, np.ndarray) and actions.ndim == 1 and actions.dtype.kind in "iu":
            taken = actions.tolist()
        elif isinstance(actions, np.ndarray) or not isinstance(actions, Iterable):
            raise TypeError(f"actions must be a vector of ints, not {_kind_of(actions)}")
        else:
            taken = [index(action) for action in actions]
        if len(taken) != self.num_envs:
            raise ValueError(f"there are {len(taken)} actions: give one for each of the {self.num_envs} tables")
        acted = self._table_words[:, 1].copy()
        self._rewards.fill(0)
        over, cut = self._batch.step(taken)
        self._steps += 1
        self._returns += self._rewards
        self._log.append(np.array(taken, np.int8))
        if len(self._log) > _LOGGED:
            oldest = self._batch.oldest()
            del self._log[: oldest - self._log_start]
            self._log_start = oldest
        terminations, truncations = np.zeros(self.num_envs, bool), np.zeros(self.num_envs, bool)
        infos: dict[str, Any] = {"rewards": _written("seat_rewards", self._rewards.copy(), buffers)}
        ended = over + cut
        if ended:
            terminations[over] = True
            truncations[cut] = True
            finals = np.empty(self.num_envs, object)
            for number, row in zip(ended, self._seen_at(np.array(ended)), strict=True):
                finals[number] = row
            done = terminations | truncations
            lengths = np.where(done, self._steps - self._first_steps, 0)
            episode = {"r": np.where(done[:, None], self._returns, 0.0), "l": lengths}
            infos |= {"final_obs": finals, "_final_obs": done, "episode": episode, "_episode": done}
            for number in ended:
                self._begin(number, None)
        return (
            self._seen(buffers),
            _written("rewards", self._rewards[self._rows, acted], buffers),
            _written("terminations", terminations, buffers),
            _written("truncations", truncations, buffers),
            infos | self._infos(buffers),
        )

    def _begin(self, number: int, stream: RandomStream | None) -> None:
        self._returns[number] = 0
        self._first_steps[number] = self._steps
        self._batch.begin(number, stream)

    def draw(self, stream: RandomStream | None = None) -> NDArray[np.int64]:
        """Draw a legal action for each table, all equally likely.

        Args:
            stream: the random stream. Defaults to the environment's own, with a secret seed.

        Raises:
            ValueError: `reset` was not called.
        """
        if not self._begun:
            raise ValueError("call reset before draw")
        return np.array(self._batch.draw(self._draws if stream is None else stream))

    @property
    def seats(self) -> NDArray[np.int64]:
        """The seat to act, by table."""
        return self._table_words[:, 1].copy()

    def totals(self, table: int) -> tuple[int, ...]:
        """Return a table's running totals, by seat."""
        return self._batch.totals(index(table))

    def _buffers(self, out: NDArray[Any] | Mapping[str, NDArray[Any]] | None) -> Mapping[str, NDArray[Any]]:
        if out is None:
            return {}
        if isinstance(out, np.ndarray):
            self._check_buffer("out", "observations", out)
            return {"observations": out}
        for name, array in out.items():
            if name not in _BUFFERS:
                raise ValueError(f"out has a buffer {name!r}: choose from {', '.join(_BUFFERS)}")
            self._check_buffer(f"out[{name!r}]", name, array)
        return out

    def _check_buffer(self, label: str, name: str, array: NDArray[Any]) -> None:
        count = self.num_envs
        shape: tuple[int, ...] = (count,)
        kinds = _BUFFERS[name]
        if name == "observations":
            shape = self.observation_space.shape or shape
            kinds = "" if self.observe == "words" else "f"
        elif name == "action_mask":
            shape = (count, ACTIONS)
        elif name == "seat_rewards":
            shape = (count, self.rules.players)
        if array.shape != shape or not (array.dtype.kind in kinds if kinds else array.dtype == np.int64):
            raise ValueError(f"{label} is of {array.dtype} and {array.shape}: give {_KINDS[kinds]} and {shape}")
        if not array.flags.writeable:
            raise ValueError(f"{label} cannot be written to")

    def _seen(self, buffers: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
        out = buffers.get("observations")
        if self.observe == "floats":
            floats: NDArray[Any] = unpack(self.rules, self._gathered(None), out)
            return floats
        return self._gathered(out)

    def _gathered(self, out: NDArray[np.int64] | None) -> NDArray[np.int64]:
        places = self._places
        np.take(self._seen_by, self._table_words[:, 1], axis=0, out=places, mode="clip")
        places += self._first
        return np.take(self._table_words.reshape(-1), places, out=out, mode="clip")

    def _seen_at(self, tables: NDArray[np.intp]) -> NDArray[Any]:
        words: NDArray[Any] = self._table_words[tables[:, None], self._seen_by[self._table_words[tables, 1]]]
        if self.observe == "floats":
            words = unpack(self.rules, words)
        return words

    def _infos(self, buffers: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
        infos: dict[str, Any] = {"seat": _written("seat", self.seats, buffers)}
        if self.observe == "floats" or "action_mask" in buffers:
            infos["action_mask"] = _written("action_mask", unpack_masks(self._table_words[:, 0]), buffers)
        return infos


def _written(name: str, values: NDArray[Any], buffers: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    buffer = buffers.get(name)
    if buffer is None:
        return values
    buffer[...] = values
    return buffer


gymnasium.register("heartsrules/HeartsSelfPlay-v0", vector_entry_point="heartsrules.bridges.vector:HeartsVectorEnv")
