"""The public names of `heartsrules.simulation`."""

from heartsrules.simulation.matches import play_deal as play_deal
from heartsrules.simulation.matches import play_match as play_match
from heartsrules.simulation.ratings import Rating as Rating
from heartsrules.simulation.ratings import bradley_terry as bradley_terry
from heartsrules.simulation.tournaments import MAX_SEATINGS as MAX_SEATINGS
from heartsrules.simulation.tournaments import Comparison as Comparison
from heartsrules.simulation.tournaments import Duel as Duel
from heartsrules.simulation.tournaments import Estimate as Estimate
from heartsrules.simulation.tournaments import Results as Results
from heartsrules.simulation.tournaments import seatings_of as seatings_of
from heartsrules.simulation.tournaments import tournament as tournament
