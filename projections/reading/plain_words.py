"""Words that say little of what a prompt is about, in any project: of small talk, of telling an assistant what to do
next, and the commonest of English. They are looked for and weighed like others; only the floor counts them less
(`telling.py`). Words of a trade (staging, cache, migration) are not among them, and no other language's: what is not
here counts whole.
"""

from __future__ import annotations

from aftermind.projections.reading.terms import stem

PLAIN = frozenset(
    stem(word)
    for word in """
    aah able accept across act action actually add advice afternoon age ago agree ahead alike alive alone along
    already alright although always amazing among amount analyze angry animal annoy another answer anybody anymore
    anyone anything anyway anywhere apart apology appear application apply appreciate approach area argument around
    arrive asap ask ate autumn awake away awesome awful baby back bad basic basically bathroom beach beautiful
    become bed beer began begin begun behind believe bell besides best better beyond big bigger bike birthday bit
    bite block body book bored born boss bother bottom bought boy brain brainstorm branch bravo brb break breakfast
    brief bright brilliant bring bro broken brother brought btw buddy bug build built bunch bus busy button buy cake
    call calm came car care careful carry case cat caught cause certain chance change chat check cheer child
    children choice choose chose chosen christmas cinema city clarify class clean cleaner clear clearer clever click
    close code coding coffee cold colleague color come command comment commit common compile complete completely
    computer confirm confuse congrats congratulation consider continue convert cook cool copy correct cost couch
    country couple course cover crazy create cup curious current cut cute dad damn dance dark date day deal dear
    debug decide decision deep default define definitely delete depend dependency describe despite detail diff
    difference different difficult dinner direct directive display doc docs doctor document documentation dog done
    door doorbell double doubt dozen draft drank drawn dream drew drink drive driven drop drove dude due duplicate
    duplication earlier early easier easter easy eat eaten edge edit effect efficiency efficient eight elaborate
    elegant eleven else empty end enjoy enough ensure entire error even eventually ever every everybody everyone
    everything everywhere exact examine example excellent except exception excite execute exist expect explain
    expression extra extract eye fabulous face fact fail fair fall fallen family fan fantastic far fast faster
    father favor favorite feel feelings fell fellow felt field fifth figure file fill film final find fine finger
    finish first five fix flew flow flu folder folk follow food foot football force forget forgot forgotten format
    formatter forward fought found four fourth free fresh friday friend front full fun function funny future fyi
    game gave general generate genius gentle gets getting girl given gives giving glad god goes going gone gonna
    good goodbye gotta gotten grab grammar grand grateful great greet grew group grow grown guess guitar guy guys
    gym haha hahaha half hand handle handy hang happen happy hard harder hate haven head headache health hear heard
    heart heavy hehe held help helper helpful hence hero hid high higher hit hm hmm hold holiday home honest honor
    hope hot hour house hug huge huh human hundred hungry hurry hurt husband idea idk ignore imagine immediately imo
    implement implementation import important impress impressive improve improvement include incredible indeed
    indentation info information inline input inside inspect install instead interest investigate issue item job
    join joke jump keep kept kid kids kind kinda kitchen knew knock knowing known knows kudos lack laid language
    large larger last late lately later laugh launch learn least leave led left legend lent less lets letting level
    library lie life light like likely line link lint linter list listen little live lmao log logging logic lol long
    longer look loop lose lost lot loud love lovely low lower luck lucky lunch made magic main major makes making
    mama man manage many mark marvelous mate material matter maybe meal mean meant meet meh memory mention merge
    message met method middle midnight might million mind minute miss mistake model mom moment monday money month
    mood morning mostly mother move movie much multiple music must nah name naming nap near neat necessary needed
    needing needs neighbor neighbour neither nervous never nevermind new newer news next nice nicer night nine
    nobody none noon normal note nothing notice now np number obvious odd office often oh old older omg one ooh oops
    open opinion optimization optimize option order original otherwise ouch outline output outside overall page paid
    pair paragraph part particular party pass past pause pay people per perfect perhaps person pet phew phone pick
    picture piece pizza place plan play pleased pleasing pleasure pls plz poem point polish poor possible possibly
    post power pr prefer preference prepare present press prettier pretty previously print probably problem proceed
    process produce program programming progress project prompt proofread proper proud prove provide public pull
    push put question quick quicker quiet quite rain rainy ran random rather reach read readability readme ready
    real realize reason receive recent recommendation refactor regard relax relief remain remember remind remove
    rename reorganize rephrase reply repo report repository request require requirement response rest restart
    restructure result return revert review rework rewrite riddle right robot rode room rose round row rule run rung
    sad safe said sample sang sat saturday save saw say scared scene school screen script search second section seem
    seen select send sense sent sentence separate serious serve server set setup seven several shall shape share
    sharp shone shook short shorter shot shout showed showing shown shows shut sick side sign silly similar simple
    simpler simplify simply since sing single sister sit six sixth size skip sleep sleepy slept slow slower small
    smaller smart smile smooth snack snippet snow sold solid solve somebody somehow someone something sometimes
    somewhere song soon sort sound source space speak special specific specifically speed spelling spent splendid
    split spoke spoken spring stand standard star start stash state statement stay step still stole stood stop store
    storm story straight strange street stress strong stuck stuff stunning stupid style suddenly suggest suggestion
    summarize summary summer sun sunday sunny sunshine super superb support suppose surely surprise swam sweet
    switch syntax system table tag take taken talk task taught tea team telling tells ten terminal terrible terrific
    test text thanked thanking therefore thing think third thirsty though thought thousand three threw throw thrown
    thursday thus thx tidy till time tip tire tired today together toilet told tomorrow tonight took tool top total
    touch tough toward town traffic train translate travel treat trip trouble true truly trust truth try tuesday
    turn tutorial tv twelve twice two ty type types typo ugh ultimate understand understood undo unfortunately unit
    unless unused update upgrade upload upon use useful user usual vacation value variable various verify version
    via view visit voice wait wake walk wanna wanted wanting wants warm warning warnings watch water way weather
    wednesday week weekend weird welcoming went whether whitespace whole wife wine winter wish within without woke
    wonder wonderful word wore work world worry worse worst worth wow write written wrong wrote yay year yesterday
    yet yo young yup zero
    """.split()
)
"""By their stems (`terms.stem`)."""
