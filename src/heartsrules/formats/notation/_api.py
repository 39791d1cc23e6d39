"""The public names of `heartsrules.formats.notation`."""

from heartsrules.formats.notation.evaluation import Evaluation as Evaluation
from heartsrules.formats.notation.evaluation import format_evaluation as format_evaluation
from heartsrules.formats.notation.evaluation import parse_evaluation as parse_evaluation
from heartsrules.formats.notation.fields import format_field as format_field
from heartsrules.formats.notation.fields import format_rules as format_rules
from heartsrules.formats.notation.fields import parse_field as parse_field
from heartsrules.formats.notation.fields import parse_rules as parse_rules
from heartsrules.formats.notation.move_text import format_move as format_move
from heartsrules.formats.notation.move_text import parse_move as parse_move
from heartsrules.formats.notation.position import format_position as format_position
from heartsrules.formats.notation.position import parse_position as parse_position
from heartsrules.formats.notation.position import parse_setup as parse_setup
from heartsrules.formats.notation.record import MAX_GAME as MAX_GAME
from heartsrules.formats.notation.record import MAX_TOKENS as MAX_TOKENS
from heartsrules.formats.notation.record import format_record as format_record
from heartsrules.formats.notation.record import format_records as format_records
from heartsrules.formats.notation.record import line_of as line_of
from heartsrules.formats.notation.record import parse_record as parse_record
from heartsrules.formats.notation.record import parse_records as parse_records
from heartsrules.formats.notation.record import scan_records as scan_records
from heartsrules.formats.notation.scan import MAX_LINE as MAX_LINE
from heartsrules.formats.notation.variation import Variation as Variation
from heartsrules.formats.notation.variation import format_variation as format_variation
from heartsrules.formats.notation.variation import parse_variation as parse_variation
