"""English: the sets of words, and what is neither good nor bad."""

from aftermind.sidecar.cues.words.en_fail import FAIL
from aftermind.sidecar.cues.words.en_work import WORK

PHRASES = {
    "$bad": "error errors failure failures fail fails failing failed crash crashes crashing crashed exception "
    "exceptions issue "
    "issues problem problems warning warnings bug bugs complaint complaints break breaks broke broken regression "
    "regressions timeout timeouts hang hangs hanging glitch* flicker* flak* leak leaks leaking stall* freez* "
    "froze trouble hiccup* "
    "conflict conflicts 500 404 403 401 502 503 504 413 oom duplicate* mismatch* segfault* deadlock* lag lags",
    "$broke": "break breaks broke broken fail fails failed failing crash crashes crashed crashing hang hangs "
    "hanging leak leaks "
    "leaking happen happens happening complain complains complaining occur occurs flicker* freez* froze stall* "
    "throw throws "
    "overflow* error erroring errors flake* jump jumps stutter* blink* lose loses losing lost drop drops timing "
    "timeout",
    "$crash": "break breaks broke broken fail fails failed failing crash crashes crashed crashing hang hangs hanging "
    "leak leaks leaking flicker* freez* froze stall* throw throws overflow* error erroring errors flake* jump jumps "
    "stutter* lose loses losing lost",
    "$be": "is are was were be been being am s",
    "$do": "do does did is are was were has have had can could will would",
    "$work": "work works worked working",
    "$good": "good fine ok okay great perfect correct right clean green happy well smooth* properly correctly "
    "nicely solid normal ace "
    "dandy sweet gold golden stable fast quick snappy instant",
    "$goes": "runs run ran builds built compiles compiled loads loaded starts started boots boot deploys "
    "deployed installs "
    "installed passes passed renders rendered connects connected opens opened parses parsed links linked "
    "imports imported "
    "responds returns matches shows prints resolves finishes finished completes completed validates sorts "
    "updates logs boots "
    "saves displays closes stays scrolls plays prints sends arrives appears",
    "$thing": "error errors issue issues problem problem* result results thing output behaviour behavior story "
    "exception "
    "message trace stacktrace failure crash screen numbers symptom* outcome mess complaint warning warnings "
    "spot place "
    "amount size time speed count bug",
    **WORK,
    **FAIL,
    "part": """
        most|some|many|half|few are|is|were|work|pass|gone
        bit|little|slightly|somewhat faster|better|quicker|smaller|nicer|cleaner
        almost|nearly|half|halfway|partly|partially|partial|mostly
        better
        closer|close
        improved|improvement
        not there yet
        not quite
        kinda|sorta work|works|worked|working
        kind|sort of work|works|worked|working
        work|works|worked|working sometimes|occasionally|intermittently
        sometimes|occasionally|intermittently work|works|worked
        $crash less often?
        fewer|less $bad now?
        work|works|worked on and off
        work|works|worked half|some|most of the time
        except
        except for
        apart|aside from
        other than that
        getting there
        different|another|new one|error|exception|failure|problem|issue|message now|instead|though
        ^ now i|we|there get|got|see|have|hit|am|are|is getting? a|an? different|another error|exception
        one|two|three|four|five|six|seven|eight|nine|ten|some|most|half of|out of? the|\
them|those|my? two|three|four|five|ten
    """,
    "only": """
        only the|for|on|in|one|half|works|some|partly
        only partly|partially|half
    """,
    "revert": """
        ^ revert|reverting|undo|undoing|restore|rollback
        please|just revert|undo|restore|rollback
        revert|undo|rollback it|this|that|the|your|everything|all|my
        had to revert|undo|roll|rollback
        i|we reverted|undid|rolled|restored
        ^ roll .. back
        roll it|that|this|everything .. back
        ^ put|change|bring|switch|take .. back|out
        put|change|bring|switch it|that|them|this .. back
        back it|that|this out
    """,
    "later": """
        will|let|gonna|going|shall|plan|need|want|have|should|would|could|might try|test|check|see|look|report|run|\
deploy|give|read|have|know|apply|do|get|take|come|think|verify|update|tell
        will|let me|us|you? try|test|check|see|look|report|deploy|run|read|know|apply|verify|tell|keep
        going to try|test|check|see|look|run
        later|tomorrow|tonight|soon|monday|afternoon|weekend
        trying|testing|checking|running|deploying|building it|that|this|now
        running|trying|testing|deploying|checking|building it|that|this? now
        hold|hang on
        wait|waiting
        in a minute|sec|bit|moment
        brb
        noted
        bookmark*
        good to know
        got it
        understood
        to be tested
        once i|we|the
        when i|we am|are|get|have
    """,
    "past": """
        old|previous|last version|one|code|build|release|setup
        worked in|until|till|with the? 0|1|2|3|4|v1|v2|last|old
        worked|works|ran|held|passed until|till|til
        last time|week|month|year
        at first
        initially
        before
        previously
        used to
        earlier
        sceptical|skeptical|doubted|doubt*
        yesterday
        i thought|was|had
        first i|it|time
        for a moment|while
        after
    """,
    "mine": """
        my mistake|bad|fault|own|error|typo|end|side|oversight|apologies
        that was me
        i was wrong
        was on me|my
        i mistyped|misread|misspelled|forgot|mistook|overlooked
        operator|user error
        turned|turns out .. i|my
        i had|made a|the|an? typo|wrong|old|stale
        never mind|mind
        nevermind
        nvm
        pebkac
        sorry
    """,
    "wish": """
        i wish
        would be nice|great|good|lovely|cool if
        if only
        would have been
        would work|help if
    """,
    "if": """
        if
        unless
        suppose
        assuming
        in case
        whether
    """,
    "aside": """
        unrelated
        unrelatedly
        something|anything else
        different|another|separate|new|other topic|thing|question|issue|problem|subject|story|matter|note|bug
        off topic
        by the way
        btw
        next up|thing|topic|question|one|task
        next
        moving on
        on to
        anyway
        side note|question
    """,
    "told": """
        says|said|thinks|claims|told|asked|reported|reports|complains
    """,
    "hush": """
        fixed|solved|resolved|changed|helped|improved nothing|none|nobody
        sorted ascending|descending|asc|desc|wrong|backwards
        one|test|tests|case|cases|version|example that|which $broke
        was|were there|like|so|broken|failing that? before|already
        i|we|you|they|he|she did it
        sorted by|in|list|lists|order|alphabetically|array|set
        fixed width|size|height|length|amount|number|price|position|port|seed|rate|point|date|costs
        i|we|they|you solved|corrected|changed|updated|resolved
        i|we fixed
        i|we am|are|was|were working
        accepted values|types|formats
        still .. possible|useful|needed|necessary|worth|sensible
        could be worse
        only|just want|wanted to? ask|know|say|add|see|check|understand|clarify|mention
        i|we still use|run|remember|prefer|think|maintain|support|need|want|have|plan|owe
        passing|pass a|an|the|it|in|my|our|this|them
        it|this|that $goes everything|all|every|an|a|both|too|nothing|none|only|twice|on
        no need to
        i only|just? wanted to ask|know|say|add|see|check|understand|clarify|mention
        error|failure|exception|warning|bug message|messages|handling|handler|code|codes|page|report|reports|budget|\
tracking|log|boundary|text|type|types|state|class|screen|rate|mode|case|cases|path|paths|tracker|fix
        how|why|what .. works|work|worked|working
        you said|told|claimed|promised|swore|insisted .. works|work|worked|working|fixed|solved|resolved
        works|work|worked about|nearly|almost? as well as a|an
        checks|ensures|asserts|verifies|explains|describes|documents that|whether|if|how .. works|work|worked|working
        no problem|worries|rush|hurry|need|matter|doubt|one|wonder|question|questions|way|thanks
        not a problem|bad|only|sure|yet|me|my|today|now|tested|tried|checked
        no big deal
        do|did not know|mind|care|worry|touch|forget|understand|get|need|think|want|have|use|like|see
        had not thought|considered|known
        let us not
        lets not
        let not
        do not
        still need|want|wondering|wonder|curious|testing|waiting|learning|thinking|reading|looking|unsure|works|work|\
pass|passes|passing|green|fine|good|ok|okay|valid|correct|prefer|think|trying
        same result|results|output|numbers|values|rows as
        you missed|forgot|broke|lost nothing
        i meant to
        you lost me
        i am lost
        can|could not find|see|spot .. wrong|broken|bad|bug|bugs|problem|problems|mistake|mistakes|fault|issue|issues
        still can not believe
        i do not get it|why|how
        wrong window|chat|tab|thread|channel|session|ticket|terminal|person|button|key|shell|dir|directory|folder|branch
        still not sure|convinced|tested|tried|had|clear|decided
        same|similarly thing|goes|for|with|again|question|in for|with|please|in|though
        the same thing|treatment|change|fix|for|in for|in|please|to
        do|did|does the same
        it|that|this does|do|did not matter
        does|do not matter
        why did|do you
        on success|failure|error
        not only
        why not
        or not
        if not
        whether or not
        ok|okay|fine|right|good so|then|now|let
        it|that|this|everything is ok|okay|fine|alright|safe|allowed to
        right now|away|click|side|hand|after|before
        all right
        at work
        works only? from|for|at
        work only? from|at
        at all
        out of nowhere
        no longer
        no more
        sounds|sound good|great|fine|reasonable|right|like|interesting|ok
        makes|make sense
        i|we do|did|have|am|are not
        not bad
        not too bad|shabby
        nothing but|else
        only thing
        not just
        undo|revert|rollback is|was|does|did|has|button|buttons|feature|function|stack|history|support|operation
        working directory|copy|tree|on|hours|day|with
        in|the wrong hands
        give|get me|us|it|them
        fix the|this|that|it|my|also
        fast forward
    """,
}
