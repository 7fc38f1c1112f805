"""Whose words are they? What a user types, apart from what they paste, quote, or say to a judge. Pure.

Code, output, logs and quotations are somebody else's words, whatever they say. What stays is cut into sentences and
clauses, each with its place in the message, so that whatever is concluded can show the words it rests on.
"""

from __future__ import annotations

import re

from msgspec import Struct

from aftermind.engine.lazily import lazily
from aftermind.sidecar.utterances.phrases import Word, words

ENDS = 8_000
"""Characters looked at, at each end of a very long message: what somebody says of a paste stands before or after it."""

_FENCE = lazily(r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL)
_INLINE = lazily(r"`[^`\n]*`")
_QUOTES = lazily(
    r"\"[^\"\n]{1,300}\"|“[^”\n]{1,300}[”“]|„[^“”\"\n]{1,300}[“”\"]|«[^»\n]{1,300}»|「[^」\n]{1,300}」|『[^』\n]{1,300}』"
    r"|(?<!\w)'[^'\n]{1,300}'(?!\w)|‘[^’\n]{1,300}’(?!\w)|\[[^\]\n]{1,300}\]|\{[^{}\n]{1,300}\}"
)
_NAMES = lazily(
    r"https?://\S+|(?<![\w@.-])@?[\w.-]*\w/[\w./-]*\w|(?<!\w)[\w]+(?:_[\w]+)+|(?<!\w)[^\W\d_]+(?:-[^\W_]+)+"
    r"|(?<!\w)[\w]+(?:\.[^\W\d_]\w*)+(?:\(\))?|(?<!\w)\w+\(\)|(?<!\w)--?[a-z][\w-]*",
    re.ASCII,
)
"""Addresses, paths, identifiers: names, whatever words they are made of."""
_TRACE = lazily(
    r"^\s*(?:Traceback\b|File \"|at [\w$.<>]+\s?\(|at \S+:\d+|\S+\.\w+:\d+(?::\d+)?:?\s|Caused by:|During handling)"
    r"|^\s*(?:[\w.$]*(?:Error|Exception|Warning|Interrupt|Fault|Panic))\b\s*[:(\[]|^\s*\w*(?:Error|Exception)\s*$"
    r"|^\s*(?:error|fatal|panic|fail|failed|failure|warn|warning|err|npm ERR|E)\b(?:\[\w+\])?\s?[:!]"
    r"|^\s*(?:erro|fehler|erreur|errore|błąd|fout|ошибка|помилка|hata|报错|错误|エラー|오류|에러)\s?[:：]"
    r"|^\s*error [A-Z]{1,6}\d{2,5}:\s|^\s*make(?:\[\d+\])?: \*\*\* |^\s*Error response from daemon: "
    r"|^\s*\d+:\d+\s+(?:error|warn)|^\s*\S+\(\d+,\d+\): (?:error|warning)\b"
    r"|^\s+expected\b"
    r"|^\s*(?:FAIL|FAILED|PASS|PASSED|ERROR|not ok(?=\s+\d)|FATAL)\b[\s:]\s*\S|^\s*BUILD (?:FAILED|SUCCESS)"
    r"|^\s*ok\s+(?:\d+(?:\s+-\s|\s*(?:#.*)?$)|\S+/\S*\s+(?:[\d.]+m?s\b|\(cached\)|\[no ))"
    r"|^\s*(?:FAIL|FAILED|PASS|ERROR|FAILURE|exit status \d+|exit code:? \d+)\s*$"
    r"|^\s*(?:---|===|>>>|\+\+\+|✓|✗|✕|×|●|> )\s?\S|^\s*Tests?:?\s+\d|^\s*Test Suites:|^\s*\$ "
    r"|^\s*\d{4}-\d\d-\d\d[T ]\d\d:\d\d|^\s*\[?\d\d:\d\d:\d\d|^\s*\w+\[\d+\]:|^\s*Time:\s|^\s*e: "
    r"|^\s*thread '\w+' panicked"
)
_NUMBERED = lazily(r"^\s*(?:not )?ok \d+\b")
"""A result of a test where there are several; alone it may be somebody's word: "ok 3 still fails"."""
_CODE = lazily(
    r"^(?:\t|    )\S|[;{}]\s*$|^\s*(?:def|class|func|fn|import|from \S+ import|const|let|var|return|public"
    r"|private|#include"
    r"|SELECT|INSERT|UPDATE|FROM|COPY|RUN|CMD|EXPOSE|if\s?\(|while\b.*;|for\s?\(|</?\w+[^>]*>)"
    r"|^\s*[\w.-]+\s?[=:]\s?[^\s]+\s*$|^\s*(?:\.|#|@)[\w-]+.*\{|^\s*>|^\s*\|.*\|\s*$|^\s*-?\s?\w+:\s*$"
)
_PIECES = lazily(
    r"(?<![.!?…。！？؟])[.!?…。！？؟]+(?=\s|$|[\"”»)\]])|(?<=[。！？])|\n+|[;；](?=\s|$)"
    r"|(?<=[\U0001F300-\U0001FAFF✅❤\uFE0F])[ \t]+(?=\w[^.!?？\n]{0,300}[?？])"
)
"""Where a sentence ends. Who ends it with a face or a thumb sets no full stop, and what asks then is the next one."""
_CUTS = lazily(r"[,，、：](?=\s|$)|:(?=\s|$)(?!\s+\w+\s*(?:[.!,;]|$))|(?<=[，、：])|\s[-–—]+\s|[—]|[()]|\.{3}|…")


class Clause(Struct, frozen=True):
    """A piece of a sentence as it was typed, where it begins in the message, and whether the sentence asks."""

    text: str
    start: int
    words: list[Word]
    asks: bool
    sentence: int
    mark: str = ""


class Message(Struct, frozen=True):
    """`typed`: as long as the message, with everything that is not the user's voice blank. `pasted`: output."""

    typed: str
    pasted: tuple[str, ...]
    clauses: tuple[Clause, ...]


def without_fences(message: str) -> str:
    """The message, as long as before, with what stands in fences blank."""
    return _FENCE.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), message)


def ends_of(message: str) -> str:
    """What is read of a message: all of it, or both ends of a very long one."""
    return message if len(message) <= 2 * ENDS else f"{message[:ENDS]}\n{message[-ENDS:]}"


def listen(message: str) -> Message:
    """What of a message is the user's voice. Of a very long one, give it the ends."""
    pasted: list[str] = []

    def away(found: re.Match[str]) -> str:
        if "\n" in found[0]:
            pasted.extend(found[0].strip("`~").splitlines())
        return re.sub(r"[^\n]", " ", found[0])

    typed = _FENCE.sub(away, message)
    lines = typed.split("\n")
    many = len(lines) > 1
    results = sum(bool(_NUMBERED.match(line)) for line in lines) > 1
    for at, line in enumerate(lines):
        if _TRACE.search(line) or (many and _CODE.search(line)) or (results and _NUMBERED.match(line)):
            pasted.append(line)
            lines[at] = " " * len(line)
    typed = "\n".join(lines)
    typed = _INLINE.sub(lambda found: "_" * len(found[0]), typed)
    for pattern in (_QUOTES,):
        typed = pattern.sub(lambda found: " " * len(found[0]), typed)
    typed = _NAMES.sub(lambda found: "_" * len(found[0]), typed)
    return Message(typed=typed, pasted=tuple(pasted), clauses=tuple(_clauses(typed)))


def _clauses(typed: str) -> list[Clause]:
    found: list[Clause] = []
    begins = 0
    for number, end in enumerate((*_PIECES.finditer(typed), None)):
        stop = end.start() if end else len(typed)
        mark = end[0] if end else ""
        asks = "?" in mark or "？" in mark or "؟" in mark
        here = begins
        for cut in (*_CUTS.finditer(typed, begins, stop), None):
            there = cut.start() if cut else stop
            piece = typed[here:there]
            if piece.strip():
                lead = len(piece) - len(piece.lstrip())
                text = piece.strip()
                found.append(Clause(text, here + lead, words(text), asks, number, mark if cut is None else cut[0]))
            here = cut.end() if cut else there
        begins = end.end() if end else stop
    return found
