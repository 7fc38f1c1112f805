"""English: what is kept."""

from aftermind.sidecar.captures.words.en_left import LEFT

PHRASES = {
    "$bad": "error errors fail fails failing failed crash crashes crashed breaks broken bug broke wrong slow "
    "works loads hangs flaky",
    "$tool": "windows linux mac macos ubuntu debian fedora arch wsl nixos ios android emacs vim neovim vscode "
    "jetbrains",
    "$order": "use add write commit push merge put log edit deploy run ask touch change name create keep store import "
    "catch check test squash rebase indent hardcode skip delete remove install upgrade modify mock leave document "
    "format lint sign prefix answer reply respond include pin mix rename reformat generate review require allow "
    "suggest assume",
    "$process": "use commit push merge write deploy review squash rebase mock allow edit ship release hardcode format "
    "touch document name support",
    "$work": "commits commit pull pr prs branches migrations functions methods classes modules endpoints components "
    "logs variables identifiers exports dependencies packages secrets credentials timestamps docstrings releases "
    "deploys "
    "deployments scripts schemas tables exceptions routes handlers hooks code features tests apis services",
    "$banned": "pushes exports imports numbers abbreviations enums mocks todos globals singletons ternaries excepts "
    "casts "
    "merges snapshots inheritance orms wildcards",
    "$language": "english german french spanish portuguese italian dutch polish russian japanese chinese korean",
    "$place": "repo repository project codebase package module monorepo team company org service app",
    "rule": """
        ^ never|always
        please|pls|and|but|so|also|then|rather never|always|alwyas|allways
        do not ever
        never ever $order
        we must not|never|always
        from now on
        going forward
        as a rule
        ask|check with? me|us first|before
        ^ ask before|first
        ^ no|drop|skip|lose|cut|spare the|me|your|any? emojis|emoji|preamble|openings|pleasantries|apologies|flattery|\
greetings|cheerful|filler
        ^ do not .. directly|manually
        ^ do not .. without asking|a
        ^ no .. without asking|a
        ^ no .. in this|our repo|repository|project|codebase|code|module|monorepo
        ^ run|rerun|update|format|lint|ask|check|remember|bump|rebase|squash|pull .. before|after every|each|any
        remember to $order .. before|after|when|every|each
        ^ before|after every|each|any .. $order
        ^ whenever you $order
        ^ in the? future please|never|always|$order
        ^ in this|our repo|repository|project|codebase|code|module|monorepo we
        ^ here we $order
        ^ do not $order .. in this|our $place
        ^ no .. $banned
        all dates|timestamps|money|amounts|times are|is stored|kept
        we squash|rebase|format|indent|prefix|tag|version|lint|name|require|sign
        you must|should not|never|always $order
        are mandatory|compulsory
        use .. in this|our $place
        is|are banned|forbidden|prohibited here
        is|are banned|forbidden|prohibited in this|our $place
        is|are not allowed|permitted here
        is|are not allowed|permitted in this|our $place
        are forbidden|banned|prohibited
        is|are stored|written|named|kept .. everywhere|here
        you|we|agents are not allowed|permitted to
        you may not $order
        we only|never|always $process
        we do not $process
    """,
    "rulish": """
        needs a|an|auth|two|one|three|2|3
        needs|need docstrings|tests|types|review|reviews|approval
        need two|three approvals|reviews|reviewers
        are stored|written|kept|named|formatted as|in|with
        start|starts|begin|begins|end|ends with
        has|have to be|have|go|live|use|start|end|contain|pass|match|stay
        must|shall never|always|not?
        only happen|happens|go|goes
        may only|not|never
        gets|get a
        live|sit|belong next|beside
        are|is|gets always
        are|is never stored|committed|merged|logged|edited|fixed|used|pushed|deployed
        never|always happen|happens|live|start|end|goes|go
        may|must|should|goes|shall|can .. into|in this|our $place
        hit|use|follow|go|live|need|have|are|run|end|start .. in this|our $place
        are plural|singular|lowercase|uppercase here?
    """,
    "put": """
        goes|go|belongs|belong through|in|into|under|through|next
    """,
    "taste": """
        i|we prefer|favour|favor
        i would rather|prefer have|see|you|read|not|get|short|long|one|a
        i|we like|love|enjoy .. better|more than|when
        i like|love two|four|short|small|long|explicit|simple|terse|concise|early|functional|plain|tests|code|\
comments|commits|names|my
        i hate|dislike|detest|loathe
        i can not stand
        i do not like|want
        i find .. easier|harder|clearer|unreadable|confusing|nicer|ugly|annoying
        i would like the|your|all|more|fewer|less|short|it
        keep|make your|the answers|answer|replies|responses|explanations|explanation|messages|summaries|commits|\
responses|reply short|brief|terse|concise|minimal|small|plain|simple|to
        not a fan of
        ^ no .. in your answers|replies|responses|explanations|summaries
        my preference|favourite|favorite is
        big|huge fan of
        suits me better
        i usually|normally|always go|use|write|name|indent|format with?
        i learn|read|work best|better
        answer|reply|respond|talk|speak to? me in $language
        bullet|bullets|tables|prose|diffs|examples|lists|code|snippets .. over|rather|instead
    """,
    "choice": """
        we|team have|already|finally|now|just? decided|chose|chosen|settled|agreed|opted|standardised|standardized|\
picked|voted
        it was decided
        decided|settled|agreed|standardised|standardized on|to|that|against
        we|are going|went with
        we are|will|have|just|already|finally? switched|switching|switch|moved|moving|migrated|migrating|\
transitioned from|to|over|away|off
        we replaced|replacing|replace|dropped|dropping|drop|abandoned|deprecated|retired|ditched|kept|keeping|adopted
        we are|will replaced|replacing|replace|dropping|drop|abandoning|retiring|ditching|keeping|adopting|sticking|\
staying|deprecating
        we will|do|are|wo not support|supporting|ship|do|offer|maintain
        chose .. for|over|because|as
        we are not doing|using|adopting|supporting|migrating|building|going
        the decision|verdict|choice is|was
        i have|i made up my mind
        made up my|our mind|minds
        plan|proposal|design|rfc|migration is approved
        is|are going away
        no longer use|support|using|supported
    """,
    "verb": """
        runs|run|listens|listen|lives|live|sits|sit|is|are|serves|serve|answers|binds|points|goes|stays|sits|hosted|\
deployed on|at|in|under|behind|to|by|from|via
        is|are called|named|now|still|stored|set|kept|capped|limited|pinned|written|hosted|deployed|built|run|defined|\
declared|configured|\
started|exposed|located|mounted|published|tagged
        is|are read|loaded|taken|generated|served from|in|by
        is|are built|run|started|deployed|managed with|by|via|on|in
        is|are
        go|goes|come|comes to|from
        run|runs with|via
        moved|changed|renamed|switched|bumped|upgraded btw? to|from
        has|have moved|changed|been
        uses|use|needs|requires|expects|accepts|expire|expires|defaults|allows|reads|writes|supports|pin
    """,
    "thing": """
        port|ports|url|urls|uri|host|hostname|hosts|address|domain|endpoint|endpoints|route|queue|topic|database|db|\
schema|table|branch|bucket|region
        variable|variables|env|var|flag|setting|key|user|command|version|timeout|limit|limits|default|size|registry|\
server|\
cluster|namespace|volume
        staging|production|prod|dev|qa|uat|sandbox|preprod|ci|api|gateway|backend|frontend|ui|admin|redis|postgres|\
kafka|worker|workers|proxy
        service|threshold|coverage|prefix|suffix|timezone|locale|currency|manager|formatter|linter|bundler|orm|framework
        folder|folders|directory|path|length|width|grafana|sentry|jira|kibana|jenkins|vault|prometheus|artifactory|sdk
        docs|documentation|wiki|site|dashboard|fixtures|config|configuration|tests|build|migrations|templates|\
assets|uploads|sessions|session|token|tokens|ttl
        node|python|java|ruby|php|go|rust|golang|typescript|kubernetes|docker|package|channel|email|account|project|\
id|secret|certificate|interval|rate|retention|budget
        checkout|orders|customers|invoices|reports|backups|logs|metrics|cron|job|scheduler|cache|search|mail|smtp|\
vpn|bastion|instance
    """,
    "use": """
        the|this|our project|repo|app|backend|frontend|service|team uses
        we still|only|currently target|support|use|run
        we target|support|require
        we are|have on|using|running
        we|i use|run|deploy|write|pin|build|host|test with|on|in|our|from|to?
    """,
    "lead": """
        ^ general|generally|rule|rules|convention|style|reminder
        ^ fyi|note|nb|reminder|context|background
        heads up
        keep|bear in mind
        ^ remember
        and|please|also remember
        for|just the|your record|info|information|context|reference
        so you know
        note that
        for context
        to be clear
        i told|said .. already|week|before|twice|yesterday
        you should know
        be aware
        take into account
    """,
    "wish": """
        remember|memorize|memorise that
        and|please|also remember|memorize|memorise that
        always remember|memorize|memorise that
        please always remember|memorize|memorise that
        remember for later that
        keep|bear in mind that
        always keep|bear in mind that
        please always keep|bear in mind that
        do not ever? forget that
        never ever? forget that
        please never ever? forget that
        make a note that
    """,
    "deny": """
        ^ no|nope|nah|wrong|incorrect|actually
        that is|was wrong|outdated|old|incorrect|not
        not any more|longer
        not anymore
        it is|was not
        is|are|was no longer
        used to be
        was removed|renamed|replaced|deprecated
        was the|an old
        we do not
        not .. but
        has not been
    """,
    "about": """
        ^ my name is
        i am|m a|an|on|the|colour|color|new|blind|left|based|in|using|dyslexic|responsible only|data|backend|\
frontend|$tool|blind|to|handed|windows|linux|mac|at|developer
        i am|m $tool
        i am on|using|running $tool
        i am the|a|an only|sole|new|backend|frontend|data|junior|senior|student|designer|developer|analyst|dba|\
sysadmin|devops|physicist|scientist|mobile|maintainer
        i am colour|color|colorblind|colourblind|deaf|dyslexic
        i work from|at|remotely|alone
        i work on|with a|an|mac|linux|windows|macos
        the|this|our frontend|backend|app|project|api|service|cli is|are written|built|deployed|hosted|based in|on|with
        i use $tool
        we release|deploy|ship|host|run|develop|bill|invoice|sell|support|build|serve|operate|store|sync every|on|\
to|only|in|at|with|twice|once|our|from
        we do not deploy|use|run|have|ship|host|store|support
        our .. every|twice
        sends|send|delivers|deliver us .. every|twice|once
        this repo|repository|project|codebase is a|an|plain|pure|written|built|used|maintained
        team is|are|has .. people|persons|engineers|developers|remote|based
        was|were written|built|developed by
        our .. is|are on|in|at|still|mostly|all|based|only|called
        maintained|owned|managed|run|handled|operated by
        is|are owned|maintained|managed|run|handled by
    """,
    **LEFT,
    "everywhere": """
        in all my|our|projects|repos projects|repos|repositories|code
        all my projects|repos
        in|for every|any|all projects|project|repo|repos|repository
        everywhere i|you|we
        across all
        across projects
        no matter which project
        wherever i|you
        in general i
        generally
        always and everywhere
    """,
}
