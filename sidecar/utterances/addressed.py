"""Text that tells a judge what to say is data, and says nothing of how it turned out. Pure."""

from __future__ import annotations

import re

from aftermind.engine.lazily import lazily

_TO_A_JUDGE = lazily(
    r"\b(?:judge|grader|evaluator|scorer|rater|assessor|auto-?grader|prüfer\w*|bewerter\w*|gutachter\w*|juge"
    r"|évaluateur|correcteur|notateur"
    r"|evaluador\w*|juez|calificador\w*|avaliador\w*|juiz|giudice|valutatore|beoordelaar|rechter|sędzi\w*"
    r"|oceniając\w*|судь\w*|оценщик\w*"
    r"|проверяющ\w*|суд+і\w*|оцінювач\w*|hakem|değerlendiric\w*|yargıç|निर्णायक)\b"
    r"|(?:score|mark|rate|grade|count|treat|label|record|judge|classify|evaluate|report|log) (?:this|it|that"
    r"|everything|the (?:exchange|answer|outcome|result|above|task|turn))?\b.{0,60}"
    r"\bas (?:a )?(?:worked|working|success\w*|failed|failure|partial|passed|positive|negative|resolved|solved|done)"
    r"|\b(?:outcome|verdict|score|resultado|résultat|ergebnis|bewertung|risultato|uitkomst|wynik|исход|оценка"
    r"|sonuç)\s*(?:[=:]|should be|must be|is to be)"
    r"|\b(?:als|como|comme|come|jako|как|як)\b.{0,4}\b(?:funktioniert|funcionó|worked|gelungen|réussi|riuscito"
    r"|geslaagd|udane|успех|успешн\w*)\b.{0,6}\b(?:werten|bewerten|calificar|noter|valutare)?"
    r"|ignore (?:all |any |the |your )?(?:previous|prior|above|earlier) (?:instruction|rule|message|prompt)s?"
    r"|disregard (?:all|the|any|your|previous)"
    r"|note to (?:the )?(?:grader|judge|evaluator|model|reviewer|ai|llm|scorer)|^[ \t]*(?:system|assistant"
    r"|instruction)s?\s*[:>\]]"
    r"|評価者|採点者|審査員|判定者|评委|评审|裁判|评估者|评分者|評審|평가자|심사위원|채점자|판정",
    re.IGNORECASE | re.MULTILINE,
)
_TAGGED = lazily(
    r"<(?P<tag>local-command-(?:stdout|stderr|caveat)|command-(?:name|message|args|contents)|bash-(?:input|stdout|stderr)"
    r"|system-reminder|user-prompt-submit-hook|user-memory-input|task-notification|aftermind[\w-]{0,20}|ide_\w+)\b[^>]{0,200}>.*?(?:</(?P=tag)>|\Z)",
    re.DOTALL,
)
_CONTINUED = lazily(
    r"\s*(?:this session is being continued from a previous conversation|caveat: the messages below were generated)",
    re.IGNORECASE,
)
_BEGINS = lazily(r"[.!?。！？\n]\s*|<!--|[\[(]")


def without_orders(text: str) -> str:
    """The text with every line blank from the sentence on that addresses a judge; as long as before."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        found = _TO_A_JUDGE.search(line[:4000])
        if found:
            begins = [match.end() for match in _BEGINS.finditer(line[: found.start()])]
            keep = begins[-1] if begins else 0
            lines[at] = line[:keep] + " " * (len(line) - keep)
    return "\n".join(lines)


def by_a_client(text: str) -> str:
    """The text with what a client wrote in the user's name blank: its tags, or all of a summary; as long as before."""
    if _CONTINUED.match(text):
        return re.sub(r"[^\n]", " ", text)
    return _TAGGED.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
