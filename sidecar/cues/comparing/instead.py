"""Whether a follow-up names what is used or run in place of what the answer had: "no, we use pnpm", "use make e2e
instead", "use pnpm, not npm"; or forbids what it advised: "no, never stamp head". Pure.

What is used has a name of its own, which the answer does not say. After a question or an offer such words are the reply
to it; without a "no", the answer has to say what is not to be used, or all that is said is that something else is. What
the prompt itself asked for was no choice of the answer, and who takes it back has changed their mind.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from aftermind.sidecar.cues.comparing.another_matter import named, takes_note
from aftermind.sidecar.ports import Case
from aftermind.sidecar.utterances.grammar import ANAPHORA, DISCUSSES, NEGATIONS, POLITE
from aftermind.sidecar.utterances.languages import SMALL_WORDS
from aftermind.sidecar.utterances.phrases import Word, words

_NO = re.compile(
    r"\s*(?:(?:oh|ah|um|uh|hm|hmm|well|ok|okay|sorry|stop|wait)\b[\s,.!…]{1,3}){0,2}(?:no|nope|nah)\b"
    r"(?:\s{0,2}[,.:;!–—-]{1,3}\s{0,2}|\s{1,2}(?=(?:we|i)\s))",
    re.IGNORECASE,
)
"""A "no" by itself: in "no use of it" it is none, in "no we use pnpm" it is."""
_OFFERS = re.compile(
    r"[?？]|\bif (?:you|that|it)\b|\b(?:let me know|tell me|want me to|would you|shall i|i can|i could|you can"
    r"|you could|alternatively|either|confirm|prefer)\b",
    re.IGNORECASE,
)
"""In the end of an answer: something is asked, offered or left open."""
_ASKS = re.compile(r"[^\W_][)\"'`]?[?？](?=\s|\Z)")
"""Anywhere in an answer: "Do you use npm? Then run npm install." """
_HOW_IT_IS = re.compile(
    r"\s*(?:(?:and|so|ok|okay|but|hey|hi)[\s,]{1,2})?(?:(?:how|why|where|when|what|who|which \w{1,20})"
    r"(?:['’]s| is| are| was| were| does| did| has| have| come)"
    r"|(?:why|where|when|what) do (?:we|they)|is|are|do|does)\b",
    re.IGNORECASE,
)
"""A question of how things are: what is ordered after the answer is a task, and not what the answer got wrong."""
_SENTENCE = re.compile(r"[?？]|[.!。！](?=\s|$)|\n")
_NEVER_NAMES = frozenset(
    """
    both either neither whatever whichever any anything everything something nothing none all another other others such
    same similar different ones one two most more less fewer again twice once locally manually later first next last
    default defaults case cases time times off out along always better yourself myself myself yours mine everyone
    tests commands instead rather please as well good fine into onto care maybe perhaps probably sure done fixed
    finished running broken flaky failing passing intentional expected optional required wrong right correct ready
    """.split()
)
_UNNAMED = SMALL_WORDS | ANAPHORA | POLITE | NEGATIONS | _NEVER_NAMES
_BESIDE = frozenset(
    """
    too also already anyway either later tomorrow soon sometimes elsewhere well before yet if unless when next first
    then like so leave keep
    """.split()
)
"""With one of these, it is used beside something, at another time, or in some cases."""
_FORMS = frozenset(
    """
    words sentences paragraphs bullet bullets points lists table tables markdown emoji emojis prose headings language
    english german french spanish italian portuguese dutch polish russian japanese chinese korean mode
    """.split()
)
"""How something is told or looks: a taste, and nothing that the answer got wrong."""
_WITH_WHAT = re.compile(r"\b(?:with|using|use|via|in|on|to)\s{1,3}([^\W_][\w.+#-]*)", re.IGNORECASE)
_DONE = frozenset("done ran made wrote built set here there".split())
_FILLS = frozenset("please just always only simply actually normally usually here now really generally".split())
_WHO = frozenset({"we", "i"})
_USE = frozenset({"use", "run"})
_PRONOUNS, _WITH = frozenset("it them that this those these".split()), frozenset("with via through by".split())
_IS, _IN = frozenset({"is", "are"}), frozenset("in for on there".split())
_EVERYWHERE = frozenset("everywhere please here now there".split())
"""What may follow the name of what is not used; "in the Dockerfile" is a task of its own."""
_TOOLS = tuple(
    frozenset(line.split())
    for line in """
    npm pnpm yarn bun
    pip pip3 pipenv poetry uv pdm conda mamba
    jest vitest mocha jasmine
    playwright cypress selenium puppeteer
    pytest unittest nose2
    webpack vite rollup parcel esbuild
    gradle maven bazel
    docker podman
    """.strip().splitlines()
)
"""Of each kind a project has one: who names another corrects the one that was used."""
_RUN = re.compile(
    r"(?:[`$]|\b(?:with|using|via|use|used|run|ran|npx|sudo)\b)\s?([a-z][a-z0-9]{1,11})\b(?![-./@])"
    r"|\b([a-z][a-z0-9]{1,11})\s(?:install|ci|add|run|test|build|exec|sync|up|compose|system)\b"
)
"""What is run, rather than only named."""
_PLEASE = frozenset("please pls plz bitte porfa favor por per favore stp svp plaît s' il te".split())
SHORT = 8
"""Words of a sentence that says nothing but what is used instead."""
FEWEST_FORBIDDEN = 2
"""Words of what is forbidden: one alone ("no, never push") may be of anything."""
LONGEST, LONGEST_ANSWER, LATEST, MOST_ASKED = 200, 20_000, 300, 2_000
"""Characters of what is said, of an answer in which it is looked for, of its end, which may offer something, and of a
prompt that may say with what something is to be done."""


def put_instead(case: Case, typed: str, follow_up: str) -> str:
    """The first words of a follow-up, where they put something in the place of what the answer had; else nothing.
    `typed`: its user's own voice, as long as it."""
    answer = case.answer[:LONGEST_ANSWER]
    if _OFFERS.search(case.answer[-LATEST:]) or _ASKS.search(answer) or takes_note(case):
        return ""
    no = _NO.match(typed)
    begins = no.end() if no else 0
    ends = next((found.start() for found in _SENTENCE.finditer(typed, begins)), len(typed))
    if typed[ends : ends + 1] in ("?", "？") or ends - begins > LONGEST:
        return ""
    said = [Word(one.text, one.start + begins, one.end + begins) for one in words(typed[begins:ends])]
    told = [follow_up[one.start : one.end].casefold() if one.text == "_" else one.text for one in said]
    before = f"{answer} {' '.join(path for tool in case.tools for path in tool.paths)}".casefold()
    if not told or not (_BESIDE | _FORMS).isdisjoint(told):
        return ""
    asked = case.prompt[:LONGEST_ANSWER].casefold()
    told_how = DISCUSSES.match(case.prompt) or _HOW_IT_IS.match(case.prompt)
    if _is_another_tool(told, before, asked, no is not None) and (no or not told_how):
        found = True
    elif no:
        found = (_is_used(told, before) and _is_its_own_choice(asked, before)) or _is_forbidden(told, answer, asked)
    else:
        found = not (DISCUSSES.match(case.prompt) or _is_a_task(told, case.prompt)) and (
            _is_used_instead(told, before, asked)
            or _is_used_and_not(told, before, asked)
            or _is_not_but_is_used(told, before, asked)
        )
    return follow_up[:ends].strip() if found else ""


def _is_a_task(told: Sequence[str], prompt: str) -> bool:
    """Whether something is ordered after it was told how things are."""
    at = _after(told, 0, _FILLS)
    return not (_USE | {"do", "never"}).isdisjoint(told[at : at + 1]) and _HOW_IT_IS.match(prompt) is not None


def _is_its_own_choice(asked: str, before: str) -> bool:
    """Whether an answer says more than the prompt did, and the prompt not with what it was to be done."""
    if any(_is_named([what]) and not _is_new(what, before) for what in _WITH_WHAT.findall(asked[:MOST_ASKED])):
        return False
    chosen = named(before) - named(asked) - {word[:4] for word in _DONE}
    return any(word.text[:4] in chosen and not word.text.endswith("ed") for word in words(before[:LONGEST_ANSWER]))


def _is_used(told: Sequence[str], before: str) -> bool:
    """ "we use pnpm", "use make e2e", "we run them with make"."""
    what = _used(told, 0)
    if not what:
        return False
    ordered = told[_after(told, 0, _FILLS)] not in _WHO
    if ordered and told[what + 1 : what + 2] and told[what + 1][0].isdigit():  # "use port 9090" sets a value
        return False
    return _is_new(told[what], before) or (
        ordered and _is_named(told[what + 1 : what + 2]) and f"{told[what]} {told[what + 1]}" not in before
    )


def _is_another_tool(told: Sequence[str], before: str, asked: str, no: bool) -> bool:
    """ "no, pnpm", "pnpm please", where the answer ran npm and nobody asked for that."""
    name, *rest = [part.strip("`") for word in told for part in word.split() if any(map(str.isalnum, part))] or [""]
    kind = next((kind for kind in _TOOLS if name in kind), None)
    if kind is None or not set(rest) <= _PLEASE | _FILLS | {"install"} or (not no and _PLEASE.isdisjoint(rest)):
        return False
    ran = {first or second for first, second in _RUN.findall(before)} & kind
    return bool(ran) and _is_new(name, before) and all(_is_new(one, asked) for one in kind)


def _is_used_instead(told: Sequence[str], before: str, asked: str) -> bool:
    """ "use make e2e instead", "use pnpm instead of npm"."""
    what = _used(told, 0)
    if not what or told[_after(told, 0, _FILLS)] in _WHO or not _is_new(told[what], before):
        return False
    for at in range(what + 1, len(told)):
        if told[at : at + 2] in (["instead", "of"], ["rather", "than"]):
            rest = {word for word in told[at + 3 :] if word.isalnum()}
            return rest <= _EVERYWHERE and _was_chosen(told[at + 2 : at + 4], before, asked)
    return "instead" in told[what:] and len(told) <= SHORT and _is_its_own_choice(asked, before)


def _is_used_and_not(told: Sequence[str], before: str, asked: str) -> bool:
    """ "we use pnpm, not npm", "it is Redis, not RabbitMQ", "pnpm, not npm"."""
    what = _used(told, 0) or (2 if told[0] in _PRONOUNS and told[1:2] and told[1] in _IS else 0)
    if not _is_named(told[what : what + 1]) or not _is_new(told[what], before):
        return False
    at = next((at for at in range(what + 1, len(told)) if told[at] == "not"), 0)
    between = {word for word in told[what + 1 : at] if word.isalnum()} - _FILLS
    return bool(at) and at + 2 >= len(told) and len(between) <= 1 and _was_chosen(told[at + 1 :], before, asked)


def _is_not_but_is_used(told: Sequence[str], before: str, asked: str) -> bool:
    """ "don't use npm, use pnpm", "we don't use moment, use date-fns"."""
    at = _after_never(told)
    if not at or told[at : at + 1] not in (["use"], ["run"]):
        return False
    at += 1
    again = next((n for n in range(at + 1, len(told)) if told[n] in _USE), 0)
    what = _used(told, again) if again else 0
    said = {word for word in told[at + 1 : again] if word.isalnum()}  # "in the docs"
    alone = said <= _FILLS | _WHO | {"but", "and"} and _IN.isdisjoint(told[what + 1 :])
    return bool(what) and alone and _was_chosen(told[at : at + 1], before, asked) and _is_new(told[what], before)


def _is_forbidden(told: Sequence[str], answer: str, asked: str) -> bool:
    """ "never stamp head", where the answer says to stamp head in the same words, and nobody asked for that."""
    begins = _after_never(told)
    if not begins:
        return False
    ends = next((at for at in range(begins, len(told)) if not any(map(str.isalnum, told[at]))), len(told))
    what = " ".join(told[begins:ends])
    return ends - begins >= FEWEST_FORBIDDEN and not _is_new(what, answer.casefold()) and _is_new(what, asked)


def _after_never(told: Sequence[str]) -> int:
    """Where what is forbidden begins: behind "never", "don't", "we never"; 0 where nothing is."""
    at = _after(told, 0, _FILLS | _WHO)
    never = next((n for n in (["do", "not"], ["never"]) if told[at : at + len(n)] == n), None)
    return 0 if never is None else at + len(never)


def _used(told: Sequence[str], at: int) -> int:
    """Where what is used is named, of what begins there with who uses it or with the order; 0 where it is not."""
    at = _after(told, at, _FILLS)
    if at < len(told) and told[at] in _WHO:
        at = _after(told, at + 1, _FILLS)
    if at >= len(told) or told[at] not in _USE:
        return 0
    at += 1
    if at + 1 < len(told) and told[at] in _PRONOUNS and told[at + 1] in _WITH:
        at += 2
    return at if _is_named(told[at : at + 1]) else 0


def _after(told: Sequence[str], at: int, passed: Set[str]) -> int:
    while at < len(told) and told[at] in passed:
        at += 1
    return at


def _is_named(said: Sequence[str]) -> bool:
    return bool(said) and said[0] not in _UNNAMED and (len(said[0]) > 1 and any(map(str.isalnum, said[0])))


def _is_new(name: str, before: str) -> bool:
    return _place(name, before) < 0


def _was_chosen(said: Sequence[str], before: str, asked: str) -> bool:
    """Whether the first name of what is said stands in what was before, and was not asked for."""
    name = next((word for word in said if _is_named([word])), "")
    return bool(name) and not _is_new(name, before) and _is_new(name, asked)


def _place(name: str, before: str) -> int:
    """Where a name stands in a text, as a whole; -1 where it does not."""
    at = before.find(name)
    while at >= 0 and (before[at - 1 : at].isalnum() or before[at + len(name) : at + len(name) + 1].isalnum()):
        at = before.find(name, at + 1)
    return at
