"""Is what a pattern found a secret? The patterns say how secrets are written, this what is none: a placeholder, a
name of code, words, what a variable stands for. Pure.
"""

from __future__ import annotations

import re
from string import punctuation
from typing import Final

_NOT_THE_SECRET: Final = re.compile(
    "(?:algorithm|arn|at|attempts|class|count|encryption|expires|expiry|field|file|format|header|hint|id|label|length"
    "|limit|method|name|path|pattern|policy|prefix|prompt|ref|regex|size|spec|store|ttl|type|uri|url|version)$"
)
_PLACEHOLDER: Final = re.compile(
    r"^\W{0,4}(?:change[_-]?me|dummy|example|fixme|insert|placeholder|redacted|replace[_-]|todo|your)(?![a-z0-9])"
    r"|x{4}|\*{3}|\.{3}|…|<[^<>]*>|^\["  # left out
    r"|\$\{|\$\(|\{\{|\{\w*\}|%\(|%[drs](?![0-9a-f])|^\$[a-z_]|^%\w+%|\(\?|\[\^"  # filled in later, or a pattern
    r"|^0x[0-9a-f]{1,31}$|^[\d.,_:+/-]+$|^\d{4}-\d\d-\d\d"  # a number, a date
    r"|://|^(?:arn|env|file|kms|ssm|vault):|^[~.]{0,2}/|^[a-z]:[\\/]|^(?-i:(?:[\w.@-]+/)?[a-z_-]{3,}/)",  # a place
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\x00-\x7f]+")
_NOT_IN_WORDS: Final = re.compile(r"[^A-Za-z _.,:;/|+\x80-\U0010ffff-]")
_PATH_OF_NAMES: Final = re.compile(r"[a-z_]\w*(?:(?:\.|->|::|\?\.)[a-z_]\w*)+", re.IGNORECASE)
_OF_AN_OLD_VAULT: Final = re.compile(r"s\.[A-Za-z0-9]{24}")
_NAME: Final = re.compile(r"(?i)(?=.*(?:auth|pass|pwd|secret|token|key))[\w.-]+")
_OF_TWO_DIGITS: Final = re.compile("16|32|58|64|_[0-9]|(?<![0-9])[0-9](?![0-9])")
"""What two digits of a name of code are: `base64_key`, `oauth2_token_v2`, `token_12`."""
_PAIRS_BEFORE: Final = re.compile(r"[\"'](?:[a-z_]{2,20} ?= ?[^\s\"'=]{1,80}(?<!,) {1,2}){0,9}\Z")
_OF_A_DATABASE: Final = re.compile(r"[\"' ](?:host|hostaddr|port|dbname|user) ?=")
_SIGNS: Final = frozenset("!@#$%^&*")
_A_PASSWORD: Final = re.compile(r"pass[wpc]|pw|(?<=de )passe|kennwort|contrase|senha|пароль|パスワード|密码|비밀번호")
_SIGNED: Final = re.compile(r"(?=\D*\d)(?=[^A-Za-z]*[A-Za-z]).+[!#$%^&*].+")
_DRAWN: Final = re.compile(r"(?=(?:\D*\d){4})(?=(?:[^A-Za-z]*[A-Za-z]){3})[A-Za-z0-9]{16,}={0,2}")
"""Values that nobody would take for words, after a name alone and where a sentence says it of what is no password."""
_OF_A_FORM: Final = re.compile(
    "sha-?[0-9]|md5|base-?[0-9]|utf-?[0-9]|crypt|argon|pbkdf|[0-9]-?char|[0-9]-?(?:bit|digit)|v[0-9]"
    r"|-(?:[a-z]{3,}ed|based|compatible|only|safe)\W*$"
)
"""What a password may be said to be without being told, or piped into."""
_A_RESULT: Final = re.compile("PASS: ")
"""What `go test` and automake write before the name of a test."""
_FLAG: Final = re.compile(r"(?<![^\s\"'`])--[a-z0-9-]*\Z")
_VARIABLE: Final = re.compile(r"\$?\{.*\}|\$\w+|\$\(.*\)|%[a-z(].*|\*+|x+|\.{3}|…", re.IGNORECASE)
GAP: Final = r"(?:\s|\\[nrt]){1,40}"
WORD_OF_NETRC: Final = rf"{GAP}[^\s\\]{{1,128}}{GAP}"
"""What stands between the words of a `.netrc`, and one of them with that around it."""
_A_MACHINE: Final = re.compile(rf"(?i)(?<![\w.-])(?:machine{WORD_OF_NETRC}|default{GAP})\Z")


def is_one(match: re.Match[str], text: str) -> bool:
    """Whether what a rule of `secrets.py` matched is a secret; by its group closed last, see `Rule`."""
    group = match.lastgroup
    if group is None or group == "secret":
        return True
    value = text[match.start(group) : match.end(group)]
    if "netrc" in match.re.groupindex and not _is_of_a_machine(match.start(), value, text):
        return False
    if group == "part":
        return not _VARIABLE.fullmatch(value)
    if "rest" in match.re.groupindex and not _names_a_secret(match, value, text):
        return False
    if len(set(value)) < 4 or _PLACEHOLDER.search(value) or _is_words(value.strip(punctuation)):
        return False
    digits = sum(map(str.isdigit, value))
    in_a_cell = "cell" in match.re.groupindex and match["cell"]
    in_no_code = group == "bare" and _is_in_no_code(match, text)
    few = digits < 2 or (digits == 2 and _OF_TWO_DIGITS.search(value))
    likely_a_name = in_a_cell or (few and not in_no_code)  # also `PrivateKey | Ed25519PublicKey`
    if likely_a_name and _NAME.fullmatch(value) and not _to_connect(match, text):
        return False
    if group == "bare":  # code is full of bare names, so here a secret has digits and is no attribute
        a_path = _PATH_OF_NAMES.fullmatch(value) and not _OF_AN_OLD_VAULT.fullmatch(value)
        a_name = a_path and (digits < 5 or _NAME.fullmatch(value))
        one_will_do = in_no_code or not _SIGNS.isdisjoint(value[1:])
        told = digits >= 2 or (digits == 1 and one_will_do)
        is_a_form = (match["says"] or in_a_cell) and _OF_A_FORM.search(value.lower())
        return bool(told) and not a_name and not is_a_form and value[0] != "#"
    return " " not in value


def _is_of_a_machine(start: int, value: str, text: str) -> bool:
    """Whether the login that starts there is one of a `.netrc`, and not of a sentence."""
    machine = _A_MACHINE.search(text[max(0, start - 200) : start])
    return machine is not None and ("." in machine[0] or not value.isalpha())


def _to_connect(match: re.Match[str], text: str) -> bool:
    """Whether a quoted text says `host=db password=value` to a database, where no value is a name of code."""
    start, end = match.start(), match.end()
    if not match.string.startswith("password", start):
        return False
    before = _PAIRS_BEFORE.search(text[max(0, start - 200) : start])
    return before is not None and bool(_OF_A_DATABASE.search(before[0]) or _OF_A_DATABASE.match(text, end))


def _is_in_no_code(match: re.Match[str], text: str) -> bool:
    """A sentence says it, a flag `--password hunter2long`, or `DB_PASSWORD=hunter2long` as a shell and `.env` files set
    it: code has spaces there, or small letters."""
    name = text[match.start() : match.end("rest")]
    of_an_environment = name.isupper() and match["rest"] in ("", "_key") and text[match.start("bare") - 1] == "="
    told_by_a_flag = match["gap"] and _A_PASSWORD.match(match.string, match.start())
    return bool(match["says"] or told_by_a_flag or of_an_environment)


def _is_words(value: str) -> bool:
    """`required field`, `auth.passwordHint`; in letters drawn by lot, what could be words is short."""
    return not _NOT_IN_WORDS.search(value) and 3 * len(_WORD.findall(value)) <= len(value)


def _names_a_secret(match: re.Match[str], value: str, text: str) -> bool:
    """`token`, `tokens`, `token_2`, `tokenValue` and `--token x`, but not `tokenizer`, `token_type` and `token x`."""
    rest, start = match["rest"], match.start("rest")
    is_password = _A_PASSWORD.match(match.string, match.start())
    before = match.string[max(0, match.start() - 40) : match.start()]
    if match["gap"] and not _FLAG.search(before) and not (is_password and _SIGNED.fullmatch(value)):
        return False
    if not is_password and match["says"] and not _DRAWN.fullmatch(value):  # much is said of tokens and keys
        return False
    # In code, `"API key: "` and "Token for a user: " are texts, and what is quoted behind them only stands between two.
    is_a_label = match["whose"] or match.string.startswith(" key", match.start() - 1)
    if match.lastgroup == "value" and is_a_label and not match["says"] and not _DRAWN.fullmatch(value):
        return False
    if _NOT_THE_SECRET.search(rest) or _A_RESULT.match(text, match.start()):
        return False
    if match["cell"] and rest == "s":  # how many there are
        return False
    camel = text[start : start + 1].isupper() and text[start - 1].islower()
    return camel or not rest.removeprefix("s")[:1].isalpha()
