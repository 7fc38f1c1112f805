"""What a user says to the one who works, apart from what they only mention: pasted mails and documents, what a client
wrote in their name, and what follows a colon that says whose words come. Pure, linear in the text.

"The docs say: always use tabs" wants nothing. What comes after a colon is the user's own rule where nothing but words
that address somebody stand before it ("note", "rules for this repo", "merke"), and their own news where it is that
something changed ("staging moved"). Everything blanked keeps its length, so places stay true.
"""

from __future__ import annotations

import re

from aftermind.engine.lazily import lazily
from aftermind.sidecar.captures.for_good import says_only_when
from aftermind.sidecar.captures.words.grammar import ADDRESSES, FILLS
from aftermind.sidecar.utterances.addressed import by_a_client
from aftermind.sidecar.utterances.grammar import SINCE
from aftermind.sidecar.utterances.phrases import BY_LETTERS, words

_SUMMARY = lazily(
    r"^[^\n]*(?:this session is being continued from|caveat: the messages below were generated).*\Z",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
"""From such a line on, a client tells what was said before: not at the beginning alone, it may be pasted."""
_HEADING = lazily(r"#{1,6}[ \t]+\S")
_HEADER = lazily(
    r"[ \t>]{0,8}\*{0,2}(?:subject|from|to|cc|bcc|date|sent|reply-to|betreff|von|an|gesendet|datum|objet|de|à|envoyé"
    r"|asunto|para|enviado|fecha|assunto|data|oggetto|da|inviato|onderwerp|van|aan|temat|do|wysłano|тема|от|кому"
    r"|件名|差出人|宛先|主题|发件人|收件人|제목|보낸 사람|받는 사람)\*{0,2}[ \t]?[:：]",
    re.IGNORECASE,
)
_FROM = lazily(r"[ \t>]{0,8}\*{0,2}(?:from|von|de|da|van|od|от)\*{0,2}[ \t]?:[^\n]{0,200}@", re.IGNORECASE)
_FORWARDED = lazily(
    r"[ \t>]{0,8}-{2,}[ \t]?(?:original message|forwarded message|ursprüngliche nachricht)", re.IGNORECASE
)
_BULLET = lazily(r"[ \t]*[-*•][ \t]")
_SPEAKER = lazily(r"[A-Z]\w+: ")
_FENCE = lazily(r"[ \t]*(?:```|~~~)")
_CODE = lazily(r"[ \t]*(?:Traceback|File|def|class|if|for|while|try|else|elif|with|except|\})[^\n]*:\s*$")
_COLON = lazily(r"[:：](?=\s|$)(?!\s+\S+\s*(?:[!,;]|\.\s|\.?$))|(?<=[^\W\d_])：")
_BEGINS = lazily(r"[.!?;](?=\s)|[,，。！？；、]|\s[-–—]+\s")
_LETTERS = lazily(f"[{BY_LETTERS}]")
_BY_LETTERS = lazily(
    "注意|记住|請記住|提醒|备注|規則|规则|补充|说明一下|今后|以后|不对|更正"
    "|ちなみに|覚えて|前提|念のため|補足|参考|ルール|今後|違い"
    "|참고|기억|유의|명심|규칙|앞으로|아니|नोट|याद|नियम"
)
_NEWS = lazily(
    r"\W*(?P<what>(?:[^\W\d_][\w'’-]*\s){1,4}?)(?:(?:has|have|had|is|are|was|were|got|just|been|finally|ist|sind|wurde"
    r"|a|ha|est|se|s['’]est|han|ont)\s){0,3}"
    r"(?:moved|changed|migrated|switched|renamed|upgraded|bumped|umgezogen|umgestellt|migriert|geändert|aktualisiert"
    r"|umbenannt|changé|déménagé|migré|cambió|cambiado|mudado|mudó|migró|migrado)"
    r"(?:\s(?:again|today|yesterday|recently|over|now|heute|gestern|hoy|ayer|hier))?\s*\Z",
    re.IGNORECASE,
)
"""Before a colon, that something is not where or as it was: how it is now, the user says."""
_WRITTEN = frozenset(
    """
    doc docs documentation readme changelog notes ticket issue story spec specs log logs line error errors warning
    output message messages test tests assertion review comment comments guide guideline policy prompt page wiki mail
    email example template text title description string translation answer reply response question snippet code
    function signature type schema diff commit pr says said wrote tells what which nothing something anything it this
    that if when whether after because since he she they doku dokumentation meldung fehler zeile frage text wenn falls
    was nichts er sie es documentación mensaje línea si qué nada documentation ligne erreur quoi rien
    """.split()
)
"""Whose words follow if that changed: what is written, or nobody knows what; or it is only supposed."""
LONGEST_LEAD = 120
"""Characters before a colon that are read."""
_LEADING = ADDRESSES | SINCE
MOST_LETTERS = 12
"""Letters of a lead-in where words are not parted."""


def own(message: str) -> str:
    """The message with everything that is only mentioned blank; as long as before."""
    said = _SUMMARY.sub(_away, by_a_client(message))
    return "\n".join(_own_lines(said.split("\n")))


def _away(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


def _own_lines(lines: list[str]) -> list[str]:
    """The lines: from a heading or a mail's header on all are blank, and so are those after a line that ends in a
    colon, and lists and conversations that were pasted. What a fence holds is left as it is."""
    lists = sum(bool(_BULLET.match(line)) for line in lines) > 1
    speakers = sum(bool(_SPEAKER.match(line)) for line in lines) > 1
    kept: list[str] = []
    fenced = mine = False
    for at, line in enumerate(lines):
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced:
            if _HEADING.match(line) or _is_mail(lines, at):
                return [*kept, *(" " * len(rest) for rest in lines[at:])]
            bullet = bool(_BULLET.match(line))
            if (bullet and lists and not mine) or (speakers and _SPEAKER.match(line)):
                kept.append(" " * len(line))
                continue
            mine = mine and (bullet or not line.strip())
            colon = _foreign(line)
            if colon >= 0:
                kept.append(line[:colon] + " " * (len(line) - colon))
                if not line[colon:].strip() and not _before_a_fence(lines, at):
                    return [*kept, *(" " * len(rest) for rest in lines[at + 1 :])]
                continue
            mine = mine or (line.rstrip().endswith((":", "：")) and not _CODE.match(line))
        kept.append(line)
    return kept


def _is_mail(lines: list[str], at: int) -> bool:
    """Whether a mail begins: two headers, a sender's address, or a line that says so."""
    line = lines[at]
    if not _HEADER.match(line):
        return bool(_FORWARDED.match(line))
    return bool(_FROM.match(line)) or (at + 1 < len(lines) and bool(_HEADER.match(lines[at + 1])))


def _before_a_fence(lines: list[str], at: int) -> bool:
    """Whether what a colon announces is fenced: then what is said after the fence is the user's again."""
    following = next((line for line in lines[at + 1 : at + 4] if line.strip()), "")
    return bool(_FENCE.match(following))


def _foreign(line: str) -> int:
    """The place after the first colon of a line whose lead-in does not address anybody; -1 where there is none."""
    if _CODE.match(line):
        return -1
    for colon in _COLON.finditer(line):
        near = max(0, colon.start() - LONGEST_LEAD)
        begins = [begin.end() for begin in _BEGINS.finditer(line, near, colon.start())]
        if not _addresses(line[begins[-1] if begins else near : colon.start()]):
            return colon.end()
    return -1


def _addresses(lead: str) -> bool:
    """Whether nothing but words that address somebody stand before a colon."""
    if _LETTERS.search(lead):
        return len(_LETTERS.findall(lead)) <= MOST_LETTERS and bool(_BY_LETTERS.search(lead))
    if (news := _NEWS.match(lead)) is not None:
        return _WRITTEN.isdisjoint(word.text for word in words(news["what"]))
    said = {word.text for word in words(re.sub(r"^\s*(?:\d+[.)]|[-*•])\s", "", lead))}
    return says_only_when(lead) or (bool(said & _LEADING) and said <= _LEADING | FILLS)
