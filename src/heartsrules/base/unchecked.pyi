# Of one type alone, a union is that type: `Unchecked[Card]` is `Card`.
from typing import Union as Unchecked

__all__ = ["Unchecked"]
