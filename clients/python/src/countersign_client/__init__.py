"""Asks the person at this computer at the same time in the Countersign inbox, through the program's own port, and by the answer file
of the run's folder. The first answer wins, and the question is withdrawn everywhere else.
"""

from .ask import (
    ask_for_choice,
    ask_for_decision,
    ask_for_manual_intervention,
    ask_for_text,
    set_interaction_port,
)
from .types import Abandoned, AskError, By, Chosen, Decided, InteractionPort, Intervened, Prompt

__all__ = [
    "Abandoned", "AskError", "By", "Chosen", "Decided", "InteractionPort", "Intervened", "Prompt", "ask_for_choice",
    "ask_for_decision", "ask_for_manual_intervention", "ask_for_text", "set_interaction_port",
]
