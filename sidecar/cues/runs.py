"""What the tools and the answer say of an exchange that nobody answered. Pure.

Only a check that was run counts: the last run passed and the answer reports it, or the last run failed and the answer
admits it. What the assistant claims without a run counts for nothing, and so does an edit.
"""

from __future__ import annotations

import re

from aftermind.engine.names import Outcome
from aftermind.sidecar.ports import Case

_RUNS = re.compile(r"bash|shell|terminal|command|exec|run|test|powershell|build|lint|script|console", re.IGNORECASE)
_NOT_A_RUN = re.compile(r"read|grep|glob|list|search|fetch|edit|write|patch|todo", re.IGNORECASE)
_INTERRUPTED = re.compile(
    r"interrupt|abort|cancel|denied by|rejected by the user|declined|permission to use", re.IGNORECASE
)
_PASSED = re.compile(
    r"\b(?:all|every\w*|tests?|suite|specs?|build|checks?|lint\w*|cases?|ctest|typecheck\w*|compil\w+|it|they"
    r"|which|now)\b"
    r"[^.!?;]{0,60}?\b(?:pass(?:es|ed|ing)?|green|clean(?:ly)?|succe\w+|go(?:es)? through|went through|ok|fine)\b"
    r"|\b\d+ (?:tests? )?pass(?:ed|es|ing)?\b|\b(?:no|zero|0|without) (?:\w+ )?(?:errors?|fail\w+|findings"
    r"|warnings|issues|problems)\b"
    r"|\b(?:build|compil|run)\w* (?:succe\w+|is green|finishes)\b|\b(?:is|are|runs?|finishe[sd]|builds"
    r"|compiles) (?:now )?(?:clean(?:ly)?|green)\b"
    r"|\bverified\b[^.]{0,40}\b(?:run|test|build)|\bpass(?:es|ing)? (?:now|again)\b|\bcompiles\b|\bbuilds\b"
    r"|läuft (?:jetzt )?(?:sauber |ohne Fehler )?durch|laufen (?:\w+ )?durch|\bgrün\b|bestanden|erfolgreich"
    r"|fehlerfrei|ohne (?:Fehler|Befund)"
    r"|passent|réussi\w*|\bau vert\b|sans erreur|\bpasan\b|en verde|correctamente|sin errores|con éxito|exitosa"
    r"|\bpassam\b|passaram|\bverdes?\b|sem erros|com sucesso|passano|senza errori|con successo"
    r"|slagen|geslaagd|\bgroen\b|zonder fouten|przechodz\w+|zielon\w+|bez błęd\w+|powodzeniem"
    r"|проход\w+|прош[её]?л\w+|зел[её]н\w+|без ошибок|успешно|проходять|пройшл\w+|без помилок|успішно"
    r"|geçiyor|geçti|başarıl\w+|hatasız|yeşil|通过|通過|成功|通り|通っ|パス|통과|성공",
    re.IGNORECASE,
)
_ADMITTED = re.compile(
    r"\b(?:fail(?:s|ed|ing|ures?)?|could(?:n't| not)|can(?:'t|not| not)|un(?:able|successful\w*)|rejected|refused"
    r"|denied|blocked|stuck"
    r"|did(?:n't| not)|does(?:n't| not)|still|errors?|broken|crash\w*|timed? ?out|not (?:able|pass\w*|work\w*)"
    r"|no other way|gave up|red)\b"
    r"|schl\w+ (?:\w+ )?fehl|fehlgeschlagen|scheiter\w+|konnte|kann (?:ich )?nicht|Fehler|nicht möglich|abgelehnt"
    r"|bricht"
    r"|échou\w+|n'ai pas|impossible|refus\w+|erreur|fall[aóo]\w*|no (?:he )?(?:pude|podido|puedo)|rechaz\w+"
    r"|falh\w+|não consegui|não (?:foi|pude|passa)|fallit\w+|fallisc\w+|non (?:sono|riesc|posso|ho potuto)\w*"
    r"|mislukt|faalt|falen|lukt(?:e)? (?:\w+ )?niet|kon (?:\w+ )?niet|nie (?:uda\w+|mog\w+|przech\w+)|nadal|błąd"
    r"|не (?:уда\w+|смог\w*|проход\w+|получ\w+|вда\w+|зміг|проходять)|упал\w*|пада\w+|ошибк\w+|помилк\w+|відхил\w+"
    r"|başarısız|olmadı|yapamad\w+|hata|失败|失敗|无法|無法|仍然|没能|できませ\w*|エラー|落ち|실패|못했|오류|없었",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?。！？\n;]+(?:[.!?](?!\s|$)[^.!?。！？\n;]+)*")
_NOT = re.compile(
    r"\b(?:no|zero|0|without|nothing|never|none|kein\w*|ohne|nichts|aucune?|sans|sin|ning[uú]n\w*|sem|nenhuma?|senza"
    r"|nessun\w*|geen|zonder|bez|без|hiç|hiçbir)\s(?:[^\s,;:]+\s)?$",
    re.IGNORECASE,
)
"""Right before a word for trouble: there was none."""
_DENIED = re.compile(
    r"(?:\bnot|n't|\bnever|\bnone of|\bnicht|\bpas|\bnão|\bnon|\bniet|\bnie|\bне) (?:[^\s,;:]+ ){0,4}"
    r"(?:pass|green|succe|ok\b|fine|bestanden|grün|passent|passam|passano|slagen|przech|проход|прош)"
    r"|(?<![\d.,])0 (?:tests? )?pass",
    re.IGNORECASE,
)


def by_the_tools(case: Case) -> tuple[Outcome, str]:
    """The outcome of an exchange without a follow-up, and the words of the answer (or of the tool) that show it."""
    ran = [tool for tool in case.tools if _RUNS.search(tool.name) and not _NOT_A_RUN.search(tool.name)]
    if not ran or ran[-1] is not case.tools[-1]:
        return "unknown", ""
    last = ran[-1]
    if _INTERRUPTED.search(last.error):
        return "unknown", ""
    said = [match[0].strip() for match in _SENTENCE.finditer(case.answer)]
    admitted = [text for text in said if _admits(text)]
    passed = [text for text in said if _PASSED.search(text) and not _DENIED.search(text)]
    if last.ok:
        if passed and not case.answer.rstrip().endswith("?"):
            return "worked", passed[-1]
        return "unknown", ""
    if admitted and [text for text in passed if text not in admitted]:
        return "partial", admitted[-1]
    if admitted and _admits(said[0]):  # who tells first what was done tells of a part
        return "failed", last.error.strip() or admitted[-1]
    return "unknown", ""


def _admits(text: str) -> bool:
    """Whether a sentence names trouble that it does not say was absent."""
    return any(not _NOT.search(text[: match.start()]) for match in _ADMITTED.finditer(text))
