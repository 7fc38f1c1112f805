"""All views there are. Changing this tuple, or a revision in it, has the views rebuilt at the next start."""

from aftermind.projections.views.asked import ASKED
from aftermind.projections.views.books import BOOKS
from aftermind.projections.views.called import CALLED
from aftermind.projections.views.directives import DIRECTIVES
from aftermind.projections.views.enriched import ENRICHED
from aftermind.projections.views.items import ITEMS
from aftermind.projections.views.outcomes import OUTCOMES
from aftermind.projections.views.particulars import PARTICULARS
from aftermind.projections.views.pauses import PAUSES
from aftermind.projections.views.pieces import PIECES
from aftermind.projections.views.projects import PROJECTS
from aftermind.projections.views.sessions import SESSIONS
from aftermind.projections.views.shelf import SHELF
from aftermind.projections.views.spending import SPENDING
from aftermind.projections.views.stands import STANDS
from aftermind.projections.views.tally import TALLY
from aftermind.projections.views.touched import TOUCHED
from aftermind.projections.views.verdicts import VERDICTS
from aftermind.projections.views.words import WORDS
from aftermind.projections.views.wordy import WORDY
from aftermind.projections.views.worklist import WORKLIST

ALL = (
    *(SHELF, WORDS, OUTCOMES, ASKED, VERDICTS, WORKLIST, WORDY, SESSIONS, PROJECTS, PAUSES, BOOKS, SPENDING, TALLY),
    *(TOUCHED, CALLED, STANDS, PARTICULARS),
    *(DIRECTIVES, ITEMS, ENRICHED, PIECES),
)
