"""Secrets never reach the log: keys, tokens, private keys and passwords are masked, kind and length stay visible.

    ghp_…  →  [masked github-token, 40 characters]

A rule is a row of `RULES`. Its pattern is only tried where one of its anchors (a literal) stands, so text without
anchors costs a few substring searches.

Guarantees: any `str` is taken; `mask(mask(x)) == mask(x)`; text without secrets comes back as the same object; time
grows with the length of the text, whatever is in it, as no part of it is read in vain but a bounded number of times.
It is a net, not a proof: a password made of plain words is not told from plain words.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from aftermind.engine.masking.genuine import GAP, WORD_OF_NETRC, is_one
from aftermind.engine.masking.issued import ISSUED

Place: TypeAlias = Literal["run", "near a run", "near an @", "any case"]
"""Where anchors are looked for: in long runs of token characters (and `_BEFORE` characters before each); in all of
the text, if there is such a run; in all of it, if there is an @; in all of it, without regard to case."""

PRIVATE_KEY: Final = "private-key"
KEY_BEGINS: Final = ("-----BEGIN", "Private-Lines: ")
"""One of these stands in a text with a private key."""
_RUN: Final = b"a" * 20
_BEFORE: Final = len("dp.st.dev.")
_SHAPE: Final = bytes(97 if chr(i).isalnum() or i in b"-_" else 32 for i in range(128)) + b" " * 128
_PASSES: Final = 8


class Rule(NamedTuple):
    """How one kind of secret is written. The group closed last is what is masked: `secret` as it is, `value` and
    `bare` (no quotes around it) if it looks like a secret, `part` (of a URL) unless a variable stands for it."""

    kind: str
    place: Place
    anchors: tuple[str, ...]
    pattern: str


def _rule(kind: str, place: Place, anchors: str, pattern: str) -> Rule:
    return Rule(kind, place, tuple(anchors.split("|")), pattern)


_OF: Final = "for|of|on|in|at|from|für|von|vom|zu|zum|zur|der|des|de|del|di|do|da|du|pour|para"


def _token(kind: str, anchors: str, pattern: str, place: Place = "run") -> Rule:
    """No letter or digit stands before a token, unless it ends an escape: \\n, \\u0022, \\x22, %22 or ESC[32m."""
    edge = r"(?:(?<![A-Za-z0-9])|(?<=\\[bfnrt])|(?<=\\u[0-9A-Fa-f]{4})|(?<=\\x[0-9A-Fa-f]{2})"
    return _rule(kind, place, anchors, rf"{edge}|(?<=%[0-9A-Fa-f]{{2}})|(?<=\[[0-9]m)|(?<=\[[0-9]{{2}}m)){pattern}")


def _named(kind: str, anchors: str, name: str, says: str = "", *, cells: bool = True) -> Rule:
    """`name = value` of code, configuration, headers and JSON (escaped or not), `--name value` of a command,
    `name | value` of a table with `cells` or of a page, and where it `says` so `name of a thing is value` of a
    sentence. Matched against the text in lower case."""
    rest = r"(?P<rest>[a-z0-9_-]{0,32}+)(?:\\{0,7}[\"'`])?\]?"
    type_ = r"(?: ?: ?[a-z_.]{1,30}(?:\[[a-z_., ]{1,30}\])?(?: ?\| ?none)?(?= ?=))?"
    broken = r"(?:\\\r?\n(?P<broken>)[ \t]{0,40})?"  # by a backslash; where a next line is broken too, it is a list
    sign = rf"[ \t]{{0,16}}(?:=>|:=|=|:|：)(?![=:])[ \t]{{0,16}}{broken}"
    of = rf" (?:{_OF})(?: [\w.'/-]{{1,30}}){{1,5}}?| ?\([^()\n]{{1,40}}\)" if says else "(?!)"
    tags = r"(?:</[a-z]{1,9}>){0,2}</(?:dt|t[dh])>\s{0,40}<(?:dd|td)(?: [^<>]{0,99})?>(?:<[a-z]{1,9}>){0,2}\s{0,40}"
    cell = rf"[*_` \t]{{0,16}}(?P<cell>\|[ \t]{{0,16}}|[:：]?\s{{0,40}}{tags})" if cells else r"(?P<cell>(?!))"
    said = rf"(?:'s| {{1,2}}(?:{says}):?) {{1,2}}" if says else "(?!)"
    equals = rf"(?:{sign}|{cell}|(?P<says>{said})|(?P<gap> {{1,4}}))"
    quoted = r"[bru]{0,2}(?P<quote>\\{0,7}[\"'`])(?P<value>(?>(?:(?!(?P=quote))(?:\\{3}[\"'`]|\\.|[^\\\n])){8,2048}))"
    wide = r"\u3000-\u9fff\uac00-\ud7af\uff00-\uffef"  # what no password is made of
    stop = rf"\s\"'`\\,;&|<>(){{}}\[\]{wide}"
    plain = rf"(?:[^{stop}:=]|&(?!&|[a-z0-9_.%-]{{1,64}}=|[{stop}]|\Z))"
    bare = rf"(?=(?:[^{stop}]|&){{8}})(?P<bare>(?>(?:{plain}++[:=]{{0,2}}+){{1,4}}))(?![^\s\"'`\\,;&|<>)}}\]{wide}])"
    ends = r"(?(cell)(?=[ \t]*(?:[|\r\n]|</|\Z)))(?(broken)(?![ \t]{0,40}\\\r?\n))"
    return _rule(
        kind,
        "any case",
        anchors,
        rf"(?<!:)(?:{name}){rest}{type_}(?P<whose>{of})?{equals}(?:{quoted}(?:(?P=quote)|\Z)|{bare}){ends}",
    )


def _told(commands: str, flags: str, user: str = "", between: str = "", before: str = "") -> Rule:
    """A command that is told a password by a flag, on its line, which a backslash may break; a variable, or what
    another command prints, is none. What follows it in a sentence, or is another command, is not read. Matched against
    the text in lower case. `before`: what stands before it, so that one anchor is looked for in place of many."""
    words = "|".join(map(re.escape, commands.split("|")))
    if before:
        words = rf"(?:{'|'.join(f'(?<={re.escape(one)})' for one in before.split('|'))})(?:{words})"
    quoted = "|".join(rf"{quote}(?:(?!{words})[^\n{quote}]){{0,200}}{quote}" for quote in "\"'")
    between = between or rf"(?:{quoted}|\\\r?\n|(?!{words}|&&|& |[,.:!?] )[^\n;|\"']){{0,400}}?"
    at_once = "" if user else r"(?:[^\s-]\S{0,99}\s)?\s{0,4}[-\"'\\]"
    begins = rf"(?:{words})(?=[\w-]{{0,9}}\s{at_once})"
    inside, bare = r"(?:(?!(?P=quote))[^\n]){3,256}(?=(?P=quote))", r"[^\s\"'`\\]{3,256}(?<![,.;)])"
    value = rf"(?!\$\(|\$?{{{{|`|<|\[masked )(?P<part>(?(quote)(?:{inside}|{bare})|{bare}))"
    return _rule(
        "password",
        "any case",
        commands,
        rf"{begins}{between}\s(?:{flags})(?P<quote>\\{{0,3}}[\"'])?{user}{value}",
    )


_SPACE: Final = r"(?:\\[nrt]|[^A-Za-z+/=]){0,24}"  # also what a listing, a quotation or a diff puts before lines
_OF_A_KEY: Final = r"[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
KEY_MARKS: Final = re.compile(
    rf"(?P<begins>-----BEGIN {_OF_A_KEY}|Private-Lines: [0-9])|-----END {_OF_A_KEY}|Private-MAC: ", re.ASCII
)
"""Stand before and after a private key, the latter ones before and after a key of PuTTY's."""
_BEGIN: Final = (
    rf"-----BEGIN {_OF_A_KEY}"
    rf"(?>(?:(?>{_SPACE})[A-Z][A-Za-z-]{{1,20}}+: [^\n\\\"]{{0,100}}+){{0,6}})"
)
_TO_END: Final = (
    r"(?=[^(){}\[\];<$]{0,99}[A-Za-z0-9+/]{16})(?>(?:[^-(){}\[\];<$]|-(?!----))*)"
    rf"-{{5,}}+END {_OF_A_KEY}"
)
_TO_LAST_LINE: Final = (
    rf"(?:{_SPACE}[A-Za-z0-9+/]{{16,}}+={{0,2}})+(?:(?:\n|\\n)[A-Za-z0-9+/]{{1,15}}(?:={{1,2}}|(?=[\n\"'`)<\\]|\Z)))?"
)
_OF_PUTTY: Final = (
    rf"Private-Lines: [0-9]{{1,4}}{_SPACE}(?P<secret>[A-Za-z0-9+/]{{16,}}"
    r"(?:[^-(){}\[\];<$]*?(?=(?:\r?\n|(?:\\r)?\\n)[^A-Za-z/=]{0,24}Private-MAC: )"
    rf"|={{0,2}}(?:{_SPACE}[A-Za-z0-9+/]{{16,}}+={{0,2}})*))"
)
_ENCODED_KEY: Final = (  # as in a kubeconfig; `PRIVATE` stands in its first line, which base64 spells in three ways
    r"LS0tLS1CRUdJTi(?=[A-Za-z0-9+/]{1,20}(?:FJJVkFURS|QUklWQVRFI|BSSVZBVEUg))[A-Za-z0-9+/]{60,}"
    r"(?:\s{1,20}[A-Za-z0-9+/]{60,})*(?:\s{1,20}[A-Za-z0-9+/]{2,}(?==)|)={0,2}"
)
_OF_NETRC: Final = (
    rf"(?P<netrc>login)(?!\s{{1,40}}anonymous\s){WORD_OF_NETRC}(?:account{WORD_OF_NETRC})?password{GAP}"
    r"(?!\$\(|\$?{{|<|\[masked )(?P<part>[^\s\"'`\\]{3,256}(?<![,.;)]))"
)
_OF_A_SESSION: Final = r"[\w.-]{0,40}?(?:sess|auth|token|jwt|identity|logged_in|(?<![a-z])sid(?![a-z]))[\w.-]{0,64}="
_COOKIE: Final = (
    rf"(?P<set>(?<=set-))?cookie(?:[\\\"'\]]{{0,5}}[ \t]{{0,4}}[:=]|(?<=--cookie) )[ \t]{{0,4}}[\\\"'`]{{0,4}}"
    rf"(?>(?:(?!{_OF_A_SESSION})[^\s=;:\"'`\\]{{1,64}}=[^\s;\"'`\\]{{0,512}};[ ]?){{0,20}}){_OF_A_SESSION}"
    r"(?!your|example|x{4}|\.{3}|\$|%[({s])(?=[a-z%._~+/:|=-]{0,99}+[0-9])"
    r"(?P<secret>[\w%.~+/:|=-]{16,4096}(?(set)|(?:;[ ]?[\w.-]{1,64}=[\w%.~+/:|=-]{0,4096}){0,40}))"
)
_PART: Final = r"(?P<quote>[\"'])?(?!\[masked )(?P<part>[^\s|\"'`<$]{3,128})(?(quote)(?P=quote))"
_PAIR: Final = (  # `creds: admin:Tr0ub4dor&3`
    r"(?:creds?|credentials?|login)(?: are| is)?:? {1,2}[\w.@+-]{1,40}(?:: ?| ?/ )"
    r"(?!\[masked )(?P<part>(?=[^\s\d]*\d)(?=[^\s!#$%^&*]*[!#$%^&*])[^\s\"'`,;<]{6,64})"
)
_KEYS: Final = ("access", "account", "api", "auth", "encryption", "master", "private", "service", "signing", "storage")
_KEY: Final = (
    rf"(?<=[ _{''.join(sorted({word[-1] for word in _KEYS}))}-])"  # most keys are none of these
    rf"(?:{'|'.join(rf'(?<={word}{joint})key' for word in _KEYS for joint in ('', '[ _-]'))})"
)
_IS: Final = "is|is now|ist|est|es|é|è"

RULES: Final = (
    _rule(PRIVATE_KEY, "near a run", "-----BEGIN", f"{_BEGIN}(?:{_TO_END}|{_TO_LAST_LINE})"),
    _rule(PRIVATE_KEY, "near a run", "Private-Lines: ", _OF_PUTTY),
    _token("aws-access-key-id", "AKIA|ASIA", r"A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])"),
    _rule(
        "aws-secret-key",
        "any case",
        "secret",
        r"(?:secret[ _-]?access[ _-]?key|(?:(?<![a-z])|(?<=aws))secret(?:[ _-]?key)?)[\\\"'\]]{0,5}[ \t]{0,8}"
        r"(?:=>|:=|=|:|\||is )?[ \t]{0,8}(?:\\\r?\n[ \t]{0,40})?[\\\"'`]{0,4}"
        r"(?![0-9a-f]{40}|/?(?:[a-z]{3,20}/){2})(?=[a-z/+]*[0-9])(?P<secret>[a-z0-9/+]{40})(?![a-z0-9/+=])",
    ),
    *(_token(*form) for form in ISSUED),
    _token("notion-token", "secret", r"secret_(?=[a-z]{0,43}+[0-9])[a-z0-9]{43}(?![a-z0-9])", "any case"),
    _rule("telegram-token", "run", ":AA", r"(?<=[0-9]{8}):(?P<secret>AA[\w-]{33})(?![\w-])"),
    _rule("slack-webhook", "near a run", "hooks.slack.com/", r"hooks\.slack\.com/[a-z]{1,20}/(?P<secret>[\w/]{20,})"),
    _rule("discord-webhook", "near a run", "/webhooks/", r"/webhooks/[0-9]{15,21}/(?P<secret>[\w-]{60,})"),
    _rule("teams-webhook", "near a run", "/IncomingWebhook/", r"/IncomingWebhook/(?P<secret>[\da-f]{32}/[\da-f-]{36})"),
    _rule("signed-url", "near a run", "-Signature=", r"-Signature=(?P<secret>[0-9a-f]{64,})"),
    _rule("signed-url", "any case", "sig=", r"(?<=[?&;])sig=(?P<secret>[\w%+/-]{40,}(?:%3d|=){0,2})"),
    _rule("terraform-token", "near a run", ".atlasv1.", r"(?<=[A-Za-z0-9]{14})(?P<secret>\.atlasv1\.[\w=-]{60,})"),
    _rule("azure-secret", "any case", "q~", r"(?<=[\w.~-]{3}[0-9])(?P<secret>q~[\w.~-]{31,34})(?![\w.~-])"),
    _token("airtable-token", "pat", r"pat[A-Za-z0-9]{14}\.[0-9a-f]{64}(?!\w)", "near a run"),
    _token("asana-token", "1/|2/", r"(?<!/)[12]/[0-9]{13,19}(?:/[0-9]{13,19})?:[0-9a-f]{32}(?!\w)", "near a run"),
    _token("okta-token", "SSWS ", r"SSWS (?P<secret>00[\w-]{38,40})(?![\w-])", "near a run"),
    _token("encoded-private-key", "LS0tLS1CRUdJTi", _ENCODED_KEY),
    # Not after - or _ either, so that a run is read once, whatever its length.
    _token("jwt", "eyJ", r"(?<![_-])eyJ[\w-]{8,}+\.eyJ[\w-]{8,}+\.[\w-]{8,}"),
    _token("bearer", "Bearer |bearer ", r"[Bb]earer (?P<value>[\w.~+/-]{20,}+={0,2})"),
    _rule(
        "authorization",
        "any case",
        "authorization",
        r"(?<![a-z])authorization[\\\"'\]]{0,5}[ \t]{0,8}(?:=>|=|:)[ \t]{0,8}[\\\"'`\[]{0,4}"
        r"(?:[a-z][a-z0-9-]{1,20}[ \t]{1,4})?(?P<value>[\w.~+/-]{8,}+={0,2}+)(?![(\[{])",
    ),
    _rule(
        "authorization",
        "any case",
        "auth",
        r"(?:(?<=\")auth\\{0,7}\"[ \t]{0,4}:[ \t]{0,4}\\{0,7}\"|(?<=_)auth=\"?)"
        r"(?P<value>(?:[a-z0-9+/]{4}){3,512}(?:[a-z0-9+/]{2}(?:==|[a-z0-9+/]=))?)(?![\w+/=-])",
    ),
    _rule("cookie", "any case", "cookie", _COOKIE),
    _rule("password", "any case", "login", _OF_NETRC),
    _rule("url-password", "near an @", "://", r"://[^\s/?#:@\"'`<>\\]{0,128}:(?P<part>[^\s/?#\"'`<>\\]{1,256})@(?=\S)"),
    _named(
        "password",
        "pass|pw|kennwort|contrase|senha|пароль|パスワード|密码|비밀번호",
        r"pass(?:wor[dt]|wd|phrase|code)|pwd|(?<![a-z])pw(?![a-z])"
        r"|kennwort|(?<=mot de )passe|contrase[ñn]a|senha|пароль|パスワード|密码|비밀번호",
        says="(?:(?:is|was|should be|must be|will be)(?: now| set)?(?: to)?|to|ist|war|lautet)(?: jetzt)?|est|es|é|è",
    ),
    _named("password", "pass", "(?<![a-z])pass(?![a-z])", cells=False),
    _told(
        "curl",
        r"(?:-u(?!nix-|pgrade|rl:|ser\b)|--(?:proxy-)?user)[ =]?",
        user=r"(?![0-9]+:[0-9]+\b)[^\s:\"'$]{1,64}:(?!//)[\"']?",
    ),
    _told("mysql|mariadb", r"-p(?![0-9]+\b|assword|(?:ath|ort|rotocol)\b)"),
    _told("pass", "-p ?", between=r"(?:\s-v)?", before="ssh"),
    _told("redis-cli", "-a "),
    _told("mongo", r"-p ?(?![0-9]+\b|(?:ath|ort)\b|assword)"),
    _told("ldap", "-w "),
    _rule("password", "any case", "echo ", rf"echo (?:-n )?{_PART} ?\| ?sudo -[a-z]{{0,9}}s"),
    _rule("password", "any case", "requirepass ", rf"requirepass (?=[^\s\d]*\d){_PART}"),
    _rule(
        "password",
        "any case",
        "identified |with password|encrypted password",
        r"(?:identified (?:with [\w.]{1,40} )?by|with password|encrypted password) "
        r"(?P<quote>['\"])(?P<value>[^'\"\n]{6,128})(?P=quote)",
    ),
    _rule("password", "any case", "cred|login", _PAIR),
    _rule(
        "password",
        "any case",
        'password>|secret>|apikey>|password" value=|key" value=',
        r"(?:password|secret|(?:api)?key)(?:>(?P<element>)|\" value=\")"
        r"(?P<value>[^\s<>\"]{6,512})(?(element)</|\")",
    ),
    _told("login", "-p[ =]", before="docker |podman |registry |az "),
    _named("secret", "secret", "secret", says=_IS),
    _named("token", "token", "token", says=_IS),
    _named("key", "key", _KEY, says=_IS),
)


@cache  # a pattern that no text asks for need not be compiled
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.ASCII | re.DOTALL)


Anchors: TypeAlias = tuple[tuple[str, tuple[tuple[int, Rule], ...]], ...]
"""Each with the rules that are tried where it stands, and their order."""


def _by_anchor(place: Place) -> Anchors:
    rules = [(order, rule) for order, rule in enumerate(RULES) if rule.place == place]
    anchors = dict.fromkeys(anchor for _, rule in rules for anchor in rule.anchors)
    return tuple((anchor, tuple(row for row in rules if anchor in row[1].anchors)) for anchor in anchors)


def _within(anchors: Anchors) -> tuple[tuple[str, Anchors], ...]:
    """The same under the shortest of them that each holds: where there is no `pass`, there is no `password>`."""
    shortest = {one: min((other for other, _ in anchors if other in one), key=len) for one, _ in anchors}
    return tuple(
        (one, tuple(row for row in anchors if shortest[row[0]] == one)) for one in dict.fromkeys(shortest.values())
    )


_IN_RUNS, _NEAR_RUNS, _NEAR_AT = map(_by_anchor, get_args(Place)[:3])
_ANY_CASE = _within(_by_anchor("any case"))


@cache
def _may_begin() -> re.Pattern[str]:
    """Is found wherever an anchor stands in runs: a first letter of one, and what follows the first letter of one.
    Where it is not, which is so of most short texts, this has read them once for all anchors."""
    anchors = [anchor for anchor, _ in _IN_RUNS]
    rests: dict[str, list[str]] = {}
    for anchor in anchors:
        rests.setdefault(anchor[1], []).append(re.escape(anchor[2:]))
    follow = "|".join(f"{re.escape(second)}(?:{'|'.join(others)})" for second, others in rests.items())
    return re.compile(f"[{''.join(re.escape(anchor[0]) for anchor in anchors)}](?:{follow})")


def mask(text: str) -> str:
    """The text, every secret in it replaced by `[masked <kind>, <n> characters]`."""
    cleaner = text
    for _ in range(_PASSES):
        spans = _spans(cleaner)
        if not spans:
            return cleaner
        parts, at = [], 0
        for start, end, kind in spans:
            parts += [cleaner[at:start], masked(kind, end - start)]
            at = end
        cleaner = "".join([*parts, cleaner[at:]])
    # Each mask uncovered another secret: only a text made for this does that. Rather nothing of it than some.
    return f"[masked text, {len(text)} characters]"


def masked(kind: str, size: int) -> str:
    """What stands in the place of a secret."""
    return f"[masked {kind}, {size} characters]"


MASKED: Final = re.compile(r"\[masked ([a-z-]{2,40}), \d{1,9} characters\]")
"""What stands in the place of a secret, and of which kind it was."""


def keys_in(text: str) -> list[tuple[int, int]]:
    """Where its private keys are."""
    if not any(begin in text for begin in KEY_BEGINS):
        return []
    return [(start, end) for start, end, kind in _spans(text) if kind == PRIVATE_KEY]


def _spans(text: str) -> list[tuple[int, int, str]]:
    """What to mask, in order and apart. Where rules overlap, all of it is masked and the first of them names it."""
    low = text.lower()
    if len(low) != len(text):  # İ is the one character that grows, and positions must stay
        low = text.replace("İ", "i").lower()
    likely = [row for first, within in _ANY_CASE if first in low for row in within]
    tries = [(anchor, rows, low) for anchor, rows in likely if anchor in low]
    if "@" in text:
        tries += [(anchor, rows, text) for anchor, rows in _NEAR_AT if anchor in text]
    if runs := _long_runs(text):
        if _may_begin().search(runs):
            tries += [(anchor, rows, text) for anchor, rows in _IN_RUNS if anchor in runs]
        tries += [(anchor, rows, text) for anchor, rows in _NEAR_RUNS if anchor in text]
    found = []
    for anchor, rows, hay in tries:
        at = hay.find(anchor)
        while at >= 0:
            resume = at + 1
            for order, rule in rows:
                match = _compiled(rule.pattern).match(hay, at)
                if match and is_one(match, text):
                    start, end = match.span(match.lastgroup or 0)
                    found.append((start, end, order))
                    resume = max(resume, end)
            at = hay.find(anchor, resume)
    return _apart(found) if found else []


def _long_runs(text: str) -> str:
    shape = text.encode("latin-1", "replace").translate(_SHAPE) + b" "
    at = shape.find(_RUN)
    if at < 0:
        return ""
    runs: set[str] = set()  # code says the same names many times
    while at >= 0:
        end = shape.find(b" ", at)
        runs.add(text[at - _BEFORE if at > _BEFORE else 0 : end])
        at = shape.find(_RUN, end)
    return " ".join(runs)


def _apart(found: list[tuple[int, int, int]]) -> list[tuple[int, int, str]]:
    merged: list[tuple[int, int, int]] = []
    for start, end, order in sorted(found):
        if merged and start < merged[-1][1]:
            first, last, named_by = merged.pop()
            start, end, order = first, max(last, end), min(named_by, order)
        merged.append((start, end, order))
    return [(start, end, RULES[order].kind) for start, end, order in merged]
