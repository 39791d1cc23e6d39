"""The public names of `heartsrules.analysis`."""

from heartsrules.analysis._assessing import MOST_MOVES as MOST_MOVES
from heartsrules.analysis._assessing import AssessedMove as AssessedMove
from heartsrules.analysis._assessing import Assessment as Assessment
from heartsrules.analysis._assessing import Difference as Difference
from heartsrules.analysis._assessing import assess as assess
from heartsrules.analysis._drills import Drill as Drill
from heartsrules.analysis._drills import Theme as Theme
from heartsrules.analysis._drills import drills as drills
from heartsrules.analysis._drills import drills_of as drills_of
from heartsrules.analysis._errors import TooManyPositions as TooManyPositions
from heartsrules.analysis._hints import hint as hint
from heartsrules.analysis._prospects import prospects as prospects
from heartsrules.analysis._reasons import Reason as Reason
from heartsrules.analysis._reviewing import Cause as Cause
from heartsrules.analysis._reviewing import ComparedMove as ComparedMove
from heartsrules.analysis._reviewing import DealReview as DealReview
from heartsrules.analysis._reviewing import Decision as Decision
from heartsrules.analysis._reviewing import Quality as Quality
from heartsrules.analysis._reviewing import Review as Review
from heartsrules.analysis._reviewing import Scale as Scale
from heartsrules.analysis._reviewing import TurningPoint as TurningPoint
from heartsrules.analysis._reviewing import explain as explain
from heartsrules.analysis._reviewing import review as review
from heartsrules.analysis._solutions import MOST_POSITIONS as MOST_POSITIONS
from heartsrules.analysis._solutions import Solution as Solution
from heartsrules.analysis._solutions import solve as solve
