"""Bots by name, such as `heuristic`, `sampling:200` or `my_bots.py:ducker`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import attrs

from heartsrules.analysis.policies import BatchPolicy, Policy, Watchful
from heartsrules.base.errors import in_words, suggestion
from heartsrules.base.extras import needs
from heartsrules.bots._from_source import FromSource
from heartsrules.bots.heuristic import heuristic
from heartsrules.bots.interface import Bot
from heartsrules.bots.learned import Learned
from heartsrules.bots.sampling import Sampling
from heartsrules.bots.uniform import uniform

BOTS: Final[Mapping[str, Bot]] = MappingProxyType(
    {"uniform": uniform, "heuristic": heuristic, "sampling": Sampling(), "learned": Learned()}
)
"""The bots of this package, by name."""

POLICIES: Final[Mapping[str, Policy | BatchPolicy]] = MappingProxyType(
    {"watchful": Watchful(), "uniform": Policy(), "learned": Learned()}
)
"""The playout policies, by name."""

_OWN_NAME: Final = re.compile(r"([\w.+-]{1,40})=")
_SEARCHES: Final = {"sampling": Sampling(), "learned": Sampling(policy=Learned())}
"""The searching players, by the name before the number of worlds."""
_WORLDS: Final = re.compile(r"[0-9]{1,9}")


@attrs.frozen
class Named:
    """A bot and its name in results."""

    name: str
    bot: Bot


def bot_named(text: str, *, seconds: float | None = 10.0) -> Named:
    """Make a bot from its name.

    `uniform`, `heuristic`, `sampling` and `learned` are the bots of this package. `sampling:200` samples 200 worlds per
    decision, and `learned:1600` samples 1,600 and searches with the network of `learned`. `external:COMMAND` runs a
    program (see `heartsrules.bots.external.External`). `my_bots.py:ducker` and `package.module:ducker` import the
    function `ducker` from your file or module. Case does not matter, except in a command and in Python. A bot of this
    package or a program is named after the text. The prefix `NAME=` gives a bot another name, of up to 40 letters,
    digits and `_.+-`.

    >>> bot_named("Sampling:20").name, bot_named("ours=heuristic").name
    ('sampling:20', 'ours')

    Args:
        text: the name.
        seconds: the timeout of a program's move, or None for none.

    Raises:
        ValueError: there is no such bot, or it has no such option.
        MissingExtra: a program requires the extra `json`, or `learned` the extra `learned`, which is not installed.
    """
    given = text.strip()
    own = _OWN_NAME.match(given)
    told = given[own.end() if own else 0 :]
    kind, colon, option = told.partition(":")
    kind = kind.strip().lower()
    source, _, function = told.rpartition(":")
    if kind not in (*BOTS, "external") and source and function.isidentifier():
        return Named(own.group(1) if own else function, FromSource(source, function))
    if kind == "external":
        from heartsrules.bots.external import External

        if not option.strip():
            raise ValueError("external needs a command: external:COMMAND")
        bot: Bot = External(option.strip(), seconds=seconds)
        name = f"external:{option.strip()}"
    elif kind in _SEARCHES and colon:
        if not _WORLDS.fullmatch(option) or not int(option):
            raise ValueError(f"{kind}:{option[:40]} must say how many worlds it draws, such as {kind}:200")
        bot = attrs.evolve(_SEARCHES[kind], worlds=int(option))
        name = f"{kind}:{int(option)}"
    elif kind not in BOTS:
        known = suggestion(kind, (*BOTS, "external", "module:function"))
        raise ValueError(f"there is no bot {in_words(given)}: {known}")
    elif colon:
        raise ValueError(f"{kind} has no options: leave out {in_words(colon + option)}")
    else:
        bot, name = BOTS[kind], kind
    if kind == "learned":
        _need_numpy("the bot learned")
    return Named(own.group(1) if own else name, bot)


def policy_named(text: str) -> Policy | BatchPolicy:
    """Return a playout policy by its name, for `assess`, `review` and `Sampling`.

    `watchful` and `uniform` are from `heartsrules.analysis.policies`, and `learned` is the network. Case does not
    matter.

    >>> policy_named("Watchful")
    Watchful(0.08)

    Raises:
        ValueError: there is no such policy.
        MissingExtra: `learned` requires the extra `learned`, which is not installed.
    """
    name = text.strip().lower()
    if name not in POLICIES:
        raise ValueError(f"there is no policy {in_words(text)}: {suggestion(name, POLICIES)}")
    if name == "learned":
        _need_numpy("the policy learned")
    return POLICIES[name]


def _need_numpy(what: str) -> None:
    with needs("learned", what):
        import numpy  # noqa: F401
