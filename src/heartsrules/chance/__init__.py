"""Random bits, streams of random numbers and the seeded shuffle.

The shuffle has a specification of its own, so that any language can reproduce and audit a deal. It does not depend on
the version of Python. "The seeded shuffle" in the documentation has its wording and test vectors. Dealing itself is a
move, in `heartsrules.play.dealing`.
"""

from heartsrules.chance.bits import Bits, SeededBits, below
from heartsrules.chance.shuffling import shuffled
from heartsrules.chance.stream import RandomStream, as_stream

__all__ = ["Bits", "RandomStream", "SeededBits", "as_stream", "below", "shuffled"]
__dir__ = __all__.copy
