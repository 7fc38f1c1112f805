"""English: what keeps a clause from being kept."""

LEFT = {
    "once": """
        for now|today|this|that|once|tonight
        for the moment|time|demo|test
        this time|once|run|branch|commit|pr|call|test|file|function|turn|session|one|step|task
        just this|for|once
        only this|for
        yet
        until
        right now
        in this|that case
        at the moment
        at present
        temporarily
        today|tonight|tomorrow
        while you|we|i
        in the next
        next commit|time
        step|steps of
        of this
        since noon|yesterday|today|monday|morning
        currently down|broken
    """,
    "state": """
        ^ no|still test|tests|error|errors|docs|readme|file|files|folder|output|logs|change|changes|luck|difference
        still|suddenly|keeps
        blank|lost|slow|slower|down|memory|cpu|error|errors|fails|failing|failed|crash|crashes|warning|warnings|\
missing|expected|outdated|broken|empty|invalid|red|stuck|invalid|hangs|timeout|timeouts|users|page|showing|shows|\
says|logs|screenshot|returns|%|took|takes|times
    """,
    "spec": """
        implement|build|support|code|add that|it|this
        test|tests for|that it|this|checks|that
        can|could you add|implement|build|do|make that|it|this
    """,
    "change": """
        change|bump|raise|lower|increase|decrease|rename|replace|set|switch|move|make|give|upgrade it|that|them
        please replace|change|rename
        check|open|look|run|try|delete|remove|drop|fix|find it|them
    """,
    "trouble": """
        no|oh|ah|hm|hmm wait
        wait no
        scratch that
        and|but now|it|nothing|that|then .. $bad|still|odd|blank|red|nothing|not
        and|but nothing
        and|but still
        that is the|why|a|my? bug|problem|issue|cause|reason|wrong
        that|it can not be right
        so it can not|does not|did not|will not
        and unreadable|empty|wrong|broken|missing|useless
        and it|now is .. $bad
        which is a? bad|wrong|odd|weird|ugly
    """,
    "place": """
        in the|my output|spec|code|docs|readme|logs|log|footer|header|console|browser|response|screenshot|error|trace|\
test|tests|diff|page|ui|\
example|snippet|file
    """,
    "maybe": """
        we|you|i|it|they may|might add|be|want|need|have|move|use|switch|go
        that looks|sounds|seems|is
        so far
        if|suppose|imagine|assume|assuming
        let us say
        lets say
        say|what if
        would|could|might|may be|it|that|we|i|work|help|you
        might|maybe|perhaps|probably|possibly|presumably|supposedly|allegedly|reportedly|iirc|afaik|afaict|apparently|hopefully
        for the sake of argument
        should i|we|it
        i think|guess|believe|suspect|wonder|suppose|thought|assume|hope|wish|heard|read
        not sure
        am not sure|certain
        not certain|decided
        have|has not decided|chosen
        leaning towards|to
        let me sleep
        could go
        e g
        for example|instance
        turns out
        it seems
        seems|looks like
        i wish
        as always|ever|usual
        better late
        i|we|you|he|it|they must have|say|be
        must have been|expired|changed|be something
    """,
    "others": """
        this|the repo|repository|project|codebase|code|service is a mess|joke|nightmare|bit
        we are going with the flow
        the|that decision|choice|call|verdict is yours|up
        according to
        my|our|another|the other|different? other? project|repo|repository|codebase|job|company at|we|i|it|uses|has|,
        in|on my|our|another|the other? project|repo|repository|codebase|job|company
        this|that|these|those|here is|are their|his|her
        i was|am|have told|been
        ^ as a|an user|customer|visitor|guest|admin
        i|we prefer not to talk|discuss|say|answer|think|decide|go|share|explain|comment
        says the|it
        before i|we can
        before i go|leave|sleep
        before we go home|out|offline|today
        before we leave today|now|home|work|for
        i would rather|prefer you|not|we|it
        i prefer the? first|second|latter|former|other|last|option|one
        supposing|pretend|assuming|translate
        nice to
        i would|do not? prefer|want|like not|to|this|that|it|you
        i do|would|did not want|prefer|like to|this|that|it|you|any
        i would prefer not
        i would like|love|prefer to|you|it|this|that|a|an|some|one
        i want to|you|it|this|that|a|an|the
        i decided|chose to
        i|we like|love it|this|that|them|the|your|how|where .. better|more?
        i prefer this|that|it|neither|either
        i|we like|love|prefer this|that|your|the .. better|more than
        i hate it|this|that|when|to
        we must have
        you must
        as|like always
        once|long ago
        my|our|their|his|her old|previous|former|last|ex|first team|job|company|employer|boss|project|colleague
        my colleague|boss|friend|coworker|teacher|professor|manager|brother|girlfriend|wife|husband
        colleague|reviewer|manual|docs|documentation|\
changelog|error|log|message|comment|ticket|issue|mail|email|book|article|post|spec|rfc|tutorial|readme|blog|he|she|they|\
people|someone|somebody|guy|apple|google says|say|said|states|stated|mentions|mentioned|\
wrote|write|claims|claim|commented|recommend|recommends|tell|\
told|advises|suggests|suggested
        he|she|they always|never|prefer|use
        people|everyone|everybody|nobody always|never|prefer|use
        years|year ago
        regret|regretted
        back then|in
        used to work|have
        in the linux|kernel
        linux kernel
        i never|always|have understood|wanted|thought|liked|knew|learned|get|got|forget|know|remember|had|end|read|\
tried|been
        i have always|never
        we never had|got|finished|met|talked
        you|it|this|that|thing|stuff|which always|never
        you keep
        never mind|again|ever|happened|works|work|worked|gonna|understood|knew|reassigned|used|called|heard|seen|\
tried|fires|triggers|reached|returns|ends|stops
        always two|works|been|wanted|those|the|there|visible|on
        not that i
        do not have|need to
        no need to
        you do not have|need
        does not have|need to
        never change a running
        no longer in|needed|there
        anything fancy|special
    """,
    "ask": """
        ^ add|write|rename|create|generate|explain|show|draft|translate|make|implement|move|list|remove|delete|\
describe|give|convert|summarise|summarize|extract|fix|bump|replace|find|check|refactor|set|try|run|look|tell|render|\
revert|continue|undo|update|pick|help|split|inline|use|put|open|skip|include|let|lets|can|could|go
        ^ commit|test|build|log|print|port|format|review|change|merge|start|answer it|this|the|that|with|a|all|them|\
everything|to|from|in
        please|pls add|write|rename|create|generate|explain|show|draft|translate|make|implement|move|list|remove|\
delete|describe|give|convert|change|fix|bump|replace|find|check|refactor|set|try|run|look|tell|update|go|commit
        and|then|now|so|also add|write|rename|create|generate|explain|show|make|implement|move|remove|delete|change|\
fix|replace|check|refactor|set|try|run|look|tell|update
        write|add|make|create a|an|the|it|some
        test|tests that|checks
        using as
        ^ here is|are
        have a look
    """,
}
