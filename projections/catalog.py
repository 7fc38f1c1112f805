"""All views there are. Changing this tuple, or a revision in it, has the views rebuilt at the next start."""

from msgspec import structs

from aftermind.projections.asked import ASKED
from aftermind.projections.books import BOOKS
from aftermind.projections.called import CALLED
from aftermind.projections.directives import DIRECTIVES
from aftermind.projections.outcomes import OUTCOMES
from aftermind.projections.particulars import PARTICULARS
from aftermind.projections.pauses import PAUSES
from aftermind.projections.projects import PROJECTS
from aftermind.projections.sessions import SESSIONS
from aftermind.projections.shelf import SHELF
from aftermind.projections.spending import SPENDING
from aftermind.projections.stands import STANDS
from aftermind.projections.tally import TALLY
from aftermind.projections.touched import TOUCHED
from aftermind.projections.verdicts import VERDICTS
from aftermind.projections.words import WORDS
from aftermind.projections.wordy import WORDY
from aftermind.projections.worklist import WORKLIST

_WORDS = structs.replace(WORDS, makes=("words_", "glyphs_"))
ALL = (
    *(SHELF, _WORDS, OUTCOMES, ASKED, VERDICTS, WORKLIST, WORDY, SESSIONS, PROJECTS, PAUSES, BOOKS, SPENDING, TALLY),
    *(TOUCHED, CALLED, STANDS, PARTICULARS),
    DIRECTIVES,
)
