"""English: it failed, and words for trouble."""

FAIL = {
    "still": """
        still
        same $thing
        same exact|old|damn|bloody|stupid $thing|error|thing|problem|issue
        same as|like before|yesterday|ever|always|last
        just|exactly|precisely the same
        the same .. as|like before|ever|last
        exactly|just as before|ever|bad|slow|broken|wrong|useless|it
        exact same
        yet again
        once again
        keeps|keep|kept $broke|failing|crashing|getting|giving|throwing|returning|showing|saying|complaining|timing|\
coming|spinning|asking|loading|resetting|restarting|printing|doing|jumping
        persists|persist|persisted
        made|make that|this|it up
        making|make things|stuff|that|it up
        hallucinat*
        how many times
        does|did|do you even
        did you .. test|try|run|read|check|make
        supposed to
    """,
    "fail": """
        i asked you|for|if|how|whether|only
        not .. work|works|working|worked
        never worked|works
        far from work|working|done|fixed|ready|solved
        none of .. work|works|worked|helped|help
        nothing works|worked|changed|changes|happens|happened|helps|helped
        no work*
        neither works|worked|helped|of
        stopped|quit|ceased working
        over and over
        not help|helping|helped|change|changing|fix|fixed|solve|do|resolve anything|it|much|nothing|a|the|any?
        not make|made a|any .. difference|effect
        no luck|dice|joy|difference|change|effect|improvement|avail|success|cigar|bueno
        to no avail
        no .. difference|change|effect|improvement whatsoever|at|there
        makes|made no|zero|0 difference|sense
        has|have|had no|zero effect|impact
        unchanged
        useless
        worse
        worsened
        even worse
        you broke
        makes no sense
        that|this|it|which is|was|s all|completely|totally|just|plain|simply|flat? wrong|incorrect|false|untrue|\
nonsense|backwards|outdated
        not what i
        not exist
        not exist|compile|build|start|boot|launch|load|show|appear|match|pass|run|respond|open|render|connect|\
install|deploy|find|return|apply|update|save|trigger|fire|recogni*|parse|accept|validate|import|resolve
        no such
        does|did|do|doing nothing
        no no
        i said|told|meant|explicitly|specifically|clearly
        as i said|told|wrote|mentioned
        i only|just wanted|asked|needed
        i have told|said|asked|explained .. you|twice|already|that
        locked out
        i tried|did|had that already|before
        that|this|it is|was not the|my|our real|actual|root? problem|issue|bug|culprit|error
        that is not it|right|true|correct|working|what|how|the|helpful|good|possible
        you forgot|forget|missed|miss|ignored|skipped|deleted|removed|overwrote|misunderstood|misread|broke|lost|\
dropped|changed|invented|made|left|hardcoded|replaced|only|just
        you did|have|are|were not
        forgot|missed the|to|a|about|one|my
        misunderst*
        forget it
        forget about it
        giving|give|gave up
        third|second|fourth|fifth|nth|tenth time
        back to square
        way off
        no idea what
        doing the opposite
        gets|got|getting stuck|killed|rejected|refused|denied|lost|ignored|duplicated
        👎
        ❌
        😡
        🤦
        unusable
        what a mess
        no output|response|reply|result|reaction either
        ^ wait no
    """,
    "fault": """
        then closes|stops|exits|dies|quits|disappears|vanishes|nothing|freezes|crashes
        worked|works|working|passing|passed|fine|green until|before you|your|the|this
        it|this|that|which|they does|did|can|will not
        i|we do|can|could not see|find|get .. difference|change|it|any|the
        not answer|scale|address|match|handle|cover|support|respect|include
        continues|continue|continued to
        as ever
        as before
        looks|is|are|stays|remains|remained|size the? same
        back again
        remains|remain|remained
        garbage
        so well|good|great|fast that
        broke|breaks
        broken
        not even
        wrong
        incorrect
        not correct|right|true|accurate|what|how|the|it|enough|helpful|accepted|recognized|recognised|supported|\
valid|found|there|allowed
        i do|did not want|ask|mean
        i|we do|can|could not see|find|get|reach|open|access|log|load|start|run|read
        now there is|are
        i get|got|see .. wrong|nothing|denied|empty|none
        removed|deprecated|gone in|from|since v2|v3|version|the
        matches|accepts|includes|returns|shows also|too|even
        is|are|was|still|still|goes missing
        throws|threw|crashes|hangs on|when|after|at|in|with
        broke|broken|breaks|ruined|killed|wiped|destroyed|corrupted|wrecked
        i already|never asked|told|said|tried|did|had|mentioned|wanted
        i did|do not ask|say|want|mean|tell
        i will do it|this|that myself
        i|we did|fixed it|that|this myself
        found|figured it|that|this myself|out
        is|are|was|were|comes|came|stays|all empty|blank|null|undefined|nan|garbled|unreadable|misaligned
        returns|gives|shows|prints|returned none|null|undefined|nothing|nan|empty
        had to|ended switch|use|do|up .. instead|myself
        for the .. time
        $bad again
        again $bad
        back to where
        far|a|miles .. off
        should have
        was|were meant to
        instead of|it|they|shows|i
        rather than
        in vain
        to death
        opposite
        fails|failed at|on|with|to|because|the|when|again|for|in|now|immediately|as|after|every|too
        crashes|crashed
        hangs|hung
        freezes|froze
        stuck
        now it|that|they|the|i|we|my|all? $bad|hangs|freezes|deletes|loses|refuses|complains|throws
        now nothing|none|every|even|i|we|my can|get|have
        slower
        too slow|big|long|late|high|low|many|much
        lost
        down again
        red
        blank
        fails|failing
        nowhere near
        far from
        hardly
        barely
    """,
    "weak": """
        $bad
        not a|the|an
        throws|threw|complains|complaining|complained|refuses|refused|rejects|rejected
        gives|gave|get|getting|got|got me|us|an|a
        undefined|null|nan|empty|ignored|ignores|ignoring|duplicated|nothing|denied|refused|forbidden|timed
        ugly
        but
        nowhere
        disappeared|gone|vanished
        loses|drops|skips|deletes|deleted|overwrites|doubles
        unreadable
        misaligned
        odd
        strange
        weird
    """,
}
