"""English: it worked, and praise."""

WORK = {
    "work": """
        works|worked|working
        work now|fine|again|great|perfectly|well|nicely|here
        it|that|this|they|both|all do|did work
        did|does|do work
        fixed|solved|resolved|sorted
        fixes it|that|this
        did|does the trick|job|magic
        that|this|it|which did it
        that|this|it was it
        that|this|it was the|exactly .. culprit|cause|reason|problem|issue|bug|fix|missing
        that|it was exactly it|that
        was the culprit|cause|reason
        that is it
        nailed it|that
        got|gets|getting rid
        made|makes .. $bad .. go|disappear|vanish
        can|could .. again
        i see .. now
        gets|get|shows|returns|gives|picks|picked|uses|has|found|prints|finds|got .. correct|right|expected|proper
        signed off
        approved
        accepted it|this|that|the
        without a|any hitch|problem|issue|fuss|trouble|glitch|incident|complaint|flaw
        ship it|this
        did it
        so does|do|did|is|are the|my|everything|all|both
        found it there|now|thanks|thank
        can live with
        without|not a|one single? $bad
        faster|quicker|better than before
        green across|everywhere|again|now|all
        that|it is the one
        all .. covered|there|right|correct|done
        was the bug|reason|cause|culprit|problem|issue|fix
        good catch|call|find
        has|have|did|does not come|reappeared|returned|resurfaced|recurred|happened|come back|since
        has|have|did not reappeared|returned|resurfaced|recurred|occurred
        does|did|do what|everything i|we|it|they
        $goes on? the? first|right|straight try|time|away|off
        solved|fixed|cured|eliminated
        so|much much? better now|thanks|thank
        in production|prod|staging|qa and|for .. no
        holds|held so|now|all|under|through|the|for|all
        is|are history
        a|the charm
        log in|out now
        you nailed
        spot on
        bingo
        bang on
        like a charm|dream
        all good|green|fine|set|clear|clean|well
        everything is? $good|green|up
        everything $goes
        good|fine|ok|okay|green|clean|normal|stable|correct|smooth|fast|quick|happy|right|clear now|again
        looks|look|looking|seems|seem|is|are|feels|sounds|came|reads|renders|went very|really|much|all|so? $good
        checks out
        holds up
        back to normal|green|life
        up and running
        as good as new
        back up
        passes|pass|passing|passed
        tests|test|suite|specs|checks|build|pipeline|ci|lint|typecheck are|is|went|all green|pass|passes|passing|ok|\
clean|happy|good|fine
        turned|went|gone|goes|stays|is|are|all|came|came back green
        it|code|project|everything|this|now|finally compiles|builds|runs|loads|starts|boots|deploys|installs
        compiles|builds|runs|loads|starts|boots|deploys|installs|renders|opens|closes|connects|responds|prints|\
shows|saves|updates|scrolls|sorts|plays|fits|matches|finishes now|fine|properly|correctly|cleanly|nicely|instantly|\
ok|again|perfectly|well|everywhere|smoothly|flawlessly|quickly|finally|through
        ran|run|runs|went|goes|go|installed|deployed|built|compiled|imported|migrated|merged|applied|uploaded \
through|fine|clean|cleanly|ok|well|smoothly|perfectly|nicely|flawlessly|successfully
        now it|that|they? $goes
        it|they|page|app|server|job|build now $goes
        $goes .. as expected|it should|intended|wanted|they should|promised|hoped|needed
        exactly as|what i|we|it|they wanted|needed|asked|expected|should|meant|had|intended|described|finance|was
        as|like i|we wanted|hoped|asked|expected|intended|need
        as expected|intended|advertised|hoped|desired|promised
        as it should
        like it should
        just|exactly|precisely what i|we|he|she|they needed|wanted|asked|meant
        exactly what
        just as|like you said|predicted|described|promised
        as you said|predicted|guessed|suspected|thought
        you were|are|was absolutely|totally|completely|so|dead? right|correct
        right you are
        you did it|that right|correctly
        your|the hunch|guess|diagnosis|suspicion was right|correct|spot
        all it took
        was all it|that
        done the trick|job
        no $bad since
        2x|3x|4x|5x|10x|20x|40x|50x|100x faster
        both .. pass|passing|work|worked|gone|fixed now?
        much cleaner|nicer|clearer|simpler
        match|matches .. to the
        makes sense|total|perfect now
        ^ that explains
        ^ ah|oh|ok|okay|wow|right|thanks that explains
        got it working|running
        can confirm
        no problem|problems|issue|issues|trouble at|so|with|anymore|since|now|here|whatsoever|in|on
        can not say|complain .. not work|works|working|wrong
        can not complain
        ^ confirmed|verified
        success|successful|successfully
        flawless*
        no|zero|0|without any|more|further|single? more|further|other? $bad
        no .. $bad since|any|anymore
        not a|any|one|the single|slightest? $bad
        not .. $bad|$broke anymore|since|either
        not .. $broke any more|longer
        no longer $broke|see|get|shows|complain*
        none of .. $broke
        nothing is|was|has $crash
        nothing|nobody|noone|none|never $crash|complains|complained
        nothing .. broke|broken|failed|crashed|fails|missing|lost|wrong
        never $broke since|again
        stopped|stops|quit $broke
        stopped happening
        $bad .. is|are|s|has|have|all gone|away|history|fixed|resolved|solved|no
        $bad|warning|message .. gone|disappeared|vanished|cleared|resolved|fixed|solved|stopped
        $bad went|goes|go away
        $bad has|have disappeared|vanished|stopped|gone|cleared
        it|they is|are|all? gone
        all gone
        not|n't seen|happened|occurred|reproduce|had|seeing|got .. since
        not seen|see|seeing|had|get|getting any|it|that|a .. again|anymore|since|more|now
        could|can not reproduce|produce .. any|anymore|now|more
        has|have not $broke|happened|failed|crashed|come
        closing|closed|close .. ticket|issue|bug|pr
        ^ merged|merging
        runs|works on|in|under|with
        it|this|that|they runs|works|run|work on|in|under|with .. now|again|finally
        ship it
        ^ shipped|shipping
        lgtm
        looks good
        down|up from|to 1|2|3|4|5|6|7|8|9|0|10|12|15|20|25|30|40|50|60|80|90|100|120|180|200|250|300|350|400|500|800
        problem|issue|mystery|case|thing solved|fixed|sorted|gone|closed
        life saver|saver
        lifesaver
        it is alive
        much|way|so|lots faster|quicker|snappier
        went|dropped|fell|came down? from
        agrees|agree
        legend
        happy with
        picks|picked it|them|that up
        rock|super solid
        solid now
        thumbs up
        👍
        🎉
        ✅
        💯
        agree to|with the|each|every
    """,
    "perfect": """
        perfect
        could|can not be|get|ask better|happier|more
        perfectly
        exactly
        flawless
        precisely
        excellent
        witchcraft
        magic
        magical
        genius
        you rock
        you are a genius|star|hero|legend|wizard|lifesaver
        spotless
        yep|yup that is it
        right on
        bravo
        👌
    """,
    "praise": """
        great|nice|cool|lovely|awesome|amazing|fantastic|brilliant|wonderful|super|sweet|neat|excellent|bravo|wow|\
superb|love
        thanks|thank|thx|ty|cheers|tysm|tnx
        well done
        good job|work|one
        nice work|job|one
        not bad
        appreciate|appreciated
        10 / 10
        congrat*
        impressive
        ❤
        🙏
        🙌
        😍
    """,
}
