"""The public names of `heartsrules.testing`."""

from heartsrules.testing.namespace import names as names
from heartsrules.testing.rule_sets import random_rules as random_rules
from heartsrules.testing.strategies import bags as bags
from heartsrules.testing.strategies import cards as cards
from heartsrules.testing.strategies import deals as deals
from heartsrules.testing.strategies import games as games
from heartsrules.testing.strategies import moves as moves
from heartsrules.testing.strategies import records as records
from heartsrules.testing.strategies import rules as rules
from heartsrules.testing.strategies import states as states
from heartsrules.testing.strategies import views as views
