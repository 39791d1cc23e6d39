"""The public names of `heartsrules.apps.serve`."""

from heartsrules.apps.serve.answering import Answer as Answer
from heartsrules.apps.serve.answering import Service as Service
from heartsrules.apps.serve.declaring import Argument as Argument
from heartsrules.apps.serve.declaring import Operation as Operation
from heartsrules.apps.serve.operations import OPERATIONS as OPERATIONS
from heartsrules.apps.serve.printing import CLIENTS as CLIENTS
from heartsrules.apps.serve.printing import printed as printed
