"""What output that was pasted says: it fails or it passes. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from aftermind.sidecar.cues.clauses.amounts import Sign
from aftermind.sidecar.cues.clauses.heard import Heard, content, requests
from aftermind.sidecar.cues.clauses.summaries import counts_failures, sums_up_failures
from aftermind.sidecar.utterances.grammar import CONTRAST, OTHERS, REQUESTS
from aftermind.sidecar.utterances.voice import Message

_OUTPUT_FAILS = re.compile(
    r"Traceback|\w*(?:Error|Exception)\b|\b(?:FAIL(?:ED|URE)?|ERR|ERROR|FATAL|panic(?:ked)?|fatal|Caused by)\b"
    r"|^\s*(?:error|[eE])\b[\[:]|^\s*error [A-Z]{1,6}\d{2,5}:"
    r"|^\s*make(?:\[\d+\])?: \*\*\* |^\s*Error response from daemon:"
    r"|^\s*not ok\s+\d+(?!.*#\s*(?i:todo|skip))|✗|✕|×|exit (?:status|code:?) [1-9]|\bnpm ERR"
)
_CODE = re.compile(
    r"^\s*(?:[}+-]\s*)?(?:throw|raise|except|catch|return|class|import|from|if|elif|const|let|var|def|export|public)\b"
    r"(?!:| (?:of \w+ )?failed\b| error: | (?:code|status) \d| not (?:found|loaded)\b)"
    r"|\bnew \w*(?:Error|Exception)\("
)
"""Of code that names an error nothing is known of how it ran."""
_SYSTEM = re.compile(
    r"^\s*(?:\S+: ){1,4}[^.!?]{0,80}\b(?:command not found|permission denied|no such file|access denied"
    r"|not recogni[sz]ed"
    r"|connection (?:refused|reset|timed out)|segmentation fault|no module named|unable to|cannot|could not"
    r"|not found)\b"
    r"|^\s*(?:command not found|permission denied|no such file or directory|access denied|connection refused"
    r"|segmentation fault|unable to \w+|no module named)\b",
    re.IGNORECASE,
)
"""What a machine says when it cannot, on a line of its own."""
_OUTPUT_PASSES = re.compile(r"^\s*(?:PASS|PASSED|ok|✓)\b|✓|\bpassed\b|BUILD SUCCESS|0 fail")
_NOTHING_RAN = re.compile(r"(?<![\d.,])0 (?:tests? )?pass|\b(?:no|0) tests? (?:ran|run|found|collected|executed)\b")


def _fails(line: str) -> bool:
    if _CODE.search(line[:2000]):
        return False
    return _OUTPUT_FAILS.search(line[:2000]) is not None or sums_up_failures(line)


def _leads_on(message: Message, heard: Sequence[Heard]) -> bool:
    """Whether what is typed ends as what goes on, and in its last sentence something works: "works now, but:" """
    if not message.clauses:
        return False
    last = message.clauses[-1]
    leads = last.mark in (":", "：") or (bool(last.words) and last.words[-1].text in CONTRAST)
    return leads and any(part.has("work") and part.sentence == last.sentence for part in heard)


_NEXT = OTHERS | {"next", "new", "nächste", "nächster", "prochain", "suivant", "siguiente", "próximo", "prossimo"}
"""Whose output it is then, is another matter."""


def printed(
    message: Message, follow_up: str, heard: Sequence[Heard], about: set[str], signs: Sequence[Sign]
) -> list[Sign]:
    """What output says where the user does not; output beside a question is of this exchange by its words only. Where
    the user says that something works and leads to output that fails, it works in part."""
    if any(sign.says != "part" for sign in signs):
        led_to = [line for line in message.pasted if _fails(line)] if _leads_on(message, heard) else []
        return [Sign("part", line.strip()) for line in led_to[:1]]
    if message.clauses and message.clauses[0].words[0].text in REQUESTS:
        return []
    if any(part.has("aside") or {word.text for word in part.words} & _NEXT for part in heard):
        return []
    lines = zip(message.typed.split("\n"), follow_up.split("\n"), strict=True)
    fails = [line for typed, line in lines if _SYSTEM.search(typed)]
    fails += [line for line in message.pasted if _fails(line)]
    if any(part.asks or requests(part) for part in heard) and not content("\n".join((*fails, *message.pasted))) & about:
        return []
    if fails:
        return [Sign("fail", fails[0].strip())]
    if any(_NOTHING_RAN.search(line[:2000]) for line in (*message.pasted, *follow_up.split("\n"))):
        return []
    passes = [line for line in message.pasted if _OUTPUT_PASSES.search(line[:2000]) and not counts_failures(line)]
    return [Sign("work", line.strip()) for line in passes[:1]]
