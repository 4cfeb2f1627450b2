"""How often is seldom, how much is most: words for what must be decided and nobody has measured.

What is measured lies in `models/sensor.json`. Where code must decide by a chance or by a part of something and
has no measurement, it takes one of these words. They are coarse on purpose: whatever would need a step between
two of them is a guess made to fit one case, and wants a measurement instead.
"""

from math import log

NEVER, HARDLY, RARELY, SELDOM, PERHAPS, EVEN = 0.001, 0.01, 0.03, 0.1, 0.3, 0.5
LIKELY, SURE, PLAIN, CERTAIN = 1 - PERHAPS, 1 - SELDOM, 1 - RARELY, 1 - NEVER
LITTLE, SOME, HALF, MOST, NEARLY_ALL = 0.1, 0.3, 0.5, 0.7, 0.95


def nats_against(chance: float) -> float:
    """What speaks against that which happens with this chance."""
    return -log(chance)
